/* narrow.h: what ptxas makes of a vector load of which some elements are never read. */
#pragma once

#include <stdint.h>

/* Elements of a vector that one machine instruction loads. */
typedef struct VectorPiece {
    uint32_t first, count;
} VectorPiece;

/* A load of `count` elements of `bytes` each, of which only those of `used` (bit i: element i) are read
 * later: the number of accesses that it becomes, 0 to 2. */
uint32_t narrow_pieces(uint32_t count, uint32_t bytes, uint32_t used, VectorPiece pieces[2]);
