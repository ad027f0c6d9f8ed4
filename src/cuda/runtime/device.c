/* Devices: choosing, asking, resetting; limits and configurations; versions; profiler marks. */
#include "cuda/core.h"
#include "cuda/runtime/calls.h"

#include <string.h>

/* ---- choosing ---- */

cudaError cudaGetDeviceCount(int *count) {
    cudaError error = (cudaError)cuInit(0);
    if (!count)
        return rt_result(cudaErrorInvalidValue);
    *count = 0;
    return rt_result(error ? error : (cudaError)cuDeviceGetCount(count));
}

static cudaError check_device(int device) {
    int count = 0;
    cudaError error = cudaGetDeviceCount(&count);
    if (error)
        return error;
    return device >= 0 && device < count ? cudaSuccess : rt_result(cudaErrorInvalidDevice);
}

cudaError cudaSetDevice(int device) {
    cudaError error = check_device(device);
    return error ? error : rt_ready();
}

cudaError cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
    (void)device_flags, (void)flags;
    return cudaSetDevice(device);
}

cudaError cudaGetDevice(int *device) {
    RT_FORWARD(cuCtxGetDevice(device));
}

cudaError cudaChooseDevice(int *device, const void *properties) {
    if (!device || !properties)
        return rt_result(cudaErrorInvalidValue);
    *device = 0; /* there is one */
    return check_device(0);
}

cudaError cudaSetValidDevices(int *devices, int count) {
    for (int i = 0; i < count; i++) {
        cudaError error = check_device(devices[i]);
        if (error)
            return error;
    }
    return cudaSuccess;
}

cudaError cudaSetDeviceFlags(unsigned flags) {
    RT_FORWARD(cuDevicePrimaryCtxSetFlags_v2(0, flags));
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
    error = rt_result((cudaError)cuDevicePrimaryCtxReset_v2(0));
    core_context();
    return error;
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

cudaError cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    cudaError error = check_device(peer);
    if (!error)
        error = flags ? cudaErrorInvalidValue : cudaErrorPeerAccessUnsupported; /* its own peer */
    return rt_result(error);
}

cudaError cudaDeviceDisablePeerAccess(int peer) {
    cudaError error = check_device(peer);
    return error ? error : rt_result(cudaErrorPeerAccessNotEnabled);
}

cudaError cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *format, int device) {
    (void)format;
    RT_FORWARD(cuDeviceGetTexture1DLinearMaxWidth(width, 0, 1, device));
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
