/* Launches: which are counted, and what is sent of them. */
#include "base/kernel_name.h"
#include "ir/ir.h"
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS_MOST = 4096, REGISTERS = 4 };

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
    probe->collectives |= kernel_is_collective(kernel->name);
    if (kernel_is_collective(kernel->name) && probe->settings.profile)
        not_counted(probe, kernel,
                    "it waits for kernels of other GPUs, which may be launched behind it");
    return kernel;
}

static void kernels_forget(Probe *probe, const WatchedModule *module) {
    LaunchedKernel *gone = NULL;
    for (LaunchedKernel **at = &probe->kernels; *at;) {
        LaunchedKernel *kernel = *at;
        if (kernel->module != module) {
            at = &kernel->next;
            continue;
        }
        *at = kernel->next;
        kernel->next = gone;
        gone = kernel;
    }
    for (; gone; gone = gone->next)
        tables_forget(probe, gone);
}

void module_ends(Probe *probe, CudaModule *handle) {
    WatchedModule *module = module_find(probe, handle);
    if (!module)
        return;
    module_gone(probe, module);
    kernels_forget(probe, module);
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

/* The kernel, and the functions that it may call, as far as its module has symbols. */
static void list_functions(Arena *arena, const LaunchedKernel *kernel, WatchedFunctions *list) {
    Elf elf;
    ElfSection symbols;
    ElfSymbol symbol;
    enum { SYMTAB = 2 };
    *vec_add(arena, list) = (WatchedFunction){.name = kernel->name};
    if (!kernel->module->cubin || !elf_open(&elf, kernel->module->cubin, kernel->module->size) ||
        !elf_section_typed(&elf, SYMTAB, &symbols))
        return;
    for (uint64_t i = 0; i < elf_symbol_count(&symbols); i++)
        if (elf_symbol(&elf, &symbols, i, &symbol) && symbol.is_function && symbol.is_defined &&
            !symbol.is_entry)
            *vec_add(arena, list) =
                (WatchedFunction){.name = arena_copy(arena, symbol.name.at, symbol.name.length)};
}

/* Those that have code, and the kernel, which is the first. Without the lock. */
static void locate_functions(const Probe *probe, CudaModule *module, WatchedFunctions *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count && count < FUNCTIONS_MOST; i++) {
        WatchedFunction function = list->at[i];
        if (probe->san.function_pc(module, function.name, &function.pc, &function.size))
            function.pc = function.size = 0;
        if (function.size || i == 0)
            list->at[count++] = function;
    }
    list->count = count;
}

/* Where its code lies, and that of the functions that it may call. */
static void settle(Probe *probe, LaunchedKernel *kernel) {
    if (kernel->settled)
        return;
    Arena *arena = arena_new();
    WatchedFunctions list = {0};
    list_functions(arena, kernel, &list);
    CudaModule *handle = kernel->module->handle;
    probe_unlock(probe);
    locate_functions(probe, handle, &list);
    probe_lock(probe);
    for (uint32_t i = 0; i < list.count && !kernel->settled; i++) /* else another thread has */
        *vec_add(probe->arena, &kernel->functions) = (WatchedFunction){
            i ? arena_copy(probe->arena, list.at[i].name, strlen(list.at[i].name)) : kernel->name,
            list.at[i].pc, list.at[i].size};
    kernel->settled = true;
    arena_free(arena);
}

/* ---- the beginning ---- */

/* It is in probe->pending already. */
static Pending *pending_new(LaunchedKernel *kernel, LaunchTable *table, const SanLaunchData *data,
                            bool sampled) {
    Pending *one = calloc(1, sizeof *one);
    if (!one)
        out_of_memory();
    *one = (Pending){.kernel = kernel,
                     .table = table,
                     .data = *data,
                     .begin = clock_wall(),
                     .sampled = sampled,
                     .together = 1};
    return one;
}

static void pending_free(Probe *probe, Pending *one) {
    if (one->table) {
        one->kernel->module->launching--;
        table_give(probe, one->table);
    }
    probe->pending -= probe->pending > 0;
    free(one);
}

/* Where its call was not seen, and the driver lets code be patched, it is. */
static bool is_patched(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data) {
    WatchedModule *module = kernel->module;
    const WatchedContext *context = context_find(probe, module->context);
    const bool full = context && context->full;
    if (probe->patching.module != module && !module->patched && !module->failed && !full &&
        !data->stream && !call_is_seen())
        module_patch(probe, module);
    bool changes = probe->patching.module == module;
    if (changes || (!module->patched && (!module->failed || module->why)))
        not_counted(
            probe, kernel,
            module->why               ? module->why
            : changes || module->late ? "another thread's kernels were being patched for too long"
            : full ? "the program leaves no memory of the GPU's for the stacks of what counts"
            : module->lasting
                ? "a launch that was left out runs on, and code can be patched only behind it"
                : "it is launched in a way that is not seen coming");
    return !changes && module->patched;
}

/* Its table, where the launch is counted: its module stays patched until it has ended. */
static LaunchTable *count(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *data,
                          bool sampled) {
    const char *why = NULL;
    if (!is_patched(probe, kernel, data))
        return NULL;
    probe->pending++;
    kernel->module->launching++;
    kernel->counted++;
    module_send(probe, kernel->module);
    settle(probe, kernel);
    LaunchTable *table = table_take(probe, kernel, data, sampled, &why);
    if (table)
        return table;
    not_counted(probe, kernel, why);
    probe->pending--;
    kernel->module->launching--;
    kernel->counted--;
    return NULL;
}

Pending *pending_begin(Probe *probe, const SanLaunchData *data) {
    LaunchedKernel *kernel = kernel_of(probe, data);
    if (!kernel)
        return NULL;
    bool chosen = kernel->selected && launch_is_of(probe->settings.launches, kernel->launches);
    kernel->launches++;
    if (probe->settings.list && chosen) {
        probe->pending++;
        return pending_new(kernel, NULL, data, false);
    }
    patching_wait(probe, kernel->module); /* it runs as it is now, or as it will be */
    if (!chosen || !probe->settings.profile)
        return NULL;
    bool sampled = probe->settings.evidence && kernel->counted < EVIDENCE_LAUNCHES;
    LaunchTable *table = count(probe, kernel, data, sampled);
    return table ? pending_new(kernel, table, data, sampled) : NULL;
}

/* The data that its patches get, NULL: they count nothing. */
static SanResult set_data(Probe *probe, const SanLaunchData *data, const void *table) {
    probe_unlock(probe);
    SanResult result =
        probe->san.set_launch_data(data->launch, data->function, data->stream_handle, table);
    probe_lock(probe);
    return result;
}

static void leave_alone(Probe *probe, const SanLaunchData *data) {
    WatchedModule *module = module_find(probe, data->module);
    if (!module)
        return;
    call_runs_left(module);
    if (module->patched || probe->patching.module == module)
        set_data(probe, data, NULL);
}

static void doubt_ends(Probe *probe, const char *failed);

void launch_begins(Probe *probe, const SanLaunchData *data) {
    LaunchedKernel *kernel = kernel_of(probe, data);
    doubt_ends(probe, NULL);
    context_used(probe, data->context);
    if (kernel)
        call_launches(probe, kernel);
    bool asked = call_leaves(kernel);
    bool left = asked && !kernel->module->patched && probe->patching.module != kernel->module;
    if (asked) /* where other threads' launches need the patches, a later one */
        kernel->left = left;
    if (left)
        kernel->launches++;
    Pending *one = left ? NULL : pending_begin(probe, data);
    if (!one || !one->table)
        leave_alone(probe, data);
    if (!one && kernel && !timing_is_of(kernel, data, left) && left)
        not_counted(probe, kernel, "it was to be timed instead, which failed");
    SanResult result = one && one->table ? set_data(probe, data, one->table->memory) : 0;
    if (result) {
        not_counted(probe, one->kernel, sanitizer_text(&probe->san, result));
        pending_free(probe, one);
        return;
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

/* Without the lock. */
static uint32_t registers_of(const DriverApi *driver, CudaFunction *function) {
    int count = 0;
    return driver->function_attribute &&
                   driver->function_attribute(&count, REGISTERS, function) == 0 && count > 0
               ? (uint32_t)count
               : 0;
}

static void fill(Probe *probe, Arena *arena, const Pending *one, ProbeLaunch *launch) {
    probe_unlock(probe);
    const uint32_t registers = registers_of(&probe->driver, one->kernel->handle);
    probe_lock(probe);
    const WatchedContext *context = context_find(probe, one->kernel->module->context);
    *launch = (ProbeLaunch){.module = one->kernel->module->hash,
                            .kernel = one->kernel->name,
                            .gpu = context ? context->gpu : "",
                            .registers = registers,
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
    const char *words = NULL;
    if (!result) {
        doubt_ends(probe, NULL);
        return;
    }
    probe_unlock(probe);
    if (probe->driver.error_text && probe->driver.error_text(result, &words) != 0)
        words = NULL;
    probe_lock(probe);
    if (!words)
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
    pending_free(probe, one);
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
    for (LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next) {
        kernel->launches = kernel->counted = kernel->timed = 0;
        kernel->left = false;
    }
    for (WatchedModule *module = probe->modules; module; module = module->next)
        module->sent = false;
    probe->counted = 0;
    probe->restored = false;
}
