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
 * All in integers: a significand has at most 11 bits, so that a product aligned as above is below 2^27,
 * and 16 of them fit into 32 bits with their sign. */
#include "exec/ops_half.h"
#include "exec/ops_mma.h"

#include <assert.h>

enum {
    KEPT_BITS = 25,
    STEP_MOST = 16,
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
    int32_t significand[FACTOR_ELEMENTS], exponent[FACTOR_ELEMENTS];
    bool special; /* there are infinities or NaNs */
} Numbers;

static void take_apart(const uint32_t *bits, uint32_t count, Format format, int32_t zero,
                       Numbers *numbers) {
    int32_t top = (1 << format.exponent) - 1, bias = top / 2, special = 0;
    int32_t hidden = 1 << format.fraction;
    uint32_t sign = format.exponent + format.fraction;
    LANES for (uint32_t i = 0; i < count; i++) {
        int32_t exponent = (int32_t)(bits[i] >> format.fraction) & top;
        int32_t fraction = (int32_t)bits[i] & (hidden - 1);
        int32_t magnitude = exponent == 0 ? fraction : fraction + hidden;
        magnitude = exponent == top ? 0 : magnitude;
        special |= exponent == top;
        numbers->significand[i] = bits[i] >> sign & 1 ? -magnitude : magnitude;
        int32_t value = exponent == 0 ? 1 - bias : exponent - bias;
        numbers->exponent[i] = magnitude == 0 ? zero : value;
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

/* ---- one step for COLUMNS results of a row ---- */

typedef struct SumStep {
    const Product *product;
    const Matrices *matrices;
    Numbers a, b, c;
    bool f16;            /* the sums are rounded to f16 */
    uint32_t fraction;   /* bits of the product of two factors */
    uint32_t first, end; /* the products along k */
} SumStep;

static const int32_t *row_of(const SumStep *step, const int32_t *values, uint32_t i, uint32_t p) {
    const Product *product = step->product;
    uint32_t row = product->sparse ? step->matrices->pick[i * product->k + p] : p;
    return &values[row * product->n];
}

/* value * 2^shift, cut off: by magnitude, as shifting a negative number would round down. */
ALWAYS_INLINE int32_t shifted(int32_t value, int32_t left, int32_t right) {
    uint32_t magnitude = (uint32_t)(value < 0 ? -value : value) << left;
    magnitude = right > 31 ? 0 : magnitude >> (right & 31);
    return value < 0 ? -(int32_t)magnitude : (int32_t)magnitude;
}

/* The sum, in units of 2^(*top - KEPT_BITS). */
static void sum_row(const SumStep *step, uint32_t i, uint32_t block, int64_t total[COLUMNS],
                    int32_t top[COLUMNS]) {
    const Product *product = step->product;
    const int32_t *significand = &step->a.significand[i * product->k];
    const int32_t *exponent = &step->a.exponent[i * product->k];
    int32_t left = KEPT_BITS - (int32_t)step->fraction, sum[COLUMNS] = {0};
    for (uint32_t j = 0; j < COLUMNS; j++)
        top[j] = step->c.exponent[i * product->n + block + j];
    for (uint32_t p = step->first; p < step->end; p++) {
        const int32_t *other = row_of(step, step->b.exponent, i, p) + block;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            int32_t both = exponent[p] + other[j];
            top[j] = both > top[j] ? both : top[j];
        }
    }
    for (uint32_t p = step->first; p < step->end; p++) {
        const int32_t *other = row_of(step, step->b.exponent, i, p) + block;
        const int32_t *factor = row_of(step, step->b.significand, i, p) + block;
        for (uint32_t j = 0; j < COLUMNS; j++)
            sum[j] += shifted(significand[p] * factor[j], left, top[j] - exponent[p] - other[j]);
    }
    int32_t left_c = step->f16 ? KEPT_BITS - 10 : KEPT_BITS - 23;
    for (uint32_t j = 0; j < COLUMNS; j++) {
        uint32_t at = i * product->n + block + j;
        int32_t c = shifted(step->c.significand[at], left_c, top[j] - step->c.exponent[at]);
        total[j] = (int64_t)sum[j] + c;
    }
}

/* Towards zero; below the least normal number, to a multiple of the least subnormal one: an integer
 * first, which has no negative zero. */
ALWAYS_INLINE uint32_t f32_cut_off(double value) {
    if (fabs(value) < 0x1p-126)
        return bits_of_f32((float)(int64_t)(value * 0x1p149) * 0x1p-149f);
    return bits_of_f32((float)f64_of_bits(bits_of_f64(value) & ~UINT64_C(0x1fffffff)));
}

/* To nearest even, by way of an f32 that is odd where it is not exact. */
ALWAYS_INLINE uint32_t f16_rounded(double value) {
    uint64_t bits = bits_of_f64(value), lost = bits & 0x1fffffff;
    bits = (bits - lost) | (uint64_t)(lost != 0) << 29;
    uint32_t half = f16_bits_of_f32(bits_of_f32((float)f64_of_bits(bits)));
    return half & 0x7fff ? half : 0;
}

static void finish_row(const SumStep *step, const int64_t total[COLUMNS],
                       const int32_t top[COLUMNS], uint32_t *d) {
    for (uint32_t j = 0; j < COLUMNS; j++) {
        uint64_t exponent = (uint64_t)(top[j] - KEPT_BITS + 1023);
        double value = (double)total[j] * f64_of_bits(exponent << 52);
        d[j] = step->f16 ? f16_rounded(value) : f32_cut_off(value);
    }
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

/* What the infinities and NaNs among the products and c make of a result; false: there are none. */
static bool special_result(const SumStep *step, const uint32_t *c, uint32_t i, uint32_t j,
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
    else
        return false;
    return true;
}

/* ---- the whole ---- */

/* sums = a * b (the products of the step) + c; c and sums may be one. */
static void run_step(SumStep *step, const uint32_t *c, uint32_t *sums) {
    const Product *product = step->product;
    uint32_t m = product->m, n = product->n;
    take_apart(c, m * n, format_of(step->f16 ? TYPE_F16 : TYPE_F32), EXPONENT_LEAST, &step->c);
    bool special = step->a.special || step->b.special || step->c.special;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t block = 0; block < n; block += COLUMNS) {
            int64_t total[COLUMNS];
            int32_t top[COLUMNS];
            uint32_t d[COLUMNS];
            sum_row(step, i, block, total, top);
            finish_row(step, total, top, d);
            for (uint32_t j = 0; special && j < COLUMNS; j++)
                special_result(step, c, i, block + j, &d[j]);
            memcpy(&sums[i * n + block], d, sizeof d);
        }
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
    SumStep step = {.product = product, .matrices = matrices};
    uint32_t count = product->m * product->n;
    uint32_t *c = matrices->c.word, *d = matrices->d.word, zeros[RESULT_ELEMENTS] = {0};
    bool widened = product->adds_last;
    Format factor = format_of(product->a);
    assert(product->step <= STEP_MOST);
    step.f16 = product->c == TYPE_F16 && product->d == TYPE_F16;
    step.fraction = 2 * factor.fraction;
    uint32_t depth = product->k * (product->sparse ? 2 : 1);
    prepare(matrices->a.word, product->m * product->k, product->a);
    prepare(matrices->b.word, depth * product->n, product->b);
    take_apart(matrices->a.word, product->m * product->k, factor, EXPONENT_ZERO, &step.a);
    take_apart(matrices->b.word, depth * product->n, factor, EXPONENT_ZERO, &step.b);
    if (product->c == TYPE_F16 && !step.f16)
        for (uint32_t i = 0; i < count; i++)
            c[i] = f32_bits_of_f16(c[i]);
    const uint32_t *sums = widened ? zeros : c;
    for (; step.first < product->k; step.first += product->step) {
        step.end = step.first + product->step;
        run_step(&step, sums, d);
        sums = d;
    }
    if (widened)
        add_last(c, step.f16, count, d);
    if (product->d == TYPE_F16 && !step.f16)
        for (uint32_t i = 0; i < count; i++)
            d[i] = f16_bits_of_f32(d[i]);
}
