/* tier.h: whether and when a kernel is compiled (compiled.c), and how what compiled code counted becomes
 * counters (compiled_count.c). Within exec. */
#pragma once

#include "exec/compiled.h"

/* For the kernel's launches; this is the first one. */
Tier *tier_new(const Program *program, const Launch *launch);
void tier_free(Tier *tier);            /* NULL is allowed */
double tier_seconds(const Tier *tier); /* of processor time that compiling took so far */

/* The path runs compiled code from where it stands as far as that goes. true: it
 * stopped with *step at path->pc, or (STEP_NEXT) its turn is over. false: the interpreter goes on at
 * path->pc, which may be elsewhere now. */
bool compiled_run(Warp *warp, Path *path, uint64_t stop_at, Step *step);
/* The first worker is about to execute this instruction with all lanes. */
void tier_observe(Worker *worker, const Warp *warp, const Code *code);

/* ---- address.c, warpwide.c: functions of theirs that can be compiled ---- */

CodeKind memory_kind(const Code *code); /* KIND_PARAM, ADDRESS, NOTHING; else KIND_CALL */
uint64_t memory_addend(const Code *code);
bool shuffle_is(const Code *code);

/* ---- compiled_count.c ---- */

/* The worker runs this code from now on. */
void compiled_count_for(Worker *worker, const Compiled *compiled);
/* What compiled code has counted goes into the worker's counters and evidence. */
void compiled_count_up(Worker *worker);
