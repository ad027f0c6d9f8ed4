/* Texels: what the bytes of one are worth. CUDA C++ Programming Guide, "Texture Memory": integers of 8
 * and 16 bits are read as 0 … 1 or -1 … 1 unless the object says otherwise; channels that a format
 * does not have read as 0. */
#include "exec/texture/texel.h"

#include <math.h>
#include <string.h>

uint32_t texel_channel_bytes(TexelFormat format) {
    return channel_bytes(format);
}

static bool is_signed(TexelFormat format) {
    return format == TEXEL_S8 || format == TEXEL_S16 || format == TEXEL_S32;
}

bool texel_is_fixed(const Texture *texture) {
    TexelFormat format = texture->levels[0].format;
    return !texture->integer &&
           (format == TEXEL_U8 || format == TEXEL_U16 || format == TEXEL_S8 || format == TEXEL_S16);
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* What an H100 makes of 8 bits of sRGB, in units of 1/65536: about the curve of IEC 61966-2-1, to as
 * many digits as the unit has. */
static const uint32_t linear_of_srgb[256] = {
    0,     20,    40,    60,    80,    100,   120,   140,   160,   180,   200,   220,   240,
    264,   288,   312,   340,   368,   396,   428,   460,   492,   524,   560,   600,   636,
    676,   720,   760,   804,   852,   896,   944,   1000,  1048,  1104,  1160,  1216,  1272,
    1328,  1392,  1456,  1520,  1584,  1648,  1720,  1792,  1864,  1936,  2016,  2096,  2176,
    2256,  2336,  2416,  2496,  2592,  2688,  2768,  2864,  2960,  3056,  3152,  3264,  3360,
    3456,  3584,  3680,  3776,  3904,  4000,  4128,  4256,  4352,  4480,  4608,  4736,  4864,
    4992,  5120,  5248,  5408,  5536,  5664,  5824,  5952,  6112,  6240,  6400,  6560,  6688,
    6848,  7008,  7168,  7328,  7488,  7680,  7808,  8000,  8192,  8320,  8512,  8704,  8896,
    9088,  9280,  9472,  9664,  9856,  10048, 10240, 10432, 10624, 10816, 11008, 11264, 11456,
    11648, 11904, 12096, 12288, 12544, 12736, 12992, 13184, 13440, 13696, 13888, 14144, 14400,
    14656, 14848, 15104, 15360, 15616, 15872, 16128, 16384, 16640, 16896, 17152, 17408, 17664,
    18048, 18304, 18560, 18816, 19072, 19456, 19712, 19968, 20224, 20608, 20864, 21120, 21504,
    21760, 22144, 22400, 22784, 23040, 23296, 23680, 24064, 24320, 24704, 24960, 25344, 25600,
    25984, 26368, 26752, 27008, 27392, 27776, 28032, 28416, 28800, 29184, 29568, 29952, 30336,
    30720, 30976, 31488, 31744, 32256, 32512, 33024, 33280, 33792, 34048, 34560, 35072, 35328,
    35840, 36096, 36608, 37120, 37376, 37888, 38400, 38656, 39168, 39680, 39936, 40448, 40960,
    41216, 41728, 42240, 42752, 43264, 43520, 44032, 44544, 45056, 45568, 45824, 46336, 46848,
    47360, 47872, 48384, 48896, 49408, 49920, 50432, 50944, 51456, 51968, 52480, 52992, 53504,
    54016, 54528, 55040, 55552, 56064, 56576, 57088, 57600, 58112, 58624, 59392, 59904, 60416,
    60928, 61440, 61952, 62464, 62976, 64000, 64512, 65024, 65536,
};

/* ---- channels ---- */

static uint32_t raw_channel(const Image *image, const uint8_t *texel, uint32_t channel) {
    uint32_t raw = 0, bytes = texel_channel_bytes(image->format);
    memcpy(&raw, texel + channel * bytes, bytes);
    return channel_bits(image->format, raw);
}

float texel_whole(TexelFormat format) {
    return format == TEXEL_S8 ? 127.0f : is_signed(format) ? 32767.0f : 65535.0f;
}

static void set_channel(const Texture *texture, Texel *texel, uint32_t channel, uint32_t raw) {
    TexelFormat format = texture->levels[0].format;
    texel->bits[channel] = raw;
    if (format == TEXEL_F16 || format == TEXEL_F32) {
        texel->value[channel] = format == TEXEL_F16 ? float_of_half(raw) : float_of(raw);
    } else if (texture->srgb && format == TEXEL_U8 && channel < 3) {
        texel->value[channel] = (float)linear_of_srgb[raw] / 65536.0f;
    } else {
        texel->fixed[channel] = channel_fixed(format, raw);
        texel->value[channel] = (float)texel->fixed[channel] / texel_whole(format);
    }
}

/* Channels that a format does not have read as 0. */
static void set_missing(Texel *texel, uint32_t channel) {
    texel->value[channel] = 0;
    texel->fixed[channel] = 0;
    texel->bits[channel] = 0;
}

Texel texel_read(const Texture *texture, const Image *image, uint32_t x, uint32_t y,
                 uint32_t slice) {
    uint32_t bytes = image->channels * texel_channel_bytes(image->format);
    const uint8_t *at = (const uint8_t *)(uintptr_t)(image->address + slice * image->slice +
                                                     y * image->row + (uint64_t)x * bytes);
    Texel texel;
    for (uint32_t c = 0; c < 4; c++)
        if (c < image->channels)
            set_channel(texture, &texel, c, raw_channel(image, at, c));
        else
            set_missing(&texel, c);
    return texel;
}

/* The border's colour in the format of the texels. */
static uint32_t raw_border(const Texture *texture, float value) {
    uint32_t bits;
    TexelFormat format = texture->levels[0].format;
    float most = format == TEXEL_U8    ? 255.0f
                 : format == TEXEL_S8  ? 127.0f
                 : format == TEXEL_U16 ? 65535.0f
                                       : 32767.0f;
    float least = is_signed(format) ? -1.0f : 0.0f;
    switch (format) {
    case TEXEL_U8:
    case TEXEL_S8:
    case TEXEL_U16:
    case TEXEL_S16:
        if (texture->integer) {
            memcpy(&bits, &value, sizeof bits);
            return channel_bits(format, bits);
        }
        value = value < least ? least : value > 1.0f ? 1.0f : value;
        return (uint32_t)(int32_t)floorf(value * most + 0.5f);
    default:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
}

Texel texel_border(const Texture *texture) {
    TexelFormat format = texture->levels[0].format;
    Texel texel;
    for (uint32_t c = 0; c < 4; c++) {
        set_missing(&texel, c);
        if (c >= texture->levels[0].channels)
            continue;
        uint32_t raw = raw_border(texture, texture->border[c]);
        if (format == TEXEL_F16)
            texel.value[c] = texture->border[c];
        else
            set_channel(texture, &texel, c, raw);
    }
    return texel;
}
