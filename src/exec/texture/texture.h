/* texture: texture and surface objects, and what reading one gives.
 *
 * Invariants
 *   - An object is a row of a table that belongs to the device's memory; its handle is what kernels
 *     pass around. A handle of a destroyed object is recognised.
 *   - Texels lie in device memory row by row. How the GPU arranges those of an array is not known and
 *     cannot be seen by programs; so no sectors are counted for them.
 *   - What a filter gives is what an H100 gives, bit for bit: the rules are in docs/textures.md, and
 *     tests/texture compares with its answers.
 *
 * What it does not do: create arrays (cuda/array.c), parse instructions. */
#pragma once

#include "exec/exec.h"

/* As the driver API numbers them. */
typedef enum TexelFormat {
    TEXEL_U8 = 0x01,
    TEXEL_U16 = 0x02,
    TEXEL_U32 = 0x03,
    TEXEL_S8 = 0x08,
    TEXEL_S16 = 0x09,
    TEXEL_S32 = 0x0a,
    TEXEL_F16 = 0x10,
    TEXEL_F32 = 0x20
} TexelFormat;
uint32_t texel_channel_bytes(TexelFormat format); /* 0: there is no such format */

/* Texels in device memory. A cube has six slices, in the order +x -x +y -y +z -z. */
typedef struct Image {
    uint64_t address;
    TexelFormat format;
    uint32_t channels;             /* 1, 2 or 4 */
    uint32_t width, height, depth; /* texels; 1 where there is no such dimension */
    uint32_t layers;               /* or cubes; 1 where there are none */
    uint64_t row, slice;           /* bytes from one row, slice or layer to the next */
} Image;

typedef enum AddressMode {
    ADDRESS_WRAP,
    ADDRESS_CLAMP,
    ADDRESS_MIRROR,
    ADDRESS_BORDER
} AddressMode;

enum { TEXTURE_LEVELS = 18 };

typedef struct Texture {
    Image levels[TEXTURE_LEVELS];
    uint32_t level_count;
    bool surface;           /* a surface object: one level, and nothing below counts */
    bool linear_memory;     /* read by integer coordinates alone; zero beyond its end */
    AddressMode address[3]; /* of x, y, z */
    bool linear;            /* filter; else the nearest texel */
    bool mip_linear;
    bool normalized; /* coordinates 0 … 1 */
    bool integer;    /* texels as integers; else as they are or, of 8 and 16 bits, as 0 … 1 */
    bool srgb;
    float bias, lowest, highest; /* of the level of detail */
    float border[4];
} Texture;

/* ---- texture_table.c: handles ---- */

typedef struct TextureTable TextureTable;
/* Handle of a new object, never 0; 0: there is no memory. Any thread may call these at any time. */
uint64_t texture_add(Memory *memory, const Texture *texture);
bool texture_remove(Memory *memory, uint64_t handle);         /* false: there is none */
const Texture *texture_find(Memory *memory, uint64_t handle); /* NULL: there is none */
uint32_t texture_row(uint64_t handle);        /* its row: a small number, used again */
void texture_table_free(TextureTable *table); /* NULL is allowed */

/* ---- reading ---- */

typedef enum TextureShape { SHAPE_1D, SHAPE_2D, SHAPE_3D, SHAPE_CUBE } TextureShape;

/* For Launch.reads: that the launch reads the object's texels. */
void texture_reads(const Launch *launch, const Texture *texture); /* texture.c */

/* One lane's read. */
typedef struct Sample {
    TextureShape shape;
    bool layered;
    uint32_t layer;
    bool whole; /* coordinates are integers: `texel` */
    union {
        float place[3];
        int32_t texel[3];
    };
    float detail; /* level of detail before the object's bias and limits */
    int gather;   /* tld4: the channel, or -1 */
} Sample;

/* texture_sample.c: four 32-bit results: floats, or integers where the texture is read as such. */
void texture_sample(const Texture *texture, const Sample *sample, uint32_t result[4]);
/* Level of detail from the gradients along two directions, `count` components each. */
float texture_detail(const Texture *texture, const float *dx, const float *dy, uint32_t count);

/* The reads of a warp, of the texture's first level. */
typedef struct LanesSample {
    uint32_t mask;
    uint64_t handle;         /* of the texture */
    const uint64_t *handles; /* of each lane */
    TextureShape shape;
    bool layered, whole;
    uint32_t axes;            /* coordinates: 1 to 3 */
    const uint32_t *layer;    /* of each lane */
    const uint32_t *place[3]; /* of each lane: bits of floats, or integers where `whole` */
    uint32_t channels;        /* that are wanted: bit c is the c-th result */
    uint32_t *to[4];          /* registers for them, or NULL */
} LanesSample;
/* ops_texture.c: what texture_sample gives for each lane, side by side. Returns lanes of the mask that are
 * left to it: all where there are several textures, of cubes, and of kinds that programs seldom read. Where no lane is left of all
 * 32, the results are in the registers, too: as wide as they are read next. */
typedef uint32_t TextureLanes(const Texture *texture, const LanesSample *sample,
                              uint32_t result[4][32]);
TextureLanes *ops_texture(void); /* built for this processor; see ops.c */
TextureLanes *ops_texture_at(uint32_t level);

/* texture_texel.c: the channels of a texel as `result` says: */
typedef struct Texel {
    float value[4]; /* as a float */
    int32_t fixed
        [4]; /* 8- and 16-bit formats: value in units of 1/65535; of signed ones 1/127, 1/32767 */
    uint32_t bits[4]; /* integers, sign-extended */
} Texel;
bool texel_is_fixed(const Texture *texture); /* 8 or 16 bits, read as floats */
float texel_whole(TexelFormat format);       /* what 1.0 is in `fixed` */
/* The texel at these coordinates, all in range; slice: of the volume, cube or layers. */
Texel texel_read(const Texture *texture, const Image *image, uint32_t x, uint32_t y,
                 uint32_t slice);
Texel texel_border(const Texture *texture);

/* texture_place.c: from coordinates to texels. */
#define TEXEL_BORDER UINT32_MAX /* beyond the texture */
/* Along one axis: the two texels that a linear filter mixes, and the weight of the second in 1/256. */
typedef struct Axis {
    uint32_t texel[2]; /* or TEXEL_BORDER */
    uint32_t weight;   /* 0: only the first counts */
} Axis;
Axis axis_linear(float place, uint32_t extent, AddressMode mode, bool normalized);
Axis axis_nearest(float place, uint32_t extent, AddressMode mode, bool normalized);
/* Which face of a cube a direction meets (0 … 5), and where: place[0], place[1] in 0 … 1. */
uint32_t cube_face(const float direction[3], float place[2]);

/* texture_filter.c */

/* Four texels: two rows of two. */
typedef struct Plane {
    Texel texels[4];
    uint32_t weight[2]; /* of the second column, of the second row; in 1/256 */
    uint32_t share;     /* of the plane in the whole; in 1/256 */
} Plane;
enum { PLANES_MOST = 4 }; /* two slices of two levels */
void filter_mix(const Texture *texture, const Plane *planes, uint32_t count, uint32_t result[4]);
