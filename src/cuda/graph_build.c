/* Graphs that a program builds by hand, and executable graphs. */
#include "cuda/objects.h"

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

/* Each node behind those it depends on, otherwise in the order of creation. NULL: a cycle. */
static uint32_t *sort(Arena *arena, CUgraph graph) {
    uint32_t count = graph->nodes.count, done = 0;
    uint32_t *order = NEW_ARRAY(arena, uint32_t, count + 1);
    bool *placed = NEW_ARRAY(arena, bool, count + 1);
    for (bool progress = true; done < count && progress;) {
        progress = false;
        for (uint32_t i = 0; i < count; i++) {
            const struct GraphNode *node = graph->nodes.at[i];
            bool ready = !placed[i];
            for (uint32_t d = 0; ready && d < node->before.count; d++)
                ready = placed[node->before.at[d]];
            if (ready) {
                placed[i] = progress = true;
                order[done++] = i;
            }
        }
    }
    return done == count ? order : NULL;
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
    Work work = {.kind = &work_host, .host = {params->fn, params->userData}};
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
        *work = (Work){.kind = &work_host, .host = {params->host.fn, params->host.userData}};
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
    case NODE_MEM_FREE:
        *work = (Work){.kind = &work_free, .write = {.address = params->free}};
        return CUDA_SUCCESS;
    default:
        return core_unsupported("graph nodes of this type");
    }
}

/* The memory is there from now on, at one address for all launches of the graph. */
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = allocate(KIND_DEVICE, params->bytesize, 0, NULL, &params->dptr);
    Work work = {.kind = &work_allocate,
                 .write = {.address = params->dptr, .value = params->bytesize}};
    return result ? result : add(node, graph, before, count, &work);
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                               size_t count, CUdeviceptr address) {
    Work work = {.kind = &work_free, .write = {.address = address}};
    return add(node, graph, before, count, &work);
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                           const void *edges, size_t count, CUgraphNodeParams *params) {
    (void)edges;
    Work work;
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    if (params->type == NODE_MEM_ALLOC)
        return cuGraphAddMemAllocNode(node, graph, before, count, &params->alloc);
    CUresult result = graph_work(params, &work);
    if (result)
        return result;
    if (work.kind->node == NODE_GRAPH)
        work.graph = graph_copy(work.graph);
    result = add(node, graph, before, count, &work);
    if (work.kind->node == NODE_KERNEL)
        free(work.kernel.params);
    return result;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count,
                        CUgraphNodeParams *params) {
    return cuGraphAddNode_v2(node, graph, before, NULL, count, params);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const void *edges, size_t count) {
    (void)edges;
    if (!IS(graph, TAG_GRAPH) || (count && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < count; i++) {
        if (!IS(from[i], TAG_NODE) || !IS(to[i], TAG_NODE) || from[i]->graph != graph ||
            to[i]->graph != graph)
            return CUDA_ERROR_INVALID_VALUE;
        *vec_add(graph->arena, &to[i]->before) = from[i]->index;
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, NULL, count);
}

/* ---- executable graphs ---- */

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, uint64_t flags) {
    enum { INSTANTIATE_FLAGS = 15 };
    if (!exec || !IS(graph, TAG_GRAPH) || flags > INSTANTIATE_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph own = graph_copy(graph);
    uint32_t *order = sort(own->arena, own);
    if (!order) {
        graph_drop(own);
        return CUDA_ERROR_INVALID_VALUE;
    }
    CUgraphExec made = NEW(own->arena, struct GraphExec);
    *made = (struct GraphExec){.tag = TAG_EXEC, .flags = flags, .graph = own, .order = order};
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

/* The same nodes in the same places, with what they do now. */
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info) {
    enum { UPDATED = 0, TOPOLOGY_CHANGED = 2, TYPE_CHANGED = 3 };
    if (!IS(exec, TAG_EXEC) || !IS(graph, TAG_GRAPH))
        return CUDA_ERROR_INVALID_VALUE;
    int result = graph->nodes.count == exec->graph->nodes.count ? UPDATED : TOPOLOGY_CHANGED;
    CUgraphNode wrong = NULL;
    for (uint32_t i = 0; result == UPDATED && i < graph->nodes.count; i++) {
        wrong = graph->nodes.at[i];
        const struct GraphNode *mine = exec->graph->nodes.at[i];
        if (wrong->gone != mine->gone)
            result = TOPOLOGY_CHANGED;
        else if (wrong->work.kind != mine->work.kind)
            result = TYPE_CHANGED;
    }
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
        graph_set_work(to, &work);
    }
    return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream handle) {
    CUstream stream = stream_of(handle);
    if (!exec)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(exec, TAG_EXEC) || !stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (core_sticky())
        return core_sticky();
    if (!stream->capture)
        return graph_run(exec->graph, exec->order);
    Work work = {.kind = &work_graph, .graph = graph_copy(exec->graph)};
    return work_enqueue(handle, &work);
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
