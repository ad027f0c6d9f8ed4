/* What textures give to the lanes of a warp side by side, against what they give to one lane, on drawn
 * textures and coordinates: every bit is equal, for each build of the operations. What an H100 gives is
 * tests/texture. */
#include "exec/lanes/ops.h"
#include "exec/texture/texture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

enum { CASES = 2500, BYTES = 1 << 17 };

static const TexelFormat formats[] = {TEXEL_U8,  TEXEL_U16, TEXEL_U32, TEXEL_S8,
                                      TEXEL_S16, TEXEL_S32, TEXEL_F16, TEXEL_F32};
static uint8_t texels[BYTES];
static uint64_t state = 1;

static uint32_t draw(void) {
    return (uint32_t)(random_next(&state) >> 32);
}
static uint32_t below(uint32_t limit) {
    return draw() % limit;
}

/* ---- what is read ---- */

/* Of floats: all exponents, or a few so that sums are of alike ones; often zeros, sometimes infinities. */
static void draw_texels(TexelFormat format) {
    bool wild = below(2);
    for (uint32_t i = 0; i < BYTES / 4; i++) {
        uint32_t bits = draw();
        if (format == TEXEL_F32 && !wild)
            bits = (bits & 0x80ffffff) | 0x3e000000;
        if (format == TEXEL_F32 && below(8) == 0)
            bits &= below(2) ? 0x80000000 : 0x807fffff; /* zeros, denormal numbers */
        if (format == TEXEL_F16 && !wild)
            bits = (bits & 0x8fff8fff) | 0x30003000;
        if (below(200) == 0)
            bits = format == TEXEL_F32 ? 0x7f800000 | (draw() & 0x80400000) : 0xfc007e01;
        memcpy(texels + 4 * i, &bits, sizeof bits);
    }
}

static Texture draw_texture(TextureShape shape, bool layered) {
    Texture texture = {.level_count = 1,
                       .linear = below(2),
                       .normalized = below(2),
                       .integer = below(4) == 0,
                       .srgb = below(16) == 0,
                       .border = {0.25f, -0.5f, 3.0f, 7.0f}};
    Image *image = &texture.levels[0];
    image->address = (uintptr_t)texels;
    image->format = formats[below(sizeof formats / sizeof *formats)];
    image->channels = 1u << below(3);
    const uint32_t texel = image->channels * texel_channel_bytes(image->format);
    const bool wide = shape == SHAPE_1D && below(2);
    image->width = 1 + below(wide ? BYTES / texel : 40);
    image->height = shape == SHAPE_1D ? 1 : 1 + below(12);
    image->depth = shape == SHAPE_3D ? 1 + below(6) : 1;
    image->layers = layered && !wide ? 1 + below(6) : 1;
    image->row = (uint64_t)image->width * texel;
    image->slice = image->row * image->height;
    for (uint32_t i = 0; i < 3; i++)
        texture.address[i] = (AddressMode)below(4);
    draw_texels(image->format);
    return texture;
}

/* ---- where ---- */

static uint32_t draw_float(uint32_t extent, bool normalized) {
    static const float odd[] = {0.0f,      -0.0f, 1e-40f,    -1e-40f,       1e-30f,
                                -1e-30f,   1e30f, 1e38f,     -3e38f,        INFINITY,
                                -INFINITY, NAN,   0x1p26f,   -0x1p31f,      0.5f,
                                1.0f,      -1.0f, -0x1p-22f, 0x1.fffffep-1f};
    uint32_t kind = below(16), bits;
    float x = ((float)(draw() >> 8) * 0x1p-24f) * ((float)extent + 4.0f) - 2.0f;
    if (kind < 5) /* edges between weights, and texels */
        x = floorf(x * (kind < 3 ? 512.0f : 1.0f)) / (kind < 3 ? 512.0f : 1.0f);
    x = kind == 6 ? x * 50.0f : x;
    x = normalized ? x / (float)extent : x;
    x = kind == 7 ? odd[below(sizeof odd / sizeof *odd)] : x;
    memcpy(&bits, &x, sizeof bits);
    return kind == 8 ? draw() : bits;
}

static uint32_t draw_place(const Texture *texture, uint32_t axis, bool whole) {
    const Image *image = &texture->levels[0];
    uint32_t extent = axis == 0 ? image->width : axis == 1 ? image->height : image->depth;
    if (whole)
        return below(16) ? below(extent + 2) - 1 : draw();
    return draw_float(extent, texture->normalized);
}

/* ---- the comparison ---- */

typedef struct Drawn {
    Texture texture;
    LanesSample sample;
    uint32_t layer[WARP_LANES], place[3][WARP_LANES];
} Drawn;

static void draw_case(Drawn *drawn) {
    TextureShape shape = (TextureShape)below(3);
    LanesSample *sample = &drawn->sample;
    static const uint64_t handles[WARP_LANES];
    *sample = (LanesSample){.mask = FULL_MASK,
                            .handles = handles,
                            .shape = shape,
                            .layered = shape != SHAPE_3D && below(3) == 0,
                            .whole = below(4) == 0,
                            .axes = (uint32_t)shape + 1,
                            .layer = drawn->layer,
                            .channels = below(2) ? 15 : 1 + below(15)};
    drawn->texture = draw_texture(shape, sample->layered);
    drawn->texture.linear_memory = sample->whole && shape == SHAPE_1D && below(4);
    for (uint32_t l = 0; l < WARP_LANES; l++)
        drawn->layer[l] = below(8) ? below(8) : draw();
    for (uint32_t i = 0; i < 3; i++) {
        sample->place[i] = drawn->place[i];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            drawn->place[i][l] = draw_place(&drawn->texture, i, sample->whole);
    }
}

static void read_lane(const Drawn *drawn, uint32_t lane, uint32_t result[4]) {
    const LanesSample *lanes = &drawn->sample;
    Sample sample = {.shape = lanes->shape,
                     .layered = lanes->layered,
                     .layer = drawn->layer[lane],
                     .whole = lanes->whole,
                     .gather = -1};
    for (uint32_t i = 0; i < lanes->axes; i++)
        memcpy(&sample.texel[i], &drawn->place[i][lane], sizeof(uint32_t));
    texture_sample(&drawn->texture, &sample, result);
}

/* Returns how many lanes were read side by side. */
static uint32_t compare(const Drawn *drawn, uint32_t level, uint32_t number) {
    uint32_t result[4][WARP_LANES], expected[4];
    uint32_t left = ops_texture_at(level)(&drawn->texture, &drawn->sample, result);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        if (left >> l & 1)
            continue;
        read_lane(drawn, l, expected);
        for (uint32_t c = 0; c < 4; c++)
            if (drawn->sample.channels >> c & 1 && result[c][l] != expected[c])
                fail_msg("case %u, %s, lane %u, channel %u: 0x%08x, one by one 0x%08x", number,
                         ops_level_name(level), l, c, result[c][l], expected[c]);
    }
    return WARP_LANES - (uint32_t)__builtin_popcount(left);
}

static void test_lanes_equal_one(void **unused) {
    static Drawn drawn;
    uint64_t lanes = 0;
    (void)unused;
    for (uint32_t i = 0; i < CASES; i++) {
        draw_case(&drawn);
        for (uint32_t level = 0; level < ops_level_count(); level++)
            lanes += compare(&drawn, level, i);
    }
    /* Borders, infinities and 32-bit integers that are mixed are left out. */
    assert_true(lanes > (uint64_t)CASES * ops_level_count() * WARP_LANES / 2);
}

/* How far apart two lanes are in texels is what counts: coordinates from 0 to 1 are multiplied by the extents. */
static void test_detail_of_gradients(void **unused) {
    static const float none[3], eight[] = {8, 0, 0}, across[] = {0, 0.25f, 0}, deep[] = {0, 0, 2};
    Texture texture = {.level_count = 1};
    (void)unused;
    texture.levels[0].width = 64, texture.levels[0].height = 16, texture.levels[0].depth = 4;
    assert_true(texture_detail(&texture, eight, none, 3) == 3);
    assert_true(texture_detail(&texture, none, across, 3) == -2);
    texture.normalized = true;
    assert_true(texture_detail(&texture, eight, none, 3) == 9);
    assert_true(texture_detail(&texture, none, across, 3) == 2);
    assert_true(texture_detail(&texture, across, eight, 3) == 9); /* the longer one */
    assert_true(texture_detail(&texture, none, deep, 3) == 3);
    assert_true(texture_detail(&texture, across, deep, 2) == 2); /* of two axes */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lanes_equal_one),
                                       cmocka_unit_test(test_detail_of_gradients)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
