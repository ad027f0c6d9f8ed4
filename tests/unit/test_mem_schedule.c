/* Schedules of random accesses: as many wavefronts as are counted, each with a lane in it, and no
 * bank asked for two words in one of them. */
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ACCESSES = 200000 };

static uint32_t random_below(uint64_t *state, uint32_t limit) {
    return (uint32_t)(random_next(state) >> 16) % limit;
}

/* Strides, few distinct words, or anything. */
static void random_addresses(uint64_t *state, uint32_t width, uint64_t address[WARP_LANES]) {
    uint32_t style = random_below(state, 4), stride = random_below(state, 40);
    uint32_t range = style == 2 ? 4 : 1024, pair = random_below(state, 3);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] =
            (style < 2 ? (uint64_t)(lane >> pair) * stride : (uint64_t)random_below(state, range)) *
            width;
}

static bool is_atomic(AccessKind kind) {
    return kind == ACCESS_ATOMIC;
}

/* In one wavefront: lanes a and b on one bank use the same word there. */
static bool can_share(const Access *access, uint32_t a, uint32_t b) {
    uint32_t words = access->width < 4 ? 1 : access->width / 4;
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t j = 0; j < words; j++) {
            uint64_t one = access->address[a] / 4 + i, other = access->address[b] / 4 + j;
            if (one % BANKS == other % BANKS && (one != other || is_atomic(access->kind)))
                return false;
        }
    return true;
}

static uint32_t served(const Access *access) {
    uint32_t lanes = access->matrices * 8;
    return lanes && lanes < 32 ? access->mask & ((UINT32_C(1) << lanes) - 1) : access->mask;
}

static void check(const Access *access) {
    Schedule schedule;
    assert_true(mem_schedule(access, &schedule));
    assert_int_equal(schedule.wavefronts, mem_shared(access).wavefronts);
    uint64_t seen = 0;
    uint32_t mask = served(access);
    for (uint32_t a = 0; a < WARP_LANES; a++) {
        if (!(mask >> a & 1))
            continue;
        assert_true(schedule.wavefront[a] < schedule.wavefronts);
        seen |= UINT64_C(1) << schedule.wavefront[a];
        for (uint32_t b = 0; b < a; b++)
            if (mask >> b & 1 && schedule.wavefront[a] == schedule.wavefront[b])
                assert_true(can_share(access, a, b));
    }
    assert_int_equal(seen, (UINT64_C(1) << schedule.wavefronts) - 1);
}

static void random_accesses(void **state) {
    (void)state;
    static const AccessKind kinds[] = {ACCESS_LOAD,        ACCESS_STORE,    ACCESS_ATOMIC,
                                       ACCESS_ATOMIC_POPC, ACCESS_LDMATRIX, ACCESS_STMATRIX};
    uint64_t seed = 7;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint64_t address[WARP_LANES];
        AccessKind kind = kinds[random_below(&seed, sizeof kinds / sizeof *kinds)];
        bool matrix = kind == ACCESS_LDMATRIX || kind == ACCESS_STMATRIX;
        bool atomic = kind == ACCESS_ATOMIC || kind == ACCESS_ATOMIC_POPC;
        Access access = {.kind = kind,
                         .space = SPACE_SHARED,
                         .width = matrix   ? 16
                                  : atomic ? 4
                                           : UINT32_C(1) << random_below(&seed, 5),
                         .matrices = matrix ? UINT32_C(1) << random_below(&seed, 3) : 0,
                         .mask = random_below(&seed, 2) ? FULL_MASK : (uint32_t)random_next(&seed),
                         .address = address};
        random_addresses(&seed, access.width, address);
        check(&access);
    }
}

static void others_have_none(void **state) {
    (void)state;
    const uint64_t address[WARP_LANES] = {0};
    Schedule schedule;
    static const AccessKind kinds[] = {ACCESS_ATOMIC_CAS, ACCESS_ATOMIC_LOOP32, ACCESS_CP_ASYNC_CA,
                                       ACCESS_CP_ASYNC_CG};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_false(mem_schedule(&(Access){.kind = kinds[i],
                                            .space = SPACE_SHARED,
                                            .width = 4,
                                            .mask = FULL_MASK,
                                            .address = address,
                                            .source = address},
                                  &schedule));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_accesses),
                                       cmocka_unit_test(others_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
