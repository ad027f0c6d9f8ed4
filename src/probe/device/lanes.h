/* lanes: a warp as the rules see it, on the GPU and on the host. One text serves both: on the GPU a lane's value is a
 * register and each lane runs the text; on the host it is an array of 32, and EACH_LANE is a loop.
 *
 *   Lanes32 even;
 *   EACH_LANE(warp) AT(even) = AT(address) & 1 ? 0 : 1;
 *   uint32_t lanes = lanes_where(warp, even);
 *
 * What stands outside EACH_LANE is equal in all lanes, so that they branch alike. Values of lanes that are not active are
 * not read. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { PROBE_LANES = 32 };

/* The lanes that take part. */
typedef struct LaneSet {
    uint32_t mask;
} LaneSet;

#ifdef __CUDACC__

#define PROBE_CODE static __device__ __forceinline__
typedef uint32_t Lanes32;
typedef uint64_t Lanes64;
#define EACH_LANE(warp) for (uint32_t lane = lane_self(), turn = 0; turn < 1; turn++)
#define AT(value) (value)
#define NO_LANES 0
#define ROLLED _Pragma("unroll 1") /* before a loop: registers of patches are few */

/* The lane that runs this; asked for where it is needed, which costs no register in between. */
PROBE_CODE uint32_t lane_self(void) {
    uint32_t self;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(self));
    return self;
}

PROBE_CODE uint32_t bits_of(uint32_t mask) {
    return __popc(mask);
}

PROBE_CODE uint32_t lowest_of(uint32_t mask) {
    return __ffs(mask) - 1;
}

PROBE_CODE uint32_t highest_of(uint32_t mask) {
    return 31 - __clz(mask);
}

/* The active lanes whose value is not 0. */
PROBE_CODE uint32_t lanes_where(LaneSet warp, Lanes32 value) {
    return __ballot_sync(warp.mask, value != 0);
}

/* Of each lane, the active ones with the same value. */
PROBE_CODE Lanes32 lanes_like(LaneSet warp, Lanes32 value) {
    return __match_any_sync(warp.mask, value);
}

PROBE_CODE Lanes32 lanes_like64(LaneSet warp, Lanes64 value) {
    return __match_any_sync(warp.mask, (unsigned long long)value);
}

/* The lower half of each value. */
PROBE_CODE Lanes32 lanes_low(LaneSet warp, Lanes64 value) {
    (void)warp;
    return (uint32_t)value;
}

/* Of each lane, the value of another. */
PROBE_CODE Lanes32 lanes_from32(LaneSet warp, Lanes32 value, Lanes32 from) {
    return __shfl_sync(warp.mask, value, from);
}

PROBE_CODE Lanes64 lanes_from(LaneSet warp, Lanes64 value, Lanes32 from) {
    return __shfl_sync(warp.mask, (unsigned long long)value, from);
}

#else

#define PROBE_CODE static inline
#define ROLLED
typedef struct Lanes32 {
    uint32_t at[PROBE_LANES];
} Lanes32;
typedef struct Lanes64 {
    uint64_t at[PROBE_LANES];
} Lanes64;
#define EACH_LANE(warp)                                                                            \
    for (uint32_t rest_ = (warp).mask, lane = rest_ ? (uint32_t)__builtin_ctz(rest_) : 0; rest_;   \
         rest_ &= rest_ - 1, lane = rest_ ? (uint32_t)__builtin_ctz(rest_) : 0)
#define AT(value) (value).at[lane]
#define NO_LANES                                                                                   \
    {                                                                                              \
        { 0 }                                                                                      \
    }

PROBE_CODE uint32_t bits_of(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

PROBE_CODE uint32_t lowest_of(uint32_t mask) {
    return (uint32_t)__builtin_ctz(mask);
}

PROBE_CODE uint32_t highest_of(uint32_t mask) {
    return 31 - (uint32_t)__builtin_clz(mask);
}

PROBE_CODE uint32_t lanes_where(LaneSet warp, Lanes32 value) {
    uint32_t found = 0;
    EACH_LANE(warp) found |= (uint32_t)(AT(value) != 0) << lane;
    return found;
}

PROBE_CODE Lanes32 lanes_like64(LaneSet warp, Lanes64 value) {
    Lanes32 like = {{0}};
    EACH_LANE(warp)
    for (uint32_t other = 0; other < PROBE_LANES; other++)
        if (warp.mask >> other & 1 && value.at[other] == AT(value))
            AT(like) |= UINT32_C(1) << other;
    return like;
}

PROBE_CODE Lanes32 lanes_like(LaneSet warp, Lanes32 value) {
    Lanes64 wide = {{0}};
    EACH_LANE(warp) AT(wide) = AT(value);
    return lanes_like64(warp, wide);
}

PROBE_CODE Lanes32 lanes_low(LaneSet warp, Lanes64 value) {
    Lanes32 low = {{0}};
    EACH_LANE(warp) AT(low) = (uint32_t)AT(value);
    return low;
}

PROBE_CODE Lanes32 lanes_from32(LaneSet warp, Lanes32 value, Lanes32 from) {
    Lanes32 taken = {{0}};
    EACH_LANE(warp) AT(taken) = value.at[AT(from)];
    return taken;
}

PROBE_CODE Lanes64 lanes_from(LaneSet warp, Lanes64 value, Lanes32 from) {
    Lanes64 taken = {{0}};
    EACH_LANE(warp) AT(taken) = value.at[AT(from)];
    return taken;
}

#endif

/* ---- of both ---- */

PROBE_CODE uint32_t lanes_below(uint32_t lane) {
    return (UINT32_C(1) << lane) - 1;
}

/* The lanes whose value no lower lane has: one for each value. like: as lanes_like gives it. */
PROBE_CODE uint32_t lanes_first(LaneSet warp, Lanes32 like) {
    Lanes32 first;
    EACH_LANE(warp) AT(first) = (AT(like) & lanes_below(lane)) == 0;
    return lanes_where(warp, first);
}

/* The active lanes' sum of numbers below 64. */
PROBE_CODE uint32_t lanes_sum(LaneSet warp, Lanes32 value) {
    uint32_t sum = 0;
    ROLLED
    for (int bit = 5; bit >= 0; bit--) {
        Lanes32 set;
        EACH_LANE(warp) AT(set) = AT(value) >> bit & 1;
        sum += bits_of(lanes_where(warp, set)) << bit;
    }
    return sum;
}

/* The lanes of the group that a lane is of; lanes: 8, 16, 32 in each. */
PROBE_CODE uint32_t lanes_group(uint32_t lane, uint32_t lanes) {
    return UINT32_MAX >> (PROBE_LANES - lanes) << (lane & ~(lanes - 1));
}

/* Of each lane, the largest of numbers below 64 in its group. */
PROBE_CODE Lanes32 lanes_most(LaneSet warp, Lanes32 value, uint32_t lanes) {
    Lanes32 most, set, group;
    EACH_LANE(warp) {
        AT(most) = 0;
        AT(group) = lanes_group(lane, lanes);
    }
    ROLLED
    for (int bit = 5; bit >= 0; bit--) {
        EACH_LANE(warp) AT(set) = AT(value) >> bit & 1;
        uint32_t those = lanes_where(warp, set);
        EACH_LANE(warp) {
            uint32_t larger = (those & AT(group)) != 0;
            AT(most) = AT(most) << 1 | larger;
            AT(value) = larger && !AT(set) ? 0 : AT(value); /* another has more */
        }
    }
    return most;
}

/* Of each lane, 1 where it is the first active one of its group. */
PROBE_CODE Lanes32 lanes_first_of_group(LaneSet warp, uint32_t lanes) {
    Lanes32 first;
    EACH_LANE(warp)
    AT(first) = (warp.mask & lanes_group(lane, lanes) & lanes_below(lane)) == 0;
    return first;
}
