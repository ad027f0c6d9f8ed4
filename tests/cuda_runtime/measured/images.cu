// Arrays and mipmapped arrays, texture and surface objects, tensor maps: what they are made of, what they say of it, what a kernel
// fetches through them.
#include "say.h"

__device__ float got[64];
__global__ void fetch(cudaTextureObject_t t, int dims, float step) {
    float x = threadIdx.x * step - 0.5f;
    got[threadIdx.x] = dims == 1   ? tex1Dfetch<float>(t, threadIdx.x)
                       : dims == 2 ? tex2D<float>(t, x, 1.25f)
                       : dims == 3 ? tex3D<float>(t, x, 0.5f, 0.75f)
                       : dims == 4 ? tex2DLayered<float>(t, x, 0.5f, 1)
                       : dims == 5 ? tex2DLod<float>(t, x, 0.5f, 1.5f)
                                   : texCubemap<float>(t, 1.0f, x / 8, 0.25f);
}
__global__ void write(cudaSurfaceObject_t s, int dims) {
    if (dims == 2)
        surf2Dwrite<float>(threadIdx.x + 0.5f, s, threadIdx.x * 4, 1);
    if (dims == 3)
        surf3Dwrite<float>(threadIdx.x + 0.25f, s, threadIdx.x * 4, 1, 2);
}
static void fetched(cudaTextureObject_t t, int dims, float step) {
    float values[64] = {};
    fetch<<<1, 16>>>(t, dims, step);
    int waited = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(values, got, sizeof values);
    printf("  %d:", waited);
    for (int i = 0; i < 16; i++)
        printf(" %a", values[i]);
    printf("\n");
    cudaGetLastError();
}

static float data[4096];
static void fill() {
    for (int i = 0; i < 4096; i++)
        data[i] = (float)(i % 37) + i / 64;
}
static cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();

static void show(const cudaTextureDesc &t, const cudaResourceDesc &r) {
    printf(
        "  address %d %d %d, filter %d, read %d, sRGB %d, normalized %d, max %u, mip %d %g %g %g\n",
        t.addressMode[0], t.addressMode[1], t.addressMode[2], t.filterMode, t.readMode, t.sRGB,
        t.normalizedCoords, t.maxAnisotropy, t.mipmapFilterMode, t.mipmapLevelBias,
        t.minMipmapLevelClamp, t.maxMipmapLevelClamp);
    printf("  resource type %d\n", r.resType);
}

static void textures() {
    fill();
    cudaArray_t flat, deep, layers, cube;
    cudaTextureObject_t t;
    cudaTextureDesc td = {}, tg = {};
    cudaResourceDesc rd = {}, rg = {};
    R(cudaMallocArray(&flat, &format, 16, 8));
    R(cudaMemcpy2DToArray(flat, 0, 0, data, 64, 64, 8, cudaMemcpyHostToDevice));
    rd.resType = cudaResourceTypeArray, rd.res.array.array = flat;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 2, 1);
    R(cudaGetTextureObjectTextureDesc(&tg, t)), R(cudaGetTextureObjectResourceDesc(&rg, t)),
        show(tg, rg);
    R(cudaDestroyTextureObject(t));
    for (int mode = 0; mode < 4; mode++) {
        td.addressMode[0] = td.addressMode[1] = (cudaTextureAddressMode)mode;
        td.filterMode = cudaFilterModeLinear, td.normalizedCoords = mode < 2, td.borderColor[0] = 5;
        td.maxAnisotropy = 2, td.borderColor[1] = 3;
        R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 2, mode < 2 ? 0.17f : 1.7f);
        R(cudaGetTextureObjectTextureDesc(&tg, t)), show(tg, rd);
    }
    cudaResourceViewDesc view = {}, seen = {};
    view.format = cudaResViewFormatUnsignedInt1, view.width = 16, view.height = 8;
    R(cudaCreateTextureObject(&t, &rd, &td, &view));
    td = {};
    R(cudaCreateTextureObject(&t, &rd, &td, &view));
    R(cudaGetTextureObjectResourceViewDesc(&seen, t));
    printf("  format %d, %zu x %zu x %zu, levels %u to %u, layers %u to %u\n", seen.format,
           seen.width, seen.height, seen.depth, seen.firstMipmapLevel, seen.lastMipmapLevel,
           seen.firstLayer, seen.lastLayer);
    view.format = cudaResViewFormatFloat1;
    R(cudaCreateTextureObject(&t, &rd, &td, &view)), fetched(t, 2, 1);
    view.width = 8;
    R(cudaCreateTextureObject(&t, &rd, &td, &view));
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    R(cudaGetTextureObjectResourceViewDesc(&seen, t));
    // three dimensions, layers, cubes
    R(cudaMalloc3DArray(&deep, &format, make_cudaExtent(8, 8, 8)));
    R(cudaMalloc3DArray(&layers, &format, make_cudaExtent(8, 8, 4), cudaArrayLayered));
    R(cudaMalloc3DArray(&cube, &format, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
    cudaMemcpy3DParms c = {};
    c.srcPtr = make_cudaPitchedPtr(data, 32, 8, 8), c.kind = cudaMemcpyHostToDevice;
    c.extent = make_cudaExtent(8, 8, 8), c.dstArray = deep, R(cudaMemcpy3D(&c));
    c.extent = make_cudaExtent(8, 8, 4), c.dstArray = layers, R(cudaMemcpy3D(&c));
    c.extent = make_cudaExtent(8, 8, 6), c.dstArray = cube, R(cudaMemcpy3D(&c));
    td.filterMode = cudaFilterModeLinear, td.addressMode[0] = cudaAddressModeClamp;
    rd.res.array.array = deep, R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 3, 0.6f);
    rd.res.array.array = layers, R(cudaCreateTextureObject(&t, &rd, &td, NULL)),
    fetched(t, 4, 0.6f);
    rd.res.array.array = cube, td.normalizedCoords = 1,
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 6, 0.6f);
    // memory in a line, in rows
    float *line;
    size_t pitch, widest = 0;
    R(cudaMalloc(&line, 4096)), R(cudaMemcpy(line, data, 4096, cudaMemcpyHostToDevice));
    td = {}, rd = {};
    rd.resType = cudaResourceTypeLinear, rd.res.linear.devPtr = line, rd.res.linear.desc = format;
    rd.res.linear.sizeInBytes = 48;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 1, 1);
    rd.res.linear.devPtr = line + 1;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    rd.res.linear.devPtr = line, td.filterMode = cudaFilterModeLinear;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    td = {}, td.normalizedCoords = 1;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    td = {}, rd.res.linear.sizeInBytes = (size_t)1 << 40;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    rd.res.linear.sizeInBytes = 0;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    R(cudaMallocPitch(&line, &pitch, 64, 8)),
        R(cudaMemcpy2D(line, pitch, data, 64, 64, 8, cudaMemcpyHostToDevice));
    rd.resType = cudaResourceTypePitch2D, rd.res.pitch2D = {line, format, 16, 8, pitch};
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 2, 1);
    rd.res.pitch2D.pitchInBytes = 80;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    rd.res.pitch2D.pitchInBytes = pitch, rd.res.pitch2D.width = 0;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    td.readMode = cudaReadModeNormalizedFloat, rd.res.pitch2D.width = 16;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    R(cudaDeviceGetTexture1DLinearMaxWidth(&widest, &format, 0));
    printf("  %zu\n", widest);
    R(cuDeviceGetTexture1DLinearMaxWidth(&widest, CU_AD_FORMAT_FLOAT, 4, 0));
    printf("  %zu\n", widest);
    cudaChannelFormatDesc asked;
    R(cudaGetChannelDesc(&asked, deep));
    printf("  %d %d %d %d %d\n", asked.x, asked.y, asked.z, asked.w, asked.f);
}

static void mipmaps() {
    fill();
    cudaMipmappedArray_t m;
    cudaArray_t level;
    cudaExtent extent;
    cudaTextureObject_t t;
    R(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 0), 3));
    for (unsigned i = 0; i < 4; i++) {
        int error = cudaGetMipmappedArrayLevel(&level, m, i);
        extent = {};
        if (!error)
            cudaArrayGetInfo(NULL, &extent, NULL, level);
        printf("  level %u: %d, %zu x %zu x %zu\n", i, error, extent.width, extent.height,
               extent.depth);
        if (!error)
            cudaMemcpy2DToArray(level, 0, 0, data + i * 200, extent.width * 4, extent.width * 4,
                                extent.height, cudaMemcpyHostToDevice);
        cudaGetLastError();
    }
    cudaResourceDesc rd = {};
    cudaTextureDesc td = {};
    rd.resType = cudaResourceTypeMipmappedArray, rd.res.mipmap.mipmap = m;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    td.normalizedCoords = 1, td.maxMipmapLevelClamp = 2;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 5, 0.11f);
    td.mipmapFilterMode = cudaFilterModeLinear, td.filterMode = cudaFilterModeLinear;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL)), fetched(t, 5, 0.11f);
    td.minMipmapLevelClamp = 3, td.maxMipmapLevelClamp = 1;
    R(cudaCreateTextureObject(&t, &rd, &td, NULL));
    R(cudaFreeMipmappedArray(m)), R(cudaFreeMipmappedArray(NULL));
    R(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 0), 0));
    R(cudaMallocMipmappedArray(&m, &format, make_cudaExtent(16, 8, 0), 9));
    CUmipmappedArray own;
    CUarray driver_level;
    CUDA_ARRAY3D_DESCRIPTOR d = {8, 8, 0, CU_AD_FORMAT_HALF, 2, 0}, asked = {};
    R(cuMipmappedArrayCreate(&own, &d, 4));
    R(cuMipmappedArrayGetLevel(&driver_level, own, 2));
    R(cuArray3DGetDescriptor(&asked, driver_level));
    printf("  %zu x %zu x %zu, format %d, %u\n", asked.Width, asked.Height, asked.Depth,
           asked.Format, asked.NumChannels);
    R(cuMipmappedArrayGetLevel(&driver_level, own, 4));
    R(cuArrayDestroy(driver_level));
    R(cuMipmappedArrayDestroy(own)), R(cuMipmappedArrayDestroy(NULL));
    R(cuMipmappedArrayCreate(&own, NULL, 4));
}

static void surfaces() {
    cudaArray_t flat, deep, plain;
    cudaSurfaceObject_t s;
    cudaResourceDesc rd = {}, rg = {};
    float back[512];
    R(cudaMallocArray(&flat, &format, 16, 8, cudaArraySurfaceLoadStore));
    R(cudaMalloc3DArray(&deep, &format, make_cudaExtent(16, 4, 4), cudaArraySurfaceLoadStore));
    R(cudaMallocArray(&plain, &format, 16, 8));
    R(cudaMemcpy2DToArray(flat, 0, 0, data, 64, 64, 8, cudaMemcpyHostToDevice));
    rd.resType = cudaResourceTypeArray, rd.res.array.array = flat;
    R(cudaCreateSurfaceObject(&s, &rd));
    write<<<1, 16>>>(s, 2);
    R(cudaDeviceSynchronize());
    R(cudaMemcpy2DFromArray(back, 64, flat, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
    printf("  %g %g %g\n", back[15], back[16], back[31]);
    R(cudaGetSurfaceObjectResourceDesc(&rg, s));
    printf("  same %d\n", rg.res.array.array == flat);
    R(cudaDestroySurfaceObject(s));
    rd.res.array.array = deep;
    R(cudaCreateSurfaceObject(&s, &rd));
    write<<<1, 16>>>(s, 3);
    R(cudaDeviceSynchronize());
    rd.res.array.array = plain;
    R(cudaCreateSurfaceObject(&s, &rd));
    rd.resType = cudaResourceTypeLinear;
    R(cudaCreateSurfaceObject(&s, &rd)), R(cudaCreateSurfaceObject(NULL, &rd));
    R(cudaDestroySurfaceObject(0));
    CUDA_RESOURCE_DESC cd = {}, cg = {};
    CUsurfObject own;
    cd.resType = CU_RESOURCE_TYPE_ARRAY, cd.res.array.hArray = (CUarray)flat;
    R(cuSurfObjectCreate(&own, &cd)), R(cuSurfObjectGetResourceDesc(&cg, own));
    printf("  same %d\n", cg.res.array.hArray == (CUarray)flat);
    cd.flags = 1;
    R(cuSurfObjectCreate(&own, &cd)), R(cuSurfObjectDestroy(own));
    CUtexObject t;
    CUDA_TEXTURE_DESC td = {}, tg = {};
    CUDA_RESOURCE_VIEW_DESC vd = {}, vg = {};
    cd.flags = 0, td.filterMode = CU_TR_FILTER_MODE_LINEAR,
    td.flags = CU_TRSF_NORMALIZED_COORDINATES;
    vd.format = CU_RES_VIEW_FORMAT_FLOAT_1X32, vd.width = 16, vd.height = 8;
    R(cuTexObjectCreate(&t, &cd, &td, &vd));
    R(cuTexObjectGetResourceDesc(&cg, t)), R(cuTexObjectGetTextureDesc(&tg, t)),
        R(cuTexObjectGetResourceViewDesc(&vg, t));
    printf("  %d, filter %d, flags %u, view %d, %zu x %zu\n", cg.resType, tg.filterMode, tg.flags,
           vg.format, vg.width, vg.height);
    td.flags = 0x80;
    R(cuTexObjectCreate(&t, &cd, &td, NULL));
    td.flags = 0, td.filterMode = (CUfilter_mode)5;
    R(cuTexObjectCreate(&t, &cd, &td, NULL));
    R(cuTexObjectCreate(&t, NULL, &td, NULL)), R(cuTexObjectCreate(NULL, &cd, &td, NULL));
    R(cuTexObjectDestroy(0));
}

static int tiled(CUtensorMapDataType type, unsigned rank, size_t at, cuuint64_t width,
                 cuuint64_t stride, unsigned box, unsigned element, int interleave, int swizzle,
                 int promotion, int fill_mode) {
    alignas(64) CUtensorMap map;
    static void *memory;
    if (!memory)
        cudaMalloc(&memory, 1 << 20);
    cuuint64_t sizes[5] = {width, 16, 4, 2, 2},
               strides[4] = {stride, stride * 16, stride * 64, stride * 128};
    cuuint32_t boxes[5] = {box, 8, 1, 1, 1}, steps[5] = {element, 1, 1, 1, 1};
    return cuTensorMapEncodeTiled(&map, type, rank, (char *)memory + at, sizes, strides, boxes,
                                  steps, (CUtensorMapInterleave)interleave,
                                  (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)promotion,
                                  (CUtensorMapFloatOOBfill)fill_mode);
}
static void tensors() {
    const CUtensorMapDataType F32 = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
                              U8 = CU_TENSOR_MAP_DATA_TYPE_UINT8,
                              S32 = CU_TENSOR_MAP_DATA_TYPE_INT32;
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 5, 0, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 0, 0, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 6, 0, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 8, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 16, 64, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 0, 256, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 260, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 128, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, (cuuint64_t)1 << 40, 32, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 0, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 512, 2048, 257, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 3, 1, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 64, 1, 0, CU_TENSOR_MAP_SWIZZLE_128B, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, CU_TENSOR_MAP_SWIZZLE_128B, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, CU_TENSOR_MAP_SWIZZLE_32B, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 0, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 2, 0, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 9, 0, 0, 0, 0));
    R(tiled(F32, 3, 0, 64, 256, 8, 1, CU_TENSOR_MAP_INTERLEAVE_16B, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 8, 1, CU_TENSOR_MAP_INTERLEAVE_16B, 0, 0, 0));
    R(tiled(F32, 3, 0, 64, 256, 8, 1, CU_TENSOR_MAP_INTERLEAVE_32B, CU_TENSOR_MAP_SWIZZLE_32B, 0,
            0));
    R(tiled(F32, 3, 0, 64, 256, 8, 1, CU_TENSOR_MAP_INTERLEAVE_32B, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 3, 0, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, 9, 0, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, 0, 4, 0));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, 0, 3, 1));
    R(tiled(F32, 2, 0, 64, 256, 32, 1, 0, 0, 0, 2));
    R(tiled(S32, 2, 0, 64, 256, 32, 1, 0, 0, 0, 1));
    R(tiled(U8, 2, 0, 64, 64, 16, 1, 0, 0, 0, 0));
    R(tiled(U8, 2, 0, 64, 64, 8, 1, 0, 0, 0, 0));
    R(tiled((CUtensorMapDataType)99, 2, 0, 64, 256, 32, 1, 0, 0, 0, 0));
    alignas(64) static CUtensorMap map;
    void *memory;
    cudaMalloc(&memory, 1 << 20);
    cuuint64_t sizes[5] = {64, 16, 16, 4, 4}, strides[4] = {256, 4096, 65536, 262144};
    cuuint32_t steps[5] = {1, 1, 1, 1, 1};
    int low[3] = {-1, -1, -1}, high[3] = {1, 1, 1}, far[3] = {-40000, 0, 0};
#define IM2COL(rank, lower, upper, channels, pixels)                                               \
    cuTensorMapEncodeIm2col(&map, F32, rank, memory, sizes, strides, lower, upper, channels,       \
                            pixels, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,                          \
                            CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,           \
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
    R(IM2COL(4, low, high, 32, 64)), R(IM2COL(3, low, high, 32, 64)),
        R(IM2COL(5, low, high, 32, 64));
    R(IM2COL(2, low, high, 32, 64)), R(IM2COL(4, low, high, 300, 64)),
        R(IM2COL(4, low, high, 32, 2000));
    R(IM2COL(4, low, high, 0, 64)), R(IM2COL(4, far, high, 32, 64));
    R(cuTensorMapReplaceAddress(&map, (char *)memory + 1024));
    R(cuTensorMapReplaceAddress(&map, (char *)memory + 8));
}

int main() {
    return in_parts({textures, mipmaps, surfaces, tensors});
}
