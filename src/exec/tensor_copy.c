/* Rows of a box between global and shared memory: out-of-bounds fill, conversions of elements, and the
 * swizzle, which exchanges 16-byte pieces of shared memory by the bits of their address above 128. */
#include "exec/tensor_map.h"
#include "exec/warp.h"

#include <string.h>

enum { PIECE = 16, ROW_MOST = 256 * 8 };

/* Where in the box the piece at an offset really is, in a box that begins at `address`, a multiple of 128
 * (PTX ISA 5.5.6, swizzling modes). */
static uint32_t swizzled(const TensorMap *map, uint32_t address, uint32_t offset) {
    uint32_t mask = (1u << map->swizzle) - 1;
    return offset ^ ((address + offset) >> 7 & mask) << 4;
}

/* What a load makes of an element's bits, for .tf32: 10 binary places, rounded to nearest; the one NaN
 * of that format. Measured, as is that .ftz flushes nothing. */
static uint32_t tf32_of(uint32_t bits) {
    if ((bits & 0x7f800000) == 0x7f800000)
        return bits & 0x7fffff ? 0x7fffe000 : bits;
    return (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
}

static bool converts(TensorType type) {
    return type == TENSOR_TF32 || type == TENSOR_TF32_FTZ;
}

/* The row as it is to be in shared memory, where that is not what global memory holds. */
static void make_row(const TensorMap *map, const TensorRow *row, uint8_t *whole) {
    static const uint16_t nan = 0x7ff7; /* whatever the type: measured */
    memset(whole, 0, row->bytes);
    for (uint32_t i = 0; map->nan_fill && i < row->bytes; i += sizeof nan)
        memcpy(whole + i, &nan, sizeof nan);
    memcpy(whole + row->skip, (const uint8_t *)(uintptr_t)row->global, row->inside);
    if (!converts((TensorType)map->type))
        return;
    for (uint32_t i = row->skip; i < row->skip + row->inside; i += sizeof(uint32_t)) {
        uint32_t bits;
        memcpy(&bits, whole + i, sizeof bits);
        bits = tf32_of(bits);
        memcpy(whole + i, &bits, sizeof bits);
    }
}

void tensor_row_load(const TensorMap *map, const TensorRow *row, uint8_t *box, uint32_t address) {
    uint8_t whole[ROW_MOST];
    const uint8_t *from = (const uint8_t *)(uintptr_t)row->global;
    if (row->inside != row->bytes || converts((TensorType)map->type)) {
        make_row(map, row, whole);
        from = whole;
    }
    if (map->swizzle == TENSOR_SWIZZLE_NONE) {
        memcpy(box + row->shared, from, row->bytes);
        return;
    }
    for (uint32_t i = 0; i < row->bytes; i += PIECE)
        memcpy(box + swizzled(map, address, row->shared + i), from + i, PIECE);
}

/* The row as it was before the swizzle. */
static const uint8_t *read_row(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                               uint32_t address, uint8_t *whole) {
    if (map->swizzle == TENSOR_SWIZZLE_NONE)
        return box + row->shared;
    for (uint32_t i = 0; i < row->bytes; i += PIECE)
        memcpy(whole + i, box + swizzled(map, address, row->shared + i), PIECE);
    return whole;
}

void tensor_row_store(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                      uint32_t address) {
    uint8_t whole[ROW_MOST];
    const uint8_t *from = read_row(map, row, box, address, whole);
    memcpy((uint8_t *)(uintptr_t)row->global, from + row->skip, row->inside);
}

void tensor_row_reduce(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                       uint32_t address, Type type, Func func) {
    uint8_t whole[ROW_MOST];
    const uint8_t *from = read_row(map, row, box, address, whole) + row->skip;
    bool ftz = map->type == TENSOR_F32_FTZ || map->type == TENSOR_TF32_FTZ;
    atomic_range(func, type, ftz || type != TYPE_F32, (uint8_t *)(uintptr_t)row->global, from,
                 row->inside);
}
