/* caches.h: what a launch's blocks ask of the caches goes to the model of these (cache/), in the order of the blocks.
 * Private to exec. */
#pragma once

#include "cache/cache.h"
#include "exec/run/worker.h"

/* The estimate of the time needs them, too. */
static inline bool launch_models_caches(const Launch *launch) {
    return launch->caches || launch->time;
}
/* What a block takes of an SM; of registers, what ptxas says, else an estimate. */
typedef struct BlockNeeds {
    uint32_t threads, registers;
    uint64_t shared; /* bytes */
} BlockNeeds;
BlockNeeds block_needs(const Run *run);
/* Of the SMs: what the launch says, else the GPU's boost clock. */
double launch_clock_mhz(const Run *run);
/* Why a launch has not all of its blocks in their order, which models of caches and of time are of; NULL: it has. */
const char *order_refusal(const Run *run);
/* NULL: the launch does not ask for it. */
Caches *caches_new(const Run *run);
void caches_free(Caches *caches); /* NULL is allowed, here and below */
void caches_begin(Cta *cta);
void caches_end(Cta *cta);
void caches_access(Warp *warp, const Code *code, const Access *access);
/* pattern_new of an access of that instruction. */
CachePattern *caches_pattern(const Worker *worker, Arena *arena, const Code *code,
                             const Access *access, uint64_t line);
void caches_wait(const Warp *warp);   /* it came to a barrier of its block */
void caches_conclude(Caches *caches); /* all blocks have run that do */
/* [sites]; for who has the launch's model of time, which is none of the profile's business. NULL: there are none. */
const CacheWaits *caches_waits(const Caches *caches);
/* Into the launch's row, and its list of sites. */
void caches_record(const Caches *caches, Arena *arena, LaunchRecord *record, uint32_t first_site);
