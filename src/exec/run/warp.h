/* warp.h: a warp and its paths; registers. Private to exec. */
#pragma once

#include "exec/access/access.h"

typedef struct Cta Cta;
typedef struct Cluster Cluster;
typedef struct Worker Worker;
typedef struct Activation Activation;
typedef struct Tier Tier;
typedef struct CompiledCode CompiledCode;
typedef struct Frame Frame;
typedef struct Notes Notes;
typedef struct AskedGroups AskedGroups;
typedef struct Sweep Sweep;
typedef struct Sampling Sampling;
typedef struct DrawnOrder DrawnOrder;
typedef struct Caches Caches;
typedef struct Timed Timed;

typedef enum PathState {
    PATH_RUNS,
    PATH_WAITS_WARP,    /* at a .sync instruction for the lanes of `wait` */
    PATH_WAITS_BARRIER, /* at barrier number `wait` of the block */
    PATH_WAITS_CLUSTER  /* at the cluster's barrier */
} PathState;

/* One group of lanes of a warp that run together. What each basic block changes comes first: see path_split. */
typedef struct Path {
    uint32_t pc;    /* index in program->code */
    uint32_t mask;  /* lanes; 0 = free */
    uint32_t order; /* of the basic block that it is in */
    bool inside;    /* pc is inside a basic block that has been counted */
    uint64_t turn;  /* of machine code, the path that parted last runs first */
    uint32_t wait;
    uint32_t result; /* bar.red: what the barrier gave */
    uint8_t state;   /* PathState */
    bool released;   /* the wait is over: the instruction at pc goes through now */
    bool passed;     /* another path has executed the instruction at pc for it */
    bool yielded; /* at a YIELD of machine code: it lets others go first, who do not wait for it */
    bool awaits;  /* the last mbarrier that it looked at was not there yet */
    bool latest;  /* machine code: of those that wait for their turn it parted last */
    bool queued;  /* machine code: it was that, and another parted since */
    bool overtaken; /* has yielded, and others have passed BSYNC without it since */
    bool leaves; /* machine code: it yields, or comes to BSYNC, and who goes on is not chosen yet */
    uint64_t left;  /* machine code: when it did so last, if nobody was picked since; else 0 */
    uint64_t since; /* machine code: when it came to where it waits */
    uint32_t frame; /* where the frame of its function begins in the local memory of its lanes */
    Activation *activation; /* NULL: in the kernel itself */
} Path;

enum { CONVERGENCE_BARRIERS = 16 };

/* What is written down of a block's accesses: their counts, and the addresses as evidence. */
typedef enum Counting { COUNT_NOTHING, COUNT_ACCESSES, COUNT_AND_RECORD } Counting;

/* The block's own, and one for each warpgroup, whose warps meet behind wgmma. */
enum { BARRIERS_NAMED = 16, BARRIERS = BARRIERS_NAMED + 1024 / WARP_LANES / WARPGROUP_WARPS };

/* The mbarrier that a warp waited for last, in vain. */
typedef struct MbarrierWait {
    const Code *code;
    uint64_t address;
    uint32_t lane;
} MbarrierWait;

/* Spinning operations after which another path has its turn: many at first, since a loop may do much
 * that looks like spinning; then half as many each time, until all lanes have met again. */
enum {
    PATIENCE_MOST = 8192,
    PATIENCE_LEAST = 4,
    PATIENCE_NONE = 0,   /* of an order that is drawn, where each turn is */
    PATIENCE_DRAWN = 256 /* then */
};

/* What a worker's warps do, for limit.c. */
typedef struct Activity {
    uint64_t deeds; /* atomic operations that changed memory, warps that ended */
    uint64_t polls; /* reads that wait for others, since the last progress */
} Activity;

/* What every turn looks at comes first, in two cache lines and that of its only path: between two barriers a warp may
 * do little else than to have its turn. */
struct Warp {
    _Alignas(64) uint8_t *registers;
    Cta *cta;
    Worker *worker;
    Path *current;
    uint64_t executed;   /* warp instructions of this block so far */
    uint64_t stop_at;    /* of them, where its turn ends before a basic block that others notice */
    uint64_t quiet_to;   /* likewise before a block that is quiet: program->quiet */
    uint64_t look_at;    /* when it looks for progress: limit.c */
    uint32_t path_count; /* of paths in use, the first ones */
    uint32_t live;       /* lanes that exist and have not exited */
    uint32_t spins;      /* operations that a spinning lane would do, since the last progress */
    uint32_t spins_ever; /* each so many end the warp's turn, whichever path does them */
    Counting counting;   /* as the block's */
    Sweep *sweeps;       /* [program->sweep_count] */
    uint64_t lasting;    /* sweeps whose registers are as they were looked at; valid while … */
    /* … this is `executed`, as it was when the interpreter entered a basic block last */
    uint64_t entered;
    uint64_t before;    /* warp instructions of earlier blocks */
    Activity *activity; /* the worker's */
    uint32_t carry;     /* CC.CF of each lane */
    uint32_t number;    /* in the block */
    uint32_t patience;  /* with so many spins, before another path has its turn */
    uint32_t guests;    /* lanes of other paths that the next .sync instruction is for, too */
    bool done;
    _Alignas(64) Path paths[WARP_LANES];
    uint8_t *local;      /* lane l's local memory is at local + l * program->stack_stride */
    uint32_t exists;     /* lanes that exist */
    uint32_t stack_used; /* bytes of `local` that this block has used, the first ones */
    uint32_t sleeps;     /* rounds without a turn: schedule.h */
    bool multiplied;     /* by wgmma, since the warps of its group met */
    uint64_t turns;      /* given so far */
    uint64_t looked_at;  /* when it looked for progress last */
    /* lanes at each barrier, before the others of the warp: Cta.parted */
    uint32_t arrived[BARRIERS];
    uint32_t barriers[CONVERGENCE_BARRIERS]; /* machine code: the lanes in each */
    uint32_t picked; /* machine code: the lane by which a path was picked last */
    bool from_queue; /* machine code: who went on last without being picked was in the queue */
    bool yields;     /* machine code: lanes have yielded while the warp was parted */
    uint32_t cluster_arrived; /* lanes that have arrived at the cluster's barrier */
    MbarrierWait awaited;
    uint32_t *unset; /* registers that hold what nobody has written: unset.h; NULL: none did */
};

/* Another number for each basic block that the warp enters, interpreted or compiled. */
static inline uint64_t warp_entered(const Warp *warp) {
    return warp->before + warp->executed;
}

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

enum { SPINS_OF_A_TURN = 32 };

/* An operation that a lane does which waits in a loop for others (atomics, volatile loads …):
 * now and then it gives others a turn. */
static inline Step warp_spins(Warp *warp) {
    warp->current->awaits = false; /* nor does it wait for an mbarrier alone */
    warp->activity->polls++;
    warp->spins++;
    return ++warp->spins_ever % SPINS_OF_A_TURN ? STEP_NEXT : STEP_YIELD;
}

/* ---- warp.c, leave.c, diverge.c, paths.c ---- */

typedef enum WarpEnd { WARP_DONE, WARP_BLOCKED, WARP_YIELDED, WARP_SLICE, WARP_FAULT } WarpEnd;
/* Runs until all lanes have exited, all wait, or about `budget` instructions were executed; of basic blocks of which others
 * notice nothing up to `quiet`. */
WarpEnd warp_run(Warp *warp, uint64_t budget, uint64_t quiet);
/* It is in use, and waits for nobody. */
static inline bool path_runs(const Path *path) {
    return path->mask && path->state == PATH_RUNS;
}
/* Lanes of the path diverge at the end of basic block `from`: `taken` go to its successor[1]. */
void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken);
/* Lanes of the path go on at the start of basic block `to` in a path of their own. */
void path_branch(Warp *warp, Path *path, uint32_t lanes, uint32_t to);
/* Lanes of the path become a path of their own at the same place. */
Path *path_split(Warp *warp, Path *path, uint32_t lanes);
void path_free(Warp *warp, Path *path);
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
/* Whether a path stands before another, which it may come to, in the order of basic blocks and calls. */
bool path_stands_before(const Path *a, const Path *b);
/* Every other live lane of the warp may still come to where the path stands, or waits there. */
bool path_others_come(const Warp *warp, const Path *path);
/* Paths that a barrier let go at one instruction go on as one. */
void path_join_released(Warp *warp);
/* For an instruction that all lanes of `members` execute together: true when the lanes of *mask go
 * through now, to which lanes of other paths may be added. false: STEP_WAIT; the path waits, or is to execute it again with the lanes it got. */
bool path_together(Warp *warp, Path *path, const Code *code, uint32_t *mask, uint32_t members);

/* ---- converge.c: machine code ---- */

/* As diverge: fewer lanes go on before more. */
void diverge_machine(Warp *warp, Path *path, const Block *block, uint32_t taken);
/* As path_choose. */
Path *converge_choose(Warp *warp);
/* The convergence barrier that the instruction's first operand numbers. */
uint32_t *barrier_of(Warp *warp, const Code *code);
/* BSYNC: true: the path goes on. false: STEP_WAIT; it waits, or is to execute it again with the lanes it got or has left. */
bool path_sync(Warp *warp, Path *path, const Code *code);
/* BREAK: the lanes leave the barrier. */
void path_break(Warp *warp, Path *path, const Code *code, uint32_t lanes);
/* YIELD: the path lets others go first. false: there are no others. */
bool path_yield(Warp *warp, Path *path);
/* Lanes that wait at a convergence barrier go on without the others. */
void path_let_go(Warp *warp);
/* Lanes that others wait for have gone: who waits at an instruction of the warp executes it again; at BSYNC, where nobody is
 * missing any more. */
void paths_look_again(Warp *warp);
