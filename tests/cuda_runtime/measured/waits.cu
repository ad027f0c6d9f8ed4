// Kernels that wait: for the host, which goes on after a launch, and for each other; and what is behind them in streams. Each part is
// in a process of its own.
#include "say.h"
#include <atomic>
#include <thread>

static volatile int *flag; // of the host, mapped
static int *at, *there;    // the same for kernels; memory of the device
static cudaStream_t s, t, apart;
static int *pinned;

__global__ void spin(volatile int *flag, int until, int *out, int value) {
    while (*flag < until)
        ;
    if (out)
        *out = value;
}
__global__ void put(int *out, int value) {
    *out = value;
}
__global__ void copy(int *out, const int *from) {
    *out = *from;
}
__global__ void meet(volatile int *mine, volatile int *other, int *out) {
    *mine = 1;
    __threadfence_system();
    while (!*other)
        ;
    *out = 1;
}
__global__ void bad(int *out) {
    *out = *(int *)((size_t)out & 0 | 16);
}
static void begin() {
    cudaHostAlloc((void **)&flag, 64, cudaHostAllocMapped);
    *flag = 0;
    cudaHostGetDevicePointer((void **)&at, (void *)flag, 0);
    cudaMalloc(&there, 64), cudaMemset(there, 0, 64);
    cudaMallocHost(&pinned, 64), memset(pinned, 0, 64);
    cudaStreamCreate(&s), cudaStreamCreate(&t),
        cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    put<<<1, 1, 0, apart>>>(there, 0); // kernels are loaded at their first launch
    spin<<<1, 1, 0, apart>>>(at, 0, NULL, 0), copy<<<1, 1, 0, apart>>>(there + 1, there);
    cudaDeviceSynchronize();
}
static void value(const char *what) {
    int values[4] = {};
    int error = cudaMemcpy(values, there, 16, cudaMemcpyDeviceToHost);
    printf("  %s: %d, %d %d %d %d\n", what, error, values[0], values[1], values[2], values[3]);
}

static void host() {
    begin();
    cudaEvent_t before, behind;
    cudaEventCreate(&before), cudaEventCreate(&behind);
    R(cudaEventRecord(before, s));
    spin<<<1, 32, 0, s>>>(at, 1, there, 5);
    R(cudaGetLastError()), R(cudaStreamQuery(s)), R(cudaEventRecord(behind, s)),
        R(cudaEventQuery(behind));
    float ms = 0;
    R(cudaEventSynchronize(before)), R(cudaEventElapsedTime(&ms, before, behind));
    R(cudaStreamQuery(t)), R(cudaStreamSynchronize(t)), R(cudaStreamQuery(apart)),
        R(cudaStreamQuery(0));
    put<<<1, 1, 0, apart>>>(there + 1, 7);
    R(cudaStreamSynchronize(apart));
    *flag = 1;
    R(cudaStreamSynchronize(s)), R(cudaStreamQuery(s)), R(cudaEventQuery(behind));
    R(cudaEventElapsedTime(&ms, before, behind)), printf("  later %d\n", ms > 0);
    value("done");
}

static void CUDART_CB called(void *data) {
    ++*(std::atomic<int> *)data;
}
static void order() {
    begin();
    static std::atomic<int> calls;
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    pinned[0] = 11;
    spin<<<1, 1, 0, s>>>(at, 1, there, 5);
    R(cudaMemcpyAsync(there + 1, pinned, 4, cudaMemcpyHostToDevice, s));
    put<<<1, 1, 0, s>>>(there + 2, 12);
    R(cudaMemcpyAsync(pinned + 1, there, 12, cudaMemcpyDeviceToHost, s)),
        R(cudaLaunchHostFunc(s, called, &calls));
    R(cudaEventRecord(event, s)), R(cudaStreamWaitEvent(t, event, 0));
    copy<<<1, 1, 0, t>>>(there + 3, there + 2);
    R(cudaMemsetAsync(there + 2, 0, 4, t)), R(cudaStreamQuery(t)), R(cudaStreamQuery(s)),
        R(cudaEventQuery(event));
    printf("  calls %d, copied %d %d %d\n", calls.load(), pinned[1], pinned[2], pinned[3]);
    pinned[0] = 13; // before it is read
    *flag = 1;
    R(cudaStreamSynchronize(s)),
        printf("  calls %d, copied %d %d %d\n", calls.load(), pinned[1], pinned[2], pinned[3]);
    R(cudaDeviceSynchronize()), value("done");
}

static void two() {
    begin();
    meet<<<1, 1, 0, s>>>(there, there + 1, there + 2);
    meet<<<1, 1, 0, t>>>(there + 1, there, there + 3);
    R(cudaDeviceSynchronize()), value("met");
    // three, each of which waits for the next one, the last for the host
    cudaMemset(there, 0, 16);
    spin<<<1, 1, 0, s>>>(there, 1, there + 1, 1), spin<<<1, 1, 0, t>>>(there + 2, 1, there, 1);
    spin<<<1, 1, 0, apart>>>(at, 1, there + 2, 1);
    R(cudaStreamQuery(s)), R(cudaStreamQuery(t)), R(cudaStreamQuery(apart));
    *flag = 1;
    R(cudaDeviceSynchronize()), value("all");
}

static void legacy() {
    begin();
    spin<<<1, 1, 0, s>>>(at, 1, there, 5);
    put<<<1, 1>>>(there, 6);
    put<<<1, 1, 0, t>>>(there + 1, 7);
    put<<<1, 1, 0, apart>>>(there + 2, 8);
    R(cudaStreamQuery(0)), R(cudaStreamQuery(t)), R(cudaStreamSynchronize(apart)),
        R(cudaStreamQuery(cudaStreamPerThread));
    *flag = 1;
    R(cudaStreamSynchronize(0)), R(cudaDeviceSynchronize()), value("done");
    *flag = 0;
    spin<<<1, 1>>>(at, 1, there, 9);
    put<<<1, 1, 0, t>>>(there + 1, 10);
    put<<<1, 1, 0, apart>>>(there + 2, 11);
    R(cudaStreamQuery(0)), R(cudaStreamQuery(t)), R(cudaStreamSynchronize(apart));
    *flag = 1;
    R(cudaDeviceSynchronize()), value("done");
}

static std::atomic<int> calls, go;
static void CUDART_CB held(void *) {
    while (!go)
        ;
    calls = 1;
}
static void values() {
    begin();
    R(cuStreamWaitValue32(s, (CUdeviceptr)at, 1, CU_STREAM_WAIT_VALUE_GEQ)),
        R(cuStreamWriteValue32(s, (CUdeviceptr)there, 9, 0));
    R(cuStreamQuery(s));
    *flag = 1;
    R(cuStreamSynchronize(s)), value("written");
    *flag = 0;
    R(cuStreamWaitValue32(s, (CUdeviceptr)at, 3, CU_STREAM_WAIT_VALUE_EQ)), R(cuStreamQuery(s));
    R(cuStreamWriteValue32(t, (CUdeviceptr)at, 3, 0)), R(cuStreamSynchronize(s)),
        printf("  %d\n", *flag);
    calls = go = 0;
    R(cudaLaunchHostFunc(s, held, NULL)), R(cudaStreamQuery(s));
    put<<<1, 1, 0, s>>>(there + 1, 4);
    R(cudaStreamQuery(s)), printf("  calls %d\n", calls.load());
    go = 1;
    R(cudaStreamSynchronize(s)), printf("  calls %d\n", calls.load()), value("called");
}

static void graphs() {
    begin();
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    spin<<<1, 1, 0, s>>>(at, 1, there, 5);
    copy<<<1, 1, 0, s>>>(there + 1, there);
    cudaStreamEndCapture(s, &graph);
    R(cudaGraphInstantiate(&exec, graph, 0)), R(cudaGraphLaunch(exec, s)), R(cudaStreamQuery(s));
    put<<<1, 1, 0, s>>>(there + 2, 6);
    R(cudaStreamQuery(s));
    *flag = 1;
    R(cudaStreamSynchronize(s)), value("done");
    *flag = 0;
    R(cudaGraphLaunch(exec, s)), R(cudaGraphExecDestroy(exec)), R(cudaStreamQuery(s));
    *flag = 1;
    R(cudaStreamSynchronize(s)), value("again");
}

/* Sets the flag after a while, or as soon as it is told to. */
static std::atomic<bool> now;
static std::thread later(int tenths = 2) {
    now = false;
    return std::thread([tenths] {
        for (int i = 0; i < 10 * tenths && !now; i++)
            usleep(10000);
        *flag = 1;
    });
}
static void blocking() {
    begin();
    int word = 3;
    std::thread first = later();
    spin<<<1, 1, 0, s>>>(at, 1, there, 5);
    R(cudaMemcpy(&word, there, 4, cudaMemcpyDeviceToHost)),
        printf("  %d, after the flag %d\n", word, *flag), first.join();
    *flag = 0;
    int *other;
    cudaMalloc(&other, 64);
    std::thread second = later();
    spin<<<1, 1, 0, s>>>(at, 1, other, 5);
    R(cudaFree(other)), printf("  after the flag %d\n", *flag), second.join();
    R(cudaDeviceSynchronize());
    *flag = 0;
    std::thread third = later(100); /* longer than any machine takes to come to the next line */
    spin<<<1, 1, 0, s>>>(at, 1, there, 6);
    R(cudaStreamDestroy(s)), printf("  after the flag %d\n", *flag), now = true, third.join();
    R(cudaDeviceSynchronize()), value("done");
    *flag = 0;
    spin<<<1, 1, 0, t>>>(at, 1, there, 7);
    R(cudaMallocAsync(&other, 64, t)), R(cudaMemsetAsync(other, 1, 64, t)),
        R(cudaFreeAsync(other, t)), R(cudaStreamQuery(t));
    R(cudaMalloc(&other, 64)), printf("  after the flag %d\n", *flag);
    R(cudaMemsetAsync(other, 1, 64, apart)), R(cudaStreamSynchronize(apart)),
        printf("  after the flag %d\n", *flag);
    *flag = 1;
    R(cudaDeviceSynchronize()), value("done");
}

static void managed() {
    begin();
    volatile int *word;
    cudaMallocManaged((void **)&word, 64);
    *word = 0;
    cudaDeviceSynchronize();
    spin<<<1, 1, 0, s>>>(word, 1, there, 5);
    R(cudaStreamQuery(s));
    *word = 1;
    R(cudaDeviceSynchronize()), value("done");
}

static void fault() {
    begin();
    spin<<<1, 1, 0, s>>>(at, 1, there, 5);
    bad<<<1, 1, 0, s>>>(there);
    R(cudaGetLastError()), R(cudaStreamQuery(s)), R(cudaStreamQuery(apart));
    *flag = 1;
    printf("synchronize: %d\n", cudaStreamSynchronize(s));
    printf("then: %d, malloc: %d, query: %d\n", cudaGetLastError(), cudaMalloc((void **)&pinned, 4),
           cudaStreamQuery(apart));
}

int main() {
    return in_parts({host, order, two, legacy, values, graphs, blocking, managed, fault});
}
