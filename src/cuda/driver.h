/* driver: the documented CUDA driver API, as far as this layer implements it - types, constants,
 * functions. Written from NVIDIA's reference manual: the build needs no CUDA toolkit, and a program
 * that was built against NVIDIA's cuda.h finds every size, offset and number where it expects it.
 *
 * Invariants
 *   - Names are those of the ABI (cuMemAlloc_v2), since these are what programs link.
 *   - api.def has a row for every documented call; those that it calls DONE are declared here.
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

/* ---- error.c ---- */
CUresult cuGetErrorName(CUresult error, const char **text);
CUresult cuGetErrorString(CUresult error, const char **text);

/* ---- entry.c: finding entry points ---- */
CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, uint64_t flags,
                             int *status);
CUresult cuGetExportTable(const void **table, const CUuuid *id); /* CUDA_ERROR_NOT_SUPPORTED */

/* ---- device.c ---- */
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device);
CUresult cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device);
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device);
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to);
CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels,
                                            CUdevice device);
CUresult cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device);

/* ---- context.c ---- */
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags);
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active);
CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device);
CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned flags,
                        CUdevice device);
CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned flags, CUdevice device);
CUresult cuCtxDestroy_v2(CUcontext context);
CUresult cuCtxAttach(CUcontext *context, unsigned flags);
CUresult cuCtxDetach(CUcontext context);
CUresult cuCtxPushCurrent_v2(CUcontext context);
CUresult cuCtxPopCurrent_v2(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context);
CUresult cuCtxGetFlags(unsigned *flags);
CUresult cuCtxSetFlags(unsigned flags);
CUresult cuCtxGetId(CUcontext context, unsigned long long *id);
CUresult cuCtxSynchronize(void);
CUresult cuCtxSynchronize_v2(CUcontext context);
CUresult cuCtxSetLimit(int limit, size_t value);
CUresult cuCtxGetLimit(size_t *value, int limit);
CUresult cuCtxGetCacheConfig(int *config);
CUresult cuCtxSetCacheConfig(int config);
CUresult cuCtxGetSharedMemConfig(int *config);
CUresult cuCtxSetSharedMemConfig(int config);
CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version);
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags);
CUresult cuCtxDisablePeerAccess(CUcontext peer);
CUresult cuCtxGetExecAffinity(void *affinity, int type);

/* ---- allocate.c ---- */
CUresult cuMemGetInfo_v2(size_t *available, size_t *total);
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element);
CUresult cuMemFree_v2(CUdeviceptr address);
CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address);
CUresult cuMemAllocHost_v2(void **host, size_t bytes);
CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags);
CUresult cuMemFreeHost(void *host);
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags);
CUresult cuMemHostGetFlags(unsigned *flags, void *host);
CUresult cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags);
CUresult cuMemHostUnregister(void *host);
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags);
CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr address);
CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **values,
                                CUdeviceptr address);
CUresult cuPointerSetAttribute(const void *value, int attribute, CUdeviceptr address);
CUresult cuMemRangeGetAttribute(void *value, size_t size, int attribute, CUdeviceptr address,
                                size_t bytes);
CUresult cuMemRangeGetAttributes(void **values, size_t *sizes, int *attributes, size_t count,
                                 CUdeviceptr address, size_t bytes);

/* ---- pool.c ---- */
CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device);
CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties);
CUresult cuMemPoolDestroy(CUmemoryPool pool);
CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void *value);
CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void *value);
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep);
CUresult cuMemPoolSetAccess(CUmemoryPool pool, const void *access, size_t count);
CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool pool, CUmemLocation *location);

/* ---- copy.c ---- */
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                      CUcontext from_context, size_t bytes);
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                           CUcontext from_context, size_t bytes, CUstream stream);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy);
CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream);
CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D *copy);
CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D *copy, CUstream stream);
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count);
CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count);
CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count);
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height);
CUresult cuMemsetD2D16_v2(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                          size_t height);
CUresult cuMemsetD2D32_v2(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                          size_t height);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream);
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream);
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream);
CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width,
                            size_t height, CUstream stream);
CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width,
                            size_t height, CUstream stream);

/* ---- array.c ---- */
CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor);
CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor);
CUresult cuArrayDestroy(CUarray array);
CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array);
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array);
CUresult cuMipmappedArrayCreate(CUmipmappedArray *mipmapped,
                                const CUDA_ARRAY3D_DESCRIPTOR *descriptor, unsigned levels);
CUresult cuMipmappedArrayDestroy(CUmipmappedArray mipmapped);
CUresult cuMipmappedArrayGetLevel(CUarray *array, CUmipmappedArray mipmapped, unsigned level);
CUresult cuMemcpyHtoA_v2(CUarray to, size_t offset, const void *from, size_t bytes);
CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t offset, const void *from, size_t bytes,
                              CUstream stream);
CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t offset, size_t bytes);
CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t offset, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoA_v2(CUarray to, size_t offset, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t offset, size_t bytes);
CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_offset, CUarray from, size_t from_offset,
                         size_t bytes);

/* ---- texture.c: texture and surface objects ---- */
CUresult cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                           const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view);
CUresult cuTexObjectDestroy(CUtexObject object);
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUtexObject object);
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture, CUtexObject object);
CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC *view, CUtexObject object);
CUresult cuSurfObjectCreate(CUsurfObject *object, const CUDA_RESOURCE_DESC *resource);
CUresult cuSurfObjectDestroy(CUsurfObject object);
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource, CUsurfObject object);

/* ---- library.c: modules and libraries ---- */
CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, int *options,
                            void **values);
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetLoadingMode(int *mode);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module);
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned count, CUmodule module);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name);
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                           void **jit_values, unsigned jit_count, int *options, void **values,
                           unsigned count);
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                               void **jit_values, unsigned jit_count, int *options, void **values,
                               unsigned count);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library);
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library);
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                            const char *name);
CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes, CUlibrary library,
                             const char *name);

/* ---- link.c ---- */
CUresult cuLinkCreate_v2(unsigned count, int *options, void **values, CUlinkState *state);
CUresult cuLinkAddData_v2(CUlinkState state, int type, void *data, size_t size, const char *name,
                          unsigned count, int *options, void **values);
CUresult cuLinkAddFile_v2(CUlinkState state, int type, const char *path, unsigned count,
                          int *options, void **values);
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size);
CUresult cuLinkDestroy(CUlinkState state);

/* ---- kernel.c ---- */
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel);
CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel);
CUresult cuKernelGetName(const char **name, CUkernel kernel);
CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice device);
CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device);
CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuFuncSetCacheConfig(CUfunction function, int config);
CUresult cuFuncSetSharedMemConfig(CUfunction function, int config);
CUresult cuFuncGetModule(CUmodule *module, CUfunction function);
CUresult cuFuncGetName(const char **name, CUfunction function);
CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes);
CUresult cuFuncIsLoaded(int *state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);

/* ---- occupancy.c ---- */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int threads, size_t dynamic_shared,
                                                              unsigned flags);
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                          int limit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of,
                                                   size_t dynamic_shared, int limit,
                                                   unsigned flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int blocks,
                                                 int threads);
CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                            const CUlaunchConfig *config);
CUresult cuOccupancyMaxActiveClusters(int *count, CUfunction function,
                                      const CUlaunchConfig *config);

/* ---- launch.c ---- */
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z,
                        unsigned dynamic_shared, CUstream stream, void **params, void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra);
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned dynamic_shared, CUstream stream,
                                   void **params);
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data);

/* ---- stream.c, event.c ---- */
CUresult cuStreamCreate(CUstream *stream, unsigned flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *data,
                             unsigned flags);
CUresult cuStreamGetFlags(CUstream stream, unsigned *flags);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
CUresult cuStreamGetId(CUstream stream, unsigned long long *id);
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context);
CUresult cuStreamGetDevice(CUstream stream, CUdevice *device);
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags);
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                 unsigned flags);
CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, uint32_t value,
                                unsigned flags);
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, uint64_t value,
                                unsigned flags);
CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode *dependencies, const void *edges,
                                     size_t count, int mode);
CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CUresult cuStreamIsCapturing(CUstream stream, int *status);
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, size_t *count);
CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **dependencies, const void **edges,
                                   size_t *count);
CUresult cuThreadExchangeStreamCaptureMode(int *mode);
CUresult cuEventCreate(CUevent *event, unsigned flags);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags);
CUresult cuEventQuery(CUevent event);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end);

/* ---- graph.c ---- */
CUresult cuGraphCreate(CUgraph *graph, unsigned flags);
CUresult cuGraphDestroy(CUgraph graph);
CUresult cuGraphClone(CUgraph *clone, CUgraph original);
CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const CUDA_MEMCPY3D *copy, CUcontext context);
CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS *params,
                              CUcontext context);
CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t count, CUgraph child);
CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                             size_t count);
CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t count, CUevent event);
CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t count, CUevent event);
CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                               size_t count, CUdeviceptr address);
CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const void *edges, size_t count, CUgraphNodeParams *params);
CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t count, CUgraphNodeParams *params);
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t count);
CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const void *edges, size_t count);
CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, uint64_t flags);
CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params);
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info);
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream);
CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags);
CUresult cuGraphExecDestroy(CUgraphExec exec);

/* ---- graph_nodes.c: looking at nodes, changing them ---- */
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *count);
CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count);
CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges,
                            size_t *count);
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *count);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                       size_t *count);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                         size_t *count);
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone);
CUresult cuGraphNodeGetType(CUgraphNode node, int *type);
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params);
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address);
CUresult cuGraphDestroyNode(CUgraphNode node);
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t count);
CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const void *edges, size_t count);
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params);
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event);
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params);
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS *params);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *params, CUcontext context);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context);
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *params);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child);
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params);
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled);
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled);

/* ---- tensor_map.c ---- */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                void *address, const uint64_t *extent, const uint64_t *stride,
                                const uint32_t *box, const uint32_t *step,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapEncodeIm2col(CUtensorMap *map, CUtensorMapDataType type, uint32_t rank,
                                 void *address, const uint64_t *extent, const uint64_t *stride,
                                 const int *lower, const int *upper, uint32_t channels,
                                 uint32_t pixels, const uint32_t *step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill);
CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

/* ---- user_object.c ---- */
CUresult cuUserObjectCreate(CUuserObject *object, void *data, CUhostFn destroy, unsigned count,
                            unsigned flags);
CUresult cuUserObjectRetain(CUuserObject object, unsigned count);
CUresult cuUserObjectRelease(CUuserObject object, unsigned count);
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count,
                                 unsigned flags);
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count);

#pragma GCC visibility pop
