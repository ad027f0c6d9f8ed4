/* Of relocatable code (ptxas -c) each function has a section of its own, the slow paths of quotients and roots, too. Here a
 * kernel's section and those of the functions that it calls become one, as all the others of this layer expect it: one
 * behind the other, with addresses and labels moved. Names of labels are those of the whole listing. */
#include "machine/translate.h"

typedef struct Linking {
    Arena *arena;
    const MachineCode *code;
    Map *sections; /* names of those that are in it, to their numbers */
    VEC(const MachineFunction *) parts;
    MachineFunction *all;
} Linking;

static void append(Linking *linking, const MachineFunction *section) {
    MachineFunction *all = linking->all;
    const uint32_t base = all->insns.count * 16;
    map_put(linking->sections, section->name, linking->parts.count);
    *vec_add(linking->arena, &linking->parts) = section;
    for (uint32_t i = 0; i < section->insns.count; i++) {
        MachineInsn *insn = vec_add(linking->arena, &all->insns);
        *insn = section->insns.at[i];
        insn->address += base;
    }
    for (uint32_t i = 0; i < section->labels.count; i++) {
        MachineLabel *label = vec_add(linking->arena, &all->labels);
        *label = section->labels.at[i];
        label->address += base;
    }
    if (all->registers < section->registers)
        all->registers = section->registers;
}

/* CALL.ABS.NOINC `(f): the section of f; NULL: it is none of the listing, or another instruction. */
static const MachineFunction *called(const MachineCode *code, const MachineInsn *insn) {
    if (insn->operand_count != 1 || insn->operands[0].kind != MACHINE_CODE)
        return NULL;
    for (uint32_t i = 0; i < code->functions.count; i++) {
        if (str_equal(code->functions.at[i].name, insn->operands[0].symbol))
            return &code->functions.at[i];
    }
    return NULL;
}

/* The deepest chain of calls to functions that were found later: without a call back, all of them. */
static uint32_t stack_of(const Linking *linking) {
    const uint32_t count = linking->parts.count;
    uint32_t *deepest = NEW_ARRAY(linking->arena, uint32_t, count);
    for (uint32_t i = count; i-- > 0;) {
        const MachineFunction *part = linking->parts.at[i];
        uint32_t below = 0;
        for (uint32_t k = 0; k < part->insns.count; k++) {
            const MachineFunction *callee = called(linking->code, &part->insns.at[k]);
            uint64_t number;
            if (callee && map_get(linking->sections, callee->name, &number) && number > i &&
                deepest[number] > below)
                below = deepest[number];
        }
        deepest[i] = part->stack_bytes + below;
    }
    return deepest[0];
}

/* Constants of a function's own are numbered as the kernel's are: such a function stays outside, and is refused there. */
static bool has_constants(const MachineCode *code, const MachineFunction *section) {
    for (uint32_t i = 0; i < code->constants.count; i++) {
        if (code->constants.at[i].kernel.length &&
            str_equal(code->constants.at[i].kernel, section->name))
            return true;
    }
    return false;
}

const MachineFunction *function_linked(Arena *arena, const MachineCode *code,
                                       const MachineFunction *kernel) {
    Linking linking = {.arena = arena, .code = code, .sections = map_new(arena)};
    linking.all = NEW(arena, MachineFunction);
    linking.all->name = kernel->name;
    append(&linking, kernel);
    for (uint32_t i = 0; i < linking.all->insns.count; i++) {
        const MachineFunction *callee = called(code, &linking.all->insns.at[i]);
        uint64_t number;
        if (callee && !has_constants(code, callee) &&
            !map_get(linking.sections, callee->name, &number))
            append(&linking, callee);
    }
    if (linking.parts.count == 1)
        return kernel;
    linking.all->stack_bytes = stack_of(&linking);
    return linking.all;
}
