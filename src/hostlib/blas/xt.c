/* cublasXt: routines of level 3 on matrices that may be memory of the host. A call is done when it returns. Tiles, pinning and
 * the part of the work that is for the processor are settings that change nothing here. */
#include "hostlib/blas/parameters.h"

#include <stdlib.h>

enum { XT_TAG = 0x77620005, BLOCK = 2048 /* what the manual says */ };

/* What a cublasXtHandle_t points to. */
typedef struct XtHandle {
    uint32_t tag;
    int block, pinning;
    BlasHandle blas; /* with which it computes */
} XtHandle;

static bool is_handle(const XtHandle *handle) {
    return handle && handle->tag == XT_TAG;
}

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") BlasStatus name(__VA_ARGS__);                          \
    _Pragma("GCC visibility pop") BlasStatus name(__VA_ARGS__)

EXPORTED(cublasXtCreate, XtHandle **handle) {
    if (!handle)
        return BLAS_INVALID_VALUE;
    *handle = NULL;
    if (cuInit(0) || !provider_function(PROVIDER_BLAS, "sgemm_"))
        return BLAS_NOT_INITIALIZED;
    *handle = malloc(sizeof **handle);
    if (!*handle)
        return BLAS_ALLOC_FAILED;
    **handle = (XtHandle){.tag = XT_TAG, .block = BLOCK, .blas.tag = HANDLE_TAG};
    return BLAS_SUCCESS;
}

EXPORTED(cublasXtDestroy, XtHandle *handle) {
    if (!is_handle(handle))
        return BLAS_NOT_INITIALIZED;
    handle->tag = 0;
    free(handle);
    return BLAS_SUCCESS;
}

/* ---- settings ---- */

EXPORTED(cublasXtDeviceSelect, XtHandle *handle, int count, const int *devices) {
    int most = 0;
    if (!is_handle(handle))
        return BLAS_NOT_INITIALIZED;
    if (cuDeviceGetCount(&most) || count < 1 || count > most || !devices)
        return BLAS_INVALID_VALUE;
    for (int i = 0; i < count; i++)
        if (devices[i] < 0 || devices[i] >= most)
            return BLAS_INVALID_VALUE;
    return BLAS_SUCCESS;
}

EXPORTED(cublasXtSetBlockDim, XtHandle *handle, int block) {
    if (!is_handle(handle) || block <= 0)
        return is_handle(handle) ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    handle->block = block;
    return BLAS_SUCCESS;
}

EXPORTED(cublasXtGetBlockDim, const XtHandle *handle, int *block) {
    if (!is_handle(handle) || !block)
        return is_handle(handle) ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *block = handle->block;
    return BLAS_SUCCESS;
}

EXPORTED(cublasXtSetPinningMemMode, XtHandle *handle, int mode) {
    if (!is_handle(handle) || mode < 0 || mode > 1)
        return is_handle(handle) ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    handle->pinning = mode;
    return BLAS_SUCCESS;
}

EXPORTED(cublasXtGetPinningMemMode, const XtHandle *handle, int *mode) {
    if (!is_handle(handle) || !mode)
        return is_handle(handle) ? BLAS_INVALID_VALUE : BLAS_NOT_INITIALIZED;
    *mode = handle->pinning;
    return BLAS_SUCCESS;
}

enum { ROUTINES = 12, TYPES = 4 };

static BlasStatus check_share(const XtHandle *handle, int routine, int type, bool good) {
    if (!is_handle(handle))
        return BLAS_NOT_INITIALIZED;
    return routine < 0 || routine >= ROUTINES || type < 0 || type >= TYPES || !good
               ? BLAS_INVALID_VALUE
               : BLAS_SUCCESS;
}

/* The program's own routine for the processor's share is never called: it would compute the same. */
EXPORTED(cublasXtSetCpuRoutine, XtHandle *handle, int routine, int type, void *function) {
    return check_share(handle, routine, type, function != NULL);
}

EXPORTED(cublasXtSetCpuRatio, XtHandle *handle, int routine, int type, float ratio) {
    return check_share(handle, routine, type, ratio >= 0 && ratio <= 1);
}

/* ---- routines ---- */

#define ROUTINE_XT(type, name, suffix, SHAPE, fortran, own)                                        \
    EXPORTED(cublasXt##name, const XtHandle *handle SHAPE(WIDE)) {                                 \
        static const Routine routine = {TYPE_##type, "cublasXt" #name, fortran, own};              \
        RoutineCall call;                                                                          \
        call_begin(&call, is_handle(handle) ? &handle->blas : NULL, &routine);                     \
        call.work.anywhere = true;                                                                 \
        SHAPE(PUT)                                                                                 \
        return call_end(&call);                                                                    \
    }
#include "hostlib/blas/routines.def"
