/* ops_lanes.h: what an operation computes in one lane, as functions: the rows of ops.def, and the
 * conversions of ops_cvt.def. ops_rows.c and ops_cvt.c make loops over 32 lanes of them; the JIT takes
 * them as they are, compiled to bitcode, and widens each to vectors of 32 (src/jit/widen.c): LANE is
 * then an external function. Row `id` is id_lane; with .ftz id_ftz_lane; conversion `name` is
 * name_lane. */
#pragma once

#include "exec/lanes/ops_cells.h"
#include "exec/lanes/ops_float.h"
#include "exec/lanes/ops_half.h"
#include "exec/lanes/ops_integer.h"
#include "exec/lanes/ops_mufu.h"

#ifndef LANE
#define LANE ALWAYS_INLINE
#endif

/* Behind the expression a row may have a column. */
#define EXPRESSION(expression, ...) expression
#define OP1(id, syntax, td, ta, ...)                                                               \
    LANE lane_##td id##_lane(lane_##ta a) {                                                        \
        return (lane_##td)(EXPRESSION(__VA_ARGS__, ));                                             \
    }
#define OP2(id, syntax, td, ta, tb, ...)                                                           \
    LANE lane_##td id##_lane(lane_##ta a, lane_##tb b) {                                           \
        return (lane_##td)(EXPRESSION(__VA_ARGS__, ));                                             \
    }
#define OP3(id, syntax, td, ta, tb, tc, ...)                                                       \
    LANE lane_##td id##_lane(lane_##ta a, lane_##tb b, lane_##tc c) {                              \
        return (lane_##td)(EXPRESSION(__VA_ARGS__, ));                                             \
    }

/* Around the expression of a floating-point row: .ftz of operands and result, .sat, the form of a NaN. */
#define FLOAT_IN(type, x) (ftz ? flush_##type(x) : (x))
#define FLOAT_OUT(type, expression)                                                                \
    lane_##type value = canonical_##type(expression);                                              \
    value = ftz ? flush_##type(value) : value;                                                     \
    return sat ? saturate_##type(value) : value
#define FOP1(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE lane_##type id##_value(lane_##type in_a, bool ftz, bool sat) {                   \
        const lane_##type a = FLOAT_IN(type, in_a);                                                \
        FLOAT_OUT(type, EXPRESSION(__VA_ARGS__, ));                                                \
    }                                                                                              \
    LANE lane_##type id##_lane(lane_##type a) {                                                    \
        return id##_value(a, false, false);                                                        \
    }                                                                                              \
    LANE lane_##type id##_ftz_lane(lane_##type a) {                                                \
        return id##_value(a, true, false);                                                         \
    }
#define FOP2(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE lane_##type id##_value(lane_##type in_a, lane_##type in_b, bool ftz, bool sat) { \
        const lane_##type a = FLOAT_IN(type, in_a), b = FLOAT_IN(type, in_b);                      \
        FLOAT_OUT(type, EXPRESSION(__VA_ARGS__, ));                                                \
    }                                                                                              \
    LANE lane_##type id##_lane(lane_##type a, lane_##type b) {                                     \
        return id##_value(a, b, false, false);                                                     \
    }                                                                                              \
    LANE lane_##type id##_ftz_lane(lane_##type a, lane_##type b) {                                 \
        return id##_value(a, b, true, false);                                                      \
    }
#define FOP3(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE lane_##type id##_value(lane_##type in_a, lane_##type in_b, lane_##type in_c,     \
                                         bool ftz, bool sat) {                                     \
        const lane_##type a = FLOAT_IN(type, in_a), b = FLOAT_IN(type, in_b);                      \
        const lane_##type c = FLOAT_IN(type, in_c);                                                \
        FLOAT_OUT(type, EXPRESSION(__VA_ARGS__, ));                                                \
    }                                                                                              \
    LANE lane_##type id##_lane(lane_##type a, lane_##type b, lane_##type c) {                      \
        return id##_value(a, b, c, false, false);                                                  \
    }                                                                                              \
    LANE lane_##type id##_ftz_lane(lane_##type a, lane_##type b, lane_##type c) {                  \
        return id##_value(a, b, c, true, false);                                                   \
    }

/* .ftz of a comparison flushes the operands; for integers both versions are the same. */
#define flush_b16(value) (value)
#define flush_b32(value) (value)
#define flush_b64(value) (value)
#define flush_u16(value) (value)
#define flush_u32(value) (value)
#define flush_u64(value) (value)
#define flush_s16(value) (value)
#define flush_s32(value) (value)
#define flush_s64(value) (value)
#define CMP(id, syntax, type, expression)                                                          \
    ALWAYS_INLINE lane_pred id##_value(lane_##type in_a, lane_##type in_b, bool ftz) {             \
        const lane_##type a = FLOAT_IN(type, in_a), b = FLOAT_IN(type, in_b);                      \
        return (lane_pred)(expression);                                                            \
    }                                                                                              \
    LANE lane_pred id##_lane(lane_##type a, lane_##type b) {                                       \
        return id##_value(a, b, false);                                                            \
    }                                                                                              \
    LANE lane_pred id##_ftz_lane(lane_##type a, lane_##type b) {                                   \
        return id##_value(a, b, true);                                                             \
    }
#include "isa/ops.def"

#undef FLOAT_IN
#undef FLOAT_OUT

/* ---- mov of a pair {low, high}, and into one; lop3 and bfi ---- */

LANE uint64_t pack_b64_lane(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}
LANE uint32_t unpack_low_lane(uint64_t a) {
    return (uint32_t)a;
}
LANE uint32_t unpack_high_lane(uint64_t a) {
    return (uint32_t)(a >> 32);
}
/* The function is the disjunction of the minterms whose bit of the table is set. */
LANE uint32_t lop3_lane(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t entry[8];
    for (uint32_t i = 0; i < 8; i++)
        entry[i] = table >> i & 1 ? UINT32_MAX : 0;
    uint32_t without =
        (~b & ((~c & entry[0]) | (c & entry[1]))) | (b & ((~c & entry[2]) | (c & entry[3])));
    uint32_t with =
        (~b & ((~c & entry[4]) | (c & entry[5]))) | (b & ((~c & entry[6]) | (c & entry[7])));
    return (~a & without) | (a & with);
}
LANE uint32_t bfi_b32_lane(uint32_t a, uint32_t b, uint32_t position, uint32_t length) {
    return (uint32_t)bfi_b64(a, b, position & 0xff, length & 0xff);
}
LANE uint64_t bfi_b64_lane(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
    return bfi_b64(a, b, position, length);
}

/* ---- conversions ---- */

/* Floating point to integers, of a value that is already rounded. `nan` stands for a NaN. */
#define CLAMP(value, type, least, least_value, beyond, greatest, nan)                              \
    ((value) != (value)    ? (nan)                                                                 \
     : (value) <= (least)  ? (least_value)                                                         \
     : (value) >= (beyond) ? (greatest)                                                            \
                           : (type)(value))
#define TO_S32(value, nan) CLAMP(value, int32_t, -0x1p31f, INT32_MIN, 0x1p31f, INT32_MAX, nan)
#define TO_U32(value, nan) CLAMP(value, uint32_t, 0, 0, 0x1p32f, UINT32_MAX, nan)
#define TO_S64(value) CLAMP(value, int64_t, -0x1p63f, INT64_MIN, 0x1p63f, INT64_MAX, INT64_MIN)
#define TO_U64(value) CLAMP(value, uint64_t, 0, 0, 0x1p64f, UINT64_MAX, UINT64_C(1) << 63)

/* Between floating-point types. What happens to a NaN was measured (tests/vectors): copies and widening
 * keep its bits; narrowing double precision keeps its sign and the upper bits, quieted; everything
 * else makes it canonical. */
ALWAYS_INLINE float narrowed(double a) {
    const uint64_t bits = bits_of_f64(a);
    const uint32_t nan = (uint32_t)(bits >> 32 & 0x80000000) | 0x7fc00000 | (bits >> 29 & 0x3fffff);
    return a != a ? f32_of_bits(nan) : (float)a;
}

#define LOOP(name, to, from, expression)                                                           \
    LANE to name##_lane(from a) {                                                                  \
        return expression;                                                                         \
    }
#include "exec/lanes/ops_cvt.def"
