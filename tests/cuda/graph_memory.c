/* Memory of graphs: what is used and held for them. */
#include "check.h"

#define MIB ((size_t)1 << 20)

static void show(const char *what) {
    printf("%s:", what);
    for (int attribute = 0; attribute < 4; attribute++) {
        uint64_t value = 0;
        OK(cuDeviceGetGraphMemAttribute(0, attribute, &value));
        printf(" %llu", (unsigned long long)value);
    }
    printf("\n");
}

/* A graph that allocates, and frees if it is asked to. */
static CUgraphExec make(size_t bytes, bool frees, CUdeviceptr *at) {
    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node, end;
    CUDA_MEM_ALLOC_NODE_PARAMS params = {
        .poolProps = {.allocType = ALLOCATION_PINNED, .location = {LOCATION_DEVICE, 0}},
        .bytesize = bytes};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
    *at = params.dptr;
    if (frees)
        OK(cuGraphAddMemFreeNode(&end, graph, &node, 1, params.dptr));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphDestroy(graph));
    return exec;
}

int main(void) {
    CUgraphExec first, second, kept;
    CUdeviceptr at, other, left;
    uint64_t value = 0;
    start();
    show("at first");
    first = make(64 * MIB, true, &at);
    second = make(MIB, true, &other);
    show("made");
    OK(cuGraphLaunch(first, NULL));
    OK(cuCtxSynchronize());
    show("launched");
    OK(cuGraphLaunch(second, NULL));
    OK(cuGraphLaunch(first, NULL));
    OK(cuCtxSynchronize());
    show("launched again");
    SAY(cuDeviceGraphMemTrim(0));
    show("trimmed");
    kept = make(3 * MIB, false, &left);
    OK(cuGraphLaunch(kept, NULL));
    OK(cuCtxSynchronize());
    show("kept");
    SAY(cuGraphLaunch(kept, NULL));
    SAY(cuDeviceGraphMemTrim(0));
    show("trimmed");
    SAY(cuMemFree_v2(left));
    show("freed");
    SAY(cuDeviceGraphMemTrim(0));
    show("trimmed");
    SAY(cuDeviceSetGraphMemAttribute(0, 1, &value));
    SAY(cuDeviceSetGraphMemAttribute(0, 3, &value));
    SAY(cuDeviceSetGraphMemAttribute(0, 0, &value));
    SAY(cuDeviceSetGraphMemAttribute(0, 2, &value));
    value = 5;
    SAY(cuDeviceSetGraphMemAttribute(0, 1, &value));
    SAY(cuDeviceSetGraphMemAttribute(0, 7, &value));
    SAY(cuDeviceGetGraphMemAttribute(0, 7, &value));
    SAY(cuDeviceGetGraphMemAttribute(77, 0, &value));
    SAY(cuDeviceGetGraphMemAttribute(0, 0, NULL));
    SAY(cuDeviceGraphMemTrim(77));
    show("highs forgotten");
    OK(cuGraphExecDestroy(first));
    OK(cuGraphExecDestroy(second));
    OK(cuGraphExecDestroy(kept));
    show("destroyed");
    return 0;
}
