/* sample.h: of a launch that asks for very many lines only some are modelled, in caches that are as much smaller.
 * Private to cache/. */
#pragma once

#include "cache/cache.h"

/* One of 2^bits lines is modelled, chosen by a hash of its number; 0: all. first: the blocks that begin the launch, of
 * `blocks` in all; of an L1 of so many bytes some lines are left. The same whoever executed them. */
uint32_t sample_bits(const CacheTrace *first, uint64_t blocks, uint64_t l1_bytes);

/* bits: not 0. */
static inline bool sample_takes(uint32_t bits, uint64_t number) {
    return ((number ^ number >> 23) * UINT64_C(0xd6e8feb86659fd93)) >> (64 - bits) == 0;
}

static inline bool sample_has(uint32_t bits, uint64_t number) {
    return bits == 0 || sample_takes(bits, number);
}
