/* Basic blocks that only compute: other warps notice nothing of them, nor they of other warps. Where turns are brief
 * (cta.c), such a block needs none of its own. */
#include "exec/calls/calls.h"

enum { QUIET_MOST = 1 << 16 }; /* more is as good as no end */

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
    if (code->gathers)
        return true;
    const bool computes = op_has(op, TRAIT_PURE) || op_has(op, TRAIT_PREDICATES) ||
                          op_has(op, TRAIT_ADDRESS) || op_has(op, TRAIT_CONVERTS) ||
                          op_has(op, TRAIT_MOVES) || op_has(op, TRAIT_HINT) ||
                          op_access(op) == OP_ACCESS_LOAD || code->control != CONTROL_NONE;
    const bool leads = code->control == CONTROL_CALL || code->control == CONTROL_SWITCH;
    return computes && !leads && !code_is_noticed(code) && !reads_clock(code->insn);
}

/* From the block's beginning the least that is executed before something is noticed, or the function ends. */
static uint32_t least_quiet(const Program *program, const Block *block) {
    const Code *last = &program->code[block->first + block->count - 1];
    const bool ends = block->successor[0] == NO_INDEX || last->control >= CONTROL_EXIT;
    uint32_t least = ends ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < block_successor_count(block); i++) {
        const uint32_t next = block_successor(block, i);
        if (next != NO_INDEX && program->quiet[next] < least)
            least = program->quiet[next];
    }
    return least < QUIET_MOST - block->count ? block->count + least : QUIET_MOST;
}

void quiet_find(const Program *program, const Routine *routine) {
    const uint32_t first = routine->first_block, count = routine->function->blocks.count;
    for (uint32_t b = first; b < first + count; b++) {
        const Block *block = &program->blocks[b];
        bool quiet = block->count < QUIET_MOST;
        for (uint32_t i = 0; i < block->count; i++)
            quiet &= is_quiet(&program->code[block->first + i]);
        program->quiet[b] = quiet ? QUIET_MOST : 0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = first + count; b-- > first;) {
            const uint32_t quiet = program->quiet[b];
            if (quiet)
                program->quiet[b] = least_quiet(program, &program->blocks[b]);
            changed |= quiet != program->quiet[b];
        }
    }
}
