/* The roofline of a launch: operations against the bytes of each level, and what the GPU can do of both (Williams, Waterman and
 * Patterson, "Roofline: an insightful visual performance model"). Ceilings are of the data sheets (isa/gpus.def): L1 and shared memory
 * pass a line of 128 bytes a clock. */
#include "report/levels.h"

#include "isa/isa.h"

const char *roof_unit(RoofUnit unit) {
    static const char *const names[] = {"FP32", "FP64", "tensor cores, FP16:"};
    return names[unit];
}

/* Of flows between the level and what is nearer to the kernel. */
static Level level_of(const Flow *flow) {
    return flow->from > flow->to ? flow->from : flow->to;
}

static void add_bytes(Roofline *roofline, const Levels *levels, double scale) {
    for (uint32_t i = 0; i < levels->count; i++) {
        const Flow *flow = &levels->flow[i];
        const Level level = level_of(flow);
        const bool inner = flow->from != LEVEL_KERNEL && flow->to != LEVEL_KERNEL;
        if (level == LEVEL_L1 && inner) /* cp.async: both are busy */
            roofline->bytes[LEVEL_SHARED] += (double)flow->bytes * scale;
        roofline->bytes[level] += (double)flow->bytes * scale;
        if (flow->basis > roofline->basis[level])
            roofline->basis[level] = flow->basis;
    }
}

static void set_time(Roofline *roofline, const LaunchRecord *record) {
    if (record->time_us > 0) {
        roofline->seconds = record->time_us / 1e6;
        roofline->seconds_basis = FLOW_ESTIMATED;
    } else if (record->ran_on) {
        roofline->seconds = record->wall_seconds;
    }
}

bool roofline_of(const Profile *profile, const LaunchView *view, Roofline *roofline) {
    const LaunchRecord *record = view->record;
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    *roofline = (Roofline){0};
    if (!gpu || !record->blocks_run)
        return false;
    const double ghz = gpu->clock_mhz / 1e3, sms = gpu->sms;
    const Levels levels = levels_of(profile, view);
    roofline->operations[ROOF_FP32] = (double)record->fp32_flops * WARP_LANES * view->scale;
    roofline->operations[ROOF_FP64] = (double)record->fp64_flops * WARP_LANES * view->scale;
    roofline->operations[ROOF_TENSOR] = (double)record->matrix_ops * view->scale;
    roofline->peak[ROOF_FP32] = 2 * gpu->fp32_lanes * sms * ghz;
    roofline->peak[ROOF_FP64] = 2 * gpu->fp64_lanes * sms * ghz;
    roofline->peak[ROOF_TENSOR] = gpu_tensor_operations(gpu) * sms * ghz;
    roofline->gbs[LEVEL_SHARED] = roofline->gbs[LEVEL_L1] = LINE_BYTES * sms * ghz;
    roofline->gbs[LEVEL_L2] = gpu->l2_bytes_per_clock * sms * ghz;
    roofline->gbs[LEVEL_DRAM] = gpu->dram_gbs;
    add_bytes(roofline, &levels, view->scale);
    set_time(roofline, record);
    return true;
}

double roof_at(const Roofline *roofline, Level level, RoofUnit unit, double intensity) {
    const double moved = roofline->gbs[level] * intensity, peak = roofline->peak[unit];
    return moved < peak || peak <= 0 ? moved : peak;
}
