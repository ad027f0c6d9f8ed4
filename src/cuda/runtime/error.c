/* Errors: the last one of each thread, their names and texts, calls that are not implemented. */
#include "cuda/core.h"
#include "cuda/runtime/calls.h"

#include <stdlib.h>

/* The API defines a last error per thread; there is no handle that it could hang on. */
static _Thread_local cudaError last_error;
static _Thread_local bool is_ready;
static _Thread_local NotedDefect *unseen; /* last_error, which nobody has looked at */

typedef struct ErrorText {
    cudaError number;
    const char *name, *text;
} ErrorText;

static const ErrorText texts[] = {
#define ERROR(name, number, text) {number, #name, text},
#include "cuda/runtime/errors.def"
#undef ERROR
};

static int by_number(const void *key, const void *item) {
    cudaError number = *(const cudaError *)key, other = ((const ErrorText *)item)->number;
    return number < other ? -1 : number > other;
}

static const ErrorText *find(cudaError error) {
    return bsearch(&error, texts, sizeof texts / sizeof *texts, sizeof *texts, by_number);
}

static const char *name_of(cudaError error) {
    const ErrorText *found = find(error);
    return found ? found->name : "unrecognized error code";
}

static const char *text_of(cudaError error) {
    const ErrorText *found = find(error);
    return found ? found->text : "unrecognized error code";
}

/* --sanitize api: an error that is left as the thread's last one was not looked at. */
static void note_error(cudaError error) {
    if (error == cudaErrorNotReady || !defects_wanted(DEFECT_api_error))
        return;
    Arena *arena = arena_new();
    unseen = defect_note(DEFECT_api_error, arena_printf(arena, "%s (%s), which nobody looked at",
                                                        name_of(error), text_of(error)));
    arena_free(arena);
}

static void look(void) {
    if (unseen)
        defect_take_back(unseen);
    unseen = NULL;
}

cudaError rt_result(cudaError error) {
    if (error) {
        last_error = error;
        note_error(error);
    }
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
    look();
    cudaError sticky = (cudaError)core_sticky();
    return sticky ? sticky : last_error;
}

cudaError cudaGetLastError(void) {
    cudaError error = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError error) {
    look();
    return name_of(error);
}

const char *cudaGetErrorString(cudaError error) {
    look();
    return text_of(error);
}
