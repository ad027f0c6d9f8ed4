/* Tensor maps from what describes a tensor and its boxes: the checks of the driver API reference ("Tensor Map Object
 * Managment"). What the reference leaves open was measured (docs/tma.md). */
#include "exec/async/tensor_map.h"

#include <string.h>

enum {
    BOX_MOST = 256,
    PIXELS_MOST = 1024,
    STEP_MOST = 8,
    PROMOTION_MOST = 3,
    BYTES_MOST = 228 * 1024 /* of a box: the shared memory of an SM; measured */
};

static bool modes_fit(const TensorEncoding *encoding) {
    bool floats = encoding->type >= TENSOR_F16;
    uint32_t least = encoding->lower || encoding->interleave ? 3 : 1;
    return encoding->type < TENSOR_TYPES && encoding->rank >= least &&
           encoding->rank <= TENSOR_RANK_MOST && encoding->interleave < TENSOR_INTERLEAVES &&
           encoding->swizzle < TENSOR_SWIZZLES && encoding->promotion <= PROMOTION_MOST &&
           (!encoding->nan_fill || floats);
}

/* The tensor: addresses and strides are multiples of 16 bytes, or of 32. */
static bool tensor_fits(const TensorEncoding *encoding) {
    uint64_t align = encoding->interleave == TENSOR_INTERLEAVE_32B ? 32 : 16;
    if (encoding->address % align)
        return false;
    for (uint32_t i = 0; i < encoding->rank; i++) {
        uint64_t extent = encoding->extent[i];
        if (extent == 0 || extent > UINT64_C(1) << 32)
            return false;
    }
    for (uint32_t i = 0; i + 1 < encoding->rank; i++) {
        uint64_t stride = encoding->stride[i];
        if (stride % align || stride >= UINT64_C(1) << 40)
            return false;
    }
    return true;
}

/* A row of the box: whole pieces of 16 bytes, not wider than the swizzle. */
static bool row_fits(const TensorEncoding *encoding, uint32_t elements) {
    uint32_t bytes = elements * tensor_type_bytes(encoding->type);
    uint32_t span = encoding->swizzle ? 16u << encoding->swizzle : UINT32_MAX;
    if (encoding->interleave)
        return bytes % 16 == 0;
    return bytes % 16 == 0 && bytes <= span;
}

static bool steps_fit(const TensorEncoding *encoding) {
    for (uint32_t i = 0; i < encoding->rank; i++)
        if (encoding->step[i] == 0 || encoding->step[i] > STEP_MOST)
            return false;
    return true;
}

/* The driver does not round up where a step does not divide the box: measured. */
static bool box_fits(const TensorEncoding *encoding) {
    uint64_t bytes = tensor_type_bytes(encoding->type);
    for (uint32_t i = 0; i < encoding->rank; i++) {
        uint32_t step = i || encoding->interleave ? encoding->step[i] : 1;
        if (encoding->box[i] == 0 || encoding->box[i] > BOX_MOST)
            return false;
        bytes *= encoding->box[i] / step;
    }
    return bytes <= BYTES_MOST && row_fits(encoding, encoding->box[0]);
}

/* The corners of the bounding box, whose first dimension is W: that comes first in interleaved tensors,
 * else behind the channels. The extents are looked at as 32 bits with a sign. */
static bool pixels_fit(const TensorEncoding *encoding) {
    static const int limits[] = {32768, 128, 16};
    int limit = limits[encoding->rank - 3];
    const uint64_t *extent = encoding->extent + (encoding->interleave ? 0 : 1);
    for (uint32_t i = 0; i + 2 < encoding->rank; i++) {
        int64_t lower = encoding->lower[i], upper = encoding->upper[i];
        if (lower < -limit || lower >= limit || upper < -limit || upper >= limit)
            return false;
        if (lower > (int32_t)((uint32_t)(extent[i] - 1) + (uint32_t)upper))
            return false;
    }
    return encoding->channels && encoding->channels <= BOX_MOST && encoding->pixels &&
           encoding->pixels <= PIXELS_MOST && row_fits(encoding, encoding->channels) &&
           encoding->channels * encoding->pixels * tensor_type_bytes(encoding->type) <= BYTES_MOST;
}

static void fill_map(const TensorEncoding *encoding, TensorMap *map) {
    *map = (TensorMap){.mark = TENSOR_MAP_MARK,
                       .address = encoding->address,
                       .rank = (uint8_t)encoding->rank,
                       .type = (uint8_t)encoding->type,
                       .swizzle = (uint8_t)encoding->swizzle,
                       .interleave = (uint8_t)encoding->interleave,
                       .im2col = encoding->lower != NULL,
                       .nan_fill = encoding->nan_fill,
                       .promotion = (uint8_t)encoding->promotion};
    for (uint32_t i = 0; i < TENSOR_RANK_MOST; i++) {
        bool there = i < encoding->rank;
        map->last[i] = there ? (uint32_t)(encoding->extent[i] - 1) : 0;
        map->box[i] = there && encoding->box ? (uint16_t)encoding->box[i] : 1;
        map->step[i] = there && (i || encoding->interleave) ? (uint8_t)encoding->step[i] : 1;
        if (i + 1 < encoding->rank)
            map->stride[i] = encoding->stride[i];
        if (encoding->lower && i + 2 < encoding->rank) {
            map->lower[i] = (int16_t)encoding->lower[i];
            map->upper[i] = (int16_t)encoding->upper[i];
        }
    }
    if (encoding->lower) {
        map->box[0] = (uint16_t)encoding->channels;
        map->box[1] = (uint16_t)encoding->pixels;
    }
}

bool tensor_map_encode(const TensorEncoding *encoding, void *map) {
    if (!encoding->extent || !encoding->step || (encoding->rank > 1 && !encoding->stride) ||
        !modes_fit(encoding) || !tensor_fits(encoding) || !steps_fit(encoding) ||
        !(encoding->lower ? pixels_fit(encoding) : box_fits(encoding)))
        return false;
    TensorMap made;
    fill_map(encoding, &made);
    memset(map, 0, TENSOR_MAP_BYTES);
    memcpy(map, &made, sizeof made);
    return true;
}
