/* Linear filters of all lanes, as texture_filter.c computes one. Its whole numbers of up to 37 bits are
 * exact as doubles, and so are their products with powers of two. */
#include "exec/texture/ops_texture.h"

#include <math.h>
#include <string.h>

/* ---- integers of 16 bits ---- */

ALWAYS_INLINE void mix_fixed(TexelFormat format, const Corners *corners, uint32_t channel,
                             uint32_t *result) {
    const float whole = format == TEXEL_S8 ? 32767.0f : texel_whole(format);
    const uint32_t(*word)[WARP_LANES] = corners_word(corners, channel);
    const uint32_t shift = channel_shift(format, channel);
    int32_t sum[WARP_LANES] = {0};
    float value[WARP_LANES];
    for (uint32_t c = 0; c < corners->count; c++) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
            const uint32_t bits = channel_bits(format, word[c][l] >> shift);
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

ALWAYS_INLINE uint32_t bits_of_float(float value) {
    union {
        float value;
        uint32_t bits;
    } number = {value};
    return number.bits;
}

/* Of a plane's texels: their sum in units of 2^(most - digits - 8). It is upper + lower, of which upper is a multiple of
 * 2^LOWER_DIGITS; both have at most 23 digits, and so are exact as floats, of which a vector holds twice as many as
 * doubles. */
typedef struct Sums {
    float upper[WARP_LANES], lower[WARP_LANES];
    int32_t most
        [WARP_LANES]; /* the exponent that frexp gives of the largest normal number, or LEAST_MOST */
} Sums;

enum { LOWER_DIGITS = 14 };
/* A number below 2^36 that was added to it has lost the digits of `lower`, and was rounded to the others. */
#define UPPER_DIGITS 0x1.8p37f

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

/* a * b + c where neither product nor sum is rounded: in one step where the processor has it. */
ALWAYS_INLINE float exact_sum(float a, float b, float c) {
#ifdef __FP_FAST_FMAF
    return fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

/* Sums, of a lane. */
typedef struct LaneSum {
    float upper, lower;
    uint32_t most; /* as the exponent of a float, in its place: 2^(most - 1) without its bias */
    bool odd;      /* a texel is infinite or no number, or none is larger than 2^LEAST_MOST */
} LaneSum;

/* Texels of a channel, and their weights. */
typedef struct LanesPlane {
    const uint32_t (*word)[WARP_LANES];
    const float (*weight)[WARP_LANES];
    uint32_t shift; /* of halves: where they begin in the word */
} LanesPlane;

ALWAYS_INLINE LanesPlane plane_of(const Corners *corners, bool half, uint32_t channel,
                                  uint32_t first) {
    return (LanesPlane){corners_word(corners, channel) + first, corners->weight + first,
                        half ? channel_shift(TEXEL_F16, channel) : 0};
}

/* Of four texels, or in one dimension two: `half` and `count` are constants where this is called. Each number is cut off
 * to its first digits, in two parts. */
ALWAYS_INLINE LaneSum lane_sum(bool half, LanesPlane plane, uint32_t count, int digits,
                               uint32_t l) {
    const uint32_t least = (uint32_t)(LEAST_MOST + 126) << 23, infinite = 0x7f800000;
    LaneSum sum = {0};
    uint32_t largest = 0;
#pragma GCC unroll 4
    for (uint32_t c = 0; c < count; c++) {
        const uint32_t size = value_of(half, plane.word[c][l], plane.shift) & 0x7fffffff;
        largest = size > largest ? size : largest;
    }
    sum.odd = largest - least >= infinite - least && largest != 0;
    sum.most = (largest > least ? largest : least) & infinite;
    const float scale = float_of(((uint32_t)(digits + 126 + 127) << 23) - sum.most);
#pragma GCC unroll 4
    for (uint32_t c = 0; c < count; c++) {
        const float units = truncf(float_of(value_of(half, plane.word[c][l], plane.shift)) * scale);
        const float upper = (units + UPPER_DIGITS) - UPPER_DIGITS, lower = units - upper;
        sum.upper = exact_sum(upper, plane.weight[c][l], sum.upper);
        sum.lower = exact_sum(lower, plane.weight[c][l], sum.lower);
    }
    return sum;
}

ALWAYS_INLINE void add_plane(bool half, LanesPlane plane, uint32_t count, int digits, Sums *sums,
                             uint32_t *odd) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const LaneSum sum = lane_sum(half, plane, count, digits, l);
        sums->upper[l] = sum.upper;
        sums->lower[l] = sum.lower;
        sums->most[l] = (int32_t)(sum.most >> 23) - 126;
        odd[l] |= sum.odd;
    }
}

ALWAYS_INLINE double units_of(const Sums *sums, uint32_t l) {
    return (double)sums->upper[l] + sums->lower[l];
}

/* Of two planes, in the coarser units. */
ALWAYS_INLINE void add_sums(const Sums *a, const Sums *b, double *units, int32_t *exponents) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const double units_a = units_of(a, l), units_b = units_of(b, l);
        const int32_t most_a = units_a == 0 ? b->most[l] : a->most[l];
        const int32_t most_b = units_b == 0 ? a->most[l] : b->most[l];
        const int32_t most = most_a > most_b ? most_a : most_b;
        units[l] = floor(units_a * power_of_two(most_a - most)) +
                   floor(units_b * power_of_two(most_b - most));
        exponents[l] = most;
    }
}

/* Halves go away from zero: as the bits of a double are sign and magnitude, half of the last place is
 * added to these. Sums that are infinite, no numbers, or too small to be normal ones are odd. */
ALWAYS_INLINE void round_halves(const double *units, const int32_t *most, Digits digits,
                                uint32_t *odd, uint32_t *result) {
    const uint64_t last = UINT64_C(1) << (53 - digits.result);
    const uint32_t least = upper_half(power_of_two(digits.least + digits.result - 1));
    const uint32_t infinite = upper_half(INFINITY);
    float value[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const double sum = units[l] * power_of_two(most[l] - digits.texel - 8);
        const uint32_t size = upper_half(sum) & 0x7fffffff; /* 0 of a zero alone */
        odd[l] |= !(size - least < infinite - least || size == 0);
        value[l] = (float)double_of((bits_of(sum) + last / 2) & -last);
    }
    memcpy(result, value, sizeof value);
}

/* To floats: what lies half way between two is made a little larger, so that the conversion takes the larger one. The last
 * place of a double is far below that of a sum. */
ALWAYS_INLINE void round_floats(const double *units, const int32_t *most, Digits digits,
                                uint32_t *result) {
    float value[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const float rounded = (float)double_of(bits_of(units[l]) + 1);
        value[l] = rounded * small_power_of_two(most[l] - digits.texel - 8);
    }
    memcpy(result, value, sizeof value);
}

/* The same of one plane, whose sum is rounded once where its parts are added. Sums of less than 24 digits are exact. Others
 * have the sign of the upper part, and at least 2^23 units, so that a quarter of a unit decides between two floats alone: the
 * lower part is at most 2^21. */
ALWAYS_INLINE void mix_plane(const Corners *corners, uint32_t channel, uint32_t count,
                             Digits digits, uint32_t *odd, uint32_t *result) {
    const uint32_t many = 0x4b600000, quarter = 0x3e800000; /* 2^24 - 2^21, 2^-2 */
    const LanesPlane plane = plane_of(corners, false, channel, 0);
    float value[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const LaneSum sum = lane_sum(false, plane, count, digits.texel, l);
        const uint32_t upper = bits_of_float(sum.upper), size = upper & 0x7fffffff;
        const uint32_t more = size >= many ? quarter | (size ^ upper) : 0;
        const float rounded = sum.upper + (sum.lower + float_of(more));
        value[l] = rounded * float_of(sum.most - ((uint32_t)(digits.texel + 8 - 1) << 23));
        odd[l] |= sum.odd;
    }
    memcpy(result, value, sizeof value);
}

ALWAYS_INLINE void mix_floats(bool half, const Corners *corners, uint32_t channel, Digits digits,
                              uint32_t *odd, uint32_t *result) {
    const LanesPlane front = plane_of(corners, half, channel, 0);
    Sums sums, behind;
    double units[WARP_LANES];
    if (corners->count == 2)
        add_plane(half, front, 2, digits.texel, &sums, odd);
    else
        add_plane(half, front, 4, digits.texel, &sums, odd);
    if (corners->count == 8) {
        add_plane(half, plane_of(corners, half, channel, 4), 4, digits.texel, &behind, odd);
        add_sums(&sums, &behind, units, sums.most);
    } else {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) units[l] = units_of(&sums, l);
    }
    if (half)
        round_halves(units, sums.most, digits, odd, result);
    else
        round_floats(units, sums.most, digits, result);
}

ALWAYS_INLINE void mix_each_fixed(TexelFormat format, const Corners *corners, uint32_t channels,
                                  uint32_t result[4][WARP_LANES]) {
    for_lanes(c, channels) mix_fixed(format, corners, c, result[c]);
}

void AT_LEVEL(corners_mix)(const Texture *texture, Corners *corners, uint32_t channels,
                           uint32_t result[4][WARP_LANES]) {
    const TexelFormat format = texture->levels[0].format;
    const Digits digits = digits_of(texture);
    uint32_t odd[WARP_LANES] = {0};
    if (format == TEXEL_F16) {
        for_lanes(c, channels) mix_floats(true, corners, c, digits, odd, result[c]);
    } else if (format == TEXEL_F32 && corners->count == 4) {
        for_lanes(c, channels) mix_plane(corners, c, 4, digits, odd, result[c]);
    } else if (format == TEXEL_F32 && corners->count == 2) {
        for_lanes(c, channels) mix_plane(corners, c, 2, digits, odd, result[c]);
    } else if (format == TEXEL_F32) {
        for_lanes(c, channels) mix_floats(false, corners, c, digits, odd, result[c]);
    } else {
        FOR_FORMAT(format, mix_each_fixed, corners, channels, result)
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) corners->odd[l] |= odd[l];
}
