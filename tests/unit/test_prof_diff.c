/* Profiles compared: launches and lines find their partners through edits of the source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_profile.h"

/* `expected`: for each line of `before` the line of `after`, both from 1; 0 = gone. */
static void expect_map(const char *before, const char *after, const uint32_t *expected) {
    Arena *arena = arena_new();
    uint32_t count;
    const uint32_t *map = line_map(arena, before, after, &count);
    for (uint32_t i = 0; i < count; i++)
        if (map[i] + 1 != expected[i]) /* NONE + 1 = 0 */
            fail_msg("line %u became %u, not %u", i + 1, map[i] + 1, expected[i]);
    arena_free(arena);
}

static void lines_find_their_partners(void **state) {
    (void)state;
    expect_map("a\nb\nc\n", "a\nb\nc\n", (const uint32_t[]){1, 2, 3});
    expect_map("a\nb\nc\n", "x\na\ny\nb\nc", (const uint32_t[]){2, 4, 5});   /* inserted */
    expect_map("a\nb\nc\nd\n", "a\nd\n", (const uint32_t[]){1, 0, 0, 2});    /* removed */
    expect_map("one;\ntwo;\nthree;\nfour;\n", "three;\nfour;\none;\ntwo;\n", /* moved */
               (const uint32_t[]){3, 4, 1, 2});
    expect_map("{\n  int a = in[i];\n}\n{\n  int b = in[j];\n}\n", /* indented, braces repeat */
               "{\n    int a = in[i];\n}\n\n{\n    int b = in[j];\n}\n",
               (const uint32_t[]){1, 2, 3, 5, 6, 7});
    expect_map("head\n__shared__ float tile[32][32];\nvalue = tile[x][y];\ntail\n", /* edited */
               "head\n__shared__ float tile[32][33];\n\nvalue = tile[x][y] * 2;\ntail\n",
               (const uint32_t[]){1, 2, 4, 5});
    expect_map("v += 1;\nfirst anchor\nv += 1;\nlast anchor\n", /* equal before similar */
               "v += 1;\nfirst anchor\nv += 2;\nv += 1;\nlast anchor\n",
               (const uint32_t[]){1, 2, 4, 5});
    expect_map("head\nfirst thing entirely\ntail\n", "head\n0123456789\ntail\n", /* replaced */
               (const uint32_t[]){1, 0, 3});
    expect_map("M\nr\nA\nB\n", "r\nA\nB\nM\nr\n", /* r stays with what stayed in order */
               (const uint32_t[]){4, 1, 2, 3});
    expect_map("", "a\n", (const uint32_t[]){0});
    expect_map("a\n", "", (const uint32_t[]){0});
}

typedef struct Changes {
    const LineChange *at;
    uint32_t count;
} Changes;

/* Of the launch in row `index` of the comparison. */
static Changes changes_of(Arena *arena, const ProfileDiff *diff, uint32_t index) {
    Changes changes;
    changes.at = diff_lines(arena, diff, &diff->launches[index], &changes.count);
    return changes;
}

static const LineChange *change_at(const Changes *changes, uint32_t line) {
    for (uint32_t i = 0; i < changes->count; i++)
        if (changes->at[i].after && changes->at[i].after->line == line)
            return &changes->at[i];
    return NULL;
}

static void a_profile_and_itself(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = sample_profile();
    ProfileDiff diff = profile_diff(arena, profile, profile);
    assert_int_equal(diff.count, SAMPLE_LAUNCHES);
    for (uint32_t i = 0; i < diff.count; i++) {
        assert_int_equal(diff.launches[i].before, i);
        assert_int_equal(diff.launches[i].after, i);
        const Changes changes = changes_of(arena, &diff, i);
        for (uint32_t j = 0; j < changes.count; j++) {
            const LineChange *change = &changes.at[j];
            assert_non_null(change->before);
            assert_non_null(change->after);
            assert_memory_equal(&change->before->total, &change->after->total, sizeof(Counters));
        }
    }
    profile_free(profile);
    arena_free(arena);
}

/* The padded scan in place of the other, its source two lines further down. */
static void a_kernel_and_its_better_form(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *before = sample_profile(), *after = sample_profile();
    before->launches.count = 1; /* blockScan<0> */
    after->launches.at[0] = after->launches.at[LAUNCH_SCAN_PADDED];
    after->launches.count = 1;
    SourceFile *file = &after->files.at[0];
    file->text = arena_printf(arena, "// one\n// two\n%s", scan_source);
    file->hash++;
    for (uint32_t i = 0; i < after->locations.count; i++)
        after->locations.at[i].line += after->locations.at[i].file == 0 ? 2 : 0;
    ProfileDiff diff = profile_diff(arena, before, after);
    assert_int_equal(diff.count, 1);
    assert_int_equal(diff.launches[0].before, 0);
    const Changes changes = changes_of(arena, &diff, 0);
    const LineChange *change = change_at(&changes, 30);
    assert_int_equal(change->before->line, 28);
    assert_int_equal(change->before->own.wavefronts, 1048576);
    assert_int_equal(change->after->own.wavefronts, 65536);
    for (uint32_t i = 0; i < changes.count; i++)
        assert_true(changes.at[i].before && changes.at[i].after);
    profile_free(before);
    profile_free(after);
    arena_free(arena);
}

/* The same kernel in a file of another name: it says which files belong together. */
static void a_variant_in_another_file(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *before = sample_profile(), *after = sample_profile();
    before->launches.count = after->launches.count = 1;
    after->files.at[0].path = "src/variant.cu";
    ProfileDiff diff = profile_diff(arena, before, after);
    assert_int_equal(diff.count, 1);
    const Changes changes = changes_of(arena, &diff, 0);
    assert_true(changes.count > 0);
    for (uint32_t i = 0; i < changes.count; i++)
        assert_true(changes.at[i].before && changes.at[i].after);
    profile_free(before);
    profile_free(after);
    arena_free(arena);
}

static void launches_that_are_gone_or_new(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *before = sample_profile(), *after = sample_profile();
    before->launches.count = LAUNCH_GEMM + 1; /* two scans and the product */
    after->launches.at[0] = after->launches.at[LAUNCH_ADD3_SAMPLED];
    after->launches.count = 2; /* add3, the padded scan */
    ProfileDiff diff = profile_diff(arena, before, after);
    const uint32_t expected[][2] = {
        {NONE, 0}, {LAUNCH_SCAN_PADDED, 1}, {LAUNCH_SCAN, NONE}, {LAUNCH_GEMM, NONE}};
    assert_int_equal(diff.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(diff.launches[i].before, expected[i][0]);
        assert_int_equal(diff.launches[i].after, expected[i][1]);
    }
    assert_null(changes_of(arena, &diff, 0).at[0].before);
    assert_null(changes_of(arena, &diff, 2).at[0].after);
    profile_free(before);
    profile_free(after);
    arena_free(arena);
}

/* Of two kernels whose names are the same but for what they are instances of: in order, by name and then by
 * what is left of it. In the time of one look at each, not of a hundred thousand. */
static void many_launches(void **state) {
    (void)state;
    enum { MANY = 100000 };
    Profile *before = profile_new(), *after = profile_new();
    Profile *both[] = {before, after};
    for (int p = 0; p < 2; p++) {
        Arena *arena = both[p]->arena;
        for (int k = 0; k < 2; k++)
            *vec_add(arena, &both[p]->kernels) = (ProfKernel){.name = "k",
                                                              .demangled = k == 0 ? "scan<0>(int)"
                                                                           : p    ? "scan<1>(int)"
                                                                                  : "scan<2>(int)"};
        for (uint32_t i = 0; i < MANY; i++) {
            *vec_add(arena, &both[p]->launches) = (LaunchRecord){.kernel = i % 2};
            *vec_add(arena, &both[p]->location_counts) =
                (LocationCount){.launch = i, .location = 0, .warp_insts = 1};
        }
        *vec_add(arena, &both[p]->locations) =
            (Location){.file = NONE, .line = 1, .inlined_at = NONE};
    }
    Arena *arena = arena_new();
    double begun = clock_cpu();
    ProfileDiff diff = profile_diff(arena, before, after);
    assert_int_equal(diff.count, MANY);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(diff.launches[i].before, i);
    assert_true(clock_cpu() - begun < 5);
    arena_free(arena);
    profile_free(before);
    profile_free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_find_their_partners),
        cmocka_unit_test(a_profile_and_itself),
        cmocka_unit_test(a_kernel_and_its_better_form),
        cmocka_unit_test(a_variant_in_another_file),
        cmocka_unit_test(launches_that_are_gone_or_new),
        cmocka_unit_test(many_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
