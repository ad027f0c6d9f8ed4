/* Which registers that cross basic blocks are read further on, if not written before. */
#include "machine/tidy.h"

#include <string.h>

enum { WORD = 64 };

struct Lives {
    const Function *function;
    uint32_t *bit;   /* [regs]: among those that cross, or are kept; NO_INDEX: none of them */
    uint32_t words;  /* of a set of those */
    uint64_t *needs; /* [blocks]: sets: read before they are written; */
    uint64_t *writes;
    uint64_t *begins; /* [blocks]: at the beginning */
    uint64_t *set;    /* at the instruction at hand */
    uint32_t block;
    bool guarded;
};

static uint64_t *set_of(uint64_t *sets, const Lives *lives, uint32_t block) {
    return sets + (size_t)block * lives->words;
}

static bool has(const uint64_t *set, uint32_t bit) {
    return set[bit / WORD] >> bit % WORD & 1;
}

static void put(uint64_t *set, uint32_t bit) {
    set[bit / WORD] |= UINT64_C(1) << bit % WORD;
}

static void visit_forward(void *context, uint32_t reg, bool defined) {
    Lives *lives = context;
    const uint32_t bit = lives->bit[reg];
    if (bit == NO_INDEX)
        return;
    uint64_t *writes = set_of(lives->writes, lives, lives->block);
    if (!defined && !has(writes, bit))
        put(set_of(lives->needs, lives, lives->block), bit);
    if (defined && !lives->guarded)
        put(writes, bit);
}

/* What the blocks behind this one need at their beginning. */
static void join_successors(const Lives *lives, uint32_t b, uint64_t *set) {
    const Block *block = &lives->function->blocks.at[b];
    memset(set, 0, lives->words * sizeof *set);
    for (uint32_t i = 0; i < block_successor_count(block); i++) {
        const uint32_t next = block_successor(block, i);
        for (uint32_t w = 0; next != NO_INDEX && w < lives->words; w++)
            set[w] |= set_of(lives->begins, lives, next)[w];
    }
}

static void find(Lives *lives) {
    const Function *function = lives->function;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        lives->block = b;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            lives->guarded = function->insns.at[i].guard != NO_REG;
            insn_registers(&function->insns.at[i], visit_forward, lives);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = function->blocks.count; b-- > 0;) {
            uint64_t *begin = set_of(lives->begins, lives, b);
            join_successors(lives, b, lives->set);
            for (uint32_t w = 0; w < lives->words; w++) {
                const uint64_t now = set_of(lives->needs, lives, b)[w] |
                                     (lives->set[w] & ~set_of(lives->writes, lives, b)[w]);
                changed |= now != begin[w];
                begin[w] = now;
            }
        }
    }
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
    lives->needs = NEW_ARRAY(arena, uint64_t, (size_t)lives->words * blocks);
    lives->writes = NEW_ARRAY(arena, uint64_t, (size_t)lives->words * blocks);
    lives->begins = NEW_ARRAY(arena, uint64_t, (size_t)lives->words * blocks);
    lives->set = NEW_ARRAY(arena, uint64_t, lives->words);
    find(lives);
    return lives;
}

void lives_behind(const Lives *lives, uint32_t block) {
    join_successors(lives, block, lives->set);
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
