/* sums: what an access adds to the slot of its instruction (ProbePart of table.h says which sum is what), on the GPU and on the host. */
#pragma once

#include "probe/device/rules.h"

/* Fields, not an array: on the GPU they stay in registers. */
typedef struct RuleSums {
    uint32_t at0, at1, at2, at3, at4, at5, at6, at7;
} RuleSums;

PROBE_CODE RuleSums sums_lanes(LaneSet warp) {
    RuleSums sums = {1, bits_of(warp.mask), 0, 0, 0, 0, 0, 0};
    return sums;
}

PROBE_CODE RuleSums sums_of_global(LaneSet warp, GlobalRule cost) {
    RuleSums sums = {
        1, bits_of(warp.mask), cost.sectors, cost.ideal, cost.tag_requests, cost.bytes_used, 0, 0};
    return sums;
}

PROBE_CODE RuleSums sums_of_shared(LaneSet warp, SharedRule cost) {
    RuleSums sums = {1, bits_of(warp.mask), cost.wavefronts, cost.ideal, cost.groups, 0, 0, 0};
    return sums;
}

PROBE_CODE RuleSums sums_global(LaneSet warp, Lanes64 address, uint32_t width) {
    return sums_of_global(warp, rule_global(warp, address, width));
}

PROBE_CODE RuleSums sums_local(LaneSet warp, Lanes64 address, uint32_t width) {
    return sums_of_global(warp, rule_local(warp, address, width));
}

PROBE_CODE RuleSums sums_load(LaneSet warp, Lanes64 address, uint32_t width) {
    return sums_of_shared(warp, rule_load(warp, lanes_low(warp, address), width));
}

PROBE_CODE RuleSums sums_store(LaneSet warp, Lanes64 address, uint32_t width) {
    return sums_of_shared(warp, rule_store(warp, lanes_low(warp, address), width));
}

PROBE_CODE RuleSums sums_matrix(LaneSet warp, Lanes64 address, uint32_t matrices) {
    return sums_of_shared(warp, rule_matrix(warp, lanes_low(warp, address), matrices));
}

PROBE_CODE RuleSums sums_atomic(LaneSet warp, Lanes64 address, uint32_t width) {
    AtomicRule cost = rule_atomic(warp, lanes_low(warp, address), width);
    RuleSums sums = {1, bits_of(warp.mask), cost.turns, cost.words, cost.ideal, cost.groups, 0, 0};
    return sums;
}

typedef struct CopySums {
    RuleSums shared, source;
} CopySums;

PROBE_CODE CopySums sums_copy_ca(LaneSet warp, Lanes64 address, Lanes64 source, uint32_t width) {
    CopyRule cost = rule_copy_ca(warp, address, source, width);
    CopySums sums = {sums_of_shared(warp, cost.shared), sums_of_global(warp, cost.global)};
    return sums;
}

PROBE_CODE RuleSums sums_copy_cg(LaneSet warp, Lanes64 address, Lanes64 source) {
    CopyRule cost = rule_copy_cg(warp, address, source);
    RuleSums sums = {1,
                     bits_of(warp.mask),
                     cost.shared.wavefronts,
                     cost.shared.ideal,
                     cost.global.sectors,
                     cost.global.ideal,
                     cost.global.tag_requests,
                     cost.global.bytes_used};
    return sums;
}
