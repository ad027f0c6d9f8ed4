/* The invariants of ir.h, checked: what the executor relies on without looking again. */
#include "ir/ir.h"

#include <string.h>

typedef struct Verifier {
    const Function *function;
    const char *broken; /* the first invariant that does not hold */
} Verifier;

static void require(Verifier *verifier, bool holds, const char *invariant) {
    if (!holds && !verifier->broken)
        verifier->broken = invariant;
}

static void visit_register(void *context, uint32_t reg, bool defined) {
    (void)defined;
    Verifier *verifier = context;
    require(verifier, reg < verifier->function->regs.count, "a register number is out of range");
}

static void verify_operand(Verifier *verifier, const Operand *operand, int depth) {
    const Function *function = verifier->function;
    require(verifier, depth < 3, "vectors are nested");
    require(verifier, operand->type < TYPE_COUNT, "an operand has no type");
    switch (operand->kind) {
    case OPERAND_LABEL:
        require(verifier, operand->target <= function->insns.count, "a branch leads nowhere");
        break;
    case OPERAND_SYMBOL:
        require(verifier, operand->variable, "a symbol has no variable");
        break;
    case OPERAND_FUNCTION:
        require(verifier, operand->function, "a call has no function");
        break;
    case OPERAND_ADDRESS:
    case OPERAND_VECTOR:
    case OPERAND_PAIR:
        for (uint32_t i = 0; i < operand->count && depth < 3; i++)
            verify_operand(verifier, &operand->elements[i], depth + 1);
        break;
    default:
        break;
    }
}

static void verify_insn(Verifier *verifier, const Insn *insn, uint32_t *sites) {
    const Module *module = verifier->function->module;
    require(verifier, insn->op > OP_NONE && insn->op < OP_COUNT, "an instruction has no row");
    require(verifier, insn->location == NO_LOCATION || insn->location < module->locations.count,
            "a source location is out of range");
    require(verifier, (insn->site != NO_SITE) == insn_is_memory(insn),
            "memory instructions and sites do not agree");
    if (insn->site != NO_SITE)
        require(verifier, insn->site == (*sites)++, "sites are not in program order");
    insn_registers(insn, visit_register, verifier);
    for (uint32_t i = 0; i < insn->operand_count; i++)
        verify_operand(verifier, &insn->operands[i], 0);
}

static void verify_blocks(Verifier *verifier) {
    const Function *function = verifier->function;
    uint32_t expected = 0;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        require(verifier, block->first == expected && block->count > 0,
                "blocks do not cover the instructions");
        expected = block->first + block->count;
        for (uint32_t i = 0; i < block_successor_count(block); i++)
            require(verifier,
                    block_successor(block, i) == NO_INDEX ||
                        block_successor(block, i) < function->blocks.count,
                    "a successor is out of range");
        require(verifier, block->ipdom == NO_INDEX || block->ipdom < function->blocks.count,
                "a post-dominator is out of range");
        for (uint32_t i = block->first; i + 1 < expected; i++)
            for (uint32_t o = 0; o < function->insns.at[i].operand_count; o++)
                require(verifier, function->insns.at[i].operands[o].kind != OPERAND_LABEL,
                        "a branch stands inside a block");
    }
    require(verifier, expected == function->insns.count, "blocks do not cover the instructions");
}

static void verify_names(Verifier *verifier) {
    Arena *scratch = arena_new();
    Map *names = map_new(scratch);
    for (uint32_t i = 0; i < verifier->function->regs.count; i++)
        map_put(names, str_of(verifier->function->regs.at[i].name), i);
    require(verifier, map_count(names) == verifier->function->regs.count,
            "two registers have one name");
    arena_free(scratch);
}

const char *module_verify(const Module *module) {
    Verifier verifier = {0};
    for (uint32_t i = 0; i < module->locations.count; i++)
        require(&verifier,
                module->locations.at[i].inlined_at == NO_LOCATION ||
                    module->locations.at[i].inlined_at < i,
                "a chain of inlined calls does not end");
    for (uint32_t f = 0; f < module->functions.count; f++) {
        const Function *function = module->functions.at[f];
        verifier.function = function;
        uint32_t sites = 0;
        for (uint32_t i = 0; i < function->insns.count; i++)
            verify_insn(&verifier, &function->insns.at[i], &sites);
        require(&verifier, sites == function->sites, "sites are not counted right");
        verify_blocks(&verifier);
        verify_names(&verifier);
    }
    return verifier.broken;
}
