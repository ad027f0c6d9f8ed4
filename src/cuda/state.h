/* state: all that the process knows. */
#pragma once

#include "cuda/allocation.h"
#include "cuda/array.h"
#include "cuda/aside.h"
#include "cuda/defects.h"
#include "cuda/device.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/unmade.h"

#include <signal.h>

/* ---- launch.c ---- */

/* Signals that end a launch early. */
enum { SIGNALS_ENDING = 3 };
typedef struct Catching {
    _Atomic bool begun;
    _Atomic uint32_t launches; /* that run; 0: a signal is passed on at once */
} Catching;

/* ---- core.c ---- */

struct Core {
    Settings settings;
    Memory *memory;
    Sanitizer *sanitizer; /* NULL: nothing is checked */
    Unmade *unmade;       /* NULL: all is computed */
    Orders *orders;       /* NULL: nothing was told yet, of orders.c */
    NotedDefect *defects;
    Precedence precedence;
    HostGuard guard;
    pthread_mutex_t lock; /* recursive: the lists and trees below */
    pthread_mutex_t turn; /* turn.c */
    pthread_cond_t turns;
    bool taken;
    struct Asides asides;
    Device devices[DEVICES_MOST];
    uint32_t device_count;
    CUresult devices_error; /* what is wrong with CUDA_VISIBLE_DEVICES */
    CUstream spare_streams, made_streams;
    CUevent spare_events, made_events;
    Library *libraries;
    CUmemoryPool pools;     /* all of them, behind the devices' own */
    uint32_t pools_made;    /* by the program */
    struct Pool graph_pool; /* of what nodes of graphs allocate */
    void *allocated;        /* tsearch tree of AllocationRecord */
    void *released;         /* tsearch tree of ReleasedRecord */
    AllocationRecord *spare_allocated;
    SharedMapping *shared;
    HintRange *hints;      /* by address */
    StartedRange *started; /* the latest one */
    _Atomic bool tiles;    /* core_tile_launches */
    _Atomic bool paused;   /* launches are not counted: cuProfilerStop */
    Reservation *reservations;
    Mapping *mappings; /* by address */
    uint64_t allocations[KINDS];
    uint64_t numbers; /* handed out to contexts, streams, allocations, graphs */
    _Atomic int sticky;
    _Atomic uint32_t nvml; /* how often NVML was initialised and not shut down */
    struct Recorder *recorder;
    Catching catching;
    volatile int
        *interrupted;    /* that ends launches early, by a signal's number, or -1; NULL: none ran */
    uint64_t launches;   /* under the turn */
    uint64_t chosen;     /* of them, by -k and --launches; under the turn */
    uint64_t shared_out; /* of those, numbered so far (--shard); under the turn */
    VEC(TextureRecord) described; /* by texture_row of the handle */
    Map *sources;                 /* names: NotedSource of sources.c; NULL: none */
    uint32_t sources_filled;      /* files of the recorder's profile; under the turn */
    Map *told;                    /* names that messages have named: unsupported calls, objects */
    Arena *arena;
};
uint64_t core_number(void);
void core_lock(void);
void core_unlock(void);

/* ---- turn.c ---- */

/* Only one thread has the turn: it launches a kernel, or changes what kernels see. A kernel that waits gives it
 * away until it ends. Any thread may give it. */
void turn_take(Core *core);
void turn_give(Core *core);
