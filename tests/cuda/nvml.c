/* libnvidia-ml.so.1: each call before it begins, with a device or a place for the answer that is none, and as it should be. */
#include "check.h"

#include "cuda/nvml.h"

typedef nvmlReturn OfDevice(nvmlDevice device, void *answer);

#define CALL(name, expression)                                                                     \
    static nvmlReturn name(nvmlDevice device, void *answer) {                                      \
        (void)device, (void)answer;                                                                \
        return expression;                                                                         \
    }
CALL(driver, nvmlSystemGetDriverVersion(answer, 80))
CALL(library, nvmlSystemGetNVMLVersion(answer, 80))
CALL(count, nvmlDeviceGetCount(answer))
CALL(by_index, nvmlDeviceGetHandleByIndex(device ? 1 : 2, answer))
CALL(by_uuid, nvmlDeviceGetHandleByUUID(device ? "GPU-0" : NULL, answer))
CALL(by_bus, nvmlDeviceGetHandleByPciBusId(device ? "0000:02:00.0" : NULL, answer))
CALL(by_other_bus, nvmlDeviceGetHandleByPciBusId(device ? "0000:03:00.0" : "bus", answer))
CALL(number, nvmlDeviceGetIndex(device, answer))
CALL(minor_number, nvmlDeviceGetMinorNumber(device, answer))
CALL(title, nvmlDeviceGetName(device, answer, 80))
CALL(short_title, nvmlDeviceGetName(device, answer, 4))
CALL(uuid, nvmlDeviceGetUUID(device, answer, 41))
CALL(short_uuid, nvmlDeviceGetUUID(device, answer, 40))
CALL(bus, nvmlDeviceGetPciInfo(device, answer))
CALL(memory, nvmlDeviceGetMemoryInfo(device, answer))
CALL(capability, nvmlDeviceGetCudaComputeCapability(device, answer, answer))
CALL(compute_mode, nvmlDeviceGetComputeMode(device, answer))
CALL(mig_mode, nvmlDeviceGetMigMode(device, answer, answer))
CALL(bus_width, nvmlDeviceGetMemoryBusWidth(device, answer))
CALL(cores, nvmlDeviceGetNumGpuCores(device, answer))
CALL(sm_clock, nvmlDeviceGetMaxClockInfo(device, 1, answer))
CALL(memory_clock, nvmlDeviceGetMaxClockInfo(device, 2, answer))
CALL(processes, nvmlDeviceGetComputeRunningProcesses(device, answer, NULL))
CALL(processes_v2, nvmlDeviceGetComputeRunningProcesses_v2(device, answer, NULL))
CALL(graphics, nvmlDeviceGetGraphicsRunningProcesses_v3(device, answer, NULL))
CALL(ancestor, nvmlDeviceGetTopologyCommonAncestor(device, device, answer))
CALL(peers, nvmlDeviceGetP2PStatus(device, device, 0, answer))
CALL(link, nvmlDeviceGetNvLinkState(device, 0, answer))
CALL(link_capability, nvmlDeviceGetNvLinkCapability(device, 0, 0, answer))

/* `none`: what a device that is none gives. */
static const struct {
    const char *name;
    OfDevice *call;
    nvmlReturn right, none;
} calls[] = {
    {"driver", driver, NVML_SUCCESS, NVML_SUCCESS},
    {"library", library, NVML_SUCCESS, NVML_SUCCESS},
    {"count", count, NVML_SUCCESS, NVML_SUCCESS},
    {"by index", by_index, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"by UUID", by_uuid, NVML_ERROR_NOT_FOUND, NVML_ERROR_INVALID_ARGUMENT},
    {"by bus", by_bus, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"by other bus", by_other_bus, NVML_ERROR_NOT_FOUND, NVML_ERROR_INVALID_ARGUMENT},
    {"number", number, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"minor number", minor_number, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"title", title, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"short title", short_title, NVML_ERROR_INSUFFICIENT_SIZE, NVML_ERROR_INVALID_ARGUMENT},
    {"UUID", uuid, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"short UUID", short_uuid, NVML_ERROR_INSUFFICIENT_SIZE, NVML_ERROR_INVALID_ARGUMENT},
    {"bus", bus, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"memory", memory, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"capability", capability, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"compute mode", compute_mode, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"MIG mode", mig_mode, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"bus width", bus_width, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"cores", cores, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"SM clock", sm_clock, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"memory clock", memory_clock, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"processes", processes, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"processes v2", processes_v2, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"graphics", graphics, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"ancestor", ancestor, NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_INVALID_ARGUMENT},
    {"peers", peers, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"link", link, NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_INVALID_ARGUMENT},
    {"link capability", link_capability, NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_INVALID_ARGUMENT},
};

static void expect(const char *name, const char *what, nvmlReturn got, nvmlReturn wanted) {
    if (got != wanted) {
        printf("%s, %s: %s, not %s\n", name, what, nvmlErrorString(got), nvmlErrorString(wanted));
        exit(1);
    }
}

int main(void) {
    char answer[256];
    nvmlDevice device, other, found;
    nvmlMemory_v2 sizes = {.version = 1};
    int level;
    CHECK(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        expect(calls[i].name, "before it begins", calls[i].call(NULL, answer),
               NVML_ERROR_UNINITIALIZED);
    CHECK(nvmlInit() == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByIndex_v2(0, &device) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByIndex_v2(1, &other) == NVML_SUCCESS);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        expect(calls[i].name, "as it should be", calls[i].call(device, answer), calls[i].right);
        expect(calls[i].name, "no place for the answer", calls[i].call(device, NULL),
               NVML_ERROR_INVALID_ARGUMENT);
        expect(calls[i].name, "no device", calls[i].call(NULL, answer), calls[i].none);
    }
    CHECK(nvmlDeviceGetUUID(other, answer, 41) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByUUID(answer, &found) == NVML_SUCCESS && found == other);
    CHECK(nvmlDeviceGetHandleByPciBusId("0001:02:00.0", &found) == NVML_ERROR_NOT_FOUND);
    CHECK(nvmlDeviceGetHandleByPciBusId("0000:02:01.0", &found) == NVML_ERROR_NOT_FOUND);
    CHECK(nvmlDeviceGetMaxClockInfo(device, 3, (unsigned *)answer) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetMaxClockInfo(device, -1, (unsigned *)answer) == NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetTopologyCommonAncestor(device, other, &level) == NVML_SUCCESS &&
          level == 30);
    CHECK(nvmlDeviceGetTopologyCommonAncestor(device, NULL, &level) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetP2PStatus(device, NULL, 0, &level) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetCudaComputeCapability(device, &level, NULL) == NVML_ERROR_INVALID_ARGUMENT);
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, &sizes) == NVML_ERROR_VERSION);
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, NULL) == NVML_ERROR_INVALID_ARGUMENT);
    sizes.version = sizeof sizes | 2u << 24;
    CHECK(nvmlDeviceGetMemoryInfo_v2(device, &sizes) == NVML_SUCCESS && sizes.total > sizes.used);
    CHECK(nvmlSystemGetCudaDriverVersion(NULL) == NVML_ERROR_INVALID_ARGUMENT);
    for (int error = 0; error < 30; error++)
        if (strcmp(nvmlErrorString(error), "Unknown Error") != 0)
            printf("%d: %s\n", error, nvmlErrorString(error));
    CHECK(nvmlShutdown() == NVML_SUCCESS);
    puts("nvml: fine");
    return 0;
}
