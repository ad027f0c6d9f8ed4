/* runtime: the CUDA runtime's entry points (cuda*), a thin layer over the driver API (cu*).
 *
 *   constructors of the program --__cudaRegister*--> Registry: host address -> kernel, variable
 *   kernel<<<...>>>() --cudaLaunchKernel--> Registry --cuLaunchKernel--> core
 *   everything else: cuda* = check, convert, call cu*, remember the error
 *
 * The entry points stand in calls.h; calls.def has a row for each that a libcudart of CUDA 12 or 13
 * exports, with its state. Structures are laid out as NVIDIA's reference manual lists their
 * members; assertions pin their sizes.
 *
 * Invariants
 *   - What a call returns is remembered as the last error of its thread where it is not success.
 *   - A fat binary is loaded when a kernel or variable of it is first used.
 *   - Where CUDA 12 and 13 give one name two meanings, X_12 and X_13 are two functions; a symbol
 *     version (shared runtime) or the patcher (static runtime) picks the right one.
 *
 * What it does not do: execute, allocate, count; graphics interoperation. */
#pragma once

#include "cuda/driver.h"

#include <stdbool.h>

typedef int cudaError; /* a number of errors.def */
enum {
#define ERROR(name, number, text) name = number,
#include "cuda/runtime/errors.def"
#undef ERROR
};

/* ---- structures of the API ---- */

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

typedef struct cudaExtent {
    size_t width, height, depth;
} cudaExtent;

typedef struct cudaPos {
    size_t x, y, z;
} cudaPos;

typedef struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
} cudaPitchedPtr;

typedef struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits of each */
    int f;
} cudaChannelFormatDesc;

typedef enum CopyKind {
    COPY_HOST_TO_HOST,
    COPY_HOST_TO_DEVICE,
    COPY_DEVICE_TO_HOST,
    COPY_DEVICE_TO_DEVICE,
    COPY_DEFAULT
} CopyKind;

typedef struct cudaMemcpy3DParms {
    CUarray srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    CUarray dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    int kind;
} cudaMemcpy3DParms;
_Static_assert(sizeof(cudaMemcpy3DParms) == 160, "cudaMemcpy3DParms");

typedef struct cudaMemcpy3DPeerParms {
    CUarray srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    int srcDevice;
    CUarray dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    int dstDevice;
    cudaExtent extent;
} cudaMemcpy3DPeerParms;
_Static_assert(sizeof(cudaMemcpy3DPeerParms) == 168, "cudaMemcpy3DPeerParms");

typedef struct cudaResourceDesc {
    CUresourcetype resType;
    union {
        struct {
            CUarray array;
        } array;
        struct {
            CUmipmappedArray mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        int reserved[13]; /* 13 has 32, which stay untouched */
    } res;
} cudaResourceDesc;

typedef struct cudaTextureDesc {
    CUaddress_mode addressMode[3];
    CUfilter_mode filterMode;
    int readMode; /* 0: as the elements are; 1: as 0 … 1 */
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    CUfilter_mode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
} cudaTextureDesc;
_Static_assert(sizeof(cudaTextureDesc) == 72, "cudaTextureDesc");

typedef struct cudaLaunchConfig {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    CUstream stream;
    CUlaunchAttribute *attrs;
    unsigned numAttrs;
} cudaLaunchConfig;
_Static_assert(sizeof(cudaLaunchConfig) == 56, "cudaLaunchConfig_t");
_Static_assert(sizeof(CUlaunchAttribute) == 72, "cudaLaunchAttribute");

typedef struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
    int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed;
    int reserved[16];
} cudaFuncAttributes;
_Static_assert(sizeof(cudaFuncAttributes) == 144, "cudaFuncAttributes");

typedef struct cudaPointerAttributes { /* 13 has 64 reserved bytes more, which stay untouched */
    int type;                          /* 0 unregistered, 1 host, 2 device, 3 managed */
    int device;
    void *devicePointer, *hostPointer;
} cudaPointerAttributes;
_Static_assert(sizeof(cudaPointerAttributes) == 24, "cudaPointerAttributes");

typedef struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;
_Static_assert(sizeof(cudaKernelNodeParams) == 56, "cudaKernelNodeParams");

typedef struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
} cudaMemsetParams;
_Static_assert(sizeof(cudaMemsetParams) == 40, "cudaMemsetParams");

typedef struct cudaMemcpyNodeParams {
    int flags, reserved;
    void *context;
    cudaMemcpy3DParms copyParams;
} cudaMemcpyNodeParams;
_Static_assert(sizeof(cudaMemcpyNodeParams) == 176, "cudaMemcpyNodeParams");

typedef struct cudaGraphNodeParams {
    int type;
    int reserved0[3];
    union {
        long long reserved1[29];
        cudaKernelNodeParams kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParams memset;
        CUDA_HOST_NODE_PARAMS host;
        CUgraph graph;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr free;
    };
    long long reserved2;
} cudaGraphNodeParams;
_Static_assert(sizeof(cudaGraphNodeParams) == 256, "cudaGraphNodeParams");

/* ---- error.c ---- */

/* Remembers an error as this thread's last one and returns it. */
cudaError rt_result(cudaError error);
/* An entry point that is not implemented: reported once, cudaErrorNotSupported. */
cudaError rt_missing(const char *name);
/* Initialises the driver and makes a context current: what the first call of a thread does.
 * cudaSuccess, or what is in the way (already remembered). */
cudaError rt_ready(void);

/* Of an entry point whose whole work is one call of the driver. */
#define RT_FORWARD(call)                                                                           \
    do {                                                                                           \
        cudaError not_ready = rt_ready();                                                          \
        return not_ready ? not_ready : rt_result((cudaError)(call));                               \
    } while (0)

/* ---- device.c ---- */

/* cudaErrorInvalidDevice, remembered, where there is no such device. */
cudaError rt_device(int device);

/* ---- registry.c ---- */

/* The kernel behind a host function, a kernel handle, or NULL. */
cudaError rt_kernel(const void *host, CUkernel *kernel);
/* What the program knows a kernel by; NULL: it has only the handle. */
const void *rt_kernel_host(CUkernel kernel);
/* The device address and size of the variable behind a host variable. */
cudaError rt_variable(const void *host, CUdeviceptr *address, size_t *bytes);
/* So many bytes into that variable, which may be behind its end. */
cudaError rt_variable_at(const void *host, size_t offset, void **place);
/* A handle that the program got and may pass wherever a host function is expected. */
void rt_remember_kernel(CUkernel kernel);

/* ---- array.c ---- */

/* The driver's format of elements that the runtime describes so; false: it has none. */
bool rt_format(const cudaChannelFormatDesc *from, CUarray_format *format, unsigned *channels);
cudaChannelFormatDesc rt_format_back(CUarray_format format, unsigned channels);
/* Bytes of an array's elements; 0: it is none. */
size_t rt_element_bytes(CUarray array);

/* ---- copy.c ---- */

void rt_copy3d(const cudaMemcpy3DParms *from, CUDA_MEMCPY3D *to);
void rt_flat_copy(void *to, const void *from, size_t bytes, int kind, CUDA_MEMCPY3D *out);

/* The copy that the driver describes so, as the runtime describes it. */
void rt_copy3d_back(const CUDA_MEMCPY3D *from, cudaMemcpy3DParms *to);

/* ---- graph.c ---- */

cudaError rt_kernel_params(const cudaKernelNodeParams *from, CUDA_KERNEL_NODE_PARAMS *to);
CUDA_MEMSET_NODE_PARAMS rt_memset_params(const cudaMemsetParams *from);
CUcontext rt_context(void); /* the current one */

/* ---- patch.c ---- */

typedef struct RuntimeCall { /* one exported name */
    const char *name;
    void (*in_12)(void);
    void (*in_13)(void);
} RuntimeCall;
extern const RuntimeCall runtime_calls[]; /* calls.c, by name */
extern const uint32_t runtime_call_count;
