/* Where the shared variables of a kernel lie on a GPU (docs/memory-model.md, "Layout of shared
 * variables"): ptx/layout.c has placed them behind each other; here is where the first one begins. */
#include "lower/lower.h"

#include <string.h>

static bool uses_reserved(const Function *function) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        for (uint32_t k = 0; k < insn->operand_count; k++)
            if (insn->operands[k].kind == OPERAND_SPECIAL &&
                insn->operands[k].special == SREG_RESERVED_SMEM)
                return true;
    }
    return false;
}

SharedSpace shared_space(const Function *kernel, const Functions *reached, const Gpu *gpu) {
    SharedSpace shared = {
        .kernel = kernel, .bytes = kernel->shared_bytes, .window = gpu->major >= 9};
    uint32_t align = 16;
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        const Variable *variable = kernel->shared.at[i];
        if (variable->bytes == 0 && variable->align > align)
            align = variable->align;
    }
    bool reserved = false; /* shared memory of the system, by %reserved_smem_offset_… */
    for (uint32_t i = 0; i < reached->count; i++)
        reserved |= (i == 0 || !reached->at[i]->is_entry) && uses_reserved(reached->at[i]);
    /* The system's shared memory lies before a block's own on sm_90 and behind it on sm_80, where we
     * put it before as well if a kernel uses it [DISASSEMBLY of our own PTX]. */
    if (gpu->major >= 9 || reserved)
        shared.base = gpu->shared_reserved;
    shared.first = reserved ? 0 : shared.base;
    shared.dynamic_at = (shared.base + shared.bytes + align - 1) & ~(align - 1);
    return shared;
}

/* The module's shared variables, and those of functions, lie elsewhere in each kernel, which has copies
 * that know where (ptx/layout.c). */
static uint64_t offset_of(const Function *kernel, const Variable *variable) {
    const Variable *same = variable;
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        const Variable *copy = kernel->shared.at[i];
        if (copy == variable)
            return variable->offset;
        if (copy->owner == variable->owner && strcmp(copy->name, variable->name) == 0)
            same = copy;
    }
    return same->offset;
}

uint64_t shared_address(const SharedSpace *shared, const Variable *variable) {
    return variable->bytes == 0 ? shared->dynamic_at
                                : shared->base + offset_of(shared->kernel, variable);
}
