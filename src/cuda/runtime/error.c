/* Errors: the last one of each thread, their names and texts, calls that are not implemented. */
#include "cuda/core.h"
#include "cuda/runtime/calls.h"

#include <stdlib.h>

/* The API defines a last error per thread; there is no handle that it could hang on. */
static _Thread_local cudaError last_error;
static _Thread_local bool is_ready;

typedef struct ErrorText {
    cudaError number;
    const char *name, *text;
} ErrorText;

static const ErrorText texts[] = {
#define ERROR(name, number, text) {number, #name, text},
#include "cuda/runtime/errors.def"
#undef ERROR
};

cudaError rt_result(cudaError error) {
    if (error)
        last_error = error;
    return error;
}

cudaError rt_missing(const char *name) {
    core_unsupported(name);
    return rt_result(cudaErrorNotSupported);
}

/* A primary context that the runtime works in is active (cuDevicePrimaryCtxGetState), as if it had been retained once. */
static void hold_primary(CUcontext current) {
    CUdevice device;
    unsigned flags;
    int active = 1;
    CUcontext primary = NULL;
    if (cuCtxGetDevice(&device) || cuDevicePrimaryCtxGetState(device, &flags, &active) || active)
        return;
    if (cuDevicePrimaryCtxRetain(&primary, device) == CUDA_SUCCESS && primary != current)
        cuDevicePrimaryCtxRelease_v2(device);
}

cudaError rt_ready(void) {
    if (is_ready)
        return cudaSuccess;
    cudaError error = (cudaError)cuInit(0);
    if (error)
        return rt_result(error);
    hold_primary(core_context());
    is_ready = true;
    return cudaSuccess;
}

/* An error that a kernel left behind stays, whatever is asked. */
cudaError cudaPeekAtLastError(void) {
    cudaError sticky = (cudaError)core_sticky();
    return sticky ? sticky : last_error;
}

cudaError cudaGetLastError(void) {
    cudaError error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

static int by_number(const void *key, const void *item) {
    cudaError number = *(const cudaError *)key, other = ((const ErrorText *)item)->number;
    return number < other ? -1 : number > other;
}

static const ErrorText *find(cudaError error) {
    return bsearch(&error, texts, sizeof texts / sizeof *texts, sizeof *texts, by_number);
}

const char *cudaGetErrorName(cudaError error) {
    const ErrorText *found = find(error);
    return found ? found->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError error) {
    const ErrorText *found = find(error);
    return found ? found->text : "unrecognized error code";
}
