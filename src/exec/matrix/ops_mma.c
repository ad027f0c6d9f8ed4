/* The exact matrix products: integers, single bits, f64; and the products that the H100 does not have
 * and ptxas writes out (m8n8k4 of f16). The truncating sums of the tensor cores are in ops_mma_fused.c.
 * All as measured on an H100: docs/tensor-cores.md. */
#include "exec/matrix/ops_mma.h"
#include "exec/lanes/ops_directed.h"
#include "exec/lanes/ops_half.h"

#include <fenv.h>
#include <string.h>

/* ---- integers ---- */

static void widen(const uint32_t *from, uint32_t count, Type type, float *to) {
    uint32_t unused = type == TYPE_S8 || type == TYPE_U8 ? 24 : 28;
    bool is_signed = type == TYPE_S8 || type == TYPE_S4;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t top = from[i] << unused;
        to[i] = (float)(is_signed ? (int32_t)top >> unused : (int32_t)(top >> unused));
    }
}

/* A sum of products never overflows; adding c wraps around, or saturates. */
static void add_c(const Product *product, const int32_t *sum, uint32_t count, const uint32_t *c,
                  uint32_t *d) {
    for (uint32_t i = 0; i < count; i++) {
        int64_t exact = (int64_t)(int32_t)c[i] + sum[i];
        int64_t high = exact > INT32_MAX ? INT32_MAX : exact;
        int64_t clamped = high < INT32_MIN ? INT32_MIN : high;
        d[i] = (uint32_t)(product->satfinite ? clamped : exact);
    }
}

typedef float Floats __attribute__((vector_size(4 * COLUMNS)));

/* In f32, which is faster and exact: 128 products of 8 bits are below 2^24. */
static void run_integer(const Product *product, Matrices *matrices) {
    _Alignas(sizeof(Floats)) float a[FACTOR_ELEMENTS], b[FACTOR_ELEMENTS];
    int32_t sum[RESULT_ELEMENTS];
    uint32_t m = product->m, n = product->n, k = product->k;
    widen(matrices->a.word, m * k, product->a, a);
    widen(matrices->b.word, k * n * (product->sparse ? 2 : 1), product->b, b);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t block = 0; block < n; block += COLUMNS) {
            Floats total = {0};
            for (uint32_t p = 0; p < k; p++) {
                uint32_t row = product->sparse ? matrices->pick[i * k + p] : p;
                total += a[i * k + p] * *(const Floats *)(const void *)&b[row * n + block];
            }
            for (uint32_t j = 0; j < COLUMNS; j++)
                sum[i * n + block + j] = (int32_t)total[j];
        }
    add_c(product, sum, m * n, matrices->c.word, matrices->d.word);
}

static void run_bits(const Product *product, Matrices *matrices) {
    int32_t sum[RESULT_ELEMENTS] = {0};
    uint32_t m = product->m, n = product->n, k = product->k;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t p = 0; p < k; p++) {
                uint32_t a = matrices->a.word[i * k + p], b = matrices->b.word[p * n + j];
                sum[i * n + j] += __builtin_popcount(product->func == FUNC_AND ? a & b : a ^ b);
            }
    add_c(product, sum, m * n, matrices->c.word, matrices->d.word);
}

/* ---- f64 ---- */

#ifdef FE_TOWARDZERO
static int processor_rounding(Round round) {
    return round == ROUND_RZ   ? FE_TOWARDZERO
           : round == ROUND_RM ? FE_DOWNWARD
           : round == ROUND_RP ? FE_UPWARD
                               : FE_TONEAREST;
}
#endif

/* A result that is a NaN: of several b comes first, then the sum. */
static double nan_element(const double *a, const double *b, uint32_t n, uint32_t k, double sum) {
    for (uint32_t p = 0; p < k; p++)
        sum = nan_f64(fma(a[p], b[p * n], sum), b[p * n], sum, a[p]);
    return sum;
}

#ifndef FE_TOWARDZERO /* one result after the other, each rounded as it is wanted */
static void run_f64(const Product *product, Matrices *matrices) {
    const uint32_t n = product->n, k = product->k;
    const double *a = matrices->a.real, *b = matrices->b.real;
    for (uint32_t i = 0; i < product->m; i++)
        for (uint32_t j = 0; j < n; j++) {
            double sum = matrices->c.real[i * n + j];
            for (uint32_t p = 0; p < k; p++)
                sum = AT_LEVEL(fma_directed)(a[i * k + p], b[p * n + j], sum, product->round);
            if (sum != sum)
                sum = nan_element(&a[i * k], &b[j], n, k, matrices->c.real[i * n + j]);
            matrices->d.real[i * n + j] = sum;
        }
}
#else
/* COLUMNS results of a row: one fused multiply-add after the other, along k. */
static void block_f64(const double *a, const double *b, uint32_t n, uint32_t k, const double *c,
                      double *d) {
    double sum[COLUMNS];
    memcpy(sum, c, sizeof sum);
    for (uint32_t p = 0; p < k; p++)
        LANES for (uint32_t j = 0; j < COLUMNS; j++) sum[j] = fma(a[p], b[p * n + j], sum[j]);
    bool nan = false;
    for (uint32_t j = 0; j < COLUMNS; j++)
        nan |= sum[j] != sum[j];
    for (uint32_t j = 0; nan && j < COLUMNS; j++)
        sum[j] = nan_element(a, &b[j], n, k, c[j]);
    memcpy(d, sum, sizeof sum);
}

static void run_f64(const Product *product, Matrices *matrices) {
    uint32_t n = product->n, k = product->k;
    int before = fegetround(), wanted = processor_rounding(product->round);
    if (wanted != before)
        fesetround(wanted);
    for (uint32_t i = 0; i < product->m; i++)
        for (uint32_t j = 0; j < n; j += COLUMNS)
            block_f64(&matrices->a.real[i * k], &matrices->b.real[j], n, k,
                      &matrices->c.real[i * n + j], &matrices->d.real[i * n + j]);
    if (wanted != before)
        fesetround(before);
}
#endif

/* ---- m8n8k4 of f16 ---- */

static float single(const uint32_t *word, Type type, uint32_t i) {
    return f32_of_bits(type == TYPE_F16 ? f32_bits_of_f16(word[i]) : word[i]);
}

static float add(float a, float b) {
    return canonical_f32(a + b);
}

/* ptxas 13.0 writes it out in single precision: four products in a chain, then c; to an f16 result
 * two and two. */
static uint32_t quad_element(const Product *product, const Matrices *matrices, uint32_t i,
                             uint32_t column, uint32_t at) {
    float a[4], b[4], c = single(matrices->c.word, product->c, at);
    for (uint32_t p = 0; p < 4; p++) {
        a[p] = single(matrices->a.word, TYPE_F16, i * 4 + p);
        b[p] = single(matrices->b.word, TYPE_F16, p * 32 + column);
    }
    if (product->d == TYPE_F16) {
        float first = fmaf(a[1], b[1], a[0] * b[0]), second = fmaf(a[3], b[3], a[2] * b[2]);
        return f16_bits_of_f32(bits_of_f32(add(add(c, first), second)));
    }
    float sum = 0;
    for (uint32_t p = 0; p < 4; p++)
        sum = fmaf(a[p], b[p], sum);
    return bits_of_f32(add(c, sum));
}

static void run_quads(const Product *product, Matrices *matrices) {
    for (uint32_t i = 0; i < 32; i++)
        for (uint32_t j = 0; j < 8; j++)
            matrices->d.word[i * 8 + j] =
                quad_element(product, matrices, i, i / 8 * 8 + j, i * 8 + j);
}

/* ---- which ---- */

void AT_LEVEL(ops_product)(Product *product) {
    switch (product->a) {
    case TYPE_F64:
        product->run = run_f64;
        break;
    case TYPE_B1:
        product->run = run_bits;
        break;
    case TYPE_S8:
    case TYPE_U8:
    case TYPE_S4:
    case TYPE_U4:
        product->run = run_integer;
        break;
    default:
        product->run = product->quads ? run_quads : AT_LEVEL(run_fused);
        break;
    }
}
