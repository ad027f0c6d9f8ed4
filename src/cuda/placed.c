/* What is done about a library when a kernel or a variable of it is asked for: its variables get
 * addresses, on each device their own, and that kernel's body is parsed. */
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/state.h"

/* A variable of a device is its alone; managed ones are every device's. */
static void confine(const Unit *unit, const Device *device) {
    const LoadedModule *loaded = unit->loaded[device->ordinal];
    for (uint32_t v = 0; v < unit->variables->variables.count; v++) {
        const Variable *variable = unit->variables->variables.at[v];
        if (!variable->is_managed && !variable->is_extern)
            memory_confine(core_memory(), loaded_address(loaded, variable), device_bit(device));
    }
}

/* Gives the variables of all units addresses. */
static bool place(CUlibrary library, const Device *device) {
    uint32_t errors = library->diags->errors;
    for (uint32_t i = 0; i < library->units.count; i++) {
        Unit *unit = &library->units.at[i];
        if (!unit->variables)
            unit->variables = ptx_parse_variables(library->arena, unit->index, library->diags);
        if (unit->variables)
            unit->loaded[device->ordinal] = module_load(
                library->arena, unit->variables, core_memory(), unit->managed, library->diags);
        if (!unit->loaded[device->ordinal])
            return false;
        confine(unit, device);
        if (!unit->managed)
            unit->managed = unit->loaded[device->ordinal];
    }
    return library->diags->errors == errors;
}

bool library_place(CUlibrary library, const Device *device) {
    bool *placed = &library->placed[device->ordinal];
    core_lock();
    if (!*placed && !library->failed) {
        *placed = place(library, device);
        library->failed = !*placed;
        if (library->failed)
            core_diags("a module could not be loaded", library->diags);
    }
    core_unlock();
    return *placed;
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
    kernel->prepared = NEW_ARRAY(library->arena, PreparedKernel *, device_count());
    kernel_settle(kernel);
    return true;
}

CUresult kernel_parse(Kernel *kernel) {
    core_lock();
    if (!kernel->function && !kernel->failed)
        kernel->failed = !parse(kernel);
    kernel->may_wait = kernel->function && function_may_wait(kernel->function);
    core_unlock();
    return kernel->function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

CUresult library_variable(CUlibrary library, const char *name, bool managed, CUdeviceptr *address,
                          size_t *bytes) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    const Device *device = library->context ? library->context->device : device_current();
    if (!library_place(library, device))
        return CUDA_ERROR_INVALID_PTX;
    for (uint32_t i = 0; i < library->units.count; i++) {
        const Unit *unit = &library->units.at[i];
        const Variable *variable = module_variable(unit->variables, str_of(name));
        if (!variable || variable->is_extern || (managed && !variable->is_managed) ||
            (variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST))
            continue;
        if (address)
            *address = loaded_address(unit->loaded[device->ordinal], variable);
        if (bytes)
            *bytes = variable->bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

static void release_variables(const Unit *unit, const LoadedModule *loaded, bool managed) {
    for (uint32_t v = 0; loaded && v < unit->variables->variables.count; v++) {
        const Variable *variable = unit->variables->variables.at[v];
        bool goes = variable->is_managed == managed && !variable->is_extern;
        uint64_t address = goes ? loaded_address(loaded, variable) : 0;
        if (address)
            memory_release(core_memory(), address);
    }
}

void library_displace(Library *library, const Device *device) {
    for (uint32_t i = 0; i < library->kernel_count; i++) {
        PreparedKernel **prepared = library->kernels[i]->prepared;
        if (!prepared)
            continue;
        prepared_free(prepared[device->ordinal]);
        prepared[device->ordinal] = NULL;
    }
    for (uint32_t i = 0; i < library->units.count; i++) {
        Unit *unit = &library->units.at[i];
        release_variables(unit, unit->loaded[device->ordinal], false);
        unit->loaded[device->ordinal] = NULL;
    }
    library->placed[device->ordinal] = false;
}

void library_clear(Library *library) {
    for (uint32_t i = 0; i < device_count(); i++)
        library_displace(library, device_of((CUdevice)i));
    for (uint32_t i = 0; i < library->units.count; i++)
        release_variables(&library->units.at[i], library->units.at[i].managed, true);
}
