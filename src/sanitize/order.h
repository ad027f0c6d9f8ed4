/* order.h: who happens before whom among the threads of a launch, by what the program does to order them
 * and never by the order in which it was executed (PTX ISA, "Memory Consistency Model"). Private to sanitize.
 *
 * Time. Each warp has a clock that begins at 1 and goes on where one of its lanes lets others know what it did.
 * What a thread knows of others is a Clock: facts of the form "all that these lanes did until that time".
 *   - A barrier that all threads of a block reach sets the clocks of its warps to one number: then each thread
 *     knows all of the block until there, which is the warps' `floor` and no fact. Kernels that have no other
 *     synchronisation have no facts at all.
 *   - Copies beside the warp are done by threads that do not exist: the lanes of the warps below that have numbers
 *     from WARP_COPIES. Their time is the number of the group, or of the mbarrier's phase, and floors say nothing
 *     of them. */
#pragma once

#include "isa/isa.h"
#include "sanitize/clock.h"

/* How far an order holds. */
typedef enum Reach { REACH_CTA, REACH_CLUSTER, REACH_GPU, REACHES } Reach;

enum {
    WARP_COPIES = 64,       /* + warp: cp.async */
    WARP_BULK_READS = 128,  /* + warp: what bulk groups read */
    WARP_BULK_WRITES = 192, /* + warp: what they write */
    WARP_MBARRIERS = 256,   /* + number of the mbarrier in its block / 32; the rest is the lane */
    BLOCK_WARPS = 32,
    BLOCK_BARRIERS = 64,
    COPY_GROUPS = 16 /* that a thread can tell apart */
};

/* A moment of a thread: when it did something. */
typedef struct Moment {
    uint32_t block, warp, lane, time;
} Moment;

/* What a thread knew at a fence. */
typedef struct Fenced {
    Clock *clock;
    uint32_t time, floor, warp_floor; /* time 0: it has executed none, and knows of others' */
} Fenced;

/* What only some threads have. */
typedef struct LaneOrder {
    Fenced fenced[REACHES];
    Clock *seen[REACHES]; /* told by what it read; known behind a fence that reaches so far */
    /* cp.async: the time of what is issued now, and until when all is complete */
    uint32_t copy_time, copied, commits, commit_time[COPY_GROUPS];
    uint32_t bulk_time, bulk_read, bulk_written; /* the same of bulk groups */
} LaneOrder;

typedef struct WarpOrder {
    uint32_t time;
    uint32_t floor;      /* of the block, all until then is known to all lanes */
    uint32_t warp_floor; /* of the warp */
    uint32_t exists, exited;
    bool has_clocks; /* a lane has one */
    Clock *clock[32];
    LaneOrder *lanes; /* [32]; NULL: none has any of it */
} WarpOrder;

typedef struct BarrierOrder {
    Clock *gathered;               /* of those that arrived and went on */
    Clock *fenced[REACHES];        /* what their fences left */
    uint32_t waiting[BLOCK_WARPS]; /* lanes */
} BarrierOrder;

/* Who keeps back what the block's threads do while their order stays as it is. */
typedef struct OrderKeeper {
    void (*changes)(void *context); /* the order is about to change */
    void (*forgets)(void *context); /* so that each thread knows all that the block did */
    void *context;
} OrderKeeper;

typedef struct LaunchOrder LaunchOrder;

typedef struct BlockOrder {
    LaunchOrder *launch;
    uint32_t number;
    uint64_t cluster;
    uint32_t warp_count;
    WarpOrder warps[BLOCK_WARPS];
    uint32_t mbarriers; /* that it had so far */
    /* What it did behind these times of its warps, no other block can know of. */
    uint32_t published[BLOCK_WARPS];
    bool publishes;
    BarrierOrder barriers[BLOCK_BARRIERS];
    const OrderKeeper *keeper; /* NULL: nobody */
    struct BlockOrder *next;   /* spare */
} BlockOrder;

/* ---- order.c ---- */

LaunchOrder *order_new(void);
void order_free(LaunchOrder *launch); /* with its blocks; NULL is allowed */
BlockOrder *order_begin(LaunchOrder *launch, uint32_t number, uint64_t cluster, uint32_t threads);
void order_end(BlockOrder *block); /* what others know of it stays */

/* What happened at `then` is before what the lane does now. */
bool order_knows(const BlockOrder *block, uint32_t warp, uint32_t lane, Moment then);
/* The same, for all lanes of the warp, as far as that is found without looking at them. */
static inline bool order_warp_knows(const BlockOrder *block, uint32_t warp, uint32_t then_block,
                                    uint32_t then_warp, uint32_t then_time) {
    const WarpOrder *self = &block->warps[warp];
    return then_block == block->number && then_warp < BLOCK_WARPS &&
           (then_time <= self->floor || (then_warp == warp && then_time <= self->warp_floor));
}

/* Lanes come to a barrier of the block; those that do not wait there go on. */
void order_arrive(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t barrier, bool waits);
void order_release(BlockOrder *block, uint32_t barrier);
void order_warp_sync(BlockOrder *block, uint32_t warp, uint32_t lanes);
void order_exit(BlockOrder *block, uint32_t warp, uint32_t lanes);
void order_cluster_arrive(BlockOrder *block, uint32_t warp, uint32_t lanes, Clock **gathered);
void order_cluster_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, const Clock *gathered);

/* When a copy that the lane issues now is done: a moment of a thread that does not exist. */
Moment order_copy(BlockOrder *block, uint32_t warp, uint32_t lane);
Moment order_bulk(BlockOrder *block, uint32_t warp, uint32_t lane, bool reads);
void order_copy_commit(BlockOrder *block, uint32_t warp, uint32_t lanes);
/* All groups but the newest `left` are complete; NONE: also what is in no group yet. */
void order_copy_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t left);
void order_bulk_commit(BlockOrder *block, uint32_t warp, uint32_t lanes);
void order_bulk_wait(BlockOrder *block, uint32_t warp, uint32_t lanes, uint32_t left,
                     bool reads_only);

/* ---- order.c, for order_memory.c ---- */

/* Facts that say what the lane knows, and what it did itself. */
void order_tell(BlockOrder *block, uint32_t warp, uint32_t lane, Reach reach, Facts *facts);
void order_learn(BlockOrder *block, uint32_t warp, uint32_t lane, const Clock *clock);
LaneOrder *order_lane(BlockOrder *block, uint32_t warp, uint32_t lane);
static inline void order_changes(const BlockOrder *block) {
    if (block->keeper)
        block->keeper->changes(block->keeper->context);
}
/* The warp has told: what it does from now on is not what it told of. */
static inline void order_tick(BlockOrder *block, uint32_t warp) {
    order_changes(block);
    block->warps[warp].time++;
}
void order_publish(BlockOrder *block, Reach reach);
Facts *order_facts(BlockOrder *block); /* empty ones */
/* What the lane's last fence of that reach left, and what those of others did that it met since. */
void order_fenced(const BlockOrder *block, uint32_t warp, uint32_t lane, Reach reach, Facts *facts);

/* ---- order_memory.c: what is told through memory, by host addresses ---- */

typedef struct OrderMemory OrderMemory;
OrderMemory *order_memory_new(void);
void order_memory_free(OrderMemory *memory); /* NULL is allowed */
/* What was told through this piece of memory is of no meaning any more. */
void order_memory_forget(OrderMemory *memory, uintptr_t first, uintptr_t end);

void order_fence(BlockOrder *block, uint32_t warp, uint32_t lanes, Order order, Reach reach);
/* A strong access of a lane: it learns what the place tells and tells what its order says. */
void order_strong(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                  uintptr_t place, bool reads, bool writes, Order order, Reach reach);

void order_mbarrier_init(OrderMemory *memory, BlockOrder *block, uintptr_t place);
/* copies: the arrival comes when the lane's cp.async are complete. */
void order_mbarrier_arrive(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                           uintptr_t place, bool copies, Reach reach);
void order_mbarrier_phase(OrderMemory *memory, uintptr_t place);
void order_mbarrier_waited(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                           uintptr_t place);
/* When a copy that reports to the mbarrier is done. */
Moment order_mbarrier_copy(OrderMemory *memory, uintptr_t place);
