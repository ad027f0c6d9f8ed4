/* How many registers of 32 bits a thread needs, where ptxas has not said. */
#include "exec/exec.h"

uint32_t kernel_registers(const Function *kernel) {
    enum { LEAST = 16, MOST = 255, OTHERS = 4 }; /* for addresses and the ABI */
    Arena *arena = arena_new();
    Slots slots = liveness_slots(arena, kernel);
    uint32_t registers = slots.counts[1] + 2 * slots.counts[2] + 4 * slots.counts[3] + OTHERS;
    arena_free(arena);
    uint32_t most = kernel->max_registers ? kernel->max_registers : MOST;
    registers = registers < LEAST ? LEAST : registers;
    return registers < most ? registers : most;
}
