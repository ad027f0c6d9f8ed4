/* suld and sust (PTX ISA 9.7.11): loads and stores of a surface's bytes. The first coordinate counts
 * bytes; what lies beyond is a fault (.trap), moved to the edge (.clamp), or read as zero and not
 * written (.zero). */
#include "exec/decode/operands.h"
#include "exec/run/worker.h"
#include "exec/texture/texture.h"

#include <string.h>

typedef struct Surface {
    uint32_t coordinates[4];
    uint32_t data[4];
    uint32_t count, bytes; /* of the elements */
    uint8_t class;
} Surface;

/* Moves a coordinate into 0 … extent-1; false: it was beyond. */
static bool into(int64_t *at, int64_t extent) {
    int64_t was = *at;
    *at = was < 0 ? 0 : was >= extent ? extent - 1 : was;
    return *at == was;
}

/* The lane's bytes in an image; NULL: beyond it, and to be left out. *inside: no coordinate was beyond. */
static uint8_t *place_of(const Warp *warp, const Code *code, const Image *image, uint32_t lane,
                         bool *inside) {
    const Surface *surface = code->more;
    Geometry geometry = (Geometry)code->mods.geometry;
    bool layered = geometry == GEOMETRY_A1D || geometry == GEOMETRY_A2D;
    uint32_t next = layered, size = surface->count * surface->bytes;
    bool two = geometry == GEOMETRY_2D || geometry == GEOMETRY_3D || geometry == GEOMETRY_A2D;
    int64_t at[3] = {0};
    int64_t row = (int64_t)image->width * image->channels * texel_channel_bytes(image->format);
    at[0] = (int32_t)reg32(warp, surface->coordinates[next++])[lane];
    if (two)
        at[1] = (int32_t)reg32(warp, surface->coordinates[next++])[lane];
    if (geometry == GEOMETRY_3D || layered)
        at[2] = (int32_t)reg32(warp, surface->coordinates[layered ? 0 : next])[lane];
    int64_t slices = geometry == GEOMETRY_3D ? image->depth : image->layers;
    *inside = into(&at[0], row - size + 1);
    *inside &= into(&at[1], image->height);
    *inside &= into(&at[2], slices);
    return (uint8_t *)(uintptr_t)(image->address + (uint64_t)at[2] * image->slice +
                                  (uint64_t)at[1] * image->row + (uint64_t)at[0]);
}

static void load(const Warp *warp, const Surface *surface, uint32_t lane, const uint8_t *from) {
    for (uint32_t i = 0; i < surface->count; i++) {
        uint64_t value = 0;
        if (from)
            memcpy(&value, from + i * surface->bytes, surface->bytes);
        if (surface->data[i] == NO_OPERAND)
            continue;
        if (surface->class == 2)
            reg64(warp, surface->data[i])[lane] = value;
        else
            reg32(warp, surface->data[i])[lane] = (uint32_t)value;
    }
}

static void store(const Warp *warp, const Surface *surface, uint32_t lane, uint8_t *to) {
    for (uint32_t i = 0; i < surface->count; i++) {
        uint64_t value = surface->class == 2 ? reg64(warp, surface->data[i])[lane]
                                             : reg32(warp, surface->data[i])[lane];
        memcpy(to + i * surface->bytes, &value, surface->bytes);
    }
}

/* Misaligned accesses are faults whatever lies there. */
static Step check(Warp *warp, const Code *code, const Texture *object, uint64_t handle,
                  uint32_t lane) {
    const Surface *surface = code->more;
    Geometry geometry = (Geometry)code->mods.geometry;
    bool layered = geometry == GEOMETRY_A1D || geometry == GEOMETRY_A2D;
    uint32_t x = reg32(warp, surface->coordinates[layered])[lane];
    uint32_t size = surface->count * surface->bytes;
    if (!object || !object->surface)
        return warp_fault(warp, code, FAULT_BAD_OBJECT, lane, handle, "0x%llx is %s",
                          (unsigned long long)handle,
                          object ? "a texture object, not a surface object" : "no surface object");
    if (x % size)
        return warp_fault(warp, code, FAULT_MISALIGNED, lane, x,
                          "misaligned access of %u bytes at byte %d of a surface's row", size,
                          (int32_t)x);
    return STEP_NEXT;
}

static Step exec_surface(Warp *warp, const Code *code, uint32_t mask) {
    const Surface *surface = code->more;
    bool loads = code->insn->op == OP_suld;
    for_lanes(lane, mask) {
        bool inside;
        uint64_t handle = reg64(warp, code->a)[lane];
        const Texture *object = texture_find(warp->worker->launch->memory, handle);
        if (check(warp, code, object, handle, lane) != STEP_NEXT)
            return STEP_FAULT;
        texture_reads(warp->worker->launch, object);
        uint8_t *at = place_of(warp, code, &object->levels[0], lane, &inside);
        if (!inside && code->mods.func == FUNC_TRAP)
            return warp_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, handle,
                              "out-of-bounds %s of a surface", loads ? "read" : "write");
        if (!inside && code->mods.func == FUNC_ZERO)
            at = NULL;
        if (loads)
            load(warp, surface, lane, at);
        else if (at)
            store(warp, surface, lane, at);
    }
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    traffic_count(
        warp, code,
        &(Traffic){.lanes = lanes, .bytes = (uint64_t)lanes * surface->count * surface->bytes});
    return STEP_NEXT;
}

bool surface_decode(Decoding *decoding, const Insn *insn, Code *code) {
    Surface *surface = NEW(decoding->arena, Surface);
    uint8_t class;
    bool loads = insn->op == OP_suld;
    const Operand *address = &insn->operands[loads ? 1 : 0], *data = &insn->operands[loads ? 0 : 1];
    surface->count = insn->mods.vector;
    surface->bytes = type_bytes((Type)insn->mods.type);
    decode_coordinates(decoding, address, surface->coordinates);
    code->a = decode_operand(decoding, address, &class);
    for (uint32_t i = 0; i < surface->count; i++) {
        const Operand *one = data->kind == OPERAND_VECTOR ? &data->elements[i] : data;
        surface->data[i] =
            one->kind == OPERAND_SINK ? NO_OPERAND : decode_operand(decoding, one, &surface->class);
    }
    code->more = surface;
    code->full = code->some = exec_surface;
    return true;
}
