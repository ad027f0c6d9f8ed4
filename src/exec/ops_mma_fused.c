/* The sums of the tensor cores: products of f16, bf16, tf32 (and 8-bit floats, widened to f16), as an
 * H100 adds them. Found by experiment, and by others before us; see docs/tensor-cores.md.
 *
 * One step adds c and up to 16 products at once:
 *   - products are exact: significands multiplied, exponents added, nothing is normalised;
 *   - all are aligned to the largest exponent among the products and c (that of a product being the sum
 *     of its factors' exponents; zeros have no say; at least -133), and cut off towards zero below
 *     2^-25 of it;
 *   - the sum is exact; then it is cut off to f32, or rounded to nearest even to f16.
 * A sum that is zero, or becomes zero, is +0; beyond the largest f32 it is an infinity. A NaN,
 * infinity times zero and infinity minus infinity give 0x7fffffff, in f16 0x7fff. Subnormals count
 * as they are. Where k is more than a step, the steps follow each other with the result as c.
 *
 * A significand has at most 11 bits: a product of two is exact in f32, aligned as above it is below
 * 2^27, and 16 of them fit into 32 bits with their sign. What is aligned is multiplied by a power of two
 * and converted to an integer, which cuts off. */
#include "exec/ops_half.h"
#include "exec/ops_mma.h"

#include <assert.h>

enum {
    STEP_MOST = 32,
    EXPONENT_ZERO = -4096, /* of a factor that is zero: below all others */
    EXPONENT_LEAST = -133  /* that anything is aligned to; also of c where it is zero */
};

typedef struct Format {
    uint32_t exponent, fraction; /* bits */
} Format;

static Format format_of(Type type) {
    switch (type) {
    case TYPE_BF16:
        return (Format){8, 7};
    case TYPE_TF32:
        return (Format){8, 10};
    case TYPE_F32:
        return (Format){8, 23};
    default:
        return (Format){5, 10};
    }
}

/* Numbers as significand * 2^(exponent - fraction bits); what is no number counts as zero. */
typedef struct Numbers {
    _Alignas(32) float significand[FACTOR_ELEMENTS];
    _Alignas(32) int32_t exponent[FACTOR_ELEMENTS];
    bool special; /* there are infinities or NaNs */
} Numbers;

/* zero: the exponent of zero; left: by how much significands are shifted; least: exponent of smaller
 * numbers, which have leading zeros. */
static void take_apart(const uint32_t *bits, uint32_t count, Format format, int32_t zero,
                       int32_t left, int32_t least, Numbers *numbers) {
    int32_t top = (1 << format.exponent) - 1, bias = top / 2, special = 0;
    int32_t hidden = 1 << format.fraction;
    uint32_t sign = format.exponent + format.fraction;
    float scale = left >= 0 ? (float)(1 << left) : 1 / (float)(1 << -left);
    LANES for (uint32_t i = 0; i < count; i++) {
        int32_t exponent = (int32_t)(bits[i] >> format.fraction) & top;
        int32_t fraction = (int32_t)bits[i] & (hidden - 1);
        int32_t magnitude = exponent == 0 ? fraction : fraction + hidden;
        magnitude = exponent == top ? 0 : magnitude;
        special |= exponent == top;
        magnitude = bits[i] >> sign & 1 ? -magnitude : magnitude;
        int32_t value = exponent == 0 ? 1 - bias : exponent - bias;
        int32_t raised = value < least ? least : value;
        float lowered = f32_of_bits((uint32_t)(127 - raised + value) << 23);
        numbers->significand[i] = (float)magnitude * scale * lowered;
        numbers->exponent[i] = magnitude ? raised : zero;
    }
    numbers->special = special;
}

/* ---- 8-bit floats ---- */

static uint32_t f16_of_e4m3(uint32_t bits) {
    static const uint16_t subnormal[8] = {0,      0x1800, 0x1c00, 0x1e00,
                                          0x2000, 0x2100, 0x2200, 0x2300};
    uint32_t magnitude = bits & 0x7f, sign = (bits & 0x80) << 8;
    if (magnitude == 0x7f)
        return 0x7fff;
    return sign | (magnitude < 8 ? subnormal[magnitude] : (magnitude << 7) + (8 << 10));
}

/* Elements of a factor in the form that is multiplied; tf32 has its 19 bits on top. */
static void prepare(uint32_t *bits, uint32_t count, Type type) {
    for (uint32_t i = 0; i < count; i++) {
        if (type == TYPE_E4M3)
            bits[i] = f16_of_e4m3(bits[i]);
        else if (type == TYPE_E5M2)
            bits[i] <<= 8;
        else if (type == TYPE_TF32)
            bits[i] >>= 13;
    }
}

/* 8-bit floats of wgmma keep the exponents of their format; widened to f16, those of f16. */
static int32_t least_of(const Product *product, Type type) {
    return type == TYPE_E4M3 && product->kept == SUM_BITS_FP8 ? -6 : EXPONENT_LEAST;
}

/* ---- one step for COLUMNS results of a row, side by side ---- */

typedef int32_t Column __attribute__((vector_size(4 * COLUMNS)));
typedef float FloatColumn __attribute__((vector_size(4 * COLUMNS)));
typedef double WideColumn __attribute__((vector_size(8 * COLUMNS)));
typedef int64_t WideBits __attribute__((vector_size(8 * COLUMNS)));

#define LOAD(Type, from) (*(const Type *)(const void *)(from)) /* aligned: rows of COLUMNS */

/* The greater ones; a macro, as are the others, because a function of vectors has another interface
 * on each level. */
#define GREATER(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))
/* significand * 2^(exponent - top) as an integer, cut off; exponent <= top. The power of two is
 * written as the bits of an f32, and is zero where it would be less than 2^-126. */
#define POWER(distance) ((FloatColumn)(((127 - (distance)) & ~((127 - (distance)) >> 31)) << 23))
#define CUT_OFF(significand, distance)                                                             \
    __builtin_convertvector((significand)*POWER(distance), Column)

typedef struct SumStep {
    Numbers a, b,
        c; /* a and c: significands shifted so that all have product->kept bits below the point */
    const Product *product;
    const Matrices *matrices;
    bool f16;            /* the sums are rounded to f16 */
    uint32_t first, end; /* the products along k */
} SumStep;

/* The sum in two parts, of the products and of c, in units of 2^(*top - product->kept). */
ALWAYS_INLINE void sum_row(const SumStep *step, uint32_t i, uint32_t block, Column *sum, Column *c,
                           Column *top) {
    const Product *product = step->product;
    uint32_t n = product->n, at = i * n + block;
    const float *significand = &step->a.significand[i * product->k];
    const int32_t *exponent = &step->a.exponent[i * product->k];
    const float *significands = &step->b.significand[block];
    const int32_t *exponents = &step->b.exponent[block];
    const uint16_t *pick = product->sparse ? &step->matrices->pick[i * product->k] : NULL;
    Column most = LOAD(Column, &step->c.exponent[at]), other = most, total = {0};
    for (uint32_t p = step->first; p < step->end; p += 2) { /* two chains are faster than one */
        Column even = exponent[p] + LOAD(Column, &exponents[(pick ? pick[p] : p) * n]);
        Column odd = exponent[p + 1] + LOAD(Column, &exponents[(pick ? pick[p + 1] : p + 1) * n]);
        most = GREATER(most, even);
        other = GREATER(other, odd);
    }
    most = GREATER(most, other);
    for (uint32_t p = step->first; p < step->end; p++) {
        uint32_t row = (pick ? pick[p] : p) * n;
        FloatColumn both = significand[p] * LOAD(FloatColumn, &significands[row]);
        total += CUT_OFF(both, most - exponent[p] - LOAD(Column, &exponents[row]));
    }
    *sum = total;
    *c = CUT_OFF(LOAD(FloatColumn, &step->c.significand[at]),
                 most - LOAD(Column, &step->c.exponent[at]));
    *top = most;
}

/* Towards zero, to a multiple of the least subnormal number: an integer first, which has no
 * negative zero. */
static void finish_subnormals(const WideColumn *value, uint32_t d[COLUMNS]) {
    for (uint32_t j = 0; j < COLUMNS; j++)
        if (fabs((*value)[j]) < 0x1p-126)
            d[j] = bits_of_f32((float)(int64_t)((*value)[j] * 0x1p149) * 0x1p-149f);
}

/* fraction: bits of it that the result has. */
ALWAYS_INLINE void finish_f32(const WideColumn *value, uint32_t fraction, uint32_t d[COLUMNS]) {
    const int64_t least = INT64_C(0x3810000000000000); /* 2^-126 */
    const int64_t lost = (INT64_C(1) << (52 - fraction)) - 1;
    WideBits bits = (WideBits)*value, magnitude = bits & INT64_MAX;
    FloatColumn result = __builtin_convertvector((WideColumn)(bits & ~lost), FloatColumn);
    memcpy(d, &result, sizeof result);
    WideBits small = (magnitude > 0) & (magnitude < least);
    int64_t any = 0;
    for (uint32_t j = 0; j < COLUMNS; j++)
        any |= small[j];
    if (any)
        finish_subnormals(value, d);
}

/* For f16, first an f32 that is odd where it is not exact: that can be rounded again. */
ALWAYS_INLINE void finish_odd(const WideColumn *value, uint32_t d[COLUMNS]) {
    WideBits bits = (WideBits)*value, lost = bits & 0x1fffffff;
    bits = (bits - lost) | ((lost > 0) & (INT64_C(1) << 29));
    FloatColumn odd = __builtin_convertvector((WideColumn)bits, FloatColumn);
    memcpy(d, &odd, sizeof odd);
}

/* To nearest even. */
static void round_to_f16(uint32_t *d, uint32_t count) {
    LANES for (uint32_t i = 0; i < count; i++) {
        uint32_t half = f16_bits_of_f32(d[i]);
        d[i] = half & 0x7fff ? half : 0;
    }
}

ALWAYS_INLINE void finish_row(const SumStep *step, const Column *sum, const Column *c,
                              const Column *top, uint32_t d[COLUMNS]) {
    WideBits scale = __builtin_convertvector(*top - (int32_t)step->product->kept + 1023, WideBits)
                     << 52;
    WideColumn value = __builtin_convertvector(*sum, WideColumn);
    value = (value + __builtin_convertvector(*c, WideColumn)) * (WideColumn)scale;
    if (step->f16)
        finish_odd(&value, d);
    else
        finish_f32(&value, step->product->kept < 23 ? step->product->kept : 23, d);
}

/* ---- infinities and NaNs ---- */

typedef enum Kind { KIND_ZERO, KIND_NUMBER, KIND_INFINITY, KIND_NAN } Kind;

static Kind kind_of(uint32_t bits, Format format) {
    uint32_t magnitude = bits & ((1u << (format.exponent + format.fraction)) - 1);
    uint32_t infinity = ((1u << format.exponent) - 1) << format.fraction;
    return magnitude == 0          ? KIND_ZERO
           : magnitude < infinity  ? KIND_NUMBER
           : magnitude == infinity ? KIND_INFINITY
                                   : KIND_NAN;
}

/* What the infinities and NaNs among the products and c make of a result, if there are any. */
static void special_result(const SumStep *step, const uint32_t *c, uint32_t i, uint32_t j,
                           uint32_t *d) {
    const Product *product = step->product;
    const Matrices *matrices = step->matrices;
    Format factor = format_of(product->a), sum = format_of(step->f16 ? TYPE_F16 : TYPE_F32);
    uint32_t sign = factor.exponent + factor.fraction, at = i * product->n + j;
    Kind kind = kind_of(c[at], sum);
    bool nan = kind == KIND_NAN, infinite[2] = {false, false};
    infinite[c[at] >> (sum.exponent + sum.fraction) & 1] = kind == KIND_INFINITY;
    for (uint32_t p = step->first; p < step->end; p++) {
        uint32_t row = product->sparse ? matrices->pick[i * product->k + p] : p;
        uint32_t a = matrices->a.word[i * product->k + p];
        uint32_t b = matrices->b.word[row * product->n + j];
        Kind ka = kind_of(a, factor), kb = kind_of(b, factor);
        Kind least = ka < kb ? ka : kb, most = ka < kb ? kb : ka;
        nan |= most == KIND_NAN || (most == KIND_INFINITY && least == KIND_ZERO);
        infinite[(a ^ b) >> sign & 1] |= most == KIND_INFINITY;
    }
    uint32_t infinity = step->f16 ? 0x7c00 : 0x7f800000;
    uint32_t negative = step->f16 ? 0x8000 : 0x80000000;
    if (nan || (infinite[0] && infinite[1]))
        *d = negative - 1;
    else if (infinite[0] || infinite[1])
        *d = infinity | (infinite[1] ? negative : 0);
}

/* ---- the whole ---- */

/* sums = a * b (the products of the step) + c. */
static void run_step(SumStep *step, const uint32_t *c, uint32_t *sums) {
    const Product *product = step->product;
    uint32_t m = product->m, n = product->n;
    Format format = format_of(step->f16 ? TYPE_F16 : TYPE_F32);
    take_apart(c, m * n, format, EXPONENT_LEAST, (int32_t)(product->kept - format.fraction),
               EXPONENT_LEAST, &step->c);
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t block = 0; block < n; block += COLUMNS) {
            Column sum, aligned, top;
            sum_row(step, i, block, &sum, &aligned, &top);
            finish_row(step, &sum, &aligned, &top, &sums[i * n + block]);
        }
    if (step->f16)
        round_to_f16(sums, m * n);
    if (step->a.special || step->b.special || step->c.special)
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < n; j++)
                special_result(step, c, i, j, &sums[i * n + j]);
}

/* c + sum, each in the type of d. */
static void add_last(const uint32_t *c, bool f16, uint32_t count, uint32_t *sums) {
    for (uint32_t i = 0; i < count; i++) {
        float a = f32_of_bits(f16 ? f32_bits_of_f16(c[i]) : c[i]);
        float b = f32_of_bits(f16 ? f32_bits_of_f16(sums[i]) : sums[i]);
        uint32_t sum = bits_of_f32(canonical_f32(a + b));
        sums[i] = f16 ? f16_bits_of_f32(sum) : sum;
    }
}

void AT_LEVEL(run_fused)(const Product *product, Matrices *matrices) {
    SumStep step;
    uint32_t count = product->m * product->n;
    uint32_t *c = matrices->c.word, *d = matrices->d.word, partial[RESULT_ELEMENTS];
    Format factor = format_of(product->a);
    assert(product->step <= STEP_MOST);
    step.product = product;
    step.matrices = matrices;
    step.f16 = product->c == TYPE_F16 && product->d == TYPE_F16;
    uint32_t depth = product->k * (product->sparse ? 2 : 1);
    prepare(matrices->a.word, product->m * product->k, product->a);
    prepare(matrices->b.word, depth * product->n, product->b);
    take_apart(matrices->a.word, product->m * product->k, factor, EXPONENT_ZERO,
               (int32_t)(product->kept - 2 * factor.fraction), least_of(product, product->a),
               &step.a);
    take_apart(matrices->b.word, depth * product->n, factor, EXPONENT_ZERO, 0,
               least_of(product, product->b), &step.b);
    if (product->c == TYPE_F16 && !step.f16)
        for (uint32_t i = 0; i < count; i++)
            c[i] = f32_bits_of_f16(c[i]);
    const uint32_t *sums = c;
    if (product->adds_last) {
        memset(partial, 0, count * sizeof *partial);
        sums = partial;
    }
    for (step.first = 0; step.first < product->k; step.first = step.end) {
        step.end = step.first + product->step;
        run_step(&step, sums, d);
        if (step.end < product->k)
            sums = memcpy(partial, d, count * sizeof *partial);
    }
    if (product->adds_last)
        add_last(c, step.f16, count, d);
    if (product->d == TYPE_F16 && !step.f16)
        for (uint32_t i = 0; i < count; i++)
            d[i] = f16_bits_of_f32(d[i]);
}
