/* Kernels and functions, which are the same here: what a program asks and sets before it launches. */
#include "cuda/context.h"
#include "cuda/handle.h"
#include "cuda/library.h"

/* ---- clusters ---- */

enum { CLUSTER_FIRST = FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET };

static bool is_of_clusters(int attribute) {
    return attribute >= CLUSTER_FIRST && attribute < FUNC_ATTRIBUTE_MAX;
}

uint32_t kernel_cluster_most(const Kernel *kernel) {
    enum { PORTABLE = 8, NON_PORTABLE = 16 };
    if (core_settings()->gpu->major < 9)
        return 0;
    return kernel->cluster[FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED - CLUSTER_FIRST]
               ? NON_PORTABLE
               : PORTABLE;
}

/* The entry's own limit, or the GPU's. */
int kernel_max_threads(const Kernel *kernel) {
    const Function *function = kernel->function;
    const uint32_t *given =
        function->required_threads[0] ? function->required_threads : function->max_threads;
    uint32_t threads = given[0] * (given[1] ? given[1] : 1) * (given[2] ? given[2] : 1);
    return threads && threads < 1024 ? (int)threads : 1024;
}

/* And by the registers of a thread. */
static int max_resident(Kernel *kernel) {
    uint32_t warps = gpu_warps_per_sm(core_settings()->gpu, kernel_resources(kernel)->registers);
    int threads = (int)warps * WARP_LANES, most = kernel_max_threads(kernel);
    return threads < most ? threads : most;
}

static bool put(Kernel *kernel, int attribute, int *value) {
    const Function *function = kernel->function;
    switch (attribute) {
    case FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = max_resident(kernel);
        return true;
    case FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)function->shared_bytes;
        return true;
    case FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)kernel_resources(kernel)->local_bytes;
        return true;
    case FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)kernel_resources(kernel)->registers;
        return true;
    case FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)function->module->arch.number;
        return true;
    case FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = (int)gpu_arch(core_settings()->gpu).number;
        return true;
    case FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = kernel->max_dynamic_shared;
        return true;
    case 9: /* preferred carveout of shared memory */
        *value = kernel->carveout;
        return true;
    default: /* constants, cache mode; clusters */
        *value = is_of_clusters(attribute) ? kernel->cluster[attribute - CLUSTER_FIRST] : 0;
        return attribute >= 0 && attribute < FUNC_ATTRIBUTE_MAX;
    }
}

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    return put(function, attribute, value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* What the PTX requires cannot be changed. */
static CUresult set_cluster(Kernel *kernel, int attribute, int value) {
    bool required = attribute >= FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH &&
                    attribute < FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    if (!is_of_clusters(attribute) || attribute == CLUSTER_FIRST || value < 0 ||
        (required && kernel->function->required_cluster[0]))
        return CUDA_ERROR_INVALID_VALUE;
    kernel->cluster[attribute - CLUSTER_FIRST] = value;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value) {
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    const Gpu *gpu = core_settings()->gpu;
    switch (attribute) {
    case FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        if (value < 0 ||
            (uint32_t)value + function->function->shared_bytes > gpu->shared_per_block_optin)
            return CUDA_ERROR_INVALID_VALUE;
        function->max_dynamic_shared = value;
        return CUDA_SUCCESS;
    case 9:
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        function->carveout = value;
        return CUDA_SUCCESS;
    default:
        return set_cluster(function, attribute, value);
    }
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config) {
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!cache_config_valid(config))
        return CUDA_ERROR_INVALID_VALUE;
    function->cache_config = config;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config) {
    enum {
        EIGHT_BYTES = 2
    }; /* the last one; without effect: banks have had 4 bytes since compute capability 5.0 */
    if (!IS(function, TAG_KERNEL))
        return CUDA_ERROR_INVALID_HANDLE;
    return config < 0 || config > EIGHT_BYTES ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
    if (!module || !IS(function, TAG_KERNEL))
        return module && function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *module = function->library;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
    if (!name || !IS(function, TAG_KERNEL))
        return name && function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *name = function->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes) {
    if (!offset || !IS(function, TAG_KERNEL))
        return offset && function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    CUresult result = kernel_parse(function);
    if (result)
        return result;
    if (index >= function->function->params.count)
        return CUDA_ERROR_INVALID_VALUE;
    const Variable *param = function->function->params.at[index];
    *offset = param->offset;
    if (bytes)
        *bytes = param->bytes;
    return CUDA_SUCCESS;
}

CUresult cuFuncIsLoaded(int *state, CUfunction function) {
    enum { UNLOADED, LOADED };
    if (!state || !IS(function, TAG_KERNEL))
        return state ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *state = function->function ? LOADED : UNLOADED;
    return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function) {
    return IS(function, TAG_KERNEL) ? kernel_parse(function) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- under the names of libraries' kernels ---- */

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    if (!function || !IS(kernel, TAG_KERNEL))
        return function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
    *function = kernel;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
    if (library && !kernel)
        return CUDA_ERROR_INVALID_HANDLE;
    return cuFuncGetModule(library, kernel);
}

CUresult cuKernelGetName(const char **name, CUkernel kernel) {
    return cuFuncGetName(name, kernel);
}

CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice device) {
    return device_of(device) ? cuFuncGetAttribute(value, attribute, kernel)
                             : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device) {
    return device_of(device) ? cuFuncSetAttribute(kernel, attribute, value)
                             : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
    return device_of(device) ? cuFuncSetCacheConfig(kernel, config) : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *bytes) {
    return cuFuncGetParamInfo(kernel, index, offset, bytes);
}
