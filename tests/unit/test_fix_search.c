/* The search for layouts against brute force, on small arrays of 4-byte elements: rows written, and
 * columns or diagonals read. Here every padding below 64 words and every swizzle is tried with a count of
 * its own (distinct words per bank), and the least wavefronts must be what the search finds. */
#include "fix/fix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ACCESSES = 8 };

typedef struct Array {
    uint32_t rows, columns;
    uint32_t count;
    uint32_t index[ACCESSES][WARP_LANES]; /* element of each lane */
} Array;

/* ---- brute force ---- */

static uint32_t word_wavefronts(const uint32_t words[WARP_LANES]) {
    uint32_t most = 0;
    for (uint32_t bank = 0; bank < BANKS; bank++) {
        uint32_t distinct = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            bool seen = words[l] % BANKS != bank;
            for (uint32_t k = 0; k < l; k++)
                seen |= words[k] == words[l];
            distinct += !seen;
        }
        most = distinct > most ? distinct : most;
    }
    return most;
}

static uint64_t padded_cost(const Array *array, uint32_t pitch, uint32_t padding) {
    uint64_t sum = 0;
    for (uint32_t a = 0; a < array->count; a++) {
        uint32_t words[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            words[l] = array->index[a][l] + array->index[a][l] / pitch * padding;
        sum += word_wavefronts(words);
    }
    return sum;
}

static uint64_t swizzled_cost(const Array *array, uint32_t bits, uint32_t base, uint32_t shift) {
    uint64_t sum = 0;
    for (uint32_t a = 0; a < array->count; a++) {
        uint32_t words[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            uint32_t i = array->index[a][l];
            words[l] = i ^ ((i >> (base + shift)) % (1u << bits)) << base;
        }
        sum += word_wavefronts(words);
    }
    return sum;
}

static uint64_t least_padded(const Array *array) {
    uint64_t least = UINT64_MAX;
    for (uint32_t padding = 0; padding < 64; padding++) {
        uint64_t cost = padded_cost(array, array->columns, padding);
        least = cost < least ? cost : least;
    }
    return least;
}

static uint64_t least_swizzled(const Array *array) {
    uint64_t least = padded_cost(array, array->columns, 0);
    uint32_t elements = array->rows * array->columns;
    for (uint32_t base = 0; base <= 2; base++)
        for (uint32_t bits = 1; bits <= 5; bits++)
            for (uint32_t shift = bits; shift <= 10; shift++) {
                if (elements % (1u << (base + bits)) || !(elements >> (base + shift)))
                    continue;
                uint64_t cost = swizzled_cost(array, bits, base, shift);
                least = cost < least ? cost : least;
            }
    return least;
}

/* ---- the same as a profile ---- */

static Profile *profile_of(const Array *array) {
    Profile *profile = profile_new();
    Arena *arena = profile->arena;
    ProfKernel *kernel = vec_add(arena, &profile->kernels);
    *kernel = (ProfKernel){.name = "k", .demangled = "k", .site_count = array->count};
    *vec_add(arena, &kernel->shared) = (SharedVariable){
        .name = "tile", .bytes = 4 * array->rows * array->columns, .element_bytes = 4};
    LaunchRecord *launch = vec_add(arena, &profile->launches);
    *launch = (LaunchRecord){.counters = NEW_ARRAY(arena, Counters, array->count)};
    for (uint32_t a = 0; a < array->count; a++) {
        *vec_add(arena, &profile->sites) = (Site){.text = "ld.shared.u32",
                                                  .op = SITE_LOAD,
                                                  .space = SITE_SHARED,
                                                  .width = 4,
                                                  .access = ACCESS_LOAD,
                                                  .accesses = 1};
        int64_t *delta = NEW_ARRAY(arena, int64_t, WARP_LANES);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            delta[l] = 4 * ((int64_t)array->index[a][l] - array->index[a][0]);
        *vec_add(arena, &profile->patterns) = (AccessPattern){.site = a,
                                                              .space = SITE_SHARED,
                                                              .base = 4 * array->index[a][0],
                                                              .mask = UINT32_MAX,
                                                              .count = 1,
                                                              .delta = delta};
    }
    return profile;
}

/* ---- */

static const Candidate *best_of(const ArrayFix *fix, LayoutKind kind) {
    for (uint32_t i = 0; i < fix->count; i++)
        if (fix->best[i].layout.kind == kind)
            return &fix->best[i];
    return NULL;
}

/* What the search found, or what is there where it found nothing (or less than a tenth of the excess). */
static void expect(const ArrayFix *fix, LayoutKind kind, uint64_t least) {
    const Candidate *best = best_of(fix, kind);
    if (best)
        assert_int_equal(best->wavefronts, least);
    else
        assert_true((fix->wavefronts - least) * 10 < fix->wavefronts - fix->ideal ||
                    least == fix->wavefronts);
}

static void fill(Array *array, uint64_t *random) {
    for (uint32_t a = 0; a < array->count; a++) {
        uint32_t kind = (uint32_t)(random_next(random) % 3), at = (uint32_t)random_next(random);
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            uint32_t row = kind == 0 ? at : l + at, column = kind == 1 ? at : l;
            array->index[a][l] = row % array->rows * array->columns + column % array->columns;
        }
    }
}

static void test_against_brute_force(void **state) {
    (void)state;
    uint64_t random = 1;
    uint32_t fixed = 0;
    for (uint32_t round = 0; round < 400; round++) {
        Array array = {.rows = 8u << random_next(&random) % 4,
                       .columns = (uint32_t)(4 + random_next(&random) % 45),
                       .count = (uint32_t)(2 + random_next(&random) % (ACCESSES - 2))};
        fill(&array, &random);
        Profile *profile = profile_of(&array);
        uint32_t count;
        ArrayFix *fix = fix_arrays(profile->arena, profile, 0, &count);
        assert_int_equal(count, 1);
        assert_int_equal(fix->wavefronts, padded_cost(&array, array.columns, 0));
        if (fix->wavefronts > fix->ideal) {
            expect(fix, LAYOUT_SWIZZLED, least_swizzled(&array));
            const Candidate *padded = best_of(fix, LAYOUT_PADDED);
            if (padded)
                assert_true(padded->wavefronts <= least_padded(&array));
            else
                expect(fix, LAYOUT_PADDED, least_padded(&array));
            fixed += fix->count > 0;
        }
        profile_free(profile);
    }
    print_message("400 arrays, %u of them with a fix\n", fixed);
    assert_true(fixed > 100);
}

/* Blocks of 16 x 16 threads read columns of a 16 x 16 tile, two at a time: a row of 17 leaves two lanes
 * on a bank, so that the usual cure is none. */
static void test_padding_that_does_not_help(void **state) {
    (void)state;
    Array array = {.rows = 16, .columns = 16, .count = 1};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        array.index[0][l] = l % 16 * 16 + l / 16;
    assert_int_equal(padded_cost(&array, 16, 1), 2);
    Profile *profile = profile_of(&array);
    uint32_t count;
    ArrayFix *fix = fix_arrays(profile->arena, profile, 0, &count);
    const Candidate *padded = best_of(fix, LAYOUT_PADDED);
    assert_non_null(padded);
    assert_int_equal(padded->wavefronts, 1);
    assert_true(padded->layout.pitch != 64 || padded->layout.pad != 4);
    profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_brute_force),
                                       cmocka_unit_test(test_padding_that_does_not_help)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
