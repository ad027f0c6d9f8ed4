/* sanitize: defects of programs, found in what their kernels do.
 *
 *   accesses, meetings of threads, memory that comes and goes --> Sanitizer --> Defects
 *
 * Invariants
 *   - Things are told in the order in which they happen, by one thread at a time. A launch that is
 *     looked at is interpreted by one worker; launches of a program follow each other.
 *   - An access is told before its bytes move. What was told is not taken back: an access that faults is
 *     not told.
 *   - Instructions, blocks and threads are numbers here. Whoever tells of them knows what they mean, and
 *     writes the message of a defect.
 *   - A defect is one row for all that have its kind, its instruction and the instruction of the other
 *     access: the first of them as an example, and how many there were.
 *   - Memory that was not told of is never uninitialised: no finding follows from not knowing.
 *
 * What it does not do: see kernels, warps or the Profile's tables; execute, print, stop anything. */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

/* ---- options.c: what is looked for ---- */

typedef struct SanitizeOptions {
    uint32_t checks;  /* bit i: DefectCheck i; 0: nothing, and no Sanitizer */
    bool init_strict; /* reads without a value count at once, not only what they decide */
    bool benign;      /* also races in which both write what is there anyway */
    bool stop;        /* the first finding ends its launch: sanitize_stopped */
} SanitizeOptions;
static inline bool sanitize_wants(const SanitizeOptions *options, DefectCheck check) {
    return options->checks >> check & 1;
}
/* Any check but those that look at calls alone: launches are to tell what they do. */
static inline bool sanitize_kernels(const SanitizeOptions *options) {
    return (options->checks & ~(1u << CHECK_leaks | 1u << CHECK_api)) != 0;
}
/* "all", or names of checks with commas between; "init=strict" and "races=benign" say more of these, "stop" of all.
 * false: diags names the one that is not known, `what` asks for it ("--sanitize"). */
bool sanitize_parse(const char *text, const char *what, SanitizeOptions *options, Diags *diags);

/* ---- who and where ---- */

typedef struct Sanitizer Sanitizer;
/* A block while it runs. */
typedef struct WatchedBlock WatchedBlock;

typedef struct BlockShape {
    uint64_t number;  /* in the grid, linear */
    uint64_t cluster; /* number of its cluster */
    uint32_t rank;    /* in it */
    uint32_t threads;
    const uint8_t *shared;             /* where address 0 of its shared memory is */
    uint32_t shared_first, shared_end; /* the addresses that it has */
    uint32_t shared_base;              /* what lies before is the system's */
    uint32_t local_bytes;              /* local memory of a thread */
    uint32_t local_stride;             /* from one lane's to the next one's, in the warp's */
} BlockShape;

/* Lanes of a warp at an instruction. */
typedef struct Agent {
    WatchedBlock *block;
    uint32_t warp;  /* in it; lane l is thread 32 * warp + l */
    uint32_t lanes; /* never 0 */
    uint32_t insn;  /* the number of the instruction in the launch's program: its site */
} Agent;

/* How far the order of an access or a fence reaches. */
typedef enum Scope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS } Scope;

/* ---- what was found ---- */

/* A thread, and where it was. */
typedef struct Witness {
    uint32_t insn;   /* NONE: nobody */
    uint64_t block;  /* in the grid */
    uint32_t thread; /* in the block */
} Witness;

/* What a value decides that nobody has written: FoundDefect.number[0] of an uninitialised read. */
typedef enum ValueUse {
    VALUE_IS_READ,
    VALUE_IS_BRANCH,
    VALUE_IS_ADDRESS,
    VALUE_IS_STORED
} ValueUse;

typedef struct FoundDefect {
    DefectKind kind;
    Witness by, other;
    Space space;
    uint64_t address;
    uint32_t bytes;
    uint8_t ways;       /* of the access */
    bool benign;        /* nothing comes of it, as far as was seen */
    uint64_t count;     /* how often */
    uint64_t number[2]; /* what the kind says more: DEFECT_… in defects.c */
} FoundDefect;

/* ---- what is told of a launch ---- */

typedef struct WatchedLaunch {
    uint64_t number; /* of the program's launches */
    uint64_t blocks;
    uint32_t threads;      /* of a block */
    uint32_t cluster_size; /* blocks */
    uint64_t stream;       /* launches of a stream follow each other */
} WatchedLaunch;

enum { ACCESS_READS = 1, ACCESS_WRITES = 2 };

/* What the lanes ask of memory. */
typedef struct WatchedAccess {
    Agent by;
    uint8_t ways; /* ACCESS_READS | ACCESS_WRITES */
    bool atomic;  /* as one step */
    bool returns; /* … and the lanes look at what was there */
    bool async;   /* cp.async and the like: done beside the warp, complete when it has waited */
    bool object;  /* an mbarrier: told of as such, too */
    /* values without which it reads are followed: sanitize_access says whether there are */
    bool follows;
    bool tile; /* rows of matrices: `lanes` are rows, which belong to no lane of that number */
    Order order;
    Scope scope;
    Space space; /* SPACE_SHARED, SPACE_LOCAL, SPACE_GLOBAL (constants, too) */
    bool remote; /* shared memory of a block of the cluster, maybe another: see `place` */
    uint32_t width;
    uint64_t array_first,
        array_end;           /* of the array that the instruction is for; equal: not known */
    const uint64_t *address; /* [32], as of the space; in global memory: host's */
    uintptr_t host;          /* the bytes of lane l are at host + place[l] */
    const uint64_t *place;
    /* What a lane of a store writes, `width` bytes; NULL: it is not told. */
    void (*value)(const void *context, uint32_t lane, uint8_t *bytes);
    const void *context;
} WatchedAccess;

/* A weak load or store by all lanes of a warp, whose addresses are a run in each half: pattern, and `offset` is
 * added to each. */
typedef struct WatchedRun {
    Agent by;
    uint8_t ways; /* one of them */
    Space space;
    uint32_t width;
    uint64_t array_first, array_end; /* these and all below: as of WatchedAccess */
    const Pattern *pattern;
    uint64_t offset;
    uintptr_t host; /* + address */
    void (*value)(const void *context, uint32_t lane, uint8_t *bytes);
    const void *context;
} WatchedRun;

/* The addresses of one half: from `first`, `stride` from one to the next; both may be below it. */
enum { RUN_LANES = WARP_LANES / 2 };
static inline uint64_t run_first(const WatchedRun *run, uint32_t half) {
    return run->pattern->base[half] + run->offset;
}
static inline uint64_t run_last(const WatchedRun *run, uint32_t half) {
    return run_first(run, half) + (RUN_LANES - 1) * (uint64_t)run->pattern->stride[half];
}

/* What one copy reads or writes: a bulk or tensor copy, a store with an mbarrier. */
typedef struct WatchedRange {
    Agent by; /* one lane */
    uint8_t ways;
    Space space;
    uint64_t address, bytes;
    uintptr_t host;
    bool group; /* complete with the bulk group that the lane fills; else with the mbarrier that is
                   told of next, as EVENT_MBARRIER_COPIED */
} WatchedRange;

typedef enum EventKind {
    EVENT_ARRIVE,          /* lanes at the block's barrier `number`, for `count` threads (0: all) */
    EVENT_RELEASE,         /* the barrier `number`: those that wait there go on (by.block alone) */
    EVENT_WARP_SYNC,       /* lanes execute a .sync instruction together; count: its member mask */
    EVENT_CLUSTER_ARRIVE,  /* lanes, at the barrier of their cluster */
    EVENT_CLUSTER_RELEASE, /* of by.block's cluster */
    EVENT_CLUSTER_WAIT,    /* lanes have waited at it */
    EVENT_FENCE,           /* order, scope */
    EVENT_COPY_COMMIT,     /* cp.async.commit_group */
    EVENT_COPY_WAIT,       /* cp.async.wait_group; count: the newest groups that are not awaited;
                              number 1: wait_all, those that were not committed, too */
    EVENT_BULK_COMMIT,     /* cp.async.bulk.commit_group */
    EVENT_BULK_WAIT,       /* cp.async.bulk.wait_group; count as above; number 1: what it reads */
    EVENT_COPY_ARRIVE,     /* cp.async.mbarrier.arrive at the mbarrier `host` */
    EVENT_MBARRIER_INIT,   /* the mbarrier at `host`, by one lane; count: arrivals */
    EVENT_MBARRIER_INVAL,
    EVENT_MBARRIER_ARRIVE, /* and maybe the end of its phase, told as EVENT_MBARRIER_PHASE */
    EVENT_MBARRIER_COPIED, /* a copy's bytes have been there; count: how many */
    EVENT_MBARRIER_PHASE,  /* a phase of it is over */
    EVENT_MBARRIER_WAITED, /* the lanes have seen the end of a phase */
    EVENT_NOT_NAMED, /* lanes execute a .sync operation whose mask, `count`, has not their own bit */
    EVENT_EXIT       /* lanes have ended */
} EventKind;

typedef struct WatchedEvent {
    EventKind kind;
    Agent by;
    Order order;
    Scope scope;
    bool waits;    /* EVENT_ARRIVE: until the barrier is complete */
    bool aligned;  /* EVENT_ARRIVE: all lanes of the warp must come together */
    uint32_t live; /* EVENT_ARRIVE: lanes of the warp that have not ended */
    bool orders;   /* EVENT_WARP_SYNC: it is a barrier, and not a shuffle, say */
    uint32_t number, count;
    uintptr_t host;
} WatchedEvent;

void sanitize_launch_begin(Sanitizer *sanitizer, const WatchedLaunch *launch);
void sanitize_launch_end(Sanitizer *sanitizer);
WatchedBlock *sanitize_block_begin(Sanitizer *sanitizer, const BlockShape *shape);
void sanitize_block_end(WatchedBlock *block);
/* Whether it reads bytes without a value, where it `follows` them. */
bool sanitize_access(const WatchedAccess *access);
/* What it is that it reads without a value; nothing is told. */
FoundDefect sanitize_unset_read(const WatchedAccess *access);
/* The lanes whose byte `skip` from their address on has no value, and it has none from now on. */
uint32_t sanitize_unset(const WatchedAccess *access, uint32_t skip);
void sanitize_unwrite(const WatchedAccess *access, uint32_t lanes, uint32_t skip);
/* The same as sanitize_access, in less time; false: nothing was told, as it must be looked at lane by lane. */
bool sanitize_run(const WatchedRun *run);
void sanitize_range(const WatchedRange *range);
void sanitize_event(const WatchedEvent *event);

/* ---- what is told of memory ---- */

/* Global memory that begins or ends to be there. known: its bytes have values already. */
void sanitize_allocated(Sanitizer *sanitizer, uint64_t address, uint64_t bytes, bool known);
void sanitize_released(Sanitizer *sanitizer, uint64_t address);
/* The same of a block of the kernels' heap, by one lane. */
typedef struct WatchedHeap {
    uint64_t first, end; /* the memory that blocks are pieces of */
} WatchedHeap;
void sanitize_heap_allocated(const Agent *by, const WatchedHeap *heap, uint64_t address,
                             uint64_t bytes);
void sanitize_heap_released(const Agent *by, uint64_t address);
/* Its bytes got values from outside of kernels. */
void sanitize_written(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
/* … those of other global memory, with all that is known of them. */
void sanitize_copied(Sanitizer *sanitizer, uint64_t to, uint64_t from, uint64_t bytes);

/* ---- streams.c: operations of streams, and what orders them. All of this only where sanitize_streams says so ---- */

bool sanitize_streams(const Sanitizer *sanitizer);
/* Operations of a line follow each other: those of a stream, or of a branch of a graph. */
uint32_t sanitize_line_new(Sanitizer *sanitizer);
void sanitize_line_free(Sanitizer *sanitizer, uint32_t line);
/* What is known to be over where somebody stands, in a line or, NONE, as an event. Nothing at first. */
typedef struct Reached Reached;
Reached *sanitize_reached_new(uint32_t line);
void sanitize_reached_free(Reached *reached); /* NULL is allowed */
void sanitize_reached_join(Reached *to, const Reached *from);
void sanitize_reached_host(Sanitizer *sanitizer, Reached *to); /* what the host knows */
/* The host waits for it. Whether it knows everything to be over: then `what` of operations is asked for no more. */
bool sanitize_host_reaches(Sanitizer *sanitizer, const Reached *from);

/* Two operations that nothing orders, and what both access. */
typedef struct StreamRace {
    const void *what, *other;  /* of the operations; the other one was before */
    uint32_t insn, other_insn; /* of their programs; NONE: none, or not known */
    bool writes, other_writes;
    bool several; /* other instructions of it may have accessed it, too */
    uint64_t address;
    uint64_t count;
} StreamRace;
/* An operation behind all that `at` knows, NULL: by the host. Accesses are its until it ends. */
void sanitize_operation_begin(Sanitizer *sanitizer, Reached *at, const void *what);
const StreamRace *sanitize_operation_end(Sanitizer *sanitizer, uint32_t *races);
void sanitize_operation_accesses(Sanitizer *sanitizer, uint64_t address, uint64_t bytes,
                                 bool writes);
/* The operation allocates it; frees it; it was there before, and is no more. */
void sanitize_operation_makes(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
void sanitize_operation_frees(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
void sanitize_operations_forget(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
/* It may tell the host how far it is, so the host may know what no call says. */
void sanitize_operation_talks(Sanitizer *sanitizer);

/* ---- host.c: memory that the host sees, too, and what it does with it. Likewise ---- */

/* It is there from now on, and no more. */
void sanitize_visible(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
void sanitize_invisible(Sanitizer *sanitizer, uint64_t address, uint64_t bytes);
/* Numbers of pages of 4096 bytes with such memory, which operations have accessed since the host knew all to be over; each once. */
const uint64_t *sanitize_visible_pages(const Sanitizer *sanitizer, uint32_t *count);
/* What the host may do with any byte of a page before it waits. All, where it may do so with one of them. */
typedef enum HostMay { HOST_MAY_ALL, HOST_MAY_READ, HOST_MAY_NOTHING } HostMay;
HostMay sanitize_host_may(const Sanitizer *sanitizer, uint64_t page);
/* The host accesses a byte: an operation that it has not waited for, and that races with this; `what` is NULL. false: there is none. */
bool sanitize_host_access(const Sanitizer *sanitizer, uint64_t address, bool writes,
                          StreamRace *race);

/* ---- defects.c: what was found ---- */

/* Adds one; it is kept if it is the first of its kind at these instructions. Returns the row, NULL where
 * its check is off. */
FoundDefect *sanitize_report(Sanitizer *sanitizer, const FoundDefect *defect);
/* Those of the launch that has just ended, or still runs, in the order in which they were found. */
FoundDefect *sanitize_defects(Sanitizer *sanitizer, uint32_t *count);

/* There was a finding, of options with `stop`; what comes behind it is not told any more. */
bool sanitize_stopped(const Sanitizer *sanitizer);

/* ---- sanitize.c ---- */

/* NULL: options want nothing. */
Sanitizer *sanitizer_new(const SanitizeOptions *options);
/* Whom launches tell: NULL where no check looks at kernels, so that they run as fast as unchecked. */
Sanitizer *sanitizer_of_launches(Sanitizer *sanitizer);
void sanitizer_free(Sanitizer *sanitizer); /* NULL is allowed */
const SanitizeOptions *sanitizer_options(const Sanitizer *sanitizer);
