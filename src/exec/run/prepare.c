/* A kernel made ready: decoded once, with workers whose memory (registers of warps, shared memory of
 * blocks) launches of the same shape use one after the other. */
#include "exec/calls/calls.h"
#include "exec/run/prepared.h"
#include "exec/tier/tier.h"

#include <string.h>

PreparedKernel *kernel_prepare(const Function *kernel, const LoadedModule *loaded, const Gpu *gpu,
                               Diags *diags) {
    Arena *arena = arena_new();
    PreparedKernel *prepared = NEW(arena, PreparedKernel);
    prepared->arena = arena;
    prepared->kernel = kernel;
    prepared->gpu = gpu;
    prepared->program = program_decode(arena, kernel, loaded, gpu, diags);
    if (!prepared->program) {
        arena_free(arena);
        return NULL;
    }
    prepared->program->stores = limit_stores(arena, prepared->program);
    uint32_t locations = kernel->module->locations.count;
    prepared->rows.kernel = NONE;
    prepared->rows.location_of = NEW_ARRAY(arena, uint32_t, prepared->program->code_count + 1);
    prepared->rows.files = NEW_ARRAY(arena, uint32_t, locations + 1);
    memset(prepared->rows.location_of, 0xff,
           (prepared->program->code_count + 1) * sizeof(uint32_t));
    memset(prepared->rows.files, 0xff, (locations + 1) * sizeof(uint32_t));
    return prepared;
}

void prepared_modelled(PreparedKernel *prepared, const char *why) {
    prepared->program->modelled = why;
}

static void free_workers(PreparedKernel *prepared) {
    for (uint32_t i = 0; i < prepared->worker_count; i++) {
        arena_free(prepared->workers[i].arena);
        arena_free(prepared->workers[i].evidence_arena);
    }
    prepared->worker_count = 0;
}

void prepared_free(PreparedKernel *prepared) {
    if (!prepared)
        return;
    free_workers(prepared);
    tier_free(prepared->tier);
    arena_free(prepared->arena);
}

Worker *prepared_workers(PreparedKernel *prepared, const Launch *launch, uint32_t count) {
    Program *program = prepared->program;
    uint32_t stack = program->stack_bytes;
    if (program->stack_grows)
        stack =
            launch->stack_bytes > STACK_BYTES_DEFAULT ? launch->stack_bytes : STACK_BYTES_DEFAULT;
    bool same = !launch->relayout_count && !prepared->relaid &&
                memcmp(prepared->block, launch->block, sizeof prepared->block) == 0 &&
                prepared->dynamic_shared == launch->dynamic_shared && stack == program->stack_bytes;
    if (same && count <= prepared->worker_count)
        return prepared->workers;
    program_set_stack(program, stack);
    uint32_t known = prepared->worker_count;
    free_workers(prepared);
    if (count > known || !prepared->workers)
        prepared->workers = arena_alloc_aligned(prepared->arena, count * sizeof(Worker), 64);
    else
        count = known;
    memset(prepared->workers, 0, count * sizeof *prepared->workers);
    prepared->worker_count = count;
    memcpy(prepared->block, launch->block, sizeof prepared->block);
    prepared->dynamic_shared = launch->dynamic_shared;
    prepared->relaid = launch->relayout_count > 0;
    return prepared->workers;
}
