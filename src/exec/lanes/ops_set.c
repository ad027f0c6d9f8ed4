/* set, bfi, lop3 and the logic of predicates: rows that do not fit the one-expression form because
 * of their operands. */
#include "exec/lanes/ops_lanes.h"

/* ---- set: as setp, but d = all ones (1.0f) or zero. Rare: a lane at a time ---- */

/* How two values relate; UNORDERED: one is a NaN. */
typedef enum Relation { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 } Relation;

/* The relations for which a comparison holds (PTX ISA 9.3.1). lo, ls, hi, hs are unsigned lt, le,
 * gt, ge. */
static const uint8_t holds[] = {
    [CMP_EQ] = EQUAL,
    [CMP_NE] = LESS | GREATER,
    [CMP_LT] = LESS,
    [CMP_LE] = LESS | EQUAL,
    [CMP_GT] = GREATER,
    [CMP_GE] = GREATER | EQUAL,
    [CMP_LO] = LESS,
    [CMP_LS] = LESS | EQUAL,
    [CMP_HI] = GREATER,
    [CMP_HS] = GREATER | EQUAL,
    [CMP_EQU] = EQUAL | UNORDERED,
    [CMP_NEU] = LESS | GREATER | UNORDERED,
    [CMP_LTU] = LESS | UNORDERED,
    [CMP_LEU] = LESS | EQUAL | UNORDERED,
    [CMP_GTU] = GREATER | UNORDERED,
    [CMP_GEU] = GREATER | EQUAL | UNORDERED,
    [CMP_NUM] = LESS | EQUAL | GREATER,
    [CMP_NAN] = UNORDERED,
};

#define RELATE(name, type)                                                                         \
    static Relation name(type a, type b) {                                                         \
        return a < b ? LESS : a > b ? GREATER : a == b ? EQUAL : UNORDERED;                        \
    }
RELATE(relate_double, double)
RELATE(relate_signed, int64_t)
RELATE(relate_unsigned, uint64_t)

static Relation relate_lane(const Warp *warp, const Code *code, uint32_t l) {
    const Type type = code->mods.type2;
    if (type == TYPE_F64)
        return relate_double(f64_of_bits(reg64(warp, code->a)[l]),
                             f64_of_bits(reg64(warp, code->b)[l]));
    if (type == TYPE_F32) {
        float a = f32_of_bits(reg32(warp, code->a)[l]), b = f32_of_bits(reg32(warp, code->b)[l]);
        bool ftz = code->mods.flags & MOD_FTZ;
        return relate_double((double)(ftz ? flush_f32(a) : a), (double)(ftz ? flush_f32(b) : b));
    }
    const uint32_t bytes = type_bytes(type);
    uint64_t a = bytes == 8 ? reg64(warp, code->a)[l] : reg32(warp, code->a)[l];
    uint64_t b = bytes == 8 ? reg64(warp, code->b)[l] : reg32(warp, code->b)[l];
    const uint32_t above = 64 - 8 * bytes;
    a <<= above;
    b <<= above;
    return type_is_signed(type) ? relate_signed((int64_t)a, (int64_t)b) : relate_unsigned(a, b);
}

static Step set_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const Func func = code->mods.func;
    const uint32_t c = func == FUNC_NONE ? 0 : read_pred(warp, code, code->c, 2);
    const uint32_t yes = code->mods.type == TYPE_F32 ? 0x3f800000 : UINT32_MAX;
    for_lanes(l, mask) {
        bool t = (holds[code->mods.compare] & relate_lane(warp, code, l)) != 0;
        bool other = c >> l & 1;
        bool result = func == FUNC_AND   ? t && other
                      : func == FUNC_OR  ? t || other
                      : func == FUNC_XOR ? t != other
                                         : t;
        reg32(warp, code->d)[l] = result ? yes : 0;
    }
    return STEP_NEXT;
}

/* ---- set and setp of half precision ---- */

static float half_value(Type type, bool ftz, uint32_t half) {
    if (type == TYPE_BF16 || type == TYPE_BF16X2)
        return f32_of_bits(f32_bits_of_bf16(half));
    half &= ftz && !(half & 0x7c00) ? 0x8000 : 0xffff;
    return f32_of_bits(f32_bits_of_f16(half));
}

static bool is_pair(Type type) {
    return type == TYPE_F16X2 || type == TYPE_BF16X2;
}

/* Whether the comparison holds in lane l for the element that begins at bit `shift`. */
static bool half_holds(const Warp *warp, const Code *code, Type type, uint32_t l, uint32_t shift) {
    const bool ftz = code->mods.flags & MOD_FTZ;
    float a = half_value(type, ftz, reg32(warp, code->a)[l] >> shift & 0xffff);
    float b = half_value(type, ftz, reg32(warp, code->b)[l] >> shift & 0xffff);
    return holds[code->mods.compare] & relate_double((double)a, (double)b);
}

/* t op c, lane by lane; t where there is no op */
static uint32_t combine(const Code *code, uint32_t t, uint32_t c) {
    const Func func = code->mods.func;
    return func == FUNC_AND ? t & c : func == FUNC_OR ? t | c : func == FUNC_XOR ? t ^ c : t;
}

static uint32_t read_combined(const Warp *warp, const Code *code) {
    return code->mods.func == FUNC_NONE ? 0 : read_pred(warp, code, code->c, 2);
}

/* p|q: the comparison and its opposite; of a pair, that of the lower and of the upper halves */
static Step setp_half_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const Type type = code->mods.type;
    const uint32_t c = read_combined(warp, code);
    uint32_t low = 0, high = 0;
    for_lanes(l, mask) {
        low |= (uint32_t)half_holds(warp, code, type, l, 0) << l;
        if (is_pair(type))
            high |= (uint32_t)half_holds(warp, code, type, l, 16) << l;
    }
    if (code->d != NO_OPERAND)
        write_pred(warp, code->d, mask, combine(code, low, c));
    if (code->d2 != NO_OPERAND)
        write_pred(warp, code->d2, mask, combine(code, is_pair(type) ? high : ~low, c));
    return STEP_NEXT;
}

/* What stands for true, per element */
static uint32_t truth(Type type) {
    switch (type) {
    case TYPE_F16:
    case TYPE_F16X2:
        return 0x3c00;
    case TYPE_BF16:
    case TYPE_BF16X2:
        return 0x3f80;
    case TYPE_U16:
    case TYPE_S16:
        return 0xffff;
    default:
        return UINT32_MAX;
    }
}

static Step set_half_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const Type from = code->mods.type2;
    const bool halves = type_is_float(from) && type_bytes(from) == 2;
    const uint32_t c = read_combined(warp, code), yes = truth(code->mods.type);
    for_lanes(l, mask) {
        const uint32_t other = c >> l & 1;
        if (is_pair(from)) {
            uint32_t low = combine(code, half_holds(warp, code, from, l, 0), other);
            uint32_t high = combine(code, half_holds(warp, code, from, l, 16), other);
            reg32(warp, code->d)[l] = (low ? yes & 0xffff : 0) | (high ? yes << 16 : 0);
            continue;
        }
        bool t = halves ? half_holds(warp, code, from, l, 0)
                        : (holds[code->mods.compare] & relate_lane(warp, code, l)) != 0;
        reg32(warp, code->d)[l] = combine(code, t, other) ? yes : 0;
    }
    return STEP_NEXT;
}

/* ---- bfi: four operands that are read ---- */

static Step bfi_b32_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *a = reg32(warp, code->a), *b = reg32(warp, code->b);
    const uint32_t *position = reg32(warp, code->c), *length = reg32(warp, code->e);
    uint32_t *d = reg32(warp, code->d);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t value = bfi_b32_lane(a[l], b[l], position[l], length[l]);
        d[l] = mask & lane_bit[l] ? value : d[l];
    }
    return STEP_NEXT;
}

static Step bfi_b64_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const uint64_t *a = reg64(warp, code->a), *b = reg64(warp, code->b);
    const uint32_t *position = reg32(warp, code->c), *length = reg32(warp, code->e);
    uint64_t *d = reg64(warp, code->d);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t value = bfi_b64_lane(a[l], b[l], position[l], length[l]);
        d[l] = mask & lane_bit[l] ? value : d[l];
    }
    return STEP_NEXT;
}

/* ---- lop3: any function of three bits: bit 4a + 2b + c of the last operand ---- */

static Step lop3_lanes(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *a = reg32(warp, code->a), *b = reg32(warp, code->b), *c = reg32(warp, code->c);
    const uint32_t table = reg32(warp, code->e)[0];
    uint32_t *d = reg32(warp, code->d);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t value = lop3_lane(a[l], b[l], c[l], table);
        d[l] = mask & lane_bit[l] ? value : d[l];
    }
    return STEP_NEXT;
}

/* ---- predicates are words: all lanes at once ---- */

#define PREDICATE(name, expression)                                                                \
    static Step name##_word(Warp *warp, const Code *code, uint32_t mask) {                         \
        const uint32_t a = read_pred(warp, code, code->a, 0);                                      \
        const uint32_t b = code->b == NO_OPERAND ? 0 : read_pred(warp, code, code->b, 1);          \
        write_pred(warp, code->d, mask, expression);                                               \
        return STEP_NEXT;                                                                          \
    }
PREDICATE(and, a &b)
PREDICATE(or, a | b)
PREDICATE(xor, a ^ b)
PREDICATE(not, ~(a | b)) /* it has no b */

Pair AT_LEVEL(ops_set)(Op op, const Code *code) {
    const bool is_long = type_bytes(code->mods.type) == 8;
    switch (op) {
    case OP_set:
        return (Pair){set_lanes, set_lanes, NULL};
    case OP_set_half:
        return (Pair){set_half_lanes, set_half_lanes, NULL};
    case OP_setp_half:
        return (Pair){setp_half_lanes, setp_half_lanes, NULL};
    case OP_bfi:
        return is_long ? (Pair){bfi_b64_lanes, bfi_b64_lanes, "bfi_b64_lane"}
                       : (Pair){bfi_b32_lanes, bfi_b32_lanes, "bfi_b32_lane"};
    case OP_lop3:
        return (Pair){lop3_lanes, lop3_lanes, "lop3_lane"};
    case OP_and_pred:
        return (Pair){and_word, and_word, NULL};
    case OP_or_pred:
        return (Pair){or_word, or_word, NULL};
    case OP_xor_pred:
        return (Pair){xor_word, xor_word, NULL};
    case OP_not_pred:
        return (Pair){not_word, not_word, NULL};
    default:
        return (Pair){0};
    }
}
