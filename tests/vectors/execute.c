/* A kernel of the plan on the CPU: through the parser, the decoder and the interpreter. */
#include "execute.h"

#include "exec/exec.h"
#include "ptx/ptx.h"

#include <string.h>

static bool launch(const Kernel *kernel, const LoadedModule *loaded, Memory *memory,
                   const uint64_t params[2], const Function *entry, Diags *diags) {
    LaunchResult result = {0};
    PreparedKernel *prepared = kernel_prepare(entry, loaded, gpu_named(STR("h100")), diags);
    Launch launch = {.grid = {kernel->cases / BLOCK_THREADS, 1, 1},
                     .block = {BLOCK_THREADS, 1, 1},
                     .params = params,
                     .memory = memory,
                     .workers = 1};
    const bool ran = prepared && launch_run(&launch, prepared, NULL, &result, diags);
    if (ran && result.fault.kind != FAULT_NONE)
        diags_error(diags, "%s", result.fault.message);
    prepared_free(prepared);
    return ran && result.fault.kind == FAULT_NONE;
}

const uint8_t *kernel_execute(Arena *arena, const Kernel *kernel, Memory *memory, uint8_t *out,
                              Diags *diags) {
    const char *text = kernel_ptx(arena, kernel);
    Module *module = ptx_parse(arena, kernel->name, text, strlen(text), NULL, diags);
    if (!module)
        return NULL;
    uint64_t params[2] = {memory_allocate(memory, kernel->in_bytes, "in", 1),
                          memory_allocate(memory, kernel->out_bytes, "out", 1)};
    uint8_t *in = memory_host(memory, params[0]);
    kernel_operands(kernel, in);
    LoadedModule *loaded = module_load(arena, module, memory, NULL, diags);
    const Function *entry = module_function(module, str_of(kernel->name));
    const bool fine = loaded && launch(kernel, loaded, memory, params, entry, diags);
    if (fine)
        memcpy(out, memory_host(memory, params[1]), kernel->out_bytes);
    memory_release(memory, params[0]);
    memory_release(memory, params[1]);
    return fine ? out : NULL;
}
