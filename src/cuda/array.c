/* CUDA arrays: texels for textures and surfaces, of one to three dimensions, layered, cubes, with smaller
 * copies of themselves (mipmaps). A program never sees how they lie in memory; here row by row. */
#include "cuda/array.h"
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/handle.h"
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>

static bool is_set(const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned flag) {
    return (descriptor->Flags & flag) != 0;
}

static uint64_t at_least_one(uint64_t extent) {
    return extent ? extent : 1;
}

/* Extents of a CUDA array on a GPU of compute capability 3.5 and later: CUDA C++ Programming Guide,
 * "Technical Specifications per Compute Capability". */
enum { WIDEST = 131072, DEEPEST = 16384, LAYERS_MOST = 2048 };

static bool is_sound(const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
    bool cube = is_set(descriptor, ARRAY3D_CUBEMAP), layered = is_set(descriptor, ARRAY3D_LAYERED);
    unsigned channels = descriptor->NumChannels;
    if (!texel_channel_bytes((TexelFormat)descriptor->Format) ||
        (channels != 1 && channels != 2 && channels != 4) || descriptor->Width == 0 ||
        descriptor->Width > WIDEST || descriptor->Height > WIDEST)
        return false;
    if (cube)
        return descriptor->Width == descriptor->Height && descriptor->Depth % 6 == 0 &&
               descriptor->Depth > 0 && (layered || descriptor->Depth == 6);
    if (layered)
        return descriptor->Depth > 0 && descriptor->Depth <= LAYERS_MOST;
    return descriptor->Depth <= DEEPEST && (descriptor->Depth == 0 || descriptor->Height > 0);
}

static void describe(struct Array *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
    bool cube = is_set(descriptor, ARRAY3D_CUBEMAP), layered = is_set(descriptor, ARRAY3D_LAYERED);
    Image *image = &array->image;
    array->tag = TAG_ARRAY;
    array->descriptor = *descriptor;
    array->slices = (uint32_t)at_least_one(descriptor->Depth);
    *image = (Image){.format = (TexelFormat)descriptor->Format,
                     .channels = descriptor->NumChannels,
                     .width = (uint32_t)descriptor->Width,
                     .height = (uint32_t)at_least_one(descriptor->Height),
                     .depth = 1,
                     .layers = 1};
    if (cube)
        image->layers = array->slices / 6;
    else if (layered)
        image->layers = array->slices;
    else
        image->depth = array->slices;
    array->row_bytes =
        (uint64_t)image->width * image->channels * texel_channel_bytes(image->format);
    image->row = array->row_bytes;
    image->slice = image->row * image->height;
}

static uint64_t bytes_of(const struct Array *array) {
    return array->image.slice * array->slices;
}

/* ---- arrays ---- */

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
    if (!array || !descriptor || !is_sound(descriptor))
        return CUDA_ERROR_INVALID_VALUE;
    if (descriptor->Flags & ~(unsigned)ARRAY3D_FLAGS)
        return core_unsupported("arrays that are sparse, of depth values, or for video");
    struct Array *made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    describe(made, descriptor);
    CUresult result = allocate(KIND_DEVICE, bytes_of(made), 0, NULL, &made->image.address);
    if (result) {
        free(made);
        return result;
    }
    /* Textures and surfaces are not told of: all of it has values. */
    if (core_get()->sanitizer)
        sanitize_written(core_get()->sanitizer, made->image.address, bytes_of(made));
    *array = made;
    return CUDA_SUCCESS;
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor) {
    if (!descriptor)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR whole = {.Width = descriptor->Width,
                                     .Height = descriptor->Height,
                                     .Format = descriptor->Format,
                                     .NumChannels = descriptor->NumChannels};
    return cuArray3DCreate_v2(array, &whole);
}

/* The object stays, without its tag: a stale handle is recognised. */
CUresult cuArrayDestroy(CUarray array) {
    if (!IS(array, TAG_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (array->level_of)
        return CUDA_SUCCESS; /* it goes with the whole */
    asides_settle(NULL);
    array->tag = TAG_NONE;
    return release(array->image.address, KIND_DEVICE);
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array) {
    if (!descriptor)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(array, TAG_ARRAY))
        return CUDA_ERROR_INVALID_HANDLE;
    *descriptor = array->descriptor;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR whole;
    CUresult wrong = cuArray3DGetDescriptor_v2(&whole, array);
    if (wrong || !descriptor)
        return wrong ? wrong : CUDA_ERROR_INVALID_VALUE;
    *descriptor = (CUDA_ARRAY_DESCRIPTOR){.Width = whole.Width,
                                          .Height = whole.Height,
                                          .Format = whole.Format,
                                          .NumChannels = whole.NumChannels};
    return CUDA_SUCCESS;
}

/* ---- mipmaps ---- */

static size_t halved(size_t extent, unsigned level) {
    return extent == 0 ? 0 : at_least_one(extent >> level);
}

/* Layers and faces stay; of more levels than halvings there are as many as these. */
static CUDA_ARRAY3D_DESCRIPTOR level_of(const CUDA_ARRAY3D_DESCRIPTOR *whole, unsigned level) {
    CUDA_ARRAY3D_DESCRIPTOR one = *whole;
    one.Width = halved(whole->Width, level);
    one.Height = halved(whole->Height, level);
    if (!is_set(whole, ARRAY3D_LAYERED | ARRAY3D_CUBEMAP))
        one.Depth = halved(whole->Depth, level);
    return one;
}

static unsigned levels_most(const CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
    bool volume = !is_set(descriptor, ARRAY3D_LAYERED | ARRAY3D_CUBEMAP);
    uint64_t widest = descriptor->Width;
    widest = descriptor->Height > widest ? descriptor->Height : widest;
    widest = volume && descriptor->Depth > widest ? descriptor->Depth : widest;
    return 64 - (unsigned)__builtin_clzll(widest);
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmapped,
                                const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels) {
    if (!mipmapped || !descriptor || !is_sound(descriptor))
        return CUDA_ERROR_INVALID_VALUE;
    if (descriptor->Flags & ~(unsigned)ARRAY3D_FLAGS)
        return core_unsupported("arrays that are sparse, of depth values, or for video");
    unsigned most = levels_most(descriptor);
    levels = levels ? levels : 1;
    struct MipmappedArray *made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->tag = TAG_MIPMAPPED;
    made->level_count = levels < most ? levels : most;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t i = 0; i < made->level_count && !result; i++) {
        struct Array *level = &made->levels[i];
        CUDA_ARRAY3D_DESCRIPTOR one = level_of(descriptor, i);
        describe(level, &one);
        level->level_of = made;
        result = allocate(KIND_DEVICE, bytes_of(level), 0, NULL, &level->image.address);
        if (!result && core_get()->sanitizer)
            sanitize_written(core_get()->sanitizer, level->image.address, bytes_of(level));
    }
    if (result) {
        cuMipmappedArrayDestroy(made);
        return result;
    }
    *mipmapped = made;
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmapped) {
    if (!IS(mipmapped, TAG_MIPMAPPED))
        return CUDA_ERROR_INVALID_HANDLE;
    asides_settle(NULL);
    mipmapped->tag = TAG_NONE;
    for (uint32_t i = 0; i < mipmapped->level_count; i++) {
        struct Array *level = &mipmapped->levels[i];
        level->tag = TAG_NONE;
        if (level->image.address)
            release(level->image.address, KIND_DEVICE);
    }
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level) {
    if (!IS(mipmapped, TAG_MIPMAPPED))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!array || level >= mipmapped->level_count)
        return CUDA_ERROR_INVALID_VALUE;
    *array = &mipmapped->levels[level];
    return CUDA_SUCCESS;
}
