/* Launches, with those that kernels make in turn, and proofs: the same launch again with arrays
 * stored in another way. */
#include "api/api.h"

#include <string.h>

enum { EVIDENCE_BLOCKS = 16 };

static bool is_ready(const WarplensKernel *kernel, const WarplensLaunch *given,
                     WarplensError *error) {
    error_clear(error);
    if (!kernel || !given) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", kernel ? "launch" : "kernel");
        return false;
    }
    if ((unsigned)given->blocks > WARPLENS_BLOCKS_RANDOM) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "blocks %u: there is no such choice",
                  (unsigned)given->blocks);
        return false;
    }
    if (given->part > given->parts || (given->parts && !given->part) ||
        given->parts > SHARDS_MOST) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "part %u of %u: there is none", given->part,
                  given->parts);
        return false;
    }
    for (uint32_t i = 0; i < warplens_parameter_count(kernel); i++) {
        if (!kernel->arguments->list[i].text) {
            error_set(error, WARPLENS_BAD_ARGUMENT, "parameter %u of %s has no value", i,
                      kernel->kernel->function->name);
            return false;
        }
    }
    return true;
}

/* ---- other layouts ---- */

static bool add_layouts(Arena *arena, const WarplensLaunch *given, Launch *launch,
                        WarplensError *error) {
    Relayout *all =
        NEW_ARRAY(arena, Relayout, given->layout_count + (size_t)given->storage_count + 1);
    launch->relayouts = all;
    for (uint32_t i = 0; i < given->layout_count; i++) {
        const WarplensLayout *one = &given->layouts[i];
        Relayout *to = &all[launch->relayout_count++];
        *to = (Relayout){.symbol = one->array};
        if (!one->array || !one->text || !layout_parse(one->text, &to->layout)) {
            error_set(error, WARPLENS_BAD_ARGUMENT, "layout \"%s\" of '%s': there is none such",
                      one->text ? one->text : "", one->array ? one->array : "");
            return false;
        }
    }
    for (uint32_t i = 0; i < given->storage_count; i++) {
        const WarplensLayout *one = &given->storages[i];
        Storage *storage = NEW(arena, Storage);
        all[launch->relayout_count++] = (Relayout){.symbol = one->array, .storage = storage};
        if (!one->array || !one->text || !storage_parse(one->text, storage)) {
            error_set(error, WARPLENS_BAD_ARGUMENT, "storage \"%s\" of '%s': there is none such",
                      one->text ? one->text : "", one->array ? one->array : "");
            return false;
        }
    }
    return true;
}

/* ---- launching ---- */

static Launch launch_of(const WarplensKernel *kernel, const WarplensLaunch *given) {
    static const BlockChoice choices[] = {[WARPLENS_BLOCKS_ALL] = BLOCKS_ALL,
                                          [WARPLENS_BLOCKS_FIRST] = BLOCKS_FIRST,
                                          [WARPLENS_BLOCKS_EVERY] = BLOCKS_EVERY,
                                          [WARPLENS_BLOCKS_RANDOM] = BLOCKS_RANDOM};
    Launch launch = {.cooperative = given->cooperative,
                     .dynamic_shared = given->dynamic_shared,
                     .params = kernel->arguments->params,
                     .workers = given->workers,
                     .limit = given->limit,
                     .choice = choices[given->blocks],
                     .choice_n = given->blocks_n,
                     .choice_seed = given->blocks_seed,
                     .shard = {given->part, given->parts},
                     .sample = given->sample,
                     .evidence_blocks =
                         given->evidence_blocks ? given->evidence_blocks : EVIDENCE_BLOCKS,
                     .counting = !given->no_counts,
                     .counts_only = given->counts_only,
                     .schedule = given->schedule,
                     .caches = given->caches,
                     .time = given->time,
                     .clock_mhz = given->clock_mhz,
                     .interrupted = given->stop,
                     .print = given->print,
                     .print_context = given->context};
    memcpy(launch.cluster, given->cluster, sizeof launch.cluster);
    for (uint32_t i = 0; i < 3; i++) {
        launch.grid[i] = given->grid[i] ? given->grid[i] : 1;
        launch.block[i] = given->block[i] ? given->block[i] : 1;
        if (given->cluster[0] && !given->cluster[i])
            launch.cluster[i] = 1;
    }
    if (!given->block[0] && !given->block[1] && !given->block[2])
        session_block(kernel->kernel, launch.block);
    return launch;
}

static WarplensResult *run_into(LaunchRows *rows, WarplensKernel *kernel,
                                const WarplensLaunch *given, WarplensError *error) {
    WarplensModule *module = rows->module;
    Diags *diags = diags_new(rows->arena);
    Launch launch = launch_of(kernel, given);
    launch.scratch = rows->arena;
    LaunchResult ran;
    if (!add_layouts(rows->arena, given, &launch, error) ||
        !engine_of(module, given->engine, &launch.engine, error))
        return NULL;
    if (!session_launch(module->session, kernel->kernel, &launch, &ran, diags)) {
        error_diags(error, WARPLENS_BAD_LAUNCH, diags);
        return NULL;
    }
    if (ran.status == LAUNCH_FAULT)
        error_set(error, WARPLENS_FAULT, "%s", ran.fault.message);
    if (ran.status == LAUNCH_INTERRUPTED)
        error_set(error, WARPLENS_STOPPED, "the launch was stopped");
    rows->count = rows->profile->launches.count - rows->first;
    WarplensResult *result = result_new(rows, ran.record - rows->first);
    result->ran = ran;
    return result;
}

static WarplensResult *run(WarplensKernel *kernel, const WarplensLaunch *given,
                           WarplensError *error) {
    LaunchRows *rows = rows_new(kernel->module);
    WarplensResult *result = run_into(rows, kernel, given, error);
    if (!result)
        rows_drop(rows);
    return result;
}

WarplensResult *warplens_launch(WarplensKernel *kernel, const WarplensLaunch *given,
                                WarplensError *error) {
    return is_ready(kernel, given, error) ? run(kernel, given, error) : NULL;
}

/* Rows behind a launch of the host are of those that it made. */
uint32_t warplens_child_count(const WarplensResult *result) {
    return result && result->rows->module && result->offset == 0 ? result->rows->count - 1 : 0;
}

WarplensResult *warplens_child(WarplensResult *result, uint32_t index) {
    return index < warplens_child_count(result) ? result_new(result->rows, 1 + index) : NULL;
}

bool warplens_sampled(const WarplensResult *result, WarplensSampled *sampled) {
    if (!result || !sampled)
        return false;
    const LaunchRecord *record = &result->profile->launches.at[result_row(result)];
    *sampled = (WarplensSampled){.blocks = record->blocks,
                                 .blocks_run = record->blocks_run,
                                 .blocks_counted = result->ran.analysed,
                                 .kinds = result->ran.kinds,
                                 .all_because = result->ran.all_because};
    return true;
}

bool warplens_represented(const WarplensResult *result, WarplensRepresented *represented) {
    if (!result || !represented)
        return false;
    const LaunchRecord *record = &result->profile->launches.at[result_row(result)];
    *represented = (WarplensRepresented){.blocks = record->blocks,
                                         .representatives = result->ran.representatives,
                                         .executed_because = result->ran.executed_because};
    return true;
}

/* ---- proofs ---- */

static bool has_ended(const WarplensResult *result) {
    return result->ran.status != LAUNCH_FAULT && result->ran.status != LAUNCH_INTERRUPTED;
}

/* The launch as it is; then, from the same memory, with the layouts. */
static bool run_twice(WarplensKernel *kernel, const WarplensLaunch *given, Arena *arena,
                      WarplensProof *proof, WarplensError *error) {
    Memory *memory = kernel->module->session->memory;
    Snapshot begun = {.arena = arena}, ended = {.arena = arena};
    WarplensLaunch changed = *given;
    changed.counts_only = false; /* memory is compared */
    changed.workers = given->workers ? given->workers : 1;
    WarplensLaunch plain = changed;
    plain.layout_count = plain.storage_count = 0;
    bool had_heap = memory_has_heap(memory);
    snapshot_take(&begun, memory);
    proof->before = run(kernel, &plain, error);
    if (!proof->before || !has_ended(proof->before))
        return false;
    snapshot_take(&ended, memory);
    if (!had_heap)
        memory_drop_heap(memory);
    snapshot_restore(&begun, memory);
    proof->after = run(kernel, &changed, error);
    if (!proof->after)
        return false;
    error_clear(error);
    proof->bytes = ended.bytes;
    proof->differ = snapshot_differ(&ended, memory);
    proof->fault =
        proof->after->ran.status == LAUNCH_FAULT ? proof->after->ran.fault.message : NULL;
    proof->equal = has_ended(proof->after) && proof->differ == 0;
    return true;
}

bool warplens_prove(WarplensKernel *kernel, const WarplensLaunch *given, WarplensProof *proof,
                    WarplensError *error) {
    if (!is_ready(kernel, given, error))
        return false;
    if (!proof || (given->layout_count == 0 && given->storage_count == 0)) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s", proof ? "layout" : "proof");
        return false;
    }
    Arena *arena = arena_new();
    *proof = (WarplensProof){0};
    bool ran = run_twice(kernel, given, arena, proof, error);
    arena_free(arena);
    return ran;
}

const WarplensFix *warplens_fixes(const WarplensResult *result, uint32_t *count) {
    if (!result || !count)
        return NULL;
    *count = 0;
    Arena *arena = result->rows->arena;
    uint32_t *launch = NEW(arena, uint32_t);
    *launch = result_row(result);
    const FixScope scope = {.profile = result->profile, .launches = launch, .count = 1};
    const FixPlan plan = fix_plan(arena, &scope);
    WarplensFix *fixes = NEW_ARRAY(arena, WarplensFix, plan.array_count + 1);
    for (uint32_t i = 0; i < plan.array_count; i++) {
        const ArrayFix *array = &plan.arrays[i];
        const SharedVariable *variable = &fix_kernel(&plan)->shared.at[array->variable];
        const Candidate *chosen = plan.chosen[i];
        if (chosen)
            fixes[(*count)++] =
                (WarplensFix){.name = variable->name,
                              .layout = {variable->symbol, layout_text(arena, &chosen->layout)},
                              .words = fix_words(arena, &chosen->layout, &array->declared),
                              .wavefronts = array->wavefronts,
                              .promised = chosen->wavefronts};
    }
    return fixes;
}
