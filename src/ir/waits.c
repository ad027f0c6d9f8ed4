/* Which functions may wait for somebody else's store: those with a loop that reads global memory so that the value may differ the
 * next time (volatile, relaxed, acquire, atomic; or plainly, with a fence between), or that calls something that does. */
#include "ir/ir.h"

static bool is_open(const Insn *insn) {
    return insn->mods.space == SPACE_GLOBAL || insn->mods.space == SPACE_GENERIC;
}

static bool reads_anew(const Insn *insn) {
    switch (op_access(insn->op)) {
    case OP_ACCESS_ATOMIC:
        return is_open(insn);
    case OP_ACCESS_LOAD:
        return is_open(insn) && insn->mods.order != ORDER_WEAK;
    default:
        return false;
    }
}

static bool is_fence(const Insn *insn) {
    return insn->op == OP_fence;
}

static bool is_plain_read(const Insn *insn) {
    return op_access(insn->op) == OP_ACCESS_LOAD && is_open(insn);
}

/* What is called is looked at one deep: what it calls in turn may be anything. */
static bool callee_reads_anew(const Insn *insn) {
    const Function *callee = insn_callee(insn);
    if (!callee)
        return true;
    for (uint32_t i = 0; i < callee->insns.count; i++)
        if (reads_anew(&callee->insns.at[i]) ||
            (insn_calls(&callee->insns.at[i]) && insn_callee(&callee->insns.at[i]) != callee))
            return true;
    return false;
}

/* The instructions from the one numbered `first` to before `end`, which are in a loop. */
static bool loop_may_wait(const Function *function, uint32_t first, uint32_t end) {
    bool fence = false, read = false;
    for (uint32_t i = first; i < end; i++) {
        const Insn *insn = &function->insns.at[i];
        if (reads_anew(insn) || (insn_calls(insn) && callee_reads_anew(insn)))
            return true;
        fence |= is_fence(insn);
        read |= is_plain_read(insn);
    }
    return fence && read;
}

bool function_may_wait(const Function *function) {
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *from = &function->blocks.at[b];
        for (uint32_t i = 0; i < block_successor_count(from); i++) {
            uint32_t to = block_successor(from, i);
            if (to != NO_INDEX && to <= b &&
                loop_may_wait(function, function->blocks.at[to].first, from->first + from->count))
                return true;
        }
    }
    return false;
}
