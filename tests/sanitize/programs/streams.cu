// Operations of streams that race, and mended ones; tests/sanitize/programs.py says which lines are which.
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

enum { COUNT = 4096, BYTES = COUNT * sizeof(int) };

__global__ void fill(int *out, int value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void sum(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += in[i];
}

__global__ void count(int *total) {
    atomicAdd(total, 1);
}

static int *a, *b, *pinned, *pageable;
static cudaStream_t first, second, loose;
static cudaEvent_t event;

static void run_fill(int *out, cudaStream_t stream) {
    fill<<<COUNT / 128, 128, 0, stream>>>(out, 1);
}

// way kernels
static void kernels() {
    fill<<<COUNT / 128, 128, 0, first>>>(a, 1);  //! other if kernels
    sum<<<COUNT / 128, 128, 0, second>>>(b, a);  //! stream-race if kernels
}

// way event_between
static void event_between() {
    run_fill(a, first);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    sum<<<COUNT / 128, 128, 0, second>>>(b, a);
}

// The event is recorded before what it is for.
// way event_early
static void event_early() {
    cudaEventRecord(event, first);
    fill<<<COUNT / 128, 128, 0, first>>>(a, 1); //! other if event_early
    cudaStreamWaitEvent(second, event, 0);
    sum<<<COUNT / 128, 128, 0, second>>>(b, a); //! stream-race if event_early
}

// way host_between
static void host_between() {
    run_fill(a, first);
    cudaStreamSynchronize(first);
    sum<<<COUNT / 128, 128, 0, second>>>(b, a);
    cudaDeviceSynchronize();
    run_fill(b, first);
    cudaEventRecord(event, first);
    while (cudaEventQuery(event) == cudaErrorNotReady)
        ;
    run_fill(b, loose);
}

// The host waits for the wrong stream.
// way wrong_wait
static void wrong_wait() {
    fill<<<COUNT / 128, 128, 0, first>>>(a, 1); //! other if wrong_wait
    cudaStreamSynchronize(second);
    fill<<<COUNT / 128, 128, 0, second>>>(a, 2); //! stream-race if wrong_wait
}

// way default_stream
static void default_stream() {
    run_fill(a, first);
    run_fill(a, nullptr);
    run_fill(a, second);
    int host = 0;
    run_fill(a, nullptr);
    cudaMemcpy(&host, a, 4, cudaMemcpyDeviceToHost);
    run_fill(a, loose);
}

// Streams of that kind do not wait for the default stream.
// way non_blocking
static void non_blocking() {
    fill<<<COUNT / 128, 128>>>(a, 1); //! other if non_blocking
    fill<<<COUNT / 128, 128, 0, loose>>>(a, 2); //! stream-race if non_blocking
}

// way halves
static void halves() {
    fill<<<COUNT / 256, 128, 0, first>>>(a, 1);
    fill<<<COUNT / 256, 128, 0, second>>>(a + COUNT / 2, 1);
}

// One element too many.
// way overlap
static void overlap() {
    cudaMemsetAsync(a, 0, BYTES / 2 + 4, first); //! other if overlap
    fill<<<COUNT / 256, 128, 0, second>>>(a + COUNT / 2, 1); //! stream-race if overlap
}

// way copies
static void copies() {
    cudaMemcpyAsync(a, pinned, BYTES, cudaMemcpyHostToDevice, first); //! other if copies
    sum<<<COUNT / 128, 128, 0, second>>>(b, a);                        //! stream-race if copies
}

// The pinned memory is read while it is written.
// way back
static void back() {
    cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, first); //! other if back
    cudaMemcpyAsync(b, pinned, BYTES, cudaMemcpyHostToDevice, second); //! stream-race if back
}

// A copy to memory that is not pinned is over when the call returns.
// way pageable_back
static void pageable_back() {
    run_fill(a, first);
    cudaMemcpyAsync(pageable, a, BYTES, cudaMemcpyDeviceToHost, first);
    run_fill(a, second);
}

// way readers
static void readers() {
    cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToDevice, first);
    cudaMemcpyAsync(pinned, a, BYTES, cudaMemcpyDeviceToHost, second);
}

// way atomics
static void atomics() {
    cudaMemset(a, 0, 4);
    count<<<4, 128, 0, first>>>(a);
    count<<<4, 128, 0, second>>>(a);
}

// Two operations of a stream in one cell: an event between them orders the first one alone.
// way neighbours
static void neighbours() {
    cudaMemsetAsync(a, 0, 8, first);
    cudaEventRecord(event, first);
    cudaMemsetAsync(a + 2, 0, 8, first); //! other if neighbours
    cudaStreamWaitEvent(second, event, 0);
    cudaMemsetAsync(a, 1, 8, second);
    cudaMemsetAsync(a + 3, 1, 4, second); //! stream-race if neighbours
}

// way pools
static void pools() {
    int *made;
    cudaMallocAsync(&made, BYTES, first);
    run_fill(made, first);
    cudaEventRecord(event, first);
    cudaStreamWaitEvent(second, event, 0);
    sum<<<COUNT / 128, 128, 0, second>>>(b, made);
    cudaFreeAsync(made, second);
}

// way allocated_elsewhere
static void allocated_elsewhere() {
    int *made;
    cudaMallocAsync(&made, BYTES, first);      //! other if allocated_elsewhere
    cudaMemsetAsync(made, 0, BYTES, second); //! stream-race if allocated_elsewhere
    cudaDeviceSynchronize();
    cudaFree(made);
}

// way freed_elsewhere
static void freed_elsewhere() {
    int *made;
    cudaMallocAsync(&made, BYTES, first);
    cudaStreamSynchronize(first);
    cudaMemsetAsync(made, 0, BYTES, second); //! other if freed_elsewhere
    cudaFreeAsync(made, first);              //! stream-race if freed_elsewhere
}

static cudaGraph_t capture(bool joined) {
    cudaGraph_t graph;
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    run_fill(a, first);
    if (joined) {
        cudaEventRecord(fork, first);
        cudaStreamWaitEvent(second, fork, 0);
    }
    sum<<<COUNT / 128, 128, 0, second>>>(b, a);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join, 0);
    cudaStreamEndCapture(first, &graph);
    return graph;
}

// way branches
static void branches() {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, capture(false), 0);
    cudaGraphLaunch(exec, first); //! stream-race if branches //! other if branches
}

// way edges
static void edges() {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, capture(true), 0);
    cudaGraphLaunch(exec, first);
    cudaGraphLaunch(exec, first);
    run_fill(b, first);
}

// way graphs
static void graphs() {
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, capture(true), 0);
    cudaGraphLaunch(exec, first); //! other if graphs //! other if graphs
    fill<<<COUNT / 128, 128, 0, second>>>(b, 1); //! stream-race if graphs //! stream-race if graphs
}

static void nothing(void *) {}

// way told_by_host
static void told_by_host() {
    run_fill(a, first);
    cudaLaunchHostFunc(first, nothing, nullptr);
    run_fill(a, second);
}

// way values
static void values() {
    cuuint32_t *flag = reinterpret_cast<cuuint32_t *>(pinned);
    run_fill(a, first);
    cuStreamWriteValue32(first, (CUdeviceptr)flag, 1, 0);
    cuStreamWaitValue32(second, (CUdeviceptr)flag, 1, CU_STREAM_WAIT_VALUE_GEQ);
    run_fill(a, second);
}

// way destroyed
static void destroyed() {
    run_fill(a, first);
    cudaStreamDestroy(first);
    run_fill(a, nullptr);
    cudaStreamCreate(&first);
    run_fill(a, first);
}

int main(int, char **arguments) {
    cudaMalloc(&a, BYTES);
    cudaMalloc(&b, BYTES);
    cudaMemset(a, 0, BYTES);
    cudaMemset(b, 0, BYTES);
    cudaMallocHost(&pinned, BYTES);
    memset(pinned, 0, BYTES);
    pageable = new int[COUNT]();
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaStreamCreateWithFlags(&loose, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cudaDeviceSynchronize();
#define WAY(name)                                                                                                              \
    if (!strcmp(arguments[1], #name))                                                                                          \
        name();
    WAY(kernels)
    WAY(event_between)
    WAY(event_early)
    WAY(host_between)
    WAY(wrong_wait)
    WAY(default_stream)
    WAY(non_blocking)
    WAY(halves)
    WAY(overlap)
    WAY(copies)
    WAY(back)
    WAY(pageable_back)
    WAY(readers)
    WAY(atomics)
    WAY(neighbours)
    WAY(pools)
    WAY(allocated_elsewhere)
    WAY(freed_elsewhere)
    WAY(branches)
    WAY(edges)
    WAY(graphs)
    WAY(told_by_host)
    WAY(values)
    WAY(destroyed)
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(pinned);
}
