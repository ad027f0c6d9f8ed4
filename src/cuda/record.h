/* record: what is told of a run besides its launches: sources, results, orders, ranges. */
#pragma once

#include "cuda/library.h"

/* ---- sources.c ---- */

/* The texts that source_note has kept, for files that the profile has got since the last time. */
void sources_fill(Core *core, Profile *profile);

/* ---- results.c: what a program has computed, for a comparison with another run of it ---- */

uint64_t words_hash(const void *data, size_t size, uint64_t hash);
void results_copy(Core *core, const CUDA_MEMCPY3D *copy);          /* that left the device */
void results_memory(Core *core, uint64_t address, uint64_t bytes); /* before it is released */
void results_end(Core *core); /* of the process: memory that was not released */

/* ---- orders.c ---- */

typedef struct Orders Orders;
void orders_launched(Core *core, const Kernel *kernel); /* where Settings.orders is set */

/* ---- ranges.c ---- */

typedef struct StartedRange StartedRange;
/* The ranges that this thread is in, "epoch 1/forward"; NULL: none. */
const char *range_path(Arena *arena);
