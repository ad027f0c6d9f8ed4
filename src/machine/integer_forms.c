/* What all integer instructions ask of their modifiers and operands. */
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
