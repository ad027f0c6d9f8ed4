/* Texture and surface objects: loads, stores and queries of surfaces, layers and boundaries, handles
 * that are stale or of the wrong kind. What filters give is tested in tests/texture.
 *
 *   textures            everything that works
 *   textures trap       a surface is read beyond its end
 *   textures stale      a texture is read that was destroyed
 *   textures surface    a texture object is used as a surface */
#include "check.h"

enum { WIDTH = 16, HEIGHT = 4, LAYERS = 3 };

static const char source[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    /* out[thread] = the element of the surface at (x + thread, y), by each way to leave it */
    ".visible .entry load(.param .u64 surface, .param .u64 out, .param .u32 x, .param .u32 y)\n{\n"
    "    .reg .b32 %r<9>;\n    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [surface];\n    ld.param.u64 %rd2, [out];\n"
    "    ld.param.u32 %r1, [x];\n    ld.param.u32 %r2, [y];\n"
    "    mov.u32 %r3, %tid.x;\n    add.u32 %r4, %r1, %r3;\n    shl.b32 %r5, %r4, 2;\n"
    "    mul.wide.u32 %rd3, %r3, 8;\n    add.u64 %rd4, %rd2, %rd3;\n"
    "    suld.b.2d.b32.zero {%r6}, [%rd1, {%r5, %r2}];\n"
    "    suld.b.2d.b32.clamp {%r7}, [%rd1, {%r5, %r2}];\n"
    "    st.global.v2.u32 [%rd4], {%r6, %r7};\n    ret;\n}\n"
    ".visible .entry trap(.param .u64 surface, .param .u64 out)\n{\n"
    "    .reg .b32 %r<4>;\n    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [surface];\n    ld.param.u64 %rd2, [out];\n"
    "    mov.u32 %r1, %tid.x;\n    shl.b32 %r2, %r1, 2;\n    mov.u32 %r3, 0;\n"
    "    suld.b.2d.b32.trap {%r3}, [%rd1, {%r2, %r3}];\n"
    "    st.global.u32 [%rd2], %r3;\n    ret;\n}\n"
    /* 8 bytes at (2 * thread, 1) of a layer; beyond the row nothing is written */
    ".visible .entry store(.param .u64 surface, .param .u32 layer)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [surface];\n    ld.param.u32 %r1, [layer];\n"
    "    mov.u32 %r2, %tid.x;\n    shl.b32 %r3, %r2, 3;\n    mov.u32 %r4, 1;\n    add.u32 %r5, "
    "%r2, 100;\n"
    "    sust.b.a2d.v2.b32.zero [%rd1, {%r1, %r3, %r4, %r4}], {%r2, %r5};\n    ret;\n}\n"
    ".visible .entry query(.param .u64 texture, .param .u64 out)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [texture];\n    ld.param.u64 %rd2, [out];\n"
    "    txq.width.b32 %r1, [%rd1];\n    txq.height.b32 %r2, [%rd1];\n"
    "    txq.array_size.b32 %r3, [%rd1];\n    txq.normalized_coords.b32 %r4, [%rd1];\n"
    "    st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};\n    ret;\n}\n"
    ".visible .entry fetch(.param .u64 texture, .param .u64 out)\n{\n"
    "    .reg .b32 %r<6>;\n    .reg .b64 %rd<3>;\n"
    "    ld.param.u64 %rd1, [texture];\n    ld.param.u64 %rd2, [out];\n    mov.u32 %r1, 0;\n"
    "    tex.a2d.v4.u32.f32 {%r2, %r3, _, _}, [%rd1, {%r1, %r1, %r1, %r1}];\n"
    "    st.global.v2.u32 [%rd2], {%r2, %r3};\n    ret;\n}\n"
    /* out[thread] = element first + thread of linear memory */
    ".visible .entry fetch_line(.param .u64 texture, .param .u64 out, .param .u32 first)\n{\n"
    "    .reg .b32 %r<5>;\n    .reg .b64 %rd<5>;\n"
    "    ld.param.u64 %rd1, [texture];\n    ld.param.u64 %rd2, [out];\n"
    "    ld.param.u32 %r3, [first];\n    mov.u32 %r1, %tid.x;\n    add.u32 %r4, %r3, %r1;\n"
    "    tex.1d.v4.u32.s32 {%r2, _, _, _}, [%rd1, {%r4}];\n"
    "    mul.wide.u32 %rd3, %r1, 4;\n    add.u64 %rd4, %rd2, %rd3;\n"
    "    st.global.u32 [%rd4], %r2;\n    ret;\n}\n";

static CUarray make_array(unsigned layers) {
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR descriptor = {.Width = WIDTH,
                                          .Height = HEIGHT,
                                          .Depth = layers,
                                          .Format = AD_FORMAT_UNSIGNED_INT32,
                                          .NumChannels = 1,
                                          .Flags = ARRAY3D_SURFACE_LDST |
                                                   (layers ? ARRAY3D_LAYERED : 0)};
    unsigned texels[LAYERS][HEIGHT][WIDTH];
    for (unsigned i = 0; i < LAYERS * HEIGHT * WIDTH; i++)
        texels[i / WIDTH / HEIGHT][i / WIDTH % HEIGHT][i % WIDTH] = 1000 + i;
    OK(cuArray3DCreate_v2(&array, &descriptor));
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .srcPitch = WIDTH * 4,
                          .srcHeight = HEIGHT,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = array,
                          .WidthInBytes = WIDTH * 4,
                          .Height = HEIGHT,
                          .Depth = layers ? layers : 1};
    OK(cuMemcpy3D_v2(&copy));
    copy.WidthInBytes++;
    CHECK(cuMemcpy3D_v2(&copy) == CUDA_ERROR_INVALID_VALUE);
    return array;
}

static CUDA_RESOURCE_DESC resource_of(CUarray array) {
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_ARRAY};
    resource.res.array.hArray = array;
    return resource;
}

static CUsurfObject surface_of(CUarray array) {
    CUsurfObject object;
    CUDA_RESOURCE_DESC resource = resource_of(array);
    OK(cuSurfObjectCreate(&object, &resource));
    return object;
}

static CUtexObject texture_of(CUarray array) {
    CUtexObject object;
    CUDA_RESOURCE_DESC resource = resource_of(array);
    CUDA_TEXTURE_DESC reading = {.flags = TRSF_NORMALIZED_COORDINATES};
    OK(cuTexObjectCreate(&object, &resource, &reading, NULL));
    reading.filterMode = TR_FILTER_MODE_LINEAR; /* not of integers */
    CUtexObject none;
    CHECK(cuTexObjectCreate(&none, &resource, &reading, NULL) == CUDA_ERROR_INVALID_VALUE);
    return object;
}

static void launch(CUmodule module, const char *name, unsigned threads, void **params) {
    OK(cuLaunchKernel(kernel(module, name), 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

/* Zero and clamp, to both sides. */
static void loads(CUmodule module, CUdeviceptr out) {
    CUarray array = make_array(0);
    CUsurfObject surface = surface_of(array);
    unsigned got[32][2];
    int x = -8, y = 2;
    void *params[] = {&surface, &out, &x, &y};
    launch(module, "load", 32, params);
    OK(cuMemcpyDtoH_v2(got, out, sizeof got));
    for (int i = 0; i < 32; i++) {
        int at = x + i, near = at < 0 ? 0 : at >= WIDTH ? WIDTH - 1 : at;
        CHECK(got[i][0] == (at == near ? 1000u + (unsigned)(y * WIDTH + at) : 0));
        CHECK(got[i][1] == 1000u + (unsigned)(y * WIDTH + near));
    }
    OK(cuSurfObjectDestroy(surface));
    OK(cuSurfObjectDestroy(surface)); /* as of any that is not there: measured on an H200 */
    OK(cuArrayDestroy(array));
    CHECK(cuArrayDestroy(array) == CUDA_ERROR_INVALID_HANDLE);
}

static void stores(CUmodule module) {
    CUarray array = make_array(LAYERS);
    CUsurfObject surface = surface_of(array);
    unsigned row[WIDTH], layer = 2;
    void *params[] = {&surface, &layer};
    launch(module, "store", 32, params); /* half of them beyond the row */
    CUDA_MEMCPY3D copy = {.srcMemoryType = MEMORYTYPE_ARRAY,
                          .srcArray = array,
                          .srcY = 1,
                          .srcZ = layer,
                          .dstMemoryType = MEMORYTYPE_HOST,
                          .dstHost = row,
                          .WidthInBytes = sizeof row,
                          .Height = 1,
                          .Depth = 1};
    OK(cuMemcpy3D_v2(&copy));
    for (unsigned i = 0; i < WIDTH; i++)
        CHECK(row[i] == (i & 1 ? 100 : 0) + i / 2);
    copy.srcY = 2;
    OK(cuMemcpy3D_v2(&copy));
    CHECK(row[0] == 1000 + (layer * HEIGHT + 2) * WIDTH);
    OK(cuSurfObjectDestroy(surface));
    OK(cuArrayDestroy(array));
}

static void queries(CUmodule module, CUdeviceptr out) {
    CUarray array = make_array(LAYERS);
    CUtexObject texture = texture_of(array);
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC reading;
    unsigned got[4];
    void *params[] = {&texture, &out};
    launch(module, "query", 32, params);
    OK(cuMemcpyDtoH_v2(got, out, sizeof got));
    CHECK(got[0] == WIDTH && got[1] == HEIGHT && got[2] == LAYERS && got[3] == 1);
    launch(module, "fetch", 32, params);
    OK(cuMemcpyDtoH_v2(got, out, 8));
    CHECK(got[0] == 1000 && got[1] == 0);
    OK(cuTexObjectGetResourceDesc(&resource, texture));
    CHECK(resource.res.array.hArray == array);
    OK(cuTexObjectGetTextureDesc(&reading, texture));
    CHECK(reading.flags == TRSF_NORMALIZED_COORDINATES);
    OK(cuTexObjectDestroy(texture));
    CHECK(cuTexObjectGetTextureDesc(&reading, texture) == CUDA_ERROR_INVALID_VALUE);
    OK(cuTexObjectDestroy(texture)); /* as above */
    OK(cuArrayDestroy(array));
}

/* Linear memory that is said to be longer than its allocation: zero where that ends, and also where the next one
 * lies. */
static void too_long(CUmodule module, CUdeviceptr out) {
    enum { THERE = 16 };
    CUdeviceptr lines[2];
    unsigned got[32];
    for (unsigned i = 0; i < 2; i++) {
        OK(cuMemAlloc_v2(&lines[i], THERE * 4));
        OK(cuMemsetD32_v2(lines[i], 7, THERE));
    }
    CHECK(lines[0] < lines[1]);
    unsigned next = (unsigned)(lines[1] - lines[0]) / 4, firsts[] = {0, next};
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_LINEAR};
    CUDA_TEXTURE_DESC reading = {.flags = TRSF_READ_AS_INTEGER};
    resource.res.linear.devPtr = lines[0];
    resource.res.linear.format = AD_FORMAT_UNSIGNED_INT32;
    resource.res.linear.numChannels = 1;
    resource.res.linear.sizeInBytes = (next + THERE) * 4;
    CUtexObject texture;
    OK(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    for (unsigned k = 0; k < 2; k++) {
        void *params[] = {&texture, &out, &firsts[k]};
        launch(module, "fetch_line", 32, params);
        OK(cuMemcpyDtoH_v2(got, out, sizeof got));
        for (unsigned i = 0; i < 32; i++)
            CHECK(got[i] == (k == 0 && i < THERE ? 7 : 0));
    }
    OK(cuMemFree_v2(lines[0]));
    CHECK(cuTexObjectCreate(&texture, &resource, &reading, NULL) == CUDA_ERROR_INVALID_VALUE);
}

int main(int argc, char **argv) {
    CUmodule module;
    CUdeviceptr out;
    start();
    OK(cuModuleLoadData(&module, source));
    OK(cuMemAlloc_v2(&out, 32 * 8));
    const char *what = argc > 1 ? argv[1] : "";
    if (!*what) {
        loads(module, out);
        stores(module);
        queries(module, out);
        too_long(module, out);
        return 0;
    }
    CUarray array = make_array(strcmp(what, "trap") == 0 ? 0 : LAYERS);
    CUsurfObject surface = surface_of(array);
    CUtexObject texture = texture_of(array);
    void *of_surface[] = {&surface, &out}, *of_texture[] = {&texture, &out};
    if (strcmp(what, "stale") == 0)
        OK(cuTexObjectDestroy(texture));
    if (strcmp(what, "stale") == 0)
        cuLaunchKernel(kernel(module, "fetch"), 1, 1, 1, 32, 1, 1, 0, NULL, of_texture, NULL);
    else
        cuLaunchKernel(kernel(module, "trap"), 1, 1, 1, 32, 1, 1, 0, NULL,
                       strcmp(what, "trap") == 0 ? of_surface : of_texture, NULL);
    CHECK(cuCtxSynchronize() != CUDA_SUCCESS);
    return 0;
}
