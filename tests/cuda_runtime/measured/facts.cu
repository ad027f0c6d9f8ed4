// What a GPU says of itself and of kernels: properties, attributes, limits, registers, occupancy. One fact a line.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ float table[1024];

__global__ void empty() {
}
__global__ void copy(float *to, const float *from) {
    to[threadIdx.x] = from[threadIdx.x];
}
__global__ void transpose(float *to, const float *from, int width) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = from[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        to[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void many(double *to, const double *from) { // many values alive at once
    double sums[32];
#pragma unroll
    for (int i = 0; i < 32; i++)
        sums[i] = from[threadIdx.x + 32 * i];
#pragma unroll
    for (int i = 0; i < 32; i++)
#pragma unroll
        for (int j = 0; j < 32; j++)
            sums[i] += sums[j] * table[i + 32 * j];
#pragma unroll
    for (int i = 0; i < 32; i++)
        to[threadIdx.x + 32 * i] = sums[i];
}
__global__ void __launch_bounds__(256, 8) bounded(double *to, const double *from) {
    double sums[24];
    for (int i = 0; i < 24; i++)
        sums[i] = from[threadIdx.x + 32 * i];
    for (int i = 0; i < 24; i++)
        to[threadIdx.x + 32 * i] = sums[i] * sums[(i + 7) % 24];
}
__global__ void local(int *to, int at) {
    int own[64];
    for (int i = 0; i < 64; i++)
        own[i] = i * at;
    to[threadIdx.x] = own[at];
}
__global__ void calls(float *to) {
    to[threadIdx.x] = sinf(to[threadIdx.x]) + powf(to[threadIdx.x], 3.3f);
    printf("%f\n", to[threadIdx.x]);
}

static void attributes(CUdevice device) {
    for (int i = 1; i < 160; i++) {
        int value = -12345;
        CUresult result = cuDeviceGetAttribute(&value, (CUdevice_attribute)i, device);
        if (result)
            printf("attribute %d: error %d\n", i, result);
        else
            printf("attribute %d: %d\n", i, value);
    }
}

static void properties() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
#define P(field) printf("%s: %lld\n", #field, (long long)p.field)
#define P2(field) printf("%s: %lld %lld\n", #field, (long long)p.field[0], (long long)p.field[1])
#define P3(field)                                                                                  \
    printf("%s: %lld %lld %lld\n", #field, (long long)p.field[0], (long long)p.field[1],           \
           (long long)p.field[2])
    printf("name: %s\n", p.name);
    P(luidDeviceNodeMask), P(totalGlobalMem), P(sharedMemPerBlock), P(regsPerBlock), P(warpSize);
    P(memPitch), P(maxThreadsPerBlock), P3(maxThreadsDim), P3(maxGridSize), P(totalConstMem);
    P(major), P(minor), P(textureAlignment), P(texturePitchAlignment), P(multiProcessorCount);
    P(integrated), P(canMapHostMemory), P(maxTexture1D), P(maxTexture1DMipmap), P2(maxTexture2D);
    P2(maxTexture2DMipmap), P3(maxTexture2DLinear), P2(maxTexture2DGather), P3(maxTexture3D);
    P3(maxTexture3DAlt), P(maxTextureCubemap), P2(maxTexture1DLayered), P3(maxTexture2DLayered);
    P2(maxTextureCubemapLayered), P(maxSurface1D), P2(maxSurface2D), P3(maxSurface3D);
    P2(maxSurface1DLayered), P3(maxSurface2DLayered), P(maxSurfaceCubemap);
    P2(maxSurfaceCubemapLayered), P(surfaceAlignment), P(concurrentKernels), P(ECCEnabled);
    P(tccDriver), P(asyncEngineCount), P(unifiedAddressing), P(memoryBusWidth), P(l2CacheSize);
    P(persistingL2CacheMaxSize), P(maxThreadsPerMultiProcessor), P(streamPrioritiesSupported);
    P(globalL1CacheSupported), P(localL1CacheSupported), P(sharedMemPerMultiprocessor);
    P(regsPerMultiprocessor), P(managedMemory), P(isMultiGpuBoard), P(hostNativeAtomicSupported);
    P(pageableMemoryAccess), P(concurrentManagedAccess), P(computePreemptionSupported);
    P(canUseHostPointerForRegisteredMem), P(cooperativeLaunch), P(sharedMemPerBlockOptin);
    P(pageableMemoryAccessUsesHostPageTables), P(directManagedMemAccessFromHost);
    P(maxBlocksPerMultiProcessor), P(accessPolicyMaxWindowSize), P(reservedSharedMemPerBlock);
    P(hostRegisterSupported), P(sparseCudaArraySupported), P(hostRegisterReadOnlySupported);
    P(timelineSemaphoreInteropSupported), P(memoryPoolsSupported), P(gpuDirectRDMASupported);
    P(gpuDirectRDMAFlushWritesOptions), P(gpuDirectRDMAWritesOrdering);
    P(memoryPoolSupportedHandleTypes), P(deferredMappingCudaArraySupported), P(ipcEventSupported);
    P(clusterLaunch), P(unifiedFunctionPointers);
#if CUDART_VERSION >= 13000
    P(deviceNumaConfig), P(deviceNumaId), P(mpsEnabled), P(hostNumaId), P(gpuPciDeviceID);
    P(gpuPciSubsystemID), P(hostNumaMultinodeIpcSupported);
#endif
}

static void limits() {
    for (int i = 0; i < 12; i++) {
        size_t value = 0;
        int result = cudaDeviceGetLimit(&value, (cudaLimit)i);
        printf("limit %d: error %d, %zu\n", i, result, value);
    }
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    for (int i = 1; i < 9; i++) {
        unsigned long long value = 0;
        int result = cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)i, &value);
        printf("pool attribute %d: error %d, %llu\n", i, result, value);
    }
    int least = 9, greatest = 9;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    printf("priorities: %d %d\n", least, greatest);
}

static size_t quarter(int threads) {
    return (size_t)threads * 24;
}

static void kernel(const char *name, const void *function) {
    cudaFuncAttributes a;
    int result = cudaFuncGetAttributes(&a, function), blocks = -1, grid = -1, block = -1;
    printf("%s: error %d, shared %zu, const %zu, local %zu, threads %d, registers %d, ptx %d, binary %d, cache %d, "
           "dynamic %d, carveout %d\n",
           name, result, a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock, a.numRegs,
           a.ptxVersion, a.binaryVersion, a.cacheModeCA, a.maxDynamicSharedSizeBytes, a.preferredShmemCarveout);
    printf("%s: blocks of", name);
    for (int threads = 32; threads <= 1024; threads += threads < 256 ? 32 : 128) {
        result = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, 0);
        printf(" %d:%d", threads, result ? -result : blocks);
    }
    printf("\n%s: with 20000 bytes", name);
    for (int threads = 32; threads <= 1024; threads *= 2) {
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, 20000);
        printf(" %d:%d", threads, blocks);
    }
    result = cudaOccupancyMaxPotentialBlockSize(&grid, &block, function, 0, 0);
    printf("\n%s: potential %d: %d x %d", name, result, grid, block);
    result = cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, function, quarter);
    printf(", with shared %d: %d x %d", result, grid, block);
    result = cudaOccupancyMaxPotentialBlockSize(&grid, &block, function, 1000, 200);
    printf(", limited %d: %d x %d\n%s: available", result, grid, block, name);
    for (int blocks = 1; blocks <= 33; blocks += blocks < 4 ? 1 : 7) {
        for (int threads = 32; threads <= 1024; threads *= 4) {
            size_t bytes = 99;
            result = cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function, blocks, threads);
            printf(" %dx%d:%d,%zu", blocks, threads, result, bytes);
        }
    }
    printf("\n");
}

int main(int argc, char **) {
    cuInit(0);
    if (argc == 1) {
        properties();
        attributes(0);
        limits();
    }
#define K(name) kernel(#name, (const void *)name)
    K(empty), K(copy), K(transpose), K(many), K(bounded), K(local), K(calls);
    cudaFuncSetAttribute((const void *)transpose, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    K(transpose);
    return 0;
}
