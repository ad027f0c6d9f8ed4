/* Layouts: places are one to one, chunks stay together, and text says the same. */
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BYTES = 4096 };

static const Layout layouts[] = {
    {.kind = LAYOUT_PLAIN},
    {.kind = LAYOUT_PADDED, .pitch = 128, .pad = 4},
    {.kind = LAYOUT_PADDED, .pitch = 96, .pad = 8, .pitch2 = 480, .pad2 = 4},
    {.kind = LAYOUT_SWIZZLED, .bits = 5, .base = 2, .shift = 5},
    {.kind = LAYOUT_SWIZZLED, .bits = 2, .base = 4, .shift = 3},
    {.kind = LAYOUT_XORED, .base = 2, .xor = {4, 12, 24, 124, 64}},
    {.kind = LAYOUT_XORED, .base = 4, .xor = {16, 0, 112, 96}},
    {.kind = LAYOUT_TRANSPOSED, .pitch = 128, .rows = 32, .element = 4},
    {.kind = LAYOUT_TRANSPOSED, .pitch = 64, .rows = 8, .element = 4},
    {.kind = LAYOUT_TRANSPOSED, .pitch = 512, .rows = 8, .element = 64},
};
enum { COUNT = sizeof layouts / sizeof *layouts };

static void test_one_to_one(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        static bool taken[4 * BYTES];
        memset(taken, 0, sizeof taken);
        for (uint64_t offset = 0; offset < BYTES; offset++) {
            uint64_t at = layout_offset(&layouts[i], offset);
            assert_true(at < layout_bytes(&layouts[i], BYTES));
            assert_false(taken[at]);
            taken[at] = true;
        }
    }
}

static void test_chunks(void **state) {
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        uint64_t chunk = layout_chunk(&layouts[i]);
        for (uint64_t first = 0; first < BYTES; first += chunk) {
            uint64_t at = layout_offset(&layouts[i], first);
            assert_int_equal(at % chunk, 0);
            for (uint64_t b = 1; b < chunk; b++)
                assert_int_equal(layout_offset(&layouts[i], first + b), at + b);
        }
    }
}

static void test_text(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < COUNT; i++) {
        Layout layout;
        assert_true(layout_parse(layout_text(arena, &layouts[i]), &layout));
        assert_memory_equal(&layout, &layouts[i], sizeof layout);
    }
    assert_string_equal(layout_text(arena, &layouts[1]), "padded:128,4,0,0");
    arena_free(arena);
}

static void test_bad_text(void **state) {
    (void)state;
    static const char *const bad[] = {"",
                                      "pad:1,2,0,0",
                                      "padded",
                                      "padded:128",
                                      "padded:128,4,0,0,0",
                                      "padded:0,4,0,0",
                                      "padded:128,4,100,4",
                                      "padded:128,-4,0,0",
                                      "padded:128,4,0,0 ",
                                      "swizzled:5,2,2",
                                      "swizzled:5,2,99",
                                      "transposed:128,32,0",
                                      "transposed:126,32,4",
                                      "xored:2,4",
                                      "xored:2,200,0,0,0,0,0,0,0,0,0,0",
                                      "xored:9,0,0,0,0,0,0,0,0,0,0,0",
                                      "padded:99999999999,4,0,0"};
    Layout layout;
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(layout_parse(bad[i], &layout));
}

/* Merged accesses fall apart into elements, and into nothing less: what tears one apart is seen from the piece's size. */
static void test_split(void **state) {
    (void)state;
    const MergedAccess pair = {.width = 16, .element = 8, .used = 3}, half = {16, 8, 2};
    static const Layout torn = {.kind = LAYOUT_SWIZZLED, .bits = 1, .base = 2, .shift = 1},
                        whole = {.kind = LAYOUT_SWIZZLED, .bits = 1, .base = 4, .shift = 1};
    MergedPiece pieces[LAYOUT_PIECES];
    assert_int_equal(layout_split(&torn, &pair, false, pieces), 2);
    assert_true(pieces[0].bytes == 8 && pieces[1].first == 8 && pieces[1].bytes == 8);
    assert_int_equal(layout_split(&torn, &half, true, pieces), 1);
    assert_true(pieces[0].first == 8 && pieces[0].bytes == 8);
    assert_int_equal(layout_split(&whole, &pair, false, pieces), 1);
    assert_true(pieces[0].first == 0 && pieces[0].bytes == 16);
}

static void test_storage_text(void **state) {
    (void)state;
    static const char *const good[] = {"plain:0", "pitched:4,128,4", "transposed:0,128,32,4",
                                       "fields:0,12,1000,0,4,8"};
    static const char *const bad[] = {"",
                                      "plain",
                                      "plain:",
                                      "plain:1,2",
                                      "padded:0,128,4",
                                      "pitched:0,0,4",
                                      "pitched:0,128",
                                      "pitched:0,128,-4",
                                      "pitched:0,128,4 ",
                                      "transposed:0,128,32",
                                      "transposed:0,126,32,4",
                                      "transposed:0,128,32,0",
                                      "fields:0,12,10",
                                      "fields:0,12,10,4,8",
                                      "fields:0,12,10,0,8,4",
                                      "fields:0,12,10,0,12",
                                      "fields:0,99999999999,10,0"};
    Storage storage;
    for (uint32_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (storage_parse(bad[i], &storage))
            fail_msg("%s", bad[i]);
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(storage_parse(good[i], &storage));
        assert_string_equal(storage_text(arena, &storage), good[i]);
    }
    arena_free(arena);
    assert_true(storage.kind == STORAGE_FIELDS && storage.pitch == 12 && storage.rows == 1000);
    assert_true(storage.field_count == 3 && storage.fields[2] == 8);
    assert_int_equal(storage_offset(&storage, 16), 4096 + 4); /* the second field of structure 1 */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_to_one), cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_text),       cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_split),      cmocka_unit_test(test_storage_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
