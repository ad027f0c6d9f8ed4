/* again: accesses that a block which is recorded makes again and again, each time so many bytes further on in global
 * memory: a multiple of LINE_BYTES, so that they cost the same. */
#pragma once

#include "account/account.h"

/* The access `times` times more, each time `step` bytes further on. */
void evidence_record_again(Evidence *evidence, uint32_t site, const Access *access, uint64_t times,
                           int64_t step);

/* Bytes that are touched in a turn. */
typedef struct Again {
    Extent span;
    int64_t step;
    bool stored;
} Again;

/* Of an access: writes them down, and returns how many there are. */
enum { AGAIN_MOST = 2 * WARP_LANES };
uint32_t bytes_of_access(const Access *access, int64_t step, Again spans[AGAIN_MOST]);
/* All of them `times` times more. Leaves them in another order. */
void bytes_again(ByteMap *map, uint32_t block, Again *all, uint32_t count, uint64_t times);
