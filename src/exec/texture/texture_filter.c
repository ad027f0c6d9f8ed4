/* Mixing texels: the weights of a linear filter and what they give. The CUDA C++ Programming Guide says
 * that weights have 8 binary places; how products of them are rounded and in how many digits texels
 * are added was found from an H100's results (docs/textures.md). */
#include "exec/texture/texel.h"

#include <math.h>
#include <string.h>

static void divide(const Plane *plane, uint32_t shares[4]) {
    share_divide(plane->share, plane->weight[0], plane->weight[1], shares);
}

/* ---- integers of 16 bits ---- */

/* The result has 16 bits. */
static float mix_fixed(const Plane *planes, uint32_t count, uint32_t channel, TexelFormat format) {
    int64_t sum = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t shares[4];
        divide(&planes[p], shares);
        for (uint32_t i = 0; i < 4; i++)
            sum += (int64_t)planes[p].texels[i].fixed[channel] * shares[i];
    }
    if (format == TEXEL_S8)
        return floorf((float)sum_of_s8(sum)) / 32767.0f;
    return (float)((sum + 128) >> 8) / texel_whole(format);
}

/* ---- floats ---- */

/* A sum in units of 2^exponent. */
typedef struct Sum {
    int64_t units;
    int exponent;
} Sum;

enum { LEAST = -10000 }; /* below the exponent of every float: that of zero */

static Sum add_plane(const Plane *plane, uint32_t channel, int digits) {
    uint32_t shares[4];
    int most = LEAST, exponent;
    divide(plane, shares);
    for (uint32_t i = 0; i < 4; i++) {
        float value = plane->texels[i].value[channel];
        if (shares[i] && value != 0) {
            frexpf(value, &exponent);
            most = exponent > most ? exponent : most;
        }
    }
    Sum sum = {0, most - digits - 8};
    for (uint32_t i = 0; i < 4; i++) {
        float value = plane->texels[i].value[channel];
        if (shares[i] && value != 0)
            sum.units += (int64_t)ldexp(value, digits - most) * shares[i];
    }
    return sum;
}

/* Arithmetic shift: towards minus infinity. */
static int64_t shifted(int64_t units, int places) {
    return places < 64 ? units >> places : units < 0 ? -1 : 0;
}

/* Of two planes, in the coarser units. */
static Sum sum_of(Sum a, Sum b) {
    if (a.units == 0 || b.units == 0)
        return a.units ? a : b;
    int apart = a.exponent - b.exponent;
    return apart >= 0 ? (Sum){a.units + shifted(b.units, apart), a.exponent}
                      : (Sum){shifted(a.units, -apart) + b.units, b.exponent};
}

/* Halves go away from zero. */
static float rounded(Sum sum, Digits digits) {
    uint64_t size = sum.units < 0 ? 0 - (uint64_t)sum.units : (uint64_t)sum.units;
    int places = size ? 64 - __builtin_clzll(size) : 0;
    int less = places - digits.result, least = digits.least - sum.exponent;
    less = less > least ? less : least;
    if (less > places)
        return 0;
    if (less > 0) {
        size = (size + (UINT64_C(1) << (less - 1))) >> less;
        sum.exponent += less;
    }
    float value = (float)ldexp((double)size, sum.exponent);
    return sum.units < 0 ? -value : value;
}

/* Infinities and NaNs among the texels that count decide alone. */
static bool is_special(const Plane *planes, uint32_t count, uint32_t channel, float *result) {
    bool special = false;
    *result = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint32_t shares[4];
        divide(&planes[p], shares);
        for (uint32_t i = 0; i < 4; i++) {
            float value = planes[p].texels[i].value[channel];
            if (shares[i] && !isfinite(value)) {
                *result += value;
                special = true;
            }
        }
    }
    return special;
}

static float mix_floats(const Plane *planes, uint32_t count, uint32_t channel, Digits digits) {
    float special;
    Sum sum = {0};
    if (is_special(planes, count, channel, &special))
        return special;
    for (uint32_t p = 0; p < count; p++)
        sum = sum_of(sum, add_plane(&planes[p], channel, digits.texel));
    return rounded(sum, digits);
}

void filter_mix(const Texture *texture, const Plane *planes, uint32_t count, uint32_t result[4]) {
    TexelFormat format = texture->levels[0].format;
    for (uint32_t c = 0; c < 4; c++) {
        bool fixed = texel_is_fixed(texture) && !(texture->srgb && c < 3);
        float value = fixed ? mix_fixed(planes, count, c, format)
                            : mix_floats(planes, count, c, digits_of(texture));
        memcpy(&result[c], &value, sizeof value);
    }
}
