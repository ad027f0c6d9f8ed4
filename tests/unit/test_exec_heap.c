/* malloc and free of kernels: blocks do not overlap, what is free again becomes whole again, and the limit is of what was asked for. */
#include "exec/exec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>

enum { LIMIT = 1 << 20, UNIT = 16 };

typedef struct Case {
    Memory *memory;
    Heap *heap;
} Case;

static int setup(void **state) {
    static Case now;
    now.memory = memory_new();
    now.heap = now.memory ? heap_new(now.memory, LIMIT) : NULL;
    *state = &now;
    return now.heap ? 0 : -1;
}

static int teardown(void **state) {
    Case *now = *state;
    heap_free(now->heap);
    memory_free(now->memory);
    return 0;
}

static void release_all(Heap *heap, const uint64_t *block, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) /* from both ends */
        assert_true(heap_release(heap, block[i % 2 ? i / 2 : count - 1 - i / 2]));
}

/* Both halves of the piece (which has twice the limit) are cut into the smallest blocks: when all are free again, there is
 * room for one as large as the limit. */
static void halves_become_whole(void **state) {
    enum { MORE = LIMIT / 2 + 1, SMALL = (LIMIT - MORE) / UNIT, ALL = LIMIT / UNIT };
    static uint64_t block[ALL];
    Heap *heap = ((Case *)*state)->heap;
    for (uint32_t round = 0; round < 3; round++) {
        uint64_t half = heap_allocate(heap, MORE);
        assert_int_not_equal(half, 0);
        for (uint32_t i = 0; i < SMALL; i++)
            assert_int_not_equal(block[i] = heap_allocate(heap, 1 + i % UNIT), 0);
        assert_int_equal(heap_allocate(heap, UNIT + 1), 0);
        assert_true(heap_release(heap, half));
        for (uint32_t i = SMALL; i < ALL; i++)
            assert_int_not_equal(block[i] = heap_allocate(heap, UNIT), 0);
        assert_int_equal(heap_allocate(heap, 1), 0);
        release_all(heap, block, ALL);
        for (uint32_t i = 0; i < 2; i++) { /* the first takes one half, the second the other */
            block[i] = heap_allocate(heap, LIMIT / 2 - UNIT * i);
            assert_int_not_equal(block[i], 0);
        }
        release_all(heap, block, 2);
        uint64_t whole = heap_allocate(heap, LIMIT);
        assert_int_not_equal(whole, 0);
        assert_true(heap_release(heap, whole));
    }
}

static void what_is_no_block_is_not_released(void **state) {
    Heap *heap = ((Case *)*state)->heap;
    uint64_t block = heap_allocate(heap, 100);
    assert_false(heap_release(heap, block + UNIT));
    assert_false(heap_release(heap, block + 1));
    assert_false(heap_release(heap, block - UNIT));
    assert_false(heap_release(heap, block + 64 * (uint64_t)LIMIT));
    assert_false(heap_release(heap, 0));
    assert_true(heap_release(heap, block));
    assert_false(heap_release(heap, block));
}

/* The limit counts units of 16 bytes, not the powers of two that they lie in. */
static void limit_is_of_what_was_asked_for(void **state) {
    Heap *heap = ((Case *)*state)->heap;
    assert_int_equal(heap_allocate(heap, LIMIT + 1), 0);
    assert_int_equal(heap_allocate(heap, UINT64_MAX), 0);
    uint64_t more = heap_allocate(heap, LIMIT / 2 + 1),
             rest = heap_allocate(heap, LIMIT / 2 - UNIT);
    assert_int_not_equal(more, 0);
    assert_int_not_equal(rest, 0);
    assert_int_equal(heap_allocate(heap, 1), 0);
    assert_true(heap_release(heap, rest));
    assert_int_not_equal(heap_allocate(heap, 0), 0); /* takes a unit, too */
    assert_int_equal(heap_allocate(heap, LIMIT / 2 - UNIT), 0);
}

/* Any order: no two blocks share a byte, and at the end all of it is one again. */
static void blocks_do_not_overlap(void **state) {
    enum { BLOCKS = 200, STEPS = 20000, MOST = 1 << 14 };
    struct {
        uint64_t at, bytes;
    } blocks[BLOCKS] = {0};
    Heap *heap = ((Case *)*state)->heap;
    uint64_t random = 25;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t i = (uint32_t)(random_next(&random) % BLOCKS);
        if (blocks[i].at) {
            assert_true(heap_release(heap, blocks[i].at));
            blocks[i].at = 0;
            continue;
        }
        uint64_t bytes = 1 + (random_next(&random) % MOST >> random_next(&random) % 12);
        uint64_t at = heap_allocate(heap, bytes);
        assert_int_equal(at % UNIT, 0);
        for (uint32_t b = 0; at && b < BLOCKS; b++)
            assert_false(blocks[b].at && at < blocks[b].at + blocks[b].bytes &&
                         blocks[b].at < at + bytes);
        blocks[i].at = at;
        blocks[i].bytes = bytes;
    }
    for (uint32_t b = 0; b < BLOCKS; b++)
        assert_true(!blocks[b].at || heap_release(heap, blocks[b].at));
    assert_int_not_equal(heap_allocate(heap, LIMIT), 0);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(halves_become_whole),
        TEST(what_is_no_block_is_not_released),
        TEST(limit_is_of_what_was_asked_for),
        TEST(blocks_do_not_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
