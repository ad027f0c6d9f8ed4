/* Reading what ptxas and nvdisasm print (recorded: tests/toolchain/merge.*), and running them where
 * they are installed. */
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static Arena *arena;

static int set_up(void **state) {
    (void)state;
    arena = arena_new();
    unsetenv("WARPLENS_PTXAS");
    unsetenv("WARPLENS_NVDISASM");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static Sass *sass_new(void) {
    Sass *sass = NEW(arena, Sass);
    sass->ops = memory_ops_new(arena);
    return sass;
}

static const char *recorded(const char *name) {
    size_t size;
    const char *text =
        file_read(arena, arena_printf(arena, TESTS_DIR "/toolchain/%s", name), &size);
    assert_non_null(text);
    return text;
}

static void expect(const MemoryOpsTable *ops, const char *file, uint32_t line,
                   const char *operation, uint32_t count, uint32_t bytes) {
    MemoryOps like = {.kernel = "_Z5mergePKfPfPjPKd", .file = file, .line = line};
    like.operation = operation;
    const MemoryOps *row = memory_ops_find(ops, &like);
    if (!row)
        fail_msg("no %s at %s:%u", operation, file, line);
    assert_int_equal(row->count, count);
    assert_int_equal(row->bytes, bytes);
}

static void reads_ptxas(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_ptxas(arena, recorded("merge.ptxas.txt"), sass);
    assert_int_equal(sass->kernels.count, 1);
    assert_string_equal(sass->kernels.at[0].name, "_Z5mergePKfPfPjPKd");
    assert_int_equal(sass->kernels.at[0].registers, 22);
    assert_int_equal(sass->kernels.at[0].stack_bytes, 0);
}

static void reads_spills(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_ptxas(arena,
                    "ptxas info    : Compiling entry function 'a' for 'sm_90'\n"
                    "ptxas info    : Function properties for helper\n"
                    "    96 bytes stack frame, 97 bytes spill stores, 98 bytes spill loads\n"
                    "ptxas info    : Function properties for a\n"
                    "    16 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
                    "ptxas info    : Used 255 registers, used 0 barriers\n"
                    "ptxas info    : Compiling entry function 'b' for 'sm_90'\n"
                    "ptxas info    : Used 8 registers",
                    sass);
    assert_int_equal(sass->kernels.count, 2);
    const SassKernel *a = &sass->kernels.at[0], *b = &sass->kernels.at[1];
    assert_int_equal(a->stack_bytes, 16);
    assert_int_equal(a->spill_stores, 24);
    assert_int_equal(a->spill_loads, 32);
    assert_int_equal(a->registers, 255);
    assert_int_equal(b->registers, 8);
    assert_int_equal(b->stack_bytes, 0);
}

static void reads_listing(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_listing(arena, recorded("merge.sass.txt"), sass);
    const MemoryOpsTable *ops = sass->ops;
    expect(ops, "/cuda/device_atomic_functions.hpp", 112, "global atomic", 1, 4);
    expect(ops, "/src/merge.cu", 11, "cp.async", 1, 8);
    expect(ops, "/src/merge.cu", 16, "shared load", 2, 32);
    expect(ops, "/src/merge.cu", 17, "global load", 1, 8);
    expect(ops, "/src/merge.cu", 17, "global store", 1, 4);
    assert_int_equal(ops->rows.count, 5); /* the unused load and the dummies are not there */
}

static const ListedInst *inst_at(const Sass *sass, uint32_t address) {
    assert_in_range(address / 16, 0, sass->code.count - 1);
    return &sass->code.at[address / 16];
}

static void expect_place(const SassPlace *place, const char *file, uint32_t line) {
    assert_non_null(place);
    assert_string_equal(place->file, file);
    assert_int_equal(place->line, line);
}

static void keeps_code(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_listing(arena, recorded("merge.sass.txt"), sass);
    const ListedInst *red = inst_at(sass, 0x110);
    assert_string_equal(red->kernel, "_Z5mergePKfPfPjPKd");
    assert_string_equal(red->text, "@P0 REDG.E.ADD.STRONG.GPU desc[UR6][R2.64], R19");
    expect_place(red->place, "/cuda/device_atomic_functions.hpp", 112);
    expect_place(red->place->inlined_at, "/src/merge.cu", 8);
    assert_null(red->place->inlined_at->inlined_at);
    expect_place(inst_at(sass, 0x0)->place, "/src/merge.cu", 5);
    assert_null(inst_at(sass, 0x0)->place->inlined_at);
}

static void reads_chains(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_listing(arena,
                      "//------- .text.k -------\n"
                      "        /*0000*/    NOP ;\n"
                      "\t//## File \"c.h\", line 1 inlined at \"b.h\", line 2\n"
                      "\t//## File \"b.h\", line 2 inlined at \"a.cu\", line 3\n"
                      "\t//## File \"a.cu\", line 3\n"
                      "        /*0010*/    EXIT ;\n"
                      ".L_x_0:\n"
                      "\t//## File \"a.cu\", line 4\n"
                      "        /*0020*/    BRA `(.L_x_0) ;\n",
                      sass);
    assert_int_equal(sass->code.count, 3);
    assert_null(inst_at(sass, 0)->place);
    const SassPlace *place = inst_at(sass, 0x10)->place;
    expect_place(place, "c.h", 1);
    expect_place(place->inlined_at, "b.h", 2);
    expect_place(place->inlined_at->inlined_at, "a.cu", 3);
    assert_null(place->inlined_at->inlined_at->inlined_at);
    expect_place(inst_at(sass, 0x20)->place, "a.cu", 4);
    assert_string_equal(inst_at(sass, 0x20)->text, "BRA `(.L_x_0)");
}

static void reads_widths(void **state) {
    (void)state;
    Sass *sass = sass_new();
    sass_read_listing(arena,
                      "//------- .text._Z5mergePKfPfPjPKd -------\n"
                      "\t//## File \"x.cu\", line 1\n"
                      "        /*0000*/    @!P0 LDG.E.U8.CONSTANT R2, desc[UR6][R2.64] ;\n"
                      "\t//## File \"x.cu\", line 2\n"
                      "        /*0010*/    STS.U16 [R2], R3 ;\n"
                      "\t//## File \"x.cu\", line 3 inlined at \"x.cu\", line 9\n"
                      "\t//## File \"x.cu\", line 9\n"
                      "        /*0020*/    LDSM.16.MT88.4 R4, [R8] ;\n"
                      "        /*0030*/    LDSM.16.M88 R4, [R8] ;\n"
                      "\t//## File \"x.cu\", line 4\n"
                      "        /*0040*/    ATOMS.CAS.64 R4, [R8], R6, R2 ;\n"
                      "\t//## File \"x.cu\", line 5\n"
                      "        /*0050*/    LDL.128 R4, [R8] ;\n"
                      "        /*0060*/    LDC.64 R4, c[0x0][0x28] ;\n"
                      "//------- .text.other -------\n"
                      "        /*0000*/    LDG.E R2, [R2] ;\n",
                      sass);
    expect(sass->ops, "x.cu", 1, "global load", 1, 1);
    expect(sass->ops, "x.cu", 2, "shared store", 1, 2);
    expect(sass->ops, "x.cu", 3, "ldmatrix", 2, 20);
    expect(sass->ops, "x.cu", 4, "shared atomic", 1, 8);
    expect(sass->ops, "x.cu", 5, "local load", 1, 16);
    assert_int_equal(sass->ops->rows.count, 5);
}

static void survives_other_text(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "//-----",
                                        "//## File \"",
                                        "/*",
                                        "//---- .text.a -\n/*0*/ @",
                                        "//---- .text.a -\n//## File \"b\"\n/*0*/ LDG.",
                                        "Compiling entry function '",
                                        ": Used "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Sass *sass = sass_new();
        sass_read_listing(arena, texts[i], sass);
        sass_read_ptxas(arena, texts[i], sass);
    }
}

static const char module_text[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                                  ".visible .entry k(.param .u64 p) {\n"
                                  "    .reg .b64 %rd<2>;\n    .reg .b32 %r<2>;\n"
                                  "    .loc 1 3 0\n"
                                  "    ld.param.u64 %rd1, [p];\n"
                                  "    .loc 1 4 0\n"
                                  "    ld.global.u32 %r1, [%rd1];\n"
                                  "    st.global.u32 [%rd1+4], %r1;\n"
                                  "    ret;\n}\n"
                                  "    .file 1 \"/src/k.cu\"\n";

static Sass *run(const char *arch, Diags *diags) {
    SassQuestion question = {
        .ptx = module_text, .length = strlen(module_text), .entry = "k", .arch = arch};
    return toolchain_sass(arena, &question, diags);
}

static void notes_what_is_missing(void **state) {
    (void)state;
    Diags *diags = diags_new(arena);
    setenv("WARPLENS_PTXAS", "", 1);
    assert_null(run("sm_80", diags));
    assert_int_equal(diags->list.count, 1);
    assert_int_equal(diags->list.at[0].level, DIAG_NOTE);
    assert_non_null(strstr(diags->list.at[0].message, "no ptxas"));
    assert_int_equal(diags->errors + diags->warnings, 0);
}

static void registers_without_nvdisasm(void **state) {
    (void)state;
    if (!toolchain_find(arena, "ptxas"))
        skip();
    Diags *diags = diags_new(arena);
    setenv("WARPLENS_NVDISASM", "", 1);
    Sass *sass = run("sm_80", diags);
    assert_non_null(sass);
    assert_int_equal(sass->kernels.count, 1);
    assert_true(sass->kernels.at[0].registers > 0);
    assert_int_equal(sass->ops->rows.count, 0);
    assert_int_equal(diags->list.count, 0); /* the source page says so */
    assert_null(run("sm_1", diags));        /* ptxas refuses: a note with its words */
    assert_non_null(strstr(diags->list.at[0].message, "sm_1"));
}

static uint32_t registers_of(bool relocatable) {
    static const char text[] =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .func (.param .b32 r) f(.param .b32 p)\n{\n.reg .b32 %r<3>;\n"
        "ld.param.b32 %r1, [p];\nadd.s32 %r2, %r1, 1;\nst.param.b32 [r], %r2;\nret;\n}\n"
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
        "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\n"
        "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r1;\n"
        "call.uni (b), f, (a);\nld.param.b32 %r2, [b];\n}\n"
        "st.global.u32 [%rd1], %r2;\nret;\n}\n";
    Diags *diags = diags_new(arena);
    SassQuestion question = {.ptx = text,
                             .length = strlen(text),
                             .entry = "k",
                             .arch = "sm_80",
                             .relocatable = relocatable};
    Sass *sass = toolchain_sass(arena, &question, diags);
    if (!sass)
        fail_msg("%s", diags->list.at[0].message);
    assert_int_equal(sass->kernels.count, 1);
    return sass->kernels.at[0].registers;
}

/* nvlink says 24 of such kernels: a function that may lie elsewhere has the registers of the ABI. */
static void relocatable_code_keeps_to_the_abi(void **state) {
    (void)state;
    if (!toolchain_find(arena, "ptxas"))
        skip();
    setenv("WARPLENS_NVDISASM", "", 1);
    assert_int_equal(registers_of(true), 24);
    assert_true(registers_of(false) < 24);
}

/* "y = x * 5 + …" of 64 values at once needs more than 24 registers, unless ptxas is told to do with them. */
static void is_told_what_the_program_was_built_with(void **state) {
    (void)state;
    if (!toolchain_find(arena, "ptxas"))
        skip();
    setenv("WARPLENS_NVDISASM", "", 1);
    const char *loads = "", *stores = "";
    for (int i = 0; i < 64; i++) {
        loads =
            arena_printf(arena, "%sld.volatile.global.u32 %%r%d, [%%rd1+%d];\n", loads, i, 4 * i);
        stores =
            arena_printf(arena, "%sst.volatile.global.u32 [%%rd1+%d], %%r%d;\n", stores, 4 * i, i);
    }
    const char *text = arena_printf(arena,
                                    ".version 8.0\n.target sm_80\n.address_size 64\n"
                                    ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %%r<64>;\n"
                                    ".reg .b64 %%rd<2>;\nld.param.u64 %%rd1, [p];\n%s%sret;\n}\n",
                                    loads, stores);
    SassQuestion question = {.ptx = text, .length = strlen(text), .entry = "k", .arch = "sm_80"};
    const Sass *plain = toolchain_sass(arena, &question, diags_new(arena));
    question.options = "--maxrregcount=24 --opt-level=3";
    const Sass *told = toolchain_sass(arena, &question, diags_new(arena));
    assert_true(plain && told);
    assert_int_equal(plain->kernels.at[0].spill_stores, 0);
    assert_true(plain->kernels.at[0].registers > 64);
    assert_int_equal(told->kernels.at[0].registers, 24);
    assert_true(told->kernels.at[0].spill_stores > 0);
}

static void runs_both(void **state) {
    (void)state;
    if (!toolchain_find(arena, "ptxas") || !toolchain_find(arena, "nvdisasm"))
        skip();
    Sass *sass = run("sm_80", diags_new(arena));
    assert_non_null(sass);
    MemoryOps like = {.kernel = "k", .file = "/src/k.cu", .line = 4, .operation = "global store"};
    assert_non_null(memory_ops_find(sass->ops, &like));
    assert_int_equal(memory_ops_find(sass->ops, &like)->bytes, 4);
    assert_true(sass->code.count > 2);
    assert_string_equal(sass->code.at[0].kernel, "k");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_ptxas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_spills, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_listing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_chains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_widths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(survives_other_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(notes_what_is_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(registers_without_nvdisasm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(relocatable_code_keeps_to_the_abi, set_up, tear_down),
        cmocka_unit_test_setup_teardown(is_told_what_the_program_was_built_with, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_both, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
