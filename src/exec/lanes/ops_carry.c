/* Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc (PTX ISA 9.7.2). The carry of lane
 * l is bit l of warp->carry. A subtraction adds the complement, as it does on an H100 (tests/vectors):
 * a carry out is no borrow, and one that goes in is none. */
#include "exec/lanes/ops_integer.h"

/* What a row does: d = a + b [+ carry], a - b [- carry], or half of a * b, + c [+ carry]. */
typedef enum Form { FORM_ADD, FORM_SUB, FORM_MAD_LO, FORM_MAD_HI } Form;

/* x + y + carry in `bits` bits; *carry becomes the carry out. */
ALWAYS_INLINE uint64_t add_carry(uint64_t x, uint64_t y, uint32_t bits, uint32_t *carry) {
    Wide sum = (Wide)x + y + *carry;
    *carry = (uint32_t)(sum >> bits) & 1;
    return (uint64_t)sum;
}

ALWAYS_INLINE uint64_t high_half(uint64_t a, uint64_t b, bool is_signed, uint32_t bits) {
    if (bits == 64)
        return is_signed ? (uint64_t)mul_hi_s64((int64_t)a, (int64_t)b) : mul_hi_u64(a, b);
    int64_t product = (int64_t)(int32_t)a * (int32_t)b;
    return is_signed ? (uint32_t)((uint64_t)product >> 32) : a * b >> 32;
}

ALWAYS_INLINE uint64_t read_lane(const Warp *warp, uint32_t offset, uint32_t bits, uint32_t l) {
    return bits == 64 ? reg64(warp, offset)[l] : reg32(warp, offset)[l];
}

ALWAYS_INLINE Step carry_lanes(Warp *warp, const Code *code, uint32_t mask, Form form, bool in,
                               uint32_t bits) {
    const bool is_signed = type_is_signed(code->mods.type);
    uint32_t carries = 0;
    for_lanes(l, mask) {
        uint32_t carry = in ? warp->carry >> l & 1 : form == FORM_SUB;
        uint64_t a = read_lane(warp, code->a, bits, l), b = read_lane(warp, code->b, bits, l);
        uint64_t value;
        if (form == FORM_ADD) {
            value = add_carry(a, b, bits, &carry);
        } else if (form == FORM_SUB) {
            value = add_carry(a, bits == 64 ? ~b : (uint32_t)~b, bits, &carry);
        } else {
            uint64_t c = read_lane(warp, code->c, bits, l);
            uint64_t low = bits == 64 ? a * b : (uint32_t)(a * b);
            uint64_t part = form == FORM_MAD_LO ? low : high_half(a, b, is_signed, bits);
            value = add_carry(part, c, bits, &carry);
        }
        carries |= carry << l;
        if (bits == 64)
            reg64(warp, code->d)[l] = value;
        else
            reg32(warp, code->d)[l] = (uint32_t)value;
    }
    if (code->mods.flags & MOD_CC)
        warp->carry = (warp->carry & ~mask) | carries;
    return STEP_NEXT;
}

#define CARRY(name, form, in)                                                                      \
    static Step name##_32(Warp *warp, const Code *code, uint32_t mask) {                           \
        return carry_lanes(warp, code, mask, form, in, 32);                                        \
    }                                                                                              \
    static Step name##_64(Warp *warp, const Code *code, uint32_t mask) {                           \
        return carry_lanes(warp, code, mask, form, in, 64);                                        \
    }
CARRY(add_cc, FORM_ADD, false)
CARRY(addc, FORM_ADD, true)
CARRY(sub_cc, FORM_SUB, false)
CARRY(subc, FORM_SUB, true)
CARRY(mad_lo_cc, FORM_MAD_LO, false)
CARRY(mad_hi_cc, FORM_MAD_HI, false)
CARRY(madc_lo, FORM_MAD_LO, true)
CARRY(madc_hi, FORM_MAD_HI, true)

#define CARRY_CASE(name)                                                                           \
    case OP_##name:                                                                                \
        return is_long ? (Pair){name##_64, name##_64, NULL} : (Pair) {                             \
            name##_32, name##_32, NULL                                                             \
        }

Pair AT_LEVEL(ops_carry)(Op op, const Code *code) {
    const bool is_long = type_bytes(code->mods.type) == 8;
    switch (op) {
        CARRY_CASE(add_cc);
        CARRY_CASE(addc);
        CARRY_CASE(sub_cc);
        CARRY_CASE(subc);
        CARRY_CASE(mad_lo_cc);
        CARRY_CASE(mad_hi_cc);
        CARRY_CASE(madc_lo);
        CARRY_CASE(madc_hi);
    default:
        return (Pair){0};
    }
}
