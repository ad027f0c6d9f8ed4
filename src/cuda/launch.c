/* LaunchContext kernels: from a launch call's arguments to exec and back to the error that the program
 * gets. */
#include "base/rescue.h"
#include "cuda/allocation.h"
#include "cuda/aside.h"
#include "cuda/context.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/library.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/unmade.h"
#include "cuda/work.h"
#include "wire/wire.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Launches of a kernel in which its access patterns are recorded: what they look like is known after
 * that. */
enum { EVIDENCE_LAUNCHES = 64 };

/* ---- parameters ---- */

/* `extra`: a list of keys and values that gives a buffer, laid out as the parameters are. */
static CUresult copy_extra(void **extra, uint8_t *params, uint32_t bytes) {
    const void *buffer = NULL;
    size_t size = 0;
    for (; *extra != LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == LAUNCH_PARAM_BUFFER_SIZE)
            size = *(const size_t *)extra[1];
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    if (!buffer && bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes)
        memcpy(params, buffer, size < bytes ? size : bytes);
    return CUDA_SUCCESS;
}

static CUresult copy_params(const Function *function, void **params, void **extra, uint8_t *to) {
    if (!params && extra)
        return copy_extra(extra, to, function->param_bytes);
    if (!params && function->params.count)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < function->params.count; i++) {
        const Variable *param = function->params.at[i];
        if (!params[i])
            return CUDA_ERROR_INVALID_VALUE;
        memcpy(to + param->offset, params[i], param->bytes);
    }
    return CUDA_SUCCESS;
}

/* ---- configuration ---- */

/* What the program's error code does not say. */
static CUresult refuse(const Kernel *kernel, const KernelWork *work, int most) {
    const Gpu *gpu = core_settings()->gpu;
    const uint32_t *grid = work->grid, *block = work->block;
    Arena *arena = arena_new();
    const char *name = name_demangled(arena, kernel->name, true), *why;
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint32_t fixed = kernel->function->shared_bytes;
    if (work->dynamic_shared > (uint32_t)kernel->max_dynamic_shared)
        why =
            arena_printf(arena,
                         "%u bytes of dynamic shared memory beside %u static; without "
                         "cudaFuncAttributeMaxDynamicSharedMemorySize a block has at most %u, with "
                         "it %u on %s",
                         work->dynamic_shared, fixed, gpu->shared_per_block,
                         gpu->shared_per_block_optin, gpu->title);
    else if (most && threads > (uint64_t)most)
        why = arena_printf(arena, "blocks of %llu threads; this kernel has at most %d on %s",
                           (unsigned long long)threads, most, gpu->title);
    else
        why = arena_printf(arena,
                           "grid %u,%u,%u, block %u,%u,%u; %s takes grids from 1 to "
                           "2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all",
                           grid[0], grid[1], grid[2], block[0], block[1], block[2], gpu->title);
    core_message_once(name, "the launch of %s is refused: %s", name, why);
    arena_free(arena);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_sizes(const Kernel *kernel, const KernelWork *work) {
    static const uint32_t grid_most[3] = {2147483647, 65535, 65535},
                          block_most[3] = {1024, 1024, 64};
    uint64_t threads = (uint64_t)work->block[0] * work->block[1] * work->block[2];
    for (uint32_t i = 0; i < 3; i++) {
        if (work->grid[i] == 0 || work->grid[i] > grid_most[i] || work->block[i] == 0 ||
            work->block[i] > block_most[i])
            return refuse(kernel, work, 0);
    }
    int most = kernel_max_threads(kernel);
    bool threads_fit = threads <= (uint64_t)most;
    if (threads_fit && work->dynamic_shared <= (uint32_t)kernel->max_dynamic_shared)
        return CUDA_SUCCESS;
    CUresult refused = refuse(kernel, work, most);
    return threads_fit && work->cooperative ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : refused;
}

/* All blocks of a cooperative launch are resident at once. */
static CUresult check_cooperative(Kernel *kernel, const KernelWork *work) {
    uint64_t blocks = (uint64_t)work->grid[0] * work->grid[1] * work->grid[2];
    uint32_t threads = work->block[0] * work->block[1] * work->block[2];
    if (blocks <= core_settings()->gpu->sms && kernel_max_threads(kernel) >= (int)threads &&
        !work->dynamic_shared)
        return CUDA_SUCCESS; /* one each: nobody need be asked */
    uint64_t resident = (uint64_t)core_settings()->gpu->sms *
                        kernel_blocks_per_sm(kernel, threads, work->dynamic_shared);
    return blocks <= resident ? CUDA_SUCCESS : CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
}

void core_tile_launches(void) {
    core_get()->tiles = true;
}

static void take_required(const Function *function, uint32_t block[3]) {
    const uint32_t *required = function->required_threads;
    bool is_one = block[0] == 1 && block[1] == 1 && block[2] == 1;
    for (uint32_t i = 0; required[0] && is_one && i < 3; i++)
        block[i] = required[i] ? required[i] : 1;
}

CUresult kernel_work(Kernel *kernel, const CUlaunchConfig *config, bool cooperative, void **params,
                     void **extra, KernelWork *work) {
    if (!IS(kernel, TAG_KERNEL))
        return handle_error(kernel);
    if (!stream_of(config->hStream))
        return handle_error(config->hStream);
    CUcontext context = stream_context(config->hStream), own = kernel->library->context;
    if (own && own->device != context->device) /* a module of another device */
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = kernel_parse(kernel);
    if (!result && !library_place(kernel->library, context->device))
        result = CUDA_ERROR_INVALID_PTX;
    if (result)
        return result;
    *work = (KernelWork){.kernel = kernel,
                         .context = context,
                         .param_bytes = kernel->function->param_bytes,
                         .dynamic_shared = config->sharedMemBytes,
                         .cooperative = cooperative};
    memcpy(work->grid, config->gridDim, sizeof work->grid);
    memcpy(work->block, config->blockDim, sizeof work->block);
    if (core_get()->tiles)
        take_required(kernel->function, work->block);
    result = launch_attributes_read(config, work);
    if (!result)
        result = launch_cluster_check(work);
    if (!result)
        result = check_sizes(kernel, work);
    if (!result && work->cooperative)
        result = check_cooperative(kernel, work);
    if (result)
        return result;
    work->params = calloc(1, work->param_bytes + 1);
    if (!work->params)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = copy_params(kernel->function, params, extra, work->params);
    if (result)
        free(work->params);
    return result;
}

/* ---- running ---- */

/* What a GPU reports for it (CUDA Driver API, "CUresult"). */
static CUresult error_of(FaultKind kind) {
    switch (kind) {
    case FAULT_NONE:
        return CUDA_SUCCESS;
    case FAULT_OUT_OF_BOUNDS:
    case FAULT_NULL:
    case FAULT_READ_ONLY:
    case FAULT_PEER:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FAULT_MISALIGNED:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FAULT_TIME_LIMIT:
    case FAULT_DEADLOCK:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case FAULT_ASSERT:
        return CUDA_ERROR_ASSERT;
    case FAULT_UNSUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_LAUNCH_FAILED;
    }
}

/* The kernel's own output is the program's. */
static void print(void *context, const char *text, size_t length) {
    (void)context;
    fwrite(text, 1, length, stdout);
}

/* Ctrl-C, SIGTERM and SIGHUP while a kernel runs: the launch ends early and its counts are kept; then the
 * signal does what it would have done. Programs that handle it themselves are left alone. They are caught from the
 * first launch on: between two launches a signal is passed on at once, which costs a launch no system call. */
static const int ending[SIGNALS_ENDING] = {SIGINT, SIGTERM, SIGHUP};

static volatile int interrupted; /* by that signal; 0: by none; less: the process ends */

/* It was not handled before it was caught. */
static void pass_on(int number) {
    const struct sigaction plain = {.sa_handler = SIG_DFL};
    sigaction(number, &plain, NULL);
    kill(getpid(), number);
}

static void on_interrupt(int number) {
    interrupted = number;
    if (core_get()->catching.launches == 0)
        pass_on(number);
}

static void catch_signals(void) {
    struct sigaction before, action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS_ENDING; i++)
        if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(ending[i], &action, NULL);
}

/* Launches that wait run beside others. */
static void catch_interrupts(void) {
    Catching *catching = &core_get()->catching;
    core_get()->interrupted = &interrupted;
    catching->launches++;
    if (!catching->begun)
        catch_signals();
    catching->begun = true;
}

static void release_interrupts(void) {
    if (--core_get()->catching.launches == 0 && interrupted > 0)
        pass_on(interrupted);
}

/* NULL: it cannot be run. recorded: a launch that nobody sees does not wait for the machine code, where there is PTX. */
static PreparedKernel *prepare(Kernel *kernel, const Device *device, bool recorded, Diags *diags) {
    PreparedKernel **prepared = &kernel->prepared[device->ordinal];
    if (recorded)
        kernel_decide(kernel);
    if (!*prepared && !kernel->failed) {
        const LoadedModule *loaded =
            kernel->library->units.at[kernel->unit].loaded[device->ordinal];
        const char *why = NULL;
        if ((!recorded && !machine_is_all(kernel->function)) ||
            kernel_take_machine_code(kernel, &why))
            *prepared = kernel_prepare(kernel->function, loaded, core_settings()->gpu, diags);
        if (*prepared)
            prepared_modelled(*prepared, why);
        kernel->failed = !*prepared;
    }
    return *prepared;
}

/* In all launches, where all blocks were asked for. */
static bool wants_evidence(const Kernel *kernel) {
    return kernel->launches <= EVIDENCE_LAUNCHES || core_settings()->evidence == UINT32_MAX;
}

/* Blocks of a cluster see each other's arrays: they keep their layouts (relayout.c). */
static bool is_clustered(const Launch *launch) {
    const uint32_t *cluster = launch->cluster;
    return cluster[0] * cluster[1] * cluster[2] > 1;
}

static Launch launch_of(const KernelWork *work) {
    const Settings *settings = core_settings();
    const size_t *limits = work->context->limits;
    const Device *device = work->context->device;
    Launch launch = {.dynamic_shared = work->dynamic_shared,
                     .params = work->params,
                     .memory = core_memory(),
                     .device = (uint32_t)device->ordinal,
                     .reaches = device_bit(device) | work->context->peers,
                     .cooperative = work->cooperative,
                     .workers = settings->workers,
                     .stack_bytes = (uint32_t)limits[LIMIT_STACK],
                     .heap_bytes = limits[LIMIT_HEAP],
                     .sample = settings->sample,
                     .caches = settings->caches,
                     .time = settings->time,
                     .clock_mhz = settings->clock_mhz,
                     .limit = settings->limit,
                     .reads_beyond = settings->reads_beyond,
                     .schedule = settings->schedule,
                     .evidence_blocks = settings->evidence,
                     .engine = settings->engine,
                     .sanitizer = sanitizer_of_launches(core_get()->sanitizer),
                     .interrupted = &interrupted,
                     .print = print,
                     .released_by = allocation_released};
    memcpy(launch.grid, work->grid, sizeof launch.grid);
    memcpy(launch.block, work->block, sizeof launch.block);
    memcpy(launch.cluster, work->cluster, sizeof launch.cluster);
    return launch;
}

/* What depends on the kernel. */
static void settle(Launch *launch, const Kernel *kernel, bool recorded) {
    launch->counting = recorded;
    launch->scratch = recorder_scratch(core_get()->recorder);
    launch->relayouts = kernel->relayouts;
    launch->relayout_count = is_clustered(launch) ? 0 : kernel->relayout_count;
    launch->evidence_period = kernel->evidence_period;
    if (!recorded || !wants_evidence(kernel))
        launch->evidence_blocks = 0;
    if (!recorded)
        launch->sample = 0;
}

/* ---- while it runs ---- */

typedef struct RunningKernel {
    const Kernel *kernel;
    const char *name; /* as a person reads it; NULL: nothing was told yet */
    Arena *arena;
} RunningKernel;

/* Whether the process writes anything while the launch runs: what it has written so far. */
static uint64_t bytes_written(void) {
    unsigned long long bytes = 0;
    FILE *file = fopen("/proc/self/io", "re");
    if (file && fscanf(file, "rchar: %*u wchar: %llu", &bytes) != 1)
        bytes = 0;
    if (file)
        fclose(file);
    return bytes;
}

static void tell(void *context, const Progress *progress) {
    RunningKernel *running = context;
    Core *core = core_get();
    if (!running->name)
        running->name = name_demangled(running->arena, running->kernel->name, false);
    RunningLaunch launch = {.number = core->launches,
                            .kernel = running->name,
                            .blocks = progress->blocks,
                            .blocks_done = progress->blocks_done,
                            .thread_insts = progress->thread_insts,
                            .seconds = progress->seconds,
                            .written = bytes_written()};
    recorder_running(core->recorder, &launch);
}

/* A launch of the host's, with those that its kernels ask for in turn. */
typedef struct LaunchContext {
    Kernel *kernel;
    const Device *device;
    LaunchResult result;
    CUresult status;
    bool recorded;   /* some of them */
    uint64_t number; /* among the launches that are shared out (--shard); 0: none is */
    bool exhausted;  /* memory ended */
    uint32_t launched;
    Kernel *running; /* the one of them that runs, with what it runs with */
    PreparedKernel *prepared,
        *spare;   /* spare: it waited, and another launch has prepared the kernel since */
    Aside *aside; /* where it may wait; NULL: it does not */
    bool waited;
    CountedLaunch *counted;        /* the first, if others may repeat it */
    const CountedLaunch *repeated; /* by the first */
    Arena *arena;
    Diags *diags;
} LaunchContext;

/* --once: whether the launch repeats none. */
static bool is_new(LaunchContext *launching, const Kernel *kernel, Launch *launch) {
    launching->repeated = once_find(kernel, launch);
    if (!launching->repeated)
        launching->counted = once_begin(kernel, launch);
    return !launching->repeated;
}

/* It has run. number: of it, if it was recorded. */
static void remember(LaunchContext *launching, const Launch *launch, uint64_t number) {
    Core *core = core_get();
    bool alone = launching->launched == 1 && launching->recorded && !launching->status &&
                 !launching->waited && /* memory may have changed meanwhile */
                 launching->result.status == LAUNCH_DONE;
    if (launching->repeated && !launching->status)
        recorder_repeated(core->recorder, once_number(launching->repeated));
    if (launching->counted && alone)
        once_end(launching->kernel, launching->counted, launch->memory, number);
    else
        once_drop(launching->counted);
}

static void list_launch(Arena *arena, const Kernel *kernel, double seconds) {
    recorder_listed(core_get()->recorder,
                    &(ListedLaunch){name_demangled(arena, kernel->name, false), seconds});
}

/* --stop-after: what the program has printed so far is kept. */
static void stop_if_enough(void) {
    Core *core = core_get();
    if (!core->settings.stop_after || core->chosen < core->settings.stop_after)
        return;
    fflush(stdout);
    recorder_text(core->recorder, RECORD_STOP, "");
    recorder_wait(core->recorder);
}

/* --counts-only: whether values of this allocation need not be computed. What is the host's, too, it may read without asking. */
static bool may_leave(void *unmade, const MemoryBlock *block) {
    AllocationRecord found;
    bool hosts = allocated_find(block->address, &found) && found.kind != KIND_DEVICE &&
                 found.kind != KIND_VARIABLE && found.kind != KIND_MAPPED;
    return !hosts && unmade_written(unmade, block);
}

/* What a GPU does not notice: told once of a kernel. */
static void tell_beyond(Arena *arena, const Kernel *kernel, const LaunchResult *result) {
    const Module *module = kernel->function->module;
    const Insn *insn = result->beyond_at;
    const char *file = module->name;
    uint32_t line = insn->line;
    if (insn->location != NO_LOCATION) {
        const SourceLocation *place = &module->locations.at[insn->location];
        file = module_file(module, place->file) ? module_file(module, place->file) : "?";
        line = place->line;
    }
    core_message_once(arena_printf(arena, "beyond %s", kernel->name),
                      "%s reads outside of its arrays at %s:%u, %llu times in this launch: zeros "
                      "(--fault pass-reads)",
                      name_demangled(arena, kernel->name, false), file, line,
                      (unsigned long long)result->beyond);
}

/* --shard: a launch is somebody's, with those that it makes. */
static bool is_mine(LaunchContext *launching, Launch *launch) {
    Core *core = core_get();
    const Shard *shard = &core->settings.shard;
    if (!shard->parts)
        return true;
    if (!launching->number)
        launching->number = ++core->shared_out;
    launch->number = launching->number;
    return launching->number % shard->parts == shard->part % shard->parts;
}

/* The one place where this layer executes anything. */
static CUresult run(LaunchContext *launching, Kernel *kernel, Launch *launch,
                    LaunchResult *result) {
    Core *core = core_get();
    if (!IS(kernel, TAG_KERNEL)) /* its module was unloaded since */
        return handle_error(kernel);
    if (!library_place(kernel->library, launching->device)) /* which a reset took back */
        return CUDA_ERROR_INVALID_PTX;
    bool chosen = kernel->selected && launch_is_of(core->settings.launches, kernel->launches);
    bool seen =
        core->settings.profile && !core->paused && recorder_active(core->recorder) && chosen;
    bool recorded = seen && is_mine(launching, launch);
    PreparedKernel *prepared = prepare(kernel, launching->device, seen, launching->diags);
    if (!prepared)
        return machine_is_all(kernel->function) ? CUDA_ERROR_NO_BINARY_FOR_GPU
                                                : CUDA_ERROR_NOT_SUPPORTED;
    if (recorded && core->settings.once && launching->launched == 0)
        recorded = is_new(launching, kernel, launch);
    launching->launched++;
    kernel->launches++;
    core->launches++;
    RunningKernel running = {.kernel = kernel, .arena = launching->arena};
    settle(launch, kernel, recorded);
    launch->range = !recorded          ? NULL
                    : launching->aside ? launching->aside->range
                                       : range_path(launching->arena);
    launching->running = kernel;
    launching->prepared = prepared;
    launch->progress = core->settings.progress ? tell : NULL;
    launch->progress_context = &running;
    Profile *profile = recorded ? recorder_profile(core->recorder) : NULL;
    UnmadeLaunch unmade;
    unmade_begin(&unmade, kernel, launch);
    launch->leave = may_leave;
    launch->leave_context = &unmade;
    double start = clock_wall();
    bool ran = launch_run(launch, prepared, profile, result, launching->diags);
    unmade_end(&unmade, launch, result);
    if (core->settings.orders)
        orders_launched(core, kernel);
    if (ran && result->beyond)
        tell_beyond(launching->arena, kernel, result);
    prepared_free(launching->spare);
    launching->spare = NULL;
    if (running.name)
        recorder_ran(core->recorder);
    launching->recorded |= recorded && ran;
    core->chosen += chosen && ran && !launching->repeated;
    if (core->settings.list && chosen && ran)
        list_launch(launching->arena, kernel, clock_wall() - start);
    return ran ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool run_one(void *context, const char *name, Launch *launch, LaunchResult *result) {
    LaunchContext *launching = context;
    Kernel *kernel = launching->kernel;
    if (name)
        launching->status = kernel_beside(launching->kernel, name, &kernel);
    if (!launching->status)
        launching->status = run(launching, kernel, launch, result);
    return !launching->status;
}

/* ---- a kernel that waits ---- */

/* The blocks of a cooperative grid wait for each other, in memory that one such grid has at a time. */
static bool kernel_waits(const KernelWork *work) {
    const Kernel *kernel = work->kernel;
    return kernel->may_wait && !kernel->counts_only && !work->cooperative;
}

/* Others have the turn meanwhile, and prepare the kernel anew if they launch it. */
static void waits(void *context) {
    LaunchContext *launching = context;
    PreparedKernel **prepared = &launching->running->prepared[launching->device->ordinal];
    launching->waited = true;
    if (*prepared == launching->prepared)
        *prepared = NULL;
    turn_give(core_get());
    aside_goes_on(launching->aside);
}

static void waited(void *context) {
    LaunchContext *launching = context;
    PreparedKernel **prepared = &launching->running->prepared[launching->device->ordinal];
    turn_take(core_get());
    if (*prepared)
        launching->spare = launching->prepared;
    else
        *prepared = launching->prepared;
}

static CUresult run_all(const KernelWork *work, LaunchContext *launching) {
    const DeviceHost host = kernel_queries(work->kernel);
    const Family family = {.context = launching,
                           .run = run_one,
                           .pending = (uint32_t)work->context->limits[LIMIT_PENDING],
                           .host = &host};
    Launch launch = launch_of(work);
    launching->aside = aside_current();
    if (launching->aside && kernel_waits(work)) {
        launch.waits = waits;
        launch.waited = waited;
        launch.waits_context = launching;
        launch.others = &core_get()->asides.others;
    }
    family_run(&launch, &family, &launching->result);
    if (launching->recorded)
        sources_fill(core_get(), recorder_profile(core_get()->recorder));
    uint64_t number = launching->recorded ? recorder_launch(core_get()->recorder) : 0;
    remember(launching, &launch, number);
    return launching->status;
}

static CUresult run_or_come_back(const KernelWork *work, LaunchContext *launching) {
    Rescue rescue;
    if (RESCUE(&rescue))
        launching->status = run_all(work, launching);
    else
        launching->exhausted = true;
    rescue_end(&rescue);
    return launching->exhausted ? CUDA_ERROR_OUT_OF_MEMORY : launching->status;
}

/* A fault of the kernel is left to core_fault, as a GPU tells it later. */
static CUresult kernel_run(const Work *work) {
    LaunchContext launching = {.kernel = work->kernel.kernel,
                               .device = work->kernel.context->device,
                               .arena = arena_new()};
    launching.diags = diags_new(launching.arena);
    turn_take(core_get());
    catch_interrupts();
    CUresult status = run_or_come_back(&work->kernel, &launching);
    release_interrupts();
    if (status == CUDA_SUCCESS && launching.result.status == LAUNCH_FAULT)
        core_fault(launching.result.fault.message, error_of(launching.result.fault.kind));
    else if (launching.exhausted)
        core_exhausted();
    else if (status && launching.diags->errors)
        core_diags("a kernel cannot be run", launching.diags);
    stop_if_enough();
    turn_give(core_get());
    arena_free(launching.arena);
    return status;
}

static bool work_waits(const Work *work) {
    return kernel_waits(&work->kernel);
}
const WorkKind work_kernel = {NODE_KERNEL, kernel_run, work_waits};

/* ---- the calls ---- */

static CUresult launch_now(Kernel *kernel, const CUlaunchConfig *config, bool cooperative,
                           void **params, void **extra) {
    Work work = {.kind = &work_kernel};
    if (core_sticky())
        return core_sticky();
    if (params && extra && *extra != LAUNCH_PARAM_END)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = kernel_work(kernel, config, cooperative, params, extra, &work.kernel);
    if (result)
        return result;
    result = work_enqueue(config->hStream, &work);
    free(work.kernel.params);
    return result ? result : launch_attributes_record(config);
}

static CUresult launch(Kernel *kernel, const CUlaunchConfig *config, bool cooperative,
                       void **params, void **extra) {
    volatile CUresult result;
    Rescue rescue;
    if (RESCUE(&rescue))
        result = launch_now(kernel, config, cooperative, params, extra);
    else
        result = core_exhausted();
    rescue_end(&rescue);
    return result;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z,
                        unsigned dynamic_shared, CUstream stream, void **params, void **extra) {
    CUlaunchConfig config = {.gridDim = {grid_x, grid_y, grid_z},
                             .blockDim = {block_x, block_y, block_z},
                             .sharedMemBytes = dynamic_shared,
                             .hStream = stream};
    return launch(function, &config, false, params, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra) {
    return config ? launch(function, config, false, params, extra) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned dynamic_shared, CUstream stream,
                                   void **params) {
    CUlaunchConfig config = {.gridDim = {grid_x, grid_y, grid_z},
                             .blockDim = {block_x, block_y, block_z},
                             .sharedMemBytes = dynamic_shared,
                             .hStream = stream};
    return launch(function, &config, true, params, NULL);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    Work work = {.kind = &work_host, .host = {function, data, 0, true}};
    return function ? work_enqueue(stream, &work) : CUDA_ERROR_INVALID_VALUE;
}
