/* Kernels of a module are asked about one by one, until that has cost as much as the whole: stand-ins for ptxas and nvdisasm. */
#include "machine/together.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

enum { KERNELS = 12 };

static Arena *arena;
static const char *folder;

static void make_tool(const char *name, const char *variable) {
    const char *path = arena_printf(arena, "%s/%s", folder, name), *text = "#!/bin/sh\necho x\n";
    assert_true(file_write(path, text, strlen(text)));
    assert_int_equal(chmod(path, 0700), 0);
    setenv(variable, path, 1);
}

static int begin(void **state) {
    (void)state;
    arena = arena_new();
    folder = scratch_new(arena);
    setenv("WARPLENS_CACHE", arena_printf(arena, "%s/cache", folder), 1);
    make_tool("ptxas", "WARPLENS_PTXAS");
    make_tool("nvdisasm", "WARPLENS_NVDISASM");
    return 0;
}

static int end(void **state) {
    (void)state;
    scratch_remove(arena_printf(arena, "%s/cache", folder));
    scratch_remove(folder);
    arena_free(arena);
    return 0;
}

/* Kernels k0, k1 … of that many bytes each. */
static PtxIndex *module_of(size_t bytes, const char *more) {
    char *text = arena_alloc(arena, KERNELS * (bytes + 64) + 256);
    size_t length = (size_t)sprintf(text, ".version 8.0\n.target sm_80\n%s", more);
    for (int k = 0; k < KERNELS; k++) {
        length += (size_t)sprintf(text + length, ".entry k%d()\n{\n", k);
        memset(text + length, ' ', bytes);
        length += bytes;
        length += (size_t)sprintf(text + length, "\nret;\n}\n");
    }
    return ptx_index(arena, "k.ptx", text, length);
}

/* Whether the answer about kernel k is kept. */
static bool knows(const PtxIndex *index, int k, SassQuestion *question) {
    SassPart part;
    *question = (SassQuestion){.entry = arena_printf(arena, "k%d", k), .arch = "sm_80"};
    question->ptx = ptx_slice(arena, index, question->entry, &question->length);
    assert_true(toolchain_part(arena, question, &part));
    return part.known;
}

/* As a launch does. */
static void launch(const PtxIndex *index, int k) {
    SassQuestion question;
    knows(index, k, &question);
    machine_ask_others(arena, index, &question);
    assert_non_null(toolchain_listing(arena, &question, diags_new(arena)));
}

static uint32_t known(const PtxIndex *index) {
    uint32_t count = 0;
    SassQuestion question;
    for (int k = 0; k < KERNELS; k++)
        count += knows(index, k, &question);
    return count;
}

/* Of 60,000 bytes each: two kernels cost less than the other ten, three cost more. */
static void asks_for_all_once_it_pays(void **state) {
    (void)state;
    const PtxIndex *index = module_of(60000, "");
    launch(index, 7);
    assert_int_equal(known(index), 1);
    launch(index, 3);
    launch(index, 7); /* kept: it costs nothing */
    assert_int_equal(known(index), 2);
    launch(index, 4);
    assert_int_equal(known(index), KERNELS);
}

static void asks_for_a_small_module_at_once(void **state) {
    (void)state;
    const PtxIndex *index = module_of(100, "");
    launch(index, 0);
    assert_int_equal(known(index), KERNELS);
}

/* Functions are made for all who may call them. */
static void asks_one_by_one_beside_functions(void **state) {
    (void)state;
    const PtxIndex *index = module_of(100, ".func f()\n{\nret;\n}\n");
    launch(index, 0);
    assert_int_equal(known(index), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(asks_for_all_once_it_pays, begin, end),
        cmocka_unit_test_setup_teardown(asks_for_a_small_module_at_once, begin, end),
        cmocka_unit_test_setup_teardown(asks_one_by_one_beside_functions, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
