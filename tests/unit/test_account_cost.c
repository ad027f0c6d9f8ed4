/* The shortcuts of the account give what its slow form gives, in every counter: costs by closed forms and
 * from the table of known costs, evidence and footprint of runs. And what lets costs be remembered holds:
 * they do not change when all addresses move by a line. */
#include "account/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM = 100000, WIDTHS = 6, ORIGIN = 1 << 20 };

static uint64_t random_state = 1517;

static uint64_t random_below(uint64_t limit) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (random_state * UINT64_C(2685821657736338717) >> 20) % limit;
}

static void check_equal(const char *what, const Access *access, const Counters *expected,
                        const Counters *actual) {
    for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
        if (expected->at[i] == actual->at[i])
            continue;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            print_error("%llx ", (unsigned long long)access->address[lane]);
        fail_msg("%s: kind %d, space %d, width %u, mask %x: %s is %llu, not %llu", what,
                 (int)access->kind, (int)access->space, access->width, access->mask,
                 counter_info((CounterId)i)->name, (unsigned long long)actual->at[i],
                 (unsigned long long)expected->at[i]);
    }
}

/* ---- loads and stores of all lanes at runs ---- */

typedef struct Tables {
    Account account;
    Arena *arena;
} Tables;

static int make_tables(void **state) {
    static Tables tables;
    tables.arena = arena_new();
    tables.account = account_make(tables.arena, 1);
    *state = &tables;
    return 0;
}

static int free_tables(void **state) {
    arena_free(((Tables *)*state)->arena);
    return 0;
}

/* register_at: of the address register; the access is offset bytes from there. */
static void check_runs(const Tables *tables, const Pattern *register_at, uint64_t offset,
                       const Access *like) {
    uint64_t address[WARP_LANES];
    AddressRuns runs = {.pattern = *register_at};
    Pattern at = *register_at;
    at.base[0] += offset;
    at.base[1] += offset;
    pattern_addresses(&at, address);
    runs_shape(&runs);
    Access access = *like;
    access.mask = FULL_MASK;
    access.address = address;
    Pattern found = pattern_of(address, FULL_MASK);
    assert_true(found.halves);
    Counters slow = {0}, closed = {0};
    access_cost(&slow, &access, NULL);
    access_cost(&closed, &access, &found);
    check_equal("with its pattern", &access, &slow, &closed);
    bool shared = access.space == SPACE_SHARED;
    uint32_t key = cost_key(access.kind, access.space, access.width);
    for (uint32_t turn = 0; turn < 2; turn++)
        check_equal("known", &access, &slow,
                    known_cost(tables->account.known, &runs, offset, key, shared));
}

enum { KINDS = 5 }; /* of access_like: loads and stores, and what only loads can do */

static Access access_like(uint32_t number) {
    static const Space spaces[KINDS] = {SPACE_SHARED, SPACE_SHARED, SPACE_GLOBAL, SPACE_GLOBAL,
                                        SPACE_CONST};
    uint32_t kind = number % KINDS;
    bool shared = spaces[kind] == SPACE_SHARED;
    return (Access){.kind = kind % 2 ? ACCESS_STORE : ACCESS_LOAD,
                    .space = spaces[kind],
                    .width = UINT32_C(1) << number / KINDS % (shared ? WIDTHS - 1 : WIDTHS)};
}

static Pattern runs_at(uint64_t base0, uint64_t base1, int64_t stride0, int64_t stride1) {
    uint64_t address[WARP_LANES];
    Pattern pattern = {.base = {base0, base1}, .stride = {stride0, stride1}};
    pattern_addresses(&pattern, address);
    return pattern_of(address, FULL_MASK);
}

static void test_systematic(void **state) {
    static const int64_t strides[] = {0, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 64, 128, -1, -3, -32};
    enum { STRIDES = sizeof strides / sizeof strides[0] };
    for (uint32_t number = 0; number < KINDS * WIDTHS; number++) {
        Access like = access_like(number);
        for (uint32_t i = 0; i < STRIDES * STRIDES; i++) {
            int64_t one = strides[i % STRIDES] * like.width;
            int64_t other = strides[i / STRIDES] * like.width;
            uint64_t far = i % 3 ? (uint64_t)(16 * one) : i % 5 * like.width;
            for (uint32_t place = 0; place < LINE_BYTES; place += like.width) {
                Pattern runs = runs_at(ORIGIN + place, ORIGIN + place + far, one, other);
                check_runs(*state, &runs, place % 3 * like.width, &like);
            }
        }
    }
}

static int64_t random_stride(uint32_t width) {
    int64_t stride = (int64_t)random_below(random_below(3) ? 10 : 600) * width;
    return random_below(3) ? stride : -stride;
}

static void test_random(void **state) {
    for (uint32_t i = 0; i < RANDOM; i++) {
        Access like = access_like((uint32_t)random_below(KINDS * WIDTHS));
        uint64_t base = ORIGIN + random_below(256) * like.width;
        int64_t one = random_stride(like.width);
        int64_t other = random_below(2) ? one : random_stride(like.width);
        uint64_t apart = random_below(3) == 0 ? 0 : random_below(4096) * like.width;
        if (random_below(2))
            apart = (uint64_t)(16 * one);
        Pattern runs = runs_at(base, base + apart, one, other);
        check_runs(*state, &runs, random_below(64) * like.width, &like);
    }
}

/* ---- accesses of every kind ---- */

typedef struct Lanes {
    uint64_t address[WARP_LANES], source[WARP_LANES];
} Lanes;

static Access random_access(Lanes *lanes) {
    Access access = {.kind = (AccessKind)random_below(ACCESS_KIND_COUNT),
                     .space = SPACE_SHARED,
                     .width = UINT32_C(1) << random_below(5),
                     .mask = random_below(3) ? FULL_MASK : (uint32_t)random_below(FULL_MASK) + 1,
                     .address = lanes->address};
    if (access.kind <= ACCESS_STORE) {
        static const Space spaces[] = {SPACE_SHARED, SPACE_GLOBAL, SPACE_LOCAL, SPACE_CONST,
                                       SPACE_GENERIC};
        access.space = spaces[random_below(5)];
    } else if (access.kind < ACCESS_LDMATRIX || access.kind == ACCESS_ATOMIC_CAST) {
        bool wide = access.kind == ACCESS_ATOMIC_LOOP64 ||
                    (access.kind != ACCESS_ATOMIC_LOOP32 && random_below(2));
        access.width = wide ? 8 : 4;
        access.no_change = random_below(2);
    } else if (access.kind < ACCESS_CP_ASYNC_CA) {
        access.width = 16;
        access.matrices = UINT32_C(1) << random_below(3);
    } else {
        access.width = access.kind == ACCESS_CP_ASYNC_CG ? 16 : UINT32_C(4) << random_below(3);
        access.source = lanes->source;
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t step = random_below(4) ? lane : random_below(100);
        lanes->address[lane] = ORIGIN + step * access.width;
        lanes->source[lane] = ORIGIN + random_below(random_below(2) ? 8 : 256) * access.width;
    }
    return access;
}

static void test_moved(void **state) {
    Account *account = &((Tables *)*state)->account;
    for (uint32_t i = 0; i < RANDOM; i++) {
        Lanes lanes;
        Access access = random_access(&lanes);
        Counters before = {0}, after = {0}, closed = {0};
        Pattern pattern = pattern_of(lanes.address, access.mask);
        access_cost(&before, &access, NULL);
        access_cost(&closed, &access, &pattern);
        check_equal("with its pattern", &access, &before, &closed);
        account_clear(account, 1);
        account_cost(account, 0, &access, &pattern);
        check_equal("remembered", &access, &before, &account->sites->sum);
        uint64_t lines = 1 + random_below(100), period = LINE_BYTES;
        if (access.space == SPACE_SHARED && !access.source)
            period = access.width > BANK_BYTES ? access.width : BANK_BYTES;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            lanes.address[lane] += lines * period;
            lanes.source[lane] += lines * LINE_BYTES;
        }
        access_cost(&after, &access, NULL);
        check_equal("moved", &access, &before, &after);
        account->sites->sum = (Counters){0};
        pattern = pattern_of(lanes.address, access.mask);
        account_cost(account, 0, &access, &pattern);
        check_equal("again", &access, &before, &account->sites->sum);
    }
}

/* ---- evidence and footprint ---- */

enum { ALLOCATIONS = 4, ALLOCATION = 1 << 20, PERIOD = 512 };

static bool find_allocation(const void *memory, uint64_t address, Extent *extent,
                            uint32_t *number) {
    (void)memory;
    *number = (uint32_t)(address / ALLOCATION);
    *extent = (Extent){(uint64_t)*number * ALLOCATION, ALLOCATION};
    return *number < ALLOCATIONS;
}

/* cp.async of a warp: 16 sectors and 4 lines; lanes that read nothing have none, and write all the same. */
static void test_idle_lanes(void **state) {
    (void)state;
    uint64_t address[WARP_LANES], source[WARP_LANES];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        address[lane] = 16 * lane;
        source[lane] = ORIGIN + 16 * lane;
    }
    Access access = {.kind = ACCESS_CP_ASYNC_CG,
                     .space = SPACE_SHARED,
                     .width = 16,
                     .mask = UINT32_MAX,
                     .address = address,
                     .source = source};
    static const uint32_t idle[] = {0, 0xffff0000, UINT32_MAX};
    for (uint32_t i = 0; i < 3; i++) {
        Counters sum = {0};
        access.idle = idle[i];
        access_cost(&sum, &access, NULL);
        assert_int_equal(sum.wavefronts, 4);
        assert_int_equal(sum.sectors, 16 - 8 * i);
        assert_int_equal(sum.tag_requests, 4 - 2 * i);
    }
}

static void save(Profile *profile, const Account *account) {
    Evidence *all = evidence_new(profile->arena, &(AddressMap){0}, true);
    evidence_join(all, account->evidence);
    evidence_save(all, profile, profile->arena, 0, 0);
}

static void check_profiles(const Profile *expected, const Profile *actual) {
    assert_int_equal(actual->patterns.count, expected->patterns.count);
    for (uint32_t i = 0; i < expected->patterns.count; i++) {
        AccessPattern one = expected->patterns.at[i], other = actual->patterns.at[i];
        assert_memory_equal(one.delta, other.delta, WARP_LANES * sizeof *one.delta);
        one.delta = other.delta = NULL;
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void test_records(void **state) {
    (void)state;
    static const Extent shared[] = {{0, 1 << 19}, {1 << 19, 1 << 20}};
    const AddressMap map = {
        .shared = shared, .shared_count = 2, .find = find_allocation, .period = PERIOD};
    Profile *slow = profile_new(), *fast = profile_new();
    Account slowly = {0}, quickly = {0};
    account_keep_evidence(&slowly, slow->arena, &map, true, true);
    account_keep_evidence(&quickly, fast->arena, &map, true, true);
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t address[WARP_LANES];
        Access access = access_like((uint32_t)random_below(KINDS * WIDTHS));
        uint32_t site = (uint32_t)random_below(5), block = (uint32_t)random_below(3);
        int64_t one = (int64_t)random_below(4) * access.width;
        int64_t other = random_below(2) ? one : (int64_t)random_below(3) * access.width;
        uint64_t base = (2 + random_below(2)) * ALLOCATION - random_below(9) * 4096;
        Pattern runs = runs_at(base, base + random_below(3) * 16 * access.width, one, other);
        pattern_addresses(&runs, address);
        access.mask = FULL_MASK;
        access.address = address;
        account_record(&slowly, site, block, &access);
        access.address = NULL;
        account_record_runs(&quickly, site, block, &access, &runs,
                            runs.base[0] / ALLOCATION * ALLOCATION);
    }
    save(slow, &slowly);
    save(fast, &quickly);
    assert_true(slow->patterns.count > 100);
    check_profiles(slow, fast);
    Footprint one = bytes_sum(slowly.bytes), other = bytes_sum(quickly.bytes);
    assert_true(one.loaded_bytes > 1000 && one.stored_bytes > 1000 && one.loaded_by_blocks > 0);
    assert_memory_equal(&one, &other, sizeof one);
    profile_free(slow);
    profile_free(fast);
}

/* ---- more patterns than there is room for ---- */

enum {
    CROWDED_SITES = 12, /* each with far more patterns than are kept, but the last */
    OF_SITE = 40000,
    REGULAR = 40, /* every so manieth access is one of few that lie at a stride */
    WORKERS_MOST = 3,
    FEW = 500
};

/* The number-th access: nearly every one has addresses of its own. */
static uint32_t access_numbered(uint32_t number, uint64_t address[WARP_LANES]) {
    const uint32_t site = number % CROWDED_SITES, turn = number / CROWDED_SITES;
    uint64_t state = site == CROWDED_SITES - 1 ? turn % FEW : number;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] = turn % REGULAR == 0 ? (turn / REGULAR % 4 + 1) * 4 * lane
                                            : random_next(&state) % 16384 * 4;
    return site;
}

/* As if so many workers had met the accesses in another order each, and had been asked in that order. */
static Profile *crowd(uint32_t workers, uint32_t apart, bool backwards, uint64_t *others) {
    static const Extent shared[] = {{0, 1 << 16}};
    const AddressMap map = {.shared = shared, .shared_count = 1, .period = PERIOD};
    const uint32_t count = CROWDED_SITES * OF_SITE;
    Arena *arena[WORKERS_MOST + 1];
    Evidence *one[WORKERS_MOST + 1];
    for (uint32_t w = 0; w <= workers; w++) {
        arena[w] = arena_new();
        one[w] = evidence_new(arena[w], &map, false);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint64_t address[WARP_LANES];
        const uint32_t number = (uint32_t)((uint64_t)i * apart % count);
        const uint32_t site = access_numbered(number, address);
        Access access = {.space = SPACE_SHARED, .mask = FULL_MASK, .address = address};
        evidence_record(one[1 + number / 7 % workers], site, &access, 1 + number % 2);
    }
    for (uint32_t w = 0; w < workers; w++)
        evidence_join(one[0], one[backwards ? workers - w : w + 1]);
    Profile *profile = profile_new();
    *others = evidence_save(one[0], profile, profile->arena, 0, 0);
    for (uint32_t w = 0; w <= workers; w++) {
        assert_true(arena_used(arena[w]) < UINT64_C(110) << 20);
        arena_free(arena[w]);
    }
    return profile;
}

static void test_crowded(void **state) {
    (void)state;
    uint64_t others, also;
    Profile *first = crowd(1, 1, false, &others);
    uint64_t kept = 0, regular[CROWDED_SITES] = {0}, few = 0;
    for (uint32_t i = 0; i < first->patterns.count; i++) {
        const AccessPattern *pattern = &first->patterns.at[i];
        kept += pattern->count;
        regular[pattern->site] += pattern->affine ? pattern->count : 0;
        few += pattern->site == CROWDED_SITES - 1;
    }
    assert_int_equal(kept + others, (uint64_t)CROWDED_SITES * OF_SITE * 3 / 2);
    assert_true(others > kept);
    assert_true(few > FEW / 2); /* a site with few patterns has them all */
    for (uint32_t site = 0; site < CROWDED_SITES; site++)
        assert_int_equal(regular[site], OF_SITE / REGULAR * (1 + site % 2));
    static const struct {
        uint32_t workers, apart;
        bool backwards;
    } ways[] = {{1, 7919, false}, {2, 104729, true}, {3, 1299709, false}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Profile *again = crowd(ways[i].workers, ways[i].apart, ways[i].backwards, &also);
        assert_int_equal(also, others);
        check_profiles(first, again);
        profile_free(again);
    }
    profile_free(first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_systematic, make_tables, free_tables),
        cmocka_unit_test_setup_teardown(test_random, make_tables, free_tables),
        cmocka_unit_test(test_idle_lanes),
        cmocka_unit_test_setup_teardown(test_moved, make_tables, free_tables),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_crowded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
