/* What threads tell each other through memory: release and acquire patterns (PTX ISA, "Release and Acquire
 * Patterns") and mbarriers. A place tells what the writes told that can be observed there: those of the last store, and
 * of the atomics behind it. */
#include "sanitize/order.h"

#include <stdlib.h>
#include <string.h>

enum { MANY_BLOCKS = -1 };

/* What was told as far as one reach. */
typedef struct Told {
    Clock *clock;
    int64_t block; /* that told, MANY_BLOCKS */
    uint64_t cluster;
} Told;

typedef struct Spot {
    uintptr_t key; /* 0: free */
    Told told[REACHES];
    /* Of an mbarrier: what arrivals told, and what was told when its last phase ended. */
    Clock *gathered, *done;
    Moment copies; /* when copies that report to it now are done; time 0: it is none */
} Spot;

struct OrderMemory {
    Spot *spots; /* [size], by hash */
    uint32_t size, count;
};

OrderMemory *order_memory_new(void) {
    OrderMemory *memory = calloc(1, sizeof *memory);
    if (!memory)
        out_of_memory();
    return memory;
}

static void spot_empty(Spot *spot) {
    for (uint32_t reach = 0; reach < REACHES; reach++)
        clock_drop(spot->told[reach].clock);
    clock_drop(spot->gathered);
    clock_drop(spot->done);
    *spot = (Spot){.key = spot->key};
}

void order_memory_free(OrderMemory *memory) {
    if (!memory)
        return;
    for (uint32_t i = 0; i < memory->size; i++)
        spot_empty(&memory->spots[i]);
    free(memory->spots);
    free(memory);
}

void order_memory_forget(OrderMemory *memory, uintptr_t first, uintptr_t end) {
    for (uint32_t i = 0; i < memory->size && memory->count; i++)
        if (memory->spots[i].key >= first && memory->spots[i].key < end)
            spot_empty(&memory->spots[i]);
}

static Spot *find(const OrderMemory *memory, uintptr_t key) {
    uint32_t at = (uint32_t)((key >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; at++) {
        Spot *spot = &memory->spots[at & (memory->size - 1)];
        if (spot->key == key || !spot->key)
            return spot;
    }
}

static void grow(OrderMemory *memory) {
    OrderMemory larger = {.size = memory->size ? 2 * memory->size : 64, .count = memory->count};
    larger.spots = calloc(larger.size, sizeof *larger.spots);
    if (!larger.spots)
        out_of_memory();
    for (uint32_t i = 0; i < memory->size; i++)
        if (memory->spots[i].key)
            *find(&larger, memory->spots[i].key) = memory->spots[i];
    free(memory->spots);
    *memory = larger;
}

/* NULL: nothing was told there; make: then it is a spot from now on. */
static Spot *spot_at(OrderMemory *memory, uintptr_t key, bool make) {
    if (make && 2 * (memory->count + 1) > memory->size)
        grow(memory);
    if (!memory->size)
        return NULL;
    Spot *spot = find(memory, key);
    if (!spot->key && !make)
        return NULL;
    memory->count += !spot->key;
    spot->key = key;
    return spot;
}

/* ---- fences ---- */

static bool releases(Order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

static bool acquires(Order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

static void fence_lane(BlockOrder *block, uint32_t warp, uint32_t lane, Order order, Reach reach) {
    const WarpOrder *self = &block->warps[warp];
    LaneOrder *own = order_lane(block, warp, lane);
    for (uint32_t i = 0; acquires(order) && i <= reach; i++) {
        order_learn(block, warp, lane, own->seen[i]);
        clock_set(&own->seen[i], NULL);
    }
    if (releases(order)) {
        Fenced *fenced = &own->fenced[reach];
        clock_set(&fenced->clock, self->clock[lane]);
        fenced->time = self->time;
        fenced->floor = self->floor;
        fenced->warp_floor = self->warp_floor;
    }
}

void order_fence(BlockOrder *block, uint32_t warp, uint32_t lanes, Order order, Reach reach) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1)
        fence_lane(block, warp, (uint32_t)__builtin_ctz(rest), order, reach);
    if (releases(order)) {
        order_publish(block, reach);
        order_tick(block, warp);
    }
}

/* ---- strong accesses ---- */

static void see(BlockOrder *block, uint32_t warp, uint32_t lane, Clock *clock, Order order,
                Reach needed) {
    if (acquires(order)) {
        order_learn(block, warp, lane, clock);
        return;
    }
    LaneOrder *own = order_lane(block, warp, lane);
    if (!own->seen[needed])
        clock_set(&own->seen[needed], clock);
    if (own->seen[needed] == clock)
        return;
    Facts *facts = order_facts(block);
    facts_add_clock(facts, own->seen[needed]);
    facts_add_clock(facts, clock);
    Clock *seen = facts_clock(facts);
    clock_drop(own->seen[needed]);
    own->seen[needed] = seen;
}

/* What is told as far as a cluster or the GPU may be read by anybody whose own access reaches as far; what
 * the own block told, by each. */
static void observe(const Spot *spot, BlockOrder *block, uint32_t warp, uint32_t lane, Order order,
                    Reach reach) {
    for (uint32_t i = 0; i < REACHES; i++) {
        const Told *told = &spot->told[i];
        if (!told->clock)
            continue;
        const bool own = told->block == (int64_t)block->number;
        if (i == REACH_CTA && !own)
            continue;
        if (i == REACH_CLUSTER && told->cluster != block->cluster)
            continue;
        if (own || reach >= i)
            see(block, warp, lane, told->clock, order, own ? REACH_CTA : (Reach)i);
    }
}

static void add_told(Spot *spot, const BlockOrder *block, Facts *facts, Reach reach) {
    Told *told = &spot->told[reach];
    if (!facts->count)
        return;
    const bool others = told->clock && told->block != (int64_t)block->number;
    const bool apart =
        reach == REACH_CTA || (reach == REACH_CLUSTER && told->cluster != block->cluster);
    if (others && apart) /* nobody could observe both */
        clock_set(&told->clock, NULL);
    facts_add_clock(facts, told->clock);
    told->block = others && !apart ? MANY_BLOCKS : (int64_t)block->number;
    told->cluster = block->cluster;
    clock_drop(told->clock);
    told->clock = facts_clock(facts);
}

/* A fence that reaches further than the write is as good as one that reaches as far. */
static void tell(Spot *spot, BlockOrder *block, uint32_t warp, uint32_t lane, Order order,
                 Reach reach) {
    const LaneOrder *lanes = block->warps[warp].lanes;
    Facts *facts = order_facts(block);
    if (releases(order)) {
        order_tell(block, warp, lane, reach, facts);
        add_told(spot, block, facts, reach);
    }
    for (uint32_t i = 0; lanes && i < REACHES; i++)
        if (lanes[lane].fenced[i].time || lanes[lane].fenced[i].clock) {
            facts->count = 0;
            order_fenced(block, warp, lane, (Reach)i, facts);
            add_told(spot, block, facts, i < reach ? (Reach)i : reach);
        }
    facts->count = 0;
}

static bool tells(const BlockOrder *block, uint32_t warp, uint32_t lane, Order order) {
    const LaneOrder *lanes = block->warps[warp].lanes;
    bool fenced = false;
    for (uint32_t i = 0; lanes && i < REACHES; i++)
        fenced |= lanes[lane].fenced[i].time != 0 || lanes[lane].fenced[i].clock;
    return releases(order) || fenced;
}

static bool says_something(const Spot *spot) {
    return spot && (spot->told[REACH_CTA].clock || spot->told[REACH_CLUSTER].clock ||
                    spot->told[REACH_GPU].clock);
}

void order_strong(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                  uintptr_t key, bool reads, bool writes, Order order, Reach reach) {
    const bool telling = writes && tells(block, warp, lane, order);
    Spot *spot = spot_at(memory, key, telling);
    if (reads && says_something(spot))
        observe(spot, block, warp, lane, order, reach);
    if (writes && !reads && spot)
        for (uint32_t i = 0; i < REACHES; i++)
            clock_set(&spot->told[i].clock, NULL);
    if (!telling)
        return;
    tell(spot, block, warp, lane, order, reach);
    if (releases(order))
        order_tick(block, warp);
}

/* ---- mbarriers ---- */

void order_mbarrier_init(OrderMemory *memory, BlockOrder *block, uintptr_t key) {
    Spot *spot = spot_at(memory, key, true);
    spot_empty(spot);
    const uint32_t number = block->mbarriers++;
    spot->copies = (Moment){block->number, WARP_MBARRIERS + number / 32, number % 32, 1};
}

void order_mbarrier_arrive(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                           uintptr_t key, bool copies, Reach reach) {
    Spot *spot = spot_at(memory, key, true);
    Facts *facts = order_facts(block);
    facts_add_clock(facts, spot->gathered);
    if (copies) {
        LaneOrder *own = order_lane(block, warp, lane);
        facts_add(facts, (Fact){block->number, block->number, WARP_COPIES + warp, 1u << lane,
                                own->copy_time++});
    } else {
        order_tell(block, warp, lane, reach, facts);
        order_tick(block, warp);
    }
    clock_drop(spot->gathered);
    spot->gathered = facts_clock(facts);
}

void order_mbarrier_phase(OrderMemory *memory, uintptr_t key) {
    Spot *spot = spot_at(memory, key, true);
    Facts facts = {0};
    facts_add_clock(&facts, spot->gathered);
    if (spot->copies.time) {
        const Moment copies = spot->copies;
        facts_add(&facts,
                  (Fact){copies.block, copies.block, copies.warp, 1u << copies.lane, copies.time});
        spot->copies.time++;
    }
    clock_drop(spot->gathered);
    clock_drop(spot->done);
    spot->gathered = spot->done = facts_clock(&facts);
    clock_hold(spot->done);
    facts_free(&facts);
}

void order_mbarrier_waited(OrderMemory *memory, BlockOrder *block, uint32_t warp, uint32_t lane,
                           uintptr_t key) {
    const Spot *spot = spot_at(memory, key, false);
    if (spot)
        order_learn(block, warp, lane, spot->done);
}

Moment order_mbarrier_copy(OrderMemory *memory, uintptr_t key) {
    const Spot *spot = spot_at(memory, key, false);
    return spot ? spot->copies : (Moment){0};
}
