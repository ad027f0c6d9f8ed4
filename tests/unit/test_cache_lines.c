/* The caches of cache/ against a second form of them that is slow and plain: a list of lines that is searched and moved
 * one by one; and L2 against rules for single sectors. */
#include "cache/level2.h"
#include "cache/sample.h"
#include "cache/wheel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a set of lines, the newest first ---- */

enum { PLAIN_MOST = 64 };

typedef struct Plain {
    uint64_t number[PLAIN_MOST];
    uint32_t count, ways;
} Plain;

/* Whether it was there; *gone: what had to go for it, or UINT64_MAX. */
static bool plain_use(Plain *plain, uint64_t number, uint64_t *gone) {
    uint32_t at = 0;
    *gone = UINT64_MAX;
    while (at < plain->count && plain->number[at] != number)
        at++;
    bool found = at < plain->count;
    if (!found && plain->count == plain->ways)
        *gone = plain->number[at = plain->count - 1];
    else if (!found)
        plain->count++;
    memmove(plain->number + 1, plain->number, at * sizeof *plain->number);
    plain->number[0] = number;
    return found;
}

static void test_one_set(void **state) {
    (void)state;
    for (uint32_t ways = 1; ways <= 48; ways += 47) {
        Arena *arena = arena_new();
        LineCache cache;
        Plain plain = {.ways = ways};
        uint64_t seed = ways, gone;
        lines_begin(&cache, arena, (uint64_t)ways * LINE_BYTES, 0);
        plain.ways = cache.sets * cache.ways; /* some more than asked for */
        assert_int_equal(cache.sets, 1);
        for (uint32_t i = 0; i < 20000; i++) {
            uint64_t number = random_next(&seed) % (ways * 3 / 2 + 2);
            CacheLine evicted = {.valid = 9};
            bool found = plain_use(&plain, number, &gone), there;
            assert_int_equal(lines_peek(&cache, number) != NULL, found);
            CacheLine *line = lines_make(&cache, number, &there, &evicted);
            assert_int_equal(there, found);
            assert_int_equal(line->number, number);
            line->valid = 5;
            assert_int_equal(evicted.valid, gone == UINT64_MAX ? 0 : 5);
            if (gone != UINT64_MAX)
                assert_int_equal(evicted.number, gone);
        }
        arena_free(arena);
    }
}

/* Many sets: none has more than its ways, and what was evicted is not found any more. */
static void test_many_sets(void **state) {
    (void)state;
    enum { BYTES = 1 << 20, LINES = 3 * BYTES / LINE_BYTES };
    Arena *arena = arena_new();
    LineCache cache;
    uint64_t seed = 7;
    lines_begin(&cache, arena, BYTES, 0);
    assert_true(cache.sets > 1);
    for (uint32_t i = 0; i < 100000; i++) {
        CacheLine evicted = {0};
        bool found;
        CacheLine *line = lines_make(&cache, random_next(&seed) % LINES, &found, &evicted);
        line->valid = 1;
        if (evicted.valid)
            assert_null(lines_peek(&cache, evicted.number));
    }
    for (uint32_t s = 0; s < cache.sets; s++)
        assert_true(cache.set[s].used <= cache.ways);
    arena_free(arena);
}

/* ---- L2 ---- */

enum { L2_LINES = 64, FAR_AWAY = 100000 };

typedef struct Sector {
    uint32_t words; /* that L2 has */
    bool dirty;
} Sector;

static uint32_t plain_read(Sector *sectors, uint32_t mask, uint64_t *fills) {
    uint32_t hits = 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        hits += mask >> s & 1 && sectors[s].words == 0xff;
    bool missing[LINE_SECTORS];
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        missing[s] = mask >> s & 1 && sectors[s].words != 0xff;
    for (uint32_t s = 0; s < LINE_SECTORS; s++) {
        if (!missing[s] && !missing[s ^ 1])
            continue;
        *fills += sectors[s].words != 0xff;
        sectors[s].words = 0xff;
    }
    return hits;
}

static void test_level2(void **state) {
    (void)state;
    Arena *arena = arena_new();
    CacheShape shape = {.partitions = 1, .l2_bytes = 1 << 20};
    Level2 l2;
    static Sector plain[L2_LINES][LINE_SECTORS];
    memset(plain, 0, sizeof plain);
    uint64_t seed = 3, fills = 0, dirty = 0;
    level2_begin(&l2, arena, &shape, 0);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t line = random_next(&seed) % L2_LINES;
        if (random_next(&seed) % 2) {
            uint32_t mask = (uint32_t)(random_next(&seed) % 15) + 1;
            L2Answer answer = level2_read(&l2, 0, line, mask, (uint64_t)i * FAR_AWAY);
            assert_int_equal(answer.hits, plain_read(plain[line], mask, &fills));
        } else {
            uint32_t words = (uint32_t)random_next(&seed) & (uint32_t)random_next(&seed);
            level2_write(&l2, line, words);
            for (uint32_t s = 0; s < LINE_SECTORS; s++) {
                plain[line][s].words |= words >> 8 * s & 0xff;
                dirty += !plain[line][s].dirty && words >> 8 * s & 0xff;
                plain[line][s].dirty |= (words >> 8 * s & 0xff) != 0;
            }
        }
        assert_int_equal(l2.read, fills);
        assert_int_equal(l2.dirty, dirty);
    }
    assert_int_equal(l2.written, 0); /* all fits */
    arena_free(arena);
}

/* What is written and does not fit goes to DRAM, each sector once; no more stays dirty than may. */
static void test_written(void **state) {
    (void)state;
    enum { LINES = 1 << 15 };
    Arena *arena = arena_new();
    CacheShape shape = {.partitions = 2, .l2_bytes = 1 << 20};
    Level2 l2;
    level2_begin(&l2, arena, &shape, 0);
    for (uint32_t i = 0; i < LINES; i++) {
        level2_write(&l2, i, UINT32_MAX);
        assert_true(l2.dirty <= l2.dirty_most);
    }
    assert_int_equal(l2.written + l2.dirty, (uint64_t)LINES * LINE_SECTORS);
    assert_int_equal(l2.read, 0);
    arena_free(arena);
}

/* What the SMs of one partition write, those of the other one do not read from an old copy. */
static void test_partitions(void **state) {
    (void)state;
    Arena *arena = arena_new();
    CacheShape shape = {.partitions = 2, .l2_bytes = 1 << 20};
    Level2 l2;
    level2_begin(&l2, arena, &shape, 0);
    uint32_t again = 0, after = 0;
    for (uint64_t line = 0; line < 512; line++) {
        level2_read(&l2, 0, line, 15, 0);
        level2_read(&l2, 1, line, 15, FAR_AWAY);
        again += level2_read(&l2, 1, line, 15, 2 * FAR_AWAY).hits;
        level2_atomic(&l2, 0, line, 15);
        after += level2_read(&l2, 1, line, 15, 3 * FAR_AWAY).hits;
    }
    assert_int_equal(again, 512 * 4);
    assert_in_range(after, 512, 512 * 3); /* those whose home it is */
    assert_int_equal(l2.read, 512 * 4);
    arena_free(arena);
}

/* ---- the wheel ---- */

static void test_wheel(void **state) {
    (void)state;
    enum { MEMBERS = 300 };
    static uint64_t due[MEMBERS];
    Arena *arena = arena_new();
    Wheel *wheel = NEW(arena, Wheel);
    uint64_t seed = 5, before = 0;
    wheel_begin(wheel, arena, MEMBERS);
    for (uint32_t m = 0; m < MEMBERS; m++)
        wheel_add(wheel, m, due[m] = random_next(&seed) % WHEEL_SLOTS);
    for (uint32_t i = 0; i < 50000; i++) {
        uint32_t member = wheel_take(wheel);
        assert_int_equal(wheel->now, due[member]);
        assert_true(wheel->now >= before);
        for (uint32_t m = 0; i % 100 == 0 && m < MEMBERS; m++)
            assert_true(due[m] >= wheel->now);
        before = wheel->now;
        due[member] =
            before + WHEEL_NEAR_CLOCKS + random_next(&seed) % (WHEEL_SLOTS - WHEEL_NEAR_CLOCKS);
        wheel_add(wheel, member, due[member]);
    }
    for (uint32_t m = 0; m < MEMBERS; m++)
        assert_int_not_equal(wheel_take(wheel), WHEEL_NONE);
    assert_int_equal(wheel_take(wheel), WHEEL_NONE);
    arena_free(arena);
}

/* ---- what instructions say ---- */

static void test_ops(void **state) {
    (void)state;
    static const struct {
        const char *text;
        AccessKind kind;
        CacheOp op;
    } cases[] = {
        {"ld.global.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD},
        {"ld.global.nc.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD},
        {"ld.global.cs.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD},
        {"ld.global.L1::evict_last.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD},
        {"ld.global.cg.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"ld.global.nc.L1::no_allocate.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"ld.volatile.global.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"ld.relaxed.gpu.global.u32 %r1, [%rd1]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"LDG.E R0, desc[UR4][R2.64]", ACCESS_LOAD, CACHE_LOAD},
        {"LDG.E.CONSTANT R0, desc[UR4][R2.64]", ACCESS_LOAD, CACHE_LOAD},
        {"LDG.E.STRONG.GPU R0, desc[UR4][R2.64]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"LDG.E.NA R0, desc[UR4][R2.64]", ACCESS_LOAD, CACHE_LOAD_PAST},
        {"st.global.cg.u32 [%rd1], %r1", ACCESS_STORE, CACHE_STORE},
        {"red.global.add.u32 [%rd1], 1", ACCESS_ATOMIC, CACHE_ATOMIC},
        {"cp.async.ca.shared.global [%r1], [%rd1], 4", ACCESS_CP_ASYNC_CA, CACHE_LOAD},
        {"cp.async.cg.shared.global [%r1], [%rd1], 16", ACCESS_CP_ASYNC_CG, CACHE_LOAD_PAST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cache_op(str_of(cases[i].text), cases[i].kind), cases[i].op);
}

/* What the driver took for shared memory of kernels that an H200 ran: KiB, of which the rest is L1's. */
static void test_shape(void **state) {
    (void)state;
    static const struct {
        uint32_t threads, shared, registers, taken;
    } cases[] = {{1024, 0, 16, 8},       {256, 0, 16, 32},       {64, 0, 16, 32},
                 {128, 0, 26, 32},       {256, 1024, 16, 32},    {1024, 8192, 22, 32},
                 {256, 2048, 32, 64},    {256, 32768, 153, 64},  {256, 34816, 168, 64},
                 {256, 4096, 16, 100},   {512, 8192, 20, 100},   {256, 16896, 120, 100},
                 {256, 98304, 254, 100}, {256, 8192, 16, 132},   {64, 2560, 32, 132},
                 {256, 131072, 16, 132}, {256, 16384, 16, 164},  {256, 163840, 16, 164},
                 {256, 49152, 16, 196},  {256, 98304, 16, 196},  {256, 24576, 16, 228},
                 {256, 32768, 16, 228},  {256, 102400, 16, 228}, {256, 204800, 16, 228}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, cases[i].threads,
                                       cases[i].shared, cases[i].registers);
        assert_int_equal(shape.l1_bytes, (256 - cases[i].taken) * 1024);
    }
}

/* ---- some lines for all ---- */

enum { SAMPLE_BLOCKS = 512, SAMPLE_LOADS = 64 };

/* Four warps' loads of 32 lines of `range` that are drawn; with `again`, each twice. */
static CacheTrace *fill_block(CacheTrace *trace, uint64_t *seed, uint64_t range, bool again) {
    for (uint32_t i = 0; i < SAMPLE_LOADS; i++) {
        uint64_t address[WARP_LANES];
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            address[lane] = random_next(seed) % range * LINE_BYTES + lane * 4;
        const Access access = {.space = SPACE_GLOBAL,
                               .width = 4,
                               .mask = FULL_MASK,
                               .kind = ACCESS_LOAD,
                               .address = address};
        for (uint32_t times = 0; times <= again; times++)
            trace_access(trace, i % 4, 0, CACHE_LOAD, &access);
    }
    return trace;
}

/* bits: of lines that are kept. */
static CacheTrace *block_of(uint64_t *seed, uint64_t range, bool again, uint32_t bits) {
    return fill_block(trace_new(bits, 0), seed, range, again);
}

static CacheTrace *random_block(uint64_t *seed, uint64_t range, bool again) {
    return block_of(seed, range, again, 0);
}

static uint32_t bits_of(uint64_t range) {
    uint64_t seed = 3;
    CacheTrace *first = random_block(&seed, range, false), *next;
    CacheTrace *last = first;
    for (uint32_t b = 1; b < SAMPLE_BLOCKS / 8; b++, last = last->next)
        last->next = random_block(&seed, range, false);
    enum { KIB = 1024 };
    uint32_t bits = sample_bits(first, SAMPLE_BLOCKS, 224 * KIB);
    assert_int_equal(sample_bits(first, SAMPLE_BLOCKS / 512, 224 * KIB), 0); /* of few lines */
    assert_true(sample_bits(first, SAMPLE_BLOCKS, 28 * KIB) <= 3); /* 28 lines of L1 are left */
    for (; first; first = next) {
        next = first->next;
        trace_free(first);
    }
    return bits;
}

/* Few lines that are asked for again and again are all modelled; of very many one of 32. */
static void test_sample_bits(void **state) {
    (void)state;
    assert_int_equal(bits_of(100), 0);
    assert_int_equal(bits_of(4000), 1);
    assert_int_equal(bits_of(UINT64_C(1) << 32), 5);
    for (uint32_t bits = 0; bits <= 5; bits++) {
        uint32_t has = 0;
        for (uint64_t line = 0; line < 80000; line++)
            has += sample_has(bits, line * 64 + 12345);
        assert_in_range(has, (80000u >> bits) * 98 / 100, (80000u >> bits) * 102 / 100);
    }
}

static CacheCounts random_launch(uint64_t range, bool every_line, CacheTraffic *traffic) {
    CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
    shape.every_line = every_line;
    uint64_t seed = 5;
    CacheModel *model = model_new(&shape, SAMPLE_BLOCKS, 1);
    for (uint32_t b = 0; b < SAMPLE_BLOCKS; b++)
        model_block(model, random_block(&seed, range, true));
    model_end(model);
    CacheCounts counts = model_counts(model)[0];
    *traffic = model_traffic(model);
    model_free(model);
    return counts;
}

/* A trace whose block has ended is as good as a new one. */
static void test_spare(void **state) {
    (void)state;
    enum { BLOCKS = 1280 };
    CacheCounts counts[2];
    for (uint32_t reuse = 0; reuse < 2; reuse++) {
        CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
        uint64_t seed = 9;
        uint32_t reused = 0;
        CacheModel *model = model_new(&shape, BLOCKS, 1);
        for (uint32_t b = 0; b < BLOCKS; b++) {
            CacheTrace *trace = reuse ? model_spare(model) : NULL;
            reused += trace != NULL;
            if (trace)
                trace_clear(trace, model_bits(model));
            else
                trace = trace_new(model_bits(model), 0);
            model_block(model, fill_block(trace, &seed, 300000, false));
        }
        model_end(model);
        counts[reuse] = model_counts(model)[0];
        model_free(model);
        assert_true(!reuse == !reused);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
}

/* The same sectors are asked for, exactly; rates and bytes differ little. */
static void test_sample(void **state) {
    (void)state;
    static const uint64_t ranges[] = {60000, 300000, 5000000};
    uint32_t other = 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        CacheTraffic all_bytes, some_bytes;
        CacheCounts all = random_launch(ranges[i], true, &all_bytes);
        CacheCounts some = random_launch(ranges[i], false, &some_bytes);
        assert_int_equal(some.l1_loads, all.l1_loads);
        const double loads = (double)all.l1_loads;
        assert_true(fabs((double)some.l1_load_hits - (double)all.l1_load_hits) / loads < 0.01);
        assert_true(fabs((double)some.l2_hits / (double)some.l2_sectors -
                         (double)all.l2_hits / (double)all.l2_sectors) < 0.01);
        assert_true(fabs((double)some_bytes.read / (double)all_bytes.read - 1) < 0.01);
        other += some_bytes.read != all_bytes.read;
    }
    assert_true(other); /* it is another model */
}

/* Blocks that keep only what is modelled say the same as those that keep all, and keep less. */
static void test_kept(void **state) {
    (void)state;
    CacheCounts counts[2];
    CacheTraffic bytes[2];
    size_t words[2] = {0};
    for (uint32_t few = 0; few < 2; few++) {
        CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
        shape.sms = 8;
        uint64_t seed = 5;
        CacheModel *model = model_new(&shape, SAMPLE_BLOCKS, 1);
        for (uint32_t b = 0; b < SAMPLE_BLOCKS; b++) {
            CacheTrace *trace = block_of(&seed, 300000, true, few ? model_bits(model) : 0);
            words[few] += trace->count;
            model_block(model, trace);
        }
        model_end(model);
        counts[few] = model_counts(model)[0];
        bytes[few] = model_traffic(model);
        model_free(model);
    }
    assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
    assert_memory_equal(&bytes[0], &bytes[1], sizeof bytes[0]);
    assert_true(words[1] < words[0] / 2);
}

/* ---- accesses that are told of in groups ---- */

typedef struct Told {
    uint32_t number, base; /* of the instruction; of the groups' two bases */
    CacheOp op;
    uint64_t skip, stride;
} Told;

/* By base, ascending: instructions of both lie between each other; stores write sectors again. */
static const Told told[] = {
    {10, 0, CACHE_LOAD, 0, 24},  {14, 0, CACHE_STORE, 0, 24},  {15, 0, CACHE_STORE, 8, 24},
    {22, 0, CACHE_STORE, 8, 24}, {12, 1, CACHE_LOAD, 4000, 4}, {16, 1, CACHE_STORE, 0, 4},
    {21, 1, CACHE_STORE, 64, 4},
};
enum { TOLD = sizeof told / sizeof *told, OF_FIRST = 4 };

static Access access_at(const Told *of, uint64_t base, uint64_t address[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] = base + of->skip + of->stride * lane;
    return (Access){.space = SPACE_GLOBAL,
                    .width = 4,
                    .mask = FULL_MASK,
                    .kind = of->op == CACHE_STORE ? ACCESS_STORE : ACCESS_LOAD,
                    .address = address};
}

static void tell_one_by_one(CacheTrace *trace, uint32_t warp, const uint64_t base[2]) {
    for (uint32_t number = 0; number < 32; number++)
        for (uint32_t i = 0; i < TOLD; i++) {
            if (told[i].number != number)
                continue;
            uint64_t address[WARP_LANES];
            const Access access = access_at(&told[i], base[told[i].base], address);
            trace_access(trace, warp, i, told[i].op, &access);
        }
}

static void find_groups(Arena *arena, CacheGroup *groups[2]) {
    CachePattern **patterns = NEW_ARRAY(arena, CachePattern *, TOLD);
    for (uint32_t i = 0; i < TOLD; i++) {
        uint64_t address[WARP_LANES];
        const Access access = access_at(&told[i], 1 << 20, address);
        patterns[i] =
            pattern_new(arena, told[i].number, i, told[i].op, &access, (1 << 20) / LINE_BYTES);
    }
    groups[0] = group_new(arena, patterns, OF_FIRST);
    groups[1] = group_new(arena, patterns + OF_FIRST, TOLD - OF_FIRST);
}

/* Lines lie anywhere in `range`; each warp goes round a loop, and waits at a barrier behind it or not. */
typedef struct ToldLoop {
    uint64_t range;
    uint32_t turns;
    bool waits;
} ToldLoop;

/* Of four warps. */
static CacheTrace *told_block(uint64_t *seed, const ToldLoop *of, CacheGroup *const groups[2],
                              uint32_t bits) {
    CacheTrace *trace = trace_new(bits, 0);
    for (uint32_t w = 0; w < 4; w++) {
        for (uint32_t turn = 0; turn < of->turns; turn++) {
            const uint64_t base[2] = {random_next(seed) % of->range * LINE_BYTES,
                                      random_next(seed) % of->range * LINE_BYTES};
            if (!groups)
                tell_one_by_one(trace, w, base);
            for (uint32_t g = 0; groups && g < 2; g++)
                trace_group(trace, w, groups[g], base[g] / LINE_BYTES);
        }
        if (of->waits)
            trace_wait(trace, w);
    }
    trace_end(trace);
    return trace;
}

static void run_told(CacheCounts counts[TOLD], CacheTraffic *bytes, const ToldLoop *of,
                     bool grouped) {
    enum { BLOCKS = 1280 };
    Arena *arena = arena_new();
    CacheGroup *groups[2];
    find_groups(arena, groups);
    CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
    shape.sms = 8;
    uint64_t seed = 11;
    CacheModel *model = model_new(&shape, BLOCKS, TOLD);
    for (uint32_t b = 0; b < BLOCKS; b++)
        model_block(model, told_block(&seed, of, grouped ? groups : NULL, model_bits(model)));
    model_end(model);
    memcpy(counts, model_counts(model), TOLD * sizeof *counts);
    *bytes = model_traffic(model);
    model_free(model);
    arena_free(arena);
}

/* Whether all lines are modelled or some, what is told of in groups is what is told of one by one. */
static void test_groups(void **state) {
    (void)state;
    static const ToldLoop loops[] = {{40, 2, true},
                                     {UINT64_C(1) << 30, 2, true},
                                     {UINT64_C(1) << 30, 40, true}, /* longer than a run gets */
                                     {UINT64_C(1) << 30, 40, false}};
    for (uint32_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        CacheCounts counts[2][TOLD];
        CacheTraffic bytes[2];
        for (uint32_t grouped = 0; grouped < 2; grouped++)
            run_told(counts[grouped], &bytes[grouped], &loops[i], grouped);
        assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
        assert_memory_equal(&bytes[0], &bytes[1], sizeof bytes[0]);
        assert_true(counts[1][2].l2_sectors < counts[1][2].l1_others); /* sent before */
    }
}

/* Two warps of one SM, then of two that are no neighbours, load one sector: the second waits for what comes for the first. */
static void test_waits(void **state) {
    (void)state;
    for (uint32_t apart = 0; apart < 2; apart++) {
        CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
        const uint32_t blocks = apart ? 17 : 1; /* block 16 is on a GPC of its own */
        CacheModel *model = model_new(&shape, blocks, 2);
        for (uint32_t b = 0; b < blocks; b++) {
            CacheTrace *trace = trace_new(0, 0);
            const uint64_t address[WARP_LANES] = {4096 + (b % 16 ? 1 << 20 : 0)};
            const Access access = {.space = SPACE_GLOBAL,
                                   .width = 4,
                                   .mask = 1,
                                   .kind = ACCESS_LOAD,
                                   .address = address};
            trace_access(trace, 0, b == 16, CACHE_LOAD, &access);
            if (!apart)
                trace_access(trace, 1, 1, CACHE_LOAD, &access);
            model_block(model, trace);
        }
        model_end(model);
        const CacheWaits *waits = model_waits(model);
        assert_int_equal(waits[0].waited, apart ? 14 : 0); /* 15 load one other sector */
        assert_int_equal(waits[1].loads, 1);
        assert_int_equal(waits[1].waited, 1);
        assert_in_range(waits[1].clocks, 100, 700);
        model_free(model);
    }
}

/* Sectors that L2 gets when the warps of a block store in one line at the same time: each all of it, or a word of its own. */
static uint64_t sectors_stored(uint32_t warps, bool all) {
    CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
    CacheModel *model = model_new(&shape, 1, 1);
    CacheTrace *trace = trace_new(0, 0);
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = 4096 + 4 * (uint64_t)l;
    for (uint32_t w = 0; w < warps; w++)
        trace_access(trace, w, 0, CACHE_STORE,
                     &(Access){.space = SPACE_GLOBAL,
                               .width = 4,
                               .mask = all ? FULL_MASK : UINT32_C(1) << w,
                               .kind = ACCESS_STORE,
                               .address = address});
    model_block(model, trace);
    model_end(model);
    const CacheCounts counts = model_counts(model)[0];
    assert_int_equal(counts.l1_others, all ? 4 * warps : warps);
    assert_int_equal(counts.l2_hits, counts.l2_sectors);
    model_free(model);
    return counts.l2_sectors;
}

/* As mvt and atax do on an H100, of whose eight warps an eighth of the sectors goes on. */
static void test_stored_together(void **state) {
    (void)state;
    assert_int_equal(sectors_stored(1, true), 4);
    assert_int_equal(sectors_stored(8, true), 4);
    assert_int_equal(sectors_stored(8, false), 8);
}

/* Of two SMs that are neighbours, sectors that L2 is asked for: the second loads so many words from `first` on of the line of
 * which the first one loads two sectors. */
static uint64_t sectors_of_neighbours(uint32_t first, uint32_t words) {
    CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
    CacheModel *model = model_new(&shape, 2, 1);
    for (uint32_t b = 0; b < 2; b++) {
        CacheTrace *trace = trace_new(0, 0);
        uint64_t address[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            address[l] = 4096 + 4 * (uint64_t)(l + (b ? first : 0));
        trace_access(trace, 0, 0, CACHE_LOAD,
                     &(Access){.space = SPACE_GLOBAL,
                               .width = 4,
                               .mask = (UINT32_C(1) << (b ? words : 16)) - 1,
                               .kind = ACCESS_LOAD,
                               .address = address});
        model_block(model, trace);
    }
    model_end(model);
    const uint64_t sectors = model_counts(model)[0].l2_sectors;
    model_free(model);
    return sectors;
}

/* As histogram and winograd do on an H100: only requests for the same sectors of a line become one. */
static void test_neighbours(void **state) {
    (void)state;
    assert_int_equal(sectors_of_neighbours(0, 16), 2);
    assert_int_equal(sectors_of_neighbours(8, 8), 3);
    assert_int_equal(sectors_of_neighbours(8, 16), 4);
}

/* Sectors that L2 gets of a warp's two stores that follow each other, whose lanes lie so far apart. */
static uint64_t sectors_stored_again(uint32_t stride) {
    CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
    CacheModel *model = model_new(&shape, 1, 1);
    CacheTrace *trace = trace_new(0, 0);
    for (uint32_t times = 0; times < 2; times++) {
        uint64_t address[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            address[l] = 4096 + (uint64_t)l * stride + 8 * (uint64_t)times;
        trace_access(trace, 0, 0, CACHE_STORE,
                     &(Access){.space = SPACE_GLOBAL,
                               .width = 4,
                               .mask = FULL_MASK,
                               .kind = ACCESS_STORE,
                               .address = address});
    }
    model_block(model, trace);
    model_end(model);
    const uint64_t sectors = model_counts(model)[0].l2_sectors;
    model_free(model);
    return sectors;
}

static void test_stored_again(void **state) {
    (void)state;
    assert_int_equal(sectors_stored_again(32), 32);
    assert_int_equal(sectors_stored_again(128), 64); /* of 32 lines */
}

/* Sums of real numbers on one word come to L2 one by one (rfs on an H100), whole numbers together. */
static void test_sums(void **state) {
    (void)state;
    assert_int_equal(cache_op(STR("red.global.add.f32"), ACCESS_ATOMIC), CACHE_ATOMIC_SUM);
    assert_int_equal(cache_op(STR("RED.E.ADD.F32.FTZ.RN.STRONG.GPU"), ACCESS_ATOMIC),
                     CACHE_ATOMIC_SUM);
    assert_int_equal(cache_op(STR("RED.E.ADD.STRONG.GPU"), ACCESS_ATOMIC), CACHE_ATOMIC);
    for (uint32_t real = 0; real < 2; real++) {
        CacheShape shape = cache_shape(gpu_named(STR("h200")), 1980, 256, 0, 32);
        CacheModel *model = model_new(&shape, 1, 1);
        CacheTrace *trace = trace_new(0, 0);
        uint64_t address[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            address[l] = 4096 + 4 * (uint64_t)(l % 2);
        trace_access(trace, 0, 0, real ? CACHE_ATOMIC_SUM : CACHE_ATOMIC,
                     &(Access){.space = SPACE_GLOBAL,
                               .width = 4,
                               .mask = FULL_MASK,
                               .kind = ACCESS_ATOMIC,
                               .address = address});
        model_block(model, trace);
        model_end(model);
        assert_int_equal(model_counts(model)[0].l2_sectors, real ? 16 : 1);
        assert_int_equal(model_counts(model)[0].l1_others, real ? 16 : 1);
        model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_set),
        cmocka_unit_test(test_many_sets),
        cmocka_unit_test(test_level2),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_partitions),
        cmocka_unit_test(test_wheel),
        cmocka_unit_test(test_ops),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_sample_bits),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_spare),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_stored_together),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_stored_again),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
