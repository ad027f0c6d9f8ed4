/* Texture and surface objects: from the driver's descriptions to what kernels read. */
#include "cuda/allocation.h"
#include "cuda/array.h"
#include "cuda/handle.h"
#include "cuda/state.h"

#include <string.h>

/* ---- resources ---- */

/* What memory must be aligned to: attributes of the device. */
enum { TEXTURE_ALIGN = 512, TEXTURE_PITCH_ALIGN = 32 };

static bool set_linear(const CUDA_RESOURCE_DESC *resource, Texture *texture) {
    uint32_t bytes = texel_channel_bytes((TexelFormat)resource->res.linear.format) *
                     resource->res.linear.numChannels;
    if (!resource->res.linear.devPtr || bytes == 0 || resource->res.linear.devPtr % TEXTURE_ALIGN ||
        resource->res.linear.sizeInBytes / bytes > UINT32_MAX)
        return false;
    texture->linear_memory = true;
    texture->levels[0] = (Image){.address = resource->res.linear.devPtr,
                                 .format = (TexelFormat)resource->res.linear.format,
                                 .channels = resource->res.linear.numChannels,
                                 .width = (uint32_t)(resource->res.linear.sizeInBytes / bytes),
                                 .height = 1,
                                 .depth = 1,
                                 .layers = 1};
    return true;
}

static bool set_pitched(const CUDA_RESOURCE_DESC *resource, Texture *texture) {
    size_t width = resource->res.pitch2D.width, height = resource->res.pitch2D.height;
    uint32_t bytes = texel_channel_bytes((TexelFormat)resource->res.pitch2D.format) *
                     resource->res.pitch2D.numChannels;
    if (!resource->res.pitch2D.devPtr || bytes == 0 || width == 0 || height == 0 ||
        width > UINT32_MAX / bytes || height > UINT32_MAX ||
        resource->res.pitch2D.devPtr % TEXTURE_ALIGN ||
        resource->res.pitch2D.pitchInBytes % TEXTURE_PITCH_ALIGN ||
        resource->res.pitch2D.pitchInBytes < width * bytes)
        return false;
    texture->levels[0] = (Image){.address = resource->res.pitch2D.devPtr,
                                 .format = (TexelFormat)resource->res.pitch2D.format,
                                 .channels = resource->res.pitch2D.numChannels,
                                 .width = (uint32_t)width,
                                 .height = (uint32_t)height,
                                 .depth = 1,
                                 .layers = 1,
                                 .row = resource->res.pitch2D.pitchInBytes};
    return true;
}

/* Memory that is not the device's is not read: kernels would read it without a check. */
static bool is_allocated(const Image *image) {
    AllocationRecord found;
    uint64_t bytes = image->row * (image->height - 1) +
                     (uint64_t)image->width * image->channels * texel_channel_bytes(image->format);
    return allocated_find(image->address, &found) &&
           image->address - found.address + bytes <= found.bytes;
}

/* The driver takes linear memory that ends before the size that it is told; here elements beyond are zero, as
 * those beyond that size. */
static bool end_with_allocation(Image *image) {
    AllocationRecord found;
    if (!allocated_find(image->address, &found))
        return false;
    uint64_t bytes = found.address + found.bytes - image->address;
    uint64_t elements = bytes / (image->channels * texel_channel_bytes(image->format));
    if (image->width > elements)
        image->width = (uint32_t)elements;
    return true;
}

static CUresult set_resource(const CUDA_RESOURCE_DESC *resource, Texture *texture) {
    CUmipmappedArray mipmapped = resource->res.mipmap.hMipmappedArray;
    texture->level_count = 1;
    switch (resource->resType) {
    case RESOURCE_TYPE_ARRAY:
        if (!IS(resource->res.array.hArray, TAG_ARRAY))
            return CUDA_ERROR_INVALID_VALUE;
        texture->levels[0] = resource->res.array.hArray->image;
        return CUDA_SUCCESS;
    case RESOURCE_TYPE_MIPMAPPED_ARRAY:
        if (!IS(mipmapped, TAG_MIPMAPPED))
            return CUDA_ERROR_INVALID_VALUE;
        texture->level_count = mipmapped->level_count;
        for (uint32_t i = 0; i < mipmapped->level_count; i++)
            texture->levels[i] = mipmapped->levels[i].image;
        return CUDA_SUCCESS;
    case RESOURCE_TYPE_LINEAR:
        return set_linear(resource, texture) && end_with_allocation(&texture->levels[0])
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case RESOURCE_TYPE_PITCH2D:
        return set_pitched(resource, texture) && is_allocated(&texture->levels[0])
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

/* ---- views ---- */

/* CUresourceViewFormat, from 1 on: for each format of channels, views of 1, 2 and 4 of them; then those of blocks. */
static const TexelFormat view_formats[] = {TEXEL_U8,  TEXEL_S8,  TEXEL_U16, TEXEL_S16,
                                           TEXEL_U32, TEXEL_S32, TEXEL_F16, TEXEL_F32};
enum { VIEW_SHAPES = 3, VIEW_FORMATS = VIEW_SHAPES * sizeof view_formats / sizeof *view_formats };

/* Texels are taken for others of as many bytes. */
static CUresult set_view_format(const CUDA_RESOURCE_VIEW_DESC *view, Texture *texture) {
    if (view->format == 0)
        return CUDA_SUCCESS;
    if (view->format < 0 || view->format > VIEW_FORMATS)
        return core_unsupported("resource views of compressed blocks");
    TexelFormat format = view_formats[(view->format - 1) / VIEW_SHAPES];
    uint32_t channels = 1u << (view->format - 1) % VIEW_SHAPES;
    const Image *image = &texture->levels[0];
    if (texel_channel_bytes(format) * channels !=
        texel_channel_bytes(image->format) * image->channels)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < texture->level_count; i++) {
        texture->levels[i].format = format;
        texture->levels[i].channels = channels;
    }
    return CUDA_SUCCESS;
}

/* Arrays are viewed in their own extent. */
static bool view_fits(const CUDA_RESOURCE_VIEW_DESC *view, const CUDA_RESOURCE_DESC *resource) {
    const CUDA_ARRAY3D_DESCRIPTOR *whole =
        resource->resType == RESOURCE_TYPE_ARRAY ? &resource->res.array.hArray->descriptor
        : resource->resType == RESOURCE_TYPE_MIPMAPPED_ARRAY
            ? &resource->res.mipmap.hMipmappedArray->levels[0].descriptor
            : NULL;
    return whole && view->width == whole->Width && view->height == whole->Height &&
           view->depth == whole->Depth;
}

/* Fewer levels and layers, another format. */
static CUresult set_view(const CUDA_RESOURCE_VIEW_DESC *view, const CUDA_RESOURCE_DESC *resource,
                         Texture *texture) {
    if (!view)
        return CUDA_SUCCESS;
    uint32_t first = view->firstMipmapLevel, last = view->lastMipmapLevel;
    CUresult wrong =
        view_fits(view, resource) ? set_view_format(view, texture) : CUDA_ERROR_INVALID_VALUE;
    if (wrong)
        return wrong;
    if (first > last || last >= texture->level_count || view->firstLayer > view->lastLayer ||
        view->lastLayer >= texture->levels[0].layers)
        return CUDA_ERROR_INVALID_VALUE;
    texture->level_count = last - first + 1;
    memmove(texture->levels, texture->levels + first,
            texture->level_count * sizeof *texture->levels);
    for (uint32_t i = 0; i < texture->level_count && texture->levels[i].layers > 1; i++) {
        texture->levels[i].address += view->firstLayer * texture->levels[i].slice;
        texture->levels[i].layers = view->lastLayer - view->firstLayer + 1;
    }
    return CUDA_SUCCESS;
}

/* ---- how it is read ---- */

static bool reading_fits(const CUDA_TEXTURE_DESC *from) {
    const unsigned all = TRSF_READ_AS_INTEGER | TRSF_NORMALIZED_COORDINATES | TRSF_SRGB |
                         TRSF_DISABLE_TRILINEAR_OPTIMIZATION | TRSF_SEAMLESS_CUBEMAP;
    for (uint32_t i = 0; i < 3; i++)
        if ((unsigned)from->addressMode[i] > ADDRESS_BORDER)
            return false;
    return !(from->flags & ~all) && (unsigned)from->filterMode <= TR_FILTER_MODE_LINEAR;
}

static CUresult set_reading(const CUDA_TEXTURE_DESC *from, bool viewed, Texture *texture) {
    if (!reading_fits(from))
        return CUDA_ERROR_INVALID_VALUE;
    TexelFormat format = texture->levels[0].format;
    bool narrow =
        format == TEXEL_U8 || format == TEXEL_S8 || format == TEXEL_U16 || format == TEXEL_S16;
    bool floats = format == TEXEL_F16 || format == TEXEL_F32;
    texture->linear = from->filterMode == TR_FILTER_MODE_LINEAR;
    texture->mip_linear = from->mipmapFilterMode == TR_FILTER_MODE_LINEAR;
    texture->normalized = (from->flags & TRSF_NORMALIZED_COORDINATES) != 0;
    texture->integer = !floats && (!narrow || (from->flags & TRSF_READ_AS_INTEGER));
    texture->srgb = (from->flags & TRSF_SRGB) && format == TEXEL_U8 && !texture->integer;
    texture->bias = from->mipmapLevelBias;
    texture->lowest = from->minMipmapLevelClamp;
    texture->highest = from->maxMipmapLevelClamp;
    for (uint32_t i = 0; i < 3; i++)
        texture->address[i] = (AddressMode)from->addressMode[i];
    memcpy(texture->border, from->borderColor, sizeof texture->border);
    if (texture->linear && texture->integer)
        return viewed ? core_unsupported("filtering of texels that a view makes integers")
                      : CUDA_ERROR_INVALID_VALUE;
    if (from->maxAnisotropy > 1 && texture->level_count > 1)
        return core_unsupported("anisotropic filtering of mipmaps");
    if (from->flags & TRSF_SEAMLESS_CUBEMAP)
        return core_unsupported("seamless filtering of cubes");
    return CUDA_SUCCESS;
}

/* ---- the calls ---- */

/* The description of an object, under the core's lock; NULL: there is no such object. */
static TextureRecord *described_as(uint64_t object, bool surface) {
    Core *core = core_get();
    uint32_t row = texture_row(object);
    if (!object || row >= core->described.count)
        return NULL;
    TextureRecord *described = &core->described.at[row];
    return described->handle == object && described->surface == surface ? described : NULL;
}

static CUresult enter(const Texture *texture, const TextureRecord *described, uint64_t *object) {
    Core *core = core_get();
    uint64_t handle = texture_add(core->memory, texture);
    if (!handle)
        return CUDA_ERROR_OUT_OF_MEMORY;
    core_lock();
    while (core->described.count <= texture_row(handle))
        *vec_add(core->arena, &core->described) = (TextureRecord){0};
    TextureRecord *entry = &core->described.at[texture_row(handle)];
    *entry = *described;
    entry->handle = handle;
    core_unlock();
    *object = handle;
    return CUDA_SUCCESS;
}

static CUresult leave(uint64_t object, bool surface) {
    core_lock();
    TextureRecord *described = described_as(object, surface);
    if (described) {
        described->handle = 0;
        texture_remove(core_memory(), object);
    }
    core_unlock();
    return CUDA_SUCCESS; /* of one that is not there, too (measured on an H200) */
}

CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view) {
    if (!object || !resource || !texture)
        return CUDA_ERROR_INVALID_VALUE;
    Texture made = {0};
    TextureRecord described = {.resource = *resource, .texture = *texture};
    if (view)
        described.view = *view;
    CUresult wrong = set_resource(resource, &made);
    wrong = wrong ? wrong : set_view(view, resource, &made);
    wrong = wrong ? wrong : set_reading(texture, view != NULL, &made);
    return wrong ? wrong : enter(&made, &described, object);
}

CUresult cuTexObjectDestroy(CUtexObject object) {
    return leave(object, false);
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object) {
    core_lock();
    const TextureRecord *described = described_as(object, false);
    if (resource && described)
        *resource = described->resource;
    core_unlock();
    return resource && described ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object) {
    core_lock();
    const TextureRecord *described = described_as(object, false);
    if (texture && described)
        *texture = described->texture;
    core_unlock();
    return texture && described ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object) {
    core_lock();
    const TextureRecord *described = described_as(object, false);
    bool there = view && described;
    if (there)
        *view = described->view; /* zeros where it has none */
    core_unlock();
    return there ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource) {
    if (!object || !resource || resource->resType != RESOURCE_TYPE_ARRAY || resource->flags)
        return CUDA_ERROR_INVALID_VALUE;
    Texture made = {.surface = true};
    TextureRecord described = {.resource = *resource, .surface = true};
    CUresult wrong = set_resource(resource, &made);
    return wrong ? wrong : enter(&made, &described, object);
}

CUresult cuSurfObjectDestroy(CUsurfObject object) {
    return leave(object, true);
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object) {
    core_lock();
    const TextureRecord *described = described_as(object, true);
    if (resource && described)
        *resource = described->resource;
    core_unlock();
    return resource && described ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
