/* Copies and fills. Every shape is a piece of a 3-D one: rows of a slice of a volume. */
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/context.h"
#include "cuda/defects.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/unmade.h"
#include "cuda/work.h"

#include <string.h>

/* ---- doing it ---- */

typedef struct Side {
    uint8_t *at;
    size_t row, slice; /* bytes from one to the next */
} Side;

static Side side_of(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array,
                    size_t pitch, size_t height) {
    if (type == MEMORYTYPE_ARRAY)
        return (Side){.at = memory_host(core_memory(), array->image.address),
                      .row = array->image.row,
                      .slice = array->image.slice};
    uint8_t *base =
        type == MEMORYTYPE_HOST ? (uint8_t *)(uintptr_t)host : memory_host(core_memory(), device);
    return (Side){.at = base, .row = pitch, .slice = pitch * height};
}

static Side side_at(Side side, size_t x, size_t y, size_t z) {
    side.at += z * side.slice + y * side.row + x;
    return side;
}

static Side source_of(const CUDA_MEMCPY3D *copy) {
    Side side = side_of(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray,
                        copy_pitch(copy->srcPitch, copy->srcXInBytes, copy),
                        copy->srcHeight ? copy->srcHeight : copy->Height);
    return side_at(side, copy->srcXInBytes, copy->srcY, copy->srcZ);
}

static Side target_of(const CUDA_MEMCPY3D *copy) {
    Side side = side_of(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray,
                        copy_pitch(copy->dstPitch, copy->dstXInBytes, copy),
                        copy->dstHeight ? copy->dstHeight : copy->Height);
    return side_at(side, copy->dstXInBytes, copy->dstY, copy->dstZ);
}

/* false: there is nothing to be copied. */
static bool copy_row(const Core *core, void *to, const void *from, size_t bytes) {
    if (core->unmade && unmade_read("a copy", (uint64_t)(uintptr_t)from, bytes))
        return false;
    memmove(to, from, bytes);
    if (core->unmade)
        unmade_forget((uint64_t)(uintptr_t)to, bytes);
    if (core->sanitizer)
        sanitize_copied(core->sanitizer, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from, bytes);
    if (core->precedence.on) {
        operations_access(from, bytes, false);
        operations_access(to, bytes, true);
    }
    return true;
}

static bool copy_bytes(const CUDA_MEMCPY3D *copy) {
    Side from = source_of(copy), to = target_of(copy);
    const Core *core = core_get();
    bool good = true;
    if (copy->Height == 1 && copy->Depth == 1)
        return copy_row(core, to.at, from.at, copy->WidthInBytes);
    for (size_t z = 0; good && z < copy->Depth; z++) {
        for (size_t y = 0; good && y < copy->Height; y++)
            good = copy_row(core, to.at + z * to.slice + y * to.row,
                            from.at + z * from.slice + y * from.row, copy->WidthInBytes);
    }
    return good;
}

static bool leaves_device(const CUDA_MEMCPY3D *copy) {
    AllocationRecord found;
    return !allocated_find((CUdeviceptr)(uintptr_t)target_of(copy).at, &found) ||
           found.kind == KIND_HOST || found.kind == KIND_REGISTERED;
}

static CUresult copy_run(const Work *work) {
    if (!copy_bytes(&work->copy))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    if (core_settings()->results && leaves_device(&work->copy))
        results_copy(core_get(), &work->copy);
    return CUDA_SUCCESS;
}
const WorkKind work_copy = {NODE_MEMCPY, copy_run, NULL};

/* From the first byte of a box to behind its last one. false: more than there are addresses. */
static bool box_bytes(uint64_t width, uint64_t rows, uint64_t row, uint64_t slices, uint64_t slice,
                      uint64_t *bytes) {
    uint64_t across, along;
    return !__builtin_mul_overflow(rows - 1, row, &across) &&
           !__builtin_mul_overflow(slices - 1, slice, &along) &&
           !__builtin_add_overflow(across, along, &along) &&
           !__builtin_add_overflow(along, width, bytes);
}

/* Device memory is checked against its allocation, first byte to last: a program that copies beyond
 * gets the error that a GPU gives. */
static bool covers(CUmemorytype type, Side side, const CUDA_MEMCPY3D *copy) {
    AllocationRecord found;
    uint64_t address = (uint64_t)(uintptr_t)side.at;
    uint64_t bytes;
    if (!box_bytes(copy->WidthInBytes, copy->Height, side.row, copy->Depth, side.slice, &bytes))
        return false;
    bool known = allocated_find(address, &found);
    if (known)
        return bytes <= found.bytes - (address - found.address) || found.kind == KIND_REGISTERED;
    return type != MEMORYTYPE_DEVICE && side.at;
}

static bool pitch_fits(size_t pitch, size_t x, const CUDA_MEMCPY3D *copy) {
    return (copy->Height <= 1 && copy->Depth <= 1) || pitch == 0 || pitch >= x + copy->WidthInBytes;
}

static bool height_fits(size_t height, const CUDA_MEMCPY3D *copy) {
    return copy->Depth <= 1 || height == 0 || height >= copy->Height;
}

static bool within(size_t first, size_t count, size_t extent) {
    return first <= extent && count <= extent - first;
}

static bool array_covers(CUarray array, size_t x, size_t y, size_t z, const CUDA_MEMCPY3D *copy) {
    return within(x, copy->WidthInBytes, array->row_bytes) &&
           within(y, copy->Height, array->image.height) && within(z, copy->Depth, array->slices);
}

static bool source_fits(const CUDA_MEMCPY3D *copy) {
    if (copy->srcMemoryType == MEMORYTYPE_ARRAY)
        return array_covers(copy->srcArray, copy->srcXInBytes, copy->srcY, copy->srcZ, copy);
    return pitch_fits(copy->srcPitch, copy->srcXInBytes, copy) &&
           height_fits(copy->srcHeight, copy) && covers(copy->srcMemoryType, source_of(copy), copy);
}

static bool target_fits(const CUDA_MEMCPY3D *copy) {
    if (copy->dstMemoryType == MEMORYTYPE_ARRAY)
        return array_covers(copy->dstArray, copy->dstXInBytes, copy->dstY, copy->dstZ, copy);
    return pitch_fits(copy->dstPitch, copy->dstXInBytes, copy) &&
           height_fits(copy->dstHeight, copy) && covers(copy->dstMemoryType, target_of(copy), copy);
}

static bool is_type(CUmemorytype type) {
    return type >= MEMORYTYPE_HOST && type <= MEMORYTYPE_UNIFIED;
}

CUresult copy_check(const CUDA_MEMCPY3D *copy) {
    bool empty = copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0;
    if (!is_type(copy->srcMemoryType) || !is_type(copy->dstMemoryType))
        return empty ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if ((copy->srcMemoryType == MEMORYTYPE_ARRAY && !IS(copy->srcArray, TAG_ARRAY)) ||
        (copy->dstMemoryType == MEMORYTYPE_ARRAY && !IS(copy->dstArray, TAG_ARRAY)))
        return CUDA_ERROR_INVALID_HANDLE;
    if (empty)
        return CUDA_SUCCESS;
    return source_fits(copy) && target_fits(copy) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult set_run(const Work *work) {
    const SetWork *set = &work->set;
    uint8_t *at = memory_host(core_memory(), set->to);
    Sanitizer *sanitizer = core_get()->sanitizer;
    for (size_t y = 0; y < set->height; y++, at += set->pitch) {
        if (sanitizer)
            sanitize_written(sanitizer, (uint64_t)(uintptr_t)at, set->width * set->element);
        if (core_get()->precedence.on)
            operations_access(at, set->width * set->element, true);
        if (core_get()->unmade)
            unmade_forget((uint64_t)(uintptr_t)at, set->width * set->element);
        if (set->element == 1) {
            memset(at, (int)set->value, set->width);
            continue;
        }
        for (size_t x = 0; x < set->width; x++)
            memcpy(at + x * set->element, &set->value, set->element);
    }
    return CUDA_SUCCESS;
}
const WorkKind work_set = {NODE_MEMSET, set_run, NULL};

/* ---- the calls ---- */

/* The host has what it copies to memory that is not pinned when the call returns. */
static bool is_awaited(const CUDA_MEMCPY3D *copy, const struct Stream *stream) {
    AllocationRecord found;
    return copy->dstMemoryType != MEMORYTYPE_ARRAY && !stream->capture &&
           !allocated_find((CUdeviceptr)(uintptr_t)target_of(copy).at, &found);
}

static uint64_t extent_of(const Side *side, const CUDA_MEMCPY3D *copy) {
    const bool none = !copy->WidthInBytes || !copy->Height || !copy->Depth;
    return none ? 0
                : (copy->Depth - 1) * side->slice + (copy->Height - 1) * side->row +
                      copy->WidthInBytes;
}

static bool may_be_host(CUmemorytype type) {
    return type == MEMORYTYPE_HOST || type == MEMORYTYPE_UNIFIED;
}

/* --sanitize memory; false: memory of the host is not there. */
static bool host_is_there(const CUDA_MEMCPY3D *copy) {
    bool good = true;
    if (may_be_host(copy->srcMemoryType)) {
        const Side from = source_of(copy);
        good &= host_memory_check(from.at, extent_of(&from, copy), false);
    }
    if (may_be_host(copy->dstMemoryType)) {
        const Side to = target_of(copy);
        good &= host_memory_check(to.at, extent_of(&to, copy), true);
    }
    return good;
}

static CUresult enqueue(const CUDA_MEMCPY3D *copy, CUstream stream) {
    if (defects_wanted(DEFECT_host_memory) && !host_is_there(copy))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult wrong = copy_check(copy);
    if (wrong)
        return wrong;
    Work work = {.kind = &work_copy, .copy = *copy};
    CUresult result = work_enqueue(stream, &work);
    if (!result && core_get()->precedence.on && is_awaited(copy, stream_of(stream)))
        precedence_await_stream(stream_of(stream));
    return result;
}

static CUresult line(CUdeviceptr to, CUmemorytype to_type, CUdeviceptr from, CUmemorytype from_type,
                     size_t bytes, CUstream stream) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = from_type,
                          .srcHost = (const void *)(uintptr_t)from,
                          .srcDevice = from,
                          .dstMemoryType = to_type,
                          .dstHost = (void *)(uintptr_t)to,
                          .dstDevice = to,
                          .WidthInBytes = bytes,
                          .Height = 1,
                          .Depth = 1};
    if (!stream_of(stream))
        return handle_error(stream);
    if (bytes && (!to || !from))
        return CUDA_ERROR_INVALID_VALUE;
    return enqueue(&copy, stream);
}

static CUresult plane(const CUDA_MEMCPY2D *from, CUstream stream) {
    if (!from)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D copy = {.srcXInBytes = from->srcXInBytes,
                          .srcY = from->srcY,
                          .srcMemoryType = from->srcMemoryType,
                          .srcHost = from->srcHost,
                          .srcDevice = from->srcDevice,
                          .srcArray = from->srcArray,
                          .srcPitch = from->srcPitch,
                          .dstXInBytes = from->dstXInBytes,
                          .dstY = from->dstY,
                          .dstMemoryType = from->dstMemoryType,
                          .dstHost = from->dstHost,
                          .dstDevice = from->dstDevice,
                          .dstArray = from->dstArray,
                          .dstPitch = from->dstPitch,
                          .WidthInBytes = from->WidthInBytes,
                          .Height = from->Height,
                          .Depth = 1};
    return enqueue(&copy, stream);
}

/* Between a run of bytes and the first row of an array. */
static CUresult array_line(CUDA_MEMCPY3D *copy, size_t bytes, CUstream stream) {
    copy->WidthInBytes = bytes;
    copy->Height = copy->Depth = 1;
    if (!stream_of(stream))
        return handle_error(stream);
    if ((copy->srcMemoryType == MEMORYTYPE_ARRAY && !IS(copy->srcArray, TAG_ARRAY)) ||
        (copy->dstMemoryType == MEMORYTYPE_ARRAY && !IS(copy->dstArray, TAG_ARRAY)))
        return CUDA_ERROR_INVALID_VALUE;
    return enqueue(copy, stream);
}

/* The host waits for what it has enqueued on the default stream; between memory of the device, nobody does. */
static CUresult finished(CUresult result) {
    if (!result)
        aside_stream_pends(stream_of(NULL), true);
    return result ? result : core_sticky();
}

CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes,
                              CUstream stream) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = from,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = to,
                          .dstXInBytes = offset};
    return array_line(&copy, bytes, stream);
}

CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes) {
    return finished(cuMemcpyHtoAAsync_v2(to, offset, from, bytes, NULL));
}

CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes,
                              CUstream stream) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = from,
                          .srcXInBytes = offset,
                          .dstMemoryType = MEMORYTYPE_HOST,
                          .dstHost = to};
    return array_line(&copy, bytes, stream);
}

CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes) {
    return finished(cuMemcpyAtoHAsync_v2(to, from, offset, bytes, NULL));
}

CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_DEVICE,
                          .srcDevice = from,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = to,
                          .dstXInBytes = offset};
    return array_line(&copy, bytes, NULL);
}

CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = from,
                          .srcXInBytes = offset,
                          .dstMemoryType = MEMORYTYPE_DEVICE,
                          .dstDevice = to};
    return array_line(&copy, bytes, NULL);
}

CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                         size_t bytes) {
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = from,
                          .srcXInBytes = from_offset,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = to,
                          .dstXInBytes = to_offset};
    return array_line(&copy, bytes, NULL);
}

static CUdeviceptr address(const void *host) {
    return (CUdeviceptr)(uintptr_t)host;
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return line(to, MEMORYTYPE_UNIFIED, from, MEMORYTYPE_UNIFIED, bytes, stream);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return finished(cuMemcpyAsync(to, from, bytes, NULL));
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream) {
    if (!context_valid(to_context) || !context_valid(from_context))
        return CUDA_ERROR_INVALID_CONTEXT;
    return line(to, MEMORYTYPE_DEVICE, from, MEMORYTYPE_DEVICE, bytes, stream);
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes) {
    CUresult result = cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, NULL);
    precedence_await_all(NULL); /* it comes between what both devices do */
    return result;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    return line(to, MEMORYTYPE_DEVICE, address(from), MEMORYTYPE_HOST, bytes, stream);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return finished(cuMemcpyHtoDAsync_v2(to, from, bytes, NULL));
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return line(address(to), MEMORYTYPE_HOST, from, MEMORYTYPE_DEVICE, bytes, stream);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return finished(cuMemcpyDtoHAsync_v2(to, from, bytes, NULL));
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    return line(to, MEMORYTYPE_DEVICE, from, MEMORYTYPE_DEVICE, bytes, stream);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    return cuMemcpyDtoDAsync_v2(to, from, bytes, NULL);
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy) {
    return finished(plane(copy, NULL));
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy) {
    return finished(plane(copy, NULL));
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream) {
    return plane(copy, stream);
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream) {
    return copy ? enqueue(copy, stream) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy) {
    return finished(cuMemcpy3DAsync_v2(copy, NULL));
}

CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *copy, CUstream stream) {
    return cuMemcpy3DAsync_v2(copy, stream);
}

CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *copy) {
    return finished(cuMemcpy3DAsync_v2(copy, NULL));
}

/* ---- fills ---- */

CUresult set_check(const SetWork *set) {
    AllocationRecord found;
    if (set->width == 0 || set->height == 0)
        return CUDA_SUCCESS;
    uint64_t row, bytes;
    bool aligned = set->to % set->element == 0 && set->pitch % set->element == 0;
    if (__builtin_mul_overflow(set->width, set->element, &row) ||
        (set->height > 1 && set->pitch < row) ||
        !box_bytes(row, set->height, set->pitch, 1, 0, &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    return aligned && allocated_find(set->to, &found) &&
                   bytes <= found.bytes - (set->to - found.address)
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_VALUE;
}

/* Memory of another device is copied to and from, but filled only where kernels may access it. */
static bool may_fill(CUdeviceptr to, CUstream handle) {
    AllocationRecord found;
    if (!stream_of(handle) || !allocated_find(to, &found) || found.kind != KIND_DEVICE)
        return true; /* others say what is wrong */
    const struct Context *context = stream_context(handle);
    uint32_t reaches = device_bit(context->device) | context->peers;
    return (device_bit(found.context->device) & reaches) || found.pool;
}

static CUresult fill(CUdeviceptr to, size_t pitch, uint32_t value, uint32_t element, size_t width,
                     size_t height, CUstream stream) {
    Work work = {.kind = &work_set,
                 .set = {.to = to,
                         .pitch = height > 1 ? pitch : 0,
                         .width = width,
                         .height = height,
                         .value = value,
                         .element = element}};
    CUresult wrong = stream_of(stream) ? set_check(&work.set) : handle_error(stream);
    if (!wrong && !may_fill(to, stream))
        wrong = CUDA_ERROR_INVALID_VALUE;
    return wrong ? wrong : work_enqueue(stream, &work);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    return fill(to, 0, value, 1, count, 1, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
    return fill(to, 0, value, 2, count, 1, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    return fill(to, 0, value, 4, count, 1, stream);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream) {
    return fill(to, pitch, value, 1, width, height, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream) {
    return fill(to, pitch, value, 2, width, height, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream) {
    return fill(to, pitch, value, 4, width, height, stream);
}

/* The host waits where it sees the memory, else it does not. */
static CUresult filled(CUresult result, CUdeviceptr to) {
    AllocationRecord found;
    if (!result && core_get()->precedence.on && allocated_find(to, &found) &&
        found.kind != KIND_DEVICE)
        precedence_await_stream(stream_of(NULL));
    return result;
}

CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
    return filled(fill(to, 0, value, 1, count, 1, NULL), to);
}

CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
    return filled(fill(to, 0, value, 2, count, 1, NULL), to);
}

CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
    return filled(fill(to, 0, value, 4, count, 1, NULL), to);
}

CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height) {
    return filled(fill(to, pitch, value, 1, width, height, NULL), to);
}

CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height) {
    return filled(fill(to, pitch, value, 2, width, height, NULL), to);
}

CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                          size_t height) {
    return filled(fill(to, pitch, value, 4, width, height, NULL), to);
}
