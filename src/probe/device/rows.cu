/* rows: a kernel of our own that counts accesses which are given to it: `warplens model --on gpu`. A warp each.
 *
 * Compiled to rows.ptx, which is in the tree. */
#include "probe/device/row.h"

extern "C" __global__ void warplens_rows(const ProbeRow *rows, ProbeRowSums *sums, uint32_t count) {
    uint32_t number = blockIdx.x * (blockDim.x / PROBE_LANES) + threadIdx.x / PROBE_LANES;
    if (number >= count)
        return;
    const ProbeRow *row = rows + number;
    const LaneSet warp = {row->mask};
    if (!(row->mask >> lane_self() & 1))
        return;
    ProbeRowSums mine = {};
    sums_of_row(warp, row, row->address[lane_self()], row->source[lane_self()], &mine);
    if (lane_self() == lowest_of(row->mask))
        sums[number] = mine;
}
