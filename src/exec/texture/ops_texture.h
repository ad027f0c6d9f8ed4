/* ops_texture.h: what the files share that read a texture for the lanes of a warp side by side. They do
 * what texture_sample does, in the same steps, with vectors of lanes in place of one lane; lanes that
 * would need a step of their own are left to it. */
#pragma once

#include "exec/lanes/ops.h"
#include "exec/texture/texel.h"

/* Texels that are mixed, numbered as in Plane: bit 0 is the column, bit 1 the row, bit 2 the plane. */
enum { CORNERS = 8 };

/* Of all lanes, in the mask or not: each has texels that exist. */
typedef struct Corners {
    /* From the image's address. Of texels that are floats, those without a share are others that have one, so that what they are
     * does not show. Each row is two cache lines, so that no vector lies in two. */
    _Alignas(64) uint32_t offset[CORNERS][WARP_LANES];
    uint32_t share[CORNERS][WARP_LANES];    /* in 1/256; linear filters alone */
    float weight[CORNERS][WARP_LANES];      /* the shares of texels that are floats */
    uint32_t words[4][CORNERS][WARP_LANES]; /* of each texel: corners_word */
    uint32_t odd[WARP_LANES]; /* of linear filters: not 0 where a result is not to be had here */
    uint32_t count;           /* 1 (nearest), 2, 4 or 8 */
    bool apart;               /* all words of texels of 16 bytes were read, else one */
} Corners;

/* [CORNERS]: the four bytes of each texel with a channel that was read. */
ALWAYS_INLINE const uint32_t (*corners_word(const Corners *corners, uint32_t channel))[WARP_LANES] {
    return corners->words[corners->apart ? channel : 0];
}

#ifdef OPS_LEVEL
TextureLanes AT_LEVEL(texture_lanes); /* ops_texture.c */
/* ops_texture_place.c: where the lanes read. Returns lanes that read something else than texels. */
uint32_t AT_LEVEL(corners_place)(const Texture *texture, const LanesSample *sample,
                                 Corners *corners);
/* ops_texture_mix.c: what a linear filter gives of channels whose words were read. Lanes in which one is infinite, not a
 * number, or too small to be a normal one, are odd. */
void AT_LEVEL(corners_mix)(const Texture *texture, Corners *corners, uint32_t channels,
                           uint32_t result[4][WARP_LANES]);
#endif

/* Where in its word a channel begins. */
ALWAYS_INLINE uint32_t channel_shift(TexelFormat format, uint32_t channel) {
    return channel * channel_bytes(format) % 4 * 8;
}

/* action(format, ...) with the format as a constant, for which its loops are then compiled. */
#define FOR_FORMAT(format, action, ...)                                                            \
    switch (format) {                                                                              \
    case TEXEL_U8:                                                                                 \
        action(TEXEL_U8, __VA_ARGS__);                                                             \
        break;                                                                                     \
    case TEXEL_U16:                                                                                \
        action(TEXEL_U16, __VA_ARGS__);                                                            \
        break;                                                                                     \
    case TEXEL_S8:                                                                                 \
        action(TEXEL_S8, __VA_ARGS__);                                                             \
        break;                                                                                     \
    case TEXEL_S16:                                                                                \
        action(TEXEL_S16, __VA_ARGS__);                                                            \
        break;                                                                                     \
    case TEXEL_F16:                                                                                \
        action(TEXEL_F16, __VA_ARGS__);                                                            \
        break;                                                                                     \
    default:                                                                                       \
        action(TEXEL_F32, __VA_ARGS__);                                                            \
    }
