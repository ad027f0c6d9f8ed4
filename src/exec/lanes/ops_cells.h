/* ops_cells.h: the registers of an operation, typed lane by lane.
 *
 * For each lane type T of ops.def (b32, s16, f64, pred …):
 *   lane_T       the C type of a value
 *   in_T, out_T  an operand that is read or written, opened once before the loop over the lanes
 *   get_T        the value of lane l of an in_T
 *   put_T        gives lane l of an out_T a value, if `writes`
 *   close_T      after the loop
 * A register of 8 or 16 bits lies zero-extended in a cell of 32 (see warp.h). */
#pragma once

#include "exec/lanes/ops.h"

/* lane: C type of a value; bits: the unsigned or floating type that goes into the register; cell:
 * its element there */
#define CELLS(type, lane, bits, cell)                                                              \
    typedef lane lane_##type;                                                                      \
    typedef const cell *in_##type;                                                                 \
    typedef cell *out_##type;                                                                      \
    ALWAYS_INLINE in_##type open_##type(const Warp *warp, const Code *code, uint32_t offset,       \
                                        uint32_t i) {                                              \
        (void)code, (void)i;                                                                       \
        return __builtin_assume_aligned(warp->registers + offset, 64);                             \
    }                                                                                              \
    ALWAYS_INLINE lane_##type get_##type(in_##type in, uint32_t l) {                               \
        return (lane)in[l];                                                                        \
    }                                                                                              \
    ALWAYS_INLINE out_##type begin_##type(const Warp *warp, uint32_t offset) {                     \
        return __builtin_assume_aligned(warp->registers + offset, 64);                             \
    }                                                                                              \
    ALWAYS_INLINE void put_##type(out_##type *out, uint32_t l, bool writes, lane_##type value) {   \
        (*out)[l] = writes ? (cell)(bits)value : (*out)[l];                                        \
    }                                                                                              \
    ALWAYS_INLINE void close_##type(const Warp *warp, uint32_t offset, uint32_t mask,              \
                                    out_##type *out) {                                             \
        (void)warp, (void)offset, (void)mask, (void)out;                                           \
    }

CELLS(b16, uint16_t, uint16_t, uint32_t)
CELLS(b32, uint32_t, uint32_t, uint32_t)
CELLS(b64, uint64_t, uint64_t, uint64_t)
CELLS(u16, uint16_t, uint16_t, uint32_t)
CELLS(u32, uint32_t, uint32_t, uint32_t)
CELLS(u64, uint64_t, uint64_t, uint64_t)
CELLS(s16, int16_t, uint16_t, uint32_t)
CELLS(s32, int32_t, uint32_t, uint32_t)
CELLS(s64, int64_t, uint64_t, uint64_t)
CELLS(f32, float, float, float)
CELLS(f64, double, double, double)
CELLS(f32x2, uint64_t, uint64_t, uint64_t)
#undef CELLS

/* A predicate is one word; a result is gathered in a register and written at the end. A lane's
 * value is its bit of the word or zero, which vectorises where a bool would not; expressions may
 * give any number for true. */
typedef uint32_t lane_pred;
typedef uint32_t in_pred;
typedef uint32_t out_pred;
ALWAYS_INLINE in_pred open_pred(const Warp *warp, const Code *code, uint32_t offset, uint32_t i) {
    return read_pred(warp, code, offset, i);
}
ALWAYS_INLINE lane_pred get_pred(in_pred in, uint32_t l) {
    return in & lane_bit[l];
}
ALWAYS_INLINE out_pred begin_pred(const Warp *warp, uint32_t offset) {
    (void)warp, (void)offset;
    return 0;
}
ALWAYS_INLINE void put_pred(out_pred *out, uint32_t l, bool writes, lane_pred value) {
    (void)writes; /* write_pred masks */
    *out |= value ? lane_bit[l] : 0;
}
ALWAYS_INLINE void close_pred(const Warp *warp, uint32_t offset, uint32_t mask, out_pred *out) {
    write_pred(warp, offset, mask, *out);
}
