/* wmma.load and wmma.store: matrices between memory and fragments (PTX ISA 9.7.14.4).
 *
 * Counted are the accesses that ptxas makes of them; seen in the machine code of ptxas 13.0 for sm_80 and
 * sm_90, which agree, for every shape, type, layout and space:
 *   factors of up to 16 bits in .shared     ldmatrix, with .trans where memory is contiguous across k;
 *                                           8-bit ones only where it is contiguous along k
 *   8-bit factors otherwise, across k       a byte at a time
 *   other registers with several elements   32 bits, a row of 8x8 elements in four lanes; where memory is
 *                                           contiguous the other way, movmatrix turns them over
 *   accumulators of 32 and 64 bits          two neighbours at once where they are contiguous
 *   anything else                           an element at a time
 * Tested against the counters of an H100 (docs/tensor-cores.md). */
#include "exec/matrix/mma.h"

#include <string.h>

enum { LINES = 8, LINE_LANES = 4, ROW_BYTES = 16 };

/* One access of the warp: where each lane's bytes begin, in elements of the matrix. */
typedef struct Touched {
    uint32_t width, mask;
    uint32_t matrices; /* of ldmatrix; 0: an ordinary access */
    uint16_t line[WARP_LANES], position[WARP_LANES];
} Touched;

typedef struct Wmma {
    bool stores, generic;
    Fragment fragment;
    uint32_t parts;
    uint32_t distinct; /* registers; those behind repeat them */
    uint32_t stride;   /* register, of the elements from line to line; NO_OPERAND: whole_line */
    uint32_t whole_line;
    uint32_t moved; /* parts of a register that are moved at once: all or 1 */
    uint32_t offset[8];
    uint16_t *line, *position; /* [distinct][parts][lanes]: of each part, in memory */
    Touched *touched;
    uint32_t touched_count;
} Wmma;

static uint64_t byte_at(const Wmma *wmma, uint32_t stride, uint32_t line, uint32_t position) {
    return ((uint64_t)line * stride + position) * wmma->fragment.bits / 8;
}

/* ---- executing ---- */

static Step count(Warp *warp, const Code *code, const Touched *touched, uint64_t base,
                  uint32_t stride, Space space) {
    const Wmma *wmma = code->more;
    Touch touch = {0};
    for_lanes(lane, touched->mask) touch.address[lane] =
        base + byte_at(wmma, stride, touched->line[lane], touched->position[lane]);
    touch.pattern = pattern_of(touch.address, touched->mask);
    if (touch_check(&touch, warp, code, space, touched->mask, touched->width, wmma->stores) !=
        STEP_NEXT)
        return STEP_FAULT;
    Access access = {.kind = touched->matrices ? ACCESS_LDMATRIX
                             : wmma->stores    ? ACCESS_STORE
                                               : ACCESS_LOAD,
                     .space = space,
                     .width = touched->width,
                     .mask = touched->mask,
                     .matrices = touched->matrices,
                     .address = touch.address};
    access_count(warp, code, &access, touched->matrices ? NULL : &touch.pattern);
    return STEP_NEXT;
}

/* Bytes between memory at `host` and the registers; wide registers have one part. */
static void move(const Warp *warp, const Wmma *wmma, uintptr_t host, uint32_t stride) {
    uint32_t bits = wmma->fragment.bits;
    uint32_t bytes = bits < 32 && wmma->moved == wmma->parts ? 4 : bits / 8;
    for (uint32_t r = 0; r < wmma->distinct; r++) {
        bool wide = wmma->fragment.reg == TYPE_F64;
        uint8_t *registers = warp->registers + wmma->offset[r];
        for (uint32_t part = 0; part < wmma->parts; part += wmma->moved) {
            const uint16_t *line = &wmma->line[(r * wmma->parts + part) * WARP_LANES];
            const uint16_t *position = &wmma->position[(r * wmma->parts + part) * WARP_LANES];
            for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                uint8_t *memory =
                    (uint8_t *)(host + byte_at(wmma, stride, line[lane], position[lane]));
                uint8_t *cell = registers + (wide ? 8 : 4) * lane + part * bits / 8;
                if (wmma->stores)
                    memcpy(memory, cell, bytes);
                else
                    memcpy(cell, memory, bytes);
            }
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
    for (uint32_t i = 0; i < wmma->touched_count; i++)
        if (count(warp, code, &wmma->touched[i], base, stride, space) != STEP_NEXT)
            return STEP_FAULT;
    uintptr_t host = space == SPACE_SHARED ? (uintptr_t)warp->cta->shared + base : base;
    move(warp, wmma, host, stride);
    for (uint32_t r = wmma->distinct; !wmma->stores && r < wmma->fragment.registers; r++)
        memcpy(reg32(warp, wmma->offset[r]), reg32(warp, wmma->offset[r % wmma->distinct]),
               WARP_LANES * sizeof(uint32_t));
    return STEP_NEXT;
}

/* ---- decoding: the accesses ---- */

static void place_parts(Arena *arena, const Insn *insn, char matrix, Wmma *wmma) {
    uint32_t count = wmma->distinct * wmma->parts * WARP_LANES, at = 0;
    wmma->line = NEW_ARRAY(arena, uint16_t, count);
    wmma->position = NEW_ARRAY(arena, uint16_t, count);
    for (uint32_t r = 0; r < wmma->distinct; r++)
        for (uint32_t part = 0; part < wmma->parts; part++)
            for (uint32_t lane = 0; lane < WARP_LANES; lane++, at++) {
                ElementPlace place = fragment_place(insn->op, &insn->mods, matrix, r, part, lane);
                bool rows = insn->mods.major == MAJOR_ROW;
                uint32_t position = rows ? place.column : place.row;
                wmma->line[at] = (uint16_t)(rows ? place.row : place.column);
                wmma->position[at] =
                    (uint16_t)(wmma->fragment.bits == 1 ? 32 * position : position);
            }
}

static Touched *add_access(Wmma *wmma, uint32_t width) {
    Touched *touched = &wmma->touched[wmma->touched_count++];
    touched->width = width;
    touched->mask = FULL_MASK;
    return touched;
}

/* All lanes, from the places of one part of a register. */
static void add_part(Wmma *wmma, uint32_t reg, uint32_t part, uint32_t width) {
    Touched *touched = add_access(wmma, width);
    uint32_t at = (reg * wmma->parts + part) * WARP_LANES;
    memcpy(touched->line, &wmma->line[at], sizeof touched->line);
    memcpy(touched->position, &wmma->position[at], sizeof touched->position);
}

/* Where the block of 8 lines that a register covers begins: lane 0 holds its first element. */
static void block_of(const Wmma *wmma, uint32_t reg, uint32_t *line, uint32_t *position) {
    *line = wmma->line[reg * wmma->parts * WARP_LANES];
    *position = wmma->position[reg * wmma->parts * WARP_LANES];
}

static void add_turned(Wmma *wmma, uint32_t reg) {
    Touched *touched = add_access(wmma, 4);
    uint32_t line, position;
    block_of(wmma, reg, &line, &position);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        touched->line[lane] = (uint16_t)(line + lane / LINE_LANES);
        touched->position[lane] = (uint16_t)(position + lane % LINE_LANES * wmma->parts);
    }
}

static void add_ldmatrix(Wmma *wmma) {
    uint32_t most = wmma->fragment.bits == 16 ? 4 : 2; /* registers at once */
    for (uint32_t reg = 0; reg < wmma->distinct; reg += most) {
        Touched *touched = add_access(wmma, ROW_BYTES);
        touched->matrices = wmma->distinct < most ? wmma->distinct : most;
        touched->mask = (uint32_t)((UINT64_C(1) << LINES * touched->matrices) - 1);
        for_lanes(lane, touched->mask) {
            uint32_t line, position;
            block_of(wmma, reg + lane / LINES, &line, &position);
            touched->line[lane] = (uint16_t)(line + lane % LINES);
            touched->position[lane] = (uint16_t)position;
        }
    }
}

/* Whether the second of two things that a lane holds lies behind the first. */
static bool adjacent(const Wmma *wmma) {
    if (wmma->distinct * wmma->parts < 2)
        return false;
    return wmma->line[WARP_LANES] == wmma->line[0] &&
           wmma->position[WARP_LANES] == wmma->position[0] + 1;
}

static void add_accesses(Arena *arena, Wmma *wmma, Space space, bool factor) {
    uint32_t bits = wmma->fragment.bits, parts = wmma->parts;
    bool together = adjacent(wmma) || bits == 1;
    wmma->touched = NEW_ARRAY(arena, Touched, wmma->distinct * parts);
    wmma->moved = together ? parts : 1;
    if (factor && space == SPACE_SHARED && bits <= 16 && (together || bits == 16)) {
        add_ldmatrix(wmma);
        return;
    }
    bool pairs = !factor && bits >= 32 && together;
    for (uint32_t reg = 0; reg < wmma->distinct; reg += pairs ? 2 : 1) {
        if (pairs)
            add_part(wmma, reg, 0, bits / 4);
        else if (bits >= 32 || together)
            add_part(wmma, reg, 0, bits < 32 ? 4 : bits / 8);
        else if (bits == 16)
            add_turned(wmma, reg);
        else
            for (uint32_t part = 0; part < parts; part++)
                add_part(wmma, reg, part, 1);
    }
}

/* ---- decoding ---- */

static void decode_registers(Program *program, Arena *arena, const Operand *operand, Wmma *wmma) {
    bool wide = wmma->fragment.reg == TYPE_F64;
    for (uint32_t r = 0; r < wmma->fragment.registers; r++) {
        const Operand *one = operand->kind == OPERAND_VECTOR ? &operand->elements[r] : operand;
        uint8_t class;
        wmma->offset[r] = one->kind == OPERAND_SINK
                              ? decode_value(program, arena, wide ? 2 : 1, UINT64_C(0xdead) + r)
                              : decode_operand(program, arena, one, &class);
    }
}

bool wmma_decode(Program *program, Arena *arena, const Insn *insn, Code *code) {
    if (insn->op != OP_wmma_load && insn->op != OP_wmma_store)
        return false;
    uint8_t class;
    Wmma *wmma = NEW(arena, Wmma);
    wmma->stores = insn->op == OP_wmma_store;
    const Operand *address = &insn->operands[wmma->stores ? 0 : 1];
    char matrix = wmma->stores ? 'd' : insn->mods.fragment;
    bool factor = matrix == 'a' || matrix == 'b';
    wmma->fragment = fragment_of(insn->op, &insn->mods, matrix);
    const Fragment *fragment = &wmma->fragment;
    wmma->parts = fragment_parts(fragment);
    wmma->distinct = fragment->registers;
    if (factor && fragment->element == TYPE_F16)
        wmma->distinct = fragment->rows * fragment->columns / (2 * WARP_LANES);
    wmma->whole_line = insn->mods.major == MAJOR_ROW ? fragment->columns : fragment->rows;
    wmma->stride = NO_OPERAND;
    if (insn->operand_count > 2)
        wmma->stride = decode_operand(program, arena, &insn->operands[2], &class);
    decode_registers(program, arena, &insn->operands[wmma->stores ? 1 : 0], wmma);
    place_parts(arena, insn, matrix, wmma);
    add_accesses(arena, wmma, (Space)insn->mods.space, factor);
    code->more = wmma;
    code->space = (Space)insn->mods.space;
    code->a = decode_operand(program, arena, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->full = code->some = exec_wmma;
    return true;
}

/* ---- for the profile ---- */

uint32_t wmma_width(const Code *code) {
    return ((const Wmma *)code->more)->touched[0].width;
}

uint32_t wmma_accesses(const Code *code) {
    return ((const Wmma *)code->more)->touched_count;
}

uint32_t wmma_matrices(const Code *code) {
    return ((const Wmma *)code->more)->touched[0].matrices;
}
