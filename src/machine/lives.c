/* Which registers that cross basic blocks are live: ir/liveness.c says at the start of which blocks, and who goes backwards
 * through a block keeps the set up to date. */
#include "machine/tidy.h"

#include <string.h>

enum { WORD = 64 };

struct Lives {
    const Function *function;
    uint32_t *bit;    /* [regs]: among those that cross, or are kept; NO_INDEX: none of them */
    uint32_t words;   /* of a set of those */
    uint64_t *begins; /* [blocks]: sets: live at the block's start */
    uint64_t *set;    /* at the instruction at hand */
};

static uint64_t *set_at_start(const Lives *lives, uint32_t block) {
    return lives->begins + (size_t)block * lives->words;
}

static bool has(const uint64_t *set, uint32_t bit) {
    return set[bit / WORD] >> bit % WORD & 1;
}

static void put(uint64_t *set, uint32_t bit) {
    set[bit / WORD] |= UINT64_C(1) << bit % WORD;
}

static void begin_in(void *context, uint32_t block, uint32_t reg) {
    const Lives *lives = context;
    if (lives->bit[reg] != NO_INDEX)
        put(set_at_start(lives, block), lives->bit[reg]);
}

Lives *lives_find(Arena *arena, const Function *function) {
    const uint32_t blocks = function->blocks.count, regs = function->regs.count;
    const uint8_t *crosses = registers_between_blocks(arena, function);
    Lives *lives = NEW(arena, Lives);
    uint32_t count = 0;
    lives->function = function;
    lives->bit = NEW_ARRAY(arena, uint32_t, regs);
    for (uint32_t reg = 0; reg < regs; reg++)
        lives->bit[reg] = crosses[reg] ? count++ : NO_INDEX;
    lives->words = count / WORD + 1;
    lives->begins = NEW_ARRAY(arena, uint64_t, (size_t)lives->words * blocks);
    lives->set = NEW_ARRAY(arena, uint64_t, lives->words);
    liveness_entries(function, begin_in, lives);
    return lives;
}

void lives_behind(const Lives *lives, uint32_t block) {
    const Block *left = &lives->function->blocks.at[block];
    memset(lives->set, 0, lives->words * sizeof *lives->set);
    for (uint32_t i = 0; i < block_successor_count(left); i++) {
        const uint32_t next = block_successor(left, i);
        for (uint32_t w = 0; next != NO_INDEX && w < lives->words; w++)
            lives->set[w] |= set_at_start(lives, next)[w];
    }
}

bool lives_follow(const Lives *lives, uint32_t reg) {
    return lives->bit[reg] != NO_INDEX;
}

bool lives_here(const Lives *lives, uint32_t reg) {
    return lives_follow(lives, reg) && has(lives->set, lives->bit[reg]);
}

void lives_begin(const Lives *lives, uint32_t reg) {
    put(lives->set, lives->bit[reg]);
}

void lives_end(const Lives *lives, uint32_t reg) {
    lives->set[lives->bit[reg] / WORD] &= ~(UINT64_C(1) << lives->bit[reg] % WORD);
}
