/* What PTX is assembled for. */
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static const char *arch(Arena *arena, const char *machine, const char *target) {
    return machine_arch(arena, machine, target, gpu_named(STR("h100")));
}

static void test_letters(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(arch(arena, NULL, "sm_80"), "sm_90");
    assert_string_equal(arch(arena, NULL, "sm_90a"), "sm_90a");
    assert_string_equal(arch(arena, "sm_90", "sm_90"), "sm_90");
    assert_string_equal(arch(arena, "sm_90", "sm_90a"), "sm_90a"); /* as Triton's cubins have it */
    assert_string_equal(arch(arena, "sm_90a", "sm_90a"), "sm_90a");
    assert_string_equal(arch(arena, "sm_86", "sm_80"), "sm_86");
    assert_string_equal(arch(arena, "sm_103", "sm_100f"), "sm_103");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_letters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
