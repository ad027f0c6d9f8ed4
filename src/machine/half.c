/* Half precision and bfloat16, two at a time.
 *
 * .H0_H0 and .H1_H1 take a half of a register for both. Where all sources that differ by halves do so alike, the
 * instruction computes on the registers as they are, and one half of the result is doubled. */
#include "machine/real.h"

#include <math.h>

/* ---- sources ---- */

typedef enum Swizzle { SWIZZLE_NONE, SWIZZLE_LOW, SWIZZLE_HIGH } Swizzle;

/* Two halves. */
typedef struct Halves {
    const char *name; /* of the register, or the bits */
    bool constant;
    uint32_t bits; /* of a constant, with its sign */
    bool negative, absolute;
    Swizzle swizzle;
} Halves;

static const uint32_t SIGNS = 0x80008000;

static bool is_bf16(const MachineInsn *insn) {
    return machine_has(insn, "BF16_V2");
}

static const char *type_of(const MachineInsn *insn) {
    return is_bf16(insn) ? "bf16x2" : "f16x2";
}

/* A value that is written in full. */
static uint32_t half_bits(double value, bool bf16) {
    const int fraction_bits = bf16 ? 7 : 10, least = bf16 ? -126 : -14;
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    if (isnan(value))
        return 0x7fff;
    if (isinf(value))
        return sign | (bf16 ? 0x7f80 : 0x7c00);
    if (value == 0)
        return sign;
    const int exponent = ilogb(value) > least ? ilogb(value) : least;
    const uint32_t digits = (uint32_t)lrint(ldexp(fabs(value), fraction_bits - exponent));
    return sign | (((uint32_t)(exponent - least) << fraction_bits) + digits);
}

static Halves constant_halves(Emit *e, uint32_t bits) {
    return (Halves){emit_printf(e, "0x%x", bits), true, bits, false, false, SWIZZLE_NONE};
}

/* The source at operand *at, which then is that behind it: a constant takes two, the upper half first. */
static bool read_halves(Emit *e, const MachineInsn *insn, uint32_t *at, Halves *to) {
    const MachineOperand *o = &insn->operands[*at];
    if (*at >= insn->operand_count)
        return real_unknown(e, insn);
    if (o->kind == MACHINE_FLOAT) {
        if (*at + 1 >= insn->operand_count || o[1].kind != MACHINE_FLOAT)
            return real_unknown(e, insn);
        const bool bf16 = is_bf16(insn);
        *to = constant_halves(e, half_bits(o[0].real, bf16) << 16 | half_bits(o[1].real, bf16));
        *at += 2;
        return true;
    }
    *at += 1;
    const bool low = str_is(o->suffix, ".H0_H0"), high = str_is(o->suffix, ".H1_H1");
    if (o->kind == MACHINE_INT ||
        (o->suffix.length && !low && !high && !str_is(o->suffix, ".H1_H0")))
        return real_unknown(e, insn);
    if (is_zero(o))
        *to = constant_halves(e, o->negated ? SIGNS : 0);
    else
        *to = (Halves){raw32(e, o), false,
                       0,           o->negated,
                       o->absolute, low ? SWIZZLE_LOW : high ? SWIZZLE_HIGH : SWIZZLE_NONE};
    return true;
}

static bool differs_by_half(const Halves *h) {
    return !h->constant || h->bits >> 16 != (h->bits & 0xffff);
}

static const char *doubled(Swizzle swizzle) {
    return swizzle == SWIZZLE_LOW ? "0x1010" : "0x3232";
}

/* h becomes `operation h, bits`. */
static void swap_in(Emit *e, Halves *h, const char *operation, const char *bits) {
    const char *to = temp32(e);
    emit_always(e, "%s %s, %s, %s", operation, to, h->name, bits);
    h->name = to;
}

/* The swizzle's half twice. */
static void double_in(Emit *e, Halves *h) {
    const char *to = temp32(e);
    emit_always(e, "prmt.b32 %s, %s, %s, %s", to, h->name, h->name, doubled(h->swizzle));
    h->name = to;
}

/* The swizzle that the result gets for the sources; or SWIZZLE_NONE, and they are swizzled. */
static Swizzle common_swizzle(Emit *e, Halves *sources, uint32_t count) {
    Swizzle common = SWIZZLE_NONE;
    bool same = true, first = true;
    for (uint32_t i = 0; i < count; i++) {
        if (!differs_by_half(&sources[i]))
            continue;
        same = same && (first || sources[i].swizzle == common);
        common = sources[i].swizzle;
        first = false;
    }
    if (same)
        return common;
    for (uint32_t i = 0; i < count; i++) {
        if (sources[i].swizzle != SWIZZLE_NONE)
            double_in(e, &sources[i]);
    }
    return SWIZZLE_NONE;
}

static void take_absolute(Emit *e, Halves *h) {
    if (h->absolute)
        swap_in(e, h, "and.b32", "0x7fff7fff");
    h->absolute = false;
}

static void take_sign(Emit *e, Halves *h) {
    if (h->constant && h->negative)
        *h = constant_halves(e, h->bits ^ SIGNS);
    else if (h->negative)
        swap_in(e, h, "xor.b32", "0x80008000");
    h->negative = false;
}

/* ---- results ---- */

/* Where the instruction's own result goes, and with end_result() from there to its register. */
static const char *begin_result(Emit *e, const MachineInsn *insn, Swizzle swizzle) {
    return swizzle == SWIZZLE_NONE ? out32(e, &insn->operands[0]) : temp32(e);
}

static void end_result(Emit *e, const MachineInsn *insn, Swizzle swizzle, const char *value) {
    if (swizzle != SWIZZLE_NONE)
        emit(e, "prmt.b32 %s, %s, %s, %s", out32(e, &insn->operands[0]), value, value,
             doubled(swizzle));
}

/* ---- arithmetic ---- */

/* "[.ftz][.sat].f16x2"; bfloat16 has neither. */
static const char *arithmetic_mods(Emit *e, const MachineInsn *insn) {
    return emit_printf(e, ".rn%s%s.%s", real_ftz(insn), real_sat(insn), type_of(insn));
}

static bool known_mods(Emit *e, const MachineInsn *insn, const char *words) {
    if (machine_only(insn, words) && !(is_bf16(insn) && machine_one_of(insn, "FTZ SAT")))
        return true;
    return real_unknown(e, insn);
}

static bool emit_halves_sum(Emit *e, const MachineInsn *insn, Halves a, Halves b) {
    Halves sources[2] = {a, b};
    const Swizzle swizzle = common_swizzle(e, sources, 2);
    take_absolute(e, &sources[0]);
    take_absolute(e, &sources[1]);
    if (sources[0].negative && sources[1].negative)
        take_sign(e, &sources[0]);
    const bool swap = sources[0].negative;
    const Halves *first = &sources[swap], *second = &sources[!swap];
    const char *d = begin_result(e, insn, swizzle);
    emit(e, "%s%s %s, %s, %s", second->negative ? "sub" : "add", arithmetic_mods(e, insn), d,
         first->name, second->name);
    end_result(e, insn, swizzle, d);
    return true;
}

static bool emit_halves_product(Emit *e, const MachineInsn *insn, Halves a, Halves b) {
    Halves sources[2] = {a, b};
    const Swizzle swizzle = common_swizzle(e, sources, 2);
    for (uint32_t i = 0; i < 2; i++)
        take_absolute(e, &sources[i]);
    if (sources[0].negative == sources[1].negative)
        sources[0].negative = sources[1].negative = false;
    for (uint32_t i = 0; i < 2; i++)
        take_sign(e, &sources[i]);
    const char *d = begin_result(e, insn, swizzle);
    emit(e, "mul%s %s, %s, %s", arithmetic_mods(e, insn), d, sources[0].name, sources[1].name);
    end_result(e, insn, swizzle, d);
    return true;
}

/* HADD2.F32 d, -RZ, R4.H1_H1: a half as single precision; + RZ: of a zero without its sign. */
static bool translate_widening(Emit *e, const MachineInsn *insn, const Halves *a, const Halves *b) {
    const Halves *zero = a->constant ? a : b, *value = a->constant ? b : a;
    if (!zero->constant || (zero->bits & ~SIGNS) != 0 || value->constant ||
        value->swizzle == SWIZZLE_NONE || insn->mod_count != 1)
        return real_unknown(e, insn);
    Halves half = *value;
    take_absolute(e, &half);
    take_sign(e, &half);
    if (half.swizzle == SWIZZLE_HIGH)
        swap_in(e, &half, "shr.u32", "16");
    const char *d = out32(e, &insn->operands[0]);
    if (zero->bits == SIGNS) {
        emit(e, "cvt.f32.f16 %s, %s", d, half.name);
        return true;
    }
    const char *wide = temp32(e);
    emit_always(e, "cvt.f32.f16 %s, %s", wide, half.name);
    emit(e, "add.f32 %s, %s, 0f00000000", d, wide);
    return true;
}

static bool translate_hadd2(Emit *e, const MachineInsn *insn) {
    Halves a, b;
    uint32_t at = 1;
    if (!known_mods(e, insn, "BF16_V2 FTZ SAT F32") || !read_halves(e, insn, &at, &a) ||
        !read_halves(e, insn, &at, &b))
        return false;
    if (at != insn->operand_count)
        return real_unknown(e, insn);
    if (machine_has(insn, "F32"))
        return translate_widening(e, insn, &a, &b);
    return emit_halves_sum(e, insn, a, b);
}

static bool translate_hmul2(Emit *e, const MachineInsn *insn) {
    Halves a, b;
    uint32_t at = 1;
    if (!known_mods(e, insn, "BF16_V2 FTZ SAT") || !read_halves(e, insn, &at, &a) ||
        !read_halves(e, insn, &at, &b))
        return false;
    if (at != insn->operand_count)
        return real_unknown(e, insn);
    return emit_halves_product(e, insn, a, b);
}

static bool emit_halves_fused(Emit *e, const MachineInsn *insn, Halves *s) {
    const Swizzle swizzle = common_swizzle(e, s, 3);
    for (uint32_t i = 0; i < 3; i++)
        take_absolute(e, &s[i]);
    if (s[0].negative == s[1].negative)
        s[0].negative = s[1].negative = false;
    for (uint32_t i = 0; i < 3; i++)
        take_sign(e, &s[i]);
    const char *d = begin_result(e, insn, swizzle);
    emit(e, "fma.rn%s%s%s.%s %s, %s, %s, %s", real_ftz(insn), real_sat(insn),
         machine_has(insn, "RELU") ? ".relu" : "", type_of(insn), d, s[0].name, s[1].name,
         s[2].name);
    end_result(e, insn, swizzle, d);
    return true;
}

/* -0 * 0, which ptxas adds constants and operands to. */
static bool is_negative_zero(const Halves *a, const Halves *b) {
    return a->constant && b->constant && ((a->bits | b->bits) & ~SIGNS) == 0 &&
           (a->bits ^ b->bits) == SIGNS;
}

/* .MMA names the unit that computes it. */
static bool translate_hfma2(Emit *e, const MachineInsn *insn) {
    Halves s[3];
    uint32_t at = 1;
    if (!known_mods(e, insn, "MMA BF16_V2 FTZ SAT RELU") || !read_halves(e, insn, &at, &s[0]) ||
        !read_halves(e, insn, &at, &s[1]) || !read_halves(e, insn, &at, &s[2]))
        return false;
    if (at != insn->operand_count || (machine_has(insn, "SAT") && machine_has(insn, "RELU")))
        return real_unknown(e, insn);
    const bool relu = machine_has(insn, "RELU");
    const Halves zero = constant_halves(e, SIGNS);
    if (is_negative_zero(&s[0], &s[1]) && s[2].constant && !machine_one_of(insn, "FTZ SAT RELU")) {
        emit(e, "mov.b32 %s, %s", out32(e, &insn->operands[0]), s[2].name);
        return true;
    }
    if (is_negative_zero(&s[0], &s[1]) && !relu)
        return emit_halves_sum(e, insn, zero, s[2]);
    if (s[1].constant && s[1].bits == (is_bf16(insn) ? 0x3f803f80 : 0x3c003c00) && !relu)
        return emit_halves_sum(e, insn, s[0], s[2]);
    if (s[2].constant && s[2].bits == SIGNS && !relu)
        return emit_halves_product(e, insn, s[0], s[1]);
    return emit_halves_fused(e, insn, s);
}

/* ---- minimum and maximum ---- */

/* As the sources are written; XORSIGN takes |a| for whose signs count. */
static bool take_written(Emit *e, const MachineInsn *insn, Halves *s) {
    const bool xorsign = machine_has(insn, "XORSIGN");
    if (xorsign && (!s->absolute || s->negative))
        return real_unknown(e, insn);
    s->absolute = s->absolute && !xorsign;
    take_absolute(e, s);
    take_sign(e, s);
    return true;
}

/* HMNMX2 R4, R4, R5, PT: the lesser; !PT: the greater. VHMNMX R4, R26, -0.25, 1.5, |R7|, !PT: of three. */
static bool extreme_halves(Emit *e, const MachineInsn *insn, uint32_t count, const char *mods) {
    Halves s[3];
    uint32_t at = 1;
    if (!known_mods(e, insn, mods))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_halves(e, insn, &at, &s[i]))
            return false;
    const MachineOperand *least = &insn->operands[at];
    if (at + 1 != insn->operand_count || !(is_true(least) || is_false(least)))
        return real_unknown(e, insn);
    const Swizzle swizzle = common_swizzle(e, s, count);
    for (uint32_t i = 0; i < count; i++)
        if (!take_written(e, insn, &s[i]))
            return false;
    const char *d = begin_result(e, insn, swizzle), *so_far = s[0].name;
    for (uint32_t i = 1; i < count; i++) {
        const char *to = i + 1 < count ? temp32(e) : d;
        emit(e, "%s%s%s%s.%s %s, %s, %s", is_true(least) ? "min" : "max", real_ftz(insn),
             machine_has(insn, "NAN") ? ".NaN" : "",
             machine_has(insn, "XORSIGN") ? ".xorsign.abs" : "", type_of(insn), to, so_far,
             s[i].name);
        so_far = to;
    }
    end_result(e, insn, swizzle, d);
    return true;
}

static bool translate_hmnmx2(Emit *e, const MachineInsn *insn) {
    return extreme_halves(e, insn, 2, "BF16_V2 FTZ NAN XORSIGN");
}

static bool translate_vhmnmx(Emit *e, const MachineInsn *insn) {
    return extreme_halves(e, insn, 3, "BF16_V2 NAN");
}

/* ---- comparison ---- */

/* Of each half all ones, or with .BF 1.0, for true. */
static bool translate_hset2(Emit *e, const MachineInsn *insn) {
    Halves s[2];
    Combined combined;
    uint32_t at = 1;
    if (!known_mods(e, insn, "BF BF16_V2 FTZ " REAL_COMPARISONS) ||
        !read_halves(e, insn, &at, &s[0]) || !read_halves(e, insn, &at, &s[1]))
        return false;
    if (at + 1 != insn->operand_count)
        return real_unknown(e, insn);
    const char *name = real_comparison(e, insn);
    if (!name || !real_combined(e, insn, &insn->operands[at], &combined))
        return false;
    const Swizzle swizzle = common_swizzle(e, s, 2);
    for (uint32_t i = 0; i < 2; i++) {
        take_absolute(e, &s[i]);
        take_sign(e, &s[i]);
    }
    const char *d = begin_result(e, insn, swizzle);
    emit(e, "set.%s%s%s.%s.%s %s, %s, %s%s", name, combined.func, real_ftz(insn),
         machine_has(insn, "BF") ? type_of(insn) : "u32", type_of(insn), d, s[0].name, s[1].name,
         combined.condition);
    end_result(e, insn, swizzle, d);
    return true;
}

/* Only the lower half of what is compared is asked for. */
static void take_lower(Emit *e, Halves *h) {
    if (h->swizzle == SWIZZLE_HIGH)
        swap_in(e, h, "shr.u32", "16");
    h->swizzle = SWIZZLE_NONE;
}

/* p is of the lower halves, q of the upper ones. */
static bool translate_hsetp2(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    Halves s[2];
    Combined combined;
    uint32_t at = 2;
    if (!known_mods(e, insn, "BF16_V2 FTZ " REAL_COMPARISONS) ||
        !read_halves(e, insn, &at, &s[0]) || !read_halves(e, insn, &at, &s[1]))
        return false;
    if (at + 1 != insn->operand_count)
        return real_unknown(e, insn);
    const char *name = real_comparison(e, insn);
    if (!name || !real_combined(e, insn, &o[at], &combined))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        take_absolute(e, &s[i]);
        take_sign(e, &s[i]);
        if (is_true(&o[1]))
            take_lower(e, &s[i]);
        else if (s[i].swizzle != SWIZZLE_NONE)
            double_in(e, &s[i]);
    }
    emit(e, "setp.%s%s%s.%s %s, %s, %s%s", name, combined.func, real_ftz(insn), type_of(insn),
         real_predicates(e, &o[0], &o[1]), s[0].name, s[1].name, combined.condition);
    return true;
}

const MachineFamily family_half[] = {
    {"HADD2", translate_hadd2},   {"HMUL2", translate_hmul2},
    {"HFMA2", translate_hfma2},   {"HMNMX2", translate_hmnmx2},
    {"VHMNMX", translate_vhmnmx}, {"HSET2", translate_hset2},
    {"HSETP2", translate_hsetp2}, {0},
};
