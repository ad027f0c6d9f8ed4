/* From the coordinates of all lanes to texels, as texture_place.c does it for one, in single precision and
 * whole numbers. Far outside of the texture all coordinates are alike, and where it repeats what is not
 * finite is as good as 0: so all numbers are small here, and each index needs one correction. */
#include "exec/texture/ops_texture.h"

#include <math.h>
#include <string.h>

/* Along one axis, as Axis; a lane that reads the border has texel 0 here. */
typedef struct LanesAxis {
    uint32_t texel[2][WARP_LANES];
    uint32_t weight[WARP_LANES];
} LanesAxis;

/* Of an image, in one direction. */
typedef struct Direction {
    uint32_t extent;
    uint32_t bits; /* of a normalised coordinate's fraction that count */
    bool normalized, linear;
} Direction;

/* A coordinate from 0 to 1 (repeated: to 1, mirrored: to 2) in 2^-bits. All steps are exact: what is cut
 * off to a whole number has no more digits afterwards. */
ALWAYS_INLINE int32_t lane_fraction(float x, float unit, AddressMode mode) {
    x = floorf(x * unit);
    if (mode == ADDRESS_WRAP)
        x -= unit * floorf(x * (1 / unit));
    if (mode == ADDRESS_MIRROR)
        x -= 2 * unit * floorf(x * (1 / (2 * unit)));
    x = x == x ? x : 0;
    if (mode == ADDRESS_CLAMP)
        x = x < 0 ? 0 : x > unit ? unit : x;
    if (mode == ADDRESS_BORDER)
        x = x < -2 * unit ? -2 * unit : x > 2 * unit ? 2 * unit : x;
    return (int32_t)x;
}

/* Products of a fraction, which has up to 24 bits, and the extent are added up from two of 32 bits, where one is too small. */
enum { SPLIT = 11, EXTENT_SPLIT = 1 << 16 };

/* Texels, or where two are mixed, 1/256 of the way between their middles. */
ALWAYS_INLINE void place_normalized(const Direction *direction, const float *coordinate,
                                    AddressMode mode, bool linear, int32_t *fixed) {
    const uint32_t extent = direction->extent, shift = direction->bits - (linear ? 8 : 0);
    const uint32_t before = mode == ADDRESS_BORDER ? 2 : 0; /* extents, so that all are positive */
    const uint32_t zero = (before * extent << (linear ? 8 : 0)) + (linear ? 128 : 0);
    const uint64_t half = linear ? UINT64_C(1) << (shift - 1) : 0;
    const float unit = (float)(1u << direction->bits);
    const uint64_t most = mode == ADDRESS_BORDER ? 4 : mode == ADDRESS_MIRROR ? 2 : 1; /* units */
    uint32_t fraction[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) fraction[l] =
        (uint32_t)lane_fraction(coordinate[l], unit, mode) + (before << direction->bits);
    if ((most * extent << direction->bits) + half <= UINT32_MAX) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) fixed[l] =
            (int32_t)(((fraction[l] * extent + (uint32_t)half) >> shift) - zero);
        return;
    }
    if (extent > EXTENT_SPLIT) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) fixed[l] =
            (int32_t)((uint32_t)(((uint64_t)fraction[l] * extent + half) >> shift) - zero);
        return;
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t upper = (fraction[l] >> SPLIT) * extent;
        const uint32_t lower = (fraction[l] & ((1u << SPLIT) - 1)) * extent + (uint32_t)half;
        fixed[l] = (int32_t)(((upper + (lower >> SPLIT)) >> (shift - SPLIT)) - zero);
    }
}

ALWAYS_INLINE void place_texels(const Direction *direction, const float *coordinate, bool linear,
                                int32_t *fixed) {
    const float beyond = (float)(direction->extent + 2);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        float x = coordinate[l];
        x = x == x ? x : 0;
        x = (x < -2 ? -2 : x > beyond ? beyond : x) * (linear ? 256 : 1);
        const float whole = floorf(x);
        fixed[l] = (int32_t)whole + (linear ? (x - whole >= 0.5f) - 128 : 0);
    }
}

/* By sums of what is chosen, and not by choosing among sums: compilers then store all lanes at once. */
ALWAYS_INLINE uint32_t lane_texel(int32_t i, int32_t n, AddressMode mode) {
    const int32_t positive = i < 0 ? 0 : i, inside = positive < n ? positive : n - 1;
    const int32_t turned = i ^ (i < 0 ? -1 : 0), twice = turned - (turned < 2 * n ? 0 : 2 * n);
    switch (mode) {
    case ADDRESS_WRAP:
        return (uint32_t)(i + (i < 0 ? n : 0) - (i >= n ? n : 0));
    case ADDRESS_MIRROR:
        return (uint32_t)(twice < n ? twice : 2 * n - 1 - twice);
    case ADDRESS_BORDER:
        return (uint32_t)i < (uint32_t)n ? (uint32_t)i : TEXEL_BORDER;
    default:
        return (uint32_t)inside;
    }
}

/* Lanes that read the border. */
ALWAYS_INLINE uint32_t take_border(uint32_t *texel) {
    uint32_t outside = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const bool border = texel[l] == TEXEL_BORDER;
        outside |= border ? lane_bit[l] : 0;
        texel[l] = border ? 0 : texel[l];
    }
    return outside;
}

/* `mode` and `linear` are constants where this is called. */
ALWAYS_INLINE uint32_t axis_by_mode(const Direction *direction, const uint32_t *place,
                                    AddressMode mode, bool linear, LanesAxis *axis) {
    const int32_t n = (int32_t)direction->extent;
    float coordinate[WARP_LANES];
    int32_t fixed[WARP_LANES];
    memcpy(coordinate, place, sizeof coordinate);
    if (direction->normalized)
        place_normalized(direction, coordinate, mode, linear, fixed);
    else
        place_texels(direction, coordinate, linear, fixed);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const int32_t i = linear ? fixed[l] >> 8 : fixed[l];
        axis->texel[0][l] = lane_texel(i, n, mode);
        if (!linear)
            continue;
        axis->texel[1][l] = lane_texel(i + 1, n, mode);
        const bool one = mode != ADDRESS_MIRROR && axis->texel[0][l] == axis->texel[1][l];
        axis->weight[l] = one ? 0 : (uint32_t)fixed[l] & 255;
    }
    if (mode != ADDRESS_BORDER)
        return 0;
    return take_border(axis->texel[0]) | (linear ? take_border(axis->texel[1]) : 0);
}

static uint32_t axis_of(const Direction *direction, AddressMode mode, const uint32_t *place,
                        LanesAxis *axis) {
    /* Wrapping and mirroring need normalised coordinates. */
    if (!direction->normalized && mode != ADDRESS_BORDER)
        mode = ADDRESS_CLAMP;
#define AXIS(mode)                                                                                 \
    case mode:                                                                                     \
        return direction->linear ? axis_by_mode(direction, place, mode, true, axis)                \
                                 : axis_by_mode(direction, place, mode, false, axis)
    switch (mode) {
        AXIS(ADDRESS_WRAP);
        AXIS(ADDRESS_MIRROR);
        AXIS(ADDRESS_BORDER);
        AXIS(ADDRESS_CLAMP);
    }
    return UINT32_MAX;
#undef AXIS
}

/* ---- corners ---- */

/* Each corner so far becomes one at the axis' first texel and, of a linear filter, one at its second. */
static void add_axis(const LanesAxis *axis, uint32_t stride, bool linear, Corners *corners) {
    const uint32_t count = corners->count;
    for (uint32_t c = 0; c < count; c++) {
        uint32_t *first = corners->offset[c], *second = corners->offset[c + count];
        if (linear)
            LANES for (uint32_t l = 0; l < WARP_LANES; l++) second[l] =
                first[l] + axis->texel[1][l] * stride;
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) first[l] += axis->texel[0][l] * stride;
    }
    corners->count = linear ? 2 * count : count;
}

/* a where the share is not 0, else b; by masks, since compilers make branches of choices among loads. */
ALWAYS_INLINE uint32_t if_shared(uint32_t share, uint32_t a, uint32_t b) {
    const uint32_t mask = share ? UINT32_MAX : 0;
    return b ^ ((a ^ b) & mask);
}

/* The share of a plane: of all where there is one. */
ALWAYS_INLINE uint32_t plane_share(const uint32_t *share, uint32_t l) {
    return share ? share[l] : 256;
}

/* Weights of floats; of the texels, those without a share become one of their plane with a share, or of a plane without, one of
 * the plane before. mixed: such a texel of each lane. */
ALWAYS_INLINE void divide_floats(const uint32_t *share, LanesAxis *const axes, Corners *corners,
                                 uint32_t first, uint32_t *mixed) {
    uint32_t(*offset)[WARP_LANES] = corners->offset + first;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t shares[4], one = mixed[l];
        share_divide(plane_share(share, l), axes[0].weight[l], axes[1].weight[l], shares);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++) {
            corners->weight[first + i][l] = (float)(int32_t)shares[i];
            one = if_shared(shares[i], offset[i][l], one);
        }
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            offset[i][l] = if_shared(shares[i], offset[i][l], one);
        mixed[l] = one;
    }
}

ALWAYS_INLINE void divide_integers(const uint32_t *share, LanesAxis *const axes, Corners *corners,
                                   uint32_t first) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t shares[4];
        share_divide(plane_share(share, l), axes[0].weight[l], axes[1].weight[l], shares);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < 4; i++)
            corners->share[first + i][l] = shares[i];
    }
}

/* An axis that is not read along has a weight of 0: second texels have no share. floats: how mixing wants the shares. */
static void divide_shares(LanesAxis axes[3], uint32_t axis_count, bool floats, Corners *corners) {
    uint32_t first[WARP_LANES], mixed[WARP_LANES] = {0};
    for (uint32_t i = axis_count; i < 3; i++)
        memset(axes[i].weight, 0, sizeof axes[i].weight);
    if (axis_count < 3) {
        if (floats)
            divide_floats(NULL, axes, corners, 0, mixed);
        else
            divide_integers(NULL, axes, corners, 0);
        return;
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) first[l] = 256 - axes[2].weight[l];
    if (floats) {
        divide_floats(first, axes, corners, 0, mixed);
        divide_floats(axes[2].weight, axes, corners, 4, mixed);
    } else {
        divide_integers(first, axes, corners, 0);
        divide_integers(axes[2].weight, axes, corners, 4);
    }
}

static uint32_t place_floats(const Texture *texture, const LanesSample *sample,
                             const uint32_t extents[3], const uint32_t strides[3],
                             Corners *corners) {
    LanesAxis axes[3];
    uint32_t outside = 0;
    /* One dimension is two, as in texture_sample.c: the second shows at a border alone. */
    if (sample->shape == SHAPE_1D && !sample->layered && texture->linear &&
        texture->address[1] == ADDRESS_BORDER)
        return UINT32_MAX;
    for (uint32_t i = 0; i < sample->axes; i++) {
        const Direction direction = {extents[i], coordinate_bits(extents[i]), texture->normalized,
                                     texture->linear};
        outside |= axis_of(&direction, texture->address[i], sample->place[i], &axes[i]);
        add_axis(&axes[i], strides[i], texture->linear, corners);
    }
    if (!texture->linear)
        return outside;
    const TexelFormat format = texture->levels[0].format;
    divide_shares(axes, sample->axes, format == TEXEL_F32 || format == TEXEL_F16, corners);
    return outside;
}

static uint32_t place_integers(const LanesSample *sample, const uint32_t extents[3],
                               const uint32_t strides[3], Corners *corners) {
    uint32_t outside = 0;
    for (uint32_t i = 0; i < sample->axes; i++) {
        const uint32_t *place = sample->place[i], extent = extents[i];
        const uint32_t stride = strides[i];
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
            outside |= place[l] < extent ? 0 : lane_bit[l];
            corners->offset[0][l] += place[l] < extent ? place[l] * stride : 0;
        }
    }
    return outside;
}

uint32_t AT_LEVEL(corners_place)(const Texture *texture, const LanesSample *sample,
                                 Corners *corners) {
    const Image *image = &texture->levels[0];
    const uint32_t extents[3] = {image->width, image->height, image->depth};
    const uint32_t strides[3] = {image->channels * channel_bytes(image->format),
                                 (uint32_t)image->row, (uint32_t)image->slice};
    const uint32_t last = image->layers - 1;
    corners->count = 1;
    if (sample->layered)
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) corners->offset[0][l] =
            (sample->layer[l] < last ? sample->layer[l] : last) * strides[2];
    else
        memset(corners->offset[0], 0, sizeof corners->offset[0]);
    return sample->whole ? place_integers(sample, extents, strides, corners)
                         : place_floats(texture, sample, extents, strides, corners);
}
