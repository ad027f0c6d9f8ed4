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

/* The block where all lanes of the warp are together, as they began: [basic blocks], those of the kernel up to the first that
 * goes on in two ways, or that two ways lead to. */
static bool *find_trunk(Arena *arena, const Program *program) {
    bool *trunk = NEW_ARRAY(arena, bool, program->block_count + 1);
    uint8_t *ways = NEW_ARRAY(arena, uint8_t, program->block_count + 1); /* into it; 2: and more */
    for (uint32_t b = 0; b < program->block_count; b++) {
        for (uint32_t s = 0; s < 2; s++) {
            const uint32_t next = program->blocks[b].successor[s];
            if (next != NO_INDEX)
                ways[next] = (uint8_t)(ways[next] ? 2 : 1);
        }
    }
    uint32_t at = program->routines[0].first_block;
    for (bool first = true; at != NO_INDEX && ways[at] < (first ? 1 : 2) && !trunk[at];
         first = false) {
        const Block *block = &program->blocks[at];
        const Code *last = &program->code[block->first + block->count - 1];
        const bool on = last->control == CONTROL_NONE ||
                        (last->control == CONTROL_BRANCH && last->guard == NO_OPERAND);
        trunk[at] = true;
        at = on && block->successor[1] == NO_INDEX ? block->successor[0] : NO_INDEX;
    }
    return trunk;
}

/* An instruction that looks at other lanes reads what they had last, whatever has become of it since: of
 * its registers every value is kept. Where all lanes of the warp come to it together, and it is executed for all, each of them has
 * what it reads itself. */
static void keep_shared(Living *living, const uint8_t *kinds, const bool *trunk) {
    const Function *function = living->routine->function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const uint32_t number = living->routine->first_code + i;
        const uint8_t kind = kinds[number];
        const bool together = trunk[living->program->block_of[number]] &&
                              living->program->code[number].guard == NO_OPERAND;
        if (!together && (kind == KIND_CALL || kind == KIND_SHUFFLE))
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
    const bool *trunk = find_trunk(arena, program);
    for (uint32_t r = 0; r < program->routine_count; r++) {
        living.routine = &program->routines[r];
        keep_shared(&living, kinds, trunk);
        liveness_entries(living.routine->function, enter, &living);
    }
    for (uint32_t b = 0; b < program->block_count; b++)
        leave(&living, b, ends + (size_t)b * words);
    return ends;
}
