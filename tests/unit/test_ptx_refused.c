/* What is PTX and what is not: a statement of a module, or of a kernel's body, and the first thing that is said of it; "": nothing, it is taken. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

typedef struct Row {
    const char *text, *message;
} Row;

#define HEAD                                                                                       \
    ".version 8.8\n.target sm_90a\n.address_size 64\n"                                             \
    ".func (.reg .u32 o) f(.reg .u32 i) { ret; }\n"
static const char in_module[] = HEAD "%s\n.entry k() { ret; }\n";
static const char in_body[] =
    HEAD ".entry k()\n{\n"
         ".reg .pred %%p<4>;.reg .b16 %%rs<4>;.reg .b32 %%r<9>;.reg .b64 %%rd<5>;.reg .f32 %%f<9>;"
         ".reg .f64 %%fd<4>;\n%s\n}\n";

#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void compare(const Row *row, const char *around) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const char *text = arena_printf(arena, around, row->text);
    const Module *module = ptx_parse(arena, "test.ptx", text, strlen(text), NULL, diags);
    const char *message = diags->list.count ? diags->list.at[0].message : "";
    if (strcmp(message, row->message) != 0)
        fail_msg("%s\n  says: %s\n   not: %s", row->text, message, row->message);
    if ((module != NULL) != (diags->errors == 0) || (module && module_verify(module)))
        fail_msg("%s: %s", row->text, module ? module_verify(module) : "no module");
    arena_free(arena);
}

static void statements_of_modules(void **state) {
    (void)state;
    static const Row rows[] = {
        {".version 8;", "expected a version like 8.0, not '8'"},
        {".version x;", "expected a version like 8.0, not 'x'"},
        {".version 1234.5;", "expected a version like 8.0, not '1234.5'"},
        {".version 9.6;", "this PTX version is newer than 9.5, the newest that is known here"},
        {".target;", "expected a target like sm_90, not ';'"},
        {".target sm_200", "this target is newer than sm_121, the newest that is known here"},
        {".target sm_90, debug, texmode_unified", ""},
        {".address_size", "expected an address size, not '.entry'"},
        {".address_size 48", "an address has 32 or 64 bits"},
        {".section .debug_str { .b8 1 }", ""},
        {".section .debug_str ;", "expected '{', not ';'"},
        {".section .debug_str {", "expected the '}' of the section"},
        {".section name .x {}", ""},
        {".pragma \"nounroll\";", ""},
        {".pragma \"nounroll\"", "expected a directive, not '}'"},
        {".alias f, g;", ""},
        {".fancy x;", "unknown directive '.fancy'"},
        {"hello;", "expected a directive, not 'hello'"},
        {";", ""},
        {".global .attribute .u32 g;", "expected '(', not '.u32'"},
        {".global .attribute(.managed .u32 g;", "expected ')', not the end of the file"},
        {".global .align x .u32 g;", "expected an alignment, not 'x'"},
        {".global .align 3 .u32 g;", "an alignment is a power of two up to 65536"},
        {".global .align 131072 .u32 g;", "an alignment is a power of two up to 65536"},
        {".global .align 0 .u32 g;", "an alignment is a power of two up to 65536"},
        {".global .b33 g;", "expected a type like .b32, not '.b33'"},
        {".global .pred g;", "a variable cannot be a predicate"},
        {".global .u32;", "expected the name of a variable, not ';'"},
        {".global .u32 g[x];", "expected a constant, not 'x'"},
        {".global .u32 g[2;", "expected ']', not ';'"},
        {".global .u32 g[-1];", "an array of this size cannot be"},
        {".global .u32 g[1][2][3][4][5][6][7][8][9][10];", ""},
        {".global .u32 g[4294967296][4294967296];", "an array of this size cannot be"},
        {".global .u32 g[140737488355329];", "an array of this size cannot be"},
        {".global .v2 .f32 g[2] = {{1.0, 2.0}, {3.0, 4.0}};", ""},
        {".global .v3 .f32 g;", "expected a type like .b32, not '.v3'"},
        {".global .u32 g[];", "'g' needs a size: only .extern arrays may have none"},
        {".extern .global .u32 g[];", ""},
        {".extern .global .u32 g; .global .u32 g = 5;", ""},
        {".global .u32 g; .extern .global .u32 g;", ""},
        {".global .u32 g; .shared .u32 g;", "'g' is already declared here"},
        {".global .u32 g", "expected ';', not '.entry'"},
        {".global .u32 g = ;", "expected a constant, not ';'"},
        {".global .u32 g = 1, h = 2;", ""},
        {".entry;", "expected the name of a function, not ';'"},
        {".entry k2(", "expected .param, not '.entry'"},
        {".entry k2(.param .u32 a", "expected ')', not '.entry'"},
        {".entry k2(.param .u32 a,)", "expected .param, not ')'"},
        {".entry k2(.param .u32);", "expected the name of a parameter, not ')'"},
        {".entry k2(.param .u32 a[);", "expected a constant, not ')'"},
        {".entry k2(.param .pred a);", "a variable cannot be a predicate"},
        {".entry k2(.param .u64 .ptr .global .align 8 a) { ret; }", ""},
        {".entry k2(.param .u64 .ptr .align 3 a) { ret; }",
         "an alignment is a power of two up to 65536"},
        {".entry k2(.param .u32 a, .param .u32 a) { ret; }", "'a' is already declared here"},
        {".entry k2(.reg .u32) { ret; }", "expected the name of a parameter, not ')'"},
        {".func (.reg .b33 r) f2() { ret; }", "expected a type like .b32, not '.b33'"},
        {".func (.reg .u32 r) f2(.reg .u32 r) { ret; }", "'r' is already declared here"},
        {".func f2(.param .u32 _);", ""},
        {".func (.param .u32 r f2();", "expected ')', not 'f2'"},
        {".func f2() .noreturn { trap; }", ""},
        {".func .noreturn f2() { trap; }", ""},
        {".func f2() .attribute { ret; }", "expected '{' or ';', not '.attribute'"},
        {".entry k2() .maxntid { ret; }", "expected a number, not '{'"},
        {".entry k2() .maxntid x { ret; }", "expected a number, not 'x'"},
        {".entry k2() .maxntid 1, x { ret; }", "expected a number, not 'x'"},
        {".entry k2() .maxntid 1, 2, 3, 4 { ret; }", "expected at most three numbers"},
        {".entry k2() .maxntid 64, 2 .minnctapersm 2 .maxnreg 32 { ret; }", ""},
        {".entry k2() .reqntid 64 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }", ""},
        {".entry k2() .blocksareclusters .maxclusterrank 8 { ret; }", ""},
        {".entry k2() .maxnctapersm 2 .abi_preserve 4 { ret; }", ""},
        {".entry k2() .abi_preserve_control 4 { ret; }", ""},
        {".entry k2() .minnctapersm x { ret; }", "expected a number of blocks, not 'x'"},
        {".entry k2() .maxnreg x { ret; }", "expected a number of registers, not 'x'"},
        {".entry k2() .maxclusterrank x { ret; }", "expected a number, not 'x'"},
        {".entry k2() .pragma \"nounroll\", \"x\"; { ret; }", ""},
        {".entry k2() .pragma \"nounroll\" { ret; }", "expected ';', not '{'"},
        {".entry k2() x { ret; }", "expected '{' or ';', not 'x'"},
        {".entry k2() { ret;", "unknown directive '.entry'"},
        {".func f2() { ret; } .func f2() { ret; }", "'f2' already has a body"},
        {".func f2(); .entry f2() { ret; }", "'f2' is already declared as something else"},
        {".global .u32 f2; .func f2() { ret; }", "'f2' is already declared as something else"},
        {".global .attribute(.managed, .unified(19, 95)) .u32 g;", ""},
        {".func .attribute(.unified(0xAB, 0xCD)) f2() { ret; }", ""},
        {".func .attribute f2() { ret; }", "expected '(', not 'f2'"},
        {".func .attribute(.unified(1, 2) f2() { ret; }", "expected ')', not the end of the file"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        compare(&rows[i], in_module);
}

static void statements_of_bodies(void **state) {
    (void)state;
    static const Row rows[] = {
        {".reg .v2 .f32 %v;", "vector registers are not supported: use two scalars"},
        {".reg .v4 .f32 %v;", "vector registers are not supported: use several scalars"},
        {".reg .b33 %v;", "expected a type like .b32, not '.b33'"},
        {".reg .b32;", "expected the name of a register, not ';'"},
        {".reg .b32 %v<", "expected the number of registers, not '}'"},
        {".reg .b32 %v<x>;", "expected the number of registers, not 'x'"},
        {".reg .b32 %v<4;", "expected '>', not ';'"},
        {".reg .b32 %v", "expected ';', not '}'"},
        {".reg .b32 %v<4>, %w;", ""},
        {".pragma nounroll;", "expected a string, not 'nounroll'"},
        {".pragma \"used_bytes_mask 15\"; ld.global.u32 %r1, [%rd1];", ""},
        {".pragma \"used_bytes_mask x\";", "expected \"used_bytes_mask N\""},
        {".pragma \"used_bytes_mask 4294967296\";", "expected \"used_bytes_mask N\""},
        {".pragma \"nounroll\", \"used_bytes_mask 3\"; ld.global.u32 %r1, [%rd1];", ""},
        {".pragma \"nounroll\"", "expected ';', not '}'"},
        {".callprototype x", "expected ';', not the end of the file"},
        {"proto: .callprototype (.param .u32 _) _ (.param .u32 _);", ""},
        {".machine 1, 2, \"x\";", "unknown directive '.machine'"},
        {".extern .shared .align 16 .b8 dyn[];", ""},
        {".extern x;", "unknown directive 'x'"},
        {".fancy;", "unknown directive '.fancy'"},
        {".loc x;", "expected a file number, not 'x'"},
        {".loc 1;", "expected a line, not ';'"},
        {".loc 1 2;", "expected a column, not ';'"},
        {".loc 1 2 3, x;", "expected function_name or inlined_at, not 'x'"},
        {".loc 1 2 3, function_name", "expected a label of .debug_str, not '}'"},
        {".loc 1 2 3, function_name 5", "expected a label of .debug_str, not '5'"},
        {".loc 9 2 3, inlined_at 9 x", "expected a line, not 'x'"},
        {".loc 9 2 3, inlined_at 9 4 5;", ""},
        {".file x;", "expected a file number, not 'x'"},
        {".file 1 x;", "expected a file name in quotes, not 'x'"},
        {".file 2 \"b.cu\", x;", "expected a number, not 'x'"},
        {".file 2 \"b.cu\", 5, x;", "expected a number, not 'x'"},
        {".file 2 \"b.cu\", 5, 6", ""},
        {"{ { .reg .b32 %in; mov.u32 %in, 1; } }", ""},
        {"{ mov.u32 %in, 1; }", "there is no register or variable '%in'"},
        {"machine.nop;", "unknown instruction 'machine.nop'"},
        {"add.s32 %r1, %r1, !%r2;", "expected a constant, not '%r2'"},
        {"add.s32 %r1, %r1, !5;", ""},
        {"add.s32 %r1, %r1, !%tid.x;", "expected a constant, not '%tid.x'"},
        {"@%r1 bra L;", "'%r1' is not a predicate"},
        {"@5 bra L;", "expected a predicate, not '5'"},
        {"@!%p1 bra L; L: ret;", ""},
        {"@x ret;", "there is no register or variable 'x'; did you mean 'f'?"},
        {"bra;", "'bra' takes one operand"},
        {"bra M;", "there is no label 'M'"},
        {"bra L; L:", ""},
        {"L: L: ret;", "'L' is already declared here"},
        {"ts: .branchtargets L, M; L: brx.idx %r1, ts; M: ret;", ""},
        {"ts: .branchtargets L; L: brx.idx %r1, L;", "'L' is not a list of .branchtargets"},
        {"brx.idx %r1, nothing;", "'nothing' is not a list of .branchtargets"},
        {"brx.idx %r1, 5;", "expected a list of branch targets, not '5'"},
        {"ts: .branchtargets; ret;", "expected a label, not ';'"},
        {"ts: .branchtargets L M; L: M: ret;", "expected ';', not 'M'"},
        {"ts: .branchtargets nowhere; brx.idx %r1, ts;", "there is no label 'nowhere'"},
        {"ld.global.u32 %r1, %rd1;", "expected an address in brackets"},
        {"ld.global.u32 %r1, [%rd1;", "expected ']', not ';'"},
        {"ld.global.u32 %r1, [%rd1+];", "expected a constant, not ']'"},
        {"ld.global.u32 %r1, [%rd1+x];", "expected a constant, not 'x'"},
        {"ld.global.u32 %r1, [%rd1-4];", ""},
        {"ld.global.u32 %r1, [%rd1+-4];", ""},
        {"ld.global.u32 %r1, [%tid.x];", "an address is a register or a variable, and an offset"},
        {"ld.global.u32 %r1, [];", "expected a constant, not ']'"},
        {"ld.global.u32 %r1, [x];", "there is no register or variable 'x'; did you mean 'f'?"},
        {"ld.global.u32 %r1, [1.5];", "expected an address, not a floating constant"},
        {"ld.global.u32 %r1, [4096];", ""},
        {"ld.global.u32 %r1, [%rd1, {%r1}];", "this instruction takes no coordinates"},
        {"ld.global.u32 %r1, [%rs1];", "'%rs1' is .b16; an address has 32 or 64 bits"},
        {"ld.global.u32 %r1, [%f1];", "'%f1' is .f32; an address has 32 or 64 bits"},
        {"ld.global.u32 %r1, [k];", "an address is a register or a variable, and an offset"},
        {"ld.global.v2.u32 {%r1, %r2}, [%rd1];", ""},
        {"ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];",
         "expected 2 elements in braces, each of .u32"},
        {"ld.global.v2.u32 {%r1, 5}, [%rd1];", "expected a register to write to"},
        {"ld.global.v2.u32 {%r1 %r2}, [%rd1];", "expected '}', not '%r2'"},
        {"ld.global.v2.u32 {%r1, }, [%rd1];", "expected an operand, not '}'"},
        {"ld.global.v2.u32 {}, [%rd1];", "expected 2 elements in braces, each of .u32"},
        {"ld.global.v2.u32 {%r1, {%r2}}, [%rd1];", "expected an operand, not '{'"},
        {"mov.b64 %rd1, {%r1, %r2};", ""},
        {"mov.b64 {%r1, _}, %rd1;", ""},
        {"mov.b64 %rd1, {%r1, %r2, %r3};", "3 elements do not make up a .b64"},
        {"mov.b64 %rd1, {%r1};", "1 elements do not make up a .b64"},
        {"mov.b32 %r1, {%rs1, %rs2};", ""},
        {"mov.u32 %r1, {%rs1, %rs2};", "2 elements do not make up a .u32"},
        {"mov.b128 %q1, {%rd1, %rd2};",
         "there is no register or variable '%q1'; did you mean '%p1'?"},
        {"mov.u32 %r1, [%rd1];", "an address in brackets cannot stand here"},
        {"mov.u32 %r1, _;", "'_' is for results only"},
        {"mov.u32 5, %r1;", "expected a register to write to"},
        {"mov.u32 %tid.x, %r1;", "expected a register to write to"},
        {"mov.u32 %r1, %tid.x;", ""},
        {"mov.pred %p1, %is_explicit_cluster;", ""},
        {"mov.pred %p1, %tid.x;", "expected a predicate"},
        {"mov.u64 %rd1, k;", ""},
        {"mov.u16 %rs1, k;", "an address does not fit into a .u16"},
        {"add.u64 %rd1, %rd1, k;",
         "expected a register: only mov and cvta take the address of 'k'"},
        {"add.u32 %r1, %tid.x, 1;", "expected a register: only mov and cvt read special registers"},
        {"setp.eq.u32 %p1|%p2, %r1, 0;", ""},
        {"setp.eq.u32 %p1|%r2, %r1, 0;", "expected a predicate; '%r2' is .b32"},
        {"setp.eq.u32 %p1|, %r1, 0;", "expected an operand, not ','"},
        {"add.u32 %r1|%p1, %r1, 0;", "this instruction has no second result"},
        {"shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", ""},
        {"vote.sync.ballot.b32 _, %p1, -1;", ""},
        {"bar.sync 0, 1, 2;", "'bar.sync' takes 1 to 2 operands"},
        {"ret 5;", "'ret' takes no operands"},
        {"add.f32 %f1, %f1, 1;",
         "an integer cannot stand for a .f32: write it as 0f…, 0d… or with a decimal point"},
        {"add.f32 %f1, %f1, %r1;", ""},
        {"add.s32 %r1, %r1, %f1;", "'%f1' is .f32; expected a .u32"},
        {"add.s32 %r1, %r1, 1.5;", "a floating constant cannot stand for a .u32"},
        {"and.b32 %f1, %f1, %f2;", ""},
        {"cvt.u8.u32 %rs1, %r1;", ""},
        {"mul.wide.u16 %r1, %rs1, %rs2;", ""},
        {"mul.wide.s16 %r1, %rs1, %rs2;", ""},
        {"mul.wide.s32 %rd1, %r1, %r2;", ""},
        {"mul.wide.u32 %rd1, %r1, 5;", ""},
        {"mul.wide.u32 %r1, %r1, 5;", "'%r1' is .b32; expected a register of 64 bits"},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd1}, {%fd1, "
         "%fd2};",
         ""},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, %fd3, %fd1, {%fd1, %fd2};",
         ""},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%rd1, {%f1, %f2}];", ""},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%rd1, {%f1}];", "expected 2 coordinates, not 1"},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%r1, {%f1, %f2}];",
         "expected [object, coordinates] with a 64-bit register as the object"},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%rd1, {1.0, 2.0}];", ""},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%rd1, {%rd1, %f1}];",
         "'%rd1' is .b64; expected a register of 32 bits"},
        {"tex.a2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [%rd1, {5, 1.0, 2.0, 2.0}];", ""},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r1, %r2}];", ""},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%r1}];",
         "expected 2 coordinates, not 1"},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global [%r1, {%r1, %r2}];",
         "expected [tensor map, coordinates] with the map's address in a 64-bit register"},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global [%rd1, {%rd1, %r2}];",
         "'%rd1' is .b64; expected a register of 32 bits"},
        {"cp.async.bulk.prefetch.tensor.2d.L2.global %rd1;",
         "expected [tensor map, coordinates] with the map's address in a 64-bit register"},
        {"call f, (%r1);", "results and arguments: 'f' declares 1 and 1, the call has 0 and 1"},
        {"call (%r1), f, (%r1);", ""},
        {"call f2, (%r1)", "there is no register or variable 'f2'; did you mean '%f2'?"},
        {"call f", "results and arguments: 'f' declares 1 and 1, the call has 0 and 0"},
        {"call nothing;", "there is no register or variable 'nothing'"},
        {"call (%r1, f;", "expected ')', not ';'"},
        {"call (%r1), f, (%r1;", "expected ')', not ';'"},
        {"call %rd1, proto;", ""},
        {"call 5;", "expected a function, not '5'"},
        {"atom.global.add.u32 _, [%rd1], 1;", ""},
        {"atom.global.add.u32 %r1, [%rd1], 1;", ""},
        {"red.global.add.u32 [%rd1], 1", "expected ',', not '}'"},
        {"red.global.add.u32 [%rd1], !1;", ""},
        {"st.global.u32 [%rd1], _;", "'_' is for results only"},
        {"prmt.b32 %r1, %r2, %r3, 99;", ""},
        {"nothing.u32 %r1;", "unknown instruction 'nothing'"},
        {"add.s32 %r1, %r2, %r3, %r1, %r2, %r3, %r1, %r2, %r3, %r1, %r2, %r3, %r1, %r2, %r3, %r1, "
         "%r2, %r3, %r1;",
         "'add.s32' takes 3 operands"},
        {"{", "expected the '}' that closes 'k'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        compare(&rows[i], in_body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_of_modules),
        cmocka_unit_test(statements_of_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
