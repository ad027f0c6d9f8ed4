/* Graphs: lists of work, built by hand or by capture. Running one is running its nodes one after the
 * other, in an order in which each comes behind those that it depends on. */
#include "cuda/graph.h"
#include "cuda/allocation.h"
#include "cuda/handle.h"
#include "cuda/precedence.h"
#include "cuda/state.h"
#include "cuda/work.h"

#include <string.h>

CUgraph graph_new(void) {
    Arena *arena = arena_new();
    CUgraph graph = NEW(arena, struct Graph);
    *graph = (struct Graph){.tag = TAG_GRAPH, .arena = arena, .id = core_number()};
    return graph;
}

static const CUstreamBatchMemOpParams *copied_operations(Arena *arena, const BatchWork *batch) {
    CUstreamBatchMemOpParams *copy = NEW_ARRAY(arena, CUstreamBatchMemOpParams, batch->count + 1);
    memcpy(copy, batch->operations, batch->count * sizeof *copy);
    return copy;
}

/* The node does this from now on. What the caller's work points to is copied, into the place of the
 * node's earlier parameters where they are of the same kernel. */
void graph_set_work(CUgraphNode node, const Work *work) {
    const Work before = node->work;
    node->work = *work;
    if (work->kind->node == NODE_MEM_ALLOC)
        allocation_keep(work->memory.address, true);
    if (work->kind->node == NODE_BATCH_MEM_OP)
        node->work.batch.operations = copied_operations(node->graph->arena, &work->batch);
    if (work->kind->node == NODE_KERNEL) {
        uint32_t bytes = work->kernel.param_bytes;
        bool same = before.kind && before.kind->node == NODE_KERNEL &&
                    before.kernel.kernel == work->kernel.kernel;
        node->work.kernel.params =
            same ? before.kernel.params : arena_alloc(node->graph->arena, bytes + 1);
        memcpy(node->work.kernel.params, work->kernel.params, bytes);
    }
    if (work->kind->node == NODE_HOST && work->host.bytes)
        node->work.host.data = memcpy(arena_alloc(node->graph->arena, work->host.bytes),
                                      work->host.data, work->host.bytes);
}

CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const Work *work) {
    CUgraphNode node = NEW(graph->arena, struct GraphNode);
    *node = (struct GraphNode){.tag = TAG_NODE, .graph = graph, .index = graph->nodes.count};
    graph_set_work(node, work);
    for (size_t i = 0; i < count; i++) {
        if (!IS(before[i], TAG_NODE) || before[i]->graph != graph)
            return NULL;
        *vec_add(graph->arena, &node->before) = (GraphEdge){.from = before[i]->index};
    }
    *vec_add(graph->arena, &graph->nodes) = node;
    return node;
}

/* A copy: nodes keep their places, so a node of the original finds its twin by its index. */
CUgraph graph_copy(CUgraph from) {
    CUgraph to = graph_new();
    to->owned = true;
    to->of = from->id;
    for (uint32_t i = 0; i < from->nodes.count; i++) {
        const struct GraphNode *node = from->nodes.at[i];
        Work work = node->work;
        if (work.kind->node == NODE_GRAPH)
            work.graph = graph_copy(work.graph);
        if (work.kind->node == NODE_CONDITIONAL)
            conditional_copy(to, &work.conditional);
        CUgraphNode twin = graph_add(to, NULL, 0, &work);
        twin->gone = node->gone;
        twin->disabled = node->disabled;
        for (uint32_t d = 0; d < node->before.count; d++)
            *vec_add(to->arena, &twin->before) = node->before.at[d];
    }
    for (uint32_t i = 0; i < from->conditions.count; i++)
        *vec_add(to->arena, &to->conditions) = from->conditions.at[i];
    user_objects_share(to, from);
    return to;
}

void graph_drop(CUgraph graph) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.at[i];
        if (node->work.kind->node == NODE_GRAPH && node->work.graph->owned)
            graph_drop(node->work.graph);
        if (node->work.kind->node == NODE_CONDITIONAL)
            conditional_drop(&node->work.conditional);
        if (node->work.kind->node == NODE_MEM_ALLOC)
            allocation_keep(node->work.memory.address, false);
        node->tag = TAG_NONE;
    }
    graph->tag = TAG_NONE;
    user_objects_release(graph);
    arena_free(graph->arena);
}

/* ---- graphs in others: what is to be done with all of them ---- */

void conditional_copy(CUgraph to, ConditionalWork *work) {
    CUgraph *bodies = NEW_ARRAY(to->arena, CUgraph, work->count);
    for (uint32_t i = 0; i < work->count; i++)
        bodies[i] = graph_copy(work->bodies[i]);
    work->bodies = bodies;
}

void conditional_drop(const ConditionalWork *work) {
    for (uint32_t i = 0; i < work->count; i++)
        graph_drop(work->bodies[i]);
}

void conditions_assign(CUgraph graph) {
    for (uint32_t i = 0; i < graph->conditions.count; i++)
        if (graph->conditions.at[i].assigned)
            memcpy(memory_host(core_memory(), graph->conditions.at[i].address),
                   &graph->conditions.at[i].value, sizeof graph->conditions.at[i].value);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const Work *work = &graph->nodes.at[i]->work;
        if (work->kind->node == NODE_GRAPH)
            conditions_assign(work->graph);
        for (uint32_t b = 0; work->kind->node == NODE_CONDITIONAL && b < work->conditional.count;
             b++)
            conditions_assign(work->conditional.bodies[b]);
    }
}

/* Each node behind those it depends on, otherwise in the order of creation. */
static bool sort_nodes(CUgraph graph) {
    uint32_t count = graph->nodes.count, done = 0;
    uint32_t *order = NEW_ARRAY(graph->arena, uint32_t, count + 1);
    bool *placed = NEW_ARRAY(graph->arena, bool, count + 1);
    for (bool progress = true; done < count && progress;) {
        progress = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct GraphNode *node = graph->nodes.at[i];
            bool ready = !placed[i];
            for (uint32_t d = 0; ready && d < node->before.count; d++)
                ready = placed[node->before.at[d].from];
            if (ready) {
                placed[i] = progress = true;
                order[done++] = i;
            }
        }
    }
    graph->order = order;
    return done == count;
}

bool graph_sort(CUgraph graph) {
    bool sorted = sort_nodes(graph);
    for (uint32_t i = 0; sorted && i < graph->nodes.count; i++) {
        const Work *work = &graph->nodes.at[i]->work;
        if (work->kind->node == NODE_GRAPH)
            sorted = graph_sort(work->graph);
        for (uint32_t b = 0; work->kind->node == NODE_CONDITIONAL && b < work->conditional.count;
             b++)
            sorted &= graph_sort(work->conditional.bodies[b]);
    }
    return sorted;
}

static CUresult graph_run_watched(GraphOrder *order, CUgraph graph) {
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; !result && i < graph->nodes.count; i++)
        result = operations_node(order, graph->nodes.at[graph->order ? graph->order[i] : i]);
    operations_graph_end(order, graph);
    return result;
}

CUresult graph_run(CUgraph graph) {
    GraphOrder *order = operations_graph_begin(graph);
    if (order)
        return graph_run_watched(order, graph);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct GraphNode *node = graph->nodes.at[graph->order ? graph->order[i] : i];
        CUresult result = node->disabled ? CUDA_SUCCESS : node->work.kind->run(&node->work);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

bool graph_may_wait(CUgraph graph) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct GraphNode *node = graph->nodes.at[i];
        const WorkKind *kind = node->work.kind;
        if (!node->gone && !node->disabled && kind->waits && kind->waits(&node->work))
            return true;
    }
    return false;
}

static CUresult run(const Work *work) {
    return graph_run(work->graph);
}

static bool waits(const Work *work) {
    return graph_may_wait(work->graph);
}
const WorkKind work_graph = {NODE_GRAPH, run, waits};
