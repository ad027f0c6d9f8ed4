/* Where the driver enters, and whom it calls for what. */
#include "probe/inject/inject.h"

#include <stdlib.h>

/* The process's one: the driver enters once. What we ask of the API may tell us of something in turn, in the same thread. */
static Probe probe = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static uint64_t number_of(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void settings_read(ProbeSettings *settings) {
    settings->patches = getenv("WARPLENS_PROBE_PATCHES");
    settings->folder = getenv("WARPLENS_PROBE_FOLDER");
    settings->kernels = getenv("WARPLENS_KERNEL");
    launch_numbers_parse(getenv("WARPLENS_LAUNCHES"), &settings->launches);
    settings->stop_after = number_of("WARPLENS_STOP_AFTER", 0);
    settings->evidence = number_of("WARPLENS_EVIDENCE", 16) > 0;
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
    if (event == SAN_NODE_BEGIN && node->type == SAN_NODE_KERNEL)
        launch_in_graph(&probe, &node->data);
}

static void on_event(void *context, SanDomain domain, uint32_t event, const void *data) {
    (void)context;
    pthread_mutex_lock(&probe.lock);
    if (domain == SAN_RESOURCE)
        on_resource(event, data);
    else if (domain == SAN_LAUNCH && event == SAN_LAUNCH_BEGIN)
        launch_begins(&probe, data);
    else if (domain == SAN_LAUNCH && event == SAN_LAUNCH_END)
        launch_ends(&probe, data);
    else if (domain == SAN_GRAPHS)
        on_graph(event, data);
    pthread_mutex_unlock(&probe.lock);
}

/* ---- begin ---- */

static void before_fork(void) {
    pthread_mutex_lock(&probe.lock);
}

static void in_parent(void) {
    pthread_mutex_unlock(&probe.lock);
}

static void in_child(void) {
    probe.lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    recorder_forked(probe.recorder);
}

static bool subscribe(void) {
    SanSubscriber *subscriber;
    const SanDomain domains[] = {SAN_RESOURCE, SAN_LAUNCH, SAN_GRAPHS};
    SanResult result = probe.san.subscribe(&subscriber, on_event, NULL);
    for (uint32_t i = 0; result == 0 && i < sizeof domains / sizeof *domains; i++)
        result = probe.san.enable(1, subscriber, domains[i]);
    if (result == SAN_LIMIT_REACHED)
        probe_message(
            &probe,
            "nothing is counted: another tool (compute-sanitizer, say) watches the program");
    else if (result)
        probe_message(&probe, "nothing is counted: the Compute Sanitizer API says: %s",
                      sanitizer_text(&probe.san, result));
    return result == 0;
}

/* The driver's: for 0 it unloads the library, and goes on without us. */
__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void) {
    const char *why, *library = getenv("WARPLENS_PROBE_SANITIZER");
    if (probe.arena)
        return 1;
    probe.arena = arena_new();
    probe.recorder = recorder_new(getenv("WARPLENS_SOCKET"));
    settings_read(&probe.settings);
    if (!recorder_active(probe.recorder) || !library || !probe.settings.patches ||
        !probe.settings.folder)
        return 0;
    if (!sanitizer_open(library, &probe.san, &why)) {
        probe_message(&probe, "nothing is counted: %s: %s", library, why);
        return 0;
    }
    pthread_atfork(before_fork, in_parent, in_child);
    return subscribe();
}
