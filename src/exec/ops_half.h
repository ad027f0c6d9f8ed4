/* ops_half.h: half precision (f16: 5 bits of exponent, 10 of fraction; bf16: 8 and 7) to and from
 * single precision, on bits. A NaN becomes the canonical one, 0x7fff or 0x7fffffff. Subnormals are
 * kept. */
#pragma once

#include "exec/ops_float.h"

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
