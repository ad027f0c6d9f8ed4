/* slow.h: races by their definition. Everything that happens is written down with a vector clock of all threads;
 * then each pair of accesses is looked at. No floors, no facts, no shadow. */
#pragma once

#include "sanitize/race.h"

enum {
    SLOW_BLOCKS = 3,
    SLOW_WARPS = 2,
    SLOW_REAL = SLOW_BLOCKS * SLOW_WARPS * 32,
    SLOW_MBARRIERS = 3,
    /* Threads that do not exist: cp.async, reads and writes of bulk groups, a thread for each phase of an mbarrier */
    SLOW_COPIES = SLOW_REAL,
    SLOW_BULK_READS = 2 * SLOW_REAL,
    SLOW_BULK_WRITES = 3 * SLOW_REAL,
    SLOW_PHASES = 4 * SLOW_REAL,
    SLOW_THREADS = 4 * SLOW_REAL + SLOW_MBARRIERS,
    SLOW_PLACES = 4
};

typedef struct Vector {
    uint16_t at[SLOW_THREADS];
} Vector;

typedef struct SlowAccess {
    uint32_t insn, thread, time; /* of the thread that does it, maybe one that does not exist */
    uint32_t asked;              /* who asked for it */
    uint32_t block;
    uintptr_t host;
    uint32_t bytes;
    bool reads, writes, strong, observes;
    Reach reach;
    Vector knows; /* what is before it */
} SlowAccess;

typedef struct Telling {
    Vector knows;
    Reach reach;
    uint32_t block;
} Telling;

typedef struct Tellings {
    Telling *at;
    uint32_t count;
} Tellings;

typedef struct SlowThread {
    Vector knows;
    Vector fenced[REACHES];
    bool has_fenced[REACHES];
    Tellings seen; /* .block: who told */
    uint32_t commits, commit_time[64], copy_time, bulk_time;
} SlowThread;

typedef struct Slow {
    SlowThread threads[SLOW_REAL];
    SlowAccess *accesses;
    uint32_t count;
    Vector gathered[SLOW_BLOCKS][16];        /* at barriers, by those that went on */
    Vector fenced[SLOW_BLOCKS][16][REACHES]; /* by the fences of those that arrived */
    bool has_fenced[SLOW_BLOCKS][16][REACHES];
    uint32_t waiting[SLOW_BLOCKS][16][SLOW_WARPS]; /* lanes */
    Tellings places[SLOW_PLACES];
    Vector arrived[SLOW_MBARRIERS], over[SLOW_MBARRIERS];
    uint32_t phase[SLOW_MBARRIERS];
} Slow;

Slow *slow_new(void);
void slow_free(Slow *slow);
static inline uint32_t slow_thread(uint32_t block, uint32_t warp, uint32_t lane) {
    return (block * SLOW_WARPS + warp) * 32 + lane;
}
/* done: the thread that does it and its time, or NULL. */
void slow_access(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, SlowAccess access);
void slow_arrive(Slow *slow, uint32_t block, uint32_t warp, uint32_t lanes, uint32_t barrier,
                 bool waits);
void slow_release(Slow *slow, uint32_t block, uint32_t barrier);
void slow_warp_sync(Slow *slow, uint32_t block, uint32_t warp, uint32_t lanes);
void slow_fence(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, Order order, Reach reach);
void slow_strong(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, uint32_t place,
                 bool reads, bool writes, Order order, Reach reach);
void slow_commit(Slow *slow, uint32_t thread);
void slow_wait(Slow *slow, uint32_t thread, uint32_t left); /* NONE: all */
void slow_bulk_commit(Slow *slow, uint32_t thread);
void slow_bulk_wait(Slow *slow, uint32_t thread, uint32_t left, bool reads_only);
void slow_mbarrier_arrive(Slow *slow, uint32_t thread, uint32_t mbarrier, bool copies);
void slow_mbarrier_phase(Slow *slow, uint32_t mbarrier);
void slow_mbarrier_waited(Slow *slow, uint32_t thread, uint32_t mbarrier);
/* Of a pair of accesses, the second of which was executed later. */
bool slow_race(const SlowAccess *first, const SlowAccess *second);
/* Of two accesses of the trace: an atomic between them reads what the first wrote, or what came of that, and is before the second. */
bool slow_chained(const SlowAccess *first, const SlowAccess *second);
