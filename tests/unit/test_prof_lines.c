/* Sums by source line, with inlined functions; counters as a table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_profile.h"

static const LineCounts *line_of(const LineCounts *lines, uint32_t count, uint32_t file,
                                 uint32_t line) {
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].file == file && lines[i].line == line)
            return &lines[i];
    return NULL;
}

static void callers_have_the_counts_of_what_they_inline(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    Arena *arena = arena_new();
    uint32_t count, gemm = profile_file(profile, "samples/sgemm/sgemm.cu"),
                    copy = profile_file(profile, "samples/sgemm/copy.h");
    LineCounts *lines = profile_lines(arena, profile, LAUNCH_GEMM, &count);
    const LineCounts *callee = line_of(lines, count, copy, 12);
    const LineCounts *wrapper = line_of(lines, count, copy, 21);
    const LineCounts *first = line_of(lines, count, gemm, 30);
    const LineCounts *second = line_of(lines, count, gemm, 32);
    assert_int_equal(callee->own.wavefronts, 8192 * 17);
    assert_int_equal(callee->total.wavefronts, 8192 * 17);
    assert_int_equal(wrapper->own.wavefronts, 0);
    assert_int_equal(wrapper->total.wavefronts, 8192 * 9);
    assert_int_equal(first->own.requests, 0);
    assert_int_equal(first->total.wavefronts, 8192 * 8);
    assert_int_equal(second->total.wavefronts, 8192 * 9);
    assert_int_equal(second->warp_insts, 40000);
    assert_int_equal(callee->warp_insts, 40000);
    arena_free(arena);
    profile_free(profile);
}

/* A function inlined into itself: a line that the chain passes twice counts once. */
static void a_site_counts_once_per_line(void **state) {
    (void)state;
    Profile *profile = profile_new();
    Arena *arena = arena_new();
    uint32_t file = profile_file(profile, "a.cu");
    uint32_t outer = profile_location(profile, file, 9, 1, NULL, NONE);
    uint32_t middle = profile_location(profile, file, 5, 1, "f()", outer);
    uint32_t inner = profile_location(profile, file, 5, 7, "f()", middle);
    sample_kernel(profile, 0, "k", "k", outer, 1, 0);
    sample_site(profile, inner, 7, SITE_LOAD, SITE_SHARED, 4, "ld.shared.u32 %r1, [%r2]");
    sample_launch(profile, 0, 1, 1, 32, 1, "h100")->counters[0] = sample_shared(3, 4, 2, 1);
    uint32_t count;
    LineCounts *lines = profile_lines(arena, profile, 0, &count);
    assert_int_equal(count, 2);
    assert_int_equal(lines[0].line, 5);
    assert_int_equal(lines[0].own.wavefronts, 6);
    assert_int_equal(lines[0].total.wavefronts, 6);
    assert_int_equal(lines[1].line, 9);
    assert_int_equal(lines[1].own.wavefronts, 0);
    assert_int_equal(lines[1].total.wavefronts, 6);
    arena_free(arena);
    profile_free(profile);
}

static void without_line_info_the_lines_are_those_of_the_ptx(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    Arena *arena = arena_new();
    uint32_t count;
    LineCounts *lines = profile_lines(arena, profile, LAUNCH_ADD3_SAMPLED, &count);
    assert_int_equal(count, 2);
    assert_int_equal(lines[0].file, NONE);
    assert_int_equal(lines[0].line, 11);
    assert_int_equal(lines[1].line, 13);
    assert_int_equal(lines[1].own.sectors, 2048 * 24);
    arena_free(arena);
    profile_free(profile);
}

static bool is_store(const Site *site) {
    return site->op == SITE_STORE;
}

static void totals(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    assert_int_equal(profile_total(profile, LAUNCH_SCAN, NULL).wavefronts, 4 * 65536 + 2 * 1048576);
    assert_int_equal(profile_total(profile, LAUNCH_SCAN, is_store).wavefronts, 2 * 65536 + 1048576);
    profile_free(profile);
}

static void counters_are_a_table(void **state) {
    (void)state;
    Counters counters;
    uint64_t *fields = (uint64_t *)(void *)&counters;
    assert_int_equal(sizeof counters, COUNTER_COUNT * sizeof *fields);
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        fields[i] = i + 1;
    Counters twice = counters;
    counters_add(&twice, &counters);
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        assert_int_equal(twice.at[i], 2 * (i + 1));
    assert_string_equal(counter_info(COUNTER_wavefronts_ideal)->name, "wavefronts_ideal");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_have_the_counts_of_what_they_inline),
        cmocka_unit_test(a_site_counts_once_per_line),
        cmocka_unit_test(without_line_info_the_lines_are_those_of_the_ptx),
        cmocka_unit_test(totals),
        cmocka_unit_test(counters_are_a_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
