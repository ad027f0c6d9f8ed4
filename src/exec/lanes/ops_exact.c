/* Conversion between scalar types by way of an exact value (PTX ISA 9.7.9.21, "cvt"). */
#include "exec/lanes/ops_exact.h"

/* A binary floating-point format: 1 sign bit, exponent_bits, fraction_bits; with subnormals,
 * infinities and NaNs. tf32 is kept in 32 bits with its fraction on top, the 13 bits below it
 * being zero. (Those of 8 bits: ops_half.h.) */
typedef struct Format {
    uint32_t exponent_bits, fraction_bits, below;
    uint64_t nan;
} Format;

static Format format_of(Type type) {
    switch (type) {
    case TYPE_F16:
        return (Format){5, 10, 0, 0x7fff};
    case TYPE_BF16:
        return (Format){8, 7, 0, 0x7fff};
    case TYPE_TF32:
        return (Format){8, 10, 13, 0x7fffe000};
    case TYPE_F32:
        return (Format){8, 23, 0, 0x7fffffff};
    default:
        return (Format){11, 52, 0, UINT64_C(0xfff8000000000000)};
    }
}

static uint64_t low_mask(uint32_t bits) {
    return bits > 63 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static Exact read_integer(Type type, uint64_t bits) {
    const uint32_t above = 64 - 8 * type_bytes(type);
    Exact value = {.significand = bits << above >> above};
    if (type_is_signed(type) && (int64_t)(bits << above) < 0) {
        value.negative = true;
        value.significand = (0 - (bits << above)) >> above;
    }
    return value;
}

Exact AT_LEVEL(exact_read)(Type type, uint64_t bits) {
    if (!type_is_float(type))
        return read_integer(type, bits);
    const Format format = format_of(type);
    const uint32_t fraction_bits = format.fraction_bits;
    const uint64_t field = low_mask(format.exponent_bits);
    bits >>= format.below;
    Exact value = {.negative = bits >> (fraction_bits + format.exponent_bits) & 1};
    const uint64_t exponent = bits >> fraction_bits & field;
    const uint64_t fraction = bits & low_mask(fraction_bits);
    if (exponent == field) {
        value.kind = fraction ? EXACT_NAN : EXACT_INFINITE;
        value.significand = fraction << (64 - fraction_bits);
        return value;
    }
    const int32_t bias = (int32_t)(field >> 1);
    value.significand = exponent ? fraction | UINT64_C(1) << fraction_bits : fraction;
    value.exponent = (int32_t)(exponent ? exponent : 1) - bias - (int32_t)fraction_bits;
    return value;
}

/* significand / 2^shift, rounded to an integer. */
static uint64_t shift_round(uint64_t significand, uint32_t shift, bool negative, Round round) {
    if (shift == 0 || significand == 0)
        return significand;
    const uint64_t kept = shift > 63 ? 0 : significand >> shift;
    const uint64_t rest = shift > 64 ? 1 : significand & low_mask(shift);
    const uint64_t half = shift > 64 ? 2 : UINT64_C(1) << (shift - 1);
    switch (round) {
    case ROUND_RN:
    case ROUND_RNI:
        return kept + (rest > half || (rest == half && (kept & 1)));
    case ROUND_RNA:
        return kept + (rest >= half);
    case ROUND_RM:
    case ROUND_RMI:
        return kept + (negative && rest);
    case ROUND_RP:
    case ROUND_RPI:
        return kept + (!negative && rest);
    default:
        return kept;
    }
}

static bool is_integer_round(Round round) {
    return round == ROUND_RNI || round == ROUND_RZI || round == ROUND_RMI || round == ROUND_RPI;
}

static Exact round_integer(Exact value, Round round) {
    if (value.kind == EXACT_FINITE && value.exponent < 0) {
        value.significand =
            shift_round(value.significand, (uint32_t)-value.exponent, value.negative, round);
        value.exponent = 0;
    }
    return value;
}

/* A NaN becomes 0 between formats of up to 32 bits, else 1 in the top bit; what is out of range
 * is clamped. */
static uint64_t write_integer(const ExactForm *form, Exact value) {
    const uint32_t bits = 8 * type_bytes(form->type);
    const bool is_signed = type_is_signed(form->type);
    const uint64_t top = UINT64_C(1) << (bits - 1);
    if (value.kind == EXACT_NAN)
        return form->from != TYPE_F64 && bits != 64 ? 0 : top;
    const uint64_t greatest = is_signed ? top - 1 : low_mask(bits);
    const uint64_t limit = value.negative ? is_signed ? top : 0 : greatest;
    value = round_integer(value, form->round);
    uint64_t magnitude = value.significand;
    if (value.kind == EXACT_INFINITE ||
        (magnitude && value.exponent > __builtin_clzll(magnitude)) ||
        (magnitude && magnitude << value.exponent > limit))
        magnitude = limit;
    else if (magnitude)
        magnitude <<= value.exponent;
    return (value.negative ? 0 - magnitude : magnitude) & low_mask(bits);
}

/* Between integers there is nothing to round: the low bits, or with .sat the nearest value in
 * range. */
static uint64_t write_low_bits(const ExactForm *form, Exact value) {
    if (form->flags & MOD_SAT)
        return write_integer(form, value);
    uint64_t bits = value.negative ? 0 - value.significand : value.significand;
    return bits & low_mask(8 * type_bytes(form->type));
}

/* The magnitude beyond the greatest finite one. */
static bool overflows_to_infinity(Round round, bool negative) {
    return !(round == ROUND_RZ || (round == ROUND_RM && !negative) ||
             (round == ROUND_RP && negative));
}

static uint64_t write_magnitude(const ExactForm *form, const Format *format, Exact value) {
    const uint32_t fraction_bits = format->fraction_bits;
    const uint64_t infinity = low_mask(format->exponent_bits) << fraction_bits;
    const uint64_t beyond = form->flags & MOD_SATFINITE ? infinity - 1 : infinity;
    if (value.kind == EXACT_INFINITE)
        return beyond;
    if (value.significand == 0)
        return 0;
    const int32_t zeros = __builtin_clzll(value.significand);
    const uint64_t normal = value.significand << zeros;
    const int32_t exponent = value.exponent + 63 - zeros; /* value = 1.… * 2^exponent */
    const int32_t least = 2 - (1 << (format->exponent_bits - 1));
    const uint32_t deficit = exponent < least ? (uint32_t)(least - exponent) : 0;
    const uint64_t kept =
        shift_round(normal, 63 - fraction_bits + deficit, value.negative, form->round);
    const uint64_t above = deficit ? 0 : (uint64_t)(exponent - least);
    const uint64_t bits = (above << fraction_bits) + kept;
    if (bits < infinity)
        return bits;
    return overflows_to_infinity(form->round, value.negative) ? beyond : infinity - 1;
}

/* Measured on an H100 (tests/vectors): a NaN keeps its sign and the upper bits of its payload, and
 * becomes a quiet one, on the way from and to double precision; to tf32 with .rna it is truncated
 * like a number, and .satfinite takes one from that; else it is the canonical one. */
static uint64_t write_nan(const ExactForm *form, const Format *format, Exact value) {
    const uint32_t fraction_bits = format->fraction_bits, exponent_bits = format->exponent_bits;
    const bool is_rna = form->round == ROUND_RNA;
    if (form->type != TYPE_F64 && form->from != TYPE_F64 && !is_rna)
        return format->nan;
    const uint64_t quiet = is_rna ? 0 : UINT64_C(1) << (fraction_bits - 1);
    const uint64_t sign = (uint64_t)value.negative << (exponent_bits + fraction_bits);
    const uint64_t bits = sign | low_mask(exponent_bits) << fraction_bits | quiet |
                          value.significand >> (64 - fraction_bits);
    return (bits - (form->flags & MOD_SATFINITE && is_rna)) << format->below;
}

uint64_t AT_LEVEL(exact_write)(const ExactForm *form, Exact value) {
    if (!type_is_float(form->type))
        return type_is_float(form->from) ? write_integer(form, value) : write_low_bits(form, value);
    const Format format = format_of(form->type);
    if (form->flags & MOD_SAT) {
        const uint64_t one = low_mask(format.exponent_bits - 1) << format.fraction_bits;
        if (value.kind == EXACT_NAN || value.negative)
            return 0;
        ExactForm plain = *form;
        plain.flags &= ~(uint32_t)MOD_SAT;
        uint64_t bits = AT_LEVEL(exact_write)(&plain, value);
        return bits > one ? one : bits;
    }
    if (value.kind == EXACT_NAN)
        return write_nan(form, &format, value);
    if (is_integer_round(form->round))
        value = round_integer(value, form->round);
    uint64_t magnitude = write_magnitude(form, &format, value);
    if ((form->flags & MOD_FTZ) && form->type == TYPE_F32 && magnitude < 0x00800000)
        magnitude = 0;
    if ((form->flags & MOD_RELU) && value.negative)
        return 0;
    const uint32_t width = format.exponent_bits + format.fraction_bits;
    return (magnitude | (uint64_t)value.negative << width) << format.below;
}
