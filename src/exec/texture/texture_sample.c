/* What one lane reads from a texture: which texels, of which levels, and mixed how. PTX ISA "tex" and
 * "tld4"; docs/textures.md. */
#include "exec/texture/texture.h"

#include <math.h>
#include <string.h>

/* Where a sample lies in an image. */
typedef struct Spot {
    const Image *image;
    Axis axis[3];
    uint32_t slice; /* of layers and faces; those of a volume come from axis[2] */
} Spot;

static Texel texel_at(const Texture *texture, const Spot *spot, uint32_t corner) {
    uint32_t x = spot->axis[0].texel[corner & 1], y = spot->axis[1].texel[corner >> 1 & 1];
    uint32_t z = spot->axis[2].texel[corner >> 2];
    if (x == TEXEL_BORDER || y == TEXEL_BORDER || z == TEXEL_BORDER)
        return texel_border(texture);
    return texel_read(texture, spot->image, x, y, spot->slice + z);
}

static Axis axis_of(const Texture *texture, const Sample *sample, uint32_t axis, uint32_t extent,
                    bool linear) {
    AddressMode mode = texture->address[axis];
    return (linear ? axis_linear : axis_nearest)(sample->place[axis], extent, mode,
                                                 texture->normalized);
}

/* A texture of one dimension is one of two whose second coordinate is 0, which shows where there is a
 * border; not so a layer of one dimension. */
static Spot spot_of(const Texture *texture, const Sample *sample, const Image *image) {
    bool linear = texture->linear || sample->gather >= 0;
    uint32_t layer = sample->layer < image->layers ? sample->layer : image->layers - 1;
    Spot spot = {.image = image, .slice = sample->layered ? layer : 0};
    if (sample->shape == SHAPE_CUBE) {
        float place[2];
        uint32_t face = cube_face(sample->place, place);
        spot.slice = 6 * spot.slice + face;
        for (uint32_t i = 0; i < 2; i++)
            spot.axis[i] = (linear ? axis_linear : axis_nearest)(place[i], image->width,
                                                                 texture->address[i], true);
        return spot;
    }
    spot.axis[0] = axis_of(texture, sample, 0, image->width, linear);
    if (sample->shape == SHAPE_2D || sample->shape == SHAPE_3D || !sample->layered)
        spot.axis[1] = axis_of(texture, sample, 1, image->height, linear);
    if (sample->shape == SHAPE_3D)
        spot.axis[2] = axis_of(texture, sample, 2, image->depth, linear);
    return spot;
}

static void take_bits(const Texture *texture, const Texel *texel, uint32_t result[4]) {
    if (texture->integer || texture->levels[0].format == TEXEL_F32 ||
        texture->levels[0].format == TEXEL_U32 || texture->levels[0].format == TEXEL_S32) {
        memcpy(result, texel->bits, 4 * sizeof *result);
        for (uint32_t c = texture->levels[0].channels; c < 4 && !texture->integer; c++)
            memcpy(&result[c], &texel->value[c], sizeof *result);
    } else {
        memcpy(result, texel->value, 4 * sizeof *result);
    }
}

/* Integer coordinates: beyond the texture, and of one-dimensional arrays, there are zeros. */
static void sample_whole(const Texture *texture, const Sample *sample, uint32_t result[4]) {
    const Image *image = &texture->levels[0];
    uint32_t x = (uint32_t)sample->texel[0];
    uint32_t y = sample->shape == SHAPE_1D ? 0 : (uint32_t)sample->texel[1];
    uint32_t z = sample->shape == SHAPE_3D ? (uint32_t)sample->texel[2] : 0;
    memset(result, 0, 4 * sizeof *result);
    if (x >= image->width || y >= image->height || z >= image->depth ||
        (sample->shape == SHAPE_1D && !texture->linear_memory))
        return;
    uint32_t layer = sample->layer < image->layers ? sample->layer : image->layers - 1;
    Texel texel = texel_read(texture, image, x, y, z + (sample->layered ? layer : 0));
    take_bits(texture, &texel, result);
}

/* The planes that a linear filter mixes of an image whose share is that. Without one, each is a single
 * texel. */
static uint32_t planes_of(const Texture *texture, const Sample *sample, const Image *image,
                          uint32_t share, Plane *planes) {
    Spot spot = spot_of(texture, sample, image);
    uint32_t second = (share * spot.axis[2].weight + 128) >> 8, count = 0;
    for (uint32_t z = 0; z < 2; z++) {
        Plane *plane = &planes[count];
        plane->share = z ? second : share - second;
        if (plane->share == 0)
            continue;
        plane->weight[0] = spot.axis[0].weight;
        plane->weight[1] = spot.axis[1].weight;
        for (uint32_t i = 0; i < 4; i++)
            plane->texels[i] = texel_at(texture, &spot, 4 * z + i);
        count++;
    }
    return count;
}

/* One level, or two of which the second has a weight. */
static void sample_levels(const Texture *texture, const Sample *sample, uint32_t level,
                          uint32_t weight, uint32_t result[4]) {
    Plane planes[PLANES_MOST];
    if (!texture->linear && weight == 0) {
        Spot spot = spot_of(texture, sample, &texture->levels[level]);
        Texel texel = texel_at(texture, &spot, 0);
        take_bits(texture, &texel, result);
        return;
    }
    uint32_t count = planes_of(texture, sample, &texture->levels[level], 256 - weight, planes);
    if (weight)
        count += planes_of(texture, sample, &texture->levels[level + 1], weight, planes + count);
    filter_mix(texture, planes, count, result);
}

/* The four texels that a linear filter would mix, counter-clockwise from the lower left. */
static void gather(const Texture *texture, const Sample *sample, uint32_t result[4]) {
    static const uint32_t corners[4] = {2, 3, 1, 0};
    Spot spot = spot_of(texture, sample, &texture->levels[0]);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t bits[4];
        Texel texel = texel_at(texture, &spot, corners[i]);
        take_bits(texture, &texel, bits);
        result[i] = bits[sample->gather];
    }
}

/* ---- levels of detail ---- */

/* In 1/256 levels, cut off before the bias is added; within the object's limits. */
static uint32_t detail_fixed(const Texture *texture, float detail) {
    double most = texture->level_count - 1;
    double high = texture->highest < most ? texture->highest : most;
    double level = detail > 64 ? 64 : detail > -64 ? detail : -64; /* a NaN is below all */
    double fixed = trunc(level * 256) + floor(texture->bias * 256.0);
    fixed = fixed < texture->lowest * 256.0 ? floor(texture->lowest * 256.0) : fixed;
    fixed = fixed > high * 256 ? floor(high * 256) : fixed;
    return fixed > 0 ? (uint32_t)fixed : 0;
}

void texture_sample(const Texture *texture, const Sample *sample, uint32_t result[4]) {
    if (sample->gather >= 0) {
        gather(texture, sample, result);
    } else if (sample->whole) {
        sample_whole(texture, sample, result);
    } else if (texture->level_count == 1) {
        sample_levels(texture, sample, 0, 0, result);
    } else {
        uint32_t detail = detail_fixed(texture, sample->detail);
        if (texture->mip_linear && !texture->integer)
            sample_levels(texture, sample, detail >> 8, detail & 255, result);
        else
            sample_levels(texture, sample, (detail + 128) >> 8, 0, result);
    }
}

/* The length of a gradient in texels, as the unit estimates it. */
static float length_of(const float *gradient, uint32_t count, const float extents[3]) {
    float sizes[3] = {0};
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = fabsf(gradient[i]) * extents[i];
    for (uint32_t i = 0; i < 2; i++) /* the largest first */
        for (uint32_t j = 0; j < 2; j++)
            if (sizes[j] < sizes[j + 1]) {
                float swap = sizes[j];
                sizes[j] = sizes[j + 1];
                sizes[j + 1] = swap;
            }
    return sizes[0] + sizes[1] * (11.0f / 32) + sizes[2] * 0.25f;
}

float texture_detail(const Texture *texture, const float *dx, const float *dy, uint32_t count) {
    const Image *image = &texture->levels[0];
    float extents[3] = {1, 1, 1};
    if (texture->normalized) {
        extents[0] = (float)image->width;
        extents[1] = (float)image->height;
        extents[2] = (float)image->depth;
    }
    float x = length_of(dx, count, extents), y = length_of(dy, count, extents);
    return log2f(x > y ? x : y);
}
