/* Which registers more than one basic block works on. */
#include "machine/tidy.h"

#include <string.h>

typedef struct Crossing {
    uint8_t *found;
    uint32_t *writer; /* [regs]: block + 1 of the last write, for all lanes */
    uint32_t block;
    bool guarded, kept;
} Crossing;

/* A guarded write leaves what there was in other lanes. */
static void visit(void *context, uint32_t reg, bool defined) {
    Crossing *crossing = context;
    const bool written = crossing->writer[reg] == crossing->block + 1;
    if (crossing->kept)
        crossing->found[reg] |= REGISTER_KEPT;
    if ((!defined || crossing->guarded) && !written)
        crossing->found[reg] |= REGISTER_CROSSES;
    if (defined && !crossing->guarded)
        crossing->writer[reg] = crossing->block + 1;
}

/* It changes operands that it also reads. */
static bool keeps_registers(const Insn *insn) {
    return strchr(op_info(insn->op)->operands, '+') != NULL;
}

uint8_t *registers_between_blocks(Arena *arena, const Function *function) {
    Crossing crossing = {.found = NEW_ARRAY(arena, uint8_t, function->regs.count),
                         .writer = NEW_ARRAY(arena, uint32_t, function->regs.count)};
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        crossing.block = b;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const Insn *insn = &function->insns.at[i];
            crossing.guarded = insn->guard != NO_REG;
            crossing.kept = keeps_registers(insn);
            insn_registers(insn, visit, &crossing);
        }
    }
    return crossing.found;
}
