/* Streams, events, capture. The driver's semantics, one to one. */
#include "cuda/runtime/calls.h"

cudaError cudaStreamCreate(CUstream *stream) {
    RT_FORWARD(cuStreamCreate(stream, 0));
}

cudaError cudaStreamCreateWithFlags(CUstream *stream, unsigned flags) {
    RT_FORWARD(cuStreamCreate(stream, flags));
}

cudaError cudaStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
    RT_FORWARD(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError cudaStreamDestroy(CUstream stream) {
    RT_FORWARD(cuStreamDestroy_v2(stream));
}

cudaError cudaStreamSynchronize(CUstream stream) {
    RT_FORWARD(cuStreamSynchronize(stream));
}

cudaError cudaStreamQuery(CUstream stream) {
    RT_FORWARD(cuStreamQuery(stream));
}

cudaError cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    RT_FORWARD(cuStreamWaitEvent(stream, event, flags));
}

cudaError cudaStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                                unsigned flags) {
    RT_FORWARD(cuStreamAddCallback(stream, callback, data, flags));
}

cudaError cudaStreamGetFlags(CUstream stream, unsigned *flags) {
    RT_FORWARD(cuStreamGetFlags(stream, flags));
}

cudaError cudaStreamGetPriority(CUstream stream, int *priority) {
    RT_FORWARD(cuStreamGetPriority(stream, priority));
}

cudaError cudaStreamGetId(CUstream stream, unsigned long long *id) {
    RT_FORWARD(cuStreamGetId(stream, id));
}

cudaError cudaStreamGetDevice(CUstream stream, int *device) {
    RT_FORWARD(cuStreamGetDevice(stream, device));
}

cudaError cudaCtxResetPersistingL2Cache(void) {
    return rt_ready();
}

/* ---- events ---- */

cudaError cudaEventCreate(CUevent *event) {
    RT_FORWARD(cuEventCreate(event, 0));
}

cudaError cudaEventCreateWithFlags(CUevent *event, unsigned flags) {
    RT_FORWARD(cuEventCreate(event, flags));
}

cudaError cudaEventDestroy(CUevent event) {
    RT_FORWARD(cuEventDestroy_v2(event));
}

cudaError cudaEventRecord(CUevent event, CUstream stream) {
    RT_FORWARD(cuEventRecord(event, stream));
}

cudaError cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    RT_FORWARD(cuEventRecordWithFlags(event, stream, flags));
}

cudaError cudaEventQuery(CUevent event) {
    RT_FORWARD(cuEventQuery(event));
}

cudaError cudaEventSynchronize(CUevent event) {
    RT_FORWARD(cuEventSynchronize(event));
}

cudaError cudaEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    if (!milliseconds)
        return rt_result(cudaErrorInvalidValue);
    RT_FORWARD(cuEventElapsedTime_v2(milliseconds, start, end));
}

/* The name of CUDA 12.8 and later. */
cudaError cudaEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
    return cudaEventElapsedTime(milliseconds, start, end);
}

/* ---- capture ---- */

cudaError cudaStreamBeginCapture(CUstream stream, int mode) {
    RT_FORWARD(cuStreamBeginCapture_v2(stream, mode));
}

cudaError cudaStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                        const CUgraphNode *dependencies,
                                        const CUgraphEdgeData *edges, size_t count, int mode) {
    RT_FORWARD(cuStreamBeginCaptureToGraph(stream, graph, dependencies, edges, count, mode));
}

cudaError cudaStreamEndCapture(CUstream stream, CUgraph *graph) {
    RT_FORWARD(cuStreamEndCapture(stream, graph));
}

cudaError cudaStreamIsCapturing(CUstream stream, int *status) {
    RT_FORWARD(cuStreamIsCapturing(stream, status));
}

cudaError cudaStreamGetCaptureInfo_12(CUstream stream, int *status, unsigned long long *id) {
    RT_FORWARD(cuStreamGetCaptureInfo_v2(stream, status, (uint64_t *)id, NULL, NULL, NULL));
}

cudaError cudaStreamGetCaptureInfo_v2(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      size_t *count) {
    RT_FORWARD(
        cuStreamGetCaptureInfo_v2(stream, status, (uint64_t *)id, graph, dependencies, count));
}

cudaError cudaStreamGetCaptureInfo_13(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      const CUgraphEdgeData **edges, size_t *count) {
    RT_FORWARD(cuStreamGetCaptureInfo_v3(stream, status, (uint64_t *)id, graph, dependencies, edges,
                                         count));
}

cudaError cudaStreamGetCaptureInfo_v3(CUstream stream, int *status, unsigned long long *id,
                                      CUgraph *graph, const CUgraphNode **dependencies,
                                      const CUgraphEdgeData **edges, size_t *count) {
    return cudaStreamGetCaptureInfo_13(stream, status, id, graph, dependencies, edges, count);
}

cudaError cudaThreadExchangeStreamCaptureMode(int *mode) {
    RT_FORWARD(cuThreadExchangeStreamCaptureMode(mode));
}

VERSIONED(cudaStreamGetCaptureInfo)
