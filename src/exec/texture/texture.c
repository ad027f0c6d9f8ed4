/* The instructions that read textures: tex, tld4, txq (PTX ISA 9.7.10) and suq. Each lane's read stands
 * for itself; what it gives is texture_sample's business. */
#include "exec/texture/texture.h"
#include "exec/decode/operands.h"
#include "exec/run/worker.h"

#include <string.h>

/* The operands of a read: vectors of registers. */
typedef struct Fetch {
    TextureLanes *lanes;
    uint32_t coordinates[4];
    uint32_t dx[4], dy[4]; /* tex.grad; dx[0] of tex.level: the level */
} Fetch;

static TextureShape shape_of(Geometry geometry) {
    switch (geometry) {
    case GEOMETRY_2D:
    case GEOMETRY_A2D:
        return SHAPE_2D;
    case GEOMETRY_3D:
        return SHAPE_3D;
    case GEOMETRY_CUBE:
    case GEOMETRY_ACUBE:
        return SHAPE_CUBE;
    default:
        return SHAPE_1D;
    }
}

static uint32_t axes_of(TextureShape shape) {
    return shape == SHAPE_1D ? 1 : shape == SHAPE_2D ? 2 : 3;
}

static bool is_layered(Geometry geometry) {
    return geometry == GEOMETRY_A1D || geometry == GEOMETRY_A2D || geometry == GEOMETRY_ACUBE;
}

void texture_reads(const Launch *launch, const Texture *texture) {
    for (uint32_t i = 0; launch->reads && i < texture->level_count; i++) {
        const MemoryBlock *block = memory_find(launch->memory, texture->levels[i].address, NULL);
        if (block)
            launch_reads(launch, block);
    }
}

/* The lane's object; NULL: a fault. `last`: the one that the lane before had. */
static const Texture *object_of(Warp *warp, const Code *code, uint32_t lane, bool surface,
                                uint64_t *handle, const Texture *last) {
    uint64_t named = reg64(warp, code->a)[lane];
    if (last && named == *handle)
        return last;
    *handle = named;
    const Texture *texture = texture_find(warp->worker->launch->memory, named);
    if (texture && texture->surface == surface) {
        texture_reads(warp->worker->launch, texture);
        return texture;
    }
    warp_fault(warp, code, FAULT_BAD_OBJECT, lane, named, "0x%llx is %s", (unsigned long long)named,
               texture   ? surface ? "a texture object, not a surface object"
                                   : "a surface object, not a texture object"
               : surface ? "no surface object"
                         : "no texture object");
    return NULL;
}

static float float_in(const Warp *warp, uint32_t offset, uint32_t lane) {
    float value;
    memcpy(&value, &reg32(warp, offset)[lane], sizeof value);
    return value;
}

static void read_vector(const Warp *warp, const uint32_t *from, uint32_t count, uint32_t lane,
                        float *to) {
    for (uint32_t i = 0; i < count; i++)
        to[i] = float_in(warp, from[i], lane);
}

static Sample sample_of(const Warp *warp, const Code *code, const Texture *texture, uint32_t lane) {
    const Fetch *fetch = code->more;
    Geometry geometry = (Geometry)code->mods.geometry;
    Sample sample = {.shape = shape_of(geometry), .layered = is_layered(geometry), .gather = -1};
    uint32_t axes = axes_of(sample.shape), first = sample.layered;
    if (sample.layered)
        sample.layer = reg32(warp, fetch->coordinates[0])[lane];
    sample.whole = code->mods.type2 == TYPE_S32;
    for (uint32_t i = 0; i < axes; i++)
        if (sample.whole)
            sample.texel[i] = (int32_t)reg32(warp, fetch->coordinates[first + i])[lane];
        else
            sample.place[i] = float_in(warp, fetch->coordinates[first + i], lane);
    if (code->insn->op == OP_tld4)
        sample.gather = (int)(strchr("rgba", code->mods.fragment) - "rgba");
    if (code->insn->op == OP_tex_level)
        sample.detail = float_in(warp, fetch->dx[0], lane);
    if (code->insn->op == OP_tex_grad) {
        float dx[4], dy[4];
        read_vector(warp, fetch->dx, axes, lane, dx);
        read_vector(warp, fetch->dy, axes, lane, dy);
        sample.detail = texture_detail(texture, dx, dy, axes);
    }
    return sample;
}

/* A texel for each lane, of tld4 a channel of four; what a filter reads besides is not known to be read
 * again. */
static void count_fetch(Warp *warp, const Code *code, const Image *image, uint32_t mask) {
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint32_t channels = code->insn->op == OP_tld4 ? 4 : image->channels;
    uint64_t bytes = (uint64_t)lanes * channels * texel_channel_bytes(image->format);
    traffic_count(warp, code, &(Traffic){.lanes = lanes, .bytes = bytes});
}

/* Reads the lanes side by side. Returns those of the mask for which that cannot be done. */
static uint32_t fetch_lanes(const Warp *warp, const Code *code, const Texture *texture,
                            uint64_t handle, uint32_t mask, uint32_t result[4][WARP_LANES]) {
    const Fetch *fetch = code->more;
    Geometry geometry = (Geometry)code->mods.geometry;
    LanesSample sample = {.mask = mask,
                          .handle = handle,
                          .handles = reg64(warp, code->a),
                          .shape = shape_of(geometry),
                          .layered = is_layered(geometry),
                          .whole = code->mods.type2 == TYPE_S32,
                          .layer = reg32(warp, fetch->coordinates[0])};
    sample.axes = axes_of(sample.shape);
    for (uint32_t i = 0; i < sample.axes; i++)
        sample.place[i] = reg32(warp, fetch->coordinates[sample.layered + i]);
    for (uint32_t c = 0; c < 4; c++) {
        const bool wanted = code->vector[c] != NO_OPERAND;
        sample.channels |= (uint32_t)wanted << c;
        sample.to[c] = wanted ? reg32(warp, code->vector[c]) : NULL;
    }
    return fetch->lanes(texture, &sample, result);
}

static Step exec_fetch(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t result[4][WARP_LANES], left = mask;
    uint64_t handle = 0;
    const Texture *texture =
        object_of(warp, code, (uint32_t)__builtin_ctz(mask), false, &handle, NULL);
    if (texture && code->insn->op != OP_tld4)
        left = fetch_lanes(warp, code, texture, handle, mask, result);
    for_lanes(lane, left) {
        uint32_t texel[4];
        texture = object_of(warp, code, lane, false, &handle, texture);
        if (!texture)
            return STEP_FAULT;
        Sample sample = sample_of(warp, code, texture, lane);
        texture_sample(texture, &sample, texel);
        for (uint32_t c = 0; c < 4; c++)
            result[c][lane] = texel[c];
    }
    const bool stored = mask == FULL_MASK && left == 0;
    for (uint32_t c = 0; !stored && c < 4; c++) {
        if (code->vector[c] == NO_OPERAND)
            continue;
        uint32_t *to = reg32(warp, code->vector[c]);
        for_lanes(lane, mask) to[lane] = result[c][lane];
    }
    count_fetch(warp, code, &texture->levels[0], mask);
    return STEP_NEXT;
}

/* ---- queries ---- */

static uint32_t at_level(uint32_t extent, uint32_t level) {
    return extent >> level ? extent >> level : 1;
}

static uint32_t answer(const Texture *texture, Query query, uint32_t level) {
    const Image *image = &texture->levels[0];
    switch (query) {
    case QUERY_WIDTH:
        return at_level(image->width, level);
    case QUERY_HEIGHT:
        return at_level(image->height, level);
    case QUERY_DEPTH:
        return at_level(image->depth, level);
    case QUERY_ARRAY_SIZE:
        return image->layers;
    case QUERY_MIPMAP_LEVELS:
        return texture->level_count;
    case QUERY_NORMALIZED:
        return texture->normalized;
    case QUERY_NONE:
        break;
    }
    return 0;
}

static Step exec_query(Warp *warp, const Code *code, uint32_t mask) {
    const Texture *texture = NULL;
    uint64_t handle = 0;
    for_lanes(lane, mask) {
        texture = object_of(warp, code, lane, code->insn->op == OP_suq, &handle, texture);
        if (!texture)
            return STEP_FAULT;
        uint32_t level = code->insn->op == OP_txq_level ? reg32(warp, code->b)[lane] : 0;
        level = level < texture->level_count ? level : texture->level_count - 1;
        reg32(warp, code->d)[lane] = answer(texture, (Query)code->mods.query, level);
    }
    return STEP_NEXT;
}

/* ---- decoding ---- */

static void decode_gradient(Decoding *decoding, const Operand *operand, uint32_t offsets[4]) {
    uint8_t class;
    if (operand->kind != OPERAND_VECTOR)
        offsets[0] = decode_operand(decoding, operand, &class);
    for (uint32_t i = 0; i < operand->count && i < 4; i++)
        offsets[i] = decode_operand(decoding, &operand->elements[i], &class);
}

/* A gradient has as many components as the coordinates; arrays' layers have none. */
static bool gradient_fits(const Insn *insn, uint32_t axes) {
    for (uint32_t i = 2; i < 4; i++) {
        const Operand *operand = &insn->operands[i];
        uint32_t count = operand->kind == OPERAND_VECTOR ? operand->count : 1;
        if (count < axes)
            return false;
    }
    return true;
}

static bool decode_fetch(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    Fetch *fetch = NEW(decoding->arena, Fetch);
    const Operand *results = &insn->operands[0];
    fetch->lanes = ops_texture();
    decode_coordinates(decoding, &insn->operands[1], fetch->coordinates);
    code->vector = NEW_ARRAY(decoding->arena, uint32_t, 4);
    code->count = 4;
    for (uint32_t c = 0; c < 4; c++)
        code->vector[c] = results->elements[c].kind == OPERAND_SINK
                              ? NO_OPERAND
                              : decode_operand(decoding, &results->elements[c], &class);
    if (insn->op == OP_tex_level)
        fetch->dx[0] = decode_operand(decoding, &insn->operands[2], &class);
    if (insn->op == OP_tex_grad) {
        if (!gradient_fits(insn, axes_of(shape_of((Geometry)insn->mods.geometry))))
            return false;
        decode_gradient(decoding, &insn->operands[2], fetch->dx);
        decode_gradient(decoding, &insn->operands[3], fetch->dy);
    }
    code->more = fetch;
    code->full = code->some = exec_fetch;
    return true;
}

bool texture_decode(Decoding *decoding, const Insn *insn, Code *code) {
    if (op_access(insn->op) == OP_ACCESS_TEXTURE)
        return decode_fetch(decoding, insn, code);
    code->full = code->some = exec_query;
    return true;
}
