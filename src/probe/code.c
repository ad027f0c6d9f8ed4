/* The machine code of a kernel, from its cubin: what nvdisasm lists, and what the headers say. */
#include "probe/probe.h"

#include <errno.h>
#include <signal.h>
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
            section.size > code->shared_base) {
            code->shared = (uint32_t)section.size - code->shared_base;
            code->shared_section = i;
        }
}

/* From where -fun takes them: "4,17". */
static const char *symbols_text(Arena *arena, const ModuleCode *module) {
    const char *text = NULL;
    for (uint32_t i = 0; i < module->symbols.count; i++) {
        unsigned long long symbol = module->symbols.at[i];
        text = text ? arena_printf(arena, "%s,%llu", text, symbol)
                    : arena_printf(arena, "%llu", symbol);
    }
    return text;
}

static bool key_of(const ModuleCode *module, const char *nvdisasm, CacheKey *key) {
    *key = (CacheKey){{0}};
    cache_key_add_text(key, "code of a cubin, with lines of its PTX");
    cache_key_add(key, module->elf.data, module->elf.size);
    cache_key_add(key, module->symbols.at, module->symbols.count * sizeof *module->symbols.at);
    return cache_key_add_tool(key, nvdisasm);
}

static void read_listing(ModuleCode *module, const char *listing) {
    module->sass.ops = memory_ops_new(module->arena);
    sass_read_listing(module->arena, listing, &module->sass);
    module->listed = true;
}

ModuleCode *module_code(const char *path) {
    Arena *arena = arena_new();
    ModuleCode *module = NEW(arena, ModuleCode);
    size_t size;
    *module = (ModuleCode){.arena = arena, .path = arena_copy(arena, path, strlen(path))};
    module->diags = diags_new(arena);
    const char *image = file_read(arena, path, &size);
    module->good = image && elf_open(&module->elf, image, size);
    return module;
}

void module_code_free(ModuleCode *module) {
    arena_free(module->arena);
}

void module_want(ModuleCode *module, const char *function) {
    uint64_t symbol = module->good ? symbol_of(&module->elf, function) : 0;
    uint32_t at = 0;
    if (!symbol)
        return;
    while (at < module->symbols.count && module->symbols.at[at] < symbol)
        at++;
    if (at < module->symbols.count && module->symbols.at[at] == symbol)
        return;
    vec_add(module->arena, &module->symbols);
    for (uint32_t i = module->symbols.count - 1; i > at; i--) /* in order, as the key is of it */
        module->symbols.at[i] = module->symbols.at[i - 1];
    module->symbols.at[at] = symbol;
}

bool module_recall(ModuleCode *module, const char *nvdisasm) {
    CacheKey key;
    if (module->symbols.count == 0 || module->listed)
        return true;
    const char *listing =
        key_of(module, nvdisasm, &key) ? cache_read(module->arena, &key, NULL) : NULL;
    if (listing)
        read_listing(module, listing);
    return listing;
}

void module_list(ModuleCode *module, const char *nvdisasm, volatile const int *stop) {
    Arena *arena = module->arena;
    const char *scratch = scratch_new(arena), *symbols = symbols_text(arena, module);
    CacheKey key;
    if (!scratch) {
        diags_add(module->diags, DIAG_NOTE, (Place){0}, "machine code and lines left out: %s",
                  strerror(errno));
        return;
    }
    const char *out = arena_printf(arena, "%s/code.sass", scratch);
    const char *const arguments[] = {nvdisasm, "-c",    "-gi",        "-gp",
                                     "-fun",   symbols, module->path, NULL};
    ProcessResult result = process_run_until(arena, arguments, scratch, out, stop);
    size_t size;
    const char *listing = result.status == 0 ? file_read(arena, out, &size) : NULL;
    if (listing)
        read_listing(module, listing);
    else if (!*stop && result.status != 128 + SIGINT) /* Ctrl-C is the child's, too */
        diags_add(module->diags, DIAG_NOTE, (Place){0},
                  "machine code and lines left out: nvdisasm says\n%s", result.output);
    if (listing && key_of(module, nvdisasm, &key))
        cache_write(arena, &key, listing, strlen(listing));
    scratch_remove(scratch);
}

KernelCode kernel_code(Arena *arena, const ModuleCode *module, const char *function,
                       uint32_t capability) {
    KernelCode code = {0};
    if (!module->good)
        return code;
    read_shared(arena, &module->elf, function, capability, &code);
    for (uint32_t i = 0; i < module->sass.code.count; i++) {
        const ListedInst *inst = &module->sass.code.at[i];
        if (strcmp(inst->kernel, function) == 0)
            *vec_add(arena, &code.insts) = (CodeInst){inst->text, inst->place, inst->ptx_line};
    }
    return code;
}
