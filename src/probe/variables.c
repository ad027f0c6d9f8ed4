/* What a cubin tells of a kernel's shared memory, beyond its size, and of its stack. Debuggers' cubins have symbols of the variables; what
 * -lineinfo makes has the PTX, whose variables lie as ptx/layout.c says: where that gives another size, or the linker has laid them
 * out, they have no names, and are one. */
#include "probe/probe.h"

#include "lower/lower.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16 };

/* ---- the PTX ---- */

/* From nvlink: a text of each file, in sections with a number. */
static bool is_linked(const PtxText *text) {
    return !str_is(text->section, ".nv_debug_ptx_txt");
}

static void read_ptx(ModuleCode *module) {
    PtxTexts texts = {0};
    PtxText text = {.name = module->path};
    module->ptx_read = true;
    for (uint32_t i = 0; cubin_ptx(module->arena, module->elf.data, module->elf.size, i, &text);
         i++) {
        text.origin.relocatable = module->linked = is_linked(&text);
        *vec_add(module->arena, &texts.list) = text;
    }
    if (texts.list.count == 0)
        return;
    if (!module->linked)
        module->ptx_text = texts.list.at[0].text;
    texts_link(module->arena, &texts);
    text = texts.list.at[0];
    module->ptx = ptx_index(module->arena, module->path, text.text, text.length);
}

/* NULL: the cubin has not its PTX, or it is not understood. */
static const Function *ptx_of(ModuleCode *module, const char *function) {
    if (!module->ptx_read)
        read_ptx(module);
    if (!module->ptx)
        return NULL;
    const Module *parsed =
        ptx_parse_kernel(module->arena, module->ptx, function, diags_new(module->arena));
    return parsed ? module_function(parsed, str_of(function)) : NULL;
}

/* ---- variables ---- */

static void add(Arena *arena, KernelCode *code, const char *symbol, uint64_t offset, uint64_t bytes,
                uint32_t align) {
    *vec_add(arena, &code->variables) =
        (SharedVariable){.symbol = symbol,
                         .name = name_demangled(arena, symbol, false),
                         .offset = (uint32_t)offset,
                         .bytes = (uint32_t)bytes,
                         .align = align,
                         .dynamic = bytes == 0};
}

static int by_offset(const void *left, const void *right) {
    const SharedVariable *a = left, *b = right;
    return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* Values count from where the system's own begin. */
static void from_symbols(Arena *arena, const ModuleCode *module, KernelCode *code) {
    ElfSection symbols;
    ElfSymbol symbol;
    enum { SYMTAB = 2 };
    if (!code->shared || !elf_section_typed(&module->elf, SYMTAB, &symbols))
        return;
    for (uint64_t i = 1; i < elf_symbol_count(&symbols); i++)
        if (elf_symbol(&module->elf, &symbols, i, &symbol) && symbol.is_object &&
            symbol.is_defined && symbol.section == code->shared_section && symbol.size &&
            symbol.value >= code->shared_base &&
            symbol.value + symbol.size <= (uint64_t)code->shared_base + code->shared)
            add(arena, code, arena_copy(arena, symbol.name.at, symbol.name.length),
                symbol.value - code->shared_base, symbol.size, ALIGN);
    if (code->variables.count)
        qsort(code->variables.at, code->variables.count, sizeof *code->variables.at, by_offset);
}

static void from_ptx(Arena *arena, const Function *kernel, const SharedSpace *space, bool dynamic,
                     KernelCode *code) {
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        const Variable *variable = kernel->shared.at[i];
        if ((variable->bytes == 0) == dynamic)
            add(arena, code, arena_copy(arena, variable->name, strlen(variable->name)),
                shared_address(space, variable) - space->base, variable->bytes, variable->align);
    }
}

/* Its own accesses to local memory are all of registers that were put aside: the source has no arrays there, and calls nobody. */
static bool spills_alone(const Functions *reached) {
    bool alone = reached->count == 1;
    const Function *kernel = reached->at[0];
    for (uint32_t i = 0; i < kernel->locals.count; i++)
        alone &= kernel->locals.at[i]->space != SPACE_LOCAL;
    for (uint32_t i = 0; i < kernel->insns.count; i++)
        alone &= !insn_calls(&kernel->insns.at[i]);
    return alone;
}

void kernel_variables(Arena *arena, ModuleCode *module, const char *function, const Gpu *gpu,
                      KernelCode *code) {
    const Function *kernel = ptx_of(module, function);
    SharedSpace space = {0};
    Functions reached = {0};
    uint32_t fixed = 0;
    from_symbols(arena, module, code);
    if (kernel) {
        functions_reached(module->arena, kernel, &reached);
        space = shared_space(arena, kernel, &reached, gpu);
        code->spills_alone = spills_alone(&reached);
        for (uint32_t i = 0; i < kernel->shared.count; i++)
            fixed += kernel->shared.at[i]->bytes > 0;
        if (code->variables.count == 0 && space.bytes == code->shared &&
            (!module->linked || fixed == 1))
            from_ptx(arena, kernel, &space, false, code);
    }
    if (code->variables.count == 0 && code->shared)
        add(arena, code, "static_shared", 0, code->shared, ALIGN);
    if (kernel && space.bytes == code->shared)
        from_ptx(arena, kernel, &space, true, code);
}

uint32_t kernel_ptx_line(ModuleCode *module, const char *function) {
    const Function *kernel = ptx_of(module, function);
    return kernel && module->ptx_text ? kernel->line : 0;
}

void kernel_add_dynamic(Arena *arena, KernelCode *code) {
    bool known = false;
    for (uint32_t i = 0; i < code->variables.count; i++)
        known |= code->variables.at[i].dynamic;
    if (!known)
        add(arena, code, "dynamic_shared", (code->shared + ALIGN - 1) / ALIGN * ALIGN, 0, ALIGN);
}
