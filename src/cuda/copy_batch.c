/* Copies by the dozen, one after the other: streams execute at once. */
#include "cuda/array.h"
#include "cuda/handle.h"

static CUresult fail(size_t *place, size_t at, CUresult error) {
    if (place)
        *place = at;
    return error;
}

/* Each copy has the attributes of the last index that is not behind it. */
static bool are_described(const CUmemcpyAttributes *attributes, const size_t *first, size_t kinds,
                          size_t count) {
    enum { ORDER_ANY = 3 };
    if (!attributes || !first || kinds == 0 || kinds > count || first[0] != 0)
        return false;
    for (size_t i = 0; i < kinds; i++)
        if (first[i] >= count || (i && first[i] <= first[i - 1]) ||
            attributes[i].srcAccessOrder < 1 || attributes[i].srcAccessOrder > ORDER_ANY)
            return false;
    return true;
}

CUresult cuMemcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                            CUmemcpyAttributes *attributes, size_t *first, size_t kinds,
                            size_t *place, CUstream stream) {
    if (!to || !from || !bytes || count == 0 || !are_described(attributes, first, kinds, count) ||
        !stream || stream == STREAM_LEGACY)
        return fail(place, SIZE_MAX, CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        CUresult result =
            bytes[i] ? cuMemcpyAsync(to[i], from[i], bytes[i], stream) : CUDA_ERROR_INVALID_VALUE;
        if (result)
            return fail(place, i, result);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemcpyBatchAsync_v2(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count,
                               CUmemcpyAttributes *attributes, size_t *first, size_t kinds,
                               CUstream stream) {
    return cuMemcpyBatchAsync(to, from, bytes, count, attributes, first, kinds, NULL, stream);
}

/* ---- boxes ---- */

/* Bytes of an element of the array that takes part; 1 where both are pointers, which count in bytes. */
static size_t element_bytes(const CUDA_MEMCPY3D_BATCH_OP *box) {
    const CUmemcpy3DOperand *array = box->src.type == OPERAND_ARRAY   ? &box->src
                                     : box->dst.type == OPERAND_ARRAY ? &box->dst
                                                                      : NULL;
    if (!array || !IS(array->array.array, TAG_ARRAY))
        return array ? 0 : 1;
    const CUDA_ARRAY3D_DESCRIPTOR *has = &array->array.array->descriptor;
    return array->array.array->row_bytes / (has->Width ? has->Width : 1);
}

static bool is_operand(const CUmemcpy3DOperand *one) {
    return one->type == OPERAND_POINTER || one->type == OPERAND_ARRAY;
}

static CUresult box_copy(const CUDA_MEMCPY3D_BATCH_OP *box, CUstream stream) {
    const CUmemcpy3DOperand *src = &box->src, *dst = &box->dst;
    size_t element = element_bytes(box);
    if (element == 0 || !box->width || !box->height || !box->depth || !is_operand(src) ||
        !is_operand(dst))
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D copy = {
        .WidthInBytes = box->width * element, .Height = box->height, .Depth = box->depth};
    if (src->type == OPERAND_ARRAY) {
        copy.srcMemoryType = MEMORYTYPE_ARRAY;
        copy.srcArray = src->array.array;
        copy.srcXInBytes = src->array.x * element;
        copy.srcY = src->array.y;
        copy.srcZ = src->array.z;
    } else {
        copy.srcMemoryType = MEMORYTYPE_UNIFIED;
        copy.srcDevice = src->pointer.address;
        copy.srcPitch = (src->pointer.row ? src->pointer.row : box->width) * element;
        copy.srcHeight = src->pointer.height ? src->pointer.height : box->height;
    }
    if (dst->type == OPERAND_ARRAY) {
        copy.dstMemoryType = MEMORYTYPE_ARRAY;
        copy.dstArray = dst->array.array;
        copy.dstXInBytes = dst->array.x * element;
        copy.dstY = dst->array.y;
        copy.dstZ = dst->array.z;
    } else {
        copy.dstMemoryType = MEMORYTYPE_UNIFIED;
        copy.dstDevice = dst->pointer.address;
        copy.dstPitch = (dst->pointer.row ? dst->pointer.row : box->width) * element;
        copy.dstHeight = dst->pointer.height ? dst->pointer.height : box->height;
    }
    return cuMemcpy3DAsync_v2(&copy, stream);
}

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes, size_t *place,
                              unsigned long long flags, CUstream stream) {
    if (!boxes || count == 0 || flags || !stream || stream == STREAM_LEGACY)
        return fail(place, SIZE_MAX, CUDA_ERROR_INVALID_VALUE);
    for (size_t i = 0; i < count; i++) {
        CUresult result = box_copy(&boxes[i], stream);
        if (result)
            return fail(place, i, result);
    }
    return CUDA_SUCCESS;
}

CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP *boxes,
                                 unsigned long long flags, CUstream stream) {
    return cuMemcpy3DBatchAsync(count, boxes, NULL, flags, stream);
}
