/* Libraries and modules, which are the same here: PTX texts, several where relocatable device code has
 * to be linked, and what they define.
 *
 * Loading is lazy: a load call finds the PTX and the names of its kernels; variables get addresses,
 * and bodies are parsed, when a kernel or a variable is asked for. */
#include "cuda/objects.h"
#include "ptx/ptx.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

static void add_kernels(CUlibrary library, uint32_t unit) {
    const PtxText *ptx = &library->units.at[unit].ptx;
    uint32_t count;
    PtxEntry *entries = ptx_entries(library->arena, ptx->text, ptx->length, &count);
    Kernel **all = NEW_ARRAY(library->arena, Kernel *, library->kernel_count + count + 1);
    if (library->kernel_count)
        memcpy(all, library->kernels, library->kernel_count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        Kernel *kernel = NEW(library->arena, Kernel);
        *kernel = (Kernel){.tag = TAG_KERNEL,
                           .library = library,
                           .unit = unit,
                           .name = entries[i].name,
                           .carveout = -1};
        all[library->kernel_count++] = kernel;
    }
    library->kernels = all;
}

typedef struct Owner {
    uintptr_t address;
    const char *path;
} Owner;

static int holds(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    Owner *owner = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            owner->address - first < info->dlpi_phdr[i].p_memsz) {
            owner->path = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

const char *owner_name(Arena *arena, const void *address) {
    Owner owner = {.address = (uintptr_t)address};
    dl_iterate_phdr(holds, &owner);
    const char *path = owner.path;
    if (path && !*path)
        path = program_invocation_name; /* the program itself has no name in that list */
    const char *base = path ? strrchr(path, '/') : NULL;
    return path ? arena_copy(arena, base ? base + 1 : path, strlen(base ? base + 1 : path))
                : "PTX of the program";
}

static CUresult load(CUlibrary *library, const char *name, const void *image, size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    PtxTexts texts = {0};
    if (!name)
        name = owner_name(arena, image);
    if (!image_ptx(arena, name, image, size, &core_settings()->choice, &texts, diags)) {
        core_diags("a module could not be loaded", diags);
        arena_free(arena);
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    CUlibrary made = NEW(arena, Library);
    *made = (Library){.tag = TAG_LIBRARY, .arena = arena, .diags = diags};
    for (uint32_t i = 0; i < texts.list.count; i++)
        *vec_add(arena, &made->units) = (Unit){.ptx = texts.list.at[i]};
    for (uint32_t i = 0; i < made->units.count; i++) {
        /* The image may be gone when the bodies are parsed. */
        PtxText *ptx = &made->units.at[i].ptx;
        ptx->text = arena_copy(arena, ptx->text, ptx->length);
        ptx->name = arena_copy(arena, ptx->name, strlen(ptx->name));
        add_kernels(made, i);
    }
    *library = made;
    return CUDA_SUCCESS;
}

static CUresult load_file(CUlibrary *library, const char *path) {
    Arena *arena = arena_new();
    size_t size;
    char *data = path ? file_read(arena, path, &size) : NULL;
    CUresult result = !path   ? CUDA_ERROR_INVALID_VALUE
                      : !data ? CUDA_ERROR_FILE_NOT_FOUND
                              : load(library, path, data, size);
    arena_free(arena);
    return result;
}

/* Launches may have left rows of the profile that name the library's kernels; its records have been
 * sent, so it can go. */
static CUresult unload(CUlibrary library) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    library->tag = TAG_NONE;
    for (uint32_t i = 0; i < library->kernel_count; i++) {
        prepared_free(library->kernels[i]->prepared);
        library->kernels[i]->tag = TAG_NONE;
    }
    for (uint32_t i = 0; i < library->units.count; i++) {
        const Unit *unit = &library->units.at[i];
        for (uint32_t v = 0; unit->loaded && v < unit->variables->variables.count; v++) {
            const Variable *variable = unit->variables->variables.at[v];
            uint64_t address = variable->is_extern ? 0 : loaded_address(unit->loaded, variable);
            if (address)
                memory_release(core_memory(), address);
        }
    }
    return CUDA_SUCCESS;
}

/* ---- variables and bodies ---- */

/* Gives the variables of all units addresses. */
static bool place(CUlibrary library) {
    uint32_t errors = library->diags->errors;
    for (uint32_t i = 0; i < library->units.count; i++) {
        Unit *unit = &library->units.at[i];
        unit->variables = ptx_parse(library->arena, unit->ptx.name, unit->ptx.text,
                                    unit->ptx.length, "", library->diags);
        if (unit->variables)
            unit->loaded =
                module_load(library->arena, unit->variables, core_memory(), library->diags);
        if (!unit->loaded)
            return false;
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
    const PtxText *ptx = &library->units.at[kernel->unit].ptx;
    Diags *diags = diags_new(library->arena);
    Module *module =
        ptx_parse(library->arena, ptx->name, ptx->text, ptx->length, kernel->name, diags);
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

CUresult library_variable(CUlibrary library, const char *name, CUdeviceptr *address,
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
        if (!variable || variable->is_extern ||
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

static CUresult find(CUlibrary library, const char *name, Kernel **kernel) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name || !kernel)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < library->kernel_count; i++) {
        if (strcmp(library->kernels[i]->name, name) == 0) {
            *kernel = library->kernels[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_NOT_FOUND;
}

static CUresult enumerate(CUlibrary library, Kernel **kernels, unsigned count) {
    if (!IS(library, TAG_LIBRARY) || !kernels)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count && i < library->kernel_count; i++)
        kernels[i] = library->kernels[i];
    return CUDA_SUCCESS;
}

/* ---- modules ---- */

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    return module ? load_file(module, path) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return module && image ? load(module, NULL, image, IMAGE_NO_LIMIT) : CUDA_ERROR_INVALID_VALUE;
}

/* The options are for a compiler and for its messages. */
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options,
                            void **values) {
    (void)count;
    (void)options;
    (void)values;
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
    return unload(module);
}

CUresult cuModuleGetLoadingMode(int *mode) {
    enum { LAZY = 2 };
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = LAZY;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    return find(module, name, function);
}

CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
    return cuLibraryGetKernelCount(count, module);
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module) {
    return enumerate(module, functions, count);
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name) {
    return library_variable(module, name, address, bytes);
}

/* ---- libraries ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                           void **jit_values, unsigned jit_count, int *options, void **values,
                           unsigned count) {
    (void)jit_options;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    return cuModuleLoadData(library, code);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                               void **jit_values, unsigned jit_count, int *options, void **values,
                               unsigned count) {
    (void)jit_options;
    (void)jit_values;
    (void)jit_count;
    (void)options;
    (void)values;
    (void)count;
    return library ? load_file(library, path) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryUnload(CUlibrary library) {
    return unload(library);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    return find(library, name, kernel);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
    if (!count || !IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_VALUE;
    *count = library->kernel_count;
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library) {
    return enumerate(library, kernels, count);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    if (!module || !IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_VALUE;
    *module = library;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name) {
    return library_variable(library, name, address, bytes);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name) {
    return library_variable(library, name, address, bytes);
}

/* ---- the linker: PTX is kept as it is; what it makes is one image of one PTX text ---- */

struct LinkState {
    uint32_t tag;
    Arena *arena;
    char *image;
    size_t size;
};

CUresult cuLinkCreate_v2(unsigned count, int *options, void **values, CUlinkState *state) {
    (void)count;
    (void)options;
    (void)values;
    if (!state)
        return CUDA_ERROR_INVALID_VALUE;
    Arena *arena = arena_new();
    *state = NEW(arena, struct LinkState);
    **state = (struct LinkState){.tag = TAG_LINK, .arena = arena};
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t size, const char *name,
                          unsigned count, int *options, void **values) {
    enum { INPUT_PTX = 1 };
    (void)name;
    (void)count;
    (void)options;
    (void)values;
    if (!IS(state, TAG_LINK) || !data)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != INPUT_PTX || state->image)
        return core_unsupported("cuLinkAddData of more than one PTX text");
    state->image = arena_copy(state->arena, data, size);
    state->size = size;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count,
                          int *options, void **values) {
    if (!IS(state, TAG_LINK) || !path)
        return CUDA_ERROR_INVALID_VALUE;
    size_t size;
    char *data = file_read(state->arena, path, &size);
    return data ? cuLinkAddData_v2(state, type, data, size, path, count, options, values)
                : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size) {
    if (!IS(state, TAG_LINK) || !image || !state->image)
        return CUDA_ERROR_INVALID_VALUE;
    *image = state->image;
    if (size)
        *size = state->size;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) {
    if (!IS(state, TAG_LINK))
        return CUDA_ERROR_INVALID_VALUE;
    arena_free(state->arena);
    return CUDA_SUCCESS;
}
