/* wmma.load and wmma.store: matrices between memory and fragments (PTX ISA 9.7.14.4).
 * What is counted are the accesses that ptxas makes of them: see lower/matrix.c. */
#include "exec/decode/operands.h"
#include "exec/matrix/mma.h"
#include "exec/run/cta.h"
#include "exec/run/worker.h"

#include <string.h>

typedef struct Wmma {
    bool stores, generic;
    Fragment fragment;
    uint32_t parts;
    uint32_t stride; /* register, of the elements from line to line; NO_OPERAND: whole_line */
    uint32_t whole_line;
    uint32_t moved; /* parts of a register that are moved at once: all or 1 */
    uint32_t offset[8];
    LinePlace *places; /* [distinct][parts][lanes]: of each part, in memory */
    bool alike;        /* the lanes' places lie to each other in all parts as in the first */
    bool grouped;      /* … and what four lanes of a register have lies side by side */
    const LoweredAccess *lowered;
} Wmma;

static uint64_t byte_at(const Wmma *wmma, uint32_t stride, LinePlace place) {
    return ((uint64_t)place.line * stride + place.element) * wmma->fragment.bits / 8;
}

/* Of all lanes, from `base` on. */
static void find_bytes(const Wmma *wmma, uint32_t stride, const LinePlace *places, uint64_t base,
                       uint64_t at[WARP_LANES]) {
    _Pragma("GCC unroll 8") for (uint32_t lane = 0; lane < WARP_LANES; lane++) at[lane] =
        base + byte_at(wmma, stride, places[lane]);
}

/* ---- executing ---- */

static Step count(Warp *warp, const Code *code, const MatrixAccess *matrix, uint64_t base,
                  uint32_t stride, Space space) {
    const Wmma *wmma = code->more;
    Touch touch;
    find_bytes(wmma, stride, matrix->place, base, touch.address); /* some of nobody */
    touch.pattern = pattern_of(touch.address, matrix->mask);
    if (touch_check(&touch, warp, code, space, matrix->mask, matrix->width, wmma->stores) !=
        STEP_NEXT)
        return STEP_FAULT;
    Access access = {.kind = wmma->lowered->kind,
                     .space = space,
                     .width = matrix->width,
                     .mask = matrix->mask,
                     .matrices = matrix->matrices,
                     .address = touch.address};
    access_count(warp, code, &access, matrix->matrices ? NULL : &touch.pattern);
    return STEP_NEXT;
}

/* `bytes` of each lane between memory and its register; a constant, so that each is one move. */
static inline __attribute__((always_inline)) void move_lanes(uint8_t *memory,
                                                             const uint64_t at[WARP_LANES],
                                                             uint8_t *cells, bool stores,
                                                             uint32_t bytes) {
    uint32_t pitch = bytes == 8 ? 8 : 4;
    _Pragma("GCC unroll 8") for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint8_t *from = memory + at[lane], *cell = cells + pitch * lane;
        memcpy(stores ? from : cell, stores ? cell : from, bytes);
    }
}

/* Where the layouts have what the program thinks is at `base` + at: a line is wider than what a layout keeps
 * together, its pieces are not (touch_check has looked). */
static void relay(const RelaidArrays *relaid, uint64_t base, uint32_t bytes,
                  uint64_t at[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t place = base + at[lane];
        relaid_range(relaid, &place, bytes);
        at[lane] = place - base;
    }
}

enum { GROUP = 4 };

static inline __attribute__((always_inline)) void
move_groups(uint8_t *memory, const uint64_t at[WARP_LANES], uint8_t *cells, bool stores) {
    enum { BYTES = GROUP * sizeof(uint32_t) };
    _Pragma("GCC unroll 8") for (uint32_t lane = 0; lane < WARP_LANES; lane += GROUP) {
        uint8_t *from = memory + at[lane], *cell = cells + sizeof(uint32_t) * lane;
        memcpy(stores ? from : cell, stores ? cell : from, BYTES);
    }
}

static void move_part(uint8_t *memory, const uint64_t at[WARP_LANES], uint8_t *cells, bool stores,
                      uint32_t bytes) {
    switch (bytes) {
    case 1:
        move_lanes(memory, at, cells, stores, 1);
        break;
    case 2:
        move_lanes(memory, at, cells, stores, 2);
        break;
    case 4:
        move_lanes(memory, at, cells, stores, 4);
        break;
    default:
        move_lanes(memory, at, cells, stores, 8);
        break;
    }
}

/* Bytes between memory at `host` and the registers; wide registers have one part. relaid: of shared memory with
 * other layouts, in which the program means `base`; else NULL. */
static void move(const Warp *warp, const Wmma *wmma, uintptr_t host, uint32_t stride,
                 const RelaidArrays *relaid, uint64_t base) {
    uint32_t bits = wmma->fragment.bits;
    uint32_t bytes = bits < 32 && wmma->moved == wmma->parts ? 4 : bits / 8;
    bool alike = wmma->alike && !relaid;
    uint64_t at[WARP_LANES];
    find_bytes(wmma, stride, wmma->places, 0, at);
    const uint64_t first = at[0];
    for (uint32_t r = 0; r < wmma->fragment.distinct; r++) {
        uint8_t *registers = warp->registers + wmma->offset[r];
        for (uint32_t part = 0; part < wmma->parts; part += wmma->moved) {
            const LinePlace *places = &wmma->places[(r * wmma->parts + part) * WARP_LANES];
            uint8_t *cells = registers + part * bits / 8;
            uintptr_t memory = host;
            if (alike)
                memory += byte_at(wmma, stride, places[0]) - first;
            else
                find_bytes(wmma, stride, places, 0, at);
            if (relaid)
                relay(relaid, base, bytes, at);
            if (alike && wmma->grouped)
                move_groups((uint8_t *)memory, at, cells, wmma->stores);
            else
                move_part((uint8_t *)memory, at, cells, wmma->stores, bytes);
        }
    }
}

static Step exec_wmma(Warp *warp, const Code *code, uint32_t mask) {
    const Wmma *wmma = code->more;
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    Touch first;
    touch_addresses(&first, warp, code->a, code->a_class, code->offset, FULL_MASK);
    Space space = code->space;
    uint32_t one = 1; /* the address is the same in all lanes */
    if (space == SPACE_GENERIC)
        space = touch_split(&first, &one);
    if (space != SPACE_SHARED && space != SPACE_GLOBAL)
        return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, 0, space, first.address[0],
                            "matrix outside of shared and global memory");
    uint64_t base = first.address[0];
    uint32_t stride = wmma->stride == NO_OPERAND ? wmma->whole_line : reg32(warp, wmma->stride)[0];
    for (uint32_t i = 0; i < wmma->lowered->accesses; i++)
        if (count(warp, code, &wmma->lowered->matrix[i], base, stride, space) != STEP_NEXT)
            return STEP_FAULT;
    uintptr_t host = space == SPACE_SHARED ? (uintptr_t)warp->cta->shared + base : base;
    move(warp, wmma, host, stride, space == SPACE_SHARED ? warp->worker->run->relaid : NULL, base);
    uint32_t distinct = wmma->fragment.distinct;
    for (uint32_t r = distinct; !wmma->stores && r < wmma->fragment.registers; r++)
        memcpy(reg32(warp, wmma->offset[r]), reg32(warp, wmma->offset[r % distinct]),
               WARP_LANES * sizeof(uint32_t));
    return STEP_NEXT;
}

/* ---- decoding ---- */

/* Whether each part is the first one, elsewhere; sums are those of whole bytes. */
static bool parts_are_alike(const Wmma *wmma) {
    const LinePlace *first = wmma->places;
    bool so = wmma->fragment.bits >= 8;
    for (uint32_t i = 0; i < wmma->fragment.distinct * wmma->parts * WARP_LANES; i++) {
        const uint32_t lane = i % WARP_LANES;
        const LinePlace *here = &wmma->places[i - lane], *place = &wmma->places[i];
        so &= place->line - here->line == first[lane].line - first->line &&
              place->element - here->element == first[lane].element - first->element;
    }
    return so;
}

static bool lanes_are_grouped(const Wmma *wmma) {
    bool so = wmma->fragment.bits <= 32 && wmma->moved == wmma->parts;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const LinePlace *first = &wmma->places[lane / GROUP * GROUP], *place = &wmma->places[lane];
        so &= place->line == first->line &&
              place->element == first->element + lane % GROUP * wmma->parts;
    }
    return so;
}

static void find_places(Arena *arena, const Insn *insn, char matrix, Wmma *wmma) {
    LinePlace *at = NEW_ARRAY(arena, LinePlace, wmma->fragment.distinct * wmma->parts * WARP_LANES);
    wmma->places = at;
    for (uint32_t r = 0; r < wmma->fragment.distinct; r++)
        for (uint32_t part = 0; part < wmma->parts; part++)
            for (uint32_t lane = 0; lane < WARP_LANES; lane++)
                *at++ = fragment_line_place(insn->op, &insn->mods, matrix, r, part, lane);
    const LinePlace *first = &wmma->places[0], *second = &wmma->places[WARP_LANES];
    bool apart =
        wmma->parts > 1 && (second->line != first->line || second->element != first->element + 1);
    wmma->moved = apart ? 1 : wmma->parts;
    wmma->alike = parts_are_alike(wmma);
    wmma->grouped = lanes_are_grouped(wmma);
}

static void decode_registers(Decoding *decoding, const Operand *operand, Wmma *wmma) {
    bool wide = wmma->fragment.reg == TYPE_F64;
    for (uint32_t r = 0; r < wmma->fragment.registers; r++) {
        const Operand *one = operand->kind == OPERAND_VECTOR ? &operand->elements[r] : operand;
        uint8_t class;
        wmma->offset[r] = one->kind == OPERAND_SINK
                              ? decode_value(decoding, wide ? 2 : 1, UINT64_C(0xdead) + r)
                              : decode_operand(decoding, one, &class);
    }
}

bool wmma_decode(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    Wmma *wmma = NEW(decoding->arena, Wmma);
    wmma->stores = insn->op == OP_wmma_store;
    const Operand *address = &insn->operands[wmma->stores ? 0 : 1];
    char matrix = wmma->stores ? 'd' : insn->mods.fragment;
    wmma->fragment = fragment_of(insn->op, &insn->mods, matrix);
    const Fragment *fragment = &wmma->fragment;
    wmma->parts = fragment_parts(fragment);
    wmma->whole_line = insn->mods.major == MAJOR_ROW ? fragment->columns : fragment->rows;
    wmma->stride = NO_OPERAND;
    if (insn->operand_count > 2)
        wmma->stride = decode_operand(decoding, &insn->operands[2], &class);
    decode_registers(decoding, &insn->operands[wmma->stores ? 1 : 0], wmma);
    find_places(decoding->arena, insn, matrix, wmma);
    wmma->lowered = &decoding->program->lowered[code->site];
    code->more = wmma;
    code->space = (uint8_t)insn->mods.space;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->full = code->some = exec_wmma;
    return true;
}
