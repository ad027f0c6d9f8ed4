/* What NVML tells of the device, and what it refuses; and the picture of a graph. */
#include "check.h"
#include "cuda/nvml.h"

#include <unistd.h>

static void tell(const char *call, nvmlReturn result) {
    printf("%s: %d\n", call, (int)result);
}
#define TELL(call) tell(#call, call)

static void device(void) {
    nvmlDevice first = NULL, same = NULL;
    nvmlPciInfo pci;
    nvmlMemory memory;
    nvmlMemory_v2 more = {.version = 0};
    unsigned value = 99, later = 99;
    int number = 99, minor = 99;
    unsigned long long energy;
    char text[96], uuid[96], other[200];
    printf("-- NVML\n");
    TELL(nvmlSystemGetDriverVersion(text, sizeof text));
    TELL(nvmlInit());
    TELL(nvmlSystemGetDriverVersion(text, sizeof text));
    TELL(nvmlSystemGetDriverVersion(text, 2));
    TELL(nvmlSystemGetNVMLVersion(text, sizeof text));
    TELL(nvmlSystemGetCudaDriverVersion(&number));
    printf("version %d\n", number);
    TELL(nvmlSystemGetCudaDriverVersion_v2(NULL));
    TELL(nvmlDeviceGetCount(&value));
    printf("devices %u\n", value);
    TELL(nvmlDeviceGetCount(NULL));
    TELL(nvmlDeviceGetHandleByIndex(0, &first));
    TELL(nvmlDeviceGetHandleByIndex(9, &same));
    TELL(nvmlDeviceGetIndex(first, &value));
    TELL(nvmlDeviceGetIndex(NULL, &value));
    TELL(nvmlDeviceGetMinorNumber(first, &value));
    TELL(nvmlDeviceGetName(first, text, sizeof text));
    printf("%s\n", text);
    TELL(nvmlDeviceGetName(first, text, 3));
    TELL(nvmlDeviceGetUUID(first, uuid, sizeof uuid));
    TELL(nvmlDeviceGetHandleByUUID(uuid, &same));
    printf("the same: %d\n", same == first);
    TELL(nvmlDeviceGetHandleByUUID("GPU-nothing", &same));
    TELL(nvmlDeviceGetPciInfo_v3(first, &pci));
    TELL(nvmlDeviceGetPciInfo(first, &pci));
    TELL(nvmlDeviceGetHandleByPciBusId(pci.id, &same));
    printf("the same: %d\n", same == first);
    TELL(nvmlDeviceGetHandleByPciBusId_v2("0000:ff:00.0", &same));
    TELL(nvmlDeviceGetMemoryInfo(first, &memory));
    printf("it adds up: %d\n", memory.total == memory.free + memory.used);
    TELL(nvmlDeviceGetMemoryInfo_v2(first, &more)); /* of no version */
    more.version = (unsigned)sizeof more | 2u << 24;
    TELL(nvmlDeviceGetMemoryInfo_v2(first, &more));
    printf("the same: %d\n", more.total == memory.total);
    TELL(nvmlDeviceGetCudaComputeCapability(first, &number, &minor));
    printf("%d.%d\n", number, minor);
    TELL(nvmlDeviceGetComputeMode(first, &value));
    printf("mode %u\n", value);
    TELL(nvmlDeviceGetMigMode(first, &value, &later));
    TELL(nvmlDeviceGetMemoryBusWidth(first, &value));
    TELL(nvmlDeviceGetNumGpuCores(first, &value));
    printf("cores %u\n", value);
    TELL(nvmlDeviceGetMaxClockInfo(first, 1, &value));
    TELL(nvmlDeviceGetMaxClockInfo(first, 99, &value));
    value = 0;
    TELL(nvmlDeviceGetComputeRunningProcesses(first, &value, NULL));
    value = 0;
    TELL(nvmlDeviceGetComputeRunningProcesses_v2(first, &value, NULL));
    value = 0;
    TELL(nvmlDeviceGetComputeRunningProcesses_v3(first, &value, NULL));
    value = 0;
    TELL(nvmlDeviceGetGraphicsRunningProcesses_v3(first, &value, NULL));
    TELL(nvmlDeviceGetTopologyCommonAncestor(first, first, &number));
    TELL(nvmlDeviceGetP2PStatus(first, first, 0, &number));
    TELL(nvmlDeviceGetNvLinkState(first, 0, &value));
    TELL(nvmlDeviceGetNvLinkCapability(first, 0, 0, &value));
    TELL(nvmlDeviceGetNvLinkRemoteDeviceType(first, 0, &number));
    TELL(nvmlDeviceGetNvLinkRemotePciInfo_v2(first, 0, &pci));
    TELL(nvmlDeviceGetGpuFabricInfo(first, other));
    TELL(nvmlDeviceGetGpuFabricInfoV(first, other));
    TELL(nvmlDeviceGetUtilizationRates(first, other));
    TELL(nvmlDeviceGetTemperature(first, 0, &value));
    TELL(nvmlDeviceGetClockInfo(first, 0, &value));
    TELL(nvmlDeviceGetTotalEnergyConsumption(first, &energy));
    TELL(nvmlDeviceGetEnforcedPowerLimit(first, &value));
    printf("%s; %s; %s\n", nvmlErrorString(NVML_SUCCESS), nvmlErrorString(NVML_ERROR_NOT_SUPPORTED),
           nvmlErrorString((nvmlReturn)12345));
    TELL(nvmlShutdown());
}

static void picture(CUmodule module) {
    char path[] = "/tmp/warplens-told-XXXXXX", line[256];
    CUgraph graph, child;
    CUgraphNode first, second, third;
    CUdeviceptr memory;
    unsigned value = 1;
    OK(cuMemAlloc_v2(&memory, 256));
    void *arguments[] = {&memory, &value};
    const CUDA_KERNEL_NODE_PARAMS params = {.func = kernel(module, "fill"),
                                            .gridDim = {2, 3, 1},
                                            .blockDim = {32, 1, 1},
                                            .kernelParams = arguments};
    const CUDA_MEMSET_NODE_PARAMS set = {memory, 0, 1, 4, 4, 1, NULL};
    CUcontext context;
    printf("-- a picture\n");
    OK(cuCtxGetCurrent(&context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddEmptyNode(&first, child, NULL, 0));
    OK(cuGraphAddKernelNode(&first, graph, NULL, 0, &params));
    OK(cuGraphAddMemsetNode(&second, graph, &first, 1, &set, context));
    OK(cuGraphAddChildGraphNode(&third, graph, &second, 1, child));
    close(mkstemp(path));
    SAY(cuGraphDebugDotPrint(graph, path, 0));
    FILE *file = fopen(path, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file))
        printf("%s", line);
    fclose(file);
    remove(path);
    SAY(cuGraphDebugDotPrint(graph, "/nowhere/at/all", 0));
    SAY(cuGraphDebugDotPrint(graph, NULL, 0));
}

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    const CUmodule module = start();
    device();
    picture(module);
    return 0;
}
