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

const char *const occupancy_limits[OCCUPANCY_LIMITS] = {"registers", "shared memory", "block size",
                                                        "blocks"};
enum { LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_THREADS, LIMIT_BLOCKS };

/* What a launch takes. */
typedef struct Needs {
    const Gpu *gpu;
    uint32_t threads, registers;
    uint64_t shared;
} Needs;

static uint32_t warps_of(uint32_t threads) {
    return (threads + WARP_LANES - 1) / WARP_LANES;
}

static uint32_t blocks_of(const Needs *needs) {
    return gpu_blocks_per_sm(needs->gpu, needs->threads, needs->shared, needs->registers);
}

/* Of so many warps a block's blocks fill some alone; the others ask for next to nothing. */
static void set_alone(Occupancy *occupancy, const Needs *needs) {
    const Gpu *gpu = needs->gpu;
    const uint32_t warps = occupancy->block_warps;
    occupancy->alone[LIMIT_REGISTERS] = gpu_warps_per_sm(gpu, needs->registers) / warps;
    occupancy->alone[LIMIT_SHARED] = gpu_blocks_by_shared(gpu, needs->shared);
    occupancy->alone[LIMIT_THREADS] = gpu->threads_per_sm / (warps * WARP_LANES);
    occupancy->alone[LIMIT_BLOCKS] = gpu->blocks_per_sm;
}

/* Whether an SM then holds more warps. */
static bool is_step(const Occupancy *now, const Needs *then, OccupancyStep *step) {
    const uint32_t blocks = blocks_of(then), warps = blocks * warps_of(then->threads);
    if (warps <= now->warps)
        return false;
    step->blocks = blocks;
    step->warps = warps;
    return true;
}

static void set_steps(Occupancy *occupancy, const Needs *needs) {
    enum { REGISTERS_LEAST = 16, SHARED_UNIT = 128 };
    OccupancyStep *step = &occupancy->steps[LIMIT_REGISTERS];
    Needs then = *needs;
    while (!step->unit && then.registers-- > REGISTERS_LEAST)
        if (is_step(occupancy, &then, step))
            *step = (OccupancyStep){"registers a thread", needs->registers, then.registers,
                                    step->blocks, step->warps};
    step = &occupancy->steps[LIMIT_SHARED];
    then = *needs;
    then.shared += needs->gpu->shared_reserved;
    then.shared -= then.shared % SHARED_UNIT + needs->gpu->shared_reserved;
    for (; !step->unit && then.shared < needs->shared; then.shared -= SHARED_UNIT)
        if (is_step(occupancy, &then, step))
            *step = (OccupancyStep){"bytes of shared memory a block", needs->shared, then.shared,
                                    step->blocks, step->warps};
    step = &occupancy->steps[LIMIT_THREADS];
    then = *needs;
    for (uint32_t warps = occupancy->block_warps - 1; !step->unit && warps; warps--) {
        then.threads = warps * WARP_LANES;
        if (is_step(occupancy, &then, step))
            *step = (OccupancyStep){"threads a block", needs->threads, then.threads, step->blocks,
                                    step->warps};
    }
}

bool launch_occupancy(const Profile *profile, uint32_t launch, Occupancy *occupancy) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    const uint64_t threads = (uint64_t)record->block[0] * record->block[1] * record->block[2];
    if (!gpu || !kernel->registers || !threads || threads > UINT32_MAX)
        return false;
    const Needs needs = {gpu, (uint32_t)threads, kernel->registers, shared_bytes(kernel, record)};
    const uint32_t blocks = blocks_of(&needs), warps = warps_of(needs.threads);
    *occupancy = (Occupancy){.blocks = blocks,
                             .warps = blocks * warps,
                             .most_warps = gpu->threads_per_sm / WARP_LANES,
                             .block_warps = warps};
    if (!blocks)
        return false;
    const Needs no_registers = {gpu, needs.threads, 0, needs.shared};
    const Needs no_shared = {gpu, needs.threads, needs.registers, 0};
    occupancy->limit = occupancy_limits[blocks_of(&no_registers) > blocks ? LIMIT_REGISTERS
                                        : blocks_of(&no_shared) > blocks  ? LIMIT_SHARED
                                        : blocks == gpu->blocks_per_sm    ? LIMIT_BLOCKS
                                                                          : LIMIT_THREADS];
    set_alone(occupancy, &needs);
    set_steps(occupancy, &needs);
    return true;
}
