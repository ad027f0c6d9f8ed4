/* Each value that does not leave its basic block gets a register of its own. Machine code uses one register for many values,
 * and the translation one temporary: with names of their own, what is in a register stays there. */
#include "machine/tidy.h"

typedef struct Names {
    Function *function;
    const uint8_t *said; /* [regs before]: of registers_between_blocks */
    uint32_t *
        stays; /* [insns]: bit i: what the i-th register that it writes holds does not leave the block */
    uint32_t *written; /* [regs before]: block + 1 that writes it for all lanes further on */
    uint32_t *name;    /* [regs before]: the last one, … */
    uint32_t *since;   /* … of block + 1 */
    uint32_t block, insn, place;
    bool guarded;
} Names;

/* ---- what stays: backwards through a block ---- */

static void look(void *context, uint32_t reg, bool defined) {
    Names *names = context;
    if (!defined)
        return;
    const uint8_t said = names->said[reg];
    const bool ends = names->written[reg] == names->block + 1 || !(said & REGISTER_CROSSES);
    if (ends && !(said & REGISTER_KEPT) && names->place < 32)
        names->stays[names->insn] |= 1u << names->place;
    names->place++;
}

static void note_write(void *context, uint32_t reg, bool defined) {
    Names *names = context;
    if (defined && !names->guarded)
        names->written[reg] = names->block + 1;
}

static void find_what_stays(Names *names) {
    const Function *function = names->function;
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        names->block = b;
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            const Insn *insn = &function->insns.at[i];
            names->insn = i;
            names->place = 0;
            names->guarded = insn->guard != NO_REG;
            insn_registers(insn, look, names);
            insn_registers(insn, note_write, names);
        }
    }
}

/* ---- names ---- */

static uint32_t register_like(Function *function, uint32_t reg) {
    const Reg like = function->regs.at[reg];
    *vec_add(function->module->arena, &function->regs) = like;
    return function->regs.count - 1;
}

/* What is written for some lanes goes where the others have theirs. */
static void rename_place(void *context, uint32_t *reg, bool defined) {
    Names *names = context;
    const uint32_t before = *reg, block = names->block + 1;
    if (defined && !names->guarded) {
        const bool stays = names->place < 32 && names->stays[names->insn] >> names->place & 1;
        names->since[before] = block;
        names->name[before] = stays ? register_like(names->function, before) : before;
    }
    names->place += defined;
    if (names->since[before] == block)
        *reg = names->name[before];
}

void tidy_names(Arena *scratch, Function *function) {
    const uint32_t regs = function->regs.count;
    Names names = {.function = function,
                   .said = registers_between_blocks(scratch, function),
                   .stays = NEW_ARRAY(scratch, uint32_t, function->insns.count),
                   .written = NEW_ARRAY(scratch, uint32_t, regs),
                   .name = NEW_ARRAY(scratch, uint32_t, regs),
                   .since = NEW_ARRAY(scratch, uint32_t, regs)};
    find_what_stays(&names);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        names.block = b;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            Insn *insn = &function->insns.at[i];
            names.insn = i;
            names.place = 0;
            names.guarded = insn->guard != NO_REG;
            insn_register_places(insn, rename_place, &names);
        }
    }
}
