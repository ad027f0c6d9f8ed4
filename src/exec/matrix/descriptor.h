/* descriptor.h: matrices in shared memory as wgmma describes them. Private to exec. */
#pragma once

#include "exec/matrix/mma.h"

/* A matrix descriptor, taken apart (PTX ISA 9.7.15.5.1.2). In memory a matrix is pieces of 16 bytes, the
 * core matrices' rows: a line of pieces contiguous along k, or along m and n where `turned`. */
typedef struct Descriptor {
    uint32_t start, leading, stride; /* bytes */
    uint32_t base;                   /* base offset: 0 … 7 */
    uint32_t shift;                  /* a line of a pattern has 2^shift bytes; 4: not swizzled */
    bool turned;
} Descriptor;
Descriptor descriptor_read(uint64_t bits, bool turned);

/* A part of a matrix: lines and pieces from the first ones on, and where their elements go:
 * element e of a piece to word[line * line_step + (piece * elements of a piece + e) * element_step]. */
typedef struct Region {
    char matrix;   /* for messages */
    uint32_t bits; /* of an element; 32 for one-bit elements, which come in words */
    uint32_t first_line, lines;
    uint32_t first_piece, pieces;
    uint32_t line_step, element_step;
} Region;
Step descriptor_gather(Warp *warp, const Code *code, const Descriptor *descriptor,
                       const Region *region, uint32_t *word);
