/* Whether compiling pays (ENGINE_AUTO), by the wall clock: the thread that compiles needs the time in which so many
 * instructions would have been interpreted, and what is left after that gains. Costs and gains are those measured in
 * docs/decisions/0082-wall-time.md. */
#include "exec/run/worker.h"
#include "exec/tier/tier.h"

enum {
    COST_FIRST = 1500000, /* warp instructions interpreted in the time that LLVM needs to load … */
    COST_EACH = 40000,    /* … and to compile an instruction */
    /* In times of an instruction that is executed for all lanes: */
    CALL_WEIGHT = 8,  /* … one that stays a call of the interpreter, */
    LIGHT_WEIGHT = 2, /* … such a one that only looks at masks, */
    BLOCK_WEIGHT = 4  /* … what the interpreter does from a basic block to the next */
};

static const double gain_beside =
                        1.5, /* what is left, in times of what compiling costs, so that it pays */
    gain_instead = 2,        /* … where the thread that compiles takes time from a worker */
    share_least = 0.35, /* of the time in instructions that are inlined: less gains too little … */
    share_kept = 0.15, /* … for a launch to be compiled while it runs, and for code that is there */
    later_least = 0.03; /* what a launch takes, so that it pays in further runs */

double worth_left(const Run *run, uint64_t executed, uint64_t before) {
    double own = (double)run->workers[0].ended, all = (double)run->count * run->cluster_size;
    /* Blocks are alike, and all workers take their part; where none has ended, each costs at least what the first one has so far.
     * Of a launch, or a kernel, of which nothing else is known, as much is expected to come as was. */
    const double blocks = (all - (double)run_done(run)) / run->worker_count;
    const double each = (double)executed / (own > 0 ? own : 1);
    const double left = each * (own > 0 || blocks > 1 ? blocks : 1);
    return left > (double)before ? left : (double)before;
}

/* The instruction is executed without a call of the interpreter. parted: by some of the lanes. */
static bool is_inlined(CodeKind kind, const AccessShape *shape, bool parted) {
    return kind == KIND_ACCESS ? shape->state == SHAPE_FIXED && !parted : kind != KIND_CALL;
}

/* Of an instruction that stays a call. Votes, masks, lanes that meet: code for a debugger, and loops whose lanes leave one by
 * one, consist of these and of branches. */
static uint32_t call_weight(const Code *code) {
    const Op op = code->insn->op;
    const bool meets = op_has(op, TRAIT_CONVERGENT) && !op_has(op, TRAIT_VARIES | TRAIT_MATRIX);
    const bool light = op_access(op) == OP_ACCESS_NONE && (op_has(op, TRAIT_UNIFORM) || meets);
    return light ? LIGHT_WEIGHT : CALL_WEIGHT;
}

/* The part of the worker's time that would not be spent in calls of the interpreter; insns: of the kernel. */
static double inlined_share(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                            double *insns) {
    const Program *program = worker->program;
    double executed = 0, inlined = 0;
    *insns = 0;
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        const BlockCount *count = &worker->block_counts[b];
        bool parted = count->lanes != count->warps * WARP_LANES;
        uint32_t good = BLOCK_WEIGHT, calls = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            if (is_inlined((CodeKind)kinds[i], &shapes[i], parted))
                good++;
            else
                calls += call_weight(&program->code[i]);
        }
        executed += (double)count->warps * (good + calls);
        inlined += (double)count->warps * good;
        *insns += block->count;
    }
    return executed > 0 ? inlined / executed : 0;
}

bool worth_using(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes) {
    double insns;
    return inlined_share(worker, kinds, shapes, &insns) >= share_kept;
}

bool worth_compiling(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                     double left, double share) {
    double insns, inlined = inlined_share(worker, kinds, shapes, &insns);
    double gain = workers_default() > worker->run->worker_count ? gain_beside : gain_instead;
    return inlined >= share_least &&
           left * share * inlined > gain * (COST_FIRST + COST_EACH * insns);
}

bool worth_keeping(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                   double executed) {
    double insns, inlined = inlined_share(worker, kinds, shapes, &insns);
    return inlined >= share_kept &&
           executed * inlined > later_least * (COST_FIRST + COST_EACH * insns);
}
