/* Launches. kernel<<<grid, block, shared, stream>>>(arguments) becomes, in host code,
 *   __cudaPushCallConfiguration(grid, block, shared, stream)
 *   stub(arguments):  __cudaPopCallConfiguration, then cudaLaunchKernel(stub, …) (CUDA 12) or
 *                     __cudaGetKernel(&kernel, stub), __cudaLaunchKernel(kernel, …) (CUDA 13)
 * Arguments are evaluated between push and pop and may launch kernels themselves: a stack. */
#include "cuda/core.h"
#include "cuda/runtime/calls.h"

#include <string.h>

enum { CONFIGURATIONS_MOST = 64 };

typedef struct Configuration {
    dim3 grid, block;
    size_t shared;
    CUstream stream;
} Configuration;

static _Thread_local struct {
    Configuration at[CONFIGURATIONS_MOST];
    unsigned count;
} configurations;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream) {
    if (configurations.count == CONFIGURATIONS_MOST)
        return 1; /* non-zero: the stub is not called */
    configurations.at[configurations.count++] = (Configuration){grid, block, shared, stream};
    return 0;
}

cudaError __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    if (configurations.count == 0) {
        core_message_once(
            "__cudaPopCallConfiguration",
            "a kernel is called that was given no launch configuration, and does not run: "
            "the call is not a launch, or the __cudaPushCallConfiguration of a "
            "program without symbols was not found");
        return rt_result(cudaErrorMissingConfiguration);
    }
    const Configuration *top = &configurations.at[--configurations.count];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *(CUstream *)stream = top->stream;
    return cudaSuccess;
}

/* The runtime of CUDA 12 has an error of its own for shapes, which the driver calls an invalid value. */
static cudaError shape_error(cudaError error, dim3 grid, dim3 block) {
    static const int attributes[] = {2, 3, 4, 5, 6, 7}; /* MAX_BLOCK_DIM_X … MAX_GRID_DIM_Z */
    const unsigned sizes[] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};
    int most = 0;
    if (error != cudaErrorInvalidValue)
        return error;
    for (int i = 0; i < 6; i++) {
        cuDeviceGetAttribute(&most, attributes[i], 0);
        if (sizes[i] == 0 || sizes[i] > (unsigned)most)
            return cudaErrorInvalidConfiguration;
    }
    cuDeviceGetAttribute(&most, 1, 0); /* MAX_THREADS_PER_BLOCK */
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    return threads > (uint64_t)most ? cudaErrorInvalidConfiguration : error;
}

static cudaError driver_launch(CUkernel kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, CUstream stream) {
    if (shared > UINT32_MAX)
        return cudaErrorInvalidValue;
    return (cudaError)cuLaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     (unsigned)shared, stream, arguments, NULL);
}

cudaError cudaGetKernel(CUkernel *kernel, const void *host) {
    cudaError error = kernel ? rt_kernel(host, kernel) : rt_result(cudaErrorInvalidValue);
    if (!error && *kernel != host)
        rt_remember_kernel(*kernel);
    return error;
}

/* The handle goes straight to __cudaLaunchKernel: it need not be found again. */
cudaError __cudaGetKernel(CUkernel *kernel, const void *host) {
    return rt_kernel(host, kernel);
}

cudaError cudaGetFuncBySymbol(CUfunction *function, const void *host) {
    return function ? rt_kernel(host, function) : rt_result(cudaErrorInvalidValue);
}

/* CUDA 13's launch gives the driver's error (measured on an H200). */
cudaError __cudaLaunchKernel(CUkernel kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared, CUstream stream) {
    return rt_result(driver_launch(kernel, grid, block, arguments, shared, stream));
}

static cudaError launch_host(const void *host, dim3 grid, dim3 block, void **arguments,
                             size_t shared, CUstream stream) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error : driver_launch(kernel, grid, block, arguments, shared, stream);
}

cudaError cudaLaunchKernel_12(const void *host, dim3 grid, dim3 block, void **arguments,
                              size_t shared, CUstream stream) {
    cudaError error = launch_host(host, grid, block, arguments, shared, stream);
    return rt_result(shape_error(error, grid, block));
}

cudaError cudaLaunchKernel_13(const void *host, dim3 grid, dim3 block, void **arguments,
                              size_t shared, CUstream stream) {
    return rt_result(launch_host(host, grid, block, arguments, shared, stream));
}

static cudaError launch_cooperative(const void *host, dim3 grid, dim3 block, void **arguments,
                                    size_t shared, CUstream stream) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    if (error)
        return error;
    return (cudaError)cuLaunchCooperativeKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y,
                                                block.z, (unsigned)shared, stream, arguments);
}

cudaError cudaLaunchCooperativeKernel_12(const void *host, dim3 grid, dim3 block, void **arguments,
                                         size_t shared, CUstream stream) {
    cudaError error = launch_cooperative(host, grid, block, arguments, shared, stream);
    return rt_result(shape_error(error, grid, block));
}

cudaError cudaLaunchCooperativeKernel_13(const void *host, dim3 grid, dim3 block, void **arguments,
                                         size_t shared, CUstream stream) {
    return rt_result(launch_cooperative(host, grid, block, arguments, shared, stream));
}

static CUlaunchConfig driver_config(const cudaLaunchConfig *config) {
    return (CUlaunchConfig){
        .gridDim = {config->gridDim.x, config->gridDim.y, config->gridDim.z},
        .blockDim = {config->blockDim.x, config->blockDim.y, config->blockDim.z},
        .sharedMemBytes = (unsigned)config->dynamicSmemBytes,
        .hStream = config->stream,
        .attrs = config->attrs,
        .numAttrs = config->numAttrs};
}

static cudaError launch_extended(const cudaLaunchConfig *config, const void *host,
                                 void **arguments) {
    CUkernel kernel;
    if (!config)
        return cudaErrorInvalidValue;
    cudaError error = rt_kernel(host, &kernel);
    if (error)
        return error;
    CUlaunchConfig converted = driver_config(config);
    return (cudaError)cuLaunchKernelEx(&converted, kernel, arguments, NULL);
}

cudaError cudaLaunchKernelExC_12(const cudaLaunchConfig *config, const void *host,
                                 void **arguments) {
    cudaError error = launch_extended(config, host, arguments);
    return rt_result(config ? shape_error(error, config->gridDim, config->blockDim) : error);
}

cudaError cudaLaunchKernelExC_13(const cudaLaunchConfig *config, const void *host,
                                 void **arguments) {
    return rt_result(launch_extended(config, host, arguments));
}

cudaError cudaLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    RT_FORWARD(cuLaunchHostFunc(stream, function, data));
}

/* ---- attributes ---- */

cudaError cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host) {
    CUkernel kernel;
    int values[FUNC_ATTRIBUTE_MAX] = {0};
    cudaError error = attributes ? rt_kernel(host, &kernel) : rt_result(cudaErrorInvalidValue);
    if (error)
        return error;
    for (int i = 0; i < FUNC_ATTRIBUTE_MAX; i++)
        cuKernelGetAttribute(&values[i], i, kernel, 0);
    *attributes = (cudaFuncAttributes){.maxThreadsPerBlock = values[0],
                                       .sharedSizeBytes = (size_t)values[1],
                                       .constSizeBytes = (size_t)values[2],
                                       .localSizeBytes = (size_t)values[3],
                                       .numRegs = values[4],
                                       .ptxVersion = values[5],
                                       .binaryVersion = values[6],
                                       .cacheModeCA = values[7],
                                       .maxDynamicSharedSizeBytes = values[8],
                                       .preferredShmemCarveout = values[9],
                                       .clusterDimMustBeSet = values[10],
                                       .requiredClusterWidth = values[11],
                                       .requiredClusterHeight = values[12],
                                       .requiredClusterDepth = values[13],
                                       .nonPortableClusterSizeAllowed = values[14],
                                       .clusterSchedulingPolicyPreference = values[15]};
    return cudaSuccess;
}

cudaError cudaFuncSetAttribute(const void *host, int attribute, int value) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error : rt_result((cudaError)cuKernelSetAttribute(attribute, value, kernel, 0));
}

cudaError cudaKernelSetAttributeForDevice(CUkernel kernel, int attribute, int value, int device) {
    RT_FORWARD(cuKernelSetAttribute(attribute, value, kernel, device));
}

cudaError cudaFuncSetCacheConfig(const void *host, int config) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error : rt_result((cudaError)cuKernelSetCacheConfig(kernel, config, 0));
}

cudaError cudaFuncSetSharedMemConfig(const void *host, int config) {
    CUkernel kernel;
    (void)config; /* deprecated: GPUs of today have one bank size */
    return rt_kernel(host, &kernel);
}

cudaError cudaFuncGetName(const char **name, const void *host) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error : rt_result((cudaError)cuKernelGetName(name, kernel));
}

cudaError cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error : rt_result((cudaError)cuKernelGetParamInfo(kernel, index, offset, bytes));
}

/* ---- occupancy ---- */

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host,
                                                                 int threads, size_t shared,
                                                                 unsigned flags) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error
                 : rt_result((cudaError)cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                       blocks, kernel, threads, shared, flags));
}

cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int threads,
                                                        size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, host, threads, shared, 0);
}

cudaError cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host, int blocks,
                                                    int threads) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    return error ? error
                 : rt_result((cudaError)cuOccupancyAvailableDynamicSMemPerBlock(bytes, kernel,
                                                                                blocks, threads));
}

cudaError cudaOccupancyMaxPotentialClusterSize(int *size, const void *host,
                                               const cudaLaunchConfig *config) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    if (error || !config)
        return error ? error : rt_result(cudaErrorInvalidValue);
    CUlaunchConfig converted = driver_config(config);
    return rt_result((cudaError)cuOccupancyMaxPotentialClusterSize(size, kernel, &converted));
}

cudaError cudaOccupancyMaxActiveClusters(int *count, const void *host,
                                         const cudaLaunchConfig *config) {
    CUkernel kernel;
    cudaError error = rt_kernel(host, &kernel);
    if (error || !config)
        return error ? error : rt_result(cudaErrorInvalidValue);
    CUlaunchConfig converted = driver_config(config);
    return rt_result((cudaError)cuOccupancyMaxActiveClusters(count, kernel, &converted));
}

/* ---- libraries that the program loads itself ---- */

cudaError cudaLibraryLoadData(CUlibrary *library, const void *code, int *jit_options,
                              void **jit_values, unsigned jit_count, int *options, void **values,
                              unsigned count) {
    RT_FORWARD(cuLibraryLoadData(library, code, jit_options, jit_values, jit_count, options, values,
                                 count));
}

cudaError cudaLibraryLoadFromFile(CUlibrary *library, const char *path, int *jit_options,
                                  void **jit_values, unsigned jit_count, int *options,
                                  void **values, unsigned count) {
    RT_FORWARD(cuLibraryLoadFromFile(library, path, jit_options, jit_values, jit_count, options,
                                     values, count));
}

cudaError cudaLibraryUnload(CUlibrary library) {
    RT_FORWARD(cuLibraryUnload(library));
}

cudaError cudaLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    cudaError error = rt_ready();
    if (!error)
        error = rt_result((cudaError)cuLibraryGetKernel(kernel, library, name));
    if (!error)
        rt_remember_kernel(*kernel);
    return error;
}

cudaError cudaLibraryGetKernelCount(unsigned *count, CUlibrary library) {
    RT_FORWARD(cuLibraryGetKernelCount(count, library));
}

cudaError cudaLibraryEnumerateKernels(CUkernel *kernels, unsigned count, CUlibrary library) {
    cudaError error = rt_ready();
    if (!error)
        error = rt_result((cudaError)cuLibraryEnumerateKernels(kernels, count, library));
    unsigned known = 0;
    if (!error)
        cuLibraryGetKernelCount(&known, library);
    for (unsigned i = 0; i < known && i < count; i++)
        rt_remember_kernel(kernels[i]);
    return error;
}

cudaError cudaLibraryGetGlobal(void **address, size_t *bytes, CUlibrary library, const char *name) {
    RT_FORWARD(cuLibraryGetGlobal((CUdeviceptr *)address, bytes, library, name));
}

cudaError cudaLibraryGetManaged(void **address, size_t *bytes, CUlibrary library,
                                const char *name) {
    RT_FORWARD(cuLibraryGetManaged((CUdeviceptr *)address, bytes, library, name));
}

VERSIONED(cudaLaunchKernel)
VERSIONED(cudaLaunchCooperativeKernel)
VERSIONED(cudaLaunchKernelExC)
