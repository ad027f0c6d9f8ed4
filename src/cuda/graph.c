/* Graphs: lists of work, built by hand or by capture. Running one is running its nodes one after the
 * other, in an order in which each comes behind those that it depends on. */
#include "cuda/objects.h"

#include <string.h>

CUgraph graph_new(void) {
    Arena *arena = arena_new();
    CUgraph graph = NEW(arena, struct Graph);
    *graph = (struct Graph){.tag = TAG_GRAPH, .arena = arena, .id = core_number()};
    return graph;
}

/* The node does this from now on. What the caller's work points to is copied, into the place of the
 * node's earlier parameters where they are of the same kernel. */
void graph_set_work(CUgraphNode node, const Work *work) {
    const Work before = node->work;
    node->work = *work;
    if (work->kind->node == NODE_MEM_ALLOC)
        allocation_keep(work->write.address, true);
    if (work->kind->node == NODE_KERNEL) {
        uint32_t bytes = work->kernel.param_bytes;
        bool same = before.kind && before.kind->node == NODE_KERNEL &&
                    before.kernel.kernel == work->kernel.kernel;
        node->work.kernel.params =
            same ? before.kernel.params : arena_alloc(node->graph->arena, bytes + 1);
        memcpy(node->work.kernel.params, work->kernel.params, bytes);
    }
}

CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const Work *work) {
    CUgraphNode node = NEW(graph->arena, struct GraphNode);
    *node = (struct GraphNode){.tag = TAG_NODE, .graph = graph, .index = graph->nodes.count};
    graph_set_work(node, work);
    for (size_t i = 0; i < count; i++) {
        if (!IS(before[i], TAG_NODE) || before[i]->graph != graph)
            return NULL;
        *vec_add(graph->arena, &node->before) = before[i]->index;
    }
    *vec_add(graph->arena, &graph->nodes) = node;
    return node;
}

/* A copy: nodes keep their places, so a node of the original finds its twin by its index. */
CUgraph graph_copy(CUgraph from) {
    CUgraph to = graph_new();
    to->owned = true;
    for (uint32_t i = 0; i < from->nodes.count; i++) {
        const struct GraphNode *node = from->nodes.at[i];
        Work work = node->work;
        if (work.kind->node == NODE_GRAPH)
            work.graph = graph_copy(work.graph);
        CUgraphNode twin = graph_add(to, NULL, 0, &work);
        twin->gone = node->gone;
        twin->disabled = node->disabled;
        for (uint32_t d = 0; d < node->before.count; d++)
            *vec_add(to->arena, &twin->before) = node->before.at[d];
    }
    user_objects_share(to, from);
    return to;
}

void graph_drop(CUgraph graph) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.at[i];
        if (node->work.kind->node == NODE_GRAPH && node->work.graph->owned)
            graph_drop(node->work.graph);
        if (node->work.kind->node == NODE_MEM_ALLOC)
            allocation_keep(node->work.write.address, false);
        node->tag = TAG_NONE;
    }
    graph->tag = TAG_NONE;
    user_objects_release(graph);
    arena_free(graph->arena);
}

CUresult graph_run(CUgraph graph, const uint32_t *order) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct GraphNode *node = graph->nodes.at[order ? order[i] : i];
        CUresult result = node->disabled ? CUDA_SUCCESS : node->work.kind->run(&node->work);
        if (result)
            return result;
    }
    return CUDA_SUCCESS;
}

static CUresult run(const Work *work) {
    return graph_run(work->graph, NULL);
}
const WorkKind work_graph = {NODE_GRAPH, run};
