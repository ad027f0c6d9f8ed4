/* What is done about a library when a kernel or a variable of it is asked for: its variables get
 * addresses, and that kernel's body is parsed. */
#include "cuda/objects.h"

/* Gives the variables of all units addresses. */
static bool place(CUlibrary library) {
    uint32_t errors = library->diags->errors;
    for (uint32_t i = 0; i < library->units.count; i++) {
        Unit *unit = &library->units.at[i];
        if (!unit->variables)
            unit->variables = ptx_parse_variables(library->arena, unit->index, library->diags);
        if (unit->variables)
            unit->loaded = module_load(library->arena, unit->variables, core_memory(),
                                       unit->managed, library->diags);
        if (!unit->loaded)
            return false;
        if (!unit->managed)
            unit->managed = unit->loaded;
    }
    return library->diags->errors == errors;
}

static bool library_place(CUlibrary library) {
    core_lock();
    if (!library->placed && !library->failed) {
        library->placed = place(library);
        library->failed = !library->placed;
        if (library->failed)
            core_diags("a module could not be loaded", library->diags);
    }
    core_unlock();
    return library->placed;
}

static bool parse(Kernel *kernel) {
    CUlibrary library = kernel->library;
    PtxIndex *index = library->units.at[kernel->unit].index;
    Diags *diags = diags_new(library->arena);
    Module *module = ptx_parse_kernel(library->arena, index, kernel->name, diags);
    if (module)
        kernel->function = module_function(module, str_of(kernel->name));
    if (!kernel->function) {
        core_diags("a kernel cannot be run", diags);
        return false;
    }
    kernel_settle(kernel);
    return true;
}

CUresult kernel_parse(Kernel *kernel) {
    if (!library_place(kernel->library))
        return CUDA_ERROR_INVALID_PTX;
    core_lock();
    if (!kernel->function && !kernel->failed)
        kernel->failed = !parse(kernel);
    core_unlock();
    return kernel->function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

CUresult library_variable(CUlibrary library, const char *name, bool managed, CUdeviceptr *address,
                          size_t *bytes) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    if (!library_place(library))
        return CUDA_ERROR_INVALID_PTX;
    for (uint32_t i = 0; i < library->units.count; i++) {
        const Unit *unit = &library->units.at[i];
        const Variable *variable = module_variable(unit->variables, str_of(name));
        if (!variable || variable->is_extern || (managed && !variable->is_managed) ||
            (variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST))
            continue;
        if (address)
            *address = loaded_address(unit->loaded, variable);
        if (bytes)
            *bytes = variable->bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

/* Managed variables are the process's: they keep their places and values as long as the library is there. */
static void release_variables(Unit *unit, bool managed) {
    const LoadedModule *loaded = unit->loaded ? unit->loaded : unit->managed;
    for (uint32_t v = 0; loaded && v < unit->variables->variables.count; v++) {
        const Variable *variable = unit->variables->variables.at[v];
        bool goes = variable->is_managed ? managed : unit->loaded != NULL;
        uint64_t address = variable->is_extern || !goes ? 0 : loaded_address(loaded, variable);
        if (address)
            memory_release(core_memory(), address);
    }
    unit->loaded = NULL;
}

void library_displace(Library *library, bool managed) {
    for (uint32_t i = 0; i < library->kernel_count; i++) {
        prepared_free(library->kernels[i]->prepared);
        library->kernels[i]->prepared = NULL;
    }
    for (uint32_t i = 0; i < library->units.count; i++)
        release_variables(&library->units.at[i], managed);
    library->placed = false;
}
