/* Every call of the driver and of the runtime that is implemented (cuda/api.def, cuda/runtime/calls.def), with one argument
 * wrong. Arguments are made by their types as the tables declare them: objects that live, memory, structures that are in order.
 * Then each in turn is what follows, and last all are right:
 *   a handle or a pointer     NULL; zeroes, as of a handle of nothing or of a structure that nobody filled
 *   a number                  0; the highest there is
 * With --fields, each argument has a row:
 *   a number of 32 bits       2 to 20, as members of an enumeration are
 *   a structure               each 32 bits of it are 0, 1, 3 and 2^32 - 1 in turn; an address is NULL
 * A row is the call's name (/argument.form) and what it returned each time, "crash" where it did not, "-" where it was not called.
 *
 *     every_call [--fields] [--apart FIRST STEP] [NAME …]
 *
 * --apart: every STEP-th call from FIRST, each in a process of its own, and anew behind a crash: on a GPU the calls of a row may
 * end theirs. With WARPLENS_TEST_RIGHT only the last one of each row is made, whose arguments would be right, before any other call. */
#include "cuda/runtime/runtime.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGISTERS = 6, WORDS = 26, MOST = 16, CALLS = 320, ROOM = 4096, SECONDS = 10 };
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

static _Alignas(64) char room[MOST + 3][ROOM];
#define ZEROES (room[MOST])
#define HOST (room[MOST + 1])
static void *pointers[ROOM / sizeof(void *)];

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 g;\n"
    ".visible .entry k(.param .u64 p) { ret; }\n";

/* Nodes by what calls that are for such have in their names. */
static const char *const node_names[] = {"KernelNode",    "MemcpyNode",     "MemsetNode",
                                         "HostNode",      "ChildGraphNode", "EventRecordNode",
                                         "EventWaitNode", "BatchMemOpNode", "MemAllocNode"};
enum { NODES = sizeof node_names / sizeof *node_names };

typedef struct World {
    uint64_t context, stream, event, memory, managed, module, function, library, kernel, graph,
        child, node, exec, array, mipmapped, pool, texture, surface, user, linking, green;
    uint64_t nodes[NODES]; /* of other kinds */
    const char *call;      /* that is made */
    int varied;            /* the argument whose structure has that form; others have the first */
    uint32_t form;
} World;

static void nothing(void *data) {
    (void)data;
}

static CUDA_RESOURCE_DESC resource_of(uint64_t array) {
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_ARRAY};
    resource.res.array.hArray = (CUarray)(uintptr_t)array;
    return resource;
}

static CUDA_MEMCPY3D copy_of(const World *w) {
    return (CUDA_MEMCPY3D){.srcMemoryType = MEMORYTYPE_HOST,
                           .srcHost = HOST,
                           .srcPitch = 64,
                           .srcHeight = 2,
                           .dstMemoryType = MEMORYTYPE_DEVICE,
                           .dstDevice = w->memory,
                           .dstPitch = 64,
                           .dstHeight = 2,
                           .WidthInBytes = 64,
                           .Height = 2,
                           .Depth = 1};
}

static CUDA_KERNEL_NODE_PARAMS kernel_of(const World *w) {
    return (CUDA_KERNEL_NODE_PARAMS){.func = (CUfunction)(uintptr_t)w->function,
                                     .gridDim = {1, 1, 1},
                                     .blockDim = {32, 1, 1},
                                     .kernelParams = pointers};
}

static CUDA_MEMSET_NODE_PARAMS set_of(const World *w) {
    return (CUDA_MEMSET_NODE_PARAMS){.dst = w->memory, .elementSize = 1, .width = 64, .height = 1};
}

static CUstreamBatchMemOpParams operation_of(const World *w) {
    enum { WRITE_VALUE_32 = 2 };
    return (CUstreamBatchMemOpParams){.value = {WRITE_VALUE_32, w->memory, 0, 0, 0}};
}

/* Memory that a graph allocates cannot be in an executable graph twice: its node is of another graph. */
static void nodes_make(World *w) {
    static CUstreamBatchMemOpParams operation;
    const CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(w);
    const CUDA_MEMCPY3D copy = copy_of(w);
    const CUDA_MEMSET_NODE_PARAMS set = set_of(w);
    const CUDA_HOST_NODE_PARAMS host = {nothing, NULL};
    const CUDA_BATCH_MEM_OP_NODE_PARAMS batch = {(CUcontext)(uintptr_t)w->context, 1, &operation,
                                                 0};
    CUDA_MEM_ALLOC_NODE_PARAMS allocation = {
        .poolProps = {.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}},
        .bytesize = ROOM};
    uint64_t other = 0, *node = w->nodes;
    operation = operation_of(w);
    DRIVER("cuGraphCreate", WORD(&other), 0);
    DRIVER("cuGraphAddKernelNode_v2", WORD(&node[0]), w->graph, 0, 0, WORD(&kernel));
    DRIVER("cuGraphAddMemcpyNode", WORD(&node[1]), w->graph, 0, 0, WORD(&copy), w->context);
    DRIVER("cuGraphAddMemsetNode", WORD(&node[2]), w->graph, 0, 0, WORD(&set), w->context);
    DRIVER("cuGraphAddHostNode", WORD(&node[3]), w->graph, 0, 0, WORD(&host));
    DRIVER("cuGraphAddChildGraphNode", WORD(&node[4]), w->graph, 0, 0, w->child);
    DRIVER("cuGraphAddEventRecordNode", WORD(&node[5]), w->graph, 0, 0, w->event);
    DRIVER("cuGraphAddEventWaitNode", WORD(&node[6]), w->graph, 0, 0, w->event);
    DRIVER("cuGraphAddBatchMemOpNode", WORD(&node[7]), w->graph, 0, 0, WORD(&batch));
    DRIVER("cuGraphAddMemAllocNode", WORD(&node[8]), other, 0, 0, WORD(&allocation));
}

/* The node that the call is for. */
static uint64_t node_for(const World *w) {
    for (int i = 0; i < NODES; i++)
        if (w->call && strstr(w->call, node_names[i]))
            return w->nodes[i];
    return w->node;
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
    DRIVER("cuGraphCreate", WORD(&w->child), 0);
    DRIVER("cuGraphAddEmptyNode", WORD(&w->node), w->graph);
    nodes_make(w);
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
    size_t structure; /* what it points to has so many bytes; 0: it is none */
} Argument;

/* What a pointer to `type` points to: a list that begins with an object or a number, a structure in order (of those that it may have
 * the one of that number), or zeroes. Returns how large the structure is; 0: it is none, or has no such form. */
static size_t fill(const World *w, const char *type, uint32_t form, void *at) {
    const CUmemPoolProps pool = {.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}};
    void *memory = (void *)(uintptr_t)w->memory;
    CUarray array = (CUarray)(uintptr_t)w->array;
    CUmipmappedArray mipmapped = (CUmipmappedArray)(uintptr_t)w->mipmapped;
    CUgraph child = (CUgraph)(uintptr_t)w->child;
    CUevent event = (CUevent)(uintptr_t)w->event;
    static CUstreamBatchMemOpParams operation;
    operation = operation_of(w);
#define ONE(Type, ...)                                                                             \
    if (strcmp(type, #Type) == 0) {                                                                \
        const Type one = __VA_ARGS__;                                                              \
        *(Type *)at = one;                                                                         \
        return 0;                                                                                  \
    }
#define FORMS(Type, ...)                                                                           \
    if (strcmp(type, #Type) == 0) {                                                                \
        const Type forms[] = {__VA_ARGS__};                                                        \
        if (form >= sizeof forms / sizeof *forms)                                                  \
            return 0;                                                                              \
        memcpy(at, &forms[form], sizeof *forms);                                                   \
        return sizeof *forms;                                                                      \
    }
    ONE(CUgraphNode, (CUgraphNode)(uintptr_t)w->node)
    ONE(CUdeviceptr, w->memory)
    ONE(CUstream, (CUstream)(uintptr_t)w->stream)
    ONE(CUevent, event)
    ONE(CUuserObject, (CUuserObject)(uintptr_t)w->user)
    ONE(size_t, 64)
    ONE(int, 1)
    ONE(unsigned, 1)
    FORMS(CUmemLocation, {LOCATION_DEVICE, 0})
    FORMS(CUmemAccessDesc, {{LOCATION_DEVICE, 0}, ACCESS_READ_WRITE})
    FORMS(CUmemPoolProps, pool)
    FORMS(CUmemAllocationProp, {.type = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}})
    FORMS(CUmemcpyAttributes, {1, {LOCATION_DEVICE, 0}, {LOCATION_DEVICE, 0}, 0})
    FORMS(CUdevResource, {.type = 1, .sm = {8, 8, 8}})
    FORMS(CUexecAffinityParam, {0, 8})
    FORMS(CUgraphEdgeData, {0})
    FORMS(CUlaunchAttributeValue, {.number = 1})
    FORMS(CUDA_ARRAY_DESCRIPTOR, {16, 16, 0x20, 1}, {16, 0, 0x08, 4})
    FORMS(CUDA_ARRAY3D_DESCRIPTOR, {.Width = 16, .Height = 16, .Format = 0x20, .NumChannels = 1},
          {.Width = 16, .Height = 16, .Depth = 6, .Format = 0x10, .NumChannels = 2, .Flags = 1})
    FORMS(CUDA_RESOURCE_DESC, {.resType = RESOURCE_TYPE_ARRAY, .res.array.hArray = array},
          {.resType = RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.hMipmappedArray = mipmapped},
          {.resType = RESOURCE_TYPE_LINEAR, .res.linear = {w->memory, 0x20, 1, 256}},
          {.resType = RESOURCE_TYPE_PITCH2D, .res.pitch2D = {w->memory, 0x20, 1, 16, 4, 128}})
    FORMS(CUDA_RESOURCE_VIEW_DESC, {.width = 16, .height = 16},
          {.format = 22, .width = 16, .height = 16})
    FORMS(CUDA_TEXTURE_DESC, {.maxAnisotropy = 1})
    FORMS(CUDA_HOST_NODE_PARAMS, {nothing, NULL})
    FORMS(CUDA_KERNEL_NODE_PARAMS, kernel_of(w))
    FORMS(CUDA_MEMSET_NODE_PARAMS, set_of(w))
    FORMS(CUDA_MEM_ALLOC_NODE_PARAMS, {.poolProps = pool, .bytesize = 64})
    FORMS(CUDA_BATCH_MEM_OP_NODE_PARAMS, {(CUcontext)(uintptr_t)w->context, 1, &operation, 0})
    FORMS(CUstreamBatchMemOpParams, operation)
    FORMS(CUDA_MEMCPY2D,
          {.srcMemoryType = MEMORYTYPE_HOST,
           .srcHost = HOST,
           .srcPitch = 64,
           .dstMemoryType = MEMORYTYPE_DEVICE,
           .dstDevice = w->memory,
           .dstPitch = 64,
           .WidthInBytes = 64,
           .Height = 2},
          {.srcMemoryType = MEMORYTYPE_DEVICE,
           .srcDevice = w->memory,
           .srcPitch = 64,
           .dstMemoryType = MEMORYTYPE_ARRAY,
           .dstArray = array,
           .WidthInBytes = 64,
           .Height = 2})
    FORMS(CUDA_MEMCPY3D, copy_of(w),
          {.srcMemoryType = MEMORYTYPE_ARRAY,
           .srcArray = array,
           .dstMemoryType = MEMORYTYPE_UNIFIED,
           .dstDevice = w->memory,
           .WidthInBytes = 32,
           .Height = 2,
           .Depth = 1})
    FORMS(CUlaunchConfig,
          {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .hStream = (CUstream)(uintptr_t)w->stream})
    FORMS(CUDA_GRAPH_INSTANTIATE_PARAMS, {0})
    FORMS(
        CUgraphNodeParams, {.type = NODE_EMPTY}, {.type = NODE_KERNEL, .kernel = kernel_of(w)},
        {.type = NODE_MEMCPY, .memcpy.copyParams = copy_of(w)},
        {.type = NODE_MEMSET, .memset = set_of(w)}, {.type = NODE_HOST, .host = {nothing, NULL}},
        {.type = NODE_GRAPH, .graph = child}, {.type = NODE_WAIT_EVENT, .event = event},
        {.type = NODE_EVENT_RECORD, .event = event},
        {.type = NODE_MEM_ALLOC, .alloc = {.poolProps = pool, .bytesize = 64}},
        {.type = NODE_BATCH_MEM_OP, .batch = {(CUcontext)(uintptr_t)w->context, 1, &operation, 0}})
    FORMS(dim3, {1, 1, 1})
    FORMS(cudaChannelFormatDesc, {.x = 32, .f = 2}, {.x = 8, .y = 8, .z = 8, .w = 8, .f = 1})
    FORMS(cudaExtent, {16, 16, 1})
    FORMS(cudaPitchedPtr, {memory, 64, 64, 2})
    FORMS(
        cudaResourceDesc, {.resType = RESOURCE_TYPE_ARRAY, .res.array.array = array},
        {.resType = RESOURCE_TYPE_MIPMAPPED_ARRAY, .res.mipmap.mipmap = mipmapped},
        {.resType = RESOURCE_TYPE_LINEAR, .res.linear = {memory, {.x = 32, .f = 2}, 256}},
        {.resType = RESOURCE_TYPE_PITCH2D, .res.pitch2D = {memory, {.x = 32, .f = 2}, 16, 4, 128}})
    FORMS(cudaTextureDesc, {.maxAnisotropy = 1})
    FORMS(cudaKernelNodeParams, {.func = (void *)(uintptr_t)w->kernel,
                                 .gridDim = {1, 1, 1},
                                 .blockDim = {32, 1, 1},
                                 .kernelParams = pointers})
    FORMS(cudaMemsetParams, {.dst = memory, .elementSize = 1, .width = 64, .height = 1})
    FORMS(cudaMemcpy3DParms,
          {.srcPtr = {HOST, 64, 64, 2},
           .dstPtr = {memory, 64, 64, 2},
           .extent = {64, 2, 1},
           .kind = COPY_HOST_TO_DEVICE},
          {.srcArray = array, .dstArray = array, .extent = {8, 2, 1}, .kind = COPY_DEFAULT})
    FORMS(cudaMemcpy3DPeerParms, {.srcPtr = {(void *)(uintptr_t)w->managed, 64, 64, 2},
                                  .dstPtr = {memory, 64, 64, 2},
                                  .extent = {64, 2, 1}})
    FORMS(cudaLaunchConfig,
          {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}, .stream = (CUstream)(uintptr_t)w->stream})
    FORMS(cudaGraphNodeParams, {.type = NODE_EMPTY},
          {.type = NODE_MEMSET,
           .memset = {.dst = memory, .elementSize = 1, .width = 64, .height = 1}})
    return 0;
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
                   {"CUgraphNode", node_for(w)},
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
    } structures[] = {{"dim3", {STRUCTURE, 2, 32, false, {1 | UINT64_C(1) << 32, 1}, 0}},
                      {"cudaExtent", {STRUCTURE, 3, 64, true, {16, 16, 1}, 0}},
                      {"CUmemLocation", {STRUCTURE, 1, 64, false, {LOCATION_DEVICE}, 0}}};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (strcmp(type, handles[i].type) == 0)
            return (Argument){HANDLE, 1, 64, false, {handles[i].object}, 0};
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++)
        if (strcmp(type, structures[i].type) == 0)
            return structures[i].argument;
    if (strcmp(type, "cudaPitchedPtr") == 0)
        return (Argument){STRUCTURE, 4, 64, true, {w->memory, 64, 64, 2}, 0};
    if (strncmp(type, "CUipc", 5) == 0)
        return (Argument){STRUCTURE, 8, 64, true, {0}, 0};
    bool wide = strcmp(type, "size_t") == 0 || strcmp(type, "uint64_t") == 0 ||
                strncmp(type, "unsigned long", 13) == 0;
    bool flags = strstr(name, "lags") || strcmp(name, "value") == 0 ||
                 strcmp(type, "CUdevice") == 0 || strstr(name, "device");
    return (Argument){NUMBER, 1, wide ? 64 : 32, false, {wide ? 64 : flags ? 0 : 1}, 0};
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
    /* in place of the other list of parameters; of an array */
    if (strcmp(name, "extra") == 0 || (strcmp(name, "view") == 0 && i != w->varied))
        return (Argument){POINTER, 1, 64, false, {0}, 0};
    if (strcmp(type, "const void *") == 0 &&
        strcmp(name, "host") == 0) /* of the runtime: kernels may be given so */
        return (Argument){POINTER, 1, 64, false, {w->kernel}, 0};
    const bool two = star[1] == '*';
    for (*star = '\0'; star > base && star[-1] == ' ';)
        *--star = '\0';
    size_t structure = 0;
    memset(room[i], 0, ROOM);
    if (two)
        for (int k = 0; k < MOST; k++)
            ((void **)room[i])[k] = HOST;
    else if (strcmp(base, "char") == 0)
        strcpy(room[i], "k");
    else
        structure = fill(w, base, i == w->varied ? w->form : 0, room[i]);
    return (Argument){POINTER, 1, 64, false, {WORD(room[i])}, structure};
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

/* What is called: a row with one argument wrong; or, where `argument` is not NONE, with that in other ways: a structure, of the form,
 * with another number in one of its fields, or another number. */
enum { NO_ARGUMENT = -1, VALUES = 4, NUMBERS_FROM = 2, NUMBERS_TO = 20 };
static const uint32_t values[VALUES] = {0, 1, 3, UINT32_MAX};

typedef struct Variant {
    const Row *row;
    int argument;
    uint32_t form;
} Variant;

static int arguments_for(const Variant *variant, World *w, Argument *argument) {
    w->call = variant->row->name;
    w->varied = variant->argument;
    w->form = variant->form;
    return arguments_of(w, variant->row->parameters, argument);
}

static int calls_of(const Variant *variant) {
    World none = {0};
    Argument argument[MOST];
    int count = arguments_for(variant, &none, argument);
    if (variant->argument == NO_ARGUMENT)
        return 2 * count + 1;
    const Argument *one = &argument[variant->argument];
    return one->structure ? (int)(one->structure / sizeof(uint32_t)) * VALUES
                          : NUMBERS_TO - NUMBERS_FROM + 1;
}

/* Puts a number into the field. false: it would be an address, for which there is NULL alone. */
static bool set_field(char *structure, int field, uint32_t value) {
    uint32_t pair[2], *half = &pair[field % 2];
    char *at = structure + (size_t)(field / 2) * sizeof pair;
    memcpy(pair, at, sizeof pair);
    if (pair[1]) {
        memset(at, 0, sizeof pair);
        return value == 0 && field % 2 == 0;
    }
    *half = value;
    memcpy(at, pair, sizeof pair);
    return true;
}

/* The arguments of call i. false: there is no such call. */
static bool prepare(const Variant *variant, int i, Argument *argument) {
    if (variant->argument == NO_ARGUMENT)
        return true;
    Argument *one = &argument[variant->argument];
    if (one->structure)
        return set_field(room[variant->argument], i / VALUES, values[i % VALUES]);
    one->right[0] = (uint64_t)(NUMBERS_FROM + i);
    return true;
}

/* Makes the calls from `from` on; tells of each. */
static void make(const Variant *variant, int from, const bool *skip, void tell(void *, int, int),
                 void *context) {
    Call call = found(variant->row->name);
    World world = {0};
    const int last = calls_of(variant) - 1;
    const bool right_alone = getenv("WARPLENS_TEST_RIGHT"), all = variant->argument == NO_ARGUMENT;
    for (int i = 0; i < (int)(sizeof pointers / sizeof *pointers); i++)
        pointers[i] = HOST;
    if (!right_alone)
        world_make(&world);
    for (int i = right_alone ? last : from; i <= last; i++) {
        Argument argument[MOST];
        int count = arguments_for(variant, &world, argument);
        memset(ZEROES, 0, ROOM);
        if (!right_alone)
            DRIVER("cuCtxSetCurrent", world.context);
        if (!skip[i] && prepare(variant, i, argument))
            tell(context, i,
                 call ? call_with(call, argument, count, all && i < last ? i / 2 : -1, i % 2 + 1)
                      : CRASH);
    }
}

static bool apart;

static void store(void *context, int i, int result) {
    ((int *)context)[i] = result;
}

static void send(void *context, int i, int result) {
    const int pair[2] = {i, result};
    if (write(*(int *)context, pair, sizeof pair) != sizeof pair)
        _exit(1);
}

static void make_apart(const Variant *variant, const bool *skip, int *result) {
    for (int from = 0; from < calls_of(variant);) {
        int ends[2], pair[2];
        if (pipe(ends) != 0)
            exit(1);
        pid_t child = fork();
        if (child == 0) {
            alarm(SECONDS);
            make(variant, from, skip, send, &ends[1]);
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
        while (next < calls_of(variant) && skip[next])
            next++;
        if (next < calls_of(variant))
            result[next] = CRASH;
        from = next + 1;
    }
}

/* ---- all ---- */

static bool is_named(char **names, const char *name) {
    for (char **one = names; *one; one++)
        if (strcmp(*one, name) == 0)
            return true;
    return !*names;
}

static void print_row(const Variant *variant, const char *name) {
    static const bool none[CALLS];
    int result[CALLS];
    for (int k = 0; k < CALLS; k++)
        result[k] = NOT_CALLED;
    printf("%s", name);
    fflush(stdout);
    if (apart)
        make_apart(variant, none, result);
    else
        make(variant, 0, none, store, result);
    for (int k = 0; k < calls_of(variant); k++) {
        if (result[k] == NOT_CALLED || result[k] == CRASH)
            printf(result[k] == CRASH ? " crash" : " -");
        else
            printf(" %d", result[k]);
    }
    puts("");
    fflush(stdout);
}

/* A row for each argument that is a number, and for each form of a structure. */
static void print_arguments(const Row *row) {
    World none = {0};
    Argument argument[MOST];
    char name[256];
    Variant variant = {row, NO_ARGUMENT, 0};
    int count = arguments_for(&variant, &none, argument);
    for (variant.argument = 0; variant.argument < count; variant.argument++) {
        const Argument *one = &argument[variant.argument];
        bool number = one->kind == NUMBER && one->bits == 32;
        for (variant.form = 0; one->structure || number; variant.form++) {
            arguments_for(&variant, &none, argument);
            if ((!number && !one->structure) || (number && variant.form))
                break;
            snprintf(name, sizeof name, "%s/%d.%u", row->name, variant.argument, variant.form);
            print_row(&variant, name);
        }
        variant.form = 0;
        arguments_for(&variant, &none, argument);
    }
}

int main(int argc, char **argv) {
    bool fields = argc > 1 && strcmp(argv[1], "--fields") == 0;
    argv += fields, argc -= fields;
    apart = argc > 3 && strcmp(argv[1], "--apart") == 0;
    const int first = apart ? atoi(argv[2]) : 0, step = apart ? atoi(argv[3]) : 1;
    for (int i = first; i < ROWS; i += step) {
        const Variant variant = {&rows[i], NO_ARGUMENT, 0};
        if (left_out(rows[i].name) || !is_named(argv + (apart ? 4 : 1), rows[i].name))
            continue;
        if (fields)
            print_arguments(&rows[i]);
        else
            print_row(&variant, rows[i].name);
    }
    return 0;
}
