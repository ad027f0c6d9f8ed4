/* What processes share, pools of a location, memory of graphs, logs: the driver's semantics, one to one. */
#include "cuda/runtime/calls.h"

static CUdeviceptr device_address(const void *pointer) {
    return (CUdeviceptr)(uintptr_t)pointer;
}

/* ---- handles ---- */

cudaError cudaIpcGetMemHandle(CUipcMemHandle *handle, void *address) {
    RT_FORWARD(cuIpcGetMemHandle(handle, device_address(address)));
}

cudaError cudaIpcOpenMemHandle(void **address, CUipcMemHandle handle, unsigned flags) {
    RT_FORWARD(cuIpcOpenMemHandle_v2((CUdeviceptr *)address, handle, flags));
}

cudaError cudaIpcCloseMemHandle(void *address) {
    RT_FORWARD(cuIpcCloseMemHandle(device_address(address)));
}

cudaError cudaIpcGetEventHandle(CUipcEventHandle *handle, CUevent event) {
    CUipcEventHandle
        none; /* whether the event may be handed out is seen first (measured on an H200) */
    cudaError error = rt_ready();
    error = error || handle ? error : rt_result((cudaError)cuIpcGetEventHandle(&none, event));
    if (error)
        return error;
    RT_FORWARD(cuIpcGetEventHandle(handle, event));
}

cudaError cudaIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle) {
    RT_FORWARD(cuIpcOpenEventHandle(event, handle));
}

/* ---- pools ---- */

cudaError cudaMemPoolExportToShareableHandle(void *shared, CUmemoryPool pool, int type,
                                             unsigned flags) {
    RT_FORWARD(cuMemPoolExportToShareableHandle(shared, pool, type, flags));
}

cudaError cudaMemPoolImportFromShareableHandle(CUmemoryPool *pool, void *shared, int type,
                                               unsigned flags) {
    RT_FORWARD(cuMemPoolImportFromShareableHandle(pool, shared, type, flags));
}

cudaError cudaMemPoolExportPointer(CUmemPoolPtrExportData *data, void *address) {
    RT_FORWARD(cuMemPoolExportPointer(data, device_address(address)));
}

cudaError cudaMemPoolImportPointer(void **address, CUmemoryPool pool,
                                   CUmemPoolPtrExportData *data) {
    RT_FORWARD(cuMemPoolImportPointer((CUdeviceptr *)address, pool, data));
}

cudaError cudaMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location, int type) {
    RT_FORWARD(cuMemGetDefaultMemPool(pool, location, type));
}

cudaError cudaMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location, int type) {
    RT_FORWARD(cuMemGetMemPool(pool, location, type));
}

cudaError cudaMemSetMemPool(CUmemLocation *location, int type, CUmemoryPool pool) {
    RT_FORWARD(cuMemSetMemPool(location, type, pool));
}

/* ---- memory of graphs ---- */

cudaError cudaDeviceGetGraphMemAttribute(int device, int attribute, void *value) {
    RT_FORWARD(cuDeviceGetGraphMemAttribute(device, attribute, value));
}

cudaError cudaDeviceSetGraphMemAttribute(int device, int attribute, void *value) {
    RT_FORWARD(cuDeviceSetGraphMemAttribute(device, attribute, value));
}

cudaError cudaDeviceGraphMemTrim(int device) {
    RT_FORWARD(cuDeviceGraphMemTrim(device));
}

/* ---- logs, notifications ---- */

cudaError cudaLogsRegisterCallback(CUlogsCallback callback, void *data,
                                   CUlogsCallbackHandle *handle) {
    RT_FORWARD(cuLogsRegisterCallback(callback, data, handle));
}

cudaError cudaLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    RT_FORWARD(cuLogsUnregisterCallback(handle));
}

cudaError cudaLogsCurrent(unsigned *iterator, unsigned flags) {
    RT_FORWARD(cuLogsCurrent(iterator, flags));
}

cudaError cudaLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags) {
    RT_FORWARD(cuLogsDumpToFile(iterator, path, flags));
}

cudaError cudaLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags) {
    RT_FORWARD(cuLogsDumpToMemory(iterator, buffer, size, flags));
}

cudaError cudaDeviceRegisterAsyncNotification(int device, void *callback, void *data,
                                              CUasyncCallbackHandle *handle) {
    RT_FORWARD(cuDeviceRegisterAsyncNotification(device, callback, data, handle));
}

cudaError cudaDeviceUnregisterAsyncNotification(int device, CUasyncCallbackHandle handle) {
    RT_FORWARD(cuDeviceUnregisterAsyncNotification(device, handle));
}
