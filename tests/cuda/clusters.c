/* Clusters: blocks that read and change each other's shared memory. */
#include "check.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* ring: each thread puts 100 * block + thread into shared memory, reads the next block's, and adds 1 to
 * a counter there; then out = what it read, and places[block] = its counter, the rank, the cluster and
 * their extents.   last: blocks write to each other and end.   early: block 1 ends long before block 0
 * writes there.   alone: only block 0 comes to the barrier. */
static const char clustered[] = HEAD ".visible .entry ring(.param .u64 out, .param .u64 places)\n"
                                     "{\n"
                                     "    .shared .align 4 .b8 own[128];\n"
                                     "    .shared .align 4 .u32 count;\n"
                                     "    .reg .pred %p<4>;\n"
                                     "    .reg .b32 %r<32>;\n"
                                     "    .reg .b64 %rd<12>;\n"
                                     "    ld.param.u64 %rd1, [out];\n"
                                     "    ld.param.u64 %rd2, [places];\n"
                                     "    mov.u32 %r1, %tid.x;\n"
                                     "    mov.u32 %r2, %ctaid.y;\n"
                                     "    mov.u32 %r3, %nctaid.x;\n"
                                     "    mov.u32 %r4, %ctaid.x;\n"
                                     "    mad.lo.u32 %r5, %r2, %r3, %r4;\n"
                                     "    mad.lo.u32 %r6, %r5, 100, %r1;\n"
                                     "    mov.u32 %r7, own;\n"
                                     "    shl.b32 %r8, %r1, 2;\n"
                                     "    add.u32 %r9, %r7, %r8;\n"
                                     "    st.shared.u32 [%r9], %r6;\n"
                                     "    setp.eq.u32 %p1, %r1, 0;\n"
                                     "    @%p1 st.shared.u32 [count], 0;\n"
                                     "    barrier.cluster.arrive.release.aligned;\n"
                                     "    barrier.cluster.wait.acquire.aligned;\n"
                                     "    mov.u32 %r10, %cluster_ctarank;\n"
                                     "    mov.u32 %r11, %cluster_nctarank;\n"
                                     "    add.u32 %r12, %r10, 1;\n"
                                     "    rem.u32 %r12, %r12, %r11;\n"
                                     "    mapa.shared::cluster.u32 %r13, %r9, %r12;\n"
                                     "    ld.shared::cluster.u32 %r14, [%r13];\n"
                                     "    getctarank.shared::cluster.u32 %r15, %r13;\n"
                                     "    setp.ne.u32 %p2, %r15, %r12;\n"
                                     "    @%p2 trap;\n"
                                     "    mov.u64 %rd3, count;\n"
                                     "    cvta.shared.u64 %rd4, %rd3;\n"
                                     "    mapa.u64 %rd5, %rd4, %r12;\n"
                                     "    isspacep.shared::cluster %p3, %rd5;\n"
                                     "    @!%p3 trap;\n"
                                     "    atom.add.u32 %r16, [%rd5], 1;\n"
                                     "    barrier.cluster.arrive;\n"
                                     "    barrier.cluster.wait;\n"
                                     "    mad.lo.u32 %r17, %r5, 32, %r1;\n"
                                     "    mul.wide.u32 %rd6, %r17, 4;\n"
                                     "    add.u64 %rd6, %rd1, %rd6;\n"
                                     "    st.global.u32 [%rd6], %r14;\n"
                                     "    @!%p1 bra DONE;\n"
                                     "    mul.wide.u32 %rd7, %r5, 32;\n"
                                     "    add.u64 %rd7, %rd2, %rd7;\n"
                                     "    ld.shared.u32 %r18, [count];\n"
                                     "    mov.u32 %r19, %clusterid.x;\n"
                                     "    mov.u32 %r20, %clusterid.y;\n"
                                     "    mov.u32 %r21, %nclusterid.x;\n"
                                     "    mov.u32 %r22, %cluster_ctaid.x;\n"
                                     "    mov.u32 %r23, %cluster_ctaid.y;\n"
                                     "    mov.u32 %r24, %cluster_nctaid.y;\n"
                                     "    mov.pred %p2, %is_explicit_cluster;\n"
                                     "    selp.u32 %r25, 1, 0, %p2;\n"
                                     "    st.global.v4.u32 [%rd7], {%r18, %r10, %r19, %r20};\n"
                                     "    st.global.v4.u32 [%rd7+16], {%r21, %r22, %r23, %r25};\n"
                                     "DONE:\n"
                                     "    ret;\n"
                                     "}\n"
                                     ".visible .entry last()\n"
                                     ".reqnctapercluster 2, 1, 1\n"
                                     "{\n"
                                     "    .shared .align 4 .u32 own;\n"
                                     "    .reg .b32 %r<8>;\n"
                                     "    mov.u32 %r1, %cluster_ctarank;\n"
                                     "    xor.b32 %r2, %r1, 1;\n"
                                     "    barrier.cluster.arrive;\n"
                                     "    barrier.cluster.wait;\n"
                                     "    mov.u32 %r3, own;\n"
                                     "    mapa.shared::cluster.u32 %r4, %r3, %r2;\n"
                                     "    st.shared::cluster.u32 [%r4], %r1;\n"
                                     "    ret;\n"
                                     "}\n"
                                     ".visible .entry early()\n"
                                     ".explicitcluster\n"
                                     ".reqnctapercluster 2, 1, 1\n"
                                     "{\n"
                                     "    .shared .align 4 .u32 own;\n"
                                     "    .reg .pred %p<2>;\n"
                                     "    .reg .b32 %r<8>;\n"
                                     "    mov.u32 %r1, %cluster_ctarank;\n"
                                     "    setp.eq.u32 %p1, %r1, 1;\n"
                                     "    @%p1 bra DONE;\n"
                                     "    barrier.cluster.arrive;\n"
                                     "    barrier.cluster.wait;\n"
                                     "    mov.u32 %r4, 0;\n"
                                     "AGAIN:\n"
                                     "    add.u32 %r4, %r4, 1;\n"
                                     "    setp.lt.u32 %p1, %r4, 4000000;\n"
                                     "    @%p1 bra AGAIN;\n"
                                     "    mov.u32 %r2, own;\n"
                                     "    mapa.shared::cluster.u32 %r3, %r2, 1;\n"
                                     "    st.shared::cluster.u32 [%r3], %r1;\n"
                                     "DONE:\n"
                                     "    ret;\n"
                                     "}\n"
                                     ".visible .entry alone()\n"
                                     ".reqnctapercluster 2, 1, 1\n"
                                     "{\n"
                                     "    .reg .pred %p<2>;\n"
                                     "    .reg .b32 %r<8>;\n"
                                     "    mov.u32 %r1, %cluster_ctarank;\n"
                                     "    setp.eq.u32 %p1, %r1, 1;\n"
                                     "    barrier.cluster.arrive;\n"
                                     "    barrier.cluster.wait;\n"
                                     "    @%p1 bra AGAIN;\n"
                                     "    barrier.cluster.arrive;\n"
                                     "    barrier.cluster.wait;\n"
                                     "    ret;\n"
                                     "AGAIN:\n"
                                     "    bar.sync 1, 64;\n"
                                     "    ret;\n"
                                     "}\n";

enum { BLOCKS_X = 4, BLOCKS_Y = 2, BLOCKS = BLOCKS_X * BLOCKS_Y, THREADS = 32 };

static CUresult launch(CUfunction function, unsigned x, unsigned y, unsigned z, void **params) {
    enum { PROGRAMMATIC_STREAM_SERIALIZATION = 6 }; /* one kernel ends before the next begins */
    CUlaunchAttribute attributes[] = {
        {.id = LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, .value.clusterDim = {x, y, z}},
        {.id = PROGRAMMATIC_STREAM_SERIALIZATION}};
    CUlaunchConfig config = {.gridDim = {BLOCKS_X, BLOCKS_Y, 1},
                             .blockDim = {THREADS, 1, 1},
                             .attrs = attributes,
                             .numAttrs = x ? 2 : 0};
    return cuLaunchKernelEx(&config, function, params, NULL);
}

/* Clusters of x times y blocks. */
static void ring(CUfunction function, unsigned x, unsigned y) {
    CUdeviceptr out, places;
    unsigned read[BLOCKS * THREADS], place[BLOCKS][8];
    OK(cuMemAlloc_v2(&out, sizeof read));
    OK(cuMemAlloc_v2(&places, sizeof place));
    void *params[] = {&out, &places};
    OK(launch(function, x, y, 1, params));
    OK(cuMemcpyDtoH_v2(read, out, sizeof read));
    OK(cuMemcpyDtoH_v2(place, places, sizeof place));
    unsigned nx = x ? x : 1, ny = y ? y : 1;
    for (unsigned b = 0; b < BLOCKS; b++) {
        unsigned bx = b % BLOCKS_X, by = b / BLOCKS_X, rank = by % ny * nx + bx % nx;
        unsigned next = (rank + 1) % (nx * ny);
        unsigned other = (by / ny * ny + next / nx) * BLOCKS_X + bx / nx * nx + next % nx;
        for (unsigned t = 0; t < THREADS; t++)
            CHECK(read[b * THREADS + t] == 100 * other + t);
        CHECK(place[b][0] == THREADS && place[b][1] == rank);
        CHECK(place[b][2] == bx / nx && place[b][3] == by / ny && place[b][4] == BLOCKS_X / nx);
        CHECK(place[b][5] == bx % nx && place[b][6] == by % ny && place[b][7] == (x != 0));
    }
    OK(cuMemFree_v2(out));
    OK(cuMemFree_v2(places));
}

static void limits(CUfunction ring_kernel, CUfunction early) {
    CUlaunchConfig config = {.gridDim = {4, 1, 1}, .blockDim = {32, 1, 1}};
    int size, value;
    OK(cuOccupancyMaxPotentialClusterSize(&size, ring_kernel, &config));
    CHECK(size == 8);
    OK(cuFuncSetAttribute(ring_kernel, FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    OK(cuOccupancyMaxPotentialClusterSize(&size, ring_kernel, &config));
    CHECK(size == 16);
    OK(cuOccupancyMaxActiveClusters(&size, early, &config));
    CHECK(size > 1);
    OK(cuFuncGetAttribute(&value, FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, early));
    CHECK(value == 2);
    CHECK(cuFuncSetAttribute(early, FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(launch(early, 4, 1, 1, NULL) == CUDA_ERROR_INVALID_CLUSTER_SIZE);
    CHECK(launch(ring_kernel, 3, 1, 1, NULL) != CUDA_SUCCESS); /* the grid is 4 wide */
}

int main(int argc, char **argv) {
    CUmodule module;
    start();
    OK(cuModuleLoadData(&module, clustered));
    if (argc > 1) { /* a fault, which the context does not survive */
        CUresult result;
        OK(launch(kernel(module, argv[1]), 2, 1, 1, NULL));
        const char *name;
        result = cuCtxSynchronize();
        OK(cuGetErrorName(result, &name));
        puts(name);
        return 0;
    }
    CUfunction function = kernel(module, "ring");
    ring(function, 0, 0);
    ring(function, 4, 1);
    ring(function, 2, 2);
    ring(function, 4, 2);
    ring(function, 1, 1);
    limits(function, kernel(module, "early"));
    OK(launch(kernel(module, "last"), 2, 1, 1, NULL));
    OK(cuCtxSynchronize());
    puts("clusters: fine");
    return 0;
}
