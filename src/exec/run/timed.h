/* timed.h: some of a launch's blocks are written down instruction by instruction, and the launch's time is estimated from
 * them (timing/). Private to exec. */
#pragma once

#include "exec/run/caches.h"
#include "timing/timing.h"

/* A sampled block while it runs. */
typedef struct TimedBlock {
    TimeBlock block;
    Arena *arena;
} TimedBlock;

/* NULL: the launch does not ask for it. */
Timed *timed_new(const Run *run);
void timed_free(Timed *timed); /* NULL is allowed, here and below */
void timed_begin(Cta *cta);
void timed_end(Cta *cta);
/* What the last instruction that was written down of the warp asks of memory. */
void timed_access(Warp *warp, const Access *access);
/* As run_some of a warp of a sampled block; `last` is behind the block's control instruction, if it has one at `end`. */
Step timed_run(Warp *warp, const Code **at, const Code *end, const Code *last, uint32_t lanes);
/* The estimate, with what the model of the caches says, into the launch's row. */
void timed_record(const Timed *timed, const Run *run, const Profile *profile, Arena *arena,
                  LaunchRecord *record, uint32_t first_site);
