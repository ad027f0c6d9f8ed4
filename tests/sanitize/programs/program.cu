// What a program does with its memory and its errors; tests/sanitize/programs.py says which defects each way has.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

__global__ void copy(int *out, const int *in) {
    out[threadIdx.x] = in[threadIdx.x]; //! uninitialised-read if unwritten //! uninitialised-read if partly
}

static int *device(int bytes) {
    int *memory = nullptr;
    cudaMalloc(&memory, bytes); //! leak if leaks //! leak if leaks
    return memory;
}

// way right
static void right() {
    int host[32] = {}, *a = device(128), *b = device(128);
    cudaMemcpy(a, host, 128, cudaMemcpyHostToDevice);
    copy<<<1, 32>>>(b, a);
    cudaMemcpy(host, b, 128, cudaMemcpyDeviceToHost);
    if (cudaMalloc(&a, size_t(1) << 60) != cudaSuccess)
        printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(b);
    cudaMallocAsync(&b, 128, nullptr);
    cudaMemsetAsync(b, 0, 128);
    copy<<<1, 32>>>(b, b);
    cudaFreeAsync(b, nullptr);
    cudaDeviceReset();
}

// way leaks
static void leaks() {
    cudaMemset(device(128), 0, 128);
    cudaMemset(device(256), 0, 256);
}

// way twice
static void twice() {
    int *a = device(128);
    cudaFree(a);
    cudaFree(a); //! bad-free if twice
    cudaGetLastError();
}

// way inside
static void inside() {
    int *a = device(128);
    cudaFree(a + 4); //! bad-free if inside
    cudaGetLastError();
    cudaFree(a);
}

// way unseen
static void unseen() {
    cudaMemset(nullptr, 0, 128); //! api-error if unseen
}

// way unwritten
static void unwritten() {
    int *a = device(128), *b = device(128);
    copy<<<1, 32>>>(b, a);
    cudaFree(a);
    cudaFree(b);
}

// What is copied has values where its source has.
// way partly
static void partly() {
    int *a = device(256), *b = device(256);
    cudaMemset(a, 0, 64);
    cudaMemcpy(b, a, 256, cudaMemcpyDeviceToDevice);
    copy<<<1, 16>>>(a, b);
    copy<<<1, 32>>>(a, b);
    cudaFree(a);
    cudaFree(b);
}

// way pinned_gone
static void pinned_gone() {
    int *a = device(128), *pinned;
    cudaMallocHost(&pinned, 128);
    memset(pinned, 0, 128);
    cudaMemcpy(a, pinned, 128, cudaMemcpyHostToDevice);
    cudaFreeHost(pinned);
    cudaMemcpy(a, pinned, 128, cudaMemcpyHostToDevice); //! host-memory if pinned_gone
    cudaGetLastError();
    cudaFree(a);
}

// way registered_in_part
static void registered_in_part() {
    static int host[2048];
    int *a = device(8192);
    cudaHostRegister(host, 4096, cudaHostRegisterDefault);
    cudaMemcpy(a, host, 4096, cudaMemcpyHostToDevice);
    cudaMemcpy(a, host, 8192, cudaMemcpyHostToDevice); //! host-memory if registered_in_part
    cudaGetLastError();
    cudaHostUnregister(host);
    cudaFree(a);
}

// way unmapped
static void unmapped() {
    int *a = device(8192);
    void *pages = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(static_cast<char *>(pages) + 4096, 4096);
    cudaMemcpy(a, pages, 4096, cudaMemcpyHostToDevice);
    cudaMemcpy(a, pages, 8192, cudaMemcpyHostToDevice); //! host-memory if unmapped
    cudaGetLastError();
    cudaFree(a);
}

int main(int, char **arguments) {
#define WAY(name)                                                                                                              \
    if (!strcmp(arguments[1], #name))                                                                                          \
        name();
    WAY(right)
    WAY(leaks)
    WAY(twice)
    WAY(inside)
    WAY(unseen)
    WAY(unwritten)
    WAY(partly)
    WAY(pinned_gone)
    WAY(registered_in_part)
    WAY(unmapped)
}
