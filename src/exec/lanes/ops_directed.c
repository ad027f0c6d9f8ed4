/* Arithmetic with directed rounding, without the processor's: see ops_directed.h. A finite result is formed exactly, as far as 128
 * bits take it, with what lies below them as one bit (a sticky bit), and ops_exact.c rounds it. */
#include "exec/lanes/ops_directed.h"
#include "exec/lanes/ops_exact.h"
#include "exec/lanes/ops_float.h"

__extension__ typedef unsigned __int128 Wide;

/* (-1)^negative * significand * 2^exponent. The significand is 0, or its highest bit is bit 126. */
typedef struct Real {
    bool negative;
    int32_t exponent;
    Wide significand;
} Real;

enum { TOP = 126 };

static int32_t highest_bit(Wide value) {
    const uint64_t high = (uint64_t)(value >> 64), low = (uint64_t)value;
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(low);
}

/* What is shifted out is kept as the lowest bit. */
static Wide shifted(Wide value, uint32_t by) {
    if (by == 0)
        return value;
    if (by > TOP + 1)
        return value != 0;
    return value >> by | ((value & (((Wide)1 << by) - 1)) != 0);
}

static Real normal(bool negative, int32_t exponent, Wide significand) {
    Real real = {negative, exponent, significand};
    if (!significand)
        return real;
    const int32_t up = TOP - highest_bit(significand);
    real.significand = up >= 0 ? significand << up : shifted(significand, (uint32_t)-up);
    real.exponent -= up;
    return real;
}

static Real real_of(Exact value) {
    return normal(value.negative, value.exponent, value.significand);
}

static Real add(Real a, Real b, Round round) {
    if (!a.significand && !b.significand)
        return (Real){a.negative == b.negative ? a.negative : round == ROUND_RM, 0, 0};
    if (!a.significand || !b.significand)
        return a.significand ? a : b;
    const bool less =
        a.exponent < b.exponent || (a.exponent == b.exponent && a.significand < b.significand);
    const Real large = less ? b : a, small = less ? a : b;
    const Wide other = shifted(small.significand, (uint32_t)(large.exponent - small.exponent));
    if (large.negative == small.negative)
        return normal(large.negative, large.exponent, large.significand + other);
    Real sum = normal(large.negative, large.exponent, large.significand - other);
    if (!sum.significand)
        sum.negative = round == ROUND_RM;
    return sum;
}

static Real multiply(Exact a, Exact b) {
    return normal(a.negative != b.negative, a.exponent + b.exponent,
                  (Wide)a.significand * b.significand);
}

/* b is not 0. */
static Real divide(Exact a, Exact b) {
    if (!a.significand)
        return (Real){a.negative != b.negative, 0, 0};
    const int32_t up = __builtin_clzll(a.significand), across = __builtin_clzll(b.significand);
    const Wide dividend = (Wide)(a.significand << up) << 62;
    const Wide divisor = b.significand << across;
    const Wide quotient = dividend / divisor;
    return normal(a.negative != b.negative, a.exponent - up - 63 - (b.exponent - across),
                  quotient << 1 | (dividend % divisor != 0));
}

static Real half_down(Real real) {
    real.exponent--;
    return real;
}

/* Of what is not negative. */
static Real square_root(Exact a) {
    Real real = real_of(a);
    if (!real.significand)
        return real;
    if (real.exponent & 1) {    /* an even power of two */
        real.significand >>= 1; /* a double has 53 bits: none is lost */
        real.exponent++;
    }
    Wide root = 0, rest = real.significand;
    for (Wide bit = (Wide)1 << TOP; bit; bit >>= 2) {
        if (rest >= root + bit) {
            rest -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return half_down(normal(false, real.exponent / 2, root << 1 | (rest != 0)));
}

/* ---- a result as a number ---- */

static Exact exact_of(Real real) {
    return (Exact){.kind = EXACT_FINITE,
                   .negative = real.negative,
                   .exponent = real.exponent + (TOP - 63),
                   .significand = (uint64_t)shifted(real.significand, TOP - 63)};
}

static uint64_t write(Real real, Type type, Round round, uint32_t flags) {
    const ExactForm form = {type, round, flags & MOD_SAT, type};
    if (flags & MOD_FTZ) { /* judged as if the exponent had no limit */
        Real scaled = real;
        scaled.exponent += 64;
        const ExactForm plain = {type, round, 0, type};
        const uint64_t bits = AT_LEVEL(exact_write)(&plain, exact_of(scaled));
        if ((bits & 0x7fffffff) < bits_of_f32(0x1p-62f))
            real.significand = 0;
    }
    return AT_LEVEL(exact_write)(&form, exact_of(real));
}

typedef enum Action { NO_ACTION, ADD, SUBTRACT, MULTIPLY, FUSED, DIVIDE, RECIPROCAL, ROOT } Action;

typedef struct Row {
    Action action;
    Type type; /* TYPE_B64: a pair of single precision */
} Row;

static Row row_of(Op op) {
    static const Row rows[OP_COUNT] = {
        [OP_add_f32] = {ADD, TYPE_F32},        [OP_add_f64] = {ADD, TYPE_F64},
        [OP_sub_f32] = {SUBTRACT, TYPE_F32},   [OP_sub_f64] = {SUBTRACT, TYPE_F64},
        [OP_mul_f32] = {MULTIPLY, TYPE_F32},   [OP_mul_f64] = {MULTIPLY, TYPE_F64},
        [OP_fma_f32] = {FUSED, TYPE_F32},      [OP_fma_f64] = {FUSED, TYPE_F64},
        [OP_div_f32] = {DIVIDE, TYPE_F32},     [OP_div_f64] = {DIVIDE, TYPE_F64},
        [OP_rcp_f32] = {RECIPROCAL, TYPE_F32}, [OP_rcp_f64] = {RECIPROCAL, TYPE_F64},
        [OP_sqrt_f32] = {ROOT, TYPE_F32},      [OP_sqrt_f64] = {ROOT, TYPE_F64},
        [OP_add_f32x2] = {ADD, TYPE_B64},      [OP_sub_f32x2] = {SUBTRACT, TYPE_B64},
        [OP_mul_f32x2] = {MULTIPLY, TYPE_B64}, [OP_fma_f32x2] = {FUSED, TYPE_B64},
    };
    return rows[op];
}

static Exact operand(uint64_t bits, Type type, uint32_t flags) {
    if (flags & MOD_FTZ && !(bits & 0x7f800000))
        bits &= 0x80000000;
    return AT_LEVEL(exact_read)(type, bits);
}

/* false: the result is no number that is rounded; the row's own stays. */
static bool compute(Action action, const Exact in[3], Round round, Real *result) {
    static const Exact one = {.kind = EXACT_FINITE, .significand = 1};
    const uint32_t count = action == FUSED ? 3 : action >= RECIPROCAL ? 1 : 2;
    for (uint32_t i = 0; i < count; i++)
        if (in[i].kind != EXACT_FINITE)
            return false;
    Exact minus = in[1];
    minus.negative = !minus.negative;
    switch (action) {
    case ADD:
    case SUBTRACT:
        *result = add(real_of(in[0]), real_of(action == ADD ? in[1] : minus), round);
        return true;
    case MULTIPLY:
        *result = multiply(in[0], in[1]);
        return true;
    case FUSED:
        *result = add(multiply(in[0], in[1]), real_of(in[2]), round);
        return true;
    case DIVIDE:
        *result = in[1].significand ? divide(in[0], in[1]) : (Real){0};
        return in[1].significand;
    case RECIPROCAL:
        *result = in[0].significand ? divide(one, in[0]) : (Real){0};
        return in[0].significand;
    default:
        *result = in[0].negative ? (Real){0} : square_root(in[0]);
        return !in[0].negative;
    }
}

/* One number, of the `half`th 32 bits where the register has a pair. */
static bool compute_bits(const Row *row, const Mods *mods, const uint64_t operands[3],
                         uint32_t half, uint64_t *bits) {
    const Type type = row->type == TYPE_F64 ? TYPE_F64 : TYPE_F32;
    const uint64_t kept = type == TYPE_F64 ? UINT64_MAX : UINT32_MAX;
    const uint32_t flags = type == TYPE_F64 ? 0 : mods->flags;
    Exact in[3];
    Real result;
    for (uint32_t i = 0; i < 3; i++)
        in[i] = operand(operands[i] >> 32 * half & kept, type, flags);
    if (!compute(row->action, in, mods->round, &result))
        return false;
    *bits = write(result, type, mods->round, flags);
    return true;
}

/* ---- a warp ---- */

static uint64_t cell(const uint8_t *registers, uint32_t offset, bool wide, uint32_t lane) {
    uint64_t bits = 0;
    memcpy(&bits, registers + offset + (wide ? 8 : 4) * lane, wide ? 8 : 4);
    return bits;
}

static void set_cell(uint8_t *registers, uint32_t offset, bool wide, uint32_t lane, uint64_t bits) {
    memcpy(registers + offset + (wide ? 8 : 4) * lane, &bits, wide ? 8 : 4);
}

static Step execute(Warp *warp, const Code *code, uint32_t mask) {
    const Row row = row_of(code->insn->op);
    const bool wide = row.type != TYPE_F32;
    const uint32_t count = row.action == FUSED ? 3 : row.action >= RECIPROCAL ? 1 : 2;
    const uint32_t offsets[3] = {code->a, code->b, code->c};
    uint64_t operands[WARP_LANES][3] = {{0}};
    uint8_t *registers = (uint8_t *)warp->registers;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        for (uint32_t i = 0; i < count; i++)
            operands[lane][i] = cell(registers, offsets[i], wide, lane);
    AT_LEVEL(ops_nearest)(code)(warp, code, mask);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t bits;
        if (!(mask & lane_bit[lane]))
            continue;
        if (row.type != TYPE_B64) {
            if (compute_bits(&row, &code->mods, operands[lane], 0, &bits))
                set_cell(registers, code->d, wide, lane, bits);
            continue;
        }
        for (uint32_t half = 0; half < 2; half++)
            if (compute_bits(&row, &code->mods, operands[lane], half, &bits))
                set_cell(registers, code->d, false, 2 * lane + half, bits);
    }
    return STEP_NEXT;
}

Execute AT_LEVEL(ops_directed)(Op op) {
    return row_of(op).action == NO_ACTION ? NULL : execute;
}

double AT_LEVEL(fma_directed)(double a, double b, double c, Round round) {
    const Row row = {FUSED, TYPE_F64};
    const Mods mods = {.round = (uint8_t)round};
    const uint64_t operands[3] = {bits_of_f64(a), bits_of_f64(b), bits_of_f64(c)};
    uint64_t bits;
    if (!compute_bits(&row, &mods, operands, 0, &bits))
        return fma(a, b, c);
    return f64_of_bits(bits);
}
