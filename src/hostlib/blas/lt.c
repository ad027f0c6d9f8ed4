/* The descriptors of cublasLt, and their attributes. */
#include "hostlib/blas/lt.h"

#include <stdlib.h>
#include <string.h>

/* ---- attributes: where each is ---- */

typedef struct Attribute {
    int id;
    size_t offset, bytes;
} Attribute;
#define AT(id, Type, member)                                                                       \
    { id, offsetof(Type, member), sizeof(((Type *)0)->member) }

static const Attribute layout_attributes[] = {AT(0, LtLayout, type),       AT(1, LtLayout, order),
                                              AT(2, LtLayout, rows),       AT(3, LtLayout, columns),
                                              AT(4, LtLayout, lead),       AT(5, LtLayout, batch),
                                              AT(6, LtLayout, stride),     AT(7, LtLayout, plane),
                                              AT(8, LtLayout, batch_mode), {-1, 0, 0}};

static const Attribute matmul_attributes[] = {AT(0, LtMatmul, compute),
                                              AT(1, LtMatmul, scale_type),
                                              AT(2, LtMatmul, pointer_mode),
                                              AT(3, LtMatmul, transa),
                                              AT(4, LtMatmul, transb),
                                              AT(5, LtMatmul, transc),
                                              AT(6, LtMatmul, fill),
                                              AT(7, LtMatmul, epilogue),
                                              AT(8, LtMatmul, bias),
                                              AT(10, LtMatmul, bias_stride),
                                              AT(11, LtMatmul, aux),
                                              AT(12, LtMatmul, aux_lead),
                                              AT(13, LtMatmul, aux_stride),
                                              AT(14, LtMatmul, alpha_stride),
                                              AT(15, LtMatmul, sm_target),
                                              AT(17, LtMatmul, scales[0]),
                                              AT(18, LtMatmul, scales[1]),
                                              AT(19, LtMatmul, scales[2]),
                                              AT(20, LtMatmul, scales[3]),
                                              AT(21, LtMatmul, amax),
                                              AT(22, LtMatmul, aux_type),
                                              AT(23, LtMatmul, aux_scale),
                                              AT(24, LtMatmul, aux_amax),
                                              AT(25, LtMatmul, fast_accum),
                                              AT(26, LtMatmul, bias_type),
                                              AT(31, LtMatmul, scale_modes[0]),
                                              AT(32, LtMatmul, scale_modes[1]),
                                              AT(33, LtMatmul, scale_modes[2]),
                                              AT(34, LtMatmul, scale_modes[3]),
                                              AT(35, LtMatmul, scale_modes[4]),
                                              AT(36, LtMatmul, out_scale),
                                              AT(37, LtMatmul, scale_modes[5]),
                                              AT(38, LtMatmul, emulation),
                                              {-1, 0, 0}};

static const Attribute preference_attributes[] = {
    AT(0, LtPreference, search),           AT(1, LtPreference, workspace),
    AT(3, LtPreference, reductions),       AT(5, LtPreference, alignments[0]),
    AT(6, LtPreference, alignments[1]),    AT(7, LtPreference, alignments[2]),
    AT(8, LtPreference, alignments[3]),    AT(9, LtPreference, waves),
    AT(12, LtPreference, implementations), {-1, 0, 0}};

static const Attribute *find(const Attribute *attributes, int id) {
    while (attributes->id >= 0 && attributes->id != id)
        attributes++;
    return attributes->id >= 0 ? attributes : NULL;
}

static BlasStatus set(void *of, const Attribute *attributes, int id, const void *from,
                      size_t bytes) {
    const Attribute *attribute = find(attributes, id);
    if (!of || !from || !attribute || bytes != attribute->bytes)
        return BLAS_INVALID_VALUE;
    memcpy((char *)of + attribute->offset, from, bytes);
    return BLAS_SUCCESS;
}

/* With no bytes to write into, how many are needed. */
static BlasStatus get(const void *of, const Attribute *attributes, int id, void *to, size_t bytes,
                      size_t *written) {
    const Attribute *attribute = find(attributes, id);
    if (!of || !attribute || (bytes ? !to || bytes < attribute->bytes : !written))
        return BLAS_INVALID_VALUE;
    if (bytes)
        memcpy(to, (const char *)of + attribute->offset, attribute->bytes);
    if (written)
        *written = attribute->bytes;
    return BLAS_SUCCESS;
}

/* ---- the descriptors ---- */

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#define DESCRIPTOR(name, Type, attributes)                                                         \
    DECLARED(cublasLt##name##Destroy, Type *of) {                                                  \
        free(of);                                                                                  \
        return BLAS_SUCCESS;                                                                       \
    }                                                                                              \
    DECLARED(cublasLt##name##SetAttribute, Type *of, int id, const void *from, size_t bytes) {     \
        return set(of, attributes, id, from, bytes);                                               \
    }                                                                                              \
    DECLARED(cublasLt##name##GetAttribute, const Type *of, int id, void *to, size_t bytes,         \
             size_t *written) {                                                                    \
        return get(of, attributes, id, to, bytes, written);                                        \
    }

#pragma GCC visibility push(default)

DESCRIPTOR(MatrixLayout, LtLayout, layout_attributes)
DESCRIPTOR(MatmulDesc, LtMatmul, matmul_attributes)
DESCRIPTOR(MatmulPreference, LtPreference, preference_attributes)

DECLARED(cublasLtMatrixLayoutInit_internal, LtLayout *layout, size_t bytes, int type, uint64_t rows,
         uint64_t columns, int64_t lead) {
    if (!layout || bytes < sizeof *layout)
        return BLAS_INVALID_VALUE;
    *layout = (LtLayout){.type = type, .batch = 1, .rows = rows, .columns = columns, .lead = lead};
    return BLAS_SUCCESS;
}

DECLARED(cublasLtMatrixLayoutCreate, LtLayout **layout, int type, uint64_t rows, uint64_t columns,
         int64_t lead) {
    if (!layout)
        return BLAS_INVALID_VALUE;
    *layout = malloc(sizeof **layout);
    return *layout ? cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type, rows,
                                                       columns, lead)
                   : BLAS_ALLOC_FAILED;
}

DECLARED(cublasLtMatmulDescInit_internal, LtMatmul *matmul, size_t bytes, int compute,
         int scale_type) {
    enum { FILL_FULL = 2, EPILOGUE_DEFAULT = 1 };
    if (!matmul || bytes < sizeof *matmul)
        return BLAS_INVALID_VALUE;
    *matmul = (LtMatmul){.compute = compute,
                         .scale_type = scale_type,
                         .fill = FILL_FULL,
                         .epilogue = EPILOGUE_DEFAULT,
                         .aux_type = -1,
                         .bias_type = -1};
    return BLAS_SUCCESS;
}

DECLARED(cublasLtMatmulDescCreate, LtMatmul **matmul, int compute, int scale_type) {
    if (!matmul)
        return BLAS_INVALID_VALUE;
    *matmul = malloc(sizeof **matmul);
    return *matmul ? cublasLtMatmulDescInit_internal(*matmul, sizeof **matmul, compute, scale_type)
                   : BLAS_ALLOC_FAILED;
}

DECLARED(cublasLtMatmulPreferenceInit_internal, LtPreference *preference, size_t bytes) {
    if (!preference || bytes < sizeof *preference)
        return BLAS_INVALID_VALUE;
    *preference = (LtPreference){.reductions = UINT32_MAX, .implementations = UINT64_MAX};
    return BLAS_SUCCESS;
}

DECLARED(cublasLtMatmulPreferenceCreate, LtPreference **preference) {
    if (!preference)
        return BLAS_INVALID_VALUE;
    *preference = malloc(sizeof **preference);
    return *preference ? cublasLtMatmulPreferenceInit_internal(*preference, sizeof **preference)
                       : BLAS_ALLOC_FAILED;
}
