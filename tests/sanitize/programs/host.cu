// The host's own accesses to memory that launches and copies may still use, and mended ones; tests/sanitize/programs.py says which lines are which.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

enum { COUNT = 4096, BYTES = COUNT * sizeof(int) };

__global__ void fill(int *out, int value) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void sum(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] += in[i];
}

__global__ void half(int *out) {
    out[2 * threadIdx.x] = 1;
}

__global__ void tell(int *data, volatile int *flag) {
    data[threadIdx.x] = 1;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 1;
}

__managed__ int variable;
__global__ void set() {
    variable = 7;
}

static int *managed, *pinned, *device;
static volatile int seen;

static void make() {
    cudaMallocManaged(&managed, BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMalloc(&device, BYTES);
    memset(managed, 0, BYTES);
    memset(pinned, 0, BYTES);
    cudaMemset(device, 0, BYTES);
    cudaDeviceSynchronize();
}

static void drop() {
    cudaFree(managed);
    cudaFreeHost(pinned);
    cudaFree(device);
}

// way reads
static void reads() {
    fill<<<16, 256>>>(managed, 1); //! other if reads
    seen = managed[100]; //! host-race if reads
}

// way waits
static void waits() {
    fill<<<16, 256>>>(managed, 1);
    cudaDeviceSynchronize();
    seen = managed[100];
    managed[5] = 1;
    fill<<<16, 256>>>(managed, 2);
    cudaStreamSynchronize(nullptr);
    seen = managed[100];
}

// way writes
static void writes() {
    sum<<<16, 256>>>(device, managed); //! other if writes
    seen = managed[100];
    managed[100] = 3; //! host-race if writes
}

// way copied
static void copied() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, stream); //! other if copied
    seen = pinned[7]; //! host-race if copied
    cudaStreamSynchronize(stream);
    seen = pinned[7];
    cudaStreamDestroy(stream);
}

// way refilled
static void refilled() {
    cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, 0); //! other if refilled
    seen = pinned[7];
    memset(pinned, 1, BYTES); //! host-race if refilled
}

// way blocking
static void blocking() {
    cudaMemcpy(pinned, device, BYTES, cudaMemcpyDeviceToHost);
    seen = pinned[7];
    cudaMemset(managed, 0, BYTES);
    seen = managed[7];
}

// An event behind the first launch alone.
// way early
static void early() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    fill<<<1, 256>>>(managed, 1);
    cudaEventRecord(event);
    fill<<<15, 256>>>(managed + 256, 1);
    cudaEventSynchronize(event);
    seen = managed[255];
    cudaEventDestroy(event);
}

// way late
static void late() {
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaEventRecord(event);
    fill<<<16, 256>>>(managed, 1); //! other if late
    cudaEventSynchronize(event);
    seen = managed[3000]; //! host-race if late
    cudaEventDestroy(event);
}

// The page has bytes that the host may access.
// way shared_page
static void shared_page() {
    half<<<1, 512>>>(managed);
    seen = managed[1];
    managed[3] = 1;
}

// way flagged
static void flagged() {
    tell<<<1, 256>>>(managed, managed + 1024);
    while (!((volatile int *)managed)[1024])
        ;
    seen = managed[9];
}

static void CUDART_CB look(void *) {
    seen = managed[9];
}

// way callback
static void callback() {
    fill<<<16, 256>>>(managed, 1);
    cudaLaunchHostFunc(0, look, nullptr);
    cudaDeviceSynchronize();
}

// way value
static void value() {
    fill<<<16, 256>>>(managed, 1);
    cuStreamWriteValue32(0, (CUdeviceptr)pinned, 5, 0);
    while (*(volatile int *)pinned != 5)
        ;
    seen = managed[9];
}

// way graph
static void graph() {
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<16, 256, 0, stream>>>(managed, 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    seen = managed[0];
    cudaGraphLaunch(exec, stream); //! other if graph
    seen = managed[0]; //! host-race if graph
    cudaStreamSynchronize(stream);
    seen = managed[0];
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

// way of_module
static void of_module() {
    set<<<1, 1>>>(); //! other if of_module
    seen = variable; //! host-race if of_module
    cudaDeviceSynchronize();
    seen = variable;
}

// Freed and made again, at the same place.
// way again
static void again() {
    fill<<<16, 256>>>(managed, 1);
    drop();
    make();
    seen = managed[0] + pinned[0];
}

static void on_fault(int) {
    _exit(3);
}

// The program's own function for faults gets what is none of this.
// way handled
static void handled() {
    signal(SIGSEGV, on_fault);
    fill<<<16, 256>>>(managed, 1); //! other if handled
    seen = managed[0]; //! host-race if handled
}

int main(int, char **arguments) {
    make();
#define WAY(name)                                                                                                              \
    if (!strcmp(arguments[1], #name))                                                                                          \
        name();
    WAY(reads)
    WAY(waits)
    WAY(writes)
    WAY(copied)
    WAY(refilled)
    WAY(blocking)
    WAY(early)
    WAY(late)
    WAY(shared_page)
    WAY(flagged)
    WAY(callback)
    WAY(value)
    WAY(graph)
    WAY(of_module)
    WAY(again)
    WAY(handled)
    drop();
}
