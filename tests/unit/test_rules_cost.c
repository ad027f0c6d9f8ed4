/* What hides behind what: launches whose times were measured (docs/memory-model.md, section 7), and
 * launches made so that one stage is the longest, none is for certain, or another one hides it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/isa.h"
#include "rules/rules.h"
#include "sample_profile.h"

enum { BLOCKS = 1320, WARPS = 8 * BLOCKS, MILLION = 1000000 };

static Profile *launch_of(SiteSpace space, uint32_t width, Counters counters, uint32_t blocks,
                          const char *gpu) {
    Profile *profile = profile_new();
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    sample_site(profile, NONE, 3, SITE_LOAD, space, width, "x");
    LaunchRecord *record = sample_launch(profile, 0, blocks, 1, 256, 1, gpu);
    record->counters[0] = counters;
    return profile;
}

static double microseconds(const Profile *profile, double cycles) {
    return cycles / gpu_named(str_of(profile->launches.at[0].gpu))->clock_mhz;
}

static Relief relief_of(const Profile *profile, RuleId rule) {
    LaunchCost cost;
    assert_true(launch_cost(profile, 0, &cost));
    return cost_relief(&cost, rule_stages(&cost, rule));
}

/* One block of 256 threads on each SM, 4096 loads each: 541 us measured with 32 wavefronts a load. */
static void bank_offset_is_what_was_measured(void **state) {
    (void)state;
    uint64_t loads = 132ull * 8 * 4096;
    Profile *profile = launch_of(SITE_SHARED, 4, sample_shared(loads, 4, 32, 1), 132, "h100");
    profile->launches.at[0].warp_insts = loads * 6;
    LaunchCost cost;
    assert_true(launch_cost(profile, 0, &cost));
    double time = microseconds(profile, cost.stage[STAGE_DATA].least);
    assert_true(time > 0.95 * 541 && time <= 541);
    Relief relief = relief_of(profile, RULE_bank_conflicts_load);
    assert_int_equal(relief.verdict, VERDICT_LONGEST);
    assert_int_equal(relief.stage, STAGE_DATA);
    assert_int_equal(relief.other, STAGE_ISSUE);
    profile_free(profile);
}

/* 64 Mi structures of three doubles: three loads and three stores of 24 sectors each by a warp. */
static Profile *structures(const char *gpu) {
    uint64_t warps = 2ull << 20, bytes = 24ull << 26;
    Profile *profile =
        launch_of(SITE_GLOBAL, 8, sample_global(6 * warps, 8, 24, 8, 6), 262144, gpu);
    LaunchRecord *record = &profile->launches.at[0];
    record->warp_insts = 25 * warps;
    record->evidence_blocks = record->blocks;
    record->loaded_sectors = record->stored_sectors = bytes / 32;
    record->loaded_bytes = record->stored_bytes = bytes;
    return profile;
}

/* Measured: 1077 us as structures, 1107 us flat. */
static void structures_hide_behind_dram_on_an_h100(void **state) {
    (void)state;
    Profile *profile = structures("h100");
    LaunchCost cost;
    assert_true(launch_cost(profile, 0, &cost));
    assert_true(cost.whole_sectors);
    double time = microseconds(profile, cost.stage[STAGE_DRAM].least);
    assert_true(time > 0.85 * 1077 && time <= 1077);
    Relief relief = relief_of(profile, RULE_uncoalesced_global);
    assert_int_equal(relief.verdict, VERDICT_HIDDEN);
    assert_int_equal(relief.other, STAGE_DRAM);
    assert_int_equal(relief.stage, STAGE_L2);
    profile_free(profile);
}

/* Measured: flat is 1.24 times as fast. */
static void structures_may_matter_on_an_a2000(void **state) {
    (void)state;
    Profile *profile = structures("a2000");
    assert_int_equal(relief_of(profile, RULE_uncoalesced_global).verdict, VERDICT_OPEN);
    profile_free(profile);
}

/* A few recorded blocks: what they touch stands for all, if they share none of it. */
static void recorded_blocks_stand_for_all(void **state) {
    (void)state;
    Profile *profile = structures("h100");
    LaunchRecord *record = &profile->launches.at[0];
    uint64_t part = record->blocks / 16;
    record->evidence_blocks = 16;
    record->loaded_sectors /= part;
    record->loaded_bytes /= part;
    record->stored_sectors /= part;
    record->stored_bytes /= part;
    record->loaded_by_blocks = record->loaded_sectors;
    assert_int_equal(relief_of(profile, RULE_uncoalesced_global).verdict, VERDICT_LIKELY_HIDDEN);
    record->loaded_by_blocks *= 2;
    assert_int_equal(relief_of(profile, RULE_uncoalesced_global).verdict, VERDICT_OPEN);
    profile_free(profile);
}

/* Of structures of 64 bytes 8 are used: DRAM moves the rest, too, and is relieved. */
static void sectors_used_in_part_relieve_dram(void **state) {
    (void)state;
    Profile *profile = structures("h100");
    profile->launches.at[0].loaded_bytes /= 4;
    profile->launches.at[0].stored_bytes /= 4;
    Relief relief = relief_of(profile, RULE_uncoalesced_global);
    assert_int_equal(relief.verdict, VERDICT_LONGEST);
    assert_int_equal(relief.stage, STAGE_DRAM);
    profile_free(profile);
}

/* What is resident in L2 need not come from DRAM at all. */
static void small_arrays_decide_nothing(void **state) {
    (void)state;
    Profile *profile = structures("h100");
    LaunchRecord *record = &profile->launches.at[0];
    record->loaded_sectors = record->stored_sectors = MILLION;
    record->loaded_bytes = record->stored_bytes = 32ull * MILLION;
    Relief relief = relief_of(profile, RULE_uncoalesced_global);
    assert_int_equal(relief.verdict, VERDICT_OPEN);
    profile_free(profile);
}

/* Arithmetic in doubles takes an H100's 64 lanes, an A2000 has two. */
static void arithmetic_hides_conflicts(void **state) {
    (void)state;
    const char *const gpus[] = {"h100", "a2000"};
    const Verdict expected[] = {VERDICT_LONGEST, VERDICT_HIDDEN};
    for (int g = 0; g < 2; g++) {
        Profile *profile =
            launch_of(SITE_SHARED, 8, sample_shared(100 * WARPS, 8, 16, 2), BLOCKS, gpus[g]);
        profile->launches.at[0].warp_insts = 300 * WARPS;
        profile->launches.at[0].fp64_flops = 400 * WARPS;
        Relief relief = relief_of(profile, RULE_bank_conflicts_load);
        assert_int_equal(relief.verdict, expected[g]);
        profile->launches.at[0].matrix_insts = 1;
        relief = relief_of(profile, RULE_bank_conflicts_load);
        assert_int_equal(relief.verdict, g == 0 ? VERDICT_OPEN : VERDICT_HIDDEN);
        profile_free(profile);
    }
}

/* Machine code says what was issued: 600 warp instructions on one SM with 4 schedulers, of them 200 that multiply or add. */
static void machine_code_bounds_nothing(void **state) {
    (void)state;
    static const char *const code[] = {"@!P0 FFMA.FTZ R1, R2, R3, R4", "FADD R1, R2, R3",
                                       "IADD3 R1, R2, R3, RZ"};
    Profile *profile = profile_new();
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    LaunchRecord *record = sample_launch(profile, 0, 1, 1, 32, 1, "h100");
    record->warp_insts = 600;
    record->fp32_flops = 300;
    for (int i = 0; i < 3; i++)
        *vec_add(profile->arena, &profile->kernels.at[0].sass) =
            (SassInst){.location = NONE, .text = code[i], .site = NONE};
    profile->kernels.at[0].machine_code = true;
    *vec_add(profile->arena, &record->inst_runs) = (InstRun){0, 2, 100, 3200};
    *vec_add(profile->arena, &record->inst_runs) = (InstRun){2, 1, 400, 12800};
    LaunchCost cost;
    InstMix mix;
    assert_true(launch_mix(profile, 0, &mix));
    assert_int_equal(mix.of[INST_fp32].warps, 200);
    assert_int_equal(mix.of[INST_integer].threads, 12800);
    assert_int_equal(mix.fp32_warps, 200);
    assert_true(launch_cost(profile, 0, &cost));
    assert_false(cost.stage[STAGE_ISSUE].estimated);
    assert_int_equal(cost.stage[STAGE_ISSUE].least, 150);
    assert_int_equal(cost.stage[STAGE_ISSUE].most, 150);
    assert_int_equal(cost.stage[STAGE_FP32].least, 50); /* 128 lanes a clock */
    assert_int_equal(cost.stage[STAGE_FP32].most, 50);
    profile_free(profile);
}

/* Counted on a GPU, where instructions that access no memory are not: a stage matters if it is busy for most of the time. */
static void measured_time_decides(void **state) {
    (void)state;
    const uint64_t loads = 132ull * 8 * 4096;
    Profile *profile = launch_of(SITE_SHARED, 4, sample_shared(loads, 4, 32, 1), 132, "h100");
    Arena *arena = arena_new();
    LaunchRecord *record = &profile->launches.at[0];
    record->ran_on = "NVIDIA H100";
    record->warp_insts = 0;
    record->wall_seconds = 0;
    Relief relief = relief_of(profile, RULE_bank_conflicts_load);
    assert_int_equal(relief.verdict, VERDICT_OPEN);
    record->wall_seconds = 541e-6;
    relief = relief_of(profile, RULE_bank_conflicts_load);
    assert_int_equal(relief.verdict, VERDICT_LONGEST);
    assert_true(relief.busy_least > 0.95 && relief.busy_least <= 1);
    assert_non_null(strstr(words_relief(arena, &relief), "of the 541.0 us that the launch takes"));
    record->wall_seconds = 3e-3;
    relief = relief_of(profile, RULE_bank_conflicts_load);
    assert_int_equal(relief.verdict, VERDICT_OPEN);
    assert_string_equal(words_relief(arena, &relief),
                        "May be hidden: the data stage (shared memory, L1) is busy for 18 % of the "
                        "3.00 ms that the launch takes");
    record->ran_on = NULL; /* on the CPU it is how long that took */
    record->warp_insts = loads * 6;
    assert_true(relief_of(profile, RULE_bank_conflicts_load).seconds == 0);
    arena_free(arena);
    profile_free(profile);
}

static void findings_come_as_they_matter(void **state) {
    (void)state;
    Profile *profile = structures("h100");
    Arena *arena = arena_new();
    sample_site(profile, NONE, 4, SITE_LOAD, SITE_SHARED, 4, "y");
    LaunchRecord *record = &profile->launches.at[0];
    Counters *counters = NEW_ARRAY(profile->arena, Counters, 2);
    counters[0] = record->counters[0];
    counters[1] = sample_shared(2ull << 20, 4, 2, 1);
    record->counters = counters;
    uint32_t count;
    Finding *findings = rules_run(arena, profile, 0, &count);
    assert_int_equal(count, 4);
    for (uint32_t i = 1; i < count; i++)
        assert_true(findings[i - 1].relief.verdict <= findings[i].relief.verdict);
    assert_non_null(strstr(words_matters(arena, &findings[count - 1]), "Hidden: DRAM traffic"));
    record->gpu = "none";
    findings = rules_run(arena, profile, 0, &count);
    assert_null(words_matters(arena, &findings[0]));
    arena_free(arena);
    profile_free(profile);
}

/* Of stages that take the same, the first is named. */
static void equal_stages(void **state) {
    (void)state;
    LaunchCost cost = {.matrices = false};
    for (int s = 0; s < STAGE_COUNT; s++)
        cost.stage[s] = (Stage){.least = 500, .most = 500};
    Relief relief = cost_relief(&cost, 1u << 1 | 1u << 2);
    assert_int_equal(relief.verdict, VERDICT_LONGEST);
    assert_int_equal(relief.stage, 1);
    assert_int_equal(relief.other, 0);
    relief = cost_relief(&cost, 1u << 0);
    assert_int_equal(relief.other, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bank_offset_is_what_was_measured),
        cmocka_unit_test(structures_hide_behind_dram_on_an_h100),
        cmocka_unit_test(structures_may_matter_on_an_a2000),
        cmocka_unit_test(recorded_blocks_stand_for_all),
        cmocka_unit_test(sectors_used_in_part_relieve_dram),
        cmocka_unit_test(small_arrays_decide_nothing),
        cmocka_unit_test(arithmetic_hides_conflicts),
        cmocka_unit_test(machine_code_bounds_nothing),
        cmocka_unit_test(measured_time_decides),
        cmocka_unit_test(findings_come_as_they_matter),
        cmocka_unit_test(equal_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
