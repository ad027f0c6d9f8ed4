/* NVIDIA's libraries of machine code (cuBLAS, cuFFT …) in a process that has loaded this library itself: what asks for one by its name
 * gets libwarplens-host.so, which is opened by all these names beforehand; where one comes by its path, its table of symbols leads
 * to ours before anything is bound to it. Under `warplens run` the audit library sees to both. */
#include "base/base.h"
#include "cuda/runtime/loader.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const names[] = {
    "libwarplens-host.so", /* which the others lead to */
#define DRIVER(name)
#define HOST(name) name,
#define LIBRARY(name, release, file) file(#name ".so." #release)
#include "cuda/libraries.def"
#undef HOST
#undef DRIVER
};

typedef struct Hosted {
    char *name;
    uintptr_t address;
} Hosted;

/* What libwarplens-host.so has. Changed and read by whoever looks at objects, one at a time. */
static struct {
    Hosted *list; /* in the order of names */
    size_t count;
    bool is_open;
} hosted;

static int by_name(const void *a, const void *b) {
    return strcmp(((const Hosted *)a)->name, ((const Hosted *)b)->name);
}

static bool is_call(const ElfSymbol *symbol) {
    return symbol->is_defined && symbol->is_function;
}

static void take_ours(const LoadedObject *object, const Elf *elf, const ElfSection *table) {
    uint64_t count = elf_symbol_count(table);
    hosted.list = calloc(count + 1, sizeof *hosted.list);
    for (uint64_t i = 0; hosted.list && i < count; i++) {
        ElfSymbol symbol;
        if (!elf_symbol(elf, table, i, &symbol) || !is_call(&symbol))
            continue;
        char *name = strndup(symbol.name.at, symbol.name.length);
        if (name)
            hosted.list[hosted.count++] = (Hosted){name, object->base + symbol.value};
    }
    if (hosted.count)
        qsort(hosted.list, hosted.count, sizeof *hosted.list, by_name);
}

static const Hosted *named(Str name) {
    char text[128];
    if (name.length >= sizeof text || !hosted.count)
        return NULL;
    memcpy(text, name.at, name.length);
    text[name.length] = 0;
    return bsearch(&(Hosted){.name = text}, hosted.list, hosted.count, sizeof *hosted.list,
                   by_name);
}

/* Those of dlsym and of the loader, as in hook.c. */
static void lead_here(const LoadedObject *object, const Elf *elf, const ElfSection *table) {
    Elf64_Sym *symbols = (Elf64_Sym *)(object->base + table->address);
    if (!set_protection(symbols, table->size, PROT_READ | PROT_WRITE))
        return;
    for (uint64_t i = 0; i < elf_symbol_count(table); i++) {
        ElfSymbol symbol;
        const Hosted *ours =
            elf_symbol(elf, table, i, &symbol) && is_call(&symbol) ? named(symbol.name) : NULL;
        if (ours)
            symbols[i].st_value = ours->address - object->base;
    }
    set_protection(symbols, table->size, PROT_READ);
}

void hosted_object(const LoadedObject *object, const Elf *elf) {
    bool is_ours = object_is_named(object, names[0]), is_replaced = false;
    ElfSection table;
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        is_replaced |= object_is_named(object, names[i]);
    if (!hosted.is_open || (!is_ours && !is_replaced) ||
        !elf_section_typed(elf, SHT_DYNSYM, &table))
        return;
    if (!is_ours)
        lead_here(object, elf, &table);
    else if (!hosted.list)
        take_ours(object, elf, &table);
}

void hosted_open(void) {
    hosted.is_open = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        dlopen(names[i], RTLD_LAZY | RTLD_LOCAL); /* RPATH: ours is found beside this one */
}
