/* Tensor maps: the driver's calls, over exec's encoding. */
#include "exec/async/tensor_map.h"
#include "cuda/core.h"

#include <string.h>

enum { MAP_ALIGN = 64 };

/* TENSOR_TYPES: not before compute capability 10.0, or no type at all. */
static TensorType type_of(CUtensorMapDataType type) {
    static const uint8_t types[] = {TENSOR_U8,      TENSOR_U16,  TENSOR_U32,     TENSOR_S32,
                                    TENSOR_U64,     TENSOR_S64,  TENSOR_F16,     TENSOR_F32,
                                    TENSOR_F64,     TENSOR_BF16, TENSOR_F32_FTZ, TENSOR_TF32,
                                    TENSOR_TF32_FTZ};
    return (uint32_t)type < sizeof types ? (TensorType)types[type] : TENSOR_TYPES;
}

static CUresult encode(CUtensorMap *map, CUtensorMapFloatOOBfill fill,
                       const TensorEncoding *given) {
    TensorEncoding encoding = *given;
    encoding.nan_fill = fill == TENSOR_MAP_OOB_FILL_NAN;
    return map && (uintptr_t)map % MAP_ALIGN == 0 && (uint32_t)fill <= TENSOR_MAP_OOB_FILL_NAN &&
                   tensor_map_encode(&encoding, map)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                void *address, const uint64_t *extent, const uint64_t *stride,
                                const uint32_t *box, const uint32_t *step,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (!box)
        return CUDA_ERROR_INVALID_VALUE;
    return encode(map, fill,
                  &(TensorEncoding){.type = type_of(type),
                                    .rank = rank,
                                    .address = (uintptr_t)address,
                                    .extent = extent,
                                    .stride = stride,
                                    .box = box,
                                    .step = step,
                                    .interleave = (TensorInterleave)interleave,
                                    .swizzle = (TensorSwizzle)swizzle,
                                    .promotion = (uint32_t)promotion});
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                 void *address, const uint64_t *extent, const uint64_t *stride,
                                 const int *lower, const int *upper, uint32_t channels,
                                 uint32_t pixels, const uint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    if (!lower || !upper)
        return CUDA_ERROR_INVALID_VALUE;
    return encode(map, fill,
                  &(TensorEncoding){.type = type_of(type),
                                    .rank = rank,
                                    .address = (uintptr_t)address,
                                    .extent = extent,
                                    .stride = stride,
                                    .lower = lower,
                                    .upper = upper,
                                    .channels = channels,
                                    .pixels = pixels,
                                    .step = step,
                                    .interleave = (TensorInterleave)interleave,
                                    .swizzle = (TensorSwizzle)swizzle,
                                    .promotion = (uint32_t)promotion});
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
