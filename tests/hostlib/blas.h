/* For the programs of tests/hostlib that call cuBLAS: what they use of it, declared as NVIDIA's manual does. */
#pragma once

#include "check.h"

typedef struct Handle *cublasHandle_t;
enum { OP_N, OP_T, OP_C };
enum { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, NOT_SUPPORTED = 15 };

int cublasCreate_v2(cublasHandle_t *handle);
int cublasDestroy_v2(cublasHandle_t handle);
int cublasSetStream_v2(cublasHandle_t handle, CUstream stream);
#define GEMM(name, T)                                                                              \
    int name(cublasHandle_t handle, int transa, int transb, int m, int n, int k, const T *alpha,   \
             const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);
GEMM(cublasSgemm_v2, float)
int cublasSscal_v2(cublasHandle_t handle, int n, const float *alpha, float *x, int incx);
int cublasSdot_v2(cublasHandle_t handle, int n, const float *x, int incx, const float *y, int incy,
                  float *result);
int cublasAlloc(int n, int bytes, void **pointer);
