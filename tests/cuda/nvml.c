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
CALL(architecture, nvmlDeviceGetArchitecture(device, answer))
CALL(fields, nvmlDeviceGetFieldValues(device, 1, answer))
CALL(confidential, nvmlSystemGetConfComputeState(answer))
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
    {"architecture", architecture, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"fields", fields, NVML_SUCCESS, NVML_ERROR_INVALID_ARGUMENT},
    {"confidential", confidential, NVML_SUCCESS, NVML_SUCCESS},
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

/* All other calls of NVML are there, and not supported. */
static const struct {
    const char *name;
    nvmlReturn (*call)(nvmlDevice device);
} of_device[] = {
#define OF_DEVICE(name) {#name, name},
#include "cuda/nvml_unsupported.def"
};
static const struct {
    const char *name;
    nvmlReturn (*call)(void);
} of_system[] = {
#define OF_SYSTEM(name) {#name, name},
#include "cuda/nvml_unsupported.def"
};

static void expect(const char *name, const char *what, nvmlReturn got, nvmlReturn wanted) {
    if (got != wanted) {
        printf("%s, %s: %s, not %s\n", name, what, nvmlErrorString(got), nvmlErrorString(wanted));
        exit(1);
    }
}

static void expect_others(nvmlDevice device, nvmlReturn of_devices, nvmlReturn of_systems) {
    for (size_t i = 0; i < sizeof of_device / sizeof *of_device; i++)
        expect(of_device[i].name, "unsupported", of_device[i].call(device), of_devices);
    for (size_t i = 0; i < sizeof of_system / sizeof *of_system; i++)
        expect(of_system[i].name, "unsupported", of_system[i].call(), of_systems);
}

/* The architecture as NVML numbers it, of an H100; fields of which there are none; and that nothing is confidential. */
static void check_answers(nvmlDevice device) {
    unsigned architecture;
    CHECK(nvmlDeviceGetArchitecture(device, &architecture) == NVML_SUCCESS && architecture == 9);
    nvmlFieldValue fields[2] = {{.field = 1}, {.field = 2}};
    CHECK(nvmlDeviceGetFieldValues(device, 2, fields) == NVML_SUCCESS);
    CHECK(fields[0].result == NVML_ERROR_NOT_SUPPORTED && fields[1].result == fields[0].result);
    CHECK(nvmlDeviceGetFieldValues(device, -1, fields) == NVML_ERROR_INVALID_ARGUMENT);
    nvmlConfComputeState state = {1, 1, 1};
    CHECK(nvmlSystemGetConfComputeState(&state) == NVML_SUCCESS && !state.feature);
    nvmlConfComputeSettings settings = {.version = 1, .feature = 1};
    CHECK(nvmlSystemGetConfComputeSettings(&settings) == NVML_ERROR_VERSION);
    CHECK(nvmlSystemGetConfComputeSettings(NULL) == NVML_ERROR_INVALID_ARGUMENT);
    settings.version = sizeof settings | 1u << 24;
    CHECK(nvmlSystemGetConfComputeSettings(&settings) == NVML_SUCCESS && !settings.feature);
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
    expect_others(NULL, NVML_ERROR_UNINITIALIZED, NVML_ERROR_UNINITIALIZED);
    CHECK(nvmlInit() == NVML_SUCCESS);
    expect_others(NULL, NVML_ERROR_INVALID_ARGUMENT, NVML_ERROR_NOT_SUPPORTED);
    CHECK(nvmlDeviceGetHandleByIndex_v2(0, &device) == NVML_SUCCESS);
    CHECK(nvmlDeviceGetHandleByIndex_v2(1, &other) == NVML_SUCCESS);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        expect(calls[i].name, "as it should be", calls[i].call(device, answer), calls[i].right);
        expect(calls[i].name, "no place for the answer", calls[i].call(device, NULL),
               NVML_ERROR_INVALID_ARGUMENT);
        expect(calls[i].name, "no device", calls[i].call(NULL, answer), calls[i].none);
    }
    expect_others(device, NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_NOT_SUPPORTED);
    check_answers(device);
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
