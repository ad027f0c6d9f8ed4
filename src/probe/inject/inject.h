/* inject: libwarplens-probe.so, which the driver loads into a program that runs under `warplens run --on gpu`
 * (CUDA_INJECTION64_PATH). It is told of modules, allocations and launches, has instructions of kernels that are counted call
 * device.cu, and sends what was counted: a launch is waited for, read, and sent before its caller goes on.
 *
 *   module loaded --> its cubin is kept
 *   launch begins --> is it counted? then: its module is patched, once; a table on the GPU is cleared for it
 *   launch ends   --> waited for, the table read, a message sent
 *
 * Invariants
 *   - Callbacks come from any thread: one lock is held while they are handled, but not while a launch is waited for.
 *   - What fails is said once, and the program goes on without being counted. */
#pragma once

#include "base/base.h"
#include "base/kernel_name.h"
#include "image/image.h"
#include "probe/inject/sanitizer.h"
#include "probe/stream.h"
#include "wire/wire.h"

#include <pthread.h>

enum { TABLE_BYTES_MOST = 256 << 20 }; /* on the GPU, of all tables together */

typedef struct ProbeSettings {
    const char *patches; /* WARPLENS_PROBE_PATCHES: folder with the device code, sm_90.cubin … */
    const char *folder;  /* WARPLENS_PROBE_FOLDER: where cubins are put for warplens */
    const char *kernels; /* the rest as of the CPU: cuda/core.h */
    LaunchNumbers launches;
    uint64_t stop_after;
    bool evidence, list, profile;
} ProbeSettings;

typedef struct WatchedModule {
    CudaModule *handle;
    CudaContext *context;
    void *cubin; /* a copy */
    size_t size;
    uint64_t hash;
    bool patched, failed, sent;
    uint32_t unpatched; /* how often the patches were taken away */
    struct WatchedModule *next;
} WatchedModule;

typedef struct WatchedContext {
    CudaContext *handle;
    uint32_t device, capability, multiprocessors;
    const char *gpu;
    bool has_patches;
    struct WatchedContext *next;
} WatchedContext;

typedef struct WatchedFunction {
    const char *name;
    uint64_t pc, size;
} WatchedFunction;

/* A table on the GPU; `host` as it is when it is cleared. */
typedef struct LaunchTable {
    void *memory;
    size_t cleared_from, bytes;
    ProbeTable host;
    bool busy, written;
    struct LaunchTable *next;
} LaunchTable;

typedef struct LaunchedKernel {
    WatchedModule *module;
    CudaFunction *handle;
    const char *name;
    bool selected;
    uint64_t launches, counted;
    bool settled; /* its code's places are known */
    VEC(WatchedFunction) functions;
    LaunchTable *tables;
    struct LaunchedKernel *next;
} LaunchedKernel;

typedef struct Allocated {
    uint64_t address, bytes;
} Allocated;

typedef struct Probe {
    pthread_mutex_t lock;
    Arena *arena;
    SanitizerApi san;
    Recorder *recorder;
    ProbeSettings settings;
    WatchedModule *modules;
    WatchedContext *contexts;
    LaunchedKernel *kernels;
    VEC(Allocated) allocations; /* by address */
    size_t table_bytes;
    uint64_t counted; /* launches */
    bool subscribed, told_graphs;
    uint32_t pending; /* launches that have begun and not ended */
} Probe;

/* ---- message.c ---- */

void probe_message(Probe *probe, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- modules.c ---- */

void context_created(Probe *probe, const SanContextData *data);
void context_gone(WatchedContext *context);
WatchedContext *context_find(Probe *probe, CudaContext *handle);
void module_loaded(Probe *probe, const SanModuleData *data);
void module_gone(WatchedModule *module);
/* NULL: it was loaded before we were. */
WatchedModule *module_find(Probe *probe, CudaModule *handle);
/* Has its instructions call us. false: that failed, which was said. */
bool module_patch(Probe *probe, WatchedModule *module);
void module_unpatch(Probe *probe, WatchedModule *module);
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
void table_give(LaunchTable *table);
/* What the launch has left in it. false: *why. */
bool table_read(Probe *probe, Arena *arena, const LaunchedKernel *kernel, LaunchTable *table,
                SanStream *stream, ProbeLaunch *launch, const char **why);
void tables_forget(Probe *probe, LaunchedKernel *kernel);

/* ---- launches.c ---- */

/* Launches from now on are another run's: they are numbered anew, and so is what is sent of their modules. */
void launches_begin(Probe *probe);

void launch_begins(Probe *probe, const SanLaunchData *data);
void launch_ends(Probe *probe, const SanLaunchData *data); /* if this thread began it */
/* A kernel of a CUDA graph: the API has one place to count in for all of them, so that they cannot be told apart. */
void launch_in_graph(Probe *probe, const SanLaunchData *data);
/* With what was kept for their kernels. */
void module_ends(Probe *probe, CudaModule *handle);
void context_ends(Probe *probe, CudaContext *handle);
