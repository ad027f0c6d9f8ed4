/* What registers hold when a block begins: immediates, kernel parameters, special registers. They are
 * vectors among the registers (see warp.h), filled here so that operations never ask. */
#include "exec/run/worker.h"

#include <string.h>

/* %reserved_smem_offset_1, which is the driver's choice: cooperative_groups takes 288 bytes from it. */
enum { RESERVED_SLOT = 512 };

bool fill_depends_on_block(const Fill *fill) {
    if (fill->kind != FILL_SPECIAL)
        return false;
    switch (fill->special) {
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
    case SREG_SMID:
    case SREG_CLUSTERID_X:
    case SREG_CLUSTERID_Y:
    case SREG_CLUSTERID_Z:
    case SREG_CLUSTER_CTAID_X:
    case SREG_CLUSTER_CTAID_Y:
    case SREG_CLUSTER_CTAID_Z:
    case SREG_CLUSTER_CTARANK:
        return true;
    default:
        return false;
    }
}

static uint64_t tid(const Launch *launch, uint32_t thread, uint32_t axis) {
    if (axis == 0)
        return thread % launch->block[0];
    if (axis == 1)
        return thread / launch->block[0] % launch->block[1];
    return thread / launch->block[0] / launch->block[1];
}

/* Places and sizes in the grid; 0 for what is none of them. */
static uint64_t shape_value(const Cta *cta, Special special) {
    const Launch *launch = cta->worker->launch;
    const Run *run = cta->worker->run;
    switch (special) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
        return launch->block[special - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        return cta->index[special - SREG_CTAID_X];
    case SREG_CLUSTERID_X:
    case SREG_CLUSTERID_Y:
    case SREG_CLUSTERID_Z:
        return cta->index[special - SREG_CLUSTERID_X] / run->cluster[special - SREG_CLUSTERID_X];
    case SREG_CLUSTER_CTAID_X:
    case SREG_CLUSTER_CTAID_Y:
    case SREG_CLUSTER_CTAID_Z:
        return cta->index[special - SREG_CLUSTER_CTAID_X] %
               run->cluster[special - SREG_CLUSTER_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return launch->grid[special - SREG_NCTAID_X];
    case SREG_NCLUSTERID_X:
    case SREG_NCLUSTERID_Y:
    case SREG_NCLUSTERID_Z:
        return launch->grid[special - SREG_NCLUSTERID_X] /
               run->cluster[special - SREG_NCLUSTERID_X];
    case SREG_CLUSTER_NCTAID_X:
    case SREG_CLUSTER_NCTAID_Y:
    case SREG_CLUSTER_NCTAID_Z:
        return run->cluster[special - SREG_CLUSTER_NCTAID_X];
    case SREG_CLUSTER_CTARANK:
        return cta->rank;
    case SREG_IS_EXPLICIT_CLUSTER:
        return run->is_clustered;
    case SREG_CLUSTER_NCTARANK:
        return run->cluster_size;
    default:
        return 0;
    }
}

/* PTX ISA, chapter 10. Envregs, %gridid, %pm … are 0 for an ordinary launch. */
static uint64_t special_value(const Cta *cta, const Warp *warp, const Fill *fill, uint32_t lane) {
    const Launch *launch = cta->worker->launch;
    const Program *program = cta->program;
    const Gpu *gpu = program->gpu;
    const Run *run = cta->worker->run;
    switch (fill->special) {
    case SREG_TID_X:
    case SREG_TID_Y:
    case SREG_TID_Z:
        return tid(launch, warp->number * WARP_LANES + lane,
                   (uint32_t)(fill->special - SREG_TID_X));
    case SREG_LANEID:
        return lane;
    case SREG_WARPID:
        return warp->number;
    case SREG_NWARPID:
        return gpu->threads_per_sm / WARP_LANES;
    case SREG_SMID:
        return cta->linear % gpu->sms;
    case SREG_NSMID:
        return gpu->sms;
    case SREG_LANEMASK_EQ:
        return 1u << lane;
    case SREG_LANEMASK_LT:
        return (1u << lane) - 1;
    case SREG_LANEMASK_LE:
        return (2u << lane) - 1;
    case SREG_LANEMASK_GE:
        return (uint32_t) ~((1u << lane) - 1);
    case SREG_LANEMASK_GT:
        return (uint32_t) ~((2u << lane) - 1);
    case SREG_DYNAMIC_SMEM_SIZE:
        return launch->dynamic_shared;
    case SREG_TOTAL_SMEM_SIZE:
    case SREG_AGGR_SMEM_SIZE:
        return cta->shared_end - program->shared.base;
    case SREG_ENVREG: /* halves of the address, as cooperative_groups reads them */
        return fill->value == 1   ? run->grid_barrier >> 32
               : fill->value == 2 ? (uint32_t)run->grid_barrier
                                  : 0;
    case SREG_RESERVED_SMEM: { /* offset_0, offset_1, begin, end, cap */
        const uint32_t offsets[] = {0, RESERVED_SLOT, 0, program->shared.base,
                                    program->shared.base};
        return offsets[fill->value];
    }
    default:
        return shape_value(cta, fill->special);
    }
}

static void put(Warp *warp, const Fill *fill, uint32_t lane, uint64_t value) {
    if (fill->class == 1)
        reg32(warp, fill->offset)[lane] = (uint32_t)value;
    else if (fill->class == 2)
        reg64(warp, fill->offset)[lane] = value;
    else
        reg64(warp, fill->offset)[2 * lane] = value;
}

static uint64_t param_value(const Launch *launch, const Fill *fill) {
    uint64_t value = 0;
    memcpy(&value, (const char *)launch->params + fill->value, fill->bytes);
    if (fill->sign && fill->bytes < 8) {
        uint32_t unused = 64 - 8 * fill->bytes;
        value = (uint64_t)((int64_t)(value << unused) >> unused);
    }
    return value;
}

static void put_all(Warp *warp, const Fill *fill, uint64_t value) {
    if (fill->class == 1) {
        uint32_t *to = reg32(warp, fill->offset);
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            to[lane] = (uint32_t)value;
        return;
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        put(warp, fill, lane, value);
}

static void fill(const Cta *cta, Warp *warp, const Fill *one) {
    if (one->class == 0) {
        bool yes = one->kind == FILL_SPECIAL ? special_value(cta, warp, one, 0) : one->value;
        *reg32(warp, one->offset) = yes ? FULL_MASK : 0;
    } else if (one->kind == FILL_SPECIAL) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            put(warp, one, lane, special_value(cta, warp, one, lane));
    } else {
        put_all(warp, one,
                one->kind == FILL_PARAM ? param_value(cta->worker->launch, one) : one->value);
    }
}

void fill_warp(const Cta *cta, Warp *warp) {
    for (uint32_t i = 0; i < cta->program->fills.count; i++) {
        if (!fill_depends_on_block(&cta->program->fills.at[i]))
            fill(cta, warp, &cta->program->fills.at[i]);
    }
}

/* They are the same for all lanes, and for all warps. */
void fill_block(const Cta *cta) {
    for (uint32_t i = 0; i < cta->program->block_fills.count; i++) {
        const Fill *one = &cta->program->block_fills.at[i];
        const uint64_t value = special_value(cta, &cta->warps[0], one, 0);
        uint32_t words[WARP_LANES];
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            words[lane] = (uint32_t)value;
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            Warp *warp = &cta->warps[w];
            if (one->class == 1)
                memcpy(reg32(warp, one->offset), words, sizeof words);
            else if (one->class == 0)
                *reg32(warp, one->offset) = value ? FULL_MASK : 0;
            else
                put_all(warp, one, value);
        }
    }
}
