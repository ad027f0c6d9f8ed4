/* Places in the code. */
#include "machine/translate.h"

#include <stdlib.h>

/* ---- places in the code ---- */

bool address_of(const Emit *e, Str symbol, uint32_t *address) {
    for (uint32_t i = 0; i < e->function->labels.count; i++) {
        const MachineLabel *label = &e->function->labels.at[i];
        if (str_equal(label->name, symbol) && label->address < e->function->insns.count * 16) {
            *address = label->address;
            return true;
        }
    }
    return false;
}

const char *label_of(Emit *e, Str symbol) {
    uint32_t address;
    if (!address_of(e, symbol, &address))
        return NULL;
    e->labelled[address / 16] = 1;
    return emit_printf(e, "I%x", address);
}

void land_at(Emit *e, uint32_t address) {
    if (address / 16 < e->function->insns.count)
        e->labelled[address / 16] = e->lands[address / 16] = 1;
}

bool leading_register(const MachineInsn *insn, uint32_t *number) {
    Str text = insn->operands[0].text;
    char *end = NULL;
    if (text.length < 2 || text.at[0] != 'R' || text.at[1] < '0' || text.at[1] > '9')
        return false;
    *number = (uint32_t)strtoul(text.at + 1, &end, 10);
    return *number < MACHINE_ZERO;
}
