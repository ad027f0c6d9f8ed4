/* The CUDA runtime that is linked into an executable or library, which has all of its entry points: they
 * are one object file of libcudart_static.a. */
#include "image/image.h"

#include <elf.h>
#include <string.h>

static bool is_entry_name(Str name) {
    return str_starts(name, "cuda") || str_starts(name, "__cuda");
}

/* Its own symbols say where it is. Objects with a shared runtime have the names, too, but undefined. */
static bool find_by_symbols(Arena *arena, const Elf *elf, const ElfSection *symbols,
                            LinkedRuntime *runtime) {
    bool found = false;
    for (uint64_t i = 0; i < elf_symbol_count(symbols); i++) {
        ElfSymbol symbol;
        if (!elf_symbol(elf, symbols, i, &symbol) || !symbol.is_defined || !symbol.is_function ||
            !is_entry_name(symbol.name))
            continue;
        *vec_add(arena, &runtime->entries) = (RuntimeEntry){symbol.name, symbol.value, symbol.size};
        found |= str_is(symbol.name, "__cudaRegisterFatBinary");
    }
    return found;
}

bool linked_runtime(Arena *arena, const Elf *elf, LinkedRuntime *runtime) {
    ElfSection symbols;
    *runtime = (LinkedRuntime){0};
    return elf_section_typed(elf, SHT_SYMTAB, &symbols) &&
           find_by_symbols(arena, elf, &symbols, runtime);
}
