/* The runtime's entry points, called as a program of nvcc's calls them: fat binaries registered by
 * hand, with PTX as text in them, so that no CUDA compiler is needed. */
#include "cuda/runtime/calls.h"
#include "image/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

/* As programs built with CUDA 12 and 13 see them. */
__asm__(".symver cudaLaunchKernel_13, cudaLaunchKernel@libcudart.so.13");
__asm__(".symver cudaLaunchCooperativeKernel_13, cudaLaunchCooperativeKernel@libcudart.so.13");
__asm__(".symver cudaLaunchKernel_ptsz_13, cudaLaunchKernel_ptsz@libcudart.so.13");
__asm__(".symver cudaLaunchKernelExC_13, cudaLaunchKernelExC@libcudart.so.13");
__asm__(".symver cudaMemPrefetchAsync_12, cudaMemPrefetchAsync@libcudart.so.12");
__asm__(".symver cudaGraphNodeGetDependencies_13, "
        "cudaGraphNodeGetDependencies@libcudart.so.13");
__asm__(".symver cudaGetDeviceProperties_13, cudaGetDeviceProperties@libcudart.so.13");

/* scale: x[i] *= factor for i < n, and counts in `calls` how often it ran; managed += 1 */
static const char ptx[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n"
    ".visible .const .align 4 .u32 factor;\n"
    ".visible .global .align 4 .u32 calls;\n"
    ".visible .global .attribute(.managed) .align 4 .u32 managed;\n"
    ".visible .entry scale(.param .u64 p_x, .param .u32 p_n)\n{\n"
    "\t.reg .pred %p<3>;\n\t.reg .b32 %r<10>;\n\t.reg .b64 %rd<6>;\n"
    "\tld.param.u64 %rd1, [p_x];\n\tld.param.u32 %r1, [p_n];\n"
    "\tmov.u32 %r2, %ctaid.x;\n\tmov.u32 %r3, %ntid.x;\n\tmov.u32 %r4, %tid.x;\n"
    "\tmad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "\tsetp.ne.s32 %p1, %r5, 0;\n\t@%p1 bra ADDED;\n"
    "\tmov.u64 %rd4, calls;\n\tatom.global.add.u32 %r8, [%rd4], 1;\n"
    "\tmov.u64 %rd5, managed;\n\tatom.global.add.u32 %r9, [%rd5], 1;\n"
    "ADDED:\n"
    "\tsetp.ge.s32 %p2, %r5, %r1;\n\t@%p2 bra DONE;\n"
    "\tcvta.to.global.u64 %rd2, %rd1;\n\tmul.wide.s32 %rd3, %r5, 4;\n"
    "\tadd.s64 %rd2, %rd2, %rd3;\n\tld.global.u32 %r6, [%rd2];\n"
    "\tld.const.u32 %r7, [factor];\n\tmul.lo.s32 %r6, %r6, %r7;\n\tst.global.u32 [%rd2], %r6;\n"
    "DONE:\n\tret;\n}\n";

/* ---- what nvcc would have put into the program ---- */

typedef struct Fat { /* a fat binary with one entry, not packed */
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t size;
    uint16_t kind, kind_version;
    uint32_t entry_header_bytes;
    uint64_t payload_bytes;
    uint32_t packed_bytes, options_at;
    uint16_t minor, major;
    uint32_t arch, source_at, source_length;
    uint64_t flags, zero, unpacked_bytes;
    char payload[(sizeof ptx + 7) / 8 * 8];
} Fat;

typedef struct Wrapper {
    uint32_t magic, version;
    const void *data;
    const void *const *fatbins;
} Wrapper;

static Fat fat = {.magic = FATBIN_MAGIC,
                  .version = 1,
                  .header_bytes = FATBIN_HEADER_BYTES,
                  .size = sizeof(Fat) - FATBIN_HEADER_BYTES,
                  .kind = FAT_PTX,
                  .kind_version = 0x0101,
                  .entry_header_bytes = 64,
                  .payload_bytes = sizeof fat.payload,
                  .major = 8,
                  .arch = 75,
                  .flags = 0x11};
static Wrapper wrapper = {WRAPPER_MAGIC, 1, &fat, NULL};

static char scale_stub, unknown_stub, factor_shadow, calls_shadow;
static void *managed_pointer;
static void **handle;

static int register_all(void **state) {
    (void)state;
    memcpy(fat.payload, ptx, sizeof ptx);
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale_stub, "scale", "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &unknown_stub, "none", "none", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &factor_shadow, "factor", "factor", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &calls_shadow, "calls", "calls", 0, 4, 0, 0);
    __cudaRegisterManagedVar(handle, &managed_pointer, "managed", "managed", 0, 4, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return 0;
}

/* ---- tests ---- */

enum { COUNT = 100 };

static void set_factor(int factor) {
    assert_int_equal(cudaMemcpyToSymbol(&factor_shadow, &factor, 4, 0, COPY_HOST_TO_DEVICE), 0);
}

static int *numbers(void) { /* 0, 1, 2 … on the device */
    int host[COUNT], *device;
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    assert_int_equal(cudaMalloc((void **)&device, sizeof host), cudaSuccess);
    assert_int_equal(cudaMemcpy(device, host, sizeof host, COPY_HOST_TO_DEVICE), cudaSuccess);
    return device;
}

static void assert_scaled(const int *device, int factor) {
    int host[COUNT];
    assert_int_equal(cudaMemcpy(host, device, sizeof host, COPY_DEVICE_TO_HOST), cudaSuccess);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(host[i], factor * i);
}

static void the_first_call_makes_the_primary_context_active(void **state) {
    (void)state;
    unsigned flags;
    int active = -1;
    assert_int_equal(cuInit(0), CUDA_SUCCESS);
    assert_int_equal(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    assert_false(active);
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    assert_int_equal(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    assert_true(active);
}

static void every_way_to_launch(void **state) {
    (void)state;
    int *device = numbers(), count = COUNT, factor = 1, before, after;
    void *arguments[] = {&device, &count};
    const dim3 grid = {2, 1, 1}, block = {64, 1, 1};
    dim3 popped_grid, popped_block;
    size_t shared;
    CUstream stream, popped_stream;
    CUkernel kernel;
    set_factor(2);
    assert_int_equal(cudaMemcpyFromSymbol(&before, &calls_shadow, 4, 0, COPY_DEFAULT), 0);
    assert_int_equal(cudaLaunchKernel_13(&scale_stub, grid, block, arguments, 0, NULL),
                     cudaSuccess);
    assert_scaled(device, factor *= 2);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(__cudaPushCallConfiguration(grid, block, 16, stream), 0);
    assert_int_equal(__cudaPushCallConfiguration(block, grid, 0, NULL), 0);
    __cudaPopCallConfiguration(&popped_grid, &popped_block, &shared, &popped_stream);
    assert_int_equal(popped_grid.x, 64); /* the inner one first */
    __cudaPopCallConfiguration(&popped_grid, &popped_block, &shared, &popped_stream);
    assert_int_equal(popped_grid.x, 2);
    assert_int_equal(shared, 16);
    assert_ptr_equal(popped_stream, stream);
    assert_int_equal(__cudaGetKernel(&kernel, &scale_stub), cudaSuccess);
    assert_int_equal(__cudaLaunchKernel(kernel, grid, block, arguments, 0, stream), cudaSuccess);
    assert_scaled(device, factor *= 2);
    assert_int_equal(cudaLaunchKernel_ptsz_13(&scale_stub, grid, block, arguments, 0, NULL), 0);
    assert_scaled(device, factor *= 2);
    assert_int_equal(cudaLaunchCooperativeKernel_13(&scale_stub, grid, block, arguments, 0, stream),
                     0);
    assert_scaled(device, factor *= 2);
    const cudaLaunchConfig config = {.gridDim = grid, .blockDim = block, .stream = stream};
    assert_int_equal(cudaLaunchKernelExC_13(&config, &scale_stub, arguments), cudaSuccess);
    assert_scaled(device, factor *= 2);
    assert_int_equal(cudaGetKernel(&kernel, &scale_stub), cudaSuccess); /* a handle as function */
    assert_int_equal(cudaLaunchKernel_13(kernel, grid, block, arguments, 0, NULL), cudaSuccess);
    assert_scaled(device, factor *= 2);
    assert_int_equal(cudaMemcpyFromSymbol(&after, &calls_shadow, 4, 0, COPY_DEFAULT), 0);
    assert_int_equal(after - before, 6);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
}

static void symbols_and_managed_variables(void **state) {
    (void)state;
    void *address;
    size_t bytes;
    assert_int_equal(cudaGetSymbolAddress(&address, &factor_shadow), cudaSuccess);
    assert_int_equal(cudaGetSymbolSize(&bytes, &factor_shadow), cudaSuccess);
    assert_int_equal(bytes, 4);
    assert_int_equal(cudaMemcpyToSymbol(&factor_shadow, &bytes, 4, 1, COPY_HOST_TO_DEVICE),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaGetSymbolAddress(&address, &bytes), cudaErrorInvalidSymbol);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidSymbol);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void errors_are_those_of_a_gpu(void **state) {
    (void)state;
    int *device = numbers(), count = COUNT;
    void *arguments[] = {&device, &count};
    const dim3 one = {1, 1, 1}, none = {0, 1, 1}, many = {2048, 1, 1};
    assert_int_equal(cudaLaunchKernel_13(&scale_stub, one, many, arguments, 0, NULL),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaLaunchKernel_13(&scale_stub, none, one, arguments, 0, NULL),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaLaunchKernel_13(&scale_stub, one, one, arguments, 1 << 20, NULL),
                     cudaErrorInvalidValue);
    assert_int_equal(cudaLaunchKernel_13(&count, one, one, arguments, 0, NULL),
                     cudaErrorInvalidResourceHandle);
    assert_int_equal(cudaLaunchKernel_13(&unknown_stub, one, one, arguments, 0, NULL),
                     cudaErrorInvalidDeviceFunction);
    assert_int_equal(cudaMemcpy(device, &count, 4, 9), cudaErrorInvalidMemcpyDirection);
    assert_int_equal(cudaSetDevice(7), cudaErrorInvalidDevice);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_string_equal(cudaGetErrorName(cudaErrorInvalidConfiguration),
                        "cudaErrorInvalidConfiguration");
    assert_string_equal(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    assert_string_equal(cudaGetErrorString(12345), "unrecognized error code");
    assert_int_equal(cudaFree(device), cudaSuccess);
}

static void memory_of_every_kind(void **state) {
    (void)state;
    void *device, *pinned, *managed, *mapped;
    size_t pitch;
    char rows[3][10], back[3][10];
    cudaPointerAttributes attributes;
    assert_int_equal(cudaMalloc(&device, 0), cudaSuccess);
    assert_null(device);
    assert_int_equal(cudaFree(NULL), cudaSuccess);
    assert_int_equal(cudaMallocPitch(&device, &pitch, 10, 3), cudaSuccess);
    assert_true(pitch >= 10);
    memset(rows, 'x', sizeof rows);
    assert_int_equal(cudaMemset2D(device, pitch, 0, 10, 3), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(device, pitch, rows, 10, 5, 3, COPY_HOST_TO_DEVICE), 0);
    assert_int_equal(cudaMemcpy2D(back, 10, device, pitch, 10, 3, COPY_DEFAULT), cudaSuccess);
    assert_memory_equal(back[2], "xxxxx\0\0\0\0", 10);
    assert_int_equal(cudaMemcpy2D(back, 4, device, 1, 10, 1, COPY_DEFAULT), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(back, 4, device, pitch, 10, 3, COPY_DEFAULT),
                     cudaErrorInvalidPitchValue);
    assert_int_equal(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
    assert_int_equal(attributes.type, 2);
    assert_ptr_equal(attributes.devicePointer, device);
    assert_int_equal(cudaPointerGetAttributes(&attributes, rows), cudaSuccess);
    assert_int_equal(attributes.type, 0);
    assert_int_equal(cudaMallocHost(&pinned, 64), cudaSuccess);
    assert_int_equal(cudaHostGetDevicePointer(&mapped, pinned, 0), cudaSuccess);
    assert_int_equal(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    assert_int_equal(attributes.type, 1);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    assert_int_equal(cudaMallocManaged(&managed, 64, 1), cudaSuccess);
    assert_int_equal(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    assert_int_equal(attributes.type, 3);
    assert_int_equal(cudaMemPrefetchAsync_12(managed, 64, 0, NULL), cudaSuccess);
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
    assert_int_equal(cudaMallocAsync(&device, 64, NULL), cudaSuccess);
    assert_int_equal(cudaFreeAsync(device, NULL), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidPitchValue);
}

static void graphs_are_captured_and_built(void **state) {
    (void)state;
    int *device = numbers(), count = COUNT;
    void *arguments[] = {&device, &count};
    const dim3 grid = {2, 1, 1}, block = {64, 1, 1};
    CUstream stream;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node;
    size_t nodes = 0;
    set_factor(3);
    assert_int_equal(cudaStreamCreateWithFlags(&stream, 1), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(stream, 0), cudaSuccess);
    assert_int_equal(cudaLaunchKernel_13(&scale_stub, grid, block, arguments, 0, stream), 0);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphGetNodes(graph, NULL, &nodes), cudaSuccess);
    assert_int_equal(nodes, 1);
    const cudaKernelNodeParams params = {
        .func = &scale_stub, .gridDim = grid, .blockDim = block, .kernelParams = arguments};
    assert_int_equal(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params), cudaSuccess);
    assert_scaled(device, 1); /* nothing ran so far */
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(exec, stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_scaled(device, 9);
    assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
}

static void nodes_are_read_and_changed(void **state) {
    (void)state;
    int *device = numbers(), host[2] = {7, 8}, back = 0;
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode copy, fill, first = NULL;
    size_t count = 1;
    cudaMemcpy3DParms box;
    cudaMemsetParams set = {.dst = device, .value = 1, .elementSize = 4, .width = 1, .height = 1},
                     seen;
    assert_int_equal(cudaGraphCreate(&graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &set), cudaSuccess);
    assert_int_equal(
        cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, device, host, 4, COPY_HOST_TO_DEVICE),
        cudaSuccess);
    assert_int_equal(cudaGraphNodeGetDependencies_13(copy, &first, NULL, &count), cudaSuccess);
    assert_true(count == 1 && first == fill);
    assert_int_equal(cudaGraphMemcpyNodeGetParams(copy, &box), cudaSuccess);
    assert_true(box.kind == COPY_HOST_TO_DEVICE && box.srcPtr.ptr == host && box.extent.width == 4);
    assert_int_equal(cudaGraphMemsetNodeGetParams(fill, &seen), cudaSuccess);
    assert_true(seen.dst == device && seen.value == 1);
    box.srcPtr.ptr = host + 1;
    assert_int_equal(cudaGraphMemcpyNodeSetParams(copy, &box), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&exec, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
    assert_int_equal(cudaMemcpy(&back, device, 4, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(back, 8);
    assert_int_equal(cudaGraphNodeSetEnabled(exec, copy, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(exec, NULL), cudaSuccess);
    assert_int_equal(cudaMemcpy(&back, device, 4, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_int_equal(back, 1);
    assert_int_equal(cudaGraphExecDestroy(exec), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaFree(device), cudaSuccess);
}

static void events_attributes_occupancy(void **state) {
    (void)state;
    CUevent start, end;
    float milliseconds = -1;
    cudaFuncAttributes attributes;
    int blocks = 0, value = 0;
    char *properties[2] = {calloc(1, 1032), calloc(1, 1008)};
    assert_int_equal(cudaEventCreate(&start), cudaSuccess);
    assert_int_equal(cudaEventCreateWithFlags(&end, 0), cudaSuccess);
    assert_int_equal(cudaEventRecord(start, NULL), cudaSuccess);
    assert_int_equal(cudaEventRecord(end, NULL), cudaSuccess);
    assert_int_equal(cudaEventSynchronize(end), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    assert_true(milliseconds >= 0);
    assert_int_equal(cudaFuncGetAttributes(&attributes, &scale_stub), cudaSuccess);
    assert_int_equal(attributes.maxThreadsPerBlock, 1024);
    assert_true(attributes.numRegs > 0);
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale_stub, 1024, 0),
                     0);
    assert_int_equal(blocks, 2); /* 2048 threads per SM of the H100 */
    assert_int_equal(cudaDeviceGetAttribute(&value, 75, 0), cudaSuccess);
    assert_int_equal(value, 9);
    assert_int_equal(cudaGetDeviceProperties_v2(properties[0], 0), cudaSuccess);
    assert_int_equal(cudaGetDeviceProperties_13(properties[1], 0), cudaSuccess);
    assert_string_equal(properties[0], properties[1]);
    memcpy(&value, properties[0] + 388, 4); /* multiProcessorCount of CUDA 12 */
    assert_int_equal(value, 132);
    memcpy(&value, properties[1] + 384, 4); /* and of 13 */
    assert_int_equal(value, 132);
    free(properties[0]);
    free(properties[1]);
}

/* An array is filled, described, and copied back: widths of boxes are in elements, of rows in bytes. */
static void arrays_keep_their_elements(void **state) {
    (void)state;
    CUarray array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(16, 16, 0, 0, 1), known;
    cudaExtent extent;
    unsigned short in[3][10], out[3][10] = {{0}};
    for (int i = 0; i < 30; i++)
        in[i / 10][i % 10] = (unsigned short)(i * 7);
    assert_int_equal(cudaMallocArray(&array, &format, 5, 3, 0), cudaSuccess);
    assert_int_equal(cudaMemcpy2DToArray(array, 0, 0, in, 20, 20, 3, COPY_HOST_TO_DEVICE),
                     cudaSuccess);
    assert_int_equal(cudaArrayGetInfo(&known, &extent, NULL, array), cudaSuccess);
    assert_memory_equal(&known, &format, sizeof format);
    assert_int_equal(extent.width, 5);
    assert_int_equal(extent.height, 3);
    cudaMemcpy3DParms box = {.srcArray = array,
                             .srcPos = {1, 1, 0},
                             .dstPtr = {out, 20, 20, 3},
                             .extent = {4, 2, 1},
                             .kind = COPY_DEVICE_TO_HOST};
    assert_int_equal(cudaMemcpy3D(&box), cudaSuccess);
    assert_memory_equal(out[0], &in[1][2], 16);
    assert_memory_equal(out[1], &in[2][2], 16);
    box.extent.width = 5; /* one too many from column 1 on */
    assert_int_equal(cudaMemcpy3D(&box), cudaErrorInvalidValue);
    assert_int_equal(cudaMemcpyFromArray(out, array, 4, 0, 36, COPY_DEVICE_TO_HOST), cudaSuccess);
    assert_memory_equal(out, &in[0][2], 36); /* a run goes on in the next row */
    assert_int_equal(cudaFreeArray(array), cudaSuccess);
    assert_int_not_equal(cudaFreeArray(array), cudaSuccess);
    (void)cudaGetLastError();
}

static void textures_are_described(void **state) {
    (void)state;
    CUarray array;
    CUtexObject object;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, 2);
    cudaTextureDesc reading = {.filterMode = TR_FILTER_MODE_LINEAR, .normalizedCoords = 1}, known;
    cudaResourceDesc resource = {.resType = RESOURCE_TYPE_ARRAY}, back;
    assert_int_equal(cudaMallocArray(&array, &format, 8, 8, 0), cudaSuccess);
    resource.res.array.array = array;
    assert_int_equal(cudaCreateTextureObject(&object, &resource, &reading, NULL), cudaSuccess);
    assert_int_equal(cudaGetTextureObjectResourceDesc(&back, object), cudaSuccess);
    assert_ptr_equal(back.res.array.array, array);
    assert_int_equal(cudaGetTextureObjectTextureDesc(&known, object), cudaSuccess);
    assert_memory_equal(&known, &reading, sizeof known);
    assert_int_equal(cudaDestroyTextureObject(object), cudaSuccess);
    assert_int_not_equal(cudaGetTextureObjectTextureDesc(&known, object), cudaSuccess);
    assert_int_equal(cudaFreeArray(array), cudaSuccess);
    (void)cudaGetLastError();
}

static void missing_calls_say_so(void **state) {
    (void)state;
    int cudaArrayGetPlane(CUarray *, CUarray, unsigned);
    CUarray plane = NULL;
    assert_int_equal(cudaArrayGetPlane(&plane, NULL, 0), cudaErrorNotSupported);
    assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
}

static void reset_begins_anew(void **state) {
    (void)state;
    assert_int_equal(__cudaInitModule(handle), 1);
    assert_non_null(managed_pointer);
    int before = *(int *)managed_pointer; /* managed memory stays; each launch adds one */
    assert_int_not_equal(before, 0);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_int_equal(__cudaInitModule(handle), 1);
    assert_int_equal(*(int *)managed_pointer, before);
    every_way_to_launch(state);
    assert_int_equal(*(int *)managed_pointer, before + 6);
    __cudaUnregisterFatBinary(handle);
    __cudaUnregisterFatBinary(handle); /* tolerated */
    void *address;
    assert_int_equal(cudaGetSymbolAddress(&address, &factor_shadow), cudaErrorInvalidSymbol);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_call_makes_the_primary_context_active),
        cmocka_unit_test(every_way_to_launch),
        cmocka_unit_test(symbols_and_managed_variables),
        cmocka_unit_test(errors_are_those_of_a_gpu),
        cmocka_unit_test(memory_of_every_kind),
        cmocka_unit_test(graphs_are_captured_and_built),
        cmocka_unit_test(nodes_are_read_and_changed),
        cmocka_unit_test(events_attributes_occupancy),
        cmocka_unit_test(arrays_keep_their_elements),
        cmocka_unit_test(textures_are_described),
        cmocka_unit_test(missing_calls_say_so),
        cmocka_unit_test(reset_begins_anew),
    };
    return cmocka_run_group_tests(tests, register_all, NULL);
}
