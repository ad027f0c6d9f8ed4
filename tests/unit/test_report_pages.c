/* The pages of a profile that was saved and loaded, against the goldens of tests/report/. With
 * BLESS=1 in the environment the goldens are rewritten: read the diff before you commit it.
 * Beside them: what every page must keep to, and options that cannot be used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/page.h"
#include "report/report.h"
#include "sample_profile.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct Case {
    const char *golden;
    ReportOptions options;
} Case;

static const Case cases[] = {
    {"summary", {.pages = 1 << PAGE_SUMMARY, .launch = NONE, .width = 100}},
    {"summary-worst",
     {.pages = 1 << PAGE_SUMMARY, .launch = NONE, .sort = "worst", .width = 140, .mangled = true}},
    {"default", {.launch = NONE, .width = 100}},
    {"details-scan", {.pages = 1 << PAGE_DETAILS, .launch = LAUNCH_SCAN, .width = 100}},
    {"details-padded", {.pages = 1 << PAGE_DETAILS, .launch = LAUNCH_SCAN_PADDED, .width = 100}},
    {"details-gemm", {.pages = 1 << PAGE_DETAILS, .launch = LAUNCH_GEMM, .width = 100}},
    {"details-sampled", {.pages = 1 << PAGE_DETAILS, .launch = LAUNCH_ADD3_SAMPLED, .width = 100}},
    {"details-fault", {.pages = 1 << PAGE_DETAILS, .launch = LAUNCH_ADD3_FAULT, .width = 100}},
    {"source-scan", {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_SCAN, .width = 100}},
    {"source-wide", {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_SCAN, .width = 160}},
    {"source-exact",
     {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_SCAN, .width = 100, .exact = true}},
    {"source-sorted",
     {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_SCAN, .width = 100, .sort = "sectors"}},
    {"source-inline",
     {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_GEMM, .width = 100, .inlined = true}},
    {"source-ptx", {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_GEMM, .width = 100, .ptx = true}},
    {"source-no-lines", {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_ADD3_SAMPLED, .width = 100}},
    {"source-colour",
     {.pages = 1 << PAGE_SOURCE, .launch = LAUNCH_SCAN, .width = 100, .colour = true}},
    {"raw", {.pages = 1 << PAGE_RAW, .launch = NONE, .kernel = "gemm"}},
    {"raw-lines", {.pages = 1 << PAGE_RAW, .launch = LAUNCH_GEMM, .by_line = true}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* As --format json, which is also what the HTML page carries. */
static const Case documents[] = {
    {"document-gemm", {.launch = LAUNCH_GEMM}},
    {"document-fault", {.launch = LAUNCH_ADD3_FAULT}},
};
enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

typedef struct Printed {
    char *text; /* to be freed */
    bool good;
    Diags *diags;
} Printed;

static Printed print_as(Arena *arena, const Profile *profile, const char *format,
                        const ReportOptions *options) {
    Printed printed = {.diags = diags_new(arena)};
    size_t size;
    FILE *out = open_memstream(&printed.text, &size);
    printed.good = report_print(profile, report_format(format), options, out, printed.diags);
    fclose(out);
    return printed;
}

static Printed print(Arena *arena, const Profile *profile, const ReportOptions *options) {
    return print_as(arena, profile, "term", options);
}

/* As report shows it: after a round through the file. */
static Profile *stored_profile(Arena *arena) {
    char path[] = "/tmp/warplens-pages-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    Profile *made = sample_profile();
    Diags *diags = diags_new(arena);
    assert_true(profile_save(made, path, diags));
    profile_free(made);
    Profile *loaded = profile_load(path, diags);
    unlink(path);
    assert_non_null(loaded);
    return loaded;
}

static bool same_as_golden(Arena *arena, const char *name, const char *text) {
    const char *path = arena_printf(arena, "%s/report/%s.golden", TESTS_DIR, name);
    const char *bless = getenv("BLESS");
    size_t size = 0;
    if (bless && *bless == '1')
        return file_write(path, text, strlen(text));
    const char *golden = file_read(arena, path, &size);
    if (golden && strcmp(golden, text) == 0)
        return true;
    print_error("%s differs; what was printed:\n%s", path, text);
    return false;
}

static void compare(const Case *list, uint32_t count, const char *format) {
    Arena *arena = arena_new();
    Profile *profile = stored_profile(arena);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; i++) {
        Printed printed = print_as(arena, profile, format, &list[i].options);
        assert_true(printed.good);
        differ += !same_as_golden(arena, list[i].golden, printed.text);
        free(printed.text);
    }
    assert_int_equal(differ, 0);
    profile_free(profile);
    arena_free(arena);
}

static void goldens(void **state) {
    (void)state;
    compare(cases, CASES, "term");
}

static void document_goldens(void **state) {
    (void)state;
    compare(documents, DOCUMENTS, "json");
}

/* Columns of a line, escape sequences not counted. */
static uint32_t columns_of(const char *line, size_t length) {
    uint32_t columns = 0;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\033')
            while (i < length && line[i] != 'm')
                i++;
        else
            columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    }
    return columns;
}

/* No page is wider than asked for (one long word excepted), and no line ends in a blank. */
static void pages_keep_to_their_width(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = stored_profile(arena);
    for (size_t i = 0; i < CASES; i++) {
        Printed printed = print(arena, profile, &cases[i].options);
        for (const char *line = printed.text; *line;) {
            size_t length = strcspn(line, "\n");
            if (cases[i].options.width && columns_of(line, length) > cases[i].options.width)
                fail_msg("%s: too wide: %.*s", cases[i].golden, (int)length, line);
            if (length && line[length - 1] == ' ')
                fail_msg("%s: ends in a blank: %.*s", cases[i].golden, (int)length, line);
            line += length + (line[length] == '\n');
        }
        free(printed.text);
    }
    profile_free(profile);
    arena_free(arena);
}

/* A source file must not be able to move the reader's cursor or change colours. */
static void control_characters_do_not_get_out(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = sample_profile();
    profile->files.at[0].text = "\033[2J\x07\r\n\033[31m\n";
    profile->kernels.at[SCAN].demangled = "evil\033[1m<0>";
    profile->sites.at[0].text = "tab\there\nand a line";
    const ReportOptions options = {
        .pages = (1 << PAGE_COUNT) - 1, .launch = LAUNCH_SCAN, .width = 100};
    Printed printed = print(arena, profile, &options);
    assert_true(printed.good);
    for (const char *at = printed.text; *at; at++)
        if (((unsigned char)*at < ' ' && *at != '\n' && *at != '\t') || *at == 0x7f)
            fail_msg("control character %d", *at);
    free(printed.text);
    profile_free(profile);
    arena_free(arena);
}

/* A profile of `kernels` kernels that are launched `times` times each, in turn. */
static Profile *many_launches(uint32_t kernels, uint32_t times) {
    Profile *profile = profile_new();
    Arena *arena = profile->arena;
    *vec_add(arena, &profile->modules) = (ProfModule){.name = "k.ptx"};
    for (uint32_t i = 0; i < kernels; i++) {
        sample_kernel(profile, 0, "k", arena_printf(arena, "step%u(float*)", i), NONE, 1, 0);
        sample_site(profile, NONE, 2, SITE_LOAD, SITE_SHARED, 4, "ld.shared.u32 %r1, [%r2]");
    }
    for (uint32_t i = 0; i < kernels * times; i++) {
        uint32_t kernel = i % kernels, grid = kernel == 35 ? 1 + i : 8;
        LaunchRecord *record = sample_launch(profile, kernel, grid, 1, 64, 1, "h100");
        record->counters[0] = sample_shared(10, 40, 10 + 10 * (uint64_t)kernel, 10);
        record->thread_insts = 1000;
    }
    LaunchRecord *last = &profile->launches.at[kernels * times - 1];
    last->status = LAUNCH_SAMPLED;
    last->blocks_run = last->blocks / 2;
    return profile;
}

/* With many launches the summary has a row for each kernel, with many kernels for the worst. */
static void many_launches_are_added_up(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = many_launches(40, 30);
    ReportOptions options = {.pages = 1 << PAGE_SUMMARY, .launch = NONE, .width = 100};
    Printed printed = print(arena, profile, &options);
    assert_true(same_as_golden(arena, "summary-kernels", printed.text));
    free(printed.text);
    options.each_launch = true;
    printed = print(arena, profile, &options);
    assert_non_null(strstr(printed.text, "\n 1198 step38 "));
    free(printed.text);
    options = (ReportOptions){.pages = 1 << PAGE_SUMMARY, .launch = NONE, .top = 40, .width = 100};
    printed = print(arena, profile, &options);
    assert_null(strstr(printed.text, " step0 "));
    assert_non_null(strstr(printed.text, "\n   79 step39 "));
    free(printed.text);
    options = (ReportOptions){.pages = 1 << PAGE_DETAILS, .launch = NONE, .kernel = "step7("};
    printed = print(arena, profile, &options); /* 30 launches: each */
    assert_non_null(strstr(printed.text, "Launch 1167"));
    free(printed.text);
    profile_free(profile);
    profile = many_launches(1, 31);
    options.kernel = "step0";
    printed = print(arena, profile, &options); /* 31: the worst alone */
    assert_non_null(strstr(printed.text, "the largest excess of 31 launches; --launch N shows"));
    free(printed.text);
    profile_free(profile);
    arena_free(arena);
}

static char *print_diff(Arena *arena, const Profile *before, const Profile *after) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_true(
        report_diff(before, after, diff_format("term"), &REPORT_DEFAULTS, out, diags_new(arena)));
    fclose(out);
    return text;
}

/* Of many launches a comparison shows those that have changed, of many of these the largest changes. */
static void diff_of_many_launches(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *before = many_launches(40, 3), *after = many_launches(40, 3);
    after->launches.at[50].counters[0].wavefronts += 7;
    char *text = print_diff(arena, before, after);
    assert_non_null(strstr(text, "50  50  step10 "));
    assert_non_null(strstr(text, "and 119 launches without a change\n"));
    free(text);
    for (uint32_t i = 0; i < 100; i++)
        after->launches.at[i].counters[0].wavefronts += i;
    text = print_diff(arena, before, after);
    const char *largest = strstr(text, "99  99  step19 "), *next = strstr(text, "98  98  step18 ");
    assert_true(largest && next && largest < next);
    assert_null(strstr(text, "69  69  step29 "));
    assert_non_null(strstr(text, "and 69 launches more that have changed less"));
    assert_non_null(strstr(text, "and 21 launches without a change\n"));
    free(text);
    profile_free(before);
    profile_free(after);
    arena_free(arena);
}

/* Lines with a tenth of the launch's excess are marked, lines below are not. */
static void hot_lines_begin_at_a_tenth(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = profile_new();
    *vec_add(profile->arena, &profile->modules) = (ProfModule){.name = "k.ptx"};
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    const uint64_t wavefronts[] = {82, 11, 10};
    for (uint32_t i = 0; i < 3; i++)
        sample_site(profile, NONE, 2 + i, SITE_LOAD, SITE_SHARED, 4, "ld.shared.u32 %r1, [%r2]");
    LaunchRecord *record = sample_launch(profile, 0, 1, 1, 32, 1, "h100");
    for (uint32_t i = 0; i < 3; i++)
        record->counters[i] = sample_shared(1, 4, wavefronts[i], 1);
    const ReportOptions options = {.pages = 1 << PAGE_SOURCE, .launch = 0, .width = 100};
    Printed printed = print(arena, profile, &options);
    assert_non_null(strstr(printed.text, "82     81  82.0  shared load 4 B >    2\n"));
    assert_non_null(strstr(printed.text, "11     10  11.0  shared load 4 B >    3\n"));
    assert_non_null(strstr(printed.text, "10      9  10.0  shared load 4 B      4\n"));
    free(printed.text);
    profile_free(profile);
    arena_free(arena);
}

static void expect_refused(const Profile *profile, const ReportOptions *options,
                           const char *reason) {
    Arena *arena = arena_new();
    Printed printed = print(arena, profile, options);
    assert_false(printed.good);
    assert_string_equal(printed.text, "");
    assert_true(printed.diags->list.count > 0);
    if (!strstr(printed.diags->list.at[0].message, reason))
        fail_msg("expected \"%s\" in \"%s\"", reason, printed.diags->list.at[0].message);
    free(printed.text);
    arena_free(arena);
}

static void unusable_options(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    expect_refused(profile, &(ReportOptions){.launch = 5}, "there is no launch 5");
    expect_refused(profile, &(ReportOptions){.launch = NONE, .kernel = "nobody"}, "\"nobody\"");
    expect_refused(profile, &(ReportOptions){.launch = NONE, .sort = "beauty"},
                   "cannot sort by \"beauty\"");
    ReportPage page;
    assert_false(report_page("index", &page));
    assert_true(report_page("raw", &page) && page == PAGE_RAW);
    assert_null(report_format("pdf"));
    assert_non_null(report_format("tsv"));
    profile_free(profile);
}

static void a_profile_without_launches(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = profile_new();
    Printed printed = print(arena, profile, &REPORT_DEFAULTS);
    assert_true(printed.good);
    assert_non_null(strstr(printed.text, "0 of 0 launches"));
    free(printed.text);
    profile_free(profile);
    arena_free(arena);
}

/* Of a launch of which one block of 2^63 ran, say: the most that there is, not what a processor makes of more. */
static void numbers_beyond_all_are_the_most(void **state) {
    (void)state;
    assert_true(view_whole(0x1p63) == (uint64_t)1 << 63);
    assert_true(view_whole(0x1p64) == UINT64_MAX);
    assert_true(view_whole(1e300) == UINT64_MAX);
    assert_true(view_whole(1.75) == 1);
    assert_true(view_whole(-1) == 0);
    assert_true(view_whole(__builtin_nan("")) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goldens),
        cmocka_unit_test(document_goldens),
        cmocka_unit_test(pages_keep_to_their_width),
        cmocka_unit_test(control_characters_do_not_get_out),
        cmocka_unit_test(many_launches_are_added_up),
        cmocka_unit_test(diff_of_many_launches),
        cmocka_unit_test(hot_lines_begin_at_a_tenth),
        cmocka_unit_test(unusable_options),
        cmocka_unit_test(a_profile_without_launches),
        cmocka_unit_test(numbers_beyond_all_are_the_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
