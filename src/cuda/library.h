/* library: PTX texts that a program loads, to kernels and variables. */
#pragma once

#include "cuda/core.h"
#include "machine/machine.h"
#include "ptx/ptx.h"

/* ---- library.c: PTX texts to kernels and variables ---- */

/* One PTX text of a library. Its variables are placed when a kernel or a variable of the library is
 * asked for; each kernel's body is parsed when that one is. */
typedef struct Unit {
    PtxText ptx;
    PtxIndex *index;
    Module *variables;                  /* NULL: not parsed yet */
    LoadedModule *loaded[DEVICES_MOST]; /* NULL: its variables have no places there */
    LoadedModule *managed;              /* where the managed ones are; NULL: nowhere yet */
} Unit;

typedef struct Kernel Kernel;
typedef struct Library Library;
typedef struct OldLaunch OldLaunch;
struct Library {
    uint32_t tag;
    CUcontext context; /* of a module: with which it goes; NULL: a library */
    Arena *arena;      /* of all below, but for the kernels themselves */
    Diags *diags;
    VEC(Unit) units;
    Kernel **kernels; /* one for each .entry of the units, in their order */
    uint32_t kernel_count;
    Map *by_name;                      /* to the first kernel of that name */
    bool placed[DEVICES_MOST], failed; /* the variables have addresses; or cannot get any */
    Library *next;
};
/* Whether that is the address of a kernel of a library that is there. */
bool library_has(const void *kernel);
/* A context goes: its modules go with it, and libraries lose what they have in it. */
void libraries_leave(CUcontext context);

/* What a thread of it takes of the GPU: estimated from the PTX, until a program asks. */
typedef struct KernelResources {
    uint32_t registers, local_bytes;
    bool asked; /* as ptxas says; or nobody can say */
} KernelResources;

typedef struct CountedLaunch CountedLaunch;

/* It stays, without its tag, when its library goes: graphs and programs may still name it. */
struct Kernel {
    uint32_t tag;
    uint32_t unit;
    Library *library;
    const char *name;
    const Function *function;  /* what is executed of it; NULL: not parsed yet */
    PreparedKernel **prepared; /* [devices], once it is parsed; NULL: not launched there yet */
    bool failed;               /* to be parsed or prepared: told once */
    bool selected;             /* --kernel: profiled; known once it is parsed */
    bool counts_only;          /* --counts-only, likewise */
    bool may_wait;             /* for a store of the host, or of another launch */
    bool decided;              /* whether function is its PTX or its machine code */
    uint64_t launches;
    CountedLaunch *counted; /* with --once: those that others may repeat */
    KernelResources resources;
    Relayout *relayouts;      /* that WARPLENS_LAYOUTS asks for */
    uint64_t evidence_period; /* likewise; 0: as usual */
    OldLaunch *old;           /* launch_old.c; NULL: nothing was set */
    uint32_t relayout_count;
    int max_dynamic_shared, carveout, cache_config;
    int cluster[FUNC_ATTRIBUTE_MAX - FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET]; /* attributes */
};

/* ---- kernel_facts.c ---- */

void kernel_settle(Kernel *kernel);
/* As on the GPU where there is a ptxas, which takes a tenth of a second the first time. */
const KernelResources *kernel_resources(Kernel *kernel);

/* ---- launch.c: what a launch of it may ask for ---- */

/* Threads of a block at most, as the entry or the GPU says. */
int kernel_max_threads(const Kernel *kernel);
/* Blocks of a cluster at most: 0 where the GPU has no clusters. */
uint32_t kernel_cluster_most(const Kernel *kernel);
/* Blocks of so many threads that an SM takes at once. */
uint32_t kernel_blocks_per_sm(Kernel *kernel, uint32_t threads, uint64_t dynamic_shared);

/* ---- kernel_machine.c ---- */

/* Before its first launch that is recorded: others may have prepared its PTX, which is forgotten if its machine code is asked
 * for. */
void kernel_decide(Kernel *kernel);
/* At its first launch that is recorded: what is executed from now on is its machine code, if that was asked for and can be;
 * *why says why not. false: then nothing is to be. Takes as long as ptxas. */
bool kernel_take_machine_code(Kernel *kernel, const char **why);

/* ---- once.c ---- */

/* The launch that this one repeats; NULL: none is known. */
const CountedLaunch *once_find(const Kernel *kernel, const Launch *launch);
/* Before a launch that is counted, and that then tells what it reads; NULL: it cannot be remembered. */
CountedLaunch *once_begin(const Kernel *kernel, Launch *launch);
/* It has run, as the recorder's launch of that number: others may repeat it. */
void once_end(Kernel *kernel, CountedLaunch *counted, Memory *memory, uint64_t number);
void once_drop(CountedLaunch *counted); /* it is not to be repeated; NULL is allowed */
uint64_t once_number(const CountedLaunch *counted);

/* ---- placed.c ---- */

CUresult kernel_parse(Kernel *kernel);
/* Takes back what placing a library on a device gave it: it is placed anew when it is used again. Managed
 * variables are the process's: they keep their places and values. No kernel runs. */
void library_displace(Library *library, const Device *device);
void library_clear(Library *library); /* on all devices, and its managed variables: it goes */
/* Gives its variables places on a device, if they have none; false: that cannot be done. */
bool library_place(Library *library, const Device *device);
/* Where a library's variable lies; CUDA_ERROR_NOT_FOUND. */
CUresult library_variable(CUlibrary library, const char *name, bool managed, CUdeviceptr *address,
                          size_t *bytes);

/* ---- link.c ---- */

/* What a compiler would have to say to a program that gave it options: nothing, and at once. */
void jit_answer(unsigned count, const int *options, void **values);
/* Whether there are as many options and values as `count` says, as far as can be told. */
bool jit_options_fit(unsigned count, const int *options, void *const *values);

/* ---- layouts.c ---- */

void kernel_find_layouts(Kernel *kernel);

/* ---- device_queries.c: launches from the device ---- */

/* The kernel of that name in the PTX that `kernel` is from, parsed. */
CUresult kernel_beside(const Kernel *kernel, const char *name, Kernel **found);
DeviceHost kernel_queries(Kernel *kernel);
