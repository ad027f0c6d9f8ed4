/* Random traces of what threads do, told to sanitize's order and races and to slow.c: both find races at the same
 * bytes, and each race that the fast one tells of is one of the slow one's. WARPLENS_TRACES says how many (3000). */
#include "slow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 256, STEPS = 70, FLAG_BYTES = 4, PAIRS = 1 << 16, INSNS = 1024 };
enum { OWN = ROOM + 4 * SLOW_PLACES, BYTES = OWN + SLOW_BLOCKS * ROOM };

/* What both are told of. */
typedef struct Trace {
    uint64_t random;
    _Alignas(4096) uint8_t data[ROOM];
    _Alignas(4096) uint8_t own[SLOW_BLOCKS][ROOM]; /* that no other block accesses */
    uint32_t flags[SLOW_PLACES];
    uint64_t mbarriers[SLOW_MBARRIERS];
    Races races;
    RaceBlock *blocks[SLOW_BLOCKS];
    bool ended[SLOW_BLOCKS];
    uint32_t threads; /* of a block */
    bool sparse;      /* few accesses, by few lanes, and much that orders them */
    uint32_t insns;   /* that there are; fewer than accesses: some do more than one */
    Slow *slow;
    bool racy[BYTES];
    struct {
        uint32_t other, by;
        RaceKind kind;
    } pairs[PAIRS];
    uint32_t pair_count;
} Trace;

static uint32_t below(Trace *trace, uint32_t limit) {
    trace->random = trace->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)(trace->random >> 33) % limit;
}

/* A byte of the data, of the flags behind them, or of what blocks have for themselves. */
static uint32_t number_of(const Trace *trace, uintptr_t host) {
    const uintptr_t data = (uintptr_t)trace->data, flags = (uintptr_t)trace->flags;
    const uintptr_t own = (uintptr_t)trace->own;
    if (host - own < sizeof trace->own)
        return OWN + (uint32_t)(host - own);
    return host - data < ROOM ? (uint32_t)(host - data) : ROOM + (uint32_t)(host - flags);
}

static void found(void *context, const RaceFound *race) {
    Trace *trace = context;
    for (uint32_t i = 0; i < race->bytes; i++)
        trace->racy[number_of(trace, race->host + i)] = true;
    assert_true(trace->pair_count < PAIRS);
    trace->pairs[trace->pair_count].other = race->other.insn;
    trace->pairs[trace->pair_count].by = race->by.insn;
    trace->pairs[trace->pair_count++].kind = race->kind;
}

/* ---- what happens ---- */

typedef struct Who {
    uint32_t block, warp, lanes;
} Who;

static uint32_t existing(const Trace *trace, uint32_t warp) {
    const uint32_t threads = trace->threads - 32 * warp;
    return threads >= 32 ? UINT32_MAX : (1u << threads) - 1;
}

static Who somebody(Trace *trace) {
    Who who = {.block = below(trace, SLOW_BLOCKS), .warp = below(trace, SLOW_WARPS)};
    while (trace->ended[who.block])
        who.block = (who.block + 1) % SLOW_BLOCKS;
    const uint32_t all = existing(trace, who.warp);
    switch (trace->sparse ? below(trace, 2) : below(trace, 4)) {
    case 0:
        who.lanes = all;
        break;
    case 1:
        who.lanes = 1u << below(trace, trace->sparse ? 1 : 3);
        break;
    default:
        who.lanes = 1u + below(trace, 15);
        break;
    }
    who.lanes = who.lanes & all ? who.lanes & all : 1;
    return who;
}

static BlockOrder *order_of(const Trace *trace, Who who) {
    return trace->blocks[who.block]->order;
}

static void tell_slow(Trace *trace, Who who, const RaceAccess *access, uint32_t bytes,
                      uint32_t agent) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (!(who.lanes >> lane & 1))
            continue;
        const uint32_t thread = slow_thread(who.block, who.warp, lane);
        SlowAccess slow = {.insn = access->insn,
                           .thread = UINT32_MAX,
                           .host = access->host + access->place[lane],
                           .bytes = bytes,
                           .reads = access->reads,
                           .writes = access->writes,
                           .strong = access->strong,
                           .observes = access->observes,
                           .reach = access->reach};
        if (agent >= SLOW_PHASES) {
            slow.thread = agent;
            slow.time = trace->slow->phase[agent - SLOW_PHASES];
        } else if (agent) {
            slow.thread = agent + thread;
            slow.time = agent == SLOW_COPIES ? trace->slow->threads[thread].copy_time
                                             : trace->slow->threads[thread].bulk_time;
        }
        slow_access(trace->slow, who.block, who.warp, lane, slow);
    }
}

static RaceAccess access_by(Trace *trace, Who who) {
    return (RaceAccess){.block = trace->blocks[who.block],
                        .warp = who.warp,
                        .lanes = who.lanes,
                        .insn = trace->slow->count % trace->insns,
                        .reach = REACH_CTA};
}

/* The data of all, or of the block alone. */
static uintptr_t some_data(Trace *trace, uint32_t block) {
    return below(trace, 2) ? (uintptr_t)trace->data : (uintptr_t)trace->own[block];
}

/* As exec tells of accesses by all lanes: halves are told as runs where they are some. */
static void tell_fast(Trace *trace, const RaceAccess *access) {
    const uint64_t *place = access->place;
    const int64_t stride[2] = {(int64_t)(place[1] - place[0]), (int64_t)(place[17] - place[16])};
    const uintptr_t first[2] = {access->host + place[0], access->host + place[16]};
    bool run = access->lanes == UINT32_MAX && !access->strong;
    for (uint32_t lane = 0; lane < 32 && run; lane++)
        run = access->host + place[lane] ==
              first[lane / 16] + lane % 16 * (uint64_t)stride[lane / 16];
    if (run)
        race_run(&trace->races, access, first, stride);
    else
        race_access(&trace->races, access);
}

static void any_access(Trace *trace, Who who) {
    uint64_t place[32];
    RaceAccess access = access_by(trace, who);
    const uint32_t widths[] = {1, 2, 4, 4, 4, 8, 16};
    if (trace->sparse)
        access.lanes = who.lanes &= 0u - who.lanes;
    access.width = widths[below(trace, 7)];
    access.writes = below(trace, 3) == 0;
    access.reads = !access.writes;
    if (below(trace, 5) == 0) {
        static const uint32_t strong_widths[] = {4, 4, 4, 2, 8};
        access.strong = true;
        access.width = strong_widths[below(trace, 5)];
        access.reach = below(trace, 2) ? REACH_GPU : REACH_CTA;
        access.reads = access.reads || below(trace, 2);
        access.observes = access.reads && access.writes && below(trace, 3);
    }
    const uint32_t most = ROOM / access.width, first = below(trace, most), step = below(trace, 3);
    for (uint32_t lane = 0; lane < 32; lane++)
        place[lane] = (first + lane * step) % most * access.width;
    if (!trace->sparse && below(trace, 3) && (who.warp == 0 || trace->threads >= 64)) {
        access.lanes = who.lanes = UINT32_MAX;
        if (below(trace, 2)) { /* a row of words */
            access.width = 4;
            for (uint32_t lane = 0; lane < 32; lane++)
                place[lane] = first % (ROOM / 128) * 128 + 4 * lane;
        } else { /* one distance apart, wherever it begins */
            const uint32_t apart = below(trace, 3) ? 1 : below(trace, 5) + most - 2;
            for (uint32_t lane = 0; lane < 32; lane++)
                place[lane] = (first + lane * apart) % most * access.width;
        }
    }
    access.host = some_data(trace, who.block);
    access.place = place;
    tell_slow(trace, who, &access, access.width, 0);
    tell_fast(trace, &access);
}

static void flag_access(Trace *trace, Who who) {
    static const Order orders[] = {ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                   ORDER_ACQ_REL};
    const uint64_t place[32] = {0};
    const uint32_t number = trace->sparse ? 1 : below(trace, SLOW_PLACES);
    const uint32_t kind = below(trace, 3);
    who.lanes &= 0u - who.lanes;
    RaceAccess access = access_by(trace, who);
    Order order = orders[below(trace, 5)];
    access.reads = kind != 0;
    access.writes = kind != 1;
    if (order == ORDER_ACQ_REL && kind != 2)
        order = kind == 0 ? ORDER_RELEASE : ORDER_ACQUIRE;
    if ((order == ORDER_RELEASE && !access.writes) || (order == ORDER_ACQUIRE && !access.reads))
        order = ORDER_RELAXED;
    access.strong = true;
    access.observes = kind == 2 && below(trace, 3);
    access.reach = number == 0 ? REACH_CTA : REACH_GPU; /* the first is one block's */
    if (number == 0 && who.block != 0)
        return;
    access.width = FLAG_BYTES;
    access.host = (uintptr_t)&trace->flags[number];
    access.place = place;
    const uint32_t lane = (uint32_t)__builtin_ctz(who.lanes);
    tell_slow(trace, who, &access, FLAG_BYTES, 0);
    slow_strong(trace->slow, who.block, who.warp, lane, number, access.reads, access.writes, order,
                access.reach);
    race_access(&trace->races, &access);
    order_strong(trace->races.memory, order_of(trace, who), who.warp, lane, access.host,
                 access.reads, access.writes, order, access.reach);
}

static void fence(Trace *trace, Who who) {
    const Order order = below(trace, 2)   ? ORDER_ACQ_REL
                        : below(trace, 2) ? ORDER_ACQUIRE
                                          : ORDER_RELEASE;
    const Reach reach = below(trace, 3) ? REACH_GPU : REACH_CTA;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (who.lanes >> lane & 1)
            slow_fence(trace->slow, who.block, who.warp, lane, order, reach);
    order_fence(order_of(trace, who), who.warp, who.lanes, order, reach);
}

static void arrive(Trace *trace, Who who, uint32_t barrier, bool waits) {
    slow_arrive(trace->slow, who.block, who.warp, who.lanes, barrier, waits);
    order_arrive(order_of(trace, who), who.warp, who.lanes, barrier, waits);
}

static void barrier(Trace *trace, Who who, bool all) {
    const uint32_t number = below(trace, 4);
    for (who.warp = 0; who.warp < SLOW_WARPS; who.warp++) {
        who.lanes = existing(trace, who.warp);
        const uint32_t part = below(trace, 4);
        if (!all && part == 0)
            continue;
        if (!all && part == 1)
            who.lanes = 1;
        arrive(trace, who, number, all || part < 3);
    }
    slow_release(trace->slow, who.block, number);
    order_release(order_of(trace, who), number);
}

static void warp_sync(Trace *trace, Who who) {
    slow_warp_sync(trace->slow, who.block, who.warp, who.lanes);
    order_warp_sync(order_of(trace, who), who.warp, who.lanes);
}

static void copy(Trace *trace, Who who, uint32_t agent) {
    uint64_t place[32];
    Moment done[32];
    RaceAccess access = access_by(trace, who);
    const uint32_t first = below(trace, ROOM / 16), step = below(trace, 2);
    access.writes = agent != SLOW_BULK_READS && (agent == SLOW_BULK_WRITES || below(trace, 3));
    access.reads = !access.writes;
    access.width = 16;
    for (uint32_t lane = 0; lane < 32; lane++) {
        place[lane] = (first + lane * step) % (ROOM / 16) * 16;
        if (!(who.lanes >> lane & 1))
            continue;
        done[lane] = agent >= SLOW_PHASES
                         ? order_mbarrier_copy(trace->races.memory,
                                               (uintptr_t)&trace->mbarriers[agent - SLOW_PHASES])
                     : agent == SLOW_COPIES ? order_copy(order_of(trace, who), who.warp, lane)
                                            : order_bulk(order_of(trace, who), who.warp, lane,
                                                         agent == SLOW_BULK_READS);
    }
    access.host = some_data(trace, who.block);
    access.place = place;
    access.done = done;
    tell_slow(trace, who, &access, 16, agent);
    race_access(&trace->races, &access);
}

static void group(Trace *trace, Who who) {
    const uint32_t kind = below(trace, 5), left = below(trace, 3);
    BlockOrder *order = order_of(trace, who);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t thread = slow_thread(who.block, who.warp, lane);
        if (!(who.lanes >> lane & 1))
            continue;
        if (kind == 0 && trace->slow->threads[thread].commits < 60)
            slow_commit(trace->slow, thread);
        else if (kind == 1)
            slow_wait(trace->slow, thread, left == 2 ? UINT32_MAX : left);
        else if (kind == 2)
            slow_bulk_commit(trace->slow, thread);
        else if (kind > 2)
            slow_bulk_wait(trace->slow, thread, left, kind == 3);
    }
    if (kind == 0)
        order_copy_commit(order, who.warp, who.lanes);
    else if (kind == 1)
        order_copy_wait(order, who.warp, who.lanes, left == 2 ? UINT32_MAX : left);
    else if (kind == 2)
        order_bulk_commit(order, who.warp, who.lanes);
    else
        order_bulk_wait(order, who.warp, who.lanes, left, kind == 3);
}

/* The mbarriers are the first block's. */
static void mbarrier(Trace *trace, Who who) {
    const uint32_t number = below(trace, trace->sparse ? 1 : SLOW_MBARRIERS);
    const uint32_t kind = below(trace, 6);
    const uintptr_t place = (uintptr_t)&trace->mbarriers[number];
    OrderMemory *memory = trace->races.memory;
    who.block = 0;
    if (trace->ended[0])
        return;
    if (kind == 0) {
        slow_mbarrier_phase(trace->slow, number);
        order_mbarrier_phase(memory, place);
        return;
    }
    if (kind == 1) {
        who.lanes &= 0u - who.lanes;
        copy(trace, who, SLOW_PHASES + number);
        return;
    }
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t thread = slow_thread(who.block, who.warp, lane);
        if (!(who.lanes >> lane & 1))
            continue;
        if (kind <= 3) {
            slow_mbarrier_arrive(trace->slow, thread, number, kind == 2);
            order_mbarrier_arrive(memory, order_of(trace, who), who.warp, lane, place, kind == 2,
                                  REACH_CTA);
        } else {
            slow_mbarrier_waited(trace->slow, thread, number);
            order_mbarrier_waited(memory, order_of(trace, who), who.warp, lane, place);
        }
    }
}

static void end_block(Trace *trace, uint32_t block) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < SLOW_BLOCKS; i++)
        left += !trace->ended[i];
    if (left < 2)
        return;
    race_end(&trace->races, trace->blocks[block]);
    trace->ended[block] = true;
}

/* mask: kinds of things that happen in this trace beside accesses. */
static void happen(Trace *trace, uint32_t mask) {
    uint32_t kind = below(trace, 12);
    Who who = somebody(trace);
    if (trace->sparse && kind < 4)
        kind += 8;
    if (trace->sparse && below(trace, 40) == 0)
        end_block(trace, who.block);
    while (trace->ended[who.block])
        who.block = (who.block + 1) % SLOW_BLOCKS;
    if (kind < 5 || !(mask >> kind & 1))
        any_access(trace, who);
    else if (kind == 5)
        barrier(trace, who, true);
    else if (kind == 6)
        barrier(trace, who, false);
    else if (kind == 7)
        warp_sync(trace, who);
    else if (kind == 8)
        below(trace, 3) ? flag_access(trace, who) : fence(trace, who);
    else if (kind == 9)
        below(trace, 2) ? copy(trace, who, SLOW_COPIES) : group(trace, who);
    else if (kind == 10)
        below(trace, 2) ? copy(trace, who, below(trace, 2) ? SLOW_BULK_READS : SLOW_BULK_WRITES)
                        : group(trace, who);
    else if (below(trace, 12) == 0)
        end_block(trace, who.block);
    else
        mbarrier(trace, who);
}

/* ---- comparing ---- */

static RaceKind kind_of(const SlowAccess *first, const SlowAccess *second) {
    return !second->writes ? RACE_WRITE_READ : !first->writes ? RACE_READ_WRITE : RACE_WRITE_WRITE;
}

static void compare(Trace *trace, uint64_t seed) {
    static bool pair[INSNS][INSNS][3];
    bool racy[sizeof trace->racy] = {false};
    const Slow *slow = trace->slow;
    memset(pair, 0, sizeof pair);
    for (uint32_t j = 0; j < slow->count; j++)
        for (uint32_t i = 0; i < j; i++) {
            const SlowAccess *a = &slow->accesses[i], *b = &slow->accesses[j];
            if (!slow_race(a, b) || slow_chained(a, b))
                continue;
            pair[a->insn][b->insn][kind_of(a, b)] = true;
            for (uintptr_t at = a->host; at < a->host + a->bytes; at++)
                if (at >= b->host && at < b->host + b->bytes)
                    racy[number_of(trace, at)] = true;
        }
    for (uint32_t i = 0; i < sizeof racy; i++)
        if (racy[i] != trace->racy[i])
            fail_msg("trace %llu: byte %u: %s", (unsigned long long)seed, i,
                     racy[i] ? "its race is not found" : "there is no race");
    for (uint32_t i = 0; i < trace->pair_count; i++)
        if (!pair[trace->pairs[i].other][trace->pairs[i].by][trace->pairs[i].kind])
            fail_msg("trace %llu: instructions %u and %u do not race so", (unsigned long long)seed,
                     trace->pairs[i].other, trace->pairs[i].by);
}

static void run_trace(uint64_t seed, uint32_t *races) {
    Trace *trace = aligned_alloc(4096, (sizeof *trace + 4095) / 4096 * 4096);
    memset(trace, 0, sizeof *trace);
    trace->random = seed * 977 + 13;
    below(trace, 2);
    trace->threads = below(trace, 2) ? 64 : 33 + below(trace, 6);
    trace->insns = below(trace, 2) ? INSNS : 7;
    trace->sparse = below(trace, 2);
    trace->slow = slow_new();
    races_init(&trace->races);
    trace->races.found = found;
    trace->races.context = trace;
    races_launch(&trace->races);
    for (uint32_t i = 0; i < SLOW_BLOCKS; i++)
        trace->blocks[i] = race_begin(&trace->races, i, i, trace->threads, (uintptr_t)trace->own[i],
                                      (uintptr_t)trace->own[i] + ROOM);
    for (uint32_t i = 0; i < SLOW_MBARRIERS; i++)
        order_mbarrier_init(trace->races.memory, trace->blocks[0]->order,
                            (uintptr_t)&trace->mbarriers[i]);
    const uint32_t mask = below(trace, 4) ? below(trace, 4096) : 4095;
    const uint32_t steps = 4 + below(trace, STEPS);
    for (uint32_t i = 0; i < steps; i++) {
        if (seed %
            2) /* segments are swept for each new one, and not only where there are a million */
            trace->races.shadow.sweep_at = trace->races.shadow.segments_live;
        happen(trace, mask);
    }
    compare(trace, seed);
    *races += trace->pair_count != 0;
    races_free(&trace->races);
    slow_free(trace->slow);
    free(trace);
}

static void test_traces(void **state) {
    (void)state;
    const char *wanted = getenv("WARPLENS_TRACES"), *only = getenv("WARPLENS_TRACE");
    const uint64_t count = wanted ? strtoull(wanted, NULL, 10) : 3000;
    uint32_t races = 0;
    if (only) {
        run_trace(strtoull(only, NULL, 10), &races);
        return;
    }
    for (uint64_t seed = 1; seed <= count; seed++)
        run_trace(seed, &races);
    printf("%llu traces, %u of them with races\n", (unsigned long long)count, races);
    assert_true(races > count / 10 && races < count);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_traces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
