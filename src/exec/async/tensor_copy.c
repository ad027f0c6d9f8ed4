/* Rows of a box between global and shared memory: out-of-bounds fill, conversions of elements, and the
 * swizzle, which exchanges 16-byte pieces of shared memory by the bits of their address above 128. */
#include "exec/async/tensor_map.h"
#include "exec/run/warp.h"

#include <string.h>

enum { PIECE = 16, ROW_MOST = 256 * 8 };

/* The bits that the swizzle flips in the place of a piece (PTX ISA 5.5.6, swizzling modes): bits of the
 * address above 128. A box begins at a multiple of that, so places may be counted from there. */
static uint32_t flipped(const TensorMap *map, uint32_t address) {
    uint32_t mask = (1u << map->swizzle) - 1;
    return (address >> 7 & mask) << 4;
}

/* What a load makes of an element's bits, for .tf32: 10 binary places, rounded to nearest; the one NaN
 * of that format. Measured, as is that .ftz flushes nothing. */
static uint32_t tf32_of(uint32_t bits) {
    uint32_t rounded = (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : rounded;
}

static bool converts(TensorType type) {
    return type == TENSOR_TF32 || type == TENSOR_TF32_FTZ;
}

static void convert(uint32_t *words, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        words[i] = tf32_of(words[i]);
}

static void fill(const TensorMap *map, const TensorRow *row, uint8_t *whole) {
    static const uint16_t nan = 0x7ff7; /* whatever the type: measured */
    memset(whole, 0, row->bytes);
    for (uint32_t i = 0; map->nan_fill && i < row->bytes; i += sizeof nan)
        memcpy(whole + i, &nan, sizeof nan);
}

/* A row as it is to be in shared memory, where that is not what global memory holds. */
static void make_row(const TensorMap *map, const TensorRow *row, const uint8_t *from,
                     uint32_t *words) {
    uint8_t *whole = (uint8_t *)words;
    if (row->inside != row->bytes)
        fill(map, row, whole);
    memcpy(whole + row->skip, from, row->inside);
    if (converts((TensorType)map->type))
        convert(words + row->skip / sizeof *words, row->inside / (uint32_t)sizeof *words);
}

/* Whole pieces to their places; offset: of the first one in the box. With a swizzle they lie in one piece
 * of 128 bytes. */
static void put_pieces(const TensorMap *map, uint8_t *box, uint32_t address, uint32_t offset,
                       const uint8_t *from, uint32_t bytes) {
    if (map->swizzle == TENSOR_SWIZZLE_NONE) {
        memcpy(box + offset, from, bytes);
        return;
    }
    uint32_t first = offset % LINE_BYTES, flips = flipped(map, address + offset);
    uint8_t *line = box + (offset - first);
    if (bytes == LINE_BYTES) { /* read before anything is written: faster */
        uint8_t whole[LINE_BYTES];
        memcpy(whole, from, LINE_BYTES);
        for (uint32_t i = 0; i < LINE_BYTES; i += PIECE)
            memcpy(line + i, whole + (i ^ flips), PIECE);
        return;
    }
    for (uint32_t i = 0; i < bytes; i += PIECE)
        memcpy(line + ((first + i) ^ flips), from + i, PIECE);
}

void tensor_row_load(const TensorMap *map, const TensorRow *row, uint8_t *box, uint32_t address) {
    uint32_t words[ROW_MOST / sizeof(uint32_t)];
    const uint8_t *from = (const uint8_t *)(uintptr_t)row->global, *whole = (const uint8_t *)words;
    bool makes = row->inside != row->bytes || converts((TensorType)map->type);
    if (makes && !row->inside)
        make_row(map, row, from, words);
    for (uint32_t i = 0; i < row->count; i++, from += row->apart) {
        if (makes && row->inside)
            make_row(map, row, from, words);
        put_pieces(map, box, address, row->shared + i * row->pitch, makes ? whole : from,
                   row->bytes);
    }
}

/* The bytes of a row as they were before the swizzle. */
static const uint8_t *take_pieces(const TensorMap *map, const uint8_t *box, uint32_t address,
                                  uint32_t offset, uint32_t bytes, uint8_t *whole) {
    if (map->swizzle == TENSOR_SWIZZLE_NONE)
        return box + offset;
    uint32_t first = offset % LINE_BYTES, flips = flipped(map, address + offset);
    const uint8_t *line = box + (offset - first);
    for (uint32_t i = 0; i < bytes; i += PIECE)
        memcpy(whole + i, line + ((first + i) ^ flips), PIECE);
    return whole;
}

void tensor_row_store(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                      uint32_t address) {
    uint8_t whole[ROW_MOST];
    const uint8_t *from = take_pieces(map, box, address, row->shared, row->bytes, whole);
    memcpy((uint8_t *)(uintptr_t)row->global, from + row->skip, row->inside);
}

void tensor_row_reduce(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                       uint32_t address, Type type, Func func) {
    uint8_t whole[ROW_MOST];
    const uint8_t *from = take_pieces(map, box, address, row->shared, row->bytes, whole);
    bool ftz = map->type == TENSOR_F32_FTZ || map->type == TENSOR_TF32_FTZ;
    atomic_range(func, type, ftz || type != TYPE_F32, (uint8_t *)(uintptr_t)row->global,
                 from + row->skip, row->inside);
}
