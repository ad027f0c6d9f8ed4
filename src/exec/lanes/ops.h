/* ops.h: what the files of the pure operations share: the lanes of a mask, the levels of a processor.
 *
 * Built several times. The files ops_*.c are compiled once for each level of the processor
 * (x86-64-v2, -v3, -v4; once as "plain" on other architectures; see ops.cmake), with OPS_LEVEL
 * naming the level. What they export is written AT_LEVEL(name) and becomes name_v2, name_v3,
 * name_v4; ops.c, compiled once, chooses. All levels give the same results bit for bit: no
 * contraction, no fast-math, and no call whose result depends on the instruction set.
 *
 * Lanes. A loop over the lanes reads every operand of a lane before it writes that lane, so that
 * the destination may be the same register as a source; registers never overlap otherwise. LANES
 * tells the compiler so, and it vectorises. */
#pragma once

#include "exec/run/warp.h"

#ifdef __clang__
#define LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define LANES _Pragma("GCC ivdep")
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Bit l of a mask of lanes, as a table: compilers turn a test against it into one vector
 * comparison. */
static const uint32_t lane_bit[WARP_LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

/* A pair of functions as ops_lookup returns it; .full NULL: there is none. */
typedef struct Pair {
    Execute full, some;
    /* the function of ops_lanes.h that they do for each lane; NULL: another way */
    const char *lane;
} Pair;

/* ---- levels: ops.c ---- */

/* The levels that this processor can run, the best one last. For tests; the executor calls
 * ops_lookup. */
uint32_t ops_level_count(void);
const char *ops_level_name(uint32_t level);
bool ops_lookup_at(uint32_t level, Op op, const Code *code, Execute *full, Execute *some);

#define OPS_PASTE_(a, b) a##_##b
#define OPS_PASTE(a, b) OPS_PASTE_(a, b)
#define AT_LEVEL(name) OPS_PASTE(name, OPS_LEVEL)

#ifdef OPS_LEVEL
Pair AT_LEVEL(ops_rows)(
    Op op, const Code *code); /* ops_rows.c: every row but the OPX ones; of the OPL ones: */
Pair AT_LEVEL(ops_mov)(Op op, const Code *code);      /* ops_mov.c */
Pair AT_LEVEL(ops_carry)(Op op, const Code *code);    /* ops_carry.c: add.cc … madc */
Pair AT_LEVEL(ops_set)(Op op, const Code *code);      /* ops_set.c: set, bfi, lop3, and.pred … */
Pair AT_LEVEL(ops_cvt)(Op op, const Code *code);      /* ops_cvt.c */
Pair AT_LEVEL(ops_quotient)(Op op, const Code *code); /* ops_quotient.c: of machine code */
Pair AT_LEVEL(ops_half)(Op op, const Code *code);     /* ops_half.c: f16, bf16, pairs of them */
#endif
