/* Products of matrices of all types: see gemm.h. */
#include "hostlib/blas/gemm.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int type_of[] = {R_32F, R_64F, C_32F, C_64F};

/* ---- types ---- */

ComputeKind compute_kind(int compute) {
    switch (compute) {
    case COMPUTE_16F:
    case COMPUTE_16F + 1:
        return COMPUTES_HALF;
    case COMPUTE_32F:
    case COMPUTE_32F + 1:
    case 74: /* may round to f16, … */
    case 75: /* … bf16, … */
    case 77: /* … TF32 */
    case 78: /* by several products of bf16 */
        return COMPUTES_SINGLE;
    case COMPUTE_64F:
    case COMPUTE_64F + 1:
    case 79: /* by integers */
        return COMPUTES_DOUBLE;
    case COMPUTE_32I:
    case COMPUTE_32I + 1:
        return COMPUTES_INTEGER;
    default:
        return COMPUTES_NOTHING;
    }
}

ElementType gemm_precision(int compute, int type) {
    if (compute_kind(compute) == COMPUTES_DOUBLE)
        return type == C_64F ? TYPE_Z : TYPE_D;
    return type == C_32F  ? TYPE_C
           : type == R_8I ? TYPE_D
                          : TYPE_S; /* integers below 2^53 are exact */
}

/* ---- operands ---- */

static size_t place(const GemmMatrix *operand, int64_t row, int64_t column) {
    return operand->by_rows ? (size_t)(row * operand->lead + column)
                            : (size_t)(column * operand->lead + row);
}

static const void *matrix_of(const GemmMatrix *operand, int64_t product) {
    if (operand->pointers)
        return ((const void *const *)operand->at)[product];
    const char *at = operand->at;
    return at ? at + product * operand->stride * (int64_t)element_bytes(operand->type) : NULL;
}

static bool reaches(const GemmWork *work, const GemmMatrix *operand, int64_t product) {
    char what[64];
    bool empty = operand->rows == 0 || operand->columns == 0;
    size_t count = empty ? 0 : place(operand, operand->rows - 1, operand->columns - 1) + 1;
    snprintf(what, sizeof what, "%s: %s", work->work.function, operand->name);
    return warplens_reaches(what, (CUdeviceptr)(uintptr_t)matrix_of(operand, product),
                            count * element_bytes(operand->type));
}

static bool reaches_pointers(const GemmWork *work, const GemmMatrix *operand) {
    return !operand->pointers ||
           warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)operand->at,
                            (size_t)work->batch * sizeof(void *));
}

/* op(X), column by column, as the type that is computed with. NULL: no memory. */
static void *dense(const GemmMatrix *operand, const void *at, int op, int64_t rows, int64_t columns,
                   int type) {
    void *made = malloc((size_t)(rows * columns) * element_bytes(type) + 1);
    for (int64_t j = 0; made && j < columns; j++)
        for (int64_t i = 0; i < rows; i++) {
            size_t from = op == OP_N ? place(operand, i, j) : place(operand, j, i);
            double imaginary = element_imaginary(operand->type, at, from);
            element_set(type, made, (size_t)(j * rows + i), element_real(operand->type, at, from),
                        op == OP_C ? -imaginary : imaginary);
        }
    return made;
}

/* ---- one product ---- */

typedef void Gemm(const char *, const char *, const int *, const int *, const int *, const void *,
                  const void *, const int *, const void *, const int *, const void *, void *,
                  const int *, size_t, size_t);

static double factor(const float *at) {
    return at ? (double)*at : 1;
}

/* An element of the result: the product's, with what else is to be done. What it is before it is scaled and rounded. */
static double finish(const GemmWork *work, const Epilogue *epilogue, const void *c, void *d,
                     const void *product, int64_t i, int64_t j, const double alpha[2],
                     const double beta[2]) {
    const int type = type_of[work->computed];
    const size_t at = (size_t)(j * work->m + i);
    const double re = element_real(type, product, at), im = element_imaginary(type, product, at);
    double real = alpha[0] * re - alpha[1] * im, imaginary = alpha[0] * im + alpha[1] * re;
    if (beta[0] != 0 || beta[1] != 0) {
        const size_t from = place(&work->c, i, j);
        const double c_re = element_real(work->c.type, c, from),
                     c_im = element_imaginary(work->c.type, c, from);
        real += beta[0] * c_re - beta[1] * c_im;
        imaginary += beta[0] * c_im + beta[1] * c_re;
    }
    real = epilogue_value(epilogue, real, i, j);
    element_set(work->d.type, d, place(&work->d, i, j), real * factor(epilogue->scales[3]),
                imaginary);
    return real;
}

/* Sums of an operand over the dimension that the product sums over. */
static void sum_operand(const Epilogue *epilogue, const void *dense, int type, int64_t rows,
                        int64_t columns) {
    const bool by_row = epilogue->gradient == GRADIENT_OF_A;
    const int64_t sums = by_row ? rows : columns, over = by_row ? columns : rows;
    for (int64_t s = 0; s < sums; s++) {
        double sum = 0;
        for (int64_t k = 0; k < over; k++)
            sum += element_real(type, dense, (size_t)(by_row ? k * rows + s : s * rows + k));
        element_set(epilogue->bias_type, epilogue->bias, (size_t)s, sum, 0);
    }
}

/* D, and the sums that its epilogue asks for. */
static void finish_all(const GemmWork *work, const Epilogue *epilogue, const void *c, void *d,
                       const void *product, const double alpha[2], const double beta[2]) {
    double *sums =
        epilogue->gradient == GRADIENT_OF_D ? calloc((size_t)work->m + 1, sizeof *sums) : NULL;
    for (int64_t j = 0; j < work->n; j++)
        for (int64_t i = 0; i < work->m; i++) {
            double value = finish(work, epilogue, c, d, product, i, j, alpha, beta);
            if (sums)
                sums[i] += value;
        }
    for (int64_t i = 0; sums && i < work->m; i++)
        element_set(epilogue->bias_type, epilogue->bias, (size_t)i, sums[i], 0);
    free(sums);
}

static void scalar_of(const GemmWork *work, const void *device, const double host[2],
                      double value[2]) {
    const void *at = device ? device : host;
    value[0] = element_real(work->scale_type, at, 0);
    value[1] = element_imaginary(work->scale_type, at, 0);
}

static void multiply(const GemmWork *work, const Epilogue *epilogue, const void *a, const void *b,
                     const void *c, void *d) {
    const int type = type_of[work->computed];
    const int m = (int)work->m, n = (int)work->n, k = (int)work->k, lead_b = k ? k : 1;
    const double zero[2] = {0, 0};
    double alpha[2], beta[2], unit[2] = {0, 0};
    scalar_of(work, work->alpha, work->host_alpha, alpha);
    scalar_of(work, work->beta, work->host_beta, beta);
    alpha[0] *= factor(work->epilogue.scales[0]) * factor(work->epilogue.scales[1]);
    beta[0] *= factor(work->epilogue.scales[2]);
    element_set(type, unit, 0, 1, 0);
    void *dense_a = dense(&work->a, a, work->op_a, m, k, type);
    void *dense_b = dense(&work->b, b, work->op_b, k, n, type);
    void *product = calloc((size_t)m * (size_t)n + 1, element_bytes(type));
    if (dense_a && dense_b && product) {
        ((Gemm *)work->gemm)("N", "N", &m, &n, &k, unit, dense_a, &m, dense_b, &lead_b, zero,
                             product, &m, 1, 1);
        finish_all(work, epilogue, c, d, product, alpha, beta);
        if (epilogue->gradient == GRADIENT_OF_A)
            sum_operand(epilogue, dense_a, type, m, k);
        if (epilogue->gradient == GRADIENT_OF_B)
            sum_operand(epilogue, dense_b, type, k, n);
    }
    free(dense_a);
    free(dense_b);
    free(product);
}

/* Whether the BLAS can do it as it stands. */
static bool is_plain(const GemmWork *work) {
    const int type = type_of[work->computed];
    const Epilogue none = {0};
    return work->a.type == type && work->b.type == type && work->c.type == type &&
           work->d.type == type && work->scale_type == type && work->c.at == work->d.at &&
           !work->a.by_rows && !work->b.by_rows && !work->d.by_rows &&
           memcmp(&work->epilogue, &none, sizeof none) == 0;
}

static void multiply_plain(const GemmWork *work, const void *a, const void *b, void *d) {
    static const char letters[] = "NTC";
    const int m = (int)work->m, n = (int)work->n, k = (int)work->k;
    const int lead_a = (int)work->a.lead, lead_b = (int)work->b.lead, lead_d = (int)work->d.lead;
    ((Gemm *)work->gemm)(&letters[work->op_a], &letters[work->op_b], &m, &n, &k,
                         work->alpha ? work->alpha : work->host_alpha, a, &lead_a, b, &lead_b,
                         work->beta ? work->beta : work->host_beta, d, &lead_d, 1, 1);
}

static bool epilogue_reaches(const GemmWork *work, const Epilogue *epilogue) {
    char what[64];
    const int64_t elements = epilogue->aux ? (work->n - 1) * epilogue->aux_lead + work->m : 0;
    const int64_t numbers = epilogue->gradient == GRADIENT_OF_B ? work->n : work->m;
    const size_t bytes = epilogue_masks(epilogue)
                             ? (size_t)(elements + 7) / 8
                             : (size_t)elements * element_bytes(epilogue->aux_type);
    snprintf(what, sizeof what, "%s: aux", work->work.function);
    if (epilogue->aux && !warplens_reaches(what, (CUdeviceptr)(uintptr_t)epilogue->aux, bytes))
        return false;
    snprintf(what, sizeof what, "%s: bias", work->work.function);
    return !epilogue->bias ||
           warplens_reaches(what, (CUdeviceptr)(uintptr_t)epilogue->bias,
                            (size_t)numbers * element_bytes(epilogue->bias_type));
}

static void run(const HostWork *host) {
    const GemmWork *work = (const GemmWork *)(const void *)host;
    const GemmMatrix *operands[] = {&work->a, &work->b, &work->c, &work->d};
    for (int o = 0; o < 4; o++)
        if (!reaches_pointers(work, operands[o]))
            return;
    for (int64_t i = 0; i < work->batch && work->m && work->n; i++) {
        for (int o = 0; o < 4; o++)
            if ((o != 2 || work->c.at) && !reaches(work, operands[o], i))
                return;
        const void *a = matrix_of(&work->a, i), *b = matrix_of(&work->b, i);
        void *d = (void *)(uintptr_t)matrix_of(&work->d, i);
        const Epilogue epilogue = epilogue_at(&work->epilogue, i);
        if (!epilogue_reaches(work, &epilogue))
            return;
        if (is_plain(work))
            multiply_plain(work, a, b, d);
        else
            multiply(work, &epilogue, a, b, matrix_of(&work->c, i), d);
    }
}

/* ---- the call ---- */

static bool fits(GemmMatrix *operand, int64_t rows, int64_t columns) {
    operand->rows = rows;
    operand->columns = columns;
    int64_t least = operand->by_rows ? columns : rows;
    return operand->lead >= least && operand->lead >= 1 && operand->lead <= INT_MAX;
}

static bool is_op(int op) {
    return op >= OP_N && op <= OP_C;
}

BlasStatus gemm_check(GemmWork *work, bool device_scalars, const void *alpha, const void *beta) {
    const int64_t m = work->m, n = work->n, k = work->k;
    if (!is_op(work->op_a) || !is_op(work->op_b) || m < 0 || n < 0 || k < 0 || work->batch < 0 ||
        m > INT_MAX || n > INT_MAX || k > INT_MAX || !alpha || !beta)
        return BLAS_INVALID_VALUE;
    if (!fits(&work->a, work->op_a == OP_N ? m : k, work->op_a == OP_N ? k : m) ||
        !fits(&work->b, work->op_b == OP_N ? k : n, work->op_b == OP_N ? n : k) ||
        !fits(&work->c, m, n) || !fits(&work->d, m, n))
        return BLAS_INVALID_VALUE;
    if (m && n && work->batch && ((k && (!work->a.at || !work->b.at)) || !work->d.at))
        return BLAS_INVALID_VALUE;
    if (device_scalars) {
        work->alpha = alpha;
        work->beta = beta;
    } else {
        memcpy(work->host_alpha, alpha, element_bytes(work->scale_type));
        memcpy(work->host_beta, beta, element_bytes(work->scale_type));
    }
    return BLAS_SUCCESS;
}

BlasStatus gemm_enqueue(GemmWork *work, CUstream stream) {
    static const char *const names[] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_"};
    *(void **)&work->gemm = provider_function(PROVIDER_BLAS, names[work->computed]);
    work->work.run = run;
    if (!work->gemm)
        return BLAS_NOT_SUPPORTED;
    return status_of(warplens_enqueue(stream, &work->work, sizeof *work));
}
