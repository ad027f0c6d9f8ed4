/* Branches, convergence barriers, calls.
 *
 * Lanes part at a branch, and meet again at BSYNC, where those in the barrier wait for each other, and nowhere else:
 * translate.c marks the function so. BSSY has lanes enter a barrier, BREAK has them leave it, BMOV saves and restores its mask.
 *
 * An address of code is its offset in the section. What returns (RET) or jumps to one in a register goes through a table
 * of all places to which such an address can lead: behind calls, and what is named as an operand. */
#include "machine/emit.h"
#include "machine/translate.h"

#include <string.h>

/* @P1 BRA.U.ANY: all lanes, if P1 is true in one. */
static bool branch_together(Emit *e, const char *label) {
    const char *here = temp32(e), *take = temp_pred(e);
    emit_always(e, "activemask.b32 %s", here);
    emit_always(e, "vote.sync.any.pred %s, %s, %s", take, guard_value(e), here);
    emit_line(e, "@%s bra %s;", take, label);
    return true;
}

/* @!P1 BRA.DIV UR4: all lanes, if those whose guard is true are not (CONV: are) those of the mask; before sm_80 no mask is
 * named, and it is that of all that have not ended. */
static bool branch_apart(Emit *e, const MachineInsn *insn, const char *label) {
    const char *here = temp32(e), *take = temp_pred(e), *members = NULL;
    emit_always(e, "activemask.b32 %s", here);
    if (guard_of(e))
        emit_always(e, "vote.sync.ballot.b32 %s, %s, %s", here, guard_value(e), here);
    if (insn->operand_count == 2)
        members = in32(e, &insn->operands[0]);
    else
        emit_always(e, "machine.live.b32 %s", members = temp32(e));
    emit_always(e, "setp.%s.u32 %s, %s, %s", machine_has(insn, "DIV") ? "ne" : "eq", take, here,
                members);
    emit_line(e, "@%s bra %s;", take, label);
    return true;
}

/* BRA `(.L_x_1); BRA P0, `(.L_x_1); BRA.DIV UR4, `(.L_x_1); BRA.U !UP0, … */
static bool bra(Emit *e, const MachineInsn *insn) {
    const MachineOperand *target = machine_last(insn);
    if (target->kind != MACHINE_CODE || !machine_only(insn, "U DIV CONV ANY INC YIELD UNIFORM"))
        return false;
    const char *label = label_of(e, target->symbol);
    if (!label)
        return false;
    if (machine_has(insn, "ANY"))
        return insn->operand_count == 1 && branch_together(e, label);
    const bool compares = machine_has(insn, "DIV") || machine_has(insn, "CONV");
    if (insn->operand_count == 1 && !compares) {
        emit(e, "bra %s", label);
        return true;
    }
    if (insn->operand_count > 2)
        return false;
    if (compares)
        return branch_apart(e, insn, label);
    const MachineOperand *condition = &insn->operands[0];
    if (condition->kind != MACHINE_PRED && condition->kind != MACHINE_UPRED)
        return false;
    const char *take = in_pred(e, condition);
    if (guard_of(e)) {
        const char *both = temp_pred(e);
        emit_always(e, "and.pred %s, %s, %s", both, take, guard_value(e));
        take = both;
    }
    emit_line(e, "@%s bra %s;", take, label);
    return true;
}

static bool exit_(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "KEEPREFCOUNT PREEMPTED NO_ATEXIT"))
        return false;
    if (insn->operand_count == 0) {
        emit(e, "exit");
        return true;
    }
    if (insn->operand_count != 1)
        return false;
    const char *leaves = in_pred(e, &insn->operands[0]);
    if (insn->guarded) {
        const char *both = temp_pred(e);
        emit_always(e, "and.pred %s, %s, %s", both, leaves, guard_value(e));
        leaves = both;
    }
    emit_line(e, "@%s exit;", leaves);
    return true;
}

/* ---- convergence barriers ---- */

static bool bssy(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "RELIABLE RECONVERGENT") || insn->operand_count != 2 ||
        insn->operands[0].kind != MACHINE_BARRIER || insn->operands[1].kind != MACHINE_CODE)
        return false; /* BSSY P0, B0, … is not known */
    emit(e, "machine.enter %u", insn->operands[0].number);
    return true;
}

static bool bsync(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "RELIABLE RECONVERGENT") || insn->operand_count != 1 ||
        insn->operands[0].kind != MACHINE_BARRIER)
        return false;
    emit(e, "machine.sync %u", insn->operands[0].number);
    return true;
}

static bool break_(Emit *e, const MachineInsn *insn) {
    const MachineOperand *barrier = machine_last(insn);
    if (!machine_only(insn, "RELIABLE") || insn->operand_count > 2 || insn->operand_count == 0 ||
        barrier->kind != MACHINE_BARRIER)
        return false;
    if (insn->operand_count == 1) {
        emit(e, "machine.break %u", barrier->number);
        return true;
    }
    const char *leaves = in_pred(e, &insn->operands[0]);
    if (guard_of(e)) {
        const char *both = temp_pred(e);
        emit_always(e, "and.pred %s, %s, %s", both, leaves, guard_value(e));
        leaves = both;
    }
    emit_line(e, "@%s machine.break %u;", leaves, barrier->number);
    return true;
}

/* BMOV.32.CLEAR R16, B6; BMOV.32 B6, R16. */
static bool bmov(Emit *e, const MachineInsn *insn) {
    const MachineOperand *to = &insn->operands[0], *from = &insn->operands[1];
    if (!machine_only(insn, "32 CLEAR PQUAD") || machine_has(insn, "PQUAD") ||
        insn->operand_count != 2)
        return false;
    if (to->kind == MACHINE_BARRIER) {
        emit(e, "machine.restore.b32 %u, %s", to->number, in32(e, from));
        return true;
    }
    if (from->kind != MACHINE_BARRIER || to->kind != MACHINE_REG)
        return false;
    emit(e, "machine.save.b32 %s, %u", out32(e, to), from->number);
    if (machine_has(insn, "CLEAR"))
        emit(e, "machine.restore.b32 %u, 0", from->number);
    return true;
}

/* ---- calls ---- */

/* CALL.REL.NOINC `(f); CALL.ABS.NOINC `(f); CALL.REL.NOINC R6 `(k): to an address in a register. */
static bool call(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "REL ABS NOINC") || !machine_has(insn, "NOINC") ||
        insn->operand_count != 1)
        return false;
    const MachineOperand *target = &insn->operands[0];
    if (target->kind == MACHINE_CODE) {
        const char *label = label_of(e, target->symbol);
        if (label) {
            emit(e, "bra %s", label);
            return true;
        }
        return call_outside(e, insn, target->symbol);
    }
    return call_register(e, insn);
}

/* RET.REL.NODEC R20 `(k) */
static bool ret(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "REL ABS NODEC") || insn->operand_count != 1)
        return false;
    uint32_t number;
    if (!leading_register(insn, &number))
        return false;
    jump_to(e, number);
    return true;
}

/* BRX R4 -0x300 (*"BRANCH_TARGETS .L_x_6,.L_x_7"*): to R4 + -0x300 + the address behind it. */
static bool brx(Emit *e, const MachineInsn *insn) {
    return machine_only(insn, "INC YIELD") && branch_table(e, insn, false);
}

static bool brxu(Emit *e, const MachineInsn *insn) {
    return machine_only(insn, "INC YIELD") && branch_table(e, insn, true);
}

/* LEPC R20, `(.L_x_9): an address of code; LEPC R2: its own. */
static bool lepc(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "") || insn->operand_count > 2)
        return false;
    uint32_t address = insn->address;
    if (insn->operand_count == 2 && (insn->operands[1].kind != MACHINE_CODE ||
                                     !address_of(e, insn->operands[1].symbol, &address)))
        return false;
    const MachineOperand *to = &insn->operands[0];
    emit(e, "mov.b32 %s, %u", out_at(e, to, 0), address);
    emit(e, "mov.b32 %s, 0", out_at(e, to, 1));
    land_at(e, address);
    return true;
}

static bool bpt(Emit *e, const MachineInsn *insn) {
    if (!machine_has(insn, "TRAP"))
        return false;
    emit(e, "trap");
    return true;
}

static bool kill(Emit *e, const MachineInsn *insn) {
    emit(e, "exit");
    return insn->mod_count == 0 && insn->operand_count == 0;
}

const MachineFamily family_control[] = {
    {"BRA", bra},      {"EXIT", exit_},
    {"BSSY", bssy},    {"BSYNC", bsync},
    {"BREAK", break_}, {"BMOV", bmov},
    {"CALL", call},    {"RET", ret},
    {"BRX", brx},      {"BRXU", brxu},
    {"LEPC", lepc},    {"BPT", bpt},
    {"KILL", kill},    {0},
};
