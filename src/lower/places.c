/* Where an access is: a register and a constant distance from it. Registers that were made from others
 * by adding constants are followed back; a register that is written in several places (a loop's pointer)
 * stands for itself from one write to the next. */
#include "lower/lowering.h"

uint32_t register_bytes(const Merger *merger, uint32_t reg) {
    return type_bytes(merger->function->regs.at[reg].type);
}

static bool is_constant(const Merger *merger, uint32_t reg) {
    uint32_t bytes = register_bytes(merger, reg);
    return bytes && merger->known[reg].bits >= 8 * bytes;
}

static bool operand_constant(const Merger *merger, const Operand *operand, uint64_t *value) {
    *value = operand->kind == OPERAND_IMM ? operand->bits : 0;
    if (operand->kind == OPERAND_REG && is_constant(merger, operand->reg)) {
        *value = merger->known[operand->reg].value;
        return true;
    }
    return operand->kind == OPERAND_IMM;
}

/* The register from which an instruction makes another by adding a constant; NO_REG: it is not such. */
static uint32_t source_of(const Merger *merger, const Insn *insn, uint64_t *added) {
    const Operand *in = &insn->operands[1];
    *added = 0;
    if (insn->operand_count < 2 || insn->operands[0].kind != OPERAND_REG)
        return NO_REG;
    if (insn->op == OP_mov)
        return in->kind == OPERAND_REG ? in->reg : NO_REG;
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
        if (in[0].kind == OPERAND_REG && operand_constant(merger, &in[1], added))
            return in[0].reg;
        return in[1].kind == OPERAND_REG && operand_constant(merger, &in[0], added) ? in[1].reg
                                                                                    : NO_REG;
    case OP_MATH_DIFFERENCE:
        if (in[0].kind != OPERAND_REG || !operand_constant(merger, &in[1], added))
            return NO_REG;
        *added = 0 - *added;
        return in[0].reg;
    default:
        return NO_REG;
    }
}

/* The shared variable whose address, which ptxas does not know, is in the constant: where it lies, + 1. */
static uint32_t window_of(const Merger *merger, uint32_t reg) {
    enum { STEPS = 16 };
    for (uint32_t i = 0; i < STEPS && reg != NO_REG && merger->lowering->writes[reg] == 1; i++) {
        const Insn *insn = &merger->function->insns.at[merger->lowering->writer[reg]];
        const Operand *in = &insn->operands[1];
        uint64_t added;
        if (insn->op == OP_mov && in->kind == OPERAND_SYMBOL)
            return (uint32_t)shared_address(merger->lowering->shared, in->variable) + 1;
        reg = source_of(merger, insn, &added);
    }
    return 0;
}

/* window: of the instruction, where it adds the address of a shared variable that ptxas does not know. */
static bool adds_window(const Merger *merger, const Insn *insn, uint32_t *window) {
    bool adds = false;
    for (uint32_t i = 1; i <= 2 && i < insn->operand_count; i++) {
        const Operand *in = &insn->operands[i];
        if (in->kind != OPERAND_REG || !is_constant(merger, in->reg) ||
            !(merger->known[in->reg].made & KNOWN_WINDOW))
            continue;
        adds = true;
        *window = window_of(merger, in->reg);
    }
    return adds;
}

/* May the constant be taken out that was added to `source`, behind others? It stays where both are one
 * multiply-add, unless nothing else is added. */
static bool may_take_out(const Merger *merger, uint32_t reg, uint32_t source, bool window) {
    if (window)
        return merger->known[reg].made & KNOWN_LOOSE;
    return merger->known[reg].made & KNOWN_WINDOW || !(merger->known[source].made & KNOWN_PRODUCT);
}

/* Does a register that was made from `source` still say where that one is, at instruction `at`? A
 * source that is written in one place is, in every iteration, written before what is made of it. */
static bool still_holds(const Merger *merger, uint32_t reg, uint32_t source, uint32_t at) {
    const Lowering *lowering = merger->lowering;
    if (lowering->writes[source] == 1)
        return true;
    uint32_t writer = lowering->writer[reg];
    return merger->block_of[writer] == merger->block_of[at] && writer < at &&
           merger->seen[reg] == merger->version[source];
}

BasePlace place_of(const Merger *merger, const Operand *address, uint32_t at) {
    uint32_t reg = address->reg;
    bool window = false; /* the constants so far have an address in them that ptxas does not know */
    uint32_t variable = 0;
    uint64_t sum = (uint64_t)address->offset, added;
    if (reg == NO_REG && address->variable)
        sum += shared_address(merger->lowering->shared, address->variable);
    while (reg != NO_REG) {
        if (is_constant(merger, reg)) {
            sum += merger->known[reg].value;
            reg = NO_REG;
            break;
        }
        const Insn *insn = &merger->function->insns.at[merger->lowering->writer[reg]];
        if (merger->lowering->writes[reg] != 1 || insn->guard != NO_REG)
            break;
        uint32_t source = source_of(merger, insn, &added);
        if (source == NO_REG || !still_holds(merger, reg, source, at))
            break;
        if (insn->op != OP_mov && !may_take_out(merger, reg, source, window))
            break;
        window |= adds_window(merger, insn, &variable);
        sum += added;
        reg = source;
    }
    Known known = reg == NO_REG ? (Known){.bits = 32} : merger->known[reg];
    if (window && !(known.made & KNOWN_LOOSE))
        known = known_multiple(known);
    return (BasePlace){reg, (uint32_t)sum, reg == NO_REG ? 0 : variable, known};
}

static void count_version(void *context, uint32_t reg, bool defined) {
    Merger *merger = context;
    merger->version[reg] += defined;
}

void places_pass(Merger *merger, const Insn *insn) {
    uint64_t added;
    uint32_t source = source_of(merger, insn, &added);
    if (source != NO_REG)
        merger->seen[insn->operands[0].reg] = merger->version[source];
    insn_registers(insn, count_version, merger);
}
