/* level2.h: L2 and what passes between it and DRAM. Private to cache/. */
#pragma once

#include "cache/cache.h"

enum { PARTITIONS_MOST = 2 };

/* Each partition keeps what its SMs read: lines whose home is in the other one as copies. */
/* From a request until L2 has what it fetches from DRAM for it. */
enum { FETCH_CLOCKS = 400 };

typedef struct Level2 {
    LineCache part[PARTITIONS_MOST];
    uint32_t partitions;
    Arena *arena;
    VEC(uint64_t) dirtied; /* lines, in the order in which they became dirty; some no longer are */
    uint32_t oldest;       /* of these */
    uint64_t dirty, dirty_most; /* sectors that DRAM does not have yet */
    uint64_t read, written;     /* sectors, from and to DRAM */
} Level2;

/* What L2 says to a request for sectors of a line. */
typedef struct L2Answer {
    uint32_t hits;  /* sectors that the partition of the SM had */
    uint32_t fills; /* that came from DRAM */
    bool far;       /* asked of the other partition */
    uint32_t late;  /* clocks until it has come from DRAM, for another request */
} L2Answer;

void level2_begin(Level2 *l2, Arena *arena, const CacheShape *shape,
                  uint32_t bits); /* lines_begin */
/* The line is to be asked for, as of lines_expect. */
void level2_expect(const Level2 *l2, uint64_t number);
/* A sector that comes along with another is no hit before it is there; one that was asked for is. */
L2Answer level2_read(Level2 *l2, uint32_t part, uint64_t line, uint32_t mask, uint64_t now);
/* Takes room in each partition. */
void level2_write(Level2 *l2, uint64_t line, uint32_t words);
L2Answer level2_atomic(Level2 *l2, uint32_t part, uint64_t line, uint32_t mask);
