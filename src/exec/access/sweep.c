/* Which loads and stores of a basic block go through the same address register. Unrolled loops are made
 * of such accesses, [%rd1], [%rd1+128] …: whether the lanes' addresses are a run, their span, and what
 * the access costs in shared memory is then found once for all of them (ops_memory.c). */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"

enum { REGISTERS = 32 /* that are followed at once */ };

/* Address registers that no instruction has written since an access went through them. */
typedef struct SweepScan {
    const Routine *routine;
    uint32_t count, used; /* registers; numbers of sweeps in this basic block */
    uint32_t at[REGISTERS];
    Elements *first[REGISTERS];
} SweepScan;

static void forget(void *context, uint32_t reg, bool defined) {
    SweepScan *seen = context;
    const Slots *slots = &seen->routine->slots;
    if (!defined || slots->slot[reg] == NO_INDEX || slots->class[reg] == 0)
        return;
    uint32_t at = decode_slot(seen->routine, slots->class[reg], slots -> slot[reg]);
    for (uint32_t i = 0; i < seen->count; i++) {
        if (seen->at[i] != at)
            continue;
        seen->count--;
        seen->at[i] = seen->at[seen->count];
        seen->first[i] = seen->first[seen->count];
        return;
    }
}

/* Sweep 0 is for accesses that nobody follows. */
static void find(SweepScan *seen, const Code *code, Elements *elements) {
    for (uint32_t i = 0; i < seen->count; i++) {
        if (seen->at[i] != code->a)
            continue;
        Elements *first = seen->first[i];
        if (!first->sweep)
            first->sweep = ++seen->used;
        elements->sweep = first->sweep;
        elements->follows = true;
        return;
    }
    if (seen->count == REGISTERS)
        return;
    seen->at[seen->count] = code->a;
    seen->first[seen->count++] = elements;
}

void sweeps_find(Program *program, const Routine *routine) {
    for (uint32_t b = 0; b < routine->function->blocks.count; b++) {
        const Block *block = &program->blocks[routine->first_block + b];
        SweepScan seen = {.routine = routine};
        for (uint32_t i = 0; i < block->count; i++) {
            const Code *code = &program->code[block->first + i];
            Elements *elements = code_swept(code);
            if (elements)
                find(&seen, code, elements);
            insn_registers(code->insn, forget, &seen);
        }
        if (seen.used >= program->sweep_count)
            program->sweep_count = seen.used + 1;
    }
}
