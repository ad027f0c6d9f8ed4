/* Tensor maps: what a kernel that copies boxes of tensors (TMA) takes as argument. */
#include "api/api.h"
#include "exec/async/tensor_map.h"

_Static_assert(WARPLENS_TENSOR_MAP_BYTES == TENSOR_MAP_BYTES, "warplens.h has their size");

static bool is_encoded(const WarplensTensor *tensor, uint64_t address, void *map) {
    uint64_t stride[TENSOR_RANK_MOST - 1];
    uint32_t step[TENSOR_RANK_MOST];
    TensorEncoding encoding = {.type = tensor_type_named(str_of(tensor->type ? tensor->type : "")),
                               .rank = tensor->rank,
                               .address = address,
                               .extent = tensor->extent,
                               .stride = stride,
                               .box = tensor->box,
                               .step = step,
                               .lower = tensor->im2col ? tensor->lower : NULL,
                               .upper = tensor->im2col ? tensor->upper : NULL,
                               .channels = tensor->channels,
                               .pixels = tensor->pixels,
                               .swizzle = tensor_swizzle_of(tensor->swizzle),
                               .interleave = tensor_interleave_of(tensor->interleave),
                               .nan_fill = tensor->nan_fill};
    if (encoding.type == TENSOR_TYPES)
        return false;
    uint64_t bytes = tensor_type_bytes(encoding.type);
    for (uint32_t i = 0; i < TENSOR_RANK_MOST; i++) {
        step[i] = tensor->step[i] ? tensor->step[i] : 1;
        if (__builtin_mul_overflow(bytes, tensor->extent[i], &bytes))
            bytes = UINT64_MAX; /* no stride is as large */
        if (i + 1 < TENSOR_RANK_MOST)
            bytes = stride[i] = tensor->stride[i] ? tensor->stride[i] : bytes;
    }
    return tensor_map_encode(&encoding, map);
}

bool warplens_tensor_map(const WarplensBuffer *buffer, size_t offset, const WarplensTensor *tensor,
                         void *map, WarplensError *error) {
    error_clear(error);
    if (!buffer || !tensor || !map) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s",
                  !buffer  ? "buffer"
                  : tensor ? "map"
                           : "tensor");
        return false;
    }
    if (!buffer->address || offset > buffer->bytes) {
        error_set(error, WARPLENS_BAD_ARGUMENT,
                  buffer->address ? "the tensor begins behind the end of %s" : "%s is given back",
                  buffer->name);
        return false;
    }
    if (is_encoded(tensor, buffer->address + offset, map))
        return true;
    error_set(error, WARPLENS_BAD_ARGUMENT,
              "no such tensor map: the driver refuses it, too (type, rank, extents, a stride that "
              "is no multiple of 16, a box that is too "
              "large or whose row is no multiple of 16 bytes, or longer than the swizzle)");
    return false;
}
