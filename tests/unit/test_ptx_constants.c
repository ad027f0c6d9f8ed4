/* Constant expressions, as ptxas computes them: what a variable's initial value becomes (ptxas of CUDA 13.0, 2026-11-28), and which it refuses. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static const struct {
    const char *text;
    uint64_t value;
} rows[] = {
    {"1 || 0", 0x1},
    {"0 || 0", 0x0},
    {"2 && 3", 0x1},
    {"2 && 0", 0x0},
    {"5 == 5", 0x1},
    {"5 != 5", 0x0},
    {"-1 < 0", 0x1},
    {"-1 < 0U", 0x0},
    {"3 <= 3", 0x1},
    {"4 >= 5", 0x0},
    {"4 >= 4", 0x1},
    {"1 << 4", 0x10},
    {"1 << 63", 0x8000000000000000},
    {"1 << 64", 0x1},
    {"1 << 65", 0x2},
    {"-8 >> 1", 0xfffffffffffffffc},
    {"-8 >> 1U", 0xfffffffffffffffc},
    {"-8U >> 1", 0x7ffffffffffffffc},
    {"0x8000000000000000 >> 63", 0x1},
    {"0x8000000000000000U >> 63", 0x1},
    {"-8 >> 64", 0xfffffffffffffff8},
    {"8 >> 64", 0x8},
    {"-8 >> 70", 0xffffffffffffffff},
    {"6 & 3", 0x2},
    {"6 | 3", 0x7},
    {"6 ^ 3", 0x5},
    {"7 > 6", 0x1},
    {"7 < 6", 0x0},
    {"10 - 3 - 2", 0x5},
    {"2 + 3 * 4", 0xe},
    {"(2 + 3) * 4", 0x14},
    {"-7 / 2", 0xfffffffffffffffd},
    {"-7 % 2", 0x1},
    {"7 % -2", 0x7},
    {"-7 / 2U", 0x7ffffffffffffffc},
    {"-7 % 2U", 0x1},
    {"-7U / 2", 0x7ffffffffffffffc},
    {"0x8000000000000000 / -1", 0x0},
    {"0x8000000000000000 % -1", 0x8000000000000000},
    {"~0", 0xffffffffffffffff},
    {"~0 / 2", 0x7fffffffffffffff},
    {"!5", 0x0},
    {"!0", 0x1},
    {"!0U - 2 < 0", 0x1},
    {"(1 == 1U) - 2 < 0", 0x1},
    {"(1U < 2U) - 2 < 0", 0x1},
    {"(1U && 1U) - 2 < 0", 0x1},
    {"(6U & 3U) - 4 < 0", 0x0},
    {"(6 & 3) - 4 < 0", 0x1},
    {"(6 | 3) - 9 < 0", 0x1},
    {"~5 < 0", 0x0},
    {"(.s64)0xFFFFFFFFFFFFFFFF < 0", 0x1},
    {"(.u64)-1 < 0", 0x0},
    {"-1", 0xffffffffffffffff},
    {"+5", 0x5},
    {"- -5", 0x5},
    {"WARP_SZ", 0x20},
    {"WARP_SZ * 2", 0x40},
    {"1 ? 2 : 3", 0x2},
    {"0 ? 2 : 3", 0x3},
    {"1 ? 2U : 3", 0x2},
    {"(7 % 4U) - 9 < 0", 0x0},
    {"(7U % 4) - 9 < 0", 0x0},
    {"(7U % 4U) - 9 < 0", 0x0},
    {"(-7 % 4) - 9 < 0", 0x0},
    {"1 + 2 == 3 && 4 > 2", 0x1},
    {"1 | 2 ^ 3 & 4", 0x3},
    {"0x10 - 010 + 0b11", 0xb},
    {"8 >> 1 + 1", 0x2},
    {"1 << 2 < 5", 0x1},
    {"(1 << 2U) - 5 < 0", 0x1},
    {"(1U << 2) - 5 < 0", 0x0},
    {"9223372036854775807 + 1", 0x8000000000000000},
    {"18446744073709551615U", 0xffffffffffffffff},
    {"3 - 4U < 0", 0x0},
    {"(1 ? 2U : 3) - 5 < 0", 0x0},
    {"(0 ? 2U : 3) - 5 < 0", 0x1},
    {"(1 ? 2 : 3) - 5 < 0", 0x1},
    {"0 ? 1 : 0 ? 2 : 3", 0x3},
    {"1 ? 0 ? 4 : 5 : 6", 0x5},
    {"0 || 1 ? 7 : 8", 0x7},
    {"1 ? 2 : 3 + 4", 0x2},
    {"(1U << 2U) - 5 < 0", 0x0},
    {"(-8 >> 2U) < 0", 0x1},
    {"(-1 ^ 1U) < 0", 0x0},
    {"(-1 ^ 1) < 0", 0x1},
    {"(-1 | 1U) < 0", 0x0},
    {"(1 && 0U) - 1 < 0", 0x1},
    {"-(5U) < 0", 0x0},
    {"+(5U) - 6 < 0", 0x0},
    {"5U - 6 < 0", 0x0},
    {"5U * -1 < 0", 0x0},
    {"5U / 1 - 6 < 0", 0x0},
    {"(5 != 4U) - 2 < 0", 0x1},
    {"(5 >= 4U) - 2 < 0", 0x1},
    {"(1U || 0U) - 2 < 0", 0x1},
    {"1 << -1", 0x8000000000000000},
    {"2 >> -1", 0x0},
    {"-1 > 0U", 0x1},
    {"(1 ? 2 : 3U) - 5 < 0", 0x1},
    {"(.s64)5U - 6 < 0", 0x1},
    {"(.u64)5 - 6 < 0", 0x0},
};

/* NULL: *message says why not. */
static const Variable *variable_of(Arena *arena, const char *type, const char *value,
                                   const char **message) {
    Diags *diags = diags_new(arena);
    const char *text = arena_printf(arena,
                                    ".version 8.0\n.target sm_80\n.address_size 64\n"
                                    ".visible .global .align 8 .%s x = %s;\n",
                                    type, value);
    const Module *module = ptx_parse(arena, "test.ptx", text, strlen(text), NULL, diags);
    *message = diags->list.count ? diags->list.at[0].message : "";
    return module ? module_variable(module, STR("x")) : NULL;
}

static void values_are_those_of_ptxas(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *message;
        const Variable *variable = variable_of(arena, "u64", rows[i].text, &message);
        uint64_t value = 0;
        if (!variable)
            fail_msg("%s: %s", rows[i].text, message);
        if (variable->data)
            memcpy(&value, variable->data, sizeof value);
        if (value != rows[i].value)
            fail_msg("%s: %llx", rows[i].text, (unsigned long long)value);
    }
    arena_free(arena);
}

static void wrong_ones_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *type, *text, *message;
    } wrong[] = {
        {"u64", "5 / 0", "division by zero"},
        {"u64", "5 % 0", "division by zero"},
        {"u64", "1 ? 2", "expected ':', not ';'"},
        {"u64", "1 ? : 3", "expected a constant, not ':'"},
        {"u64", "1 ? 2 : ", "expected a constant, not ';'"},
        {"u64", "1.5 ? 2 : 3", "'?' takes an integer"},
        {"u64", "1.5 + 2", "floating constants cannot be computed with"},
        {"u64", "2 + 1.5", "floating constants cannot be computed with"},
        {"u64", "~1.5", "'~' takes an integer"},
        {"u64", "!0f3f800000", "'!' takes an integer"},
        {"u64", "(.f32)5", "expected .s64 or .u64, not '.f32'"},
        {"u64", "(.s64 5", "expected ')', not '5'"},
        {"u64", "(.s64)", "expected a constant, not ';'"},
        {"u64", "1 +", "expected a constant, not ';'"},
        {"u64", "(1", "expected ')', not ';'"},
        {"u64", "(1 ? 2 : 3", "expected ')', not ';'"},
        {"u64", "0f3f800000", "this constant cannot stand for a .u64"},
        {"f32", "1", "this constant cannot stand for a .f32"},
        {"f64", "1", "this constant cannot stand for a .f64"},
        {"b64", "0f3f800000", "this constant cannot stand for a .b64"},
        {"b32", "0d3ff0000000000000", "this constant cannot stand for a .b32"},
    };
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *message;
        if (variable_of(arena, wrong[i].type, wrong[i].text, &message))
            fail_msg("%s is taken", wrong[i].text);
        assert_string_equal(message, wrong[i].message);
    }
    arena_free(arena);
}

/* An integer is cut to the size; of a floating constant the nearest of the type. */
static void types_are_kept(void **state) {
    (void)state;
    static const struct {
        const char *type, *text;
        uint64_t value;
    } kept[] = {
        {"u8", "0x1ff", 0xff},
        {"s16", "-1", 0xffff},
        {"u32", "1 ? 0x123456789 : 0", 0x23456789},
        {"f32", "0f3f800000", 0x3f800000},
        {"f32", "-0f3f800000", 0xbf800000},
        {"f32", "+0f3f800000", 0x3f800000},
        {"f32", "0d3ff8000000000000", 0x3fc00000},
        {"f32", "-1.5", 0xbfc00000},
        {"f32", "0 ? 1.5 : 2.5", 0x40200000},
        {"f64", "-1.5", 0xbff8000000000000},
        {"f64", "0f3f800000", 0x3ff0000000000000},
        {"b32", "0f3f800000", 0x3f800000},
        {"b64", "0d3ff0000000000000", 0x3ff0000000000000},
    };
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *message;
        const Variable *variable = variable_of(arena, kept[i].type, kept[i].text, &message);
        uint64_t value = 0;
        if (!variable)
            fail_msg("%s: %s", kept[i].text, message);
        memcpy(&value, variable->data, variable->bytes);
        if (value != kept[i].value)
            fail_msg(".%s of %s: %llx", kept[i].type, kept[i].text, (unsigned long long)value);
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_ptxas),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(types_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
