/* driver: the documented CUDA driver API, as far as this layer implements it - types, constants,
 * functions. Written from NVIDIA's reference manual: the build needs no CUDA toolkit, and a program
 * that was built against NVIDIA's cuda.h finds every size, offset and number where it expects it.
 *
 * Invariants
 *   - Names are those of the ABI (cuMemAlloc_v2), since these are what programs link.
 *   - api.def has a row for every documented call, from which those that are implemented are declared.
 *   - An enumeration of the API is an int or unsigned here, and only the values that matter have
 *     names.
 *
 * What it does not do: declare what this layer's own parts tell each other (core.h). */
#pragma once

#include "cuda/driver_memory.h"
#include "cuda/driver_tensor.h"
#include "cuda/driver_texture.h"

#include <stddef.h>
#include <stdint.h>

typedef enum CUresult {
#define ERROR(name, number, text) name = number,
#include "cuda/errors.def"
#undef ERROR
} CUresult;

typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct Context *CUcontext;
typedef struct Library *CUmodule, *CUlibrary; /* one kind of object, two names */
typedef struct Kernel *CUfunction, *CUkernel; /* likewise */
typedef struct Stream *CUstream;
typedef struct Event *CUevent;
typedef struct Pool *CUmemoryPool;
typedef struct Graph *CUgraph;
typedef struct GraphNode *CUgraphNode;
typedef struct GraphExec *CUgraphExec;
typedef struct LinkState *CUlinkState;
typedef struct UserObject *CUuserObject;
typedef struct GreenContext *CUgreenCtx;
typedef struct ResourceDescriptor *CUdevResourceDesc;
typedef struct LogsCallback *CUlogsCallbackHandle;
typedef struct AsyncCallback *CUasyncCallbackHandle;
typedef struct CUuuid {
    char bytes[16];
} CUuuid;
typedef void (*CUhostFn)(void *data);
typedef void (*CUlogsCallback)(void *data, int level, char *message, size_t length);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int block_size);

/* What cuDriverGetVersion says, and with it the newest ABI that cuGetProcAddress hands out. */
enum { DRIVER_VERSION = 13000 };

#define STREAM_LEGACY ((CUstream)1)
#define STREAM_PER_THREAD ((CUstream)2)

enum { EVENT_BLOCKING_SYNC = 1, EVENT_DISABLE_TIMING = 2, EVENT_INTERPROCESS = 4, EVENT_FLAGS = 7 };

/* ---- structures ---- */

typedef enum CUmemorytype {
    MEMORYTYPE_HOST = 1,
    MEMORYTYPE_DEVICE = 2,
    MEMORYTYPE_ARRAY = 3,
    MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

typedef struct CUDA_MEMCPY3D {
    size_t srcXInBytes, srcY, srcZ, srcLOD;
    CUmemorytype srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    CUarray srcArray;
    void *srcContext; /* CUDA_MEMCPY3D_PEER's; reserved in CUDA_MEMCPY3D */
    size_t srcPitch, srcHeight;
    size_t dstXInBytes, dstY, dstZ, dstLOD;
    CUmemorytype dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    CUarray dstArray;
    void *dstContext;
    size_t dstPitch, dstHeight;
    size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

enum {
    LAUNCH_ATTRIBUTE_IGNORE,
    LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW,
    LAUNCH_ATTRIBUTE_COOPERATIVE,
    LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY,
    LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
    LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING,
    LAUNCH_ATTRIBUTE_PROGRAMMATIC_SERIALIZATION,
    LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT,
    LAUNCH_ATTRIBUTE_PRIORITY,
    LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP,
    LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN,
    LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION,
    LAUNCH_ATTRIBUTE_COMPLETION_EVENT,
    LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_NODE,
    LAUNCH_ATTRIBUTE_CARVEOUT,
    LAUNCH_ATTRIBUTE_NVLINK_SCHEDULING = 16,
    LAUNCH_ATTRIBUTES
};
typedef union CUlaunchAttributeValue {
    char padding[64];
    int number, cooperative;
    unsigned clusterDim[3];
    CUevent event; /* and flags, behind */
    unsigned char domains[2];
} CUlaunchAttributeValue;
typedef struct CUlaunchAttribute {
    int id;
    int padding;
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

typedef struct CUdevResource {
    int type; /* 1: SMs */
    unsigned char padding[92];
    union {
        struct {
            unsigned smCount, minSmPartitionSize, smCoscheduledAlignment;
        } sm;
        unsigned char oversize[48];
    };
} CUdevResource;

typedef struct CUmemcpyAttributes {
    int srcAccessOrder; /* 1: of the stream, 2: during the call, 3: any */
    CUmemLocation srcLocHint, dstLocHint;
    unsigned flags;
} CUmemcpyAttributes;

typedef struct CUexecAffinityParam {
    int type; /* 0: a number of SMs */
    unsigned sms;
} CUexecAffinityParam;

enum { OPERAND_POINTER = 1, OPERAND_ARRAY };
typedef struct CUmemcpy3DOperand {
    int type; /* OPERAND_… */
    union {
        struct {
            CUdeviceptr address;
            size_t row, height; /* elements; 0: as wide and high as the box */
            CUmemLocation hint;
        } pointer;
        struct {
            CUarray array;
            size_t x, y, z;
        } array;
    };
} CUmemcpy3DOperand;

typedef struct CUDA_MEMCPY3D_BATCH_OP {
    CUmemcpy3DOperand src, dst;
    size_t width, height, depth;
    int srcAccessOrder;
    unsigned flags;
} CUDA_MEMCPY3D_BATCH_OP;

typedef struct CUlaunchConfig {
    unsigned gridDim[3], blockDim[3];
    unsigned sharedMemBytes;
    CUstream hStream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
} CUlaunchConfig;

#define LAUNCH_PARAM_END ((void *)0)
#define LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

typedef struct CUDA_KERNEL_NODE_PARAMS {
    CUfunction func;
    unsigned gridDim[3], blockDim[3];
    unsigned sharedMemBytes;
    void **kernelParams;
    void **extra;
    CUkernel kern; /* from here on: version 2 */
    CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;

typedef struct CUDA_MEMSET_NODE_PARAMS {
    CUdeviceptr dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
    CUcontext ctx; /* from here on: version 2 */
} CUDA_MEMSET_NODE_PARAMS;

typedef struct CUDA_HOST_NODE_PARAMS {
    CUhostFn fn;
    void *userData;
} CUDA_HOST_NODE_PARAMS;

typedef struct CUDA_MEMCPY_NODE_PARAMS {
    int flags, reserved;
    CUcontext copyCtx;
    CUDA_MEMCPY3D copyParams;
} CUDA_MEMCPY_NODE_PARAMS;

enum GraphNodeType {
    NODE_KERNEL,
    NODE_MEMCPY,
    NODE_MEMSET,
    NODE_HOST,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_WAIT_EVENT,
    NODE_EVENT_RECORD,
    NODE_MEM_ALLOC = 10,
    NODE_MEM_FREE = 11,
    NODE_BATCH_MEM_OP = 12,
    NODE_CONDITIONAL = 13
};

typedef struct CUgraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
} CUgraphEdgeData;

typedef uint64_t CUgraphConditionalHandle;
enum { CONDITIONAL_IF, CONDITIONAL_WHILE, CONDITIONAL_SWITCH };
typedef struct CUDA_CONDITIONAL_NODE_PARAMS {
    CUgraphConditionalHandle handle;
    int type; /* CONDITIONAL_… */
    unsigned size;
    CUgraph *phGraph_out;
    CUcontext ctx;
} CUDA_CONDITIONAL_NODE_PARAMS;

typedef union CUstreamBatchMemOpParams {
    int operation;
    struct {
        int operation;
        CUdeviceptr address;
        uint64_t value;
        unsigned flags;
        CUdeviceptr alias;
    } value; /* of waits and writes */
    struct {
        int operation;
        unsigned flags;
    } barrier; /* and flushes */
    uint64_t pad[6];
} CUstreamBatchMemOpParams;

typedef struct CUDA_BATCH_MEM_OP_NODE_PARAMS {
    CUcontext ctx;
    unsigned count;
    CUstreamBatchMemOpParams *paramArray;
    unsigned flags;
} CUDA_BATCH_MEM_OP_NODE_PARAMS;
typedef struct CUgraphNodeParams {
    int type;
    int reserved0[3];
    union {
        long long reserved1[29];
        CUDA_KERNEL_NODE_PARAMS kernel;
        CUDA_MEMCPY_NODE_PARAMS memcpy;
        CUDA_MEMSET_NODE_PARAMS memset;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph graph;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr free;
        CUDA_BATCH_MEM_OP_NODE_PARAMS batch;
        CUDA_CONDITIONAL_NODE_PARAMS conditional;
    };
    long long reserved2;
} CUgraphNodeParams;

typedef struct CUgraphExecUpdateResultInfo {
    int result;
    CUgraphNode errorNode, errorFromNode;
} CUgraphExecUpdateResultInfo;

typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    uint64_t flags;
    CUstream hUploadStream;
    CUgraphNode hErrNode_out;
    int result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;

/* ---- device attributes, function attributes, limits: those that have a value of their own ---- */

enum {
    FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    FUNC_ATTRIBUTE_NUM_REGS = 4,
    FUNC_ATTRIBUTE_PTX_VERSION = 5,
    FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET = 10,
    FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH = 11, /* and 12, 13: height, depth */
    FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    FUNC_ATTRIBUTE_MAX = 16
};

#pragma GCC visibility push(default) /* what programs find; all else of this layer is hidden */

#define CALL(name, since, parameters) CUresult name parameters;
#include "cuda/api.def"

#pragma GCC visibility pop
