/* Every row measured on an H100 (tests/ground-truth/h100) against the model. How many rows are exact is
 * asserted, so that it can change only knowingly: docs/memory-model.md has the same numbers and says
 * what is known of the rows that differ. */
#include "cli/patterns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const struct {
    const char *file;
    uint32_t rows, exact;
} tables[] = {
    {"shared-wavefronts.csv", 1696, 1696}, {"shared-atomics.csv", 474, 474},
    {"shared-ideal.csv", 240, 240},        {"global-sectors.csv", 561, 561},
    {"local-sectors.csv", 104, 104},       {"cp-async.csv", 2707, 2658},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static const PatternTable *read_table(Arena *arena, const char *file) {
    Diags *diags = diags_new(arena);
    char *path = arena_printf(arena, TESTS_DIR "/ground-truth/h100/%s", file);
    PatternTable *table = patterns_read(arena, path, diags);
    diags_print(diags, stderr, false);
    assert_non_null(table);
    assert_false(table->other);
    assert_true(table->measured);
    return table;
}

static void test_exact_rows(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < TABLES; i++) {
        const PatternTable *table = read_table(arena, tables[i].file);
        print_message("%s: exact %u/%u\n", tables[i].file, table->exact, table->rows.count);
        assert_int_equal(table->rows.count, tables[i].rows);
        assert_int_equal(table->exact, tables[i].exact);
    }
    arena_free(arena);
}

/* A row with a source chunk that is copied to two places. */
static bool has_fan_out(const Access *access) {
    for (uint32_t a = 0; a < WARP_LANES; a++)
        for (uint32_t b = 0; b < a; b++)
            if ((access->mask >> a & access->mask >> b & 1) &&
                access->source[a] == access->source[b] && access->address[a] != access->address[b])
                return true;
    return false;
}

/* What differs is what docs/memory-model.md says: the wavefronts, and nothing else, of .cg copies of
 * one source chunk to several places. */
static void test_rows_that_differ(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < TABLES; i++) {
        const PatternTable *table = read_table(arena, tables[i].file);
        for (uint32_t r = 0; r < table->rows.count; r++) {
            const PatternRow *row = &table->rows.at[r];
            for (uint32_t f = 0; f < FIGURE_COUNT; f++) {
                if (!row->measured_known[f] || row->measured[f] == row->computed[f])
                    continue;
                assert_int_equal(f, FIGURE_WAVEFRONTS);
                assert_int_equal(row->access.kind, ACCESS_CP_ASYNC_CG);
                assert_true(has_fan_out(&row->access));
            }
        }
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_rows),
        cmocka_unit_test(test_rows_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
