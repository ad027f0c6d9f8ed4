/* The table of GPUs (gpus.def), and what fits on one of their SMs. */
#include "isa/isa.h"

#include <assert.h>

static const Gpu gpus[] = {
#define GPU(...) {__VA_ARGS__},
#include "isa/gpus.def"
};

uint32_t gpu_count(void) {
    return sizeof gpus / sizeof *gpus;
}

const Gpu *gpu_at(uint32_t index) {
    assert(index < gpu_count());
    return &gpus[index];
}

const Gpu *gpu_named(Str name) {
    for (uint32_t i = 0; i < gpu_count(); i++)
        if (str_is(name, gpus[i].name))
            return &gpus[i];
    return NULL;
}

/* A slice of L2 lies at each 64 bits of HBM, at each 8 of GDDR (two at a channel of 16), whatever the SMs are. */
uint32_t gpu_l2_slices(const Gpu *gpu) {
    enum { HBM_LEAST = 1024, HBM_BITS = 64, GDDR_BITS = 8 };
    return gpu->bus_bits / (gpu->bus_bits >= HBM_LEAST ? HBM_BITS : GDDR_BITS);
}

/* An A100 has 5,120 bytes a clock, a V100 2,048 (NVIDIA A100 Tensor Core GPU Architecture, "L2 cache"). An A40, with 48 slices of
 * GA10x, was measured to give 1,400 (gpu-benches by te42kyfo, gpu-cache/a40.txt: 2,430 GB/s at 1,740 MHz), an L40 2,090. */
uint32_t gpu_l2_slice_bytes(const Gpu *gpu) {
    const bool narrow = gpu->major < 8 || (gpu->major == 8 && gpu->minor == 6);
    return narrow ? 32 : 64;
}

uint32_t gpu_l2_partitions(const Gpu *gpu) {
    const bool one = gpu->major == 12 || (gpu->major == 8 && gpu->minor == 9);
    return !one && gpu->l2_bytes >= (40960 << 10) ? 2 : 1;
}

uint64_t gpu_persisting_l2(const Gpu *gpu) {
    return gpu->major < 8 ? 0 : gpu->l2_bytes / 8 * 5;
}

/* What NVIDIA's papers say of the architectures: FP16 tensor performance without sparsity, by SMs and boost clock. */
uint32_t gpu_tensor_operations(const Gpu *gpu) {
    static const struct {
        uint32_t major, minor, operations;
    } rows[] = {{7, 0, 1024}, {7, 5, 1024}, {8, 0, 2048},  {8, 6, 1024},
                {8, 9, 1024}, {9, 0, 4096}, {10, 0, 8192}, {12, 0, 1024}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].major == gpu->major && rows[i].minor == gpu->minor)
            return rows[i].operations;
    return 0;
}

/* ---- occupancy (CUDA C++ Programming Guide, "Hardware Multithreading": registers are handed out to
 * warps in units of 256, shared memory to blocks in units of 128 bytes) ---- */

enum { REGISTER_UNIT = 256, SHARED_UNIT = 128, BLOCK_THREADS_MOST = 1024 };

static uint64_t round_up(uint64_t value, uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Each of an SM's four parts has its own registers and warps. */
uint32_t gpu_warps_per_sm(const Gpu *gpu, uint32_t registers) {
    enum { PARTS = 4 };
    uint64_t warps = gpu->threads_per_sm / WARP_LANES;
    uint64_t taken = round_up((uint64_t)registers * WARP_LANES, REGISTER_UNIT);
    if (taken)
        warps = least(warps, gpu->registers_per_sm / PARTS / taken * PARTS);
    return (uint32_t)warps;
}

uint32_t gpu_blocks_by_shared(const Gpu *gpu, uint64_t shared) {
    const uint64_t taken = round_up(shared + gpu->shared_reserved, SHARED_UNIT);
    return taken ? (uint32_t)(gpu->shared_per_sm / taken) : gpu->blocks_per_sm;
}

uint32_t gpu_blocks_per_sm(const Gpu *gpu, uint32_t threads, uint64_t shared, uint32_t registers) {
    uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
    if (warps == 0 || threads > BLOCK_THREADS_MOST || shared > gpu->shared_per_block_optin)
        return 0;
    uint64_t blocks = least(gpu->blocks_per_sm, gpu->threads_per_sm / (warps * WARP_LANES));
    blocks = least(blocks, gpu_warps_per_sm(gpu, registers) / warps);
    return (uint32_t)least(blocks, gpu_blocks_by_shared(gpu, shared));
}
