/* Ranges that a program names with NVTX, and the calls that begin and end profiling. NVTX is a header: at its
 * first call it loads the library that NVTX_INJECTION64_PATH names, which `warplens run` sets to this one, and
 * lets it put its functions into tables. A launch takes the names of the ranges that it is made in: those of the
 * process that were started, then those of its thread that were pushed.
 * Numbers and structures are those of NVTX 3's headers. */
#include "cuda/record.h"
#include "cuda/state.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { RANGES_MOST = 32 }; /* of a thread at once that have names; deeper ones are counted */

/* ---- names ---- */

typedef struct NvtxMessage { /* nvtxEventAttributes_t */
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t type; /* MESSAGE_… */
    const void *text;
} NvtxMessage;

enum { MESSAGE_ASCII = 1, MESSAGE_UNICODE, MESSAGE_REGISTERED };

/* From strings of either kind; the caller frees it. */
static char *name_of_text(const void *text, bool wide) {
    if (!text)
        return strdup("");
    if (!wide)
        return strdup(text);
    const wchar_t *from = text;
    size_t length = wcslen(from);
    char *name = malloc(length + 1);
    for (size_t i = 0; name && i <= length; i++)
        name[i] = from[i] < 128 ? (char)from[i] : '?';
    return name;
}

static char *name_of(const NvtxMessage *message) {
    if (!message || message->type < MESSAGE_ASCII || message->type > MESSAGE_REGISTERED)
        return strdup("");
    return name_of_text(message->text, message->type == MESSAGE_UNICODE);
}

/* ---- pushed: of a thread ---- */

static _Thread_local struct {
    char *names[RANGES_MOST];
    int count; /* pushed, with those that are too deep */
} pushed;

static int push(char *name) {
    int depth = pushed.count++;
    if (depth < RANGES_MOST)
        pushed.names[depth] = name;
    else
        free(name);
    return depth;
}

static int push_ex(const NvtxMessage *message) {
    return push(name_of(message));
}

static int push_text(const char *text) {
    return push(name_of_text(text, false));
}

static int push_wide(const wchar_t *text) {
    return push(name_of_text(text, true));
}

static int pop(void) {
    enum { NONE_PUSHED = -1 };
    if (pushed.count == 0)
        return NONE_PUSHED;
    int depth = --pushed.count;
    if (depth < RANGES_MOST)
        free(pushed.names[depth]);
    return depth;
}

/* ---- started: of the process ---- */

struct StartedRange {
    uint64_t id;
    char *name;
    StartedRange *next; /* older */
};

static uint64_t start(char *name) {
    StartedRange *range = malloc(sizeof *range);
    if (!range)
        return 0;
    Core *core = core_get();
    core_lock();
    *range = (StartedRange){++core->numbers, name, core->started};
    core->started = range;
    core_unlock();
    return range->id;
}

static uint64_t start_ex(const NvtxMessage *message) {
    return start(name_of(message));
}

static uint64_t start_text(const char *text) {
    return start(name_of_text(text, false));
}

static uint64_t start_wide(const wchar_t *text) {
    return start(name_of_text(text, true));
}

static void end(uint64_t id) {
    Core *core = core_get();
    core_lock();
    StartedRange **at = &core->started;
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    StartedRange *range = *at;
    if (range)
        *at = range->next;
    core_unlock();
    if (range)
        free(range->name);
    free(range);
}

void range_push(const char *name) {
    push_text(name);
}

void range_pop(void) {
    pop();
}

/* ---- of domains: their ranges count like others ---- */

static int domain_push(void *domain, const NvtxMessage *message) {
    (void)domain;
    return push_ex(message);
}

static int domain_pop(void *domain) {
    (void)domain;
    return pop();
}

static uint64_t domain_start(void *domain, const NvtxMessage *message) {
    (void)domain;
    return start_ex(message);
}

static void domain_end(void *domain, uint64_t id) {
    (void)domain;
    end(id);
}

/* A registered string's handle is a copy of it, which stays. */
static void *domain_register(void *domain, const char *text) {
    (void)domain;
    return name_of_text(text, false);
}

static void *domain_register_wide(void *domain, const wchar_t *text) {
    (void)domain;
    return name_of_text(text, true);
}

/* ---- what a launch is made in ---- */

static const char *joined(Arena *arena, const char *before, const char *name) {
    return *before ? arena_printf(arena, "%s/%s", before, name) : name;
}

static const char *started_path(Arena *arena, const StartedRange *range) {
    return range ? joined(arena, started_path(arena, range->next), range->name) : "";
}

const char *range_path(Arena *arena) {
    if (!pushed.count && !core_get()->started)
        return NULL;
    core_lock();
    const char *path = started_path(arena, core_get()->started);
    path = arena_copy(arena, path, strlen(path));
    core_unlock();
    for (int i = 0; i < pushed.count && i < RANGES_MOST; i++)
        path = joined(arena, path, pushed.names[i] ? pushed.names[i] : "");
    return *path ? path : NULL;
}

/* ---- the tables ---- */

typedef void (*NvtxFunction)(void);
typedef struct NvtxCallbacks {
    size_t bytes;
    int (*table)(int module, NvtxFunction ***functions, unsigned *count);
} NvtxCallbacks;
typedef const void *(*NvtxExports)(uint32_t id);

enum { EXPORT_CALLBACKS = 1, MODULE_CORE = 1, MODULE_DOMAINS = 5 };

static const struct {
    int module;
    unsigned number;
    NvtxFunction function;
} functions[] = {{MODULE_CORE, 4, (NvtxFunction)start_ex},
                 {MODULE_CORE, 5, (NvtxFunction)start_text},
                 {MODULE_CORE, 6, (NvtxFunction)start_wide},
                 {MODULE_CORE, 7, (NvtxFunction)end},
                 {MODULE_CORE, 8, (NvtxFunction)push_ex},
                 {MODULE_CORE, 9, (NvtxFunction)push_text},
                 {MODULE_CORE, 10, (NvtxFunction)push_wide},
                 {MODULE_CORE, 11, (NvtxFunction)pop},
                 {MODULE_DOMAINS, 2, (NvtxFunction)domain_start},
                 {MODULE_DOMAINS, 3, (NvtxFunction)domain_end},
                 {MODULE_DOMAINS, 4, (NvtxFunction)domain_push},
                 {MODULE_DOMAINS, 5, (NvtxFunction)domain_pop},
                 {MODULE_DOMAINS, 10, (NvtxFunction)domain_register},
                 {MODULE_DOMAINS, 11, (NvtxFunction)domain_register_wide}};

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(NvtxExports exports);
int InitializeInjectionNvtx2(NvtxExports exports) {
    const NvtxCallbacks *callbacks = exports(EXPORT_CALLBACKS);
    if (!callbacks || !callbacks->table)
        return 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        NvtxFunction **table;
        unsigned count;
        if (callbacks->table(functions[i].module, &table, &count) && functions[i].number < count)
            *table[functions[i].number] = functions[i].function;
    }
    return 1;
}

/* ---- the profiler's calls: launches are counted from the start, and after a stop no more until a start, as ncu
 * does it (docs/decisions/0038-profiler-calls.md) ---- */

CUresult cuProfilerStart(void) {
    core_get()->paused = false;
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void) {
    core_get()->paused = true;
    return CUDA_SUCCESS;
}
