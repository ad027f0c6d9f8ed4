/* Tensor maps as programs make and use them, and what is wrong with those that cannot be used:
 *   tensors              checks a copy, an address that was replaced, and calls with wrong arguments
 *   tensors WHAT         launches a copy that faults */
#include "check.h"

/* copy: loads a box of 8 x 4 words at (x, y) and adds it to the tensor at (0, 0). `to` is where the box
 * is in shared memory. */
static const char source[] =
    ".version 8.0\n"
    ".target sm_90a\n"
    ".address_size 64\n"
    ".visible .entry copy(.param .align 64 .b8 map[128], .param .u32 x, .param .u32 y, .param .u32 "
    "to)\n"
    "{\n"
    "    .shared .align 128 .b8 box[256];\n"
    "    .shared .align 8 .b64 bar;\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<6>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    mov.b64 %rd1, map;\n"
    "    cvta.param.u64 %rd1, %rd1;\n"
    "    ld.param.u32 %r1, [x];\n"
    "    ld.param.u32 %r2, [y];\n"
    "    ld.param.u32 %r3, [to];\n"
    "    mov.u32 %r4, box;\n"
    "    add.u32 %r3, %r3, %r4;\n"
    "    mov.u32 %r4, bar;\n"
    "    mov.u32 %r5, 0;\n"
    "    mbarrier.init.shared::cta.b64 [%r4], 1;\n"
    "    fence.proxy.async;\n"
    "    mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r4], 128;\n"
    "    cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], "
    "[%rd1, {%r1, %r2}], [%r4];\n"
    "WAIT:\n"
    "    mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r4], 0;\n"
    "    @!%p1 bra WAIT;\n"
    "    cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%rd1, {%r5, %r5}], "
    "[%r3];\n"
    "    cp.async.bulk.commit_group;\n"
    "    cp.async.bulk.wait_group 0;\n"
    "    ret;\n"
    "}\n";

enum { WIDTH = 30, HEIGHT = 10, PITCH = 128 };

static CUtensorMap map;
static const uint64_t extent[3] = {WIDTH, HEIGHT, 1}, stride[2] = {PITCH, PITCH *HEIGHT};
static const uint32_t box[3] = {8, 4, 1}, step[3] = {1, 1, 1};

static CUresult encode(CUdeviceptr memory, uint32_t rank) {
    return cuTensorMapEncodeTiled(&map, TENSOR_MAP_UINT32, rank, (void *)(uintptr_t)memory, extent,
                                  stride, box, step, TENSOR_MAP_INTERLEAVE_NONE,
                                  TENSOR_MAP_SWIZZLE_NONE, TENSOR_MAP_L2_PROMOTION_NONE,
                                  TENSOR_MAP_OOB_FILL_NONE);
}

static CUresult copy(CUmodule module, int x, int y, unsigned to) {
    CUfunction function;
    void *arguments[] = {&map, &x, &y, &to};
    OK(cuModuleGetFunction(&function, module, "copy"));
    OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    return cuCtxSynchronize();
}

/* Two tensors, one behind the other in memory; word i holds i. */
static void checks(CUmodule module, CUdeviceptr memory) {
    uint32_t words[2 * PITCH * HEIGHT / 4];
    void *found;
    int status;
    OK(encode(memory, 2));
    OK(copy(module, 24, 8, 0));
    OK(cuMemcpyDtoH_v2(words, memory, sizeof words));
    CHECK(words[0] == 8 * 32 + 24 && words[5] == 5 + 8 * 32 + 29 && words[6] == 6);
    CHECK(words[32] == 32 + 9 * 32 + 24 && words[2 * 32] == 2 * 32);
    OK(cuTensorMapReplaceAddress(&map, (void *)(uintptr_t)(memory + PITCH * HEIGHT)));
    OK(copy(module, 0, 0, 0));
    OK(cuMemcpyDtoH_v2(words, memory, sizeof words));
    CHECK(words[32 * HEIGHT + 3] == 2 * (32 * HEIGHT + 3) && words[1] == 1 + 8 * 32 + 25);
    CHECK(encode(memory + 8, 2) == CUDA_ERROR_INVALID_VALUE);
    CHECK(encode(memory, 6) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuTensorMapReplaceAddress(&map, (void *)8) == CUDA_ERROR_INVALID_VALUE);
    OK(cuGetProcAddress_v2("cuTensorMapEncodeTiled", &found, 12000, 0, &status));
    CHECK(found && status == 0);
}

int main(int argc, char **argv) {
    CUmodule module;
    CUdeviceptr memory;
    CUdevice device;
    CUcontext context;
    uint32_t words[2 * PITCH * HEIGHT / 4];
    const char *what = argc > 1 ? argv[1] : "";
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&module, source));
    for (uint32_t i = 0; i < sizeof words / 4; i++)
        words[i] = i;
    OK(cuMemAlloc_v2(&memory, sizeof words));
    OK(cuMemcpyHtoD_v2(memory, words, sizeof words));
    if (!*what) {
        checks(module, memory);
        return 0;
    }
    OK(encode(strcmp(what, "outside") == 0 ? memory + PITCH * HEIGHT + 128 : memory,
              strcmp(what, "rank") == 0 ? 3 : 2));
    if (strcmp(what, "garbage") == 0)
        memset(&map, 0x5a, sizeof map);
    CHECK(copy(module, strcmp(what, "odd") == 0 ? 5 : 0, strcmp(what, "outside") == 0 ? 8 : 0,
               strcmp(what, "shared") == 0   ? 64
               : strcmp(what, "behind") == 0 ? 128 * 1024
                                             : 0));
    return 0;
}
