/* What goldens do not show: rows compile, `only`, the list of entries, texts, total behaviour. */
#include "ptx/parser.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static const char two_kernels[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                  ".visible .entry a(.param .u32 p) // {\n{\n"
                                  "\t.reg .b32 %r<3>;\n"
                                  "\tadd.s32   %r1, %r2, 1 ; /* } */ .pragma \"}\";\n"
                                  "\tret;\n}\n"
                                  ".func f() { ret; }\n"
                                  ".entry b() { this is no PTX { } ; }\n";

static Module *parse(Arena *arena, const char *text, const char *only, Diags **diags) {
    *diags = diags_new(arena);
    return ptx_parse(arena, "test.ptx", text, strlen(text), only, *diags);
}

static void test_rows_compile(void **state) {
    (void)state;
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        Row row;
        if (!check_compile(op_info(op)->operands, &row))
            fail_msg("the operands of %s: %s", op_info(op)->id, op_info(op)->operands);
    }
    Row row;
    assert_false(check_compile("=t5", &row));
    assert_false(check_compile("={b32", &row));
    assert_true(check_compile("={b32}*matrices, t>, [m], !pred?, u32#", &row));
    assert_int_equal(row.count, 5);
    assert_true(row.slots[0].written && row.slots[1].wider && row.slots[3].optional &&
                row.slots[3].negatable && row.slots[4].immediate);
}

static void test_only(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Diags *diags;
    assert_null(parse(arena, two_kernels, NULL, &diags));
    assert_true(diags->errors > 0);
    Module *module = parse(arena, two_kernels, "a", &diags);
    assert_non_null(module);
    assert_int_equal(diags->errors, 0);
    assert_int_equal(module->functions.count, 1);
    const Function *kernel = module_function(module, STR("a"));
    assert_int_equal(kernel->insns.count, 2);
    assert_true(str_is(kernel->insns.at[0].text, "add.s32   %r1, %r2, 1"));
    assert_int_equal(kernel->insns.at[0].line, 7);
    assert_int_equal(kernel->insns.at[0].column, 2);
    assert_null(module_verify(module));
    arena_free(arena);
}

static void test_entries(void **state) {
    (void)state;
    Arena *arena = arena_new();
    uint32_t count;
    const PtxIndex *index = ptx_index(arena, "", two_kernels, strlen(two_kernels));
    const PtxEntry *entries = ptx_index_entries(index, &count);
    assert_int_equal(count, 2);
    assert_string_equal(entries[0].name, "a");
    assert_int_equal(entries[0].line, 4);
    assert_string_equal(entries[1].name, "b");
    assert_int_equal(entries[1].line, 11);
    arena_free(arena);
}

/* Every prefix of a module is handled without a crash, and says so unless it happens to be whole. */
static void test_prefixes(void **state) {
    (void)state;
    size_t length = strlen(two_kernels);
    for (size_t i = 0; i <= length; i++) {
        Arena *arena = arena_new();
        Diags *diags = diags_new(arena);
        const char *text = arena_copy(arena, two_kernels, i);
        Module *module = ptx_parse(arena, "prefix", text, i, "a", diags);
        assert_int_equal(module == NULL, diags->errors > 0);
        arena_free(arena);
    }
}

static void test_bytes_that_are_no_text(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    static const char text[] = ".version 8.0\0.target sm_80\n\xff\xfe";
    assert_null(ptx_parse(arena, "bytes", text, sizeof text - 1, NULL, diags));
    assert_true(diags->errors > 0);
    arena_free(arena);
}

/* A deep nest of parentheses, braces and scopes ends in an error, not in a stack overflow. */
static void test_depth(void **state) {
    (void)state;
    static const struct {
        const char *before, *repeated;
    } nests[] = {
        {".version 8.0\n.global .u32 x = ", "("},
        {".version 8.0\n.global .u32 x = ", "-"},
        {".version 8.0\n.global .u32 x[9] = ", "{"},
        {".version 8.0\n.entry k() ", "{"},
    };
    for (size_t n = 0; n < sizeof nests / sizeof *nests; n++) {
        Arena *arena = arena_new();
        size_t start = strlen(nests[n].before), length = start + 1000000;
        char *text = arena_alloc(arena, length + 1);
        memset(text, *nests[n].repeated, length);
        memcpy(text, nests[n].before, start);
        text[length] = 0;
        Diags *diags = diags_new(arena);
        assert_null(ptx_parse(arena, "deep", text, length, NULL, diags));
        arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_compile), cmocka_unit_test(test_only),
        cmocka_unit_test(test_entries),      cmocka_unit_test(test_prefixes),
        cmocka_unit_test(test_depth),        cmocka_unit_test(test_bytes_that_are_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
