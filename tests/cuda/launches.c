/* Launches, streams, events, callbacks, occupancy. */
#include "check.h"

enum { N = 1000 };

static void parameters(CUmodule module) {
    CUdeviceptr a, b, c;
    unsigned n = N, host[N + 1];
    OK(cuMemAlloc_v2(&a, N * 4));
    OK(cuMemAlloc_v2(&b, N * 4));
    OK(cuMemAlloc_v2(&c, (N + 1) * 4));
    OK(cuMemsetD32_v2(a, 1, N));
    OK(cuMemsetD32_v2(b, 2, N));
    OK(cuMemsetD32_v2(c, 77, N + 1));
    void *params[] = {&a, &b, &c, &n};
    OK(cuLaunchKernel(kernel(module, "add"), 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH_v2(host, c, sizeof host));
    CHECK(all_are(host, N, 3) && host[N] == 77);
    struct {
        CUdeviceptr a, b, c;
        unsigned n;
    } packed = {c, b, a, 10};
    size_t size = sizeof packed;
    void *extra[] = {LAUNCH_PARAM_BUFFER_POINTER, &packed, LAUNCH_PARAM_BUFFER_SIZE, &size,
                     LAUNCH_PARAM_END};
    OK(cuLaunchKernel(kernel(module, "add"), 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
    OK(cuMemcpyDtoH_v2(host, a, N * 4));
    CHECK(all_are(host, 10, 5) && all_are(host + 10, N - 10, 1));
    CUlaunchConfig config = {.gridDim = {1, 1, 1}, .blockDim = {32, 1, 1}};
    OK(cuLaunchKernelEx(&config, kernel(module, "add"), params, NULL));
}

static void refused(CUmodule module) {
    CUfunction empty = kernel(module, "empty");
    CHECK(cuLaunchKernel(empty, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(empty, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(empty, 1, 1, 1, 32, 33, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 49 << 10, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    OK(cuFuncSetAttribute(empty, 8, 64 << 10));
    OK(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 49 << 10, NULL, NULL, NULL));
    CHECK(cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) == CUDA_ERROR_INVALID_HANDLE);
    CHECK(cuLaunchKernel(kernel(module, "fill"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL) ==
          CUDA_ERROR_INVALID_VALUE);
    OK(cuCtxSynchronize()); /* no error stays behind */
}

/* Every block waits for all others, at a barrier in the workspace of cooperative launches. */
static const char waiting[] = ".version 8.0\n"
                              ".target sm_80\n"
                              ".address_size 64\n"
                              ".visible .entry together(.param .u64 c)\n"
                              "{\n"
                              "    .reg .pred %p<2>;\n"
                              "    .reg .b32 %r<6>;\n"
                              "    .reg .b64 %rd<4>;\n"
                              "    ld.param.u64 %rd1, [c];\n"
                              "    mov.u32 %r1, %envreg1;\n"
                              "    mov.u32 %r2, %envreg2;\n"
                              "    mov.b64 %rd2, {%r2, %r1};\n"
                              "    atom.global.add.u32 %r3, [%rd2+4], 1;\n"
                              "    mov.u32 %r4, %nctaid.x;\n"
                              "WAIT:\n"
                              "    ld.volatile.global.u32 %r5, [%rd2+4];\n"
                              "    setp.lt.u32 %p1, %r5, %r4;\n"
                              "    @%p1 bra WAIT;\n"
                              "    st.global.u32 [%rd1], %r5;\n"
                              "    ret;\n"
                              "}\n";

static void grid_barrier(void) {
    enum { BLOCKS = 500 };
    CUmodule module;
    CUdeviceptr a;
    unsigned arrived;
    OK(cuModuleLoadData(&module, waiting));
    OK(cuMemAlloc_v2(&a, 4));
    void *params[] = {&a};
    for (int i = 0; i < 2; i++) {
        OK(cuLaunchCooperativeKernel(kernel(module, "together"), BLOCKS, 1, 1, 1, 1, 1, 0, NULL,
                                     params));
        OK(cuMemcpyDtoH_v2(&arrived, a, 4));
        CHECK(arrived == BLOCKS);
    }
}

static void cooperative(CUmodule module) {
    CUfunction empty = kernel(module, "empty");
    int blocks, sms;
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, empty, 1024, 0));
    OK(cuDeviceGetAttribute(&sms, 16, 0));
    CHECK(blocks == 2);
    OK(cuLaunchCooperativeKernel(empty, (unsigned)(blocks * sms), 1, 1, 1024, 1, 1, 0, NULL, NULL));
    CHECK(cuLaunchCooperativeKernel(empty, (unsigned)(blocks * sms) + 1, 1, 1, 1024, 1, 1, 0, NULL,
                                    NULL) == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

/* Sixty numbers that are alive at once in the PTX, and by ptxas, or who stands in for it, are not: what
 * occupancy promises can be launched, whoever was asked. */
static void promised(void) {
    enum { VALUES = 60 };
    char text[VALUES * 96 + 256];
    int length = sprintf(text,
                         ".version 8.0\n.target sm_80\n.address_size 64\n"
                         ".visible .entry folded()\n{\n    .reg .b32 %%r<%d>;\n"
                         "    mov.u32 %%r0, %%tid.x;\n",
                         VALUES);
    for (int i = 1; i < VALUES; i++)
        length += sprintf(text + length, "    mul.lo.u32 %%r%d, %%r0, %d;\n", i, i);
    for (int i = 1; i < VALUES; i++)
        length += sprintf(text + length, "    add.u32 %%r0, %%r0, %%r%d;\n", i);
    sprintf(text + length, "    ret;\n}\n");
    CUmodule module;
    int blocks, sms;
    OK(cuModuleLoadData(&module, text));
    CUfunction folded = kernel(module, "folded");
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, folded, 1024, 0));
    OK(cuDeviceGetAttribute(&sms, 16, 0));
    OK(cuLaunchCooperativeKernel(folded, (unsigned)(blocks * sms), 1, 1, 1024, 1, 1, 0, NULL,
                                 NULL));
    OK(cuCtxSynchronize());
}

static void occupancy(CUmodule module) {
    int blocks, grid, block;
    size_t bytes;
    CUfunction function = kernel(module, "shared");
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 0));
    CHECK(blocks == 32);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 32, 40 << 10));
    CHECK(blocks == 5); /* 228 KB for blocks of 40 + 4 + 1 KB */
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, function, NULL, 0, 0));
    CHECK(block == 1024 && grid == 2 * 132);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function, 2, 1024));
    CHECK(bytes == (48 - 4) << 10); /* without asking for more */
}

static void add_one(void *data) {
    ++*(int *)data;
}

static void add_ten(CUstream stream, CUresult status, void *data) {
    CHECK(stream && status == CUDA_SUCCESS);
    *(int *)data += 10;
}

static void streams(CUmodule module) {
    CUstream a, b;
    CUevent start_event, end_event, untimed;
    CUdeviceptr memory;
    float milliseconds = -1;
    int called = 0, priority;
    unsigned flags, host[32];
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreateWithPriority(&b, 1, -1));
    OK(cuStreamGetPriority(b, &priority));
    OK(cuStreamGetFlags(b, &flags));
    CHECK(priority == -1 && flags == 1);
    OK(cuEventCreate(&start_event, 0));
    OK(cuEventCreate(&end_event, 0));
    OK(cuEventCreate(&untimed, 2));
    OK(cuMemAlloc_v2(&memory, 128));
    OK(cuEventRecord(start_event, a));
    launch_fill(module, memory, 8, 1, a);
    OK(cuLaunchHostFunc(a, add_one, &called));
    OK(cuEventRecord(end_event, a));
    OK(cuStreamWaitEvent(b, end_event, 0));
    OK(cuStreamAddCallback(b, add_ten, &called, 0));
    OK(cuMemcpyDtoHAsync_v2(host, memory, 128, b));
    OK(cuStreamQuery(b));
    OK(cuStreamSynchronize(b));
    CHECK(called == 11 && all_are(host, 32, 8));
    OK(cuEventQuery(end_event));
    OK(cuEventSynchronize(end_event));
    OK(cuEventElapsedTime_v2(&milliseconds, start_event, end_event));
    CHECK(milliseconds >= 0 && milliseconds < 60000);
    CHECK(cuEventElapsedTime_v2(&milliseconds, start_event, untimed) == CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamWriteValue32_v2(a, memory, 5, 0));
    OK(cuMemcpyDtoH_v2(host, memory, 4));
    CHECK(host[0] == 5);
    OK(cuEventDestroy_v2(start_event));
    CHECK(cuEventRecord(start_event, a) == CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamDestroy_v2(a));
    CHECK(cuStreamSynchronize(a) == CUDA_ERROR_INVALID_HANDLE);
    OK(cuStreamSynchronize(STREAM_LEGACY));
    OK(cuStreamSynchronize(STREAM_PER_THREAD));
}

int main(void) {
    CUmodule module = start();
    parameters(module);
    refused(module);
    cooperative(module);
    promised();
    grid_barrier();
    occupancy(module);
    streams(module);
    puts("launches: fine");
    return 0;
}
