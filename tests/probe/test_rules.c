/* The rules that run on the GPU, compiled for the host, against the memory model: every row of ground truth, and random
 * accesses of every kind, width and mask. What is compared are the counters of a profile. */
#include "cli/patterns.h"
#include "probe/rows.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ACCESSES = 400000 };

/* What the GPU does with the row of an access. */
static Counters counted(const Access *access) {
    Arena *arena = arena_new();
    RowList *list = row_list_new(arena);
    Counters sum = {0};
    row_list_add(list, access);
    ProbeRowSums *sums = NEW_ARRAY(arena, ProbeRowSums, list->rows.count + 1);
    for (uint32_t i = 0; i < list->rows.count; i++) {
        const ProbeRow *row = &list->rows.at[i];
        const LaneSet warp = {.mask = row->mask};
        Lanes64 address, source;
        memcpy(address.at, row->address, sizeof address.at);
        memcpy(source.at, row->source, sizeof source.at);
        sums_of_row(warp, row, address, source, &sums[i]);
    }
    row_list_sum(list, sums, &sum);
    arena_free(arena);
    return sum;
}

/* Compare-and-swap loops are several instructions in machine code, each with its requests: of these the costs are compared. */
static bool is_loop(const Access *access) {
    return access->space == SPACE_SHARED &&
           (access->kind == ACCESS_ATOMIC_LOOP32 || access->kind == ACCESS_ATOMIC_LOOP64);
}

static bool is_compared(const Access *access, CounterId counter) {
    return !is_loop(access) || counter == COUNTER_wavefronts ||
           counter == COUNTER_wavefronts_ideal || counter == COUNTER_conflicts;
}

static void compare(const Access *access, const char *what, uint32_t number) {
    Counters model = {0}, rules = counted(access);
    access_cost(&model, access, NULL);
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        if (is_compared(access, (CounterId)i) && model.at[i] != rules.at[i])
            fail_msg("%s %u: kind %d, space %d, width %u, mask %08x: %s %llu by the model, %llu by "
                     "the rules",
                     what, number, access->kind, access->space, access->width, access->mask,
                     counter_info((CounterId)i)->name, (unsigned long long)model.at[i],
                     (unsigned long long)rules.at[i]);
}

static void test_ground_truth(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    uint32_t compared = 0;
    glob_t files;
    assert_int_equal(glob(TESTS_DIR "/ground-truth/h100/*.csv", 0, NULL, &files), 0);
    for (size_t f = 0; f < files.gl_pathc; f++) {
        const PatternTable *table = patterns_read(arena, files.gl_pathv[f], diags);
        assert_non_null(table);
        for (uint32_t i = 0; i < table->rows.count; i++) {
            const PatternRow *row = &table->rows.at[i];
            if (!row->access.mask)
                continue;
            Access access = row->access;
            if (access.kind != ACCESS_CP_ASYNC_CA && access.kind != ACCESS_CP_ASYNC_CG)
                access.source = NULL; /* tables have the column for all kinds */
            compare(&access, files.gl_pathv[f], row->line);
            compared++;
        }
    }
    globfree(&files);
    assert_true(compared > 6100); /* all 6157, but rows without lanes */
    arena_free(arena);
}

/* ---- random accesses ---- */

typedef struct RandomKind {
    AccessKind kind;
    Space space;
    uint32_t widths; /* a bit for each width */
    bool source;
} RandomKind;

static const RandomKind kinds[] = {
    {ACCESS_LOAD, SPACE_SHARED, 1 | 2 | 4 | 8 | 16, false},
    {ACCESS_STORE, SPACE_SHARED, 1 | 2 | 4 | 8 | 16, false},
    {ACCESS_ATOMIC, SPACE_SHARED, 4 | 8, false},
    {ACCESS_ATOMIC_POPC, SPACE_SHARED, 4, false},
    {ACCESS_ATOMIC_CAS, SPACE_SHARED, 4 | 8, false},
    {ACCESS_ATOMIC_CAST, SPACE_SHARED, 4 | 8, false},
    {ACCESS_ATOMIC_LOOP32, SPACE_SHARED, 4, false},
    {ACCESS_ATOMIC_LOOP64, SPACE_SHARED, 8, false},
    {ACCESS_LDMATRIX, SPACE_SHARED, 16, false},
    {ACCESS_STMATRIX, SPACE_SHARED, 16, false},
    {ACCESS_CP_ASYNC_CA, SPACE_SHARED, 4 | 8 | 16, true},
    {ACCESS_CP_ASYNC_CG, SPACE_SHARED, 16, true},
    {ACCESS_LOAD, SPACE_GLOBAL, 1 | 2 | 4 | 8 | 16 | 32, false},
    {ACCESS_STORE, SPACE_GLOBAL, 1 | 2 | 4 | 8 | 16 | 32, false},
    {ACCESS_ATOMIC, SPACE_GLOBAL, 4 | 8, false},
    {ACCESS_LOAD, SPACE_LOCAL, 1 | 2 | 4 | 8 | 16, false},
    {ACCESS_STORE, SPACE_LOCAL, 1 | 2 | 4 | 8 | 16, false},
};

/* Runs, runs that fall, one address, few addresses, any. */
static void random_addresses(uint64_t *state, uint32_t width, uint64_t base, uint64_t span,
                             uint64_t address[WARP_LANES]) {
    const uint64_t shape = random_next(state) % 6;
    const uint64_t stride = random_next(state) % 40, few = 1 + random_next(state) % 8,
                   run = 1 + random_next(state) % 32, places = span / width;
    uint64_t first = random_next(state) % places;
    for (uint64_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t place = random_next(state);
        if (shape == 0)
            place = first + lane * stride;
        else if (shape == 1)
            place = first + (WARP_LANES - lane) * stride;
        else if (shape == 2)
            place = first;
        else if (shape == 3)
            place = first + place % few * stride;
        else if (shape == 4)
            place = first + lane / run * stride + lane % run;
        address[lane] = base + place % places * width;
    }
}

static void test_random(void **state) {
    (void)state;
    uint64_t seed = 19;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        const RandomKind *kind = &kinds[random_next(&seed) % (sizeof kinds / sizeof *kinds)];
        uint64_t address[WARP_LANES], source[WARP_LANES];
        uint32_t width = 0;
        while (!(kind->widths & width))
            width = UINT32_C(1) << random_next(&seed) % 6;
        uint32_t mask = (uint32_t)random_next(&seed);
        if (random_next(&seed) % 3 == 0)
            mask = FULL_MASK;
        else if (random_next(&seed) % 3 == 0)
            mask &= (uint32_t)random_next(&seed) & (uint32_t)random_next(&seed);
        Access access = {.kind = kind->kind, .space = kind->space, .width = width, .mask = mask};
        if (kind->kind == ACCESS_LDMATRIX || kind->kind == ACCESS_STMATRIX)
            access.matrices = 1u << random_next(&seed) % 3;
        const bool global = kind->space == SPACE_GLOBAL;
        random_addresses(&seed, width, global ? UINT64_C(0x7f1234000000) : 0,
                         global ? 1 << 20 : 1 << 16, address);
        random_addresses(&seed, width, UINT64_C(0x7f9876000000), 1 << 14, source);
        access.address = address;
        access.source = kind->source ? source : NULL;
        if (mask)
            compare(&access, "random access", i);
    }
}

static void test_whole(void **state) {
    (void)state;
    const uint32_t whole[] = {0, 1, 2, 4, 4, 8, 8, 8, 8, 16, 16, 16, 16, 16, 16, 16, 16};
    for (uint32_t bytes = 1; bytes <= 16; bytes++)
        assert_int_equal(rule_whole(bytes), whole[bytes]);
    assert_int_equal(rule_whole(24), 32);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ground_truth),
                                       cmocka_unit_test(test_random), cmocka_unit_test(test_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
