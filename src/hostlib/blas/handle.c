/* Handles and their settings. */
#include "hostlib/blas/blas.h"

#include <stdlib.h>

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 13, VERSION_MINOR = 1, VERSION_PATCH = 0 };

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
    *made = (BlasHandle){.tag = HANDLE_TAG};
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

BlasStatus cublasSetStream_v2(BlasHandle *handle, CUstream stream);
BlasStatus cublasSetStream_v2(BlasHandle *handle, CUstream stream) {
    BlasStatus wrong = handle_check(handle);
    if (!wrong)
        handle->stream = stream;
    return wrong;
}
