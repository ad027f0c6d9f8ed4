/* Device memory takes little address space and grows: addresses are the same, what was there stays, and what cannot follow is no memory. */
#include "exec/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

#define GIB (UINT64_C(1) << 30)

static uint64_t first_byte(Memory *memory) {
    uint64_t at = memory_allocate(memory, 4096, "first", 1);
    assert_int_not_equal(at, 0);
    memset(memory_host(memory, at), 0x5a, 4096);
    return at;
}

/* A page there; NULL: something is mapped there already (an old system gives another place). */
static uint8_t *page_at(uint64_t address) {
    void *got = mmap((void *)(uintptr_t)address, 4096, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == (void *)(uintptr_t)address)
        return got;
    if (got != MAP_FAILED)
        munmap(got, 4096);
    return NULL;
}

static bool is_taken(uint64_t address) {
    uint8_t *page = page_at(address);
    if (page)
        munmap(page, 4096);
    return !page;
}

static void grows_as_it_is_asked_for(void **state) {
    (void)state;
    Memory *memory = memory_new();
    uint64_t first = first_byte(memory);
    assert_true(is_taken(first));
    assert_false(is_taken(first + 4 * GIB));
    uint64_t large = memory_allocate(memory, 5 * GIB, "large", 1);
    assert_true(large > first && large < first + GIB);
    assert_true(memory_is_own(memory, large + 5 * GIB - 1));
    *(uint8_t *)memory_host(memory, large + 5 * GIB - 1) = 1;
    uint64_t next = memory_allocate(memory, 64 * GIB, "next", 1);
    assert_true(next >= large + 5 * GIB);
    assert_int_equal(*(uint8_t *)memory_host(memory, next + 64 * GIB - 1), 0);
    assert_int_equal(*(uint8_t *)memory_host(memory, first + 4095), 0x5a);
    assert_int_equal(memory_allocate(memory, 1024 * GIB, "too much", 1), 0);
    memory_free(memory);
    assert_false(is_taken(next)); /* all of it was given back */
    memory = memory_new();
    assert_int_equal(first_byte(memory), first);
    memory_free(memory);
}

/* Behind each allocation so many bytes stay free, at least. The last one takes all that is left. */
enum { GAP = 4096, LEAST = 2 * GAP };
static void can_be_filled(void **state) {
    (void)state;
    Memory *memory = memory_new();
    if (!memory_allocate(memory, 512 * GIB - GAP, "half of it", 1))
        skip(); /* here there is less of it */
    for (uint64_t bytes = 256 * GIB; bytes >= LEAST; bytes /= 2)
        assert_int_not_equal(memory_allocate(memory, bytes - GAP, "half of what is left", 1), 0);
    assert_int_not_equal(memory_allocate(memory, LEAST - GAP, "the last", 1), 0);
    assert_int_equal(memory_allocate(memory, 1, "too much", 1), 0);
    memory_free(memory);
}

static void stops_where_something_else_lies(void **state) {
    (void)state;
    Memory *memory = memory_new();
    uint64_t first = first_byte(memory), behind = first + 3 * GIB;
    uint8_t *other = page_at(behind);
    assert_non_null(other);
    memset(other, 7, 4096);
    assert_int_equal(memory_allocate(memory, 4 * GIB, "no room", 1), 0);
    uint64_t some = memory_allocate(memory, 2 * GIB, "room", 1); /* not twice what there was */
    assert_int_not_equal(some, 0);
    assert_int_equal(memory_allocate(memory, GIB, "no room", 1), 0);
    assert_false(memory_is_own(memory, behind));
    assert_int_equal(other[4095], 7);
    munmap(other, 4096);
    assert_int_not_equal(memory_allocate(memory, GIB, "room again", 1), 0);
    memory_free(memory);
}

/* The system was told that the page at the address may be a large one. */
static bool may_be_large(uint64_t address) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    unsigned long long first = 0, end = 0;
    bool inside = false, large = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%llx-%llx ", &first, &end) == 2)
            inside = address - first < end - first;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            large |= strstr(line, " hg") != NULL;
    }
    fclose(file);
    return large;
}

/* There are large pages, and the system says where they are wanted: QEMU's user mode says nothing. */
static bool says_what_may_be_large(void) {
    enum { BYTES = 8 << 20 };
    void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    bool says = madvise(at, BYTES, MADV_HUGEPAGE) == 0 && may_be_large((uintptr_t)at + BYTES / 2);
    munmap(at, BYTES);
    return says;
}

static void has_large_pages_where_much_is_filled(void **state) {
    (void)state;
    if (!says_what_may_be_large())
        skip();
    Memory *memory = memory_new();
    const uint64_t first = first_byte(memory);
    const uint64_t large = memory_allocate(memory, 16 << 20, "large", 1);
    const uint64_t next = memory_allocate(memory, 1 << 20, "next", 1);
    assert_true(may_be_large(large + (8 << 20)));
    assert_false(may_be_large(first)); /* nor what lies on a page with others */
    assert_false(may_be_large(next + (1 << 20) - 1));
    memset(memory_host(memory, large), 1, 16 << 20);
    assert_int_equal(*(uint8_t *)memory_host(memory, next), 0);
    memory_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_large_pages_where_much_is_filled),
        cmocka_unit_test(grows_as_it_is_asked_for),
        cmocka_unit_test(can_be_filled),
        cmocka_unit_test(stops_where_something_else_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
