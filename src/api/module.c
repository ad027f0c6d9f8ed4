/* Modules: from a file or a text to units of PTX, and the names of their kernels. */
#include "api/api.h"

#include <string.h>

_Static_assert(WARPLENS_VERSION_MAJOR == PROJECT_MAJOR && WARPLENS_VERSION_MINOR == PROJECT_MINOR &&
                   WARPLENS_VERSION_PATCH == PROJECT_PATCH,
               "warplens.h and CMakeLists.txt disagree about the version");

const char *warplens_version(void) {
    return PROJECT_VERSION;
}

static WarplensModule *module_make(void) {
    Arena *arena = arena_new();
    WarplensModule *module = NEW(arena, WarplensModule);
    module->arena = arena;
    return module;
}

static const Gpu *find_gpu(const char *name, WarplensError *error) {
    const Gpu *gpu = gpu_named(str_of(name ? name : "h100"));
    if (!gpu)
        error_set(error, WARPLENS_BAD_NAME,
                  "no GPU is named '%s'; 'warplens gpus' lists those that are known", name);
    return gpu;
}

static void list_kernels(WarplensModule *module) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < module->inputs.list.count; i++)
        module->kernel_count += module->inputs.list.at[i].entry_count;
    module->names = NEW_ARRAY(module->arena, const char *, module->kernel_count);
    for (uint32_t i = 0; i < module->inputs.list.count; i++) {
        const PtxInput *input = &module->inputs.list.at[i];
        for (uint32_t k = 0; k < input->entry_count; k++)
            module->names[at++] = name_demangled(module->arena, input->entries[k].name, true);
    }
}

static WarplensModule *give_up(WarplensModule *module, WarplensStatus status, const Diags *diags,
                               WarplensError *error) {
    error_diags(error, status, diags);
    warplens_free(module);
    return NULL;
}

/* The inputs are read: makes the session. NULL: there is none. */
static WarplensModule *module_begin(WarplensModule *module, const Gpu *gpu, WarplensError *error) {
    Diags *diags = diags_new(module->arena);
    module->session = session_new(module->arena, gpu, &module->inputs, diags);
    if (!module->session)
        return give_up(module, WARPLENS_NO_MEMORY, diags, error);
    module->session->profile->command = "libwarplens";
    list_kernels(module);
    return module;
}

WarplensModule *warplens_compile(const char *const *paths, uint32_t count,
                                 const WarplensCompile *given, const char *gpu,
                                 WarplensError *error) {
    error_clear(error);
    const Gpu *known = find_gpu(gpu, error);
    if (!known)
        return NULL;
    if (!paths || count == 0) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no path");
        return NULL;
    }
    WarplensModule *module = module_make();
    Diags *diags = diags_new(module->arena);
    const char **names = NEW_ARRAY(module->arena, const char *, count);
    CompileOptions options = {0};
    if (given)
        options = (CompileOptions){.arch = given->arch,
                                   .flags = given->flags,
                                   .flag_count = given->flag_count,
                                   .instantiate = given->instantiate,
                                   .instantiate_count = given->instantiate_count};
    for (uint32_t i = 0; i < count; i++)
        names[i] = arena_copy(module->arena, paths[i], strlen(paths[i]));
    if (inputs_read(module->arena, names, count, known, &options, &module->inputs, diags))
        return module_begin(module, known, error);
    return give_up(module, WARPLENS_BAD_FILE, diags, error);
}

WarplensModule *warplens_load(const char *path, const char *gpu, WarplensError *error) {
    return warplens_compile(&path, path != NULL, NULL, gpu, error);
}

WarplensModule *warplens_load_text(const char *name, const char *ptx, size_t length,
                                   const char *gpu, WarplensError *error) {
    error_clear(error);
    if (!name || !ptx) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", name ? "PTX" : "name");
        return NULL;
    }
    const Gpu *known = find_gpu(gpu, error);
    if (!known)
        return NULL;
    WarplensModule *module = module_make();
    Diags *diags = diags_new(module->arena);
    if (inputs_add(module->arena, &module->inputs, arena_copy(module->arena, name, strlen(name)),
                   ptx, length, known, diags))
        return module_begin(module, known, error);
    return give_up(module, WARPLENS_BAD_FILE, diags, error);
}

void warplens_free(WarplensModule *module) {
    if (!module)
        return;
    if (module->profile)
        profile_end(module->profile);
    rows_forget(module);
    session_free(module->session);
    arena_free(module->arena);
}

uint32_t warplens_kernel_count(const WarplensModule *module) {
    return module ? module->kernel_count : 0;
}

const char *warplens_kernel_name(const WarplensModule *module, uint32_t index) {
    return index < warplens_kernel_count(module) ? module->names[index] : NULL;
}

bool warplens_save(WarplensModule *module, const char *path, WarplensError *error) {
    error_clear(error);
    if (!module || !path) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", module ? "path" : "module");
        return false;
    }
    Diags *diags = diags_new(module->arena);
    profile_complete(module->session->profile, diags);
    if (!profile_save(module->session->profile, path, diags)) {
        error_diags(error, WARPLENS_BAD_FILE, diags);
        return false;
    }
    return true;
}
