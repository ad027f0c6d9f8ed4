/* array: CUDA arrays, and what reads them as textures and surfaces. */
#pragma once

#include "cuda/core.h"
#include "exec/texture/texture.h"

/* ---- array.c ---- */

/* A CUDA array: its texels lie in memory of the device, row by row. */
struct Array {
    uint32_t tag;
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    Image image;
    uint64_t row_bytes; /* that count */
    uint32_t slices;
    CUmipmappedArray level_of; /* NULL: an array of its own */
};
struct MipmappedArray {
    uint32_t tag;
    uint32_t level_count;
    struct Array levels[TEXTURE_LEVELS];
};

/* ---- texture.c ---- */

/* What a texture or surface object was made of: programs may ask for it again. */
typedef struct TextureRecord {
    uint64_t handle; /* 0: there is no object in this row */
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUDA_RESOURCE_VIEW_DESC view;
    bool surface;
} TextureRecord;
