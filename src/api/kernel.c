/* Kernels: found by name, parsed and decoded once; their arguments; launches. */
#include "api/api.h"

#include <string.h>

/* ---- finding ---- */

/* The variables that all kernels of the unit share. */
static bool place(WarplensModule *module, Unit *unit, Diags *diags) {
    if (unit->loaded)
        return true;
    const Module *variables = ptx_parse_variables(module->arena, unit->index, diags);
    unit->loaded = variables ? module_load(module->arena, variables, module->memory, diags) : NULL;
    return unit->loaded;
}

static WarplensKernel *make(WarplensModule *module, Unit *unit, const char *name, Diags *diags) {
    if (!place(module, unit, diags))
        return NULL;
    const Module *parsed = ptx_parse_kernel(module->arena, unit->index, name, diags);
    if (!parsed)
        return NULL;
    const Function *function = module_function(parsed, str_of(name));
    Prepared *prepared = kernel_prepare(function, unit->loaded, module->gpu, diags);
    if (!prepared)
        return NULL;
    WarplensKernel *kernel = NEW(module->arena, WarplensKernel);
    *kernel = (WarplensKernel){
        .next = module->kernels, .module = module, .function = function, .prepared = prepared};
    kernel->params = arena_alloc(module->arena, function->param_bytes);
    kernel->set = NEW_ARRAY(module->arena, bool, function->params.count);
    return module->kernels = kernel;
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
    if (!ptx_select(module->arena, module->inputs, module->texts.list.count, name, &input, &mangled,
                    diags)) {
        error_diags(error, WARPLENS_BAD_NAME, diags);
        return NULL;
    }
    for (WarplensKernel *known = module->kernels; known; known = known->next) {
        if (strcmp(known->function->name, mangled) == 0)
            return known;
    }
    WarplensKernel *kernel = make(module, &module->units[input], mangled, diags);
    if (!kernel)
        error_diags(error, WARPLENS_BAD_PTX, diags);
    return kernel;
}

/* ---- arguments ---- */

uint32_t warplens_parameter_count(const WarplensKernel *kernel) {
    return kernel->function->params.count;
}

size_t warplens_parameter_bytes(const WarplensKernel *kernel, uint32_t index) {
    const Function *function = kernel->function;
    return index < function->params.count ? function->params.at[index]->bytes : 0;
}

bool warplens_set_value(WarplensKernel *kernel, uint32_t index, const void *value, size_t bytes,
                        WarplensError *error) {
    error_clear(error);
    if (!kernel || !value) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", kernel ? "value" : "kernel");
        return false;
    }
    const Function *function = kernel->function;
    if (index >= function->params.count) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "there is no parameter %u: %s has %u", index,
                  function->name, function->params.count);
        return false;
    }
    const Variable *parameter = function->params.at[index];
    if (bytes != parameter->bytes) {
        error_set(error, WARPLENS_BAD_ARGUMENT,
                  "parameter %u of %s has %llu bytes; the value has %zu", index, function->name,
                  (unsigned long long)parameter->bytes, bytes);
        return false;
    }
    memcpy(kernel->params + parameter->offset, value, bytes);
    kernel->set[index] = true;
    return true;
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

/* ---- buffers ---- */

WarplensBuffer *warplens_buffer(WarplensModule *module, const char *name, size_t elements,
                                size_t element_bytes, WarplensError *error) {
    error_clear(error);
    uint64_t bytes;
    if (!module || !name || element_bytes == 0 || element_bytes > UINT32_MAX || elements == 0 ||
        __builtin_mul_overflow(elements, element_bytes, &bytes)) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no buffer can be had of %zu elements of %zu bytes",
                  elements, element_bytes);
        return NULL;
    }
    name = arena_copy(module->arena, name, strlen(name));
    uint64_t address = memory_allocate(module->memory, bytes, name, (uint32_t)element_bytes);
    if (!address) {
        error_set(error, WARPLENS_NO_MEMORY, "no %llu bytes are left for buffer '%s'",
                  (unsigned long long)bytes, name);
        return NULL;
    }
    WarplensBuffer *buffer = NEW(module->arena, WarplensBuffer);
    *buffer = (WarplensBuffer){module, name, address, bytes};
    return buffer;
}

void *warplens_buffer_data(WarplensBuffer *buffer) {
    return memory_host(buffer->module->memory, buffer->address);
}

size_t warplens_buffer_bytes(const WarplensBuffer *buffer) {
    return buffer->bytes;
}

uint64_t warplens_buffer_address(const WarplensBuffer *buffer) {
    return buffer->address;
}

void warplens_buffer_free(WarplensBuffer *buffer) {
    if (!buffer || !buffer->address)
        return;
    memory_release(buffer->module->memory, buffer->address);
    buffer->address = buffer->bytes = 0;
}

/* ---- launching ---- */

enum { EVIDENCE_BLOCKS = 16 };

static bool arguments_are_set(const WarplensKernel *kernel, WarplensError *error) {
    for (uint32_t i = 0; i < kernel->function->params.count; i++) {
        if (!kernel->set[i]) {
            error_set(error, WARPLENS_BAD_ARGUMENT, "parameter %u of %s has no value", i,
                      kernel->function->name);
            return false;
        }
    }
    return true;
}

static Launch launch_of(const WarplensKernel *kernel, const WarplensLaunch *given) {
    Launch launch = {.dynamic_shared = given->dynamic_shared,
                     .params = kernel->params,
                     .memory = kernel->module->memory,
                     .workers = given->workers,
                     .limit = given->limit,
                     .evidence_blocks = EVIDENCE_BLOCKS,
                     .counting = true,
                     .print = given->print,
                     .print_context = given->context};
    for (uint32_t i = 0; i < 3; i++) {
        launch.grid[i] = given->grid[i] ? given->grid[i] : 1;
        launch.block[i] = given->block[i] ? given->block[i] : 1;
    }
    return launch;
}

WarplensResult *warplens_launch(WarplensKernel *kernel, const WarplensLaunch *given,
                                WarplensError *error) {
    error_clear(error);
    if (!kernel || !given) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", kernel ? "launch" : "kernel");
        return NULL;
    }
    if (!arguments_are_set(kernel, error))
        return NULL;
    WarplensModule *module = kernel->module;
    Diags *diags = diags_new(module->arena);
    Launch launch = launch_of(kernel, given);
    if (!engine_of(module, given->engine, &launch.engine, error))
        return NULL;
    LaunchResult result;
    if (!launch_run(&launch, kernel->prepared, module->profile, &result, diags)) {
        error_diags(error, WARPLENS_BAD_LAUNCH, diags);
        return NULL;
    }
    if (result.status == LAUNCH_FAULT)
        error_set(error, WARPLENS_FAULT, "%s", result.fault.message);
    return result_new(module, result.record);
}
