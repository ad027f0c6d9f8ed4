/* cta.h: blocks and clusters. Private to exec. */
#pragma once

#include "exec/run/warp.h"

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
    uint32_t awaited; /* barriers at which threads have arrived, a bit for each */
    /* … at which some lanes of a warp may have, without the others: Warp.arrived */
    uint32_t parted;
    Counting counting;
    uint32_t record;   /* number among those that are recorded */
    uint32_t together; /* rounds that its warps still run side by side */
    uint32_t requests; /* of its threads to the device runtime: launches, copies (child.h) */
    uint8_t *errors;   /* [threads]: the last error of each; NULL: there was none on this worker */
    bool has_errors;
    bool spinning;            /* its last turn brought nothing but waiting */
    uint64_t filled;          /* Run.number that its warps' registers were filled for; 0 = none */
    WatchedBlock *watched;    /* by the launch's Sanitizer; NULL: it has none */
    struct CacheTrace *trace; /* what it asks of the caches; NULL: nobody wants to know */
    struct TimedBlock *timed; /* its instructions, one by one; NULL: nobody wants to know */
    bool over;                /* has ended; the other blocks of its cluster still have a turn */
    Cta *next;
};

/* ---- cta.c, arrival.c ---- */

/* WAITS: for other blocks of its cluster. */
typedef enum CtaEnd { CTA_DONE, CTA_SLICE, CTA_YIELDED, CTA_WAITS, CTA_FAULT } CtaEnd;
Cta *cta_new(Worker *worker);
/* The block of that rank in the cluster. unit: number of the cluster in the grid. */
void cta_begin(Cta *cta, Cluster *cluster, uint64_t unit, uint32_t rank);
CtaEnd cta_run(Cta *cta);
/* Lanes of the warp arrived at the barrier. */
void cta_arrive(Warp *warp, uint32_t barrier, uint32_t lanes);
/* The warp, at a barrier that lets all go on: none of them is to be far ahead of the others. */
void cta_side_by_side(Warp *warp);
/* Lanes of the warp have exited: barriers that waited for them may be complete. */
void cta_depart(Warp *warp);
/* Nothing else runs: a barrier that some lanes of a warp will not come to (barrier without .aligned)
 * takes the others for the warp. false: that completes none. */
bool cta_release_partial(Cta *cta);

/* ---- cluster.c ---- */

Cluster *cluster_new(Worker *worker, uint32_t size);
void cluster_leave(Worker *worker, Cta *cta); /* the block has ended */
/* Threads of the cluster arrived or exited: its barrier may be complete. */
void cluster_check(Cluster *cluster);
/* The block waits at the cluster's barrier, and others of the cluster can come on. */
bool cluster_awaited(const Cta *cta);

/* ---- fill.c: what registers hold when a block begins ---- */

void fill_warp(const Cta *cta,
               Warp *warp);      /* immediates, parameters, what is the same in all blocks */
void fill_block(const Cta *cta); /* what depends on the block: of all its warps */
bool fill_depends_on_block(const Fill *fill);
