/* What a program pays beside its kernels: driver FILE.ptx launches every entry of a module once, then an
 * empty kernel many times, and copies. Prints one line for each cost: its name, and a number for each
 * measurement. Times of the module and its kernels are CPU seconds of this process. driver COUNT launches the empty
 * kernel so many times, and prints nothing. */
#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 20000, COPIES = 9, MEGABYTES = 256 };

static const char empty[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry empty() { ret; }\n";

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    size_t size = (size_t)ftell(file);
    char *text = calloc(1, size + 1);
    rewind(file);
    if (!text || fread(text, 1, size, file) != size)
        exit(1);
    fclose(file);
    return text;
}

/* Each entry takes a pointer and a number. */
static void module_costs(const char *text, CUdeviceptr data) {
    double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
    CUmodule module;
    unsigned count;
    OK(cuModuleLoadData(&module, text));
    double now = seconds(CLOCK_PROCESS_CPUTIME_ID);
    printf("load %.9f\nkernels", now - start);
    OK(cuModuleGetFunctionCount(&count, module));
    CUfunction *kernels = calloc(count, sizeof *kernels);
    if (!kernels)
        exit(1);
    OK(cuModuleEnumerateFunctions(kernels, count, module));
    for (unsigned i = 0; i < count; i++) {
        unsigned number = i;
        void *params[] = {&data, &number};
        start = seconds(CLOCK_PROCESS_CPUTIME_ID);
        OK(cuLaunchKernel(kernels[i], 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
        printf(" %.9f", seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
    }
    putchar('\n');
    free(kernels);
}

static void launch_costs(void) {
    enum { TIMES = 9 };
    CUmodule module;
    CUfunction kernel;
    OK(cuModuleLoadData(&module, empty));
    OK(cuModuleGetFunction(&kernel, module, "empty"));
    printf("launch");
    for (int time = 0; time < TIMES; time++) {
        double start = seconds(CLOCK_MONOTONIC);
        for (int i = 0; i < LAUNCHES / TIMES; i++)
            OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
        printf(" %.9f", (seconds(CLOCK_MONOTONIC) - start) / (LAUNCHES / TIMES));
    }
    putchar('\n');
}

static void launch_only(long count) {
    CUmodule module;
    CUfunction kernel;
    OK(cuModuleLoadData(&module, empty));
    OK(cuModuleGetFunction(&kernel, module, "empty"));
    for (long i = 0; i < count; i++)
        OK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
}

/* Gigabytes per second. The first time, which touches fresh pages, does not count. */
static void copy_costs(void) {
    size_t bytes = (size_t)MEGABYTES << 20;
    CUdeviceptr device;
    char *host = malloc(bytes), *other = malloc(bytes);
    OK(cuMemAlloc_v2(&device, bytes));
    if (!host || !other)
        exit(1);
    memset(host, 1, bytes);
    memset(other, 2, bytes);
    static const char *const names[] = {"memcpy", "to_device", "from_device"};
    for (int which = 0; which < 3; which++) {
        printf("%s", names[which]);
        for (int time = 0; time <= COPIES; time++) {
            double start = seconds(CLOCK_MONOTONIC);
            if (which == 0)
                memcpy(other, host, bytes);
            else if (which == 1)
                OK(cuMemcpyHtoD_v2(device, host, bytes));
            else
                OK(cuMemcpyDtoH_v2(other, device, bytes));
            double rate = (double)bytes / (seconds(CLOCK_MONOTONIC) - start) / 1e9;
            if (time > 0)
                printf(" %.3f", rate);
        }
        putchar('\n');
    }
    free(host);
    free(other);
}

int main(int argc, char **argv) {
    CUcontext context;
    CUdeviceptr data;
    if (argc != 2) {
        fputs("usage: driver FILE.ptx|COUNT\n", stderr);
        return 1;
    }
    char *end;
    long count = strtol(argv[1], &end, 10);
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    if (*end == 0) {
        launch_only(count);
        return 0;
    }
    char *text = read_text(argv[1]);
    OK(cuMemAlloc_v2(&data, 4096));
    module_costs(text, data);
    launch_costs();
    copy_costs();
    free(text);
    return 0;
}
