/* The process's one Core: made from the environment that `warplens run` set, at the first call. */
#include "base/rescue.h"
#include "cuda/defects.h"
#include "cuda/device.h"
#include "cuda/pool.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Core core; /* a process has one driver; src/GLOBALS has what else is global */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number_of(const char *variable, uint64_t otherwise) {
    const char *text = getenv(variable);
    if (!text || !*text)
        return otherwise;
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    return *end ? otherwise : value;
}

static void settings_read(Settings *settings) {
    const char *gpu = getenv("WARPLENS_GPU"), *fault = getenv("WARPLENS_FAULT");
    settings->gpu = gpu ? gpu_named(str_of(gpu)) : NULL;
    if (!settings->gpu)
        settings->gpu = gpu_named(STR("h100"));
    settings->kernels = getenv("WARPLENS_KERNEL");
    launch_numbers_parse(getenv("WARPLENS_LAUNCHES"), &settings->launches);
    const char *shard = getenv("WARPLENS_SHARD");
    if (shard)
        shard_parse(shard, &settings->shard);
    settings->stop_after = number_of("WARPLENS_STOP_AFTER", 0);
    settings->once = getenv("WARPLENS_ONCE") != NULL;
    settings->counts_only = getenv("WARPLENS_COUNTS_ONLY");
    settings->list = getenv("WARPLENS_LIST") != NULL;
    settings->workers = (uint32_t)number_of("WARPLENS_THREADS", 0);
    const char *engine = getenv("WARPLENS_ENGINE");
    if (engine)
        engine_named(engine, &settings->engine);
    settings->engine.plugin = getenv("WARPLENS_PLUGIN");
    settings->evidence = (uint32_t)number_of("WARPLENS_EVIDENCE", 16);
    settings->sample = (uint32_t)number_of("WARPLENS_SAMPLE", 0);
    settings->caches = getenv("WARPLENS_CACHES") != NULL;
    settings->time = getenv("WARPLENS_TIME") != NULL;
    settings->clock_mhz = (uint32_t)number_of("WARPLENS_CLOCK", 0);
    settings->limit = number_of("WARPLENS_LIMIT", 0);
    const char *schedule = getenv("WARPLENS_SCHEDULE");
    if (schedule)
        schedule_named(schedule, &settings->schedule);
    const char *ptx = getenv("WARPLENS_PTX");
    if (ptx)
        arch_parse(str_of(ptx), &settings->choice.forced);
    settings->choice.gpu = settings->gpu;
    settings->profile = !getenv("WARPLENS_NO_PROFILE");
    settings->stop_at_fault = fault && strcmp(fault, "stop") == 0;
    settings->reads_beyond = fault && strcmp(fault, "pass-reads") == 0;
    settings->layouts = getenv("WARPLENS_LAYOUTS");
    settings->blocking = number_of("CUDA_LAUNCH_BLOCKING", 0) != 0;
    settings->results = getenv("WARPLENS_RESULTS") != NULL;
    settings->orders = getenv("WARPLENS_ORDERS");
    settings->progress = getenv("WARPLENS_PROGRESS") != NULL;
    const char *checks = getenv("WARPLENS_SANITIZE");
    Arena *arena = arena_new();
    if (checks)
        sanitize_parse(checks, "WARPLENS_SANITIZE", &settings->checks, diags_new(arena));
    settings->checks.stop |= settings->stop_at_fault;
    arena_free(arena);
    machine_use_told(&settings->machine);
    if (settings->machine == MACHINE_AUTO &&
        (!settings->profile || sanitize_kernels(&settings->checks) || settings->schedule))
        settings->machine =
            MACHINE_OFF; /* nothing is counted; or defects, and orders, are those of the source */
    settings->devices = (uint32_t)number_of("WARPLENS_DEVICES", 1);
    if (settings->devices == 0 || settings->devices > DEVICES_MOST)
        settings->devices = 1;
}

static void make_turn(void) {
    pthread_mutex_init(&core.turn, NULL);
    pthread_cond_init(&core.turns, NULL);
    core.taken = false;
    pthread_mutex_init(&core.asides.lock, NULL);
    pthread_cond_init(&core.asides.changed, NULL);
    core.asides.first = NULL;
    core.asides.count = 0;
    core.asides.others = 1;
}

/* A child of a fork has its own stream of records, and none of the parent's locks. */
static void after_fork(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&core.lock, &recursive);
    pthread_mutex_init(&core.precedence.lock, &recursive);
    pthread_mutex_init(&core.guard.lock, NULL);
    core.guard.lifted = 0;
    core.catching.launches = 0;
    make_turn();
    recorder_forked(core.recorder);
}

static void end(void) {
    if (core.settings.results)
        results_end(&core);
    defects_end(&core);
}

static void make(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&core.lock, &recursive);
    pthread_mutex_init(&core.precedence.lock, &recursive);
    pthread_mutex_init(&core.guard.lock, NULL);
    make_turn();
    settings_read(&core.settings);
    core.arena = arena_new();
    core.told = map_new(core.arena);
    core.memory = memory_new();
    core.sanitizer = sanitizer_new(&core.settings.checks);
    core.precedence.on = core.sanitizer && sanitize_streams(core.sanitizer);
    core.precedence.arena = core.precedence.on ? arena_new() : NULL;
    core.guard.on = core.precedence.on && sysconf(_SC_PAGESIZE) == HOST_PAGE;
    devices_make(&core, getenv("CUDA_VISIBLE_DEVICES"));
    pool_init(&core.graph_pool, &core.devices[0]);
    core.recorder = recorder_new(getenv("WARPLENS_SOCKET"));
    if (core.settings.shard
            .parts) /* processes have the same numbers for each part, also those that tell nothing */
        recorder_greet(core.recorder);
    if (!core.memory)
        recorder_text(core.recorder, RECORD_MESSAGE,
                      "no address space for the device's memory, so the program sees no device: "
                      "ulimit -v must leave 1 GiB at least");
    pthread_atfork(NULL, NULL, after_fork);
    if (core.settings.results || core.sanitizer)
        atexit(end);
}

Core *core_get(void) {
    pthread_once(&once, make);
    return &core;
}

bool core_record(const char *path) {
    Core *all = core_get();
    turn_take(all); /* no launch has begun that its recorder would not see the end of */
    recorder_print(all->recorder);
    bool fits = recorder_turn(all->recorder, path);
    turn_give(all);
    return fits;
}

const Settings *core_settings(void) {
    return &core_get()->settings;
}

Device *device_of(CUdevice ordinal) {
    const Core *all = core_get();
    return ordinal >= 0 && (uint32_t)ordinal < all->device_count ? &core.devices[ordinal] : NULL;
}

uint32_t device_count(void) {
    return core_get()->device_count;
}

Memory *core_memory(void) {
    return core_get()->memory;
}

void core_lock(void) {
    lock_take(&core_get()->lock);
}

void core_unlock(void) {
    lock_give(&core.lock);
}

uint64_t core_number(void) {
    core_lock();
    uint64_t number = ++core.numbers;
    core_unlock();
    return number;
}

CUresult core_sticky(void) {
    return (CUresult)core_get()->sticky;
}

void core_fault(const char *message, CUresult error) {
    int none = CUDA_SUCCESS;
    recorder_text(core_get()->recorder, RECORD_FAULT, message);
    if (core.settings.stop_at_fault)
        recorder_wait(core.recorder);
    __atomic_compare_exchange_n((int *)&core.sticky, &none, (int)error, false, __ATOMIC_SEQ_CST,
                                __ATOMIC_SEQ_CST);
}

CUresult core_exhausted(void) {
    int none = CUDA_SUCCESS;
    Rescue rescue;
    __atomic_compare_exchange_n((int *)&core.sticky, &none, CUDA_ERROR_OUT_OF_MEMORY, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    if (RESCUE(&rescue))
        recorder_text(core.recorder, RECORD_FAULT,
                      "out of memory: no kernel runs in this process any more");
    rescue_end(&rescue);
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static void message(const char *format, va_list arguments) {
    char *text;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    recorder_text(core_get()->recorder, RECORD_MESSAGE, text);
    free(text);
}

void core_message(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    message(format, arguments);
    va_end(arguments);
}

/* Whether this name (of a call, or of an object) has not been told yet. */
static bool is_new(const char *name) {
    uint64_t known;
    core_lock();
    bool first = !map_get(core.told, str_of(name), &known);
    if (first)
        map_put(core.told, str_of(arena_copy(core.arena, name, strlen(name))), 1);
    core_unlock();
    return first;
}

void core_message_once(const char *name, const char *format, ...) {
    va_list arguments;
    if (!is_new(name))
        return;
    va_start(arguments, format);
    message(format, arguments);
    va_end(arguments);
}

void core_diags(const char *what, const Diags *diags) {
    Arena *arena = arena_new();
    PrintedText printed;
    diags_print(diags, printed_begin(&printed, arena), false);
    const char *text = printed_end(&printed);
    core_message("%s\n%.*s", what, (int)(printed.size ? printed.size - 1 : 0), text);
    arena_free(arena);
}

CUresult core_unsupported(const char *name) {
    if (is_new(name))
        recorder_text(core.recorder, RECORD_UNSUPPORTED, name);
    return CUDA_ERROR_NOT_SUPPORTED;
}
