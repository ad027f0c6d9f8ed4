/* probe: launches that are counted on a GPU, where the program runs: `warplens run --on gpu`.
 *
 *   in the program   inject/    libwarplens-probe.so: has the driver call device code at each access of a counted kernel,
 *                               and sends what was counted
 *   on the GPU       device/    what an access costs, added to the slot of its instruction
 *   in warplens      here       these launches, with the machine code of their kernels, into the Profile
 *
 * Invariants
 *   - The rules are those of mem/: device/rules.h is compiled for the host as well, and tests/probe compares the two.
 *   - Sites are machine instructions. What is counted is what the GPU executed; nothing is modelled of the compiler.
 *   - Nothing of the vendor's is built in: inject/sanitizer.h declares what is used of the Compute Sanitizer API, whose library
 *     is found on the machine (find_sanitizer.c).
 *
 * What it does not do: count instructions that access no memory; start the program (cli does). */
#pragma once

#include "image/image.h"
#include "probe/slot.h"
#include "toolchain/toolchain.h"

/* ---- find_sanitizer.c, find_gpus.c: what there is to count with ---- */

/* Path of the library of the Compute Sanitizer API: where WARPLENS_SANITIZER says (a file or a folder), beside ptxas, under CUDA_HOME, CUDA_PATH and
 * /usr/local/cuda, in the Python package nvidia-cuda-sanitizer-api. NULL: it was not found. */
const char *probe_sanitizer(Arena *arena);
/* A GPU of this machine, and all of them. */
typedef struct ProbeGpu {
    const char *name;    /* as the driver says it */
    uint32_t capability; /* 90: 9.0 */
} ProbeGpu;
typedef struct ProbeGpus {
    VEC(ProbeGpu) list;
    int driver;      /* the version of CUDA that the driver knows: 13000; 0: there is no driver */
    const char *why; /* why there is no GPU; NULL: there is one */
} ProbeGpus;
/* sure: asks the driver, which takes 150 ms or more to start. Else asks NVML where it can tell: the driver may then find fewer in the
 * program. */
ProbeGpus probe_gpus(Arena *arena, bool sure);
/* The row of gpus.def for a GPU of that name and compute capability (90: 9.0): by its name, else the newest that is not newer. */
const Gpu *probe_model(const char *name, uint32_t capability);

/* ---- patches.c: device code for a GPU ---- */

/* Writes FOLDER/sm_90.cubin or the like: as it was made when warplens was built, where a driver of that version of CUDA takes it, else by
 * ptxas, whose answer is kept. false: diags says why. */
bool probe_patches(Arena *arena, const char *folder, uint32_t capability, int driver, Diags *diags);
/* Whose device code is in the program: "by ptxas 13.0, for sm_75, sm_80, ..."; NULL: none was made. */
const char *probe_patches_made(Arena *arena);

/* ---- code.c, opcode.c: the machine code of kernels ---- */

typedef struct CodeInst {
    const char *text;       /* as nvdisasm lists it */
    const SassPlace *place; /* NULL without line information */
    uint32_t ptx_line;      /* 0: not known */
} CodeInst;
typedef struct KernelCode {
    VEC(CodeInst) insts;          /* each has 16 bytes */
    uint32_t shared, shared_base; /* bytes of static shared memory, and where they begin */
    uint32_t shared_section;
    VEC(SharedVariable) variables; /* by kernel_variables */
    /* its own accesses to local memory are all of registers that were put aside */
    bool spills_alone;
} KernelCode;
/* A cubin, which is in a file. nvdisasm reads all of it to list one function, and lists many in the same time: so it is asked once,
 * for those that were counted. */
typedef struct ModuleCode {
    Arena *arena; /* its own, so that several can be listed at once */
    const char *path;
    bool good; /* it is one */
    Elf elf;
    VEC(uint64_t) symbols; /* of functions that are wanted, in their order in the cubin */
    bool listed;
    Sass sass;            /* what nvdisasm lists of them */
    PtxIndex *ptx;        /* that is in it (-lineinfo); NULL: none, or it was not looked for */
    const char *ptx_text; /* NULL: the linker has put it together of several, too */
    bool ptx_read, linked;
    Diags *diags; /* what it refuses */
} ModuleCode;
ModuleCode *module_code(const char *path);
void module_code_free(ModuleCode *module);
void module_want(ModuleCode *module, const char *function);
/* Takes the listing from the cache. false: nvdisasm must be asked. */
bool module_recall(ModuleCode *module, const char *nvdisasm);
/* Asks nvdisasm; may be called by several threads, each with its own module. */
void module_list(ModuleCode *module, const char *nvdisasm, volatile const int *stop);
/* A function of it; it has no instructions where they were not listed. */
KernelCode kernel_code(Arena *arena, const ModuleCode *module, const char *function,
                       uint32_t capability);

/* ---- variables.c ---- */

/* Fills in what else the cubin knows of a kernel: its variables in shared memory, whose static ones together are all of it. */
void kernel_variables(Arena *arena, ModuleCode *module, const char *function, const Gpu *gpu,
                      KernelCode *code);
/* Where a kernel begins in the module's PTX; 0: that is not known. */
uint32_t kernel_ptx_line(ModuleCode *module, const char *function);
/* Launches have a dynamic array: one of no name, if the cubin knows none. */
void kernel_add_dynamic(Arena *arena, KernelCode *code);

/* What an instruction does to memory, by its text: "@P0 LDG.E.64 R2, [R4.64]". false: it accesses none that is counted. */
typedef struct CodeAccess {
    SiteOp op;
    SiteSpace space;
    AccessKind kind;
    uint32_t width, matrices;
} CodeAccess;
bool code_access(const char *text, CodeAccess *access);
/* What moves data and is not counted yet: a bulk copy, wgmma, a texture; NULL: it is none of these. */
const char *code_uncounted(Arena *arena, const char *text);

/* ---- run.c: what a program on a GPU sends ---- */

typedef struct ProbeRun ProbeRun;
ProbeRun *probe_run_new(Arena *arena);
void probe_run_free(ProbeRun *run);
/* Takes a payload of RECORD_PROBE. false: it is malformed. */
bool probe_run_take(ProbeRun *run, const void *data, size_t size);
/* How many launches were taken so far, and of how many kernels. */
typedef struct ProbeProgress {
    uint32_t launches, kernels;
} ProbeProgress;
ProbeProgress probe_run_progress(ProbeRun *run);
/* Seconds of a launch of the kernel where it is not counted: the mean of those that were timed; 0: none was. */
double probe_run_seconds(const ProbeRun *run, const char *kernel);

/* ---- profile.c: launches into the Profile ---- */

/* Adds all that was taken to an empty profile. May be called again, for another one, when more was listed (probe_run_list). */
void probe_run_finish(ProbeRun *run, Profile *profile, Diags *diags);
/* The location of a place that nvdisasm names, with the calls that it was inlined through; NONE for NULL. */
uint32_t sass_location(Profile *profile, const SassPlace *place);

/* ---- listing.c: the machine code of what was counted ---- */

/* What is told while nvdisasm works; called by one thread at a time. */
typedef struct ListingWatch {
    volatile const int *stop; /* non-zero: end soon */
    void (*progress)(void *context, uint32_t done, uint32_t modules);
    void *context;
} ListingWatch;

/* Takes what the cache has. Returns how many modules nvdisasm must be asked for, which can take a minute. */
uint32_t probe_run_recall(ProbeRun *run, Diags *diags);
/* Asks for them, several at once. Returns how many were left when it was stopped. */
uint32_t probe_run_list(ProbeRun *run, const ListingWatch *watch, Diags *diags);
