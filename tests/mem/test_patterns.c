/* The reader of `warplens model`: what it takes, and what it says of files that it does not take. */
#include "cli/csv.h"
#include "cli/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A file of that text, for the length of a test. */
typedef struct Sample {
    Arena *arena;
    Diags *diags;
    char path[32];
} Sample;

static void sample_open(Sample *sample, const char *text) {
    sample->arena = arena_new();
    sample->diags = diags_new(sample->arena);
    strcpy(sample->path, "/tmp/patterns-XXXXXX");
    int file = mkstemp(sample->path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void sample_close(Sample *sample) {
    unlink(sample->path);
    arena_free(sample->arena);
}

/* before, lane0 … lane31 (or 4 * lane), after */
static char *lanes(Arena *arena, const char *before, bool names, const char *after) {
    char *text = arena_copy(arena, before, strlen(before));
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        text = names ? arena_printf(arena, "%s,lane%u", text, lane)
                     : arena_printf(arena, "%s,%u", text, 4 * lane);
    return arena_printf(arena, "%s%s", text, after);
}

static void test_quotes_and_line_ends(void **state) {
    (void)state;
    Sample sample;
    sample_open(&sample, "\xef\xbb\xbf"
                         "a,\"b,\"\"c\"\"\"\r\n\n1,\"two\nlines\"\n,");
    Csv *csv = csv_read(sample.arena, sample.path, sample.diags);
    assert_non_null(csv);
    assert_int_equal(csv->columns, 2);
    assert_int_equal(csv_column(csv, "b,\"c\""), 1);
    assert_int_equal(csv_column(csv, "b"), 2);
    assert_int_equal(csv->records.count, 2);
    assert_int_equal(csv->records.at[0].line, 3);
    assert_true(str_is(csv->records.at[0].fields[1].text, "two\nlines"));
    assert_int_equal(csv->records.at[1].line, 5);
    assert_int_equal(csv->records.at[1].fields[1].text.length, 0);
    sample_close(&sample);
}

static void test_computed_and_measured(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *header = lanes(arena, "note,wavefronts,sectors,instruction", true, "\n");
    char *shared = lanes(arena, "x,2,,ld.shared.f32", false, "\n");
    char *global = lanes(arena, ",,4,\"st.global.u32\"", false, "\n");
    Sample sample;
    sample_open(&sample, arena_printf(arena, "%s%s%s", header, shared, global));
    PatternTable *table = patterns_read(sample.arena, sample.path, sample.diags);
    assert_non_null(table);
    assert_true(table->measured);
    assert_int_equal(table->rows.count, 2);
    assert_int_equal(table->exact, 1);
    const PatternRow *first = &table->rows.at[0], *second = &table->rows.at[1];
    assert_false(first->exact);
    assert_int_equal(first->computed[FIGURE_WAVEFRONTS], 1);
    assert_int_equal(first->measured[FIGURE_WAVEFRONTS], 2);
    assert_false(first->measured_known[FIGURE_SECTORS]);
    assert_true(second->exact);
    assert_int_equal(second->computed[FIGURE_TAG_REQUESTS], 1);
    sample_close(&sample);
    arena_free(arena);
}

/* The first error of a table with this header and row: where, and a part of what it says. */
static void check_error(const char *header, const char *row, uint32_t line, uint32_t column,
                        const char *part) {
    Sample sample;
    Arena *arena = arena_new();
    sample_open(&sample, arena_printf(arena, "%s%s", header, row));
    assert_null(patterns_read(sample.arena, sample.path, sample.diags));
    assert_true(sample.diags->errors > 0);
    const Diag *diag = &sample.diags->list.at[0];
    if (!strstr(diag->message, part))
        fail_msg("expected '%s' in '%s'", part, diag->message);
    assert_int_equal(diag->place.line, line);
    assert_int_equal(diag->place.column, column);
    sample_close(&sample);
    arena_free(arena);
}

static void test_errors(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *header = lanes(arena, "instruction,wavefronts", true, "\n");
    check_error("", "", 1, 1, "empty file");
    check_error("instruction,lane0\n", "ld.shared.b32,0\n", 1, 1, "a column lane1");
    check_error("instruction,\"wave\n", "x\n", 1, 13, "never closed");
    check_error("\"instruction\"s\n", "x\n", 1, 14, "after the closing quote");
    check_error(header, "ld.shared.b32,1\n", 2, 15, "expected 34 fields");
    check_error(header, lanes(arena, "ld.shared.b33,1", false, ""), 2, 1, "found 'ld.shared.b33'");
    check_error(header, lanes(arena, "ld.shared.b32,one", false, ""), 2, 15, "found 'one'");
    check_error(header, lanes(arena, "ld.shared.b64,1", false, ""), 2, 19, "a multiple of 8");
    check_error(header, lanes(arena, "ld.global.b32,1", false, ""), 2, 15, "no such count");
    check_error(header, lanes(arena, "ld.shared.v8.b32,1", false, ""), 2, 1, "an instruction");
    arena_free(arena);
}

static void test_other_tables(void **state) {
    (void)state;
    Sample sample;
    sample_open(&sample, "file,kernel,line\nx.cu,\"f(int, int)\",3\n");
    PatternTable *table = patterns_read(sample.arena, sample.path, sample.diags);
    assert_non_null(table);
    assert_true(table->other);
    sample_close(&sample);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quotes_and_line_ends),
        cmocka_unit_test(test_computed_and_measured),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_other_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
