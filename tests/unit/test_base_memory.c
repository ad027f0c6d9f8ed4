/* Arenas, growing arrays, strings and the map. */
#include "base/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void arena_gives_zeroed_aligned_memory(void **state) {
    (void)state;
    Arena *arena = arena_new();
    size_t used = 0;
    for (size_t size = 0; size < 200000; size = size * 3 + 1) {
        unsigned char *at = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)at % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(at[i], 0);
        memset(at, 0xff, size); /* a later allocation must not see it */
        used += size;
        assert_int_equal(arena_used(arena), used);
    }
    for (size_t alignment = 1; alignment <= 64; alignment *= 2)
        assert_int_equal((uintptr_t)arena_alloc_aligned(arena, 3, alignment) % alignment, 0);
    arena_free(arena);
    arena_free(NULL);
}

static void arena_pieces_do_not_overlap(void **state) {
    (void)state;
    enum { PIECES = 5000 };
    Arena *arena = arena_new();
    uint32_t *pieces[PIECES];
    for (uint32_t i = 0; i < PIECES; i++) { /* now and then one that has a chunk of its own */
        uint32_t words = i % 97 == 0 ? 30000 : 1 + i % 50;
        pieces[i] = NEW_ARRAY(arena, uint32_t, words);
        pieces[i][0] = pieces[i][words - 1] = i;
    }
    for (uint32_t i = 0; i < PIECES; i++)
        assert_int_equal(pieces[i][0], i);
    arena_free(arena);
}

static void arena_prints(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(arena_printf(arena, "%s-%d", "a", 7), "a-7");
    assert_string_equal(arena_printf(arena, "%s", ""), "");
    const char *wide = arena_printf(arena, "%0100000d", 1);
    assert_int_equal(strlen(wide), 100000);
    assert_string_equal(arena_copy(arena, "abcdef", 3), "abc");
    arena_free(arena);
}

static void vec_grows(void **state) {
    (void)state;
    Arena *arena = arena_new();
    VEC(uint64_t) vec = {0};
    for (uint64_t i = 0; i < 100000; i++)
        *vec_add(arena, &vec) = i * i;
    assert_int_equal(vec.count, 100000);
    assert_true(vec.capacity >= vec.count);
    for (uint64_t i = 0; i < vec.count; i++)
        assert_int_equal(vec.at[i], i * i);
    arena_free(arena);
}

static void strings_compare(void **state) {
    (void)state;
    assert_true(str_equal(STR("ab"), (Str){"abc", 2}));
    assert_false(str_equal(STR("ab"), STR("abc")));
    assert_true(str_equal((Str){0}, STR("")));
    assert_true(str_is(str_of("x"), "x"));
    assert_true(str_starts(STR("ld.shared"), "ld."));
    assert_false(str_starts(STR("ld"), "ld."));
    assert_int_equal(str_hash(STR("a")), UINT64_C(0xaf63dc4c8601ec8c)); /* FNV-1a of "a" */
    assert_int_equal(str_hash(STR("")), UINT64_C(0xcbf29ce484222325));
}

static void strings_have_distances(void **state) {
    (void)state;
    assert_int_equal(str_distance(STR("kitten"), STR("sitting")), 3);
    assert_int_equal(str_distance(STR(""), STR("abc")), 3);
    assert_int_equal(str_distance(STR("abc"), STR("")), 3);
    assert_int_equal(str_distance(STR("abc"), STR("abc")), 0);
    assert_int_equal(str_distance(STR("add.u32"), STR("ad.u32")), 1);
    assert_int_equal(str_distance(STR("aa"), STR("aaa")), 1); /* begin and end overlap */
    assert_int_equal(str_distance(STR("abab"), STR("ab")), 2);
    assert_int_equal(str_distance(STR("%r12x"), STR("%rd2x")), 1);
    assert_int_equal(str_distance(STR("xabcy"), STR("xcby")), 2);
}

static void map_keeps_order_and_replaces(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Map *map = map_new(arena);
    uint64_t value;
    assert_false(map_get(map, STR("k0"), &value));
    for (uint64_t i = 0; i < 10000; i++)
        map_put(map, str_of(arena_printf(arena, "k%d", (int)i)), i);
    map_put(map, STR("k77"), 1);
    assert_int_equal(map_count(map), 10000);
    for (uint64_t i = 0; i < 10000; i++) {
        assert_true(map_get(map, str_of(arena_printf(arena, "k%d", (int)i)), &value));
        assert_int_equal(value, i == 77 ? 1 : i);
    }
    assert_true(map_get(map, STR("k1"), NULL));
    assert_false(map_get(map, STR("k10000"), &value));
    map_put(map, STR(""), 5);
    assert_true(map_get(map, STR(""), &value));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_pieces_do_not_overlap),
        cmocka_unit_test(arena_prints),
        cmocka_unit_test(vec_grows),
        cmocka_unit_test(strings_compare),
        cmocka_unit_test(strings_have_distances),
        cmocka_unit_test(map_keeps_order_and_replaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
