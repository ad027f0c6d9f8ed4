/* Which registers are live behind basic blocks, by their places. */
#include "exec/tier/live.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"

#include <string.h>

enum { BYTES_MOST = 1 << 24 };

typedef struct Living {
    const Program *program;
    const Routine *routine;
    uint32_t words;
    uint32_t *starts; /* [basic blocks][words]: at their starts */
    uint32_t *always; /* [words] */
} Living;

static void mark(const Living *living, uint32_t *set, uint32_t reg) {
    const Slots *slots = &living->routine->slots;
    if (slots->slot[reg] == NO_INDEX)
        return;
    uint32_t place = decode_slot(living->routine, slots->class[reg], slots -> slot[reg]);
    set[place / 4 / 32] |= 1u << place / 4 % 32;
}

static void enter(void *context, uint32_t block, uint32_t reg) {
    const Living *living = context;
    block += living->routine->first_block;
    mark(living, living->starts + (size_t)block * living->words, reg);
}

static void keep(void *context, uint32_t reg, bool defined) {
    const Living *living = context;
    (void)defined;
    mark(living, living->always, reg);
}

/* An instruction that looks at other lanes reads what they had last, whatever has become of it since: of
 * its registers every value is kept. */
static void keep_shared(Living *living, const uint8_t *kinds) {
    const Function *function = living->routine->function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        uint8_t kind = kinds[living->routine->first_code + i];
        if (kind == KIND_CALL || kind == KIND_SHUFFLE)
            insn_registers(&function->insns.at[i], keep, living);
    }
}

/* Behind the block: what is live where it goes, and the guard that says where. */
static void leave(const Living *living, uint32_t number, uint32_t *set) {
    const Block *block = &living->program->blocks[number];
    const Code *last = &living->program->code[block->first + block->count - 1];
    memcpy(set, living->always, living->words * sizeof *set);
    const bool ends = last->control == CONTROL_RETURN &&
                      number < living->program->routines[0].function->blocks.count;
    if (last->control > CONTROL_EXIT && !ends) /* who calls or is called may read anything */
        memset(set, 0xff, living->words * sizeof *set);
    for (uint32_t s = 0; s < 2; s++) {
        const uint32_t next = block->successor[s];
        for (uint32_t w = 0; next != NO_INDEX && w < living->words; w++)
            set[w] |= living->starts[(size_t)next * living->words + w];
    }
    if (last->guard != NO_OPERAND)
        set[last->guard / 4 / 32] |= 1u << last->guard / 4 % 32;
}

const uint32_t *live_find(Arena *arena, const Program *program, const uint8_t *kinds) {
    const uint32_t words = live_words(program);
    const size_t all = (size_t)words * program->block_count;
    if (all * sizeof(uint32_t) > BYTES_MOST)
        return NULL;
    Living living = {.program = program, .words = words};
    living.starts = NEW_ARRAY(arena, uint32_t, all + 1);
    living.always = NEW_ARRAY(arena, uint32_t, words);
    uint32_t *ends = NEW_ARRAY(arena, uint32_t, all + 1);
    for (uint32_t i = 0; i < words * 32 && 4 * i < program->register_bytes; i++)
        living.always[i / 32] |= 1u << i % 32; /* also places that are no register of a function */
    for (uint32_t r = 0; r < program->routine_count; r++) {
        living.routine = &program->routines[r];
        for (uint32_t reg = 0; reg < living.routine->function->regs.count; reg++) {
            const Slots *slots = &living.routine->slots;
            if (slots->slot[reg] == NO_INDEX)
                continue;
            uint32_t place = decode_slot(living.routine, slots->class[reg], slots -> slot[reg]);
            living.always[place / 4 / 32] &= ~(1u << place / 4 % 32);
        }
    }
    for (uint32_t r = 0; r < program->routine_count; r++) {
        living.routine = &program->routines[r];
        keep_shared(&living, kinds);
        liveness_entries(living.routine->function, enter, &living);
    }
    for (uint32_t b = 0; b < program->block_count; b++)
        leave(&living, b, ends + (size_t)b * words);
    return ends;
}
