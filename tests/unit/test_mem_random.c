/* The memory model against a second one, written from docs/memory-model.md with no thought for
 * speed: words, sets and nested loops. A million random accesses of every kind, width and mask. */
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ACCESSES = 1000000 };

/* ---- the second model: shared memory ---- */

typedef struct Lanes {
    uint32_t count;
    uint32_t lane[WARP_LANES];
} Lanes;

static bool is_active(const Access *access, uint32_t lane) {
    return access->mask >> lane & 1;
}

/* The active lanes among first … first + count - 1. */
static Lanes lanes_of(const Access *access, uint32_t first, uint32_t count) {
    Lanes lanes = {0};
    for (uint32_t lane = first; lane < first + count; lane++)
        if (is_active(access, lane))
            lanes.lane[lanes.count++] = lane;
    return lanes;
}

static uint32_t words_of(uint32_t width) {
    return width < 4 ? 1 : width / 4;
}

/* The fullest bank: distinct words on it, or words with repeats. */
static uint32_t fullest_bank(const uint64_t *address, Lanes lanes, uint32_t width, bool repeats) {
    uint64_t words[4 * WARP_LANES];
    uint32_t count = 0, on_bank[BANKS] = {0}, most = 0;
    for (uint32_t i = 0; i < lanes.count; i++)
        for (uint32_t k = 0; k < words_of(width); k++) {
            uint64_t word = address[lanes.lane[i]] / 4 + k;
            bool seen = false;
            for (uint32_t j = 0; j < count; j++)
                seen = seen || words[j] == word;
            words[count++] = word;
            if (!seen || repeats)
                on_bank[word % BANKS]++;
        }
    for (uint32_t bank = 0; bank < BANKS; bank++)
        if (on_bank[bank] > most)
            most = on_bank[bank];
    return most;
}

static bool pairs_agree(const Access *access, uint32_t first, uint32_t count, uint32_t step) {
    for (uint32_t lane = first; lane < first + count; lane++)
        if (is_active(access, lane) && is_active(access, lane ^ step) &&
            access->address[lane] != access->address[lane ^ step])
            return false;
    return true;
}

static bool one_address(const Access *access) {
    Lanes lanes = lanes_of(access, 0, WARP_LANES);
    for (uint32_t i = 1; i < lanes.count; i++)
        if (access->address[lanes.lane[i]] != access->address[lanes.lane[0]])
            return false;
    return true;
}

static uint32_t group_lanes(uint32_t width) {
    return width == 16 ? 8 : width == 8 ? 16 : 32;
}

static uint32_t active_groups(const Access *access, uint32_t from, uint32_t count, uint32_t size) {
    uint32_t active = 0;
    for (uint32_t first = from; first < from + count; first += size)
        active += lanes_of(access, first, size).count > 0;
    return active;
}

static uint32_t sum_groups(const Access *access, uint32_t first, uint32_t count, uint32_t size,
                           bool repeats) {
    uint32_t sum = 0;
    for (uint32_t lane = first; lane < first + count; lane += size)
        sum += fullest_bank(access->address, lanes_of(access, lane, size), access->width, repeats);
    return sum;
}

static uint32_t packed(uint32_t lanes, uint32_t width) {
    return (lanes * width + 127) / 128;
}

/* Lanes 0 to 15 of a load of 16 bytes: lane 31 says whether all of them are looked at, active or not, or none. */
static bool lower_half_merges(const Access *access) {
    if (!(access->mask >> 31 & 1))
        return true;
    for (uint32_t step = 1; step <= 2; step++) {
        bool agree = true;
        for (uint32_t lane = 0; lane < 16; lane++) {
            uint32_t other = lane ^ step;
            bool here = access->mask >> lane & 1, there = access->mask >> other & 1;
            agree = agree && here == there &&
                    (!here || access->address[lane] == access->address[other]);
        }
        if (agree)
            return true;
    }
    return false;
}

static SharedCost slow_load(const Access *access) {
    uint32_t size = group_lanes(access->width);
    uint32_t lanes = lanes_of(access, 0, WARP_LANES).count;
    SharedCost cost = {.ideal = packed(lanes, access->width)};
    if (access->width < 8) {
        cost.wavefronts = sum_groups(access, 0, WARP_LANES, size, false);
        cost.conflicts = cost.wavefronts - active_groups(access, 0, WARP_LANES, size);
        return cost;
    }
    if (access->width == 16 && one_address(access)) {
        cost.wavefronts = cost.ideal = (lanes + 15) / 16;
        return cost;
    }
    for (uint32_t first = 0; first < WARP_LANES; first += 2 * size) {
        uint32_t here = lanes_of(access, first, 2 * size).count;
        uint32_t apart = sum_groups(access, first, 2 * size, size, false);
        uint32_t together = sum_groups(access, first, 2 * size, 2 * size, false);
        bool agree = here && (pairs_agree(access, first, 2 * size, 1) ||
                              pairs_agree(access, first, 2 * size, 2));
        bool merged = access->width == 16 && first == 0 ? here && lower_half_merges(access) : agree;
        bool at_once = merged && together <= 1;
        cost.wavefronts += at_once ? together : apart;
        cost.conflicts +=
            at_once || (merged && agree) ? 1 : active_groups(access, first, 2 * size, size);
    }
    cost.conflicts = cost.wavefronts - cost.conflicts;
    cost.ideal = cost.ideal < cost.wavefronts ? cost.ideal : cost.wavefronts;
    return cost;
}

static SharedCost slow_unmerged(const Access *access, bool repeats, uint32_t passes) {
    uint32_t size = group_lanes(access->width);
    SharedCost cost = {.wavefronts = passes * sum_groups(access, 0, WARP_LANES, size, repeats),
                       .ideal =
                           passes * packed(lanes_of(access, 0, WARP_LANES).count, access->width)};
    cost.conflicts = cost.wavefronts - active_groups(access, 0, WARP_LANES, size);
    return cost;
}

static SharedCost slow_matrix(const Access *access) {
    SharedCost cost = {.ideal = access->matrices};
    for (uint32_t matrix = 0; matrix < access->matrices; matrix++) {
        Lanes rows = lanes_of(access, 8 * matrix, 8);
        cost.wavefronts += fullest_bank(access->address, rows, 16, false);
        cost.conflicts -= rows.count > 0;
    }
    cost.conflicts += cost.wavefronts;
    return cost;
}

/* One round: in each half-warp (or warp) each bank lets its lowest lane through, but not one whose
 * word a lane of the lower half has just changed. Returns the lanes that are left. */
static uint32_t after_round(const Access *access) {
    uint32_t left = access->mask, done = 0;
    uint32_t size = group_lanes(access->width), columns = 128 / access->width;
    for (uint32_t first = 0; first < WARP_LANES; first += size) {
        bool taken[BANKS] = {false};
        Lanes lanes = lanes_of(access, first, size);
        for (uint32_t i = 0; i < lanes.count; i++) {
            uint32_t lane = lanes.lane[i];
            uint64_t address = access->address[lane];
            bool *bank = &taken[address / access->width % columns];
            bool changed = false;
            for (uint32_t other = 0; other < first; other++)
                changed = changed || ((done >> other & 1) && access->address[other] == address);
            if (!*bank && !changed)
                done |= UINT32_C(1) << lane;
            *bank = true;
        }
    }
    return left & ~done;
}

static SharedCost slow_loop(const Access *access) {
    SharedCost cost = {0};
    Access round = *access;
    while (round.mask) {
        SharedCost load = slow_load(&round);
        cost.wavefronts += load.wavefronts;
        cost.ideal += load.ideal;
        cost.conflicts += load.conflicts;
        if (access->no_change)
            break;
        cost.wavefronts += 2 * active_groups(&round, 0, WARP_LANES, group_lanes(round.width));
        cost.ideal += 2 * packed(lanes_of(&round, 0, WARP_LANES).count, round.width);
        round.mask = after_round(&round);
    }
    return cost;
}

/* The compare-and-swap of one round. */
static SharedCost slow_try(const Access *access) {
    uint32_t size = group_lanes(access->width);
    return (SharedCost){.wavefronts = 2 * active_groups(access, 0, WARP_LANES, size),
                        .ideal = 2 * packed(lanes_of(access, 0, WARP_LANES).count, access->width)};
}

/* ---- the second model: asynchronous copies ---- */

static bool share_bank(const uint64_t *address, uint32_t a, uint32_t b, uint32_t width) {
    for (uint32_t i = 0; i < width / 4; i++)
        for (uint32_t j = 0; j < width / 4; j++)
            if ((address[a] / 4 + i) % BANKS == (address[b] / 4 + j) % BANKS)
                return true;
    return false;
}

static SharedCost slow_ca(const Access *access) {
    uint32_t size = group_lanes(access->width);
    SharedCost cost = {.ideal = packed(lanes_of(access, 0, WARP_LANES).count, access->width)};
    for (uint32_t first = 0; first < WARP_LANES; first += size) {
        Lanes lanes = lanes_of(access, first, size);
        uint32_t most = 0;
        for (uint32_t i = 0; i < lanes.count; i++) {
            uint32_t met = 0;
            for (uint32_t j = 0; j < lanes.count; j++)
                met += share_bank(access->source, lanes.lane[i], lanes.lane[j], access->width) ||
                       share_bank(access->address, lanes.lane[i], lanes.lane[j], access->width);
            most = met > most ? met : most;
        }
        cost.wavefronts += most;
    }
    cost.conflicts = cost.wavefronts - active_groups(access, 0, WARP_LANES, size);
    return cost;
}

/* The lanes of a .cg copy that count: no later lane writes the same 16 bytes. */
static Lanes cg_lanes(const Access *access) {
    Lanes all = lanes_of(access, 0, WARP_LANES), kept = {0};
    for (uint32_t i = 0; i < all.count; i++) {
        bool overwritten = false;
        for (uint32_t j = i + 1; j < all.count; j++)
            overwritten =
                overwritten || access->address[all.lane[j]] == access->address[all.lane[i]];
        if (!overwritten)
            kept.lane[kept.count++] = all.lane[i];
    }
    return kept;
}

/* A transfer moves one source sector to one destination sector; halves: which 16 bytes of the
 * source sector it carries (1, 2, or 3 for both). */
typedef struct Move {
    uint64_t from, to;
    uint32_t flip, halves, round;
} Move;

/* Of the lanes that copy one chunk into one line with one flip, the last goes in round 0. */
static uint32_t cg_round(const Access *access, Lanes lanes, uint32_t i) {
    const uint64_t *from = access->source, *to = access->address;
    uint32_t round = 0, lane = lanes.lane[i];
    for (uint32_t j = i + 1; j < lanes.count; j++) {
        uint32_t later = lanes.lane[j];
        round += from[later] == from[lane] && to[later] / 128 == to[lane] / 128 &&
                 to[later] / 16 % 2 == to[lane] / 16 % 2;
    }
    return round;
}

static uint32_t cg_moves(const Access *access, bool rounds, Move moves[WARP_LANES]) {
    Lanes lanes = cg_lanes(access);
    uint32_t count = 0;
    for (uint32_t i = 0; i < lanes.count; i++) {
        uint64_t source = access->source[lanes.lane[i]], target = access->address[lanes.lane[i]];
        uint32_t half = source % 32 / 16, flip = half != target % 32 / 16;
        uint32_t round = rounds ? cg_round(access, lanes, i) : 0;
        uint32_t m = 0;
        for (; m < count; m++)
            if (moves[m].from == source / 32 && moves[m].to == target / 32 &&
                moves[m].flip == flip && moves[m].round == round)
                break;
        if (m == count)
            moves[count++] = (Move){source / 32, target / 32, flip, 0, round};
        moves[m].halves |= 1 + half;
    }
    return count;
}

static bool may_go_together(Move a, Move b) {
    return a.from / 4 == b.from / 4 && a.to / 4 == b.to / 4 && a.flip == b.flip &&
           a.halves == b.halves && a.round == b.round && (a.from + a.to) % 2 == (b.from + b.to) % 2;
}

static SharedCost slow_cg(const Access *access) {
    Move moves[WARP_LANES];
    uint32_t count = cg_moves(access, true, moves);
    SharedCost cost = {.ideal = packed(cg_lanes(access).count, 16)};
    for (uint32_t i = 0; i < count; i++) {
        bool first = true;
        for (uint32_t j = 0; j < i; j++)
            first = first && !may_go_together(moves[i], moves[j]);
        uint32_t most = 0;
        for (uint32_t slot = 0; first && slot < 4; slot++) {
            uint32_t from = 0, to = 0;
            for (uint32_t j = i; j < count; j++) {
                from += may_go_together(moves[i], moves[j]) && moves[j].from % 4 == slot;
                to += may_go_together(moves[i], moves[j]) && moves[j].to % 4 == slot;
            }
            most = from > most ? from : most;
            most = to > most ? to : most;
        }
        cost.wavefronts += most;
    }
    return cost;
}

static SharedCost slow_shared(const Access *access) {
    if (!access->mask)
        return (SharedCost){0};
    switch (access->kind) {
    case ACCESS_LOAD:
        return slow_load(access);
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        return slow_matrix(access);
    case ACCESS_ATOMIC:
        return slow_unmerged(access, true, 1);
    case ACCESS_ATOMIC_CAS:
        return slow_unmerged(access, true, 2);
    case ACCESS_ATOMIC_CAST:
        return slow_try(access);
    case ACCESS_ATOMIC_LOOP32:
    case ACCESS_ATOMIC_LOOP64:
        return slow_loop(access);
    case ACCESS_CP_ASYNC_CA:
        return slow_ca(access);
    case ACCESS_CP_ASYNC_CG:
        return slow_cg(access);
    default: /* stores and POPC */
        return slow_unmerged(access, false, 1);
    }
}

/* ---- the second model: global, local, constant memory ---- */

static void sort(uint64_t *values, uint32_t count) {
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t j = i; j > 0 && values[j - 1] > values[j]; j--) {
            uint64_t swapped = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swapped;
        }
}

static uint32_t distinct(const uint64_t *sorted, uint32_t count, uint64_t cell) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += i == 0 || sorted[i] / cell != sorted[i - 1] / cell;
    return found;
}

static uint32_t union_bytes(const uint64_t *sorted, uint32_t count, uint32_t width) {
    uint64_t bytes = 0, end = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t start = sorted[i] > end ? sorted[i] : end;
        if (sorted[i] + width > end) {
            bytes += sorted[i] + width - start;
            end = sorted[i] + width;
        }
    }
    return (uint32_t)bytes;
}

static uint32_t at_most(uint32_t value, uint32_t limit) {
    return value < limit ? value : limit;
}

static GlobalCost slow_global(const Access *access) {
    bool ca = access->kind == ACCESS_CP_ASYNC_CA, cg = access->kind == ACCESS_CP_ASYNC_CG;
    Lanes lanes = lanes_of(access, 0, WARP_LANES);
    uint64_t sorted[WARP_LANES];
    for (uint32_t i = 0; i < lanes.count; i++)
        sorted[i] = (ca || cg ? access->source : access->address)[lanes.lane[i]];
    sort(sorted, lanes.count);
    GlobalCost cost = {.sectors = distinct(sorted, lanes.count, 32),
                       .tag_requests = distinct(sorted, lanes.count, 128),
                       .bytes_used = union_bytes(sorted, lanes.count, access->width)};
    Move moves[WARP_LANES];
    uint32_t counted = cg ? cg_lanes(access).count : lanes.count;
    if (cg)
        cost.sectors = cg_moves(access, false, moves);
    cost.ideal = at_most((counted * access->width + 31) / 32, cost.sectors);
    if (ca || cg) {
        uint32_t spread = active_groups(access, 0, WARP_LANES, 8) - (lanes.count + 7) / 8;
        cost.ideal -= at_most(spread, cost.ideal);
    }
    return cost;
}

/* Every word of every lane at its place in memory: word k of lane L at (32k + L) * 4. */
static GlobalCost slow_local(const Access *access) {
    Lanes lanes = lanes_of(access, 0, WARP_LANES);
    uint64_t places[8 * WARP_LANES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < lanes.count; i++)
        for (uint32_t k = 0; k < words_of(access->width); k++) {
            uint64_t word = access->address[lanes.lane[i]] / 4 + k;
            places[count++] = (32 * word + lanes.lane[i]) * 4;
        }
    sort(places, count);
    GlobalCost cost = {.sectors = distinct(places, count, 32),
                       .tag_requests = distinct(places, count, 128),
                       .bytes_used = lanes.count * access->width};
    cost.ideal = at_most((lanes.count * access->width + 31) / 32, cost.sectors);
    return cost;
}

static uint32_t slow_constant(const Access *access) {
    Lanes lanes = lanes_of(access, 0, WARP_LANES);
    uint64_t sorted[WARP_LANES];
    for (uint32_t i = 0; i < lanes.count; i++)
        sorted[i] = access->address[lanes.lane[i]];
    sort(sorted, lanes.count);
    return distinct(sorted, lanes.count, 1);
}

/* ---- random accesses ---- */

static uint64_t random_state = 20240229;

static uint64_t random_below(uint64_t limit) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (random_state * UINT64_C(2685821657736338717) >> 20) % limit;
}

static uint32_t random_mask(void) {
    uint32_t bits = (uint32_t)random_below(UINT64_C(1) << 32);
    switch (random_below(8)) {
    case 0:
        return bits;
    case 1:
        return bits & (uint32_t)random_below(UINT64_C(1) << 32);
    case 2:
        return (UINT32_C(1) << random_below(32)) - 1;
    case 3:
        return UINT32_C(0xff) << 8 * random_below(4) | UINT32_C(0xff) << 8 * random_below(4);
    case 4:
        return UINT32_C(1) << random_below(32) | UINT32_C(1) << random_below(32);
    case 5:
        return random_below(2) ? 0x55555555u : 0xaaaaaaaau;
    default:
        return FULL_MASK;
    }
}

/* Multiples of width: affine, affine in half-warps, random, few distinct, paired, permuted. */
static void random_addresses(uint64_t address[WARP_LANES], uint32_t width) {
    static const uint32_t ranges[] = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 10000};
    uint64_t range = ranges[random_below(sizeof ranges / sizeof ranges[0])];
    uint64_t base[2] = {random_below(range), random_below(range)}, stride[2];
    for (uint32_t half = 0; half < 2; half++)
        stride[half] = random_below(random_below(4) ? 9 : 130);
    uint32_t shape = (uint32_t)random_below(8), twist = (uint32_t)random_below(32);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint32_t from = shape == 3 ? lane ^ twist : lane;
        if (shape <= 1 || shape == 3)
            address[lane] = base[0] + from * stride[0];
        else if (shape == 2)
            address[lane] = base[lane / 16] + lane % 16 * stride[lane / 16];
        else
            address[lane] = random_below(range);
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        if (shape == 5)
            address[lane] = address[lane & ~1u];
        if (shape == 6)
            address[lane] = address[lane & ~2u];
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] *= width;
}

static uint32_t random_width(AccessKind kind) {
    switch (kind) {
    case ACCESS_LOAD:
    case ACCESS_STORE:
        return UINT32_C(1) << random_below(5);
    case ACCESS_ATOMIC:
    case ACCESS_ATOMIC_CAS:
    case ACCESS_ATOMIC_CAST:
        return UINT32_C(4) << random_below(2);
    case ACCESS_ATOMIC_LOOP64:
        return 8;
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
    case ACCESS_CP_ASYNC_CG:
        return 16;
    case ACCESS_CP_ASYNC_CA:
        return UINT32_C(4) << random_below(3);
    default:
        return 4;
    }
}

static AccessKind random_kind(void) {
    AccessKind kind = (AccessKind)random_below(ACCESS_KIND_COUNT);
    bool loop = kind == ACCESS_ATOMIC_LOOP32 || kind == ACCESS_ATOMIC_LOOP64;
    if (loop && random_below(8)) /* slow to count twice */
        return ACCESS_LOAD;
    return kind;
}

static void show(const Access *access) {
    print_error("kind %d width %u mask %08x matrices %u\n", (int)access->kind, access->width,
                access->mask, access->matrices);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        print_error("  lane %u: %llu <- %llu\n", lane, (unsigned long long)access->address[lane],
                    (unsigned long long)access->source[lane]);
}

#define CHECK_EQUAL(access, actual, wanted)                                                        \
    do {                                                                                           \
        if (memcmp(&(actual), &(wanted), sizeof(actual)) != 0) {                                   \
            show(access);                                                                          \
            fail_msg("%s: the two models differ", #actual);                                        \
        }                                                                                          \
    } while (0)

static void check(const Access *access) {
    SharedCost shared = mem_shared(access), shared_wanted = slow_shared(access);
    CHECK_EQUAL(access, shared, shared_wanted);
    GlobalCost global = mem_global(access), global_wanted = slow_global(access);
    CHECK_EQUAL(access, global, global_wanted);
    GlobalCost local = mem_local(access), local_wanted = slow_local(access);
    CHECK_EQUAL(access, local, local_wanted);
    uint32_t constant = mem_constant(access), constant_wanted = slow_constant(access);
    CHECK_EQUAL(access, constant, constant_wanted);
}

static void test_random_accesses(void **state) {
    (void)state;
    for (uint32_t i = 0; i < ACCESSES; i++) {
        uint64_t address[WARP_LANES], source[WARP_LANES];
        Access access = {.kind = random_kind(), .space = SPACE_SHARED, .mask = random_mask()};
        access.width = random_width(access.kind);
        access.matrices = UINT32_C(1) << random_below(3);
        access.no_change = random_below(8) == 0;
        random_addresses(address, access.width);
        random_addresses(source, access.width);
        access.address = address;
        access.source = source;
        check(&access);
    }
    print_message("%u random accesses agree\n", (unsigned)ACCESSES);
}

/* 32 bytes a lane exist in global and local memory alone. */
static void test_widest(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t address[WARP_LANES];
        Access access = {
            .space = SPACE_GLOBAL, .width = 32, .mask = random_mask(), .address = address};
        access.source = address;
        random_addresses(address, access.width);
        GlobalCost global = mem_global(&access), global_wanted = slow_global(&access);
        CHECK_EQUAL(&access, global, global_wanted);
        GlobalCost local = mem_local(&access), local_wanted = slow_local(&access);
        CHECK_EQUAL(&access, local, local_wanted);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_accesses),
        cmocka_unit_test(test_widest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
