/* Registers to slots: PTX has thousands of registers, each written once; only few are live at once.
 *
 * 1. Per block: registers read before any write there ("global" ones, a small part of all).
 * 2. For each global register, backwards from the blocks that need it to those that write it: where
 *    it is live. That takes time for the blocks where a register lives, not for all blocks times
 *    all registers, as bit sets would.
 * 3. For each register one interval of instruction numbers that covers every place where it is
 *    live.
 * 4. Linear scan: intervals by their start; a slot is free again after its interval's end.
 * Slots belong to a thread, so the liveness of one thread is what counts; that lanes diverge does
 * not matter. A register that an instruction reads never shares a slot with one that it writes. */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

/* Which operands a row reads and writes: bit i for the one in place i, which has '=' where it is
 * written, '+' where it is also read. A call writes its second operand, the list of results. */
typedef struct Roles {
    uint32_t read, written;
} Roles;

static Roles roles_of(Op op) {
    Roles roles = {.read = UINT32_MAX};
    uint32_t place = 0;
    if (op_has(op, TRAIT_CALLS))
        return (Roles){.read = ~UINT32_C(2), .written = 2};
    for (const char *at = op_info(op)->operands; *at; at++) {
        roles.written |= *at == '=' || *at == '+' ? 1u << place : 0;
        roles.read &= *at == '=' ? ~(1u << place) : UINT32_MAX;
        place += *at == ',';
    }
    return roles;
}

typedef void (*VisitPlace)(void *context, uint32_t *reg, bool defined);

static void visit_operand(Operand *operand, bool defined, VisitPlace visit, void *context) {
    switch (operand->kind) {
    case OPERAND_REG:
        visit(context, &operand->reg, defined);
        break;
    case OPERAND_ADDRESS:
        if (operand->reg != NO_REG)
            visit(context, &operand->reg, false);
        for (uint32_t i = 0; i < operand->count; i++) /* coordinates */
            if (operand->elements[i].kind == OPERAND_REG)
                visit(context, &operand->elements[i].reg, false);
        break;
    case OPERAND_VECTOR:
    case OPERAND_PAIR: /* elements are never vectors themselves */
        for (uint32_t i = 0; i < operand->count; i++)
            if (operand->elements[i].kind == OPERAND_REG)
                visit(context, &operand->elements[i].reg, defined);
        break;
    default:
        break;
    }
}

static void visit_operands(const Insn *insn, VisitPlace visit, void *context) {
    Roles roles = roles_of(insn->op);
    for (uint32_t pass = 0; pass < 2; pass++) /* what is read first, then what is written */
        for (uint32_t i = 0; i < insn->operand_count; i++)
            if ((pass ? roles.written : roles.read) >> i & 1)
                visit_operand(&insn->operands[i], pass, visit, context);
}

void insn_register_places(Insn *insn, VisitPlace visit, void *context) {
    if (insn->guard != NO_REG)
        visit(context, &insn->guard, false);
    visit_operands(insn, visit, context);
}

typedef struct Reader {
    void (*visit)(void *context, uint32_t reg, bool defined);
    void *context;
} Reader;

static void read_place(void *context, uint32_t *reg, bool defined) {
    const Reader *reader = context;
    reader->visit(reader->context, *reg, defined);
}

void insn_registers(const Insn *insn, void (*visit)(void *context, uint32_t reg, bool defined),
                    void *context) {
    if (insn->guard != NO_REG)
        visit(context, insn->guard, false);
    Reader reader = {visit, context};
    visit_operands(insn, read_place, &reader);
}

typedef struct Interval {
    uint32_t reg, start, end;
} Interval;

/* What one block does with one global register. */
typedef struct RegisterUse {
    uint32_t block;
    bool needs;    /* reads it before any write */
    bool writes;   /* without a guard */
    uint32_t next; /* of the same register, in uses; NO_INDEX: the last */
} RegisterUse;

typedef struct Liveness {
    const Function *function;
    Arena *arena;
    uint32_t *start, *end; /* [regs]: the interval; start = NO_INDEX: not seen */
    bool *global;          /* [regs] */
    uint32_t *writer;      /* [regs]: block of the last unguarded write seen, while scanning */
    VEC(RegisterUse) uses;
    uint32_t *first_use;              /* [regs]: in uses; NO_INDEX: none */
    uint32_t *pred_start, *pred;      /* predecessors of block b: pred[pred_start[b]] … */
    uint32_t *lives, *written, *work; /* [blocks]: register + 1 that was last found to be live at
                                         the block's start, written in it; blocks still to look at */
    uint32_t block, insn;             /* being scanned */
    bool guarded;
    void (*entered)(void *context, uint32_t block, uint32_t reg); /* or NULL */
    void *context;
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
        live->global[reg] = true;
    if (defined && !live->guarded)
        live->writer[reg] = live->block;
}

/* Second walk, over global registers: their uses, block by block, the newest first. */
static void visit_globals(void *context, uint32_t reg, bool defined) {
    Liveness *live = context;
    if (!live->global[reg])
        return;
    uint32_t last = live->first_use[reg];
    if (last == NO_INDEX || live->uses.at[last].block != live->block) {
        *vec_add(live->arena, &live->uses) = (RegisterUse){.block = live->block, .next = last};
        last = live->first_use[reg] = live->uses.count - 1;
    }
    RegisterUse *use = &live->uses.at[last];
    use->needs |= (!defined || live->guarded) && !use->writes;
    use->writes |= defined && !live->guarded;
}

/* Who called the function reads the registers of its results when it returns. */
static void visit_results(Liveness *live, void (*visit)(void *, uint32_t, bool)) {
    const Function *function = live->function;
    for (uint32_t i = 0; i < function->results.count; i++)
        if (function->results.at[i]->space == SPACE_REG)
            visit(live, (uint32_t)function->results.at[i]->offset, false);
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
            if (function->insns.at[i].op == OP_ret)
                visit_results(live, visit);
        }
        if (block->successor[0] == NO_INDEX) /* leaves the function behind its last instruction */
            visit_results(live, visit);
    }
}

static void find_predecessors(Liveness *live) {
    const Function *function = live->function;
    uint32_t blocks = function->blocks.count, edges = 0;
    live->pred_start = NEW_ARRAY(live->arena, uint32_t, blocks + 2);
    uint32_t *fill = live->pred_start + 1; /* becomes the start of the next one while filling */
    for (uint32_t b = 0; b < blocks; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = 0; i < block_successor_count(block); i++, edges++)
            if (block_successor(block, i) != NO_INDEX)
                live->pred_start[block_successor(block, i) + 2]++;
    }
    for (uint32_t b = 0; b < blocks; b++)
        live->pred_start[b + 2] += live->pred_start[b + 1];
    live->pred = NEW_ARRAY(live->arena, uint32_t, edges);
    for (uint32_t b = 0; b < blocks; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = 0; i < block_successor_count(block); i++)
            if (block_successor(block, i) != NO_INDEX)
                live->pred[fill[block_successor(block, i)]++] = b;
    }
}

/* Marks block as one at whose start reg is live; false: it was already. */
static bool enter(Liveness *live, uint32_t reg, uint32_t block) {
    if (live->lives[block] == reg + 1)
        return false;
    live->lives[block] = reg + 1;
    if (live->entered)
        live->entered(live->context, block, reg);
    extend(live, reg, live->function->blocks.at[block].first);
    return true;
}

static void extend_global(Liveness *live, uint32_t reg) {
    uint32_t pending = 0;
    for (uint32_t u = live->first_use[reg]; u != NO_INDEX; u = live->uses.at[u].next) {
        const RegisterUse *use = &live->uses.at[u];
        if (use->writes)
            live->written[use->block] = reg + 1;
        if (use->needs && enter(live, reg, use->block))
            live->work[pending++] = use->block;
    }
    while (pending) {
        uint32_t block = live->work[--pending];
        for (uint32_t i = live->pred_start[block]; i < live->pred_start[block + 1]; i++) {
            const Block *before = &live->function->blocks.at[live->pred[i]];
            extend(live, reg, before->first + before->count - 1);
            if (live->written[live->pred[i]] != reg + 1 && enter(live, reg, live->pred[i]))
                live->work[pending++] = live->pred[i];
        }
    }
}

static uint32_t *new_indices(Arena *arena, uint32_t count) {
    uint32_t *indices = NEW_ARRAY(arena, uint32_t, count);
    memset(indices, 0xff, sizeof *indices * count);
    return indices;
}

/* The intervals go into `slots`; all else into the arena. */
static void find_intervals(Arena *arena, Liveness *live, const Slots *slots) {
    uint32_t regs = live->function->regs.count, blocks = live->function->blocks.count;
    live->arena = arena;
    live->start = slots->first;
    live->end = slots->last;
    live->writer = new_indices(arena, regs);
    live->first_use = new_indices(arena, regs);
    live->global = NEW_ARRAY(arena, bool, regs);
    live->lives = NEW_ARRAY(arena, uint32_t, blocks);
    live->written = NEW_ARRAY(arena, uint32_t, blocks);
    live->work = NEW_ARRAY(arena, uint32_t, blocks);
    walk(live, visit_locals);
    walk(live, visit_globals);
    find_predecessors(live);
    for (uint32_t reg = 0; reg < regs; reg++)
        if (live->global[reg])
            extend_global(live, reg);
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

static Slots new_slots(Arena *arena, uint32_t regs) {
    return (Slots){.slot = new_indices(arena, regs),
                   .first = new_indices(arena, regs),
                   .last = new_indices(arena, regs),
                   .class = NEW_ARRAY(arena, uint8_t, regs)};
}

void liveness_entries(const Function *function,
                      void (*visit)(void *context, uint32_t block, uint32_t reg), void *context) {
    if (function->regs.count == 0 || function->insns.count == 0)
        return;
    Arena *scratch = arena_new();
    Slots slots = new_slots(scratch, function->regs.count);
    Liveness live = {.function = function, .entered = visit, .context = context};
    find_intervals(scratch, &live, &slots);
    arena_free(scratch);
}

Slots liveness_slots(Arena *arena, const Function *function) {
    uint32_t regs = function->regs.count;
    Slots slots = new_slots(arena, regs);
    for (uint32_t reg = 0; reg < regs; reg++)
        slots.class[reg] = class_of(function->regs.at[reg].type);
    if (regs == 0 || function->insns.count == 0)
        return slots;
    Arena *scratch = arena_new();
    Liveness live = {.function = function};
    find_intervals(scratch, &live, &slots);
    scan_intervals(scratch, &live, &slots);
    arena_free(scratch);
    return slots;
}
