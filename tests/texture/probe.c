/* Reads textures and surfaces of every kind at drawn coordinates and writes what came back: a program
 * of the driver API, to be run on a GPU (for the answers) and under `warplens run` (for comparison).
 *
 *   probe COUNT OUT [CASE]     COUNT reads for each case; only the cases whose name contains CASE
 *
 * OUT: for each case its name in a line, then COUNT times four 32-bit words in hexadecimal. Built
 * with -lcuda it runs on a GPU; operands are drawn the same everywhere. */
#include "check.h"

#include <math.h>

/* ---- drawing ---- */

static uint64_t state;
static uint32_t draw(void) { /* splitmix64 */
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}
static float unit(void) { /* 0 <= x < 1, on 24 bits */
    return (float)(draw() >> 8) * 0x1p-24f;
}
static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

/* A coordinate of a texture with `extent` texels: mostly a little beyond it, sometimes on the grid of
 * the filter's weights, rarely something odd. */
static float coordinate(uint32_t extent, bool normalized) {
    static const float odd[] = {0.0f,     -0.0f,     1e-30f, -1e-30f, 1e30f, -1e30f,
                                INFINITY, -INFINITY, NAN,    0.5f,    1.0f,  -1.0f};
    uint32_t kind = draw() & 15;
    float x = unit() * ((float)extent + 4.0f) - 2.0f;
    if (kind == 0)
        return odd[draw() % (sizeof odd / sizeof *odd)];
    if (kind < 6)
        x = floorf(x * 512.0f) / 512.0f;
    if (kind == 6)
        x *= 50.0f;
    return normalized ? x / (float)extent : x;
}

/* ---- cases ---- */

typedef enum Geometry { D1, D2, D3, A1, A2, CUBE, ACUBE, LINEAR, PITCH, GEOMETRIES } Geometry;
static const char *const geometry_names[] = {"1d",   "2d",    "3d", "a1d", "a2d",
                                             "cube", "acube", "1d", "2d"};
static const char *const case_names[] = {"1d",   "2d",    "3d",     "a1d",  "a2d",
                                         "cube", "acube", "linear", "pitch"};

typedef struct Format {
    const char *name;
    CUarray_format format;
    unsigned channels, bytes;
    bool integer; /* read as such */
    const char *type;
} Format;
static const Format formats[] = {
    {"f32x1", AD_FORMAT_FLOAT, 1, 4, false, "f32"},
    {"f32x4", AD_FORMAT_FLOAT, 4, 16, false, "f32"},
    {"f16x2", AD_FORMAT_HALF, 2, 4, false, "f32"},
    {"u8x4n", AD_FORMAT_UNSIGNED_INT8, 4, 4, false, "f32"},
    {"s8x1n", AD_FORMAT_SIGNED_INT8, 1, 1, false, "f32"},
    {"u16x1n", AD_FORMAT_UNSIGNED_INT16, 1, 2, false, "f32"},
    {"s16x2n", AD_FORMAT_SIGNED_INT16, 2, 4, false, "f32"},
    {"u8x2", AD_FORMAT_UNSIGNED_INT8, 2, 2, true, "u32"},
    {"s16x4", AD_FORMAT_SIGNED_INT16, 4, 8, true, "s32"},
    {"u32x1", AD_FORMAT_UNSIGNED_INT32, 1, 4, true, "u32"},
    {"s32x2", AD_FORMAT_SIGNED_INT32, 2, 8, true, "s32"},
};
enum { FORMATS = sizeof formats / sizeof *formats };

typedef enum Read { TEX, TEX_INT, LEVEL, GRAD, GATHER_R, GATHER_G, GATHER_B, GATHER_A } Read;
static const char *const read_names[] = {"tex",   "texi",  "level", "grad",
                                         "tld4r", "tld4g", "tld4b", "tld4a"};

typedef struct Case {
    Geometry geometry;
    const Format *format;
    Read read;
    bool linear, normalized, srgb, seamless;
    CUaddress_mode address;
    CUfilter_mode mip;
    uint32_t levels; /* 1: no mipmap */
    float bias, lowest, highest;
} Case;

static const char *case_name(const Case *one) {
    static const char *const modes[] = {"wrap", "clamp", "mirror", "border"};
    static char name[160];
    snprintf(name, sizeof name, "%s-%s-%s-%s-%s-%s%s%s%s", read_names[one->read],
             case_names[one->geometry], one->format->name, one->linear ? "linear" : "point",
             one->normalized ? "norm" : "texels", modes[one->address], one->srgb ? "-srgb" : "",
             one->seamless ? "-seamless" : "",
             one->levels == 1 ? ""
             : one->mip       ? "-mips-linear"
                              : "-mips-point");
    if (one->bias != 0 || one->lowest != 0)
        strcat(name, "-bias");
    return name;
}

/* ---- kernels ---- */

static uint32_t coordinates_of(Geometry geometry) { /* as PTX wants them */
    static const uint32_t counts[] = {1, 2, 4, 2, 4, 4, 4, 1, 2};
    return counts[geometry];
}

/* {prefix first, …}: `count` registers in braces */
static void list(char *text, const char *prefix, uint32_t first, uint32_t count) {
    strcat(text, "{");
    for (uint32_t i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%%%s%u", i ? ", " : "", prefix, first + i);
    strcat(text, "}");
}

static void instruction(const Case *one, char *text) {
    const char *geometry = geometry_names[one->geometry];
    uint32_t count = coordinates_of(one->geometry);
    bool gathers = one->read >= GATHER_R;
    text[0] = 0;
    if (gathers)
        sprintf(text, "tld4.%c.2d.v4.%s.f32 ", "rgba"[one->read - GATHER_R], one -> format -> type);
    else
        sprintf(text, "tex.%s%s.v4.%s.%s ",
                one->read == LEVEL  ? "level."
                : one->read == GRAD ? "grad."
                                    : "",
                geometry, one->format->type, one->read == TEX_INT ? "s32" : "f32");
    list(text, "o", 0, 4);
    strcat(text, ", [%t, ");
    list(text, "c", 0, count);
    strcat(text, "]");
    if (one->read == LEVEL)
        strcat(text, ", %c4");
    if (one->read == GRAD) {
        strcat(text, ", ");
        list(text, "c", 4, count);
        strcat(text, ", ");
        list(text, "c", 8, count);
    }
}

static CUfunction kernel_of(const Case *one, CUmodule *module) {
    static char body[512], text[4096];
    CUfunction function;
    instruction(one, body);
    snprintf(
        text, sizeof text,
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry read(.param .u64 object, .param .u64 in, .param .u64 out)\n{\n"
        "    .reg .b32 %%r<5>, %%c<12>, %%o<4>;\n    .reg .b64 %%t, %%a, %%b, %%d;\n"
        "    ld.param.u64 %%t, [object];\n    ld.param.u64 %%a, [in];\n    ld.param.u64 %%b, "
        "[out];\n"
        "    mov.u32 %%r0, %%ctaid.x;\n    mov.u32 %%r1, %%ntid.x;\n    mov.u32 %%r2, %%tid.x;\n"
        "    mad.lo.u32 %%r3, %%r0, %%r1, %%r2;\n"
        "    mul.wide.u32 %%d, %%r3, 48;\n    add.u64 %%a, %%a, %%d;\n"
        "    mul.wide.u32 %%d, %%r3, 16;\n    add.u64 %%b, %%b, %%d;\n"
        "    ld.global.v4.b32 {%%c0, %%c1, %%c2, %%c3}, [%%a];\n"
        "    ld.global.v4.b32 {%%c4, %%c5, %%c6, %%c7}, [%%a+16];\n"
        "    ld.global.v4.b32 {%%c8, %%c9, %%c10, %%c11}, [%%a+32];\n"
        "    %s;\n"
        "    st.global.v4.b32 [%%b], {%%o0, %%o1, %%o2, %%o3};\n    ret;\n}\n",
        body);
    OK(cuModuleLoadData(module, text));
    OK(cuModuleGetFunction(&function, *module, "read"));
    return function;
}

/* ---- resources ---- */

typedef struct Shape {
    uint32_t width, height, depth; /* texels; layers and faces are depth */
    uint32_t layers;
    unsigned flags;
} Shape;

static Shape shape_of(const Case *one) {
    switch (one->geometry) {
    case D1:
    case LINEAR:
        return (Shape){23, 1, 1, 0, 0};
    case D3:
        return (Shape){9, 7, 5, 0, 0};
    case A1:
        return (Shape){23, 1, 3, 3, ARRAY3D_LAYERED};
    case A2:
        return (Shape){13, 9, 3, 3, ARRAY3D_LAYERED};
    case CUBE:
        return (Shape){8, 8, 6, 0, ARRAY3D_CUBEMAP};
    case ACUBE:
        return (Shape){8, 8, 12, 2, ARRAY3D_CUBEMAP | ARRAY3D_LAYERED};
    default:
        return (Shape){13, 9, 1, 0, one->read >= GATHER_R ? ARRAY3D_TEXTURE_GATHER : 0};
    }
}

/* Texels that are neither NaN nor infinite. */
static void draw_texels(const Format *format, uint8_t *to, size_t texels) {
    size_t cells = texels * format->channels;
    uint32_t bytes = format->bytes / format->channels;
    for (size_t i = 0; i < cells; i++) {
        uint32_t bits = draw();
        if (format->format == AD_FORMAT_FLOAT) {
            float value =
                (float)((int)(bits >> 8) - (1 << 23)) * ldexpf(1.0f, (int)(bits & 7) - 24);
            bits = bits_of(value);
        } else if (format->format == AD_FORMAT_HALF) {
            bits = (bits & 0x83ff) | ((bits >> 16) % 20 + 5) << 10;
        }
        memcpy(to + i * bytes, &bits, bytes);
    }
}

static void fill_array(CUarray array, const Case *one, uint32_t width, uint32_t height,
                       uint32_t depth) {
    size_t row = (size_t)width * one->format->bytes;
    uint8_t *texels = malloc(row * height * depth);
    draw_texels(one->format, texels, (size_t)width * height * depth);
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .srcPitch = row,
                          .srcHeight = height,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = row,
                          .Height = height,
                          .Depth = depth};
    OK(cuMemcpy3D_v2(&copy));
    free(texels);
}

typedef struct Resource {
    CUarray array;
    CUmipmappedArray mipmapped;
    CUdeviceptr memory;
    CUDA_RESOURCE_DESC description;
} Resource;

static void make_memory(const Case *one, Resource *resource) {
    Shape shape = shape_of(one);
    size_t pitch = one->geometry == PITCH ? 512 : (size_t)shape.width * one->format->bytes;
    size_t bytes = pitch * shape.height;
    uint8_t *texels = malloc(bytes);
    draw_texels(one->format, texels, bytes / one->format->bytes);
    OK(cuMemAlloc_v2(&resource->memory, bytes));
    OK(cuMemcpyHtoD_v2(resource->memory, texels, bytes));
    free(texels);
    CUDA_RESOURCE_DESC *description = &resource->description;
    if (one->geometry == LINEAR) {
        description->resType = RESOURCE_TYPE_LINEAR;
        description->res.linear.devPtr = resource->memory;
        description->res.linear.format = one->format->format;
        description->res.linear.numChannels = one->format->channels;
        description->res.linear.sizeInBytes = bytes;
    } else {
        description->resType = RESOURCE_TYPE_PITCH2D;
        description->res.pitch2D.devPtr = resource->memory;
        description->res.pitch2D.format = one->format->format;
        description->res.pitch2D.numChannels = one->format->channels;
        description->res.pitch2D.width = shape.width;
        description->res.pitch2D.height = shape.height;
        description->res.pitch2D.pitchInBytes = pitch;
    }
}

static uint32_t half_of(uint32_t extent, uint32_t level) {
    return extent >> level ? extent >> level : 1;
}

static void make_resource(const Case *one, Resource *resource) {
    Shape shape = shape_of(one);
    memset(resource, 0, sizeof *resource);
    if (one->geometry >= LINEAR) {
        make_memory(one, resource);
        return;
    }
    bool flat = one->geometry == D1 || one->geometry == A1,
         slices = shape.flags & 5 || one->geometry == D3;
    CUDA_ARRAY3D_DESCRIPTOR array = {.Width = shape.width,
                                     .Height = flat ? 0 : shape.height,
                                     .Depth = slices ? shape.depth : 0,
                                     .Format = one->format->format,
                                     .NumChannels = one->format->channels,
                                     .Flags = shape.flags};
    if (one->levels == 1) {
        OK(cuArray3DCreate_v2(&resource->array, &array));
        fill_array(resource->array, one, shape.width, shape.height, shape.depth);
        resource->description.resType = RESOURCE_TYPE_ARRAY;
        resource->description.res.array.hArray = resource->array;
        return;
    }
    OK(cuMipmappedArrayCreate(&resource->mipmapped, &array, one->levels));
    for (uint32_t level = 0; level < one->levels; level++) {
        CUarray piece;
        OK(cuMipmappedArrayGetLevel(&piece, resource->mipmapped, level));
        fill_array(piece, one, half_of(shape.width, level), half_of(shape.height, level),
                   one->geometry == D3 ? half_of(shape.depth, level) : shape.depth);
    }
    resource->description.resType = RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource->description.res.mipmap.hMipmappedArray = resource->mipmapped;
}

static void drop_resource(Resource *resource) {
    if (resource->array)
        OK(cuArrayDestroy(resource->array));
    if (resource->mipmapped)
        OK(cuMipmappedArrayDestroy(resource->mipmapped));
    if (resource->memory)
        OK(cuMemFree_v2(resource->memory));
}

/* ---- operands ---- */

static void draw_coordinates(const Case *one, uint32_t *to) {
    Shape shape = shape_of(one);
    memset(to, 0, 48);
    bool layered = one->geometry == A1 || one->geometry == A2 || one->geometry == ACUBE;
    bool cube = one->geometry == CUBE || one->geometry == ACUBE;
    uint32_t extents[] = {shape.width, shape.height, one->geometry == D3 ? shape.depth : 1}, at = 0;
    if (layered)
        to[at++] = draw() % (shape.layers + 2);
    uint32_t count = cube                                                                    ? 3
                     : one->geometry == D3                                                   ? 3
                     : one->geometry == D1 || one->geometry == A1 || one->geometry == LINEAR ? 1
                                                                                             : 2;
    for (uint32_t i = 0; i < count; i++) {
        float x = cube ? unit() * 2.0f - 1.0f : coordinate(extents[i], one->normalized);
        to[at++] = one->read == TEX_INT ? draw() % (extents[i] + 6) - 3 : bits_of(x);
    }
    if (one->read == LEVEL)
        to[4] = bits_of(unit() * 7.0f - 1.5f);
    if (one->read == GRAD)
        for (uint32_t i = 0; i < 8; i++)
            to[4 + i] = bits_of((unit() - 0.5f) * ldexpf(1.0f, (int)(draw() % 6) - 2) /
                                (one->normalized ? (float)shape.width : 1.0f));
}

static void run_case(const Case *one, uint32_t count, FILE *out) {
    Resource resource;
    CUmodule module;
    CUtexObject object;
    CUdeviceptr in, answers;
    uint32_t *operands = malloc(48 * count), *results = malloc(16 * count);
    state = 1;
    for (const char *at = case_name(one); *at; at++)
        state = state * 31 + (unsigned char)*at;
    make_resource(one, &resource);
    for (uint32_t i = 0; i < count; i++)
        draw_coordinates(one, operands + 12 * i);
    CUDA_TEXTURE_DESC texture = {
        .addressMode = {one->address, one->address, one->address},
        .filterMode = one->linear ? TR_FILTER_MODE_LINEAR : TR_FILTER_MODE_POINT,
        .flags = (one->format->integer ? TRSF_READ_AS_INTEGER : 0) |
                 (one->normalized ? TRSF_NORMALIZED_COORDINATES : 0) | (one->srgb ? TRSF_SRGB : 0) |
                 (one->seamless ? TRSF_SEAMLESS_CUBEMAP : 0),
        .mipmapFilterMode = one->mip,
        .mipmapLevelBias = one->bias,
        .minMipmapLevelClamp = one->lowest,
        .maxMipmapLevelClamp = one->highest,
        .borderColor = {0.25f, -0.5f, 3.0f, 7.0f}};
    fprintf(out, "%s\n", case_name(one));
    if (cuTexObjectCreate(&object, &resource.description, &texture, NULL)) {
        fprintf(out, "refused\n");
        return;
    }
    CUfunction function = kernel_of(one, &module);
    OK(cuMemAlloc_v2(&in, 48 * count));
    OK(cuMemAlloc_v2(&answers, 16 * count));
    OK(cuMemcpyHtoD_v2(in, operands, 48 * count));
    void *params[] = {&object, &in, &answers};
    OK(cuLaunchKernel(function, count / 32, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(results, answers, 16 * count));
    for (uint32_t i = 0; i < count; i++)
        fprintf(out, "%08x %08x %08x %08x\n", results[4 * i], results[4 * i + 1],
                results[4 * i + 2], results[4 * i + 3]);
    OK(cuTexObjectDestroy(object));
    OK(cuModuleUnload(module));
    OK(cuMemFree_v2(in));
    OK(cuMemFree_v2(answers));
    drop_resource(&resource);
    free(operands);
    free(results);
}

/* ---- all of them ---- */

typedef struct Wanted {
    const char *name;
    uint32_t count;
    FILE *out;
} Wanted;

static void consider(const Wanted *wanted, Case one) {
    one.levels = one.levels ? one.levels : 1;
    if (!wanted->name || strstr(case_name(&one), wanted->name))
        run_case(&one, wanted->count, wanted->out);
}

static void plain_cases(const Wanted *wanted, Geometry geometry, const Format *format) {
    bool cube = geometry == CUBE || geometry == ACUBE;
    for (int linear = 0; linear <= !format->integer; linear++)
        for (int normalized = cube; normalized <= 1; normalized++)
            for (int address = cube ? 1 : 0; address < (cube ? 2 : 4); address++)
                if (normalized || address == TR_ADDRESS_MODE_CLAMP ||
                    address == TR_ADDRESS_MODE_BORDER)
                    consider(wanted, (Case){.geometry = geometry,
                                            .format = format,
                                            .linear = linear,
                                            .normalized = normalized,
                                            .address = (CUaddress_mode)address});
}

static void special_cases(const Wanted *wanted) {
    for (int read = GATHER_R; read <= GATHER_A; read++)
        for (int address = 0; address < 4; address++) {
            consider(wanted, (Case){.geometry = D2,
                                    .format = &formats[3],
                                    .read = (Read)read,
                                    .normalized = true,
                                    .linear = read & 1,
                                    .address = (CUaddress_mode)address});
            consider(wanted,
                     (Case){.geometry = D2,
                            .format = &formats[1],
                            .read = (Read)read,
                            .address = address & 1 ? TR_ADDRESS_MODE_CLAMP : TR_ADDRESS_MODE_BORDER,
                            .linear = address & 2});
        }
    for (int linear = 0; linear < 2; linear++) {
        consider(wanted, (Case){.geometry = D2,
                                .format = &formats[3],
                                .linear = linear,
                                .srgb = true,
                                .address = TR_ADDRESS_MODE_CLAMP});
        consider(wanted, (Case){.geometry = CUBE,
                                .format = &formats[0],
                                .linear = linear,
                                .seamless = true,
                                .normalized = true,
                                .address = TR_ADDRESS_MODE_CLAMP});
    }
    for (int i = 0; i < 4; i++) {
        consider(wanted, (Case){.geometry = D1,
                                .format = &formats[i * 2],
                                .read = TEX_INT,
                                .address = i & 1 ? TR_ADDRESS_MODE_CLAMP : TR_ADDRESS_MODE_BORDER});
        consider(wanted, (Case){.geometry = D2,
                                .format = &formats[i * 2],
                                .read = TEX_INT,
                                .address = i & 1 ? TR_ADDRESS_MODE_CLAMP : TR_ADDRESS_MODE_BORDER});
    }
    for (int format = 0; format < FORMATS; format++)
        consider(wanted, (Case){.geometry = LINEAR,
                                .format = &formats[format],
                                .read = TEX_INT,
                                .address = TR_ADDRESS_MODE_CLAMP});
}

static void mipmap_cases(const Wanted *wanted) {
    static const Geometry geometries[] = {D1, D2, D3, A2, CUBE};
    for (int g = 0; g < 5; g++)
        for (int i = 0; i < 4; i++) {
            Case one = {.geometry = geometries[g],
                        .format = &formats[i & 1 ? 3 : 0],
                        .read = LEVEL,
                        .linear = i & 1,
                        .normalized = true,
                        .address = TR_ADDRESS_MODE_CLAMP,
                        .mip = i & 2 ? TR_FILTER_MODE_LINEAR : TR_FILTER_MODE_POINT,
                        .levels = 3,
                        .highest = 10};
            consider(wanted, one);
            one.bias = 0.3125f;
            one.lowest = 0.25f;
            one.highest = 1.5f;
            consider(wanted, one);
            one.read = GRAD;
            if (geometries[g] == D1 || geometries[g] == D2)
                consider(wanted, one);
            one.bias = one.lowest = 0;
            one.highest = 10;
            if (geometries[g] == D1 || geometries[g] == D2)
                consider(wanted, one);
            one.read = TEX;
            consider(wanted, one);
        }
}

int main(int argc, char **argv) {
    CUdevice device;
    CUcontext context;
    CHECK(argc >= 3);
    Wanted wanted = {argc > 3 ? argv[3] : NULL, (uint32_t)atoi(argv[1]) & ~31u,
                     fopen(argv[2], "w")};
    CHECK(wanted.out && wanted.count);
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    for (int geometry = 0; geometry < GEOMETRIES; geometry++)
        for (int format = 0; format < FORMATS && geometry != LINEAR; format++)
            plain_cases(&wanted, (Geometry)geometry, &formats[format]);
    special_cases(&wanted);
    mipmap_cases(&wanted);
    fclose(wanted.out);
    return 0;
}
