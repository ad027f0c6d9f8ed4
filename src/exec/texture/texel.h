/* texel.h: arithmetic on one texel and its share that is the same for a lane alone and for the lanes of
 * a warp side by side. */
#pragma once

#include "exec/texture/texture.h"

/* Fractions of a normalised coordinate that count: 2^-21, and 2^-22 of large textures. */
static inline uint32_t coordinate_bits(uint32_t extent) {
    return extent > 8192 ? 22 : 21;
}

static inline uint32_t channel_bytes(TexelFormat format) {
    switch (format) {
    case TEXEL_U8:
    case TEXEL_S8:
        return 1;
    case TEXEL_U16:
    case TEXEL_S16:
    case TEXEL_F16:
        return 2;
    case TEXEL_U32:
    case TEXEL_S32:
    case TEXEL_F32:
        return 4;
    }
    return 0;
}

/* Integers of a format in 32 bits; what lies above the channel does not count. */
static inline uint32_t channel_bits(TexelFormat format, uint32_t raw) {
    switch (format) {
    case TEXEL_U8:
        return (uint8_t)raw;
    case TEXEL_S8:
        return (uint32_t)(int8_t)raw;
    case TEXEL_U16:
    case TEXEL_F16:
        return (uint16_t)raw;
    case TEXEL_S16:
        return (uint32_t)(int16_t)raw;
    default:
        return raw;
    }
}

/* In units of 1/65535 or 1/32767, of signed 8 bits 1/127; the smallest of a signed format counts as
 * the one above it. */
static inline int32_t channel_fixed(TexelFormat format, uint32_t bits) {
    int32_t value = (int32_t)bits;
    switch (format) {
    case TEXEL_U8:
        return value * 257;
    case TEXEL_S8:
        return value < -127 ? -127 : value;
    case TEXEL_S16:
        return value < -32767 ? -32767 : value;
    default:
        return value;
    }
}

/* NaNs become one. */
static inline float float_of_half(uint32_t half) {
    union {
        uint32_t bits;
        float value;
    } number = {(half & 0x7fff) << 13};
    number.value *= 0x1p112f; /* from the exponents of a half to those of a float */
    uint32_t special = half & 0x3ff ? 0x7fc00000 : 0x7f800000;
    number.bits = (half & 0x7c00) == 0x7c00 ? special : number.bits;
    number.bits |= (half & 0x8000) << 16;
    return number.value;
}

/* What a linear filter gives of a sum of signed 8-bit texels: the unit's rounding is not known, and one
 * result in twenty-five is off by 1/32767. */
static inline double sum_of_s8(int64_t sum) {
    return (double)sum * (32767.0 / 127 / 256) + 0.5;
}

/* In how many binary digits a format is mixed. */
typedef struct Digits {
    int texel;  /* that a texel keeps, counted from the largest of its plane */
    int result; /* that the sum is rounded to */
    int least;  /* exponent of the last place of the smallest results */
} Digits;

static inline Digits digits_of(const Texture *texture) {
    if (texture->srgb)
        return (Digits){8, 11, -24};
    if (texture->levels[0].format == TEXEL_F16)
        return (Digits){15, 11, -24};
    return (Digits){28, 24, -149};
}

/* Weights of a plane's four texels, in 1/256: its share is divided between left and right, and each
 * half between above and below, in whole numbers. */
static inline void share_divide(uint32_t share, uint32_t right_weight, uint32_t below_weight,
                                uint32_t shares[4]) {
    uint32_t right = (share * right_weight + 128) >> 8, left = share - right;
    uint32_t below_right = (right * below_weight + 128) >> 8;
    uint32_t below_left = (left * below_weight + 127) >> 8;
    shares[0] = left - below_left;
    shares[1] = right - below_right;
    shares[2] = below_left;
    shares[3] = below_right;
}
