/* Where the driver enters, and whom it calls for what. */
#include "probe/inject/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The process's one: the driver enters once. */
static Probe probe = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t number_of(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void settings_read(ProbeSettings *settings) {
    settings->patches = getenv("WARPLENS_PROBE_PATCHES");
    settings->folder = getenv("WARPLENS_PROBE_FOLDER");
    settings->kernels = getenv("WARPLENS_KERNEL");
    launch_numbers_parse(getenv("WARPLENS_LAUNCHES"), &settings->launches);
    settings->numbered = getenv("WARPLENS_LAUNCHES") != NULL;
    settings->stop_after = number_of("WARPLENS_STOP_AFTER", 0);
    settings->evidence = number_of("WARPLENS_EVIDENCE", 16) > 0;
    const char *measure = getenv("WARPLENS_MEASURE");
    settings->measure = !measure || strcmp(measure, "off") == 0 ? MEASURE_OFF
                        : strcmp(measure, "only") == 0          ? MEASURE_ONLY
                                                                : MEASURE_SAMPLED;
    settings->list = getenv("WARPLENS_LIST") != NULL;
    settings->profile = !getenv("WARPLENS_NO_PROFILE");
}

/* ---- what the API tells ---- */

static void on_resource(uint32_t event, const void *data) {
    const SanMemoryData *memory = data;
    const SanContextData *context = data;
    const SanModuleData *module = data;
    switch (event) {
    case SAN_CONTEXT_CREATED:
        context_created(&probe, context);
        break;
    case SAN_CONTEXT_DESTROY:
        context_ends(&probe, context->context);
        break;
    case SAN_MODULE_LOADED:
        module_ends(&probe, module->module); /* a handle that was another's */
        module_loaded(&probe, module);
        call_loads(&probe, module->module);
        break;
    case SAN_MODULE_UNLOAD:
        module_ends(&probe, module->module);
        break;
    case SAN_MEMORY_ALLOC:
    case SAN_MEMORY_ALLOC_ASYNC:
        allocation_add(&probe, memory->address, memory->size);
        break;
    case SAN_MEMORY_FREE:
    case SAN_MEMORY_FREE_ASYNC:
        allocation_remove(&probe, memory->address);
        break;
    default:
        break;
    }
}

static void on_graph(uint32_t event, const void *data) {
    const SanNodeData *node = data;
    if (event == SAN_GRAPH_BEGIN)
        graph_begins(&probe, data);
    else if (event == SAN_NODE_BEGIN && node->type == SAN_NODE_KERNEL)
        graph_kernel_begins(&probe, node);
    else if (event == SAN_GRAPH_END)
        graph_ends(&probe, data);
}

static const SanDriverCall launch_calls[] = {SAN_LAUNCH_KERNEL,      SAN_LAUNCH_KERNEL_PTSZ,
                                             SAN_LAUNCH_COOPERATIVE, SAN_LAUNCH_COOPERATIVE_PTSZ,
                                             SAN_LAUNCH_KERNEL_EX,   SAN_LAUNCH_KERNEL_EX_PTSZ};
static const SanDriverCall other_calls[] = {SAN_LAUNCH_OLDEST,
                                            SAN_LAUNCH_GRID,
                                            SAN_LAUNCH_GRID_ASYNC,
                                            SAN_LAUNCH_COOPERATIVE_MULTI_DEVICE,
                                            SAN_GRAPH_INSTANTIATE,
                                            SAN_GRAPH_LAUNCH,
                                            SAN_GRAPH_LAUNCH_PTSZ,
                                            SAN_GRAPH_INSTANTIATE_2,
                                            SAN_GRAPH_INSTANTIATE_FLAGS,
                                            SAN_GRAPH_INSTANTIATE_MORE,
                                            SAN_GRAPH_INSTANTIATE_MORE_PTSZ};
enum {
    LAUNCH_CALLS = sizeof launch_calls / sizeof *launch_calls,
    OTHER_CALLS = sizeof other_calls / sizeof *other_calls
};

static bool is_other(uint32_t number) {
    bool is = false;
    for (uint32_t i = 0; i < OTHER_CALLS; i++)
        is |= other_calls[i] == number;
    return is;
}

static void on_call(uint32_t number, const SanCallData *data) {
    if (data->site == SAN_CALL_ENTERS) {
        if (is_other(number))
            other_call_begins(&probe);
        else
            call_begins(&probe, (SanDriverCall)number, data);
        return;
    }
    call_ends(&probe);
    if (launch_is_doubtful() && data->result)
        launch_call_ends(&probe, *data->result);
}

static void on_event(void *context, SanDomain domain, uint32_t event, const void *data) {
    (void)context;
    probe_lock(&probe);
    if (domain == SAN_DRIVER)
        on_call(event, data);
    else if (domain == SAN_RESOURCE)
        on_resource(event, data);
    else if (domain == SAN_LAUNCH && event == SAN_LAUNCH_BEGIN)
        launch_begins(&probe, data);
    else if (domain == SAN_LAUNCH && event == SAN_LAUNCH_END)
        launch_ends(&probe, data);
    else if (domain == SAN_GRAPHS)
        on_graph(event, data);
    probe_unlock(&probe);
}

/* ---- begin ---- */

static void before_fork(void) {
    probe_lock(&probe);
}

static void in_parent(void) {
    probe_unlock(&probe);
}

static void in_child(void) {
    probe_forked(&probe);
    recorder_forked(probe.recorder);
}

static void tell_refused(SanResult result) {
    switch (result) {
    case SAN_LIMIT_REACHED:
        probe_message(
            &probe,
            "nothing is counted: another tool (compute-sanitizer, say) watches the program");
        break;
    case SAN_NOT_INITIALIZED:
        probe_message(&probe,
                      "nothing is counted: libsanitizer-public.so does not fit this driver: "
                      "WARPLENS_SANITIZER names another, such as that of pip install "
                      "nvidia-cuda-sanitizer-api (-cu12, where the driver is of CUDA 12); --on cpu "
                      "needs none");
        break;
    case SAN_NOT_SUPPORTED:
        probe_message(&probe, "nothing is counted: this GPU, or the virtual machine that it is "
                              "lent to, does not allow it; --on cpu needs none");
        break;
    default:
        probe_message(&probe, "nothing is counted: the Compute Sanitizer API says: %s",
                      sanitizer_text(&probe.san, result));
    }
}

static bool subscribe(void) {
    SanSubscriber *subscriber;
    const SanDomain domains[] = {SAN_RESOURCE, SAN_LAUNCH, SAN_GRAPHS};
    SanResult result = probe.san.subscribe(&subscriber, on_event, NULL);
    for (uint32_t i = 0; result == 0 && i < sizeof domains / sizeof *domains; i++)
        result = probe.san.enable(1, subscriber, domains[i]);
    for (uint32_t i = 0; result == 0 && i < LAUNCH_CALLS; i++)
        result = probe.san.enable_call(1, subscriber, SAN_DRIVER, launch_calls[i]);
    for (uint32_t i = 0; result == 0 && i < OTHER_CALLS; i++)
        result = probe.san.enable_call(1, subscriber, SAN_DRIVER, other_calls[i]);
    if (result)
        tell_refused(result);
    return result == 0;
}

/* A process that says where its launches are recorded while it runs: the Python package's. Those that it starts are none. */
static bool is_told_later(void) {
    return number_of("WARPLENS_PROBE_PROCESS", 0) == (uint64_t)getpid();
}

static void begin(void) {
    if (probe.arena)
        return;
    bool later = is_told_later();
    probe.arena = arena_new();
    probe.recorder = recorder_new(later ? NULL : getenv("WARPLENS_SOCKET"));
    settings_read(&probe.settings);
    probe.began = clock_wall();
    if (later) {
        recorder_print(probe.recorder);
        probe.settings.profile = probe.settings.list = false;
    }
}

/* "cuda-gdb", or NULL. A process that it traces has its GPU stop where it wants, and tells of no launch. With driver 580 we are not loaded into that, but
 * into the debugger itself, which calls the driver, too, and launches nothing. */
static const char *debugger(void) {
    static const char known[] = "cuda-gdb"; /* or longer, such as cuda-gdb-minimal */
    size_t size;
    const char *status = file_read(probe.arena, "/proc/self/status", &size);
    const char *tracer = status ? strstr(status, "\nTracerPid:") : NULL;
    unsigned long number = tracer ? strtoul(strchr(tracer, ':') + 1, NULL, 10) : 0;
    const char *path = arena_printf(probe.arena, "/proc/%lu/comm", number);
    const char *name = number ? file_read(probe.arena, path, &size) : NULL;
    bool traced = name && strncmp(name, known, strlen(known)) == 0;
    return traced || strncmp(program_invocation_short_name, known, strlen(known)) == 0 ? known
                                                                                       : NULL;
}

static bool is_of_use(void) {
    if (is_told_later())
        return true;
    return recorder_active(probe.recorder) && probe.settings.patches && probe.settings.folder;
}

/* The driver's: for 0 it unloads the library, and goes on without us. */
#pragma GCC visibility push(default)
int InitializeInjection(void);
bool warplens_probe_record(const char *socket, const char *patches, const char *folder);
#pragma GCC visibility pop

int InitializeInjection(void) {
    const char *why, *library = getenv("WARPLENS_PROBE_SANITIZER");
    probe_lock(&probe);
    begin();
    probe_unlock(&probe);
    if (probe.subscribed)
        return 1;
    if (!library || !is_of_use())
        return 0;
    probe.driver = driver_open();
    if (debugger()) {
        probe_message(&probe, "nothing is counted: another tool (%s) watches the program",
                      debugger());
        return 0;
    }
    if (!sanitizer_open(library, &probe.san, &why)) {
        probe_message(&probe, "nothing is counted: %s: %s", library, why);
        return 0;
    }
    pthread_atfork(before_fork, in_parent, in_child);
    probe.subscribed = subscribe();
    if (probe.subscribed && !is_told_later())
        recorder_greet(probe.recorder);
    return probe.subscribed;
}

static const char *kept(const char *text) {
    return arena_copy(probe.arena, text, strlen(text));
}

/* Launches from now on are counted and sent to the socket, for a `warplens run --on gpu` with these two folders; NULL: they just run. May be
 * called before the driver enters, and waits for launches that run. false: the path of the socket is too long. */
bool warplens_probe_record(const char *socket, const char *patches, const char *folder) {
    const struct timespec soon = {.tv_nsec = 100000};
    probe_lock(&probe);
    begin();
    probe.settings.profile = false;
    while (probe.pending) {
        probe_unlock(&probe);
        nanosleep(&soon, NULL);
        probe_lock(&probe);
    }
    bool fits = recorder_turn(probe.recorder, socket);
    if (socket && fits) {
        probe.settings.patches = kept(patches);
        probe.settings.folder = kept(folder);
        probe.settings.profile = true;
        launches_begin(&probe);
    }
    probe_unlock(&probe);
    return fits;
}
