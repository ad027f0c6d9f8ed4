/* Calls that launch kernels, before the driver begins and when it has: there a module is patched, for a launch that is counted, loses its patches, for one
 * that is not, and launches that are left as they are are timed. In the launch itself the driver holds locks that this takes. */
#include "probe/inject/inject.h"

/* Of the call that this thread is in. */
static _Thread_local struct {
    CalledKernel *called; /* NULL: it launches none, or puts it into a graph */
    CudaStream *stream;
    WatchedModule *kept;  /* stays patched until it returns */
    WatchedModule *alone; /* it has launched a kernel of this, which is not counted */
    bool waits;           /* for a module that is not known, and will be patched */
    LaunchedKernel *left; /* it launches this, which is to be timed where it would be counted */
} call;

/* ---- what the call has ---- */

typedef struct LaunchCall {
    CudaFunction *function;
    CudaStream *stream; /* as events take it */
} LaunchCall;

static LaunchCall launch_call(SanDriverCall number, const void *parameters) {
    static CudaStream *const of_thread = (CudaStream *)2; /* CU_STREAM_PER_THREAD */
    const SanLaunchParameters *usual = parameters;
    const SanLaunchExParameters *ex = parameters;
    bool is_ex = number == SAN_LAUNCH_KERNEL_EX || number == SAN_LAUNCH_KERNEL_EX_PTSZ;
    bool by_thread = number == SAN_LAUNCH_KERNEL_PTSZ || number == SAN_LAUNCH_COOPERATIVE_PTSZ ||
                     number == SAN_LAUNCH_KERNEL_EX_PTSZ;
    if (!parameters || (is_ex && !ex->config))
        return (LaunchCall){0};
    LaunchCall launch = is_ex ? (LaunchCall){ex->function, ex->config->stream}
                              : (LaunchCall){usual->function, usual->stream};
    if (by_thread && !launch.stream)
        launch.stream = of_thread;
    return launch;
}

/* Whether the stream puts launches into a graph. */
static bool is_captured(Probe *probe, CudaStream *stream) {
    int captures = 0;
    probe_unlock(probe);
    bool known =
        !probe->driver.stream_captures || probe->driver.stream_captures(stream, &captures) == 0;
    probe_lock(probe);
    return !known || captures != 0;
}

/* ---- kernels by their handles ---- */

/* What the driver knows of a kernel that was not launched so far. It may load it. */
static void ask_driver(Probe *probe, CalledKernel *called) {
    const DriverApi *driver = &probe->driver;
    CudaModule *module = NULL;
    const char *name = NULL;
    probe_unlock(probe);
    if (driver->function_module && driver->function_module(&module, called->function) != 0)
        module = NULL;
    if (driver->function_name && driver->function_name(&name, called->function) != 0)
        name = NULL;
    probe_lock(probe);
    called->module = module_find(probe, module);
    called->selected = !name || kernel_is_selected(probe, name);
    probe->collectives |= name && kernel_is_collective(name);
}

static CalledKernel *called_of(Probe *probe, CudaFunction *function, CudaContext *context) {
    CalledKernel *called = probe->called;
    while (called && (called->function != function || called->context != context))
        called = called->next;
    if (!called) {
        called = NEW(probe->arena, CalledKernel);
        *called = (CalledKernel){.function = function, .context = context, .next = probe->called};
        probe->called = called;
    }
    if (called->module && !called->module->handle) /* unloaded: the handle is another's */
        called->module = NULL;
    if (!called->module) {
        called->kernel = NULL;
        ask_driver(probe, called);
    }
    return called;
}

void call_launches(Probe *probe, LaunchedKernel *kernel) {
    CalledKernel *called = call.called;
    if (!called || called->context != kernel->module->context) {
        probe->unseen = true;
        return;
    }
    called->kernel = kernel;
    called->module = kernel->module;
    called->selected = kernel->selected;
}

bool call_is_seen(void) {
    return call.called != NULL;
}

void call_runs_left(WatchedModule *module) {
    call.alone = module;
}

bool call_leaves(const LaunchedKernel *kernel) {
    return kernel && call.left == kernel;
}

/* ---- what becomes of the module ---- */

/* As far as it is known before it begins: other threads may begin theirs first. */
static bool is_wanted(const Probe *probe, const CalledKernel *called) {
    const LaunchNumbers numbers = probe->settings.launches;
    const uint64_t number = called->kernel ? called->kernel->launches : 0;
    return probe->settings.profile && called->selected &&
           numbers.first <= number + called->inside && number < numbers.end;
}

/* context: NULL: of all. */
static void patch_all(Probe *probe, const CudaContext *context) {
    for (WatchedModule *module = probe->modules; module; module = module->next)
        if (module->chosen && module->handle && (!context || module->context == context) &&
            stacks_have_room(probe, context_find(probe, module->context), NULL))
            module_patch(probe, module);
}

/* Before what calls for that is launched, as far as it is seen coming. */
static void restore(Probe *probe) {
    if (patches_stay(probe) && !probe->restored && probe->settings.profile) {
        probe->restored = true;
        patch_all(probe, NULL);
    }
}

static void prepare(Probe *probe, CalledKernel *called, bool wanted) {
    WatchedModule *module = called->module;
    if (wanted && module) {
        call.kept = module;
        module->launching++;
        module_patch(probe, module);
    } else if (wanted) {
        call.waits = true;
        patch_all(probe, called->context); /* one of them is its, or it is loaded in the launch */
    } else if (module) {
        module_unpatch(probe, module);
    }
}

/* Of a kernel that was not launched so far, the launch itself tells whether it is of use. */
static bool may_be_timed(const CalledKernel *called) {
    const WatchedModule *module = called->module;
    return called->selected && !(module && module->patched) &&
           !(called->kernel && called->kernel->timed >= TIMED_MOST);
}

/* Of a kernel that is launched often, one launch is not counted but timed, where all would be counted. */
static bool is_left(const Probe *probe, const LaunchedKernel *kernel) {
    const ProbeSettings *settings = &probe->settings;
    const WatchedModule *module = kernel->module;
    return settings->measure == MEASURE_SAMPLED && settings->profile && !settings->numbered &&
           kernel->selected && !kernel->left && kernel->counted >= EVIDENCE_LAUNCHES &&
           !patches_stay(probe) && (!module->patched || module_may_change(probe, module));
}

void call_begins(Probe *probe, SanDriverCall number, const SanCallData *data) {
    call_ends(probe);
    const LaunchCall launch = launch_call(number, data->parameters);
    bool launches = launch.function && data->context && !is_captured(probe, launch.stream);
    CalledKernel *called = launches ? called_of(probe, launch.function, data->context) : NULL;
    restore(probe);
    if (!called)
        return;
    if (called->kernel && is_left(probe, called->kernel)) {
        call.left = called->kernel;
        call.left->left = true;
    }
    const bool wanted =
        !call.left && is_wanted(probe, called) &&
        stacks_have_room(probe, context_find(probe, called->context), called->function);
    call.called = called;
    call.stream = launch.stream;
    called->inside++;
    prepare(probe, called, wanted);
    if (!wanted && may_be_timed(called))
        timing_begins(probe, launch.stream);
}

void call_ends(Probe *probe) {
    timing_ends(probe);
    if (call.called)
        call.called->inside--;
    if (call.kept)
        call.kept->launching--;
    if (call.called && call.alone && call.alone->chosen && !probe->restored &&
        probe->settings.profile)
        left_add(probe, context_find(probe, call.alone->context), call.alone, call.stream);
    call.called = NULL;
    call.kept = NULL;
    call.alone = NULL;
    call.waits = false;
    call.left = NULL;
}

void call_loads(Probe *probe, CudaModule *handle) {
    WatchedModule *module = module_find(probe, handle);
    if (module && module->chosen && probe->settings.profile && (patches_stay(probe) || call.waits))
        module_patch(probe, module);
}

void other_call_begins(Probe *probe) {
    probe->others = true;
    restore(probe);
}
