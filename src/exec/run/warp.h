/* warp.h: what the files of exec/ share - warps, blocks, workers and what runs them. Private to the layer. */
#pragma once

#include "exec/access/access.h"

#include <pthread.h>

typedef struct Cta Cta;
typedef struct Cluster Cluster;
typedef struct Worker Worker;
typedef struct Activation Activation;
typedef struct Tier Tier;
typedef struct Compiled Compiled;
typedef struct Frame Frame;
typedef struct Notes Notes;
typedef struct Sweep Sweep;
typedef struct Sampling Sampling;

typedef enum PathState {
    PATH_RUNS,
    PATH_WAITS_WARP,    /* at a .sync instruction for the lanes of `wait` */
    PATH_WAITS_BARRIER, /* at barrier number `wait` of the block */
    PATH_WAITS_CLUSTER  /* at the cluster's barrier */
} PathState;

/* One group of lanes of a warp that run together. */
typedef struct Path {
    uint32_t pc;    /* index in program->code */
    uint32_t mask;  /* lanes; 0 = free */
    uint32_t order; /* of the basic block that it is in */
    uint32_t wait;
    uint32_t result; /* bar.red: what the barrier gave */
    uint8_t state;   /* PathState */
    bool released;   /* the wait is over: the instruction at pc goes through now */
    bool inside;     /* pc is inside a basic block that has been counted */
    bool passed;     /* another path has executed the instruction at pc for it */
    bool awaits;     /* the last mbarrier that it looked at was not there yet */
    uint32_t frame;  /* where the frame of its function begins in the local memory of its lanes */
    Activation *activation; /* NULL: in the kernel itself */
} Path;

/* What is written down of a block's accesses: their counts, and the addresses as evidence. */
typedef enum Counting { COUNT_NOTHING, COUNT_ACCESSES, COUNT_AND_RECORD } Counting;

/* The block's own, and one for each warpgroup, whose warps meet behind wgmma. */
enum { BARRIERS_NAMED = 16, BARRIERS = BARRIERS_NAMED + 1024 / WARP_LANES / WARPGROUP_WARPS };

/* The mbarrier that a warp waited for last, in vain. */
typedef struct Awaited {
    const Code *code;
    uint64_t address;
    uint32_t lane;
} Awaited;

/* Spinning operations after which another path has its turn: many at first, since a loop may do much
 * that looks like spinning; then half as many each time, until all lanes have met again. */
enum { PATIENCE_MOST = 8192, PATIENCE_LEAST = 4 };

struct Warp {
    uint8_t *registers;
    uint32_t carry;  /* CC.CF of each lane */
    uint32_t live;   /* lanes that exist and have not exited */
    uint32_t exists; /* lanes that exist */
    uint32_t number; /* in the block */
    Cta *cta;
    Worker *worker;
    Path *current;
    Path paths[WARP_LANES];
    uint32_t path_count; /* of paths in use, the first ones */
    uint8_t *local;      /* lane l's local memory is at local + l * program->stack_stride */
    Sweep *sweeps;       /* [program->sweep_count] */
    uint32_t guests;     /* lanes of other paths that the next .sync instruction is for, too */
    uint32_t stack_used; /* bytes of it that this block has used, the first ones */
    uint32_t arrived[BARRIERS]; /* lanes at each barrier, before the others of the warp */
    uint32_t cluster_arrived;   /* lanes that have arrived at the cluster's barrier */
    uint64_t executed;          /* warp instructions of this block so far */
    uint32_t spins;    /* operations that a spinning lane would do, since the last progress */
    uint32_t patience; /* with so many of them, before another path has its turn */
    Counting counting; /* as the block's */
    Awaited awaited;
    bool multiplied; /* by wgmma, since the warps of its group met */
    bool done;
};

static inline uint32_t *reg32(const Warp *warp, uint32_t offset) {
    return (uint32_t *)(void *)(warp->registers + offset);
}
static inline uint64_t *reg64(const Warp *warp, uint32_t offset) {
    return (uint64_t *)(void *)(warp->registers + offset);
}
/* A predicate operand of a Code: i-th read operand at `offset`, negation applied. */
static inline uint32_t read_pred(const Warp *warp, const Code *code, uint32_t offset, uint32_t i) {
    return *reg32(warp, offset) ^ (0u - ((code->negated >> i) & 1u));
}
static inline void write_pred(const Warp *warp, uint32_t offset, uint32_t mask, uint32_t value) {
    uint32_t *p = reg32(warp, offset);
    *p = (*p & ~mask) | (value & mask);
}

/* An operation that a lane does which waits in a loop for others (atomics, volatile loads …):
 * now and then it gives others a turn. */
static inline Step warp_spins(Warp *warp) {
    warp->current->awaits = false; /* nor does it wait for an mbarrier alone */
    return ++warp->spins % 32 ? STEP_NEXT : STEP_YIELD;
}

#define for_lanes(lane, mask)                                                                      \
    for (uint32_t rest_##lane = (mask), lane = 0;                                                  \
         rest_##lane && (lane = (uint32_t)__builtin_ctz(rest_##lane), 1);                          \
         rest_##lane &= rest_##lane - 1)

/* ---- call.c ---- */

/* Lanes that called together, until the last of them is back. */
struct Activation {
    Activation *parent; /* NULL: the kernel called; in a free list: the next one */
    const Code *call;
    const Routine *routine;
    uint32_t lanes; /* in it or in what it called */
    uint32_t frame, caller_frame;
    uint32_t depth; /* 1: called by the kernel */
    uint32_t order; /* of the call's basic block */
    uint32_t size_class;
    uint8_t *saved; /* call->saved, one behind the other */
};
enum { ACTIVATION_CLASSES = 26 };

/* The lanes for which the call at the end of a basic block is to happen enter what they call. */
Step call_enter(Warp *warp, Path *path, const Code *code, uint32_t lanes);
/* All lanes of the path return to behind their call; false: there is nothing behind it. */
bool call_return(Warp *warp, Path *path);
/* Lanes of the path have exited: they return from nothing any more. */
void call_forget(Warp *warp, Activation *activation, uint32_t lanes);
/* The value of an argument (up to 8 bytes) in one lane. */
uint64_t call_argument(const Warp *warp, const Call *call, uint32_t index, uint32_t lane);
/* The first bytes of one that is longer. */
void call_argument_bytes(const Warp *warp, const Call *call, uint32_t index, uint32_t lane,
                         void *to, uint32_t bytes);
void call_set_result(const Warp *warp, const Call *call, uint32_t lane, uint64_t value);
/* Host memory behind a generic address of a lane, and how many bytes there are; NULL: none. */
uint8_t *lane_memory(const Warp *warp, uint32_t lane, uint64_t address, uint64_t *bytes);

/* A NUL-terminated string of the kernel, bounded by where it lies; "?" where it cannot be read. */
const char *lane_string(const Warp *warp, uint32_t lane, uint64_t address, size_t *length);

/* ---- printf.c, heap.c: functions that the CUDA runtime provides to kernels ---- */

Step exec_pass(Warp *warp, const Code *code, uint32_t mask);       /* control.c */
Step exec_assertfail(Warp *warp, const Code *code, uint32_t mask); /* control.c */
Step exec_vprintf(Warp *warp, const Code *code, uint32_t mask);
Step exec_malloc(Warp *warp, const Code *code, uint32_t mask);
Step exec_free(Warp *warp, const Code *code, uint32_t mask);

/* ---- blocks and workers: cta.c, worker.c ---- */

/* A barrier counts threads, or warps where the instruction said how many threads it is for
 * (PTX ISA, "bar": the count is then a multiple of the warp size). A warp whose lanes arrive one path
 * after the other has arrived with the last of them. */
typedef struct Barrier {
    uint32_t threads;  /* that arrived */
    uint32_t warps;    /* all of whose live lanes arrived */
    uint32_t expected; /* warps; 0 = all live threads of the block */
    uint32_t yes;      /* bar.red: threads whose predicate holds */
} Barrier;

/* The blocks of a cluster. They run on one worker, so that their shared memory is changed by one
 * thread of ours alone. */
enum { CLUSTER_MOST = 16 };
struct Cluster {
    Cta *blocks[CLUSTER_MOST]; /* by rank; NULL: it has ended */
    uint32_t size, left;       /* blocks; of them not ended */
    uint32_t arrived;          /* threads at its barrier */
    uint64_t phases;           /* of its mbarriers that are over */
    uint32_t stuck;            /* rounds in a row in which its warps only waited for mbarriers */
    Cluster *next;             /* spare */
};

struct Cta {
    Worker *worker;
    Cluster *cluster;
    uint32_t rank; /* in it */
    const Program *program;
    uint32_t index[3];
    uint64_t linear;
    uint8_t *
        shared; /* address 0 of shared memory; accesses lie in [program->shared.base, shared_end) */
    uint32_t shared_end;
    uint32_t shared_room; /* the same with the launch's layouts */
    Warp *warps;
    uint32_t warp_count;
    uint32_t live_threads;
    Barrier barriers[BARRIERS];
    Counting counting;
    uint32_t record;   /* number among those that are recorded */
    uint32_t together; /* rounds that its warps still run side by side */
    uint32_t requests; /* of its threads to the device runtime: launches, copies (child.h) */
    uint8_t *errors;   /* [threads]: the last error of each; NULL: there was none on this worker */
    bool has_errors;
    bool spinning;   /* its last turn brought nothing but waiting */
    uint64_t filled; /* Run.number that its warps' registers were filled for; 0 = none */
    bool over;       /* has ended; the other blocks of its cluster still have a turn */
    Cta *next;
};

typedef struct BlockCount {
    uint64_t warps, lanes;
} BlockCount;

/* The allocation that an instruction touched last: the next access is likely there. */
typedef struct LastHit {
    uint64_t first, bytes;
    bool read_only;
} LastHit;

/* Of a site; in cache lines of their own, since every access adds to them by vectors. */
typedef struct SiteCounters {
    _Alignas(64) Counters sum;
} SiteCounters;

/* What accesses cost that a worker has seen: see ops_memory.c. */
enum { KNOWN_COST_BITS = 8 };
typedef struct KnownCost {
    uint64_t kind; /* 0: none yet */
    uint64_t apart;
    int64_t stride[2];
    Counters cost;
} KnownCost;

/* In cache lines of its own, or what one worker writes would take from another what it reads. */
struct Worker {
    _Alignas(64) Run *run; /* NULL: it has no part in the launch */
    const Launch *launch;
    const Program *program;
    Arena *arena;
    SiteCounters *sites;      /* [sites] */
    BlockCount *block_counts; /* [basic blocks] */
    LastHit *hits;            /* [sites + 1] */
    KnownCost *costs;         /* [1 << KNOWN_COST_BITS] */
    uint32_t number;
    _Atomic uint64_t ended; /* blocks of the run */
    Cta *resident;          /* blocks that have begun and not ended, in the order they take turns */
    Arena *evidence_arena;  /* of this launch */
    Evidence *evidence;     /* of all its recorded blocks; NULL: none */
    Touched *touched;       /* by them; NULL: none */
    Cta *spare;             /* memory of ended ones, to be used again */
    Cluster *spare_clusters;
    Fault fault;
    Activation *activations[ACTIVATION_CLASSES]; /* free ones, by the size of what they save */
    Tier *tier;                                  /* NULL: all is interpreted */
    bool observes;                               /* tier_observe sees what it interprets */
    uint64_t interpreted;    /* warp instructions in this launch, where there is a tier */
    bool counting;           /* what compiled code counts is wanted */
    const Compiled *counted; /* what it ran last; the numbers of frame and notes are that code's */
    Frame *frame;
    Notes *notes;
    const Warp *last; /* that ran it; NULL: nothing was counted yet */
    uint64_t clock;   /* what %clock reads: warp instructions so far */
};

/* ---- warp.c, diverge.c ---- */

typedef enum WarpEnd { WARP_DONE, WARP_BLOCKED, WARP_YIELDED, WARP_SLICE, WARP_FAULT } WarpEnd;
/* Runs until all lanes have exited, all wait, or about `budget` instructions were executed. */
WarpEnd warp_run(Warp *warp, uint64_t budget);
/* Lanes of the path part at the end of basic block `from`: `taken` go to its successor[1]. */
void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken);
/* Lanes of the path go on at the start of basic block `to` in a path of their own. */
void path_part(Warp *warp, Path *path, uint32_t lanes, uint32_t to);
/* Lanes of the path become a path of their own at the same place. */
Path *path_split(Warp *warp, Path *path, uint32_t lanes);
/* The path goes on at the start of basic block `to`. */
void path_enter(Warp *warp, Path *path, uint32_t to);
/* All lanes of the path return from their function; false: from the kernel, the path is gone. */
bool path_leave(Warp *warp, Path *path);
/* Lanes of `mask` exit; the path is gone where none is left. */
void path_exit(Warp *warp, Path *path, uint32_t mask);
/* The path at the first basic block, joined by all others that stand at its start; NULL: none can run. */
Path *path_choose(Warp *warp);
/* The next path in turn that can run, the current one last; NULL: none. */
Path *path_next(Warp *warp);
/* Every other live lane of the warp may still come to where the path stands, or waits there. */
bool path_others_come(const Warp *warp, const Path *path);
/* Paths that a barrier let go at one instruction go on as one. */
void path_join_released(Warp *warp);
/* For an instruction that all lanes of `members` execute together: true when the lanes of *mask go
 * through now, to which lanes of other paths may be added. false: STEP_WAIT; the path waits, or is to execute it again with the lanes it got. */
bool path_together(Warp *warp, Path *path, const Code *code, uint32_t *mask, uint32_t members);

/* ---- cta.c ---- */

/* WAITS: for other blocks of its cluster. */
typedef enum CtaEnd { CTA_DONE, CTA_SLICE, CTA_YIELDED, CTA_WAITS, CTA_FAULT } CtaEnd;
Cta *cta_new(Worker *worker);
/* The block of that rank in the cluster. unit: number of the cluster in the grid. */
void cta_begin(Cta *cta, Cluster *cluster, uint64_t unit, uint32_t rank);
CtaEnd cta_run(Cta *cta);
/* Lanes of the warp arrived at the barrier. */
void cta_arrive(Warp *warp, uint32_t barrier, uint32_t lanes);
/* Lanes of the warp have exited: barriers that waited for them may be complete. */
void cta_depart(Warp *warp);

/* ---- cluster.c ---- */

Cluster *cluster_new(Worker *worker, uint32_t size);
void cluster_leave(Worker *worker, Cta *cta); /* the block has ended */
/* Threads of the cluster arrived or exited: its barrier may be complete. */
void cluster_check(Cluster *cluster);
/* The block waits at the cluster's barrier, and others of the cluster can come on. */
bool cluster_awaited(const Cta *cta);

/* ---- fill.c: what registers hold when a block begins ---- */

void fill_warp(const Cta *cta,
               Warp *warp); /* immediates, parameters, what is the same in all blocks */
void fill_block(const Cta *cta, Warp *warp); /* what depends on the block */
bool fill_depends_on_block(const Fill *fill);

/* ---- worker.c ---- */

/* What the workers of one launch share. */
struct Run {
    const Launch *launch;
    const Function *kernel;
    const Gpu *gpu;
    const Program *program;
    uint64_t number;        /* of the launch, among those of the kernel */
    uint64_t limit;         /* Launch.limit, or the default */
    const uint64_t *chosen; /* linear numbers of the blocks to run; NULL: 0 … count-1 */
    uint64_t count, step;   /* blocks to run; the k-th is chosen[k] or k * step */
    uint32_t cluster[3];    /* blocks of a cluster; 1,1,1 without: what is counted are clusters */
    uint32_t cluster_size;  /* their product */
    bool is_clustered;      /* %is_explicit_cluster */
    uint64_t evidence_step; /* every so many-th of them is recorded; 0 = none */
    const Relaid *relaid;   /* other layouts of shared variables, or NULL */
    Sampling *sampling;     /* NULL: all blocks are counted that run */
    Tier *tier;             /* NULL: all is interpreted */
    uint32_t shared_end;    /* of shared memory with them */
    const Stored *stored;   /* arrays of global memory that are stored otherwise, or NULL */
    _Atomic int stop;       /* a fault somewhere, or interrupted */
    double started;
    double expected; /* seconds of one worker, as the kernel's last launch was; 0: unknown */
    Worker *workers;
    uint32_t worker_count;
    pthread_mutex_t print_lock; /* Launch.print is called by one worker at a time */
    Workers *others;            /* started by the first worker where the launch is long */
    /* All workers write it, block by block: apart from what they read at every access. */
    _Alignas(64) _Atomic uint64_t next; /* to begin */
};
/* Blocks that have ended. */
uint64_t run_done(const Run *run);
void worker_run(void *run, uint32_t worker); /* for workers_start */
/* Makes a worker ready for the run; what it allocated for earlier ones is used again. */
void worker_ready(Worker *worker, Run *run, uint32_t number);

/* ---- prepare.c ---- */

/* Rows of the profile that belong to the kernel, and for each instruction its location's. */
typedef struct Rows {
    Profile *profile;
    uint32_t kernel;
    uint32_t *location_of; /* [program->code_count]; NONE: not yet */
    uint32_t *files;       /* [module->locations.count]: profile location, NONE: not yet */
} Rows;

/* What is known of a kernel, for its next launches with `sample`. */
typedef struct Sampled {
    bool known;          /* the code was looked at */
    const char *because; /* why all blocks are counted; NULL: nothing speaks against sampling */
} Sampled;

struct Prepared {
    Arena *arena;
    const Function *kernel;
    const Gpu *gpu;
    Program *program;
    Tier *tier; /* NULL: no launch has asked for one */
    uint64_t launches;
    Rows rows;
    uint32_t block[3], dynamic_shared; /* of what the workers have allocated */
    bool relaid;                       /* with other layouts of shared variables */
    double block_seconds;              /* of a worker, on average of the last launch; 0: none yet */
    Worker *workers;
    uint32_t worker_count;
    Sampled sampled;
};
/* `count` workers whose blocks have the launch's shape. */
Worker *prepared_workers(Prepared *prepared, const Launch *launch, uint32_t count);

/* ---- record.c ---- */

/* Adds the launch to the profile, with its kernel, sites, locations and files as far as they are
 * new. Returns its number. */
uint32_t record_launch(Rows *rows, const Run *run, const LaunchResult *result, double wall_seconds,
                       double cpu_seconds);
