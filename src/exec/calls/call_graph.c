/* Which functions of a program may call which, and in which order they do.
 *
 * Nodes are the routines and one more, which stands for every function that a call through a pointer may
 * reach: such a call leads there, and from there one edge to each. Components are the circles of calls
 * (Tarjan, "Depth-first search and linear graph algorithms", 1972, with a stack of our own: calls can be
 * nested deeply), and what is in none alone. All takes time for the calls there are. */
#include "exec/calls/call_graph.h"

#include <string.h>

typedef struct Edge {
    uint32_t from, to;
} Edge;

typedef VEC(Edge) Edges;

static void add_callee(Arena *arena, const Program *program, const Function *callee, uint32_t from,
                       Edges *edges) {
    uint32_t to = program_routine(program, callee);
    if (to != NO_INDEX)
        *vec_add(arena, edges) = (Edge){from, to};
}

static void add_calls(Arena *arena, const Program *program, uint32_t from, Edges *edges) {
    const Function *function = program->routines[from].function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        const Function *callee = insn_callee(insn);
        if (callee)
            add_callee(arena, program, callee, from, edges);
        else if (insn_calls(insn))
            *vec_add(arena, edges) = (Edge){from, program->routine_count};
    }
}

static void find_edges(Arena *arena, const Program *program, Edges *edges) {
    for (uint32_t i = 0; i < program->routine_count; i++)
        add_calls(arena, program, i, edges);
    Functions addressed = {0};
    functions_addressed(arena, program->function->module, &addressed);
    for (uint32_t i = 0; i < addressed.count; i++)
        add_callee(arena, program, addressed.at[i], program->routine_count, edges);
}

/* By their beginning. */
static void sort_edges(Arena *arena, CallGraph *graph, const Edges *edges) {
    graph->start = NEW_ARRAY(arena, uint32_t, graph->nodes + 2);
    graph->to = NEW_ARRAY(arena, uint32_t, edges->count);
    uint32_t *fill = graph->start + 1; /* becomes the start of the next one while filling */
    for (uint32_t i = 0; i < edges->count; i++)
        graph->start[edges->at[i].from + 2]++;
    for (uint32_t n = 0; n < graph->nodes; n++)
        graph->start[n + 2] += graph->start[n + 1];
    for (uint32_t i = 0; i < edges->count; i++)
        graph->to[fill[edges->at[i].from]++] = edges->at[i].to;
}

/* A depth-first walk. */
typedef struct CallWalk {
    CallGraph *graph;
    uint32_t *number, *lowest, *next; /* [nodes]; number 0: not seen */
    uint32_t *path, depth;            /* nodes that the walk is in */
    uint32_t *open, open_count;       /* nodes seen whose component is not closed */
    uint32_t seen;
} CallWalk;

static void enter(CallWalk *walk, uint32_t node) {
    walk->number[node] = walk->lowest[node] = ++walk->seen;
    walk->next[node] = walk->graph->start[node];
    walk->path[walk->depth++] = node;
    walk->open[walk->open_count++] = node;
}

static void lower(CallWalk *walk, uint32_t node, uint32_t number) {
    if (number < walk->lowest[node])
        walk->lowest[node] = number;
}

/* The nodes above it on the stack of open ones are a component. */
static void close_component(CallWalk *walk, uint32_t node) {
    CallGraph *graph = walk->graph;
    uint32_t last;
    do {
        last = walk->open[--walk->open_count];
        graph->component[last] = graph->components;
    } while (last != node);
    graph->components++;
}

static void leave(CallWalk *walk, uint32_t node) {
    walk->depth--;
    if (walk->lowest[node] == walk->number[node])
        close_component(walk, node);
    if (walk->depth)
        lower(walk, walk->path[walk->depth - 1], walk->lowest[node]);
}

static void walk_from(CallWalk *walk, uint32_t first) {
    const CallGraph *graph = walk->graph;
    enter(walk, first);
    while (walk->depth) {
        uint32_t node = walk->path[walk->depth - 1];
        if (walk->next[node] == graph->start[node + 1]) {
            leave(walk, node);
            continue;
        }
        uint32_t to = graph->to[walk->next[node]++];
        if (walk->number[to] == 0)
            enter(walk, to);
        else if (graph->component[to] == NO_INDEX)
            lower(walk, node, walk->number[to]);
    }
}

static void find_components(Arena *arena, CallGraph *graph) {
    uint32_t nodes = graph->nodes;
    CallWalk walk = {.graph = graph};
    uint32_t **arrays[] = {&walk.number, &walk.lowest, &walk.next, &walk.path, &walk.open};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = NEW_ARRAY(arena, uint32_t, nodes);
    graph->component = NEW_ARRAY(arena, uint32_t, nodes);
    memset(graph->component, 0xff, sizeof *graph->component * nodes);
    for (uint32_t n = 0; n < nodes; n++)
        if (walk.number[n] == 0)
            walk_from(&walk, n);
}

/* Callers have the higher numbers of components; within one, nodes stand by their numbers. */
static void find_order(Arena *arena, CallGraph *graph) {
    uint32_t *fill = NEW_ARRAY(arena, uint32_t, graph->components + 1);
    graph->order = NEW_ARRAY(arena, uint32_t, graph->nodes);
    for (uint32_t n = 0; n < graph->nodes; n++)
        fill[graph->components - 1 - graph->component[n] + 1]++;
    for (uint32_t c = 0; c < graph->components; c++)
        fill[c + 1] += fill[c];
    for (uint32_t n = 0; n < graph->nodes; n++)
        graph->order[fill[graph->components - 1 - graph->component[n]]++] = n;
}

static void find_circles(Arena *arena, CallGraph *graph) {
    uint32_t *size = NEW_ARRAY(arena, uint32_t, graph->components);
    graph->circular = NEW_ARRAY(arena, bool, graph->components);
    for (uint32_t n = 0; n < graph->nodes; n++) {
        graph->circular[graph->component[n]] |= ++size[graph->component[n]] > 1;
        for (uint32_t e = graph->start[n]; e < graph->start[n + 1]; e++)
            graph->circular[graph->component[n]] |= graph->to[e] == n;
    }
}

CallGraph call_graph(Arena *arena, const Program *program) {
    Arena *scratch = arena_new();
    Edges edges = {0};
    CallGraph graph = {.nodes = program->routine_count + 1};
    find_edges(scratch, program, &edges);
    sort_edges(arena, &graph, &edges);
    find_components(arena, &graph);
    find_order(arena, &graph);
    find_circles(arena, &graph);
    arena_free(scratch);
    return graph;
}
