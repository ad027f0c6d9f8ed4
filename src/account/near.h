/* near: the cost of an access of which the wavefronts were found by who makes it (exec/access/ops_near.h). */
#pragma once

#include "account/account.h"

/* access_cost of a load or store of shared memory, of up to 4 bytes by each lane, or of an atomic as mem_near says, that
 * takes so many. */
void near_cost(Counters *sum, const Access *access, uint32_t wavefronts);
