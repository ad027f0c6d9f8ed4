/* cuda: the documented CUDA driver API on top of exec - what a program without a GPU is run with.
 *
 *   program --cuda* (runtime/)--+
 *      |                        v
 *      +------- cu* calls: driver.h, api.def ---> Core: contexts, memory, libraries, streams
 *                                                  | launch: kernel_run -> exec
 *                                                  v
 *                                             wire.h -> socket -> `warplens run`
 *
 * The cu* calls are the interface of this layer, also for runtime/, which is a thin layer over
 * them; this header has what the documented API has no call for.
 *
 * Invariants
 *   - There is one Core in a process. Every call may come from any thread; core->lock guards what is
 *     not said to be guarded otherwise. Kernels run one after the other, in turn
 *     (turn.c), but for those that wait.
 *   - Streams execute in order, at once: when a call that enqueues work returns, the work is done
 *     (or recorded, where the stream is capturing), unless it waits for what comes later: aside.c. An error that a kernel raises sticks to the
 *     Core, as it does to a context on a GPU.
 *   - Device addresses are host addresses (exec.h): copies are memmove.
 *   - Nothing here prints. What a person should read goes to `warplens run` as a message.
 *
 * What it does not do: imitate NVIDIA's driver towards NVIDIA's runtime (cuGetExportTable is not
 * supported), sparse arrays, memory of other drivers. */
#pragma once

#include "base/kernel_name.h"
#include "cuda/driver.h"
#include "exec/exec.h"
#include "image/image.h"
#include "machine/machine.h"
#include "wire/wire.h"

#include <pthread.h>

/* ---- core.c: the process ---- */

/* What `warplens run` chose, from the environment. */
typedef struct Settings {
    const Gpu *gpu;         /* WARPLENS_GPU */
    const char *kernels;    /* WARPLENS_KERNEL: a name that they fit; NULL: all are profiled */
    LaunchNumbers launches; /* WARPLENS_LAUNCHES: of a kernel to profile */
    Shard shard; /* WARPLENS_SHARD: of the launches that would be profiled, those that are */
    uint64_t stop_after; /* WARPLENS_STOP_AFTER: launches that are profiled; 0 = never */
    bool once;           /* WARPLENS_ONCE is set: launches that repeat others are not profiled */
    const char *
        counts_only; /* WARPLENS_COUNTS_ONLY: a name that kernels fit of which not all blocks need run */
    bool list;       /* WARPLENS_LIST is set: tell which kernels are launched, count nothing */
    uint32_t workers;    /* WARPLENS_THREADS; 0 = all processors */
    Engine engine;       /* WARPLENS_ENGINE, and WARPLENS_PLUGIN: the path of its plug-in */
    uint32_t evidence;   /* WARPLENS_EVIDENCE: blocks */
    uint32_t sample;     /* WARPLENS_SAMPLE: as Launch.sample */
    bool caches;         /* WARPLENS_CACHES: as Launch.caches */
    bool time;           /* WARPLENS_TIME: as Launch.time */
    uint32_t clock_mhz;  /* WARPLENS_CLOCK: as Launch.clock_mhz */
    uint64_t limit;      /* WARPLENS_LIMIT: as Launch.limit */
    uint64_t schedule;   /* WARPLENS_SCHEDULE, seed:N: as Launch.schedule */
    ArchChoice choice;   /* of the PTX; WARPLENS_PTX forces one: compute_80 */
    bool profile;        /* WARPLENS_NO_PROFILE is not set */
    bool stop_at_fault;  /* WARPLENS_FAULT=stop: end the program; else it gets the error */
    bool reads_beyond;   /* WARPLENS_FAULT=pass-reads */
    const char *layouts; /* WARPLENS_LAYOUTS: of shared arrays, for a proof; see layouts.c */
    const char *
        orders; /* WARPLENS_ORDERS: a folder for what memory holds behind each launch; see orders.c */
    bool blocking;    /* CUDA_LAUNCH_BLOCKING: the host waits for each launch */
    bool results;     /* WARPLENS_RESULTS is set: tell what the program computes; see results.c */
    bool progress;    /* WARPLENS_PROGRESS is set: tell of launches that last while they run */
    uint32_t devices; /* WARPLENS_DEVICES: of the machine */
    SanitizeOptions checks; /* WARPLENS_SANITIZE: what launches are checked for */
    MachineUse machine;     /* WARPLENS_MACHINE_CODE: which code of kernels is executed */
} Settings;

/* Launches are recorded to the socket at `path` from now on; NULL: they just run. For a process that no `warplens run` started: from
 * the first call on, what is told while nothing is recorded goes to standard error. false: the path is too long. */
bool core_record(const char *path);

/* From the next launch on, kernels have these layouts of shared arrays (layouts.c); NULL: their own. Waits for one that runs. */
void core_layouts(const char *layouts);

/* From now on a block of one thread stands for the block that the kernel requires, if it requires one: so cuTile launches. */
void core_tile_launches(void);

/* Launches of this thread are in the range of that name, until it is popped: as NVTX's push and pop. */
void range_push(const char *name);
void range_pop(void);

/* Keeps the text of a source that is in no file. Returns the name that it goes by from now on: `name`, or one that no other text has. */
const char *source_note(const char *name, const char *text);

typedef struct Core Core;
/* Made at the first call, on any thread. */
Core *core_get(void);
const Settings *core_settings(void);
typedef struct Device Device;
/* Of those that the program sees; NULL: there is no such device. */
Device *device_of(CUdevice ordinal);
uint32_t device_count(void);
Memory *core_memory(void);
/* For every entry point that a program calls and nothing implements: told to `warplens run` once for
 * each name, which lists them at the end. */
CUresult core_unsupported(const char *name);
/* A text for the user of `warplens run`, of one or more lines without the last newline. */
void core_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, if none was told about `name` before. */
void core_message_once(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* `what` and the diagnostics, as a message. */
void core_diags(const char *what, const Diags *diags);
/* ---- defects.c: --sanitize, of the program itself ---- */

typedef struct NotedDefect NotedDefect;
bool defects_wanted(DefectKind kind);
/* By the call that is being made. NULL: it is not wanted. */
NotedDefect *defect_note(DefectKind kind, const char *what);
/* The same of two calls: `by`, and `other` before it. Equal keys: the same defect. `count`: how often. */
typedef struct DefectPair DefectPair;
void defect_note_pair(DefectKind kind, const DefectPair *pair, const char *what, uint64_t count);
void defect_take_back(NotedDefect *noted);

/* Memory ended in a call: told, and what every later call gets, as after a fault, since what the call was changing is not whole. */
CUresult core_exhausted(void);
/* The error that an earlier kernel left behind, or CUDA_SUCCESS. */
CUresult core_sticky(void);
/* A kernel, or other work, faults: told, and `error` is what later calls get; or the program ends here, if
 * that is wanted (--fault stop). */
void core_fault(const char *message, CUresult error);
/* The current context of this thread; without one, the first device's primary context becomes
 * current. */
CUcontext core_context(void);
