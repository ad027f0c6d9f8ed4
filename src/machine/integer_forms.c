/* What all integer instructions ask of their modifiers and operands; selection. */
#include "machine/integer.h"

bool integer_modifier(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
}

static bool other_operands(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
}

bool integer_operands(Emit *e, const MachineInsn *insn, uint32_t count) {
    if (insn->operand_count != count)
        return other_operands(e, insn);
    for (uint32_t i = 0; i < count; i++) {
        if (insn->operands[i].absolute)
            return other_operands(e, insn);
    }
    return true;
}

void emit_select(Emit *e, const char *d, const char *a, const char *b,
                 const MachineOperand *condition) {
    MachineOperand plain = *condition;
    plain.inverted = false;
    if (is_true(condition) || is_false(condition))
        emit(e, "mov.b32 %s, %s", d, is_true(condition) ? a : b);
    else
        emit(e, "selp.b32 %s, %s, %s, %s", d, condition->inverted ? b : a,
             condition->inverted ? a : b, in_pred(e, &plain));
}
