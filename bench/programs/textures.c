/* How fast textures are read: prints for each kind its name and million fetches per CPU second of this
 * process, once for each of the repeats. A thread reads a texture of 256 x 256 texels 64 times. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENT = 256, THREADS = 256, BLOCKS = 256, READS = 64 };

static const char kernel[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry read(.param .u64 object, .param .f32 step, .param .u64 out)\n{\n"
    "    .reg .b32 %r<8>;\n    .reg .f32 %f<12>;\n    .reg .b64 %t, %a, %d;\n    .reg .pred %p;\n"
    "    ld.param.u64 %t, [object];\n    ld.param.f32 %f0, [step];\n    ld.param.u64 %a, [out];\n"
    "    mov.u32 %r0, %tid.x;\n    mov.u32 %r1, %ctaid.x;\n    mad.lo.u32 %r2, %r1, 256, %r0;\n"
    "    cvt.rn.f32.u32 %f1, %r0;\n    cvt.rn.f32.u32 %f2, %r1;\n"
    "    mul.f32 %f1, %f1, %f0;\n    mul.f32 %f2, %f2, %f0;\n"
    "    mov.f32 %f8, 0f00000000;\n    mov.u32 %r3, 0;\n"
    "again:\n"
    "    tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%t, {%f1, %f2}];\n"
    "    add.f32 %f8, %f8, %f4;\n    add.f32 %f1, %f1, %f0;\n    add.u32 %r3, %r3, 1;\n"
    "    setp.lt.u32 %p, %r3, 64;\n    @%p bra again;\n"
    "    mul.wide.u32 %d, %r2, 4;\n    add.u64 %a, %a, %d;\n    st.global.f32 [%a], %f8;\n    "
    "ret;\n}\n";

typedef struct Kind {
    const char *name;
    CUarray_format format;
    unsigned channels, bytes; /* of a texel */
    CUfilter_mode filter;
    CUaddress_mode address;
} Kind;

static CUtexObject texture_new(const Kind *kind) {
    CUDA_ARRAY_DESCRIPTOR shape = {EXTENT, EXTENT, kind->format, kind->channels};
    CUDA_RESOURCE_DESC resource = {.resType = RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC texture = {.addressMode = {kind->address, kind->address},
                                 .filterMode = kind->filter,
                                 .flags = TRSF_NORMALIZED_COORDINATES};
    size_t row = (size_t)EXTENT * kind->bytes;
    unsigned char *texels = malloc(row * EXTENT);
    if (!texels)
        exit(1);
    for (size_t i = 0; i < row * EXTENT; i++) /* floats around 1 */
        texels[i] =
            kind->format == AD_FORMAT_FLOAT && i % 4 == 3 ? 0x3f : (unsigned char)(i * 37 & 127);
    OK(cuArrayCreate_v2(&resource.res.array.hArray, &shape));
    CUDA_MEMCPY2D copy = {.srcMemoryType = MEMORYTYPE_HOST,
                          .srcHost = texels,
                          .dstMemoryType = MEMORYTYPE_ARRAY,
                          .dstArray = resource.res.array.hArray,
                          .WidthInBytes = row,
                          .Height = EXTENT};
    OK(cuMemcpy2D_v2(&copy));
    free(texels);
    CUtexObject object;
    OK(cuTexObjectCreate(&object, &resource, &texture, NULL));
    return object;
}

static void measure(const Kind *kind, CUfunction function, CUdeviceptr out) {
    CUtexObject object = texture_new(kind);
    float step = 1.37f / EXTENT; /* reaches over the edge */
    void *params[] = {&object, &step, &out};
    print_rates(kind->name, function, BLOCKS, THREADS, params, (double)BLOCKS * THREADS * READS, 1);
    OK(cuTexObjectDestroy(object));
}

int main(void) {
    static const struct {
        const char *name;
        CUarray_format format;
        unsigned channels, bytes;
    } formats[] = {{"float", AD_FORMAT_FLOAT, 1, 4},
                   {"float4", AD_FORMAT_FLOAT, 4, 16},
                   {"uchar", AD_FORMAT_UNSIGNED_INT8, 1, 1},
                   {"uchar4", AD_FORMAT_UNSIGNED_INT8, 4, 4},
                   {"ushort", AD_FORMAT_UNSIGNED_INT16, 1, 2}};
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr out;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, kernel));
    OK(cuModuleGetFunction(&function, module, "read"));
    OK(cuMemAlloc_v2(&out, sizeof(float) * BLOCKS * THREADS));
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (int filter = 0; filter < 2; filter++)
            for (int address = 0; address < 2; address++) {
                char name[64];
                snprintf(name, sizeof name, "%s-%s-%s", formats[i].name,
                         filter ? "linear" : "point", address ? "clamp" : "wrap");
                measure(&(Kind){name, formats[i].format, formats[i].channels, formats[i].bytes,
                                (CUfilter_mode)filter, (CUaddress_mode)address},
                        function, out);
            }
    return 0;
}
