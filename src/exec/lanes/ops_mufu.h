/* ops_mufu.h: the approximations (.approx) bit for bit as the multi-function unit of an NVIDIA H100
 * computes them.
 *
 * The unit interpolates with squares in a table of segments (Oberman and Siu, "A high-performance
 * area-efficient multifunction interpolator", 2005): the upper bits of the operand's fraction choose
 * a segment, the 17 bits below are the place f in it, and the result is c0 + c1 f + c2 f^2 without
 * its last digits. The square is a truncated one: partial products of weight 2^18 and less are left
 * out (square()). The tables (mufu.def), what is left out, and the constant that makes up for it
 * were found from results of the GPU, and give all of them (tests/vectors, docs/gpu-comparison.md).
 *
 * Everything here is exact in double precision until a result loses its last digits, so neither
 * fused operations nor the level of the processor make a difference. Without .ftz the machine code
 * scales operands and results around the unit's instruction; the functions say how. */
#pragma once

#include "exec/lanes/ops_float.h"

/* A segment in one word, so that a lane reads its table once: from the top 8 c0 (31 bits), c1 (19), 2 c2 (14); the latter two
 * are signed, and so much is added that they are not. */
#define C1_BIAS 0x1p18
#define C2_BIAS 0x1p13
#define SEGMENT(c0, c1, c2)                                                                        \
    ((uint64_t)(c0) << 33 | (uint64_t)((c1) + (int64_t)C1_BIAS) << 14 |                            \
     (uint64_t)((c2) + (int64_t)C2_BIAS)),
static const uint64_t reciprocal_segments[128] = {
#define RECIPROCAL SEGMENT
#include "exec/lanes/mufu.def"
};
static const uint64_t root_reciprocal_segments[128] = {
#define ROOT_RECIPROCAL SEGMENT
#include "exec/lanes/mufu.def"
};
static const uint64_t root_segments[128] = {
#define ROOT SEGMENT
#include "exec/lanes/mufu.def"
};
static const uint64_t power_segments[64] = {
#define POWER SEGMENT
#include "exec/lanes/mufu.def"
};
static const uint64_t logarithm_segments[64] = {
#define LOGARITHM SEGMENT
#include "exec/lanes/mufu.def"
};
static const uint64_t sine_segments[64] = {
#define SINE SEGMENT
#include "exec/lanes/mufu.def"
};
#undef SEGMENT
/* Of larger numbers, which are read one by one. */
typedef struct Segment {
    int32_t c0, c1, c2; /* 8 c0, c1, 2 c2 */
} Segment;
static const Segment tangent_segments[51] = {
#define TANGENT(exponent, c0, c1, c2) {c0, c1, c2},
#include "exec/lanes/mufu.def"
};
static const int32_t tangent_exponents[51] = {
#define TANGENT(exponent, c0, c1, c2) exponent,
#include "exec/lanes/mufu.def"
};

/* ---- the interpolator ---- */

/* x^2 / 2^19 for 17 bits, of the partial products only those that are whole: x_i x_j 2^(i+j+1), i < j,
 * and x_i 2^(2i), of weight 2^19 and more. Those of the upper eight bits are their square but for
 * x_9; of the others, bit i has partners from bit 18 - i on. */
ALWAYS_INLINE uint32_t square(uint32_t x) {
    const uint32_t upper = x >> 9;
    uint32_t sum = upper * upper >> 1;
    for (uint32_t i = 2; i < 9; i++)
        sum += x >> i & 1 ? x >> (18 - i) : 0;
    return sum;
}

/* In units of 2^-23. place: 17 bits. */
ALWAYS_INLINE double parabola(double c0, double c1, double c2, uint32_t place, double bias) {
    const double linear = c1 * (double)(int32_t)place;
    const double quadratic = c2 * (double)(int32_t)square(place);
    return c0 * 0x1p-3 + bias + linear * 0x1p-17 + quadratic * 0x1p-16;
}
/* A whole number below 2^52 as the fraction of one above it: vectors of 64 bits have no conversion before AVX-512. */
ALWAYS_INLINE double double_of(uint64_t whole) {
    return f64_of_bits(UINT64_C(0x4330000000000000) | whole) - 0x1p52;
}
ALWAYS_INLINE double interpolate(const uint64_t *segments, uint32_t segment, uint32_t place,
                                 double bias) {
    const uint64_t packed = segments[segment];
    const double c0 = double_of(packed >> 33), c1 = double_of(packed >> 14 & 0x7ffff) - C1_BIAS;
    const double c2 = double_of(packed & 0x3fff) - C2_BIAS;
    return parabola(c0, c1, c2, place, bias);
}
/* A number of 23 or 24 bits: the segment, and 17 bits of place. */
ALWAYS_INLINE double interpolate_at(const uint64_t *segments, uint32_t fraction, double bias) {
    return interpolate(segments, fraction >> 17, fraction & 0x1ffff, bias);
}

/* ---- floating point as parts ---- */

typedef struct Parts {
    int32_t exponent;
    uint32_t fraction; /* 23 bits: the number is (1 + fraction / 2^23) 2^exponent */
} Parts;

ALWAYS_INLINE Parts parts_of(float a) { /* subnormal numbers are normal in double precision */
    const uint64_t bits = bits_of_f64((double)a);
    return (Parts){(int32_t)(bits >> 52 & 0x7ff) - 1023, (uint32_t)(bits >> 29) & 0x7fffff};
}
ALWAYS_INLINE double power_of_two(int32_t exponent) {
    return f64_of_bits((uint64_t)(exponent + 1023) << 52);
}
/* Of a number whose float is not subnormal. */
ALWAYS_INLINE float toward_zero(double value) {
    return (float)f64_of_bits(bits_of_f64(value) & ~UINT64_C(0x1fffffff));
}
/* A result of 24 digits: to nearest where it is subnormal, or with .ftz to zero. */
ALWAYS_INLINE float scaled_result(double value, bool ftz) {
    const float result = (float)value;
    return ftz && fabs(value) < 0x1p-126 ? copysignf(0, result) : result;
}

/* condition ? yes : no, as bits: of two questions after one condition gcc makes two ways through the
 * function, the table is read on one of them, and the loop over the lanes stays one of scalars. */
ALWAYS_INLINE float either(bool condition, float yes, float no) {
    const uint32_t mask = 0 - (uint32_t)condition;
    return f32_of_bits((bits_of_f32(yes) & mask) | (bits_of_f32(no) & ~mask));
}

/* ---- the functions ---- */

ALWAYS_INLINE float rcp_approx_f32(float a, bool ftz) {
    const Parts x = parts_of(a);
    const double digits = floor(interpolate(reciprocal_segments, x.fraction >> 16,
                                            x.fraction << 1 & 0x1ffff, 8094 * 0x1p-17)) +
                          0x1p23;
    const float result = scaled_result(digits * power_of_two(-24 - x.exponent), ftz);
    const float magnitude = a == 0 ? INFINITY : fabsf(a) == INFINITY ? 0 : result;
    return a != a ? a : copysignf(magnitude, a);
}

/* The exponent's last bit belongs to the fraction. */
ALWAYS_INLINE float rsqrt_approx_f32(float a) {
    const Parts x = parts_of(a);
    const uint32_t odd = (uint32_t)x.exponent & 1, fraction = odd << 23 | x.fraction;
    const double digits =
        floor(interpolate_at(root_reciprocal_segments, fraction, -0x1p-17)) + 0x1p23;
    const double exact = fraction == 0 ? 0x1p24 : digits; /* powers of four */
    const float result = (float)(exact * power_of_two(-24 - (x.exponent - (int32_t)odd) / 2));
    return a == 0 ? copysignf(INFINITY, a) : a > 0 ? a == INFINITY ? 0 : result : NAN;
}
ALWAYS_INLINE float sqrt_approx_f32(float a) {
    const Parts x = parts_of(a);
    const uint32_t odd = (uint32_t)x.exponent & 1, fraction = odd << 23 | x.fraction;
    const double digits = floor(interpolate_at(root_segments, fraction, -0x1p-17)) + 0x1p23;
    const float result = (float)(digits * power_of_two((x.exponent - (int32_t)odd) / 2 - 23));
    return a == 0 || a == INFINITY ? a : a > 0 ? result : NAN;
}

/* The operand becomes a fixed-point number with 23 bits behind the point; a negative one the
 * complement of its bits, where that is not a whole number. */
ALWAYS_INLINE float ex2_unit(float a) {
    const int32_t size = (int32_t)((fabsf(a) < 200 ? fabsf(a) : 200) * 0x1p23f);
    const int32_t negative = -size - ((size & 0x7fffff) != 0 ? 1 : 0);
    const int32_t fixed = a < 0 ? negative : size, exponent = fixed >> 23;
    const double digits =
        interpolate_at(power_segments, (uint32_t)fixed & 0x7fffff, 24458 * 0x1p-17);
    const uint32_t bits = (uint32_t)(int32_t)digits + ((uint32_t)(exponent + 127) << 23);
    const float number = f32_of_bits(bits);
    const float result = exponent < -126 ? 0 : exponent > 127 ? INFINITY : number;
    return a != a ? a : result;
}
/* Without .ftz: half the operand and the result's square, where it may be subnormal. */
ALWAYS_INLINE float ex2_f32(float a, bool ftz) {
    const bool small = !ftz && a < -126;
    const float value = ex2_unit(small ? a * 0.5f : a);
    return small ? value * value : value;
}

/* The sum with the exponent has 36 bits behind the point; a negative one gives the complement of its
 * bits. */
ALWAYS_INLINE float lg2_unit(float a) {
    const Parts x = parts_of(a);
    const double digits = interpolate_at(logarithm_segments, x.fraction, 3349 * 0x1p-17);
    const double sum = (double)x.exponent * 0x1p36 + floor(digits * 0x1p13);
    return toward_zero((a == 1 ? 0 : sum < 0 ? sum + 1 : sum) * 0x1p-36);
}
/* A subnormal operand is scaled by 2^24. */
ALWAYS_INLINE float lg2_f32(float a) {
    const bool small = a < 0x1p-126f;
    const float value = lg2_unit(small ? a * 0x1p24f : a);
    const float finite = small ? value - 24 : value;
    return a == 0 ? -INFINITY : a > 0 ? a < INFINITY ? finite : a : NAN;
}

/* Of turns: in 25 bits behind the point, two for the quadrant and 23 for the place in it, which counts
 * backwards in every second one. */
ALWAYS_INLINE float sine_of_turns(float turns, uint32_t quarters) {
    const double fraction = (double)turns - floor((double)turns);
    const uint32_t turn = (uint32_t)(int32_t)(fraction * 0x1p25) + (quarters << 23);
    const uint32_t place = turn & 0x7fffff, backwards = turn >> 23 & 1;
    const double value = interpolate_at(sine_segments, place ^ (backwards * 0x7fffff), 0) * 0x1p-23;
    const float magnitude = either(place != 0, toward_zero(value), (float)(int32_t)backwards);
    return f32_of_bits(bits_of_f32(magnitude) ^ (turn >> 24 << 31));
}
/* What the unit does. */
ALWAYS_INLINE float sin_of_turns_f32(float a) {
    const float value = sine_of_turns(either(a - a == 0, fabsf(a), 0), 0);
    const uint32_t sign = bits_of_f32(a) & UINT32_C(1) << 31;
    return either(a - a == 0, f32_of_bits(bits_of_f32(value) ^ sign), NAN);
}
ALWAYS_INLINE float cos_of_turns_f32(float a) {
    const float value = sine_of_turns(either(a - a == 0, fabsf(a), 0), 1);
    return either(a - a == 0, value, NAN);
}
/* a / 2 pi in single precision, rounded to zero (what is subnormal is 0 of the unit's turns, however
 * it is rounded). */
ALWAYS_INLINE float turns_of_f32(float a) {
    return either(a - a == 0, toward_zero((double)a * (double)0x1.45f306p-3f), a);
}
ALWAYS_INLINE float sin_f32(float a) {
    return sin_of_turns_f32(turns_of_f32(a));
}
ALWAYS_INLINE float cos_f32(float a) {
    return cos_of_turns_f32(turns_of_f32(a));
}

/* Below 2^-8 the operand itself; each power of two above has its own number of segments. */
ALWAYS_INLINE float tanh_f32(float a) {
    static const uint32_t first[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
    static const uint32_t bits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
    const float size = fabsf(a);
    const float below = size < 8 ? size : 7;
    const Parts x = parts_of(below < 0x1p-8f ? 0x1p-8f : below);
    const uint32_t octave = (uint32_t)(x.exponent + 8);
    const uint32_t segment = first[octave] + (x.fraction >> (23 - bits[octave]));
    const uint32_t place = x.fraction >> (6 - bits[octave]) & 0x1ffff;
    const Segment *s = &tangent_segments[segment];
    const double value =
        parabola(s->c0, s->c1, s->c2, place, 0) * power_of_two(tangent_exponents[segment] - 23);
    const float inside = size < 8 ? toward_zero(value) : 1;
    const float magnitude = size < 0x1p-8f ? size : inside;
    return a != a ? a : copysignf(magnitude, a);
}

/* ---- double precision: of the upper 32 bits of the operand, to the upper 32 bits of the result; subnormal
 * operands and results are flushed, what is a NaN by its upper bits becomes 0x7fffffff00000000 ---- */

ALWAYS_INLINE double upper_f64(double value) {
    const uint64_t bits = bits_of_f64(value) & UINT64_C(0xffffffff00000000);
    const uint64_t flushed = bits & UINT64_C(0x7ff0000000000000) ? bits : bits & UINT64_C(1) << 63;
    const double upper = f64_of_bits(flushed);
    return upper != upper ? f64_of_bits(UINT64_C(0x7fffffff00000000)) : upper;
}
/* 21 digits of 2^-21 * 2^exponent, in two steps that stay within the range of exponents. */
ALWAYS_INLINE double scaled_upper(double digits, int32_t exponent) {
    const int32_t half = exponent / 2;
    return upper_f64(digits * power_of_two(half - 21) * power_of_two(exponent - half));
}
ALWAYS_INLINE double rcp_upper_f64(double value) {
    const double a = upper_f64(value);
    const uint64_t bits = bits_of_f64(a);
    const uint32_t fraction = (uint32_t)(bits >> 32 & 0xfffff) << 3;
    const double digits =
        interpolate(reciprocal_segments, fraction >> 16, fraction << 1 & 0x1ffff, 8094 * 0x1p-17);
    const double result =
        scaled_upper(floor(digits * 0x1p-3) + 0x1p20, 1023 - (int32_t)(bits >> 52 & 0x7ff));
    const double magnitude = a == 0 ? INFINITY : fabs(a) == INFINITY ? 0 : result;
    return a != a ? a : copysign(magnitude, a);
}
ALWAYS_INLINE double rsqrt_upper_f64(double value) {
    const double a = upper_f64(value);
    const uint64_t bits = bits_of_f64(a);
    const int32_t exponent = (int32_t)(bits >> 52 & 0x7ff) - 1023;
    const uint32_t odd = (uint32_t)exponent & 1;
    const uint32_t fraction = odd << 23 | (uint32_t)(bits >> 32 & 0xfffff) << 3;
    const double digits = interpolate_at(root_reciprocal_segments, fraction, -0x1p-17);
    const double exact = fraction == 0 ? 0x1p21 : floor(digits * 0x1p-3) + 0x1p20;
    const double result = scaled_upper(exact, -(exponent - (int32_t)odd) / 2);
    const double invalid = f64_of_bits(UINT64_C(0x7fffffff00000000));
    return a == 0   ? copysign(INFINITY, a)
           : a > 0  ? a == INFINITY ? 0 : result
           : a != a ? a
                    : invalid;
}

/* The unit's own operand and result. */
ALWAYS_INLINE double double_of_upper(uint32_t word) {
    return f64_of_bits((uint64_t)word << 32);
}
ALWAYS_INLINE uint32_t upper_word(double value) {
    return (uint32_t)(bits_of_f64(value) >> 32);
}

/* Without .ftz: two steps of an iteration to full precision, of an operand that is brought near 1. */
ALWAYS_INLINE double rsqrt_approx_f64(double a) {
    const uint64_t bits = bits_of_f64(a);
    const bool small = a < 0x1p-1022;
    const double x = small ? a * 0x1p54 : a, y = rsqrt_upper_f64(x);
    const double error = fma(x, -(y * y), 1.0);
    const double value = fma(fma(error, 0.375, 0.5), error * y, y);
    const double finite = small ? value * 0x1p27 : value;
    const double special =
        a == 0 ? f64_of_bits((bits & UINT64_C(1) << 63) | UINT64_C(0x7ff) << 52) : 0;
    return nan_f64(a > 0 && a < INFINITY ? finite : a == 0 || a > 0 ? special : NAN, a, a, a);
}

/* ---- division: a * (1 / b). Without .ftz both are scaled where b is subnormal; div.full also where its
 * reciprocal would be ---- */

ALWAYS_INLINE float divide_scaled(float a, float b, float scale, bool ftz) {
    const float x = a * scale, y = rcp_approx_f32(b * scale, true);
    return ftz ? unless_tiny_f32(x * y, x * 0x1p64f * y) : x * y;
}
ALWAYS_INLINE float div_approx_f32(float a, float b, bool ftz) {
    return divide_scaled(a, b, !ftz && fabsf(b) < 0x1p-126f ? 0x1p24f : 1, ftz);
}
ALWAYS_INLINE float div_full_f32(float a, float b, bool ftz) {
    const float scale = !ftz && fabsf(b) < 0x1p-126f ? 0x1p24f : 1;
    return divide_scaled(a, b, fabsf(b) > 0x1p126f ? 0.25f : scale, ftz);
}
