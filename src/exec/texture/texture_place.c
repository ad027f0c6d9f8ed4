/* From coordinates to texels: address modes, and where linear filters lie between texels. PTX ISA
 * "tex", CUDA C++ Programming Guide "Texture Fetching"; the digits that count were measured on an
 * H100 (docs/textures.md). */
#include "exec/lanes/ops_mufu.h"
#include "exec/texture/texel.h"

#include <math.h>

/* Coordinates beyond lie far outside of every texture. */
#define FAR 0x1p26

static double bounded(double x) {
    if (isnan(x))
        return 0;
    return x < -FAR ? -FAR : x > FAR ? FAR : x;
}

/* The coordinate in texels. Of normalised ones only the first binary places count; where the texture
 * repeats, then only the fraction. */
static double in_texels(float place, uint32_t extent, AddressMode mode, bool normalized) {
    double x = place, unit = ldexp(1, (int)coordinate_bits(extent));
    if (!normalized)
        return bounded(x);
    if (fabs(x) < FAR)
        x = floor(x * unit) / unit;
    if (isfinite(x) && mode == ADDRESS_WRAP)
        x -= floor(x);
    if (isfinite(x) && mode == ADDRESS_MIRROR)
        x -= 2 * floor(x / 2);
    return bounded(x) * extent;
}

/* The texel that stands for index i. Wrapping and mirroring need normalised coordinates. */
static uint32_t texel_of(int64_t i, uint32_t extent, AddressMode mode, bool normalized) {
    int64_t n = extent;
    if (i >= 0 && i < n)
        return (uint32_t)i;
    if (mode == ADDRESS_BORDER)
        return TEXEL_BORDER;
    if (normalized && mode == ADDRESS_WRAP)
        return (uint32_t)((i % n + n) % n);
    if (normalized && mode == ADDRESS_MIRROR) {
        int64_t twice = (i % (2 * n) + 2 * n) % (2 * n);
        return (uint32_t)(twice < n ? twice : 2 * n - 1 - twice);
    }
    return i < 0 ? 0 : extent - 1;
}

Axis axis_linear(float place, uint32_t extent, AddressMode mode, bool normalized) {
    double x = in_texels(place, extent, mode, normalized);
    int64_t fixed = (int64_t)floor(x * 256 - 128 + 0.5);
    Axis axis = {.weight = (uint32_t)(fixed & 255)};
    axis.texel[0] = texel_of(fixed >> 8, extent, mode, normalized);
    axis.texel[1] = texel_of((fixed >> 8) + 1, extent, mode, normalized);
    if (axis.texel[0] == axis.texel[1] && !(normalized && mode == ADDRESS_MIRROR))
        axis.weight = 0;
    return axis;
}

Axis axis_nearest(float place, uint32_t extent, AddressMode mode, bool normalized) {
    double x = in_texels(place, extent, mode, normalized);
    uint32_t texel = texel_of((int64_t)floor(x), extent, mode, normalized);
    return (Axis){.texel = {texel, texel}};
}

/* The largest component decides, z before y before x where they are equal. */
uint32_t cube_face(const float direction[3], float place[2]) {
    float x = direction[0], y = direction[1], z = direction[2];
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
    uint32_t axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
    bool negative = signbit(direction[axis]);
    float s = axis == 0 ? (negative ? z : -z) : axis == 2 && negative ? -x : x;
    float t = axis == 1 ? (negative ? -z : z) : -y;
    float length = axis == 0 ? ax : axis == 1 ? ay : az, inverse = rcp_approx_f32(length, true);
    place[0] = (float)(((double)(s * inverse) + 1) / 2);
    place[1] = (float)(((double)(t * inverse) + 1) / 2);
    return 2 * axis + negative;
}
