/* Single precision: arithmetic, comparison, the special function unit. */
#include "machine/real.h"

#include <string.h>

/* ---- arithmetic ---- */

/* ".rz.ftz.sat.f32" */
static const char *arithmetic_mods(Emit *e, const MachineInsn *insn) {
    return emit_printf(e, "%s%s%s.f32", real_rounding(insn), real_ftz(insn), real_sat(insn));
}

#define ARITHMETIC "FTZ SAT RM RP RZ"

static bool translate_fadd(Emit *e, const MachineInsn *insn) {
    if (!real_form(e, insn, 3, ARITHMETIC))
        return false;
    const Signed a = signed_f32(e, &insn->operands[1]), b = signed_f32(e, &insn->operands[2]);
    emit_sum(e, arithmetic_mods(e, insn), out32(e, &insn->operands[0]), a, b);
    return true;
}

/* Two to some power, as the bits of a double: FMUL.M2, FMUL.D8; NULL: none. */
static const char *scale_bits(const MachineInsn *insn) {
    static const char *const scales[][2] = {
        {"M2", "0d4000000000000000"}, {"M4", "0d4010000000000000"}, {"M8", "0d4020000000000000"},
        {"D2", "0d3fe0000000000000"}, {"D4", "0d3fd0000000000000"}, {"D8", "0d3fc0000000000000"}};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (machine_has(insn, scales[i][0]))
            return scales[i][1];
    }
    return NULL;
}

/* The product is scaled before it is rounded, once: so 4,096 products for each scale on an H200, most of them near the ends
 * of the range (2026-11-24). As doubles both are exact. */
static bool translate_scaled(Emit *e, const MachineInsn *insn, const char *scale) {
    const char *round = machine_one_of(insn, "RM RP RZ"), *factor[2];
    const char *product = temp64(e), *result = temp32(e), *d = out32(e, &insn->operands[0]);
    const bool flushes = machine_has(insn, "FTZ");
    if (insn->operand_count != 3 || !machine_only(insn, "FTZ RM RP RZ M2 M4 M8 D2 D4 D8"))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const char *from = in_f32(e, &insn->operands[1 + i]), *value = temp32(e);
        factor[i] = temp64(e);
        emit_always(e, "mul.rn%s.f32 %s, %s, 0f3f800000", flushes ? ".ftz" : "", value, from);
        emit_always(e, "cvt.f64.f32 %s, %s", factor[i], value);
    }
    emit_always(e, "mul.rn.f64 %s, %s, %s", product, factor[0], factor[1]);
    emit_always(e, "mul.rn.f64 %s, %s, %s", product, product, scale);
    emit_always(e, "cvt.%s.f32.f64 %s, %s",
                !round            ? "rn"
                : round[1] == 'M' ? "rm"
                : round[1] == 'P' ? "rp"
                                  : "rz",
                result, product);
    emit(e, "mul.rn%s.f32 %s, %s, 0f3f800000", flushes ? ".ftz" : "", d, result);
    return true;
}

/* -a b is -a b + -0; where it is rounded down, + 0, since 0 + -0 is -0 then. */
static bool translate_fmul(Emit *e, const MachineInsn *insn) {
    const char *scale = scale_bits(insn);
    if (scale)
        return translate_scaled(e, insn, scale);
    if (!real_form(e, insn, 3, ARITHMETIC))
        return false;
    const Signed a = signed_f32(e, &insn->operands[1]), b = signed_f32(e, &insn->operands[2]);
    const char *mods = arithmetic_mods(e, insn), *d = out32(e, &insn->operands[0]);
    if (a.negative != b.negative)
        emit_fused(e, mods, d, a, b,
                   (Signed){machine_has(insn, "RM") ? "0f00000000" : "0f80000000", false});
    else
        emit(e, "mul%s %s, %s, %s", mods, d, a.name, b.name);
    return true;
}

static bool translate_ffma(Emit *e, const MachineInsn *insn) {
    if (!real_form(e, insn, 4, ARITHMETIC))
        return false;
    const Signed a = signed_f32(e, &insn->operands[1]), b = signed_f32(e, &insn->operands[2]);
    const Signed c = signed_f32(e, &insn->operands[3]);
    emit_fused(e, arithmetic_mods(e, insn), out32(e, &insn->operands[0]), a, b, c);
    return true;
}

/* ---- minimum and maximum ---- */

/* The operands of .XORSIGN are written |a|, |b|, but their signs count. */
static const char *extreme_in(Emit *e, const MachineOperand *operand, bool xorsign) {
    MachineOperand plain = *operand;
    if (xorsign)
        plain.absolute = false;
    return in_f32(e, &plain);
}

/* d = p ? min(a, b) : max(a, b) */
static void emit_extreme(Emit *e, const char *mods, const char *d, const char *a, const char *b,
                         const MachineOperand *least) {
    if (is_true(least) || is_false(least)) {
        emit(e, "%s%s %s, %s, %s", is_true(least) ? "min" : "max", mods, d, a, b);
        return;
    }
    const char *min = temp32(e), *max = temp32(e), *condition = in_pred(e, least);
    emit_always(e, "min%s %s, %s, %s", mods, min, a, b);
    emit_always(e, "max%s %s, %s, %s", mods, max, a, b);
    emit(e, "selp.b32 %s, %s, %s, %s", d, min, max, condition);
}

/* FMNMX3 d, a, b, c, p */
static bool translate_fmnmx3(Emit *e, const MachineInsn *insn) {
    if (!real_form(e, insn, 5, "FTZ NAN"))
        return false;
    const MachineOperand *o = insn->operands;
    const char *a = in_f32(e, &o[1]), *b = in_f32(e, &o[2]), *c = in_f32(e, &o[3]);
    const char *part = temp32(e), *mods = emit_printf(e, "%s%s.f32", real_ftz(insn),
                                                      machine_has(insn, "NAN") ? ".NaN" : "");
    emit_extreme(e, mods, part, a, b, &o[4]);
    emit_extreme(e, mods, out32(e, &o[0]), part, c, &o[4]);
    return true;
}

static bool translate_fmnmx(Emit *e, const MachineInsn *insn) {
    if (!real_form(e, insn, 4, "FTZ NAN XORSIGN"))
        return false;
    const MachineOperand *o = insn->operands, *least = &o[3];
    const bool xorsign = machine_has(insn, "XORSIGN");
    if (xorsign && (!o[1].absolute || !o[2].absolute || o[1].negated || o[2].negated))
        return real_unknown(e, insn);
    const char *a = extreme_in(e, &o[1], xorsign), *b = extreme_in(e, &o[2], xorsign);
    const char *mods =
        emit_printf(e, "%s%s%s.f32", real_ftz(insn), machine_has(insn, "NAN") ? ".NaN" : "",
                    xorsign ? ".xorsign.abs" : "");
    emit_extreme(e, mods, out32(e, &o[0]), a, b, least);
    return true;
}

/* ---- selection: moves bits, of NaNs and of halves of doubles too ---- */

/* Written without its bits: raw32() takes them from the instruction's. */
static bool is_nan(const MachineOperand *operand) {
    return operand->kind == MACHINE_FLOAT && operand->real != operand->real;
}

static const char *bits_in(Emit *e, const MachineOperand *operand) {
    if (is_zero(operand))
        return operand->negated ? "0x80000000" : "0";
    const char *value = raw32(e, operand);
    if (operand->absolute || operand->negated) {
        const char *to = temp32(e);
        emit_always(e, "%s.b32 %s, %s, %s",
                    operand->absolute ? operand->negated ? "or" : "and" : "xor", to, value,
                    operand->absolute && !operand->negated ? "0x7fffffff" : "0x80000000");
        value = to;
    }
    return value;
}

static bool translate_fsel(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 4, ""))
        return false;
    const bool unlisted = (is_nan(&o[1]) || is_nan(&o[2])) && !insn->bits;
    if (unlisted || o[1].suffix.length || o[2].suffix.length)
        return real_unknown(e, insn);
    const char *a = bits_in(e, &o[1]), *b = bits_in(e, &o[2]), *d = out32(e, &o[0]);
    if (is_true(&o[3]) || is_false(&o[3])) {
        emit(e, "mov.b32 %s, %s", d, is_true(&o[3]) ? a : b);
        return true;
    }
    MachineOperand condition = o[3];
    condition.inverted = false;
    const char *p = in_pred(e, &condition);
    emit(e, "selp.b32 %s, %s, %s, %s", d, o[3].inverted ? b : a, o[3].inverted ? a : b, p);
    return true;
}

/* ---- comparison ---- */

static bool translate_fsetp(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    Combined combined;
    if (!real_form(e, insn, 5, "FTZ " REAL_COMPARISONS))
        return false;
    const char *name = real_comparison(e, insn);
    if (!name || !real_combined(e, insn, &o[4], &combined))
        return false;
    const char *a = in_f32(e, &o[2]), *b = in_f32(e, &o[3]);
    emit(e, "setp.%s%s%s.f32 %s, %s, %s%s", name, combined.func, real_ftz(insn),
         real_predicates(e, &o[0], &o[1]), a, b, combined.condition);
    return true;
}

/* All ones, or with .BF 1.0, for true. */
static bool translate_fset(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    Combined combined;
    if (!real_form(e, insn, 4, "BF FTZ " REAL_COMPARISONS))
        return false;
    const char *name = real_comparison(e, insn);
    if (!name || !real_combined(e, insn, &o[3], &combined))
        return false;
    const char *a = in_f32(e, &o[1]), *b = in_f32(e, &o[2]);
    emit(e, "set.%s%s%s.%s.f32 %s, %s, %s%s", name, combined.func, real_ftz(insn),
         machine_has(insn, "BF") ? "f32" : "u32", out32(e, &o[0]), a, b, combined.condition);
    return true;
}

/* Whether a / b needs the slow path. */
static bool translate_fchk(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 3, ""))
        return false;
    const char *a = in_f32(e, &o[1]), *b = in_f32(e, &o[2]);
    emit(e, "machine.fchk.f32 %s, %s, %s", out_pred(e, &o[0]), a, b);
    return true;
}

/* ---- the special function unit ---- */

/* Of the lower half, or with .H1 of the upper one; the result's upper half is zero. */
static bool translate_mufu_half(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const bool bf16 = machine_has(insn, "BF16"), upper = str_is(o[1].suffix, ".H1");
    const char *name =
        machine_has(insn, "EX2")    ? bf16 ? "ex2.approx.ftz.bf16x2" : "ex2.approx.f16x2"
        : machine_has(insn, "TANH") ? bf16 ? "tanh.approx.bf16x2" : "tanh.approx.f16x2"
                                    : NULL;
    if (!name || insn->mod_count != 2 || o[1].negated || o[1].absolute ||
        (o[1].suffix.length && !upper && !str_is(o[1].suffix, ".H0")))
        return real_unknown(e, insn);
    const char *value = raw32(e, &o[1]), *pair = temp32(e);
    if (upper) {
        emit_always(e, "shr.u32 %s, %s, 16", pair, value);
        value = pair;
    }
    emit_always(e, "%s %s, %s", name, pair, value);
    emit(e, "and.b32 %s, %s, 0xffff", out32(e, &o[0]), pair);
    return true;
}

/* The upper half of a double; a number stands for one whose lower half is zero. */
static const char *upper_half(Emit *e, const MachineOperand *operand) {
    if (operand->kind != MACHINE_FLOAT)
        return bits_in(e, operand);
    uint64_t bits;
    memcpy(&bits, &operand->real, sizeof bits);
    return emit_printf(e, "0x%x", (uint32_t)(bits >> 32));
}

/* The unit itself flushes subnormal numbers; ptxas scales around it. Sine and cosine are of turns, which an FMUL.RZ
 * before it makes of radians. Of double precision it takes and gives the upper half. */
static bool translate_mufu(Emit *e, const MachineInsn *insn) {
    static const char *const names[][2] = {
        {"RCP", "rcp.approx.ftz.f32"},    {"RSQ", "rsqrt.approx.ftz.f32"},
        {"SQRT", "sqrt.approx.ftz.f32"},  {"EX2", "ex2.approx.ftz.f32"},
        {"LG2", "lg2.approx.ftz.f32"},    {"SIN", "machine.sin.f32"},
        {"COS", "machine.cos.f32"},       {"TANH", "tanh.approx.f32"},
        {"RCP64H", "machine.rcp64h.b32"}, {"RSQ64H", "machine.rsq64h.b32"}};
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 2, "RCP RSQ SQRT EX2 LG2 SIN COS TANH RCP64H RSQ64H F16 BF16"))
        return false;
    if (machine_one_of(insn, "F16 BF16"))
        return translate_mufu_half(e, insn);
    if (insn->mod_count != 1)
        return real_unknown(e, insn);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!machine_has(insn, names[i][0]))
            continue;
        const char *a = strstr(names[i][0], "64H") ? upper_half(e, &o[1]) : in_f32(e, &o[1]);
        emit(e, "%s %s, %s", names[i][1], out32(e, &o[0]), a);
        return true;
    }
    return real_unknown(e, insn);
}

const MachineFamily family_float[] = {
    {"FADD", translate_fadd},     {"FMUL", translate_fmul},    {"FFMA", translate_ffma},
    {"FMNMX", translate_fmnmx},   {"FSEL", translate_fsel},    {"FSETP", translate_fsetp},
    {"FSET", translate_fset},     {"FCHK", translate_fchk},    {"MUFU", translate_mufu},
    {"FMNMX3", translate_fmnmx3}, {"UFADD", translate_fadd},   {"UFMUL", translate_fmul},
    {"UFFMA", translate_ffma},    {"UFMNMX", translate_fmnmx}, {"UFSEL", translate_fsel},
    {"UFSETP", translate_fsetp},  {"UFSET", translate_fset},   {0},
};
