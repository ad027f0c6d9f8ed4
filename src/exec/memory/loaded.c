/* A module's variables in memory: .global and .const, with their initialisers. */
#include "exec/calls/calls.h"
#include "exec/run/warp.h"

#include <string.h>

uint64_t function_address(const Function *function) {
    return WINDOW_CODE + 16 * ((uint64_t)function->number + 1);
}

typedef struct VariablePlace {
    const Variable *variable;
    uint64_t address;
} VariablePlace;

struct LoadedModule {
    VEC(VariablePlace) placed;
    Map *by_name;
};

uint64_t loaded_address(const LoadedModule *loaded, const Variable *variable) {
    uint64_t index;
    if (!loaded || !map_get(loaded->by_name, str_of(variable->name), &index))
        return 0;
    return loaded->placed.at[index].address;
}

static void put(Arena *arena, LoadedModule *loaded, const Variable *variable, uint64_t address) {
    map_put(loaded->by_name, str_of(variable->name), loaded->placed.count);
    *vec_add(arena, &loaded->placed) = (VariablePlace){variable, address};
}

static bool place(Arena *arena, LoadedModule *loaded, const Variable *variable, Memory *memory,
                  Diags *diags) {
    uint64_t bytes = variable->bytes ? variable->bytes : 1;
    uint64_t address = memory_allocate(memory, bytes, variable->name, type_bytes(variable->type));
    if (!address) {
        diags_error(diags, "no memory for variable '%s' of %llu bytes", variable->name,
                    (unsigned long long)bytes);
        return false;
    }
    if (variable->data)
        memcpy(memory_host(memory, address), variable->data, variable->bytes);
    put(arena, loaded, variable, address);
    return true;
}

static void relocate(const LoadedModule *loaded, const VariablePlace *placed,
                     const Memory *memory) {
    const Variable *variable = placed->variable;
    uint8_t *at = memory_host(memory, placed->address);
    for (uint32_t i = 0; i < variable->relocations.count; i++) {
        const Relocation *relocation = &variable->relocations.at[i];
        uint64_t value = (uint64_t)relocation->addend;
        if (relocation->function)
            value += function_address(relocation->function);
        if (relocation->target)
            value += loaded_address(loaded, relocation->target);
        memcpy(at + relocation->offset, &value, relocation->bytes);
    }
}

LoadedModule *module_load(Arena *arena, const Module *module, Memory *memory,
                          const LoadedModule *managed, Diags *diags) {
    LoadedModule *loaded = NEW(arena, LoadedModule);
    loaded->by_name = map_new(arena);
    for (uint32_t i = 0; i < module->variables.count; i++) {
        const Variable *variable = module->variables.at[i];
        bool stored = variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST;
        if (variable->is_managed && managed)
            put(arena, loaded, variable, loaded_address(managed, variable));
        else if (stored && !place(arena, loaded, variable, memory, diags))
            return NULL;
    }
    for (uint32_t i = 0; i < loaded->placed.count; i++) {
        const Variable *variable = loaded->placed.at[i].variable;
        if (!variable->is_managed || !managed)
            relocate(loaded, &loaded->placed.at[i], memory);
        if (variable->space == SPACE_CONST)
            memory_protect(memory, loaded->placed.at[i].address);
    }
    return loaded;
}
