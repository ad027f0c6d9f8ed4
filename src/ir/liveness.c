/* Registers to slots: PTX has thousands of registers, each written once; only few are live at once.
 *
 * 1. Per block: registers read before any write there ("global" ones, a small part of all).
 * 2. Live-in and live-out sets of the blocks over the global registers only, as bit sets, iterated
 *    backwards until nothing changes.
 * 3. For each register one interval of instruction numbers that covers every place where it is live.
 * 4. Linear scan: intervals by their start; a slot is free again after its interval's end.
 * Slots belong to a thread, so the liveness of one thread is what counts; that lanes diverge does
 * not matter. A register that an instruction reads never shares a slot with one that it writes. */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

/* Which operands a row writes: bit i for the one that has '=' in place i. A call writes its second
 * operand, the list of results. */
static uint32_t written_operands(Op op) {
    const OpInfo *info = op_info(op);
    if (strncmp(info->syntax, "call", 4) == 0)
        return 2;
    uint32_t mask = 0, place = 0;
    for (const char *at = info->operands; *at; at++) {
        mask |= *at == '=' ? 1u << place : 0;
        place += *at == ',';
    }
    return mask;
}

static void visit_operand(const Operand *operand, bool defined,
                          void (*visit)(void *context, uint32_t reg, bool defined), void *context) {
    switch (operand->kind) {
    case OPERAND_REG:
        visit(context, operand->reg, defined);
        break;
    case OPERAND_ADDRESS:
        if (operand->reg != NO_REG)
            visit(context, operand->reg, false);
        break;
    case OPERAND_VECTOR:
    case OPERAND_PAIR: /* elements are never vectors themselves */
        for (uint32_t i = 0; i < operand->count; i++)
            if (operand->elements[i].kind == OPERAND_REG)
                visit(context, operand->elements[i].reg, defined);
        break;
    default:
        break;
    }
}

void insn_registers(const Insn *insn, void (*visit)(void *context, uint32_t reg, bool defined),
                    void *context) {
    uint32_t written = written_operands(insn->op);
    if (insn->guard != NO_REG)
        visit(context, insn->guard, false);
    for (uint32_t pass = 0; pass < 2; pass++) /* what is read first, then what is written */
        for (uint32_t i = 0; i < insn->operand_count; i++)
            if ((written >> i & 1) == pass)
                visit_operand(&insn->operands[i], pass, visit, context);
}

typedef struct Interval {
    uint32_t reg, start, end;
} Interval;

typedef struct Liveness {
    const Function *function;
    uint32_t *start, *end;   /* [regs]: the interval; start = NO_INDEX: not seen */
    uint32_t *global;        /* [regs]: number among the global ones, or NO_INDEX */
    uint32_t *registers;     /* [globals]: back again */
    uint32_t globals, words; /* words of 64 bits in a set */
    uint64_t *in, *gen, *kill;
    uint32_t *writer;     /* [regs]: block of the last unguarded write seen, while scanning */
    uint32_t block, insn; /* being scanned */
    bool guarded;
} Liveness;

static void extend(Liveness *live, uint32_t reg, uint32_t at) {
    if (live->start[reg] == NO_INDEX) {
        live->start[reg] = live->end[reg] = at;
    } else {
        live->start[reg] = at < live->start[reg] ? at : live->start[reg];
        live->end[reg] = at > live->end[reg] ? at : live->end[reg];
    }
}

/* First walk: intervals within blocks, and which registers are read before a write in their block.
 * A guarded write keeps the old value in some lanes, so it reads as well. */
static void visit_locals(void *context, uint32_t reg, bool defined) {
    Liveness *live = context;
    extend(live, reg, live->insn);
    bool reads = !defined || live->guarded;
    if (reads && live->writer[reg] != live->block)
        live->global[reg] = 0;
    if (defined && !live->guarded)
        live->writer[reg] = live->block;
}

/* Second walk, over global registers: what a block needs (gen) and what it gives (kill). */
static void visit_globals(void *context, uint32_t reg, bool defined) {
    Liveness *live = context;
    uint32_t number = live->global[reg];
    if (number == NO_INDEX)
        return;
    size_t at = (size_t)live->block * live->words + number / 64;
    uint64_t bit = UINT64_C(1) << (number % 64);
    bool reads = !defined || live->guarded;
    if (reads && !(live->kill[at] & bit))
        live->gen[at] |= bit;
    if (defined && !live->guarded)
        live->kill[at] |= bit;
}

static void walk(Liveness *live, void (*visit)(void *, uint32_t, bool)) {
    const Function *function = live->function;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        live->block = b;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            live->insn = i;
            live->guarded = function->insns.at[i].guard != NO_REG;
            insn_registers(&function->insns.at[i], visit, live);
        }
    }
}

static uint64_t live_out(const Liveness *live, const Block *block, uint32_t word) {
    uint64_t out = 0;
    for (int i = 0; i < 2; i++)
        if (block->successor[i] != NO_INDEX)
            out |= live->in[(size_t)block->successor[i] * live->words + word];
    return out;
}

/* in = gen | (out & ~kill), backwards over the blocks until nothing changes. */
static void solve(Liveness *live) {
    const Function *function = live->function;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = function->blocks.count; b-- > 0;) {
            const Block *block = &function->blocks.at[b];
            for (uint32_t w = 0; w < live->words; w++) {
                size_t at = (size_t)b * live->words + w;
                uint64_t in = live->gen[at] | (live_out(live, block, w) & ~live->kill[at]);
                changed |= in != live->in[at];
                live->in[at] = in;
            }
        }
    }
}

static void extend_set(Liveness *live, uint64_t set, uint32_t word, uint32_t at) {
    for (; set; set &= set - 1)
        extend(live, live->registers[word * 64 + (uint32_t)__builtin_ctzll(set)], at);
}

static void extend_globals(Liveness *live) {
    for (uint32_t b = 0; b < live->function->blocks.count; b++) {
        const Block *block = &live->function->blocks.at[b];
        for (uint32_t w = 0; w < live->words; w++) {
            extend_set(live, live->in[(size_t)b * live->words + w], w, block->first);
            extend_set(live, live_out(live, block, w), w, block->first + block->count - 1);
        }
    }
}

static void find_intervals(Arena *arena, Liveness *live) {
    uint32_t regs = live->function->regs.count, blocks = live->function->blocks.count;
    live->start = NEW_ARRAY(arena, uint32_t, regs);
    live->end = NEW_ARRAY(arena, uint32_t, regs);
    live->global = NEW_ARRAY(arena, uint32_t, regs);
    live->writer = NEW_ARRAY(arena, uint32_t, regs);
    live->registers = NEW_ARRAY(arena, uint32_t, regs);
    memset(live->start, 0xff, sizeof *live->start * regs);
    memset(live->global, 0xff, sizeof *live->global * regs);
    memset(live->writer, 0xff, sizeof *live->writer * regs);
    walk(live, visit_locals);
    for (uint32_t reg = 0; reg < regs; reg++)
        if (live->global[reg] == 0) {
            live->registers[live->globals] = reg;
            live->global[reg] = live->globals++;
        }
    live->words = (live->globals + 63) / 64;
    size_t set_words = (size_t)blocks * live->words;
    live->in = NEW_ARRAY(arena, uint64_t, set_words);
    live->gen = NEW_ARRAY(arena, uint64_t, set_words);
    live->kill = NEW_ARRAY(arena, uint64_t, set_words);
    walk(live, visit_globals);
    solve(live);
    extend_globals(live);
}

static uint8_t class_of(Type type) {
    uint32_t bytes = type_bytes(type);
    return type == TYPE_PRED ? 0 : bytes <= 4 ? 1 : bytes <= 8 ? 2 : 3;
}

static int by_start(const void *a, const void *b) {
    const Interval *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return left->reg < right->reg ? -1 : left->reg > right->reg;
}

/* Slots of one class: those free to take, and until where the others are taken. `ends[i]` lists the
 * registers whose interval ends at instruction i, linked through `next`. */
typedef struct Scan {
    Slots *slots;
    uint32_t *free[4], free_count[4];
    uint32_t *ends, *next;
} Scan;

static void release(Scan *scan, uint32_t insn) {
    for (uint32_t reg = scan->ends[insn]; reg != NO_INDEX; reg = scan->next[reg]) {
        uint8_t class = scan->slots->class[reg];
        scan->free[class][scan->free_count[class]++] = scan->slots->slot[reg];
    }
}

static void take(Scan *scan, const Interval *interval) {
    uint8_t class = scan->slots->class[interval->reg];
    scan->slots->slot[interval->reg] = scan->free_count[class]
                                           ? scan->free[class][--scan->free_count[class]]
                                           : scan->slots->counts[class]++;
    scan->next[interval->reg] = scan->ends[interval->end];
    scan->ends[interval->end] = interval->reg;
}

static void scan_intervals(Arena *scratch, const Liveness *live, Slots *slots) {
    uint32_t regs = live->function->regs.count, insns = live->function->insns.count, count = 0;
    Interval *intervals = NEW_ARRAY(scratch, Interval, regs);
    for (uint32_t reg = 0; reg < regs; reg++)
        if (live->start[reg] != NO_INDEX)
            intervals[count++] = (Interval){reg, live->start[reg], live->end[reg]};
    qsort(intervals, count, sizeof *intervals, by_start);
    Scan scan = {.slots = slots};
    scan.ends = NEW_ARRAY(scratch, uint32_t, insns);
    scan.next = NEW_ARRAY(scratch, uint32_t, regs);
    memset(scan.ends, 0xff, sizeof *scan.ends * insns);
    for (int class = 0; class < 4; class ++)
        scan.free[class] = NEW_ARRAY(scratch, uint32_t, regs);
    uint32_t released = 0; /* instructions whose intervals have ended */
    for (uint32_t i = 0; i < count; i++) {
        while (released < intervals[i].start)
            release(&scan, released++);
        take(&scan, &intervals[i]);
    }
}

Slots liveness_slots(Arena *arena, const Function *function) {
    uint32_t regs = function->regs.count;
    Slots slots = {NEW_ARRAY(arena, uint32_t, regs), NEW_ARRAY(arena, uint8_t, regs), {0}};
    for (uint32_t reg = 0; reg < regs; reg++)
        slots.class[reg] = class_of(function->regs.at[reg].type);
    if (regs == 0 || function->insns.count == 0)
        return slots;
    Arena *scratch = arena_new();
    Liveness live = {.function = function};
    find_intervals(scratch, &live);
    scan_intervals(scratch, &live, &slots);
    arena_free(scratch);
    return slots;
}
