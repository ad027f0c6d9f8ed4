/* Texture and surface objects: the runtime's descriptions become the driver's, and back. */
#include "cuda/runtime/calls.h"

#include <string.h>

enum { RESOURCE_LAST = 3 }; /* array, mipmapped array, linear, pitched */

static bool resource_of(const cudaResourceDesc *from, CUDA_RESOURCE_DESC *to) {
    *to = (CUDA_RESOURCE_DESC){.resType = from->resType};
    switch (from->resType) {
    case RESOURCE_TYPE_ARRAY:
        to->res.array.hArray = from->res.array.array;
        return true;
    case RESOURCE_TYPE_MIPMAPPED_ARRAY:
        to->res.mipmap.hMipmappedArray = from->res.mipmap.mipmap;
        return true;
    case RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (CUdeviceptr)(uintptr_t)from->res.linear.devPtr;
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        return rt_format(&from->res.linear.desc, &to->res.linear.format,
                         &to->res.linear.numChannels);
    case RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        return rt_format(&from->res.pitch2D.desc, &to->res.pitch2D.format,
                         &to->res.pitch2D.numChannels);
    }
    return false;
}

static void resource_back(const CUDA_RESOURCE_DESC *from, cudaResourceDesc *to) {
    *to = (cudaResourceDesc){.resType = from->resType};
    switch (from->resType) {
    case RESOURCE_TYPE_ARRAY:
        to->res.array.array = from->res.array.hArray;
        break;
    case RESOURCE_TYPE_MIPMAPPED_ARRAY:
        to->res.mipmap.mipmap = from->res.mipmap.hMipmappedArray;
        break;
    case RESOURCE_TYPE_LINEAR:
        to->res.linear.devPtr = (void *)(uintptr_t)from->res.linear.devPtr;
        to->res.linear.desc = rt_format_back(from->res.linear.format, from->res.linear.numChannels);
        to->res.linear.sizeInBytes = from->res.linear.sizeInBytes;
        break;
    case RESOURCE_TYPE_PITCH2D:
        to->res.pitch2D.devPtr = (void *)(uintptr_t)from->res.pitch2D.devPtr;
        to->res.pitch2D.desc =
            rt_format_back(from->res.pitch2D.format, from->res.pitch2D.numChannels);
        to->res.pitch2D.width = from->res.pitch2D.width;
        to->res.pitch2D.height = from->res.pitch2D.height;
        to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitchInBytes;
        break;
    }
}

static CUDA_TEXTURE_DESC reading_of(const cudaTextureDesc *from) {
    CUDA_TEXTURE_DESC to = {.filterMode = from->filterMode,
                            .maxAnisotropy = from->maxAnisotropy,
                            .mipmapFilterMode = from->mipmapFilterMode,
                            .mipmapLevelBias = from->mipmapLevelBias,
                            .minMipmapLevelClamp = from->minMipmapLevelClamp,
                            .maxMipmapLevelClamp = from->maxMipmapLevelClamp};
    memcpy(to.addressMode, from->addressMode, sizeof to.addressMode);
    memcpy(to.borderColor, from->borderColor, sizeof to.borderColor);
    to.flags |= from->readMode == 0 ? TRSF_READ_AS_INTEGER : 0;
    to.flags |= from->normalizedCoords ? TRSF_NORMALIZED_COORDINATES : 0;
    to.flags |= from->sRGB ? TRSF_SRGB : 0;
    to.flags |= from->disableTrilinearOptimization ? TRSF_DISABLE_TRILINEAR_OPTIMIZATION : 0;
    to.flags |= from->seamlessCubemap ? TRSF_SEAMLESS_CUBEMAP : 0;
    return to;
}

static cudaTextureDesc reading_back(const CUDA_TEXTURE_DESC *from) {
    cudaTextureDesc to = {.filterMode = from->filterMode,
                          .readMode = !(from->flags & TRSF_READ_AS_INTEGER),
                          .sRGB = (from->flags & TRSF_SRGB) != 0,
                          .normalizedCoords = (from->flags & TRSF_NORMALIZED_COORDINATES) != 0,
                          .maxAnisotropy = from->maxAnisotropy,
                          .mipmapFilterMode = from->mipmapFilterMode,
                          .mipmapLevelBias = from->mipmapLevelBias,
                          .minMipmapLevelClamp = from->minMipmapLevelClamp,
                          .maxMipmapLevelClamp = from->maxMipmapLevelClamp,
                          .disableTrilinearOptimization =
                              (from->flags & TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0,
                          .seamlessCubemap = (from->flags & TRSF_SEAMLESS_CUBEMAP) != 0};
    memcpy(to.addressMode, from->addressMode, sizeof to.addressMode);
    memcpy(to.borderColor, from->borderColor, sizeof to.borderColor);
    return to;
}

cudaError cudaCreateTextureObject(CUtexObject *object, const cudaResourceDesc *resource,
                                  const cudaTextureDesc *texture,
                                  const CUDA_RESOURCE_VIEW_DESC *view) {
    CUDA_RESOURCE_DESC from;
    enum { KIND_FLOAT = 2 }; /* cudaChannelFormatKindFloat */
    if (!texture)
        return rt_result(cudaErrorInvalidResourceHandle);
    if (!object || !resource || (unsigned)resource->resType > RESOURCE_LAST)
        return rt_result(cudaErrorInvalidValue);
    if (!resource_of(resource, &from))
        return rt_result(cudaErrorInvalidChannelDescriptor);
    if (resource->resType == RESOURCE_TYPE_PITCH2D && texture->readMode &&
        resource->res.pitch2D.desc.f == KIND_FLOAT && resource->res.pitch2D.desc.x == 32)
        return rt_result(cudaErrorInvalidNormSetting);
    CUDA_TEXTURE_DESC reading = reading_of(texture);
    RT_FORWARD(cuTexObjectCreate(object, &from, &reading, view));
}

cudaError cudaDestroyTextureObject(CUtexObject object) {
    if (!object)
        return rt_ready();
    RT_FORWARD(cuTexObjectDestroy(object));
}

cudaError cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, CUtexObject object) {
    CUDA_RESOURCE_DESC from;
    cudaError error = rt_ready();
    error = error ? error : (cudaError)cuTexObjectGetResourceDesc(&from, object);
    if (error || !resource)
        return rt_result(error ? error : cudaErrorInvalidValue);
    resource_back(&from, resource);
    return cudaSuccess;
}

cudaError cudaGetTextureObjectTextureDesc(cudaTextureDesc *texture, CUtexObject object) {
    CUDA_TEXTURE_DESC from;
    cudaError error = rt_ready();
    error = error ? error : (cudaError)cuTexObjectGetTextureDesc(&from, object);
    if (error || !texture)
        return rt_result(error ? error : cudaErrorInvalidValue);
    *texture = reading_back(&from);
    return cudaSuccess;
}

cudaError cudaGetTextureObjectResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object) {
    RT_FORWARD(cuTexObjectGetResourceViewDesc(view, object));
}

cudaError cudaCreateSurfaceObject(CUsurfObject *object, const cudaResourceDesc *resource) {
    CUDA_RESOURCE_DESC from;
    if (!object || !resource || (unsigned)resource->resType > RESOURCE_LAST)
        return rt_result(cudaErrorInvalidValue);
    if (!resource_of(resource, &from))
        return rt_result(cudaErrorInvalidChannelDescriptor);
    RT_FORWARD(cuSurfObjectCreate(object, &from));
}

cudaError cudaDestroySurfaceObject(CUsurfObject object) {
    if (!object)
        return rt_ready();
    RT_FORWARD(cuSurfObjectDestroy(object));
}

cudaError cudaGetSurfaceObjectResourceDesc(cudaResourceDesc *resource, CUsurfObject object) {
    CUDA_RESOURCE_DESC from;
    cudaError error = rt_ready();
    error = error ? error : (cudaError)cuSurfObjectGetResourceDesc(&from, object);
    if (error || !resource)
        return rt_result(error ? error : cudaErrorInvalidValue);
    resource_back(&from, resource);
    return cudaSuccess;
}
