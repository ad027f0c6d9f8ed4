/* Devices and each other: whose memory the kernels of a context may access. Copies go from any device to any
 * other without that. */
#include "cuda/device.h"
#include "cuda/handle.h"

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    if (!can)
        return CUDA_ERROR_INVALID_VALUE;
    *can = device != peer;
    return device_of(device) && device_of(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

/* What two H200s in one machine say of each other. */
CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to) {
    enum { PERFORMANCE_RANK = 1, ACCESS, NATIVE_ATOMICS, ARRAYS, SOME_NATIVE_ATOMICS };
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (from == to || !device_of(from) || !device_of(to))
        return CUDA_ERROR_INVALID_DEVICE;
    if (attribute < PERFORMANCE_RANK || attribute > SOME_NATIVE_ATOMICS)
        return CUDA_ERROR_INVALID_VALUE;
    *value = attribute == ACCESS || attribute == NATIVE_ATOMICS || attribute == ARRAYS;
    return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    CUcontext context = core_context();
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(peer, TAG_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (peer->device == context->device)
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    if (context->peers & device_bit(peer->device))
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    context->peers |= device_bit(peer->device);
    return CUDA_SUCCESS;
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    CUcontext context = core_context();
    if (!IS(peer, TAG_CONTEXT))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!(context->peers & device_bit(peer->device)))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    context->peers &= ~device_bit(peer->device);
    return CUDA_SUCCESS;
}
