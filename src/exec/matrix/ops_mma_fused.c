/* The sums of the tensor cores: products of f16, bf16, tf32 and 8-bit floats (of mma widened to f16), as
 * an H100 adds them. Found by experiment, and by others before us; see docs/tensor-cores.md.
 *
 * One step adds c and up to 32 products at once:
 *   - products are exact: significands multiplied, exponents added, nothing is normalised;
 *   - all are aligned to the largest exponent among the products and c (that of a product being the sum
 *     of its factors' exponents; zeros have no say; at least -133), and cut off towards zero below
 *     2^-25 of it (2^-13: wgmma of 8-bit floats);
 *   - the sum is exact; then it is cut off to f32 (of 13 bits), or rounded to nearest even to f16.
 * A sum that is zero, or becomes zero, is +0; beyond the largest f32 it is an infinity. A NaN,
 * infinity times zero and infinity minus infinity give 0x7fffffff, in f16 0x7fff. Subnormals count
 * as they are. Where k is more than a step, the steps follow each other with the result as c.
 *
 * Exponents are integers of 16 bits, and the largest of 16 columns is found at once. A significand has
 * at most 11 bits: a product of two is exact in f32, aligned as above it is below 2^27, and 16 of them
 * fit into 32 bits with their sign. So a product is two f32 multiplications, by the other factor and by a
 * power of two, and a conversion to an integer, which cuts off. Where exponents are so far apart that a
 * product would be no f32 (`near` is false), significands are multiplied instead. */
#include "exec/lanes/ops_half.h"
#include "exec/matrix/ops_mma.h"

#include <assert.h>

enum {
    STEP_MOST = 32,
    EXPONENT_ZERO = -4096, /* of a factor that is zero: below all others */
    EXPONENT_LEAST = -133, /* that anything is aligned to; also of c where it is zero */
    /* Sums of the exponents of two factors with which products, and what aligns them, are f32. */
    NEAR_LEAST = -100,
    NEAR_MOST = 125
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

/* Numbers and their exponents: the significand is below 2, and below 1 where the exponent is the least
 * of the format. What is no number counts as zero. */
typedef struct Numbers {
    _Alignas(32) float value[FACTOR_ELEMENTS];
    _Alignas(32) int16_t exponent[FACTOR_ELEMENTS];
    int32_t least, most; /* bounds of the exponents of those that are not zero */
    bool special;        /* there are infinities or NaNs */
} Numbers;

/* The bits of an f32 of the same value, where it is a number. */
ALWAYS_INLINE uint32_t widened(uint32_t bits, Format format) {
    uint32_t sign = bits >> (format.exponent + format.fraction) << 31;
    uint32_t magnitude = (bits << (32 - format.exponent - format.fraction)) >> 1;
    if (format.exponent == 8)
        return sign | magnitude;
    float scaled = f32_of_bits(magnitude >> (8 - format.exponent)) * 0x1p112f; /* f16 */
    return sign | bits_of_f32(scaled);
}

static void find_range(Numbers *numbers, uint32_t count, int32_t zero) {
    int16_t lowest = NEAR_MOST, highest = -NEAR_MOST;
    for (uint32_t i = 0; i < count; i++) {
        int16_t exponent = numbers->exponent[i], low = exponent == zero ? NEAR_MOST : exponent;
        lowest = low < lowest ? low : lowest;
        highest = exponent > highest ? exponent : highest;
    }
    numbers->least = lowest;
    numbers->most = highest;
}

/* zero: the exponent of zero; least: that of smaller numbers. special: there may be infinities and NaNs; else
 * they are only found. */
ALWAYS_INLINE void take_apart_with(Format format, const uint32_t *bits, uint32_t count,
                                   int32_t zero, int32_t least, bool special, Numbers *numbers) {
    uint32_t infinity = ((1u << format.exponent) - 1) << format.fraction, largest = 0;
    uint32_t all = (1u << (format.exponent + format.fraction)) - 1;
    LANES for (uint32_t i = 0; i < count; i++) {
        uint32_t magnitude = bits[i] & all;
        bool is_special = special && magnitude >= infinity;
        uint32_t given = is_special ? 0 : bits[i], wide = widened(given, format);
        bool is_zero = magnitude == 0 || is_special;
        int32_t exponent = (int32_t)(wide >> 23 & 255) - 127;
        exponent = exponent < least ? least : exponent;
        largest = magnitude > largest ? magnitude : largest;
        numbers->value[i] = f32_of_bits(wide);
        numbers->exponent[i] = (int16_t)(is_zero ? zero : exponent);
    }
    numbers->special = largest >= infinity;
}

ALWAYS_INLINE void take_apart_as(Format format, const uint32_t *bits, uint32_t count, int32_t zero,
                                 int32_t least, Numbers *numbers) {
    take_apart_with(format, bits, count, zero, least, false, numbers);
    if (numbers->special)
        take_apart_with(format, bits, count, zero, least, true, numbers);
    numbers->least = -14;
    numbers->most = 15;
    if (format.exponent == 8)
        find_range(numbers, count, zero);
}

static void take_apart(const uint32_t *bits, uint32_t count, Type type, int32_t zero, int32_t least,
                       Numbers *numbers) {
    switch (type) {
    case TYPE_BF16:
        take_apart_as((Format){8, 7}, bits, count, zero, -126, numbers);
        break;
    case TYPE_TF32:
        take_apart_as((Format){8, 10}, bits, count, zero, -126, numbers);
        break;
    case TYPE_F32:
        take_apart_as((Format){8, 23}, bits, count, zero, -126, numbers);
        break;
    default:
        take_apart_as((Format){5, 10}, bits, count, zero, least, numbers);
        break;
    }
}

/* Significands instead of the numbers: value / 2^exponent, in two steps because of the range. */
static void reduce(uint32_t count, Numbers *numbers) {
    LANES for (uint32_t i = 0; i < count; i++) {
        int32_t given = numbers->exponent[i], exponent = given <= EXPONENT_LEAST ? 0 : given;
        int32_t half = exponent >> 1;
        float first = f32_of_bits((uint32_t)(127 - half) << 23);
        float second = f32_of_bits((uint32_t)(127 - exponent + half) << 23);
        numbers->value[i] = numbers->value[i] * first * second;
    }
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
    if (type == TYPE_F16 || type == TYPE_BF16)
        return;
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
    return type == TYPE_E4M3 && product->kept == SUM_BITS_FP8 ? -6 : -14;
}

/* ---- one step for COLUMNS results of a row, side by side, in two halves ---- */

enum { HALF = COLUMNS_FUSED / 2 };

typedef int16_t Shorts __attribute__((vector_size(2 * COLUMNS_FUSED), may_alias));
typedef int16_t ShortColumn __attribute__((vector_size(2 * HALF), may_alias));
typedef int32_t Column __attribute__((vector_size(4 * HALF), may_alias));
typedef float FloatColumn __attribute__((vector_size(4 * HALF), may_alias));

/* Aligned: rows of COLUMNS_FUSED. */
#define LOAD(Type, from) (*(const Type *)(const void *)(from))
#define STORE(Type, to, value) (*(Type *)(void *)(to) = (value))

/* The greater and lesser ones; macros, as are the others, because a function of vectors has another
 * interface on each level. */
#define GREATER(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))
#define LESSER(a, b) (((a) & ((a) < (b))) | ((b) & ~((a) < (b))))
/* 2^-distance; zero where it would be less than 2^-126, and 2^127 where it would be more. */
#define POWER(distance)                                                                            \
    ((FloatColumn)((LESSER(127 - (distance), (Column){0} + 254) & ~((127 - (distance)) >> 31))     \
                   << 23))
/* What is left of it as an integer: cut off towards zero. */
#define CUT_OFF(numbers) __builtin_convertvector(numbers, Column)

typedef struct SumStep {
    Numbers a, b, c;
    const Product *product;
    const Matrices *matrices;
    bool f16;  /* the sums are rounded to f16 */
    bool near; /* products of a and b are f32; else a and b are reduced */
    bool tiny; /* or not near: sums may be subnormal, and c too small to be aligned as f32 */
    uint32_t first, end; /* the products along k */
} SumStep;

/* Of a row: products, c, and the exponents that they are aligned to. */
typedef struct Sums {
    _Alignas(32) int32_t products[COLUMNS_FUSED], c[COLUMNS_FUSED], top[COLUMNS_FUSED];
} Sums;

/* The largest exponents of products and c. pick: of a sparse A, or NULL. */
ALWAYS_INLINE void find_tops(const SumStep *step, uint32_t i, uint32_t block, const uint16_t *pick,
                             Sums *sums) {
    const Product *product = step->product;
    uint32_t n = product->pitch;
    const int16_t *exponent = &step->a.exponent[i * product->k];
    const int16_t *exponents = &step->b.exponent[block];
    const int16_t *row = &exponents[step->first * n];
    Shorts most = LOAD(Shorts, &step->c.exponent[i * n + block]), other = most;
#pragma GCC unroll 2
    for (uint32_t p = step->first; p < step->end; p += 2) { /* two chains are faster than one */
        const int16_t *first = pick ? &exponents[pick[p] * n] : row;
        const int16_t *second = pick ? &exponents[pick[p + 1] * n] : row + n;
        Shorts even = exponent[p] + LOAD(Shorts, first);
        Shorts odd = exponent[p + 1] + LOAD(Shorts, second);
        row += 2 * n;
        most = GREATER(most, even);
        other = GREATER(other, odd);
    }
    most = GREATER(most, other);
    _Alignas(32) int16_t tops[COLUMNS_FUSED];
    STORE(Shorts, tops, most);
    STORE(Column, sums->top, __builtin_convertvector(LOAD(ShortColumn, tops), Column));
    STORE(Column, &sums->top[HALF],
          __builtin_convertvector(LOAD(ShortColumn, &tops[HALF]), Column));
}

/* The products, and c, in units of 2^(top - product->kept). */
ALWAYS_INLINE void sum_near(const SumStep *step, uint32_t i, uint32_t block, const uint16_t *pick,
                            Sums *sums) {
    const Product *product = step->product;
    uint32_t n = product->pitch;
    const float *factor = &step->a.value[i * product->k], *factors = &step->b.value[block];
    const float *c = &step->c.value[i * n + block], *row = &factors[step->first * n];
    int32_t kept = (int32_t)product->kept;
    FloatColumn first = POWER(LOAD(Column, sums->top) - kept);
    FloatColumn second = POWER(LOAD(Column, &sums->top[HALF]) - kept);
    Column left = {0}, right = {0};
#pragma GCC unroll 4
    for (uint32_t p = step->first; p < step->end; p++) {
        const float *these = pick ? &factors[pick[p] * n] : row;
        left += CUT_OFF(factor[p] * LOAD(FloatColumn, these) * first);
        right += CUT_OFF(factor[p] * LOAD(FloatColumn, these + HALF) * second);
        row += n;
    }
    STORE(Column, sums->products, left);
    STORE(Column, &sums->products[HALF], right);
    STORE(Column, sums->c, CUT_OFF(LOAD(FloatColumn, c) * first));
    STORE(Column, &sums->c[HALF], CUT_OFF(LOAD(FloatColumn, c + HALF) * second));
}

/* The products where a and b are significands only. */
static void sum_far(const SumStep *step, uint32_t i, uint32_t block, Sums *sums) {
    const Product *product = step->product;
    memset(sums->products, 0, sizeof sums->products);
    for (uint32_t p = step->first; p < step->end; p++) {
        uint32_t a = i * product->k + p;
        uint32_t row = product->sparse ? step->matrices->pick[a] : p;
        int32_t below = step->a.exponent[a] + (int32_t)product->kept;
        for (uint32_t half = 0; half < COLUMNS_FUSED; half += HALF) {
            uint32_t b = row * product->pitch + block + half;
            Column exponent =
                __builtin_convertvector(LOAD(ShortColumn, &step->b.exponent[b]), Column);
            Column distance = LOAD(Column, &sums->top[half]) - exponent - below;
            FloatColumn both = step->a.value[a] * LOAD(FloatColumn, &step->b.value[b]);
            STORE(Column, &sums->products[half],
                  LOAD(Column, &sums->products[half]) + CUT_OFF(both * POWER(distance)));
        }
    }
}

/* ---- from sums to results, QUARTER at a time ---- */

enum { QUARTER = 4 };

typedef int32_t Quarter __attribute__((vector_size(4 * QUARTER), may_alias));
typedef float FloatQuarter __attribute__((vector_size(4 * QUARTER), may_alias));
typedef double Wide __attribute__((vector_size(8 * QUARTER)));
typedef int64_t WideBits __attribute__((vector_size(8 * QUARTER)));

ALWAYS_INLINE void value_of(const SumStep *step, const Sums *sums, uint32_t at, Wide *value) {
    Quarter top = LOAD(Quarter, &sums->top[at]) + (1023 - (int32_t)step->product->kept);
    WideBits scale = __builtin_convertvector(top, WideBits) << 52;
    Wide products = __builtin_convertvector(LOAD(Quarter, &sums->products[at]), Wide);
    *value = (products + __builtin_convertvector(LOAD(Quarter, &sums->c[at]), Wide)) * (Wide)scale;
}

/* Towards zero, to a multiple of the least subnormal number: an integer first, which has no
 * negative zero. */
static void finish_subnormals(const SumStep *step, const Sums *sums, uint32_t *d) {
    for (uint32_t j = 0; j < COLUMNS_FUSED; j++) {
        int32_t scale = sums->top[j] - (int32_t)step->product->kept;
        double value = ldexp((double)sums->products[j] + sums->c[j], scale);
        if (fabs(value) < 0x1p-126)
            d[j] = bits_of_f32((float)(int64_t)(value * 0x1p149) * 0x1p-149f);
    }
}

ALWAYS_INLINE void finish_f32(const SumStep *step, const Sums *sums, uint32_t *d) {
    uint32_t fraction = step->product->kept < 23 ? step->product->kept : 23;
    const int64_t lost = (INT64_C(1) << (52 - fraction)) - 1;
    for (uint32_t at = 0; at < COLUMNS_FUSED; at += QUARTER) {
        Wide value;
        value_of(step, sums, at, &value);
        FloatQuarter result =
            __builtin_convertvector((Wide)((WideBits)value & ~lost), FloatQuarter);
        memcpy(&d[at], &result, sizeof result);
    }
    if (step->tiny) /* else sums are zero or at least 2^(NEAR_LEAST - kept) */
        finish_subnormals(step, sums, d);
}

/* For f16, first an f32 that is odd where it is not exact: that can be rounded again. */
ALWAYS_INLINE void finish_odd(const SumStep *step, const Sums *sums, uint32_t *d) {
    for (uint32_t at = 0; at < COLUMNS_FUSED; at += QUARTER) {
        Wide value;
        value_of(step, sums, at, &value);
        WideBits bits = (WideBits)value, lost = bits & 0x1fffffff;
        bits = (bits - lost) | ((lost > 0) & (INT64_C(1) << 29));
        FloatQuarter odd = __builtin_convertvector((Wide)bits, FloatQuarter);
        memcpy(&d[at], &odd, sizeof odd);
    }
}

/* To nearest even. */
static void round_to_f16(uint32_t *d, uint32_t count) {
    LANES for (uint32_t i = 0; i < count; i++) {
        uint32_t half = f16_bits_of_f32(d[i]);
        d[i] = half & 0x7fff ? half : 0;
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

/* What the infinities and NaNs among the products and c make of a result, if there are any. */
static void special_result(const SumStep *step, const uint32_t *c, uint32_t i, uint32_t j,
                           uint32_t *d) {
    const Product *product = step->product;
    const Matrices *matrices = step->matrices;
    Format factor = format_of(product->a), sum = format_of(step->f16 ? TYPE_F16 : TYPE_F32);
    uint32_t sign = factor.exponent + factor.fraction, at = i * product->pitch + j;
    Kind kind = kind_of(c[at], sum);
    bool nan = kind == KIND_NAN, infinite[2] = {false, false};
    infinite[c[at] >> (sum.exponent + sum.fraction) & 1] = kind == KIND_INFINITY;
    for (uint32_t p = step->first; p < step->end; p++) {
        uint32_t row = product->sparse ? matrices->pick[i * product->k + p] : p;
        uint32_t a = matrices->a.word[i * product->k + p];
        uint32_t b = matrices->b.word[row * product->pitch + j];
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

/* c where 2^(kept - top) may be no f32. */
static void align_c(const SumStep *step, uint32_t at, Sums *sums) {
    for (uint32_t j = 0; j < COLUMNS_FUSED; j++)
        sums->c[j] = (int32_t)ldexp((double)step->c.value[at + j],
                                    (int32_t)step->product->kept - sums->top[j]);
}

ALWAYS_INLINE void sum_row(const SumStep *step, uint32_t i, uint32_t block, const uint16_t *pick,
                           uint32_t *d) {
    uint32_t at = i * step->product->pitch + block;
    Sums sums;
    find_tops(step, i, block, pick, &sums);
    if (step->near)
        sum_near(step, i, block, pick, &sums);
    else
        sum_far(step, i, block, &sums);
    if (step->tiny)
        align_c(step, at, &sums);
    if (step->f16)
        finish_odd(step, &sums, &d[at]);
    else
        finish_f32(step, &sums, &d[at]);
}

/* sums = a * b (the products of the step) + c. */
static void run_step(SumStep *step, const uint32_t *c, uint32_t *sums) {
    const Product *product = step->product;
    uint32_t m = product->m, pitch = product->pitch;
    take_apart(c, m * pitch, step->f16 ? TYPE_F16 : TYPE_F32, EXPONENT_LEAST, -14, &step->c);
    step->tiny = !step->near || step->c.least < NEAR_LEAST;
    for (uint32_t i = 0; i < m; i++)
        for (uint32_t block = 0; block < product->n; block += COLUMNS_FUSED)
            if (product->sparse)
                sum_row(step, i, block, &step->matrices->pick[i * product->k], sums);
            else
                sum_row(step, i, block, NULL, sums);
    if (step->f16)
        round_to_f16(sums, m * pitch);
    if (step->a.special || step->b.special || step->c.special)
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < product->n; j++)
                special_result(step, c, i, j, &sums[i * pitch + j]);
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
    uint32_t count = product->m * product->pitch;
    uint32_t *c = matrices->c.word, *d = matrices->d.word, partial[RESULT_ELEMENTS];
    assert(product->step <= STEP_MOST);
    step.product = product;
    step.matrices = matrices;
    step.f16 = product->c == TYPE_F16 && product->d == TYPE_F16;
    uint32_t depth = product->k * (product->sparse ? 2 : 1);
    uint32_t a_count = product->m * product->k, b_count = depth * product->pitch;
    prepare(matrices->a.word, a_count, product->a);
    prepare(matrices->b.word, b_count, product->b);
    take_apart(matrices->a.word, a_count, product->a, EXPONENT_ZERO, least_of(product, product->a),
               &step.a);
    take_apart(matrices->b.word, b_count, product->b, EXPONENT_ZERO, least_of(product, product->b),
               &step.b);
    step.near = step.a.least + step.b.least >= NEAR_LEAST && step.a.most + step.b.most <= NEAR_MOST;
    if (!step.near) {
        reduce(a_count, &step.a);
        reduce(b_count, &step.b);
    }
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
