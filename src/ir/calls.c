/* Who calls whom: the functions that may run when a kernel does. */
#include "ir/ir.h"

bool insn_calls(const Insn *insn) {
    return op_has(insn->op, TRAIT_CALLS);
}

const Function *insn_callee(const Insn *insn) {
    return insn_calls(insn) && insn->operand_count ? insn->operands[0].function : NULL;
}

bool function_is_runtime(const Function *function) {
    return str_starts(str_of(function->name), "__cudaCDP2") ||
           str_starts(str_of(function->name), "cudaGraph");
}

/* A set of functions that keeps their order. */
typedef struct Set {
    Arena *arena, *scratch;
    Map *names; /* of functions, which a module has once each */
    Functions *list;
} Set;

static void add(Set *set, const Function *function) {
    if (map_get(set->names, str_of(function->name), NULL))
        return;
    map_put(set->names, str_of(function->name), 1);
    *vec_add(set->arena, set->list) = function;
}

static void add_operand(Set *set, const Operand *operand) {
    if (operand->kind == OPERAND_FUNCTION)
        add(set, operand->function);
    for (uint32_t i = 0; i < operand->count; i++)
        if (operand->elements[i].kind == OPERAND_FUNCTION)
            add(set, operand->elements[i].function);
}

/* Functions that are named elsewhere than as what a call calls. */
static void add_addressed(Set *set, const Module *module) {
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const Function *function = module->functions.at[f];
        for (uint32_t i = 0; i < function->insns.count; i++) {
            const Insn *insn = &function->insns.at[i];
            for (uint32_t o = insn_calls(insn) ? 1 : 0; o < insn->operand_count; o++)
                add_operand(set, &insn->operands[o]);
        }
    }
    for (uint32_t v = 0; v < module->variables.count; v++) {
        const Variable *variable = module->variables.at[v];
        for (uint32_t r = 0; r < variable->relocations.count; r++)
            if (variable->relocations.at[r].function)
                add(set, variable->relocations.at[r].function);
    }
}

void functions_addressed(Arena *arena, const Module *module, Functions *addressed) {
    Arena *scratch = arena_new();
    Set set = {arena, scratch, map_new(scratch), addressed};
    add_addressed(&set, module);
    arena_free(scratch);
}

void functions_reached(Arena *arena, const Function *entry, Functions *reached) {
    Arena *scratch = arena_new();
    Set set = {arena, scratch, map_new(scratch), reached};
    bool indirect = false;
    add(&set, entry);
    for (uint32_t f = 0; f < reached->count; f++) {
        const Function *function = reached->at[f];
        for (uint32_t i = 0; i < function->insns.count; i++) {
            const Insn *insn = &function->insns.at[i];
            const Function *callee = insn_callee(insn);
            if (callee && !function_is_runtime(callee))
                add(&set, callee);
            else if (!callee && insn_calls(insn) && !indirect) {
                indirect = true;
                add_addressed(&set, entry->module);
            }
        }
    }
    arena_free(scratch);
}
