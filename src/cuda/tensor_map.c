/* Tensor maps: the checks of the driver API reference ("Tensor Map Object Managment"), and the bytes that
 * exec reads. What the reference leaves open was measured (docs/tma.md). */
#include "exec/async/tensor_map.h"
#include "cuda/objects.h"

#include <string.h>

/* Arguments of the calls that encode; those of the other mode are NULL or 0. */
typedef struct Encoding {
    CUtensorMapDataType type;
    uint32_t rank;
    const void *address;
    const uint64_t *extent, *stride;
    const uint32_t *box, *step;
    const int *lower, *upper;
    uint32_t channels, pixels;
    CUtensorMapInterleave interleave;
    CUtensorMapSwizzle swizzle;
    CUtensorMapL2promotion promotion;
    CUtensorMapFloatOOBfill fill;
} Encoding;

enum {
    BOX_MOST = 256,
    PIXELS_MOST = 1024,
    STEP_MOST = 8,
    MAP_ALIGN = 64,
    BYTES_MOST = 228 * 1024 /* of a box: the shared memory of an SM; measured */
};

/* -1: not before compute capability 10.0, or no type at all. */
static int type_of(CUtensorMapDataType type) {
    static const uint8_t types[] = {TENSOR_U8,      TENSOR_U16,  TENSOR_U32,     TENSOR_S32,
                                    TENSOR_U64,     TENSOR_S64,  TENSOR_F16,     TENSOR_F32,
                                    TENSOR_F64,     TENSOR_BF16, TENSOR_F32_FTZ, TENSOR_TF32,
                                    TENSOR_TF32_FTZ};
    return (uint32_t)type < sizeof types ? types[type] : -1;
}

static bool modes_fit(const Encoding *encoding) {
    bool floats = encoding->type >= TENSOR_MAP_FLOAT16;
    uint32_t least = encoding->lower || encoding->interleave ? 3 : 1;
    return type_of(encoding->type) >= 0 && encoding->rank >= least &&
           encoding->rank <= TENSOR_RANK_MOST &&
           (uint32_t)encoding->interleave <= TENSOR_MAP_INTERLEAVE_32B &&
           (uint32_t)encoding->swizzle <= TENSOR_MAP_SWIZZLE_128B &&
           (uint32_t)encoding->promotion <= TENSOR_MAP_L2_PROMOTION_L2_256B &&
           (uint32_t)encoding->fill <= TENSOR_MAP_OOB_FILL_NAN &&
           (encoding->fill != TENSOR_MAP_OOB_FILL_NAN || floats);
}

/* The tensor: addresses and strides are multiples of 16 bytes, or of 32. */
static bool tensor_fits(const Encoding *encoding) {
    uint64_t align = encoding->interleave == TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
    if ((uintptr_t)encoding->address % align)
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
static bool row_fits(const Encoding *encoding, uint32_t elements) {
    uint32_t bytes = elements * tensor_type_bytes((TensorType)type_of(encoding->type));
    uint32_t span = encoding->swizzle ? 16u << encoding->swizzle : UINT32_MAX;
    if (encoding->interleave)
        return bytes % 16 == 0;
    return bytes % 16 == 0 && bytes <= span;
}

static bool steps_fit(const Encoding *encoding) {
    for (uint32_t i = 0; i < encoding->rank; i++)
        if (encoding->step[i] == 0 || encoding->step[i] > STEP_MOST)
            return false;
    return true;
}

/* The driver does not round up where a step does not divide the box: measured. */
static bool box_fits(const Encoding *encoding) {
    uint64_t bytes = tensor_type_bytes((TensorType)type_of(encoding->type));
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
static bool pixels_fit(const Encoding *encoding) {
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
           encoding->channels * encoding->pixels *
                   tensor_type_bytes((TensorType)type_of(encoding->type)) <=
               BYTES_MOST;
}

static void fill_map(const Encoding *encoding, TensorMap *map) {
    *map = (TensorMap){.mark = TENSOR_MAP_MARK,
                       .address = (uintptr_t)encoding->address,
                       .rank = (uint8_t)encoding->rank,
                       .type = (uint8_t)type_of(encoding->type),
                       .swizzle = (uint8_t)encoding->swizzle,
                       .interleave = (uint8_t)encoding->interleave,
                       .im2col = encoding->lower != NULL,
                       .nan_fill = encoding->fill == TENSOR_MAP_OOB_FILL_NAN,
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

static CUresult encode(CUtensorMap *map, const Encoding *encoding) {
    if (!map || (uintptr_t)map % MAP_ALIGN || !encoding->extent || !encoding->step ||
        (encoding->rank > 1 && !encoding->stride) || !modes_fit(encoding) ||
        !tensor_fits(encoding) || !steps_fit(encoding) ||
        !(encoding->lower ? pixels_fit(encoding) : box_fits(encoding)))
        return CUDA_ERROR_INVALID_VALUE;
    TensorMap made;
    fill_map(encoding, &made);
    memset(map, 0, sizeof *map);
    memcpy(map, &made, sizeof made);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                void *address, const uint64_t *extent, const uint64_t *stride,
                                const uint32_t *box, const uint32_t *step,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (!box)
        return CUDA_ERROR_INVALID_VALUE;
    return encode(map, &(Encoding){.type = type,
                                   .rank = rank,
                                   .address = address,
                                   .extent = extent,
                                   .stride = stride,
                                   .box = box,
                                   .step = step,
                                   .interleave = interleave,
                                   .swizzle = swizzle,
                                   .promotion = promotion,
                                   .fill = fill});
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                 void *address, const uint64_t *extent, const uint64_t *stride,
                                 const int *lower, const int *upper, uint32_t channels,
                                 uint32_t pixels, const uint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (!lower || !upper)
        return CUDA_ERROR_INVALID_VALUE;
    return encode(map, &(Encoding){.type = type,
                                   .rank = rank,
                                   .address = address,
                                   .extent = extent,
                                   .stride = stride,
                                   .lower = lower,
                                   .upper = upper,
                                   .channels = channels,
                                   .pixels = pixels,
                                   .step = step,
                                   .interleave = interleave,
                                   .swizzle = swizzle,
                                   .promotion = promotion,
                                   .fill = fill});
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address) {
    TensorMap changed;
    if (!map || (uintptr_t)map % MAP_ALIGN)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&changed, map, sizeof changed);
    uintptr_t align = changed.interleave == TENSOR_INTERLEAVE_32B ? 32 : 16;
    if ((uintptr_t)address % align)
        return CUDA_ERROR_INVALID_VALUE;
    changed.address = (uintptr_t)address;
    memcpy(map, &changed, sizeof changed);
    return CUDA_SUCCESS;
}
