// Boxes of tensors that are loaded: some end outside, some go to two blocks at once, some have steps. Prints for each launch the bytes that its boxes have, and those of them
// that lie in the tensor: tiles.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <vector>

enum { BYTES = 32768 }; // of the largest box

template <int RANK, bool MULTICAST> __global__ void load(const __grid_constant__ CUtensorMap map, int3 apart, uint32_t bytes) {
    __shared__ alignas(128) uint8_t tile[BYTES];
    __shared__ alignas(8) uint64_t bar;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(tile), b = (uint32_t)__cvta_generic_to_shared(&bar);
    int x = blockIdx.x * apart.x - apart.x / 2, y = blockIdx.y * apart.y, z = blockIdx.z * apart.z;
    bool loads = !MULTICAST || blockIdx.y % 2 == 0;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(b));
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(b), "r"(bytes));
    }
    if (MULTICAST)
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0 && loads) {
        uint16_t both = 3;
        if (MULTICAST)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(at), "l"(&map), "r"(x), "r"(y), "r"(b), "h"(both) : "memory");
        else if (RANK == 2)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at), "l"(&map), "r"(x), "r"(y), "r"(b) : "memory");
        else
            asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(at), "l"(&map), "r"(x), "r"(y), "r"(z), "r"(b) : "memory");
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra W; }" ::"r"(b) : "memory");
    if (MULTICAST)
        asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

static cuuint64_t extents[3] = {208, 150, 9}; // rows of whole 16 bytes, as boxes and where they begin

static uint64_t inside(long at, long box, long step, long extent) {
    uint64_t sum = 0;
    for (long i = 0; i < box; i += step)
        sum += at + i >= 0 && at + i < extent;
    return sum;
}

template <int RANK, bool MULTICAST> static void one(void *memory, CUtensorMapDataType type, uint32_t size, std::vector<cuuint32_t> box, std::vector<cuuint32_t> step) {
    typedef CUresult Encode(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *, const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static void *encode;
    cudaDriverEntryPointQueryResult result;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault, &result);
    CUtensorMap map;
    cuuint64_t strides[2] = {extents[0] * size, extents[0] * extents[1] * size};
    int status = ((Encode *)encode)(&map, type, RANK, memory, extents, strides, box.data(), step.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    uint64_t bytes = size, global = 0;
    for (int i = 0; i < RANK; i++)
        bytes *= i ? (box[i] + step[i] - 1) / step[i] : box[0];
    const dim3 grid(6, MULTICAST ? 4 : 5, RANK == 3 ? 4 : 1);
    const int3 apart = {(int)box[0], (int)box[1], RANK == 3 ? (int)box[2] : 1};
    uint64_t loads = 0;
    for (unsigned z = 0; z < grid.z; z++)
        for (unsigned y = 0; y < grid.y; y += MULTICAST ? 2 : 1)
            for (unsigned x = 0; x < grid.x; x++, loads++)
                global += size * inside((int)(x * apart.x) - apart.x / 2, box[0], 1, extents[0]) * inside(y * apart.y, box[1], step[1], extents[1]) *
                          (RANK == 3 ? inside(z * apart.z, box[2], step[2], extents[2]) : 1);
    cudaLaunchAttribute cluster = {cudaLaunchAttributeClusterDimension};
    cluster.val.clusterDim.x = cluster.val.clusterDim.z = 1;
    cluster.val.clusterDim.y = MULTICAST ? 2 : 1;
    cudaLaunchConfig_t config = {grid, dim3(32)};
    config.attrs = &cluster;
    config.numAttrs = 1;
    cudaLaunchKernelEx(&config, load<RANK, MULTICAST>, map, apart, (uint32_t)bytes);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s requests %llu bytes %llu global %llu shared %llu\n", status, cudaGetErrorString(error), (unsigned long long)loads, (unsigned long long)(loads * bytes), (unsigned long long)global,
           (unsigned long long)(loads * bytes * (MULTICAST ? 2 : 1)));
}
int main() {
    void *memory;
    cudaMalloc(&memory, 8 * extents[0] * extents[1] * extents[2]);
    one<2, false>(memory, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, {32, 32}, {1, 1});
    one<2, false>(memory, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, {32, 7}, {1, 1});
    one<2, false>(memory, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, {64, 31}, {1, 1});
    one<2, false>(memory, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 8, {16, 40}, {1, 4});
    one<2, false>(memory, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, 4, {32, 24}, {1, 1});
    one<2, true>(memory, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, {32, 20}, {1, 1});
    one<3, false>(memory, CU_TENSOR_MAP_DATA_TYPE_INT64, 8, {8, 32, 3}, {1, 8, 1});
    one<3, false>(memory, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, {32, 18, 4}, {1, 1, 2});
    return 0;
}
