/* The CUDA runtime that is linked into an executable or library, which has all of its entry points: they
 * are one object file of libcudart_static.a.
 *
 * Without symbols they are found by their names: each entry point refers to a text with its own name,
 * and calls one function that all of them call. That other code refers to such a text, too, is common
 * ("cudaMalloc" in a message); it does not call that function, which nothing but the runtime knows.
 * Entry points that refer to no name are found in startup.c, by how nvcc's code calls them. */
#include "image/startup.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static bool is_entry_name(Str name) {
    if (!str_starts(name, "cuda") && !str_starts(name, "__cuda"))
        return false;
    for (size_t i = 0; i < name.length; i++)
        if (!((name.at[i] | 0x20) >= 'a' && (name.at[i] | 0x20) <= 'z') && name.at[i] != '_' &&
            !(name.at[i] >= '0' && name.at[i] <= '9'))
            return false;
    return true;
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

/* ---- without symbols ---- */

/* A function that refers to the name of an entry point. */
typedef struct Claim {
    const CodeFunction *function;
    Str name;
} Claim;

typedef struct Claims {
    VEC(Claim) list;
} Claims;

static int by_function(const void *a, const void *b) {
    const Claim *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->name.at > y->name.at) - (x->name.at < y->name.at);
}

static int by_entry_name(const void *a, const void *b) {
    Str x = ((const RuntimeEntry *)a)->name, y = ((const RuntimeEntry *)b)->name;
    int order = strncmp(x.at, y.at, x.length < y.length ? x.length : y.length);
    return order ? order : (x.length > y.length) - (x.length < y.length);
}

/* Functions that refer to one name alone. */
static Claims read_claims(const Code *code) {
    Claims all = {0}, kept = {0};
    for (uint32_t i = 0; i < code->functions.count; i++) {
        const CodeFunction *function = &code->functions.at[i];
        CodeReference reference;
        for (uint64_t at = function->start; code_next(code, function->end, &at, &reference);) {
            Str name = reference.is_call ? STR("") : code_string(code, reference.target);
            if (is_entry_name(name))
                *vec_add(code->arena, &all.list) = (Claim){function, name};
        }
    }
    if (all.list.count)
        qsort(all.list.at, all.list.count, sizeof(Claim), by_function);
    for (uint32_t i = 0, next; i < all.list.count; i = next) {
        bool same = true;
        for (next = i + 1; next < all.list.count; next++) {
            if (all.list.at[next].function != all.list.at[i].function)
                break;
            same &= str_equal(all.list.at[next].name, all.list.at[i].name);
        }
        if (same)
            *vec_add(code->arena, &kept.list) = all.list.at[i];
    }
    return kept;
}

/* The function that most of them call; 0: there is none that half of them call. */
static uint64_t common_call(const Code *code, const Claims *claims) {
    Map *counts = map_new(code->arena);
    uint64_t best = 0, most = claims->list.count / 2;
    for (uint32_t i = 0; i < claims->list.count; i++) {
        const CodeFunction *function = claims->list.at[i].function;
        Map *seen = map_new(code->arena);
        CodeReference reference;
        for (uint64_t at = function->start; code_next(code, function->end, &at, &reference);) {
            Str key = {arena_copy(code->arena, (const char *)&reference.target, 8), 8};
            uint64_t count = 0;
            if (!reference.is_call || !reference.target || map_get(seen, key, &count))
                continue;
            map_put(seen, key, 1);
            map_get(counts, key, &count);
            map_put(counts, key, ++count);
            if (count > most) {
                most = count;
                best = reference.target;
            }
        }
    }
    return best;
}

/* Entry points by name; what two functions are called is called by none. */
static void take_claims(const Code *code, const Claims *claims, uint64_t common,
                        LinkedRuntime *runtime) {
    LinkedRuntime all = {0};
    for (uint32_t i = 0; i < claims->list.count; i++) {
        const Claim *claim = &claims->list.at[i];
        if (code_calls(code, claim->function, common))
            *vec_add(code->arena, &all.entries) = (RuntimeEntry){
                claim->name, claim->function->start, claim->function->end - claim->function->start};
    }
    if (all.entries.count)
        qsort(all.entries.at, all.entries.count, sizeof(RuntimeEntry), by_entry_name);
    for (uint32_t i = 0; i < all.entries.count; i++) {
        const RuntimeEntry *entry = &all.entries.at[i];
        if ((i == 0 || by_entry_name(entry - 1, entry) != 0) &&
            (i + 1 == all.entries.count || by_entry_name(entry, entry + 1) != 0))
            *vec_add(code->arena, &runtime->entries) = *entry;
    }
}

static bool contains(const Elf *elf, const char *text) {
    ElfSection section;
    return elf_section_named(elf, ".rodata", &section) &&
           memmem(section.data, section.size, text, strlen(text) + 1) != NULL;
}

/* What holds the names of entry points, and that of the driver's library, which a runtime opens. */
static bool find_by_names(Arena *arena, const Elf *elf, LinkedRuntime *runtime) {
    enum { ENTRIES_LEAST = 300 }; /* CUDA 11.8 has 395, CUDA 13 has 422 */
    Code code;
    if (!contains(elf, "libcuda.so.1") || !contains(elf, "cudaGetDeviceCount"))
        return false;
    if (code_open(arena, elf, &code)) {
        Claims claims = read_claims(&code);
        uint64_t common = common_call(&code, &claims);
        if (common)
            take_claims(&code, &claims, common, runtime);
        if (runtime->entries.count >= ENTRIES_LEAST) {
            startup_find(elf, &code, common, runtime);
            return true;
        }
    }
    runtime->entries.count = 0;
    *vec_add(arena, &runtime->missing) = "all of them";
    return false;
}

bool linked_runtime(Arena *arena, const Elf *elf, LinkedRuntime *runtime) {
    ElfSection symbols;
    *runtime = (LinkedRuntime){0};
    return elf_section_typed(elf, SHT_SYMTAB, &symbols)
               ? find_by_symbols(arena, elf, &symbols, runtime)
               : find_by_names(arena, elf, runtime);
}

const char *linked_missing(Arena *arena, const LinkedRuntime *runtime) {
    const char *names = "";
    for (uint32_t i = 0; i < runtime->missing.count; i++)
        names = arena_printf(arena, "%s%s%s", names, i ? ", " : "", runtime->missing.at[i]);
    return names;
}
