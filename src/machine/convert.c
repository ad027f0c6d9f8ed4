/* Conversions between types. What has 16 bits or fewer is in the low bits of its register; a floating-point result
 * there has zeros above it. */
#include "machine/real.h"

#include <string.h>

/* ---- sources of which a part counts ---- */

/* R4, R4.H1, R4.B2 as a register whose low bits are the part. */
static const char *part_in(Emit *e, const MachineInsn *insn, const MachineOperand *o) {
    static const struct {
        const char *suffix, *shift;
    } parts[] = {{".H0", "0"}, {".H1", "16"}, {".B0", "0"},
                 {".B1", "8"}, {".B2", "16"}, {".B3", "24"}};
    const char *value = raw32(e, o);
    if (o->suffix.length == 0)
        return value;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!str_is(o->suffix, parts[i].suffix))
            continue;
        if (*parts[i].shift == '0')
            return value;
        const char *to = temp32(e);
        emit_always(e, "shr.u32 %s, %s, %s", to, value, parts[i].shift);
        return to;
    }
    real_unknown(e, insn);
    return value;
}

/* A half, with its sign. */
static const char *half_in(Emit *e, const MachineInsn *insn, const MachineOperand *o) {
    const char *value = part_in(e, insn, o);
    if (o->absolute || o->negated) {
        const char *to = temp32(e);
        emit_always(e, "%s.b32 %s, %s, %s", o->absolute ? o->negated ? "or" : "and" : "xor", to,
                    value, o->absolute && !o->negated ? "0x7fff7fff" : "0x80008000");
        value = to;
    }
    return value;
}

/* The type that the PTX instruction names: "f16" … "s64". */
static const char *real_in(Emit *e, const MachineInsn *insn, const MachineOperand *o,
                           const char *type) {
    return strcmp(type, "f64") == 0   ? in_f64(e, o)
           : strcmp(type, "f32") == 0 ? in_f32(e, o)
                                      : half_in(e, insn, o);
}

static const char *integer_in(Emit *e, const MachineInsn *insn, const MachineOperand *o,
                              const char *type) {
    if (strstr(type, "64"))
        return in64(e, o);
    if (strstr(type, "32") && o->suffix.length == 0)
        return in32(e, o);
    if (o->negated || o->absolute || o->inverted)
        real_unknown(e, insn);
    return part_in(e, insn, o);
}

/* The instruction itself: "cvt.rn" and the types of its result and source. */
static bool emit_conversion(Emit *e, const MachineInsn *insn, const char *name, const char *to,
                            const char *from, const char *source) {
    const MachineOperand *d = &insn->operands[0];
    if (!strstr(to, "64")) {
        emit(e, "%s.%s.%s %s, %s", name, to, from, out32(e, d), source);
        return true;
    }
    const char *value = temp64(e);
    emit_always(e, "%s.%s.%s %s, %s", name, to, from, value, source);
    write64(e, d, value);
    return true;
}

/* ---- types among the modifiers ---- */

/* The PTX name of a type, or NULL. */
static const char *type_of_mod(Str mod) {
    static const char *const types[][2] = {{"F16", "f16"}, {"BF16", "bf16"}, {"F32", "f32"},
                                           {"F64", "f64"}, {"U8", "u8"},     {"S8", "s8"},
                                           {"U16", "u16"}, {"S16", "s16"},   {"U32", "u32"},
                                           {"S32", "s32"}, {"U64", "u64"},   {"S64", "s64"}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (str_is(mod, types[i][0]))
            return types[i][1];
    }
    return NULL;
}

/* The types that the instruction names, in their order. */
static uint32_t types_of(const MachineInsn *insn, const char *types[2]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < insn->mod_count && count < 2; i++) {
        types[count] = type_of_mod(insn->mods[i]);
        count += types[count] != NULL;
    }
    return count;
}

static bool is_real(const char *type) {
    return *type == 'f' || *type == 'b';
}

#define REALS "F16 BF16 F32 F64"
#define INTEGERS "U8 S8 U16 S16 U32 S32 U64 S64"

/* ---- from and to floating point ---- */

/* F2F.F32.F64.RM */
static bool translate_f2f(Emit *e, const MachineInsn *insn) {
    const char *types[2];
    if (!real_form(e, insn, 2, REALS " RM RP RZ FTZ"))
        return false;
    if (types_of(insn, types) != 2 || types[0] == types[1])
        return real_unknown(e, insn);
    const bool exact = (strcmp(types[0], "f64") == 0 && strcmp(types[1], "bf16") != 0) ||
                       (strcmp(types[0], "f32") == 0 && strcmp(types[1], "f16") == 0);
    const bool single = strcmp(types[0], "f32") == 0 || strcmp(types[1], "f32") == 0;
    if ((exact && machine_one_of(insn, "RM RP RZ")) || (!single && machine_has(insn, "FTZ")))
        return real_unknown(e, insn);
    const char *name = emit_printf(e, "cvt%s%s", exact ? "" : real_rounding(insn), real_ftz(insn));
    return emit_conversion(e, insn, name, types[0], types[1],
                           real_in(e, insn, &insn->operands[1], types[1]));
}

static const char *integer_rounding(const MachineInsn *insn) {
    return machine_has(insn, "TRUNC")   ? ".rzi"
           : machine_has(insn, "FLOOR") ? ".rmi"
           : machine_has(insn, "CEIL")  ? ".rpi"
                                        : ".rni";
}

/* F2I.FTZ.U32.F16.TRUNC.NTZ; S32 and F32 are not written. .NTZ, a NaN to zero, is what PTX asks for unless one of
 * the types has 64 bits. */
static bool translate_f2i(Emit *e, const MachineInsn *insn) {
    const char *types[2], *to = "s32", *from = "f32";
    if (!real_form(e, insn, 2, INTEGERS " " REALS " FTZ TRUNC FLOOR CEIL NTZ"))
        return false;
    const uint32_t count = types_of(insn, types);
    for (uint32_t i = 0; i < count; i++) {
        if (is_real(types[i]))
            from = types[i];
        else
            to = types[i];
    }
    const bool is_long = strstr(to, "64") || strcmp(from, "f64") == 0;
    const bool ftz = machine_has(insn, "FTZ");
    if (machine_has(insn, "NTZ") == is_long || (ftz && strcmp(from, "f32") != 0))
        return real_unknown(e, insn);
    const char *name = emit_printf(e, "cvt%s%s", integer_rounding(insn), real_ftz(insn));
    return emit_conversion(e, insn, name, to, from, real_in(e, insn, &insn->operands[1], from));
}

/* I2F.F16.S64.RM; F32 and S32 are not written. */
static bool translate_i2f(Emit *e, const MachineInsn *insn) {
    const char *types[2], *to = "f32", *from = "s32";
    if (!real_form(e, insn, 2, INTEGERS " " REALS " RM RP RZ"))
        return false;
    const uint32_t count = types_of(insn, types);
    for (uint32_t i = 0; i < count; i++) {
        if (is_real(types[i]))
            to = types[i];
        else
            from = types[i];
    }
    const char *name = emit_printf(e, "cvt%s", real_rounding(insn));
    return emit_conversion(e, insn, name, to, from, integer_in(e, insn, &insn->operands[1], from));
}

/* FRND.F16.FLOOR: to a whole number of the same type. */
static bool translate_frnd(Emit *e, const MachineInsn *insn) {
    const char *types[2] = {"f32", NULL};
    if (!real_form(e, insn, 2, REALS " FTZ TRUNC FLOOR CEIL"))
        return false;
    if (types_of(insn, types) > 1)
        return real_unknown(e, insn);
    const char *type = types[0] ? types[0] : "f32";
    if (machine_has(insn, "FTZ") && strcmp(type, "f32") != 0)
        return real_unknown(e, insn);
    const char *name = emit_printf(e, "cvt%s%s", integer_rounding(insn), real_ftz(insn));
    return emit_conversion(e, insn, name, type, type, real_in(e, insn, &insn->operands[1], type));
}

/* I2I.S16.S32.SAT */
static bool translate_i2i(Emit *e, const MachineInsn *insn) {
    const char *types[2];
    if (!real_form(e, insn, 2, INTEGERS " SAT"))
        return false;
    if (types_of(insn, types) != 2 || !machine_has(insn, "SAT"))
        return real_unknown(e, insn);
    return emit_conversion(e, insn, "cvt.sat", types[0], types[1],
                           integer_in(e, insn, &insn->operands[1], types[1]));
}

/* ---- packed ---- */

/* F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C d, a, b, c: a above b, and c's lower half above them. Of half precision,
 * F2FP.SATFINITE.E4M3.F16.UNPACK_B_MERGE_C d, b, c: the two of b. */
static bool translate_to_fp8(Emit *e, const MachineInsn *insn, const char *type) {
    const MachineOperand *o = insn->operands, *merged = machine_last(insn);
    const bool pack = machine_has(insn, "PACK_AB_MERGE_C");
    const char *relu = machine_has(insn, "RELU") ? ".relu" : "";
    if (!machine_has(insn, "SATFINITE") || insn->operand_count != (pack ? 4 : 3) ||
        !(pack ? machine_has(insn, "F32")
               : machine_has(insn, "F16") && machine_has(insn, "UNPACK_B_MERGE_C")) ||
        insn->mod_count != 4u + (*relu != 0))
        return real_unknown(e, insn);
    const char *two = temp16(e), *d = out32(e, &o[0]);
    if (pack) {
        const char *a = in_f32(e, &o[1]), *b = in_f32(e, &o[2]);
        emit_always(e, "cvt.rn.satfinite%s.%sx2.f32 %s, %s, %s", relu, type, two, a, b);
    } else {
        emit_always(e, "cvt.rn.satfinite%s.%sx2.f16x2 %s, %s", relu, type, two, in32(e, &o[1]));
    }
    if (is_zero(merged)) {
        emit(e, "cvt.u32.u16 %s, %s", d, two);
        return true;
    }
    const char *value = temp32(e), *above = in32(e, merged);
    emit_always(e, "cvt.u32.u16 %s, %s", value, two);
    emit(e, "prmt.b32 %s, %s, %s, 0x5410", d, value, above);
    return true;
}

/* F2FP.F16.E4M3.UNPACK_B */
static bool translate_from_fp8(Emit *e, const MachineInsn *insn, const char *type) {
    const MachineOperand *o = insn->operands;
    const char *relu = machine_has(insn, "RELU") ? ".relu" : "";
    if (!machine_has(insn, "F16") || insn->operand_count != 2 ||
        insn->mod_count != 3u + (*relu != 0) || o[1].negated || o[1].absolute)
        return real_unknown(e, insn);
    const char *two = temp16(e), *source = part_in(e, insn, &o[1]);
    emit_always(e, "cvt.u16.u32 %s, %s", two, source);
    emit(e, "cvt.rn%s.f16x2.%sx2 %s, %s", relu, type, out32(e, &o[0]), two);
    return true;
}

/* F2FP.RELU.TF32.F32.PACK_B.RZ */
static bool translate_to_tf32(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 2, "TF32 F32 PACK_B RELU RZ SATFINITE"))
        return false;
    if (!machine_has(insn, "F32") || !machine_has(insn, "PACK_B"))
        return real_unknown(e, insn);
    const char *a = in_f32(e, &o[1]);
    emit(e, "cvt%s%s%s.tf32.f32 %s, %s", real_rounding(insn),
         machine_has(insn, "SATFINITE") ? ".satfinite" : "",
         machine_has(insn, "RELU") ? ".relu" : "", out32(e, &o[0]), a);
    return true;
}

/* F2FP.RELU.BF16.F32.PACK_AB.RZ d, a, b: a above b; .MERGE_C d, b, RZ: b. sm_80 does not write F32, nor F16. */
static bool translate_f2fp_half(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 3, "F16 BF16 F32 PACK_AB MERGE_C RELU SATFINITE RZ"))
        return false;
    const char *mods =
        emit_printf(e, "%s%s%s", real_rounding(insn), machine_has(insn, "RELU") ? ".relu" : "",
                    machine_has(insn, "SATFINITE") ? ".satfinite" : "");
    const char *type = machine_has(insn, "BF16") ? "bf16" : "f16";
    const char *d = out32(e, &o[0]);
    if (machine_has(insn, "PACK_AB") && !machine_has(insn, "MERGE_C")) {
        if (is_zero(&o[1])) {
            emit(e, "cvt%s.%s.f32 %s, %s", mods, type, d, in_f32(e, &o[2]));
            return true;
        }
        const char *a = in_f32(e, &o[1]), *b = in_f32(e, &o[2]);
        emit(e, "cvt%s.%sx2.f32 %s, %s, %s", mods, type, d, a, b);
        return true;
    }
    if (!machine_has(insn, "MERGE_C") || machine_has(insn, "PACK_AB") || !is_zero(&o[2]))
        return real_unknown(e, insn);
    emit(e, "cvt%s.%s.f32 %s, %s", mods, type, d, in_f32(e, &o[1]));
    return true;
}

static bool translate_f2fp(Emit *e, const MachineInsn *insn) {
    if (machine_has(insn, "TF32"))
        return translate_to_tf32(e, insn);
    const char *fp8 = machine_has(insn, "E4M3")   ? "e4m3"
                      : machine_has(insn, "E5M2") ? "e5m2"
                                                  : NULL;
    if (!fp8)
        return translate_f2fp_half(e, insn);
    return machine_has(insn, "UNPACK_B") ? translate_from_fp8(e, insn, fp8)
                                         : translate_to_fp8(e, insn, fp8);
}

/* F2IP.U8.F32.TRUNC.NTZ d, a, b, c: a above b, and c's lower half above them; only of b. */
static bool translate_f2ip(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 4, "U8 S8 F32 TRUNC FLOOR CEIL NTZ"))
        return false;
    if (!is_zero(&o[1]) || !is_zero(&o[3]) || !machine_has(insn, "F32") ||
        !machine_has(insn, "NTZ") || !machine_has(insn, "U8"))
        return real_unknown(e, insn);
    emit(e, "cvt%s.u8.f32 %s, %s", integer_rounding(insn), out32(e, &o[0]), in_f32(e, &o[2]));
    return true;
}

const MachineFamily family_convert[] = {
    {"F2F", translate_f2f},    {"F2I", translate_f2i},    {"I2F", translate_i2f},
    {"I2FP", translate_i2f},   {"FRND", translate_frnd},  {"I2I", translate_i2i},
    {"F2FP", translate_f2fp},  {"F2IP", translate_f2ip},  {"UF2F", translate_f2f},
    {"UF2I", translate_f2i},   {"UI2F", translate_i2f},   {"UI2FP", translate_i2f},
    {"UFRND", translate_frnd}, {"UF2FP", translate_f2fp}, {0},
};
