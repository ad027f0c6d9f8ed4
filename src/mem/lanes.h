/* lanes: what the files of this layer share - lane groups, the pair rule, counting per bank.
 * Private to mem; the layer's interface is mem.h.
 *
 * Shared memory serves a warp in groups of lanes, one group after the other: a group asks for at
 * most 128 bytes if each of its lanes asks for a word of its own, so 4-byte lanes make one group of
 * 32, 8-byte lanes two of 16, 16-byte lanes four of 8 (measured on an H100, see
 * docs/memory-model.md).
 *
 * Since every lane's address is a multiple of its width, lanes of 8 and 16 bytes touch the banks of
 * an aligned *unit* of that size: two lanes share one of its banks if and only if they share all.
 * So we count units instead of words, in *columns* instead of banks: 32 columns of 4 bytes, 16 of
 * 8, or 8 of 16. Lanes of 1 and 2 bytes use the 4-byte unit around them. */
#pragma once

#include "mem/mem.h"

/* How a warp is cut into groups: count * lanes = 32, or fewer lanes for ldmatrix. */
typedef struct Groups {
    uint32_t count, lanes;
} Groups;

static inline uint32_t bits_count(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

static inline uint32_t ceil_div(uint32_t a, uint32_t b) {
    return (a + b - 1) / b;
}

/* log2 of the unit that a lane of this width uses. */
static inline uint32_t unit_shift(uint32_t width) {
    return width <= 4 ? 2 : width == 8 ? 3 : 4;
}

static inline uint32_t columns_of(uint32_t shift) {
    return (uint32_t)LINE_BYTES >> shift;
}

static inline uint32_t lanes_lowest(uint32_t mask) {
    return (uint32_t)__builtin_ctz(mask);
}

/* The active lanes of group g. */
static inline uint32_t group_mask(Groups groups, uint32_t g, uint32_t mask) {
    uint32_t all = groups.lanes == 32 ? FULL_MASK : (UINT32_C(1) << groups.lanes) - 1;
    return mask & all << g * groups.lanes;
}

/* Says of a lane when it is served and why. */
static inline void schedule_lane(Schedule *schedule, uint32_t lane, uint32_t wavefront,
                                 Service served, uint32_t with) {
    schedule->lanes |= UINT32_C(1) << lane;
    schedule->wavefront[lane] = (uint8_t)wavefront;
    schedule->group[lane] = (uint8_t)schedule->groups;
    schedule->with[lane] = (uint8_t)with;
    schedule->served[lane] = served;
}

/* ---- banks.c ---- */

Groups groups_by_width(uint32_t width);
uint32_t groups_active(Groups groups, uint32_t mask); /* groups with an active lane */

/* The pair rule: whether a load of 8 or 16 bytes merges two groups that follow each other. mask: the active
 * lanes of the warp; lanes: those of both groups, one at least. */
bool groups_merge(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t lanes,
                  uint32_t width);
/* Whether all active lanes have one address. */
bool lanes_uniform(const uint64_t address[WARP_LANES], uint32_t mask);

typedef enum CountBy { COUNT_UNITS, COUNT_LANES } CountBy;
/* Sum over the groups of the fullest column: distinct units in it, or lanes on it. */
uint32_t wavefronts(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                    Groups groups, CountBy by);

/* Of groups that are served one after the other. */
SharedCost groups_cost(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                       Groups groups);
SharedCost load_cost(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width);
uint32_t store_ideal(uint32_t mask, uint32_t width);

/* ---- atomics.c ---- */

SharedCost atomic_cost(const Access *access);
enum { CAS_PASSES = 2 }; /* of each wavefront of a compare-and-swap */
/* Of a compare-and-swap loop: bytes of a lane, 0 for what is no loop. */
uint32_t loop_width(AccessKind kind);
/* Wavefronts of the compare-and-swap that ends a round of `mask`, and the lanes that it retires. */
uint32_t loop_swaps(uint32_t mask, uint32_t width);
uint32_t loop_retired(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width);

/* ---- cp_async.c ---- */

SharedCost cp_async_cost(const Access *access);
/* .cg: lanes whose destination no later lane overwrites, and 32-byte transfers. */
uint32_t cp_async_winners(const Access *access);
uint32_t cp_async_transfers(const Access *access);
void cp_async_schedule(const Access *access, Schedule *schedule);
