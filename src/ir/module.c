/* Modules: making them, looking things up in them, interning source locations; C++ names. */
#include "ir/ir.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

const char *const stack_uses[] = {"", "array", "spill", "call", NULL};

/* What module_new really allocates: the module and an index over its locations. */
typedef struct IndexedModule {
    Module module;
    uint32_t *index; /* open addressing: number of a location plus one, 0 = free */
    uint32_t size;   /* of index: a power of two */
} IndexedModule;

Module *module_new(Arena *arena, const char *name, const char *text, size_t length) {
    IndexedModule *indexed = NEW(arena, IndexedModule);
    indexed->size = 64;
    indexed->index = NEW_ARRAY(arena, uint32_t, indexed->size);
    Module *module = &indexed->module;
    module->arena = arena;
    module->name = arena_copy(arena, name, strlen(name));
    module->text = text;
    module->text_length = length;
    module->target = "";
    module->address_size = 64;
    return module;
}

/* The first of the files whose number is not less. */
static uint32_t file_place(const Module *module, uint32_t number) {
    uint32_t low = 0, high = module->files.count;
    if (high == 0 || module->files.at[high - 1].number < number)
        return high; /* as files come */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (module->files.at[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *module_file(const Module *module, uint32_t number) {
    uint32_t at = file_place(module, number);
    bool there = at < module->files.count && module->files.at[at].number == number;
    return there ? module->files.at[at].path : NULL;
}

void module_add_file(Module *module, FileEntry file) {
    uint32_t at = file_place(module, file.number), behind = module->files.count - at;
    if (behind > 0 && module->files.at[at].number == file.number)
        return;
    vec_add(module->arena, &module->files);
    memmove(&module->files.at[at + 1], &module->files.at[at], behind * sizeof file);
    module->files.at[at] = file;
}

static bool location_equal(const SourceLocation *a, const SourceLocation *b) {
    return a->file == b->file && a->line == b->line && a->column == b->column &&
           a->inlined_at == b->inlined_at &&
           (a->function == b->function ||
            (a->function && b->function && strcmp(a->function, b->function) == 0));
}

static uint32_t *location_place(IndexedModule *indexed, const SourceLocation *location) {
    uint32_t key[4] = {location->file, location->line, location->column, location->inlined_at};
    uint32_t at = (uint32_t)bytes_hash(key, sizeof key, 0) & (indexed->size - 1);
    while (indexed->index[at] &&
           !location_equal(&indexed->module.locations.at[indexed->index[at] - 1], location))
        at = (at + 1) & (indexed->size - 1);
    return &indexed->index[at];
}

uint32_t module_location(Module *module, SourceLocation location) {
    IndexedModule *indexed = (IndexedModule *)module;
    uint32_t *place = location_place(indexed, &location);
    if (*place)
        return *place - 1;
    *vec_add(module->arena, &module->locations) = location;
    *place = module->locations.count;
    if (module->locations.count * 2 > indexed->size) {
        indexed->size *= 2;
        indexed->index = NEW_ARRAY(module->arena, uint32_t, indexed->size);
        for (uint32_t i = 0; i < module->locations.count; i++)
            *location_place(indexed, &module->locations.at[i]) = i + 1;
    }
    return module->locations.count - 1;
}

Function *module_function(const Module *module, Str name) {
    for (uint32_t i = 0; i < module->functions.count; i++)
        if (str_is(name, module->functions.at[i]->name))
            return module->functions.at[i];
    return NULL;
}

Variable *module_variable(const Module *module, Str name) {
    for (uint32_t i = 0; i < module->variables.count; i++)
        if (str_is(name, module->variables.at[i]->name))
            return module->variables.at[i];
    return NULL;
}

bool insn_is_memory(const Insn *insn) {
    return op_access(insn->op) != OP_ACCESS_NONE && insn->mods.space != SPACE_PARAM &&
           insn->mods.space != SPACE_REG;
}

/* Tags of an ABI tell linkers apart what a person wrote once: Numba's kernels have them with 80 letters. */
static const char *without_tags(Arena *arena, const char *name) {
    static const char tag[] = "[abi:";
    char *copy = arena_copy(arena, name, strlen(name));
    for (char *at = copy; (at = strstr(at, tag));) {
        size_t length = strcspn(at, "]");
        if (!at[length])
            break;
        memmove(at, at + length + 1, strlen(at + length + 1) + 1);
    }
    return copy;
}

const char *name_demangled(Arena *arena, const char *mangled, bool parameters) {
    if (mangled[0] != '_' || mangled[1] != 'Z')
        return arena_copy(arena, mangled, strlen(mangled));
    /* Without being told, the demangler gives up on names of more than 1,024 characters, which
     * CUTLASS has; it recurses less than once a character. */
    enum { LONGEST = 8192 };
    int options = parameters ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS;
    if (strnlen(mangled, LONGEST) < LONGEST)
        options |= DMGL_NO_RECURSE_LIMIT;
    char *name = cplus_demangle_v3(mangled, options);
    if (!name)
        return arena_copy(arena, mangled, strlen(mangled));
    const char *copy = without_tags(arena, name);
    free(name);
    return copy;
}
