/* Reads a texture for the lanes of a warp side by side: where they read, the words there, and what a
 * filter makes of them. All formats, address modes and filters of one to three dimensions; what is left
 * out is decided by can_read, and lane by lane by what its two helpers return. */
#include "exec/texture/ops_texture.h"

#include <string.h>

/* Places between texels, in 1/256, are 32-bit integers here, and so are offsets. */
enum { EXTENT_MOST = 1 << 21 };
#define BYTES_MOST UINT32_MAX

static bool is_fixed_format(TexelFormat format) {
    return format == TEXEL_U8 || format == TEXEL_U16 || format == TEXEL_S8 || format == TEXEL_S16;
}

static bool is_small(const Image *image) {
    const uint64_t texel = image->channels * channel_bytes(image->format);
    return image->width * texel <= BYTES_MOST && image->row * image->height <= BYTES_MOST &&
           image->slice * image->depth * image->layers <= BYTES_MOST;
}

static bool can_read(const Texture *texture, const LanesSample *sample) {
    const Image *image = &texture->levels[0];
    if (!is_small(image) || texture->level_count != 1 || texture->srgb ||
        sample->shape == SHAPE_CUBE)
        return false;
    if (sample->whole) /* of arrays of one dimension integers read nothing */
        return sample->shape != SHAPE_1D || texture->linear_memory;
    const bool flat = sample->shape == SHAPE_1D && !sample->layered && image->height > 1;
    const bool mixes =
        !texture->integer && (is_fixed_format(image->format) || image->format == TEXEL_F16 ||
                              image->format == TEXEL_F32);
    return image->width <= EXTENT_MOST && image->height <= EXTENT_MOST &&
           image->depth <= EXTENT_MOST && !flat && (mixes || !texture->linear);
}

/* ---- words ---- */

/* `bytes` is a constant where this is called: 1, 2 or 4. */
ALWAYS_INLINE void read_bytes(const uint8_t *at, const uint32_t *offset, uint32_t bytes,
                              uint32_t *word) {
#pragma GCC unroll 8
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t value = 0;
        memcpy(&value, at + offset[l], bytes);
        word[l] = value;
    }
}

/* The words of this number. */
static void read_words(const Image *image, uint32_t size, uint32_t number, Corners *corners) {
    const uint8_t *at = (const uint8_t *)(uintptr_t)(image->address + 4 * number);
    for (uint32_t c = 0; c < corners->count; c++) {
        if (size == 1)
            read_bytes(at, corners->offset[c], 1, corners->words[0][c]);
        else if (size == 2)
            read_bytes(at, corners->offset[c], 2, corners->words[0][c]);
        else
            read_bytes(at, corners->offset[c], 4, corners->words[0][c]);
    }
    corners->word = corners->words[0];
}

enum { QUAD = 4, OCT = 8 };
typedef uint32_t Quad __attribute__((vector_size(4 * QUAD)));
typedef uint32_t Oct __attribute__((vector_size(4 * OCT)));

/* Four words each of four lanes, to four lanes of each word; and of the four lanes behind these in the upper halves. */
ALWAYS_INLINE void transpose(const Oct lane[QUAD], Oct word[QUAD]) {
    const Oct low01 = __builtin_shufflevector(lane[0], lane[1], 0, 8, 1, 9, 4, 12, 5, 13);
    const Oct low23 = __builtin_shufflevector(lane[2], lane[3], 0, 8, 1, 9, 4, 12, 5, 13);
    const Oct high01 = __builtin_shufflevector(lane[0], lane[1], 2, 10, 3, 11, 6, 14, 7, 15);
    const Oct high23 = __builtin_shufflevector(lane[2], lane[3], 2, 10, 3, 11, 6, 14, 7, 15);
    word[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    word[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    word[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    word[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
}

/* All words of texels of 16 bytes. */
static void read_quads(const Image *image, Corners *corners) {
    const uint8_t *at = (const uint8_t *)(uintptr_t)image->address;
    for (uint32_t c = 0; c < corners->count; c++)
        for (uint32_t l = 0; l < WARP_LANES; l += OCT) {
            const uint32_t *offset = corners->offset[c] + l;
            Oct lane[QUAD], word[QUAD];
            for (uint32_t i = 0; i < QUAD; i++) {
                Quad one, other;
                memcpy(&one, at + offset[i], sizeof one);
                memcpy(&other, at + offset[i + QUAD], sizeof other);
                lane[i] = __builtin_shufflevector(one, other, 0, 1, 2, 3, 4, 5, 6, 7);
            }
            transpose(lane, word);
            for (uint32_t i = 0; i < QUAD; i++)
                memcpy(&corners->words[i][c][l], &word[i], sizeof word[i]);
        }
}

/* Before each channel, in their order. */
static void read_channel(const Image *image, const LanesSample *sample, uint32_t channel,
                         Corners *corners) {
    const uint32_t bytes = channel_bytes(image->format), size = image->channels * bytes;
    const uint32_t number = channel * bytes / 4;
    const uint32_t before = sample->channels & ((1u << channel) - 1);
    if (size == 4 * QUAD && sample->channels & (sample->channels - 1)) {
        if (!before)
            read_quads(image, corners);
        corners->word = corners->words[number];
    } else if (!before || number != (31 - (uint32_t)__builtin_clz(before)) * bytes / 4) {
        read_words(image, size, number, corners);
    }
}

/* ---- the nearest texel ---- */

ALWAYS_INLINE void take_integers(TexelFormat format, const uint32_t *word, uint32_t shift,
                                 uint32_t *result) {
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) result[l] =
        channel_bits(format, word[l] >> shift);
}

/* A channel as the float that it stands for. */
ALWAYS_INLINE void take_values(TexelFormat format, const uint32_t *word, uint32_t shift,
                               uint32_t *result) {
    const float whole = texel_whole(format);
    float value[WARP_LANES];
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t bits = channel_bits(format, word[l] >> shift);
        value[l] =
            format == TEXEL_F16 ? float_of_half(bits) : (float)channel_fixed(format, bits) / whole;
    }
    memcpy(result, value, sizeof value);
}

/* Of 32 bits both are the word. */
static void take_nearest(const Texture *texture, const uint32_t *word, uint32_t channel,
                         uint32_t *result) {
    const TexelFormat format = texture->levels[0].format;
    const uint32_t shift = channel_shift(format, channel);
    if (channel_bytes(format) == 4) {
        memcpy(result, word, WARP_LANES * sizeof *result);
    } else if (texture->integer) {
        FOR_FORMAT(format, take_integers, word, shift, result)
    } else {
        FOR_FORMAT(format, take_values, word, shift, result)
    }
}

/* All lanes of the mask have the object of this handle. */
static bool have_one(const LanesSample *sample) {
    const uint64_t *handles = sample->handles, handle = sample->handle;
    const uint32_t mask = sample->mask;
    uint64_t others = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint64_t other = handles[l] ^ handle;
        others |= mask & lane_bit[l] ? other : 0;
    }
    return others == 0;
}

uint32_t AT_LEVEL(texture_lanes)(const Texture *texture, const LanesSample *sample,
                                 uint32_t result[4][WARP_LANES]) {
    const Image *image = &texture->levels[0];
    const bool mixes = texture->linear && !sample->whole;
    Corners corners;
    if (!have_one(sample) || !can_read(texture, sample))
        return sample->mask;
    uint32_t left = sample->mask & AT_LEVEL(corners_place)(texture, sample, &corners);
    if (left == sample->mask)
        return left;
    for (uint32_t c = 0; c < 4; c++) {
        if (c >= image->channels) /* channels that a format does not have read as 0 */
            memset(result[c], 0, sizeof result[c]);
        if (c >= image->channels || !(sample->channels >> c & 1))
            continue;
        read_channel(image, sample, c, &corners);
        if (mixes)
            left |= sample->mask & AT_LEVEL(corners_mix)(texture, &corners, c, result[c]);
        else
            take_nearest(texture, corners.word[0], c, result[c]);
    }
    return left;
}
