/* The machine code of a kernel, from its cubin: what nvdisasm lists, and what the headers say. */
#include "probe/probe.h"

#include <errno.h>
#include <string.h>

enum { SYMTAB = 2, RESERVED_SHARED = 1024 };

/* The number of the function's symbol, which nvdisasm asks for; 0: there is none. */
static uint64_t symbol_of(const Elf *elf, const char *function) {
    ElfSection symbols;
    ElfSymbol symbol;
    if (!elf_section_typed(elf, SYMTAB, &symbols))
        return 0;
    for (uint64_t i = 1; i < elf_symbol_count(&symbols); i++)
        if (elf_symbol(elf, &symbols, i, &symbol) && symbol.is_function &&
            str_is(symbol.name, function))
            return i;
    return 0;
}

/* From 9.0 on, the system's own are the first KB, and counted in. */
static void read_shared(Arena *arena, const Elf *elf, const char *function, uint32_t capability,
                        KernelCode *code) {
    ElfSection section;
    const char *name = arena_printf(arena, ".nv.shared.%s", function);
    code->shared_base = capability >= 90 ? RESERVED_SHARED : 0;
    for (uint32_t i = 0; i < elf->section_count; i++)
        if (elf_section(elf, i, &section) && str_is(section.name, name) &&
            section.size > code->shared_base)
            code->shared = (uint32_t)section.size - code->shared_base;
}

/* symbol 0: all functions. */
static const char *ask(Arena *arena, const char *cubin, uint64_t symbol, Diags *diags) {
    const char *nvdisasm = toolchain_find(arena, "nvdisasm"), *scratch, *listing = NULL;
    size_t size;
    if (!nvdisasm || !(scratch = scratch_new(arena))) {
        diags_add(diags, DIAG_NOTE, (Place){0}, "machine code and lines left out: %s",
                  nvdisasm ? strerror(errno) : "there is no nvdisasm on PATH or under CUDA_HOME");
        return NULL;
    }
    const char *out = arena_printf(arena, "%s/code.sass", scratch);
    const char *one = arena_printf(arena, "%llu", (unsigned long long)symbol);
    const char *const whole[] = {nvdisasm, "-c", "-gi", cubin, NULL};
    const char *const part[] = {nvdisasm, "-c", "-gi", "-fun", one, cubin, NULL};
    ProcessResult result = process_run(arena, symbol ? part : whole, scratch, out);
    if (result.status == 0)
        listing = file_read(arena, out, &size);
    else
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "machine code and lines left out: nvdisasm says\n%s", result.output);
    scratch_remove(scratch);
    return listing;
}

/* From the cache, or asked. */
static const char *listing_of(Arena *arena, const ModuleCode *module, uint64_t symbol,
                              Diags *diags) {
    CacheKey key = {{0}};
    const char *nvdisasm = toolchain_find(arena, "nvdisasm");
    cache_key_add_text(&key, "code of a cubin");
    cache_key_add(&key, module->elf.data, module->elf.size);
    cache_key_add(&key, &symbol, sizeof symbol);
    bool keyed = nvdisasm && cache_key_add_tool(&key, nvdisasm);
    const char *listing = keyed ? cache_read(arena, &key) : NULL;
    if (listing)
        return listing;
    listing = ask(arena, module->path, symbol, diags);
    if (listing && keyed)
        cache_write(arena, &key, listing);
    return listing;
}

ModuleCode *module_code(Arena *arena, const char *path) {
    ModuleCode *module = NEW(arena, ModuleCode);
    size_t size;
    const char *image = file_read(arena, path, &size);
    module->path = path;
    module->good = image && elf_open(&module->elf, image, size);
    return module;
}

/* A cubin with few functions is listed at once: nvdisasm takes as long for one of them. */
static void list(Arena *arena, ModuleCode *module, const char *function, Sass *sass, Diags *diags) {
    enum { WHOLE_MOST = 2 << 20 };
    const bool whole = module->elf.size <= WHOLE_MOST;
    uint64_t symbol = symbol_of(&module->elf, function);
    if (!symbol)
        return;
    if (whole && module->whole) {
        *sass = *module->whole;
        return;
    }
    const char *listing = listing_of(arena, module, whole ? 0 : symbol, diags);
    sass->ops = memory_ops_new(arena);
    if (listing)
        sass_read_listing(arena, listing, sass);
    if (whole) {
        module->whole = NEW(arena, Sass);
        *module->whole = *sass;
    }
}

KernelCode kernel_code(Arena *arena, ModuleCode *module, const char *function, uint32_t capability,
                       Diags *diags) {
    KernelCode code = {0};
    Sass sass = {0};
    if (!module->good)
        return code;
    read_shared(arena, &module->elf, function, capability, &code);
    list(arena, module, function, &sass, diags);
    for (uint32_t i = 0; i < sass.code.count; i++)
        if (strcmp(sass.code.at[i].kernel, function) == 0)
            *vec_add(arena, &code.insts) = (CodeInst){sass.code.at[i].text, sass.code.at[i].place};
    return code;
}
