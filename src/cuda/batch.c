/* Values in memory that streams write and wait for, one by one or several in a batch. */
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/precedence.h"
#include "cuda/state.h"
#include "cuda/work.h"

#include <string.h>
#include <time.h>

enum { OP_WAIT_32 = 1, OP_WRITE_32, OP_FLUSH, OP_WAIT_64, OP_WRITE_64, OP_BARRIER };
enum { BATCH_MOST = 256 };

/* ---- one operation ---- */

static bool is_of_64(int operation) {
    return operation == OP_WAIT_64 || operation == OP_WRITE_64;
}

static bool is_wait(int operation) {
    return operation == OP_WAIT_32 || operation == OP_WAIT_64;
}

static bool is_there(const CUstreamBatchMemOpParams *wait) {
    enum { GEQ, EQ, AND, NOR };
    bool wide = is_of_64(wait->operation);
    uint64_t now = 0, value = wide ? wait->value.value : (uint32_t)wait->value.value;
    memcpy(&now, memory_host(core_memory(), wait->value.address), wide ? 8 : 4);
    int64_t ahead = (int64_t)(now - value);
    switch (wait->value.flags & 3) {
    case GEQ: /* cyclic */
        return wide ? ahead >= 0 : (int32_t)ahead >= 0;
    case EQ:
        return now == value;
    case AND:
        return (now & value) != 0;
    default:
        return wide ? ~(now | value) != 0 : (uint32_t) ~(now | value) != 0;
    }
}

static CUresult operation_check(const CUstreamBatchMemOpParams *operation) {
    enum { FLAGS = 3 }; /* GEQ, EQ, AND, NOR; of writes: no barrier */
    AllocationRecord found;
    if (operation->operation == OP_FLUSH || operation->operation == OP_BARRIER)
        return operation->barrier.flags > 1 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    if (operation->operation < OP_WAIT_32 || operation->operation > OP_WRITE_64)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t bytes = is_of_64(operation->operation) ? 8 : 4;
    if (operation->value.flags > FLAGS || operation->value.address % bytes ||
        !allocated_find(operation->value.address, &found))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* Whoever goes on may write what is waited for. */
static void operation_run(const CUstreamBatchMemOpParams *operation) {
    static const struct timespec pause = {.tv_nsec = 100000};
    if (operation->operation == OP_FLUSH || operation->operation == OP_BARRIER)
        return; /* all that was written is there */
    if (is_wait(operation->operation) && !is_there(operation))
        aside_goes_on(aside_current());
    while (is_wait(operation->operation) && !is_there(operation) && !asides_end())
        nanosleep(&pause, NULL);
    Sanitizer *sanitizer = core_get()->sanitizer;
    if (sanitizer && !is_wait(operation->operation))
        sanitize_written(sanitizer, operation->value.address,
                         is_of_64(operation->operation) ? 8 : 4);
    if (core_get()->precedence.on && is_wait(operation->operation))
        precedence_await_all(NULL); /* whoever wrote it */
    if (!is_wait(operation->operation))
        operations_access(memory_host(core_memory(), operation->value.address),
                          is_of_64(operation->operation) ? 8 : 4, true);
    if (!is_wait(operation->operation))
        memcpy(memory_host(core_memory(), operation->value.address), &operation->value.value,
               is_of_64(operation->operation) ? 8 : 4);
}

/* ---- batches ---- */

static bool waits(const Work *work) {
    const BatchWork *batch = &work->batch;
    for (uint32_t i = 0; i < batch->count; i++)
        if (is_wait(batch->operations[i].operation) && !is_there(&batch->operations[i]))
            return true;
    return false;
}

static CUresult run(const Work *work) {
    for (uint32_t i = 0; i < work->batch.count; i++)
        operation_run(&work->batch.operations[i]);
    return CUDA_SUCCESS;
}
const WorkKind work_batch = {NODE_BATCH_MEM_OP, run, waits};

CUresult batch_work(const CUDA_BATCH_MEM_OP_NODE_PARAMS *params, Work *work) {
    if (!params || params->flags || params->count > BATCH_MOST ||
        (params->count && !params->paramArray))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < params->count; i++) {
        CUresult wrong = operation_check(&params->paramArray[i]);
        if (wrong)
            return wrong;
    }
    *work = (Work){.kind = &work_batch, .batch = {params->count, params->paramArray}};
    return CUDA_SUCCESS;
}

CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                               CUstreamBatchMemOpParams *operations, unsigned flags) {
    const CUDA_BATCH_MEM_OP_NODE_PARAMS params = {
        .count = count, .paramArray = operations, .flags = flags};
    Work work;
    CUresult wrong = batch_work(&params, &work);
    return wrong ? wrong : work_enqueue(stream, &work);
}

static CUresult value_operation(int kind, CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags) {
    CUstreamBatchMemOpParams operation = {
        .value = {.operation = kind, .address = address, .value = value, .flags = flags}};
    return cuStreamBatchMemOp_v2(stream, 1, &operation, 0);
}

CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags) {
    return value_operation(OP_WRITE_32, stream, address, value, flags);
}

CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                 unsigned flags) {
    return value_operation(OP_WRITE_64, stream, address, value, flags);
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                unsigned flags) {
    return value_operation(OP_WAIT_32, stream, address, value, flags);
}

CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags) {
    return value_operation(OP_WAIT_64, stream, address, value, flags);
}

/* ---- nodes of graphs ---- */

CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
    if (!IS(node, TAG_NODE) || node->work.kind != &work_batch || !params)
        return CUDA_ERROR_INVALID_VALUE;
    *params = (CUDA_BATCH_MEM_OP_NODE_PARAMS){
        .ctx = core_context(),
        .count = node->work.batch.count,
        .paramArray = (CUstreamBatchMemOpParams *)node->work.batch.operations};
    return CUDA_SUCCESS;
}

CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node,
                                        const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
    Work work;
    if (!IS(node, TAG_NODE) || node->work.kind != &work_batch)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult wrong = batch_work(params, &work);
    if (!wrong)
        graph_set_work(node, &work);
    return wrong;
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS *params) {
    if (!IS(exec, TAG_EXEC) || !IS(node, TAG_NODE) || node->index >= exec->graph->nodes.count)
        return CUDA_ERROR_INVALID_VALUE;
    return cuGraphBatchMemOpNodeSetParams(exec->graph->nodes.at[node->index], params);
}
