/* sample.h: counting in some of a launch's blocks and concluding from them; see sample.c. Private to exec. */
#pragma once

#include "exec/run/prepared.h"

typedef struct Sampler Sampler; /* of a worker */

/* NULL: every block is analysed, *why says for what reason. */
Sampling *sampling_new(Arena *arena, const Run *run, SampleVerdict *sampled, const char **why);
/* Whether block k is among those that are counted. */
bool sampling_takes(const Sampling *sampling, uint64_t k);

/* Around each block of a worker. alone: no other block runs on the worker meanwhile. */
void sample_begin(Worker *worker, const Cta *cta, bool alone);
void sample_end(Worker *worker, const Cta *cta);

/* Puts the counters of all blocks in the place of those that were counted. false: the blocks do not
 * behave alike; result says how, the memory is again as it was before the launch, which is to be run once
 * more, with every block counted. */
bool sampling_conclude(Sampling *sampling, const Run *run, LaunchResult *result);
