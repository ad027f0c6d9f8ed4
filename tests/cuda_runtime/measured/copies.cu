// Copies and fills of the driver's calls and of the runtime's: rows, volumes, arrays, batches, asynchronous ones. What they have
// moved is said as a sum of the bytes.
#include "say.h"

static unsigned char from[4096], to[4096];
static CUdeviceptr d, e;
static CUstream s;
static CUarray array, other, volume;

static void reset() {
    for (int i = 0; i < 4096; i++)
        from[i] = (unsigned char)(i * 7 + i / 256), to[i] = 0;
    cuMemsetD8(d, 0, 4096), cuMemsetD8(e, 0, 4096);
}
static void show(const char *what, CUdeviceptr at) {
    static unsigned char bytes[4096];
    int error = cuMemcpyDtoH(bytes, at, 4096);
    printf("  %s: %d, %u\n", what, error, sum_of(bytes, 4096));
}
static void show_host(const char *what) {
    printf("  %s: %u\n", what, sum_of(to, sizeof to));
}

static void begin() {
    cuMemAlloc(&d, 4096), cuMemAlloc(&e, 4096), cuStreamCreate(&s, 0);
}

static void linear() {
    begin();
    reset();
    R(cuMemcpyHtoD(d, from, 4096));
    R(cuMemcpyHtoD(d, from, 0));
    R(cuMemcpyHtoD(0, from, 4));
    R(cuMemcpyDtoD(e, d + 5, 100)), show("e", e);
    R(cuMemcpyDtoH(to, e, 200)), show_host("to");
    R(cuMemcpy(e + 1000, d, 10)), show("e", e);
    R(cuMemcpy((CUdeviceptr)to + 300, d, 10)), show_host("to");
    R(cuMemcpy((CUdeviceptr)to + 400, (CUdeviceptr)from, 10)), show_host("to");
    R(cuMemcpyHtoDAsync(e + 7, from + 7, 20, s));
    R(cuMemcpyDtoDAsync(e + 100, d + 200, 20, s));
    R(cuMemcpyDtoHAsync(to + 50, e, 200, s));
    R(cuMemcpyAsync(e + 300, d, 10, s));
    R(cuStreamSynchronize(s)), show("e", e), show_host("to");
    R(cuMemcpyPeer(e + 500, NULL, d, NULL, 10));
    CUcontext context;
    cuCtxGetCurrent(&context);
    R(cuMemcpyPeer(e + 500, context, d, context, 10));
    R(cuMemcpyPeerAsync(e + 600, context, d, context, 10, s));
    R(cuStreamSynchronize(s)), show("e", e);
    R(cuMemcpyDtoDAsync(e, d, 4090, (CUstream)8 == s ? 0 : s));
    R(cuMemcpyDtoD(e + 4000, d, 200));
    R(cuMemcpyHtoD(d + 4000, from, 200));
    R(cuMemcpyDtoH(NULL, d, 4));
    R(cuMemcpyDtoH(NULL, d, 0));
}

static void fills() {
    begin();
    reset();
    R(cuMemsetD8Async(d, 0x11, 33, s));
    R(cuMemsetD16(d + 64, 0x1234, 10));
    R(cuMemsetD16Async(d + 100, 0x4321, 10, s));
    R(cuMemsetD32(d + 200, 0x12345678, 5));
    R(cuMemsetD32Async(d + 300, 0x87654321, 5, s));
    R(cuMemsetD16(d + 65, 1, 1));
    R(cuMemsetD32(d + 66, 1, 1));
    R(cuMemsetD16Async(d + 1, 1, 1, s));
    R(cuMemsetD8(d, 1, 0));
    R(cuStreamSynchronize(s)), show("d", d);
    R(cuMemsetD2D8(d + 512, 64, 3, 10, 4));
    R(cuMemsetD2D16(d + 1024, 64, 3, 10, 4));
    R(cuMemsetD2D32(d + 2048, 64, 3, 10, 4));
    R(cuMemsetD2D8Async(d + 3000, 64, 9, 5, 4, s));
    R(cuMemsetD2D16Async(d + 3400, 64, 9, 5, 4, s));
    R(cuMemsetD2D32Async(d + 3700, 64, 9, 5, 4, s));
    R(cuStreamSynchronize(s)), show("d", d);
    R(cuMemsetD2D8(d, 5, 3, 10, 4)), show("pitch less than the width", d);
    R(cuMemsetD2D16(d + 1, 64, 3, 10, 4));
    R(cuMemsetD2D32(d + 4, 66, 3, 10, 4));
    R(cuMemsetD2D32(d, 64, 3, 0, 4));
    R(cuMemsetD2D8(d, 64, 3, 10, 100));
    cudaPitchedPtr p = make_cudaPitchedPtr((void *)e, 32, 20, 4);
    R(cudaMemset3D(p, 5, make_cudaExtent(10, 3, 2))), show("e", e);
    R(cudaMemset3DAsync(p, 6, make_cudaExtent(5, 2, 1), s));
    R(cudaMemset2DAsync((void *)(e + 2000), 64, 7, 10, 3, s));
    R(cudaStreamSynchronize(s)), show("e", e);
    R(cudaMemset3D(p, 5, make_cudaExtent(0, 3, 2)));
    R(cudaMemset3D(p, 5, make_cudaExtent(40, 3, 2)));
    R(cudaMemset2DAsync(NULL, 64, 7, 10, 3, s));
}

static void rows() {
    begin();
    reset();
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_HOST, c.srcHost = from, c.srcPitch = 50;
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = d, c.dstPitch = 64;
    c.WidthInBytes = 20, c.Height = 6;
    R(cuMemcpy2D(&c)), show("d", d);
    c.srcXInBytes = 3, c.srcY = 2, c.dstXInBytes = 11, c.dstY = 10;
    R(cuMemcpy2D(&c)), show("d", d);
    R(cuMemcpy2DUnaligned(&c));
    R(cuMemcpy2DAsync(&c, s));
    c.dstPitch = 15;
    R(cuMemcpy2D(&c));
    c.dstPitch = 64, c.srcPitch = 10;
    R(cuMemcpy2D(&c));
    c.srcPitch = 0;
    R(cuMemcpy2D(&c));
    c.srcPitch = 50, c.WidthInBytes = 0;
    R(cuMemcpy2D(&c));
    c.WidthInBytes = 20, c.srcMemoryType = (CUmemorytype)9;
    R(cuMemcpy2D(&c));
    R(cuMemcpy2D(NULL));
    CUDA_MEMCPY2D back = {};
    back.srcMemoryType = CU_MEMORYTYPE_UNIFIED, back.srcDevice = d, back.srcPitch = 64;
    back.dstMemoryType = CU_MEMORYTYPE_HOST, back.dstHost = to, back.dstPitch = 30;
    back.WidthInBytes = 25, back.Height = 12;
    R(cuMemcpy2DAsync(&back, s)), R(cuStreamSynchronize(s)), show_host("to");
    CUDA_MEMCPY3D v = {};
    v.srcMemoryType = CU_MEMORYTYPE_HOST, v.srcHost = from, v.srcPitch = 16, v.srcHeight = 8;
    v.dstMemoryType = CU_MEMORYTYPE_DEVICE, v.dstDevice = e, v.dstPitch = 32, v.dstHeight = 6;
    v.WidthInBytes = 10, v.Height = 5, v.Depth = 3, v.srcZ = 1, v.dstY = 1, v.dstXInBytes = 2;
    R(cuMemcpy3D(&v)), show("e", e);
    R(cuMemcpy3DAsync(&v, s));
    v.srcHeight = 3;
    R(cuMemcpy3D(&v));
    v.srcHeight = 8, v.Depth = 0;
    R(cuMemcpy3D(&v));
    v.Depth = 3, v.srcLOD = 1;
    R(cuMemcpy3D(&v));
    v.srcLOD = 0, v.reserved0 = (void *)1;
    R(cuMemcpy3D(&v));
    R(cuMemcpy3D(NULL));
    CUDA_MEMCPY3D_PEER p = {};
    p.srcMemoryType = CU_MEMORYTYPE_DEVICE, p.srcDevice = e, p.srcPitch = 32, p.srcHeight = 6;
    p.dstMemoryType = CU_MEMORYTYPE_DEVICE, p.dstDevice = d, p.dstPitch = 40, p.dstHeight = 8;
    p.WidthInBytes = 12, p.Height = 4, p.Depth = 2;
    cuCtxGetCurrent(&p.srcContext), cuCtxGetCurrent(&p.dstContext);
    R(cuMemcpy3DPeer(&p)), show("d", d);
    R(cuMemcpy3DPeerAsync(&p, s)), R(cuStreamSynchronize(s));
    cudaMemcpy3DParms r = {};
    r.srcPtr = make_cudaPitchedPtr(from, 20, 20, 5),
    r.dstPtr = make_cudaPitchedPtr((void *)d, 64, 64, 8);
    r.extent = make_cudaExtent(20, 5, 3), r.kind = cudaMemcpyDefault;
    R(cudaMemcpy3DAsync(&r, s)), R(cudaStreamSynchronize(s)), show("d", d);
    R(cudaMemcpy2DAsync(to, 20, (void *)d, 64, 20, 10, cudaMemcpyDeviceToHost, s));
    R(cudaStreamSynchronize(s)), show_host("to");
    cudaMemcpy3DPeerParms q = {};
    q.srcPtr = make_cudaPitchedPtr((void *)d, 64, 64, 8),
    q.dstPtr = make_cudaPitchedPtr((void *)e, 32, 32, 8);
    q.extent = make_cudaExtent(16, 4, 2);
    R(cudaMemcpy3DPeer(&q)), show("e", e);
    R(cudaMemcpy3DPeerAsync(&q, s));
    q.srcDevice = 7;
    R(cudaMemcpy3DPeer(&q));
    R(cudaMemcpy2DAsync(to, 20, (void *)d, 10, 20, 10, cudaMemcpyDeviceToHost, s));
    R(cudaMemcpy2DAsync(to, 20, (void *)d, 64, 20, 10, (cudaMemcpyKind)9, s));
}

static void arrays() {
    begin();
    reset();
    CUDA_ARRAY_DESCRIPTOR flat = {64, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4}, asked = {};
    CUDA_ARRAY3D_DESCRIPTOR deep = {16, 8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, told = {};
    R(cuArrayCreate(&array, &flat));
    R(cuArrayCreate(&other, &flat));
    R(cuArray3DCreate(&volume, &deep));
    R(cuArrayGetDescriptor(&asked, array));
    printf("  %zu x %zu, format %d, %u\n", asked.Width, asked.Height, asked.Format,
           asked.NumChannels);
    R(cuArray3DGetDescriptor(&told, volume));
    printf("  %zu x %zu x %zu, format %d, %u, flags %u\n", told.Width, told.Height, told.Depth,
           told.Format, told.NumChannels, told.Flags);
    R(cuArray3DGetDescriptor(&told, array));
    printf("  %zu x %zu x %zu\n", told.Width, told.Height, told.Depth);
    R(cuArrayGetDescriptor(&asked, volume));
    printf("  %zu x %zu\n", asked.Width, asked.Height);
    R(cuArrayGetDescriptor(NULL, array));
    R(cuMemcpyHtoA(array, 0, from, 256));
    R(cuMemcpyHtoA(array, 200, from, 100));
    R(cuMemcpyHtoAAsync(array, 16, from, 64, s));
    R(cuStreamSynchronize(s));
    R(cuMemcpyAtoA(other, 0, array, 4, 200));
    R(cuMemcpyAtoH(to, other, 0, 256)), show_host("to");
    R(cuMemcpyAtoHAsync(to + 1000, array, 8, 100, s));
    R(cuStreamSynchronize(s)), show_host("to");
    R(cuMemcpyAtoD(e, array, 12, 100)), show("e", e);
    R(cuMemcpyDtoA(other, 100, e, 50));
    R(cuMemcpyAtoH(to, other, 1, 255)), show_host("to");
    R(cuMemcpyAtoH(to, other, 250, 255));
    R(cuMemcpyHtoA(NULL, 0, from, 4));
    CUDA_MEMCPY3D v = {};
    v.srcMemoryType = CU_MEMORYTYPE_HOST, v.srcHost = from, v.srcPitch = 16, v.srcHeight = 8;
    v.dstMemoryType = CU_MEMORYTYPE_ARRAY, v.dstArray = volume;
    v.WidthInBytes = 16, v.Height = 8, v.Depth = 4;
    R(cuMemcpy3D(&v));
    v.dstZ = 1;
    R(cuMemcpy3D(&v));
    CUDA_MEMCPY3D w = {};
    w.srcMemoryType = CU_MEMORYTYPE_ARRAY, w.srcArray = volume, w.srcXInBytes = 3, w.srcY = 1,
    w.srcZ = 2;
    w.dstMemoryType = CU_MEMORYTYPE_HOST, w.dstHost = to, w.dstPitch = 20, w.dstHeight = 10;
    w.WidthInBytes = 5, w.Height = 4, w.Depth = 2;
    R(cuMemcpy3D(&w)), show_host("to");
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar2>();
    cudaArray_t a, b;
    R(cudaMallocArray(&a, &format, 32, 8));
    R(cudaMallocArray(&b, &format, 32, 8));
    R(cudaMemcpy2DToArray(a, 0, 0, from, 64, 64, 8, cudaMemcpyHostToDevice));
    R(cudaMemcpy2DToArrayAsync(a, 6, 1, from, 20, 20, 3, cudaMemcpyHostToDevice, s));
    R(cudaStreamSynchronize(s));
    R(cudaMemcpy2DArrayToArray(b, 0, 0, a, 4, 1, 30, 5, cudaMemcpyDeviceToDevice));
    R(cudaMemcpy2DFromArray(to, 64, b, 0, 0, 64, 8, cudaMemcpyDeviceToHost)), show_host("to");
    R(cudaMemcpy2DFromArrayAsync(to, 50, a, 2, 2, 40, 4, cudaMemcpyDeviceToHost, s));
    R(cudaStreamSynchronize(s)), show_host("to");
    R(cudaMemcpy2DFromArray(to, 64, b, 2, 0, 64, 8, cudaMemcpyDeviceToHost));
    R(cudaMemcpy2DFromArray(to, 10, b, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
    R(cudaMemcpy2DFromArray(to, 64, NULL, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
    R(cudaMemcpy2DArrayToArray(b, 0, 0, a, 4, 1, 64, 5, cudaMemcpyDeviceToDevice));
    R(cudaMemcpyToArray(a, 2, 3, from + 9, 100, cudaMemcpyHostToDevice));
    R(cudaMemcpyToArrayAsync(a, 0, 0, from + 5, 10, cudaMemcpyHostToDevice, s));
    R(cudaMemcpyArrayToArray(b, 8, 1, a, 2, 3, 90, cudaMemcpyDeviceToDevice));
    R(cudaMemcpyFromArray(to, b, 6, 1, 95, cudaMemcpyDeviceToHost)), show_host("to");
    R(cudaMemcpyFromArrayAsync(to, a, 0, 0, 300, cudaMemcpyDeviceToHost, s));
    R(cudaStreamSynchronize(s)), show_host("to");
    R(cuArrayDestroy(array)), R(cuArrayDestroy(other)), R(cuArrayDestroy(volume));
    R(cudaFreeArray(a)), R(cudaFreeArray(b));
}

__device__ int number[8];
static void symbols() {
    begin();
    int values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    R(cudaMemcpyToSymbolAsync(number, values, 32, 0, cudaMemcpyHostToDevice, s));
    R(cudaMemcpyToSymbolAsync(number, values, 8, 20, cudaMemcpyHostToDevice, s));
    R(cudaMemcpyFromSymbolAsync(back, number, 32, 0, cudaMemcpyDeviceToHost, s));
    R(cudaStreamSynchronize(s));
    printf("  %d %d %d %d\n", back[0], back[5], back[6], back[7]);
    R(cudaMemcpyFromSymbolAsync(back, number, 32, 4, cudaMemcpyDeviceToHost, s));
    R(cudaMemcpyToSymbolAsync(number, values, 32, 0, cudaMemcpyDeviceToHost, s));
    R(cudaMemcpyToSymbolAsync(values, values, 32, 0, cudaMemcpyHostToDevice, s));
}

static void batches() {
    begin();
    reset();
    cuMemcpyHtoD(d, from, 4096);
    const void *sources[] = {(void *)d, (void *)(d + 100), (void *)(d + 200)};
    void *targets[] = {(void *)e, (void *)(e + 10), (void *)(e + 20)};
    size_t sizes[] = {5, 6, 7}, first[] = {0}, wrong = 77, two[] = {0, 2}, bad[] = {1};
    cudaMemcpyAttributes how[2] = {};
    how[0].srcAccessOrder = how[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, first, 1, s));
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, two, 2, s));
    R(cudaStreamSynchronize(s)), show("e", e);
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 0, how, first, 1, s));
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, bad, 1, s));
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, first, 0, s));
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, NULL, first, 1, s));
    R(cudaMemcpyBatchAsync(NULL, sources, sizes, 3, how, first, 1, s));
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, first, 1, NULL));
    how[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, first, 1, s));
    how[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny, sizes[1] = 0;
    R(cudaMemcpyBatchAsync(targets, sources, sizes, 3, how, first, 1, s));
    (void)wrong;
    cudaMemcpy3DBatchOp op = {};
    op.src.type = op.dst.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = (void *)d, op.src.op.ptr.rowLength = 32, op.src.op.ptr.layerHeight = 8;
    op.dst.op.ptr.ptr = (void *)(e + 1000), op.dst.op.ptr.rowLength = 20,
    op.dst.op.ptr.layerHeight = 6;
    op.src.op.ptr.locHint = op.dst.op.ptr.locHint = {cudaMemLocationTypeDevice, {0}};
    op.extent = make_cudaExtent(16, 4, 2), op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    R(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    R(cudaStreamSynchronize(s)), show("e", e);
    op.dst.op.ptr.rowLength = 0, op.dst.op.ptr.layerHeight = 0;
    R(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    R(cudaStreamSynchronize(s)), show("e", e);
    R(cudaMemcpy3DBatchAsync(0, &op, 0, s));
    R(cudaMemcpy3DBatchAsync(1, NULL, 0, s));
    R(cudaMemcpy3DBatchAsync(1, &op, 1, s));
    op.src.op.ptr.rowLength = 10;
    R(cudaMemcpy3DBatchAsync(1, &op, 0, s));
    op.src.op.ptr.rowLength = 32, op.dst.type = (cudaMemcpy3DOperandType)9;
    R(cudaMemcpy3DBatchAsync(1, &op, 0, s));
}

int main() {
    return in_parts({linear, fills, rows, arrays, symbols, batches});
}
