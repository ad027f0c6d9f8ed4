/* A launch from beginning to end: is it one that the GPU would take, which blocks run, the workers,
 * and the record of what came out. */
#include "exec/classes/classes.h"
#include "exec/run/prepared.h"
#include "exec/run/sample.h"
#include "exec/run/schedule.h"
#include "exec/run/timed.h"
#include "exec/run/watch.h"
#include "exec/tier/tier.h"

#include <stdlib.h>

/* ---- what the GPU would refuse (CUDA C++ Programming Guide, compute capabilities) ---- */

static void check_size(const uint32_t size[3], const uint32_t limit[3], const char *what,
                       Diags *diags) {
    for (uint32_t i = 0; i < 3; i++) {
        if (size[i] == 0 || size[i] > limit[i])
            diags_error(diags, "%s is %u,%u,%u; each must be at least 1 and at most %u,%u,%u", what,
                        size[0], size[1], size[2], limit[0], limit[1], limit[2]);
        if (size[i] == 0 || size[i] > limit[i])
            return;
    }
}

static void check_required(const Function *kernel, const uint32_t block[3], Diags *diags) {
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    const uint32_t *max = kernel->max_threads, *required = kernel->required_threads;
    uint64_t most = (uint64_t)max[0] * (max[1] ? max[1] : 1) * (max[2] ? max[2] : 1);
    if (most && threads > most)
        diags_error(diags,
                    "block has %llu threads; the kernel was compiled for at most %llu (.maxntid)",
                    (unsigned long long)threads, (unsigned long long)most);
    for (uint32_t i = 0; required[0] && i < 3; i++) {
        if (block[i] != (required[i] ? required[i] : 1)) {
            diags_error(diags, "block is %u,%u,%u; the kernel requires %u,%u,%u (.reqntid)",
                        block[0], block[1], block[2], required[0], required[1] ? required[1] : 1,
                        required[2] ? required[2] : 1);
            return;
        }
    }
}

/* As the launch says, else as the kernel does, else of one block. */
static void find_cluster(Run *run) {
    const Launch *launch = run->launch;
    const uint32_t *from = launch->cluster[0] ? launch->cluster : run->kernel->required_cluster;
    for (uint32_t i = 0; i < 3; i++)
        run->cluster[i] = from[i] ? from[i] : 1;
    run->cluster_size = run->cluster[0] * run->cluster[1] * run->cluster[2];
    run->is_clustered = from[0] != 0 || run->kernel->explicit_cluster;
}

/* At most 16 blocks, which is for kernels that allow sizes that not every GPU has; 8 otherwise (CUDA
 * C++ Programming Guide, "Thread Block Clusters"). */
static void check_cluster(const Run *run, Diags *diags) {
    const uint32_t *cluster = run->cluster, *grid = run->launch->grid;
    uint64_t size = (uint64_t)cluster[0] * cluster[1] * cluster[2];
    if (size > 1 && run->gpu->major < 9)
        diags_error(diags, "clusters of %u,%u,%u blocks; %s has none", cluster[0], cluster[1],
                    cluster[2], run->gpu->title);
    else if (size > CLUSTER_MOST)
        diags_error(diags, "clusters of %u,%u,%u blocks; a cluster has at most %u", cluster[0],
                    cluster[1], cluster[2], CLUSTER_MOST);
    else if (grid[0] % cluster[0] || grid[1] % cluster[1] || grid[2] % cluster[2])
        diags_error(diags, "grid is %u,%u,%u; each must be a multiple of the cluster's %u,%u,%u",
                    grid[0], grid[1], grid[2], cluster[0], cluster[1], cluster[2]);
}

static void check_launch(const Launch *launch, const PreparedKernel *prepared, Diags *diags) {
    static const uint32_t grid_limit[3] = {2147483647, 65535, 65535};
    static const uint32_t block_limit[3] = {1024, 1024, 64};
    const Gpu *gpu = prepared->gpu;
    const Function *kernel = prepared->kernel;
    uint32_t errors = diags->errors;
    check_size(launch->grid, grid_limit, "grid", diags);
    check_size(launch->block, block_limit, "block", diags);
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    if (diags->errors == errors && threads > 1024)
        diags_error(diags, "block of %u,%u,%u has %llu threads; a block has at most 1024",
                    launch->block[0], launch->block[1], launch->block[2],
                    (unsigned long long)threads);
    uint64_t shared = (uint64_t)kernel->shared_bytes + launch->dynamic_shared;
    if (shared > gpu->shared_per_block_optin)
        diags_error(diags,
                    "the block needs %llu bytes of shared memory (%u static, %u dynamic); %s has "
                    "at most %u for a block",
                    (unsigned long long)shared, kernel->shared_bytes, launch->dynamic_shared,
                    gpu->title, gpu->shared_per_block_optin);
    if (prepared->program->stack_bytes > LOCAL_BYTES_MOST)
        diags_error(
            diags,
            "a thread of kernel '%s' needs more than %d bytes of local memory for itself and "
            "the functions that it calls",
            kernel->name, LOCAL_BYTES_MOST);
    check_required(kernel, launch->block, diags);
}

/* All blocks of a cooperative grid run at once: more than fit by threads and shared memory are none that any GPU
 * of this model takes. How many registers they have is for those to judge who know it. */
static void check_cooperative(const Run *run, Diags *diags) {
    const Launch *launch = run->launch;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    uint64_t shared = (uint64_t)run->kernel->shared_bytes + launch->dynamic_shared;
    uint64_t most = (uint64_t)run->gpu->sms * gpu_blocks_per_sm(run->gpu, threads, shared, 0);
    if (blocks > most)
        diags_error(diags, "a cooperative grid of %llu blocks; %s runs %llu such blocks at once",
                    (unsigned long long)blocks, run->gpu->title, (unsigned long long)most);
}

/* ---- which blocks run ---- */

/* n of `blocks` numbers, ascending: each block in turn is taken with the probability that makes the
 * choice uniform (Knuth, The Art of Computer Programming, 3.4.2, algorithm S). */
static uint64_t *choose(Arena *arena, uint64_t blocks, uint64_t n, uint64_t seed) {
    uint64_t *chosen = NEW_ARRAY(arena, uint64_t, n);
    uint64_t taken = 0;
    for (uint64_t b = 0; taken < n; b++) {
        if (random_next(&seed) % (blocks - b) < n - taken)
            chosen[taken++] = b;
    }
    return chosen;
}

static void choose_blocks(Arena *arena, const Launch *launch, Run *run) {
    uint64_t blocks =
        (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] / run->cluster_size;
    uint64_t n = launch->choice_n ? launch->choice_n : 1;
    run->count = blocks;
    run->step = 1;
    if (launch->choice == BLOCKS_FIRST && n < blocks)
        run->count = n;
    if (launch->choice == BLOCKS_EVERY) {
        run->step = n;
        run->count = (blocks + n - 1) / n;
    }
    if (launch->choice == BLOCKS_RANDOM && n < blocks) {
        run->count = n;
        run->chosen = choose(arena, blocks, n, launch->choice_seed);
    }
    uint64_t evidence = launch->evidence_blocks;
    run->evidence_step = 0;
    run->evidence_all = evidence == UINT32_MAX;
    if (evidence && launch->counting && !launch->relayout_count) /* patterns are of one layout */
        run->evidence_step = run->count > evidence ? (run->count + evidence - 1) / evidence : 1;
    run->recorded =
        run->evidence_step ? (run->count + run->evidence_step - 1) / run->evidence_step : 0;
    if (launch->shard.parts)
        shard_choose(run);
}

/* ---- running ---- */

/* Of the faults that workers met at the same time, the one in the first block. */
static void find_fault(const Run *run, LaunchResult *result) {
    const Launch *launch = run->launch;
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < run->worker_count; i++) {
        const Fault *fault = &run->workers[i].fault;
        uint64_t block =
            ((uint64_t)fault->block[2] * launch->grid[1] + fault->block[1]) * launch->grid[0] +
            fault->block[0];
        if (run->workers[i].run != run || fault->kind == FAULT_NONE || block >= first)
            continue;
        first = block;
        result->status = LAUNCH_FAULT;
        result->fault = *fault;
    }
}

static void add_beyond(const Run *run, LaunchResult *result) {
    for (uint32_t i = 0; i < run->worker_count; i++) {
        const Worker *worker = &run->workers[i];
        if (worker->run != run || !worker->beyond)
            continue;
        result->beyond += worker->beyond;
        if (!result->beyond_at || worker->beyond_at < result->beyond_at)
            result->beyond_at = worker->beyond_at;
    }
}

static LaunchStatus status_of(const Run *run) {
    const Launch *launch = run->launch;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t done = run_done(run);
    if (done < run->count * run->cluster_size)
        return LAUNCH_INTERRUPTED;
    return done < blocks ? LAUNCH_SAMPLED : LAUNCH_DONE;
}

/* Asking for the process's clock is a system call, which takes as long as a small launch. Between two launches that follow at
 * once it has gone on as the other clock has. */
static double cpu_now(const Seconds *before) {
    const double soon = 10e-6;
    double since = clock_wall() - before->wall;
    return since < soon ? before->cpu + since : clock_cpu();
}

static Seconds execute(Run *run, PreparedKernel *prepared, LaunchResult *result) {
    Seconds seconds = {.cpu = cpu_now(&prepared->ended) - tier_seconds(run->tier)};
    for (uint32_t w = 0; w < run->worker_count; w++) {
        run->workers[w].run = NULL;
        run->workers[w].ended = 0;
        run->workers[w].runs = false;
    }
    watch_launch(run);
    run->started = clock_wall();
    tier_begin(run->tier, run);
    worker_run(run, 0);
    workers_join(run->others);
    tier_end(run->tier, run);
    stored_end(run->stored);
    watch_ended(run);
    seconds.wall = clock_wall() - run->started;
    prepared->ended.cpu = clock_cpu();
    prepared->ended.wall = clock_wall();
    seconds.cpu = prepared->ended.cpu - tier_seconds(run->tier) - seconds.cpu;
    seconds.cpu = seconds.cpu > 0 ? seconds.cpu : 0;
    tier_after(run->tier, run);
    if (run->exhausted)
        out_of_memory();
    if (!run->others)
        run->worker_count = 1;
    result->status = status_of(run);
    find_fault(run, result);
    add_beyond(run, result);
    fault_defect(run, result);
    return seconds;
}

/* Some blocks for all. false: all are to run. */
static bool execute_some(Run *run, LaunchResult *result, Seconds *seconds) {
    Tier *tier = run->tier;
    uint32_t workers = run->worker_count;
    for (uint32_t w = 0; w < workers; w++) {
        run->workers[w].run = NULL;
        run->workers[w].ended = 0;
    }
    run->tier = NULL;
    run->worker_count = 1;
    run->started = clock_wall();
    seconds->cpu = clock_cpu();
    bool done = classes_execute(run, result);
    seconds->wall = clock_wall() - run->started;
    seconds->cpu = clock_cpu() - seconds->cpu;
    if (done) {
        result->status = status_of(run);
        return true;
    }
    bool interrupted = run->launch->interrupted && *run->launch->interrupted;
    run->tier = tier;
    run->worker_count = workers;
    run->next = 0;
    run->stop = interrupted;
    run->endless = UINT64_MAX;
    return false;
}

/* The workers, and what executes: what an observer is to see goes the slow way, on one worker. */
static void choose_engine(Run *run, PreparedKernel *prepared) {
    const Launch *launch = run->launch;
    bool observed = launch->observer || launch->sanitizer,
         compiles = launch->engine.kind != ENGINE_INTERP;
    compiles &= !launch->reads; /* compiled code asks once where several accesses lie */
    compiles &= !launch->schedule;
    uint32_t wanted = observed || launch->schedule || run->count <= 1 ? 1
                      : launch->workers                               ? launch->workers
                                                                      : workers_default();
    run->worker_count = run->count < wanted ? (uint32_t)run->count : wanted;
    if (run->count == 0) /* a part may have no blocks */
        run->worker_count = 1;
    run->workers = prepared_workers(prepared, launch, run->worker_count);
    run->slow_shared = run->relaid || observed;
    run->slow_global = run->stored || observed || launch_models_caches(launch);
    run->tells = launch->sanitizer && !launch->observer && !run->relaid && !run->stored;
    compiles &= launch->engine.plugin || launch->engine.kind != ENGINE_JIT;
    if (!prepared->tier && compiles)
        prepared->tier = tier_new(prepared->program, launch);
    bool plain = !launch->relayout_count && !launch->evidence_period && !run->stored && !observed &&
                 !launch->time;
    run->tier = plain && compiles ? prepared->tier : NULL;
}

/* In which order blocks run, and whether only some of them are counted. */
static void choose_order(Arena *arena, Run *run, PreparedKernel *prepared, LaunchResult *result) {
    run->schedule = schedule_new(arena, run, run->number);
    if (run->launch->sample && launch_models_caches(run->launch))
        result->all_because = "caches are modelled (--caches)";
    else if (run->launch->sample && run->schedule)
        result->all_because = "the order of blocks is drawn (--schedule)";
    else if (run->launch->sample)
        run->sampling = sampling_new(arena, run, &prepared->sampled, &result->all_because);
}

/* Once more, with every block counted. number: of the launch. */
static void repeat(Run *run, uint64_t number) {
    run->sampling = NULL;
    run->number = number;
    run->next = 0;
    run->stop = 0;
    run->endless = UINT64_MAX;
    run->others = NULL;
}

static void clear_result(LaunchResult *result) {
    result->status = LAUNCH_DONE;
    result->fault.kind = FAULT_NONE;
    result->record = NONE;
    result->use = (EngineUse){.compiled = 0};
    result->beyond = 0;
    result->beyond_at = NULL;
    result->analysed = 0;
    result->kinds = 0;
    result->all_because = NULL;
    result->representatives = 0;
    result->executed_because = NULL;
}

bool launch_run(const Launch *launch, PreparedKernel *prepared, Profile *profile,
                LaunchResult *result, Diags *diags) {
    clear_result(result);
    uint32_t errors = diags->errors;
    check_launch(launch, prepared, diags);
    if (diags->errors > errors || !shard_check(launch, prepared->kernel, diags))
        return false;
    bool needs_arena = launch->choice == BLOCKS_RANDOM || launch->relayout_count ||
                       launch->sample || launch->schedule;
    Arena *arena = needs_arena ? arena_new() : NULL;
    Run run = {.launch = launch,
               .kernel = prepared->kernel,
               .gpu = prepared->gpu,
               .program = prepared->program,
               .number = ++prepared->launches,
               .endless = UINT64_MAX,
               .print_lock = PTHREAD_MUTEX_INITIALIZER};
    limit_set(&run, launch);
    find_cluster(&run);
    check_cluster(&run, diags);
    if (launch->cooperative) {
        check_cooperative(&run, diags);
        run.grid_barrier = memory_grid_barrier(launch->memory);
    }
    run.relaid = relaid_make(arena, prepared->program, launch, &run.shared_end, diags);
    if (run.relaid && run.cluster_size > 1)
        diags_error(diags, "layouts of shared memory cannot be changed in a cluster launch");
    run.stored = stored_make(arena, launch, diags);
    if (diags->errors > errors) {
        arena_free(arena);
        return false;
    }
    choose_blocks(arena, launch, &run);
    choose_engine(&run, prepared);
    if (launch->sanitizer)
        watch_prepare(prepared->arena, prepared->program);
    choose_order(arena, &run, prepared, result);
    run.caches = caches_new(&run);
    run.timed = timed_new(&run);
    tier_use_begins(run.tier, &result->use);
    run.expected = prepared->block_seconds * (double)(run.count * run.cluster_size);
    Seconds seconds;
    if (!launch->counts_only || run.schedule || !execute_some(&run, result, &seconds)) {
        if (launch->counts_only && launch->fill && !launch->fill(launch->fill_context)) {
            caches_free(run.caches);
            timed_free(run.timed);
            arena_free(arena);
            return false;
        }
        seconds = execute(&run, prepared, result);
    }
    uint64_t done = run_done(&run);
    prepared->block_seconds = done ? seconds.cpu / (double)done : 0;
    if (run.sampling && !sampling_conclude(run.sampling, &run, result)) {
        prepared->sampled.because = result->all_because;
        repeat(&run, ++prepared->launches);
        Seconds again = execute(&run, prepared, result);
        seconds.wall += again.wall;
        seconds.cpu += again.cpu;
    }
    tier_use_ends(run.tier, &run, &result->use);
    if (run.waits)
        launch->waited(launch->waits_context);
    caches_conclude(run.caches);
    if (profile) {
        prepared->rows.profile = profile;
        result->record = record_launch(&prepared->rows, &run, result, seconds.wall, seconds.cpu);
    }
    caches_free(run.caches);
    timed_free(run.timed);
    arena_free(arena);
    return true;
}
