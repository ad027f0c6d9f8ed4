/* Leading calls of a library that is there to ours: the addresses in its own table of symbols are changed, which dlsym and the
 * loader read, so those who call it from then on get here. */
#include "cuda/runtime/loader.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

bool object_is_named(const LoadedObject *object, const char *beginning) {
    const char *base = strrchr(object->path, '/');
    return strncmp(base ? base + 1 : object->path, beginning, strlen(beginning)) == 0;
}

/* "nvJitLinkCreate" of "__nvJitLinkCreate_13_0", as NVIDIA's headers name the versions of a call. */
static Str without_version(Str name) {
    if (name.length < 2 || name.at[0] != '_' || name.at[1] != '_')
        return name;
    name.at += 2;
    name.length -= 2;
    for (int part = 0; part < 2; part++) {
        size_t length = name.length;
        while (length && isdigit((unsigned char)name.at[length - 1]))
            length--;
        if (length == name.length || length == 0 || name.at[length - 1] != '_')
            break;
        name.length = length - 1;
    }
    return name;
}

/* Symbols are addresses from the object's base on: modulo 2^64 these reach everything. */
static void hook_symbol(const LoadedObject *object, const Hook *hook, Elf64_Sym *symbol) {
    *hook->theirs = (void *)(object->base + symbol->st_value);
    if (!hook->ours || !set_protection(symbol, sizeof *symbol, PROT_READ | PROT_WRITE))
        return;
    symbol->st_value = (uintptr_t)hook->ours - object->base;
    set_protection(symbol, sizeof *symbol, PROT_READ);
}

void hook_symbols(const LoadedObject *object, const Elf *elf, const Hook *hooks, size_t count) {
    ElfSection table;
    if (!elf_section_typed(elf, SHT_DYNSYM, &table))
        return;
    for (uint64_t i = 0; i < elf_symbol_count(&table); i++) {
        ElfSymbol symbol;
        if (!elf_symbol(elf, &table, i, &symbol) || !symbol.is_defined || !symbol.is_function)
            continue;
        for (size_t h = 0; h < count; h++)
            if (str_is(without_version(symbol.name), hooks[h].name))
                hook_symbol(object, &hooks[h], (Elf64_Sym *)(object->base + table.address) + i);
    }
}
