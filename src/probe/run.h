/* run: what a program on a GPU has sent, and the kernels and sites that it tells of. Private to probe. */
#pragma once

#include "probe/probe.h"
#include "probe/stream.h"

/* A cubin. */
typedef struct ProbedModule {
    uint64_t hash; /* by which launches name it */
    ModuleCode *code;
} ProbedModule;

/* An instruction that accesses memory. */
typedef struct ProbedSite {
    const char *function;   /* mangled; "": not known */
    uint64_t offset;        /* bytes from the function's beginning */
    const char *text;       /* as nvdisasm lists it, else its place */
    const SassPlace *place; /* NULL: no line of a source is known */
    uint32_t ptx_line;      /* of the kernel's PTX; 0: not known */
    CodeAccess access;
} ProbedSite;

/* A function's code, asked for once. */
typedef struct ProbedCode {
    const char *function;
    KernelCode code;
} ProbedCode;

typedef struct ProbedKernel {
    ModuleCode *module; /* NULL: its cubin did not come */
    const char *name;
    uint64_t hash;
    uint32_t capability, registers, row; /* in the profile */
    const Gpu *gpu;
    VEC(ProbedCode) code;
    VEC(ProbedSite) sites;
    VEC(uint32_t) site_of; /* of each instruction of the kernel itself; NONE */
    uint32_t listed;       /* sites that are of its listing; the others were seen */
} ProbedKernel;

struct ProbeRun {
    Arena *arena;
    VEC(ProbedModule) modules;
    VEC(ProbeLaunch) launches;
    VEC(ProbeTime) times;
    VEC(uint32_t) firsts; /* of each kernel the first launch, among the first `told` */
    uint32_t told;
    VEC(ProbedKernel) kernels; /* of the profile that is being made */
};

/* ---- run.c ---- */

/* The cubin of that hash; NULL: it did not come. */
ModuleCode *probed_module(const ProbeRun *run, uint64_t hash);

/* ---- sites.c ---- */

/* The kernel of a launch; a new one, without sites, if none of its launches was there before. */
ProbedKernel *probed_kernel(ProbeRun *run, const ProbeLaunch *launch);
/* Adds the sites of a launch to those of its kernel; at its first launch also those that are listed, with notes in diags on what the
 * kernel does that is not counted. */
void probed_add(ProbeRun *run, const ProbeLaunch *launch, Diags *diags);
/* Number of the site of an instruction among those of the kernel, by its function (mangled) and its offset in that, in bytes;
 * NONE: it has none. */
uint32_t probed_site(const ProbedKernel *kernel, const char *function, uint64_t offset);
/* The function that a slot of the launch is in; "": not known. */
const char *probed_function(const ProbeLaunch *launch, const ProbeSlot *slot);
