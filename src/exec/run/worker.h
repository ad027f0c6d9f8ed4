/* worker.h: workers, each a thread with blocks of a launch, and what those of one launch share. Private to
 * exec. */
#pragma once

#include "exec/calls/calls.h"
#include "exec/run/cta.h"

#include <pthread.h>

typedef struct BlockCount {
    uint64_t warps, lanes;
} BlockCount;

/* The allocation that an instruction touched last: the next access is likely there. */
typedef struct LastHit {
    uint64_t first, bytes;
    bool read_only;
    uint64_t
        stored; /* compiled code: lane 0's address of the last whole lines that it stored there */
} LastHit;

/* In cache lines of its own, or what one worker writes would take from another what it reads. */
struct Worker {
    _Alignas(64) Run *run; /* NULL: it has no part in the launch */
    const Launch *launch;
    const Program *program;
    Arena *arena;
    Account account;
    BlockCount *block_counts; /* [basic blocks] */
    LastHit *hits;            /* [sites + 1] */
    uint32_t number;
    _Atomic uint64_t ended; /* blocks of the run */
    Cta *resident;          /* blocks that have begun and not ended, in the order they take turns */
    Arena *evidence_arena;  /* of this launch */
    Cta *spare;             /* memory of ended ones, to be used again */
    Cluster *spare_clusters;
    Fault fault;
    uint64_t beyond; /* as in LaunchResult */
    const Insn *beyond_at;
    Activation *activations[ACTIVATION_CLASSES]; /* free ones, by the size of what they save */
    Tier *tier;                                  /* NULL: all is interpreted */
    bool observes;                               /* tier_observe sees what it interprets */
    bool looks; /* there is a follower, a Sanitizer, a DrawnOrder, or the time is estimated */
    struct Follower *follower;  /* classes.h; NULL: blocks are just executed */
    uint64_t interpreted;       /* warp instructions in this launch, where there is a tier */
    uint64_t by_plan;           /* … by the first tier (exec/tier/plan.h) */
    uint64_t stops[STOP_KINDS]; /* of compiled code, in this launch */
    bool counting;              /* what compiled code counts is wanted */
    /* what it ran last; the numbers of frame and notes are that code's */
    const CompiledCode *counted;
    Frame *frame;
    Notes *notes;
    AskedGroups *asked; /* as `counted`: compiled_caches.c; NULL: nothing yet */
    const Warp *last;   /* that ran it; NULL: nothing was counted yet */
    uint64_t clock;     /* what %clock reads: warp instructions so far */
    uint64_t told_at;   /* … when it looked at the time last */
    /* See limit.c. */
    Activity activity;
    uint64_t deeds_seen;            /* its deeds and stores, when a warp looked last */
    _Atomic uint64_t progress_seen; /* Run.progress, and blocks that had ended, then */
    uint64_t idle;                  /* instructions since the last progress */
    _Atomic uint64_t waited;        /* … with what polls count as: for all */
    _Atomic bool runs;              /* it has blocks, or looks for some: for all */
    uint64_t excused;               /* that a warp may execute beyond Run.limit */
    BlockCount *counts_then;        /* block_counts then; NULL: there was none */
};

/* ---- worker.c ---- */

/* What the workers of one launch share. */
struct Run {
    const Launch *launch;
    const Function *kernel;
    const Gpu *gpu;
    const Program *program;
    uint64_t number;                    /* of the launch, among those of the kernel */
    uint64_t limit, idle_limit, period; /* see limit.c; a warp looks after so many instructions */
    const uint64_t *chosen; /* linear numbers of the blocks to run; NULL: 0 … count-1 */
    uint64_t count, step;   /* blocks to run; the k-th is chosen[k] or k * step */
    uint32_t cluster[3];    /* blocks of a cluster; 1,1,1 without: what is counted are clusters */
    uint32_t cluster_size;  /* their product */
    bool is_clustered;      /* %is_explicit_cluster */
    uint64_t grid_barrier;  /* of a cooperative launch: %envreg1 and 2; else 0 */
    uint64_t evidence_step; /* every so many-th of them is recorded; 0 = none */
    bool evidence_all;      /* of those every pattern is kept */
    uint64_t recorded;      /* how many that is */
    uint64_t part_first;    /* of a part: the place of its first block in the order of shard.c */
    bool slow_shared, slow_global; /* accesses do not take the fast path */
    bool tells;                 /* … since a Sanitizer is told of them, and for no other reason */
    const RelaidArrays *relaid; /* other layouts of shared variables, or NULL */
    DrawnOrder *schedule;       /* NULL: the order is not drawn */
    Sampling *sampling;         /* NULL: all blocks are counted that run */
    Tier *tier;                 /* NULL: all is interpreted */
    uint32_t shared_end;        /* of shared memory with them */
    const StoredArrays *stored; /* arrays of global memory that are stored otherwise, or NULL */
    Caches *caches;             /* NULL: they are not modelled */
    Timed *timed;               /* NULL: the time is not estimated */
    _Atomic int stop;           /* a fault somewhere, or interrupted */
    _Atomic bool exhausted;     /* memory ended in a worker */
    _Atomic bool waits;         /* Launch.waits was told so */
    _Atomic uint64_t endless;   /* the first block in an endless loop: those behind it stop */
    double started;
    double expected; /* seconds of one worker, as the kernel's last launch was; 0: unknown */
    Worker *workers;
    uint32_t worker_count;
    pthread_mutex_t print_lock; /* Launch.print is called by one worker at a time */
    Workers *others;            /* started by the first worker where the launch is long */
    /* All workers write it, block by block: apart from what they read at every access. */
    _Alignas(64) _Atomic uint64_t next; /* to begin */
    _Atomic uint64_t progress;          /* counts what workers did that others may wait for */
    _Atomic uint64_t guesses;           /* of which parted lanes go on: converge.c */
};
/* The warp's only path has come to that basic block, and its turn is over. */
static inline bool warp_is_over(const Warp *warp, uint32_t block) {
    return warp->executed >= warp->stop_at &&
           (!warp->worker->program->quiet[block] || warp->executed >= warp->quiet_to);
}
/* Blocks that have ended. */
static inline uint64_t run_done(const Run *run) {
    uint64_t done = 0;
    for (uint32_t w = 0; w < run->worker_count; w++)
        done += run->workers[w].ended;
    return done;
}
/* The launch reads from that block. */
static inline void launch_reads(const Launch *launch, const MemoryBlock *block) {
    const ReadSet *reads = launch->reads;
    uint32_t index = reads ? memory_index(launch->memory, block) : 0;
    if (reads && index < reads->count)
        __atomic_store_n(&reads->has[index], 1, __ATOMIC_RELAXED);
}
void worker_run(void *run, uint32_t worker); /* for workers_start */
/* Begins the k-th block (cluster) of the run and runs it to its end, on a worker that has no other. false: it
 * faulted, or was interrupted. */
bool worker_run_unit(Worker *worker, uint64_t k);
/* Makes a worker ready for the run; what it allocated for earlier ones is used again. */
void worker_ready(Worker *worker, Run *run, uint32_t number);

/* ---- shard.c: parts of a launch ---- */

/* Whether the launch can be shared out: false: diags says why not, with the line. */
bool shard_check(const Launch *launch, const Function *kernel, Diags *diags);
void shard_choose(Run *run); /* count, step and evidence are those of the whole launch */
uint64_t shard_unit(const Run *run,
                    uint64_t k); /* the k-th unit of the part, by its number in the grid */

/* ---- limit.c: endless loops ---- */

void limit_set(Run *run, const Launch *launch);
/* [basic blocks]: whether a store is in it that is executed with it. */
bool *limit_stores(Arena *arena, const Program *program);
/* A warp has executed warp->look_at instructions. false: that is an endless loop. */
bool limit_look(Warp *warp);
void limit_fault(Warp *warp);
/* What the worker's warps have done that others may wait for. */
uint64_t limit_deeds(const Worker *worker);
