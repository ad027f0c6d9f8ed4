/* Launches: which are counted, and what is sent of them. */
#include "base/kernel_name.h"
#include "ir/ir.h"
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

enum { EVIDENCE_LAUNCHES = 4, FUNCTIONS_MOST = 4096, REGISTERS = 4 };

/* Those of this thread. */
static _Thread_local Pending *pending;

/* ---- kernels ---- */

/* Once for a kernel, which may be launched a million times. */
static void not_counted(Probe *probe, LaunchedKernel *kernel, const char *why) {
    if (kernel->told)
        return;
    kernel->told = true;
    Arena *arena = arena_new();
    probe_message(probe, "a launch of %s is not counted, and maybe others of it: %s",
                  name_demangled(arena, kernel->name, false), why);
    arena_free(arena);
}

static LaunchedKernel *kernel_of(Probe *probe, const SanLaunchData *data) {
    WatchedModule *module = module_find(probe, data->module);
    for (LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next)
        if (kernel->handle == data->function && kernel->module == module)
            return kernel;
    if (!module || !data->name)
        return NULL;
    LaunchedKernel *kernel = NEW(probe->arena, LaunchedKernel);
    *kernel = (LaunchedKernel){.module = module,
                               .handle = data->function,
                               .name = arena_copy(probe->arena, data->name, strlen(data->name)),
                               .selected = kernel_is_selected(probe, data->name),
                               .next = probe->kernels};
    probe->kernels = kernel;
    if (kernel_is_collective(kernel->name) && probe->settings.profile)
        not_counted(probe, kernel,
                    "it waits for kernels of other GPUs, which may be launched behind it");
    return kernel;
}

static void kernels_forget(Probe *probe, const WatchedModule *module) {
    for (LaunchedKernel **at = &probe->kernels; *at;) {
        LaunchedKernel *kernel = *at;
        if (kernel->module != module) {
            at = &kernel->next;
            continue;
        }
        tables_forget(probe, kernel);
        *at = kernel->next;
    }
}

void module_ends(Probe *probe, CudaModule *handle) {
    WatchedModule *module = module_find(probe, handle);
    if (!module)
        return;
    kernels_forget(probe, module);
    module_gone(module);
}

void context_ends(Probe *probe, CudaContext *handle) {
    WatchedContext *context = context_find(probe, handle);
    for (WatchedModule *module = probe->modules; module; module = module->next) {
        if (module->context == handle && module->handle)
            module_ends(probe, module->handle);
    }
    if (context)
        context_gone(context);
}

static void add_function(Probe *probe, LaunchedKernel *kernel, const char *name) {
    WatchedFunction function = {.name = name};
    if (probe->san.function_pc(kernel->module->handle, name, &function.pc, &function.size))
        function.pc = function.size = 0;
    if (function.size || kernel->functions.count == 0)
        *vec_add(probe->arena, &kernel->functions) = function;
}

/* Where its code lies, and that of the functions that it may call. */
static void settle(Probe *probe, LaunchedKernel *kernel) {
    Elf elf;
    ElfSection symbols;
    ElfSymbol symbol;
    enum { SYMTAB = 2 };
    if (kernel->settled)
        return;
    kernel->settled = true;
    add_function(probe, kernel, kernel->name);
    if (!elf_open(&elf, kernel->module->cubin, kernel->module->size) ||
        !elf_section_typed(&elf, SYMTAB, &symbols))
        return;
    for (uint64_t i = 0; i < elf_symbol_count(&symbols) && kernel->functions.count < FUNCTIONS_MOST;
         i++) {
        if (elf_symbol(&elf, &symbols, i, &symbol) && symbol.is_function && symbol.is_defined &&
            !symbol.is_entry)
            add_function(probe, kernel,
                         arena_copy(probe->arena, symbol.name.at, symbol.name.length));
    }
}

/* ---- the beginning ---- */

static Pending *pending_new(Probe *probe, LaunchedKernel *kernel, LaunchTable *table,
                            const SanLaunchData *data, bool sampled) {
    Pending *one = calloc(1, sizeof *one);
    if (!one)
        out_of_memory();
    *one = (Pending){.kernel = kernel,
                     .table = table,
                     .data = *data,
                     .begin = clock_wall(),
                     .sampled = sampled,
                     .together = 1};
    probe->pending++;
    return one;
}

/* Where the driver lets code be patched, and it is not. */
static bool is_patched(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data) {
    if (kernel->module->patched || kernel->module->failed)
        return kernel->module->patched;
    if (!data->stream)
        return module_patch(probe, kernel->module);
    not_counted(probe, kernel, "launches before it were not counted, and ran unpatched");
    return false;
}

Pending *pending_begin(Probe *probe, const SanLaunchData *data) {
    LaunchedKernel *kernel = kernel_of(probe, data);
    const char *why = NULL;
    if (!kernel)
        return NULL;
    bool chosen = kernel->selected && launch_is_of(probe->settings.launches, kernel->launches);
    kernel->launches++;
    if (probe->settings.list && chosen)
        return pending_new(probe, kernel, NULL, data, false);
    if (!chosen || !probe->settings.profile || !is_patched(probe, kernel, data))
        return NULL;
    settle(probe, kernel);
    module_send(probe, kernel->module);
    bool sampled = probe->settings.evidence && kernel->counted < EVIDENCE_LAUNCHES;
    LaunchTable *table = table_take(probe, kernel, data, sampled, &why);
    if (!table) {
        not_counted(probe, kernel, why);
        return NULL;
    }
    kernel->counted++;
    return pending_new(probe, kernel, table, data, sampled);
}

static bool is_busy(const Probe *probe, const WatchedModule *module) {
    bool busy = false;
    for (const LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next)
        for (const LaunchTable *table = kernel->tables; table; table = table->next)
            busy |= kernel->module == module && table->busy;
    return busy;
}

/* Launches that are not counted run as they are, where that can be. */
static void leave_alone(Probe *probe, const SanLaunchData *data) {
    WatchedModule *module = module_find(probe, data->module);
    if (!module || !module->patched)
        return;
    if (!probe->streams && !is_busy(probe, module))
        module_unpatch(probe, module);
    if (module->patched)
        probe->san.set_launch_data(data->launch, data->function, data->stream_handle, NULL);
}

/* Of a kernel that is launched often, one launch is not counted but timed, where all would be counted. */
static bool is_left(const Probe *probe, LaunchedKernel *kernel) {
    const ProbeSettings *settings = &probe->settings;
    if (settings->measure != MEASURE_SAMPLED || !settings->profile || settings->numbered ||
        kernel->left || kernel->counted != EVIDENCE_LAUNCHES ||
        kernel->module->unpatched >= PATCHED_AGAIN_MOST || probe->streams ||
        is_busy(probe, kernel->module))
        return false;
    kernel->left = true;
    kernel->launches++;
    return true;
}

static void doubt_ends(Probe *probe, const char *failed);

void launch_begins(Probe *probe, const SanLaunchData *data) {
    LaunchedKernel *kernel = kernel_of(probe, data);
    doubt_ends(probe, NULL);
    context_used(probe, data->context);
    probe->streams |= data->stream != NULL;
    bool left = kernel && is_left(probe, kernel);
    Pending *one = left ? NULL : pending_begin(probe, data);
    if (!one || !one->table)
        leave_alone(probe, data);
    if (!one && kernel)
        timing_begins(probe, kernel, data, left);
    if (one && one->table) {
        SanResult result = probe->san.set_launch_data(data->launch, data->function,
                                                      data->stream_handle, one->table->memory);
        if (result) {
            not_counted(probe, one->kernel, sanitizer_text(&probe->san, result));
            table_give(one->table);
            probe->pending--;
            free(one);
            return;
        }
    }
    if (one) {
        one->before = pending;
        pending = one;
    }
}

/* ---- the end ---- */

static void add_allocations(Probe *probe, Arena *arena, ProbeLaunch *launch) {
    for (uint32_t i = 0; i < launch->samples.count; i++) {
        const ProbeSample *sample = &launch->samples.at[i];
        uint64_t address = sample->address[__builtin_ctz(sample->mask)];
        const Allocated *found = allocation_find(probe, address);
        bool known = !found;
        for (uint32_t k = 0; !known && k < launch->allocations.count; k++)
            known = launch->allocations.at[k].address == found->address;
        if (!known)
            *vec_add(arena, &launch->allocations) = (ProbeAllocation){found->address, found->bytes};
    }
}

static void send_launch(Probe *probe, const ProbeLaunch *launch) {
    Output out = {0};
    probe_put_launch(&out, launch);
    recorder_probe(probe->recorder, out.bytes, out.used);
    free(out.bytes);
}

static uint32_t registers_of(CudaFunction *function) {
    int (*get)(int *value, int attribute, CudaFunction *of), count = 0;
    *(void **)&get = driver_function("cuFuncGetAttribute");
    return get && get(&count, REGISTERS, function) == 0 && count > 0 ? (uint32_t)count : 0;
}

static void fill(Probe *probe, Arena *arena, const Pending *one, ProbeLaunch *launch) {
    const WatchedContext *context = context_find(probe, one->kernel->module->context);
    *launch = (ProbeLaunch){.module = one->kernel->module->hash,
                            .kernel = one->kernel->name,
                            .gpu = context ? context->gpu : "",
                            .registers = registers_of(one->kernel->handle),
                            .sampled = one->sampled,
                            .seconds = clock_wall() - one->begin,
                            .together = one->together};
    if (context) {
        launch->device = context->device;
        launch->capability = context->capability;
        launch->multiprocessors = context->multiprocessors;
    }
    memcpy(launch->grid, one->data.grid, sizeof launch->grid);
    memcpy(launch->block, one->data.block, sizeof launch->block);
    for (uint32_t i = 0; i < one->kernel->functions.count; i++)
        *vec_add(arena, &launch->functions) = one->kernel->functions.at[i].name;
}

static void stop_if_enough(Probe *probe) {
    if (!probe->settings.stop_after || ++probe->counted < probe->settings.stop_after)
        return;
    fflush(stdout);
    recorder_text(probe->recorder, RECORD_STOP, "");
    recorder_wait(probe->recorder);
}

/* ---- those that may not have run ---- */

typedef struct Doubtful {
    Arena *arena; /* NULL: there is none */
    ProbeLaunch launch;
} Doubtful;
static _Thread_local Doubtful doubtful;

bool launch_is_doubtful(void) {
    return doubtful.arena != NULL;
}

static void doubt_ends(Probe *probe, const char *failed) {
    if (!doubtful.arena)
        return;
    doubtful.launch.failed = failed;
    send_launch(probe, &doubtful.launch);
    arena_free(doubtful.arena);
    doubtful.arena = NULL;
    stop_if_enough(probe);
}

void launch_call_ends(Probe *probe, int result) {
    int (*words_of)(int error, const char **words);
    const char *words = NULL;
    if (!result) {
        doubt_ends(probe, NULL);
        return;
    }
    *(void **)&words_of = driver_function("cuGetErrorString");
    if (!words_of || words_of(result, &words) != 0 || !words)
        words = arena_printf(doubtful.arena, "error %d", result);
    probe_message(probe,
                  "a launch of %s failed: %s; counting takes memory of the GPU's for each thread",
                  name_demangled(doubtful.arena, doubtful.launch.kernel, false), words);
    doubt_ends(probe, words);
}

static bool has_requests(const ProbeLaunch *launch) {
    for (uint32_t i = 0; i < launch->slots.count; i++)
        if (launch->slots.at[i].sums[0])
            return true;
    return false;
}

/* called: what its call returns will be told. */
static void finish(Probe *probe, Pending *one, SanStream *stream, const char *failed, bool called) {
    ProbeLaunch launch;
    Arena *arena = arena_new();
    fill(probe, arena, one, &launch);
    if (!one->table) {
        recorder_listed(
            probe->recorder,
            &(ListedLaunch){name_demangled(arena, one->kernel->name, false), launch.seconds});
    } else {
        if (!failed && !table_read(probe, arena, one->kernel, one->table, stream, &launch, &failed))
            launch.slots.count = 0;
        launch.failed = failed;
        add_allocations(probe, arena, &launch);
        table_give(one->table);
        if (called && !failed && !has_requests(&launch)) {
            doubtful = (Doubtful){arena, launch};
            arena = NULL;
        } else {
            send_launch(probe, &launch);
            stop_if_enough(probe);
        }
    }
    if (arena)
        arena_free(arena);
    probe->pending -= probe->pending > 0;
    free(one);
}

void pending_finish(Probe *probe, Pending *one, SanStream *stream, const char *failed) {
    finish(probe, one, stream, failed, false);
}

void launch_ends(Probe *probe, const SanLaunchData *data) {
    Pending *one = pending;
    SanStream *stream = data->stream_handle;
    if (!one || one->data.function != data->function)
        return;
    pending = one->before;
    finish(probe, one, stream, stream_wait(probe, stream), true);
}

void launches_begin(Probe *probe) {
    for (WatchedModule *module = probe->modules; module; module = module->next) {
        module->sent = false;
        if (probe->streams && module->handle) /* later it could not be */
            module_patch(probe, module);
    }
    for (LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next) {
        kernel->launches = kernel->counted = kernel->timed = 0;
        kernel->left = false;
    }
    probe->counted = 0;
}
