/* Divergence analysis: which registers may differ between the threads of a warp. ptxas lets one lane do
 * an atomic for all when the address cannot differ, and this is how it knows.
 *
 * Data. Thread indices, lane numbers, what atomics, shuffles and calls return, and what local memory
 * holds, differ; a load differs where its address does; everything else where an input does.
 *
 * Control. Where lanes diverge, what is written on one way only differs afterwards: for a branch whose
 * predicate varies, the registers that are written between it and where its ways reconverge (the immediate
 * post-dominator), and elsewhere too. In a loop that lanes leave at different times, also what is
 * written there once and read outside. A branch that only leaves the kernel separates no lanes: those that go
 * on are as they were.
 *
 * Agrees with ptxas 13.0 on the cases of tests/exec/aggregate.py [DISASSEMBLY of our own PTX]. */
#include "lower/lowering.h"

#include <string.h>

typedef struct Finder {
    const Function *function;
    bool *varying;
    uint32_t *writes, *reads; /* [regs]: instructions that do */
    bool *region;             /* [blocks] */
    uint32_t *work;           /* [blocks] */
    bool input, changed;
} Finder;

static bool special_varies(Special special) {
    switch (special) {
    case SREG_TID_X:
    case SREG_TID_Y:
    case SREG_TID_Z:
    case SREG_LANEID:
    case SREG_WARPID:
    case SREG_LANEMASK_EQ:
    case SREG_LANEMASK_LE:
    case SREG_LANEMASK_LT:
    case SREG_LANEMASK_GE:
    case SREG_LANEMASK_GT:
        return true;
    default:
        return false;
    }
}

static void mark(Finder *finder, uint32_t reg) {
    finder->changed |= !finder->varying[reg];
    finder->varying[reg] = true;
}

static void note_input(void *context, uint32_t reg, bool defined) {
    Finder *finder = context;
    finder->input |= !defined && finder->varying[reg];
}

static void mark_written(void *context, uint32_t reg, bool defined) {
    if (defined)
        mark(context, reg);
}

/* Do the results of an instruction vary whatever goes in? */
static bool always_varies(const Function *function, const Insn *insn) {
    if (op_has(insn->op, TRAIT_VARIES))
        return true;
    return op_access(insn->op) == OP_ACCESS_LOAD &&
           (insn->mods.space == SPACE_LOCAL ||
            (insn->mods.space == SPACE_PARAM && !function->is_entry));
}

static void pass_insn(Finder *finder, const Insn *insn) {
    bool guarded = insn->guard != NO_REG && finder->varying[insn->guard];
    if (op_has(insn->op, TRAIT_UNIFORM) && !guarded)
        return;
    finder->input = always_varies(finder->function, insn);
    insn_registers(insn, note_input, finder);
    for (uint32_t i = 0; i < insn->operand_count; i++)
        finder->input |=
            insn->operands[i].kind == OPERAND_SPECIAL && special_varies(insn->operands[i].special);
    if (finder->input)
        insn_registers(insn, mark_written, finder);
}

/* ---- control ---- */

static const Insn *last_insn(const Function *function, uint32_t block) {
    const Block *at = &function->blocks.at[block];
    return &function->insns.at[at->first + at->count - 1];
}

static bool only_leaves(const Function *function, uint32_t block) {
    if (block == NO_INDEX)
        return true;
    const Insn *insn = last_insn(function, block);
    return function->blocks.at[block].count == 1 && op_has(insn->op, TRAIT_LEAVES) &&
           insn->guard == NO_REG;
}

static bool parts_lanes(const Finder *finder, uint32_t block) {
    const Insn *insn = last_insn(finder->function, block);
    if (!op_has(insn->op, TRAIT_JUMPS))
        return false;
    const Operand *to = &insn->operands[0]; /* a register is brx.idx's index */
    return (insn->guard != NO_REG && finder->varying[insn->guard]) ||
           (to->kind == OPERAND_REG && finder->varying[to->reg]);
}

static void enter(Finder *finder, uint32_t block, uint32_t meet, uint32_t *count) {
    if (block == NO_INDEX || block == meet || finder->region[block])
        return;
    finder->region[block] = true;
    finder->work[(*count)++] = block;
}

/* The blocks between a branch and where its ways reconverge. */
static void find_region(Finder *finder, uint32_t branch) {
    const Function *function = finder->function;
    uint32_t meet = function->blocks.at[branch].ipdom, count = 0;
    memset(finder->region, 0, function->blocks.count * sizeof *finder->region);
    const Block *from = &function->blocks.at[branch];
    for (uint32_t s = 0; s < block_successor_count(from); s++)
        enter(finder, block_successor(from, s), meet, &count);
    while (count) {
        const Block *at = &function->blocks.at[finder->work[--count]];
        for (uint32_t s = 0; s < block_successor_count(at); s++)
            enter(finder, block_successor(at, s), meet, &count);
    }
}

typedef struct Tally {
    uint32_t *writes, *reads; /* [regs]: instructions of the region */
} Tally;

static void tally(void *context, uint32_t reg, bool defined) {
    const Tally *sums = context;
    (defined ? sums->writes : sums->reads)[reg]++;
}

/* Registers that a parting of lanes makes differ. */
static void pass_branch(Finder *finder, Tally *sums, uint32_t branch) {
    const Function *function = finder->function;
    find_region(finder, branch);
    bool loops = finder->region[branch];
    if (!loops && only_leaves(function, function->blocks.at[branch].ipdom))
        return;
    size_t bytes = function->regs.count * sizeof(uint32_t);
    memset(sums->writes, 0, bytes);
    memset(sums->reads, 0, bytes);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = block->first; finder->region[b] && i < block->first + block->count; i++)
            insn_registers(&function->insns.at[i], tally, sums);
    }
    for (uint32_t r = 0; r < function->regs.count; r++) {
        bool written = sums->writes[r] > 0;
        bool outside = finder->writes[r] > sums->writes[r];
        bool read = finder->reads[r] > sums->reads[r];
        if (written && (outside || (loops && read)))
            mark(finder, r);
    }
}

static void count_use(void *context, uint32_t reg, bool defined) {
    Finder *finder = context;
    (defined ? finder->writes : finder->reads)[reg]++;
}

bool *varying_registers(Arena *arena, const Function *function) {
    Arena *scratch = arena_new();
    uint32_t regs = function->regs.count + 1, blocks = function->blocks.count;
    Finder finder = {.function = function,
                     .varying = NEW_ARRAY(arena, bool, regs),
                     .writes = NEW_ARRAY(scratch, uint32_t, regs),
                     .reads = NEW_ARRAY(scratch, uint32_t, regs),
                     .region = NEW_ARRAY(scratch, bool, blocks),
                     .work = NEW_ARRAY(scratch, uint32_t, blocks)};
    Tally sums = {NEW_ARRAY(scratch, uint32_t, regs), NEW_ARRAY(scratch, uint32_t, regs)};
    bool *parted = NEW_ARRAY(scratch, bool, blocks);
    for (uint32_t i = 0; i < function->insns.count; i++)
        insn_registers(&function->insns.at[i], count_use, &finder);
    for (uint32_t i = 0; i < function->params.count; i++)
        if (function->params.at[i]->space == SPACE_REG)
            finder.varying[function->params.at[i]->offset] = true;
    do {
        finder.changed = false;
        for (uint32_t i = 0; i < function->insns.count; i++)
            pass_insn(&finder, &function->insns.at[i]);
        for (uint32_t b = 0; b < blocks; b++) {
            if (parted[b] || !parts_lanes(&finder, b))
                continue;
            parted[b] = finder.changed = true;
            pass_branch(&finder, &sums, b);
        }
    } while (finder.changed);
    arena_free(scratch);
    return finder.varying;
}
