/* The launch calls of before CUDA 4: block shape, shared memory and parameters are set on the function one by
 * one, and stay for the next launch. PyCUDA still launches so. */
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/state.h"

#include <string.h>

enum { PARAM_BYTES_MOST = 32764 };

/* What has been set on a function, and will be launched. */
struct OldLaunch {
    unsigned block[3], shared;
    size_t bytes; /* of params: what cuParamSetSize said */
    uint8_t params[PARAM_BYTES_MOST];
};

/* NULL: there is no such function. */
static OldLaunch *settings_of(CUfunction function) {
    if (!IS(function, TAG_KERNEL))
        return NULL;
    core_lock();
    if (!function->old) {
        function->old = NEW(core_get()->arena, OldLaunch);
        *function->old = (OldLaunch){.block = {1, 1, 1}};
    }
    core_unlock();
    return function->old;
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    OldLaunch *launch = settings_of(function);
    if (!launch)
        return CUDA_ERROR_INVALID_HANDLE;
    int most = 0;
    CUresult result = cuFuncGetAttribute(&most, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result)
        return result;
    if (x <= 0 || y <= 0 || z <= 0 || (int64_t)x * y > most || (int64_t)x * y * z > most)
        return CUDA_ERROR_INVALID_VALUE;
    launch->block[0] = (unsigned)x;
    launch->block[1] = (unsigned)y;
    launch->block[2] = (unsigned)z;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
    OldLaunch *launch = settings_of(function);
    if (!launch)
        return CUDA_ERROR_INVALID_HANDLE;
    launch->shared = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
    OldLaunch *launch = settings_of(function);
    if (!launch)
        return CUDA_ERROR_INVALID_HANDLE;
    if (bytes > PARAM_BYTES_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    launch->bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction function, int offset, void *value, unsigned bytes) {
    OldLaunch *launch = settings_of(function);
    if (!launch)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!value || offset < 0 || offset > PARAM_BYTES_MOST ||
        bytes > PARAM_BYTES_MOST - (unsigned)offset)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(launch->params + offset, value, bytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    OldLaunch *launch = settings_of(function);
    if (!launch)
        return CUDA_ERROR_INVALID_HANDLE;
    if (width <= 0 || height <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    void *extra[] = {LAUNCH_PARAM_BUFFER_POINTER, launch->params, LAUNCH_PARAM_BUFFER_SIZE,
                     &launch->bytes, LAUNCH_PARAM_END};
    return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, launch->block[0],
                          launch->block[1], launch->block[2], launch->shared, stream, NULL, extra);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return cuLaunchGridAsync(function, width, height, NULL);
}

CUresult cuLaunch(CUfunction function) {
    return cuLaunchGridAsync(function, 1, 1, NULL);
}
