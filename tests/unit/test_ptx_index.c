/* What is parsed for a kernel is what it needs, and how much that is does not depend on what else the
 * text has: nothing is timed, but what lies in between is made unreadable, and memory is counted. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n"
                           ".global .u32 used[4] = {1, 2, 3, 4};\n"
                           ".func (.param .b32 r) f(.param .b32 a);\n"
                           ".func (.param .b32 r) g(.param .b32 a);\n"
                           ".global .u64 table[2] = {f, g};\n";

static const char tail[] =
    ".func (.param .b32 r) f(.param .b32 a)\n{ st.param.b32 [r], 1; ret; }\n"
    ".func (.param .b32 r) g(.param .b32 a)\n{ st.param.b32 [r], 2; ret; }\n";

/* Entry k<number>: every third calls f, every third calls through a pointer, the others use a variable. */
static const char *entry_text(Arena *arena, uint32_t number) {
    static const char *const bodies[] = {
        "{ .param .b32 a; .param .b32 r; st.param.b32 [a], 0; call.uni (r), f, (a); }",
        ("p: .callprototype (.param .b32 _) _ (.param .b32 _);\n ld.global.u64 %rd1, [table];\n"
         "{ .param .b32 a; .param .b32 r; st.param.b32 [a], 0; call (r), %rd1, (a), p; }"),
        "ld.global.u32 %r1, [used]; // }\n"};
    return arena_printf(arena,
                        ".visible .entry k%u(.param .u64 k%u_p)\n{\n.reg .b32 %%r<2>;\n"
                        ".reg .b64 %%rd<2>;\n.loc 1 %u 3\n%s\nret;\n}\n",
                        number, number, number + 1, bodies[number % 3]);
}

static char *module_text(Arena *arena, uint32_t entries) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs(head, out);
    for (uint32_t i = 0; i < entries; i++)
        fputs(entry_text(arena, i), out);
    fputs(tail, out);
    fclose(out);
    char *copy = arena_copy(arena, text, length);
    free(text);
    return copy;
}

static PtxIndex *make(Arena *arena, char *text) {
    return ptx_index(arena, "many.ptx", text, strlen(text));
}

static Module *kernel(Arena *arena, PtxIndex *index, const char *name) {
    Diags *diags = diags_new(arena);
    Module *module = ptx_parse_kernel(arena, index, name, diags);
    diags_print(diags, stderr, false);
    assert_int_equal(diags->errors, 0);
    assert_non_null(module);
    assert_null(module_verify(module));
    return module;
}

/* Spoils what lies between two places, so that whoever reads it would find errors. */
static void spoil(char *text, const char *from, const char *to) {
    char *first = strstr(text, from), *last = to ? strstr(text, to) : text + strlen(text);
    assert_true(first && last && first < last);
    memset(first, 1, (size_t)(last - first));
}

static uint32_t line_of(const char *text, const char *place) {
    uint32_t line = 1;
    for (const char *at = text; at < place; at++)
        line += *at == '\n';
    return line;
}

static void test_nothing_else_is_read(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *text = module_text(arena, 9);
    PtxIndex *index = make(arena, text);
    uint32_t line = line_of(text, strstr(strstr(text, ".entry k5("), "ld.global"));
    spoil(text, ".visible .entry k0(", ".visible .entry k5(");
    spoil(text, ".visible .entry k6(", NULL);
    const Module *module = kernel(arena, index, "k5");
    assert_int_equal(module->functions.count, 1);
    assert_int_equal(module->variables.count, 1);
    const Function *function = module->functions.at[0];
    assert_string_equal(function->name, "k5");
    assert_int_equal(function->insns.count, 2);
    assert_int_equal(function->insns.at[0].line, line);
    assert_int_equal(module->locations.at[function->insns.at[0].location].line, 6);
    arena_free(arena);
}

static void test_callees_come_along(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *text = module_text(arena, 9);
    PtxIndex *index = make(arena, text);
    spoil(text, "g(.param .b32 a)\n{", NULL);
    const Module *module = kernel(arena, index, "k3");
    assert_int_equal(module->functions.count, 2);
    assert_int_equal(module->variables.count, 0);
    assert_int_equal(module_function(module, STR("f"))->insns.count, 2);
    arena_free(arena);
}

/* Pointers to functions are numbers that one module puts into memory and another one calls. */
static void test_numbers_of_functions(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *text = module_text(arena, 9);
    PtxIndex *index = make(arena, text);
    Diags *diags = diags_new(arena);
    const Module *variables = ptx_parse_variables(arena, index, diags);
    assert_int_equal(diags->errors, 0);
    const Variable *table = module_variable(variables, STR("table"));
    assert_int_equal(table->relocations.count, 2);
    const Module *direct = kernel(arena, index, "k0"), *indirect = kernel(arena, index, "k1");
    assert_int_equal(indirect->functions.count, 3);
    static const char *const names[] = {"f", "g"};
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(table->relocations.at[i].function->number,
                         module_function(indirect, str_of(names[i]))->number);
    assert_int_equal(module_function(direct, STR("f"))->number,
                     module_function(indirect, STR("f"))->number);
    assert_int_not_equal(module_function(indirect, STR("f"))->number,
                         module_function(indirect, STR("g"))->number);
    assert_int_equal(module_function(variables, STR("f"))->insns.count, 0);
    arena_free(arena);
}

static void test_values(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *text = module_text(arena, 3);
    PtxIndex *index = make(arena, text);
    Diags *diags = diags_new(arena);
    const Module *variables = ptx_parse_variables(arena, index, diags);
    assert_int_equal(module_variable(variables, STR("used"))->data[12], 4);
    assert_null(module_variable(kernel(arena, index, "k2"), STR("used"))->data);
    const Module *alone = ptx_parse(arena, "k.ptx", text, strlen(text), "k2", diags);
    assert_int_equal(module_variable(alone, STR("used"))->data[12], 4);
    assert_int_equal(alone->variables.count, 1);
    arena_free(arena);
}

/* Memory that a kernel takes, the same in a module of ten kernels and of a thousand. */
static size_t memory_of(uint32_t entries, const char *name) {
    Arena *text_arena = arena_new(), *arena = arena_new();
    PtxIndex *index = make(text_arena, module_text(text_arena, entries));
    kernel(arena, index, name);
    size_t used = arena_used(arena);
    arena_free(arena);
    arena_free(text_arena);
    return used;
}

static void test_work_is_that_of_the_kernel(void **state) {
    (void)state;
    assert_int_equal(memory_of(9, "k5"), memory_of(1000, "k5"));
    assert_int_equal(memory_of(9, "k0"), memory_of(1000, "k0"));
    assert_int_equal(memory_of(9, "k1"), memory_of(1000, "k1"));
}

/* A slice has the kernel, what it calls and what variables name, on their lines, and parses to the same. */
static void test_slices(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char *text = module_text(arena, 9);
    PtxIndex *index = make(arena, text);
    size_t length;
    const char *slice = ptx_slice(arena, index, "k5", &length);
    assert_int_equal(length, strlen(slice));
    assert_true(length < strlen(text));
    static const char *const kept[] = {".entry k5(", "st.param.b32 [r], 2"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_int_equal(line_of(slice, strstr(slice, kept[i])),
                         line_of(text, strstr(text, kept[i])));
    assert_null(strstr(slice, ".entry k4"));
    assert_null(strstr(slice, ".entry k6"));
    const Module *alone = ptx_parse(arena, "k.ptx", slice, length, "k5", diags_new(arena));
    assert_non_null(alone);
    assert_int_equal(module_function(alone, STR("k5"))->insns.count,
                     module_function(kernel(arena, index, "k5"), STR("k5"))->insns.count);
    arena_free(arena);
}

/* ptxas refuses a declaration whose body was left out; one without a body in the module is somebody else's. */
static void test_declarations(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char text[] = ".version 8.0\n.target sm_80\n.func f ();\n.extern .func vprintf ();\n"
                  ".visible .entry a()\n{\ncall.uni f;\nret;\n}\n"
                  ".visible .entry b()\n{\nret;\n}\n.func f ()\n{\nret;\n}\n";
    PtxIndex *index = make(arena, text);
    size_t length;
    const char *with = ptx_slice(arena, index, "a", &length);
    assert_int_equal(line_of(with, strstr(with, ".func f ();")), 3);
    assert_non_null(strstr(with, ".func f ()\n{"));
    const char *without = ptx_slice(arena, index, "b", &length);
    assert_null(strstr(without, ".func f"));
    assert_int_equal(line_of(without, strstr(without, ".extern .func vprintf")), 4);
    assert_int_equal(line_of(without, strstr(without, ".entry b")), 10);
    arena_free(arena);
}

/* Of what was compiled for a debugger nothing is left out: its sections name places in all bodies. */
static void test_debugged_is_not_sliced(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char text[] = ".version 8.0\n.target sm_80, debug\n.entry a()\n{\nhere: ret;\n}\n"
                  ".entry b()\n{\nret;\n}\n.section .debug_info\n{\n.b32 here\n}\n";
    size_t length;
    assert_string_equal(ptx_slice(arena, make(arena, text), "b", &length), text);
    char names[] = ".version 8.0\n.target sm_80\n.entry a()\n{\nret;\n}\n"
                   ".entry b()\n{\nret;\n}\n.section .debug_str\n{\nx:\n.b8 65\n}\n";
    assert_null(strstr(ptx_slice(arena, make(arena, names), "b", &length), ".entry a"));
    arena_free(arena);
}

static void test_names_that_are_not_there(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char text[] = ".version 8.0\n.target sm_80\n.entry k()\n{\nmov.u32 %r1, missing;\n}\n"
                  ".entry other() { no PTX; }\n.global .u32 x\n.entry last() { ret; }\n";
    PtxIndex *index = make(arena, text);
    uint32_t count;
    const PtxEntry *entries = ptx_index_entries(index, &count);
    assert_int_equal(count, 3);
    assert_string_equal(entries[2].name, "last");
    assert_int_equal(entries[2].line, 9);
    kernel(arena, index, "last");
    Diags *diags = diags_new(arena);
    assert_null(ptx_parse_kernel(arena, index, "k", diags));
    assert_int_equal(diags->list.at[0].place.line, 5);
    assert_null(ptx_parse_variables(arena, index, diags));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_else_is_read),
        cmocka_unit_test(test_callees_come_along),
        cmocka_unit_test(test_numbers_of_functions),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_work_is_that_of_the_kernel),
        cmocka_unit_test(test_slices),
        cmocka_unit_test(test_declarations),
        cmocka_unit_test(test_debugged_is_not_sliced),
        cmocka_unit_test(test_names_that_are_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
