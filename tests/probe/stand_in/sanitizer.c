/* libsanitizer-public.so for tests: its "GPU" is this process's memory. stand_in_launch tells the subscriber of a launch, as the real
 * one does, and executes a list of accesses by the rules of the device code.
 *
 * The real one waits for locks of the driver's, which other threads hold that tell the subscriber of something. So here each call waits until another thread
 * has told it of an allocation: whoever calls with a lock held that callbacks take does not get far. */
#include "fails.h"
#include "stand_in.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static SanCallback *subscriber;
static void *subscriber_context;
static _Thread_local const void *launch_data, *function_data;
static _Atomic unsigned launches, at_patches;
static _Atomic size_t allocated;
enum { MEMORY_ALIGNED = 64 };

/* Handles are numbers: of a module, its place and 2. */
static _Thread_local uint32_t place;
static struct {
    const StandInCode *code;
    bool loaded, patched, has_context;
} places[STAND_IN_PLACES];

void stand_in_go(uint32_t to) {
    place = to % STAND_IN_PLACES;
}

static CudaContext *context_here(void) {
    return (CudaContext *)(uintptr_t)(1 + place / 2);
}

static CudaModule *module_here(void) {
    return (CudaModule *)(uintptr_t)(2 + place);
}

static uint32_t place_of(const CudaModule *module) {
    return (uint32_t)(uintptr_t)module - 2;
}

static void tell(SanDomain domain, uint32_t event, const void *data) {
    if (subscriber)
        subscriber(subscriber_context, domain, event, data);
}

/* ---- threads that are in the driver, and tell of something there ---- */

static void *tell_allocation(void *nothing) {
    const SanMemoryData data = {.address = 16, .size = 1};
    tell(SAN_RESOURCE, SAN_MEMORY_ALLOC, &data);
    tell(SAN_RESOURCE, SAN_MEMORY_FREE, &data);
    return nothing;
}

static void wait_for(void *(*other)(void *), const char *function) {
    enum { SECONDS = 20 };
    struct timespec until;
    pthread_t thread;
    if (pthread_create(&thread, NULL, other, NULL) != 0)
        abort();
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    if (pthread_timedjoin_np(thread, NULL, &until) != 0) {
        fprintf(stderr, "stand-in: %s: it is called with a lock held that a callback waits for\n",
                function);
        abort();
    }
}

/* WARPLENS_TEST_STREAM: launches are in a stream of the program's. The real driver waits for ever where code is changed in one, or an
 * event recorded. */
static _Thread_local bool in_launch, is_loading;

static CudaStream *launch_stream(void) {
    return getenv("WARPLENS_TEST_STREAM") ? (CudaStream *)16 : NULL;
}

void stand_in_call(const char *function);
void stand_in_call(const char *function) {
    if (in_launch && launch_stream() && strcmp(function, "cuEventRecord") == 0) {
        fputs("stand-in: an event is recorded in a launch in a stream\n", stderr);
        abort();
    }
    if (subscriber)
        wait_for(tell_allocation, function);
}

static void *load_elsewhere(void *nothing) {
    stand_in_go(STAND_IN_PLACES - 1);
    stand_in_load(places[0].code);
    return nothing;
}

/* WARPLENS_TEST_LOADS: while the first module is patched, a thread loads another, and holds meanwhile what is needed for that. */
static void load_meanwhile(void) {
    if (getenv("WARPLENS_TEST_LOADS") && !places[STAND_IN_PLACES - 1].code)
        wait_for(load_elsewhere, "sanitizerPatchModule");
}

/* WARPLENS_TEST_EVENTS: a file to which each launch adds 'l', each patching 'p', each end of it 'u'. */
static void note(char what) {
    const char *path = getenv("WARPLENS_TEST_EVENTS");
    FILE *file = path ? fopen(path, "ae") : NULL;
    if (file) {
        fputc(what, file);
        fclose(file);
    }
}

static void wait_as_told(const char *variable) {
    const char *milliseconds = getenv(variable);
    if (milliseconds)
        usleep((useconds_t)atoi(milliseconds) * 1000);
}

/* WARPLENS_TEST_CHANGE: that takes so many ms; WARPLENS_TEST_LAUNCH: a launch does. */
static void change_code(char what) {
    if (in_launch && !is_loading && launch_stream()) {
        fputs("stand-in: code is changed in a launch in a stream\n", stderr);
        abort();
    }
    note(what);
    wait_as_told("WARPLENS_TEST_CHANGE");
}

/* ---- the API ---- */

SanResult sanitizerSubscribe(SanSubscriber **to, SanCallback *callback, void *context);
SanResult sanitizerSubscribe(SanSubscriber **to, SanCallback *callback, void *context) {
    const char *refused = getenv("WARPLENS_TEST_SUBSCRIBE"); /* the result, where it is none */
    if (refused)
        return atoi(refused);
    *to = NULL;
    subscriber = callback;
    subscriber_context = context;
    return 0;
}

SanResult sanitizerEnableDomain(uint32_t enable, SanSubscriber *to, SanDomain domain);
SanResult sanitizerEnableDomain(uint32_t enable, SanSubscriber *to, SanDomain domain) {
    (void)enable, (void)to, (void)domain;
    return 0;
}

SanResult sanitizerEnableCallback(uint32_t enable, SanSubscriber *to, SanDomain domain,
                                  uint32_t call);
SanResult sanitizerEnableCallback(uint32_t enable, SanSubscriber *to, SanDomain domain,
                                  uint32_t call) {
    (void)enable, (void)to, (void)domain, (void)call;
    return 0;
}

SanResult sanitizerAddPatchesFromFile(const char *path, CudaContext *context);
SanResult sanitizerAddPatchesFromFile(const char *path, CudaContext *context) {
    (void)context;
    stand_in_call("sanitizerAddPatchesFromFile");
    FILE *file = fopen(path, "re");
    if (file)
        fclose(file);
    return file ? 0 : 1;
}

SanResult sanitizerPatchInstructions(SanInstruction kind, CudaModule *module, const char *function);
SanResult sanitizerPatchInstructions(SanInstruction kind, CudaModule *module,
                                     const char *function) {
    (void)kind, (void)module;
    stand_in_call("sanitizerPatchInstructions");
    return strncmp(function, "warplens_", 9) != 0;
}

SanResult sanitizerPatchModule(CudaModule *module);
SanResult sanitizerPatchModule(CudaModule *module) {
    if (++at_patches > 1) {
        fputs("stand-in: two modules are patched at once\n", stderr);
        abort();
    }
    stand_in_call("sanitizerPatchModule");
    const int result = result_of(__func__);
    if (result == 0) {
        change_code('p');
        load_meanwhile();
        places[place_of(module)].patched = true;
    }
    at_patches--;
    return (SanResult)result;
}

SanResult sanitizerUnpatchModule(CudaModule *module);
SanResult sanitizerUnpatchModule(CudaModule *module) {
    stand_in_call("sanitizerUnpatchModule");
    change_code('u');
    places[place_of(module)].patched = false;
    return 0;
}

SanResult sanitizerGetFunctionPcAndSize(CudaModule *module, const char *name, uint64_t *pc,
                                        uint64_t *size);
SanResult sanitizerGetFunctionPcAndSize(CudaModule *module, const char *name, uint64_t *pc,
                                        uint64_t *size) {
    const StandInCode *code = places[place_of(module)].code;
    stand_in_call("sanitizerGetFunctionPcAndSize");
    if (strcmp(name, code->kernel) != 0)
        return 1;
    *pc = code->pc;
    *size = code->size;
    return 0;
}

SanResult sanitizerSetLaunchCallbackData(SanLaunch *launch, CudaFunction *function,
                                         SanStream *stream, const void *data);
SanResult sanitizerSetLaunchCallbackData(SanLaunch *launch, CudaFunction *function,
                                         SanStream *stream, const void *data) {
    (void)launch, (void)function, (void)stream;
    stand_in_call("sanitizerSetLaunchCallbackData");
    launch_data = data;
    return 0;
}

SanResult sanitizerSetCallbackData(CudaFunction *function, const void *data);
SanResult sanitizerSetCallbackData(CudaFunction *function, const void *data) {
    (void)function;
    stand_in_call("sanitizerSetCallbackData");
    function_data = data;
    return 0;
}

/* WARPLENS_TEST_MEMORY: bytes that there are in all. */
static size_t memory_most(void) {
    const char *bytes = getenv("WARPLENS_TEST_MEMORY");
    return bytes ? (size_t)atol(bytes) : SIZE_MAX;
}

SanResult sanitizerAlloc(CudaContext *context, void **memory, size_t size);
SanResult sanitizerAlloc(CudaContext *context, void **memory, size_t size) {
    enum { OUT_OF_MEMORY = 7, PROMISED = 256 << 20 };
    (void)context;
    stand_in_call("sanitizerAlloc");
    size_t *block = size <= memory_most() - allocated ? malloc(size + MEMORY_ALIGNED) : NULL;
    if (!block)
        return OUT_OF_MEMORY;
    *block = size;
    allocated += size;
    if (allocated > PROMISED)
        fputs("stand-in: more than 256 MiB are taken\n", stderr);
    *memory = (char *)block + MEMORY_ALIGNED;
    return 0;
}

SanResult sanitizerFree(CudaContext *context, void *memory);
SanResult sanitizerFree(CudaContext *context, void *memory) {
    (void)context;
    stand_in_call("sanitizerFree");
    size_t *block = (size_t *)(void *)((char *)memory - MEMORY_ALIGNED);
    allocated -= *block;
    free(block);
    return 0;
}

SanResult sanitizerMemcpyHostToDeviceAsync(void *to, void *from, size_t size, SanStream *stream);
SanResult sanitizerMemcpyHostToDeviceAsync(void *to, void *from, size_t size, SanStream *stream) {
    (void)stream;
    stand_in_call("sanitizerMemcpyHostToDeviceAsync");
    memcpy(to, from, size);
    return 0;
}

SanResult sanitizerMemcpyDeviceToHost(void *to, void *from, size_t size, SanStream *stream);
SanResult sanitizerMemcpyDeviceToHost(void *to, void *from, size_t size, SanStream *stream) {
    (void)stream;
    stand_in_call("sanitizerMemcpyDeviceToHost");
    memcpy(to, from, size);
    return 0;
}

SanResult sanitizerMemset(void *memory, int value, size_t size, SanStream *stream);
SanResult sanitizerMemset(void *memory, int value, size_t size, SanStream *stream) {
    (void)stream;
    stand_in_call("sanitizerMemset");
    memset(memory, value, size);
    return 0;
}

SanResult sanitizerStreamSynchronize(SanStream *stream);
SanResult sanitizerStreamSynchronize(SanStream *stream) {
    (void)stream;
    stand_in_call("sanitizerStreamSynchronize");
    return 0;
}

SanResult sanitizerGetResultString(SanResult result, const char **text);
SanResult sanitizerGetResultString(SanResult result, const char **text) {
    *text = result ? "a stand-in's error" : "no error";
    return 0;
}

/* ---- the GPU ---- */

static void *part_of(ProbeTable *table, uint32_t offset) {
    return (char *)table + offset;
}

static uint32_t slot_of(ProbeTable *table, const StandInAccess *access) {
    uint64_t pc = places[place].code->pc + (uint64_t)access->inst * 16;
    uint32_t key = PROBE_CELL_KEY(pc, access->key.part);
    ProbeCell *last = (ProbeCell *)table - 1, *cell;
    uint32_t at = PROBE_CELL(key);
    do
        cell = last - (at++ & table->cell_mask);
    while (cell->key && cell->key != key);
    if (!cell->key && table->used == table->slot_limit) {
        table->lost++;
        return UINT32_MAX;
    }
    if (!cell->key) {
        ProbeKey *made = (ProbeKey *)part_of(table, table->keys) + table->used;
        *made = access->key;
        made->cell = cell->key = key;
        cell->slot = ++table->used;
    }
    return cell->slot - 1;
}

/* WARPLENS_TEST_DYNAMIC: bytes of dynamic shared memory of the first launch; each later one has as many more. */
static uint32_t dynamic_shared(void) {
    const char *bytes = getenv("WARPLENS_TEST_DYNAMIC");
    return bytes ? (uint32_t)atoi(bytes) * launches : 0;
}

static void execute(ProbeTable *table, const StandInAccess *access) {
    const uint32_t used = table->used;
    uint32_t slot = slot_of(table, access), copy = access->inst % table->copies;
    if (slot == UINT32_MAX)
        return;
    if (table->used > used || table->block_value == 0)
        table->dynamic_shared = dynamic_shared() + 1;
    uint64_t *sums = (uint64_t *)part_of(table, table->sums) +
                     ((size_t)slot * table->copies + copy) * PROBE_SUMS;
    const uint32_t added[PROBE_SUMS] = {access->sums.at0, access->sums.at1, access->sums.at2,
                                        access->sums.at3, access->sums.at4, access->sums.at5,
                                        access->sums.at6, access->sums.at7};
    for (uint32_t i = 0; i < PROBE_SUMS; i++)
        sums[i] += added[i];
    if (table->block_value == 0 && table->sample_most && table->samples < table->sample_limit) {
        ProbeSample *sample = (ProbeSample *)part_of(table, table->records) + table->samples++;
        *sample = (ProbeSample){.slot = slot, .mask = access->mask};
        memcpy(sample->address, access->address.at, sizeof sample->address);
    }
}

static void load(void) {
    const StandInCode *loaded = places[place].code;
    places[place].loaded = true;
    if (!places[place & ~1u].has_context)
        tell(SAN_RESOURCE, SAN_CONTEXT_CREATED, &(SanContextData){.context = context_here()});
    places[place & ~1u].has_context = true;
    is_loading = true;
    tell(SAN_RESOURCE, SAN_MODULE_LOADED,
         &(SanModuleData){.context = context_here(),
                          .module = module_here(),
                          .cubin_size = loaded->cubin_size,
                          .cubin = loaded->cubin});
    is_loading = false;
}

/* WARPLENS_TEST_LAZY: only when it is launched. */
void stand_in_load(const StandInCode *loaded) {
    places[place].code = loaded;
    if (!getenv("WARPLENS_TEST_LAZY"))
        load();
}

void stand_in_allocated(uint64_t address, uint64_t bytes) {
    tell(SAN_RESOURCE, SAN_MEMORY_ALLOC, &(SanMemoryData){.address = address, .size = bytes});
}

enum { FUNCTIONS = 1 << 16 }; /* of a place, at most */

static SanLaunchData launch_of(uint32_t blocks, uint32_t threads) {
    const StandInCode *code = places[place].code;
    return (SanLaunchData){.context = context_here(),
                           .stream = launch_stream(),
                           .module = module_here(),
                           .function =
                               (CudaFunction *)(uintptr_t)(FUNCTIONS * (place + 1) + code->number),
                           .name = code->kernel,
                           .grid = {blocks, 1, 1},
                           .block = {threads, 1, 1}};
}

static void execute_all(const void *table, const StandInAccess *accesses, uint32_t count) {
    for (uint32_t i = 0; places[place].patched && table && i < count; i++)
        execute((ProbeTable *)(uintptr_t)table, &accesses[i]);
}

/* WARPLENS_TEST_REFUSES: the number of the launch that the driver does not do, from 1. */
static bool is_refused(void) {
    const char *number = getenv("WARPLENS_TEST_REFUSES");
    return number && (unsigned)atoi(number) == launches;
}

/* What the driver knows of a function: driver.c. */
bool stand_in_function(const CudaFunction *function, CudaModule **module, const char **name);
bool stand_in_function(const CudaFunction *function, CudaModule **module, const char **name) {
    const uint32_t at = (uint32_t)((uintptr_t)function / FUNCTIONS) - 1;
    if (at >= STAND_IN_PLACES || !places[at].loaded)
        return false;
    *module = (CudaModule *)(uintptr_t)(2 + at);
    *name = places[at].code->kernel;
    return true;
}

/* The call, which tells of the kernel by its handle. By the newer call its name is anything, as with the real one. WARPLENS_TEST_EX: it is that.
 * WARPLENS_TEST_UNSEEN: another one, which tells nothing. */
static void enter(const SanLaunchData *data) {
    const SanLaunchParameters usual = {.function = data->function, .stream = data->stream};
    const SanLaunchConfig config = {.stream = data->stream};
    const SanLaunchExParameters ex = {.config = &config, .function = data->function};
    bool is_ex = getenv("WARPLENS_TEST_EX") != NULL;
    const SanCallData call = {.site = SAN_CALL_ENTERS,
                              .parameters = is_ex ? (const void *)&ex : &usual,
                              .kernel = is_ex ? (const char *)1 : data->name,
                              .context = context_here()};
    if (!getenv("WARPLENS_TEST_UNSEEN"))
        tell(SAN_DRIVER, is_ex ? SAN_LAUNCH_KERNEL_EX : SAN_LAUNCH_KERNEL, &call);
}

void stand_in_launch(uint32_t blocks, uint32_t threads, const StandInAccess *accesses,
                     uint32_t count) {
    SanLaunchData data = launch_of(blocks, threads);
    launch_data = NULL;
    launches++;
    enter(&data);
    in_launch = true;
    if (!places[place].loaded)
        load();
    tell(SAN_LAUNCH, SAN_LAUNCH_BEGIN, &data);
    note('l');
    wait_as_told("WARPLENS_TEST_LAUNCH");
    enum { OUT_OF_MEMORY = 2 };
    const int result = is_refused() ? OUT_OF_MEMORY : 0;
    execute_all(launch_data, accesses, result ? 0 : count);
    memset(data.grid, 0, sizeof data.grid); /* as the real one has it */
    tell(SAN_LAUNCH, SAN_LAUNCH_END, &data);
    in_launch = false;
    tell(SAN_DRIVER, SAN_LAUNCH_KERNEL,
         &(SanCallData){.site = SAN_CALL_RETURNS, .result = &result});
}

void stand_in_graph(uint32_t nodes, uint32_t blocks, uint32_t threads,
                    const StandInAccess *accesses, uint32_t count) {
    const SanGraphData upload = {.upload = 1}, graph = {.upload = 0};
    const SanNodeData node = {.type = SAN_NODE_KERNEL, .data = launch_of(blocks, threads)};
    tell(SAN_DRIVER, SAN_GRAPH_INSTANTIATE,
         &(SanCallData){.site = SAN_CALL_ENTERS, .context = context_here()});
    in_launch = true;
    tell(SAN_GRAPHS, SAN_GRAPH_BEGIN, &upload);
    tell(SAN_GRAPHS, SAN_NODE_BEGIN, &node);
    tell(SAN_GRAPHS, SAN_GRAPH_END, &upload);
    tell(SAN_GRAPHS, SAN_GRAPH_BEGIN, &graph);
    for (uint32_t i = 0; i < nodes; i++)
        tell(SAN_GRAPHS, SAN_NODE_BEGIN, &node);
    for (uint32_t i = 0; i < nodes; i++)
        execute_all(function_data, accesses, count);
    tell(SAN_GRAPHS, SAN_GRAPH_END, &graph);
    in_launch = false;
}
