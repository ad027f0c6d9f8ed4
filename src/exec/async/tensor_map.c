/* What a tensor map says, and whether it says it. */
#include "exec/async/tensor_map.h"

enum { BOX_MOST = 256, PIXELS_MOST = 1024, STEP_MOST = 8 };

static const struct {
    const char *name;
    uint32_t bytes;
} types[TENSOR_TYPES] = {
    [TENSOR_U8] = {"u8", 1},
    [TENSOR_U16] = {"u16", 2},
    [TENSOR_U32] = {"u32", 4},
    [TENSOR_S32] = {"s32", 4},
    [TENSOR_U64] = {"u64", 8},
    [TENSOR_S64] = {"s64", 8},
    [TENSOR_F16] = {"f16", 2},
    [TENSOR_F32] = {"f32", 4},
    [TENSOR_F32_FTZ] = {"f32.ftz", 4},
    [TENSOR_F64] = {"f64", 8},
    [TENSOR_BF16] = {"bf16", 2},
    [TENSOR_TF32] = {"tf32", 4},
    [TENSOR_TF32_FTZ] = {"tf32.ftz", 4},
};

uint32_t tensor_type_bytes(TensorType type) {
    return types[type].bytes;
}

TensorType tensor_type_named(Str name) {
    uint32_t type = 0;
    while (type < TENSOR_TYPES && !str_is(name, types[type].name))
        type++;
    return (TensorType)type;
}

/* The index of that number; count: it is not among them. */
static uint32_t index_of(uint64_t number, const uint8_t *numbers, uint32_t count) {
    uint32_t i = 0;
    while (i < count && numbers[i] != number)
        i++;
    return i;
}

TensorSwizzle tensor_swizzle_of(uint64_t bytes) {
    static const uint8_t spans[TENSOR_SWIZZLES] = {0, 32, 64, 128};
    return (TensorSwizzle)index_of(bytes, spans, TENSOR_SWIZZLES);
}

TensorInterleave tensor_interleave_of(uint64_t bytes) {
    static const uint8_t slices[TENSOR_INTERLEAVES] = {0, 16, 32};
    return (TensorInterleave)index_of(bytes, slices, TENSOR_INTERLEAVES);
}

static const char *fields_wrong(const TensorMap *map) {
    if (map->rank == 0 || map->rank > TENSOR_RANK_MOST)
        return "its rank is not between 1 and 5";
    if (map->type >= TENSOR_TYPES)
        return "its element type needs compute capability 10.0";
    if (map->swizzle >= TENSOR_SWIZZLES || map->interleave >= TENSOR_INTERLEAVES)
        return "it has an unknown swizzle or interleave";
    if (map->im2col && map->rank < 3)
        return "im2col needs a rank of 3 to 5";
    if (map->interleave && map->rank < 3)
        return "interleaved layouts need a rank of 3 to 5";
    return NULL;
}

/* Rows of whole pieces of 16 bytes, which begin at multiples of 16. */
static const char *place_wrong(const TensorMap *map) {
    uint32_t bytes = map->box[0] * tensor_type_bytes((TensorType)map->type);
    if (bytes % 16)
        return "its box is not a multiple of 16 bytes wide";
    if (map->swizzle && !map->interleave && bytes > 16u << map->swizzle)
        return "its box is wider than the swizzle";
    uint64_t align = map->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16, all = map->address;
    for (uint32_t i = 0; i + 1 < map->rank; i++)
        all |= map->stride[i];
    return all % align ? "its address or a stride is not a multiple of 16 bytes" : NULL;
}

const char *tensor_map_wrong(const TensorMap *map) {
    if (map->mark != TENSOR_MAP_MARK)
        return "it was not made by cuTensorMapEncode…";
    const char *wrong = fields_wrong(map);
    if (wrong)
        return wrong;
    for (uint32_t i = 0; i < map->rank; i++) {
        if (map->step[i] == 0 || map->step[i] > STEP_MOST)
            return "an element stride is not between 1 and 8";
        uint32_t most = map->im2col && i == 1 ? PIXELS_MOST : BOX_MOST;
        if (map->box[i] == 0 || map->box[i] > most)
            return "a dimension of its box is 0 or too large";
    }
    return place_wrong(map);
}
