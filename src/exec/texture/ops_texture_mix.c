/* Linear filters of all lanes, as texture_filter.c computes one. Its whole numbers of up to 37 bits are
 * exact as doubles, and so are their products with powers of two. */
#include "exec/texture/ops_texture.h"

#include <math.h>
#include <string.h>

/* ---- integers of 16 bits ---- */

ALWAYS_INLINE void mix_fixed(TexelFormat format, const Corners *corners, uint32_t channel,
                             uint32_t *result) {
    const float whole = format == TEXEL_S8 ? 32767.0f : texel_whole(format);
    const uint32_t shift = channel_shift(format, channel);
    int32_t sum[WARP_LANES] = {0};
    float value[WARP_LANES];
    for (uint32_t c = 0; c < corners->count; c++) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
            const uint32_t bits = channel_bits(format, corners->word[c][l] >> shift);
            sum[l] += channel_fixed(format, bits) * (int32_t)corners->share[c][l];
        }
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const float rounded =
            format == TEXEL_S8 ? floorf((float)sum_of_s8(sum[l])) : (float)((sum[l] + 128) >> 8);
        value[l] = rounded / whole;
    }
    memcpy(result, value, sizeof value);
}

/* ---- floats ---- */

ALWAYS_INLINE uint64_t bits_of(double value) {
    union {
        double value;
        uint64_t bits;
    } number = {value};
    return number.bits;
}

ALWAYS_INLINE double double_of(uint64_t bits) {
    union {
        uint64_t bits;
        double value;
    } number = {bits};
    return number.value;
}

ALWAYS_INLINE double power_of_two(int32_t exponent) {
    return double_of((uint64_t)(uint32_t)(exponent + 1023) << 52);
}

/* Of a double: sign, exponent and the first digits. */
ALWAYS_INLINE uint32_t upper_half(double value) {
    return (uint32_t)(bits_of(value) >> 32);
}

ALWAYS_INLINE float float_of(uint32_t bits) {
    union {
        uint32_t bits;
        float value;
    } number = {bits};
    return number.value;
}

/* Of a plane's texels: their sum in units of 2^(most - digits - 8). */
typedef struct Sums {
    double units[WARP_LANES];
    int32_t most
        [WARP_LANES]; /* the exponent that frexp gives of the largest normal number, or LEAST_MOST */
    uint32_t
        odd; /* lanes with a texel that is infinite or no number, or none that is larger than 2^LEAST_MOST */
} Sums;

/* From there on a sum that is not 0 is a normal float, and all powers of two that are met on the way are. */
enum { LEAST_MOST = -89 };

/* The bits of a texel's channel as a float. */
ALWAYS_INLINE uint32_t value_of(bool half, uint32_t word, uint32_t shift) {
    union {
        float value;
        uint32_t bits;
    } number = {half ? float_of_half(word >> shift) : 0};
    return half ? number.bits : word;
}

ALWAYS_INLINE float small_power_of_two(int32_t exponent) {
    return float_of((uint32_t)(exponent + 127) << 23);
}

/* Of four texels, or in one dimension two: `half` and `count` are constants where this is called. Each number keeps its
 * first digits as a whole number of 32 bits, cut off. */
ALWAYS_INLINE void add_plane(bool half, const Corners *corners, uint32_t shift, uint32_t first,
                             uint32_t count, int digits, Sums *sums) {
    const uint32_t least = (uint32_t)(LEAST_MOST + 126) << 23, infinite = 0x7f800000;
    uint32_t(*word)[WARP_LANES] = corners->word + first;
    const uint32_t(*live)[WARP_LANES] = corners->live + first;
    const double(*weight)[WARP_LANES] = corners->weight + first;
    uint32_t odd = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t largest = 0;
        double sum = 0;
#pragma GCC unroll 4
        for (uint32_t c = 0; c < count; c++) {
            const uint32_t size = value_of(half, word[c][l], shift) & live[c][l] & 0x7fffffff;
            largest = size > largest ? size : largest;
        }
        const bool plain = largest - least < infinite - least || largest == 0;
        const uint32_t kept = plain ? UINT32_MAX : 0; /* so that no conversion overflows */
        odd |= plain ? 0 : lane_bit[l];
        const int32_t most = (int32_t)((largest > least ? largest : least) >> 23) - 126;
        const float scale = small_power_of_two(digits - most);
#pragma GCC unroll 4
        for (uint32_t c = 0; c < count; c++) {
            const uint32_t bits = value_of(half, word[c][l], shift) & live[c][l] & kept;
            sum += (int32_t)(float_of(bits) * scale) * weight[c][l];
        }
        sums->units[l] = sum;
        sums->most[l] = most;
    }
    sums->odd = odd;
}

/* Of two planes, in the coarser units. */
ALWAYS_INLINE void add_sums(Sums *a, const Sums *b) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const bool only_a = b->units[l] == 0, only_b = a->units[l] == 0;
        const int32_t most_a = only_b ? b->most[l] : a->most[l];
        const int32_t most_b = only_a ? a->most[l] : b->most[l];
        const int32_t most = most_a > most_b ? most_a : most_b;
        a->units[l] = floor(a->units[l] * power_of_two(most_a - most)) +
                      floor(b->units[l] * power_of_two(most_b - most));
        a->most[l] = most;
    }
    a->odd |= b->odd;
}

/* Halves go away from zero: as the bits of a double are sign and magnitude, half of the last place is
 * added to these. Returns lanes with sums that are infinite, no numbers, or too small to be normal ones. */
ALWAYS_INLINE uint32_t round_halves(const Sums *sums, Digits digits, uint32_t *result) {
    const uint64_t last = UINT64_C(1) << (53 - digits.result);
    const uint32_t least = upper_half(power_of_two(digits.least + digits.result - 1));
    const uint32_t infinite = upper_half(INFINITY);
    float value[WARP_LANES];
    uint32_t odd = sums->odd;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const double sum = sums->units[l] * power_of_two(sums->most[l] - digits.texel - 8);
        const uint32_t size = upper_half(sum) & 0x7fffffff; /* 0 of a zero alone */
        odd |= size - least < infinite - least || size == 0 ? 0 : lane_bit[l];
        value[l] = (float)double_of((bits_of(sum) + last / 2) & -last);
    }
    memcpy(result, value, sizeof value);
    return odd;
}

/* To floats: what lies half way between two is made a little larger, so that the conversion takes the larger one. The last
 * place of a double is far below that of a sum. */
ALWAYS_INLINE uint32_t round_floats(const Sums *sums, Digits digits, uint32_t *result) {
    float value[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const float units = (float)double_of(bits_of(sums->units[l]) + 1);
        value[l] = units * small_power_of_two(sums->most[l] - digits.texel - 8);
    }
    memcpy(result, value, sizeof value);
    return sums->odd;
}

ALWAYS_INLINE uint32_t mix_floats(bool half, const Corners *corners, uint32_t channel,
                                  Digits digits, uint32_t *result) {
    const uint32_t shift = half ? channel_shift(TEXEL_F16, channel) : 0;
    Sums sums, behind;
    if (corners->count == 2)
        add_plane(half, corners, shift, 0, 2, digits.texel, &sums);
    else
        add_plane(half, corners, shift, 0, 4, digits.texel, &sums);
    if (corners->count == 8) {
        add_plane(half, corners, shift, 4, 4, digits.texel, &behind);
        add_sums(&sums, &behind);
    }
    return half ? round_halves(&sums, digits, result) : round_floats(&sums, digits, result);
}

uint32_t AT_LEVEL(corners_mix)(const Texture *texture, const Corners *corners, uint32_t channel,
                               uint32_t *result) {
    const TexelFormat format = texture->levels[0].format;
    const Digits digits = digits_of(texture);
    if (format == TEXEL_F16)
        return mix_floats(true, corners, channel, digits, result);
    if (format == TEXEL_F32)
        return mix_floats(false, corners, channel, digits, result);
    FOR_FORMAT(format, mix_fixed, corners, channel, result)
    return 0;
}
