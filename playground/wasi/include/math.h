/* math.h: fused multiply-adds, which WebAssembly has no instruction for, and wasi-libc rounds twice in a few cases: a single-precision
 * result that is subnormal; a product too small for a double, added to zero. */
#pragma once

#include_next <math.h>
#include <stdint.h>
#include <string.h>

/* The product is exact in double precision. The sum is rounded to odd (its error, by Knuth's two-sum, says to which side), from which
 * rounding to single precision is right (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using
 * rounding to odd", 2008). Without a branch, so that it vectorises. */
static inline __attribute__((always_inline)) float fused_f32(float x, float y, float z) {
    const double product = (double)x * y, sum = product + z;
    const double other = sum - product, error = (product - (sum - other)) + (z - other);
    int64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    const int64_t inexact = (error > 0) | (error < 0); /* of an infinity the error is a NaN */
    const int64_t away = (error > 0) == (sum > 0) ? 1 : -1;
    bits += inexact & ~bits & 1 ? away : 0;
    double odd;
    memcpy(&odd, &bits, sizeof odd);
    return (float)odd;
}

static inline double fused_f64(double x, double y, double z) {
    return z == 0 && x != 0 && y != 0 ? x * y : fma(x, y, z);
}

#define fmaf(x, y, z) fused_f32(x, y, z)
#define fma(x, y, z) fused_f64(x, y, z)
