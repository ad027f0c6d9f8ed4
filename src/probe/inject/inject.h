/* inject: libwarplens-probe.so, which the driver loads into a program that runs under `warplens run --on gpu`
 * (CUDA_INJECTION64_PATH). It is told of modules, allocations and launches, has instructions of kernels that are counted call
 * device.cu, and sends what was counted: a launch is waited for, read, and sent before its caller goes on.
 *
 *   module loaded --> its cubin is kept; it is patched, if a kernel of it may be counted
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

enum { PATCHED_AGAIN_MOST = 4 }; /* of a module; then patches stay, and are told not to count */
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

typedef struct WatchedModule {
    CudaModule *handle;
    CudaContext *context;
    void *cubin; /* a copy */
    size_t size;
    uint64_t hash;
    bool patched, failed, sent;
    bool late;          /* it was not patched when it was loaded, since another was for too long */
    uint32_t unpatched; /* how often the patches were taken away */
    uint32_t
        launching; /* launches of its kernels that are counted and have not ended: its code stays as it is */
    struct WatchedModule *next;
} WatchedModule;

typedef struct WatchedContext {
    CudaContext *handle;
    uint32_t device, capability, multiprocessors;
    const char *gpu;
    bool has_patches, sure; /* sure: the driver has said which device it is of */
    size_t table_bytes;
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
    VEC(Allocated) allocations; /* by address */
    struct {
        const WatchedModule *module; /* whose code is being changed; NULL: none's is */
        pthread_t by;
    } patching;
    uint64_t counted; /* launches */
    bool subscribed, told_older, told_smaller;
    bool streams;     /* the program launches in streams of its own */
    uint32_t pending; /* launches that have begun and not ended */
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
void module_gone(WatchedModule *module);
/* NULL: it was loaded before we were. */
WatchedModule *module_find(Probe *probe, CudaModule *handle);
/* Has its instructions call us. Never in a launch in a stream of the program's: the driver then waits for that launch for ever (seen with
 * CUDA 13.0). false: that failed, which was said, or another's are changed for too long. */
bool module_patch(Probe *probe, WatchedModule *module);
/* Unless launches of it are counted now, or another thread patches. */
void module_unpatch(Probe *probe, WatchedModule *module);
uint64_t module_hash(WatchedModule *module);
/* Its cubin, for warplens. */
void module_send(Probe *probe, WatchedModule *module);

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
/* ---- timing.c: how long launches take that are left as they are ---- */

/* left: it would have been counted. false: it is not timed. */
bool timing_begins(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data, bool left);
void timing_ends(Probe *probe, const SanLaunchData *data); /* if this thread began it */

/* ---- graphs.c: launches of CUDA graphs. Their kernels are told of one after the other, run together, and are read when all have ended. */

void graph_begins(Probe *probe, const SanGraphData *data);
void graph_kernel_begins(Probe *probe, const SanNodeData *node);
void graph_ends(Probe *probe, const SanGraphData *data); /* if this thread began it */
/* With what was kept for their kernels. */
void module_ends(Probe *probe, CudaModule *handle);
void context_ends(Probe *probe, CudaContext *handle);
