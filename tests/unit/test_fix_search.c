/* The search for layouts against brute force, on small arrays: rows written, and columns, diagonals or
 * anything linear read. Here every padding below 64 words and every XOR map is tried with a count of its
 * own (distinct units per column of banks), and the least wavefronts must be what the search finds. */
#include "fix/fix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#ifndef DRAWN
#define DRAWN 400 /* arrays; fewer under the sanitizers */
#endif
enum { ACCESSES = 8, LINE_BITS = 7, DRAWN_XORS = DRAWN * 3 / 8 };

typedef struct Array {
    uint32_t rows, columns, element; /* element: bytes; all accesses have its width */
    uint32_t count;
    uint32_t index[ACCESSES][WARP_LANES]; /* element of each lane */
} Array;

static uint32_t bytes_of(const Array *array) {
    return array->rows * array->columns * array->element;
}

/* ---- brute force ---- */

/* Lanes are served 128 bytes at a time, wide ones in groups; a group takes as many wavefronts as its
 * fullest column of banks has units. */
static uint32_t count_wavefronts(const uint32_t offset[WARP_LANES], uint32_t width) {
    uint32_t unit = width < BANK_BYTES ? BANK_BYTES : width, columns = LINE_BYTES / unit;
    uint32_t group = width <= BANK_BYTES ? WARP_LANES : LINE_BYTES / width, sum = 0;
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint32_t in_column[BANKS] = {0}, most = 0;
        for (uint32_t l = first; l < first + group; l++) {
            bool seen = false;
            for (uint32_t k = first; k < l && !seen; k++)
                seen = offset[k] / unit == offset[l] / unit;
            uint32_t column = offset[l] / unit % columns;
            in_column[column] += !seen;
            most = in_column[column] > most ? in_column[column] : most;
        }
        sum += most;
    }
    return sum;
}

static uint64_t padded_cost(const Array *array, uint32_t pitch, uint32_t padding) {
    uint64_t sum = 0;
    for (uint32_t a = 0; a < array->count; a++) {
        uint32_t offset[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            offset[l] =
                (array->index[a][l] + array->index[a][l] / pitch * padding) * array->element;
        sum += count_wavefronts(offset, array->element);
    }
    return sum;
}

static uint64_t least_padded(const Array *array) {
    uint64_t least = UINT64_MAX;
    for (uint32_t padding = 0; padding * array->element < 64 * BANK_BYTES; padding++) {
        uint64_t cost = padded_cost(array, array->columns, padding);
        least = cost < least ? cost : least;
    }
    return least;
}

static uint64_t xored_cost(const Array *array, const uint32_t constants[LAYOUT_XORS],
                           uint64_t most) {
    uint64_t sum = 0;
    for (uint32_t a = 0; a < array->count && sum < most; a++) {
        uint32_t offset[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            offset[l] = array->index[a][l] * array->element;
            for (uint32_t j = 0, line = offset[l] >> LINE_BITS; line >> j; j++)
                offset[l] ^= line >> j & 1 ? constants[j] : 0;
        }
        sum += count_wavefronts(offset, array->element);
    }
    return sum;
}

/* Every choice of a constant for every bit of a line's number. */
static uint64_t least_xored(const Array *array) {
    uint32_t unit = array->element < BANK_BYTES ? BANK_BYTES : array->element;
    uint32_t values = LINE_BYTES / unit, bits = 0;
    uint64_t maps = 1, least = UINT64_MAX;
    for (; (bytes_of(array) - 1) >> LINE_BITS >> bits; bits++)
        maps *= values;
    for (uint64_t map = 0; map < maps; map++) {
        uint32_t constants[LAYOUT_XORS] = {0};
        uint64_t rest = map;
        for (uint32_t j = 0; j < bits; j++, rest /= values)
            constants[j] = (uint32_t)(rest % values) * unit;
        uint64_t cost = xored_cost(array, constants, least);
        least = cost < least ? cost : least;
    }
    return least;
}

/* ---- the same as a profile ---- */

static Profile *profile_of(const Array *array, SiteOp op, AccessKind access) {
    Profile *profile = profile_new();
    Arena *arena = profile->arena;
    ProfKernel *kernel = vec_add(arena, &profile->kernels);
    *kernel =
        (ProfKernel){.name = "k", .demangled = "k", .location = NONE, .site_count = array->count};
    *vec_add(arena, &kernel->shared) = (SharedVariable){
        .name = "tile", .bytes = bytes_of(array), .element_bytes = array->element, .align = 16};
    LaunchRecord *launch = vec_add(arena, &profile->launches);
    *launch = (LaunchRecord){
        .counters = NEW_ARRAY(arena, Counters, array->count), .gpu = "h100", .block = {256, 1, 1}};
    for (uint32_t a = 0; a < array->count; a++) {
        *vec_add(arena, &profile->sites) = (Site){.op = op,
                                                  .space = SITE_SHARED,
                                                  .width = array->element,
                                                  .access = access,
                                                  .accesses = 1};
        int64_t *delta = NEW_ARRAY(arena, int64_t, WARP_LANES);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            delta[l] = array->element * ((int64_t)array->index[a][l] - array->index[a][0]);
        *vec_add(arena, &profile->patterns) =
            (AccessPattern){.site = a,
                            .space = SITE_SHARED,
                            .base = array->element * array->index[a][0],
                            .mask = UINT32_MAX,
                            .count = 1,
                            .delta = delta};
    }
    return profile;
}

/* Loads of 8 and 16 bytes may merge half-warps, which the count here does not: those are stores. */
static Profile *profile_for(const Array *array) {
    return array->element > BANK_BYTES ? profile_of(array, SITE_STORE, ACCESS_STORE)
                                       : profile_of(array, SITE_LOAD, ACCESS_LOAD);
}

static ArrayFix *search(const Profile *profile) {
    static const uint32_t launch = 0;
    uint32_t count;
    ArrayFix *fix = fix_arrays(
        profile->arena, &(FixScope){.profile = profile, .launches = &launch, .count = 1}, &count);
    assert_int_equal(count, 1);
    return fix;
}

/* The least that was found with a layout of these kinds; the present wavefronts where there is none. */
static uint64_t found(const ArrayFix *fix, LayoutKind kind, LayoutKind other) {
    for (uint32_t i = 0; i < fix->count; i++)
        if (fix->best[i].layout.kind == kind || fix->best[i].layout.kind == other)
            return fix->best[i].wavefronts;
    return fix->wavefronts;
}

/* What saves less than a tenth of the excess is not listed. */
static uint64_t listed(const ArrayFix *fix, uint64_t least) {
    return (fix->wavefronts - least) * 10 < fix->wavefronts - fix->ideal ? fix->wavefronts : least;
}

/* ---- arrays ---- */

/* Row, column and diagonal walks, blocks of 16 x 2 and 8 x 4, any affine map of the lane. */
static uint32_t walk(const Array *array, uint32_t kind, uint32_t lane, uint32_t at, uint32_t step) {
    uint32_t row = at, column = lane;
    if (kind == 1 || kind == 2)
        row = lane + at;
    if (kind == 1)
        column = at;
    if (kind == 3 || kind == 4) {
        uint32_t width = kind == 3 ? 16 : 8;
        row = lane % width + at;
        column = lane / width * step;
    }
    if (kind == 5)
        return (at + lane * step) % (array->rows * array->columns);
    return row % array->rows * array->columns + column % array->columns;
}

static void fill(Array *array, uint64_t *random) {
    for (uint32_t a = 0; a < array->count; a++) {
        uint32_t kind = (uint32_t)(random_next(random) % 6),
                 at = (uint32_t)random_next(random) % 64;
        uint32_t step = (uint32_t)(1 + random_next(random) % 40);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            array->index[a][l] = walk(array, kind, l, at, step);
    }
}

/* At most `lines` lines of 128 bytes. */
static Array draw(uint64_t *random, uint32_t lines) {
    Array array = {.element = 1u << random_next(random) % 5,
                   .count = (uint32_t)(2 + random_next(random) % (ACCESSES - 2))};
    uint32_t elements = lines * LINE_BYTES / array.element;
    array.rows = 4u << random_next(random) % 4;
    uint32_t most = elements / array.rows;
    array.columns = most > 48 ? 4 + (uint32_t)(random_next(random) % 45)
                              : 1 + (uint32_t)(random_next(random) % most);
    fill(&array, random);
    return array;
}

/* The least with one padding after rows of `pitch` elements. */
static uint64_t least_after(const Array *array, uint32_t pitch) {
    uint64_t least = UINT64_MAX;
    for (uint32_t padding = 1; padding * array->element <= 64 * BANK_BYTES; padding++) {
        uint64_t cost = padded_cost(array, pitch, padding);
        least = cost < least ? cost : least;
    }
    return least;
}

/* One padding after the rows that lanes walk along is listed where it saves three quarters of what the best does. true: there is
 * one, and the best is another. */
static bool check_rows(const Array *array, const ArrayFix *fix) {
    uint64_t best = fix->wavefronts;
    bool is_listed = false;
    if (!fix->row || fix->row % fix->element || fix->count == 0 || fix->count == CANDIDATES)
        return false;
    for (uint32_t i = 0; i < fix->count; i++) {
        const Layout *layout = &fix->best[i].layout;
        best = fix->best[i].wavefronts < best ? fix->best[i].wavefronts : best;
        is_listed |= layout->kind == LAYOUT_PADDED && layout->pitch == fix->row && !layout->pitch2;
    }
    const uint64_t rows = least_after(array, fix->row / array->element);
    if (rows > best + (fix->wavefronts - best) / 4)
        return false;
    assert_true(is_listed);
    return rows > best;
}

static bool check(const Array *array, bool xors) {
    Profile *profile = profile_for(array);
    const ArrayFix *fix = search(profile);
    bool fixed = fix->count > 0;
    assert_int_equal(fix->wavefronts, padded_cost(array, array->columns, 0));
    if (fix->wavefronts > fix->ideal) {
        uint64_t padded = found(fix, LAYOUT_PADDED, LAYOUT_PADDED);
        assert_true(padded <= listed(fix, least_padded(array)));
        if (xors)
            assert_int_equal(found(fix, LAYOUT_SWIZZLED, LAYOUT_XORED),
                             listed(fix, least_xored(array)));
    }
    profile_free(profile);
    return fixed;
}

/* ---- tests ---- */

static void test_paddings(void **state) {
    (void)state;
    uint64_t random = 1;
    uint32_t fixed = 0;
    for (uint32_t round = 0; round < DRAWN; round++) {
        Array array = draw(&random, 64);
        fixed += check(&array, false);
    }
    print_message("%d arrays, %u of them with a fix\n", DRAWN, fixed);
    assert_true(fixed > DRAWN / 4);
}

static void test_rows(void **state) {
    (void)state;
    uint64_t random = 4;
    uint32_t others = 0;
    for (uint32_t round = 0; round < DRAWN / 8; round++) {
        Array array = draw(&random, 64);
        Profile *profile = profile_for(&array);
        others += check_rows(&array, search(profile));
        profile_free(profile);
    }
    print_message("%d arrays, %u of them padded after rows beside what is best\n", DRAWN / 8,
                  others);
    assert_true(others > 0);
}

static void test_xors(void **state) {
    (void)state;
    uint64_t random = 2;
    uint32_t fixed = 0;
    for (uint32_t round = 0; round < DRAWN_XORS; round++) {
        Array array = draw(&random, round % 75 ? 4 : 8);
        fixed += check(&array, true);
    }
    print_message("%d arrays, %u of them with a fix\n", DRAWN_XORS, fixed);
    assert_true(fixed > DRAWN_XORS / 3);
}

/* Three walks that no swizzle of CuTe's serves at once. */
static void test_general_xor(void **state) {
    (void)state;
    Array array = {.rows = 8, .columns = 32, .element = 4, .count = 3};
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        array.index[0][l] = l % 8 * 32 + l / 8;     /* four neighbours of each row */
        array.index[1][l] = l % 8 * 32 + l / 8 * 8; /* four, eight apart */
        array.index[2][l] = l % 8 * 32 + l / 8 * 2; /* four, two apart */
    }
    Profile *profile = profile_for(&array);
    const ArrayFix *fix = search(profile);
    uint64_t least = least_xored(&array);
    assert_int_equal(found(fix, LAYOUT_XORED, LAYOUT_XORED), least);
    assert_int_equal(least, 3);
    assert_true(found(fix, LAYOUT_SWIZZLED, LAYOUT_SWIZZLED) > least);
    profile_free(profile);
}

/* Of two rows only every other word is read, by lanes of which no two neighbours, nor two 16 apart, are a row apart: that
 * the array has two halves is all that leads to the padding between them. */
static void test_two_rows(void **state) {
    (void)state;
    Array array = {.rows = 2, .columns = 32, .element = 4, .count = 1};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        array.index[0][l] = l % 2 ? 32 + (l / 2 + 5) % 16 * 2 : l / 2 * 2;
    Profile *profile = profile_for(&array);
    const ArrayFix *fix = search(profile);
    const Layout *padded = NULL;
    for (uint32_t i = 0; i < fix->count && !padded; i++)
        if (fix->best[i].layout.kind == LAYOUT_PADDED)
            padded = &fix->best[i].layout;
    assert_int_equal(fix->wavefronts, 2);
    assert_int_equal(found(fix, LAYOUT_PADDED, LAYOUT_PADDED), 1);
    assert_int_equal(padded->pitch, 128);
    assert_int_equal(padded->pad, 4);
    profile_free(profile);
}

/* Rows, columns, and four neighbours of either in each of eight planes: rows and planes need padding. */
static void test_two_paddings(void **state) {
    (void)state;
    Array array = {.rows = 8 * 32, .columns = 32, .element = 4, .count = 4};
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        array.index[0][l] = l;
        array.index[1][l] = l * 32;
        array.index[2][l] = l / 4 * 1024 + l % 4;
        array.index[3][l] = l / 4 * 1024 + l % 4 * 32;
    }
    Profile *profile = profile_for(&array);
    const ArrayFix *fix = search(profile);
    bool two = false;
    for (uint32_t i = 0; i < fix->count; i++)
        two |= fix->best[i].layout.pitch2 && fix->best[i].wavefronts == fix->ideal;
    assert_true(two);
    profile_free(profile);
}

static const Remedy *remedy_of(const ArrayFix *fix, uint32_t pad) {
    for (uint32_t i = 0; i < fix->remedy_count; i++)
        if (fix->remedies[i].layout.pad == pad)
            return &fix->remedies[i];
    return NULL;
}

/* Blocks of 16 x 16 threads read columns of a 16 x 16 tile, two at a time: a row of 17 leaves two lanes
 * on a bank, so that the usual cure is none, and a row of 32 makes it worse. */
static void test_padding_that_does_not_help(void **state) {
    (void)state;
    Array array = {.rows = 16, .columns = 16, .element = 4, .count = 1};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        array.index[0][l] = l % 16 * 16 + l / 16;
    assert_int_equal(padded_cost(&array, 16, 1), 2);
    Profile *profile = profile_for(&array);
    const ArrayFix *fix = search(profile);
    assert_int_equal(fix->wavefronts, 8);
    assert_int_equal(fix->row, 64);
    assert_int_equal(fix->best[0].wavefronts, 1);
    assert_int_equal(remedy_of(fix, 4)->wavefronts, 2);
    assert_int_equal(remedy_of(fix, 64)->wavefronts, 16);
    assert_int_equal(remedy_of(fix, 128)->wavefronts, 8);
    profile_free(profile);
}

static void test_verdicts(void **state) {
    (void)state;
    uint64_t random = 3;
    Array array = {.rows = 32, .columns = 32, .element = 4, .count = 1};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        array.index[0][l] = l;
    Profile *profile = profile_for(&array);
    assert_int_equal(search(profile)->verdict, FIX_IDEAL);
    profile_free(profile);
    memset(array.index, 0, sizeof array.index);
    profile = profile_of(&array, SITE_ATOMIC, ACCESS_ATOMIC);
    assert_int_equal(search(profile)->verdict, FIX_WORDS);
    profile_free(profile);
    profile = profile_for(&array);
    for (uint32_t i = 0; i < 200; i++) {
        int64_t *delta = NEW_ARRAY(profile->arena, int64_t, WARP_LANES);
        for (uint32_t l = 1; l < WARP_LANES; l++)
            delta[l] = (int64_t)(random_next(&random) % 1024) * 4;
        *vec_add(profile->arena, &profile->patterns) =
            (AccessPattern){.space = SITE_SHARED, .mask = UINT32_MAX, .count = 1, .delta = delta};
    }
    assert_int_equal(search(profile)->verdict, FIX_DATA);
    profile_free(profile);
}

/* Two lanes on each of 16 banks, which are others every time: each access by itself could do with one wavefront. */
static void test_two_on_a_bank(void **state) {
    (void)state;
    uint64_t random = 5;
    Array array = {.rows = 32, .columns = 32, .element = 4};
    Profile *profile = profile_of(&array, SITE_LOAD, ACCESS_LOAD);
    profile->kernels.at[0].site_count = 1;
    profile->launches.at[0].counters = NEW_ARRAY(profile->arena, Counters, 1);
    *vec_add(profile->arena, &profile->sites) =
        (Site){.op = SITE_LOAD, .space = SITE_SHARED, .width = 4, .accesses = 1};
    for (uint32_t i = 0; i < 200; i++) {
        int64_t *delta = NEW_ARRAY(profile->arena, int64_t, WARP_LANES);
        uint32_t bank = (uint32_t)(random_next(&random) % BANKS), base = 0, row = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            row = l % 2 ? row + 1 + (uint32_t)(random_next(&random) % 31)
                        : (uint32_t)(random_next(&random) % 32);
            row %= 32;
            uint32_t offset = (row * BANKS + (bank + l / 2) % BANKS) * 4;
            base = l == 0 ? offset : base;
            delta[l] = (int64_t)offset - base;
        }
        *vec_add(profile->arena, &profile->patterns) = (AccessPattern){
            .space = SITE_SHARED, .base = base, .mask = UINT32_MAX, .count = 1, .delta = delta};
    }
    const ArrayFix *fix = search(profile);
    assert_int_equal(fix->wavefronts, 2 * 200);
    assert_int_equal(fix->verdict, FIX_DATA);
    profile_free(profile);
}

/* 48 KB is all that static arrays can have; 47 leave no room for a word after every 32. */
static void test_room(void **state) {
    (void)state;
    Array array = {.rows = 47 * 8, .columns = 32, .element = 4, .count = 1};
    for (uint32_t l = 0; l < WARP_LANES; l++)
        array.index[0][l] = l * 32;
    Profile *profile = profile_for(&array);
    const ArrayFix *fix = search(profile);
    assert_int_equal(fix->spare, 1024);
    for (uint32_t i = 0; i < fix->count; i++)
        assert_true(fix->best[i].bytes <= 48 * 1024);
    assert_false(remedy_of(fix, 4)->possible);
    profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paddings),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_xors),
        cmocka_unit_test(test_general_xor),
        cmocka_unit_test(test_two_rows),
        cmocka_unit_test(test_two_paddings),
        cmocka_unit_test(test_padding_that_does_not_help),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_two_on_a_bank),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
