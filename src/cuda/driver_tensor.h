/* driver_tensor: the part of the driver API that is about tensor maps, the descriptions of tensors that
 * cp.async.bulk.tensor copies boxes of; included by driver.h. */
#pragma once

#include <stdint.h>

typedef struct CUtensorMap {
    _Alignas(128) uint64_t opaque[16];
} CUtensorMap;

typedef enum CUtensorMapDataType {
    TENSOR_MAP_UINT8,
    TENSOR_MAP_UINT16,
    TENSOR_MAP_UINT32,
    TENSOR_MAP_INT32,
    TENSOR_MAP_UINT64,
    TENSOR_MAP_INT64,
    TENSOR_MAP_FLOAT16,
    TENSOR_MAP_FLOAT32,
    TENSOR_MAP_FLOAT64,
    TENSOR_MAP_BFLOAT16,
    TENSOR_MAP_FLOAT32_FTZ,
    TENSOR_MAP_TFLOAT32,
    TENSOR_MAP_TFLOAT32_FTZ,
    TENSOR_MAP_16U4_ALIGN8B, /* from here on: not before compute capability 10.0 */
    TENSOR_MAP_16U4_ALIGN16B,
    TENSOR_MAP_16U6_ALIGN16B
} CUtensorMapDataType;

typedef enum CUtensorMapInterleave {
    TENSOR_MAP_INTERLEAVE_NONE,
    TENSOR_MAP_INTERLEAVE_16B,
    TENSOR_MAP_INTERLEAVE_32B
} CUtensorMapInterleave;

typedef enum CUtensorMapSwizzle {
    TENSOR_MAP_SWIZZLE_NONE,
    TENSOR_MAP_SWIZZLE_32B,
    TENSOR_MAP_SWIZZLE_64B,
    TENSOR_MAP_SWIZZLE_128B,
    TENSOR_MAP_SWIZZLE_128B_ATOM_32B, /* from here on: not before compute capability 10.0 */
    TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;

typedef enum CUtensorMapL2promotion {
    TENSOR_MAP_L2_PROMOTION_NONE,
    TENSOR_MAP_L2_PROMOTION_L2_64B,
    TENSOR_MAP_L2_PROMOTION_L2_128B,
    TENSOR_MAP_L2_PROMOTION_L2_256B
} CUtensorMapL2promotion;

typedef enum CUtensorMapFloatOOBfill {
    TENSOR_MAP_OOB_FILL_NONE,
    TENSOR_MAP_OOB_FILL_NAN
} CUtensorMapFloatOOBfill;
