/* Pictures of recorded accesses where their array has another layout: as many wavefronts as the
 * memory model says of the moved addresses, and nothing for what the layout would tear apart. */
#include "sample_profile.h"

#include "rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROW = 32 * 8 }; /* bytes of a row of the scan's tile */

/* The scan's recorded walk down a column of the tile, and its site for changes. */
static const AccessPattern *column_of(Profile *profile, Site **site) {
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        if (pattern->launch == LAUNCH_SCAN && pattern->space == SITE_SHARED &&
            pattern->stride == ROW) {
            *site = &profile->sites.at[pattern->site];
            return pattern;
        }
    }
    fail();
    return NULL;
}

static uint32_t cost_with(const Profile *profile, const AccessPattern *pattern, Layout layout,
                          uint32_t *pieces) {
    Picture picture;
    assert_true(picture_with(profile, pattern, &layout, &picture, pieces));
    assert_int_equal(picture.schedule.wavefronts, picture.cost);
    assert_int_equal(picture.schedule.lanes, FULL_MASK);
    return picture.cost;
}

static void layouts_help(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    Site *site;
    Picture before;
    uint32_t pieces;
    const AccessPattern *column = column_of(profile, &site);
    assert_true(picture_banks(profile, column, &before));
    assert_int_equal(before.cost, 32);
    assert_int_equal(cost_with(profile, column, (Layout){0}, &pieces), 32);
    assert_int_equal(
        cost_with(profile, column, (Layout){LAYOUT_PADDED, .pitch = ROW, .pad = 8}, &pieces), 2);
    assert_int_equal(cost_with(profile, column,
                               (Layout){LAYOUT_SWIZZLED, .bits = 4, .base = 3, .shift = 5},
                               &pieces),
                     2);
    assert_int_equal(cost_with(profile, column,
                               (Layout){LAYOUT_TRANSPOSED, .pitch = ROW, .rows = 32, .element = 8},
                               &pieces),
                     2);
    assert_int_equal(pieces, 1);
    profile_free(profile);
}

/* 8 bytes that ptxas merged of two elements fall apart where rows are an odd number of words. */
static void merged_accesses_fall_apart(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    Site *site;
    Picture picture;
    uint32_t pieces;
    const AccessPattern *column = column_of(profile, &site);
    Layout odd = {LAYOUT_PADDED, .pitch = ROW, .pad = 4};
    assert_false(picture_with(profile, column, &odd, &picture, &pieces));
    site->merged_element = 4;
    site->merged_used = 3;
    assert_true(picture_with(profile, column, &odd, &picture, &pieces));
    assert_int_equal(pieces, 2);
    assert_int_equal(picture.width, 4);
    assert_int_equal(picture.cost, 1);
    profile_free(profile);
}

/* What no instruction can ask for has no picture. */
static void impossible_accesses(void **state) {
    static const struct {
        uint32_t width, access, matrices;
        bool possible;
    } cases[] = {{8, 0, 0, true},   {0, 0, 0, false},  {3, 0, 0, false},
                 {12, 0, 0, false}, {32, 0, 0, false}, {8, ACCESS_KIND_COUNT, 0, false},
                 {8, 0, 1, false}};
    (void)state;
    Profile *profile = sample_profile();
    Site *site;
    const AccessPattern *column = column_of(profile, &site);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Picture picture;
        site->width = cases[i].width;
        site->access = cases[i].access;
        site->matrices = cases[i].matrices;
        assert_int_equal(picture_banks(profile, column, &picture), cases[i].possible);
    }
    profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(layouts_help),
                                       cmocka_unit_test(merged_accesses_fall_apart),
                                       cmocka_unit_test(impossible_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
