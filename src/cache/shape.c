/* How large the caches of a launch are: what shared memory takes is not L1's. */
#include "cache/cache.h"

enum { KIB = 1024 };

typedef struct Unified {
    uint32_t major, minor, bytes; /* of L1 and shared memory together */
    uint32_t shared[10];          /* that can be taken of it, ascending; 0 at the end */
} Unified;

/* CUDA C++ Programming Guide, "Compute Capabilities": the sections "Shared Memory". */
static const Unified unified[] = {
    {7, 0, 128, {8, 16, 32, 64, 96}},
    {7, 5, 96, {32, 64}},
    {8, 0, 192, {8, 16, 32, 64, 100, 132, 164}},
    {8, 6, 128, {8, 16, 32, 64, 100}},
    {8, 9, 128, {8, 16, 32, 64, 100}},
    {9, 0, 256, {8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {10, 0, 256, {8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {12, 0, 128, {8, 16, 32, 64, 100}},
};

static const Unified *unified_of(const Gpu *gpu) {
    const Unified *best = &unified[0];
    for (uint32_t i = 0; i < sizeof unified / sizeof *unified; i++)
        if (unified[i].major < gpu->major ||
            (unified[i].major == gpu->major && unified[i].minor <= gpu->minor))
            best = &unified[i];
    return best;
}

/* The step that the driver takes for so many KiB of all resident blocks, without a preference of the
 * program. Measured on an H200: of one block, or of blocks of 1024 threads, the smallest that suffices; else up to
 * 100 KiB the one after it, and at least 32. */
static uint32_t taken(const Unified *of, uint64_t need, bool exact) {
    uint32_t last = 0;
    for (uint32_t i = 0; i < 10 && of->shared[i]; i++) {
        last = of->shared[i];
        if (exact ? need <= last : (need <= 16 && last >= 32) || (last > 100 && need <= last))
            return last;
        bool next = i + 1 < 10 && of->shared[i + 1];
        if (!exact && need > 16 && need <= last && next)
            return of->shared[i + 1];
    }
    return last;
}

CacheShape cache_shape(const Gpu *gpu, double clock_mhz, uint32_t threads, uint64_t shared,
                       uint32_t registers) {
    uint32_t blocks = gpu_blocks_per_sm(gpu, threads, shared, registers);
    const Unified *of = unified_of(gpu);
    uint64_t need = (blocks * (shared + gpu->shared_reserved) + KIB - 1) / KIB;
    bool exact = blocks <= 1 || threads > 512 || (shared == 0 && need > 16);
    return (CacheShape){.sms = gpu->sms,
                        .blocks_per_sm = blocks ? blocks : 1,
                        .partitions = gpu_l2_partitions(gpu),
                        .l1_bytes = (uint64_t)(of->bytes - taken(of, need, exact)) * KIB,
                        .l2_bytes = gpu->l2_bytes,
                        .fill_clocks =
                            (uint32_t)(SECTOR_BYTES * 256 * clock_mhz / (gpu->dram_gbs * 1000.0)),
                        .measured = gpu->major == 9};
}
