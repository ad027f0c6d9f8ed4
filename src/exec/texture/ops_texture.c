/* Reads a texture for the lanes of a warp side by side: where they read, the words there, and what a
 * filter makes of them. All formats, address modes and filters of one to three dimensions; what is left
 * out is decided by can_read, and lane by lane by what its two helpers return. */
#include "exec/texture/ops_texture.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif
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
}

/* Four words of a texel, and one word of so many lanes: as wide as the vectors that read them, which from two halves that were
 * just stored would have to wait. */
enum { QUAD = 4 };
#ifdef __AVX512F__
enum { ROW = 16 };
typedef uint32_t Row __attribute__((vector_size(4 * ROW)));
#define PICKED(p, q, r, s)                                                                         \
    AT(0, p, q, r, s), AT(1, p, q, r, s), AT(2, p, q, r, s), AT(3, p, q, r, s)
#else
enum { ROW = 8 };
typedef uint32_t Quad __attribute__((vector_size(4 * QUAD)));
typedef uint32_t Row __attribute__((vector_size(4 * ROW)));
#define PICKED(p, q, r, s) AT(0, p, q, r, s), AT(1, p, q, r, s)
#endif
/* Of each four words of a row, and of another row's four (4 to 7): these. */
#define IN(four, p) ((p) < QUAD ? 0 : ROW - QUAD) + QUAD *(four) + (p)
#define AT(four, p, q, r, s) IN(four, p), IN(four, q), IN(four, r), IN(four, s)
#define PICK_ROW(a, b, p, q, r, s) __builtin_shufflevector(a, b, PICKED(p, q, r, s))

/* Four words each of four lanes, to four lanes of each word; and so of the lanes behind these. */
ALWAYS_INLINE void transpose(const Row lane[QUAD], Row word[QUAD]) {
    const Row low01 = PICK_ROW(lane[0], lane[1], 0, 4, 1, 5);
    const Row low23 = PICK_ROW(lane[2], lane[3], 0, 4, 1, 5);
    const Row high01 = PICK_ROW(lane[0], lane[1], 2, 6, 3, 7);
    const Row high23 = PICK_ROW(lane[2], lane[3], 2, 6, 3, 7);
    word[0] = PICK_ROW(low01, low23, 0, 1, 4, 5);
    word[1] = PICK_ROW(low01, low23, 2, 3, 6, 7);
    word[2] = PICK_ROW(high01, high23, 0, 1, 4, 5);
    word[3] = PICK_ROW(high01, high23, 2, 3, 6, 7);
}

/* Of every fourth lane. With AVX-512 a texel is put in place where it is loaded, by a mask: a join of two registers would take
 * the only unit that turns matrices, too. */
ALWAYS_INLINE void read_row(const uint8_t *at, const uint32_t *offset, Row *row) {
#ifdef __AVX512F__
    __m512i quads = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(at + offset[0])));
#pragma GCC unroll 4
    for (uint32_t i = 1; i < ROW / QUAD; i++) {
        const __m128i quad = _mm_loadu_si128((const void *)(at + offset[QUAD * i]));
        quads = _mm512_mask_broadcast_i32x4(quads, (__mmask16)(0xf << QUAD * i), quad);
    }
    *row = (Row)quads;
#else
    Quad one, other;
    memcpy(&one, at + offset[0], sizeof one);
    memcpy(&other, at + offset[QUAD], sizeof other);
    *row = __builtin_shufflevector(one, other, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* All words of texels of 16 bytes. */
static void read_quads(const Image *image, Corners *corners) {
    const uint8_t *at = (const uint8_t *)(uintptr_t)image->address;
    for (uint32_t c = 0; c < corners->count; c++)
        for (uint32_t l = 0; l < WARP_LANES; l += ROW) {
            Row lane[QUAD], word[QUAD];
            for (uint32_t i = 0; i < QUAD; i++)
                read_row(at, corners->offset[c] + l + i, &lane[i]);
            transpose(lane, word);
            for (uint32_t i = 0; i < QUAD; i++)
                memcpy(&corners->words[i][c][l], &word[i], sizeof word[i]);
        }
}

/* Reads the first of these channels, and with it those that lie in the same word; of texels of 16 bytes all, unless one is wanted
 * alone. Returns which. */
static uint32_t read_channels(const Image *image, uint32_t wanted, Corners *corners) {
    const uint32_t bytes = channel_bytes(image->format), size = image->channels * bytes;
    const uint32_t number = (uint32_t)__builtin_ctz(wanted) * bytes / 4, channels = 4 / bytes;
    corners->apart = size == 4 * QUAD && wanted & (wanted - 1);
    if (corners->apart) {
        read_quads(image, corners);
        return wanted;
    }
    read_words(image, size, number, corners);
    return wanted & ((1u << channels) - 1) << number * channels;
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

static uint32_t odd_lanes(const Corners *corners) {
    uint32_t odd = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) odd |= corners->odd[l] ? lane_bit[l] : 0;
    return odd;
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
    memset(corners.odd, 0, sizeof corners.odd);
    for (uint32_t c = image->channels; c < 4; c++) /* those that a format does not have read as 0 */
        memset(result[c], 0, sizeof result[c]);
    uint32_t wanted = sample->channels & ((1u << image->channels) - 1);
    while (wanted) {
        const uint32_t channels = read_channels(image, wanted, &corners);
        if (mixes)
            AT_LEVEL(corners_mix)(texture, &corners, channels, result);
        else
            for_lanes(c, channels)
                take_nearest(texture, corners_word(&corners, c)[0], c, result[c]);
        wanted &= ~channels;
    }
    if (mixes)
        left |= sample->mask & odd_lanes(&corners);
    for (uint32_t c = 0; !left && sample->mask == FULL_MASK && c < 4; c++)
        if (sample->to[c])
            memcpy(sample->to[c], result[c], sizeof result[c]);
    return left;
}
