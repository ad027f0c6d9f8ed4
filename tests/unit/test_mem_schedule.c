/* Schedules of random accesses of every kind: over their rounds as many wavefronts as are counted,
 * each with a lane in it, none with two lanes that cannot be served together, and reasons that
 * hold. */
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

static bool is_copy(const Access *access) {
    return access->kind == ACCESS_CP_ASYNC_CA || access->kind == ACCESS_CP_ASYNC_CG;
}

static bool takes_turns(const Access *access) {
    return access->kind == ACCESS_ATOMIC || access->kind == ACCESS_ATOMIC_CAS ||
           access->kind == ACCESS_ATOMIC_CAST || access->kind == ACCESS_CP_ASYNC_CA;
}

/* No bank is asked for two words; where lanes take turns, not for one word twice either. */
static bool banks_agree(const uint64_t *address, uint32_t width, uint32_t a, uint32_t b,
                        bool turns) {
    uint32_t words = width < 4 ? 1 : width / 4;
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t j = 0; j < words; j++) {
            uint64_t one = address[a] / 4 + i, other = address[b] / 4 + j;
            if (one % BANKS == other % BANKS && (one != other || turns))
                return false;
        }
    return true;
}

/* Whether one wavefront can serve both lanes. */
static bool can_share(const Access *access, uint32_t a, uint32_t b) {
    if (access->kind == ACCESS_CP_ASYNC_CG) { /* 32-byte slots on both sides, or one transfer */
        uint64_t from = access->source[a] / 32, to = access->address[a] / 32;
        uint64_t other_from = access->source[b] / 32, other_to = access->address[b] / 32;
        bool one = from == other_from && to == other_to;
        return one || (from % 4 != other_from % 4 && to % 4 != other_to % 4);
    }
    bool turns = takes_turns(access);
    return banks_agree(access->address, access->width, a, b, turns) &&
           (!is_copy(access) || banks_agree(access->source, access->width, a, b, turns));
}

static void check_reason(const Access *access, const Schedule *schedule, uint32_t lane) {
    uint32_t with = schedule->with[lane];
    bool same = schedule->wavefront[lane] == schedule->wavefront[with];
    switch (schedule->served[lane]) {
    case SERVED_FREE:
        assert_int_equal(with, lane);
        return;
    case SERVED_WITH:
        assert_true(same && with < lane && can_share(access, with, lane));
        return;
    case SERVED_AFTER:
        assert_true(schedule->wavefront[with] < schedule->wavefront[lane]);
        assert_true(schedule->group[with] == schedule->group[lane]);
        assert_false(can_share(access, with, lane));
        return;
    default:
        fail();
    }
}

/* One round; returns its wavefronts. */
static uint32_t check_round(const Access *access, Schedule *schedule) {
    mem_schedule(access, schedule);
    uint64_t seen = 0;
    assert_int_equal(schedule->lanes & ~access->mask, 0);
    for (uint32_t a = 0; a < WARP_LANES; a++) {
        if (!(schedule->lanes >> a & 1)) {
            assert_int_equal(schedule->served[a], SERVED_NOT);
            continue;
        }
        assert_true(schedule->wavefront[a] < schedule->wavefronts);
        assert_true(schedule->group[a] < schedule->groups);
        check_reason(access, schedule, a);
        seen |= UINT64_C(1) << schedule->wavefront[a];
        for (uint32_t b = 0; b < a; b++)
            if (schedule->lanes >> b & 1 && schedule->wavefront[a] == schedule->wavefront[b])
                assert_true(can_share(access, a, b));
    }
    assert_int_equal(seen, (UINT64_C(1) << schedule->wavefronts) - 1);
    return schedule->wavefronts * schedule->passes + schedule->swaps;
}

static void check(const Access *access) {
    Access round = *access;
    Schedule schedule;
    uint32_t sum = 0;
    do {
        sum += check_round(&round, &schedule);
        assert_int_equal(schedule.left & ~round.mask, 0);
        assert_true(schedule.left == 0 || schedule.left != round.mask);
        round.mask = schedule.left;
    } while (round.mask);
    assert_int_equal(sum, mem_shared(access).wavefronts);
}

static uint32_t width_of(AccessKind kind, uint64_t *seed) {
    switch (kind) {
    case ACCESS_LOAD:
    case ACCESS_STORE:
        return UINT32_C(1) << random_below(seed, 5);
    case ACCESS_ATOMIC:
    case ACCESS_ATOMIC_CAS:
    case ACCESS_ATOMIC_CAST:
        return random_below(seed, 2) ? 4 : 8;
    case ACCESS_ATOMIC_POPC:
    case ACCESS_ATOMIC_LOOP32:
        return 4;
    case ACCESS_ATOMIC_LOOP64:
        return 8;
    case ACCESS_CP_ASYNC_CA:
        return UINT32_C(4) << random_below(seed, 3);
    default:
        return 16;
    }
}

static void random_accesses(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint64_t address[WARP_LANES], source[WARP_LANES];
        AccessKind kind = (AccessKind)random_below(&seed, ACCESS_KIND_COUNT);
        bool matrix = kind == ACCESS_LDMATRIX || kind == ACCESS_STMATRIX;
        Access access = {.kind = kind,
                         .space = SPACE_SHARED,
                         .width = width_of(kind, &seed),
                         .matrices = matrix ? UINT32_C(1) << random_below(&seed, 3) : 0,
                         .mask = random_below(&seed, 2) ? FULL_MASK : (uint32_t)random_next(&seed),
                         .no_change = random_below(&seed, 8) == 0,
                         .address = address,
                         .source = source};
        random_addresses(&seed, access.width, address);
        random_addresses(&seed, access.width, source);
        check(&access);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_accesses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
