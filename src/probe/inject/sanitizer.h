/* sanitizer: what is used of the Compute Sanitizer API, declared by ourselves: names, numbers and layouts as NVIDIA documents them
 * for CUDA 12 and 13. tests/probe/headers.c compares them with the vendor's headers where these are installed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int SanResult; /* 0: success */
enum { SAN_LIMIT_REACHED = 10, SAN_NOT_INITIALIZED = 13, SAN_NOT_SUPPORTED = 14 };

/* Handles, which are pointers. */
typedef struct SanSubscriber SanSubscriber;
typedef struct SanStream SanStream;
typedef struct SanLaunch SanLaunch;
typedef struct CudaContext CudaContext;
typedef struct CudaModule CudaModule;
typedef struct CudaFunction CudaFunction;
typedef struct CudaStream CudaStream;
typedef int CudaDevice;

typedef enum SanDomain {
    SAN_DRIVER = 1,
    SAN_RESOURCE = 3,
    SAN_LAUNCH = 5,
    SAN_GRAPHS = 10
} SanDomain;

/* Calls of the driver that launch kernels. */
typedef enum SanDriverCall {
    SAN_LAUNCH_KERNEL = 307,
    SAN_LAUNCH_KERNEL_PTSZ = 442,
    SAN_LAUNCH_COOPERATIVE = 477,
    SAN_LAUNCH_COOPERATIVE_PTSZ = 478,
    SAN_LAUNCH_KERNEL_EX = 652,
    SAN_LAUNCH_KERNEL_EX_PTSZ = 653,
    /* rare ones, of old programs */
    SAN_LAUNCH_OLDEST = 115,
    SAN_LAUNCH_GRID = 116,
    SAN_LAUNCH_GRID_ASYNC = 117,
    SAN_LAUNCH_COOPERATIVE_MULTI_DEVICE = 480,
    /* and graphs */
    SAN_GRAPH_INSTANTIATE = 513,
    SAN_GRAPH_LAUNCH = 514,
    SAN_GRAPH_LAUNCH_PTSZ = 515,
    SAN_GRAPH_INSTANTIATE_2 = 578,
    SAN_GRAPH_INSTANTIATE_FLAGS = 643,
    SAN_GRAPH_INSTANTIATE_MORE = 656,
    SAN_GRAPH_INSTANTIATE_MORE_PTSZ = 657,
} SanDriverCall;

/* What their parameters point to, as far as it is used. */
typedef struct SanLaunchParameters {
    CudaFunction *function;
    uint32_t grid[3], block[3], shared;
    CudaStream *stream;
} SanLaunchParameters;
typedef struct SanLaunchConfig {
    uint32_t grid[3], block[3], shared;
    CudaStream *stream;
} SanLaunchConfig;
typedef struct SanLaunchExParameters {
    const SanLaunchConfig *config;
    CudaFunction *function;
} SanLaunchExParameters;

/* As far as it is used. */
typedef struct SanCallData {
    uint32_t site; /* SAN_CALL_ENTERS, or SAN_CALL_RETURNS: result is there */
    const char *name;
    const void *parameters;
    const int *result;
    const char *kernel;   /* that is launched; in SAN_LAUNCH_KERNEL_EX it is anything (CUDA 13.0) */
    CudaContext *context; /* the thread's */
} SanCallData;
enum { SAN_CALL_ENTERS = 0, SAN_CALL_RETURNS = 1 };

typedef enum SanResource {
    SAN_CONTEXT_CREATED = 3,
    SAN_CONTEXT_DESTROY = 4,
    SAN_MODULE_LOADED = 9,
    SAN_MODULE_UNLOAD = 10,
    SAN_MEMORY_ALLOC = 11,
    SAN_MEMORY_FREE = 12,
    SAN_MEMORY_ALLOC_ASYNC = 15,
    SAN_MEMORY_FREE_ASYNC = 16,
} SanResource;

typedef enum SanLaunchEvent { SAN_LAUNCH_BEGIN = 1, SAN_LAUNCH_END = 3 } SanLaunchEvent;
typedef enum SanGraphEvent {
    SAN_NODE_BEGIN = 4,
    SAN_GRAPH_BEGIN = 6,
    SAN_GRAPH_END = 7,
} SanGraphEvent;

typedef struct SanContextData {
    CudaContext *context;
    CudaDevice device; /* before CUDA 13.1 */
} SanContextData;

typedef struct SanModuleData {
    CudaContext *context;
    CudaModule *module;
    size_t cubin_size;
    const char *cubin;
    void *library; /* CUDA 12.1 and later */
} SanModuleData;

typedef struct SanMemoryData {
    uint64_t address, size;
    CudaContext *context;
    CudaDevice device;
} SanMemoryData; /* as far as it is used */

/* As far as it is used: what follows differs between versions. */
typedef struct SanLaunchData {
    CudaContext *context;
    CudaStream *stream;
    SanStream *stream_handle;
    CudaModule *module;
    CudaFunction *function;
    const char *name;
    uint32_t grid[3], block[3], cluster[3]; /* zeroes at SAN_LAUNCH_END */
    uint64_t grid_id;
    SanLaunch *launch;
} SanLaunchData;

typedef struct SanNodeData {
    void *graph;
    uint32_t number; /* of the graph's launch */
    void *node;
    uint32_t type; /* SAN_NODE_KERNEL: data is a launch's */
    SanLaunchData data;
} SanNodeData;
enum { SAN_NODE_KERNEL = 0 };

typedef struct SanGraphData {
    CudaContext *context;
    CudaStream *stream;
    SanStream *stream_handle;
    void *graph;
    uint32_t upload; /* it is only prepared */
} SanGraphData;

/* Instructions that can be patched. */
typedef enum SanInstruction {
    SAN_GLOBAL = 3,
    SAN_SHARED = 4,
    SAN_LOCAL = 5,
    SAN_COPY_ASYNC = 14,
    SAN_REMOTE = 17,
    SAN_MATRIX = 19,
    SAN_WGMMA = 23,
    SAN_ASYNC_STORE = 26,
    SAN_ASYNC_REDUCTION = 27,
    /* of CUDA 12.9 and later */
    SAN_BULK_IN = 30,
    SAN_BULK_OUT = 35,
    SAN_BULK_WITHIN = 36,
    SAN_BULK_REDUCTION_OUT = 37,
    SAN_BULK_REDUCTION_WITHIN = 38,
    /* of CUDA 13.4 and later */
    SAN_TENSOR_LOAD = 43,
} SanInstruction;

typedef void SanCallback(void *context, SanDomain domain, uint32_t event, const void *data);

/* The functions: FUNCTION(member, name, parameters). */
#define SANITIZER_FUNCTIONS                                                                        \
    FUNCTION(subscribe, "sanitizerSubscribe",                                                      \
             (SanSubscriber * *subscriber, SanCallback * callback, void *context))                 \
    FUNCTION(enable, "sanitizerEnableDomain",                                                      \
             (uint32_t enable, SanSubscriber * subscriber, SanDomain domain))                      \
    FUNCTION(enable_call, "sanitizerEnableCallback",                                               \
             (uint32_t enable, SanSubscriber * subscriber, SanDomain domain, uint32_t call))       \
    FUNCTION(add_patches, "sanitizerAddPatchesFromFile", (const char *path, CudaContext *context)) \
    FUNCTION(patch_instructions, "sanitizerPatchInstructions",                                     \
             (SanInstruction kind, CudaModule * module, const char *function))                     \
    FUNCTION(patch_module, "sanitizerPatchModule", (CudaModule * module))                          \
    FUNCTION(unpatch_module, "sanitizerUnpatchModule", (CudaModule * module))                      \
    FUNCTION(function_pc, "sanitizerGetFunctionPcAndSize",                                         \
             (CudaModule * module, const char *name, uint64_t *pc, uint64_t *size))                \
    FUNCTION(set_launch_data, "sanitizerSetLaunchCallbackData",                                    \
             (SanLaunch * launch, CudaFunction * function, SanStream * stream, const void *data))  \
    FUNCTION(set_function_data, "sanitizerSetCallbackData",                                        \
             (CudaFunction * function, const void *data))                                          \
    FUNCTION(alloc, "sanitizerAlloc", (CudaContext * context, void **memory, size_t size))         \
    FUNCTION(free, "sanitizerFree", (CudaContext * context, void *memory))                         \
    FUNCTION(to_device, "sanitizerMemcpyHostToDeviceAsync",                                        \
             (void *to, void *from, size_t size, SanStream *stream))                               \
    FUNCTION(to_host, "sanitizerMemcpyDeviceToHost",                                               \
             (void *to, void *from, size_t size, SanStream *stream))                               \
    FUNCTION(set, "sanitizerMemset", (void *memory, int value, size_t size, SanStream *stream))    \
    FUNCTION(wait, "sanitizerStreamSynchronize", (SanStream * stream))                             \
    FUNCTION(result_text, "sanitizerGetResultString", (SanResult result, const char **text))

typedef struct SanitizerApi {
#define FUNCTION(member, name, parameters) SanResult(*member) parameters;
    SANITIZER_FUNCTIONS
#undef FUNCTION
} SanitizerApi;

/* Loads the library. false: *why says why not. */
bool sanitizer_open(const char *path, SanitizerApi *sanitizer, const char **why);
/* What a result that is no success means. */
const char *sanitizer_text(const SanitizerApi *sanitizer, SanResult result);
