/* slot: from the sums that an instruction has on the GPU to the counters of a profile. */
#pragma once

#include "account/account.h"
#include "probe/device/table.h"

/* Adds the sums of a slot to the counters of its site. kind: how the machine code does the access; sums of a part that it does
 * not have (a cp.async.cg has none of a .ca) are left out. */
void slot_counters(Counters *sum, const ProbeKey *key, AccessKind kind,
                   const uint64_t sums[PROBE_SUMS]);
