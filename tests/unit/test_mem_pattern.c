/* The fast paths give what the general functions give, for every affine access; and pattern_of sees
 * exactly the affine ones. */
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ACCESSES = 1000000 };

static uint64_t random_state = 4711;

static uint64_t random_below(uint64_t limit) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (random_state * UINT64_C(2685821657736338717) >> 20) % limit;
}

static int64_t random_stride(bool far) {
    int64_t stride = (int64_t)random_below(random_below(3) ? 10 : 600);
    if (far && random_below(8) == 0)
        stride <<= 20;
    return random_below(3) ? stride : -stride;
}

/* In units of the width; bases far from 0, so that negative strides stay above it. */
static void fill(uint64_t address[WARP_LANES], const uint64_t base[2], const int64_t stride[2],
                 uint32_t width) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] =
            (base[lane / 16] + (uint64_t)((int64_t)(lane % 16) * stride[lane / 16])) * width;
}

/* far: addresses beyond 32 bits, as global memory alone has them. */
static void random_affine(uint64_t address[WARP_LANES], uint32_t width, bool far) {
    uint64_t origin = far ? UINT64_C(1) << 36 : UINT64_C(1) << 16;
    uint64_t base[2] = {origin + random_below(64),
                        origin + random_below(random_below(2) ? 64 : 4096)};
    int64_t stride[2] = {random_stride(far), random_stride(far)};
    if (random_below(2))
        stride[1] = stride[0];
    if (random_below(3) == 0)
        base[1] = base[0];
    if (random_below(3) == 0)
        base[1] = base[0] + (uint64_t)(16 * stride[0]);
    fill(address, base, stride, width);
}

static bool is_affine(const uint64_t *address, uint32_t lanes) {
    for (uint32_t lane = 1; lane < lanes; lane++)
        if (address[lane] - address[lane - 1] != address[1] - address[0])
            return false;
    return true;
}

static void show(const Access *access) {
    print_error("kind %d width %u\n", (int)access->kind, access->width);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        print_error("  lane %u: %llu\n", lane, (unsigned long long)access->address[lane]);
}

static void check_costs(const Access *access, const Pattern *pattern, uint32_t *affine) {
    GlobalCost global = pattern_global(pattern, access->width), global_wanted = mem_global(access);
    *affine += pattern->affine;
    if (global.sectors && memcmp(&global, &global_wanted, sizeof global) != 0) {
        show(access);
        fail_msg("pattern_global: %u %u %u %u, mem_global: %u %u %u %u", global.sectors,
                 global.ideal, global.tag_requests, global.bytes_used, global_wanted.sectors,
                 global_wanted.ideal, global_wanted.tag_requests, global_wanted.bytes_used);
    }
    if (access->space == SPACE_GLOBAL)
        return;
    SharedCost shared = pattern_shared(pattern, access->kind, access->width);
    SharedCost shared_wanted = mem_shared(access);
    if (!shared.wavefronts)
        return;
    if (memcmp(&shared, &shared_wanted, sizeof shared) != 0) {
        show(access);
        fail_msg("pattern_shared: %u %u %u, mem_shared: %u %u %u", shared.wavefronts, shared.ideal,
                 shared.conflicts, shared_wanted.wavefronts, shared_wanted.ideal,
                 shared_wanted.conflicts);
    }
}

static void test_closed_forms(void **state) {
    (void)state;
    uint32_t affine = 0;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint64_t address[WARP_LANES];
        bool far = random_below(3) == 0;
        Access access = {.kind = random_below(2) ? ACCESS_LOAD : ACCESS_STORE,
                         .space = far ? SPACE_GLOBAL : SPACE_SHARED,
                         .width = UINT32_C(1) << random_below(far ? 6 : 5),
                         .mask = FULL_MASK,
                         .address = address};
        random_affine(address, access.width, far);
        Pattern pattern = pattern_of(address, FULL_MASK);
        assert_true(pattern.halves);
        assert_int_equal(pattern.affine, is_affine(address, WARP_LANES));
        check_costs(&access, &pattern, &affine);
    }
    print_message("%u affine accesses agree, %u of them in the whole warp\n", (unsigned)ACCESSES,
                  affine);
    assert_true(affine > ACCESSES / 10 && affine < ACCESSES * 9 / 10);
}

/* One address moved, or one lane not active: no pattern. */
static void test_not_affine(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 100000; i++) {
        uint64_t address[WARP_LANES];
        random_affine(address, 4, true);
        address[random_below(WARP_LANES)] += 4 * random_below(3);
        Pattern pattern = pattern_of(address, FULL_MASK);
        bool halves = is_affine(address, 16) && is_affine(address + 16, 16);
        assert_int_equal(pattern.halves, halves);
        assert_int_equal(pattern.affine, is_affine(address, WARP_LANES));
        pattern = pattern_of(address, ~(UINT32_C(1) << random_below(32)));
        assert_false(pattern.halves || pattern.affine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_not_affine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
