/* What accesses cost, found once and remembered: loads and stores of all lanes at runs of addresses
 * (known_cost), and others whose lanes lie to each other as they did before (account_cost). All that the cost
 * depends on is in the row. */
#include "account/account.h"

#include <string.h>

enum { KEY_STORE = 1, KEY_SPACE_SHIFT = 1, KEY_SPACE_MASK = 0x7f, KEY_WIDTH_SHIFT = 8 };

uint32_t cost_key(AccessKind kind, Space space, uint32_t width) {
    return width << KEY_WIDTH_SHIFT | (uint32_t)space << KEY_SPACE_SHIFT |
           (kind == ACCESS_STORE ? KEY_STORE : 0);
}

void known_fill(KnownCost *known, uint64_t kind, const AddressRuns *runs, uint64_t offset) {
    uint32_t key = (uint32_t)kind;
    uint64_t address[WARP_LANES];
    Access access = {.kind = key & KEY_STORE ? ACCESS_STORE : ACCESS_LOAD,
                     .space = (Space)(key >> KEY_SPACE_SHIFT & KEY_SPACE_MASK),
                     .width = key >> KEY_WIDTH_SHIFT,
                     .mask = FULL_MASK,
                     .address = address};
    Pattern pattern = runs->pattern;
    pattern.base[0] += offset;
    pattern.base[1] += offset;
    pattern_addresses(&pattern, address);
    *known = (KnownCost){
        .kind = kind, .apart = runs->apart, .stride = {pattern.stride[0], pattern.stride[1]}};
    access_cost(&known->cost, &access, &pattern);
}

/* ---- accesses at any addresses ---- */

enum { MISSES_MOST = 16, PASSES = 64, FEW = 4 /* lanes: counted sooner than looked up */ };

static void find_places(const uint64_t address[WARP_LANES], uint32_t mask,
                        uint64_t place[WARP_LANES]) {
    uint64_t line = address[__builtin_ctz(mask)] & ~(uint64_t)(LINE_BYTES - 1);
    if (mask == FULL_MASK) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            place[lane] = address[lane] - line;
    } else {
        memset(place, 0, WARP_LANES * sizeof *place);
        for_lanes(lane, mask) place[lane] = address[lane] - line;
    }
}

/* A sum, whose terms do not wait for each other. */
static uint64_t hash_of(uint64_t hash, const uint64_t place[WARP_LANES]) {
    enum { STEP = 5 }; /* a few lanes tell most accesses apart */
    for (uint32_t lane = 0; lane < WARP_LANES; lane += STEP)
        hash += place[lane] * (UINT64_C(0xd1342543de82ef95) * (2 * lane + 1));
    return hash * UINT64_C(0x9e3779b97f4a7c15);
}

static bool equal(const uint64_t a[WARP_LANES], const uint64_t b[WARP_LANES]) {
    return memcmp(a, b, WARP_LANES * sizeof *a) == 0;
}

/* Returns whether it was known. */
static bool add_known(KnownAccess *all, Counters *sum, const Access *access,
                      const Pattern *pattern) {
    uint64_t place[WARP_LANES], source[WARP_LANES];
    uint64_t kind = (uint64_t)access->mask << 32 | (uint64_t)access->space << 24 |
                    (uint64_t)access->kind << 16 | access->matrices << 8 | access->width << 1 |
                    access->no_change | (uint64_t)access->generic << 31;
    find_places(access->address, access->mask, place);
    uint64_t hash = hash_of(kind, place);
    if (access->source) {
        find_places(access->source, access->mask, source);
        hash = hash_of(hash, source);
    }
    KnownAccess *known = &all[hash >> (64 - KNOWN_ACCESS_BITS)];
    bool found = known->kind == kind && equal(known->place, place) &&
                 (!access->source || equal(known->source, source));
    if (!found) {
        known->kind = kind;
        memcpy(known->place, place, sizeof place);
        if (access->source)
            memcpy(known->source, source, sizeof source);
        known->cost = (Counters){0};
        access_cost(&known->cost, access, pattern);
    }
    counters_add(sum, &known->cost);
    return found;
}

/* Where costs have closed forms, of few lanes, of lanes that read nothing and of other blocks' memory, which are no part of a
 * key, and at sites whose addresses never come again, nothing is gained. */
void account_cost(Account *account, uint32_t site, const Access *access, const Pattern *pattern) {
    SiteCounters *counters = &account->sites[site];
    bool closed = access->idle || access->uniform || access->space == SPACE_GENERIC ||
                  (!access->source && __builtin_popcount(access->mask) <= FEW) ||
                  (pattern && pattern->halves &&
                   (access->space == SPACE_SHARED || access->space == SPACE_GLOBAL));
    if (closed || counters->passes) {
        counters->passes -= !closed;
        access_cost(&counters->sum, access, pattern);
    } else if (add_known(account->again, &counters->sum, access, pattern)) {
        counters->misses = 0;
    } else if (++counters->misses >= MISSES_MOST) {
        counters->passes = PASSES;
    }
}
