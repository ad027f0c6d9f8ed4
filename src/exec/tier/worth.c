/* Whether compiling pays (ENGINE_AUTO): it costs the time in which so many instructions would have been
 * interpreted, and saves most of the time that the inlined ones of the rest would take. Costs and
 * gains are those measured in docs/decisions/0021-auto.md. */
#include "exec/run/worker.h"
#include "exec/tier/tier.h"

enum {
    COST_FIRST = 2500000, /* warp instructions interpreted in the time that LLVM needs to load … */
    COST_EACH = 20000,    /* … and to compile an instruction */
    GAIN_LEAST = 6        /* compiling must seem to save so many times what it costs */
};

double worth_left(const Run *run, uint64_t executed, uint64_t before) {
    double done = (double)run_done(run), all = (double)run->count * run->cluster_size;
    /* Blocks are alike; of a launch, or a kernel, of which nothing else is known, as much is expected
     * to come as was. */
    double left = done > 0 ? (double)executed * (all - done) / done : (double)executed;
    return left > (double)before ? left : (double)before;
}

/* The instruction is executed without a call of the interpreter. parted: by some of the lanes. */
static bool is_inlined(CodeKind kind, const AccessShape *shape, bool parted) {
    return kind == KIND_ACCESS ? shape->state == SHAPE_FIXED && !parted : kind != KIND_CALL;
}

bool worth_compiling(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                     double left, double share) {
    const Program *program = worker->program;
    double executed = 0, inlined = 0, insns = 0;
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        const BlockCount *count = &worker->block_counts[b];
        bool parted = count->lanes != count->warps * WARP_LANES;
        uint32_t good = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            good += is_inlined((CodeKind)kinds[i], &shapes[i], parted);
        executed += (double)count->warps * block->count;
        inlined += (double)count->warps * good;
        insns += block->count;
    }
    double cost = COST_FIRST + COST_EACH * insns;
    return executed > 0 && left * share * (inlined / executed) > GAIN_LEAST * cost;
}
