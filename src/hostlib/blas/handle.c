/* Handles, their settings, and what the library says of itself. */
#include "hostlib/blas/blas.h"

#include <stdlib.h>

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 13, VERSION_MINOR = 1, VERSION_PATCH = 0 };

enum { SPECIAL_VALUES_ALL = 0xffff };

BlasStatus handle_check(const BlasHandle *handle) {
    return handle && handle->tag == HANDLE_TAG ? BLAS_SUCCESS : BLAS_NOT_INITIALIZED;
}

BlasStatus status_of(CUresult result) {
    switch (result) {
    case CUDA_SUCCESS:
        return BLAS_SUCCESS;
    case CUDA_ERROR_OUT_OF_MEMORY:
        return BLAS_ALLOC_FAILED;
    case CUDA_ERROR_INVALID_VALUE:
        return BLAS_INVALID_VALUE;
    default:
        return BLAS_EXECUTION_FAILED;
    }
}

#pragma GCC visibility push(default)

BlasStatus cublasCreate_v2(BlasHandle **handle);
BlasStatus cublasCreate_v2(BlasHandle **handle) {
    if (!handle)
        return BLAS_INVALID_VALUE;
    *handle = NULL;
    if (cuInit(0) || !provider_function(PROVIDER_BLAS, "sgemm_"))
        return BLAS_NOT_INITIALIZED;
    BlasHandle *made = malloc(sizeof *made);
    if (!made)
        return BLAS_ALLOC_FAILED;
    *made = (BlasHandle){.tag = HANDLE_TAG, .emulation.special_values = SPECIAL_VALUES_ALL};
    *handle = made;
    return BLAS_SUCCESS;
}

BlasStatus cublasDestroy_v2(BlasHandle *handle);
BlasStatus cublasDestroy_v2(BlasHandle *handle) {
    BlasStatus wrong = handle_check(handle);
    if (wrong)
        return wrong;
    handle->tag = 0;
    free(handle);
    return BLAS_SUCCESS;
}

/* ---- settings ---- */

/* cublasSet…(handle, value) and cublasGet…(handle, &value), `good` being what `value` may be. */
#define SETTING(name, suffix, type, member, good)                                                  \
    BlasStatus cublasSet##name##suffix(BlasHandle *handle, type value);                            \
    BlasStatus cublasSet##name##suffix(BlasHandle *handle, type value) {                           \
        BlasStatus wrong = handle_check(handle);                                                   \
        if (wrong || !(good))                                                                      \
            return wrong ? wrong : BLAS_INVALID_VALUE;                                             \
        handle->member = value;                                                                    \
        return BLAS_SUCCESS;                                                                       \
    }                                                                                              \
    BlasStatus cublasGet##name##suffix(const BlasHandle *handle, type *value);                     \
    BlasStatus cublasGet##name##suffix(const BlasHandle *handle, type *value) {                    \
        BlasStatus wrong = handle_check(handle);                                                   \
        if (wrong || !value)                                                                       \
            return wrong ? wrong : BLAS_INVALID_VALUE;                                             \
        *value = handle->member;                                                                   \
        return BLAS_SUCCESS;                                                                       \
    }

enum { MATH_MOST = 5 | 16 }; /* a mode, and that reduced precision is not wanted */

SETTING(Stream, _v2, CUstream, stream, true)
SETTING(PointerMode, _v2, int, scalars, value == SCALARS_HOST || value == SCALARS_DEVICE)
SETTING(MathMode, , int, math, value >= 0 && value <= MATH_MOST)
SETTING(AtomicsMode, , int, atomics, value == 0 || value == 1)
SETTING(SmCountTarget, , int, sms, value >= 0)

/* How a GPU may compute double precision by integers. Here it is computed as it is, which is as exact as any of it. */
SETTING(EmulationStrategy, , int, emulation.strategy, value >= 0 && value <= 2)
SETTING(EmulationSpecialValuesSupport, , int, emulation.special_values, value >= 0)
SETTING(FixedPointEmulationMantissaControl, , int, emulation.control, value == 0 || value == 1)
SETTING(FixedPointEmulationMaxMantissaBitCount, , int, emulation.most_bits, value >= 0)
SETTING(FixedPointEmulationMantissaBitOffset, , int, emulation.offset, true)

/* Nothing here needs a workspace. */
BlasStatus cublasSetWorkspace_v2(BlasHandle *handle, void *workspace, size_t bytes);
BlasStatus cublasSetWorkspace_v2(BlasHandle *handle, void *workspace, size_t bytes) {
    (void)workspace;
    (void)bytes;
    return handle_check(handle);
}

/* ---- what it is ---- */

BlasStatus cublasGetVersion_v2(const BlasHandle *handle, int *version);
BlasStatus cublasGetVersion_v2(const BlasHandle *handle, int *version) {
    (void)handle;
    if (!version)
        return BLAS_INVALID_VALUE;
    *version = VERSION_MAJOR * 10000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return BLAS_SUCCESS;
}

BlasStatus cublasGetProperty(int which, int *value);
BlasStatus cublasGetProperty(int which, int *value) {
    static const int version[] = {VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH};
    if (which < 0 || which > 2 || !value)
        return BLAS_INVALID_VALUE;
    *value = version[which];
    return BLAS_SUCCESS;
}

size_t cublasGetCudartVersion(void);
size_t cublasGetCudartVersion(void) {
    return DRIVER_VERSION;
}

static const struct {
    BlasStatus status;
    const char *name, *text;
} statuses[] = {
    {BLAS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "the operation completed successfully"},
    {BLAS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {BLAS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {BLAS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE",
     "an unsupported value or parameter was passed to the function"},
    {BLAS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH",
     "the function requires a feature absent from the architecture of the device"},
    {BLAS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {BLAS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED",
     "the function failed to launch on the GPU"},
    {BLAS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {BLAS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED",
     "the functionality requested is not supported"},
    {BLAS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR",
     "the functionality requested requires some license"},
};
enum { STATUSES = sizeof statuses / sizeof statuses[0] };

const char *cublasGetStatusName(BlasStatus status);
const char *cublasGetStatusName(BlasStatus status) {
    for (int i = 0; i < STATUSES; i++)
        if (statuses[i].status == status)
            return statuses[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(BlasStatus status);
const char *cublasGetStatusString(BlasStatus status) {
    for (int i = 0; i < STATUSES; i++)
        if (statuses[i].status == status)
            return statuses[i].text;
    return "an unknown status";
}

/* ---- the log: what is there to log is in the profile ---- */

BlasStatus cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *path);
BlasStatus cublasLoggerConfigure(int on, int to_stdout, int to_stderr, const char *path) {
    (void)on, (void)to_stdout, (void)to_stderr, (void)path;
    return BLAS_SUCCESS;
}

BlasStatus cublasSetLoggerCallback(void (*callback)(const char *text));
BlasStatus cublasSetLoggerCallback(void (*callback)(const char *text)) {
    (void)callback;
    return BLAS_SUCCESS;
}
