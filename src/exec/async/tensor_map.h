/* tensor_map: tensors that cp.async.bulk.tensor copies boxes of - the 128 opaque bytes of a CUtensorMap as
 * warplens fills them, the walk from a box to the rows that it is made of, and the copies themselves.
 * The rules and where each was taken from are in docs/tma.md.
 *
 *   TensorMap + coordinates --walk--> rows: bytes in global memory, place in shared memory --> copies
 *
 * Private to exec, but for maps and how they are made, which cuda and api ask for. */
#pragma once

#include "isa/isa.h"

enum { TENSOR_RANK_MOST = 5, TENSOR_MAP_BYTES = 128 };

/* Numbered as tensormap.replace's .elemtype (PTX ISA 9.7.9.28, table 33). */
typedef enum TensorType {
    TENSOR_U8,
    TENSOR_U16,
    TENSOR_U32,
    TENSOR_S32,
    TENSOR_U64,
    TENSOR_S64,
    TENSOR_F16,
    TENSOR_F32,
    TENSOR_F32_FTZ,
    TENSOR_F64,
    TENSOR_BF16,
    TENSOR_TF32,
    TENSOR_TF32_FTZ,
    TENSOR_TYPES
} TensorType;

/* The span in which 16-byte pieces change places; numbered as .swizzle_mode. */
typedef enum TensorSwizzle {
    TENSOR_SWIZZLE_NONE,
    TENSOR_SWIZZLE_32B,
    TENSOR_SWIZZLE_64B,
    TENSOR_SWIZZLE_128B,
    TENSOR_SWIZZLES
} TensorSwizzle;

/* Numbered as .interleave_layout. */
typedef enum TensorInterleave {
    TENSOR_INTERLEAVE_NONE,
    TENSOR_INTERLEAVE_16B,
    TENSOR_INTERLEAVE_32B,
    TENSOR_INTERLEAVES
} TensorInterleave;

/* The bytes of a CUtensorMap. Dimension 0 is the innermost one, whose elements lie one behind the other. */
typedef struct TensorMap {
    uint64_t mark;                         /* TENSOR_MAP_MARK: not garbage, and of this layout */
    uint64_t address;                      /* of the first element */
    uint64_t stride[TENSOR_RANK_MOST - 1]; /* bytes; of dimensions 1 … */
    uint32_t last[TENSOR_RANK_MOST];       /* extents in elements, less 1 */
    uint16_t box[TENSOR_RANK_MOST]; /* in elements; im2col: channels of a pixel, pixels, 1, 1, 1 */
    int16_t lower[TENSOR_RANK_MOST - 2]; /* im2col: corners of the bounding box, of dimensions */
    int16_t upper[TENSOR_RANK_MOST - 2]; /* 1 …; upper is counted from the last element */
    uint8_t step[TENSOR_RANK_MOST];      /* between elements of the box */
    uint8_t rank, type, swizzle, interleave;
    uint8_t im2col, nan_fill, promotion;
} TensorMap;
_Static_assert(sizeof(TensorMap) <= TENSOR_MAP_BYTES, "a tensor map has 128 bytes");
#define TENSOR_MAP_MARK UINT64_C(0x0170614d4c57) /* "WLMap", version 1 */

/* ---- tensor_map.c ---- */

/* What is wrong with it; NULL: it can be used. */
const char *tensor_map_wrong(const TensorMap *map);
/* Bytes of an element. type: less than TENSOR_TYPES. */
uint32_t tensor_type_bytes(TensorType type);
/* By its name in the C API and in tables of measurements: "u8", "f32.ftz". TENSOR_TYPES: it is none. */
TensorType tensor_type_named(Str name);
/* By its span in bytes: 0, 32, 64, 128. TENSOR_SWIZZLES: there is none of that. */
TensorSwizzle tensor_swizzle_of(uint64_t bytes);
/* By its bytes: 0, 16, 32. TENSOR_INTERLEAVES: there is none of that. */
TensorInterleave tensor_interleave_of(uint64_t bytes);

/* ---- tensor_encode.c ---- */

/* A tensor and its boxes, as cuTensorMapEncodeTiled takes them; im2col where `lower` is there, which has channels and pixels in
 * place of a box. Numbers that are no member of their enumerations are refused. */
typedef struct TensorEncoding {
    TensorType type;
    uint32_t rank;
    uint64_t address;
    const uint64_t *extent, *stride; /* elements; bytes, of dimensions 1 … */
    const uint32_t *box, *step;
    const int *lower, *upper;
    uint32_t channels, pixels;
    TensorInterleave interleave;
    TensorSwizzle swizzle;
    uint32_t promotion; /* 0 … 3: none, 64, 128, 256 bytes */
    bool nan_fill;      /* of what lies outside; else zeroes */
} TensorEncoding;

/* The TENSOR_MAP_BYTES of the map. false: the driver would refuse it. */
bool tensor_map_encode(const TensorEncoding *encoding, void *map);

/* ---- tensor_walk.c: from a box to rows ---- */

/* Bytes that lie one behind the other, in global memory and, but for the swizzle, in shared memory; and
 * rows that follow it, which are like it. */
typedef struct TensorRow {
    uint64_t global; /* address of those inside of the tensor */
    uint32_t shared; /* offset of the row from the box's first byte */
    uint32_t bytes;  /* of the row */
    uint32_t skip;   /* of them before those inside */
    uint32_t inside; /* that exist; 0: none */
    uint32_t count;  /* of rows, 1 or more */
    uint32_t pitch;  /* from one to the next in shared memory */
    uint64_t apart;  /* and in global memory */
} TensorRow;

/* One dimension of the box, apart from those that a row is made of. */
typedef struct TensorAxis {
    int64_t at;      /* coordinate of the next row */
    int64_t first;   /* tile: where it begins; im2col: where the bounding box does */
    int64_t end;     /* im2col: behind the bounding box */
    uint64_t extent; /* of the tensor */
    uint64_t stride;
    uint32_t count; /* tile: of the rows along it */
    uint32_t done;  /* of them */
    uint32_t step;
    uint32_t offset; /* im2col: added to the coordinate */
} TensorAxis;

typedef struct TensorWalk {
    TensorAxis axes[TENSOR_RANK_MOST];
    uint32_t axis_count;
    bool im2col;
    uint32_t rows;  /* that are left */
    uint32_t pitch; /* from one row to the next in shared memory */
    uint64_t base;  /* address of the row's first byte, with all other coordinates 0 */
    TensorRow row;  /* what is the same for all of them that are inside */
    uint32_t shared;
} TensorWalk;

/* What an instruction says beside the map. */
typedef struct TensorBox {
    int32_t at[TENSOR_RANK_MOST];
    uint16_t offset[TENSOR_RANK_MOST - 2]; /* im2col */
} TensorBox;

/* map: one that is not wrong. */
void tensor_walk_begin(TensorWalk *walk, const TensorMap *map, const TensorBox *box);
/* false: there are no more. */
bool tensor_walk_next(TensorWalk *walk, TensorRow *row);
/* Bytes that a copy of a box moves, in and out of bounds. */
uint32_t tensor_box_bytes(const TensorMap *map);
/* Bytes from the box's first in shared memory to behind its last: rows that are narrower than the
 * swizzle are padded to it. */
uint32_t tensor_box_room(const TensorMap *map);

/* ---- tensor_cost.c ---- */

typedef enum TensorWay { TENSOR_LOADS, TENSOR_MULTICASTS, TENSOR_STORES } TensorWay;

/* Whether it is known what boxes cost: not of interleaved tensors, nor of im2col stores. */
bool tensor_sectors_known(const TensorMap *map, bool stores);
/* Sectors that all of the rows move (mem_copy_sectors); those of a multicast once. box: its address in shared
 * memory. */
uint64_t tensor_row_sectors(const TensorMap *map, const TensorRow *rows, uint32_t box,
                            TensorWay way);

/* ---- tensor_copy.c ---- */

/* Rows from their places in global memory, or the fill, into a box in shared memory. box: host memory of
 * it; address: its own, on whose bits the swizzle depends, a multiple of 128. */
void tensor_row_load(const TensorMap *map, const TensorRow *row, uint8_t *box, uint32_t address);
/* One row back. */
void tensor_row_store(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                      uint32_t address);
/* Each element of one by an atomic operation of that type, which has the size of the tensor's. */
void tensor_row_reduce(const TensorMap *map, const TensorRow *row, const uint8_t *box,
                       uint32_t address, Type type, Func func);
