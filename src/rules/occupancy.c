/* Occupancy: how many blocks and warps of a launch an SM holds at once, and what of it runs out first. */
#include "rules/rules.h"

#include "isa/isa.h"

/* Static and dynamic; the dynamic array comes last. */
static uint64_t shared_bytes(const ProfKernel *kernel, const LaunchRecord *record) {
    uint64_t end = 0, own;
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        own = (uint64_t)kernel->shared.at[i].offset + kernel->shared.at[i].bytes;
        end = own > end ? own : end;
    }
    return end + record->dynamic_shared;
}

bool launch_occupancy(const Profile *profile, uint32_t launch, Occupancy *occupancy) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    const uint64_t threads = (uint64_t)record->block[0] * record->block[1] * record->block[2];
    if (!gpu || !kernel->registers || !threads || threads > UINT32_MAX)
        return false;
    const uint32_t count = (uint32_t)threads, registers = kernel->registers;
    const uint64_t shared = shared_bytes(kernel, record);
    const uint32_t blocks = gpu_blocks_per_sm(gpu, count, shared, registers);
    const uint32_t warps = (count + WARP_LANES - 1) / WARP_LANES;
    *occupancy = (Occupancy){
        .blocks = blocks, .warps = blocks * warps, .most_warps = gpu->threads_per_sm / WARP_LANES};
    occupancy->limit = gpu_blocks_per_sm(gpu, count, shared, 0) > blocks      ? "registers"
                       : gpu_blocks_per_sm(gpu, count, 0, registers) > blocks ? "shared memory"
                       : blocks == gpu->blocks_per_sm                         ? "blocks"
                                                                              : "block size";
    return blocks > 0;
}
