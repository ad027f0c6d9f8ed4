/* exec: runs a kernel on the CPU, warp by warp, and counts what its memory accesses cost.
 *
 *   Launch --prepare--> Program (decoded once) --engine--> blocks on workers --> counters --> Profile
 *
 * Invariants
 *   - A register is 32 lanes wide; an instruction runs for all lanes of its path's mask at once.
 *   - Counters are kept per worker and summed at the end, so results and counts of a program
 *     without races are the same for any number of workers.
 *   - A fault of the kernel is a result (Fault), not an error of ours: what ran before it is
 *     counted and kept.
 *   - Device addresses are host addresses of Memory's allocations; see address.c for the windows of
 *     shared and local memory in the generic address space.
 *
 * What it does not do: read files, parse arguments, judge counts. */
#pragma once

#include "account/account.h"
#include "base/kernel_name.h"
#include "ir/ir.h"
#include "sanitize/sanitize.h"

/* ---- memory.c: global memory ---- */

enum { ALLOCATION_ALIGN = 512 };

typedef struct MemoryBlock {
    uint64_t address;       /* multiple of ALLOCATION_ALIGN */
    uint64_t bytes;         /* 0: released */
    const char *name;       /* outlives the block */
    uint32_t element_bytes; /* 0 = unknown */
    bool read_only;
    uint32_t devices; /* that alone may access it, a bit for each; 0: all may */
} MemoryBlock;

typedef struct Memory Memory;
Memory *memory_new(void); /* addresses start at the same place each time */
void memory_free(Memory *memory);
/* Any thread may call these at any time, also while kernels run. */
/* Zeroed memory of the device; 0 where there is none left. */
uint64_t memory_allocate(Memory *memory, uint64_t bytes, const char *name, uint32_t element_bytes);
/* Kernels may access this piece of the host's memory from now on. false: it overlaps another. */
bool memory_adopt(Memory *memory, void *host, uint64_t bytes, const char *name);
bool memory_release(Memory *memory, uint64_t address); /* allocated or adopted */
bool memory_protect(Memory *memory, uint64_t address); /* stores to it fault from now on */
/* The file that holds this allocation, at *offset, from now on, so that other processes can map it; the
 * memory's own. -1: there is none. Nothing else may write to it meanwhile. */
int memory_share(Memory *memory, uint64_t address, uint64_t *offset);
bool memory_confine(Memory *memory, uint64_t address, uint32_t devices); /* to these */
void *memory_host(const Memory *memory, uint64_t address); /* where the host reads and writes it */
/* The allocation that holds address, or NULL; `nearest` gets the closest one below or above. */
const MemoryBlock *memory_find(const Memory *memory, uint64_t address, const MemoryBlock **nearest);
/* The name of what was allocated there and has been released since, with its size and the place in it; NULL:
 * nothing was. */
const char *memory_freed(const Memory *memory, uint64_t address, uint64_t *bytes, uint64_t *offset);
/* Whether the host can read there, and it is not the device's. */
bool memory_is_host(const Memory *memory, uint64_t address);
bool memory_is_own(const Memory *memory,
                   uint64_t address); /* where allocations are made, or could be */
uint32_t memory_count(const Memory *memory);
const MemoryBlock *memory_at(const Memory *memory, uint32_t index); /* released ones, too */
uint32_t memory_index(const Memory *memory, const MemoryBlock *block);

/* ---- heap.c: malloc and free of kernels ---- */

typedef struct Heap Heap;
/* limit: bytes that may be allocated at once; 0: the default of the CUDA runtime, 8 MiB. */
Heap *heap_new(Memory *memory, uint64_t limit);
void heap_free(Heap *heap);                         /* NULL is allowed */
uint64_t heap_allocate(Heap *heap, uint64_t bytes); /* 0: there is not enough left */
bool heap_release(Heap *heap, uint64_t address);    /* false: no block of the heap begins there */
/* The heap of a memory, made by the first who asks; NULL: there is no memory for it. */
Heap *memory_heap(Memory *memory, uint64_t limit);
bool memory_has_heap(Memory *memory);
void memory_drop_heap(Memory *memory); /* no kernel runs; the next one that asks gets a new heap */
/* Where the blocks of a cooperative grid wait for each other, made ready for a grid to begin; 0:
 * there is no memory for it. One is enough, since such kernels run one by one. */
uint64_t memory_grid_barrier(Memory *memory);

/* ---- ops.c ---- */

/* The level of the processor that operations are executed for, "x86-64-v3" or such: the best one that
 * it has, or the one that the environment variable WARPLENS_CPU names. */
const char *exec_cpu(void);

/* ---- launch.c ---- */

typedef enum FaultKind {
    FAULT_NONE,
    FAULT_OUT_OF_BOUNDS,
    FAULT_MISALIGNED,
    FAULT_NULL,
    FAULT_READ_ONLY,
    FAULT_PEER, /* memory of a device that this one has no access to */
    FAULT_BARRIER,
    FAULT_STACK_OVERFLOW,
    FAULT_TIME_LIMIT,
    FAULT_DEADLOCK,
    FAULT_ASSERT,
    FAULT_TRAP,
    FAULT_UNSUPPORTED,
    FAULT_BAD_CALL,   /* through something that is not a function pointer */
    FAULT_BAD_FREE,   /* of something that malloc did not give */
    FAULT_BAD_OBJECT, /* no texture or surface object, or none that the instruction can use */
    FAULT_DEFECT      /* found by a Sanitizer that is to stop there */
} FaultKind;

typedef struct Fault {
    FaultKind kind;
    const Insn *insn;
    uint32_t block[3], thread[3];
    uint64_t address;
    char message[1024]; /* complete, several lines: what, kernel, source line, block, thread,
                           address, allocation */
} Fault;

/* Launch.sample: what `--sample auto` asks for. */
enum { SAMPLE_AUTO = 32 };

typedef enum BlockChoice { BLOCKS_ALL, BLOCKS_FIRST, BLOCKS_EVERY, BLOCKS_RANDOM } BlockChoice;

typedef struct Progress {
    uint64_t blocks, blocks_done;
    uint64_t thread_insts;
    double seconds;
} Progress;

/* A kernel made ready for a GPU: decoded, with memory for its blocks that launches use one after the
 * other. Its launches exclude each other; the module, `loaded` and its memory must outlive it. */
typedef struct PreparedKernel PreparedKernel;

/* Another layout of a shared variable for one launch, see relayout.c; or another storage of an
 * allocation in global memory, see stored.c. */
typedef struct Relayout {
    const char *symbol; /* as in the PTX; of an allocation: its name */
    Layout layout;
    const Storage *storage; /* NULL: of a shared variable */
    bool if_there;          /* a storage of an allocation that is not there is left out */
} Relayout;

/* engine.c: what executes kernels. ENGINE_JIT compiles each as soon as its accesses have been seen,
 * ENGINE_AUTO where it pays (worth.c), both where the plug-in can be had. ENGINE_PLAN has the first tier alone, which needs
 * no compiler; ENGINE_AUTO begins with it. */
typedef enum EngineKind { ENGINE_INTERP, ENGINE_JIT, ENGINE_AUTO, ENGINE_PLAN } EngineKind;
typedef struct Engine {
    EngineKind kind;
    uint64_t after;     /* warp instructions of the first worker until it compiles; 0: as above */
    bool aside;         /* ENGINE_AUTO: it compiles on a thread of its own */
    bool behind;        /* ENGINE_AUTO: a process of its own may compile for further runs */
    const char *plugin; /* path of the plug-in that compiles; NULL: none */
} Engine;
/* "interp", "jit", "auto", "plan"; behind the last three may stand "=N", which is `after`, from 1. */
bool engine_named(const char *name, Engine *engine);
const char *engine_name(EngineKind kind); /* "interp" */
/* schedule.c: "seed:N", N from 1, for Launch.schedule. */
bool schedule_named(const char *name, uint64_t *seed);
typedef struct Plugin Plugin;
/* The plug-in's path, if it lies in `below` under the folder; NULL: it does not. */
const char *plugin_find(Arena *arena, const char *folder, const char *below);
/* The plug-in in that file; NULL: *why (or NULL) says why not. It stays loaded. */
const Plugin *plugin_load(const char *path, const char **why);
const char *plugin_llvm(const Plugin *plugin); /* the version of its LLVM: "14.0.6" */

/* ---- child.c, device_calls.c: launches from the device ---- */

/* A kernel that a thread of another kernel has launched. */
typedef struct Child {
    const char *kernel; /* its name in the module of the kernel that launched it */
    uint32_t grid[3], block[3], dynamic_shared;
    const void *params; /* these, and the Child, last until it has run */
    uint32_t depth;     /* 1: launched by a kernel that the host launched */
    uint32_t parent;    /* the profile's row of the launch that launched it; NONE: not recorded */
    uint32_t into;      /* the row that it is added to: of launches like it; NONE: a new one */
    const Function *by; /* who launched it, and where */
    const Insn *insn;
    uint32_t by_block[3], by_thread[3];
} Child;

/* What kernels may ask the host's side for. Each gives a cudaError; NULL: nobody can tell. */
typedef struct KernelFacts {
    uint64_t shared_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, max_dynamic_shared;
} KernelFacts;
typedef struct DeviceHost {
    void *context;
    uint32_t (*attribute)(void *context, int attribute, int *value);
    uint32_t (*limit)(void *context, int limit, uint64_t *value);
    uint32_t (*facts)(void *context, const char *kernel, KernelFacts *facts);
    uint32_t (*occupancy)(void *context, const char *kernel, int threads, uint64_t dynamic_shared,
                          int *blocks);
} DeviceHost;

/* Functions of the CUDA runtime that kernels may call, one after the other; NULL: no more. */
const char *runtime_function(uint32_t index);

/* What the kernels of one launch, and their kernels in turn, launch. */
typedef struct Children Children;

/* ---- observe.c ---- */

/* Who does something: a warp, with an instruction. */
typedef struct Actor {
    const Insn *insn;
    /* of the kernel: the number of its counters; NO_SITE: the instruction has none */
    uint32_t site;
    uint32_t warp;  /* in the block */
    uint64_t block; /* linear number in the grid */
} Actor;

/* What is told of a launch while it runs, in the order in which it happens, by one thread: all goes
 * the slow way then, on one worker, whatever the launch's engine and workers. Counters and evidence are
 * the same as without. Any function may be NULL. */
typedef struct Observer {
    void *context;
    void (*begin)(void *context, uint64_t block);
    void (*end)(void *context, uint64_t block);
    /* An access that is counted, as ptxas makes it: after its addresses were checked. What several
     * instructions ask for, and ptxas merges, is one access, of the instruction that counts it. Its space
     * is SPACE_GENERIC where it is in the shared memory of another block. */
    void (*access)(void *context, const Actor *actor, const Access *access);
    /* What is counted without addresses of lanes: bulk and tensor copies, asynchronous stores, wgmma,
     * textures and surfaces (see actor->insn). */
    void (*traffic)(void *context, const Actor *actor, const Traffic *traffic);
    /* Memory that copies and asynchronous stores read or write; a write may combine with what is there.
     * An address in shared memory has the rank of its block, plus 1, above 24 bits; 0: the actor's. */
    void (*range)(void *context, const Actor *actor, Space space, uint64_t address, uint64_t bytes,
                  bool writes);
    /* Lanes of a warp have come to a barrier of their block; those that wait there go on. */
    void (*arrive)(void *context, uint64_t block, uint32_t warp, uint32_t barrier, uint32_t lanes);
    void (*release)(void *context, uint64_t block, uint32_t barrier);
} Observer;

/* Which of the memory's first `count` blocks a launch reads, by memory_index: every one whose bytes it may
 * depend on, and maybe some that it only writes. */
typedef struct ReadSet {
    uint8_t *has;
    uint32_t count;
} ReadSet;

typedef struct Launch {
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; /* blocks that run together; 0: as the kernel says, else one */
    uint32_t dynamic_shared;
    Arena *
        scratch; /* where the launch's own rows of the profile go; NULL: into the profile's arena */
    const void *params; /* kernel->param_bytes, laid out as kernel->params say */
    Memory *memory;
    uint32_t device;      /* the number of the GPU that it runs on */
    uint32_t reaches;     /* devices whose memory it may access, a bit for each; 0: all */
    bool cooperative;     /* its blocks may wait for all blocks of the grid */
    uint32_t workers;     /* 0: workers_default() */
    uint64_t limit;       /* warp instructions without progress of the launch
                         that are an endless loop: limit.c; 0: default */
    uint32_t stack_bytes; /* local memory of a thread where functions are recursive; 0: default */
    /* of device malloc, if this launch is the first that uses it; 0: default */
    uint64_t heap_bytes;
    BlockChoice choice;
    uint64_t choice_n, choice_seed;
    /* Only this part of its blocks runs: in a profile that has all parts (profile_merge), counts are those of the whole. */
    Shard shard;
    uint64_t number;          /* for the profile: LaunchRecord.number */
    uint32_t evidence_blocks; /* blocks to record evidence in, spread over the grid; 0 = none,
                                 UINT32_MAX = all */
    uint64_t evidence_period; /* offsets in global memory are told apart modulo this, a multiple of
                                 ALLOCATION_ALIGN; 0: modulo that */
    const Relayout *relayouts;
    uint32_t relayout_count; /* 0: as the program has them */
    bool counting;           /* false: just run */
    /* A read outside of all allocations, but on a page of 2 MiB that has some, which a GPU has mapped, is no fault: it gets zeros,
     * and is counted (LaunchResult.beyond). */
    bool reads_beyond;
    /* Only counts are wanted, no results: where no data decide, some blocks run for all (classes.h). Memory need
     * not hold what the kernel reads until `fill` is called, before all blocks run after all; false: it
     * cannot, and nothing runs. NULL allowed. */
    bool counts_only;
    bool (*fill)(void *context);
    void *fill_context;
    /* Of such a launch: whether it may leave that allocation, to which its blocks write, without their values. NULL: any. */
    bool (*leave)(void *context, const MemoryBlock *block);
    void *leave_context;
    /* 0: count in all blocks; else in those at the edges of the grid and one of each of so many strata, if
     * that gives every counter within 1 %; sample.c */
    uint32_t sample;
    Engine engine; /* of a Prepared's launches the first that compiles decides how */
    volatile const int *interrupted; /* stops soon after it becomes non-zero; NULL allowed */
    /* Called once, by any worker, when its warps have waited for a while for what none of them does; and, if it was, before the
     * launch is written into the profile. NULL allowed; `waits` of a kernel that may wait (function_may_wait) alone. */
    void (*waits)(void *context);
    void (*waited)(void *context);
    void *waits_context;
    volatile const int *
        others; /* with `waits`: not 0: others go on, and may end what it waits for: that is no endless loop */
    void (*progress)(
        void *context,
        const Progress *progress); /* called on the caller's thread, ~10 times a second */
    void *progress_context;
    void (*print)(void *context, const char *text,
                  size_t length); /* kernel's printf, from any worker, one at a time;
                                     NULL: dropped */
    void *print_context;
    /* Where memory that began at an address was released, for the message of a fault in it; NULL: it is
     * not known. NULL allowed. */
    const char *(*released_by)(Arena *arena, uint64_t address);
    const char *range;        /* that the program names for it, for the profile; NULL: none */
    const Observer *observer; /* NULL: none */
    bool caches;              /* model which accesses hit in L1 and L2: caches.c */
    bool time;                /* estimate how long it takes, with caches modelled: timed.c */
    uint32_t clock_mhz;       /* of the SMs, for that; 0: the GPU's */
    /* Looks for defects: all goes the slow way then, on one worker. NULL: nobody does. */
    Sanitizer *sanitizer;
    /* not 0: blocks, warps and parted lanes run in another legal order, the same for a seed, on
     * one worker, interpreted; counted in all blocks: schedule.h */
    uint64_t schedule;
    uint64_t stream;    /* of the program: its launches follow each other */
    ReadSet *reads;     /* NULL: not wanted; else all is interpreted */
    Children *children; /* of family_run; NULL: the kernel can launch nothing */
    const Child *child; /* NULL: the host launches it */
} Launch;

/* Where compiled code stopped, and the interpreter went on. */
typedef enum Stop {
    STOP_ACCESS, /* an access whose lanes do not lie as they did, or that nobody has seen yet */
    STOP_PARTED, /* lanes part, or some of them exit */
    STOP_WAIT,   /* a barrier, or another wait */
    STOP_TURN,   /* another warp's turn, or a basic block that is not compiled */
    STOP_KINDS
} Stop;

/* How a launch was executed; tells of time, and of nothing that is counted. */
typedef struct EngineUse {
    uint32_t compiled, recalled; /* how often code was compiled, or taken from disk */
    double compile_seconds;      /* of processor time; not among the launch's */
    uint64_t interpreted;        /* warp instructions, the last ones of basic blocks left out */
    uint64_t by_plan;            /* … by the first tier */
    uint32_t plans;              /* how often it was made, */
    double plan_seconds;         /* … in so much processor time, which is among the launch's */
    uint64_t stops[STOP_KINDS];
} EngineUse;

typedef struct LaunchResult {
    LaunchStatus status;
    Fault fault;
    uint32_t record; /* index in profile->launches; NONE if it could not start */
    EngineUse use;
    uint64_t beyond;       /* reads by threads, of a launch with reads_beyond */
    const Insn *beyond_at; /* the first instruction that made any; NULL: none */
    /* Of a launch with `sample`. */
    uint64_t analysed;       /* blocks that were counted; 0: all */
    uint32_t kinds;          /* of blocks, that behave alike */
    const char *all_because; /* why all blocks were counted; NULL: they were not */
    /* Of a launch with `counts_only`. */
    uint64_t representatives;     /* blocks that ran, for all; 0: all did */
    const char *executed_because; /* why all ran; NULL: they did not */
} LaunchResult;

/* Addresses of the module's .global and .const variables are allocated on first use, kept in
 * Loaded. */
typedef struct LoadedModule LoadedModule;
/* managed: where the managed variables are already; NULL: they get places as all others do. */
LoadedModule *module_load(Arena *arena, const Module *module, Memory *memory,
                          const LoadedModule *managed, Diags *diags); /* initialisers applied */
uint64_t loaded_address(const LoadedModule *loaded, const Variable *variable);

/* NULL: diags names the instructions that cannot be executed. */
PreparedKernel *kernel_prepare(const Function *kernel, const LoadedModule *loaded, const Gpu *gpu,
                               Diags *diags);
/* Why its PTX is executed where machine code was asked for, for the profile; NULL: nothing to say. Kept as it is. */
void prepared_modelled(PreparedKernel *prepared, const char *why);
/* "\n  at      k.cu:12" and so on: where its instruction of that number comes from. "": nobody knows. */
const char *prepared_place(Arena *arena, const PreparedKernel *prepared, uint32_t insn);
void prepared_free(PreparedKernel *prepared); /* NULL is allowed */
/* Registers of a thread, estimated: those of 32 bits that are alive at once, and a few. */
uint32_t kernel_registers(const Function *kernel);

/* Checks the launch against the GPU's limits and the kernel's needs; runs it; adds a record, the
 * kernel, its sites, locations and files to the profile (NULL: no record). false: diags says what is
 * wrong with the launch and nothing ran. A Prepared records into one profile, always the same. */
bool launch_run(const Launch *launch, PreparedKernel *prepared, Profile *profile,
                LaunchResult *result, Diags *diags);

/* ---- family.c: a launch, and what its kernels launch in turn ---- */

typedef struct Family {
    void *context;
    /* Prepares and runs one of them. name: of the kernel, beside the first; NULL: the first. In
     * *launch is what was asked for, else what the first launch has; it may be changed. false:
     * it did not start, and none does after it. */
    bool (*run)(void *context, const char *name, Launch *launch, LaunchResult *result);
    uint32_t pending;       /* launches that a block may have waiting; 0: CUDA's default */
    const DeviceHost *host; /* NULL: kernels can ask it nothing */
} Family;

/* result: of the first, but with the status and the fault of the one that ended all. false: one
 * did not start. */
bool family_run(const Launch *first, const Family *family, LaunchResult *result);
