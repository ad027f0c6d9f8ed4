/* cvt (PTX ISA 9.7.9.21): vector loops for the frequent conversions; for all others (directed
 * rounding, .sat, narrow or oversized registers …) one function that goes by way of an exact value. */
#include "exec/lanes/ops_exact.h"
#include "exec/lanes/ops_lanes.h"

/* ---- any conversion ---- */

static uint64_t read_cell(const Warp *warp, uint32_t offset, uint8_t class, uint32_t l) {
    return class == 2 ? reg64(warp, offset)[l] : reg32(warp, offset)[l];
}

/* A register wider than the type gets a signed result sign-extended. */
static void write_cell(const Warp *warp, const Code *code, uint32_t l, Type type, uint64_t bits) {
    const uint32_t above = 64 - 8 * type_bytes(type);
    if (type_is_signed(type))
        bits = (uint64_t)((int64_t)(bits << above) >> above);
    if (code->d_class == 2)
        reg64(warp, code->d)[l] = bits;
    else
        reg32(warp, code->d)[l] = (uint32_t)bits;
}

/* .ftz flushes a subnormal operand, but not, on an H100, where half precision is made of it. */
static Exact read_source(const Warp *warp, const Code *code, uint32_t offset, uint8_t class,
                         uint32_t l) {
    const Type type = code->mods.type2;
    uint64_t bits = read_cell(warp, offset, class, l);
    if ((code->mods.flags & MOD_FTZ) && type == TYPE_F32 && code->mods.type != TYPE_F16)
        bits = bits_of_f32(flush_f32(f32_of_bits((uint32_t)bits)));
    return AT_LEVEL(exact_read)(type, bits);
}

static Step convert_any(Warp *warp, const Code *code, uint32_t mask) {
    const Round round = code->mods.round == ROUND_NONE ? ROUND_RN : code->mods.round;
    const ExactForm form = {code->mods.type, round, code->mods.flags, code->mods.type2};
    for_lanes(l, mask) {
        Exact value = read_source(warp, code, code->a, code->a_class, l);
        write_cell(warp, code, l, form.type, AT_LEVEL(exact_write)(&form, value));
    }
    return STEP_NEXT;
}

/* Two values into a register: the first of them goes to the upper half. */
static void write_pair(const Warp *warp, const Code *code, uint32_t l, Exact high, Exact low) {
    const Type type = code->mods.type == TYPE_F16X2 ? TYPE_F16 : TYPE_BF16;
    const ExactForm form = {type, code->mods.round, code->mods.flags, TYPE_F32};
    const uint32_t bits = 8 * type_bytes(type);
    uint64_t value = AT_LEVEL(exact_write)(&form, high) << bits;
    reg32(warp, code->d)[l] = (uint32_t)(value | AT_LEVEL(exact_write)(&form, low));
}

/* .f16x2.f32, .bf16x2.f32 */
static Step convert_pair(Warp *warp, const Code *code, uint32_t mask) {
    for_lanes(l, mask) {
        Exact high = read_source(warp, code, code->a, 1, l);
        write_pair(warp, code, l, high, read_source(warp, code, code->b, 1, l));
    }
    return STEP_NEXT;
}

/* ---- vector loops ---- */

/* expression over a, an element of type `from` of the source register; the result goes into one
 * of `to`. */
#define LOOP(name, to, from, expression)                                                           \
    ALWAYS_INLINE Step name##_lanes(Warp *warp, const Code *code, uint32_t mask, bool all) {       \
        const from *in = __builtin_assume_aligned(warp->registers + code->a, 64);                  \
        to *out = __builtin_assume_aligned(warp->registers + code->d, 64);                         \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            const from a = in[l];                                                                  \
            const to value = expression;                                                           \
            out[l] = all || (mask & lane_bit[l]) ? value : out[l];                                 \
        }                                                                                          \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    static Step name##_full(Warp *warp, const Code *code, uint32_t mask) {                         \
        (void)mask;                                                                                \
        return name##_lanes(warp, code, FULL_MASK, true);                                          \
    }                                                                                              \
    static Step name##_some(Warp *warp, const Code *code, uint32_t mask) {                         \
        return name##_lanes(warp, code, mask, false);                                              \
    }
#define PAIR(name) ((Pair){name##_full, name##_some, NULL})
#define CONVERSION(name) ((Pair){name##_full, name##_some, #name "_lane"})

/* Two single-precision operands, to nearest: the first goes to the upper half. */
#define LOOP_PAIR(name, narrow)                                                                    \
    static Step name(Warp *warp, const Code *code, uint32_t mask) {                                \
        const uint32_t *high = reg32(warp, code->a), *low = reg32(warp, code->b);                  \
        uint32_t *out = reg32(warp, code->d);                                                      \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            const uint32_t value = narrow(high[l]) << 16 | narrow(low[l]);                         \
            out[l] = mask & lane_bit[l] ? value : out[l];                                          \
        }                                                                                          \
        return STEP_NEXT;                                                                          \
    }
LOOP_PAIR(f16x2_f32, f16_bits_of_f32)
LOOP_PAIR(bf16x2_f32, bf16_bits_of_f32)

/* Eight bits: e4m3x2, e5m2x2 from two registers or the halves of one, and to halves. */
#define FP8_LOOPS(type)                                                                            \
    LOOP_PAIR_8(type##_f32, fp8_bits_of_f32(type, high[l]), fp8_bits_of_f32(type, low[l]))         \
    LOOP_PAIR_8(type##_f16, fp8_bits_of_f32(type, f32_bits_of_f16(high[l] >> 16)),                 \
                fp8_bits_of_f32(type, f32_bits_of_f16(high[l] & 0xffff)))                          \
    LOOP(f16_##type, uint32_t, uint32_t,                                                           \
         f16_bits_of_fp8(type, a >> 8 & 0xff) << 16 | f16_bits_of_fp8(type, a & 0xff))             \
    LOOP(f16_##type##_relu, uint32_t, uint32_t,                                                    \
         positive(f16_bits_of_fp8(type, a >> 8 & 0xff), 0x8000) << 16 |                            \
             positive(f16_bits_of_fp8(type, a & 0xff), 0x8000))
/* .relu, of what has its sign there (no NaN has one) */
ALWAYS_INLINE uint32_t positive(uint32_t bits, uint32_t sign) {
    return bits & sign ? 0 : bits;
}
#define LOOP_PAIR_8(name, first, second)                                                           \
    ALWAYS_INLINE Step name##_lanes(Warp *warp, const Code *code, uint32_t mask, bool relu) {      \
        const uint32_t *high = reg32(warp, code->a);                                               \
        const uint32_t *low = code->b == NO_OPERAND ? high : reg32(warp, code->b);                 \
        uint32_t *out = reg32(warp, code->d);                                                      \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            const uint32_t x = first, y = second;                                                  \
            const uint32_t value = relu ? positive(x, 0x80) << 8 | positive(y, 0x80) : x << 8 | y; \
            out[l] = mask & lane_bit[l] ? value : out[l];                                          \
        }                                                                                          \
        (void)low;                                                                                 \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    static Step name(Warp *warp, const Code *code, uint32_t mask) {                                \
        return name##_lanes(warp, code, mask, false);                                              \
    }                                                                                              \
    static Step name##_relu(Warp *warp, const Code *code, uint32_t mask) {                         \
        return name##_lanes(warp, code, mask, true);                                               \
    }
FP8_LOOPS(e4m3)
FP8_LOOPS(e5m2)

static Pair find_fp8(Op op, const Code *code) {
    const bool relu = code->mods.flags & MOD_RELU;
    const bool is_e4m3 = code->mods.type == TYPE_E4M3X2 || code->mods.type2 == TYPE_E4M3X2;
    Execute execute;
    if (op == OP_cvt_half_fp8)
        return is_e4m3 ? relu ? PAIR(f16_e4m3_relu) : PAIR(f16_e4m3)
               : relu ? PAIR(f16_e5m2_relu)
                       : PAIR(f16_e5m2);
    if (op == OP_cvt_fp8)
        execute = is_e4m3 ? relu ? e4m3_f32_relu : e4m3_f32 : relu ? e5m2_f32_relu : e5m2_f32;
    else
        execute = is_e4m3 ? relu ? e4m3_f16_relu : e4m3_f16 : relu ? e5m2_f16_relu : e5m2_f16;
    return (Pair){execute, execute, NULL};
}

static Pair find_pair(const Code *code) {
    Execute execute = code->mods.round != ROUND_RN || code->mods.flags ? convert_pair
                      : code->mods.type == TYPE_F16X2                  ? f16x2_f32
                                                                       : bf16x2_f32;
    return (Pair){execute, execute, NULL};
}

#include "exec/lanes/ops_cvt.def"

/* Integers: by the classes of the source's and the destination's register. */
#define EXTENSION(type)                                                                            \
    static Pair extend_##type(uint32_t classes) {                                                  \
        return classes == 11   ? CONVERSION(extend_##type##_11)                                    \
               : classes == 12 ? CONVERSION(extend_##type##_12)                                    \
               : classes == 21 ? CONVERSION(extend_##type##_21)                                    \
                               : CONVERSION(extend_##type##_22);                                   \
    }
EXTENSION(u8)
EXTENSION(s8)
EXTENSION(u16)
EXTENSION(s16)
EXTENSION(u32)
EXTENSION(s32)

static Pair find_integer(const Code *code) {
    const Type to = code->mods.type, from = code->mods.type2;
    const uint32_t classes = 10u * code->a_class + code->d_class;
    const uint32_t to_bytes = type_bytes(to), from_bytes = type_bytes(from);
    /* extended twice: by sign to the destination type, which is unsigned, then by zeros */
    if (to_bytes > from_bytes && type_is_signed(from) && !type_is_signed(to) &&
        to_bytes != 4u * code->d_class)
        return (Pair){0};
    switch (to_bytes > from_bytes ? from : to) {
    case TYPE_U8:
        return extend_u8(classes);
    case TYPE_S8:
        return extend_s8(classes);
    case TYPE_U16:
        return extend_u16(classes);
    case TYPE_S16:
        return extend_s16(classes);
    case TYPE_U32:
        return extend_u32(classes);
    case TYPE_S32:
        return extend_s32(classes);
    default:
        return CONVERSION(copy_64);
    }
}

/* ---- which loop ---- */

typedef struct Conversion {
    uint8_t to, from, round; /* Type, Type, Round */
    uint32_t flags;
    Pair pair;
} Conversion;

#define RN_INTEGER(TO, to, FROM, from)                                                             \
    {TYPE_##TO,                                                                                    \
     TYPE_##FROM,                                                                                  \
     ROUND_RN,                                                                                     \
     0,                                                                                            \
     {to##_##from##_full, to##_##from##_some, #to "_" #from "_lane"}},
#define ROUNDED(TO, to, FROM, from, MODE, mode)                                                    \
    {TYPE_##TO,                                                                                    \
     TYPE_##FROM,                                                                                  \
     ROUND_##MODE,                                                                                 \
     0,                                                                                            \
     {to##_##from##_##mode##_full, to##_##from##_##mode##_some, #to "_" #from "_" #mode "_lane"}},
#define TO_INTEGER_ROWS(MODE, mode)                                                                \
    ROUNDED(S32, s32, F32, f32, MODE, mode)                                                        \
    ROUNDED(U32, u32, F32, f32, MODE, mode)                                                        \
    ROUNDED(S64, s64, F32, f32, MODE, mode)                                                        \
    ROUNDED(U64, u64, F32, f32, MODE, mode)                                                        \
    ROUNDED(S32, s32, F64, f64, MODE, mode)                                                        \
    ROUNDED(U32, u32, F64, f64, MODE, mode)                                                        \
    ROUNDED(S64, s64, F64, f64, MODE, mode)                                                        \
    ROUNDED(U64, u64, F64, f64, MODE, mode)                                                        \
    ROUNDED(F32, f32, F32, f32, MODE, mode)                                                        \
    ROUNDED(F64, f64, F64, f64, MODE, mode)
#define PLAIN(TO, FROM, ROUND, flags, name)                                                        \
    {TYPE_##TO, TYPE_##FROM, ROUND, flags, {name##_full, name##_some, #name "_lane"}},

static const Conversion conversions[] = {
    RN_INTEGER(F32, f32, U8, u8) RN_INTEGER(F32, f32, S8, s8) RN_INTEGER(F32, f32, U16, u16)
        RN_INTEGER(F32, f32, S16, s16) RN_INTEGER(F32, f32, U32, u32) RN_INTEGER(F32, f32, S32, s32)
            RN_INTEGER(F32, f32, U64, u64) RN_INTEGER(F32, f32, S64, s64) RN_INTEGER(
                F64, f64, U16, u16) RN_INTEGER(F64, f64, S16, s16) RN_INTEGER(F64, f64, U32, u32)
                RN_INTEGER(F64, f64, S32, s32) RN_INTEGER(F64, f64, U64, u64) RN_INTEGER(
                    F64, f64, S64, s64) TO_INTEGER_ROWS(RNI, rni) TO_INTEGER_ROWS(RZI, rzi)
                    TO_INTEGER_ROWS(RMI, rmi) TO_INTEGER_ROWS(RPI, rpi) PLAIN(F32, F32, ROUND_NONE,
                                                                              0, f32_f32)
                        PLAIN(F32, F32, ROUND_NONE, MOD_FTZ,
                              f32_f32_ftz) PLAIN(F32, F32, ROUND_NONE, MOD_SAT, f32_f32_sat)
                            PLAIN(F32, F32, ROUND_NONE, MOD_FTZ | MOD_SAT,
                                  f32_f32_ftz_sat) PLAIN(F64, F64, ROUND_NONE, MOD_SAT, f64_f64_sat)
                                PLAIN(F64, F32, ROUND_NONE, 0,
                                      f64_f32) PLAIN(F64, F32, ROUND_NONE, MOD_FTZ, f64_f32_ftz)
                                    PLAIN(F32, F64, ROUND_RN, 0,
                                          f32_f64) PLAIN(F32, F64, ROUND_RN, MOD_FTZ, f32_f64_ftz)
                                        PLAIN(F32, F16, ROUND_NONE, 0,
                                              f32_f16) PLAIN(F16, F32, ROUND_RN, 0, f16_f32)
                                            PLAIN(F64, F64, ROUND_NONE, 0,
                                                  copy_64) PLAIN(F32, BF16, ROUND_NONE, 0, f32_bf16)
                                                PLAIN(F32, BF16, ROUND_RN, 0, f32_bf16)
                                                    PLAIN(F32, BF16, ROUND_RZ, 0, f32_bf16) PLAIN(
                                                        F32, BF16, ROUND_RM, 0, f32_bf16)
                                                        PLAIN(F32, BF16, ROUND_RP, 0, f32_bf16)
                                                            PLAIN(BF16, F32, ROUND_RN, 0, bf16_f32)
                                                                PLAIN(TF32, F32, ROUND_RNA, 0,
                                                                      tf32_f32_rna)};

/* .ftz without effect: a subnormal rounds to zero either way. */
static uint32_t flags_that_count(const Mods *mods) {
    bool to_integer = !type_is_float(mods->type);
    bool nearer_zero = mods->round == ROUND_RZI || mods->round == ROUND_RNI;
    uint32_t flags = mods->flags;
    if (to_integer && type_is_float(mods->type2))
        flags &= ~(uint32_t)(MOD_SAT | (nearer_zero ? MOD_FTZ : 0));
    return flags;
}

/* The loops take registers that are just as wide as the type; or, up to 32 bits, of class 1. */
static bool is_fit(Type type, uint8_t class) {
    return class == (type_bytes(type) == 8 ? 2 : 1);
}

static Pair find_loop(const Code *code) {
    const Type to = code->mods.type, from = code->mods.type2;
    const uint32_t flags = flags_that_count(&code->mods);
    if (!type_is_float(to) && !type_is_float(from))
        return flags ? (Pair){0} : find_integer(code);
    if (!is_fit(to, code->d_class) || !is_fit(from, code->a_class))
        return (Pair){0};
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        const Conversion *row = &conversions[i];
        if (row->to == to && row->from == from && row->round == code->mods.round &&
            row->flags == flags)
            return row->pair;
    }
    return (Pair){0};
}

Pair AT_LEVEL(ops_cvt)(Op op, const Code *code) {
    if (op == OP_cvt_pair)
        return find_pair(code);
    if (op == OP_cvt_fp8 || op == OP_cvt_fp8_half || op == OP_cvt_half_fp8)
        return find_fp8(op, code);
    Pair pair = find_loop(code);
    return pair.full ? pair : (Pair){convert_any, convert_any, NULL};
}
