/* Half-precision arithmetic: .f16, .bf16 and pairs of them (PTX ISA 9.7.4).
 *
 * Exactness. Every result is the exact one rounded once to nearest even:
 *   add, sub   in single precision, which has 24 >= 2 * 11 + 2 digits, so that rounding again to 11
 *              (f16) or 8 (bf16) digits gives what one rounding would (Figueroa, "When is double
 *              rounding innocuous?", 1995). A sum that is subnormal is a multiple of the least
 *              subnormal and thus exact.
 *   mul        in single precision: 22 or 16 digits, exact. A product of bf16 numbers loses digits
 *              only below 2^-134, half of the least subnormal, and stays on the same side of it, or
 *              comes to lie on it from below; both round to zero.
 *   fma        the product is exact, of f16 in single precision, of bf16, for its range, in double
 *              precision; the sum is rounded to odd, which keeps what the second rounding has to
 *              know (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
 * tanh and ex2 are approximations: those of single precision without their last digits, as on an H100
 * (tests/vectors).
 *
 * NaN. Every result that is a NaN is 0x7fff, that of abs and neg included, which the manual leaves
 * open. Modifiers, in this order: .ftz flushes operands and result to zero of the same sign; .sat
 * clamps to [0, 1], a NaN to +0; .relu clamps what is negative to +0. */
#include "exec/lanes/ops_half.h"
#include "exec/lanes/ops_mufu.h"

/* ---- one element ---- */

typedef struct HalfFormat {
    uint32_t fraction_bits, infinity, one;
    int32_t digits, least; /* exponent of the least normal number */
} HalfFormat;
static const HalfFormat f16 = {10, 0x7c00, 0x3c00, 11, -14};
static const HalfFormat bf16 = {7, 0x7f80, 0x3f80, 8, -126};

ALWAYS_INLINE float widen(bool is_f16, uint32_t half) {
    return f32_of_bits(is_f16 ? f32_bits_of_f16(half) : f32_bits_of_bf16(half));
}
ALWAYS_INLINE uint32_t narrow(bool is_f16, float value) {
    uint32_t bits = bits_of_f32(value);
    return is_f16 ? f16_bits_of_f32(bits) : bf16_bits_of_f32(bits);
}

/* The exact a + b if it is a double, else that of its two neighbours whose last bit is 1. The error
 * of the sum is exact (Knuth's TwoSum); it is a NaN where the sum is not finite. */
ALWAYS_INLINE double add_to_odd(double a, double b) {
    double sum = a + b;
    double part = sum - a;
    double error = (a - (sum - part)) + (b - part);
    uint64_t bits = bits_of_f64(sum);
    bool outwards = (error > 0) == (sum > 0);
    uint64_t odd = bits & 1 ? bits : outwards ? bits + 1 : bits - 1;
    return error < 0 || error > 0 ? f64_of_bits(odd) : sum;
}

/* The same in single precision. */
ALWAYS_INLINE float add_to_odd_f32(float a, float b) {
    float sum = a + b;
    float part = sum - a;
    float error = (a - (sum - part)) + (b - part);
    uint32_t bits = bits_of_f32(sum);
    bool outwards = (error > 0) == (sum > 0);
    uint32_t odd = bits & 1 ? bits : outwards ? bits + 1 : bits - 1;
    return error < 0 || error > 0 ? f32_of_bits(odd) : sum;
}

/* Rounded to a multiple of the unit in the last place that the narrow format has there: adding
 * 1.5 * 2^52 units leaves no digits below it. The result is a single-precision number, or beyond
 * the narrow format's range and then rounded to an infinity by narrow(). */
ALWAYS_INLINE float round_double(const HalfFormat *format, double value) {
    const uint64_t field = UINT64_C(0x7ff) << 52, sign = UINT64_C(1) << 63;
    const uint64_t least = (uint64_t)(1023 + format->least) << 52;
    const uint64_t shift = (uint64_t)(53 - format->digits) << 52;
    uint64_t bits = bits_of_f64(value);
    uint64_t exponent = bits & field;
    exponent = (int64_t)exponent > (int64_t)least ? exponent : least;
    double large = f64_of_bits((exponent + shift) | UINT64_C(1) << 51);
    double magnitude = (f64_of_bits(bits & ~sign) + large) - large;
    double rounded = f64_of_bits(bits_of_f64(magnitude) | (bits & sign));
    return (float)(value - value == 0 ? rounded : value);
}

ALWAYS_INLINE uint32_t fma_half(bool is_f16, float a, float b, float c) {
    if (is_f16)
        return f16_bits_of_f32(bits_of_f32(add_to_odd_f32(a * b, c)));
    double sum = add_to_odd((double)a * (double)b, (double)c);
    return bf16_bits_of_f32(bits_of_f32(round_double(&bf16, sum)));
}

typedef enum Action {
    ACTION_ADD,
    ACTION_SUB,
    ACTION_MUL,
    ACTION_FMA,
    ACTION_ABS,
    ACTION_NEG,
    ACTION_MIN,
    ACTION_MAX,
    ACTION_TANH,
    ACTION_EX2
} Action;

/* .xorsign takes the magnitudes; element() adds the sign. */
ALWAYS_INLINE float extreme(Action action, uint32_t flags, float a, float b) {
    const bool xorsign = flags & MOD_XORSIGN, with_nan = flags & MOD_NAN;
    float x = xorsign ? fabsf(a) : a, y = xorsign ? fabsf(b) : b;
    float other = action == ACTION_MIN ? min_f32(x, y) : max_f32(x, y);
    return with_nan && (a != a || b != b) ? a + b : other;
}

ALWAYS_INLINE uint32_t compute(Action action, bool is_f16, uint32_t flags, float a, float b,
                               float c) {
    switch (action) {
    case ACTION_ADD:
        return narrow(is_f16, a + b);
    case ACTION_SUB:
        return narrow(is_f16, a - b);
    case ACTION_MUL:
        return narrow(is_f16, a * b);
    case ACTION_FMA:
        return fma_half(is_f16, a, b, c);
    case ACTION_ABS:
        return narrow(is_f16, fabsf(a));
    case ACTION_NEG:
        return narrow(is_f16, -a);
    case ACTION_TANH:
        return is_f16 ? f16_truncated(tanh_f32(a)) : bf16_truncated(tanh_f32(a));
    case ACTION_EX2:
        return is_f16 ? f16_truncated(ex2_f32(a, true)) : bf16_truncated(ex2_f32(a, true));
    default:
        return narrow(is_f16, extreme(action, flags, a, b));
    }
}

ALWAYS_INLINE uint32_t flush(const HalfFormat *format, uint32_t half) {
    return half & format->infinity ? half : half & 0x8000;
}

/* .ftz of a result that only rounding makes normal: told by the result for operands 1024 times as
 * large (ops_float.h has the same for single precision). */
ALWAYS_INLINE uint32_t unless_tiny(uint32_t scaled, uint32_t value) {
    return (scaled & 0x7fff) < 0x2c00 ? value & 0x8000 : value; /* 2^-4 */
}

/* The operands and the result are the low 16 bits. */
ALWAYS_INLINE uint32_t element(Action action, bool is_f16, uint32_t flags, uint32_t a, uint32_t b,
                               uint32_t c) {
    const HalfFormat *format = is_f16 ? &f16 : &bf16;
    a &= 0xffff, b &= 0xffff, c &= 0xffff;
    if (flags & MOD_FTZ)
        a = flush(format, a), b = flush(format, b), c = flush(format, c);
    const float x = widen(is_f16, a), y = widen(is_f16, b), z = widen(is_f16, c);
    uint32_t value = compute(action, is_f16, flags, x, y, z);
    if ((flags & MOD_FTZ) && (action == ACTION_MUL || action == ACTION_FMA))
        value = unless_tiny(compute(action, is_f16, 0, x * 1024, y, z * 1024), value);
    const uint32_t one = format->one, infinity = format->infinity;
    if (flags & MOD_XORSIGN)
        value = value > infinity ? value : value | ((a ^ b) & 0x8000);
    if ((flags & MOD_FTZ) && action != ACTION_ABS &&
        action != ACTION_NEG) /* of these it is normal */
        value = flush(format, value);
    if (flags & MOD_SAT)
        value = value > infinity ? 0 : value > one ? one : value; /* unsigned: a sign is large */
    if (flags & MOD_RELU)
        value = value & 0x8000 ? 0 : value;
    return value;
}

/* ---- the warp ---- */

ALWAYS_INLINE Step half_lanes(const Warp *warp, const Code *code, uint32_t mask, Action action,
                              bool is_f16, bool is_pair, uint32_t flags) {
    const uint32_t operands = action == ACTION_FMA ? 3
                              : action == ACTION_ADD || action == ACTION_SUB ||
                                      action == ACTION_MUL || action == ACTION_MIN ||
                                      action == ACTION_MAX
                                  ? 2
                                  : 1;
    const uint32_t *in_a = __builtin_assume_aligned(reg32(warp, code->a), 64);
    const uint32_t *in_b = operands > 1 ? reg32(warp, code->b) : in_a;
    const uint32_t *in_c = operands > 2 ? reg32(warp, code->c) : in_a;
    uint32_t *out = __builtin_assume_aligned(reg32(warp, code->d), 64);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t a = in_a[l], b = in_b[l], c = in_c[l];
        uint32_t value = element(action, is_f16, flags, a, b, c);
        if (is_pair)
            value |= element(action, is_f16, flags, a >> 16, b >> 16, c >> 16) << 16;
        out[l] = mask & lane_bit[l] ? value : out[l];
    }
    return STEP_NEXT;
}

/* A function for the instruction as it stands and one for any of its modifiers. */
#define TYPE_FUNCTIONS(name, action, type, is_f16, is_pair, modifiers)                             \
    static Step name##_##type(Warp *warp, const Code *code, uint32_t mask) {                       \
        return half_lanes(warp, code, mask, action, is_f16, is_pair, 0);                           \
    }                                                                                              \
    static Step name##_##type##_any(Warp *warp, const Code *code, uint32_t mask) {                 \
        const bool one = ((modifiers) & ((modifiers)-1)) == 0; /* which is there, then */          \
        return half_lanes(warp, code, mask, action, is_f16, is_pair,                               \
                          one ? (modifiers) : code->mods.flags & (modifiers));                     \
    }
#define FUNCTIONS(name, action, of_f16, of_bf16)                                                   \
    TYPE_FUNCTIONS(name, action, f16, true, false, of_f16)                                         \
    TYPE_FUNCTIONS(name, action, f16x2, true, true, of_f16)                                        \
    TYPE_FUNCTIONS(name, action, bf16, false, false, of_bf16)                                      \
    TYPE_FUNCTIONS(name, action, bf16x2, false, true, of_bf16)

/* With the modifiers that ops.def has for f16, and for bf16. */
#define ACTIONS(ACTION_)                                                                           \
    ACTION_(add, ACTION_ADD, MOD_FTZ | MOD_SAT, 0)                                                 \
    ACTION_(sub, ACTION_SUB, MOD_FTZ | MOD_SAT, 0)                                                 \
    ACTION_(mul, ACTION_MUL, MOD_FTZ | MOD_SAT, 0)                                                 \
    ACTION_(fma, ACTION_FMA, MOD_FTZ | MOD_SAT | MOD_RELU, MOD_RELU)                               \
    ACTION_(abs, ACTION_ABS, MOD_FTZ, 0)                                                           \
    ACTION_(neg, ACTION_NEG, MOD_FTZ, 0)                                                           \
    ACTION_(min, ACTION_MIN, MOD_FTZ | MOD_NAN | MOD_XORSIGN, MOD_NAN | MOD_XORSIGN)               \
    ACTION_(max, ACTION_MAX, MOD_FTZ | MOD_NAN | MOD_XORSIGN, MOD_NAN | MOD_XORSIGN)               \
    ACTION_(tanh, ACTION_TANH, 0, 0)                                                               \
    ACTION_(ex2, ACTION_EX2, 0, MOD_FTZ)
ACTIONS(FUNCTIONS)

typedef struct HalfRow {
    Op op;
    Execute plain[4], any[4]; /* f16, f16x2, bf16, bf16x2 */
} HalfRow;
/* Constants: a function that no spelling asks for is not there. Where bf16 has .ftz, it is never left out. */
#define ANY_OF(name, type, modifiers) ((modifiers) ? name##_##type##_any : name##_##type)
#define PLAIN_OF(name, type, modifiers)                                                            \
    (((modifiers)&MOD_FTZ) != 0 ? name##_##type##_any : name##_##type)
#define HALF_ROW(name, action, of_f16, of_bf16)                                                    \
    {OP_##name##_half,                                                                             \
     {name##_f16, name##_f16x2, PLAIN_OF(name, bf16, of_bf16), PLAIN_OF(name, bf16x2, of_bf16)},   \
     {ANY_OF(name, f16, of_f16), ANY_OF(name, f16x2, of_f16), ANY_OF(name, bf16, of_bf16),         \
      ANY_OF(name, bf16x2, of_bf16)}},
static const HalfRow rows[] = {ACTIONS(HALF_ROW)};

Pair AT_LEVEL(ops_half)(Op op, const Code *code) {
    const uint32_t type = code->mods.type - (uint32_t)TYPE_F16;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == op) {
            Execute execute = code->mods.flags ? rows[i].any[type] : rows[i].plain[type];
            return (Pair){execute, execute, NULL};
        }
    return (Pair){0};
}
