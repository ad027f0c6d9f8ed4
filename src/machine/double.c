/* Double precision. A number is in a pair of registers. */
#include "machine/real.h"

#define ROUNDING "RM RP RZ"

static const char *arithmetic_mods(Emit *e, const MachineInsn *insn) {
    return emit_printf(e, "%s.f64", real_rounding(insn));
}

static bool translate_dadd(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 3, ROUNDING))
        return false;
    const Signed a = signed_f64(e, &o[1]), b = signed_f64(e, &o[2]);
    const char *d = temp64(e);
    emit_sum(e, arithmetic_mods(e, insn), d, a, b);
    write64(e, &o[0], d);
    return true;
}

/* -a b is -a b + -0; where it is rounded down, + 0, since 0 + -0 is -0 then. */
static bool translate_dmul(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 3, ROUNDING))
        return false;
    const Signed a = signed_f64(e, &o[1]), b = signed_f64(e, &o[2]);
    const char *mods = arithmetic_mods(e, insn), *d = temp64(e);
    if (a.negative != b.negative)
        emit_fused(
            e, mods, d, a, b,
            (Signed){machine_has(insn, "RM") ? "0d0000000000000000" : "0d8000000000000000", false});
    else
        emit(e, "mul%s %s, %s, %s", mods, d, a.name, b.name);
    write64(e, &o[0], d);
    return true;
}

static bool translate_dfma(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!real_form(e, insn, 4, ROUNDING))
        return false;
    const Signed a = signed_f64(e, &o[1]), b = signed_f64(e, &o[2]), c = signed_f64(e, &o[3]);
    const char *d = temp64(e);
    emit_fused(e, arithmetic_mods(e, insn), d, a, b, c);
    write64(e, &o[0], d);
    return true;
}

/* .MIN, .MAX: p, whether the first one is the result; q, that both are NaNs. */
static bool translate_dsetp_extreme(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (insn->mod_count != 2 || !machine_has(insn, "AND") || !is_true(&o[4]))
        return real_unknown(e, insn);
    const char *a = in_f64(e, &o[2]), *b = in_f64(e, &o[3]);
    const char *first = temp_pred(e), *both = temp_pred(e);
    emit_always(e, "machine.%s.f64 %s, %s, %s", machine_has(insn, "MIN") ? "min" : "max", first, a,
                b);
    emit_always(e, "setp.nan.f64 %s, %s, %s", both, a, a);
    emit_always(e, "setp.nan.and.f64 %s, %s, %s, %s", both, b, b, both);
    /* one of them may be the guard */
    const bool guard =
        insn->guarded && insn->guard.kind == o[0].kind && insn->guard.number == o[0].number;
    const MachineOperand *order[] = {guard ? &o[1] : &o[0], guard ? &o[0] : &o[1]};
    for (size_t i = 0; i < 2; i++)
        emit(e, "mov.pred %s, %s", out_pred(e, order[i]), order[i] == &o[0] ? first : both);
    return true;
}

static bool translate_dsetp(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    Combined combined;
    if (!real_form(e, insn, 5, "MIN MAX " REAL_COMPARISONS))
        return false;
    if (machine_one_of(insn, "MIN MAX"))
        return translate_dsetp_extreme(e, insn);
    const char *name = real_comparison(e, insn);
    if (!name || !real_combined(e, insn, &o[4], &combined))
        return false;
    const char *a = in_f64(e, &o[2]), *b = in_f64(e, &o[3]);
    emit(e, "setp.%s%s.f64 %s, %s, %s%s", name, combined.func, real_predicates(e, &o[0], &o[1]), a,
         b, combined.condition);
    return true;
}

const MachineFamily family_double[] = {
    {"DADD", translate_dadd},
    {"DMUL", translate_dmul},
    {"DFMA", translate_dfma},
    {"DSETP", translate_dsetp},
    {0},
};
