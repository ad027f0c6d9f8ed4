// Kernels for launches.c: one that launches another, a cluster, a grid that waits for itself, a tile with conflicts.
// nvcc: -rdc=true
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void child(unsigned *sum, unsigned n) {
    atomicAdd(sum, threadIdx.x < n ? threadIdx.x : 0);
}

extern "C" __global__ void parent(unsigned *sum, unsigned n) {
    if (threadIdx.x == 0)
        child<<<1, 64>>>(sum, n);
}

extern "C" __global__ void neighbours(unsigned *out) {
    __shared__ unsigned own;
    cg::cluster_group cluster = cg::this_cluster();
    own = blockIdx.x;
    cluster.sync();
    unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
    out[blockIdx.x] = *cluster.map_shared_rank(&own, next);
    cluster.sync();
}

extern "C" __global__ void everybody(unsigned *out) {
    if (threadIdx.x == 0)
        atomicAdd(&out[0], 1);
    cg::this_grid().sync();
    out[1 + blockIdx.x * blockDim.x + threadIdx.x] = out[0];
}

extern "C" __global__ void turn(const float *in, float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
