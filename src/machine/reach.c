/* Which functions of its section a kernel can reach. ptxas puts into the section of a kernel that calls anything by its
 * address (malloc is enough) all functions of the module whose addresses are taken: virtual ones, destructors. What the
 * kernel's PTX does not reach is not executed, so it need not be translated, and what it names is not in the module. Without PTX,
 * a table in bank 2 may lead to any of them. */
#include "machine/translate.h"

#include <string.h>

typedef struct FunctionSearch {
    Emit *e;
    VEC(uint32_t) begins; /* [functions]: their first instructions, upwards */
    uint8_t *reached;     /* [functions] */
    VEC(uint32_t) open;   /* reached, and not looked through yet */
} FunctionSearch;

static void reach(FunctionSearch *search, uint32_t address) {
    uint32_t function = search->begins.count - 1;
    while (function > 0 && search->begins.at[function] * 16 > address)
        function--;
    if (search->reached[function])
        return;
    search->reached[function] = 1;
    *vec_add(search->e->arena, &search->open) = function;
}

static uint32_t end_of(const FunctionSearch *search, uint32_t function) {
    return function + 1 < search->begins.count ? search->begins.at[function + 1]
                                               : search->e->function->insns.count;
}

/* `(.L_x_4); 0x11c0, which a CALL may take from a register; what an operand names otherwise. */
static void look_at(FunctionSearch *search, const MachineOperand *operand) {
    const MachineFunction *section = search->e->function;
    uint32_t address;
    if (operand->kind == MACHINE_CODE && address_of(search->e, operand->symbol, &address))
        reach(search, address);
    if (operand->kind != MACHINE_INT && operand->kind != MACHINE_NAME)
        return;
    for (uint32_t i = 0; i < section->labels.count; i++) {
        const MachineLabel *label = &section->labels.at[i];
        if (!label->function)
            continue;
        if (operand->kind == MACHINE_INT ? operand->value == label->address
                                         : memmem(operand->text.at, operand->text.length,
                                                  label->name.at, label->name.length) != NULL)
            reach(search, label->address);
    }
}

static void look_through(FunctionSearch *search, uint32_t function) {
    for (uint32_t i = search->begins.at[function]; i < end_of(search, function); i++) {
        const MachineInsn *insn = &search->e->function->insns.at[i];
        for (uint32_t k = 0; k < insn->operand_count && k < MACHINE_OPERANDS; k++)
            look_at(search, &insn->operands[k]);
    }
}

uint8_t *reached_code(Emit *e) {
    const MachineFunction *section = e->function;
    FunctionSearch search = {.e = e};
    *vec_add(e->arena, &search.begins) = 0;
    for (uint32_t i = 0; i < section->labels.count; i++) {
        const uint32_t begin = section->labels.at[i].address / 16;
        if (section->labels.at[i].function && begin > search.begins.at[search.begins.count - 1])
            *vec_add(e->arena, &search.begins) = begin;
    }
    search.reached = NEW_ARRAY(e->arena, uint8_t, search.begins.count);
    reach(&search, 0);
    for (uint32_t i = 0; i < section->labels.count; i++) {
        const MachineLabel *label = &section->labels.at[i];
        if (label->function && (machine_is_all(e->kernel) || function_of_label(e, label->name)))
            reach(&search, label->address);
    }
    while (search.open.count)
        look_through(&search, search.open.at[--search.open.count]);
    uint8_t *code = NEW_ARRAY(e->arena, uint8_t, section->insns.count + 1);
    for (uint32_t i = 0; i < search.begins.count; i++)
        memset(code + search.begins.at[i], search.reached[i],
               end_of(&search, i) - search.begins.at[i]);
    return code;
}
