/* Products of a complex matrix with itself whose types are given: those of single precision are the calls without `Ex`, and the forms
 * by three products are the same, since each sum is made in its own precision here. Of 8-bit integers there are none. */
#include "hostlib/blas/blas.h"
#include "hostlib/blas/element.h"

#pragma GCC visibility push(default)

#define PRODUCT(name, plain, suffix, I)                                                            \
    BlasStatus plain##suffix(BlasHandle *handle, int fill, int op, I n, I k, const void *alpha,    \
                             const void *a, I lead_a, const void *beta, void *c, I lead_c);        \
    BlasStatus name##suffix(BlasHandle *handle, int fill, int op, I n, I k, const void *alpha,     \
                            const void *a, int type_a, I lead_a, const void *beta, void *c,        \
                            int type_c, I lead_c);                                                 \
    BlasStatus name##suffix(BlasHandle *handle, int fill, int op, I n, I k, const void *alpha,     \
                            const void *a, int type_a, I lead_a, const void *beta, void *c,        \
                            int type_c, I lead_c) {                                                \
        if (type_a != C_32F || type_c != C_32F)                                                    \
            return handle_check(handle) ? BLAS_NOT_INITIALIZED : BLAS_NOT_SUPPORTED;               \
        return plain##suffix(handle, fill, op, n, k, alpha, a, lead_a, beta, c, lead_c);           \
    }
#define PRODUCTS(name, plain)                                                                      \
    PRODUCT(name, plain, , int)                                                                    \
    PRODUCT(name, plain, _64, int64_t)
PRODUCTS(cublasCsyrkEx, cublasCsyrk_v2)
PRODUCTS(cublasCsyrk3mEx, cublasCsyrk_v2)
PRODUCTS(cublasCherkEx, cublasCherk_v2)
PRODUCTS(cublasCherk3mEx, cublasCherk_v2)
