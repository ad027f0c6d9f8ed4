/* Storages are one to one and leave nothing out; shapes are what hand-made accesses are; a structure that no
 * vector fits gets none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fix/global.h"
#include "sample_profile.h"

/* ---- storages ---- */

static void check_storage(Storage storage, uint64_t bytes) {
    uint64_t room = storage_bytes(&storage, bytes);
    uint8_t *taken = calloc(room, 1);
    assert_true(room >= bytes + storage.lead);
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t at = storage_offset(&storage, i);
        assert_true(at >= storage.lead && at < room);
        assert_false(taken[at]);
        taken[at] = 1;
    }
    free(taken);
}

static void storages_are_one_to_one(void **state) {
    (void)state;
    check_storage((Storage){.kind = STORAGE_PLAIN, .lead = 124}, 1000);
    for (uint64_t bytes = 4000; bytes < 4100; bytes += 7) {
        check_storage((Storage){.kind = STORAGE_PITCHED, .pitch = 404, .pad = 108, .lead = 12},
                      bytes);
        check_storage((Storage){.kind = STORAGE_FIELDS,
                                .pitch = 24,
                                .rows = bytes / 24,
                                .field_count = 4,
                                .fields = {0, 8, 12, 16}},
                      bytes);
        check_storage(
            (Storage){.kind = STORAGE_TRANSPOSED, .pitch = 40, .rows = bytes / 40, .element = 4},
            bytes);
    }
}

/* Each field is an array of its own, from a multiple of 512 on. */
static void fields_are_arrays(void **state) {
    (void)state;
    Storage storage = {.kind = STORAGE_FIELDS,
                       .pitch = 24,
                       .rows = 100,
                       .field_count = 4,
                       .fields = {0, 8, 12, 16}};
    assert_int_equal(storage_offset(&storage, 24 * 3), 8 * 3);
    assert_int_equal(storage_offset(&storage, 24 * 3 + 8), 1024 + 4 * 3);
    assert_int_equal(storage_offset(&storage, 24 * 3 + 13), 1536 + 4 * 3 + 1);
    assert_int_equal(storage_offset(&storage, 24 * 3 + 16), 2048 + 8 * 3);
    assert_int_equal(storage_offset(&storage, 24 * 100 + 5), 3072 + 5); /* behind the last one */
}

/* ---- shapes ---- */

typedef struct Made {
    Profile *profile;
    Arena *arena;
    GlobalFix *fixes;
    uint32_t count;
} Made;

/* Sites of one block, whose addresses are computed from these registers. */
static void make(Made *made, uint32_t sites, const uint32_t *bases, uint32_t width) {
    *made = (Made){.profile = profile_new(), .arena = arena_new()};
    Profile *profile = made->profile;
    *vec_add(profile->arena, &profile->modules) =
        (ProfModule){.name = "m.ptx", .text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n"};
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    for (uint32_t s = 0; s < sites; s++)
        sample_site(profile, NONE, 3 + s, SITE_LOAD, SITE_GLOBAL, width, "ld.global.f32");
    for (uint32_t s = 0; s < sites; s++) {
        profile->sites.at[s].block = 1;
        profile->sites.at[s].base = bases[s];
    }
    LaunchRecord *record = sample_launch(profile, 0, 1, 1, 256, 1, "h100");
    *vec_add(profile->arena, &record->allocations) = (Allocation){"a", 1 << 20, 4};
}

static void record(Made *made, uint32_t site, uint64_t first, int64_t stride) {
    sample_pattern(made->profile, 0, site, SITE_GLOBAL, 0, stride, 10, true);
    AccessPattern *pattern = &made->profile->patterns.at[made->profile->patterns.count - 1];
    pattern->first = first;
    pattern->base = first % 512;
}

static const GlobalFix *only(Made *made) {
    made->fixes = global_fixes(made->arena, made->profile, 0, &made->count);
    assert_int_equal(made->count, 1);
    return &made->fixes[0];
}

static void end(Made *made) {
    arena_free(made->arena);
    profile_free(made->profile);
}

static const uint32_t one_base[] = {4, 4, 4, 4};

/* Four loads of the fields of 16-byte structures, at [%rd4], [%rd4+4] … */
static void make_neighbours(Made *made, const uint32_t bases[4]) {
    make(made, 4, bases, 4);
    for (uint32_t s = 0; s < 4; s++) {
        made->profile->sites.at[s].offset = 4 * s;
        record(made, s, 4 * s, 16);
    }
}

static void scalars_become_a_vector(void **state) {
    (void)state;
    Made made;
    make_neighbours(&made, one_base);
    const GlobalFix *fix = only(&made);
    assert_int_equal(fix->shape.kind, SHAPE_NEIGHBOURS);
    assert_int_equal(fix->changes[0].kind, CHANGE_VECTOR);
    assert_int_equal(fix->changes[0].vector, 16);
    assert_int_equal(fix->changes[0].requests, 10);
    assert_int_equal(fix->changes[0].sectors, 160);
    assert_int_equal(fix->shape.sectors, 640);
    end(&made);
}

static void expect_no_vector(Made *made) {
    const GlobalFix *fix = only(made);
    assert_int_equal(fix->shape.kind, SHAPE_STRUCTURES);
    for (uint32_t c = 0; c < fix->count; c++)
        assert_int_equal(fix->changes[c].kind, CHANGE_FIELDS);
    end(made);
}

/* The same addresses from other registers: nothing says that one lane's four belong together. */
static void other_registers_become_none(void **state) {
    (void)state;
    Made made;
    make_neighbours(&made, (const uint32_t[]){4, 5, 6, 7});
    expect_no_vector(&made);
}

/* A branch between them: the second pair may not be executed with the first. */
static void branches_separate(void **state) {
    (void)state;
    Made made;
    make_neighbours(&made, one_base);
    made.profile->sites.at[2].block = made.profile->sites.at[3].block = 2;
    const GlobalFix *fix = only(&made);
    for (uint32_t c = 0; c < fix->count; c++)
        assert_true(fix->changes[c].kind != CHANGE_VECTOR || fix->changes[c].vector < 16);
    end(&made);
}

static void guards_separate(void **state) {
    (void)state;
    Made made;
    make_neighbours(&made, one_base);
    for (uint32_t s = 0; s < 4; s++)
        made.profile->sites.at[s].guard = 2 + s % 2;
    expect_no_vector(&made);
}

/* Of a profile that has neither blocks nor bases, nothing is said that needs them. */
static void older_profiles_have_no_blocks(void **state) {
    (void)state;
    Made made;
    make_neighbours(&made, (const uint32_t[]){0, 0, 0, 0});
    for (uint32_t s = 0; s < 4; s++)
        made.profile->sites.at[s].block = 0;
    expect_no_vector(&made);
}

static void one_place_is_a_structure_many_are_a_row(void **state) {
    (void)state;
    Made made;
    make(&made, 1, one_base, 4);
    record(&made, 0, 8, 256);
    record(&made, 0, 8 + 256 * 33, 256);
    assert_int_equal(only(&made)->shape.kind, SHAPE_STRUCTURES);
    record(&made, 0, 12, 256);
    const GlobalFix *fix = only(&made);
    assert_int_equal(fix->shape.kind, SHAPE_COLUMNS);
    assert_int_equal(fix->changes[0].kind, CHANGE_TILE);
    assert_int_equal(fix->changes[0].sectors, 30 * 4);
    end(&made);
}

/* Rows of 1,001 floats: the pitch is the first place that is no whole number of sectors away. */
static void pitch_of_rows(void **state) {
    (void)state;
    Made made;
    make(&made, 1, one_base, 4);
    for (uint64_t row = 0; row < 20; row++)
        for (uint64_t warp = 0; warp < 31; warp++)
            record(&made, 0, 4004 * row + 128 * warp, 4);
    const GlobalFix *fix = only(&made);
    assert_int_equal(fix->shape.kind, SHAPE_MISALIGNED);
    assert_int_equal(fix->shape.pitch, 4004);
    assert_int_equal(fix->count, 1);
    assert_int_equal(fix->changes[0].storage.pad, 92);
    assert_int_equal(global_period(made.fixes, made.count), 512 * 4004);
    global_price(made.profile, 0, made.fixes, made.count);
    assert_int_equal(fix->changes[0].sectors, fix->shape.ideal);
    record(&made, 0, 4004 * 7 + 60, 4); /* and now it is none */
    assert_int_equal(only(&made)->shape.pitch, 0);
    end(&made);
}

/* Of all storages that are to be priced: a common multiple, as long as that is small. */
static void periods_of_several_storages(void **state) {
    enum { LARGE = 1 << 17 }; /* 512 times as much is the most */
    static const struct {
        uint64_t pitches[3], period;
    } cases[] = {{{0}, 512},
                 {{1024}, 512 * 1024},
                 {{24, 36}, 512 * 72},
                 {{36, 24}, 512 * 72},
                 {{64, 64, 32}, 512 * 64},
                 {{6, 10, 15}, 512 * 30},
                 {{LARGE}, 512 * (uint64_t)LARGE},
                 {{LARGE - 1, 24}, 512 * (uint64_t)(LARGE - 1)},
                 {{24, LARGE - 1}, 512 * 24}};
    (void)state;
    assert_int_equal(global_period(NULL, 0), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GlobalFix fixes[3] = {0};
        for (uint32_t f = 0; f < 3; f++) {
            fixes[f].count = 2; /* the first of which changes what threads do */
            fixes[f].changes[1].stores = f == 0 || cases[i].pitches[f];
            fixes[f].changes[1].storage.pitch = cases[i].pitches[f];
        }
        assert_int_equal(global_period(fixes, 3), cases[i].period);
    }
}

static void no_stride_no_change(void **state) {
    (void)state;
    Made made;
    make(&made, 1, one_base, 4);
    sample_pattern(made.profile, 0, 0, SITE_GLOBAL, 0, 0, 10, false);
    const GlobalFix *fix = only(&made);
    assert_int_equal(fix->shape.kind, SHAPE_GATHER);
    assert_int_equal(fix->count, 0);
    end(&made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_are_one_to_one),
        cmocka_unit_test(fields_are_arrays),
        cmocka_unit_test(scalars_become_a_vector),
        cmocka_unit_test(other_registers_become_none),
        cmocka_unit_test(branches_separate),
        cmocka_unit_test(guards_separate),
        cmocka_unit_test(older_profiles_have_no_blocks),
        cmocka_unit_test(one_place_is_a_structure_many_are_a_row),
        cmocka_unit_test(pitch_of_rows),
        cmocka_unit_test(periods_of_several_storages),
        cmocka_unit_test(no_stride_no_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
