// One kernel in a program of many forms: forms plain|threads|contexts|cooperative|nvrtc|loading|library|device|fork|exec|shell. Each warp loads and stores a row
// of global memory, and stores a row and loads a column of shared memory. Built with -DLIBRARY, what `library` loads; with -DDEVICE, what launches
// from the device, too; with -DNVRTC, what NVRTC compiles.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#ifdef NVRTC
#include <nvrtc.h>
#endif

#define KERNEL(...) __VA_ARGS__ [[maybe_unused]] static const char *const kernel_text = #__VA_ARGS__;

// clang-format off
KERNEL(extern "C" __global__ void column(float *data) {
    __shared__ float tile[32][32];
    float *at = data + blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = *at;
    __syncthreads();
    *at = tile[threadIdx.x][threadIdx.y];
})
// clang-format on

__global__ void together(float *data) {
    __shared__ float tile[32][32];
    float *at = data + blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = *at;
    cooperative_groups::this_grid().sync();
    *at = tile[threadIdx.x][threadIdx.y];
}

#ifdef DEVICE
__global__ void parent(float *data) {
    column<<<2, dim3(32, 32)>>>(data);
}
#endif

static const dim3 square(32, 32);

static float *memory() {
    float *data;
    cudaMalloc(&data, 1 << 20);
    cudaMemset(data, 0, 1 << 20);
    return data;
}

static void ended(const char *who) {
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("%s: %s\n", who, cudaGetErrorString(error));
        exit(1);
    }
}

extern "C" void launch_plain(int number) {
    float *data = memory();
    for (int i = 0; i < number; i++)
        column<<<4, square>>>(data);
    ended("plain");
}

#ifndef LIBRARY

static void in_stream() {
    cudaStream_t stream;
    float *data = memory();
    cudaStreamCreate(&stream);
    for (int i = 0; i < 5; i++)
        column<<<4, square, 0, stream>>>(data);
    cudaStreamSynchronize(stream);
}

static void from_threads() {
    std::vector<std::thread> all;
    for (int i = 0; i < 8; i++)
        all.emplace_back(in_stream);
    for (auto &one : all)
        one.join();
    ended("threads");
}

static void in_contexts() {
    CUcontext context[3];
    cuInit(0);
    for (auto &one : context) {
#if CUDA_VERSION >= 13000
        cuCtxCreate(&one, nullptr, 0, 0);
#else
        cuCtxCreate(&one, 0, 0);
#endif
        launch_plain(2);
    }
    cuCtxDestroy(context[2]);
    cuCtxSetCurrent(context[0]);
    launch_plain(1);
}

static void cooperative() {
    float *data = memory();
    void *arguments[] = {&data};
    cudaLaunchCooperativeKernel((void *)together, dim3(4), square, arguments, 0, 0);
    ended("cooperative");
}

#ifdef NVRTC
static std::vector<char> compile() {
    nvrtcProgram program;
    size_t size;
    cudaDeviceProp of;
    cudaGetDeviceProperties(&of, 0);
    std::string arch = "--gpu-architecture=sm_" + std::to_string(of.major * 10 + of.minor);
    const char *options[] = {arch.c_str(), "-lineinfo"};
    nvrtcCreateProgram(&program, kernel_text, "text.cu", 0, nullptr, nullptr);
    if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS)
        exit(1);
    nvrtcGetCUBINSize(program, &size);
    std::vector<char> cubin(size);
    nvrtcGetCUBIN(program, cubin.data());
    return cubin;
}

static void compiled() {
    CUmodule module;
    CUfunction function;
    std::vector<char> cubin = compile();
    float *data = memory();
    void *arguments[] = {&data};
    cuModuleLoadData(&module, cubin.data());
    cuModuleGetFunction(&function, module, "column");
    for (int i = 0; i < 2; i++)
        cuLaunchKernel(function, 4, 1, 1, 32, 32, 1, 0, nullptr, arguments, nullptr);
    ended("nvrtc");
    cuModuleUnload(module);
}

// In a context of its own, on the second GPU where there is one.
static void load_often(const std::vector<char> &cubin, int number, int devices) {
    CUcontext context;
    CUmodule module;
    CUfunction function;
#if CUDA_VERSION >= 13000
    cuCtxCreate(&context, nullptr, 0, number % devices);
#else
    cuCtxCreate(&context, 0, number % devices);
#endif
    float *data = memory();
    void *arguments[] = {&data};
    for (int i = 0; i < 20; i++) {
        if (cuModuleLoadData(&module, cubin.data()) != CUDA_SUCCESS)
            exit(1);
        cuModuleGetFunction(&function, module, "column");
        cuLaunchKernel(function, 4, 1, 1, 32, 32, 1, 0, nullptr, arguments, nullptr);
        ended("loading");
        cuModuleUnload(module);
    }
    cuCtxDestroy(context);
}

static void loading() {
    int devices;
    std::vector<char> cubin = compile();
    cudaGetDeviceCount(&devices);
    std::thread threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = std::thread(load_often, std::cref(cubin), i, devices);
    for (auto &thread : threads)
        thread.join();
}
#endif

static void from_library(const std::string &self) {
    void *library = dlopen((self.substr(0, self.rfind('/') + 1) + "forms_library.so").c_str(), RTLD_NOW);
    void (*launch)(int) = library ? (void (*)(int))dlsym(library, "launch_plain") : nullptr;
    if (!launch) {
        puts(dlerror());
        exit(1);
    }
    launch(3);
}

static void child(void (*run)(const char *self), const char *self) {
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        run(self);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (status != 0)
        exit(1);
    launch_plain(1);
}

int main(int, char **argv) {
    const char *how = argv[1];
    if (!strcmp(how, "plain"))
        launch_plain(3);
    if (!strcmp(how, "threads"))
        from_threads();
    if (!strcmp(how, "contexts"))
        in_contexts();
    if (!strcmp(how, "cooperative"))
        cooperative();
#ifdef NVRTC
    if (!strcmp(how, "nvrtc"))
        compiled();
    if (!strcmp(how, "loading"))
        loading();
#endif
    if (!strcmp(how, "library"))
        from_library(argv[0]);
    if (!strcmp(how, "fork"))
        child([](const char *) { launch_plain(2); }, argv[0]);
    if (!strcmp(how, "exec"))
        child([](const char *self) { execl(self, self, "plain", nullptr); }, argv[0]);
    if (!strcmp(how, "shell"))
        return system(("'" + std::string(argv[0]) + "' plain & '" + argv[0] + "' threads & wait").c_str());
#ifdef DEVICE
    if (!strcmp(how, "device")) {
        parent<<<1, 1>>>(memory());
        ended("device");
        launch_plain(1);
    }
#endif
    return 0;
}

#endif
