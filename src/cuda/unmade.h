/* unmade: memory whose values were not computed, with --counts-only. */
#pragma once

#include "cuda/library.h"

typedef struct Unmade Unmade;
/* A launch, while it runs. */
typedef struct UnmadeLaunch {
    const Kernel *kernel;
    Unmade *written; /* by blocks that stood for all */
    ReadSet reads;
} UnmadeLaunch;
/* Before a launch and after it; watched stays where it is between them. */
void unmade_begin(UnmadeLaunch *watched, const Kernel *kernel, Launch *launch);
bool unmade_written(UnmadeLaunch *watched, const MemoryBlock *block); /* false: no memory */
void unmade_end(UnmadeLaunch *watched, Launch *launch, const LaunchResult *result);
/* Whether the bytes were not computed; then who reads them has faulted. */
bool unmade_read(const char *who, uint64_t address, uint64_t bytes);
void unmade_forget(uint64_t address, uint64_t bytes); /* they are written, or released */
