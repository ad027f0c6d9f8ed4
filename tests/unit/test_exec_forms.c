/* Conditions of a value, where there are more than are kept apart: what is kept in their place must ask for no less. */
#include "exec/classes/forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { KEPT = 24 }; /* NEEDS_OF_ONE of forms.c */

static Need need_of(Forms *forms, uint64_t symbol, int64_t factor) {
    const Term term = {symbol, factor};
    return (Need){linear_of(forms, &term, 1), -factor, factor, 1};
}

/* So many different ones, of the block's place. */
static uint32_t needs_of(Forms *forms, uint32_t count) {
    uint32_t needs = 0;
    for (uint32_t i = 0; i < count; i++)
        needs = needs_with(forms, needs, need_of(forms, i % PLACES, 2 + i));
    return needs;
}

/* Of what moves nothing may: neither the block's place nor, if `turns`, the turn. */
static void assert_pinned(Forms *forms, uint32_t needs, bool turns) {
    const Needs all = needs_at(forms, needs);
    assert_int_equal(all.count, PLACES + turns);
    for (uint32_t i = 0; i < all.count; i++) {
        const Linear linear = linear_at(forms, (uint32_t)all.at[i].linear);
        assert_int_equal(linear.count, 1);
        assert_int_equal(linear.at[0].symbol, i < PLACES ? i : TURN_SYMBOL);
        assert_int_equal(linear.at[0].factor, 1);
        assert_int_equal(all.at[i].low, 0);
        assert_int_equal(all.at[i].high, 0);
    }
    assert_int_equal(needs_turn(forms, needs), turns);
}

static void test_kept_apart(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Forms *forms = forms_new(arena);
    uint32_t needs = needs_of(forms, KEPT);
    assert_int_equal(needs_at(forms, needs).count, KEPT);
    assert_int_equal(needs_of(forms, KEPT), needs);
    assert_pinned(forms, needs_of(forms, KEPT + 1), false);
    arena_free(arena);
}

static void test_turn(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Forms *forms = forms_new(arena);
    const Need turn = need_of(forms, TURN_SYMBOL, 4);
    uint32_t needs = needs_with(forms, needs_of(forms, KEPT), turn);
    assert_pinned(forms, needs, true);
    needs = needs_both(forms, needs_of(forms, KEPT), needs_with(forms, needs_of(forms, 1), turn));
    assert_pinned(forms, needs, true);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept_apart),
        cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
