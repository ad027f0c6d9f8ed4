/* inject: libwarplens-probe.so, which the driver loads into a program that runs under `warplens run --on gpu`
 * (CUDA_INJECTION64_PATH). It is told of modules, allocations and launches, has instructions of kernels that are counted call
 * device.cu, and sends what was counted: a launch is waited for, read, and sent before its caller goes on.
 *
 *   module loaded --> its cubin is kept
 *   call          --> will its launch be counted? then: the module is patched; else: it is no more
 *   launch begins --> is it counted? then: a table on the GPU is cleared for it
 *   launch ends   --> waited for, the table read, a message sent
 *
 * Invariants
 *   - Callbacks come from any thread, and some from within the driver, which holds locks of its own then. So our lock is held around our own
 *     tables alone: see probe_lock.
 *   - What fails is said once, and the program goes on without being counted. */
#pragma once

#include "base/base.h"
#include "base/kernel_name.h"
#include "image/image.h"
#include "probe/inject/driver.h"
#include "probe/inject/sanitizer.h"
#include "probe/stream.h"
#include "wire/wire.h"

#include <pthread.h>

enum { PATCHED_AGAIN_LEAST = 16 };     /* of a module: module_may_change */
enum { TIMED_MOST = 8 };               /* launches of a kernel: each is waited for */
enum { EVIDENCE_LAUNCHES = 4 };        /* of a kernel: the first ones bring samples */
enum { TABLE_BYTES_MOST = 256 << 20 }; /* on a GPU, of all its tables together */

typedef struct ProbeSettings {
    const char *patches; /* WARPLENS_PROBE_PATCHES: folder with the device code, sm_90.cubin … */
    const char *folder;  /* WARPLENS_PROBE_FOLDER: where cubins are put for warplens */
    const char *kernels; /* the rest as of the CPU: cuda/core.h */
    LaunchNumbers launches;
    bool numbered; /* launches are not all */
    uint64_t stop_after;
    bool evidence, list, profile;
    enum { MEASURE_OFF, MEASURE_SAMPLED, MEASURE_ONLY } measure; /* WARPLENS_MEASURE */
} ProbeSettings;

/* The last launch that was left as it is, of those of a module in a stream. */
typedef struct LeftLaunch {
    CudaStream *stream;
    CudaEvent *event; /* behind it */
} LeftLaunch;
enum { LEFT_STREAMS_MOST = 64 };

typedef struct WatchedModule {
    CudaModule *handle;
    CudaContext *context;
    void *cubin; /* a copy */
    size_t size;
    uint64_t hash;
    bool chosen; /* a kernel of it may be counted */
    bool patched, failed, sent;
    const char *why; /* it failed; NULL: that was said, of all modules */
    bool late;       /* it was not patched in time, since another was for too long */
    bool lasting;    /* a kernel of it ran for too long, once: nobody waits for one again */
    VEC(LeftLaunch) lefts;
    uint32_t left_next; /* where there are more streams: whose place is taken next */
    uint32_t unpatched; /* how often the patches were taken away */
    /* launches of its kernels that are counted, and calls for these, that have not ended: its
     * code stays as it is */
    uint32_t launching;
    struct WatchedModule *next;
} WatchedModule;

typedef struct WatchedContext {
    CudaContext *handle;
    uint32_t device, capability, multiprocessors;
    const char *gpu;
    bool has_patches, sure; /* sure: the driver has said which device it is of */
    uint64_t threads;       /* that may be resident at once */
    uint64_t stack_bytes;   /* of a thread: for such stacks there was room */
    bool full;              /* and for others there was none, when last asked */
    size_t table_bytes;
    VEC(CudaEvent *) spare_events; /* of modules that are gone */
    struct WatchedContext *next;
} WatchedContext;

typedef struct WatchedFunction {
    const char *name;
    uint64_t pc, size;
} WatchedFunction;
typedef VEC(WatchedFunction) WatchedFunctions;

/* A table on the GPU; `host` as it is when it is cleared. While it is busy it is of the thread whose launch has it. */
typedef struct LaunchTable {
    WatchedContext *context;
    void *memory;
    size_t cleared_from, bytes;
    ProbeTable host;
    ProbeKey *keys; /* of the slots that were used so far, which stay */
    bool busy, written;
    bool forgotten; /* its kernel is: it goes when it is idle */
    struct LaunchTable *next;
} LaunchTable;

typedef struct LaunchedKernel {
    WatchedModule *module;
    CudaFunction *handle;
    const char *name;
    bool selected, left; /* left: a launch was, to be timed */
    bool told;           /* that a launch of it is not counted */
    uint64_t launches, counted, timed;
    bool settled;            /* its code's places are known */
    uint32_t dynamic_shared; /* bytes, of its last launch */
    WatchedFunctions functions;
    LaunchTable *tables;
    struct LaunchedKernel *next;
} LaunchedKernel;

/* A kernel by what a call has of it. */
typedef struct CalledKernel {
    CudaFunction *function;
    CudaContext *context;
    WatchedModule *module;  /* NULL: it is not known */
    LaunchedKernel *kernel; /* NULL: it was not launched so far */
    bool selected;          /* or it is not known */
    uint32_t inside;        /* calls that have not returned */
    struct CalledKernel *next;
} CalledKernel;

typedef struct Allocated {
    uint64_t address, bytes;
} Allocated;

typedef struct Probe {
    pthread_mutex_t lock; /* probe_lock */
    Arena *arena;
    SanitizerApi san;
    DriverApi driver;
    Recorder *recorder;
    ProbeSettings settings;
    WatchedModule *modules;
    WatchedContext *contexts;
    LaunchedKernel *kernels;
    CalledKernel *called;
    VEC(Allocated) allocations; /* by address */
    struct {
        const WatchedModule *module; /* whose code is being changed; NULL: none's is */
        pthread_t by;
        double since;
    } patching;
    uint64_t counted; /* launches */
    bool subscribed, told_older, told_smaller;
    bool others;            /* the program launches in graphs, or by rare calls */
    bool unseen;            /* in ways that tell of no call */
    bool collectives;       /* kernels of NCCL's */
    bool restored;          /* all were patched: patches_stay */
    double began, changing; /* when we did, and seconds that changes of code took */
    uint32_t pending;       /* launches that have begun and not ended */
} Probe;

/* ---- lock.c ---- */

/* The lock of what is in Probe: our tables alone. Nobody who holds it calls the API, the driver or the dynamic loader: these wait for locks of theirs,
 * which a thread may hold that tells us of something, and waits for ours. (A module that is patched is given memory, and the driver tells of memory with
 * the lock of its allocator held.) sanitizer_text alone, which looks a word up, may be called. So:
 *   - Callbacks hold it from their beginning, and every such call stands between probe_unlock and probe_lock. It is not recursive: what such a call
 *     tells us of in the same thread takes it anew. The stand-ins of tests/probe have every call wait for a callback of another thread.
 *   - What shall be as it was when the lock is taken again is marked before: a table that is busy, a module that is `launching` or being patched. What
 *     is pointed to stays: modules, contexts, kernels and tables are in the arena, and are only marked as gone. */
void probe_lock(Probe *probe);
void probe_unlock(Probe *probe);
void probe_forked(Probe *probe); /* in the child */

/* Waits until no other thread changes the module's code; NULL: any module's. Not for ever, since it may need what the driver holds for this thread. false:
 * it still does, or this thread does itself. */
bool patching_wait(Probe *probe, const WatchedModule *module);
void patching_begins(Probe *probe, const WatchedModule *module);
void patching_ends(Probe *probe);

/* ---- message.c ---- */

void probe_message(Probe *probe, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- selection.c, wait.c ---- */

/* NCCL's: each waits for those of other GPUs, which the same thread may launch behind it. A launch that is waited for would never end. */
bool kernel_is_collective(const char *mangled);
/* Whether the user's choice of kernels has this one, and it can be counted. */
bool kernel_is_selected(const Probe *probe, const char *mangled);
/* Others may begin launches while a stream is waited for. Returns what failed, or NULL. */
const char *stream_wait(Probe *probe, SanStream *stream);

/* ---- modules.c ---- */

void context_created(Probe *probe, const SanContextData *data);
void context_gone(WatchedContext *context);
WatchedContext *context_find(Probe *probe, CudaContext *handle);
/* In a call of the driver for it: asks of which device it is, unless that is sure. */
void context_used(Probe *probe, CudaContext *handle);
void module_loaded(Probe *probe, const SanModuleData *data);
void module_gone(Probe *probe, WatchedModule *module);
/* NULL: it was loaded before we were. */
WatchedModule *module_find(Probe *probe, CudaModule *handle);
/* Has its instructions call us. Never in a launch in a stream of the program's: the driver then waits for that launch for ever (seen with
 * CUDA 13.0). false: that failed, which was said, or another's are changed for too long, or a kernel of it runs for too long. */
bool module_patch(Probe *probe, WatchedModule *module);
/* Modules are patched as soon as they are there, and stay so, since kernels are launched that are not seen coming, or that wait for later ones. */
bool patches_stay(const Probe *probe);
/* Whether its patches may be taken away, and put back, once more: a module's few times, and more where all such changes take a small part of the time. */
bool module_may_change(const Probe *probe, const WatchedModule *module);
/* Unless launches of it are counted now, or another thread patches, or it was too often. */
void module_unpatch(Probe *probe, WatchedModule *module);
uint64_t module_hash(WatchedModule *module);
/* Its cubin, for warplens. */
void module_send(Probe *probe, WatchedModule *module);

/* ---- room.c ---- */

/* In this thread's call, before it launches: whether the driver has memory for the stacks of the function's patches; NULL: of any's. */
bool stacks_have_room(Probe *probe, WatchedContext *context, CudaFunction *function);

/* ---- calls.c: whether modules are patched ---- */

/* Before the driver begins a launch: if it will be counted, its module is patched, until the call returns at least. Else it loses its patches, and the
 * launch may be timed. */
void call_begins(Probe *probe, SanDriverCall number, const SanCallData *data);
void call_ends(Probe *probe);
/* A module was loaded: it is patched, if patches stay, or if this thread is in a call whose launch will be counted, of a module that was not known. */
void call_loads(Probe *probe, CudaModule *handle);
/* This thread's call launches the kernel; where it is in none, patches stay from now on. */
void call_launches(Probe *probe, LaunchedKernel *kernel);
bool call_is_seen(void);
/* It is not counted. */
void call_runs_left(WatchedModule *module);
/* Whether that launch shall not be counted but timed. */
bool call_leaves(const LaunchedKernel *kernel);
/* Before a graph is made or launched, or kernels by a call that is not of the usual ones: which they are is told when they are launched, which is too
 * late. So all modules are patched. */
void other_call_begins(Probe *probe);

/* ---- allocations.c ---- */

void allocation_add(Probe *probe, uint64_t address, uint64_t bytes);
void allocation_remove(Probe *probe, uint64_t address);
/* NULL: the address is in none that is known. */
const Allocated *allocation_find(const Probe *probe, uint64_t address);

/* ---- tables.c ---- */

/* A table for a launch of the kernel, cleared by the time that the launch runs. NULL: *why says why there is none. */
LaunchTable *table_take(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *launch,
                        bool sampled, const char **why);
void table_give(Probe *probe, LaunchTable *table);
/* What the launch has left in it. false: *why. */
bool table_read(Probe *probe, Arena *arena, LaunchedKernel *kernel, LaunchTable *table,
                SanStream *stream, ProbeLaunch *launch, const char **why);
void tables_forget(Probe *probe, LaunchedKernel *kernel);

/* ---- launches.c ---- */

/* Launches from now on are another run's: they are numbered anew, and so is what is sent of their modules. */
void launches_begin(Probe *probe);

/* A launch that has begun and not ended. */
typedef struct Pending {
    LaunchedKernel *kernel;
    LaunchTable *table;
    SanLaunchData data;
    double begin;
    bool sampled;
    uint32_t together; /* launches whose sums cannot be told apart; else 1 */
    struct Pending *before;
} Pending;

/* Decides whether a launch is counted. NULL: it is not; else its table has a place for it. *listed: its name is to be told. */
Pending *pending_begin(Probe *probe, const SanLaunchData *data);
/* It has ended, or failed. */
void pending_finish(Probe *probe, Pending *one, SanStream *stream, const char *failed);

void launch_begins(Probe *probe, const SanLaunchData *data);
void launch_ends(Probe *probe, const SanLaunchData *data); /* if this thread began it */
/* A launch that ended without a request may never have run: the driver tells of the end of launches that it refuses, too. It is sent when what
 * the call returns is known, or with the thread's next launch. */
bool launch_is_doubtful(void);
void launch_call_ends(Probe *probe, int result);

/* ---- lefts.c: launches that may run while code is to be changed. The API waits until they have ended; one of them may wait for a launch that comes later. */

/* In this thread's call, behind a launch of the module that is not counted. */
void left_add(Probe *probe, WatchedContext *context, WatchedModule *module, CudaStream *stream);
/* Waits until they have ended, but not for ever. false: one has not. */
bool lefts_wait(Probe *probe, WatchedModule *module);
void lefts_forget(Probe *probe, WatchedContext *context, WatchedModule *module);

/* ---- timing.c: how long launches take that are left as they are ---- */

/* In this thread's call, before it launches. */
void timing_begins(Probe *probe, CudaStream *stream);
/* What it launches. left: it would have been counted. false: it is not timed. */
bool timing_is_of(LaunchedKernel *kernel, const SanLaunchData *data, bool left);
/* After it has. */
void timing_ends(Probe *probe);

/* ---- graphs.c: launches of CUDA graphs. Their kernels are told of one after the other, run together, and are read when all have ended. */

void graph_begins(Probe *probe, const SanGraphData *data);
void graph_kernel_begins(Probe *probe, const SanNodeData *node);
void graph_ends(Probe *probe, const SanGraphData *data); /* if this thread began it */
/* With what was kept for their kernels. */
void module_ends(Probe *probe, CudaModule *handle);
void context_ends(Probe *probe, CudaContext *handle);
