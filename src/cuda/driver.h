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
typedef struct CUuuid {
    char bytes[16];
} CUuuid;
typedef void (*CUhostFn)(void *data);
typedef void (*CUstreamCallback)(CUstream stream, CUresult status, void *data);
typedef size_t (*CUoccupancyB2DSize)(int block_size);

/* What cuDriverGetVersion says, and with it the newest ABI that cuGetProcAddress hands out. */
enum { DRIVER_VERSION = 13000 };

#define STREAM_LEGACY ((CUstream)1)
#define STREAM_PER_THREAD ((CUstream)2)

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
    LAUNCH_ATTRIBUTE_COOPERATIVE = 2,
    LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
};
typedef struct CUlaunchAttribute {
    int id;
    int padding;
    union {
        char padding[64];
        int cooperative;
        unsigned clusterDim[3];
    } value;
} CUlaunchAttribute;

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

typedef struct CUmemLocation {
    int type; /* 1 = device, 2 = host */
    int id;
} CUmemLocation;

typedef struct CUmemPoolProps {
    int allocType, handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS {
    CUmemPoolProps poolProps;
    const void *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    CUdeviceptr dptr; /* out */
} CUDA_MEM_ALLOC_NODE_PARAMS;

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
    NODE_BATCH_MEM_OP = 12
};
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
