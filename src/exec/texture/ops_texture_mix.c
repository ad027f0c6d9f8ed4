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

enum { MANTISSA = 52, BIAS = 1023 };

/* Of a plane's texels: their sum in units of 2^(most - digits - 8). */
typedef struct Sums {
    double units[WARP_LANES];
    uint64_t most[WARP_LANES]; /* the exponent that frexp gives of the largest, plus 1022 */
} Sums;

typedef struct Values {
    float at[CORNERS][WARP_LANES];
} Values;

ALWAYS_INLINE void read_values(bool half, const Corners *corners, uint32_t channel,
                               Values *values) {
    const uint32_t shift = half ? channel_shift(TEXEL_F16, channel) : 0;
    for (uint32_t c = 0; c < corners->count && c < CORNERS; c++) {
        float *value = values->at[c];
        if (half) {
            LANES for (uint32_t l = 0; l < WARP_LANES; l++) value[l] =
                float_of_half(corners->word[c][l] >> shift);
        } else {
            memcpy(value, corners->word[c], sizeof values->at[c]);
        }
    }
}

/* Returns lanes with texels that are infinite or no numbers. */
ALWAYS_INLINE uint32_t add_plane(const Corners *corners, const Values *values, uint32_t first,
                                 uint32_t count, int digits, Sums *sums) {
    float largest[WARP_LANES] = {0};
    double scale[WARP_LANES];
    uint32_t odd = 0;
    for (uint32_t c = first; c < first + count; c++) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
            const float size = corners->share[c][l] ? fabsf(values->at[c][l]) : 0;
            odd |= size <= 0x1.fffffep127f ? 0 : lane_bit[l];
            largest[l] = size > largest[l] ? size : largest[l];
        }
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        sums->most[l] = bits_of(largest[l] > 0 ? largest[l] : 1) >> MANTISSA;
        scale[l] =
            double_of((uint64_t)(digits + BIAS - 1 + BIAS - (int64_t)sums->most[l]) << MANTISSA);
        sums->units[l] = 0;
    }
    for (uint32_t c = first; c < first + count; c++) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
            const double share = (int32_t)corners->share[c][l];
            sums->units[l] += share > 0 ? trunc(values->at[c][l] * scale[l]) * share : 0;
        }
    }
    return odd;
}

/* Of two planes, in the coarser units. */
ALWAYS_INLINE void add_sums(Sums *a, const Sums *b) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const bool only_a = b->units[l] == 0, only_b = a->units[l] == 0;
        const int64_t most_a = (int64_t)(only_b ? b->most[l] : a->most[l]);
        const int64_t most_b = (int64_t)(only_a ? a->most[l] : b->most[l]);
        const int64_t most = most_a > most_b ? most_a : most_b;
        const double shift_a = double_of((uint64_t)(BIAS + most_a - most) << MANTISSA);
        const double shift_b = double_of((uint64_t)(BIAS + most_b - most) << MANTISSA);
        a->units[l] = floor(a->units[l] * shift_a) + floor(b->units[l] * shift_b);
        a->most[l] = (uint64_t)most;
    }
}

/* Halves go away from zero: as the bits of a double are sign and magnitude, half of the last place is
 * added to these. */
ALWAYS_INLINE uint32_t round_sums(const Sums *sums, Digits digits, uint32_t *result) {
    const uint64_t last = UINT64_C(1) << (MANTISSA + 1 - digits.result);
    const double least = ldexp(1, digits.least + digits.result - 1);
    float value[WARP_LANES];
    uint32_t odd = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const int64_t exponent = (int64_t)sums->most[l] - (BIAS - 1) - digits.texel - 8;
        const double sum = sums->units[l] * double_of((uint64_t)(exponent + BIAS) << MANTISSA);
        value[l] = (float)double_of((bits_of(sum) + last / 2) & -last);
        odd |= fabs(sum) >= least || sum == 0 ? 0 : lane_bit[l];
    }
    memcpy(result, value, sizeof value);
    return odd;
}

/* `half` is a constant where this is called. */
ALWAYS_INLINE uint32_t mix_floats(bool half, const Corners *corners, uint32_t channel,
                                  Digits digits, uint32_t *result) {
    Values values;
    Sums sums, behind;
    read_values(half, corners, channel, &values);
    const uint32_t first = corners->count < 4 ? corners->count : 4;
    uint32_t odd = add_plane(corners, &values, 0, first, digits.texel, &sums);
    if (corners->count == 8) {
        odd |= add_plane(corners, &values, 4, 4, digits.texel, &behind);
        add_sums(&sums, &behind);
    }
    return odd | round_sums(&sums, digits, result);
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
