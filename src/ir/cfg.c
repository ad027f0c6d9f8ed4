/* Control flow: basic blocks, their successors, and the immediate post-dominator of each, where
 * lanes that diverge at its end reconverge.
 *
 * Post-dominators are the dominators of the reversed graph from a virtual exit; they are found as by
 * Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), the simpler of
 * their two ways, in time for n log n edges however branches cross. A trap and a call of a function that does not return leave
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

/* A depth-first walk from the exit. Nodes that it reaches are numbered as it comes to them; all but `node` and
 * `number` are by these numbers. */
typedef struct Dominance {
    const Function *function;
    const ReverseGraph *graph;
    uint32_t count;
    uint32_t *node, *number; /* NO_INDEX: not reached */
    uint32_t *parent;
    uint32_t *semi; /* semidominator */
    uint32_t *
        ancestor; /* in the forest of those that have been looked at, paths being cut short; NO_INDEX: a root */
    uint32_t *label; /* the one of least semidominator on the path that was cut */
    uint32_t *path;  /* room for a path */
    uint32_t *dominator;
    uint32_t *first, *next; /* those with this semidominator, and the next of these */
} Dominance;

static void reach(Dominance *dominance, uint32_t node, uint32_t parent) {
    dominance->number[node] = dominance->count;
    dominance->parent[dominance->count] = parent;
    dominance->node[dominance->count++] = node;
}

/* With a stack of its own. */
static void walk_from_exit(Arena *arena, Dominance *dominance) {
    const ReverseGraph *graph = dominance->graph;
    uint32_t *stack = NEW_ARRAY(arena, uint32_t, graph->nodes);
    uint32_t *next = NEW_ARRAY(arena, uint32_t, graph->nodes), depth = 0;
    stack[depth++] = graph->nodes - 1;
    reach(dominance, graph->nodes - 1, 0);
    while (depth) {
        uint32_t node = stack[depth - 1];
        uint32_t edge = graph->start[node] + next[node]++;
        if (edge == graph->start[node + 1]) {
            depth--;
        } else if (dominance->number[graph->at[edge]] == NO_INDEX) {
            reach(dominance, graph->at[edge], dominance->number[node]);
            stack[depth++] = graph->at[edge];
        }
    }
}

/* The one of least semidominator between v and the root above it, which itself does not count. */
static uint32_t least_above(const Dominance *dominance, uint32_t v) {
    uint32_t *ancestor = dominance->ancestor, *label = dominance->label, length = 0;
    if (ancestor[v] == NO_INDEX)
        return v;
    for (uint32_t at = v; ancestor[ancestor[at]] != NO_INDEX; at = ancestor[at])
        dominance->path[length++] = at;
    while (length) {
        uint32_t at = dominance->path[--length], above = ancestor[at];
        if (dominance->semi[label[above]] < dominance->semi[label[at]])
            label[at] = label[above];
        ancestor[at] = ancestor[above];
    }
    return label[v];
}

static void find_semidominator(const Dominance *dominance, uint32_t v) {
    uint32_t block = dominance->node[v];
    for (uint32_t t = edge_count(dominance->function, block); t-- > 0;) {
        uint32_t target = edge_of(dominance->function, block, t);
        if (target == NO_INDEX || dominance->number[target] == NO_INDEX)
            continue;
        uint32_t least = dominance->semi[least_above(dominance, dominance->number[target])];
        if (least < dominance->semi[v])
            dominance->semi[v] = least;
    }
}

/* Those with the semidominator `semi`, to which a path from it has just been completed. */
static void find_dominators(const Dominance *dominance, uint32_t semi) {
    for (uint32_t v = dominance->first[semi]; v != NO_INDEX; v = dominance->next[v]) {
        uint32_t least = least_above(dominance, v);
        dominance->dominator[v] = dominance->semi[least] < semi ? least : semi;
    }
    dominance->first[semi] = NO_INDEX;
}

static uint32_t *new_indices(Arena *arena, uint32_t count) {
    uint32_t *indices = NEW_ARRAY(arena, uint32_t, count);
    memset(indices, 0xff, sizeof *indices * count);
    return indices;
}

static Dominance dominance_new(Arena *arena, const Function *function, const ReverseGraph *graph) {
    Dominance dominance = {.function = function, .graph = graph};
    uint32_t **arrays[] = {&dominance.node, &dominance.number,    &dominance.parent,
                           &dominance.semi, &dominance.ancestor,  &dominance.label,
                           &dominance.path, &dominance.dominator, &dominance.first,
                           &dominance.next};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = new_indices(arena, graph->nodes);
    return dominance;
}

static void find_ipdoms(Arena *arena, Function *function) {
    const ReverseGraph graph = reverse(arena, function);
    Dominance dominance = dominance_new(arena, function, &graph);
    walk_from_exit(arena, &dominance);
    for (uint32_t v = 0; v < dominance.count; v++)
        dominance.semi[v] = dominance.label[v] = v;
    for (uint32_t v = dominance.count; v-- > 1;) {
        uint32_t parent = dominance.parent[v];
        find_semidominator(&dominance, v);
        dominance.next[v] = dominance.first[dominance.semi[v]];
        dominance.first[dominance.semi[v]] = v;
        dominance.ancestor[v] = parent;
        find_dominators(&dominance, parent);
    }
    for (uint32_t v = 1; v < dominance.count; v++)
        if (dominance.dominator[v] != dominance.semi[v])
            dominance.dominator[v] = dominance.dominator[dominance.dominator[v]];
    for (uint32_t v = 1; v < dominance.count; v++) /* the exit, 0, is no block */
        if (dominance.dominator[v] != 0)
            function->blocks.at[dominance.node[v]].ipdom = dominance.node[dominance.dominator[v]];
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
