/* Nodes of graphs: looking at them, and changing what they do, in a graph or in an executable one,
 * whose nodes have the places of those that they were made from. */
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/work.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- lists: as many as there is room for, NULL in the rest; without room, only how many ---- */

typedef struct List {
    CUgraphNode *nodes, *others; /* NULL: not wanted */
    CUgraphEdgeData *edges;      /* NULL: not wanted */
    size_t room, found;
    bool lossy; /* an edge has data that is not wanted */
} List;

static List list_new(CUgraphNode *nodes, CUgraphNode *others, CUgraphEdgeData *edges,
                     const size_t *count) {
    return (List){nodes, others, edges, nodes || others ? *count : SIZE_MAX, 0, false};
}

static void list_add(List *list, CUgraphNode node, CUgraphNode other, const GraphEdge *edge) {
    if (list->found == list->room)
        return;
    if (list->nodes)
        list->nodes[list->found] = node;
    if (list->others)
        list->others[list->found] = other;
    if (list->edges)
        list->edges[list->found] = edge->data;
    else if (list->nodes && edge && edge->data.type)
        list->lossy = true;
    list->found++;
}

static CUresult list_end(List *list, size_t *count) {
    if (list->lossy)
        return CUDA_ERROR_LOSSY_QUERY;
    if (list->room == 0) /* lists for nothing (measured on a GPU) */
        return CUDA_ERROR_INVALID_VALUE;
    *count = list->found;
    for (size_t i = list->found; (list->nodes || list->others) && i < list->room; i++) {
        if (list->nodes)
            list->nodes[i] = NULL;
        if (list->others)
            list->others[i] = NULL;
    }
    return CUDA_SUCCESS;
}

static CUresult list_nodes(CUgraph graph, CUgraphNode *nodes, size_t *count, bool roots) {
    if (!IS(graph, TAG_GRAPH) || !count)
        return CUDA_ERROR_INVALID_VALUE;
    List list = list_new(nodes, NULL, NULL, count);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.at[i];
        if (!node->gone && (!roots || node->before.count == 0))
            list_add(&list, node, NULL, NULL);
    }
    return list_end(&list, count);
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    return list_nodes(graph, nodes, count, false);
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count) {
    return list_nodes(graph, nodes, count, true);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *edges, size_t *count) {
    if (!IS(graph, TAG_GRAPH) || !count || !from != !to)
        return CUDA_ERROR_INVALID_VALUE;
    List list = list_new(from, to, edges, count);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        CUgraphNode node = graph->nodes.at[i];
        for (uint32_t d = 0; d < node->before.count; d++)
            list_add(&list, graph->nodes.at[node->before.at[d].from], node, &node->before.at[d]);
    }
    return list_end(&list, count);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
    return cuGraphGetEdges_v2(graph, from, to, NULL, count);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *edges,
                                       size_t *count) {
    if (!IS(node, TAG_NODE) || !count)
        return CUDA_ERROR_INVALID_VALUE;
    List list = list_new(nodes, NULL, edges, count);
    for (uint32_t d = 0; d < node->before.count; d++)
        list_add(&list, node->graph->nodes.at[node->before.at[d].from], NULL, &node->before.at[d]);
    return list_end(&list, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
    return cuGraphNodeGetDependencies_v2(node, nodes, NULL, count);
}

/* The place in `before` of an edge from the node of that index, or the number of edges. */
static uint32_t edge_from(const struct GraphNode *node, uint32_t index) {
    uint32_t d = 0;
    while (d < node->before.count && node->before.at[d].from != index)
        d++;
    return d;
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *edges, size_t *count) {
    if (!IS(node, TAG_NODE) || !count)
        return CUDA_ERROR_INVALID_VALUE;
    List list = list_new(nodes, NULL, edges, count);
    for (uint32_t i = 0; i < node->graph->nodes.count; i++) {
        CUgraphNode other = node->graph->nodes.at[i];
        uint32_t d = edge_from(other, node->index);
        if (d < other->before.count)
            list_add(&list, other, NULL, &other->before.at[d]);
    }
    return list_end(&list, count);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
    return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, count);
}

CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
    if (!node || !IS(original, TAG_NODE) || !IS(clone, TAG_GRAPH) ||
        clone->of != original->graph->id || original->index >= clone->nodes.count ||
        clone->nodes.at[original->index]->gone)
        return CUDA_ERROR_INVALID_VALUE;
    *node = clone->nodes.at[original->index];
    return CUDA_SUCCESS;
}

/* ---- edges and nodes go ---- */

static bool remove_edge(CUgraphNode node, uint32_t from) {
    uint32_t d = edge_from(node, from);
    if (d == node->before.count)
        return false;
    node->before.at[d] = node->before.at[--node->before.count];
    return true;
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *edges, size_t count) {
    (void)edges; /* there is one edge between two nodes at most */
    if (!IS(graph, TAG_GRAPH) || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (!IS(from[i], TAG_NODE) || !IS(to[i], TAG_NODE) || from[i]->graph != graph ||
            to[i]->graph != graph || !remove_edge(to[i], from[i]->index))
            return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, NULL, count);
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
    if (!IS(node, TAG_NODE))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph graph = node->graph;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        remove_edge(graph->nodes.at[i], node->index);
    if (node->work.kind->node == NODE_GRAPH && node->work.graph->owned)
        graph_drop(node->work.graph);
    if (node->work.kind->node == NODE_CONDITIONAL)
        conditional_drop(&node->work.conditional);
    node->before.count = 0;
    node->work = (Work){.kind = &work_empty};
    node->gone = true;
    node->tag = TAG_NONE;
    return CUDA_SUCCESS;
}

/* ---- what a node does ---- */

static bool does(CUgraphNode node, int kind) {
    return IS(node, TAG_NODE) && node->work.kind->node == kind;
}

CUresult cuGraphNodeGetType(CUgraphNode node, int *type) {
    if (!IS(node, TAG_NODE) || !type)
        return CUDA_ERROR_INVALID_VALUE;
    *type = node->work.kind->node;
    return CUDA_SUCCESS;
}

/* The parameters come back as pointers to each, into the graph. */
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
    if (!does(node, NODE_KERNEL) || !params || !IS(node->work.kernel.kernel, TAG_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    const KernelWork *work = &node->work.kernel;
    const Function *function = work->kernel->function;
    void **pointers = NEW_ARRAY(node->graph->arena, void *, function->params.count + 1);
    for (uint32_t i = 0; i < function->params.count; i++)
        pointers[i] = work->params + function->params.at[i]->offset;
    params->func = work->kernel;
    params->sharedMemBytes = work->dynamic_shared;
    params->kernelParams = pointers;
    params->extra = NULL;
    memcpy(params->gridDim, work->grid, sizeof params->gridDim);
    memcpy(params->blockDim, work->block, sizeof params->blockDim);
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
    CUresult result = cuGraphKernelNodeGetParams(node, params);
    if (result)
        return result;
    params->kern = NULL;
    params->ctx = NULL;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params) {
    if (!does(node, NODE_MEMCPY) || !params)
        return CUDA_ERROR_INVALID_VALUE;
    *params = node->work.copy;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params) {
    if (!does(node, NODE_MEMSET) || !params)
        return CUDA_ERROR_INVALID_VALUE;
    const SetWork *set = &node->work.set;
    const CUDA_MEMSET_NODE_PARAMS now = {.dst = set->to,
                                         .pitch = set->pitch,
                                         .value = set->value,
                                         .elementSize = set->element,
                                         .width = set->width,
                                         .height = set->height};
    memcpy(params, &now, offsetof(CUDA_MEMSET_NODE_PARAMS, ctx)); /* there is no version 2 of it */
    return CUDA_SUCCESS;
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) {
    if (!does(node, NODE_HOST) || !params)
        return CUDA_ERROR_INVALID_VALUE;
    *params = (CUDA_HOST_NODE_PARAMS){node->work.host.function, node->work.host.data};
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
    if (!does(node, NODE_GRAPH) || !graph)
        return CUDA_ERROR_INVALID_VALUE;
    *graph = node->work.graph;
    return CUDA_SUCCESS;
}

static CUresult get_event(CUgraphNode node, int kind, CUevent *event) {
    if (!does(node, kind) || !event)
        return CUDA_ERROR_INVALID_VALUE;
    *event = node->work.event;
    return CUDA_SUCCESS;
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
    return get_event(node, NODE_EVENT_RECORD, event);
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
    return get_event(node, NODE_WAIT_EVENT, event);
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
    enum { PINNED = 1, DEVICE = 1 };
    if (!does(node, NODE_MEM_ALLOC) || !params)
        return CUDA_ERROR_INVALID_VALUE;
    *params = (CUDA_MEM_ALLOC_NODE_PARAMS){
        .poolProps = {.allocType = PINNED, .location = {.type = DEVICE}},
        .bytesize = node->work.memory.bytes,
        .dptr = node->work.memory.address};
    return CUDA_SUCCESS;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address) {
    if (!does(node, NODE_MEM_FREE) || !address)
        return CUDA_ERROR_INVALID_VALUE;
    *address = node->work.memory.address;
    return CUDA_SUCCESS;
}

/* ---- changing it; `node` is NULL where an executable graph has none of that kind ---- */

/* The node of an executable graph that was made from `node`. */
static CUgraphNode twin(CUgraphExec exec, CUgraphNode node) {
    if (!IS(exec, TAG_EXEC) || !IS(node, TAG_NODE) || node->index >= exec->graph->nodes.count)
        return NULL;
    return exec->graph->nodes.at[node->index];
}

static CUresult set_kernel(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params, bool extended) {
    Work work;
    if (!does(node, NODE_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = graph_kernel_work(params, extended, &work);
    if (result)
        return result;
    graph_set_work(node, &work);
    free(work.kernel.params);
    return CUDA_SUCCESS;
}

static CUresult set_copy(CUgraphNode node, const CUDA_MEMCPY3D *params) {
    if (!does(node, NODE_MEMCPY) || !params)
        return CUDA_ERROR_INVALID_VALUE;
    bool empty = !params->WidthInBytes || !params->Height || !params->Depth;
    CUresult wrong = empty ? CUDA_ERROR_INVALID_VALUE : copy_check(params);
    if (!wrong)
        node->work.copy = *params;
    return wrong;
}

static CUresult set_set(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params) {
    Work work;
    bool fits = does(node, NODE_MEMSET) && params && params->width && params->height;
    CUresult wrong = fits ? graph_set_node_work(params, &work) : CUDA_ERROR_INVALID_VALUE;
    if (!wrong)
        node->work = work;
    return wrong;
}

static CUresult set_host(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
    if (!does(node, NODE_HOST) || !params || !params->fn)
        return CUDA_ERROR_INVALID_VALUE;
    node->work = (Work){.kind = &work_host, .host = {params->fn, params->userData, 0, true}};
    return CUDA_SUCCESS;
}

static CUresult set_event(CUgraphNode node, int kind, CUevent event) {
    if (!does(node, kind) || !IS(event, TAG_EVENT))
        return CUDA_ERROR_INVALID_VALUE;
    node->work.event = event;
    return CUDA_SUCCESS;
}

static CUresult set_child(CUgraphNode node, CUgraph child) {
    if (!does(node, NODE_GRAPH) || !IS(child, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph before = node->work.graph;
    node->work.graph = graph_copy(child);
    graph_drop(before);
    return CUDA_SUCCESS;
}

static CUresult set_any(CUgraphNode node, const CUgraphNodeParams *params) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    switch (params->type) {
    case NODE_KERNEL:
        return set_kernel(node, &params->kernel, true);
    case NODE_MEMCPY:
        return set_copy(node, &params->memcpy.copyParams);
    case NODE_MEMSET:
        return set_set(node, &params->memset);
    case NODE_HOST:
        return set_host(node, &params->host);
    case NODE_GRAPH:
        return set_child(node, params->graph);
    case NODE_WAIT_EVENT:
        return set_event(node, NODE_WAIT_EVENT, params->event);
    case NODE_EVENT_RECORD:
        return set_event(node, NODE_EVENT_RECORD, params->event);
    case NODE_EMPTY: /* there is nothing to set */
        return does(node, NODE_EMPTY) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
    return set_kernel(node, params, false);
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
    return set_kernel(node, params, true);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params) {
    return set_copy(node, params);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params) {
    return set_set(node, params);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
    return set_host(node, params);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_event(node, NODE_EVENT_RECORD, event);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
    return set_event(node, NODE_WAIT_EVENT, event);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) {
    return set_any(node, params);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params) {
    return set_kernel(twin(exec, node), params, false);
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS *params) {
    return set_kernel(twin(exec, node), params, true);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *params, CUcontext context) {
    (void)context;
    return set_copy(twin(exec, node), params);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context) {
    (void)context;
    CUgraphNode found = twin(exec, node);
    bool in_rows =
        does(found, NODE_MEMSET) && params &&
        (found->work.set.height > 1 || params->height > 1); /* not in an executable graph */
    return in_rows ? CUDA_ERROR_INVALID_VALUE : set_set(found, params);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *params) {
    return set_host(twin(exec, node), params);
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return set_event(twin(exec, node), NODE_EVENT_RECORD, event);
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
    return set_event(twin(exec, node), NODE_WAIT_EVENT, event);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
    CUgraphNode found = twin(exec, node);
    CUgraphNode wrong;
    if (does(found, NODE_GRAPH) && IS(child, TAG_GRAPH) &&
        graph_compare(found->work.graph, child, &wrong))
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    return set_child(found, child);
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
    return set_any(twin(exec, node), params);
}

/* Kernels, copies and fills can be left out of an executable graph. */
static bool can_be_disabled(CUgraphNode node) {
    return does(node, NODE_KERNEL) || does(node, NODE_MEMCPY) || does(node, NODE_MEMSET);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
    CUgraphNode found = twin(exec, node);
    if (!can_be_disabled(found))
        return CUDA_ERROR_INVALID_VALUE;
    found->disabled = !enabled;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled) {
    CUgraphNode found = twin(exec, node);
    if (!can_be_disabled(found) || !enabled)
        return CUDA_ERROR_INVALID_VALUE;
    *enabled = !found->disabled;
    return CUDA_SUCCESS;
}
