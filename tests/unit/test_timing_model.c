/* Times of small launches whose length is known: chains, streams, barriers, and what mending saves. */
#include "timing/timing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { REGISTERS = 8, INSNS = 8, EVENTS = 4096, WARPS = 32 };

/* One block of some warps that all execute the same events. */
typedef struct Case {
    Arena *arena;
    TimedInsn insns[INSNS];
    uint32_t registers[2 * INSNS], count;
    TimeTrace warps[WARPS];
    TimeBlock block;
    TimedCode code;
    TimeRates rates[2];
} Case;

static int set_up(void **state) {
    Arena *arena = arena_new();
    Case *test = NEW(arena, Case);
    test->arena = arena;
    *state = test;
    return 0;
}

static int tear_down(void **state) {
    arena_free(((Case *)*state)->arena);
    return 0;
}

/* reads, writes: a register, or NO_TIME_SITE for none. */
static uint32_t add_insn(Case *test, const char *text, uint32_t reads, uint32_t writes) {
    TimedInsn insn = timed_insn(str_of(text), (Str){"", 0}, true);
    insn.first_register = 2 * test->count;
    if (reads != NO_TIME_SITE)
        test->registers[insn.first_register + insn.reads++] = reads;
    if (writes != NO_TIME_SITE)
        test->registers[insn.first_register + insn.reads + insn.writes++] = writes;
    insn.site = insn.unit == TIME_global || insn.unit == TIME_shared || insn.unit == TIME_constant
                    ? 0
                    : NO_TIME_SITE;
    test->insns[test->count] = insn;
    return test->count++;
}

static void execute(Case *test, uint32_t warps, TimeEvent event, uint32_t times) {
    for (uint32_t w = 0; w < warps; w++)
        for (uint32_t i = 0; i < times; i++) {
            *vec_add(test->arena, &test->warps[w].events) = event;
            test->warps[w].executed++;
        }
}

static TimeLaunch launch_of(Case *test, uint32_t warps, uint64_t grid) {
    test->code = (TimedCode){.insns = test->insns,
                             .registers = test->registers,
                             .count = test->count,
                             .register_count = REGISTERS,
                             .site_count = 1,
                             .machine = true};
    test->block.warps = test->warps;
    return (TimeLaunch){.gpu = gpu_named(STR("h200")),
                        .code = &test->code,
                        .blocks = &test->block,
                        .block_count = 1,
                        .warps_per_block = warps,
                        .blocks_per_sm = 2,
                        .grid = grid,
                        .rates = test->rates,
                        .clock_mhz = 1000};
}

/* Microseconds at 1000 MHz are thousands of clocks; what launching takes is taken off by an empty-handed one. */
static double clocks_of(const TimeLaunch *launch) {
    return time_estimate(launch).clocks;
}

static void a_chain_takes_its_latencies(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    execute(test, 1, (TimeEvent){.insn = insn}, 1000);
    TimeLaunch launch = launch_of(test, 1, 1);
    double once = clocks_of(&launch);
    execute(test, 1, (TimeEvent){.insn = insn}, 1000);
    assert_float_equal((float)(clocks_of(&launch) - once), 4100, 10);
    assert_int_equal(time_estimate(&launch).limit, TIME_BY_ARITHMETIC_LATENCY);
}

/* Of a long warp windows are kept: each stands for what is nearest to it, but for the wait for its code. */
static void windows_stand_for_what_is_near(void **state) {
    Case *test = *state;
    uint32_t slow = add_insn(test, "MUFU.EX2 R1, R1", 1, 1),
             fast = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    TimeTrace *trace = &test->warps[0];
    execute(test, 1, (TimeEvent){.insn = slow}, 1000);
    execute(test, 1, (TimeEvent){.insn = fast}, 1000);
    TimeLaunch launch = launch_of(test, 1, 1);
    double kept = clocks_of(&launch);
    *vec_add(test->arena, &trace->windows) = (TimeWindow){.at = 0, .first = 0};
    *vec_add(test->arena, &trace->windows) = (TimeWindow){.at = 3000, .first = 1000};
    trace->executed = 9000;
    assert_float_equal((float)(clocks_of(&launch) - kept), 1000 * 17 + 6000 * 4.1, 500);
}

enum { BUSY = 264, IDLE = 13200 };

static TimeLaunch of_two_kinds(Case *test, TimeTrace *idle, TimeBlock blocks[2]) {
    uint32_t insn = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    execute(test, 1, (TimeEvent){.insn = insn}, EVENTS);
    *vec_add(test->arena, &idle->events) = (TimeEvent){.insn = insn};
    idle->executed = 1;
    TimeLaunch launch = launch_of(test, 1, BUSY + IDLE);
    blocks[0] = (TimeBlock){.warps = test->warps};
    blocks[1] = (TimeBlock){.warps = idle, .number = BUSY};
    launch.blocks = blocks;
    launch.block_count = 2;
    launch.executed = BUSY * EVENTS + IDLE;
    return launch;
}

/* Two blocks of an SM have work, and run side by side; 100 have none, and come and go. */
static void few_blocks_have_all_the_work(void **state) {
    Case *test = *state;
    TimeTrace idle = {0};
    TimeBlock blocks[2];
    TimeLaunch launch = of_two_kinds(test, &idle, blocks);
    double even = clocks_of(&launch);
    uint32_t *sizes = NEW_ARRAY(test->arena, uint32_t, launch.grid);
    for (uint32_t b = 0; b < launch.grid; b++)
        sizes[b] = b < BUSY ? EVENTS : 1;
    launch.sizes = sizes;
    double first = clocks_of(&launch);
    /* both places are taken until they end; then 100 begin, one after the other */
    assert_in_range((int64_t)first, (int64_t)(4.1 * EVENTS), (int64_t)(4.1 * EVENTS) + 25000);
    assert_true(even < 0.6 * first);
    for (uint32_t b = 0; b < launch.grid; b++)
        sizes[b] = b % 51 == 0 ? EVENTS : 1;
    /* … or the second one begins in the middle of the others, which go through the place beside it */
    assert_in_range((int64_t)clocks_of(&launch), (int64_t)(4.1 * EVENTS) + 5000,
                    (int64_t)first - 2000);
}

/* All run at once: the SM that has the long one of two ends the launch, which was not traced itself. */
static void the_longest_block_ends_a_round(void **state) {
    Case *test = *state;
    TimeTrace idle = {0};
    TimeBlock blocks[2];
    TimeLaunch launch = of_two_kinds(test, &idle, blocks);
    uint32_t sizes[264];
    launch.grid = 264;
    blocks[1].number = 1;
    for (uint32_t b = 0; b < 264; b++)
        sizes[b] = b == 0 ? EVENTS : b == 200 ? 3 * EVENTS : 1;
    launch.sizes = sizes;
    assert_float_equal((float)clocks_of(&launch), (float)(3 * 4.1 * EVENTS), 5000);
}

static void warps_share_the_units(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "MUFU.EX2 R1, R2", NO_TIME_SITE, 1);
    execute(test, 12, (TimeEvent){.insn = insn}, 100);
    TimeLaunch launch = launch_of(test, 12, 1);
    double once = clocks_of(&launch);
    execute(test, 12, (TimeEvent){.insn = insn}, 100); /* 3 warps a part, 8 clocks each */
    assert_float_equal((float)(clocks_of(&launch) - once), 2400, 20);
    assert_int_equal(time_estimate(&launch).limit, TIME_BY_UNIT);
}

static void conflicts_cost_wavefronts(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDS R1, [R2]", NO_TIME_SITE, 1);
    TimeEvent event = {.insn = insn, .wavefronts = 32, .wavefronts_ideal = 1, .lanes = 32};
    execute(test, 8, event, 100);
    TimeLaunch launch = launch_of(test, 8, 1);
    const TimeMend mended[1] = {{true, 1, 1}};
    double as_it_is = time_estimate(&launch).us;
    assert_true(as_it_is > 800 * 32 / 1e3);
    assert_true(time_mended(&launch, mended) < as_it_is / 4);
}

/* Loads that hit keep L1 as long as its tags or its data do, not a clock for each line; of stores nobody has measured that. */
static void scattered_loads_take_their_passes(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDG.E R4, desc[UR4][R2.64]", NO_TIME_SITE, NO_TIME_SITE);
    TimeEvent event = {.insn = insn, .sectors = 32, .sectors_ideal = 4, .lines = 32, .lanes = 32};
    execute(test, 16, event, 100);
    TimeLaunch launch = launch_of(test, 16, 1);
    test->rates[0] = (TimeRates){.to_l2 = 0};
    double lines = clocks_of(&launch);
    for (uint32_t w = 0; w < 16; w++)
        for (uint32_t i = 0; i < test->warps[w].events.count; i++)
            test->warps[w].events.at[i].passes = 11;
    double passes = clocks_of(&launch);
    assert_float_equal((float)(lines - passes), 1600 * 21, 1600);
    assert_true(time_mended(&launch, &(TimeMend){.is = true}) < time_estimate(&launch).us / 2);
}

/* What no lane asks for keeps nothing busy but its turn to be issued. */
static void loads_whose_guards_fail_take_their_turns(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "@P0 LDG.E R4, desc[UR4][R2.64]", NO_TIME_SITE, NO_TIME_SITE);
    test->rates[0] = (TimeRates){.to_l2 = 0};
    execute(test, 16, (TimeEvent){.insn = insn, .sectors = 4, .lines = 1, .lanes = 32}, 100);
    TimeLaunch launch = launch_of(test, 16, 1);
    const double all = clocks_of(&launch);
    for (uint32_t w = 0; w < 16; w++)
        for (uint32_t i = 0; i < test->warps[w].events.count; i++)
            test->warps[w].events.at[i] = (TimeEvent){.insn = insn};
    assert_float_equal((float)(all - clocks_of(&launch)), 1600 * (2 - 1.12 / 4), 200);
}

/* As popcount's table of constants took on an H200: 2.1 clocks of an SM for each address, and as long where no lane asks. */
static void constants_come_by_address(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDC.U8 R4, c[0x3][R2]", NO_TIME_SITE, 1);
    TimeEvent event = {.insn = insn, .lanes = 32, .passes = 1};
    execute(test, 16, event, 100);
    TimeLaunch launch = launch_of(test, 16, 1);
    const double one = clocks_of(&launch);
    assert_true(one > 1600 * 2.1 && one < 1600 * 2.1 + 3000);
    for (uint32_t w = 0; w < 16; w++)
        for (uint32_t i = 0; i < test->warps[w].events.count; i++)
            test->warps[w].events.at[i] = (TimeEvent){.insn = insn};
    assert_float_equal((float)clocks_of(&launch), (float)one, 1);
    for (uint32_t w = 0; w < 16; w++)
        for (uint32_t i = 0; i < test->warps[w].events.count; i++)
            test->warps[w].events.at[i].passes = 30;
    const double clocks = clocks_of(&launch);
    assert_true(clocks > 1600 * 63 && clocks < 1.05 * 1600 * 63);
    assert_int_equal(time_estimate(&launch).limit, TIME_BY_UNIT);
}

static void dram_has_a_bandwidth(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDG.E.128 R4, desc[UR4][R2.64]", NO_TIME_SITE, 1);
    TimeEvent event = {.insn = insn, .sectors = 16, .sectors_ideal = 16, .lines = 4, .lanes = 32};
    execute(test, 32, event, 8);
    test->rates[0] = (TimeRates){.to_l2 = 1, .to_dram = 1};
    TimeLaunch launch = launch_of(test, 32, 132 * 64);
    launch.clock_mhz = 1980;
    double bytes = 132.0 * 64 * 32 * 8 * 512, us = time_estimate(&launch).us;
    assert_true(us > bytes / 4.8e6 && us < 2 * bytes / 4.8e6);
    assert_true(time_estimate(&launch).least_us < us && time_estimate(&launch).most_us > us);
}

/* Clocks of the GPU for each of many atomics of warps on one line. */
static double atomics_apart(Case *test, const char *text, uint8_t lanes, uint8_t words,
                            uint16_t sectors) {
    test->count = 0;
    test->warps[0] = (TimeTrace){0};
    const uint32_t insn = add_insn(test, text, NO_TIME_SITE, NO_TIME_SITE);
    const TimeEvent event = {
        .insn = insn, .sectors = sectors, .lines = 1, .lanes = lanes, .words = words};
    execute(test, 1, event, 1000);
    test->rates[0] = (TimeRates){.to_l2 = 1, .places = 4};
    TimeLaunch launch = launch_of(test, 1, 132);
    return clocks_of(&launch) / 132e3;
}

/* As measured: bench/results/gpu/calibration-h200.tsv. */
static void atomics_meet(void **state) {
    Case *test = *state;
    const char *count = "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5",
               *sum = "RED.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R5",
               *swap = "ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R4, R5";
    assert_float_equal((float)atomics_apart(test, count, 1, 1, 1), 1.65, 0.3);
    assert_float_equal((float)atomics_apart(test, count, 32, 1, 1), 46.5, 2);
    assert_float_equal((float)atomics_apart(test, count, 32, 8, 4), 23.35, 1);
    assert_float_equal((float)atomics_apart(test, count, 32, 32, 4), 5.2, 1);
    assert_float_equal((float)atomics_apart(test, sum, 32, 1, 1), 111.3, 5);
    assert_float_equal((float)atomics_apart(test, sum, 32, 8, 4), 23.4, 1);
    assert_float_equal((float)atomics_apart(test, swap, 32, 1, 1), 46.5, 2);
    assert_float_equal((float)atomics_apart(test, swap, 32, 32, 4), 10.4, 1);
}

/* Each block reads 2 KB and adds to one word (measured on an H200: 2.4 clocks of the GPU a block, of which reading alone takes 1.5):
 * the part of L2 that has the word does its share of the reads, too. */
static void reads_delay_atomics(void **state) {
    Case *test = *state;
    uint32_t load = add_insn(test, "LDG.E.64 R4, desc[UR4][R2.64]", NO_TIME_SITE, NO_TIME_SITE);
    uint32_t add =
        add_insn(test, "RED.E.ADD.STRONG.GPU desc[UR4][R2.64], R5", NO_TIME_SITE, NO_TIME_SITE);
    test->insns[add].site = 1;
    execute(test, 8, (TimeEvent){.insn = load, .sectors = 8, .lines = 2, .lanes = 32}, 1);
    execute(test, 1, (TimeEvent){.insn = add, .sectors = 1, .lines = 1, .lanes = 1, .words = 1}, 1);
    test->rates[0] = (TimeRates){.to_l2 = 1, .to_dram = 1};
    test->rates[1] = (TimeRates){.to_l2 = 1, .places = 1};
    TimeLaunch launch = launch_of(test, 8, 65536);
    test->code.site_count = 2;
    launch.blocks_per_sm = 8;
    launch.clock_mhz = 1980;
    assert_float_equal((float)(clocks_of(&launch) / 65536), 2.4, 0.3);
    assert_int_equal(time_estimate(&launch).limit, TIME_BY_ATOMICS);
}

/* A load that finds everything in L1, but not yet, takes as long as what it waits for. */
static void hits_wait_for_what_is_on_its_way(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDG.E R4, [R4.64]", 4, 4);
    TimeEvent event = {.insn = insn, .sectors = 1, .sectors_ideal = 1, .lines = 1, .lanes = 32};
    execute(test, 1, event, 1000);
    TimeLaunch launch = launch_of(test, 1, 1);
    test->rates[0] = (TimeRates){.to_l2 = 0};
    double hits = clocks_of(&launch);
    test->rates[0] = (TimeRates){.to_l2 = 0, .waits = 0.25f, .wait_clocks = 400};
    assert_float_equal((float)(clocks_of(&launch) - hits), 250 * 400, 500);
    test->rates[0] = (TimeRates){.to_l2 = 1, .to_dram = 1};
    double misses = clocks_of(&launch);
    test->rates[0] = (TimeRates){.to_l2 = 1, .to_dram = 1, .waits = 1, .wait_clocks = 400};
    assert_true(clocks_of(&launch) == misses); /* it waits for DRAM itself */
}

/* Both were measured; what L2 does in a clock, and DRAM's share, are an H100's own. */
static void gpus_differ(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDG.E.128 R4, desc[UR4][R2.64]", NO_TIME_SITE, 1);
    TimeEvent event = {.insn = insn, .sectors = 16, .sectors_ideal = 16, .lines = 4, .lanes = 32};
    execute(test, 32, event, 8);
    test->rates[0] = (TimeRates){.to_l2 = 1};
    TimeLaunch launch = launch_of(test, 32, 132 * 64);
    double h200 = clocks_of(&launch);
    launch.gpu = gpu_named(STR("h100"));
    assert_float_equal((float)(clocks_of(&launch) / h200), 1 / 0.86f, 0.02f);
    assert_true(time_is_calibrated(launch.gpu));
    assert_false(time_is_calibrated(gpu_named(STR("a100"))));
}

/* What was not measured does in L2 what its slices do, however many SMs there are: 94 slices of an H200, 80 of an A100. */
static void slices_do_what_l2_does(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "LDG.E.128 R4, desc[UR4][R2.64]", NO_TIME_SITE, 1);
    TimeEvent event = {.insn = insn, .sectors = 16, .sectors_ideal = 16, .lines = 4, .lanes = 32};
    execute(test, 32, event, 8);
    test->rates[0] = (TimeRates){.to_l2 = 1};
    TimeLaunch launch = launch_of(test, 32, 132 * 64);
    const double h200 = clocks_of(&launch);
    launch.gpu = gpu_named(STR("a100"));
    assert_float_equal((float)(clocks_of(&launch) / h200), 94.0f / 80, 0.03f);
    static const struct {
        const char *name;
        uint32_t slices, bytes, partitions;
    } rows[] = {{"a100", 80, 64, 2}, {"v100", 64, 32, 1},    {"a2000", 24, 32, 1},
                {"a40", 48, 32, 1},  {"rtx4090", 48, 64, 1}, {"h200", 94, 64, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Gpu *gpu = gpu_named(str_of(rows[i].name));
        assert_int_equal(gpu_l2_slices(gpu), rows[i].slices);
        assert_int_equal(gpu_l2_slice_bytes(gpu), rows[i].bytes);
        assert_int_equal(gpu_l2_partitions(gpu), rows[i].partitions);
    }
}

/* Clocks of a launch that fills the GPU and does nothing but ask L2 for whole lines. */
static double l2_clocks(Case *test, const char *text, const char *gpu, double lines) {
    test->count = 0;
    memset(test->warps, 0, sizeof test->warps);
    const uint32_t insn = add_insn(test, text, NO_TIME_SITE, 1);
    execute(test, 32,
            (TimeEvent){.insn = insn, .sectors = 16, .sectors_ideal = 16, .lines = 4, .lanes = 32},
            64);
    test->rates[0] = (TimeRates){.to_l2 = 1};
    TimeLaunch launch = launch_of(test, 32, 0);
    launch.gpu = gpu_named(str_of(gpu));
    launch.grid = (uint64_t)launch.gpu->sms * 64;
    return clocks_of(&launch) / (lines * (double)launch.grid);
}

/* A slice of GA10x moves 32 bytes a clock, one of AD10x 64, of GPUs whose L2 is one; an A40 and an L40, whose slices a rtx4090 has, were
 * measured by others (docs/time.md): 1,397 and 2,290 bytes a clock. An H200 keeps what is written in both halves of its L2. */
static void slices_are_narrow_or_wide(void **state) {
    Case *test = *state;
    const char *load = "LDG.E.128 R4, desc[UR4][R2.64]", *store = "STG.E.128 desc[UR4][R2.64], R4";
    const double lines = 32.0 * 64 * 4;
    assert_float_equal(
        (float)(l2_clocks(test, load, "a40", lines) / l2_clocks(test, load, "rtx4090", lines)),
        2290.0f / 1397, 0.12f);
    const double of_h200 = l2_clocks(test, store, "h200", lines) * 94,
                 of_4090 = l2_clocks(test, store, "rtx4090", lines) * 48;
    assert_float_equal((float)(of_h200 / of_4090), 2, 0.1f);
}

/* DRAM gives no more than it does, whatever the blocks that are simulated ask for. */
static void dram_has_its_rate(void **state) {
    Case *test = *state;
    const uint32_t insn = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    execute(test, 1, (TimeEvent){.insn = insn}, 100);
    TimeLaunch launch = launch_of(test, 1, 1);
    launch.dram_bytes = 1e6;
    assert_true(time_estimate(&launch).held == 1);
    launch.dram_bytes = 4.8e9;
    const TimeEstimate estimate = time_estimate(&launch);
    assert_float_equal((float)estimate.us, 1000 / 0.957f, 0.1f);
    assert_int_equal(estimate.limit, TIME_BY_DRAM);
    assert_float_equal((float)(estimate.held * time_mended(&launch, NULL)), (float)estimate.us,
                       0.1f);
}

/* Lanes of FP32 and FP64 are the GPU's: 2 of FP64 in an SM of GA10x, 64 in Hopper's. */
static double busy_clocks(Case *test, const char *text, const char *gpu) {
    test->count = 0;
    memset(test->warps, 0, sizeof test->warps);
    const uint32_t insn = add_insn(test, text, NO_TIME_SITE, NO_TIME_SITE);
    execute(test, 16, (TimeEvent){.insn = insn, .lanes = 32}, 1000);
    TimeLaunch launch = launch_of(test, 16, 1);
    launch.gpu = gpu_named(str_of(gpu));
    return clocks_of(&launch);
}

static void units_have_lanes(void **state) {
    Case *test = *state;
    const double warps_of_part = 4, count = 1000 * warps_of_part;
    assert_true(busy_clocks(test, "DADD R4, R6, R8", "h200") < 3 * count);
    assert_float_equal((float)(busy_clocks(test, "DADD R4, R6, R8", "a100") / count), 4, 0.8f);
    assert_float_equal((float)(busy_clocks(test, "DADD R4, R6, R8", "a2000") / count), 64, 2);
    const double fma = busy_clocks(test, "FFMA R4, R6, R8", "h200");
    assert_float_equal((float)(busy_clocks(test, "FFMA R4, R6, R8", "a2000") / fma), 1, 0.01f);
    assert_true(busy_clocks(test, "FFMA R4, R6, R8", "a100") > 1.4 * fma);
}

static void whole_warps_take_longer(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "MATCH.ANY R4, R4", 4, 4);
    execute(test, 1, (TimeEvent){.insn = insn, .lanes = 32}, 100);
    TimeLaunch launch = launch_of(test, 1, 1);
    double once = clocks_of(&launch);
    execute(test, 1, (TimeEvent){.insn = insn, .lanes = 32}, 100);
    assert_float_equal((float)(clocks_of(&launch) - once) / 100, 368.8, 2);
}

static void the_clock_is_an_input(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    execute(test, 1, (TimeEvent){.insn = insn}, 4000);
    TimeLaunch launch = launch_of(test, 1, 1);
    double slow = time_estimate(&launch).us;
    launch.clock_mhz = 2000;
    double fast = time_estimate(&launch).us;
    assert_true(fast < 0.6 * slow && fast > 0.45 * slow);
}

static void barriers_wait_for_the_last(void **state) {
    Case *test = *state;
    uint32_t insn = add_insn(test, "FFMA R1, R1, R2, R3", 1, 1);
    uint32_t barrier = add_insn(test, "BAR.SYNC.DEFER_BLOCKING 0x0", NO_TIME_SITE, NO_TIME_SITE);
    execute(test, 1, (TimeEvent){.insn = insn}, 1000); /* the first warp alone */
    execute(test, 8, (TimeEvent){.insn = barrier}, 1);
    execute(test, 8, (TimeEvent){.insn = insn}, 1000);
    TimeLaunch launch = launch_of(test, 8, 1);
    assert_true(clocks_of(&launch) > 8200);
}

static void instructions_go_to_their_units(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool machine;
        TimeUnit unit;
    } rows[] = {
        {"@!P0 IMAD.MOV.U32 R1, RZ, RZ, R2", true, TIME_fma},
        {"IMAD.WIDE R2, R3, 0x4, R4", true, TIME_imad},
        {"ULDC.64 UR4, c[0x0][0x208]", true, TIME_constant},
        {"UIADD3 UR4, UR5, 0x1, URZ", true, TIME_uniform},
        {"DEPBAR.LE SB0, 0x1", true, TIME_group},
        {"LDGSTS.E.BYPASS.128 [R3], desc[UR8][R2.64]", true, TIME_copy},
        {"HMMA.16816.F32 R4, R8, R12, R4", true, TIME_tensor},
        {"fma.rn.f32 %f1, %f2, %f3, %f1", false, TIME_fma},
        {"ld.param.u64 %rd1, [p]", false, TIME_free},
        {"st.shared.v4.f32 [%r1], {%f1, %f2, %f3, %f4}", false, TIME_shared},
        {"bar.warp.sync -1", false, TIME_control},
        {"barrier.sync 0", false, TIME_barrier},
        {"setp.lt.s32 %p1, %r1, %r2", false, TIME_alu},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}", false,
         TIME_tensor},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(timed_insn(str_of(rows[i].text), (Str){"", 0}, rows[i].machine).unit,
                         rows[i].unit);
    assert_true(timed_insn(STR("FFMA R1, R2, R4, R6"), (Str){"", 0}, true).stall);
    assert_false(
        timed_insn(STR("FFMA R1, R2, R4, R6"), STR("FFMA R9, R2.reuse, R3, R5"), true).stall);
    assert_float_equal(timed_insn(STR("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 …"),
                                  (Str){"", 0}, false)
                           .period,
                       64, 0.1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_chain_takes_its_latencies),
        TEST(windows_stand_for_what_is_near),
        TEST(few_blocks_have_all_the_work),
        TEST(the_longest_block_ends_a_round),
        TEST(warps_share_the_units),
        TEST(conflicts_cost_wavefronts),
        TEST(scattered_loads_take_their_passes),
        TEST(loads_whose_guards_fail_take_their_turns),
        TEST(constants_come_by_address),
        TEST(dram_has_a_bandwidth),
        TEST(units_have_lanes),
        TEST(the_clock_is_an_input),
        TEST(barriers_wait_for_the_last),
        TEST(instructions_go_to_their_units),
        TEST(atomics_meet),
        TEST(reads_delay_atomics),
        TEST(hits_wait_for_what_is_on_its_way),
        TEST(gpus_differ),
        TEST(slices_do_what_l2_does),
        TEST(slices_are_narrow_or_wide),
        TEST(dram_has_its_rate),
        TEST(whole_warps_take_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
