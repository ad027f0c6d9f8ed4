/* Copies and fills: of bytes, of rows, of boxes, of symbols. The direction that the program states
 * becomes the memory types of the driver's descriptions, so that a wrong one is noticed. */
#include "cuda/runtime/calls.h"

static CUdeviceptr device_address(const void *pointer) {
    return (CUdeviceptr)(uintptr_t)pointer;
}

static bool from_host(int kind) {
    return kind == COPY_HOST_TO_HOST || kind == COPY_HOST_TO_DEVICE;
}

static bool to_host(int kind) {
    return kind == COPY_HOST_TO_HOST || kind == COPY_DEVICE_TO_HOST;
}

static bool is_kind(int kind) {
    return kind >= COPY_HOST_TO_HOST && kind <= COPY_DEFAULT;
}

/* ---- bytes ---- */

cudaError cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    switch (kind) {
    case COPY_HOST_TO_DEVICE:
        RT_FORWARD(cuMemcpyHtoD_v2(device_address(to), from, bytes));
    case COPY_DEVICE_TO_HOST:
        RT_FORWARD(cuMemcpyDtoH_v2(to, device_address(from), bytes));
    case COPY_DEVICE_TO_DEVICE:
        RT_FORWARD(cuMemcpyDtoD_v2(device_address(to), device_address(from), bytes));
    case COPY_HOST_TO_HOST:
    case COPY_DEFAULT:
        RT_FORWARD(cuMemcpy(device_address(to), device_address(from), bytes));
    default:
        return rt_result(cudaErrorInvalidMemcpyDirection);
    }
}

cudaError cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CUstream stream) {
    switch (kind) {
    case COPY_HOST_TO_DEVICE:
        RT_FORWARD(cuMemcpyHtoDAsync_v2(device_address(to), from, bytes, stream));
    case COPY_DEVICE_TO_HOST:
        RT_FORWARD(cuMemcpyDtoHAsync_v2(to, device_address(from), bytes, stream));
    case COPY_DEVICE_TO_DEVICE:
        RT_FORWARD(cuMemcpyDtoDAsync_v2(device_address(to), device_address(from), bytes, stream));
    case COPY_HOST_TO_HOST:
    case COPY_DEFAULT:
        RT_FORWARD(cuMemcpyAsync(device_address(to), device_address(from), bytes, stream));
    default:
        return rt_result(cudaErrorInvalidMemcpyDirection);
    }
}

/* The addresses say where memory is; the devices need only be there. */
static cudaError check_devices(int to, int from) {
    cudaError error = rt_device(to);
    return error ? error : rt_device(from);
}

cudaError cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    cudaError error = check_devices(to_device, from_device);
    return error ? error : cudaMemcpy(to, from, bytes, COPY_DEVICE_TO_DEVICE);
}

cudaError cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                              size_t bytes, CUstream stream) {
    cudaError error = check_devices(to_device, from_device);
    return error ? error : cudaMemcpyAsync(to, from, bytes, COPY_DEVICE_TO_DEVICE, stream);
}

/* ---- rows ---- */

static CUmemorytype memory_type(int kind, bool host) {
    return kind == COPY_DEFAULT ? MEMORYTYPE_UNIFIED : host ? MEMORYTYPE_HOST : MEMORYTYPE_DEVICE;
}

static CUDA_MEMCPY2D rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                          size_t width, size_t height, int kind) {
    return (CUDA_MEMCPY2D){.srcMemoryType = memory_type(kind, from_host(kind)),
                           .srcHost = from,
                           .srcDevice = device_address(from),
                           .srcPitch = from_pitch,
                           .dstMemoryType = memory_type(kind, to_host(kind)),
                           .dstHost = to,
                           .dstDevice = device_address(to),
                           .dstPitch = to_pitch,
                           .WidthInBytes = width,
                           .Height = height};
}

/* Of one row no pitch is used, nor looked at. */
static cudaError check_rows(const void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind) {
    if (!is_kind(kind))
        return cudaErrorInvalidMemcpyDirection;
    if (!to || !from)
        return cudaErrorInvalidValue;
    return height > 1 && (to_pitch < width || from_pitch < width) ? cudaErrorInvalidPitchValue
                                                                  : cudaSuccess;
}

cudaError cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                       size_t height, int kind) {
    cudaError error = check_rows(to, to_pitch, from, from_pitch, width, height, kind);
    CUDA_MEMCPY2D copy = rows(to, to_pitch, from, from_pitch, width, height, kind);
    if (error)
        return rt_result(error);
    RT_FORWARD(cuMemcpy2DUnaligned_v2(&copy));
}

cudaError cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, int kind, CUstream stream) {
    cudaError error = check_rows(to, to_pitch, from, from_pitch, width, height, kind);
    CUDA_MEMCPY2D copy = rows(to, to_pitch, from, from_pitch, width, height, kind);
    if (error)
        return rt_result(error);
    RT_FORWARD(cuMemcpy2DAsync_v2(&copy, stream));
}

/* ---- boxes ---- */

void rt_copy3d(const cudaMemcpy3DParms *from, CUDA_MEMCPY3D *to) {
    /* Where an array takes part, widths are in its elements, and places in an array are, too. */
    size_t source_element = from->srcArray ? rt_element_bytes(from->srcArray) : 1;
    size_t target_element = from->dstArray ? rt_element_bytes(from->dstArray) : 1;
    size_t element = from->srcArray ? source_element : target_element;
    *to = (CUDA_MEMCPY3D){
        .srcXInBytes = from->srcPos.x * source_element,
        .srcY = from->srcPos.y,
        .srcZ = from->srcPos.z,
        .srcMemoryType =
            from->srcArray ? MEMORYTYPE_ARRAY : memory_type(from->kind, from_host(from->kind)),
        .srcArray = from->srcArray,
        .srcHost = from->srcPtr.ptr,
        .srcDevice = device_address(from->srcPtr.ptr),
        .srcPitch = from->srcPtr.pitch,
        .srcHeight = from->srcPtr.ysize,
        .dstXInBytes = from->dstPos.x * target_element,
        .dstY = from->dstPos.y,
        .dstZ = from->dstPos.z,
        .dstMemoryType =
            from->dstArray ? MEMORYTYPE_ARRAY : memory_type(from->kind, to_host(from->kind)),
        .dstArray = from->dstArray,
        .dstHost = from->dstPtr.ptr,
        .dstDevice = device_address(from->dstPtr.ptr),
        .dstPitch = from->dstPtr.pitch,
        .dstHeight = from->dstPtr.ysize,
        .WidthInBytes = from->extent.width * element,
        .Height = from->extent.height,
        .Depth = from->extent.depth};
}

static int kind_of(CUmemorytype from, CUmemorytype to) {
    if (from == MEMORYTYPE_UNIFIED || to == MEMORYTYPE_UNIFIED)
        return COPY_DEFAULT;
    if (from == MEMORYTYPE_HOST)
        return to == MEMORYTYPE_HOST ? COPY_HOST_TO_HOST : COPY_HOST_TO_DEVICE;
    return to == MEMORYTYPE_HOST ? COPY_DEVICE_TO_HOST : COPY_DEVICE_TO_DEVICE;
}

void rt_copy3d_back(const CUDA_MEMCPY3D *from, cudaMemcpy3DParms *to) {
    size_t source_element = from->srcArray ? rt_element_bytes(from->srcArray) : 1;
    size_t target_element = from->dstArray ? rt_element_bytes(from->dstArray) : 1;
    size_t element = from->srcArray ? source_element : target_element;
    void *source = from->srcMemoryType == MEMORYTYPE_HOST ? (void *)(uintptr_t)from->srcHost
                                                          : (void *)(uintptr_t)from->srcDevice;
    void *target =
        from->dstMemoryType == MEMORYTYPE_HOST ? from->dstHost : (void *)(uintptr_t)from->dstDevice;
    *to =
        (cudaMemcpy3DParms){.srcArray = from->srcArray,
                            .srcPos = {from->srcXInBytes / source_element, from->srcY, from->srcZ},
                            .srcPtr = {source, from->srcPitch, from->srcPitch, from->srcHeight},
                            .dstArray = from->dstArray,
                            .dstPos = {from->dstXInBytes / target_element, from->dstY, from->dstZ},
                            .dstPtr = {target, from->dstPitch, from->dstPitch, from->dstHeight},
                            .extent = {from->WidthInBytes / element, from->Height, from->Depth},
                            .kind = kind_of(from->srcMemoryType, from->dstMemoryType)};
}

void rt_flat_copy(void *to, const void *from, size_t bytes, int kind, CUDA_MEMCPY3D *out) {
    const cudaMemcpy3DParms box = {.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                   .dstPtr = {to, bytes, bytes, 1},
                                   .extent = {bytes, 1, 1},
                                   .kind = kind};
    rt_copy3d(&box, out);
}

static cudaError check_box(const cudaMemcpy3DParms *box) {
    if (!box)
        return rt_result(cudaErrorInvalidValue);
    if ((box->srcArray && !rt_element_bytes(box->srcArray)) ||
        (box->dstArray && !rt_element_bytes(box->dstArray)))
        return rt_result(cudaErrorInvalidValue);
    if (!is_kind(box->kind))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    bool rows = !box->srcArray && !box->dstArray && box->extent.height * box->extent.depth > 1;
    bool wide = box->srcPtr.pitch < box->extent.width || box->dstPtr.pitch < box->extent.width;
    return rows && wide ? rt_result(cudaErrorInvalidPitchValue) : cudaSuccess;
}

cudaError cudaMemcpy3D(const cudaMemcpy3DParms *box) {
    CUDA_MEMCPY3D copy;
    cudaError error = check_box(box);
    if (error)
        return error;
    rt_copy3d(box, &copy);
    RT_FORWARD(cuMemcpy3D_v2(&copy));
}

cudaError cudaMemcpy3DAsync(const cudaMemcpy3DParms *box, CUstream stream) {
    CUDA_MEMCPY3D copy;
    cudaError error = check_box(box);
    if (error)
        return error;
    rt_copy3d(box, &copy);
    RT_FORWARD(cuMemcpy3DAsync_v2(&copy, stream));
}

cudaError cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *peer) {
    return cudaMemcpy3DPeerAsync(peer, STREAM_LEGACY);
}

cudaError cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *peer, CUstream stream) {
    if (!peer)
        return rt_result(cudaErrorInvalidValue);
    cudaError error = check_devices(peer->dstDevice, peer->srcDevice);
    if (error)
        return error;
    const cudaMemcpy3DParms box = {
        .srcArray = peer->srcArray,
        .srcPos = peer->srcPos,
        .srcPtr = peer->srcPtr,
        .dstArray = peer->dstArray,
        .dstPos = peer->dstPos,
        .dstPtr = peer->dstPtr,
        .extent = peer->extent,
        .kind = COPY_DEVICE_TO_DEVICE,
    };
    return cudaMemcpy3DAsync(&box, stream);
}

/* ---- symbols ---- */

cudaError cudaGetSymbolAddress(void **address, const void *symbol) {
    size_t bytes;
    return rt_variable(symbol, (CUdeviceptr *)address, &bytes);
}

cudaError cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    CUdeviceptr address;
    return rt_variable(symbol, &address, bytes);
}

/* A symbol is on the device. */
static cudaError direction(int kind, CopyKind wanted) {
    bool fits = kind == (int)wanted || kind == COPY_DEVICE_TO_DEVICE || kind == COPY_DEFAULT;
    return fits ? cudaSuccess : rt_result(cudaErrorInvalidMemcpyDirection);
}

/* The place in a symbol; an error where it would end behind it. */
static cudaError inside(const void *symbol, size_t offset, size_t bytes, char **place) {
    CUdeviceptr address;
    size_t size;
    cudaError error = rt_variable(symbol, &address, &size);
    if (!error && (offset > size || bytes > size - offset))
        error = rt_result(cudaErrorInvalidValue);
    *place = error ? NULL : (char *)(uintptr_t)address + offset;
    return error;
}

cudaError cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                             int kind) {
    if (bytes == 0) /* whatever the symbol is */
        return rt_ready();
    char *place;
    cudaError error = inside(symbol, offset, bytes, &place);
    if (!error)
        error = direction(kind, COPY_HOST_TO_DEVICE);
    return error ? error : cudaMemcpy(place, from, bytes, kind);
}

cudaError cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                               int kind) {
    if (bytes == 0) /* whatever the symbol is */
        return rt_ready();
    char *place;
    cudaError error = inside(symbol, offset, bytes, &place);
    if (!error)
        error = direction(kind, COPY_DEVICE_TO_HOST);
    return error ? error : cudaMemcpy(to, place, bytes, kind);
}

cudaError cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                  int kind, CUstream stream) {
    if (bytes == 0) /* whatever the symbol is */
        return rt_ready();
    char *place;
    cudaError error = inside(symbol, offset, bytes, &place);
    if (!error)
        error = direction(kind, COPY_HOST_TO_DEVICE);
    return error ? error : cudaMemcpyAsync(place, from, bytes, kind, stream);
}

cudaError cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                    int kind, CUstream stream) {
    if (bytes == 0) /* whatever the symbol is */
        return rt_ready();
    char *place;
    cudaError error = inside(symbol, offset, bytes, &place);
    if (!error)
        error = direction(kind, COPY_DEVICE_TO_HOST);
    return error ? error : cudaMemcpyAsync(to, place, bytes, kind, stream);
}

/* ---- fills ---- */

cudaError cudaMemset(void *address, int value, size_t bytes) {
    RT_FORWARD(cuMemsetD8_v2(device_address(address), (unsigned char)value, bytes));
}

cudaError cudaMemsetAsync(void *address, int value, size_t bytes, CUstream stream) {
    RT_FORWARD(cuMemsetD8Async(device_address(address), (unsigned char)value, bytes, stream));
}

cudaError cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height) {
    if (pitch < width)
        return rt_result(cudaErrorInvalidValue);
    RT_FORWARD(
        cuMemsetD2D8_v2(device_address(address), pitch, (unsigned char)value, width, height));
}

cudaError cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                            CUstream stream) {
    RT_FORWARD(cuMemsetD2D8Async(device_address(address), pitch, (unsigned char)value, width,
                                 height, stream));
}

cudaError cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
    return cudaMemset3DAsync(pointer, value, extent, STREAM_LEGACY);
}

cudaError cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, CUstream stream) {
    if (!extent.width || !extent.height || !extent.depth)
        return cudaMemset2DAsync(pointer.ptr, pointer.pitch, value, 0, 0, stream);
    cudaError error = cudaSuccess;
    for (size_t z = 0; !error && z < extent.depth; z++)
        error = cudaMemset2DAsync((char *)pointer.ptr + z * pointer.pitch * pointer.ysize,
                                  pointer.pitch, value, extent.width, extent.height, stream);
    return error;
}
