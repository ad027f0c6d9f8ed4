/* Where the shared variables of a kernel lie on a GPU (docs/memory-model.md, "Layout of shared
 * variables"): ptx/layout.c has placed them behind each other; here is where the first one begins. */
#include "lower/lower.h"

#include <stdlib.h>
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

/* Number i of the kernel's variables. */
typedef struct Copy {
    const Variable *variable;
    uint32_t at;
} Copy;

/* By what tells variables of different functions apart. */
static int by_name(const Variable *a, const Variable *b) {
    if (a->owner != b->owner)
        return (uintptr_t)a->owner < (uintptr_t)b->owner ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int by_name_and_number(const void *left, const void *right) {
    const Copy *a = left, *b = right;
    int order = by_name(a->variable, b->variable);
    return order ? order : a->at < b->at ? -1 : a->at > b->at;
}

/* Of several with one name the last. */
static void index_copies(Arena *arena, SharedSpace *shared) {
    const Function *kernel = shared->kernel;
    Copy *copies = NEW_ARRAY(arena, Copy, kernel->shared.count);
    shared->by_name = NEW_ARRAY(arena, const Variable *, kernel->shared.count);
    for (uint32_t i = 0; i < kernel->shared.count; i++)
        copies[i] = (Copy){kernel->shared.at[i], i};
    if (kernel->shared.count)
        qsort(copies, kernel->shared.count, sizeof *copies, by_name_and_number);
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        if (i > 0 && by_name(copies[i - 1].variable, copies[i].variable) == 0)
            shared->names--;
        shared->by_name[shared->names++] = copies[i].variable;
    }
}

SharedSpace shared_space(Arena *arena, const Function *kernel, const Functions *reached,
                         const Gpu *gpu) {
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
    index_copies(arena, &shared);
    return shared;
}

static int compare_name(const void *key, const void *element) {
    return by_name(key, *(const Variable *const *)element);
}

/* The module's shared variables, and those of functions, lie elsewhere in each kernel, which has copies
 * that know where (ptx/layout.c). Its own know, too. */
static uint64_t offset_of(const SharedSpace *shared, const Variable *variable) {
    const Variable *const *same = NULL;
    if (variable->owner != shared->kernel && shared->names)
        same = bsearch(variable, shared->by_name, shared->names, sizeof *shared->by_name,
                       compare_name);
    return same ? (*same)->offset : variable->offset;
}

uint64_t shared_address(const SharedSpace *shared, const Variable *variable) {
    return variable->bytes == 0 ? shared->dynamic_at : shared->base + offset_of(shared, variable);
}
