/* Numbers of values: a walk over the program, with a number for each register of the function at hand. */
#include "exec/run/values.h"
#include "exec/calls/calls.h"

Values values_new(Arena *arena, const Program *program) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < program->routine_count; i++) {
        uint32_t count = program->routines[i].function->regs.count;
        most = count > most ? count : most;
    }
    return (Values){
        .program = program, .of = NEW_ARRAY(arena, uint32_t, most), .number = UINT32_MAX};
}

static const Insn *insn_at(const Values *values, uint32_t number) {
    return values->program->code[number].insn;
}

static void pass(void *context, uint32_t reg, bool defined) {
    Values *values = context;
    if (defined)
        values->of[reg] = ++values->last;
}

/* Every register of the function that begins here holds something else. */
static void enter(Values *values) {
    const Program *program = values->program;
    for (; values->routine < program->routine_count; values->routine++) {
        const Routine *routine = &program->routines[values->routine];
        if (routine->first_code > values->number)
            break;
        for (uint32_t reg = 0; reg < routine->function->regs.count; reg++)
            values->of[reg] = ++values->last;
    }
}

static bool is_barrier(const Insn *insn) {
    return op_has(insn->op, TRAIT_BARRIER);
}

static bool begins_block(const Values *values) {
    const uint32_t *block_of = values->program->block_of, number = values->number;
    return number == 0 || block_of[number] != block_of[number - 1] ||
           is_barrier(insn_at(values, number - 1));
}

void values_next(Values *values) {
    if (values->number != UINT32_MAX)
        insn_registers(insn_at(values, values->number), pass, values);
    values->number++;
    enter(values);
    values->block += begins_block(values);
}

uint32_t values_guard(const Values *values) {
    const Insn *insn = insn_at(values, values->number);
    return insn->guard == NO_REG ? 0 : values->of[insn->guard] * 2 + insn->guard_negated;
}

uint32_t values_base(const Values *values, int64_t *offset) {
    const Insn *insn = insn_at(values, values->number);
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        const Operand *operand = &insn->operands[i];
        if (operand->kind != OPERAND_ADDRESS)
            continue;
        *offset = operand->offset;
        return operand->reg == NO_REG ? 0 : values->of[operand->reg];
    }
    *offset = 0;
    return 0;
}
