/* Modules: from a file or a text to units of PTX, and the names of their kernels. */
#include "api/api.h"

#include <string.h>

_Static_assert(WARPLENS_VERSION_MAJOR == PROJECT_MAJOR && WARPLENS_VERSION_MINOR == PROJECT_MINOR &&
                   WARPLENS_VERSION_PATCH == PROJECT_PATCH,
               "warplens.h and CMakeLists.txt disagree about the version");

const char *warplens_version(void) {
    return PROJECT_VERSION;
}

static WarplensModule *module_begin(const char *gpu, WarplensError *error) {
    const Gpu *known = gpu_named(str_of(gpu ? gpu : "h100"));
    if (!known) {
        error_set(error, WARPLENS_BAD_NAME,
                  "no GPU is named '%s'; 'warplens gpus' lists those that are known", gpu);
        return NULL;
    }
    Memory *memory = memory_new();
    if (!memory) {
        error_set(error, WARPLENS_NO_MEMORY, "no address space for the device's memory");
        return NULL;
    }
    Arena *arena = arena_new();
    WarplensModule *module = NEW(arena, WarplensModule);
    module->arena = arena;
    module->gpu = known;
    module->memory = memory;
    module->profile = profile_new();
    module->profile->command = "libwarplens";
    return module;
}

static void list_kernels(WarplensModule *module) {
    uint32_t units = module->texts.list.count, at = 0;
    module->units = NEW_ARRAY(module->arena, Unit, units);
    module->inputs = NEW_ARRAY(module->arena, PtxInput, units);
    for (uint32_t i = 0; i < units; i++) {
        const PtxText *ptx = &module->texts.list.at[i];
        PtxInput *input = &module->inputs[i];
        *input = (PtxInput){.name = ptx->name, .text = ptx->text, .length = ptx->length};
        module->units[i].index = ptx_index(module->arena, ptx->name, ptx->text, ptx->length);
        input->entries = ptx_index_entries(module->units[i].index, &input->entry_count);
        module->kernel_count += input->entry_count;
    }
    module->names = NEW_ARRAY(module->arena, const char *, module->kernel_count);
    for (uint32_t i = 0; i < units; i++) {
        for (uint32_t k = 0; k < module->inputs[i].entry_count; k++)
            module->names[at++] =
                name_demangled(module->arena, module->inputs[i].entries[k].name, true);
    }
}

WarplensModule *warplens_load(const char *path, const char *gpu, WarplensError *error) {
    error_clear(error);
    if (!path) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no path");
        return NULL;
    }
    WarplensModule *module = module_begin(gpu, error);
    if (!module)
        return NULL;
    const ArchChoice choice = {.gpu = module->gpu->major * 10 + module->gpu->minor};
    Diags *diags = diags_new(module->arena);
    const char *name = arena_copy(module->arena, path, strlen(path));
    if (!file_ptx(module->arena, name, &choice, &module->texts, diags)) {
        error_diags(error, WARPLENS_BAD_FILE, diags);
        warplens_free(module);
        return NULL;
    }
    list_kernels(module);
    return module;
}

WarplensModule *warplens_load_text(const char *name, const char *ptx, size_t length,
                                   const char *gpu, WarplensError *error) {
    error_clear(error);
    if (!name || !ptx) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", name ? "PTX" : "name");
        return NULL;
    }
    WarplensModule *module = module_begin(gpu, error);
    if (!module)
        return NULL;
    *vec_add(module->arena, &module->texts.list) =
        (PtxText){.name = arena_copy(module->arena, name, strlen(name)),
                  .text = arena_copy(module->arena, ptx, length),
                  .length = length};
    list_kernels(module);
    return module;
}

void warplens_free(WarplensModule *module) {
    if (!module)
        return;
    for (WarplensKernel *kernel = module->kernels; kernel; kernel = kernel->next)
        prepared_free(kernel->prepared);
    profile_free(module->profile);
    memory_free(module->memory);
    arena_free(module->arena);
}

uint32_t warplens_kernel_count(const WarplensModule *module) {
    return module->kernel_count;
}

const char *warplens_kernel_name(const WarplensModule *module, uint32_t index) {
    return index < module->kernel_count ? module->names[index] : NULL;
}

bool warplens_save(WarplensModule *module, const char *path, WarplensError *error) {
    error_clear(error);
    if (!module || !path) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", module ? "path" : "module");
        return false;
    }
    Diags *diags = diags_new(module->arena);
    sources_read(module->profile, NULL, 0);
    if (!profile_save(module->profile, path, diags)) {
        error_diags(error, WARPLENS_BAD_FILE, diags);
        return false;
    }
    return true;
}
