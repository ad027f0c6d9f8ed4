/* Control flow: basic blocks, their successors, and the immediate post-dominator of each, where
 * lanes that diverge at its end reconverge.
 *
 * Post-dominators are the dominators of the reversed graph from a virtual exit; they are found with
 * the iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), over
 * the reverse postorder of that graph. A trap and a call of a function that does not return leave
 * the function, as exit and ret do. Any other call ends its block as well: lanes go on behind it when
 * they come back. */
#include "ir/ir.h"

#include <string.h>

typedef enum Flow { FLOW_NEXT, FLOW_BRANCH, FLOW_EXIT, FLOW_CALL } Flow;

uint32_t block_successor_count(const Block *block) {
    return 2 + block->target_count;
}

uint32_t block_successor(const Block *block, uint32_t index) {
    return index < 2 ? block->successor[index] : block->targets[index - 2];
}

static bool calls_noreturn(const Insn *insn) {
    const Function *callee = insn_callee(insn);
    return callee && (callee->is_noreturn || strcmp(callee->name, "__assertfail") == 0);
}

static Flow flow_of(const Insn *insn) {
    if (op_has(insn->op, TRAIT_JUMPS))
        return FLOW_BRANCH;
    if (op_has(insn->op, TRAIT_LEAVES) || insn->op == OP_trap)
        return FLOW_EXIT;
    if (!insn_calls(insn))
        return FLOW_NEXT;
    return calls_noreturn(insn) ? FLOW_EXIT : FLOW_CALL;
}

/* The labels of a branch: its last operand, or the elements of that. */
static const Operand *branch_labels(const Insn *insn, uint32_t *count) {
    const Operand *last = &insn->operands[insn->operand_count - 1];
    *count = last->kind == OPERAND_VECTOR ? last->count : 1;
    return last->kind == OPERAND_VECTOR ? last->elements : last;
}

typedef struct Cfg {
    Arena *arena;
    Function *function;
    uint32_t *block_of; /* [insns.count + 1]: at a leader the block that it opens, else NO_INDEX */
} Cfg;

/* Lanes that come there one after the other go on together: what follows is executed less often. */
static bool lanes_meet(const Function *function, const Insn *insn) {
    return function->machine && op_has(insn->op, TRAIT_CONVERGENT) &&
           op_has(insn->op, TRAIT_BARRIER);
}

/* How far a block has come behind a barrier at which its threads meet. */
typedef enum Behind { BEHIND_NONE, BEHIND_BARRIER, BEHIND_LOAD } Behind;

/* A store to shared memory that follows a load from there, and both a barrier. Another warp may not have loaded yet, which
 * is a race; but where it is (a sum over the block that all read, the next one's parts in its place), programs count on
 * what a GPU does: all warps go on at once. A warp's turn behind a barrier is a block (exec), so that store opens one. */
static bool overtakes(const Insn *insn, Behind *behind) {
    const bool meets = op_has(insn->op, TRAIT_BARRIER) && op_has(insn->op, TRAIT_WAITS) &&
                       !op_has(insn->op, TRAIT_CONVERGENT);
    const OpAccess access = insn->mods.space == SPACE_SHARED ? op_access(insn->op) : OP_ACCESS_NONE;
    const Behind before = *behind;
    if (meets)
        *behind = BEHIND_BARRIER;
    else if (access == OP_ACCESS_LOAD && before != BEHIND_NONE)
        *behind = BEHIND_LOAD;
    else if (access == OP_ACCESS_STORE)
        *behind = BEHIND_NONE;
    return access == OP_ACCESS_STORE && before == BEHIND_LOAD;
}

/* Marks the instructions that open a block: the first, targets, and what follows a transfer, or in
 * machine code a place where lanes meet; and stores that overtake. */
static void find_leaders(Cfg *cfg) {
    const Function *function = cfg->function;
    uint32_t count = function->insns.count;
    memset(cfg->block_of, 0xff, sizeof *cfg->block_of * (count + 1));
    cfg->block_of[0] = 0;
    Behind behind = BEHIND_NONE;
    for (uint32_t i = 0; i < count; i++) {
        Flow flow = flow_of(&function->insns.at[i]);
        if (overtakes(&function->insns.at[i], &behind))
            cfg->block_of[i] = 0;
        if (flow == FLOW_NEXT && !lanes_meet(function, &function->insns.at[i]))
            continue;
        behind = BEHIND_NONE;
        cfg->block_of[i + 1] = 0;
        if (flow != FLOW_BRANCH)
            continue;
        uint32_t labels;
        const Operand *label = branch_labels(&function->insns.at[i], &labels);
        for (uint32_t l = 0; l < labels; l++)
            cfg->block_of[label[l].target] = 0;
    }
}

static void make_blocks(Cfg *cfg) {
    Function *function = cfg->function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        if (cfg->block_of[i] != NO_INDEX) {
            cfg->block_of[i] = function->blocks.count;
            *vec_add(cfg->arena, &function->blocks) =
                (Block){.first = i, .successor = {NO_INDEX, NO_INDEX}, .ipdom = NO_INDEX};
        }
        function->blocks.at[function->blocks.count - 1].count++;
    }
    cfg->block_of[function->insns.count] = NO_INDEX; /* behind the last: leaves the function */
}

/* Where the branch at a block's end may go: the first label is `taken`, further ones targets. */
static uint32_t link_targets(Cfg *cfg, Block *block, const Insn *insn) {
    uint32_t labels;
    const Operand *label = branch_labels(insn, &labels);
    if (labels > 1) {
        block->target_count = labels - 1;
        block->targets = NEW_ARRAY(cfg->arena, uint32_t, labels - 1);
        for (uint32_t l = 1; l < labels; l++)
            block->targets[l - 1] = cfg->block_of[label[l].target];
    }
    return labels ? cfg->block_of[label[0].target] : NO_INDEX;
}

static void link_blocks(Cfg *cfg) {
    Function *function = cfg->function;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        Block *block = &function->blocks.at[b];
        uint32_t last = block->first + block->count - 1;
        const Insn *insn = &function->insns.at[last];
        Flow flow = flow_of(insn);
        uint32_t taken = flow == FLOW_BRANCH ? link_targets(cfg, block, insn) : NO_INDEX;
        bool goes_on = flow == FLOW_NEXT || flow == FLOW_CALL || insn->guard != NO_REG;
        block->successor[0] = goes_on ? cfg->block_of[last + 1] : taken;
        block->successor[1] = goes_on ? taken : NO_INDEX;
    }
}

/* The reversed graph: node n < blocks is a block, node `blocks` the virtual exit. The predecessors
 * of node n (in the reversed graph its successors) are at[start[n]] … at[start[n + 1] - 1]. */
typedef struct ReverseGraph {
    uint32_t nodes;
    uint32_t *start, *at;
} ReverseGraph;

/* Edge number `index` of block b, the one to the virtual exit included; NO_INDEX: none. There are
 * block_successor_count + 1 numbers. */
static uint32_t edge_of(const Function *function, uint32_t b, uint32_t index) {
    const Block *block = &function->blocks.at[b];
    uint32_t successors = block_successor_count(block);
    if (index < successors)
        return block_successor(block, index);
    const Insn *last = &function->insns.at[block->first + block->count - 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < successors; i++)
        count += block_successor(block, i) != NO_INDEX;
    bool leaves = count == 0 || (flow_of(last) == FLOW_EXIT && last->guard != NO_REG) ||
                  (count == 1 && flow_of(last) == FLOW_BRANCH && last->guard != NO_REG);
    for (uint32_t i = 0; i < block->target_count; i++)
        leaves |= block->targets[i] == NO_INDEX;
    return leaves ? function->blocks.count : NO_INDEX;
}

static uint32_t edge_count(const Function *function, uint32_t b) {
    return block_successor_count(&function->blocks.at[b]) + 1;
}

static ReverseGraph reverse(Arena *arena, const Function *function) {
    uint32_t blocks = function->blocks.count;
    ReverseGraph graph = {.nodes = blocks + 1};
    graph.start = NEW_ARRAY(arena, uint32_t, graph.nodes + 1);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = edge_count(function, b); i-- > 0;) {
            uint32_t target = edge_of(function, b, i);
            if (target != NO_INDEX)
                graph.start[target + 1]++;
        }
    for (uint32_t n = 0; n < graph.nodes; n++)
        graph.start[n + 1] += graph.start[n];
    graph.at = NEW_ARRAY(arena, uint32_t, graph.start[graph.nodes] + 1);
    uint32_t *fill = NEW_ARRAY(arena, uint32_t, graph.nodes);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = edge_count(function, b); i-- > 0;) {
            uint32_t target = edge_of(function, b, i);
            if (target != NO_INDEX)
                graph.at[graph.start[target] + fill[target]++] = b;
        }
    return graph;
}

/* Nodes reached from the exit, in postorder of a depth-first walk with a stack of its own. */
static uint32_t postorder(Arena *arena, const ReverseGraph *graph, uint32_t *order,
                          uint32_t *number) {
    uint32_t *stack = NEW_ARRAY(arena, uint32_t, graph->nodes);
    uint32_t *next = NEW_ARRAY(arena, uint32_t, graph->nodes);
    uint32_t depth = 0, count = 0;
    memset(number, 0xff, sizeof *number * graph->nodes);
    bool *seen = NEW_ARRAY(arena, bool, graph->nodes);
    stack[depth++] = graph->nodes - 1;
    seen[graph->nodes - 1] = true;
    while (depth) {
        uint32_t node = stack[depth - 1];
        uint32_t edge = graph->start[node] + next[node]++;
        if (edge == graph->start[node + 1]) {
            number[node] = count;
            order[count++] = node;
            depth--;
        } else if (!seen[graph->at[edge]]) {
            seen[graph->at[edge]] = true;
            stack[depth++] = graph->at[edge];
        }
    }
    return count;
}

static uint32_t intersect(const uint32_t *dominator, const uint32_t *number, uint32_t a,
                          uint32_t b) {
    while (a != b) {
        while (number[a] < number[b])
            a = dominator[a];
        while (number[b] < number[a])
            b = dominator[b];
    }
    return a;
}

static void find_ipdoms(Arena *arena, Function *function) {
    ReverseGraph graph = reverse(arena, function);
    uint32_t exit = graph.nodes - 1;
    uint32_t *order = NEW_ARRAY(arena, uint32_t, graph.nodes);
    uint32_t *number = NEW_ARRAY(arena, uint32_t, graph.nodes);
    uint32_t *dominator = NEW_ARRAY(arena, uint32_t, graph.nodes);
    uint32_t reached = postorder(arena, &graph, order, number);
    memset(dominator, 0xff, sizeof *dominator * graph.nodes);
    dominator[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = reached - 1; i-- > 0;) { /* all but the exit, which is last */
            uint32_t best = NO_INDEX;
            for (uint32_t t = edge_count(function, order[i]); t-- > 0;) {
                uint32_t target = edge_of(function, order[i], t);
                if (target != NO_INDEX && dominator[target] != NO_INDEX)
                    best = best == NO_INDEX ? target : intersect(dominator, number, best, target);
            }
            changed |= dominator[order[i]] != best;
            dominator[order[i]] = best;
        }
    }
    for (uint32_t b = 0; b < function->blocks.count; b++)
        function->blocks.at[b].ipdom = dominator[b] == exit ? NO_INDEX : dominator[b];
}

void cfg_build(Arena *arena, Function *function) {
    function->blocks.count = 0;
    if (function->insns.count == 0)
        return;
    Arena *scratch = arena_new();
    Cfg cfg = {.arena = arena, .function = function};
    cfg.block_of = NEW_ARRAY(scratch, uint32_t, function->insns.count + 1);
    find_leaders(&cfg);
    make_blocks(&cfg);
    link_blocks(&cfg);
    find_ipdoms(scratch, function);
    arena_free(scratch);
}
