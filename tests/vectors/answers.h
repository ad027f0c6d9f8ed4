/* answers: what a GPU computed, in one compressed file.
 *
 * Of each slot the first cases are kept as they are and all cases, in pieces, as hashes: enough to
 * find any difference, and to show it where it is among the kept ones. The format, little-endian,
 * compressed with zstd as a whole:
 *
 *   "WLANSWERS1\n"  u32 slots
 *   slots times:    name '\0'  u32 cases, bytes, kept
 *   slots times:    PIECES times u32 hash of cases * bytes / PIECES bytes
 *   slots times:    kept * bytes bytes */
#pragma once

#include "vectors.h"

enum { PIECES = 4 };

typedef struct Answer {
    const char *name;
    uint32_t cases, bytes, kept;
    uint32_t hashes[PIECES];
    const uint8_t *first; /* the kept ones */
} Answer;

typedef struct Answers {
    VEC(Answer) list;
    Map *by_name;
} Answers;

uint32_t piece_hash(const uint8_t *results, uint32_t cases, uint32_t bytes, uint32_t piece);
/* results: those of all kernels in order, as `vectors measure` writes them. */
bool answers_write(Arena *arena, const Plan *plan, const uint8_t *results, const char *path);
/* NULL: the file cannot be read or is none of these. */
const Answers *answers_read(Arena *arena, const char *path);
const Answer *answer_find(const Answers *answers, const Slot *slot, uint32_t cases);
