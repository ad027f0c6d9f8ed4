/* What the reader of listings finds in annotations, and how much it can be made to store: no more of a bank of constants than an instruction can
 * address. */
#include "machine/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

#define CODE "\t.section\t.text.k,\"ax\",@progbits\n        /*0000*/ EXIT ;\n"
#define BANK "\t.section\t.nv.constant3,\"a\",@progbits\n"
#define TOO_LARGE "a bank of constants has 65,536 bytes at most"

static void assert_read(const char *listing) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    assert_non_null(machine_read(arena, listing, diags));
    assert_int_equal(diags->list.count, 0);
    arena_free(arena);
}

static void assert_refused(const char *listing, const char *why) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    assert_null(machine_read(arena, listing, diags));
    assert_int_equal(diags->list.count, 1);
    assert_string_equal(diags->list.at[0].message, why);
    arena_free(arena);
}

static void test_full_bank(void **state) {
    (void)state;
    assert_read(CODE BANK "\t.zero\t\t65536\n");
    assert_read(CODE BANK "\t.zero\t\t65525\n\t.align\t\t8\n\t.dword\t\tvariable\n");
    assert_read(CODE BANK "\t.zero\t\t65536\n" BANK "\t.zero\t\t65536\n"); /* each its own */
    assert_read(CODE BANK "\t.align\t\t0\n\t.align\t\t400000001\n");       /* at its beginning */
}

static void test_beyond_bank(void **state) {
    (void)state;
    assert_refused(CODE BANK "\t.zero\t\t65537\n", TOO_LARGE);
    assert_refused(CODE BANK "\t.zero\t\t18446744073709551615\n", TOO_LARGE);
    assert_refused(CODE BANK "\t.zero\t\t-1\n", TOO_LARGE);
    assert_refused(CODE BANK "\t.byte\t\t0x1\n\t.align\t\t400000001\n", TOO_LARGE);
    assert_refused(CODE BANK "\t.zero\t\t65533\n\t.word\t\t0x1\n", TOO_LARGE);
    assert_refused(CODE BANK "\t.zero\t\t65529\n\t.dword\t\tvariable\n", TOO_LARGE);
}

static void test_no_code(void **state) {
    (void)state;
    assert_refused(BANK "\t.zero\t\t4\n", "it has no section .text");
}

/* nvdisasm 13.5 has labels for addresses, of which some are those of functions within the kernel's code. */
static void test_spills_by_labels(void **state) {
    (void)state;
    static const char listing[] =
        "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n"
        "\t//----- nvinfo : EIATTR_ANNOTATIONS\n"
        "        /*0000*/ \t.byte\t0x04, 0x55\n        /*0002*/ \t.short\t(.L_2 - .L_1)\n"
        "        /*0004*/ \t.word\t0x00000001\n        /*0008*/ \t.word\t$k$f@srel\n"
        "        /*000c*/ \t.word\t0x00000001\n        /*0010*/ \t.word\t.L_x_0@srel\n"
        "\t.section\t.text.k,\"ax\",@progbits\n"
        "        /*0000*/ STL [R1], R2 ;\n"
        "$k$f:\n        /*0010*/ STL [R1], R4 ;\n"
        ".L_x_0:\n        /*0020*/ LDL R4, [R1] ;\n"
        "        /*0030*/ EXIT ;\n"
        "\t.string\t\"Cuda compilation tools, release 13.0, V13.0.88\"\n";
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const MachineCode *code = machine_read(arena, listing, diags);
    assert_non_null(code);
    assert_true(code->marks_spills);
    assert_int_equal(code->functions.count, 1);
    const MachineFunction *function = &code->functions.at[0];
    assert_int_equal(function->insns.count, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(function->insns.at[i].spill, i == 1 || i == 2);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spills_by_labels), cmocka_unit_test(test_full_bank),
        cmocka_unit_test(test_beyond_bank), cmocka_unit_test(test_no_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
