/* Memory of every kind, copies and fills of every shape. */
#include "check.h"

enum { N = 1000, WIDTH = 100, HEIGHT = 7, DEPTH = 3 };

static void device_memory(CUmodule module) {
    CUdeviceptr a, b, again;
    unsigned host[N];
    size_t bytes, available, before, total;
    OK(cuMemGetInfo_v2(&before, &total));
    OK(cuMemAlloc_v2(&a, N * 4));
    OK(cuMemAlloc_v2(&b, N * 4));
    CHECK(a % 256 == 0 && b % 256 == 0 && a != b);
    OK(cuMemGetInfo_v2(&available, &total));
    CHECK(before - available == 2 * N * 4);
    OK(cuMemsetD32_v2(a, 5, N));
    OK(cuMemcpyDtoD_v2(b, a, N * 4));
    launch_fill(module, b, 9, 2, NULL);
    OK(cuMemcpyDtoH_v2(host, b, N * 4));
    CHECK(all_are(host, 64, 9) && all_are(host + 64, N - 64, 5));
    OK(cuMemGetAddressRange_v2(&again, &bytes, a + 17));
    CHECK(again == a && bytes == N * 4);
    OK(cuMemFree_v2(a));
    CHECK(cuMemFree_v2(a) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemAlloc_v2(&again, N * 4 - 1));
    CHECK(again == a); /* released memory is used again, and is clean */
    OK(cuMemcpyDtoH_v2(host, again, N * 4 - 1));
    CHECK(all_are(host, N - 1, 0));
    CHECK(cuMemcpyDtoH_v2(host, again, N * 4) == CUDA_ERROR_INVALID_VALUE); /* one too many */
    CHECK(cuMemAlloc_v2(&a, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemAlloc_v2(&a, total + 1) == CUDA_ERROR_OUT_OF_MEMORY);
    OK(cuMemFree_v2(again));
    OK(cuMemFree_v2(b));
    OK(cuMemFree_v2(0));
    OK(cuMemGetInfo_v2(&available, &total));
    CHECK(before == available);
}

static void fills(void) {
    CUdeviceptr a;
    unsigned char bytes[64];
    OK(cuMemAlloc_v2(&a, 64));
    OK(cuMemsetD8_v2(a, 0xab, 64));
    OK(cuMemsetD16_v2(a + 2, 0x1234, 3));
    OK(cuMemsetD2D8_v2(a + 16, 16, 0x77, 4, 3));
    OK(cuMemsetD2D32Async(a + 20, 16, 0x01020304, 1, 2, NULL));
    OK(cuMemcpyDtoH_v2(bytes, a, 64));
    CHECK(bytes[1] == 0xab && bytes[2] == 0x34 && bytes[3] == 0x12 && bytes[8] == 0xab);
    CHECK(bytes[16] == 0x77 && bytes[19] == 0x77 && bytes[20] == 4 && bytes[24] == 0xab);
    CHECK(bytes[48] == 0x77 && bytes[52] == 0xab);
    CHECK(cuMemsetD8_v2(a, 0, 65) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD32_v2(a + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    /* more bytes than a size_t counts: they are not taken for few */
    CHECK(cuMemsetD32_v2(a, 0, SIZE_MAX / 4 + 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD2D8_v2(a, SIZE_MAX / 2 + 1, 0, 16, 3) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD2D8_v2(a, SIZE_MAX - 15, 0, 16, 64) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree_v2(a));
}

static void planes(void) {
    unsigned char host[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
    CUdeviceptr a;
    size_t pitch;
    OK(cuMemAllocPitch_v2(&a, &pitch, WIDTH, HEIGHT, 4));
    CHECK(pitch >= WIDTH && pitch % 512 == 0);
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        host[i / WIDTH][i % WIDTH] = (unsigned char)(i * 7);
    memset(back, 0, sizeof back);
    CUDA_MEMCPY2D in = {.srcMemoryType = MEMORYTYPE_HOST,
                        .srcHost = host,
                        .srcPitch = WIDTH,
                        .dstMemoryType = MEMORYTYPE_DEVICE,
                        .dstDevice = a,
                        .dstPitch = pitch,
                        .WidthInBytes = WIDTH,
                        .Height = HEIGHT};
    OK(cuMemcpy2D_v2(&in));
    CUDA_MEMCPY2D out = {.srcXInBytes = 3,
                         .srcY = 1,
                         .srcMemoryType = MEMORYTYPE_DEVICE,
                         .srcDevice = a,
                         .srcPitch = pitch,
                         .dstMemoryType = MEMORYTYPE_HOST,
                         .dstHost = back,
                         .dstPitch = WIDTH,
                         .WidthInBytes = 10,
                         .Height = HEIGHT - 1};
    OK(cuMemcpy2DUnaligned_v2(&out));
    CHECK(memcmp(&back[2][0], &host[3][3], 10) == 0 && back[2][10] == 0);
    out.srcPitch = 5; /* less than a row */
    CHECK(cuMemcpy2D_v2(&out) == CUDA_ERROR_INVALID_VALUE);
    out.srcPitch = out.dstPitch = SIZE_MAX / 2 + 1; /* twice that is 0 */
    out.Height = 3;
    CHECK(cuMemcpy2D_v2(&out) == CUDA_ERROR_INVALID_VALUE);
    out.WidthInBytes = 0; /* nothing is copied, whatever the others are */
    out.srcMemoryType = out.dstMemoryType = 0;
    OK(cuMemcpy2D_v2(&out));
    OK(cuMemFree_v2(a));
}

static void volumes(void) {
    unsigned char host[DEPTH][HEIGHT][WIDTH], back[WIDTH];
    CUdeviceptr a;
    OK(cuMemAlloc_v2(&a, sizeof host));
    for (size_t i = 0; i < sizeof host; i++)
        ((unsigned char *)host)[i] = (unsigned char)(i * 13);
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = WIDTH,
                          .srcHeight = HEIGHT,
                          .dstMemoryType = MEMORYTYPE_DEVICE,
                          .dstDevice = a,
                          .dstPitch = WIDTH,
                          .dstHeight = HEIGHT,
                          .WidthInBytes = WIDTH,
                          .Height = HEIGHT,
                          .Depth = DEPTH};
    OK(cuMemcpy3D_v2(&copy));
    OK(cuMemcpyDtoH_v2(back, a + 2 * HEIGHT * WIDTH + 5 * WIDTH, WIDTH));
    CHECK(memcmp(back, host[2][5], WIDTH) == 0);
    copy.Depth = DEPTH + 1;
    CHECK(cuMemcpy3D_v2(&copy) == CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree_v2(a));
}

static void host_memory(CUmodule module) {
    unsigned *pinned, *own = malloc(128 * 4), flags;
    CUdeviceptr address, managed;
    CUmemorytype type;
    OK(cuMemHostAlloc((void **)&pinned, 128 * 4, 2));
    OK(cuMemHostGetDevicePointer_v2(&address, pinned, 0));
    launch_fill(module, address, 3, 4, NULL);
    CHECK(all_are(pinned, 128, 3));
    OK(cuMemHostGetFlags(&flags, pinned));
    CHECK(flags == 2);
    OK(cuPointerGetAttribute(&type, 2, address));
    CHECK(type == MEMORYTYPE_HOST);
    OK(cuMemFreeHost(pinned));
    OK(cuMemHostRegister_v2(own, 128 * 4, 0));
    CHECK(cuMemHostRegister_v2(own + 1, 4, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    OK(cuMemHostGetDevicePointer_v2(&address, own, 0));
    launch_fill(module, address, 4, 4, NULL);
    CHECK(all_are(own, 128, 4));
    OK(cuMemHostUnregister(own));
    CHECK(cuMemHostUnregister(own) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    free(own);
    OK(cuMemAllocManaged(&managed, 128 * 4, 1));
    launch_fill(module, managed, 6, 4, NULL);
    CHECK(all_are((unsigned *)(uintptr_t)managed, 128, 6));
    OK(cuPointerGetAttribute(&flags, 8, managed));
    CHECK(flags == 1);
    OK(cuMemFree_v2(managed));
}

static void pointers(void) {
    CUdeviceptr a, device;
    CUcontext context, current;
    int attributes[] = {1, 2, 3, 4, 8, 9}, stack;
    unsigned type, managed;
    void *host;
    int ordinal;
    void *values[] = {&context, &type, &device, &host, &managed, &ordinal};
    OK(cuMemAlloc_v2(&a, 16));
    OK(cuCtxGetCurrent(&current));
    OK(cuPointerGetAttributes(6, attributes, values, a + 4));
    CHECK(context == current && type == MEMORYTYPE_DEVICE && device == a + 4 && !host && !managed &&
          ordinal == 0);
    OK(cuPointerGetAttributes(6, attributes, values, (CUdeviceptr)(uintptr_t)&stack));
    CHECK(type == 0 && device == 0 && ordinal == -2);
    CHECK(cuPointerGetAttribute(&type, 2, (CUdeviceptr)(uintptr_t)&stack) ==
          CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree_v2(a));
}

static void pools(CUmodule module) {
    CUmemoryPool pool, own;
    CUmemPoolProps properties = {.allocType = 1, .location = {1, 0}};
    CUdeviceptr a, b;
    CUstream stream;
    uint64_t used;
    unsigned host[32];
    OK(cuStreamCreate(&stream, 1));
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    OK(cuMemPoolCreate(&own, &properties));
    OK(cuMemAllocAsync(&a, 128, stream));
    OK(cuMemAllocFromPoolAsync(&b, 256, own, stream));
    launch_fill(module, a, 2, 1, stream);
    OK(cuMemcpyDtoHAsync_v2(host, a, 128, stream));
    OK(cuStreamSynchronize(stream));
    CHECK(all_are(host, 32, 2));
    OK(cuMemPoolGetAttribute(pool, 7, &used));
    CHECK(used == 128);
    OK(cuMemPoolGetAttribute(own, 7, &used));
    CHECK(used == 256);
    OK(cuMemFreeAsync(a, stream));
    OK(cuMemFree_v2(b));
    OK(cuMemPoolGetAttribute(pool, 7, &used));
    CHECK(used == 0);
    OK(cuMemPoolDestroy(own));
    OK(cuStreamDestroy_v2(stream));
}

int main(void) {
    CUmodule module = start();
    device_memory(module);
    fills();
    planes();
    volumes();
    host_memory(module);
    pointers();
    pools(module);
    puts("memory: fine");
    return 0;
}
