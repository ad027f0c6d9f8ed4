/* How many blocks of a kernel an SM takes at once, and block sizes chosen by it. Registers per thread are those
 * that ptxas gives; without one they are estimated from what is alive at once in the PTX, and a program that
 * tunes its block size may choose another one than on a GPU. */
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/work.h"

#include <string.h>

enum { SHARED_UNIT = 128, WARP = 32 };

uint32_t kernel_blocks_per_sm(Kernel *kernel, uint32_t threads, uint64_t dynamic_shared) {
    return gpu_blocks_per_sm(core_settings()->gpu, threads,
                             kernel->function->shared_bytes + dynamic_shared,
                             kernel_resources(kernel)->registers);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int threads, size_t dynamic_shared,
                                                              unsigned flags) {
    if (!blocks || threads <= 0 || flags > 1)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    bool fits = dynamic_shared <= (size_t)function->max_dynamic_shared;
    *blocks = fits ? (int)kernel_blocks_per_sm(function, (uint32_t)threads, dynamic_shared) : 0;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                dynamic_shared, 0);
}

/* The block size, of multiples of a warp, with the most threads on an SM; the largest of equals. */
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of,
                                                   size_t dynamic_shared, int limit,
                                                   unsigned flags) {
    int most = 0, best = 0;
    if (!grid || !block || limit < 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuFuncGetAttribute(&most, FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
    if (result)
        return result;
    *grid = *block = 0;
    if (limit > 0 && limit < most)
        most = limit;
    for (int threads = most; threads > 0; threads -= threads % WARP ? threads % WARP : WARP) {
        size_t shared = shared_of ? shared_of(threads) : dynamic_shared;
        int blocks;
        result = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, threads,
                                                                      shared, flags);
        if (result)
            return result;
        if (blocks * threads > best) {
            best = blocks * threads;
            *block = threads;
            *grid = blocks * (int)core_settings()->gpu->sms;
        }
    }
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                          int limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of,
                                                     dynamic_shared, limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                                 int threads) {
    if (!bytes || blocks <= 0 || threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    const Gpu *gpu = core_settings()->gpu;
    uint32_t registers = kernel_resources(function)->registers;
    if ((uint32_t)blocks > gpu_blocks_per_sm(gpu, (uint32_t)threads, 0, registers))
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t each = gpu->shared_per_sm / (uint32_t)blocks / SHARED_UNIT * SHARED_UNIT;
    uint64_t taken = function->function->shared_bytes; /* what a GPU reserves does not count here */
    uint64_t left = each > taken ? each - taken : 0, most = (uint64_t)function->max_dynamic_shared;
    *bytes = left < most ? left : most;
    return CUDA_SUCCESS;
}

/* ---- clusters ---- */

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                            const CUlaunchConfig *config) {
    if (!size || !config || !IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    *size = (int)kernel_cluster_most(function);
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction function,
                                      const CUlaunchConfig *config) {
    if (!count || !config || !IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    KernelWork work = {.kernel = function};
    memcpy(work.grid, config->gridDim, sizeof work.grid);
    result = launch_attributes_read(config, &work);
    result = result ? result : launch_cluster_check(&work);
    if (result)
        return result;
    uint32_t cluster = work.cluster[0] ? work.cluster[0] * work.cluster[1] * work.cluster[2] : 1;
    uint32_t threads = config->blockDim[0] * config->blockDim[1] * config->blockDim[2];
    uint32_t blocks = kernel_blocks_per_sm(function, threads, config->sharedMemBytes);
    *count = (int)(blocks * core_settings()->gpu->sms / cluster);
    return CUDA_SUCCESS;
}
