/* CUDA arrays: the runtime describes their elements by the bits of each channel and counts copies of whole
 * boxes in elements, the driver in bytes. */
#include "cuda/runtime/calls.h"

enum { CHANNEL_SIGNED, CHANNEL_UNSIGNED, CHANNEL_FLOAT };

static bool format_of(int kind, int bits, CUarray_format *format) {
    static const struct {
        int kind, bits;
        CUarray_format format;
    } formats[] = {{CHANNEL_SIGNED, 8, AD_FORMAT_SIGNED_INT8},
                   {CHANNEL_SIGNED, 16, AD_FORMAT_SIGNED_INT16},
                   {CHANNEL_SIGNED, 32, AD_FORMAT_SIGNED_INT32},
                   {CHANNEL_UNSIGNED, 8, AD_FORMAT_UNSIGNED_INT8},
                   {CHANNEL_UNSIGNED, 16, AD_FORMAT_UNSIGNED_INT16},
                   {CHANNEL_UNSIGNED, 32, AD_FORMAT_UNSIGNED_INT32},
                   {CHANNEL_FLOAT, 16, AD_FORMAT_HALF},
                   {CHANNEL_FLOAT, 32, AD_FORMAT_FLOAT}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].kind == kind && formats[i].bits == bits) {
            *format = formats[i].format;
            return true;
        }
    return false;
}

bool rt_format(const cudaChannelFormatDesc *from, CUarray_format *format, unsigned *channels) {
    const int bits[4] = {from->x, from->y, from->z, from->w};
    *channels = 0;
    for (int i = 0; i < 4; i++) {
        if (bits[i] != 0 && (bits[i] != bits[0] || *channels != (unsigned)i))
            return false;
        *channels += bits[i] != 0;
    }
    return format_of(from->f, from->x, format);
}

cudaChannelFormatDesc rt_format_back(CUarray_format format, unsigned channels) {
    int bits = 32, kind = CHANNEL_FLOAT;
    for (kind = CHANNEL_SIGNED; kind <= CHANNEL_FLOAT; kind++)
        for (bits = 8; bits <= 32; bits *= 2) {
            CUarray_format one;
            if (format_of(kind, bits, &one) && one == format)
                return (cudaChannelFormatDesc){bits, channels > 1 ? bits : 0,
                                               channels > 2 ? bits : 0, channels > 3 ? bits : 0,
                                               kind};
        }
    return (cudaChannelFormatDesc){0};
}

size_t rt_element_bytes(CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    if (cuArray3DGetDescriptor_v2(&descriptor, array))
        return 0;
    return (size_t)rt_format_back(descriptor.Format, 1).x / 8 * descriptor.NumChannels;
}

/* ---- making them ---- */

static bool describe(const cudaChannelFormatDesc *format, cudaExtent extent, unsigned flags,
                     CUDA_ARRAY3D_DESCRIPTOR *descriptor) {
    *descriptor = (CUDA_ARRAY3D_DESCRIPTOR){
        .Width = extent.width, .Height = extent.height, .Depth = extent.depth, .Flags = flags};
    return format && rt_format(format, &descriptor->Format, &descriptor->NumChannels);
}

cudaError cudaMalloc3DArray(CUarray *array, const cudaChannelFormatDesc *format, cudaExtent extent,
                            unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    if (!describe(format, extent, flags, &descriptor))
        return rt_result(cudaErrorInvalidChannelDescriptor);
    RT_FORWARD(cuArray3DCreate_v2(array, &descriptor));
}

cudaError cudaMallocArray(CUarray *array, const cudaChannelFormatDesc *format, size_t width,
                          size_t height, unsigned flags) {
    if (!format)
        return rt_result(cudaErrorInvalidValue);
    return cudaMalloc3DArray(array, format, (cudaExtent){width, height, 0}, flags);
}

cudaError cudaFreeArray(CUarray array) {
    if (!array)
        return rt_ready();
    RT_FORWARD(cuArrayDestroy(array));
}

cudaError cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                           CUarray array) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    cudaError error = rt_ready();
    error = error ? error : (cudaError)cuArray3DGetDescriptor_v2(&descriptor, array);
    if (error)
        return rt_result(error);
    if (format)
        *format = rt_format_back(descriptor.Format, descriptor.NumChannels);
    if (extent)
        *extent = (cudaExtent){descriptor.Width, descriptor.Height, descriptor.Depth};
    if (flags)
        *flags = descriptor.Flags;
    return cudaSuccess;
}

cudaError cudaGetChannelDesc(cudaChannelFormatDesc *format, CUarray array) {
    if (!format)
        return rt_result(cudaErrorInvalidValue);
    return cudaArrayGetInfo(format, NULL, NULL, array);
}

cudaError cudaMallocMipmappedArray(CUmipmappedArray *mipmapped, const cudaChannelFormatDesc *format,
                                   cudaExtent extent, unsigned levels, unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    if (!format)
        return rt_result(cudaErrorInvalidValue);
    if (!describe(format, extent, flags, &descriptor))
        return rt_result(cudaErrorInvalidChannelDescriptor);
    RT_FORWARD(cuMipmappedArrayCreate(mipmapped, &descriptor, levels));
}

cudaError cudaGetMipmappedArrayLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level) {
    RT_FORWARD(cuMipmappedArrayGetLevel(array, mipmapped, level));
}

cudaError cudaFreeMipmappedArray(CUmipmappedArray mipmapped) {
    if (!mipmapped)
        return rt_ready();
    RT_FORWARD(cuMipmappedArrayDestroy(mipmapped));
}

/* ---- copies of rows: everything in bytes ---- */

/* The other side of a copy to or from an array. */
static CUmemorytype other_side(int kind) {
    return kind == COPY_DEFAULT                                         ? MEMORYTYPE_UNIFIED
           : kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_HOST ? MEMORYTYPE_HOST
                                                                        : MEMORYTYPE_DEVICE;
}

/* Whether a kind is for copies that go the way `way`; an array is on the device. */
static bool leads(int kind, CopyKind way) {
    return kind == (int)way || kind == COPY_DEVICE_TO_DEVICE || kind == COPY_DEFAULT;
}

cudaError cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                                   size_t width, size_t height, int kind, CUstream stream) {
    if (pitch < width)
        return rt_result(cudaErrorInvalidPitchValue);
    if (width && height && !leads(kind, COPY_HOST_TO_DEVICE))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    CUDA_MEMCPY2D copy = {.srcMemoryType = other_side(kind),
                          .srcHost = from,
                          .srcDevice = (CUdeviceptr)(uintptr_t)from,
                          .srcPitch = pitch,
                          .dstXInBytes = x,
                          .dstY = y,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = to,
                          .WidthInBytes = width,
                          .Height = height};
    RT_FORWARD(cuMemcpy2DAsync_v2(&copy, stream));
}

cudaError cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                              size_t width, size_t height, int kind) {
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, NULL);
}

cudaError cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                     size_t width, size_t height, int kind, CUstream stream) {
    if (pitch < width)
        return rt_result(cudaErrorInvalidPitchValue);
    if (width && height && !leads(kind, COPY_DEVICE_TO_HOST))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    CUDA_MEMCPY2D copy = {.srcXInBytes = x,
                          .srcY = y,
                          .srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = from,
                          .dstMemoryType = other_side(kind),
                          .dstHost = to,
                          .dstDevice = (CUdeviceptr)(uintptr_t)to,
                          .dstPitch = pitch,
                          .WidthInBytes = width,
                          .Height = height};
    RT_FORWARD(cuMemcpy2DAsync_v2(&copy, stream));
}

cudaError cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                size_t width, size_t height, int kind) {
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, NULL);
}

cudaError cudaMemcpy2DArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from,
                                   size_t from_x, size_t from_y, size_t width, size_t height,
                                   int kind) {
    CUDA_MEMCPY2D copy = {.srcXInBytes = from_x,
                          .srcY = from_y,
                          .srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = from,
                          .dstXInBytes = to_x,
                          .dstY = to_y,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = to,
                          .WidthInBytes = width,
                          .Height = height};
    if (width && height && !leads(kind, COPY_DEVICE_TO_DEVICE))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    RT_FORWARD(cuMemcpy2D_v2(&copy));
}

/* ---- copies of a run of bytes, row after row of the array ---- */

/* How the run lies: the rest of the first row, whole rows, the start of the last one. */
typedef struct Run {
    size_t bytes[3], rows[3], x[3];
} Run;

static bool run_of(CUarray array, size_t x, size_t bytes, Run *run) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    if (cuArray3DGetDescriptor_v2(&descriptor, array))
        return false;
    size_t row = descriptor.Width * rt_element_bytes(array);
    size_t first = x >= row ? 0 : bytes < row - x ? bytes : row - x;
    size_t left = bytes - first;
    *run = (Run){.bytes = {first, row, left % row},
                 .rows = {first > 0, left / row, left % row > 0},
                 .x = {x, 0, 0}};
    return x < row;
}

typedef enum Direction { TO_ARRAY, FROM_ARRAY } Direction;

/* Between an array and memory, in up to three pieces. */
static cudaError copy_run(Direction direction, CUarray array, size_t x, size_t y, void *memory,
                          size_t bytes, int kind, CUstream stream) {
    Run run;
    char *at = memory;
    if (!run_of(array, x, bytes, &run))
        return rt_result(cudaErrorInvalidValue);
    for (int i = 0; i < 3; i++) {
        size_t width = run.bytes[i], height = run.rows[i];
        cudaError error = cudaSuccess;
        if (height && direction == TO_ARRAY)
            error = cudaMemcpy2DToArrayAsync(array, run.x[i], y, at, width, width, height, kind,
                                             stream);
        else if (height)
            error = cudaMemcpy2DFromArrayAsync(at, width, array, run.x[i], y, width, height, kind,
                                               stream);
        if (error)
            return error;
        at += width * height;
        y += height;
    }
    return rt_ready();
}

cudaError cudaMemcpyToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t bytes,
                                 int kind, CUstream stream) {
    if (!rt_element_bytes(to))
        return rt_result(cudaErrorInvalidResourceHandle);
    if (bytes && !leads(kind, COPY_HOST_TO_DEVICE))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    return copy_run(TO_ARRAY, to, x, y, (void *)(uintptr_t)from, bytes, kind, stream);
}

cudaError cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes,
                            int kind) {
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, NULL);
}

cudaError cudaMemcpyFromArrayAsync(void *to, CUarray from, size_t x, size_t y, size_t bytes,
                                   int kind, CUstream stream) {
    if (bytes && !leads(kind, COPY_DEVICE_TO_HOST))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    return copy_run(FROM_ARRAY, from, x, y, to, bytes, kind, stream);
}

cudaError cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind) {
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, NULL);
}

/* In pieces: a run goes on in the next row of either array where its row ends. */
cudaError cudaMemcpyArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from, size_t from_x,
                                 size_t from_y, size_t bytes, int kind) {
    Run source, target;
    if (bytes && !leads(kind, COPY_DEVICE_TO_DEVICE))
        return rt_result(cudaErrorInvalidMemcpyDirection);
    if (!run_of(from, from_x, bytes, &source) || !run_of(to, to_x, bytes, &target))
        return rt_result(cudaErrorInvalidValue);
    size_t source_row = source.bytes[1], target_row = target.bytes[1];
    while (bytes) {
        size_t left = source_row - from_x, room = target_row - to_x;
        size_t piece = left < room ? left : room;
        piece = piece < bytes ? piece : bytes;
        cudaError error =
            cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, piece, 1, kind);
        if (error)
            return error;
        from_y += piece == left;
        from_x = piece == left ? 0 : from_x + piece;
        to_y += piece == room;
        to_x = piece == room ? 0 : to_x + piece;
        bytes -= piece;
    }
    return rt_ready();
}
