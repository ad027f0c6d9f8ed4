/* Which registers hold one value in all lanes where a basic block begins, whichever lanes came there and how: those whose only
 * reaching write computes with nothing but constants, parameters, the block's place in the grid, and other such registers.
 * Whatever lanes execute it, each gets what any other would; and each lane of the block has executed it, since none comes there
 * otherwise. Compiled code reads lane 0 then, and needs not look how the lanes of an address lie in what is added. */
#include "exec/tier/same.h"
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"

#include <string.h>

enum { BYTES_MOST = 1 << 24 };
enum { UNREACHED, DIFFERS, WRITTEN }; /* WRITTEN + n: by instruction n, the same in all lanes */

typedef struct Same {
    const Program *program;
    const Routine *routine;
    const uint8_t *kinds;
    bool *filled;    /* [cells]: never written, the same in all lanes */
    uint32_t *start; /* [basic blocks][cells] */
    uint32_t *now;   /* [cells] */
    uint32_t cells;
    uint32_t written; /* what registers that the instruction at hand writes become */
} Same;

static bool is_same(const Same *same, uint32_t offset) {
    return offset == NO_OPERAND || same->filled[same_cell(offset)] ||
           same->now[same_cell(offset)] >= WRITTEN;
}

/* What it writes follows from registers that are the same. */
static bool computes_same(const Same *same, uint32_t number) {
    const Code *code = &same->program->code[number];
    const CodeKind kind = (CodeKind)same->kinds[number];
    bool all = code->guard == NO_OPERAND && is_same(same, code->a) && is_same(same, code->b) &&
               is_same(same, code->c) && is_same(same, code->e);
    const uint32_t elements = kind == KIND_PARAM ? ((const Elements *)code->more)->count : 0;
    for (uint32_t i = 0; i < elements; i++)
        all &= is_same(same, code->vector[i]);
    if (kind == KIND_LANE)
        return all && !code->count && op_has(code->insn->op, TRAIT_PURE) &&
               !op_has(code->insn->op, TRAIT_CARRY);
    return all && (kind == KIND_PARAM || kind == KIND_ADDRESS);
}

static void write(void *context, uint32_t reg, bool defined) {
    const Same *same = context;
    const Slots *slots = &same->routine->slots;
    if (!defined || slots->slot[reg] == NO_INDEX)
        return;
    const uint8_t class = slots->class[reg];
    const uint32_t place = decode_slot(same->routine, class, slots->slot[reg]);
    same->now[same_cell(place)] = class ? same->written : DIFFERS; /* predicates share a cell */
}

/* false: nothing is new there. */
static bool arrive(const Same *same, uint32_t block) {
    uint32_t *start = same->start + (size_t)block * same->cells;
    bool news = false;
    for (uint32_t i = 0; i < same->cells; i++) {
        const uint32_t joined = start[i] == UNREACHED      ? same->now[i]
                                : start[i] == same->now[i] ? start[i]
                                                           : DIFFERS;
        news |= joined != start[i];
        start[i] = joined;
    }
    return news;
}

/* Through the block, and on to where it leads. */
static bool pass(Same *same, uint32_t number) {
    const Block *block = &same->program->blocks[number];
    bool news = false;
    memcpy(same->now, same->start + (size_t)number * same->cells, same->cells * sizeof *same->now);
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        same->written = computes_same(same, i) ? WRITTEN + i : DIFFERS;
        insn_registers(same->program->code[i].insn, write, same);
    }
    for (uint32_t s = 0; s < 2 + block->target_count; s++) {
        const uint32_t next = s < 2 ? block->successor[s] : block->targets[s - 2];
        if (next != NO_INDEX)
            news |= arrive(same, next);
    }
    return news;
}

/* Registers of functions that are called are not looked at: who calls knows nothing. */
static bool may_be_known(const Program *program) {
    bool calls = program->routine_count > 1;
    for (uint32_t i = 0; i < program->code_count; i++)
        calls |= program->code[i].control == CONTROL_CALL;
    return !calls;
}

const bool *same_find(Arena *arena, const Program *program, const uint8_t *kinds) {
    Same same = {.program = program, .routine = &program->routines[0], .kinds = kinds};
    same.cells = same_cell(program->register_bytes) + 1;
    const size_t all = (size_t)same.cells * program->block_count;
    if (all * sizeof *same.start > BYTES_MOST || !may_be_known(program))
        return NULL;
    same.filled = NEW_ARRAY(arena, bool, same.cells);
    same.start = NEW_ARRAY(arena, uint32_t, all + 1);
    same.now = NEW_ARRAY(arena, uint32_t, same.cells);
    for (uint32_t i = 0; i < program->fills.count; i++) {
        const Fill *fill = &program->fills.at[i];
        same.filled[same_cell(fill->offset)] = fill->class != 0 && fill_is_same(fill);
    }
    for (uint32_t i = 0; i < same.cells; i++)
        same.start[i] = DIFFERS;
    for (bool news = true; news;) {
        news = false;
        for (uint32_t b = 0; b < program->block_count; b++)
            news |= same.start[(size_t)b * same.cells] != UNREACHED && pass(&same, b);
    }
    bool *found = NEW_ARRAY(arena, bool, all + 1);
    for (size_t i = 0; i < all; i++)
        found[i] = same.start[i] >= WRITTEN;
    return found;
}
