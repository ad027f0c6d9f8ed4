/* What the instructions of all floating-point formats have in common. */
#include "machine/real.h"

#include <string.h>

bool real_unknown(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "the form of " STR_FMT, STR_ARG(insn->text));
}

bool real_form(Emit *e, const MachineInsn *insn, uint32_t operands, const char *mods) {
    if (insn->operand_count == operands && machine_only(insn, mods))
        return true;
    return real_unknown(e, insn);
}

/* ---- signs ---- */

static bool takes_sign(const MachineOperand *operand) {
    return operand->negated && operand->kind != MACHINE_FLOAT && operand->kind != MACHINE_INT &&
           !is_zero(operand);
}

Signed signed_f32(Emit *e, const MachineOperand *operand) {
    MachineOperand plain = *operand;
    const bool negative = takes_sign(operand);
    plain.negated = operand->negated && !negative;
    return (Signed){in_f32(e, &plain), negative};
}

Signed signed_f64(Emit *e, const MachineOperand *operand) {
    MachineOperand plain = *operand;
    const bool negative = takes_sign(operand);
    plain.negated = operand->negated && !negative;
    return (Signed){in_f64(e, &plain), negative};
}

/* ---- arithmetic ---- */

const char *real_rounding(const MachineInsn *insn) {
    return machine_has(insn, "RZ")   ? ".rz"
           : machine_has(insn, "RM") ? ".rm"
           : machine_has(insn, "RP") ? ".rp"
                                     : ".rn";
}

const char *real_ftz(const MachineInsn *insn) {
    return machine_has(insn, "FTZ") ? ".ftz" : "";
}

const char *real_sat(const MachineInsn *insn) {
    return machine_has(insn, "SAT") ? ".sat" : "";
}

/* Without rounding: -a - b is not -(a + b) where it is directed. */
static const char *negated(Emit *e, const char *mods, const char *value) {
    const bool is_double = strstr(mods, "f64");
    const char *to = is_double ? temp64(e) : temp32(e);
    emit_always(e, is_double ? "neg.f64 %s, %s" : "neg.f32 %s, %s", to, value);
    return to;
}

void emit_sum(Emit *e, const char *mods, const char *d, Signed a, Signed b) {
    if (a.negative && b.negative)
        a = (Signed){negated(e, mods, a.name), false};
    const Signed first = a.negative ? b : a, second = a.negative ? a : b;
    emit(e, "%s%s %s, %s, %s", second.negative ? "sub" : "add", mods, d, first.name, second.name);
}

void emit_fused(Emit *e, const char *mods, const char *d, Signed a, Signed b, Signed c) {
    const bool product = a.negative != b.negative;
    const char *name = product      ? c.negative ? "machine.fnms" : "machine.fnma"
                       : c.negative ? "machine.fms"
                                    : "fma";
    emit(e, "%s%s %s, %s, %s, %s", name, mods, d, a.name, b.name, c.name);
}

/* ---- comparisons ---- */

const char *real_comparison(Emit *e, const MachineInsn *insn) {
    static const char *const names[][2] = {
        {"LT", "lt"},   {"EQ", "eq"},   {"LE", "le"},   {"GT", "gt"},   {"NE", "ne"},
        {"GE", "ge"},   {"NUM", "num"}, {"LTU", "ltu"}, {"EQU", "equ"}, {"LEU", "leu"},
        {"GTU", "gtu"}, {"NEU", "neu"}, {"GEU", "geu"}, {"NAN", "nan"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (machine_has(insn, names[i][0]))
            return names[i][1];
    }
    real_unknown(e, insn);
    return NULL;
}

bool real_combined(Emit *e, const MachineInsn *insn, const MachineOperand *condition,
                   Combined *to) {
    const char *func = machine_has(insn, "AND")   ? ".and"
                       : machine_has(insn, "OR")  ? ".or"
                       : machine_has(insn, "XOR") ? ".xor"
                                                  : NULL;
    if (!func)
        return real_unknown(e, insn);
    *to = (Combined){"", ""};
    if (func[1] == 'a' ? is_true(condition) : is_false(condition))
        return true;
    MachineOperand plain = *condition;
    const bool inverted = condition->inverted && condition->number != MACHINE_ZERO;
    plain.inverted = condition->inverted && !inverted;
    to->func = func;
    to->condition = emit_printf(e, ", %s%s", inverted ? "!" : "", in_pred(e, &plain));
    return true;
}

const char *real_predicates(Emit *e, const MachineOperand *p, const MachineOperand *q) {
    if (is_true(q))
        return out_pred(e, p);
    return emit_printf(e, "%s|%s", out_pred(e, p), out_pred(e, q));
}
