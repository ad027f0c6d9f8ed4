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

#include "exec/ops.h"

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
/* The operands in the order in which one that is a NaN counts. */
ALWAYS_INLINE double nan_f64(double value, double first, double second, double third) {
    uint64_t nan = first != first     ? bits_of_f64(first)
                   : second != second ? bits_of_f64(second)
                   : third != third   ? bits_of_f64(third)
                                      : UINT64_C(0xfff8000000000000);
    return value != value ? f64_of_bits(nan | UINT64_C(0x0008000000000000)) : value;
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

/* ---- approximations ---- The manual bounds their error and fixes their special cases; within
 * that, ours are simply as good as is cheap, so that they do not depend on the processor:
 *   rcp.approx, sqrt.approx, div.full   correctly rounded
 *   rsqrt.approx                        two roundings: 2^-23 relative (2^-22.9 is allowed)
 *   sin, cos, lg2, ex2                  polynomials in double precision, rounded once
 *   tanh                                the C library in double precision, rounded once */

/* The divisor's reciprocal is flushed to zero where it would be subnormal. */
ALWAYS_INLINE float div_approx_f32(float a, float b) {
    float zero = f32_of_bits((bits_of_f32(a) ^ bits_of_f32(b)) & 0x80000000);
    bool huge = fabsf(b) > 0x1p126f && fabsf(b) <= 0x1.fffffep127f;
    return huge ? a - a == 0 ? zero : f32_of_bits(0x7fffffff) : a / b;
}
/* The GPU's way, seen in its results (tests/vectors): a / 2 pi in single precision, rounded to zero; of
 * that, the fraction of a turn in steps of 2^-25. What is left of the turn, in radians: |r| <= pi/4,
 * and *quadrant quarters of a turn. Large operands lose their digits as they do there. */
ALWAYS_INLINE double fraction_of_turn(float a, uint32_t *quadrant) {
    const double product = fabs((double)a * (double)0x1.45f306p-3f);
    const float nearest = (float)product;
    const uint32_t bits = bits_of_f32(nearest);
    const float turns = f32_of_bits((double)nearest > product ? bits - 1 : bits);
    const double steps = floor((double)turns * 0x1p25), whole = floor((double)turns);
    const double quarters = (steps * 0x1p-25 - whole) * 4;
    const double shifted = quarters + 0x1.8p52; /* rounds to an integer */
    *quadrant = (uint32_t)bits_of_f64(shifted) & 3;
    return (quarters - (shifted - 0x1.8p52)) * 0x1.921fb54442d18p0;
}
/* The sine or cosine of r, by Taylor's series up to the 15th and 16th power: below 2^-48. */
ALWAYS_INLINE double sin_or_cos(double r, uint32_t quadrant) {
    double x = r * r;
    double s = x * (-1.0 / 1307674368000) + 1.0 / 6227020800;
    s = s * x - 1.0 / 39916800;
    s = s * x + 1.0 / 362880;
    s = s * x - 1.0 / 5040;
    s = s * x + 1.0 / 120;
    s = s * x - 1.0 / 6;
    s = s * x * r + r;
    double c = x * (1.0 / 20922789888000) - 1.0 / 87178291200;
    c = c * x + 1.0 / 479001600;
    c = c * x - 1.0 / 3628800;
    c = c * x + 1.0 / 40320;
    c = c * x - 1.0 / 720;
    c = c * x + 1.0 / 24;
    c = c * x - 1.0 / 2;
    c = c * x + 1;
    double value = quadrant & 1 ? c : s;
    return quadrant & 2 ? -value : value;
}
ALWAYS_INLINE float sin_f32(float a) {
    uint32_t quadrant;
    double r = fraction_of_turn(a, &quadrant);
    float value = (float)sin_or_cos(r, quadrant);
    return a - a == 0 ? bits_of_f32(a) >> 31 ? -value : value : NAN;
}
ALWAYS_INLINE float cos_f32(float a) {
    uint32_t quadrant;
    double r = fraction_of_turn(a, &quadrant);
    float value = (float)sin_or_cos(r, quadrant + 1);
    return a - a == 0 ? value : NAN;
}
ALWAYS_INLINE float tanh_f32(float a) {
    return (float)tanh((double)a);
}

/* 2^a = 2^n * e^(f ln 2), |f| <= 1/2. The series is cut after the 11th power: 2^-45 relative. */
ALWAYS_INLINE float ex2_f32(float a) {
    double x = a < -200 ? -200 : a > 200 ? 200 : (double)a;
    double shifted = x + 0x1.8p52; /* rounds to an integer, which then stands in the low bits */
    double t = (x - (shifted - 0x1.8p52)) * 0x1.62e42fefa39efp-1;
    double p = 1.0 / 39916800;
    p = p * t + 1.0 / 3628800;
    p = p * t + 1.0 / 362880;
    p = p * t + 1.0 / 40320;
    p = p * t + 1.0 / 5040;
    p = p * t + 1.0 / 720;
    p = p * t + 1.0 / 120;
    p = p * t + 1.0 / 24;
    p = p * t + 1.0 / 6;
    p = p * t + 1.0 / 2;
    p = p * t + 1;
    p = p * t + 1;
    double scale = f64_of_bits((bits_of_f64(shifted) + 1023) << 52);
    return a != a ? a : (float)(p * scale);
}

/* log2(m 2^e) = e + 2/ln 2 * artanh((m - 1) / (m + 1)), m in [sqrt(1/2), sqrt(2)). The series is
 * cut after the 17th power: 2^-49 relative to the fraction. Subnormal operands are normal in
 * double precision. */
ALWAYS_INLINE float lg2_f32(float a) {
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000);
    uint64_t above = bits_of_f64((double)a) - root + one; /* root: sqrt(1/2) */
    double e = (double)((int32_t)(above >> 52) - 1023);
    double m = f64_of_bits((above & UINT64_C(0x000fffffffffffff)) + root);
    double s = (m - 1) / (m + 1), s2 = s * s;
    double p = 1.0 / 17;
    p = p * s2 + 1.0 / 15;
    p = p * s2 + 1.0 / 13;
    p = p * s2 + 1.0 / 11;
    p = p * s2 + 1.0 / 9;
    p = p * s2 + 1.0 / 7;
    p = p * s2 + 1.0 / 5;
    p = p * s2 + 1.0 / 3;
    p = p * s2 + 1;
    float finite = (float)(e + p * s * 0x1.71547652b82fep1);
    return a == 0 ? -INFINITY : a > 0 ? a < INFINITY ? finite : a : NAN;
}

/* rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: of the upper 32 bits of the operand, to the upper 32
 * bits of the result; subnormal operands and results are flushed, what is a NaN by its upper bits
 * becomes 0x7fffffff00000000. The manual leaves the error open; ours is that of dropping the lower bits. */
ALWAYS_INLINE double upper_f64(double value) {
    uint64_t bits = bits_of_f64(value) & UINT64_C(0xffffffff00000000);
    uint64_t flushed = bits & UINT64_C(0x7ff0000000000000) ? bits : bits & UINT64_C(1) << 63;
    double upper = f64_of_bits(flushed);
    return upper != upper ? f64_of_bits(UINT64_C(0x7fffffff00000000)) : upper;
}
ALWAYS_INLINE double rcp_upper_f64(double a) {
    return upper_f64(1 / upper_f64(a));
}
ALWAYS_INLINE double rsqrt_upper_f64(double a) {
    return upper_f64(1 / sqrt(upper_f64(a)));
}
