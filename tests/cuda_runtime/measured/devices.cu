// Two devices: what belongs to each, what one may do with what is the other's, peer access and copies.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

#include "alone.h"

__device__ int counter = 5;
__constant__ int constant = 7;
__managed__ int managed = 9;
__global__ void count(int *out) {
    *out = ++counter + constant;
}
__global__ void add(int *at, int value) {
    *at += value;
}

static int *on[2], *host, *shared;
static cudaStream_t stream[2];
static cudaEvent_t event[2], later[2];
static cudaMemPool_t pool;
static int *pooled, *of_pool;
static void *arguments[] = {&on[0]};
static CUcontext context[2];

static void make() {
    for (int i = 1; i >= 0; i--) {
        cudaSetDevice(i);
        cudaMalloc(&on[i], 4096), cudaMemset(on[i], 0, 4096);
        cudaStreamCreate(&stream[i]), cudaEventCreate(&event[i]), cudaEventCreate(&later[i]);
        cudaEventRecord(event[i], stream[i]), cudaEventSynchronize(event[i]);
        cuCtxGetCurrent(&context[i]);
    }
    cudaMallocHost(&host, 4096);
    cudaMallocManaged(&shared, 4096);
    cudaMallocAsync(&pooled, 4096, 0);
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMallocFromPoolAsync(&of_pool, 4096, pool, 0);
    cudaDeviceSynchronize();
}

// What it gives in a process with both devices, device 0 being the current one.
static void report(FILE *out, int (*call)()) {
    make();
    cudaGetLastError();
    int first = call(), last = cudaGetLastError();
    fprintf(out, "%d, last error %d\n", first, last);
}
#define ALONE(...)                                                                                 \
    alone(#__VA_ARGS__, [](FILE *out) { report(out, [] { return (int)(__VA_ARGS__); }); })

static int current() {
    int device = -1;
    cudaGetDevice(&device);
    return device;
}
static int device_of(const void *pointer) {
    cudaPointerAttributes a;
    memset(&a, 0, sizeof a);
    int error = cudaPointerGetAttributes(&a, pointer);
    return error ? -error : a.type * 100 + a.device;
}
static int can(int from, int to) {
    int value = -1, error = cudaDeviceCanAccessPeer(&value, from, to);
    return error ? -error : value;
}
static int p2p(int attribute, int from, int to) {
    int value = -1, error = cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)attribute, from, to);
    return error ? -error : value;
}
static int value_at(const int *from) {
    int value = -1, error = cudaMemcpy(&value, from, 4, cudaMemcpyDefault);
    return error ? -error : value;
}
static int launch(cudaStream_t on_stream, int *at) {
    add<<<1, 1, 0, on_stream>>>(at, 3);
    int error = cudaGetLastError(), ran = cudaDeviceSynchronize();
    return error ? error : ran;
}
static int pool_access(int device) {
    cudaMemLocation location = {cudaMemLocationTypeDevice, device};
    cudaMemAccessFlags flags = (cudaMemAccessFlags)9;
    int error = cudaMemPoolGetAccess(&flags, pool, &location);
    return error ? -error : flags;
}
static int pool_share(int device) {
    cudaMemAccessDesc desc = {{cudaMemLocationTypeDevice, device}, cudaMemAccessFlagsProtReadWrite};
    return cudaMemPoolSetAccess(pool, &desc, 1);
}
static int used(int device) {
    size_t left, all;
    cudaSetDevice(device);
    cudaMemGetInfo(&left, &all);
    return (int)(all - left >> 20);
}
static int peer(int device) {
    return cudaDeviceEnablePeerAccess(device, 0);
}
static int ordinal(const void *pointer) {
    int device = -7;
    int error = cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, (CUdeviceptr)pointer);
    return error ? -error : device;
}
static int of_context(const void *pointer) {
    CUcontext found = 0;
    int error = cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)pointer);
    return error ? -error : found == context[0] ? 0 : found == context[1] ? 1 : 9;
}
static int stream_device(cudaStream_t of) {
    CUcontext found = 0;
    int error = cuStreamGetCtx(of, &found);
    return error ? -error : found == context[0] ? 0 : found == context[1] ? 1 : 9;
}
static int copy3d(int from, int to) {
    cudaMemcpy3DPeerParms p = {};
    p.srcDevice = from, p.dstDevice = to;
    p.srcPtr = make_cudaPitchedPtr(on[0], 64, 64, 4), p.dstPtr = make_cudaPitchedPtr(on[1], 64, 64, 4);
    p.extent = make_cudaExtent(64, 4, 2);
    return cudaMemcpy3DPeer(&p);
}

static void questions() {
    ALONE(current());
    ALONE((cudaSetDevice(1), current()));
    ALONE(cudaSetDevice(2));
    ALONE(cudaSetDevice(-1));
    ALONE((cudaSetDevice(2), current()));
    ALONE(can(0, 1)), ALONE(can(1, 0)), ALONE(can(0, 0)), ALONE(can(0, 2)), ALONE(can(-1, 0));
    alone("p2p attributes", [](FILE *out) {
        for (int i = 0; i < 8; i++)
            fprintf(out, "%d: %d, of itself %d, of none %d; ", i, p2p(i, 0, 1), p2p(i, 0, 0), p2p(i, 0, 2));
        fprintf(out, "\n");
    });
    ALONE(device_of(on[0])), ALONE(device_of(on[1])), ALONE(device_of(host)), ALONE(device_of(shared));
    ALONE(device_of((void *)&pool)), ALONE(device_of(pooled)), ALONE(device_of((void *)16));
    ALONE((cudaSetDevice(1), device_of(host)));
    ALONE((cudaSetDevice(1), cudaMallocManaged(&shared, 64), device_of(shared)));
    ALONE((cudaSetDevice(1), cudaMallocHost(&host, 64), device_of(host)));
    ALONE(ordinal(on[1])), ALONE(ordinal(host)), ALONE(ordinal(shared)), ALONE(of_context(on[1]));
    ALONE(of_context(shared)), ALONE(of_context(host));
    ALONE(stream_device(stream[0])), ALONE(stream_device(stream[1])), ALONE(stream_device(0));
    ALONE([] {
        int before = used(1);
        cudaSetDevice(0);
        void *more;
        cudaMalloc(&more, 64 << 20);
        return used(1) - before;
    }());
    ALONE([] {
        int before = used(1);
        void *more;
        cudaMalloc(&more, 64 << 20);
        return used(1) - before;
    }());
    ALONE([] {
        cudaDeviceProp a, b;
        cudaGetDeviceProperties(&a, 0), cudaGetDeviceProperties(&b, 1);
        return (memcmp(&a.uuid, &b.uuid, 16) != 0) + 2 * (a.pciBusID != b.pciBusID) + 4 * (a.pciDomainID != b.pciDomainID);
    }());
    ALONE(cudaGetDeviceProperties((cudaDeviceProp *)malloc(4096), 2));
    ALONE(cudaMemGetInfo(NULL, NULL));
}

static void peers() {
    ALONE(peer(1)), ALONE((peer(1), peer(1))), ALONE(peer(0)), ALONE(peer(2)), ALONE(cudaDeviceEnablePeerAccess(1, 1));
    ALONE(cudaDeviceDisablePeerAccess(1)), ALONE(cudaDeviceDisablePeerAccess(0)), ALONE(cudaDeviceDisablePeerAccess(2));
    ALONE((peer(1), cudaDeviceDisablePeerAccess(1)));
    ALONE((peer(1), cudaDeviceDisablePeerAccess(1), launch(0, on[1])));
    ALONE(cuCtxEnablePeerAccess(context[1], 0)), ALONE(cuCtxEnablePeerAccess(context[0], 0));
    ALONE(cuCtxEnablePeerAccess(NULL, 0)), ALONE(cuCtxDisablePeerAccess(context[1]));
    ALONE(cuCtxDisablePeerAccess(context[0])), ALONE(cuCtxDisablePeerAccess(NULL));
    ALONE(launch(0, on[0])), ALONE(launch(0, on[1])), ALONE((peer(1), launch(0, on[1])));
    ALONE((cudaSetDevice(1), peer(0), cudaSetDevice(0), launch(0, on[1])));
    ALONE((launch(0, on[1]), cudaSetDevice(1), cudaDeviceSynchronize()));
    ALONE((launch(0, on[1]), cudaSetDevice(1), cudaMalloc(&on[1], 64)));
    ALONE((launch(0, on[1]), cudaSetDevice(1), cudaGetLastError()));
    ALONE((launch(0, on[1]), cudaSetDevice(1), cudaMemcpy(on[1], host, 64, cudaMemcpyDefault)));
    ALONE((launch(0, on[1]), cudaSetDevice(1), launch(0, on[1])));
    ALONE((launch(0, on[1]), cudaSetDevice(1), cudaMemcpy(host, on[0], 64, cudaMemcpyDefault)));
    ALONE(launch(0, shared)), ALONE((cudaSetDevice(1), launch(0, shared)));
    ALONE((cudaSetDevice(1), launch(0, host))), ALONE((cudaSetDevice(1), launch(0, pooled)));
    ALONE(pool_share(1)), ALONE(pool_share(0)), ALONE(pool_share(2));
    ALONE((pool_share(1), cudaSetDevice(1), launch(0, pooled)));
    ALONE((peer(1), cudaSetDevice(1), peer(0), launch(0, pooled)));
    ALONE(pool_access(0)), ALONE(pool_access(1)), ALONE((pool_share(1), pool_access(1)));
    ALONE((cudaSetDevice(1), cudaMallocFromPoolAsync(&of_pool, 64, pool, 0)));
    ALONE((cudaSetDevice(1), cudaMallocFromPoolAsync(&of_pool, 64, pool, 0), device_of(of_pool)));
    ALONE((cudaSetDevice(1), cudaFreeAsync(pooled, 0)));
}

static void copies() {
    ALONE(cudaMemcpy(on[1], on[0], 64, cudaMemcpyDeviceToDevice)), ALONE(cudaMemcpy(on[0], on[1], 64, cudaMemcpyDefault));
    ALONE(cudaMemcpy(host, on[1], 64, cudaMemcpyDeviceToHost)), ALONE(cudaMemset(on[1], 0, 64));
    ALONE(cudaMemcpyPeer(on[1], 1, on[0], 0, 64)), ALONE(cudaMemcpyPeer(on[1], 0, on[0], 1, 64));
    ALONE(cudaMemcpyPeer(on[1], 1, on[1], 1, 64)), ALONE(cudaMemcpyPeer(on[1], 2, on[0], 0, 64));
    ALONE(cudaMemcpyPeer(on[1], 1, on[0], -1, 64)), ALONE(cudaMemcpyPeer(on[1], 1, host, 0, 64));
    ALONE(cudaMemcpyPeer(on[1], 1, on[0], 0, 8192)), ALONE(cudaMemcpyPeer(on[1], 1, on[0], 0, 0));
    ALONE(cudaMemcpyPeer(on[0], 1, on[0], 0, 64));
    ALONE(cudaMemcpyPeerAsync(on[1], 1, on[0], 0, 64, stream[0]));
    ALONE(cudaMemcpyPeerAsync(on[1], 1, on[0], 0, 64, stream[1]));
    ALONE(cudaMemcpyAsync(on[0], host, 64, cudaMemcpyHostToDevice, stream[1]));
    ALONE(cudaMemsetAsync(on[0], 0, 64, stream[1])), ALONE(cudaMemsetAsync(on[1], 0, 64, stream[1]));
    ALONE(copy3d(0, 1)), ALONE(copy3d(1, 0)), ALONE(copy3d(0, 2));
    ALONE(cudaFree(on[1])), ALONE((cudaSetDevice(1), cudaFree(on[0]), cudaFree(host)));
    ALONE((cudaSetDevice(1), cudaFreeHost(host)));
    ALONE(cuMemcpyPeer((CUdeviceptr)on[1], context[1], (CUdeviceptr)on[0], context[0], 64));
    ALONE(cuMemcpyPeer((CUdeviceptr)on[1], NULL, (CUdeviceptr)on[0], context[0], 64));
}

static void streams() {
    ALONE(launch(stream[0], on[0])), ALONE(launch(stream[1], on[0])), ALONE(launch(stream[1], on[1]));
    ALONE(cudaLaunchKernel((const void *)count, 1, 1, arguments, 0, stream[1]));
    ALONE(cudaStreamSynchronize(stream[1])), ALONE(cudaStreamQuery(stream[1])), ALONE(cudaStreamDestroy(stream[1]));
    ALONE(cudaEventRecord(event[0], stream[1])), ALONE(cudaEventRecord(event[1], stream[1]));
    ALONE(cudaEventRecord(event[1], 0)), ALONE(cudaEventSynchronize(event[1])), ALONE(cudaEventQuery(event[1]));
    ALONE(cudaStreamWaitEvent(stream[0], event[1], 0)), ALONE(cudaStreamWaitEvent(stream[1], event[0], 0));
    ALONE([] {
        float ms;
        return cudaEventElapsedTime(&ms, event[0], event[1]);
    }());
    ALONE(cudaEventDestroy(event[1]));
    alone("a capture on both", [](FILE *out) {
        make();
        cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeRelaxed);
        add<<<1, 1, 0, stream[0]>>>(on[0], 1);
        cudaEventRecord(event[0], stream[0]);
        cudaStreamWaitEvent(stream[1], event[0], 0);
        cudaSetDevice(1);
        add<<<1, 1, 0, stream[1]>>>(on[1], 2);
        int launched = cudaGetLastError();
        cudaEventRecord(event[1], stream[1]);
        cudaSetDevice(0);
        cudaStreamWaitEvent(stream[0], event[1], 0);
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        int ended = cudaStreamEndCapture(stream[0], &graph), made = cudaGraphInstantiate(&exec, graph, 0);
        int run = cudaGraphLaunch(exec, stream[0]), done = cudaStreamSynchronize(stream[0]);
        fprintf(out, "%d %d %d %d %d; %d %d\n", launched, ended, made, run, done, value_at(on[0]), value_at(on[1]));
    });
    ALONE((cudaLaunchHostFunc(stream[1], [](void *) {}, NULL)));
}

static void variables() {
    for (int i = 0; i < 2; i++) {
        int value = 100 * i;
        cudaSetDevice(i);
        printf("symbol on %d: %d\n", i, cudaMemcpyToSymbol(constant, &value, 4));
    }
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 2; i++) {
            void *address[2] = {};
            int value = -1, now = -1;
            cudaSetDevice(i);
            count<<<1, 1>>>(on[i]);
            printf("launch on %d: %d, ", i, cudaGetLastError());
            cudaGetSymbolAddress(&address[i], counter);
            cudaMemcpyFromSymbol(&now, counter, 4);
            value = value_at(on[i]);
            printf("%d, counter %d at %d\n", value, now, device_of(address[i]));
        }
        add<<<1, 1>>>(&managed, 1);
        cudaDeviceSynchronize();
        printf("managed: %d, at %d\n", managed, device_of(&managed));
    }
    cudaSetDevice(1);
    printf("reset of device 1: %d\n", cudaDeviceReset());
    cudaSetDevice(0);
    count<<<1, 1>>>(on[0]);
    printf("then on 0: %d, %d\n", cudaGetLastError(), value_at(on[0]));
    cudaSetDevice(1);
    cudaMalloc(&on[1], 64);
    count<<<1, 1>>>(on[1]);
    printf("then on 1: %d, %d\n", cudaGetLastError(), value_at(on[1]));
}

int main(int argc, char **argv) {
    int devices = -1;
    if (argc > 1) { // what CUDA_VISIBLE_DEVICES leaves
        int error = cudaGetDeviceCount(&devices);
        printf("%s: %d, %d devices:", argv[1], error, devices);
        for (int i = 0; i < devices; i++) {
            cudaDeviceProp p;
            cudaGetDeviceProperties(&p, i);
            char id[32] = "", visible[64];
            cudaDeviceGetPCIBusId(id, sizeof id, i);
            int self = -1;
            cudaDeviceGetByPCIBusId(&self, id);
            sprintf(visible, "%02x%02x", (unsigned char)p.uuid.bytes[0], (unsigned char)p.uuid.bytes[1]);
            printf(" %s%s", getenv("SHOW") ? id : "", getenv("SHOW") ? visible : self == i ? "ok" : "other");
        }
        printf("\n");
        return 0;
    }
    questions(), peers(), copies(), streams();
    alone_finish();
    make();
    variables();
    return 0;
}
