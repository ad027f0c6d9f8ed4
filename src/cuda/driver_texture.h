/* driver_texture: the part of the driver API that is about CUDA arrays, texture objects and surface
 * objects; included by driver.h. The old texture and surface references (cuTexRef…) are not
 * supported: CUDA 12 removed them from the runtime and the language. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* ---- arrays ---- */

typedef enum CUarray_format {
    AD_FORMAT_UNSIGNED_INT8 = 0x01,
    AD_FORMAT_UNSIGNED_INT16 = 0x02,
    AD_FORMAT_UNSIGNED_INT32 = 0x03,
    AD_FORMAT_SIGNED_INT8 = 0x08,
    AD_FORMAT_SIGNED_INT16 = 0x09,
    AD_FORMAT_SIGNED_INT32 = 0x0a,
    AD_FORMAT_HALF = 0x10,
    AD_FORMAT_FLOAT = 0x20
} CUarray_format;

typedef struct Array *CUarray;
typedef struct MipmappedArray *CUmipmappedArray;
typedef uint64_t CUtexObject, CUsurfObject;

typedef struct CUDA_ARRAY_DESCRIPTOR {
    size_t Width, Height; /* elements; Height 0: one dimension */
    CUarray_format Format;
    unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR;

enum {
    ARRAY3D_LAYERED = 0x01,
    ARRAY3D_SURFACE_LDST = 0x02,
    ARRAY3D_CUBEMAP = 0x04,
    ARRAY3D_TEXTURE_GATHER = 0x08,
    ARRAY3D_FLAGS = 0x0f /* of those that are supported */
};
typedef struct CUDA_ARRAY3D_DESCRIPTOR {
    size_t Width, Height, Depth; /* Depth: also layers, or 6 for each cube */
    CUarray_format Format;
    unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

/* ---- texture and surface objects ---- */

typedef enum CUresourcetype {
    RESOURCE_TYPE_ARRAY,
    RESOURCE_TYPE_MIPMAPPED_ARRAY,
    RESOURCE_TYPE_LINEAR,
    RESOURCE_TYPE_PITCH2D
} CUresourcetype;

typedef struct CUDA_RESOURCE_DESC {
    CUresourcetype resType;
    union {
        struct {
            CUarray hArray;
        } array;
        struct {
            CUmipmappedArray hMipmappedArray;
        } mipmap;
        struct {
            uint64_t devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t sizeInBytes;
        } linear;
        struct {
            uint64_t devPtr;
            CUarray_format format;
            unsigned numChannels;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[32];
    } res;
    unsigned flags; /* 0 */
} CUDA_RESOURCE_DESC;

typedef enum CUaddress_mode {
    TR_ADDRESS_MODE_WRAP,
    TR_ADDRESS_MODE_CLAMP,
    TR_ADDRESS_MODE_MIRROR,
    TR_ADDRESS_MODE_BORDER
} CUaddress_mode;

typedef enum CUfilter_mode { TR_FILTER_MODE_POINT, TR_FILTER_MODE_LINEAR } CUfilter_mode;

enum {
    TRSF_READ_AS_INTEGER = 0x01,
    TRSF_NORMALIZED_COORDINATES = 0x02,
    TRSF_SRGB = 0x10,
    TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 0x20,
    TRSF_SEAMLESS_CUBEMAP = 0x40
};
typedef struct CUDA_TEXTURE_DESC {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    unsigned flags, maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    float borderColor[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC {
    int format; /* 0: as the resource */
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
    unsigned reserved[16];
} CUDA_RESOURCE_VIEW_DESC;
