/* What pages say where machine code was executed and caches were modelled: each number beside what the profile that was built here has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/report.h"
#include "sample_profile.h"

#include <stdlib.h>

static Profile *profile;
static uint32_t stored; /* the site of the STS, second of the scan's instructions */

static int set_up(void **state) {
    (void)state;
    profile = sample_profile();
    ProfKernel *kernel = &profile->kernels.at[SCAN];
    LaunchRecord *record = &profile->launches.at[LAUNCH_SCAN];
    kernel->machine_code = true;
    kernel->registers = 18;
    stored = kernel->first_site + 1;
    kernel->sass.at[1].site = stored;
    *vec_add(profile->arena, &record->inst_runs) = (InstRun){0, 4, 1000, 32000};
    *vec_add(profile->arena, &record->inst_runs) = (InstRun){2, 2, 10, 20};
    *vec_add(profile->arena, &record->inst_runs) = (InstRun){6, 5, 7, 9}; /* beyond the code */
    *vec_add(profile->arena, &record->cache_counts) =
        (CacheCount){stored, 100, 60, 40, 20, 80, 60, 25};
    record->l1_bytes = 65536;
    record->dram_read = 1000;
    record->dram_written = 600;
    record->time_us = 50;
    record->fp32_flops = 1000;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    profile_free(profile);
    return 0;
}

static char *printed(const char *format, const ReportOptions *options) {
    char *text = NULL;
    size_t size;
    Arena *arena = arena_new();
    FILE *out = open_memstream(&text, &size);
    assert_true(report_print(profile, report_format(format), options, out, diags_new(arena)));
    fclose(out);
    arena_free(arena);
    return text;
}

/* The line of that number, from 0 on, without what is quoted in it. */
static void fields_of(const char *text, uint32_t line, const char *fields[64], char *copy,
                      uint32_t *count) {
    while (line--)
        text = strchr(text, '\n') + 1;
    memcpy(copy, text, strcspn(text, "\n"));
    copy[strcspn(text, "\n")] = 0;
    bool quoted = false;
    *count = 0;
    fields[(*count)++] = copy;
    for (char *at = copy; *at; at++) {
        quoted ^= *at == '"';
        if (*at == ',' && !quoted) {
            *at = 0;
            fields[(*count)++] = at + 1;
        }
    }
}

static void rows_of_instructions(void **state) {
    (void)state;
    const ReportOptions options = {.launch = LAUNCH_SCAN, .by_inst = true};
    char *text = printed("csv", &options);
    const char *heads[64], *fields[64];
    char head[4096], row[4096];
    uint32_t columns, count;
    fields_of(text, 0, heads, head, &columns);
    const uint32_t first = 10, caches = columns - 7;
    assert_string_equal(heads[2], "address");
    assert_string_equal(heads[caches], "l1_loads");
    static const struct {
        const char *address, *line, *warps, *threads, *text;
    } rows[] = {
        {"0000", "16", "1000", "32000", "\"S2R R0, SR_TID.X\""},
        {"0010", "19", "1000", "32000", "\"@P0 STS.64 [R2], R4\""},
        {"0020", "28", "1010", "32020", "\"LDS.64 R6, [R3]\""},
        {"0030", "28", "1010", "32020", "\"LDC.64 R8, c[0x0][0x210]\""},
        {"0040", "30", "0", "0", "\"STS.64 [R3], R6\""},
        {"0050", "0", "0", "0", "\"@!PT LDS RZ, [RZ]\""},
        {"0060", "33", "7", "9", "\"STG.E.64 desc[UR6][R8.64], R6\""},
        {"0070", "0", "7", "9", "EXIT"},
    };
    const Counters *of = &profile->launches.at[LAUNCH_SCAN].counters[1];
    static const char *const estimates[] = {"100", "60", "40", "20", "80", "60", "25"};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fields_of(text, i + 1, fields, row, &count);
        assert_int_equal(count, columns);
        assert_string_equal(fields[2], rows[i].address);
        assert_string_equal(fields[4], rows[i].line);
        assert_string_equal(fields[7], rows[i].warps);
        assert_string_equal(fields[8], rows[i].threads);
        assert_string_equal(fields[9], rows[i].text);
        for (uint32_t id = 0; id < COUNTER_COUNT; id++)
            assert_int_equal(strtoull(fields[first + id], NULL, 10), i == 1 ? of->at[id] : 0);
        for (uint32_t k = 0; k < 7; k++)
            assert_string_equal(fields[caches + k], i == 1 ? estimates[k] : "0");
    }
    free(text);
}

/* Rows of sites have the caches' columns, too; of a site that asked them for nothing zeros. */
static void rows_of_sites(void **state) {
    (void)state;
    const ReportOptions options = {.launch = LAUNCH_SCAN};
    char *text = printed("csv", &options);
    const char *fields[64];
    char row[4096];
    uint32_t count;
    fields_of(text, 2, fields, row, &count);
    assert_int_equal(strtoul(fields[2], NULL, 10), stored);
    assert_string_equal(fields[count - 7], "100");
    fields_of(text, 3, fields, row, &count);
    assert_string_equal(fields[count - 7], "0");
    free(text);
}

/* Of code that was not executed there are no rows. */
static void ptx_has_no_instructions(void **state) {
    (void)state;
    const ReportOptions options = {.launch = LAUNCH_GEMM, .by_inst = true};
    char *text = printed("csv", &options);
    assert_non_null(strchr(text, '\n'));
    assert_string_equal(strchr(text, '\n'), "\n");
    free(text);
}

/* The cell of the scan's row under a heading. */
static void has_cell(const char *column, const char *cell) {
    const ReportOptions options = {
        .pages = 1 << 0, .launch = NONE, .width = 200, .columns = column};
    char *text = printed("term", &options);
    const char *row = strstr(text, "\n 0 blockScan<0>") + 1;
    assert_non_null(row);
    const size_t length = strcspn(row, "\n"), wanted = strlen(cell);
    if (length < wanted || memcmp(row + length - wanted, cell, wanted) != 0 ||
        row[length - wanted - 1] != ' ')
        fail_msg("%s: %.*s does not end with %s", column, (int)length, row, cell);
    free(text);
}

static void columns_that_are_asked_for(void **state) {
    (void)state;
    has_cell("registers", "18");
    has_cell("occupancy", "100 %");    /* 64 warps of 64 */
    has_cell("l1_hits", "~57.1 %");    /* 80 of 140 */
    has_cell("l2_hits", "~75.0 %");    /* 60 of 80 */
    has_cell("dram_bytes", "~51,200"); /* 1,600 sectors of 32 bytes */
    has_cell("dram_rate", "~1.0");     /* in 50 us */
    has_cell("operations", "32,000");  /* of 32 lanes */
    has_cell("operation_rate", "~0.6");
    has_cell("time", "~50.0 us");
    LaunchRecord *record = &profile->launches.at[LAUNCH_SCAN];
    record->l1_bytes = 0;
    record->time_us = 0;
    record->fp32_flops = 0;
    profile->kernels.at[SCAN].registers = 0;
    for (uint32_t i = 0; i < 8; i++) {
        static const char *const asked[] = {"registers",      "l1_hits",   "l2_hits",
                                            "dram_bytes",     "dram_rate", "operations",
                                            "operation_rate", "cycles"};
        has_cell(asked[i], "-");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_of_instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_of_sites, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ptx_has_no_instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(columns_that_are_asked_for, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
