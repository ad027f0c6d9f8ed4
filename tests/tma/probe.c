/* Copies boxes of drawn tensors with every instruction of the tensor memory accelerator and writes what
 * came of it: a program of the driver API, to be run on a GPU (for the answers) and under `warplens
 * run` (for comparison).
 *
 *   probe OUT CASES REFUSED [FIRST [DUMP]]    cases FIRST … FIRST+CASES-1, and REFUSED calls that encode
 *   probe - N                        prints case N
 *
 * OUT: a line for each case, a hash of what it wrote or "refused", then a line with a digit for each
 * call: 1 where it was refused. DUMP: for each case what it wrote, whole. Built with -lcuda it runs on a GPU. */
#include "tma.h"

typedef struct Probe {
    CUmodule module;
    CUdeviceptr tensor, data;
    uint8_t *pristine, *read; /* what the tensor's memory holds before a case; what came of it */
    FILE *out, *dump;
} Probe;

static uint32_t hash_of(const uint8_t *bytes, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    for (size_t i = 0; i + sizeof word <= count; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static void launch(const Probe *probe, const Case *one, CUtensorMap *map) {
    CUfunction function;
    CUdeviceptr data = probe->data;
    Place place = case_place(one, probe->tensor);
    void *arguments[] = {map, &place, &data};
    uint32_t blocks = one->kind == KIND_MULTICAST ? BLOCKS : 1;
    CUlaunchAttribute cluster = {.id = LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    cluster.value.clusterDim[0] = blocks;
    cluster.value.clusterDim[1] = cluster.value.clusterDim[2] = 1;
    CUlaunchConfig config = {
        .gridDim = {blocks, 1, 1}, .blockDim = {THREADS, 1, 1}, .attrs = &cluster, .numAttrs = 1};
    OK(cuModuleGetFunction(&function, probe->module, kernel_name(one)));
    OK(cuLaunchKernelEx(&config, function, arguments, NULL));
    CUresult result = cuCtxSynchronize();
    if (result) {
        printf("the kernel failed: %d\n", (int)result);
        case_print(stdout, 0, one);
        exit(1);
    }
}

static void dump(const Probe *probe, uint32_t n, const uint8_t *bytes, size_t count,
                 const uint8_t *before) {
    if (!probe->dump)
        return;
    uint32_t head[2] = {n, (uint32_t)count};
    fwrite(head, sizeof head, 1, probe->dump);
    for (size_t i = 0; i < count; i++)
        fputc(bytes[i] ^ (before ? before[i] : 0), probe->dump);
}

/* The map that kernels replace all fields of. */
static CUresult encode_other(const Case *one, CUtensorMap *map, CUdeviceptr memory) {
    Case other = *one;
    other.type = TENSOR_MAP_UINT8;
    other.interleave = TENSOR_MAP_INTERLEAVE_NONE;
    other.swizzle = TENSOR_MAP_SWIZZLE_NONE;
    other.fill = TENSOR_MAP_OOB_FILL_NONE;
    for (uint32_t i = 0; i < 5; i++) {
        other.extent[i] = 16;
        other.box[i] = 16 >> (i ? 3 : 0);
        other.step[i] = 1;
    }
    return case_encode(&other, false, map, memory);
}

static void run(const Probe *probe, uint32_t n) {
    Case one = case_at(n);
    CUtensorMap map;
    if (case_encode(&one, case_im2col(&one), &map, probe->tensor)) {
        fprintf(probe->out, "refused\n");
        return;
    }
    if (one.kind == KIND_REPLACED)
        OK(encode_other(&one, &map, probe->tensor));
    bool loads = case_loads(&one);
    size_t count = !loads ? TENSOR : one.kind == KIND_MULTICAST ? BLOCKS * REPORT : REPORT;
    OK(cuMemcpyHtoD_v2(probe->data, probe->pristine + TENSOR, AREA));
    launch(probe, &one, &map);
    OK(cuMemcpyDtoH_v2(probe->read, loads ? probe->data : probe->tensor, count));
    fprintf(probe->out, "%08x\n", hash_of(probe->read, count));
    dump(probe, n, probe->read, count, loads ? NULL : probe->pristine);
    if (!loads)
        OK(cuMemcpyHtoD_v2(probe->tensor, probe->pristine, TENSOR));
}

static void run_refused(const Probe *probe, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        bool im2col;
        CUtensorMap map;
        Case one = case_refused(n, &im2col);
        fputc(case_encode(&one, im2col, &map, probe->tensor) ? '1' : '0', probe->out);
    }
    fputc('\n', probe->out);
}

/* Zeros, subnormal numbers, infinities and NaNs of f16 and bf16, and thereby of wider types; halves of
 * the last digit of tf32. */
static const uint16_t odd[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x7bff, 0x7c00,
                               0xfc00, 0x7c01, 0x7e00, 0xfe01, 0x7f80, 0xff80, 0x7f81, 0xffc1,
                               0x0080, 0x007f, 0x807f, 0x3f80, 0x1000, 0x3000, 0x5000, 0x7fff};

static void make(Probe *probe) {
    char *text = kernels_text();
    CUdevice device;
    CUcontext context;
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuDevicePrimaryCtxRetain(&context, device));
    OK(cuCtxSetCurrent(context));
    OK(cuModuleLoadData(&probe->module, text));
    free(text);
    probe->pristine = malloc(TENSOR + AREA);
    probe->read = malloc(TENSOR);
    CHECK(probe->pristine && probe->read);
    draw_from(UINT64_C(1) << 40);
    for (uint32_t i = 0; i < TENSOR + AREA; i += 2) {
        uint32_t bits = draw();
        uint16_t half = bits >> 28 ? (uint16_t)bits : odd[(bits >> 16) % (sizeof odd / 2)];
        memcpy(probe->pristine + i, &half, 2);
    }
    OK(cuMemAlloc_v2(&probe->tensor, TENSOR));
    OK(cuMemAlloc_v2(&probe->data, BLOCKS * REPORT));
    OK(cuMemsetD8_v2(probe->data, 0, BLOCKS * REPORT));
    OK(cuMemcpyHtoD_v2(probe->tensor, probe->pristine, TENSOR));
}

int main(int argc, char **argv) {
    Probe probe = {0};
    CHECK(argc >= 3);
    uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
    if (strcmp(argv[1], "-") == 0) {
        Case one = case_at(count);
        case_print(stdout, count, &one);
        return 0;
    }
    uint32_t first = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : 0;
    probe.out = fopen(argv[1], "w");
    probe.dump = argc > 5 ? fopen(argv[5], "w") : NULL;
    CHECK(probe.out && argc >= 4);
    make(&probe);
    for (uint32_t n = first; n < first + count; n++)
        run(&probe, n);
    run_refused(&probe, (uint32_t)strtoul(argv[3], NULL, 10));
    fclose(probe.out);
    if (probe.dump)
        fclose(probe.dump);
    return 0;
}
