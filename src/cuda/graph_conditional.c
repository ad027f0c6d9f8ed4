/* Conditional nodes of graphs: bodies that run if, while, or as often as a condition says. The handle of a
 * condition is an address in the device's memory, so a kernel's cudaGraphSetConditional is a store. */
#include "cuda/context.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/work.h"

#include <string.h>

enum { ASSIGN_DEFAULT = 1 };

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext context, unsigned value, unsigned flags) {
    if (!handle || !IS(graph, TAG_GRAPH) || !context_valid(context) || flags > ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    GraphCondition made = {.value = value, .assigned = flags & ASSIGN_DEFAULT};
    made.address = memory_allocate(core_memory(), sizeof value, "graph condition", sizeof value);
    if (!made.address)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *vec_add(graph->arena, &graph->conditions) = made;
    *handle = made.address;
    return CUDA_SUCCESS;
}

static bool is_condition(CUgraph graph, CUgraphConditionalHandle handle) {
    for (uint32_t i = 0; i < graph->conditions.count; i++)
        if (graph->conditions.at[i].address == handle)
            return true;
    return false;
}

static unsigned *value_of(CUdeviceptr condition) {
    return memory_host(core_memory(), condition);
}

/* ---- a node and its bodies ---- */

static bool is_sized(const CUDA_CONDITIONAL_NODE_PARAMS *params) {
    switch (params->type) {
    case CONDITIONAL_IF:
        return params->size == 1 || params->size == 2;
    case CONDITIONAL_WHILE:
        return params->size == 1;
    default:
        return params->type == CONDITIONAL_SWITCH && params->size > 0;
    }
}

CUresult conditional_work(CUgraph graph, CUDA_CONDITIONAL_NODE_PARAMS *params, Work *work) {
    if (!params->ctx)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!is_sized(params) || !is_condition(graph, params->handle))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph *bodies = NEW_ARRAY(graph->arena, CUgraph, params->size);
    for (unsigned i = 0; i < params->size; i++) {
        bodies[i] = graph_new();
        bodies[i]->owned = true;
    }
    *work = (Work){.kind = &work_conditional,
                   .conditional = {params->handle, params->type, params->size, bodies}};
    params->phGraph_out = bodies;
    return CUDA_SUCCESS;
}

/* A kernel's fault is not the status of its graph; it ends the loop, too. */
static CUresult run(const Work *work) {
    const ConditionalWork *conditional = &work->conditional;
    const unsigned *value = value_of(conditional->condition);
    CUresult result = CUDA_SUCCESS;
    switch (conditional->type) {
    case CONDITIONAL_IF:
        if (*value || conditional->count == 2)
            result = graph_run(conditional->bodies[*value ? 0 : 1]);
        break;
    case CONDITIONAL_WHILE:
        while (*value && !result && !core_sticky())
            result = graph_run(conditional->bodies[0]);
        break;
    default:
        if (*value < conditional->count)
            result = graph_run(conditional->bodies[*value]);
    }
    return result;
}

static bool waits(const Work *work) {
    for (uint32_t i = 0; i < work->conditional.count; i++)
        if (graph_may_wait(work->conditional.bodies[i]))
            return true;
    return false;
}
const WorkKind work_conditional = {NODE_CONDITIONAL, run, waits};
