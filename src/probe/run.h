/* What came from a program on a GPU, as listing.c and profile.c share it. */
#pragma once

#include "probe/probe.h"
#include "probe/stream.h"

typedef struct ProbedModule {
    uint64_t hash;
    ModuleCode *code;
} ProbedModule;

struct ProbeRun {
    Arena *arena;
    VEC(ProbedModule) modules;
    VEC(ProbeLaunch) launches;
    VEC(ProbeTime) times;
    VEC(uint32_t) firsts; /* of each kernel the first launch, among the first `told` */
    uint32_t told;
    VEC(struct ProbedKernel) kernels; /* of the profile that is being made: profile.c */
};

/* NULL: its cubin did not come. */
ModuleCode *probed_module(const ProbeRun *run, uint64_t hash);
