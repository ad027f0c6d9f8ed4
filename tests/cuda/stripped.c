/* A program as nvcc makes it, with a CUDA runtime inside (fake_runtime.c), linked with -s: constructor, kernel's
 * stub and launch are what nvcc's host code has. With UNKNOWN, a call that cannot be told from another. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct dim3 {
    unsigned x, y, z;
} dim3;

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t bytes, int constant, int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name,
                              int is_extern, size_t bytes, int constant, int global);
void __cudaRegisterHostVar(void **handle, const char *name, char *host, size_t bytes);
char __cudaInitModule(void **handle);
int __cudaGetKernel(void **kernel, const void *host);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
int __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
int __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                       void *stream);
int cudaMalloc(void **memory, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t at, int kind);
int cudaDeviceSynchronize(void);

/* ---- what nvcc embeds ---- */

#define PTX                                                                                        \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .global .align 4 .u32 step;\n"                                                       \
    ".visible .global .attribute(.managed) .align 4 .u32 total;\n"                                 \
    ".visible .entry count(.param .u64 out)\n{\n"                                                  \
    ".reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"                                                        \
    "ld.param.u64 %rd1, [out];\nld.global.u32 %r1, [step];\n"                                      \
    "st.global.u32 [%rd1], %r1;\natom.global.add.u32 %r2, [total], %r1;\nret;\n}\n"

static const struct FatBinary {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes;
    uint16_t kind, kind_version;
    uint32_t entry_bytes;
    uint64_t payload_bytes;
    uint32_t packed, options, isa, arch;
    uint64_t source, flags, zero, unpacked;
    char ptx[(sizeof PTX + 7) / 8 * 8];
} fat_binary __attribute__((section(".nv_fatbin"), aligned(8))) = {
    .magic = 0xba55ed50,
    .version = 1,
    .header_bytes = 16,
    .bytes = sizeof fat_binary - 16,
    .kind = 1,
    .kind_version = 0x101,
    .entry_bytes = 64,
    .payload_bytes = sizeof fat_binary.ptx,
    .arch = 80,
    .flags = 0x11,
    .ptx = PTX,
};

static struct Wrapper {
    uint32_t magic, version;
    const void *data;
    void *others;
} wrapper __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 1, &fat_binary, NULL};

/* ---- a kernel, its stub, its launch ---- */

static char step[4];
static int *total;
static void **handle;
void count(int *out);

static void stub(int *out) {
    static void *kernel;
    static volatile int found = -1;
    void *arguments[] = {&out};
    dim3 grid, block;
    size_t shared;
    void *stream;
    if (found < 0)
        found = __cudaGetKernel(&kernel, (const void *)(uintptr_t)count) == 0;
    if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) == 0)
        (void)__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

__attribute__((noinline)) void count(int *out) {
    stub(out);
}

int main(void) {
    const dim3 grid = {2, 1, 1}, block = {32, 1, 1};
    int three = 3, *device, host = 0;
    int error = cudaMalloc((void **)&device, sizeof *device);
    if (error)
        return printf("cudaMalloc\n"), 1; /* its name is not the entry point's alone */
    cudaMemcpyToSymbol(step, &three, sizeof three, 0, 1);
    __cudaInitModule(handle);
    if (__cudaPushCallConfiguration(grid, block, 0, NULL) == 0)
        count(device);
    cudaMemcpy(&host, device, sizeof host, 2);
    error = cudaDeviceSynchronize();
    printf("%d: %d, total %d\n", error, host, *total);
    return 0;
}

/* ---- the constructor ---- */

static void unregister(void) {
    __cudaUnregisterFatBinary(handle);
}

__attribute__((constructor)) static void register_all(void) {
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)(uintptr_t)count, (char *)(uintptr_t) "count",
                           "count", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, step, (char *)(uintptr_t) "step", "step", 0, sizeof step, 0, 0);
    __cudaRegisterManagedVar(handle, (void **)&total, (char *)(uintptr_t) "total", "total", 0, 4, 0,
                             0);
#ifdef UNKNOWN
    __cudaRegisterHostVar(handle, NULL, NULL, 0);
#endif
    __cudaRegisterFatBinaryEnd(handle);
    atexit(unregister);
}
