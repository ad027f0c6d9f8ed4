/* What nobody reads is not computed: carries that nothing takes in, words of an address that is used as a whole, constants
 * that an operand has. Registers that cross basic blocks are followed through all of them; the others within theirs. */
#include "machine/tidy.h"

#include <string.h>

enum { WORD = 64, ROUNDS = 3 };

typedef struct Dead {
    Function *function;
    uint32_t *bit;   /* [regs]: among those that cross; NO_INDEX: none of them */
    uint32_t words;  /* of a set of those */
    uint64_t *needs; /* [blocks]: sets: read before they are written; */
    uint64_t *writes;
    uint64_t *lives;   /* [blocks]: at the beginning */
    uint64_t *set;     /* at the instruction at hand */
    uint32_t *read_by; /* [regs]: of the others: block + 1 that reads it further on */
    uint32_t block;
    bool guarded, needed;
} Dead;

static uint64_t *set_of(uint64_t *sets, const Dead *dead, uint32_t block) {
    return sets + (size_t)block * dead->words;
}

static bool has(const uint64_t *set, uint32_t bit) {
    return set[bit / WORD] >> bit % WORD & 1;
}

static void put(uint64_t *set, uint32_t bit) {
    set[bit / WORD] |= UINT64_C(1) << bit % WORD;
}

static void drop(uint64_t *set, uint32_t bit) {
    set[bit / WORD] &= ~(UINT64_C(1) << bit % WORD);
}

/* ---- where registers that cross blocks are read further on ---- */

static void visit_forward(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    const uint32_t bit = dead->bit[reg];
    if (bit == NO_INDEX)
        return;
    uint64_t *writes = set_of(dead->writes, dead, dead->block);
    if (!defined && !has(writes, bit))
        put(set_of(dead->needs, dead, dead->block), bit);
    if (defined && !dead->guarded)
        put(writes, bit);
}

/* What the blocks behind this one need at their beginning. */
static void join_successors(const Dead *dead, uint32_t b, uint64_t *set) {
    const Block *block = &dead->function->blocks.at[b];
    memset(set, 0, dead->words * sizeof *set);
    for (uint32_t i = 0; i < block_successor_count(block); i++) {
        const uint32_t next = block_successor(block, i);
        for (uint32_t w = 0; next != NO_INDEX && w < dead->words; w++)
            set[w] |= set_of(dead->lives, dead, next)[w];
    }
}

static void find_lives(Dead *dead) {
    const Function *function = dead->function;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        dead->block = b;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            dead->guarded = function->insns.at[i].guard != NO_REG;
            insn_registers(&function->insns.at[i], visit_forward, dead);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = function->blocks.count; b-- > 0;) {
            uint64_t *lives = set_of(dead->lives, dead, b);
            join_successors(dead, b, dead->set);
            for (uint32_t w = 0; w < dead->words; w++) {
                const uint64_t now = set_of(dead->needs, dead, b)[w] |
                                     (dead->set[w] & ~set_of(dead->writes, dead, b)[w]);
                changed |= now != lives[w];
                lives[w] = now;
            }
        }
    }
}

/* ---- backwards through a block ---- */

static void look_at_result(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (!defined)
        return;
    dead->needed |= dead->bit[reg] == NO_INDEX ? dead->read_by[reg] == dead->block + 1
                                               : has(dead->set, dead->bit[reg]);
}

static void end_life(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (!defined || dead->guarded)
        return;
    if (dead->bit[reg] == NO_INDEX)
        dead->read_by[reg] = 0;
    else
        drop(dead->set, dead->bit[reg]);
}

static void begin_life(void *context, uint32_t reg, bool defined) {
    Dead *dead = context;
    if (defined)
        return;
    if (dead->bit[reg] == NO_INDEX)
        dead->read_by[reg] = dead->block + 1;
    else
        put(dead->set, dead->bit[reg]);
}

/* Nothing but its results comes of it. That the system's shared memory is named says where the block's own begins. */
static bool only_computes(const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++)
        if (insn->operands[i].kind == OPERAND_SPECIAL &&
            insn->operands[i].special == SREG_RESERVED_SMEM)
            return false;
    return op_has(insn->op, TRAIT_PURE) ||
           (insn->op == OP_ld && insn->mods.space == SPACE_PARAM && insn->site == NO_SITE);
}

void tidy_leave_out(Insn *insn) {
    insn->op = OP_machine_nop;
    insn->mods = (Mods){0};
    insn->guard = NO_REG;
    insn->guard_negated = false;
    insn->operand_count = 0;
}

static bool sweep(Dead *dead) {
    const Function *function = dead->function;
    bool found = false;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        dead->block = b;
        join_successors(dead, b, dead->set);
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            Insn *insn = &function->insns.at[i];
            dead->needed = false;
            insn_registers(insn, look_at_result, dead);
            if (!dead->needed && only_computes(insn)) {
                tidy_leave_out(insn);
                found = true;
                continue;
            }
            dead->guarded = insn->guard != NO_REG;
            insn_registers(insn, end_life, dead);
            insn_registers(insn, begin_life, dead);
        }
    }
    return found;
}

/* One round; false: all is needed. */
static bool leave_out_dead(Function *function) {
    Arena *arena = arena_new();
    const uint32_t blocks = function->blocks.count, regs = function->regs.count;
    const uint8_t *crosses = registers_between_blocks(arena, function);
    Dead dead = {.function = function,
                 .bit = NEW_ARRAY(arena, uint32_t, regs),
                 .read_by = NEW_ARRAY(arena, uint32_t, regs)};
    uint32_t count = 0;
    for (uint32_t reg = 0; reg < regs; reg++)
        dead.bit[reg] = crosses[reg] ? count++ : NO_INDEX;
    dead.words = count / WORD + 1;
    dead.needs = NEW_ARRAY(arena, uint64_t, (size_t)dead.words * blocks);
    dead.writes = NEW_ARRAY(arena, uint64_t, (size_t)dead.words * blocks);
    dead.lives = NEW_ARRAY(arena, uint64_t, (size_t)dead.words * blocks);
    dead.set = NEW_ARRAY(arena, uint64_t, dead.words);
    find_lives(&dead);
    const bool found = sweep(&dead);
    arena_free(arena);
    return found;
}

void tidy_dead(Arena *scratch, Function *function) {
    (void)scratch;
    for (uint32_t i = 0; i < ROUNDS && leave_out_dead(function); i++)
        ;
}
