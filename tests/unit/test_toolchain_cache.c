/* Answers of compilers are kept: a stand-in for ptxas counts how often it is asked. */
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static Arena *arena;
static const char *folder, *tool, *calls;

static void make_tool(int registers) {
    const char *text =
        arena_printf(arena,
                     "#!/bin/sh\necho asked >>%s\n"
                     "echo \"ptxas info : Compiling entry function 'k' for 'sm_80'\"\n"
                     "echo \"ptxas info : Used %d registers\"\n",
                     calls, registers);
    assert_true(file_write(tool, text, strlen(text)));
    assert_int_equal(chmod(tool, 0700), 0);
}

static uint32_t times_asked(void) {
    size_t size;
    return file_read(arena, calls, &size) ? (uint32_t)(size / strlen("asked\n")) : 0;
}

static uint32_t registers_of(const char *ptx, const char *arch, const char *entry) {
    SassQuestion question = {
        .ptx = ptx, .length = strlen(ptx), .entry = entry, .arch = arch, .resources = true};
    const Sass *sass = toolchain_sass(arena, &question, diags_new(arena));
    assert_non_null(sass);
    assert_int_equal(sass->kernels.count, 1);
    return sass->kernels.at[0].registers;
}

static int begin(void **state) {
    (void)state;
    arena = arena_new();
    folder = scratch_new(arena);
    tool = arena_printf(arena, "%s/ptxas", folder);
    calls = arena_printf(arena, "%s/calls", folder);
    setenv("WARPLENS_PTXAS", tool, 1);
    setenv("WARPLENS_CACHE", arena_printf(arena, "%s/new/cache", folder), 1);
    make_tool(40);
    return 0;
}

static int end(void **state) {
    (void)state;
    CacheUse gone;
    cache_clear(arena, &gone);
    scratch_remove(arena_printf(arena, "%s/new/cache", folder));
    scratch_remove(arena_printf(arena, "%s/new", folder));
    scratch_remove(folder);
    arena_free(arena);
    return 0;
}

static void asks_once(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(registers_of("text", "sm_80", "k"), 40);
    assert_int_equal(times_asked(), 1);
    CacheUse use = cache_use(arena);
    assert_int_equal(use.answers, 1);
    assert_true(use.bytes > 0);
}

static void asks_about_what_differs(void **state) {
    (void)state;
    registers_of("text", "sm_80", "k");
    registers_of("texts", "sm_80", "k");
    registers_of("text", "sm_90", "k");
    registers_of("text", "sm_80", NULL);
    assert_int_equal(times_asked(), 4);
    make_tool(41); /* another version of the tool */
    assert_int_equal(registers_of("text", "sm_80", "k"), 41);
}

/* ---- several kernels, at once ---- */

static SassQuestion question_about(const char *ptx, const char *entry) {
    return (SassQuestion){.ptx = ptx, .length = strlen(ptx), .entry = entry, .arch = "sm_80"};
}

static const char *listing_of(const char *ptx, const char *entry) {
    SassQuestion question = question_about(ptx, entry);
    return toolchain_listing(arena, &question, diags_new(arena));
}

static void make_lister(const char *path, const char *says) {
    const char *text = arena_printf(arena, "#!/bin/sh\necho asked >>%s\n%s\n", calls, says);
    assert_true(file_write(path, text, strlen(text)));
    assert_int_equal(chmod(path, 0700), 0);
    setenv("WARPLENS_NVDISASM", path, 1);
}

/* Kernels k and l, whose texts alone are "first" and "second". */
static void ask_about_both(void) {
    SassPart parts[2];
    SassQuestion one = question_about("first", "k"), other = question_about("second", "l");
    assert_true(toolchain_part(arena, &one, &parts[0]));
    assert_true(toolchain_part(arena, &other, &parts[1]));
    assert_false(parts[0].known || parts[1].known);
    SassQuestion both = question_about("first second", NULL);
    toolchain_ask_parts(arena, &both, parts, 2);
}

static void asks_for_several_at_once(void **state) {
    (void)state;
    make_lister(arena_printf(arena, "%s/nvdisasm", folder),
                "for s in .nv_debug_ptx_txt .nv.info .text.l .text.k .nv.constant0.l; do "
                "echo \"//--------------------- $s ---\"; echo code; done");
    ask_about_both();
    assert_int_equal(times_asked(), 2); /* each tool once */
    assert_string_equal(listing_of("first", "k"), "//--------------------- .nv.info ---\ncode\n"
                                                  "//--------------------- .text.k ---\ncode\n");
    assert_string_equal(listing_of("second", "l"),
                        "//--------------------- .nv.info ---\ncode\n"
                        "//--------------------- .text.l ---\ncode\n"
                        "//--------------------- .nv.constant0.l ---\ncode\n");
    assert_int_equal(registers_of("first", "sm_80", "k"), 40);
    assert_int_equal(times_asked(), 2);
    SassPart part;
    SassQuestion question = question_about("first", "k");
    assert_true(toolchain_part(arena, &question, &part));
    assert_true(part.known);
}

/* ptxas refuses the two, not the one. */
static void asks_for_a_kernel_then(void **state) {
    (void)state;
    const char *text = arena_printf(
        arena, "#!/bin/sh\necho asked >>%s\ncase \"$*\" in *\" -e \"*) exit 0;; esac\nexit 1\n",
        calls);
    assert_true(file_write(tool, text, strlen(text)));
    make_lister(arena_printf(arena, "%s/nvdisasm", folder), "echo one");
    ask_about_both();
    assert_string_equal(listing_of("first", "k"), "one\n");
    assert_int_equal(times_asked(), 3);
}

static void takes_a_log_apart(void **state) {
    (void)state;
    const char *log = "ptxas info : 0 bytes gmem\n"
                      "ptxas info : Compiling entry function 'kk' for 'sm_80'\n"
                      "ptxas info : Used 8 registers\n"
                      "ptxas info : Compiling entry function 'k' for 'sm_80'\n"
                      "ptxas info : Used 9 registers";
    assert_string_equal(sass_log_of(arena, log, "k"),
                        "ptxas info : 0 bytes gmem\n"
                        "ptxas info : Compiling entry function 'k' for 'sm_80'\n"
                        "ptxas info : Used 9 registers");
}

/* Without its analysis nvdisasm does not say where a table leads. */
static void asks_for_tables_again(void **state) {
    (void)state;
    make_lister(arena_printf(arena, "%s/nvdisasm", folder),
                "case \"$*\" in *-ndf*) echo ' BRX R2';; *) echo ' BRX R2 to L';; esac");
    assert_string_equal(listing_of("first", "k"), " BRX R2 to L\n");
}

static void keeps_no_refusal(void **state) {
    (void)state;
    const char *text = arena_printf(arena, "#!/bin/sh\necho asked >>%s\necho no\nexit 1\n", calls);
    assert_true(file_write(tool, text, strlen(text)));
    assert_int_equal(chmod(tool, 0700), 0);
    SassQuestion question = {.ptx = "", .arch = "sm_80", .resources = true};
    for (int i = 0; i < 2; i++)
        assert_null(toolchain_sass(arena, &question, diags_new(arena)));
    assert_int_equal(times_asked(), 2);
}

static void keeps_nothing_where_told(void **state) {
    (void)state;
    setenv("WARPLENS_CACHE", "", 1);
    assert_null(cache_folder(arena));
    registers_of("text", "sm_80", "k");
    registers_of("text", "sm_80", "k");
    assert_int_equal(times_asked(), 2);
    CacheUse gone;
    assert_true(cache_clear(arena, &gone));
    assert_int_equal(gone.answers, 0);
}

/* What else lies in the folder is not the cache's. */
static void clears_its_own(void **state) {
    (void)state;
    registers_of("text", "sm_80", "k");
    const char *other = arena_printf(arena, "%s/file of the user", cache_folder(arena));
    assert_true(file_write(other, "x", 1));
    CacheUse gone;
    size_t size;
    assert_true(cache_clear(arena, &gone));
    assert_int_equal(gone.answers, 1);
    assert_int_equal(cache_use(arena).answers, 0);
    assert_non_null(file_read(arena, other, &size));
    assert_int_equal(unlink(other), 0);
}

/* A folder that cannot be made costs the answers that would be kept, and nothing else. */
static void does_without(void **state) {
    (void)state;
    setenv("WARPLENS_CACHE", arena_printf(arena, "%s/ptxas/below", folder), 1);
    assert_int_equal(registers_of("text", "sm_80", "k"), 40);
    assert_int_equal(registers_of("text", "sm_80", "k"), 40);
    assert_int_equal(times_asked(), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(asks_once, begin, end),
        cmocka_unit_test_setup_teardown(asks_about_what_differs, begin, end),
        cmocka_unit_test_setup_teardown(asks_for_several_at_once, begin, end),
        cmocka_unit_test_setup_teardown(asks_for_a_kernel_then, begin, end),
        cmocka_unit_test_setup_teardown(takes_a_log_apart, begin, end),
        cmocka_unit_test_setup_teardown(asks_for_tables_again, begin, end),
        cmocka_unit_test_setup_teardown(keeps_no_refusal, begin, end),
        cmocka_unit_test_setup_teardown(keeps_nothing_where_told, begin, end),
        cmocka_unit_test_setup_teardown(clears_its_own, begin, end),
        cmocka_unit_test_setup_teardown(does_without, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
