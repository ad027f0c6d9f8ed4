/* Copies and fills of every form: which bytes arrive where, and what is refused. */
#include "check.h"

enum { BYTES = 256 };

static CUdeviceptr a, b;
static unsigned char host[BYTES], back[BYTES];

/* The first bytes of b. */
static void show(size_t count) {
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH_v2(back, b, BYTES));
    printf("  ");
    for (size_t i = 0; i < count; i++)
        printf(" %u", back[i]);
    printf("\n");
    OK(cuMemsetD8_v2(b, 0, BYTES));
}

static void in_a_row(void) {
    CUcontext context;
    CUstream stream;
    printf("-- in a row\n");
    OK(cuCtxGetCurrent(&context));
    OK(cuStreamCreate(&stream, 0));
    SAY(cuMemcpy(b, a, 4));
    show(5);
    SAY(cuMemcpyAsync(b + 1, a, 3, stream));
    show(5);
    SAY(cuMemcpyHtoDAsync_v2(b, host + 8, 4, stream));
    show(5);
    SAY(cuMemcpyDtoDAsync_v2(b + 2, a + 4, 2, stream));
    show(5);
    SAY(cuMemcpyPeer(b, context, a, context, 3));
    show(5);
    SAY(cuMemcpyPeerAsync(b, context, a + 1, context, 3, stream));
    show(5);
    SAY(cuMemcpyDtoHAsync_v2(back, a, 4, stream));
    SAY(cuMemcpy(b, a, 0));
    SAY(cuMemcpy(0, a, 4));
    SAY(cuMemcpyHtoD_v2(0, host, 4));
    SAY(cuMemcpyDtoH_v2(back, 16, 4));
    SAY(cuMemcpyDtoD_v2(b, a, (size_t)1 << 40));
    OK(cuStreamDestroy_v2(stream));
}

static void fills(void) {
    CUstream stream;
    printf("-- fills\n");
    OK(cuStreamCreate(&stream, 0));
    SAY(cuMemsetD8Async(b, 7, 3, stream));
    show(5);
    SAY(cuMemsetD16Async(b, 0x0102, 2, stream));
    show(5);
    SAY(cuMemsetD32Async(b, 0x01020304, 1, stream));
    show(5);
    SAY(cuMemsetD2D8_v2(b, 4, 9, 2, 2));
    show(8);
    SAY(cuMemsetD2D8Async(b, 4, 9, 3, 2, stream));
    show(8);
    SAY(cuMemsetD2D16_v2(b, 6, 0x0102, 1, 2));
    show(10);
    SAY(cuMemsetD2D16Async(b, 6, 0x0203, 2, 2, stream));
    show(12);
    SAY(cuMemsetD2D32_v2(b, 8, 0x01020304, 1, 2));
    show(14);
    SAY(cuMemsetD2D32Async(b, 8, 0x04030201, 1, 2, stream));
    show(14);
    SAY(cuMemsetD16_v2(b + 1, 1, 1));
    SAY(cuMemsetD32_v2(b + 2, 1, 1));
    SAY(cuMemsetD2D8_v2(b, 2, 9, 4, 2)); /* narrower than a row */
    SAY(cuMemsetD2D32_v2(b, 6, 9, 1, 2));
    SAY(cuMemsetD8_v2(0, 1, 4));
    SAY(cuMemsetD8_v2(0, 1, 0));
    OK(cuMemsetD8_v2(b, 0, BYTES));
    OK(cuStreamDestroy_v2(stream));
}

static void boxes(void) {
    CUDA_MEMCPY2D flat = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = host,
                          .srcPitch = 8,
                          .srcXInBytes = 1,
                          .srcY = 1,
                          .dstMemoryType = MEMORYTYPE_DEVICE,
                          .dstDevice = b,
                          .dstPitch = 4,
                          .WidthInBytes = 3,
                          .Height = 2};
    CUDA_MEMCPY3D box = {.srcMemoryType = MEMORYTYPE_DEVICE,
                         .srcDevice = a,
                         .srcPitch = 8,
                         .srcHeight = 2,
                         .dstMemoryType = MEMORYTYPE_DEVICE,
                         .dstDevice = b,
                         .dstPitch = 4,
                         .dstHeight = 2,
                         .dstZ = 1,
                         .WidthInBytes = 2,
                         .Height = 2,
                         .Depth = 2};
    printf("-- boxes\n");
    SAY(cuMemcpy2D_v2(&flat));
    show(8);
    SAY(cuMemcpy2DUnaligned_v2(&flat));
    show(8);
    SAY(cuMemcpy2DAsync_v2(&flat, NULL));
    show(8);
    SAY(cuMemcpy3D_v2(&box));
    show(24);
    SAY(cuMemcpy3DAsync_v2(&box, NULL));
    show(24);
    OK(cuCtxGetCurrent((CUcontext *)&box.srcContext));
    box.dstContext = box.srcContext;
    SAY(cuMemcpy3DPeer(&box));
    show(24);
    SAY(cuMemcpy3DPeerAsync(&box, NULL));
    show(24);
    flat.dstPitch = 2;
    SAY(cuMemcpy2D_v2(&flat));
    flat.dstPitch = 4;
    flat.srcMemoryType = 9;
    SAY(cuMemcpy2D_v2(&flat));
    flat.srcMemoryType = MEMORYTYPE_HOST;
    flat.Height = 0;
    SAY(cuMemcpy2D_v2(&flat));
    box.Depth = 0;
    SAY(cuMemcpy3D_v2(&box));
    box.Depth = 2;
    box.dstHeight = 1;
    SAY(cuMemcpy3D_v2(&box));
    SAY(cuMemcpy2D_v2(NULL));
    SAY(cuMemcpy3D_v2(NULL));
}

static void arrays(void) {
    const CUDA_ARRAY_DESCRIPTOR row = {16, 0, AD_FORMAT_UNSIGNED_INT8, 1};
    const CUDA_ARRAY3D_DESCRIPTOR deep = {4, 4, 2, AD_FORMAT_FLOAT, 2, ARRAY3D_SURFACE_LDST};
    CUDA_ARRAY_DESCRIPTOR got = {0};
    CUDA_ARRAY3D_DESCRIPTOR got_deep = {0};
    CUDA_ARRAY_DESCRIPTOR wrong = {0, 0, AD_FORMAT_FLOAT, 1};
    CUarray first, second, third;
    printf("-- arrays\n");
    SAY(cuArrayCreate_v2(&first, &row));
    SAY(cuArrayCreate_v2(&second, &row));
    SAY(cuArray3DCreate_v2(&third, &deep));
    SAY(cuArrayGetDescriptor_v2(&got, first));
    printf("%zu x %zu, format %d, channels %u\n", got.Width, got.Height, got.Format,
           got.NumChannels);
    SAY(cuArray3DGetDescriptor_v2(&got_deep, third));
    printf("%zu x %zu x %zu, format %d, channels %u, flags %u\n", got_deep.Width, got_deep.Height,
           got_deep.Depth, got_deep.Format, got_deep.NumChannels, got_deep.Flags);
    SAY(cuArrayGetDescriptor_v2(NULL, first));
    SAY(cuArrayCreate_v2(&third, &wrong));
    wrong = (CUDA_ARRAY_DESCRIPTOR){4, 0, AD_FORMAT_FLOAT, 3};
    SAY(cuArrayCreate_v2(&third, &wrong));
    wrong = (CUDA_ARRAY_DESCRIPTOR){4, 0, (CUarray_format)99, 1};
    SAY(cuArrayCreate_v2(&third, &wrong));
    SAY(cuArrayCreate_v2(NULL, &row));
    SAY(cuMemcpyHtoA_v2(first, 0, host, 16));
    SAY(cuMemcpyAtoD_v2(b, first, 4, 6));
    show(8);
    SAY(cuMemcpyDtoA_v2(second, 2, a, 8));
    SAY(cuMemcpyAtoA_v2(first, 1, second, 3, 4));
    SAY(cuMemcpyAtoH_v2(back, first, 0, 8));
    for (int i = 0; i < 8; i++)
        printf(" %u", back[i]);
    printf("\n");
    SAY(cuMemcpyHtoAAsync_v2(first, 8, host, 8, NULL));
    SAY(cuMemcpyAtoHAsync_v2(back, first, 6, 8, NULL));
    OK(cuCtxSynchronize());
    for (int i = 0; i < 8; i++)
        printf(" %u", back[i]);
    printf("\n");
    SAY(cuMemcpyAtoH_v2(back, first, 12, 8)); /* beyond its end */
    SAY(cuMemcpyHtoA_v2(first, 16, host, 1));
    SAY(cuMemcpyAtoA_v2(first, 0, second, 12, 8));
    SAY(cuArrayDestroy(first));
    SAY(cuArrayDestroy(second));
}

static void in_batches(void) {
    CUdeviceptr to[3] = {b, b + 8, b + 16}, from[3] = {a, a + 1, a + 2};
    size_t bytes[3] = {2, 3, 4}, first[1] = {0}, place = 99;
    CUmemcpyAttributes attributes = {.srcAccessOrder = 1};
    CUDA_MEMCPY3D_BATCH_OP box = {
        .src = {.type = OPERAND_POINTER, .pointer = {.address = a, .hint = {LOCATION_DEVICE, 0}}},
        .dst = {.type = OPERAND_POINTER, .pointer = {.address = b, .hint = {LOCATION_DEVICE, 0}}},
        .width = 4,
        .height = 2,
        .depth = 1,
        .srcAccessOrder = 1};
    CUstream stream;
    printf("-- in batches\n");
    OK(cuStreamCreate(&stream, 0));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream));
    show(20);
    SAY(cuMemcpyBatchAsync(to, from, bytes, 3, &attributes, first, 1, &place, stream));
    show(20);
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, NULL));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 0, &attributes, first, 1, stream));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 0, stream));
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 4, stream));
    attributes.srcAccessOrder = 9;
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream));
    first[0] = 1;
    attributes.srcAccessOrder = 1;
    SAY(cuMemcpyBatchAsync_v2(to, from, bytes, 3, &attributes, first, 1, stream));
    SAY(cuMemcpy3DBatchAsync_v2(1, &box, 0, stream));
    show(8);
    SAY(cuMemcpy3DBatchAsync(1, &box, &place, 0, stream));
    show(8);
    box.src.type = 9;
    SAY(cuMemcpy3DBatchAsync_v2(1, &box, 0, stream));
    SAY(cuMemcpy3DBatchAsync_v2(0, &box, 0, stream));
    box.src.type = OPERAND_POINTER;
    SAY(cuMemcpy3DBatchAsync_v2(1, &box, 9, stream));
    SAY(cuMemcpy3DBatchAsync_v2(1, &box, 0, NULL));
    OK(cuStreamDestroy_v2(stream));
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    start();
    for (int i = 0; i < BYTES; i++)
        host[i] = (unsigned char)(i + 1);
    OK(cuMemAlloc_v2(&a, BYTES));
    OK(cuMemAlloc_v2(&b, BYTES));
    OK(cuMemcpyHtoD_v2(a, host, BYTES));
    OK(cuMemsetD8_v2(b, 0, BYTES));
    in_a_row();
    fills();
    boxes();
    arrays();
    in_batches();
    return 0;
}
