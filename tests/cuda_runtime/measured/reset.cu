// What cudaDeviceReset leaves behind of what a program had, and how kernels start anew.
#include <cstdio>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

#include "alone.h"

__device__ int counter = 5;
__constant__ int constant = 7;
__managed__ int managed = 9;
__global__ void kernel(int *out) {
    *out = ++counter + constant;
    managed++;
}
static int *d, *host, *pool;
static void *arguments[] = {&d};
static cudaStream_t stream;
static cudaEvent_t event;
static cudaGraph_t graph;
static cudaGraphExec_t exec;
static cudaArray_t array;
static cudaTextureObject_t texture;
static cudaFunction_t function;
static cudaKernel_t handle;
static CUmodule module;
static CUfunction of_module;
static const char *ptx = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .global .align 4 .u32 g = 3;\n"
                         ".visible .entry k() { .reg .u32 %r; ld.global.u32 %r, [g]; add.u32 %r, %r, 1; "
                         "st.global.u32 [g], %r; ret; }\n";

static void make() {
    cudaMalloc(&d, 64), cudaMallocHost(&host, 64), cudaMallocAsync(&pool, 64, 0);
    cudaStreamCreate(&stream), cudaEventCreate(&event), cudaEventRecord(event, stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    kernel<<<1, 1, 0, stream>>>(d);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 8, 8);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    cudaCreateTextureObject(&texture, &resource, &description, NULL);
    cudaGetFuncBySymbol(&function, (const void *)kernel);
    cudaGetKernel(&handle, (const void *)kernel);
    cuModuleLoadData(&module, ptx);
    cuModuleGetFunction(&of_module, module, "k");
}

static void launch(const char *when) {
    int value = -1, count = -1, now = -1;
    kernel<<<1, 1>>>(d);
    int error = cudaGetLastError(), copied = cudaMemcpy(&value, d, 4, cudaMemcpyDeviceToHost);
    int symbol = cudaMemcpyFromSymbol(&count, counter, 4);
    cudaMemcpyFromSymbol(&now, constant, 4);
    printf("%s: launch %d, copy %d, symbol %d: %d %d %d, managed %d\n", when, error, copied, symbol, value, count, now,
           managed);
}

// What the call gives behind a reset, and a launch behind that.
static void report(FILE *out, int (*call)()) {
    make();
    cudaDeviceReset();
    int first = call(), last = cudaGetLastError();
    cudaMalloc(&d, 64);
    kernel<<<1, 1>>>(d);
    fprintf(out, "%d, last error %d, a launch then %d\n", first, last, cudaGetLastError());
}
#define ALONE(...)                                                                                 \
    alone(#__VA_ARGS__, [](FILE *out) { report(out, [] { return (int)(__VA_ARGS__); }); })

int main() {
    int value;
    ALONE(cudaFree(d));
    ALONE(cudaFreeHost(host));
    ALONE(cudaFreeAsync(pool, 0));
    ALONE(cudaMemset(d, 0, 4));
    ALONE(cudaMemcpy(d, &d, 4, cudaMemcpyHostToDevice));
    ALONE(cudaStreamSynchronize(stream));
    ALONE(cudaStreamQuery(stream));
    ALONE(cudaStreamDestroy(stream));
    ALONE((kernel<<<1, 1, 0, stream>>>(d), cudaGetLastError()));
    ALONE(cudaMemsetAsync(d, 0, 4, stream));
    ALONE(cudaEventQuery(event));
    ALONE(cudaEventSynchronize(event));
    ALONE(cudaEventRecord(event, 0));
    ALONE(cudaEventDestroy(event));
    ALONE(cudaStreamWaitEvent(0, event, 0));
    ALONE(cudaGraphLaunch(exec, 0));
    ALONE(cudaGraphExecDestroy(exec));
    ALONE(cudaGraphInstantiate(&exec, graph, 0));
    ALONE(cudaGraphDestroy(graph));
    ALONE(cudaFreeArray(array));
    ALONE(cudaDestroyTextureObject(texture));
    ALONE(cuLaunchKernel((CUfunction)function, 1, 1, 1, 1, 1, 1, 0, 0, arguments, 0));
    ALONE((cudaMalloc(&d, 64), cudaLaunchKernel((const void *)handle, 1, 1, arguments, 0, 0)));
    ALONE(cuLaunchKernel(of_module, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0));
    ALONE(cuModuleGetFunction(&of_module, module, "k"));
    ALONE(cuModuleUnload(module));
    ALONE(cudaDeviceReset());
    ALONE([] {
        cudaPointerAttributes a;
        int error = cudaPointerGetAttributes(&a, d);
        return error * 1000 + a.type;
    }());
    ALONE([] {
        size_t limit = 0;
        cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaDeviceReset();
        cudaDeviceGetLimit(&limit, cudaLimitStackSize);
        return limit;
    }());
    alone_finish();
    make();
    launch("at first");
    launch("again");
    printf("reset: %d\n", cudaDeviceReset());
    cudaMalloc(&d, 64);
    launch("after a reset");
    value = 3;
    cudaMemcpyToSymbol(counter, &value, 4);
    launch("symbol written");
    cuDevicePrimaryCtxReset(0);
    cudaMalloc(&d, 64);
    launch("after the driver's reset");
    return 0;
}
