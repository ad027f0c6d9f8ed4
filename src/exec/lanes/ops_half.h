/* ops_half.h: half precision (f16: 5 bits of exponent, 10 of fraction; bf16: 8 and 7) to and from
 * single precision, on bits. A NaN becomes the canonical one, 0x7fff or 0x7fffffff. Subnormals are
 * kept. */
#pragma once

#include "exec/lanes/ops_float.h"

ALWAYS_INLINE uint32_t f32_bits_of_f16(uint32_t half) {
    uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
    uint32_t subnormal = bits_of_f32((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t value = magnitude < 0x400 ? subnormal : magnitude < 0x7c00 ? normal : 0x7f800000;
    return magnitude > 0x7c00 ? 0x7fffffff : sign | value;
}
/* To nearest even. A magnitude below 2^-14 gives a multiple of 2^-24, the unit in the last place
 * of 0.5. */
ALWAYS_INLINE uint32_t f16_bits_of_f32(uint32_t bits) {
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    uint32_t subnormal = bits_of_f32(f32_of_bits(magnitude) + 0.5f) - 0x3f000000;
    uint32_t rebased = magnitude - (112u << 23);
    uint32_t normal = (rebased + 0xfff + (rebased >> 13 & 1)) >> 13;
    uint32_t value = magnitude < 0x38800000 ? subnormal : magnitude < 0x47800000 ? normal : 0x7c00;
    return magnitude > 0x7f800000 ? 0x7fff : sign | value;
}
/* e4m3 and e5m2 (PTX ISA 5.2.3): 8 bits with 4 or 5 of exponent; e4m3 has no infinities. */
typedef struct Fp8Format {
    uint32_t fraction_bits, bias, greatest;
    float shifter; /* so large that its last digit is the least subnormal number */
} Fp8Format;
static const Fp8Format e4m3 = {3, 7, 0x7e, 0x1p14f}, e5m2 = {2, 15, 0x7b, 0x1p7f};

/* To nearest even; what is too large becomes the greatest number, a NaN 0x7f. */
ALWAYS_INLINE uint32_t fp8_bits_of_f32(Fp8Format format, uint32_t bits) {
    const uint32_t shift = 23 - format.fraction_bits, rebase = (127 - format.bias) << 23;
    const uint32_t sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
    const uint32_t rebased = magnitude - rebase;
    const uint32_t normal = (rebased + (1u << (shift - 1)) - 1 + (rebased >> shift & 1)) >> shift;
    const uint32_t subnormal =
        bits_of_f32(f32_of_bits(magnitude) + format.shifter) - bits_of_f32(format.shifter);
    const uint32_t value = magnitude < rebase + (1u << 23) ? subnormal : normal;
    const uint32_t finite =
        magnitude >= 0x7f800000 || value > format.greatest ? format.greatest : value;
    return magnitude > 0x7f800000 ? 0x7f : sign | finite;
}
/* Exact. */
ALWAYS_INLINE uint32_t f16_bits_of_fp8(Fp8Format format, uint32_t fp8) {
    const uint32_t sign = (fp8 & 0x80) << 8, magnitude = fp8 & 0x7f;
    if (format.bias == 15)
        return magnitude > 0x7c ? 0x7fff : sign | magnitude << 8;
    const uint32_t wide = magnitude << 20; /* as single precision: 2^-120 times the number */
    const uint32_t half = f16_bits_of_f32(bits_of_f32(f32_of_bits(wide) * 0x1p120f));
    return magnitude == 0x7f ? 0x7fff : sign | half;
}

/* Toward zero, but overflows to infinity: what the GPU's approximations do. */
ALWAYS_INLINE uint32_t f16_truncated(float value) {
    uint32_t bits = bits_of_f32(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    uint32_t subnormal =
        (uint32_t)(int32_t)(f32_of_bits(magnitude < 0x38800000 ? magnitude : 0) * 0x1p24f);
    uint32_t normal = (magnitude - (112u << 23)) >> 13;
    uint32_t number = magnitude < 0x38800000 ? subnormal : magnitude < 0x47800000 ? normal : 0x7c00;
    return magnitude > 0x7f800000 ? 0x7fff : sign | number;
}
ALWAYS_INLINE uint32_t bf16_truncated(float value) {
    return value != value ? 0x7fff : bits_of_f32(value) >> 16;
}
ALWAYS_INLINE uint32_t f32_bits_of_bf16(uint32_t half) {
    return (half & 0x7fff) > 0x7f80 ? 0x7fffffff : half << 16;
}
ALWAYS_INLINE uint32_t bf16_bits_of_f32(uint32_t bits) {
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded;
}
