/* cublasLtMatmul: a product with layouts and an epilogue, and its one algorithm. */
#include "hostlib/blas/gemm.h"
#include "hostlib/blas/lt.h"

/* cublasLtEpilogue_t: bits, and which of them go together. */
enum {
    EPILOGUE_DEFAULT = 1,
    EPILOGUE_RELU = 2,
    EPILOGUE_BIAS = 4,
    EPILOGUE_DRELU = 8,
    EPILOGUE_BGRAD = 16,
    EPILOGUE_GELU = 32,
    EPILOGUE_DGELU = 64,
    EPILOGUE_AUX = 128,
    EPILOGUE_BGRADA = 256,
    EPILOGUE_BGRADB = 512
};

typedef struct EpilogueForm {
    uint32_t bits;
    Activation activation;
    Gradient gradient;
} EpilogueForm;

static const EpilogueForm forms[] = {
    {EPILOGUE_BIAS, ACTIVATION_NONE, GRADIENT_NONE},
    {EPILOGUE_RELU, ACTIVATION_RELU, GRADIENT_NONE},
    {EPILOGUE_RELU | EPILOGUE_AUX, ACTIVATION_RELU, GRADIENT_NONE},
    {EPILOGUE_RELU | EPILOGUE_BIAS, ACTIVATION_RELU, GRADIENT_NONE},
    {EPILOGUE_RELU | EPILOGUE_AUX | EPILOGUE_BIAS, ACTIVATION_RELU, GRADIENT_NONE},
    {EPILOGUE_DRELU | EPILOGUE_AUX, ACTIVATION_DRELU, GRADIENT_NONE},
    {EPILOGUE_DRELU | EPILOGUE_AUX | EPILOGUE_BGRAD, ACTIVATION_DRELU, GRADIENT_OF_D},
    {EPILOGUE_GELU, ACTIVATION_GELU, GRADIENT_NONE},
    {EPILOGUE_GELU | EPILOGUE_AUX, ACTIVATION_GELU, GRADIENT_NONE},
    {EPILOGUE_GELU | EPILOGUE_BIAS, ACTIVATION_GELU, GRADIENT_NONE},
    {EPILOGUE_GELU | EPILOGUE_AUX | EPILOGUE_BIAS, ACTIVATION_GELU, GRADIENT_NONE},
    {EPILOGUE_DGELU | EPILOGUE_AUX, ACTIVATION_DGELU, GRADIENT_NONE},
    {EPILOGUE_DGELU | EPILOGUE_AUX | EPILOGUE_BGRAD, ACTIVATION_DGELU, GRADIENT_OF_D},
    {EPILOGUE_BGRADA, ACTIVATION_NONE, GRADIENT_OF_A},
    {EPILOGUE_BGRADB, ACTIVATION_NONE, GRADIENT_OF_B}};

static const EpilogueForm *form_of(uint32_t bits) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].bits == bits)
            return &forms[i];
    return NULL;
}

static GemmMatrix operand(const char *name, const LtLayout *layout, const void *at) {
    return (GemmMatrix){.name = name,
                        .at = at,
                        .by_rows = layout->order == LT_BY_ROWS,
                        .type = layout->type,
                        .lead = layout->lead,
                        .stride = layout->stride};
}

static bool is_known(const LtLayout *layout) {
    return layout->order <= LT_BY_ROWS && layout->batch_mode == 0 && element_bytes(layout->type);
}

static bool has_shape(const LtLayout *layout, int op, int64_t rows, int64_t columns) {
    return (int64_t)layout->rows == (op == OP_N ? rows : columns) &&
           (int64_t)layout->columns == (op == OP_N ? columns : rows);
}

/* Columns of a mask begin every 128 bits, as the manual says; those of numbers every 16 of them: an H200 takes 256 and
 * refuses 136. */
static bool aux_fits(const Epilogue *epilogue, int64_t rows) {
    const int64_t step = epilogue_masks(epilogue) ? 128 : 16;
    return epilogue->aux && epilogue->aux_lead >= rows && epilogue->aux_lead % step == 0;
}

static BlasStatus set_epilogue(GemmWork *work, const LtMatmul *matmul) {
    const uint32_t asked = matmul->epilogue & ~(uint32_t)EPILOGUE_DEFAULT;
    const int type = work->d.type;
    const EpilogueForm *form = form_of(asked);
    if (!asked)
        return BLAS_SUCCESS;
    if (!form)
        return BLAS_INVALID_VALUE;
    const bool aux = asked & EPILOGUE_AUX, gradient = form->gradient != GRADIENT_NONE;
    if (element_is_complex(type) || (work->d.by_rows && (aux || gradient)))
        return BLAS_NOT_SUPPORTED;
    work->epilogue = (Epilogue){.activation = form->activation,
                                .gradient = form->gradient,
                                .bias = asked & EPILOGUE_BIAS || gradient ? matmul->bias : NULL,
                                .bias_type = matmul->bias_type >= 0 ? matmul->bias_type : type,
                                .bias_stride = matmul->bias_stride,
                                .aux = aux ? matmul->aux : NULL,
                                .aux_type = matmul->aux_type >= 0 ? matmul->aux_type : type,
                                .aux_lead = matmul->aux_lead,
                                .aux_stride = matmul->aux_stride};
    if (gradient && !aux && !matmul->bias)
        return BLAS_NOT_SUPPORTED; /* which is what an H200 says */
    if ((asked & EPILOGUE_BIAS || gradient) && !matmul->bias)
        return BLAS_INVALID_VALUE;
    return aux && !aux_fits(&work->epilogue, work->m) ? BLAS_INVALID_VALUE : BLAS_SUCCESS;
}

static BlasStatus set_scales(GemmWork *work, const LtMatmul *matmul) {
    for (int i = 0; i < 6; i++)
        if (matmul->scale_modes[i])
            return BLAS_NOT_SUPPORTED;
    for (int i = 0; i < 4; i++)
        work->epilogue.scales[i] = matmul->scales[i];
    return matmul->amax || matmul->aux_scale || matmul->aux_amax || matmul->out_scale ||
                   matmul->emulation
               ? BLAS_NOT_SUPPORTED
               : BLAS_SUCCESS;
}

static BlasStatus set_types(GemmWork *work, const LtMatmul *matmul) {
    const int from = work->a.type, to = work->d.type, scale = matmul->scale_type;
    const ComputeKind kind = compute_kind(matmul->compute);
    const bool is_complex = element_is_complex(to);
    work->scale_type = scale;
    work->computed = gemm_precision(matmul->compute, from);
    if (kind == COMPUTES_NOTHING)
        return BLAS_INVALID_VALUE;
    bool good = element_is_complex(from) == is_complex && element_is_complex(scale) == is_complex &&
                element_is_complex(work->b.type) == is_complex &&
                element_bytes(from) == element_bytes(work->b.type);
    if (kind == COMPUTES_DOUBLE)
        good &= from == to && scale == to && element_bytes(to) >= 8;
    else
        good &= is_complex ? from == C_32F && to == C_32F
                           : element_bytes(to) <= 4 && element_bytes(scale) <= 4;
    return good ? BLAS_SUCCESS : BLAS_NOT_SUPPORTED;
}

/* BLAS_SUCCESS: `work` says what is to be done; alpha and beta are not looked at. */
static BlasStatus prepare(GemmWork *work, const LtMatmul *matmul, const LtLayout *a,
                          const LtLayout *b, const LtLayout *c, const LtLayout *d) {
    enum { FILL_FULL = 2 };
    if (!matmul || !a || !b || !c || !d)
        return BLAS_INVALID_VALUE;
    const int64_t m = (int64_t)d->rows, n = (int64_t)d->columns,
                  k = (int64_t)(matmul->transa == OP_N ? a->columns : a->rows);
    if (!has_shape(a, matmul->transa, m, k) || !has_shape(b, matmul->transb, k, n) ||
        !has_shape(c, OP_N, m, n) || a->batch != d->batch || b->batch != d->batch)
        return BLAS_INVALID_VALUE;
    if (!is_known(a) || !is_known(b) || !is_known(c) || !is_known(d) || c->order != d->order ||
        matmul->transc != OP_N || matmul->fill != FILL_FULL ||
        matmul->pointer_mode > SCALARS_DEVICE)
        return BLAS_NOT_SUPPORTED;
    work->op_a = matmul->transa;
    work->op_b = matmul->transb;
    work->m = m;
    work->n = n;
    work->k = k;
    work->batch = d->batch;
    work->a = operand("a", a, NULL);
    work->b = operand("b", b, NULL);
    work->c = operand("c", c, NULL);
    work->d = operand("d", d, NULL);
    BlasStatus wrong = set_types(work, matmul);
    if (!wrong)
        wrong = set_epilogue(work, matmul);
    return wrong ? wrong : set_scales(work, matmul);
}

#define DECLARED(name, ...)                                                                        \
    BlasStatus name(__VA_ARGS__);                                                                  \
    BlasStatus name(__VA_ARGS__)

#pragma GCC visibility push(default)

DECLARED(cublasLtMatmul, const BlasHandle *handle, const LtMatmul *matmul, const void *alpha,
         const void *a, const LtLayout *a_layout, const void *b, const LtLayout *b_layout,
         const void *beta, const void *c, const LtLayout *c_layout, void *d,
         const LtLayout *d_layout, const void *algorithm, void *workspace, size_t workspace_bytes,
         CUstream stream) {
    GemmWork work = {.work = {.library = "cublasLt", .function = "cublasLtMatmul"}};
    (void)algorithm, (void)workspace, (void)workspace_bytes;
    BlasStatus wrong = handle_check(handle);
    if (!wrong)
        wrong = prepare(&work, matmul, a_layout, b_layout, c_layout, d_layout);
    if (wrong)
        return wrong;
    work.a.at = a;
    work.b.at = b;
    work.c.at = c;
    work.d.at = d;
    wrong = gemm_check(&work, matmul->pointer_mode == SCALARS_DEVICE, alpha, beta);
    return wrong ? wrong : gemm_enqueue(&work, stream);
}

/* What a program gets to know of an algorithm. */
typedef struct LtAlgorithm {
    uint64_t algorithm[8];
    size_t workspace;
    BlasStatus state;
    float waves;
    int reserved[4];
} LtAlgorithm;

DECLARED(cublasLtMatmulAlgoGetHeuristic, const BlasHandle *handle, const LtMatmul *matmul,
         const LtLayout *a, const LtLayout *b, const LtLayout *c, const LtLayout *d,
         const LtPreference *preference, int asked, LtAlgorithm *results, int *count) {
    GemmWork work = {0};
    BlasStatus wrong = handle_check(handle);
    if (!wrong && (!preference || asked < 1 || !results || !count))
        wrong = BLAS_INVALID_VALUE;
    if (count)
        *count = 0;
    if (!wrong)
        wrong = prepare(&work, matmul, a, b, c, d);
    if (wrong)
        return wrong;
    results[0] = (LtAlgorithm){.waves = 1};
    *count = 1;
    return BLAS_SUCCESS;
}

/* A handle of either library is one of the other. */
BlasStatus cublasCreate_v2(BlasHandle **handle);
DECLARED(cublasLtCreate, BlasHandle **handle) {
    return cublasCreate_v2(handle);
}

BlasStatus cublasDestroy_v2(BlasHandle *handle);
DECLARED(cublasLtDestroy, BlasHandle *handle) {
    return cublasDestroy_v2(handle);
}
