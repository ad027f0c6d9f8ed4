/* Object files in memory: what they contain runs, and one that is damaged is refused or loaded, but reaches nothing
 * outside itself. */
#include "exec/tier/object.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

static Arena *arena;
static const char *file;
static size_t size;

static int begin(void **state) {
    (void)state;
    arena = arena_new();
    file = file_read(arena, OBJECT_SAMPLE, &size);
    return file ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    arena_free(arena);
    return 0;
}

static void runs(void **state) {
    (void)state;
    LoadedObject object;
    assert_true(object_load(file, size, &object));
    uint64_t fused = object_function(file, size, &object, "fused");
    uint64_t of_table = object_function(file, size, &object, "of_table");
    assert_true(fused && of_table);
    assert_true(((double (*)(double, double, double))(uintptr_t)fused)(3, 5, 0.25) == 15.25);
    assert_int_equal(((int (*)(unsigned))(uintptr_t)of_table)(9), 41);
    assert_int_equal(((int (*)(unsigned))(uintptr_t)of_table)(10), -1);
    assert_int_equal(object_function(file, size, &object, "table"), 0);
    assert_int_equal(object_function(file, size, &object, "fma"), 0);
    object_unload(&object);
    assert_null(object.at);
}

/* The file in memory that ends where it ends: a sanitizer sees what is read behind it. */
static bool loads(const char *bytes, size_t count) {
    LoadedObject object;
    Arena *own = arena_new();
    bool good = object_load(arena_copy(own, bytes, count), count, &object);
    if (good)
        object_function(bytes, count, &object, "fused");
    object_unload(&object);
    arena_free(own);
    return good;
}

static void refuses_parts(void **state) {
    (void)state;
    for (size_t count = 0; count < size; count += count < 64 ? 1 : 17)
        assert_false(loads(file, count)); /* the table of sections is at the end */
}

static void stands_damage(void **state) {
    (void)state;
    char *bytes = arena_copy(arena, file, size);
    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit < 8; bit += 3) {
            bytes[i] = (char)(file[i] ^ 1 << bit);
            loads(bytes, size);
        }
        bytes[i] = (char)0xff;
        loads(bytes, size);
        bytes[i] = file[i];
    }
    assert_true(loads(bytes, size));
}

static void refuses_others(void **state) {
    (void)state;
    static const struct {
        size_t at;
        char value;
    } changes[] = {{EI_CLASS, ELFCLASS32},
                   {EI_DATA, ELFDATA2MSB},
                   {offsetof(Elf64_Ehdr, e_type), ET_EXEC},
                   {offsetof(Elf64_Ehdr, e_machine), EM_386}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char *bytes = arena_copy(arena, file, size);
        bytes[changes[i].at] = changes[i].value;
        assert_false(loads(bytes, size));
    }
}

int main(void) {
#if !defined __x86_64__ && !defined __aarch64__
    puts("skipped: no code is loaded on this processor");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(runs, begin, end),
        cmocka_unit_test_setup_teardown(refuses_parts, begin, end),
        cmocka_unit_test_setup_teardown(stands_damage, begin, end),
        cmocka_unit_test_setup_teardown(refuses_others, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
