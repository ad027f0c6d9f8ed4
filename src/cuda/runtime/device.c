/* Devices: choosing, asking, resetting; limits and configurations; versions; profiler marks. */
#include "cuda/core.h"
#include "cuda/runtime/calls.h"

#include <string.h>

/* ---- choosing ---- */

cudaError cudaGetDeviceCount(int *count) {
    cudaError error = (cudaError)cuInit(0);
    if (!count)
        return rt_result(cudaErrorInvalidValue);
    return rt_result(error ? error : (cudaError)cuDeviceGetCount(count));
}

cudaError rt_device(int device) {
    int count = 0;
    cudaError error = cudaGetDeviceCount(&count);
    if (error)
        return error;
    return device >= 0 && device < count ? cudaSuccess : rt_result(cudaErrorInvalidDevice);
}

cudaError cudaSetDevice(int device) {
    CUcontext context;
    int current = -1;
    cudaError error = rt_device(device);
    if (!error)
        error = rt_ready();
    if (error || (cuCtxGetDevice(&current) == CUDA_SUCCESS && current == device))
        return error;
    error = (cudaError)cuDevicePrimaryCtxRetain(&context, device);
    if (!error)
        error = (cudaError)cuCtxSetCurrent(context);
    return rt_result(error);
}

cudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    enum { FLAGS_ARE_VALID = 1 };
    cudaError error = rt_device(device);
    if (!error && (flags & FLAGS_ARE_VALID))
        error = rt_result((cudaError)cuDevicePrimaryCtxSetFlags_v2(device, device_flags));
    return error ? error : cudaSetDevice(device);
}

cudaError cudaGetDevice(int *device) {
    RT_FORWARD(cuCtxGetDevice(device));
}

cudaError cudaChooseDevice(int *device, const void *properties) {
    if (!device || !properties)
        return rt_result(cudaErrorInvalidValue);
    *device = 0; /* all are alike */
    return rt_device(0);
}

cudaError cudaSetValidDevices(int *devices, int count) {
    if (count < 0 || (count && !devices))
        return rt_result(cudaErrorInvalidValue);
    for (int i = 0; i < count; i++) {
        cudaError error = rt_device(devices[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError cudaSetDeviceFlags(unsigned flags) {
    int device = 0;
    cudaError error = cudaGetDevice(&device);
    return error ? error : rt_result((cudaError)cuDevicePrimaryCtxSetFlags_v2(device, flags));
}

cudaError cudaGetDeviceFlags(unsigned *flags) {
    RT_FORWARD(cuCtxGetFlags(flags));
}

cudaError cudaDeviceSynchronize(void) {
    RT_FORWARD(cuCtxSynchronize());
}

cudaError cudaDeviceReset(void) {
    cudaError error = rt_ready();
    if (error)
        return error;
    int device = 0;
    cuCtxGetDevice(&device);
    return rt_result((cudaError)cuDevicePrimaryCtxReset_v2(device));
}

/* The names of CUDA 3 and before, which 12 still has. */
cudaError cudaThreadSynchronize(void) {
    return cudaDeviceSynchronize();
}

cudaError cudaThreadExit(void) {
    return cudaDeviceReset();
}

/* ---- asking ---- */

cudaError cudaDeviceGetAttribute(int *value, int attribute, int device) {
    RT_FORWARD(cuDeviceGetAttribute(value, attribute, device));
}

cudaError cudaDeviceGetPCIBusId(char *id, int length, int device) {
    RT_FORWARD(cuDeviceGetPCIBusId(id, length, device));
}

cudaError cudaDeviceGetByPCIBusId(int *device, const char *id) {
    RT_FORWARD(cuDeviceGetByPCIBusId(device, id));
}

cudaError cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    RT_FORWARD(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to) {
    RT_FORWARD(cuDeviceGetP2PAttribute(value, attribute, from, to));
}

cudaError cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    RT_FORWARD(cuDeviceCanAccessPeer(can, device, peer));
}

static cudaError peer_context(int peer, CUcontext *context) {
    cudaError error = rt_device(peer);
    if (!error)
        error = rt_ready();
    return error ? error : rt_result((cudaError)cuDevicePrimaryCtxRetain(context, peer));
}

cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    CUcontext context;
    cudaError error = peer_context(peer, &context);
    return error ? error : rt_result((cudaError)cuCtxEnablePeerAccess(context, flags));
}

cudaError cudaDeviceDisablePeerAccess(int peer) {
    CUcontext context;
    cudaError error = peer_context(peer, &context);
    return error ? error : rt_result((cudaError)cuCtxDisablePeerAccess(context));
}

cudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format,
                                               int device) {
    CUarray_format of;
    unsigned channels;
    if (!format || !rt_format(format, &of, &channels))
        return rt_result(cudaErrorInvalidValue);
    RT_FORWARD(cuDeviceGetTexture1DLinearMaxWidth(width, (int)of, channels, device));
}

/* ---- limits and configurations ---- */

cudaError cudaDeviceSetLimit(int limit, size_t value) {
    RT_FORWARD(cuCtxSetLimit(limit, value));
}

cudaError cudaDeviceGetLimit(size_t *value, int limit) {
    RT_FORWARD(cuCtxGetLimit(value, limit));
}

cudaError cudaDeviceSetCacheConfig(int config) {
    RT_FORWARD(cuCtxSetCacheConfig(config));
}

cudaError cudaDeviceGetCacheConfig(int *config) {
    RT_FORWARD(cuCtxGetCacheConfig(config));
}

cudaError cudaDeviceSetSharedMemConfig(int config) {
    RT_FORWARD(cuCtxSetSharedMemConfig(config));
}

cudaError cudaDeviceGetSharedMemConfig(int *config) {
    RT_FORWARD(cuCtxGetSharedMemConfig(config));
}

cudaError cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope) {
    (void)target, (void)scope;
    return rt_ready();
}

/* ---- versions, entry points ---- */

cudaError cudaDriverGetVersion(int *version) {
    return rt_result((cudaError)cuDriverGetVersion(version));
}

cudaError cudaRuntimeGetVersion_12(int *version) {
    if (!version)
        return rt_result(cudaErrorInvalidValue);
    *version = 12090;
    return cudaSuccess;
}

cudaError cudaRuntimeGetVersion_13(int *version) {
    if (!version)
        return rt_result(cudaErrorInvalidValue);
    *version = 13000;
    return cudaSuccess;
}

cudaError cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                           unsigned long long flags, int *status) {
    int found = 1; /* CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND */
    cudaError error = (cudaError)cuGetProcAddress_v2(symbol, function, (int)version, flags, &found);
    if (status)
        *status = found;
    return rt_result(error);
}

cudaError cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                  int *status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, DRIVER_VERSION, flags, status);
}

/* Undocumented tables are what closed libraries ask for; there are none here. */
cudaError cudaGetExportTable(const void **table, const CUuuid *id) {
    return rt_result((cudaError)cuGetExportTable(table, id));
}

cudaError cudaProfilerStart(void) {
    RT_FORWARD(cuProfilerStart());
}

cudaError cudaProfilerStop(void) {
    RT_FORWARD(cuProfilerStop());
}

VERSIONED(cudaRuntimeGetVersion)

/* ---- names of before CUDA 4 ---- */

cudaError cudaThreadGetCacheConfig(int *config) {
    return cudaDeviceGetCacheConfig(config);
}

cudaError cudaThreadSetCacheConfig(int config) {
    return cudaDeviceSetCacheConfig(config);
}

cudaError cudaThreadGetLimit(size_t *value, int limit) {
    return cudaDeviceGetLimit(value, limit);
}

cudaError cudaThreadSetLimit(int limit, size_t value) {
    return cudaDeviceSetLimit(limit, value);
}

/* GPUs without binary64 are gone. */
cudaError cudaSetDoubleForDevice(double *number) {
    return number ? rt_ready() : rt_result(cudaErrorInvalidValue);
}

cudaError cudaSetDoubleForHost(double *number) {
    return cudaSetDoubleForDevice(number);
}
