/* ops_integer.h: integer functions of one lane for the expressions of ops.def, after the PTX ISA
 * manual (section 9.7.1 unless said otherwise). */
#pragma once

#include "exec/lanes/ops.h"

/* ---- saturation, halves of products ---- */

ALWAYS_INLINE int32_t clamp_s32(int64_t value) {
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}
ALWAYS_INLINE int32_t relu_s32(int32_t value) {
    return value < 0 ? 0 : value;
}
__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 SignedWide;
ALWAYS_INLINE uint64_t mul_hi_u64(uint64_t a, uint64_t b) {
    return (uint64_t)((Wide)a * b >> 64);
}
ALWAYS_INLINE int64_t mul_hi_s64(int64_t a, int64_t b) {
    return (int64_t)((SignedWide)a * b >> 64);
}

/* ---- mul24, mad24: the low 24 bits of each operand; .lo is bits 31..0 and .hi bits 47..16 of
 * the product ---- */

ALWAYS_INLINE uint64_t mul24_u32(uint32_t a, uint32_t b) {
    return (uint64_t)(a & 0xffffff) * (b & 0xffffff);
}
ALWAYS_INLINE int64_t mul24_s32(int32_t a, int32_t b) {
    return (int64_t)((int32_t)((uint32_t)a << 8) >> 8) * ((int32_t)((uint32_t)b << 8) >> 8);
}

/* ---- div, rem ---- The manual leaves division by zero unspecified: an H100 gives all ones, for
 * quotient and remainder (tests/vectors). The most negative number divided by -1 wraps, with
 * remainder 0. */

ALWAYS_INLINE uint16_t div_u16(uint16_t a, uint16_t b) {
    return b ? (uint16_t)(a / b) : UINT16_MAX;
}
ALWAYS_INLINE uint16_t rem_u16(uint16_t a, uint16_t b) {
    return b ? (uint16_t)(a % b) : UINT16_MAX;
}
ALWAYS_INLINE int16_t div_s16(int16_t a, int16_t b) {
    return b ? (int16_t)(a / b) : -1;
}
ALWAYS_INLINE int16_t rem_s16(int16_t a, int16_t b) {
    return b ? (int16_t)(a % b) : -1;
}
ALWAYS_INLINE uint32_t div_u32(uint32_t a, uint32_t b) {
    return b ? a / b : UINT32_MAX;
}
ALWAYS_INLINE uint32_t rem_u32(uint32_t a, uint32_t b) {
    return b ? a % b : UINT32_MAX;
}
ALWAYS_INLINE int32_t div_s32(int32_t a, int32_t b) {
    return b == 0 ? -1 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
}
ALWAYS_INLINE int32_t rem_s32(int32_t a, int32_t b) {
    return b == 0 ? -1 : b == -1 ? 0 : a % b;
}
ALWAYS_INLINE uint64_t div_u64(uint64_t a, uint64_t b) {
    return b ? a / b : UINT64_MAX;
}
ALWAYS_INLINE uint64_t rem_u64(uint64_t a, uint64_t b) {
    return b ? a % b : UINT64_MAX;
}
ALWAYS_INLINE int64_t div_s64(int64_t a, int64_t b) {
    return b == 0 ? -1 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}
ALWAYS_INLINE int64_t rem_s64(int64_t a, int64_t b) {
    return b == 0 ? -1 : b == -1 ? 0 : a % b;
}

/* ---- two 16-bit values in 32 bits: .u16x2, .s16x2 ---- */

ALWAYS_INLINE uint32_t pair_of(uint32_t low, uint32_t high) {
    return (low & 0xffff) | high << 16;
}
ALWAYS_INLINE uint32_t pair_add(uint32_t a, uint32_t b) {
    return pair_of(a + b, (a >> 16) + (b >> 16));
}
ALWAYS_INLINE uint32_t min_low_u16(uint32_t a, uint32_t b) {
    return (uint16_t)a < (uint16_t)b ? a : b;
}
ALWAYS_INLINE uint32_t max_low_u16(uint32_t a, uint32_t b) {
    return (uint16_t)a > (uint16_t)b ? a : b;
}
ALWAYS_INLINE uint32_t min_low_s16(uint32_t a, uint32_t b) {
    return (int16_t)a < (int16_t)b ? a : b;
}
ALWAYS_INLINE uint32_t max_low_s16(uint32_t a, uint32_t b) {
    return (int16_t)a > (int16_t)b ? a : b;
}
ALWAYS_INLINE uint32_t pair_min_u16(uint32_t a, uint32_t b) {
    return pair_of(min_low_u16(a, b), min_low_u16(a >> 16, b >> 16));
}
ALWAYS_INLINE uint32_t pair_max_u16(uint32_t a, uint32_t b) {
    return pair_of(max_low_u16(a, b), max_low_u16(a >> 16, b >> 16));
}
ALWAYS_INLINE uint32_t pair_min_s16(uint32_t a, uint32_t b) {
    return pair_of(min_low_s16(a, b), min_low_s16(a >> 16, b >> 16));
}
ALWAYS_INLINE uint32_t pair_max_s16(uint32_t a, uint32_t b) {
    return pair_of(max_low_s16(a, b), max_low_s16(a >> 16, b >> 16));
}

/* ---- bits ---- */

/* bfind: the position of the most significant bit that differs from the sign; all ones where
 * there is none. */
ALWAYS_INLINE uint32_t bfind_u32(uint32_t a) {
    return a ? 31 - (uint32_t)__builtin_clz(a) : UINT32_MAX;
}
ALWAYS_INLINE uint32_t bfind_s32(int32_t a) {
    return bfind_u32((uint32_t)(a < 0 ? ~a : a));
}
ALWAYS_INLINE uint32_t bfind_u64(uint64_t a) {
    return a ? 63 - (uint32_t)__builtin_clzll(a) : UINT32_MAX;
}
ALWAYS_INLINE uint32_t bfind_s64(int64_t a) {
    return bfind_u64((uint64_t)(a < 0 ? ~a : a));
}
ALWAYS_INLINE uint32_t shift_amount(uint32_t position, uint32_t msb) {
    return position == UINT32_MAX ? UINT32_MAX : msb - position;
}

/* fns: the |offset|-th set bit from `base` upwards (offset > 0) or downwards; 0: whether `base`
 * itself is set. The manual leaves base > 31 undefined; here nothing is found. An offset without a
 * magnitude, -2^31, gives 0 (tests/vectors). */
ALWAYS_INLINE uint32_t fns_b32(uint32_t mask, uint32_t base, int32_t offset) {
    if (offset == INT32_MIN)
        return 0;
    if (base > 31)
        return UINT32_MAX;
    if (offset == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    uint32_t wanted = offset > 0 ? (uint32_t)offset : 0 - (uint32_t)offset;
    for (uint32_t position = base; position<32; position += offset> 0 ? 1u : UINT32_MAX)
        if ((mask >> position & 1) && --wanted == 0)
            return position;
    return UINT32_MAX;
}

ALWAYS_INLINE uint32_t brev_b32(uint32_t a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}
ALWAYS_INLINE uint64_t brev_b64(uint64_t a) {
    return (uint64_t)brev_b32((uint32_t)a) << 32 | brev_b32((uint32_t)(a >> 32));
}

/* bfe: `length` bits from `position` on. What lies beyond the most significant bit reads as the
 * sign, for which the field's own top bit (or the operand's, if the field reaches beyond it) stands.
 * In 32 bits both are taken modulo 256, as the manual says; in 64 bits an H100 takes them as they
 * are (tests/vectors). */
ALWAYS_INLINE uint64_t bfe_u64(uint64_t a, uint32_t position, uint32_t length) {
    uint64_t field = position > 63 ? 0 : a >> position;
    return length > 63 ? field : field & ((UINT64_C(1) << length) - 1);
}
ALWAYS_INLINE int64_t bfe_s64(int64_t a, uint32_t position, uint32_t length) {
    int64_t field = a >> (position > 63 ? 63 : position);
    uint32_t above = length > 63 ? 0 : 64 - length;
    return length == 0 ? 0 : (int64_t)((uint64_t)field << above) >> above;
}
ALWAYS_INLINE uint32_t bfe_u32(uint32_t a, uint32_t b, uint32_t c) {
    return (uint32_t)bfe_u64(a, b & 0xff, c & 0xff);
}
ALWAYS_INLINE int32_t bfe_s32(int32_t a, uint32_t b, uint32_t c) {
    return (int32_t)bfe_s64(a, b & 0xff, c & 0xff);
}

/* bfi: `length` low bits of a replace those of b from `position` on; these two as for bfe. */
ALWAYS_INLINE uint64_t bfi_b64(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
    uint64_t field = length > 63 ? UINT64_MAX : (UINT64_C(1) << length) - 1;
    if (position > 63)
        return b;
    return (b & ~(field << position)) | (a & field) << position;
}

/* szext: the low b bits of a, sign- or zero-extended; b >= 32 takes all (.wrap: the row passes b
 * & 31). */
ALWAYS_INLINE uint32_t szext_u32(uint32_t a, uint32_t b) {
    return b > 31 ? a : a & ((1u << b) - 1);
}
ALWAYS_INLINE int32_t szext_s32(int32_t a, uint32_t b) {
    uint32_t above = b > 31 ? 0 : 32 - b;
    return b == 0 ? 0 : (int32_t)((uint32_t)a << above) >> above;
}
/* bmsk: b ones from position a on. */
ALWAYS_INLINE uint32_t bmsk_b32(uint32_t a, uint32_t b) {
    uint32_t ones = b > 31 ? UINT32_MAX : (1u << b) - 1;
    return a > 31 ? 0 : ones << a;
}

/* ---- dp4a, dp2a without the sum's third operand ---- */

ALWAYS_INLINE uint32_t byte_of(uint32_t word, uint32_t i) {
    return word >> 8 * i & 0xff;
}
ALWAYS_INLINE uint32_t signed_byte_of(uint32_t word, uint32_t i) {
    return (uint32_t)(int8_t)(word >> 8 * i);
}
ALWAYS_INLINE uint32_t half_of(uint32_t word, uint32_t i) {
    return word >> 16 * i & 0xffff;
}
ALWAYS_INLINE uint32_t signed_half_of(uint32_t word, uint32_t i) {
    return (uint32_t)(int16_t)(word >> 16 * i);
}
#define DP4A(name, of_a, of_b)                                                                     \
    ALWAYS_INLINE uint32_t name(uint32_t a, uint32_t b) {                                          \
        return of_a(a, 0) * of_b(b, 0) + of_a(a, 1) * of_b(b, 1) + of_a(a, 2) * of_b(b, 2) +       \
               of_a(a, 3) * of_b(b, 3);                                                            \
    }
#define DP2A(name, of_a, of_b)                                                                     \
    ALWAYS_INLINE uint32_t name(uint32_t a, uint32_t b) {                                          \
        return of_a(a, 0) * of_b(b, 0) + of_a(a, 1) * of_b(b, 1);                                  \
    }
DP4A(dp4a_uu, byte_of, byte_of)
DP4A(dp4a_us, byte_of, signed_byte_of)
DP4A(dp4a_su, signed_byte_of, byte_of)
DP4A(dp4a_ss, signed_byte_of, signed_byte_of)
DP2A(dp2a_uu, half_of, byte_of)
DP2A(dp2a_us, half_of, signed_byte_of)
DP2A(dp2a_su, signed_half_of, byte_of)
DP2A(dp2a_ss, signed_half_of, signed_byte_of)
#undef DP4A
#undef DP2A

/* ---- shf (9.7.8.7), prmt (9.7.9.7) ---- */

ALWAYS_INLINE uint64_t join_b32(uint32_t low, uint32_t high) {
    return (uint64_t)high << 32 | low;
}

/* One byte of {b, a}: bits 2..0 of the selector say which; bit 3: its sign over all 8 bits. */
ALWAYS_INLINE uint32_t prmt_byte(uint64_t bytes, uint32_t selector) {
    uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 0xff;
    return selector & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
ALWAYS_INLINE uint32_t prmt_b32(uint32_t a, uint32_t b, uint32_t c) {
    uint64_t bytes = join_b32(a, b);
    return prmt_byte(bytes, c) | prmt_byte(bytes, c >> 4) << 8 | prmt_byte(bytes, c >> 8) << 16 |
           prmt_byte(bytes, c >> 12) << 24;
}
/* The modes are generic permutations with a selector that depends on c's two low bits: four
 * hexadecimal digits of the manual's table for each. */
ALWAYS_INLINE uint32_t prmt_mode(uint32_t a, uint32_t b, uint32_t c, uint64_t table) {
    return prmt_b32(a, b, (uint32_t)(table >> 16 * (c & 3)) & 0xffff);
}
#define PRMT(mode, row3, row2, row1, row0)                                                         \
    ALWAYS_INLINE uint32_t prmt_##mode(uint32_t a, uint32_t b, uint32_t c) {                       \
        return prmt_mode(a, b, c, UINT64_C(0x##row3##row2##row1##row0));                           \
    }
PRMT(f4e, 6543, 5432, 4321, 3210)
PRMT(b4e, 0123, 7012, 6701, 5670)
PRMT(rc8, 3333, 2222, 1111, 0000)
PRMT(ecl, 3333, 3222, 3211, 3210)
PRMT(ecr, 3210, 2210, 1110, 0000)
PRMT(rc16, 3232, 1010, 3232, 1010)
#undef PRMT

/* ---- vabsdiff: |a - b| of each element of 8 or 16 bits; signed elements are told as unsigned ones
 * by flipping their top bits ---- */
ALWAYS_INLINE uint32_t absdiff_part(uint32_t a, uint32_t b, uint32_t part) {
    return (a & part) > (b & part) ? (a & part) - (b & part) : (b & part) - (a & part);
}
ALWAYS_INLINE uint32_t absdiff_u8x4(uint32_t a, uint32_t b) {
    return absdiff_part(a, b, 0xff) | absdiff_part(a, b, 0xff00) | absdiff_part(a, b, 0xff0000) |
           absdiff_part(a, b, 0xff000000);
}
ALWAYS_INLINE uint32_t absdiff_u16x2(uint32_t a, uint32_t b) {
    return absdiff_part(a, b, 0xffff) | absdiff_part(a, b, 0xffff0000);
}
ALWAYS_INLINE uint32_t sum_u8x4(uint32_t a) {
    return (a & 0xff) + (a >> 8 & 0xff) + (a >> 16 & 0xff) + (a >> 24);
}
ALWAYS_INLINE uint32_t sum_u16x2(uint32_t a) {
    return (a & 0xffff) + (a >> 16);
}
