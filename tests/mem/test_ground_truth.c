/* Every row measured on an H100 or H200 (tests/ground-truth) against the model. How many rows are
 * exact is asserted, so that it can change only knowingly; docs/memory-model.md has the same
 * numbers. */
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
    {"h100/shared-wavefronts.csv", 1696, 1695}, /* see docs/memory-model.md, section 9 */
    {"h100/shared-atomics.csv", 474, 474},      {"h100/shared-ideal.csv", 240, 240},
    {"h100/global-sectors.csv", 561, 561},      {"h100/local-sectors.csv", 104, 104},
    {"h100/cp-async.csv", 2707, 2707},          {"h100/shared-pairs.csv", 375, 375},
    {"h200/shared-loads.csv", 804, 804},        {"h200/shared-atomics.csv", 915, 915},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static const PatternTable *read_table(Arena *arena, const char *file) {
    Diags *diags = diags_new(arena);
    char *path = arena_printf(arena, TESTS_DIR "/ground-truth/%s", file);
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

/* Wavefronts of a schedule, over the rounds of a loop. */
static uint64_t scheduled(Access access) {
    Schedule schedule;
    uint64_t sum = 0;
    do {
        mem_schedule(&access, &schedule);
        sum += (uint64_t)schedule.wavefronts * schedule.passes + schedule.swaps;
        access.mask = schedule.left;
    } while (access.mask);
    return sum;
}

/* The pictures of conflicts: each row's schedule has the wavefronts that were measured, where the
 * hardware's counter sees them (of cp.async.cg it does not). */
static void test_schedules(void **state) {
    (void)state;
    Arena *arena = arena_new();
    uint32_t measured = 0;
    for (uint32_t i = 0; i < TABLES; i++) {
        const PatternTable *table = read_table(arena, tables[i].file);
        for (uint32_t r = 0; r < table->rows.count; r++) {
            const PatternRow *row = &table->rows.at[r];
            if (row->access.space != SPACE_SHARED)
                continue;
            uint64_t wavefronts = scheduled(row->access);
            assert_int_equal(wavefronts, mem_shared(&row->access).wavefronts);
            if (!row->exact || !row->measured_known[FIGURE_WAVEFRONTS] ||
                !row->measured[FIGURE_WAVEFRONTS])
                continue;
            assert_int_equal(wavefronts, row->measured[FIGURE_WAVEFRONTS]);
            measured++;
        }
    }
    print_message("schedules as measured: %u\n", measured);
    assert_int_equal(measured, 7146);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_rows),
        cmocka_unit_test(test_schedules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
