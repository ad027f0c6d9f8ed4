// The same with eight columns more.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void groupsRows(const float *in, float *out) {
    __shared__ float rows[64][32 + 8];
    auto block = cg::this_thread_block();
    auto group = cg::tiled_partition<8>(block);
    for (int i = block.thread_rank(); i < 64 * 32; i += block.size())
        rows[i / 32][i % 32] = in[blockIdx.x * 64 * 32 + i];
    block.sync();
    for (int r = group.meta_group_rank(); r < 64; r += group.meta_group_size()) {
        float sum = 0.0f;
        for (int c = group.thread_rank(); c < 32; c += 8)
            sum += rows[r][c];
        for (int offset = 4; offset > 0; offset /= 2)
            sum += group.shfl_down(sum, offset);
        if (group.thread_rank() == 0)
            out[blockIdx.x * 64 + r] = sum;
    }
}
