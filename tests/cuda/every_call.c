/* Every call of the driver and of the runtime that is implemented (cuda/api.def, cuda/runtime/calls.def), with one argument
 * wrong. Arguments are made by their types as the tables declare them: objects that live, memory, structures that are in order.
 * Then each in turn is what follows, and last all are right:
 *   a handle or a pointer     NULL; zeroes, as of a handle of nothing or of a structure that nobody filled
 *   a number                  0; the highest there is
 * A row is the call's name and what it returned each time, "crash" where it did not, "-" where it was not called.
 *
 *     every_call [--apart FIRST STEP] [NAME …]
 *
 * --apart: every STEP-th call from FIRST, each in a process of its own, and anew behind a crash: on a GPU the calls of a row may
 * end theirs. "NAME:K" on standard input leaves out call K of a row, counted from 0. With WARPLENS_TEST_RIGHT only the last one
 * of each row is made, whose arguments would be right, before any other call. */
#include "cuda/runtime/runtime.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGISTERS = 6, WORDS = 26, MOST = 16, CALLS = 2 * MOST + 1, ROOM = 4096, SECONDS = 10 };
enum { CRASH = -1, NOT_CALLED = -2 };

typedef struct Row {
    const char *name, *parameters;
} Row;

static const Row rows[] = {
#define CALL(name, since, parameters) {#name, #parameters},
#include "cuda/api.def"
#define CALL(name, parameters) {#name, #parameters},
#define CALL_OF(type, name, parameters)
#define CALL_12_13(name, parameters_12, parameters_13) {#name, #parameters_13},
#define MISSING(name, reason)
#include "cuda/runtime/calls.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Calls that do not return an error, that end the program, or that functions which nvcc makes call. */
static bool left_out(const char *name) {
    static const char *const names[] = {"cudaGetErrorName", "cudaGetErrorString",
                                        "cudaGetLastError", "cudaPeekAtLastError", "cuParamSetf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return name[0] == '_';
}

/* ---- what is called ---- */

typedef int (*Call)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                    uint64_t, uint64_t);

static Call found(const char *name) {
    static void *driver, *runtime;
    if (!driver) {
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
        runtime = dlopen("libcudart.so.13", RTLD_NOW | RTLD_GLOBAL);
    }
    void *library = strncmp(name, "cuda", 4) == 0 ? runtime : driver;
    Call call = NULL;
    if (library)
        *(void **)&call = dlsym(library, name);
    return call;
}

/* A call of the driver's for which all arguments are words. */
static int driver(const char *name, const uint64_t *word) {
    Call call = found(name);
    return call ? call(word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7], 0, 0,
                       0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
                : CRASH;
}
#define WORD(value) ((uint64_t)(uintptr_t)(value))
#define DRIVER(name, ...) driver(name, (const uint64_t[8]){__VA_ARGS__})

/* ---- what lives ---- */

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 g;\n"
    ".visible .entry k(.param .u64 p) { ret; }\n";

typedef struct World {
    uint64_t context, stream, event, memory, managed, module, function, library, kernel, graph,
        node, exec, array, mipmapped, pool, texture, surface, user, linking, green;
} World;

static void nothing(void *data) {
    (void)data;
}

static CUDA_RESOURCE_DESC resource_of(uint64_t array) {
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_ARRAY};
    resource.res.array.hArray = (CUarray)(uintptr_t)array;
    return resource;
}

static void world_make(World *w) {
    static const CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 16, .Height = 16, .Format = 0x20, .NumChannels = 1, .Flags = 2};
    static const CUDA_TEXTURE_DESC reading;
    static const CUmemPoolProps props = {.allocType = ALLOCATION_PINNED,
                                         .location = {LOCATION_DEVICE, 0}};
    *w = (World){0};
    DRIVER("cuInit", 0);
    if (DRIVER("cuDevicePrimaryCtxRetain", WORD(&w->context), 0) != 0)
        return;
    DRIVER("cuCtxSetCurrent", w->context);
    DRIVER("cuStreamCreate", WORD(&w->stream), 0);
    DRIVER("cuEventCreate", WORD(&w->event), 0);
    DRIVER("cuMemAlloc_v2", WORD(&w->memory), ROOM);
    DRIVER("cuMemAllocManaged", WORD(&w->managed), ROOM, 1);
    DRIVER("cuModuleLoadData", WORD(&w->module), WORD(ptx));
    DRIVER("cuModuleGetFunction", WORD(&w->function), w->module, WORD("k"));
    DRIVER("cuLibraryLoadData", WORD(&w->library), WORD(ptx));
    DRIVER("cuLibraryGetKernel", WORD(&w->kernel), w->library, WORD("k"));
    DRIVER("cuGraphCreate", WORD(&w->graph), 0);
    DRIVER("cuGraphAddEmptyNode", WORD(&w->node), w->graph);
    DRIVER("cuGraphInstantiateWithFlags", WORD(&w->exec), w->graph);
    DRIVER("cuArray3DCreate_v2", WORD(&w->array), WORD(&shape));
    DRIVER("cuMipmappedArrayCreate", WORD(&w->mipmapped), WORD(&shape), 2);
    DRIVER("cuMemPoolCreate", WORD(&w->pool), WORD(&props));
    const CUDA_RESOURCE_DESC resource = resource_of(w->array);
    DRIVER("cuTexObjectCreate", WORD(&w->texture), WORD(&resource), WORD(&reading));
    DRIVER("cuSurfObjectCreate", WORD(&w->surface), WORD(&resource));
    DRIVER("cuUserObjectCreate", WORD(&w->user), WORD(w), WORD(nothing), 1, 1);
    DRIVER("cuLinkCreate_v2", 0, 0, 0, WORD(&w->linking));
    DRIVER("cuGreenCtxCreate", WORD(&w->green), 0, 0, 1);
}

/* ---- arguments ---- */

typedef enum Kind { HANDLE, POINTER, NUMBER, STRUCTURE } Kind;

typedef struct Argument {
    Kind kind;
    uint32_t words, bits;
    bool in_memory; /* on the stack whatever is free */
    uint64_t right[4];
} Argument;

static _Alignas(64) char room[MOST + 3][ROOM];
#define ZEROES (room[MOST])
#define HOST (room[MOST + 1])
static void *pointers[ROOM / sizeof(void *)];

/* What a pointer to `type` points to: a structure in order, a list that begins with an object, or zeroes. */
static void fill(const World *w, const char *type, void *at) {
    const CUDA_RESOURCE_DESC resource = resource_of(w->array);
#define FILL(Type, ...)                                                                            \
    if (strcmp(type, #Type) == 0)                                                                  \
        *(Type *)at = (Type)__VA_ARGS__;
    FILL(CUgraphNode, (uintptr_t)w->node)
    FILL(CUdeviceptr, w->memory)
    FILL(CUstream, (uintptr_t)w->stream)
    FILL(CUevent, (uintptr_t)w->event)
    FILL(CUuserObject, (uintptr_t)w->user)
    FILL(size_t, 64)
    FILL(int, 1)
    FILL(unsigned, 1)
    FILL(CUmemLocation, {LOCATION_DEVICE, 0})
    FILL(CUmemAccessDesc, {{LOCATION_DEVICE, 0}, ACCESS_READ_WRITE})
    FILL(CUmemPoolProps, {.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}})
    FILL(CUmemAllocationProp, {.type = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}})
    FILL(CUDA_ARRAY_DESCRIPTOR, {16, 16, 0x20, 1})
    FILL(CUDA_ARRAY3D_DESCRIPTOR, {.Width = 16, .Height = 16, .Format = 0x20, .NumChannels = 1})
    if (strcmp(type, "CUDA_RESOURCE_DESC") == 0)
        *(CUDA_RESOURCE_DESC *)at = resource;
    FILL(CUDA_HOST_NODE_PARAMS, {nothing, NULL})
    FILL(CUDA_KERNEL_NODE_PARAMS, {.func = (CUfunction)(uintptr_t)w->function,
                                   .gridDim = {1, 1, 1},
                                   .blockDim = {32, 1, 1},
                                   .kernelParams = pointers})
    FILL(CUDA_MEMSET_NODE_PARAMS, {.dst = w->memory, .elementSize = 1, .width = 64, .height = 1})
    FILL(CUDA_MEMCPY2D, {.srcMemoryType = MEMORYTYPE_HOST,
                         .srcHost = HOST,
                         .srcPitch = 64,
                         .dstMemoryType = MEMORYTYPE_DEVICE,
                         .dstDevice = w->memory,
                         .dstPitch = 64,
                         .WidthInBytes = 64,
                         .Height = 2})
    FILL(CUDA_MEMCPY3D, {.srcMemoryType = MEMORYTYPE_HOST,
                         .srcHost = HOST,
                         .srcPitch = 64,
                         .srcHeight = 2,
                         .dstMemoryType = MEMORYTYPE_DEVICE,
                         .dstDevice = w->memory,
                         .dstPitch = 64,
                         .dstHeight = 2,
                         .WidthInBytes = 64,
                         .Height = 2,
                         .Depth = 1})
    FILL(CUlaunchConfig,
         {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .hStream = (CUstream)(uintptr_t)w->stream})
    FILL(CUDA_GRAPH_INSTANTIATE_PARAMS, {0})
    FILL(CUgraphNodeParams, {.type = NODE_EMPTY})
    FILL(dim3, {1, 1, 1})
    FILL(cudaChannelFormatDesc, {.x = 32, .f = 2})
    FILL(cudaExtent, {16, 16, 1})
    FILL(cudaPitchedPtr, {(void *)(uintptr_t)w->memory, 64, 64, 2})
    FILL(cudaResourceDesc,
         {.resType = RESOURCE_TYPE_ARRAY, .res.array.array = (CUarray)(uintptr_t)w->array})
    FILL(cudaKernelNodeParams, {.func = (void *)(uintptr_t)w->function,
                                .gridDim = {1, 1, 1},
                                .blockDim = {32, 1, 1},
                                .kernelParams = pointers})
    FILL(cudaMemsetParams,
         {.dst = (void *)(uintptr_t)w->memory, .elementSize = 1, .width = 64, .height = 1})
    FILL(cudaMemcpy3DParms, {.srcPtr = {HOST, 64, 64, 2},
                             .dstPtr = {(void *)(uintptr_t)w->memory, 64, 64, 2},
                             .extent = {64, 2, 1},
                             .kind = COPY_HOST_TO_DEVICE})
    FILL(cudaMemcpy3DPeerParms, {.srcPtr = {(void *)(uintptr_t)w->managed, 64, 64, 2},
                                 .dstPtr = {(void *)(uintptr_t)w->memory, 64, 64, 2},
                                 .extent = {64, 2, 1}})
    FILL(cudaLaunchConfig,
         {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .stream = (CUstream)(uintptr_t)w->stream})
    FILL(cudaGraphNodeParams, {.type = NODE_EMPTY})
}

/* An argument of a type that is no pointer. */
static Argument plain(const World *w, const char *type, const char *name) {
    const struct {
        const char *type;
        uint64_t object;
    } handles[] = {{"CUcontext", w->context},
                   {"CUstream", w->stream},
                   {"CUevent", w->event},
                   {"CUdeviceptr", w->memory},
                   {"CUmodule", w->module},
                   {"CUfunction", w->function},
                   {"CUlibrary", w->library},
                   {"CUkernel", w->kernel},
                   {"CUgraph", w->graph},
                   {"CUgraphNode", w->node},
                   {"CUgraphExec", w->exec},
                   {"CUarray", w->array},
                   {"CUmipmappedArray", w->mipmapped},
                   {"CUmemoryPool", w->pool},
                   {"CUtexObject", w->texture},
                   {"CUsurfObject", w->surface},
                   {"CUuserObject", w->user},
                   {"CUlinkState", w->linking},
                   {"CUgreenCtx", w->green},
                   {"CUdevResourceDesc", 0},
                   {"CUmemGenericAllocationHandle", 0},
                   {"CUlogsCallbackHandle", 0},
                   {"CUasyncCallbackHandle", 0},
                   {"CUhostFn", WORD(nothing)},
                   {"CUstreamCallback", WORD(nothing)},
                   {"CUlogsCallback", WORD(nothing)},
                   {"CUoccupancyB2DSize", 0}};
    static const struct {
        const char *type;
        Argument argument;
    } structures[] = {{"dim3", {STRUCTURE, 2, 32, false, {1 | UINT64_C(1) << 32, 1}}},
                      {"cudaExtent", {STRUCTURE, 3, 64, true, {16, 16, 1}}},
                      {"CUmemLocation", {STRUCTURE, 1, 64, false, {LOCATION_DEVICE}}}};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (strcmp(type, handles[i].type) == 0)
            return (Argument){HANDLE, 1, 64, false, {handles[i].object}};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (strcmp(type, structures[i].type) == 0)
            return structures[i].argument;
    if (strcmp(type, "cudaPitchedPtr") == 0)
        return (Argument){STRUCTURE, 4, 64, true, {w->memory, 64, 64, 2}};
    if (strncmp(type, "CUipc", 5) == 0)
        return (Argument){STRUCTURE, 8, 64, true, {0}};
    bool wide = strcmp(type, "size_t") == 0 || strcmp(type, "uint64_t") == 0 ||
                strncmp(type, "unsigned long", 13) == 0;
    bool flags = strstr(name, "lags") || strcmp(name, "value") == 0 ||
                 strcmp(type, "CUdevice") == 0 || strstr(name, "device");
    return (Argument){NUMBER, 1, wide ? 64 : 32, false, {wide ? 64 : flags ? 0 : 1}};
}

/* "const CUgraphNode *before": the argument number `i` of a call. */
static Argument argument_of(const World *w, char *text, int i) {
    char *end = text + strlen(text), *name = end;
    while (name > text &&
           (name[-1] == '_' || (name[-1] | 32) >= 'a' || (name[-1] >= '0' && name[-1] <= '9')) &&
           name[-1] != ' ')
        name--;
    char type[128];
    snprintf(type, sizeof type, "%.*s", (int)(name - text), text);
    for (size_t length = strlen(type); length && type[length - 1] == ' ';)
        type[--length] = '\0';
    const char *base = strncmp(type, "const ", 6) == 0 ? type + 6 : type;
    char *star = strchr(type, '*');
    if (!star)
        return plain(w, base, name);
    if (strcmp(name, "extra") == 0) /* in place of the other list of parameters */
        return (Argument){POINTER, 1, 64, false, {0}};
    if (strcmp(type, "const void *") == 0 &&
        strcmp(name, "host") == 0) /* of the runtime: kernels may be given so */
        return (Argument){POINTER, 1, 64, false, {w->kernel}};
    const bool two = star[1] == '*';
    for (*star = '\0'; star > base && star[-1] == ' ';)
        *--star = '\0';
    memset(room[i], 0, ROOM);
    if (two)
        for (int k = 0; k < MOST; k++)
            ((void **)room[i])[k] = HOST;
    else if (strcmp(base, "char") == 0)
        strcpy(room[i], "k");
    else
        fill(w, base, room[i]);
    return (Argument){POINTER, 1, 64, false, {WORD(room[i])}};
}

static int arguments_of(const World *w, const char *parameters, Argument *argument) {
    char text[2048];
    snprintf(text, sizeof text, "%s", parameters + 1);
    text[strlen(text) - 1] = '\0';
    int count = 0;
    char *rest = NULL;
    for (char *one = strtok_r(text, ",", &rest); one && count < MOST;
         one = strtok_r(NULL, ",", &rest)) {
        while (*one == ' ' || *one == '\n')
            one++;
        if (strcmp(one, "void") != 0) {
            argument[count] = argument_of(w, one, count);
            count++;
        }
    }
    return count;
}

/* ---- a call ---- */

/* The words of an argument: right, or wrong in the first or the second way. */
static void words_of(const Argument *argument, int wrong, uint64_t *word) {
    for (uint32_t i = 0; i < argument->words; i++) {
        uint64_t highest = argument->bits == 64 ? UINT64_MAX : UINT32_MAX;
        if (argument->kind == STRUCTURE && argument->words == 2 && i == 0)
            highest = UINT64_MAX; /* two numbers */
        uint64_t other =
            argument->kind == HANDLE || argument->kind == POINTER ? WORD(ZEROES) : highest;
        word[i] = wrong == 0 ? (i < 4 ? argument->right[i] : 0) : wrong == 1 ? 0 : other;
    }
}

/* As the ABI of x86-64 has it: what does not fit into the registers that are left is on the stack, whole. */
static int call_with(Call call, const Argument *argument, int count, int wrong_one, int wrong) {
    uint64_t word[WORDS] = {0}, own[8];
    uint32_t in_registers = 0, on_stack = REGISTERS;
    for (int i = 0; i < count; i++) {
        words_of(&argument[i], i == wrong_one ? wrong : 0, own);
        bool fits = !argument[i].in_memory && in_registers + argument[i].words <= REGISTERS;
        uint32_t *at = fits ? &in_registers : &on_stack;
        for (uint32_t k = 0; k < argument[i].words && *at < WORDS; k++)
            word[(*at)++] = own[k];
    }
    return call(word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7], word[8],
                word[9], word[10], word[11], word[12], word[13], word[14], word[15], word[16],
                word[17], word[18], word[19], word[20], word[21], word[22], word[23], word[24],
                word[25]);
}

/* How many calls a row has. */
static int calls_of(const Row *row) {
    static const World none;
    Argument argument[MOST];
    return 2 * arguments_of(&none, row->parameters, argument) + 1;
}

/* Makes the calls from `from` on; tells of each. */
static void make(const Row *row, int from, const bool *skip, void tell(void *, int, int),
                 void *context) {
    Call call = found(row->name);
    World world;
    const int last = calls_of(row) - 1;
    if (getenv("WARPLENS_TEST_RIGHT")) {
        static const World none;
        Argument argument[MOST];
        int count = arguments_of(&none, row->parameters, argument);
        tell(context, last, call ? call_with(call, argument, count, -1, 0) : CRASH);
        return;
    }
    for (int i = 0; i < (int)(sizeof pointers / sizeof *pointers); i++)
        pointers[i] = HOST;
    world_make(&world);
    for (int i = from; i <= last; i++) {
        Argument argument[MOST];
        int count = arguments_of(&world, row->parameters, argument);
        memset(ZEROES, 0, ROOM);
        DRIVER("cuCtxSetCurrent", world.context);
        if (!skip[i])
            tell(context, i,
                 call ? call_with(call, argument, count, i < last ? i / 2 : -1, i % 2 + 1) : CRASH);
    }
}

static void store(void *context, int i, int result) {
    ((int *)context)[i] = result;
}

static void send(void *context, int i, int result) {
    const int pair[2] = {i, result};
    if (write(*(int *)context, pair, sizeof pair) != sizeof pair)
        _exit(1);
}

static void make_apart(const Row *row, const bool *skip, int *result) {
    for (int from = 0; from < calls_of(row);) {
        int ends[2], pair[2];
        if (pipe(ends) != 0)
            exit(1);
        pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            make(row, from, skip, send, &ends[1]);
            exit(0); /* and not _exit: counters of coverage are written then */
        }
        close(ends[1]);
        int next = from;
        while (read(ends[0], pair, sizeof pair) == sizeof pair) {
            result[pair[0]] = pair[1];
            next = pair[0] + 1;
        }
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status))
            return;
        while (next < calls_of(row) && skip[next])
            next++;
        if (next < calls_of(row))
            result[next] = CRASH;
        from = next + 1;
    }
}

/* ---- all ---- */

static bool skip[ROWS][CALLS];

static void read_skipped(void) {
    char name[128];
    int call;
    while (scanf(" %127[^:]:%d", name, &call) == 2)
        for (int i = 0; i < ROWS; i++)
            if (call >= 0 && call < CALLS && strcmp(rows[i].name, name) == 0)
                skip[i][call] = true;
}

static bool is_named(char **names, const char *name) {
    for (char **one = names; *one; one++)
        if (strcmp(*one, name) == 0)
            return true;
    return !*names;
}

int main(int argc, char **argv) {
    const bool apart = argc > 3 && strcmp(argv[1], "--apart") == 0;
    const int first = apart ? atoi(argv[2]) : 0, step = apart ? atoi(argv[3]) : 1;
    read_skipped();
    for (int i = first; i < ROWS; i += step) {
        int result[CALLS];
        if (left_out(rows[i].name) || !is_named(argv + (apart ? 4 : 1), rows[i].name))
            continue;
        for (int k = 0; k < CALLS; k++)
            result[k] = NOT_CALLED;
        printf("%s", rows[i].name);
        fflush(stdout);
        if (apart)
            make_apart(&rows[i], skip[i], result);
        else
            make(&rows[i], 0, skip[i], store, result);
        for (int k = 0; k < calls_of(&rows[i]); k++) {
            if (result[k] == NOT_CALLED || result[k] == CRASH)
                printf(result[k] == CRASH ? " crash" : " -");
            else
                printf(" %d", result[k]);
        }
        puts("");
        fflush(stdout);
    }
    return 0;
}
