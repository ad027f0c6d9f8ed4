/* Linking texts: what clashes is told apart or merged, and the result parses. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"
#define INFO(name) ".section .debug_str {\n$L__info_string0:\n.b8 " name ",0\n}\n"

static const char caller[] =
    HEAD ".extern .func (.param .b32 r) twice(.param .b32 p);\n"
         ".extern .global .align 4 .u32 shared_count;\n"
         ".global .align 1 .b8 $str[3] = {65, 66, 0};\n"
         ".global .align 1 .b8 $str$1[2] = {68, 0};\n"
         ".weak .func both() { ret; }\n"
         ".weak .global .align 4 .u32 merged = 1;\n"
         ".visible .entry first(.param .u64 p)\n{\n"
         "\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<3>;\n"
         "\t.loc 1 7 1\n\tmov.u64 %rd1, $str;\n\tmov.u64 %rd2, shared_count;\n"
         "\t{\n\t.param .b32 a;\n\t.param .b32 b;\n\tst.param.b32 [a], 21;\n"
         "\tcall (b), twice, (a);\n\tld.param.b32 %r1, [b];\n\t}\n"
         "\tret;\n}\n"
         ".file 1 \"caller.cu\"\n" INFO("102,105,114,115,116");

static const char callee[] = HEAD
    ".visible .global .align 4 .u32 shared_count = 5;\n"
    ".global .align 1 .b8 $str[2] = {67, 0}; // another\n"
    ".weak .func both() { ret; }\n"
    ".weak .global .align 4 .u32 merged = 2;\n"
    ".visible .func (.param .b32 r) twice(.param .b32 p)\n{\n"
    "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<2>;\n"
    "\t.loc 1 3 1\n\tld.param.b32 %r1, [p];\n"
    "\t.loc 1 4 2, function_name $L__info_string0, inlined_at 1 3 1\n\tadd.s32 %r2, %r1, %r1;\n"
    "\tmov.u64 %rd1, $str;\n\tst.param.b32 [r], %r2;\n\tret;\n}\n"
    ".file 1 \"callee.cu\"\n.file 2 \"header.h\"\n" INFO("99,97,108,108");

static Module *link_two(Arena *arena, const char *one, const char *two) {
    const PtxUnit units[] = {{one, strlen(one)}, {two, strlen(two)}};
    Diags *diags = diags_new(arena);
    size_t length;
    char *text = ptx_link(arena, units, 2, &length);
    assert_int_equal(text[length], 0);
    assert_int_equal(length, strlen(text));
    Module *module = ptx_parse(arena, "linked.ptx", text, length, NULL, diags);
    if (!module)
        fail_msg("%s\n%s", diags->list.at[0].message, text);
    assert_null(module_verify(module));
    return module;
}

static void assert_linked(Module *module) {
    const Function *twice = module_function(module, STR("twice"));
    assert_non_null(twice);
    assert_true(twice->insns.count > 3);
    assert_int_equal(module->functions.count, 3); /* first, twice, both once */
    assert_int_equal(module_variable(module, STR("shared_count"))->data[0], 5);
    uint32_t strings = 0;
    for (uint32_t i = 0; i < module->variables.count; i++)
        strings += strncmp(module->variables.at[i]->name, "$str", 4) == 0;
    assert_int_equal(strings, 3);
}

/* ptxas takes neither .extern beside a definition nor a declaration behind it. */
static void declarations_have_the_linkage_of_definitions(void **state) {
    (void)state;
    static const char third[] =
        HEAD ".extern .func both();\n.extern .func (.param .b32 r) twice(.param .b32 p);\n"
             ".extern .func elsewhere();\n";
    const PtxUnit units[] = {{third, strlen(third)},
                             {caller, strlen(caller)},
                             {callee, strlen(callee)},
                             {third, strlen(third)}};
    Arena *arena = arena_new();
    size_t length;
    const char *text = ptx_link(arena, units, 4, &length);
    static const char declared[] = ".visible .func (.param .b32 r) twice(.param .b32 p);";
    const char *at = strstr(text, declared);
    assert_non_null(at);
    assert_null(strstr(at + strlen(declared), "twice(.param .b32 p);"));
    assert_non_null(strstr(text, ".weak .func both();"));
    assert_null(strstr(text, ".extern .func both"));
    assert_non_null(strstr(text, ".extern .func elsewhere();"));
    arena_free(arena);
}

static void texts_become_one(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Module *module = link_two(arena, caller, callee);
    assert_linked(module);
    assert_int_equal(module_variable(module, STR("merged"))->data[0], 1); /* the first one stays */
    const Function *first = module_function(module, STR("first"));
    const Function *twice = module_function(module, STR("twice"));
    const SourceLocation *at = &module->locations.at[first->insns.at[0].location];
    assert_string_equal(module_file(module, at->file), "caller.cu");
    at = &module->locations.at[twice->insns.at[1].location];
    assert_string_equal(module_file(module, at->file), "callee.cu");
    assert_string_equal(at->function, "call"); /* each text's own strings */
    at = &module->locations.at[at->inlined_at];
    assert_string_equal(module_file(module, at->file), "callee.cu");
    assert_string_equal(module_file(module, 3), "header.h");
    arena_free(arena);
}

static void in_either_order(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Module *module = link_two(arena, callee, caller);
    assert_linked(module);
    assert_int_equal(module_variable(module, STR("merged"))->data[0], 2);
    arena_free(arena);
}

static void any_text_is_survived(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (size_t cut = 0; cut < sizeof caller; cut++) {
        const PtxUnit units[] = {{arena_copy(arena, caller, cut), cut},
                                 {callee, sizeof callee - 1}};
        size_t length;
        assert_non_null(ptx_link(arena, units, 2, &length));
    }
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_one),
        cmocka_unit_test(declarations_have_the_linkage_of_definitions),
        cmocka_unit_test(in_either_order),
        cmocka_unit_test(any_text_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
