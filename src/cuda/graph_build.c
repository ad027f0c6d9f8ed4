/* Graphs that a program builds by hand, and executable graphs. */
#include "cuda/allocation.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

#include <stdlib.h>
#include <string.h>

static CUresult add(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                    const Work *work) {
    if (!IS(graph, TAG_GRAPH) || !node || (count && !before))
        return CUDA_ERROR_INVALID_VALUE;
    core_lock();
    *node = graph_add(graph, before, count, work);
    core_unlock();
    return *node ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- graphs by hand ---- */

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
    if (!graph || flags)
        return CUDA_ERROR_INVALID_VALUE;
    *graph = graph_new();
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
    if (!IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    graph_drop(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph original) {
    if (!clone || !IS(original, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    *clone = graph_copy(original);
    (*clone)->owned = false;
    return CUDA_SUCCESS;
}

CUresult graph_kernel_work(const CUDA_KERNEL_NODE_PARAMS *params, bool extended, Work *work) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    Kernel *kernel = params->func ? params->func : extended ? params->kern : NULL;
    CUlaunchConfig config = {.sharedMemBytes = params->sharedMemBytes};
    memcpy(config.gridDim, params->gridDim, sizeof config.gridDim);
    memcpy(config.blockDim, params->blockDim, sizeof config.blockDim);
    work->kind = &work_kernel;
    return kernel_work(kernel, &config, false, params->kernelParams, params->extra, &work->kernel);
}

static CUresult add_kernel(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           size_t count, const CUDA_KERNEL_NODE_PARAMS *params, bool extended) {
    Work work;
    CUresult result = graph_kernel_work(params, extended, &work);
    if (result)
        return result;
    result = add(node, graph, before, count, &work);
    free(work.kernel.params);
    return result;
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS *params) {
    return add_kernel(node, graph, before, count, params, true);
}

/* The first version's structure ends before `kern`. */
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS *params) {
    return add_kernel(node, graph, before, count, params, false);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                              size_t count, const CUDA_MEMCPY3D *params, CUcontext context) {
    (void)context;
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult wrong = copy_check(params);
    Work work = {.kind = &work_copy, .copy = *params};
    return wrong ? wrong : add(node, graph, before, count, &work);
}

CUresult graph_set_node_work(const CUDA_MEMSET_NODE_PARAMS *params, Work *work) {
    if (!params ||
        (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *work = (Work){.kind = &work_set,
                   .set = {.to = params->dst,
                           .pitch = params->height > 1 ? params->pitch : 0,
                           .width = params->width,
                           .height = params->height,
                           .value = params->value,
                           .element = params->elementSize}};
    return set_check(&work->set);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS *params,
                              CUcontext context) {
    (void)context;
    Work work;
    CUresult wrong = graph_set_node_work(params, &work);
    return wrong ? wrong : add(node, graph, before, count, &work);
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                            size_t count, const CUDA_HOST_NODE_PARAMS *params) {
    if (!params || !params->fn)
        return CUDA_ERROR_INVALID_VALUE;
    Work work = {.kind = &work_host, .host = {params->fn, params->userData, 0, true}};
    return add(node, graph, before, count, &work);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                  size_t count, CUgraph child) {
    if (!IS(child, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    Work work = {.kind = &work_graph, .graph = graph_copy(child)};
    return add(node, graph, before, count, &work);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                             size_t count) {
    Work work = {.kind = &work_empty};
    return add(node, graph, before, count, &work);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                   size_t count, CUevent event) {
    Work work = {.kind = &work_record, .event = event};
    return IS(event, TAG_EVENT) ? add(node, graph, before, count, &work) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                 size_t count, CUevent event) {
    Work work = {.kind = &work_wait, .event = event};
    return IS(event, TAG_EVENT) ? add(node, graph, before, count, &work) : CUDA_ERROR_INVALID_VALUE;
}

/* What a node of these parameters does; not for allocations, which give something back. The caller
 * frees the parameters of a kernel, and copies a graph. */
CUresult graph_work(const CUgraphNodeParams *params, Work *work) {
    switch (params->type) {
    case NODE_KERNEL:
        return graph_kernel_work(&params->kernel, true, work);
    case NODE_MEMCPY:
        *work = (Work){.kind = &work_copy, .copy = params->memcpy.copyParams};
        return copy_check(&work->copy);
    case NODE_MEMSET:
        return graph_set_node_work(&params->memset, work);
    case NODE_HOST:
        *work =
            (Work){.kind = &work_host, .host = {params->host.fn, params->host.userData, 0, true}};
        return params->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case NODE_GRAPH:
        *work = (Work){.kind = &work_graph, .graph = params->graph};
        return IS(params->graph, TAG_GRAPH) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case NODE_EMPTY:
        *work = (Work){.kind = &work_empty};
        return CUDA_SUCCESS;
    case NODE_WAIT_EVENT:
    case NODE_EVENT_RECORD:
        *work = (Work){.kind = params->type == NODE_WAIT_EVENT ? &work_wait : &work_record,
                       .event = params->event};
        return IS(params->event, TAG_EVENT) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case NODE_BATCH_MEM_OP:
        return batch_work(&params->batch, work);
    case NODE_MEM_FREE:
        *work = (Work){.kind = &work_free, .memory = {.address = params->free}};
        return CUDA_SUCCESS;
    default: /* of 0 to 13, those that are left */
        return params->type < NODE_KERNEL || params->type > NODE_CONDITIONAL
                   ? CUDA_ERROR_INVALID_VALUE
                   : core_unsupported("graph nodes of this type");
    }
}

/* The memory is there from now on, at one address for all launches of the graph. */
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = allocate(KIND_DEVICE, params->bytesize, 0, NULL, &params->dptr);
    Work work = {.kind = &work_allocate,
                 .memory = {.address = params->dptr, .bytes = params->bytesize}};
    return result ? result : add(node, graph, before, count, &work);
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                               size_t count, CUdeviceptr address) {
    AllocationRecord found;
    if (!allocated_find(address, &found) || found.address != address || !found.graphs)
        return CUDA_ERROR_INVALID_VALUE; /* no graph's */
    Work work = {.kind = &work_free, .memory = {.address = address}};
    return add(node, graph, before, count, &work);
}

static CUresult add_any(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                        CUgraphNodeParams *params) {
    Work work;
    if (!params || !IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    if (params->type == NODE_MEM_ALLOC)
        return cuGraphAddMemAllocNode(node, graph, before, count, &params->alloc);
    CUresult result = params->type == NODE_CONDITIONAL
                          ? conditional_work(graph, &params->conditional, &work)
                          : graph_work(params, &work);
    if (result)
        return result;
    if (work.kind->node == NODE_GRAPH)
        work.graph = graph_copy(work.graph);
    result = add(node, graph, before, count, &work);
    if (work.kind->node == NODE_KERNEL)
        free(work.kernel.params);
    return result;
}

/* Ports and types are those of programmatic launches: a node may begin before the other has ended, which
 * changes nothing where nodes run one after the other. */
bool graph_edges_valid(const CUgraphEdgeData *edges, size_t count) {
    enum { PORT_LAUNCH_ORDER = 2, TYPE_PROGRAMMATIC = 1 };
    static const unsigned char zeroes[sizeof edges->reserved];
    for (size_t i = 0; edges && i < count; i++)
        if (edges[i].from_port > PORT_LAUNCH_ORDER || edges[i].to_port ||
            edges[i].type > TYPE_PROGRAMMATIC ||
            memcmp(edges[i].reserved, zeroes, sizeof zeroes) != 0)
            return false;
    return true;
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           const CUgraphEdgeData *edges, size_t count, CUgraphNodeParams *params) {
    if (!graph_edges_valid(edges, count))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = add_any(node, graph, before, count, params);
    for (size_t i = 0; !result && edges && i < count; i++)
        (*node)->before.at[i].data = edges[i];
    return result;
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                  size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNodeParams any = {.type = NODE_BATCH_MEM_OP, .batch = *params};
    return cuGraphAddNode_v2(node, graph, before, NULL, count, &any);
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                        CUgraphNodeParams *params) {
    return cuGraphAddNode_v2(node, graph, before, NULL, count, params);
}

static bool has_edge(const struct GraphNode *from, const struct GraphNode *to) {
    for (uint32_t i = 0; i < to->before.count; i++)
        if (to->before.at[i].from == from->index)
            return true;
    return false;
}

/* There is one edge between two nodes at most. */
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *edges, size_t count) {
    if (!IS(graph, TAG_GRAPH) || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if ((edges && !graph_edges_valid(&edges[i], 1)) || !IS(from[i], TAG_NODE) ||
            !IS(to[i], TAG_NODE) || from[i]->graph != graph || to[i]->graph != graph ||
            from[i] == to[i] || has_edge(from[i], to[i]))
            return CUDA_ERROR_INVALID_VALUE;
        *vec_add(graph->arena, &to[i]->before) =
            (GraphEdge){from[i]->index, edges ? edges[i] : (CUgraphEdgeData){0}};
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, NULL, count);
}

/* ---- executable graphs ---- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, uint64_t flags) {
    enum { INSTANTIATE_UPLOAD = 2, INSTANTIATE_FLAGS = 15 };
    if (!exec || !IS(graph, TAG_GRAPH) || flags > INSTANTIATE_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph own = graph_copy(graph);
    if (!graph_sort(own)) {
        graph_drop(own);
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUgraphExec made = NEW(own->arena, struct GraphExec);
    *made = (struct GraphExec){
        .tag = TAG_EXEC, .flags = flags & ~(uint64_t)INSTANTIATE_UPLOAD, .graph = own};
    *exec = made;
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuGraphInstantiateWithFlags(exec, graph, params->flags);
    params->hErrNode_out = NULL;
    params->result_out = result ? 1 : 0;
    return result;
}

int graph_compare(const struct Graph *old, const struct Graph *graph, CUgraphNode *wrong) {
    enum { UPDATED = 0, TOPOLOGY_CHANGED = 2, TYPE_CHANGED = 3 };
    *wrong = NULL;
    if (graph->nodes.count != old->nodes.count)
        return TOPOLOGY_CHANGED;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct GraphNode *mine = old->nodes.at[i];
        *wrong = graph->nodes.at[i];
        if ((*wrong)->gone != mine->gone)
            return TOPOLOGY_CHANGED;
        if ((*wrong)->work.kind != mine->work.kind)
            return TYPE_CHANGED;
    }
    return UPDATED;
}

/* The same nodes in the same places, with what they do now. */
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
    if (!IS(exec, TAG_EXEC) || !IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNode wrong;
    int result = graph_compare(exec->graph, graph, &wrong);
    if (info)
        *info = (CUgraphExecUpdateResultInfo){.result = result, .errorNode = result ? wrong : NULL};
    if (result)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        CUgraphNode to = exec->graph->nodes.at[i];
        Work work = graph->nodes.at[i]->work;
        if (work.kind->node == NODE_GRAPH) {
            graph_drop(to->work.graph);
            work.graph = graph_copy(work.graph);
        }
        if (work.kind->node == NODE_CONDITIONAL) {
            conditional_drop(&to->work.conditional);
            conditional_copy(exec->graph, &work.conditional);
        }
        graph_set_work(to, &work);
    }
    return graph_sort(exec->graph) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The forms of before CUDA 12. */
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *node, int *result) {
    CUgraphExecUpdateResultInfo info = {0};
    CUresult error = cuGraphExecUpdate_v2(exec, graph, &info);
    if (node)
        *node = info.errorNode;
    if (result)
        *result = info.result;
    return error;
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *node, char *log,
                               size_t bytes) {
    if (node)
        *node = NULL;
    if (log && bytes)
        *log = 0;
    return cuGraphInstantiateWithFlags(exec, graph, 0);
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle) {
    CUstream stream = stream_of(handle);
    if (!IS(exec, TAG_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (core_sticky())
        return core_sticky();
    Work work = {.kind = &work_graph,
                 .graph = stream->capture ? graph_copy(exec->graph) : exec->graph};
    return work_enqueue(handle, &work);
}

/* There is nowhere that it must go before its first launch. */
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
    if (!IS(exec, TAG_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    return stream_of(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags) {
    if (!IS(exec, TAG_EXEC) || !flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = exec->flags;
    return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
    if (!IS(exec, TAG_EXEC))
        return CUDA_ERROR_INVALID_VALUE;
    exec->tag = TAG_NONE;
    graph_drop(exec->graph);
    return CUDA_SUCCESS;
}
