/* state.h: what a Sanitizer keeps, for the files of this layer. Each check has what it keeps in a structure
 * of its own file. Private to sanitize. */
#pragma once

#include "sanitize/sanitize.h"

typedef struct KnownBytes KnownBytes; /* which bytes of memory have values */

typedef struct HeapWatch HeapWatch;         /* heap.c */
typedef struct RaceWatch RaceWatch;         /* race_watch.c */
typedef struct PendingCopies PendingCopies; /* copies.c */

/* sync.c: a barrier of a block, since it was last complete. */
enum { NAMED_BARRIERS = 16 };
typedef struct WatchedBarrier {
    bool begun;
    uint32_t threads; /* that it is for, as who arrived last said; 0: all */
} WatchedBarrier;
/* sync.c: lanes of a warp that have come to an .aligned barrier without the others. */
typedef struct WatchedPart {
    uint32_t lanes, insn;
} WatchedPart;

/* mbarriers.c: one from its init to its inval. */
typedef struct WatchedMbarrier {
    uint64_t address; /* in shared memory */
    Witness made;
} WatchedMbarrier;

struct WatchedBlock {
    Sanitizer *sanitizer;
    struct RaceBlock *race; /* NULL: races are not looked for */
    BlockShape shape;
    WatchedBlock *next;    /* resident, or spare */
    uint8_t *shared_known; /* bit i: byte i of its shared memory has a value; NULL: not kept */
    uint8_t **local_known; /* [warps]: the same, lane after lane; NULL: not kept */
    uint64_t shared_room, warps_room;
    WatchedBarrier barriers[NAMED_BARRIERS];
    WatchedPart *parts;    /* [barriers][warps]; NULL: there were none */
    PendingCopies *copies; /* NULL: there were none */
    VEC(WatchedMbarrier) mbarriers;
    uint64_t mbarriers_low, mbarriers_end; /* between which all of them have been */
};

struct Sanitizer {
    SanitizeOptions options;
    Arena *arena;        /* as long as the Sanitizer */
    Arena *launch_arena; /* of the launch, from its beginning to the next one's */
    WatchedLaunch launch;
    WatchedBlock *blocks, *spare;
    VEC(FoundDefect) found; /* in launch_arena */
    Map *places;            /* of these, by kind and instructions */
    bool stopped;           /* sanitize_stopped */
    KnownBytes *known;
    HeapWatch *heap;         /* NULL: memory is not checked */
    RaceWatch *races;        /* NULL: they are not looked for */
    struct Streams *streams; /* NULL likewise */
};

/* ---- mbarriers.c ---- */

void mbarriers_begin(WatchedBlock *block);
void mbarriers_event(const WatchedEvent *event);
void mbarriers_access(const WatchedAccess *access);
bool mbarriers_run(const WatchedRun *run); /* it writes to none */

/* ---- arrays.c ---- */

/* Of an access whose array is known. */
void arrays_access(const WatchedAccess *access);
/* All of it lies in its array. */
bool arrays_run(const WatchedRun *run);

/* ---- heap.c: malloc of kernels ---- */

HeapWatch *heap_watch_new(void);
void heap_watch_free(HeapWatch *heap); /* NULL is allowed */
/* One lane has got a block from malloc, or freed it. */
void heap_allocated(HeapWatch *heap, const Agent *by, const WatchedHeap *of, uint64_t address,
                    uint64_t bytes);
void heap_released(HeapWatch *heap, const Agent *by, uint64_t address);
/* The memory is something else from now on. */
void heap_gone(HeapWatch *heap, uint64_t address, uint64_t bytes);
void heap_access(const HeapWatch *heap, const WatchedAccess *access);
bool heap_run(const HeapWatch *heap,
              const WatchedRun *run); /* it has nothing to do with the heap */

/* ---- init.c ---- */

KnownBytes *known_new(void);
void known_free(KnownBytes *known); /* NULL is allowed */
/* Global memory of which no byte has a value; it is gone; bytes get values; those of other memory. */
void known_add(KnownBytes *known, uint64_t address, uint64_t bytes);
void known_remove(KnownBytes *known, uint64_t address);
void known_write(KnownBytes *known, uint64_t address, uint64_t bytes);
void known_copy(KnownBytes *known, uint64_t to, uint64_t from, uint64_t bytes);

void init_begin(WatchedBlock *block);
/* Whether it reads bytes without a value, which is told unless these are followed. */
bool init_access(const WatchedAccess *access);
/* false: some of what it reads has no value, or that is not found out at once. */
bool init_run(const WatchedRun *run);
void init_range(const WatchedRange *range);

/* ---- sync.c, copies.c ---- */

void sync_begin(WatchedBlock *block);
void sync_event(const WatchedEvent *event);
void copies_begin(WatchedBlock *block);
void copies_access(const WatchedAccess *access);
void copies_event(const WatchedEvent *event);

/* ---- defects.c ---- */

/* A defect of the lane's part of the access. */
FoundDefect access_defect(DefectKind kind, const WatchedAccess *access, uint32_t lane);

static inline bool wants(const Sanitizer *sanitizer, DefectCheck check) {
    return sanitize_wants(&sanitizer->options, check);
}

/* ---- race_watch.c ---- */

RaceWatch *race_watch_new(Sanitizer *sanitizer);
void race_watch_free(RaceWatch *watch); /* NULL is allowed */
void race_watch_launch(RaceWatch *watch);
void race_watch_begin(RaceWatch *watch, WatchedBlock *block);
void race_watch_end(RaceWatch *watch, WatchedBlock *block);
void race_watch_allocated(RaceWatch *watch, uint64_t address, uint64_t bytes);
void race_watch_access(RaceWatch *watch, const WatchedAccess *access);
void race_watch_run(RaceWatch *watch, const WatchedRun *run);
void race_watch_range(RaceWatch *watch, const WatchedRange *range);
void race_watch_event(RaceWatch *watch, const WatchedEvent *event);
