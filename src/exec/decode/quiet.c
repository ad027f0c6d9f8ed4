/* Basic blocks that only compute: other warps notice nothing of them, nor they of other warps. Where turns are brief
 * (cta.c), such a block needs none of its own. */
#include "exec/calls/calls.h"

bool operand_is_clock(const Operand *operand) {
    return operand->kind == OPERAND_SPECIAL && operand->special >= SREG_CLOCK &&
           operand->special <= SREG_GLOBALTIMER_HI;
}

bool code_is_noticed(const Code *code) {
    const bool own =
        code->space == SPACE_LOCAL || code->space == SPACE_PARAM || code->space == SPACE_CONST;
    return (op_access(code->insn->op) != OP_ACCESS_NONE && !own) ||
           op_has(code->insn->op, TRAIT_BARRIER) || op_has(code->insn->op, TRAIT_ASYNC);
}

static bool reads_clock(const Insn *insn) {
    bool reads = false;
    for (uint32_t i = 0; i < insn->operand_count; i++)
        reads |= operand_is_clock(&insn->operands[i]);
    return reads;
}

/* It computes with what the warp has, or goes on or ends. */
static bool is_quiet(const Code *code) {
    const Op op = code->insn->op;
    const bool computes = op_has(op, TRAIT_PURE) || op_has(op, TRAIT_PREDICATES) ||
                          op_has(op, TRAIT_ADDRESS) || op_has(op, TRAIT_CONVERTS) ||
                          op_has(op, TRAIT_MOVES) || op_has(op, TRAIT_HINT) ||
                          op_access(op) == OP_ACCESS_LOAD || code->control != CONTROL_NONE;
    const bool leads = code->control == CONTROL_CALL || code->control == CONTROL_SWITCH;
    return computes && !leads && !code_is_noticed(code) && !reads_clock(code->insn);
}

void quiet_find(const Program *program, const Routine *routine) {
    for (uint32_t b = 0; b < routine->function->blocks.count; b++) {
        const Block *block = &program->blocks[routine->first_block + b];
        bool quiet = true;
        for (uint32_t i = 0; i < block->count; i++)
            quiet &= is_quiet(&program->code[block->first + i]);
        program->quiet[routine->first_block + b] = quiet;
    }
}
