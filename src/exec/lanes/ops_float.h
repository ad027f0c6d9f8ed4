/* ops_float.h: floating-point functions of one lane for the expressions of ops.def, and what
 * surrounds an expression: .ftz, .sat and the form of a NaN. After the PTX ISA manual, section
 * 9.7.3.
 *
 * NaN. A single-precision result that is a NaN is 0x7fffffff (CUDA programming guide,
 * "Floating-Point Standard"). Double precision passes payloads on: the result is the last
 * operand that is a NaN (of a division, the first), quieted; where no operand is one (infinity minus
 * infinity …) it is 0xfff8000000000000, the CUDART_NAN of CUDA's math_constants.h. So does an H100
 * (tests/vectors). Written out because processors and compilers choose between two NaN operands as
 * they like.
 *
 * .ftz flushes operands and results that are subnormal to a zero of the same sign. Whether a result
 * is subnormal is judged as if its exponent had no limit: 2^-126 (1 - 2^-24) does not become 2^-126.
 * .sat clamps to [0, 1], NaN to +0. */
#pragma once

#include "exec/lanes/ops.h"

#include <math.h>
#include <string.h>

ALWAYS_INLINE uint32_t bits_of_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
ALWAYS_INLINE float f32_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
ALWAYS_INLINE uint64_t bits_of_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
ALWAYS_INLINE double f64_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- around an expression ---- */

ALWAYS_INLINE float flush_f32(float value) {
    uint32_t bits = bits_of_f32(value);
    return f32_of_bits(bits & 0x7f800000 ? bits : bits & 0x80000000);
}
ALWAYS_INLINE double flush_f64(double value) { /* no double-precision row has .ftz */
    return value;
}
ALWAYS_INLINE float saturate_f32(float value) {
    return value > 0 ? value < 1 ? value : 1 : 0;
}
ALWAYS_INLINE double saturate_f64(double value) {
    return value > 0 ? value < 1 ? value : 1 : 0;
}
ALWAYS_INLINE float canonical_f32(float value) {
    return value != value ? f32_of_bits(0x7fffffff) : value;
}
ALWAYS_INLINE double canonical_f64(double value) { /* the rows call nan_f64 */
    return value;
}
/* The operands in the order in which one that is a NaN counts. Chosen one after the other, without a branch: see jit/nan.c. */
ALWAYS_INLINE double nan_f64(double value, double first, double second, double third) {
    double nan = f64_of_bits(UINT64_C(0xfff8000000000000));
    nan = third != third ? third : nan;
    nan = second != second ? second : nan;
    nan = first != first ? first : nan;
    nan = f64_of_bits(bits_of_f64(nan) | UINT64_C(0x0008000000000000));
    return value != value ? nan : value;
}

/* ---- pairs: .ftz, .sat and the form of a NaN are those of each half ---- */

ALWAYS_INLINE float low_f32(uint64_t pair) {
    return f32_of_bits((uint32_t)pair);
}
ALWAYS_INLINE float high_f32(uint64_t pair) {
    return f32_of_bits((uint32_t)(pair >> 32));
}
ALWAYS_INLINE uint64_t pair_f32(float low, float high) {
    return (uint64_t)bits_of_f32(high) << 32 | bits_of_f32(low);
}
ALWAYS_INLINE uint64_t flush_f32x2(uint64_t value) {
    return value;
}
ALWAYS_INLINE uint64_t saturate_f32x2(uint64_t value) {
    return value;
}
ALWAYS_INLINE uint64_t canonical_f32x2(uint64_t value) {
    return value;
}

/* ---- with .ftz: results that round up to the least normal number, told by the result for operands
 * 2^64 times as large ---- */

ALWAYS_INLINE float unless_tiny_f32(float value, float scaled) {
    return fabsf(scaled) < 0x1p-62f ? copysignf(0, value) : value;
}
ALWAYS_INLINE float mul_f32(float a, float b, bool ftz) {
    return ftz ? unless_tiny_f32(a * b, a * 0x1p64f * b) : a * b;
}
ALWAYS_INLINE float fma_f32(float a, float b, float c, bool ftz) {
    float value = fmaf(a, b, c);
    return ftz ? unless_tiny_f32(value, fmaf(a * 0x1p64f, b, c * 0x1p64f)) : value;
}
ALWAYS_INLINE float div_f32(float a, float b, bool ftz) {
    return ftz ? unless_tiny_f32(a / b, a * 0x1p64f / b) : a / b;
}

/* FCHK: where ptxas's a (1 / b) and its one correction, without scaling, may not give a / b: what is no normal
 * divisor or has a subnormal reciprocal; a quotient close to the limits; a dividend whose remainder would be
 * subnormal. Measured on an H200 for all pairs of exponents; fractions and signs have no part in it. What is left to each limit:
 * below 0 where one is passed. */
ALWAYS_INLINE int32_t fchk_rooms(float a, float b) {
    const int32_t dividend = (int32_t)(bits_of_f32(a) >> 23 & 255);
    const int32_t divisor = (int32_t)(bits_of_f32(b) >> 23 & 255);
    const int32_t quotient = dividend - divisor;
    return (divisor - 2) | (251 - divisor) | (dividend - 25) | (254 - dividend) | (126 - quotient) |
           (quotient + 124);
}
ALWAYS_INLINE bool fchk_f32(float a, float b) {
    return fchk_rooms(a, b) < 0;
}

/* ---- min, max: the other operand where one is a NaN, and -0 < +0 ---- */

ALWAYS_INLINE float min_f32(float a, float b) {
    float equal = f32_of_bits(bits_of_f32(a) | bits_of_f32(b));
    return a < b ? a : b < a ? b : a == b ? equal : a != a ? b : a;
}
ALWAYS_INLINE float max_f32(float a, float b) {
    float equal = f32_of_bits(bits_of_f32(a) & bits_of_f32(b));
    return a > b ? a : b > a ? b : a == b ? equal : a != a ? b : a;
}
ALWAYS_INLINE double min_f64(double a, double b) {
    double equal = f64_of_bits(bits_of_f64(a) | bits_of_f64(b));
    return a < b ? a : b < a ? b : a == b ? equal : a != a ? b : a;
}
ALWAYS_INLINE double max_f64(double a, double b) {
    double equal = f64_of_bits(bits_of_f64(a) & bits_of_f64(b));
    return a > b ? a : b > a ? b : a == b ? equal : a != a ? b : a;
}
/* Whether a is what min_f64 or max_f64 gives. */
ALWAYS_INLINE bool is_min_f64(double a, double b) {
    const bool equal = a == b && bits_of_f64(a) >= bits_of_f64(b); /* of zeros, -0 */
    return a < b || equal || (a == a && b != b);
}
ALWAYS_INLINE bool is_max_f64(double a, double b) {
    const bool equal = a == b && bits_of_f64(a) <= bits_of_f64(b);
    return a > b || equal || (a == a && b != b);
}
/* .NaN */
ALWAYS_INLINE float min_nan_f32(float a, float b) {
    return a != a ? a : b != b ? b : min_f32(a, b);
}
ALWAYS_INLINE float max_nan_f32(float a, float b) {
    return a != a ? a : b != b ? b : max_f32(a, b);
}
/* .xorsign.abs: `value` is that of the magnitudes; its sign becomes that of a times that of b. */
ALWAYS_INLINE float xorsign_f32(float value, float a, float b) {
    uint32_t sign = (bits_of_f32(a) ^ bits_of_f32(b)) & 0x80000000;
    return value != value ? value : f32_of_bits(bits_of_f32(value) | sign);
}
