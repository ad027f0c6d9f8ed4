/* What a tensor map says, and whether it says it. */
#include "exec/async/tensor_map.h"

enum { BOX_MOST = 256, PIXELS_MOST = 1024, STEP_MOST = 8 };

uint32_t tensor_type_bytes(TensorType type) {
    static const uint8_t bytes[TENSOR_TYPES] = {1, 2, 4, 4, 8, 8, 2, 4, 4, 8, 2, 4, 4};
    return bytes[type];
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
