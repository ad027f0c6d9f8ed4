/* The operands: a function of the input's type, its place among the inputs and the number of the
 * case. The first cases are special values, for two and more inputs all pairs of them; then come
 * random bits, numbers near 1, numbers with few digits (which make ties), integers, and numbers
 * related to the operands before, which cancel. A single operand of 16 bits takes all values. */
#include "vectors.h"

#include <math.h>
#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t state = a * UINT64_C(0x9e3779b97f4a7c15) + b;
    random_next(&state);
    return random_next(&state);
}

/* ---- integers ---- */

static const uint64_t integers[] = {
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    17,
    24,
    30,
    31,
    32,
    33,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0x7fffff,
    0x800000,
    0xffffff,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xfffffffe,
    0xffffffff,
    UINT64_C(0x100000000),
    UINT64_C(0x7fffffffffffffff),
    UINT64_C(0x8000000000000000),
    UINT64_C(0x8000000000000001),
    UINT64_C(0xfffffffffffffffe),
    UINT64_MAX,
    UINT64_C(0xffffffff80000000),
};
enum { INTEGERS = sizeof integers / sizeof *integers };

static uint64_t random_integer(uint64_t random) {
    const uint64_t bits = mix(random, 1);
    switch (random & 7) {
    case 0:
    case 1:
    case 2:
        return bits;
    case 3: /* -40 … 40 */
        return bits % 81 - 40;
    case 4: /* any length, either sign */
        return (bits & 64 ? 0 - (bits >> (bits & 63)) : bits >> (bits & 63));
    case 5: /* near a power of two */
        return (UINT64_C(1) << (bits & 63)) + (bits >> 6) % 5 - 2;
    case 6: /* bytes of a selector, small shifts */
        return bits & UINT64_C(0x0707070707070707);
    default:
        return integers[bits % INTEGERS];
    }
}

/* ---- floating point ---- */

typedef struct Format {
    uint32_t exponent_bits, fraction_bits;
} Format;

static bool format_of(Type type, Format *format) {
    switch (type) {
    case TYPE_F16:
    case TYPE_F16X2:
        *format = (Format){5, 10};
        return true;
    case TYPE_BF16:
    case TYPE_BF16X2:
        *format = (Format){8, 7};
        return true;
    case TYPE_F32:
        *format = (Format){8, 23};
        return true;
    case TYPE_F64:
        *format = (Format){11, 52};
        return true;
    default:
        return false;
    }
}

static uint64_t low_bits(uint32_t count) {
    return count > 63 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint64_t sign_of(const Format *format) {
    return UINT64_C(1) << (format->exponent_bits + format->fraction_bits);
}

/* value without the digits that the format does not have */
static uint64_t truncated(const Format *format, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int64_t bias = (int64_t)low_bits(format->exponent_bits - 1);
    int64_t exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023 + bias;
    if (exponent < 1)
        exponent = 0;
    if (exponent > 2 * bias)
        exponent = 2 * bias;
    const uint64_t fraction = (bits & low_bits(52)) >> (52 - format->fraction_bits);
    return (bits >> 63 ? sign_of(format) : 0) | (uint64_t)exponent << format->fraction_bits |
           fraction;
}

static double widened(const Format *format, uint64_t bits) {
    const uint64_t magnitude = bits & (sign_of(format) - 1);
    const int32_t bias = (int32_t)low_bits(format->exponent_bits - 1);
    const uint64_t exponent = magnitude >> format->fraction_bits;
    const uint64_t fraction = magnitude & low_bits(format->fraction_bits);
    const uint64_t significand =
        exponent ? fraction | UINT64_C(1) << format->fraction_bits : fraction;
    const double value = ldexp((double)significand, (int32_t)(exponent ? exponent : 1) - bias -
                                                        (int32_t)format->fraction_bits);
    return bits & sign_of(format) ? -value : value;
}

/* The special values: around zero, the least and greatest numbers, infinity, NaNs with and without
 * the quiet bit, around 1, and where conversions to integers and narrower formats change. */
enum { SPECIALS = 48 };
static uint64_t special(const Format *format, uint32_t index) {
    static const double numbers[] = {0.5,       1,
                                     1.5,       2,
                                     2.5,       3,
                                     127.5,     240,
                                     448,       464,
                                     32767.5,   57344,
                                     65504,     65519,
                                     65520,     0x1p31,
                                     0x1p32,    0x1p63,
                                     0x1p64,    0x1p-14,
                                     0x1p-24,   0x1p-25,
                                     0x1.8p-25, 126,
                                     149.5,     3.14159265358979312};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    const uint64_t infinity = low_bits(format->exponent_bits) << format->fraction_bits;
    const uint64_t least = UINT64_C(1) << format->fraction_bits, quiet = least >> 1;
    const uint64_t one = low_bits(format->exponent_bits - 1) << format->fraction_bits;
    const uint64_t patterns[] = {0,
                                 1,
                                 least - 1,
                                 least,
                                 least + 1,
                                 infinity - 1,
                                 infinity,
                                 infinity | 1,
                                 infinity | quiet,
                                 infinity | (quiet + 5),
                                 infinity | (quiet - 1),
                                 one - 1,
                                 one + 1,
                                 infinity | low_bits(format->fraction_bits)};
    enum { PATTERNS = sizeof patterns / sizeof *patterns };
    const uint64_t sign = sign_of(format);
    if (index < 2 * PATTERNS)
        return patterns[index / 2] | (index & 1 ? sign : 0);
    index -= 2 * PATTERNS;
    return truncated(format, numbers[index % NUMBERS]) |
           (mix(index, 5) & 1 && index >= 6 ? sign : 0);
}

/* b such that a * b or a / b is about the least normal number. */
static uint64_t close_to_least(const Format *format, uint64_t a, uint64_t bits) {
    const int32_t least = 2 - (int32_t)(UINT64_C(1) << (format->exponent_bits - 1));
    const double x = fabs(widened(format, a));
    const uint64_t b = truncated(format, bits & 8 ? ldexp(1, least) / x : ldexp(x, -least));
    return b + bits % 3 - (b > 0);
}

enum { MODES = 11 }; /* of random_float */

/* One number of the format; `before`: operands of the same format that are already chosen. */
static uint64_t random_float(const Format *format, uint64_t random, uint32_t place,
                             const uint64_t *before) {
    const uint64_t bits = mix(random, 2), all = sign_of(format) * 2 - 1;
    const uint32_t fraction_bits = format->fraction_bits;
    const uint64_t fraction = bits & low_bits(fraction_bits),
                   sign = bits >> 63 ? sign_of(format) : 0;
    const uint64_t bias = low_bits(format->exponent_bits - 1);
    const uint64_t near = (bias - 8 + (bits >> 55 & 15)) << fraction_bits;
    switch (random % MODES) {
    case 0:
    case 1:
        return bits & all;
    case 2:
    case 3:
        return sign | near | fraction;
    case 4: /* few digits */
        return sign | near |
               (fraction & fraction << (1 + (bits >> 50 & 7)) & bits >> 20 &
                low_bits(fraction_bits));
    case 5: /* subnormal, or just above */
        return sign | (fraction >> (bits >> 58 & 15)) | (bits >> 53 & 1) << fraction_bits;
    case 6: /* integers and a half */
        return truncated(format, (double)((int64_t)bits >> (41 + (bits & 15))) * 0.5);
    case 7: /* any magnitude of integers */
        return truncated(format, (double)((int64_t)bits >> (bits & 63)));
    case 8:
        return special(format, (uint32_t)(bits % SPECIALS));
    case 9: /* cancels */
        if (place == 1)
            return ((before[0] ^ (bits & 8 ? sign_of(format) : 0)) + bits % 4) & all;
        if (place == 2)
            return truncated(format, -widened(format, before[0]) * widened(format, before[1])) ^
                   (bits & 3 ? 0 : bits >> 8 & 3);
        return sign | near | fraction;
    default: /* product or quotient close to the least normal number */
        if (place == 1)
            return close_to_least(format, before[0], bits) | sign;
        return sign | (place == 2 ? bits & 3 : near | fraction);
    }
}

/* ---- which case is what ---- */

static uint32_t specials_of(Type type) {
    Format format;
    return format_of(type, &format) ? SPECIALS : type == TYPE_PRED ? 2 : INTEGERS;
}

/* Cases in another order, so that any few in a row are a sample. cases: a power of two. */
static uint32_t permuted(uint32_t cases, uint32_t index) {
    return (uint32_t)(index * UINT64_C(2654435769)) & (cases - 1);
}

/* The number of this input's special value in the case, or -1. */
static int64_t special_index(const Kernel *kernel, uint32_t input, uint32_t place, Type type) {
    const uint32_t count = specials_of(type), inputs = kernel->inputs.count;
    if (inputs == 1)
        return place < count ? (int64_t)place : -1;
    const uint32_t first = specials_of(kernel->inputs.at[0].type);
    const uint32_t second = specials_of(kernel->inputs.at[1].type);
    if (place >= first * second)
        return -1;
    return input == 0   ? place % first
           : input == 1 ? place / first
                        : (int64_t)(mix(place, 77 + input) % count);
}

static uint64_t number(const Kernel *kernel, uint32_t input, uint32_t place, uint32_t half) {
    const Type type = kernel->inputs.at[input].type;
    const int64_t index = half ? -1 : special_index(kernel, input, place, type);
    const uint64_t random = mix(place * 2 + half, input * 1000 + (uint32_t)type);
    Format format;
    if (!format_of(type, &format)) {
        const uint64_t junk = type_bytes(type) < 4 ? mix(random, 9) << 8 * type_bytes(type) : 0;
        const uint64_t value = index >= 0 ? integers[index] : random_integer(random);
        return junk ? (value & low_bits(8 * type_bytes(type))) | junk : value;
    }
    if (index >= 0)
        return special(&format, (uint32_t)index);
    uint64_t before[2] = {0, 0};
    for (uint32_t i = 0; i < input && i < 2; i++)
        if (random % MODES >= 9)
            before[i] = number(kernel, i, place, half);
    return random_float(&format, random, input, before);
}

static uint64_t any_value(const Kernel *kernel, uint32_t input, uint32_t index) {
    const Type type = kernel->inputs.at[input].type;
    const uint32_t place = permuted(kernel->cases, index);
    if (kernel->inputs.count == 1 && type_bytes(type) == 2)
        return place;
    if (type == TYPE_PRED)
        return mix(place, input + 33) & 1;
    const uint64_t low = number(kernel, input, place, 0);
    const bool pair = type == TYPE_F16X2 || type == TYPE_BF16X2;
    return pair ? low | number(kernel, input, place, 1) << 16 : low;
}

/* ---- warps ---- */

static uint32_t members_of(uint32_t warp) {
    static const uint32_t some[] = {FULL_MASK,  1,          0x80000000, 0xffff,
                                    0x55555555, 0xfffffffe, 0x00ffff00, 0x80000001};
    const uint32_t random = (uint32_t)mix(warp, 101);
    return warp % 16 < 8 ? some[warp % 8] : random ? random : 1;
}

/* "shfl.sync" in the manual */
static uint32_t source_lane(Func mode, uint32_t lane, uint32_t b, uint32_t c) {
    const uint32_t segment = c >> 8 & 31, bound = (lane & segment) | (c & 31 & ~segment);
    const uint32_t delta = b & 31;
    const int32_t j = mode == FUNC_UP     ? (int32_t)(lane - delta)
                      : mode == FUNC_DOWN ? (int32_t)(lane + delta)
                      : mode == FUNC_BFLY ? (int32_t)(lane ^ delta)
                                          : (int32_t)((lane & segment) | (delta & ~segment));
    const bool inside = mode == FUNC_UP ? j >= (int32_t)bound : j <= (int32_t)bound;
    return inside ? (uint32_t)j : lane;
}

static uint32_t shuffle_b(uint32_t index) {
    const uint32_t warp = index / WARP_LANES;
    const uint64_t random = warp & 1 ? mix(warp, 55) : mix(index, 56);
    return (uint32_t)(random & 64 ? random >> 32 : random >> 32 & 31);
}

static uint32_t shuffle_c(uint32_t index) {
    static const uint32_t some[] = {0x1f, 0, 0x181f, 0x1c1f, 0x1e1f, 0x1000, 0x1800, 0x1f};
    const uint32_t warp = index / WARP_LANES;
    if (warp % 4 < 2)
        return some[mix(warp, 66) % 8];
    const uint64_t random = warp & 4 ? mix(warp, 57) : mix(index, 58);
    return (uint32_t)(random & 64 ? random >> 32 : random >> 32 & 0x1f1f);
}

/* A b whose source is a member: the first of some random ones, else none: 0 is the lane itself, but
 * for idx its own number. */
static uint32_t shuffle_in(Func mode, uint32_t index) {
    const uint32_t lane = index % WARP_LANES, c = shuffle_c(index);
    const uint32_t members = members_of(index / WARP_LANES);
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t b = (uint32_t)mix(index, 1000 + i) & 31;
        if (members >> source_lane(mode, lane, b, c) & 1)
            return b;
    }
    return mode == FUNC_IDX ? lane : 0;
}

static uint32_t vote_bit(uint32_t index) {
    const uint32_t warp = index / WARP_LANES, lane = index % WARP_LANES;
    switch (warp % 6) {
    case 0:
        return 1;
    case 1:
        return 0;
    case 2:
        return lane == mix(warp, 3) % WARP_LANES;
    case 3:
        return lane != mix(warp, 3) % WARP_LANES;
    default:
        return mix(index, 4) & 1;
    }
}

static uint64_t few(const Kernel *kernel, uint32_t index) {
    const uint32_t warp = index / WARP_LANES;
    static const uint64_t some[] = {0, UINT64_C(0x100000001), UINT64_MAX,
                                    UINT64_C(0x8000000080000000)};
    return some[mix(warp % 4 ? index : warp, 5) % (1 + mix(warp, kernel->inputs.count) % 4)];
}

uint64_t operand_value(const Kernel *kernel, uint32_t input, uint32_t index) {
    const Input *in = &kernel->inputs.at[input];
    switch (in->fill) {
    case FILL_BIT:
        return mix(index, 7) & 1;
    case FILL_VOTE:
        return vote_bit(index);
    case FILL_FEW:
        return few(kernel, index);
    case FILL_COMPARE:
        return mix(index, 8) & 3 ? any_value(kernel, 0, index) : any_value(kernel, input, index);
    case FILL_MEMBERS:
        return members_of(index / WARP_LANES);
    case FILL_SHUFFLE_B:
        return shuffle_b(index);
    case FILL_SHUFFLE_C:
        return shuffle_c(index);
    case FILL_SHUFFLE_IN:
        return shuffle_in(in->mode, index);
    default:
        return any_value(kernel, input, index);
    }
}
