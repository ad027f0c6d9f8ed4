/* Atomics and reductions: what shared memory does for them, and which lanes ask for them (see Lanes).
 * Read off the machine code of ptxas 13.0 for sm_75, sm_80 and sm_90 (docs/memory-model.md, sections 1
 * and 6; tests/exec/aggregate.py has the cases). */
#include "lower/lowering.h"

static bool result_unused(const Lowering *lowering, const Insn *insn) {
    const Operand *d = &insn->operands[0];
    return op_access(insn->op) == OP_ACCESS_REDUCTION || d->kind == OPERAND_SINK ||
           (d->kind == OPERAND_REG && !lowering->read[d->reg]);
}

/* The constant 1, written out or moved to a register that is written nowhere else. */
static bool is_one(const Lowering *lowering, const Operand *operand) {
    if (operand->kind == OPERAND_IMM)
        return (uint32_t)operand->bits == 1;
    if (operand->kind != OPERAND_REG || lowering->writes[operand->reg] != 1)
        return false;
    const Insn *writer = &lowering->function->insns.at[lowering->writer[operand->reg]];
    return writer->op == OP_mov && writer->guard == NO_REG &&
           writer->operands[0].kind == OPERAND_REG && writer->operands[1].kind == OPERAND_IMM &&
           writer->operands[1].bits == 1;
}

static AccessKind shared_kind(const Lowering *lowering, const Insn *insn, Func func,
                              const Operand *operand) {
    Type type = (Type)insn->mods.type;
    if (func == FUNC_CAS)
        return ACCESS_ATOMIC_CAS;
    if (type_bytes(type) == 8)
        return func == FUNC_EXCH ? ACCESS_ATOMIC : ACCESS_ATOMIC_LOOP64;
    if (type_is_float(type))
        return ACCESS_ATOMIC_LOOP32;
    if (func == FUNC_ADD && type == TYPE_U32 && is_one(lowering, operand) &&
        result_unused(lowering, insn))
        return ACCESS_ATOMIC_POPC;
    return ACCESS_ATOMIC;
}

static bool varies(Lowering *lowering, const Operand *operand) {
    if (operand->kind == OPERAND_SPECIAL)
        return true; /* none that ptxas was seen with */
    if ((operand->kind != OPERAND_REG && operand->kind != OPERAND_ADDRESS) ||
        operand->reg == NO_REG)
        return false;
    if (!lowering->varying)
        lowering->varying = varying_registers(lowering->scratch, lowering->function);
    return lowering->varying[operand->reg];
}

static Lanes lanes_of(Lowering *lowering, const Insn *insn, Func func, AccessKind kind,
                      const Operand *address) {
    Type type = (Type)insn->mods.type;
    bool popc = insn->mods.space == SPACE_SHARED && kind == ACCESS_ATOMIC_POPC;
    if (type_is_float(type) || popc || varies(lowering, address))
        return LANES_ALL;
    bool unused = result_unused(lowering, insn);
    switch (func) {
    case FUNC_ADD:
        if (!varies(lowering, address + 1))
            return LANES_ONE;
        return type_bytes(type) == 8 ? LANES_ALL : unused ? LANES_ONE : LANES_ONE_IF_FULL;
    case FUNC_MIN:
    case FUNC_MAX:
    case FUNC_AND:
    case FUNC_OR:
    case FUNC_XOR:
        return unused && type_bytes(type) == 4 ? LANES_ONE : LANES_ALL;
    default:
        return LANES_ALL;
    }
}

/* Machine code has an instruction for each. The one that counts lanes has no operand but the address. */
static AccessKind machine_kind(const Insn *insn) {
    if (insn->op == OP_machine_cast)
        return ACCESS_ATOMIC_CAST;
    if (op_has(insn->op, TRAIT_COMPARES))
        return ACCESS_ATOMIC_CAS;
    return insn->operand_count == 1 ? ACCESS_ATOMIC_POPC : ACCESS_ATOMIC;
}

void lower_atomic(Lowering *lowering, const Insn *insn, LoweredAccess *lowered) {
    const Operand *address = &insn->operands[op_access(insn->op) == OP_ACCESS_REDUCTION ? 0 : 1];
    Func func = insn->op == OP_atom_cas ? FUNC_CAS : (Func)insn->mods.func;
    if (lowering->function->machine) {
        lowered->kind = machine_kind(insn);
        lowered->lanes = LANES_ALL;
        return;
    }
    lowered->kind = shared_kind(lowering, insn, func, address + 1);
    lowered->lanes = lanes_of(lowering, insn, func, lowered->kind, address);
}
