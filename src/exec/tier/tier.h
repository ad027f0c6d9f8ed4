/* tier.h: whether and when a kernel is compiled (compiled.c, worth.c), and how what compiled code counted becomes
 * counters (compiled_count.c). Within exec. */
#pragma once

#include "exec/tier/compiled.h"

/* For the kernel's launches; this is the first one. */
Tier *tier_new(const Program *program, const Launch *launch);
void tier_free(Tier *tier);            /* NULL is allowed */
double tier_seconds(const Tier *tier); /* of processor time that compiling took so far */
/* *use becomes what happens between these two; NULL is allowed. */
void tier_use_begins(const Tier *tier, EngineUse *use);
void tier_use_ends(const Tier *tier, const Run *run, EngineUse *use);
/* Before and after all workers have run; NULL is allowed. */
void tier_begin(Tier *tier, const Run *run);
void tier_end(Tier *tier, const Run *run);
/* After a launch that was too short to be compiled while it ran, but longer than looking for its code: it is
 * compiled by a process of its own, for further runs. NULL is allowed. */
void tier_after(Tier *tier, const Run *run);
bool tier_observes(const Tier *tier);        /* the first worker's Worker.observes */
void tier_block_ended(const Worker *worker); /* of the grid, on this worker */

/* The path runs compiled code from where it stands as far as that goes. true: it
 * stopped with *step at path->pc, or (STEP_NEXT) its turn is over. false: the interpreter goes on at
 * path->pc, which may be elsewhere now. */
bool compiled_run(Warp *warp, Path *path, uint64_t stop_at, Step *step);
/* The first worker is about to execute this instruction with all lanes. */
void tier_observe(Worker *worker, const Warp *warp, const Code *code);

/* ---- worth.c ---- */

/* Warp instructions that the first worker will still execute, at a guess. executed: so far in this
 * launch; before: in earlier ones of the kernel. */
double worth_left(const Run *run, uint64_t executed, uint64_t before);
/* Code of the kernel is faster than interpreting it. kinds, shapes: of the program's instructions. */
bool worth_using(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes);
/* Compiling saves more of them than it costs. share: of those executed, how much was interpreted, 0 to 1. */
bool worth_compiling(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                     double left, double share);
/* It will in further runs, which find the code on disk. executed: in a launch, by all workers. */
bool worth_keeping(const Worker *worker, const uint8_t *kinds, const AccessShape *shapes,
                   double executed);

/* ---- address.c, warpwide.c: functions of theirs that can be compiled ---- */

CodeKind memory_kind(const Code *code); /* KIND_PARAM, ADDRESS, NOTHING; else KIND_CALL */
uint64_t memory_addend(const Code *code);
bool shuffle_is(const Code *code);

/* ---- batch.c ---- */

/* The access of a member of a batch whose lane 0 has `base` in its register; width 0: it is counted with another one. */
Access batch_access(const CompiledCode *compiled, const Code *code, const Batch *batch,
                    uint64_t base, uint64_t address[WARP_LANES]);

/* ---- compiled_count.c ---- */

/* The worker runs this code from now on. */
void compiled_count_for(Worker *worker, const CompiledCode *compiled);
/* What compiled code has counted goes into the worker's counters and evidence. */
void compiled_count_up(Worker *worker);

/* ---- compiled_caches.c ---- */

/* The batch of the code that the worker's warp runs, whose lane 0 has `base`, goes into the block's CacheTrace. */
void compiled_ask(Worker *worker, uint32_t batch, uint64_t base);
