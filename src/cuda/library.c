/* Libraries and modules: PTX texts, several where relocatable device code has to be linked, and what
 * they define. A module belongs to a context and goes with it; a library to none: it stays, and is
 * placed anew when it is used again.
 *
 * Loading is lazy: a load call finds the PTX and the names of its kernels; placed.c has the rest. */
#include "cuda/library.h"
#include "base/rescue.h"
#include "cuda/aside.h"
#include "cuda/handle.h"
#include "cuda/owner.h"
#include "cuda/precedence.h"
#include "cuda/state.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

/* ---- loading ---- */

static void add_kernels(CUlibrary library, uint32_t unit) {
    uint32_t count;
    const PtxEntry *entries = ptx_index_entries(library->units.at[unit].index, &count);
    Kernel **all = NEW_ARRAY(library->arena, Kernel *, library->kernel_count + count + 1);
    if (library->kernel_count)
        memcpy(all, library->kernels, library->kernel_count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        Kernel *kernel = calloc(1, sizeof *kernel);
        if (!kernel)
            out_of_memory();
        *kernel = (Kernel){.tag = TAG_KERNEL,
                           .library = library,
                           .unit = unit,
                           .name = entries[i].name,
                           .carveout = -1};
        if (!map_get(library->by_name, str_of(kernel->name), NULL))
            map_put(library->by_name, str_of(kernel->name), library->kernel_count);
        all[library->kernel_count++] = kernel;
    }
    library->kernels = all;
}

/* A module of PTX is looked at when it is loaded, but for the bodies of its functions; a library when it is used. */
static CUresult text_check(Arena *arena, const char *name, const PtxText *ptx, Diags *diags) {
    if (!ptx_is_module(ptx->text, ptx->length)) {
        diags_error(diags, "%s: neither a binary nor PTX, which begins with .version", name);
        return CUDA_ERROR_INVALID_IMAGE;
    }
    PtxIndex *index = ptx_index(arena, name, ptx->text, ptx->length);
    return ptx_parse_variables(arena, index, diags) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

/* context: whose module it is; NULL: a library, which belongs to none. */
static CUresult load_now(CUlibrary *library, CUcontext context, const char *name, const void *image,
                         size_t size) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    PtxTexts texts = {0};
    if (!name)
        name = owner_name(arena, image);
    if (!image_ptx(arena, name, image, size, &core_settings()->choice, &texts, diags)) {
        core_diags("a module could not be loaded", diags);
        arena_free(arena);
        return image_is_text(image, size) ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    CUresult wrong = context && image_is_text(image, size)
                         ? text_check(arena, name, &texts.list.at[0], diags)
                         : CUDA_SUCCESS;
    if (wrong) {
        core_diags("a module could not be loaded", diags);
        arena_free(arena);
        return wrong;
    }
    for (uint32_t i = 0; i < diags->list.count; i++)
        core_message("note: %s", diags->list.at[i].message);
    CUlibrary made = calloc(1, sizeof *made);
    if (!made)
        out_of_memory();
    *made = (Library){.tag = TAG_LIBRARY, .context = context, .arena = arena, .diags = diags};
    made->by_name = map_new(arena);
    for (uint32_t i = 0; i < texts.list.count; i++)
        *vec_add(arena, &made->units) = (Unit){.ptx = texts.list.at[i]};
    for (uint32_t i = 0; i < made->units.count; i++) {
        /* The image may be gone when the bodies are parsed. */
        Unit *unit = &made->units.at[i];
        PtxText *ptx = &unit->ptx;
        ptx->text = arena_copy(arena, ptx->text, ptx->length);
        ptx->name = arena_copy(arena, ptx->name, strlen(ptx->name));
        if (ptx->origin.cubin)
            ptx->origin.cubin =
                arena_copy(arena, (const char *)ptx->origin.cubin, ptx->origin.cubin_bytes);
        unit->index = ptx_index(arena, ptx->name, ptx->text, ptx->length);
        ptx_index_originate(unit->index, ptx->origin);
        add_kernels(made, i);
    }
    core_lock();
    made->next = core_get()->libraries;
    core_get()->libraries = made;
    core_unlock();
    *library = made;
    return CUDA_SUCCESS;
}

static CUresult load(CUlibrary *library, CUcontext context, const char *name, const void *image,
                     size_t size) {
    volatile CUresult result;
    Rescue rescue;
    if (RESCUE(&rescue))
        result = load_now(library, context, name, image, size);
    else
        result = core_exhausted();
    rescue_end(&rescue);
    return result;
}

static CUresult load_file(CUlibrary *library, CUcontext context, const char *path) {
    Arena *arena = arena_new();
    size_t size;
    char *data = path ? file_read(arena, path, &size) : NULL;
    CUresult result = !path || !*path ? CUDA_ERROR_INVALID_VALUE
                      : !data         ? CUDA_ERROR_FILE_NOT_FOUND
                                      : load(library, context, path, data, size);
    arena_free(arena);
    return result;
}

static void lock_out_kernels(void) {
    turn_take(core_get());
    core_lock();
}

static void let_in_kernels(void) {
    core_unlock();
    turn_give(core_get());
}

static void take_out(CUlibrary library) {
    Library **at = &core_get()->libraries;
    while (*at && *at != library)
        at = &(*at)->next;
    if (*at)
        *at = library->next;
}

/* Handles stay, with this tag; what they were made of goes. No kernel may run meanwhile. */
static void unload(CUlibrary library, enum ObjectTag left) {
    take_out(library);
    library_clear(library);
    for (uint32_t i = 0; i < library->kernel_count; i++)
        *library->kernels[i] = (Kernel){.tag = left};
    arena_free(library->arena);
    *library = (Library){.tag = TAG_NONE};
}

static CUresult unload_handle(CUlibrary library) {
    asides_settle(NULL);
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    lock_out_kernels();
    unload(library, TAG_NONE);
    let_in_kernels();
    return CUDA_SUCCESS;
}

void libraries_leave(CUcontext context) {
    Library *next;
    lock_out_kernels();
    for (Library *library = core_get()->libraries; library; library = next) {
        next = library->next;
        if (library->context == context)
            unload(library, TAG_LOST);
        else if (!library->context && context->primary)
            library_displace(library, context->device);
    }
    let_in_kernels();
}

bool library_has(const void *kernel) {
    bool found = false;
    core_lock();
    for (const Library *one = core_get()->libraries; one && !found; one = one->next)
        for (uint32_t i = 0; i < one->kernel_count && !found; i++)
            found = one->kernels[i] == kernel;
    core_unlock();
    return found;
}

/* ---- what the calls share ---- */

static CUresult find(CUlibrary library, const char *name, Kernel **kernel) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name || !*name || !kernel)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t number;
    if (!map_get(library->by_name, str_of(name), &number))
        return CUDA_ERROR_NOT_FOUND;
    *kernel = library->kernels[number];
    return CUDA_SUCCESS;
}

static CUresult enumerate(CUlibrary library, Kernel **kernels, unsigned count) {
    if (!IS(library, TAG_LIBRARY) || !kernels)
        return kernels ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count && i < library->kernel_count; i++)
        kernels[i] = library->kernels[i];
    return CUDA_SUCCESS;
}

/* ---- modules ---- */

CUresult cuModuleLoad(CUmodule *module, const char *path) {
    return module ? load_file(module, core_context(), path) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return module && image ? load(module, core_context(), NULL, image, IMAGE_NO_LIMIT)
                           : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options,
                            void **values) {
    if (!jit_options_fit(count, options, values))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = cuModuleLoadData(module, image);
    jit_answer(count, options, values);
    return result;
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
    return unload_handle(module);
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
    return library_variable(module, name, false, address, bytes);
}

/* ---- libraries ---- */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                           void **jit_values, unsigned jit_count, int *options, void **values,
                           unsigned count) {
    if (!jit_options_fit(jit_count, jit_options, jit_values) || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    return library && code ? load(library, NULL, NULL, code, IMAGE_NO_LIMIT)
                           : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                               void **jit_values, unsigned jit_count, int *options, void **values,
                               unsigned count) {
    if (!jit_options_fit(jit_count, jit_options, jit_values) || (count && (!options || !values)))
        return CUDA_ERROR_INVALID_VALUE;
    return library ? load_file(library, NULL, path) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLibraryUnload(CUlibrary library) {
    return unload_handle(library);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    return find(library, name, kernel);
}

CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
    if (!count || !IS(library, TAG_LIBRARY))
        return count ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *count = library->kernel_count;
    return CUDA_SUCCESS;
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library) {
    return enumerate(library, kernels, count);
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    if (!IS(library, TAG_LIBRARY))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = library;
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name) {
    return library_variable(library, name, false, address, bytes);
}

CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name) {
    CUresult result = library_variable(library, name, true, address, bytes);
    if (!result && address && bytes)
        host_guard_made(*address, *bytes);
    return result;
}
