/* What lets the blocks of a grid depend on each other: where it is there, a block that runs without the others may do something
 * else. Blocks that write to the same memory without a word of it, by plain stores and loads, have a race, and depend on nothing
 * that could be relied on. */
#include "ir/ir.h"

typedef struct Reads {
    uint32_t reg;
    bool found;
} Reads;

static void look(void *context, uint32_t reg, bool defined) {
    Reads *reads = context;
    reads->found |= reg == reads->reg && !defined;
}

static bool is_read(const Function *function, uint32_t reg) {
    Reads reads = {.reg = reg};
    for (uint32_t i = 0; i < function->insns.count && !reads.found; i++)
        insn_registers(&function->insns.at[i], look, &reads);
    return reads.found;
}

static bool result_used(const Function *function, const Operand *result) {
    bool used = result->kind == OPERAND_REG && is_read(function, result->reg);
    for (uint32_t i = 0; i < result->count; i++)
        used |= result_used(function, &result->elements[i]);
    return used;
}

/* Whether it is in memory that other blocks see. */
static bool is_open(const Insn *insn, const Variable *array) {
    return !array && (insn->mods.space == SPACE_GLOBAL || insn->mods.space == SPACE_GENERIC);
}

/* NULL: nothing. */
static const char *dependence(const Function *function, const Insn *insn, const Variable *array) {
    const Function *callee = insn_callee(insn);
    switch (op_access(insn->op)) {
    case OP_ACCESS_ATOMIC:
        if (is_open(insn, array) &&
            (op_has(insn->op, TRAIT_COMPARES) || result_used(function, &insn->operands[0])))
            return "the value of an atomic in global memory is used";
        break;
    case OP_ACCESS_LOAD:
        if (is_open(insn, array) && insn->mods.order != ORDER_WEAK)
            return "it reads what other blocks may have written meanwhile";
        break;
    default:
        break;
    }
    return callee && function_is_runtime(callee) ? "it launches kernels" : NULL;
}

static bool find(Arena *arena, const Function *function, BlockDependence *found) {
    const Variable **arrays = function_arrays(arena, function);
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        const char *why = dependence(function, insn, arrays[i]);
        if (why)
            *found = (BlockDependence){function, insn, why};
        if (why)
            return true;
    }
    if (function_may_wait(function))
        *found = (BlockDependence){function, NULL, "it has a loop that may wait for other blocks"};
    return function_may_wait(function);
}

bool blocks_depend(const Function *kernel, BlockDependence *found) {
    Arena *arena = arena_new();
    Functions reached = {0};
    functions_reached(arena, kernel, &reached);
    bool depend = false;
    for (uint32_t i = 0; i < reached.count && !depend; i++)
        depend = find(arena, reached.at[i], found);
    arena_free(arena);
    return depend;
}
