/* Kernels: found by name, parsed and decoded once; their arguments. */
#include "api/api.h"

#include <string.h>

/* ---- finding ---- */

static WarplensKernel *make(WarplensModule *module, uint32_t input, const char *name,
                            Diags *diags) {
    SessionKernel *parsed = session_kernel(module->session, input, name, diags);
    if (!parsed || !session_prepare(module->session, parsed, diags))
        return NULL;
    WarplensKernel *kernel = NEW(module->arena, WarplensKernel);
    *kernel = (WarplensKernel){.next = module->kernels,
                               .module = module,
                               .kernel = parsed,
                               .arguments = arguments_new(module->arena, parsed->function)};
    return module->kernels = kernel;
}

bool warplens_machine_code(WarplensModule *module, const char *use, WarplensError *error) {
    error_clear(error);
    if (module && use && machine_use_named(use, &module->session->machine))
        return true;
    error_set(error, WARPLENS_BAD_ARGUMENT,
              module ? "machine code is " MACHINE_USES ", not '%s'" : "no module", use ? use : "");
    return false;
}

bool warplens_sanitize(WarplensModule *module, const char *names, WarplensError *error) {
    error_clear(error);
    if (!module || !names) {
        error_set(error, WARPLENS_BAD_ARGUMENT, module ? "no names of checks" : "no module");
        return false;
    }
    Diags *diags = diags_new(module->arena);
    bool good = session_sanitize(module->session, names, "warplens_sanitize", diags);
    if (!good)
        error_diags(error, WARPLENS_BAD_ARGUMENT, diags);
    return good;
}

WarplensKernel *warplens_kernel(WarplensModule *module, const char *name, WarplensError *error) {
    error_clear(error);
    if (!module) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no module");
        return NULL;
    }
    uint32_t input;
    const char *mangled;
    Diags *diags = diags_new(module->arena);
    const Inputs *inputs = &module->inputs;
    if (!ptx_select(module->arena, inputs->list.at, inputs->list.count, name, &input, &mangled,
                    diags)) {
        error_diags(error, WARPLENS_BAD_NAME, diags);
        return NULL;
    }
    for (WarplensKernel *known = module->kernels; known; known = known->next) {
        if (known->kernel->input == input && strcmp(known->kernel->function->name, mangled) == 0)
            return known;
    }
    WarplensKernel *kernel = make(module, input, mangled, diags);
    if (!kernel)
        error_diags(error, WARPLENS_BAD_PTX, diags);
    return kernel;
}

/* ---- arguments ---- */

uint32_t warplens_parameter_count(const WarplensKernel *kernel) {
    return kernel ? kernel->kernel->function->params.count : 0;
}

size_t warplens_parameter_bytes(const WarplensKernel *kernel, uint32_t index) {
    return index < warplens_parameter_count(kernel)
               ? kernel->kernel->function->params.at[index]->bytes
               : 0;
}

static bool has_parameter(const WarplensKernel *kernel, uint32_t index, WarplensError *error) {
    uint32_t count = warplens_parameter_count(kernel);
    if (!kernel)
        error_set(error, WARPLENS_BAD_ARGUMENT, "no kernel");
    else if (index >= count)
        error_set(error, WARPLENS_BAD_ARGUMENT, "there is no parameter %u: %s has %u", index,
                  kernel->kernel->function->name, count);
    return index < count;
}

bool warplens_set_value(WarplensKernel *kernel, uint32_t index, const void *value, size_t bytes,
                        WarplensError *error) {
    error_clear(error);
    if (!has_parameter(kernel, index, error))
        return false;
    size_t wanted = warplens_parameter_bytes(kernel, index);
    if (!value)
        error_set(error, WARPLENS_BAD_ARGUMENT, "no value");
    else if (bytes != wanted)
        error_set(error, WARPLENS_BAD_ARGUMENT,
                  "parameter %u of %s has %zu bytes; the value has %zu", index,
                  kernel->kernel->function->name, wanted, bytes);
    else
        arguments_put(kernel->arguments, index, value);
    return value && bytes == wanted;
}

bool warplens_set_buffer(WarplensKernel *kernel, uint32_t index, const WarplensBuffer *buffer,
                         size_t offset, WarplensError *error) {
    error_clear(error);
    if (!kernel || !buffer || !buffer->address) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", kernel ? "buffer" : "kernel");
        return false;
    }
    if (buffer->module != kernel->module) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "buffer '%s' belongs to another module",
                  buffer->name);
        return false;
    }
    uint64_t address = buffer->address + offset;
    return warplens_set_value(kernel, index, &address, sizeof address, error);
}

bool warplens_set_text(WarplensKernel *kernel, uint32_t index, const char *text,
                       WarplensError *error) {
    error_clear(error);
    if (!has_parameter(kernel, index, error))
        return false;
    if (!text) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no text");
        return false;
    }
    WarplensModule *module = kernel->module;
    Diags *diags = diags_new(module->arena);
    text = arena_copy(module->arena, text, strlen(text));
    if (arguments_set(module->arena, kernel->arguments, index, text, module->session->memory,
                      diags))
        return true;
    error_diags(error, WARPLENS_BAD_ARGUMENT, diags);
    return false;
}

/* ---- arrays that texts made ---- */

WarplensBuffer *warplens_array(WarplensKernel *kernel, uint32_t index, WarplensError *error) {
    error_clear(error);
    if (!has_parameter(kernel, index, error))
        return NULL;
    const Argument *array = &kernel->arguments->list[index];
    if (!array->array) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "argument %u is not an array", index);
        return NULL;
    }
    WarplensBuffer *buffer = NEW(kernel->module->arena, WarplensBuffer);
    *buffer = (WarplensBuffer){kernel->module, array->text, array->address,
                               array->count * type_bytes(array->type)};
    return buffer;
}

bool warplens_dump(WarplensKernel *kernel, uint32_t index, const char *path, WarplensError *error) {
    if (!warplens_array(kernel, index, error))
        return false;
    Diags *diags = diags_new(kernel->module->arena);
    if (path &&
        arguments_dump(kernel->arguments, index, kernel->module->session->memory, path, diags))
        return true;
    if (!path)
        diags_error(diags, "no path");
    error_diags(error, path ? WARPLENS_BAD_FILE : WARPLENS_BAD_ARGUMENT, diags);
    return false;
}

bool warplens_compare(WarplensKernel *kernel, uint32_t index, const char *path, double rtol,
                      double atol, WarplensComparison *comparison, WarplensError *error) {
    Comparison found;
    if (!warplens_array(kernel, index, error))
        return false;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    bool good = path && comparison &&
                arguments_compare(arena, kernel->arguments, index, kernel->module->session->memory,
                                  path, rtol, atol, &found, diags);
    if (good)
        *comparison =
            (WarplensComparison){found.count, found.differ, found.first, found.got, found.expected};
    else if (path && comparison)
        error_diags(error, WARPLENS_BAD_FILE, diags);
    else
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", path ? "comparison" : "path");
    arena_free(arena);
    return good;
}
