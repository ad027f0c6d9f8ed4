/* Runs the cases that check.py writes on a GPU: cases.txt names the kernels of cases.ptx and their threads,
 * cases.bin has two pages for each; what is left of the second goes to the output. Not part of the build:
 *   cc tests/async/probe.c -lcuda -o probe; ./probe cases.ptx cases.txt cases.bin out.bin */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAGE = 4096, TEXT_MOST = 1 << 20 };

static void check(CUresult result, const char *what) {
    const char *text = "";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(1);
}

static FILE *open_file(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) {
        perror(path);
        exit(2);
    }
    return file;
}

int main(int argc, char **argv) {
    static char text[TEXT_MOST], pages[2 * PAGE];
    char name[128];
    unsigned threads;
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr memory;
    if (argc < 5)
        return 2;
    FILE *ptx = open_file(argv[1], "r"), *list = open_file(argv[2], "r");
    FILE *in = open_file(argv[3], "rb"), *out = open_file(argv[4], "wb");
    text[fread(text, 1, sizeof text - 1, ptx)] = 0;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "device");
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuModuleLoadData(&module, text), "module");
    check(cuMemAlloc(&memory, sizeof pages), "memory");
    while (fscanf(list, "%127s %u", name, &threads) == 2) {
        if (fread(pages, sizeof pages, 1, in) != 1)
            return 2;
        CUdeviceptr first = memory, second = memory + PAGE;
        void *arguments[] = {&first, &second};
        check(cuModuleGetFunction(&kernel, module, name), name);
        check(cuMemcpyHtoD(memory, pages, sizeof pages), name);
        check(cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL), name);
        check(cuMemcpyDtoH(pages, second, PAGE), name);
        fwrite(pages, PAGE, 1, out);
    }
    return fclose(out) != 0;
}
