/* Flows between levels of memory against the sums of the pages, rooflines against the data sheet, and what their pictures say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/levels.h"
#include "sample_profile.h"

#include <stdlib.h>

static void close_to(double value, double wanted, double off) {
    assert_true(value > wanted - off && value < wanted + off);
}

static LaunchView view_of(const Profile *profile, uint32_t number) {
    const LaunchRecord *record = &profile->launches.at[number];
    LaunchView view = {.number = number,
                       .record = record,
                       .kernel = &profile->kernels.at[record->kernel],
                       .scale = view_scale(record)};
    view_sums(profile, record, &view.shared, &view.global, &view.all);
    return view;
}

/* Of flows between the two, either way, with that basis. */
static Flow sum_between(const Levels *levels, Level a, Level b, FlowBasis basis) {
    Flow sum = {0};
    for (uint32_t i = 0; i < levels->count; i++) {
        const Flow *flow = &levels->flow[i];
        const bool these = (flow->from == a && flow->to == b) || (flow->from == b && flow->to == a);
        assert_true(flow->bytes > 0);
        if (!these)
            continue;
        assert_int_equal(flow->basis, basis);
        sum.wavefronts += flow->wavefronts;
        sum.sectors += flow->sectors;
        sum.bytes += flow->bytes;
    }
    return sum;
}

static uint64_t local_sectors(const Profile *profile, const LaunchView *view) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < view->kernel->site_count; i++)
        if (profile->sites.at[view->kernel->first_site + i].space == SITE_LOCAL)
            sum += view->record->counters[i].sectors;
    return sum;
}

static void flows_are_the_sums(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    for (uint32_t launch = 0; launch < SAMPLE_LAUNCHES; launch++) {
        const LaunchView view = view_of(profile, launch);
        const Levels levels = levels_of(profile, &view);
        const Flow shared = sum_between(&levels, LEVEL_KERNEL, LEVEL_SHARED, FLOW_COUNTED);
        const Flow rise = sum_between(&levels, LEVEL_L1, LEVEL_SHARED, FLOW_COUNTED);
        const Flow l1 = sum_between(&levels, LEVEL_KERNEL, LEVEL_L1, FLOW_COUNTED);
        const Flow l2 = sum_between(&levels, LEVEL_L1, LEVEL_L2, FLOW_AT_MOST);
        assert_int_equal(shared.wavefronts + rise.wavefronts, view.shared.wavefronts);
        assert_int_equal(l1.sectors + rise.sectors,
                         view.global.sectors + local_sectors(profile, &view));
        assert_int_equal(l2.sectors, l1.sectors + rise.sectors); /* no access hits, at most */
        assert_int_equal(l2.bytes, 32 * l2.sectors);
        assert_false(levels.modelled);
        assert_true(levels.l1_rate < 0 && levels.l2_rate < 0);
        assert_int_equal(sum_between(&levels, LEVEL_L2, LEVEL_DRAM, FLOW_COUNTED).bytes, 0);
    }
    profile_free(profile);
}

/* The scan's first load of global memory, with estimates of --caches. */
static void model_caches(Profile *profile, LaunchRecord *record) {
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    uint32_t site = kernel->first_site;
    while (profile->sites.at[site].space != SITE_GLOBAL || profile->sites.at[site].op != SITE_LOAD)
        site++;
    record->l1_bytes = 200 << 10;
    record->dram_read = 30;
    record->dram_written = 7;
    *vec_add(profile->arena, &record->cache_counts) = (CacheCount){
        .site = site, .l1_loads = 100, .l1_load_hits = 75, .l2_sectors = 25, .l2_hits = 10};
}

static void estimates_say_so(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    model_caches(profile, &profile->launches.at[LAUNCH_SCAN]);
    const LaunchView view = view_of(profile, LAUNCH_SCAN);
    const Levels levels = levels_of(profile, &view);
    assert_true(levels.modelled);
    assert_int_equal(sum_between(&levels, LEVEL_L1, LEVEL_L2, FLOW_ESTIMATED).sectors, 25);
    assert_int_equal(sum_between(&levels, LEVEL_L2, LEVEL_DRAM, FLOW_ESTIMATED).bytes, 37 * 32);
    close_to(levels.l1_rate, 0.75, 1e-9);
    close_to(levels.l2_rate, 0.4, 1e-9);
    const Levels *both[2] = {&levels, NULL};
    const char *titles[2] = {"a<b>&\"c\"", NULL};
    const char *picture = chart_memory(profile->arena, both, titles);
    assert_non_null(
        strstr(picture, "role=\"img\" aria-label=\"Memory chart, a&lt;b&gt;&amp;&quot;c&quot;."));
    assert_null(strstr(picture, "<b>"));
    assert_non_null(strstr(picture, "~75.0 % hit"));
    assert_non_null(strstr(picture, "L2 to L1, loads; ~25 sectors, 800 B (estimated)"));
    assert_null(strstr(picture, "class=\"bound\" d=")); /* an arrow that is no more than a bound */
    assert_null(strstr(picture, "unknown\" x"));
    assert_non_null(strstr(picture, "</svg>"));
    profile_free(profile);
}

static void what_is_not_modelled_is_a_bound(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    const LaunchView view = view_of(profile, LAUNCH_SCAN);
    const Levels levels = levels_of(profile, &view), none = {.l1_rate = -1, .l2_rate = -1};
    const Levels *both[2] = {&levels, &none};
    const char *titles[2] = {"before", "after"};
    const char *picture = chart_memory(profile->arena, both, titles);
    assert_non_null(strstr(picture, "class=\"bound\" d="));
    assert_non_null(strstr(picture, "unknown\" x"));
    assert_non_null(strstr(picture, ">before</text>"));
    assert_non_null(strstr(picture, ">after</text>"));
    profile_free(profile);
}

static void roofs_are_the_data_sheets(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    LaunchRecord *record = &profile->launches.at[LAUNCH_SCAN];
    record->gpu = "h100";
    record->fp32_flops = 1000;
    record->blocks_run = record->blocks;
    const LaunchView view = view_of(profile, LAUNCH_SCAN);
    Roofline roofline;
    assert_true(roofline_of(profile, &view, &roofline));
    close_to(roofline.peak[ROOF_FP32], 2 * 128 * 132 * 1.98, 0.1);
    close_to(roofline.gbs[LEVEL_DRAM], 3350, 0.1);
    close_to(roofline.gbs[LEVEL_L2], 64 * 132 * 1.98, 0.1);
    close_to(roofline.operations[ROOF_FP32], 32000 * view.scale, 0.1);
    close_to(roofline.peak[ROOF_TENSOR], 4096 * 132 * 1.98, 0.1);
    close_to(roof_at(&roofline, LEVEL_DRAM, ROOF_FP32, 0.5), 1675, 0.1);
    close_to(roof_at(&roofline, LEVEL_DRAM, ROOF_FP32, 1e6), roofline.peak[ROOF_FP32], 0.1);
    assert_int_equal(roofline.basis[LEVEL_L1], FLOW_COUNTED);
    assert_int_equal(roofline.basis[LEVEL_L2], FLOW_AT_MOST);
    assert_true(roofline.seconds == 0);
    const RoofPoint point = {"k<0>", LAUNCH_SCAN, roofline};
    const char *picture = chart_roofline(profile->arena, &point, 1);
    assert_non_null(strstr(picture, "k&lt;0&gt; (launch 0): no more than"));
    record->time_us = 10;
    assert_true(roofline_of(profile, &view, &roofline));
    assert_int_equal(roofline.seconds_basis, FLOW_ESTIMATED);
    const RoofPoint timed = {"k", LAUNCH_SCAN, roofline};
    picture = chart_roofline(profile->arena, &timed, 1);
    assert_non_null(strstr(picture, "k (launch 0): ~3.2 10^9 operations a second"));
    record->gpu = "none";
    assert_false(roofline_of(profile, &view, &roofline));
    profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flows_are_the_sums),
                                       cmocka_unit_test(estimates_say_so),
                                       cmocka_unit_test(what_is_not_modelled_is_a_bound),
                                       cmocka_unit_test(roofs_are_the_data_sheets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
