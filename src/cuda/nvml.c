/* libnvidia-ml.so.1, to which the preloaded library answers as well (audit/audit.c). The answers' form was compared
 * with an H200's. */
#include "cuda/nvml.h"
#include "cuda/device.h"
#include "cuda/state.h"

#include <string.h>

#define DRIVER_RELEASE "580.159.04" /* of CUDA 13.0 */

/* ---- beginning and ending ---- */

nvmlReturn nvmlInitWithFlags(unsigned flags) {
    (void)flags;
    core_get()->nvml++;
    return NVML_SUCCESS;
}

nvmlReturn nvmlInit_v2(void) {
    return nvmlInitWithFlags(0);
}

nvmlReturn nvmlInit(void) {
    return nvmlInitWithFlags(0);
}

static nvmlReturn ready(void) {
    return core_get()->nvml ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

nvmlReturn nvmlShutdown(void) {
    nvmlReturn result = ready();
    if (!result)
        core_get()->nvml--;
    return result;
}

const char *nvmlErrorString(nvmlReturn error) {
    switch (error) {
    case NVML_SUCCESS:
        return "Success";
    case NVML_ERROR_UNINITIALIZED:
        return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
        return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
        return "Not Supported";
    case NVML_ERROR_NOT_FOUND:
        return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
        return "Insufficient Size";
    case NVML_ERROR_VERSION:
        return "Argument Version Mismatch";
    default:
        return "Unknown Error";
    }
}

/* ---- the machine ---- */

static nvmlReturn put_text(char *to, unsigned length, const char *text) {
    if (!to)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (length <= strlen(text))
        return NVML_ERROR_INSUFFICIENT_SIZE;
    memcpy(to, text, strlen(text) + 1);
    return NVML_SUCCESS;
}

nvmlReturn nvmlSystemGetDriverVersion(char *text, unsigned length) {
    nvmlReturn wrong = ready();
    return wrong ? wrong : put_text(text, length, DRIVER_RELEASE);
}

nvmlReturn nvmlSystemGetNVMLVersion(char *text, unsigned length) {
    nvmlReturn wrong = ready();
    return wrong ? wrong : put_text(text, length, "13." DRIVER_RELEASE);
}

nvmlReturn nvmlSystemGetCudaDriverVersion_v2(int *version) {
    return cuDriverGetVersion(version) ? NVML_ERROR_INVALID_ARGUMENT : NVML_SUCCESS;
}

nvmlReturn nvmlSystemGetCudaDriverVersion(int *version) {
    return nvmlSystemGetCudaDriverVersion_v2(version);
}

static uint32_t machine_devices(void) {
    return core_settings()->devices;
}

nvmlReturn nvmlDeviceGetCount_v2(unsigned *count) {
    nvmlReturn wrong = ready();
    if (wrong || !count)
        return wrong ? wrong : NVML_ERROR_INVALID_ARGUMENT;
    *count = machine_devices();
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetCount(unsigned *count) {
    return nvmlDeviceGetCount_v2(count);
}

/* No computing is confidential. */
nvmlReturn nvmlSystemGetConfComputeState(nvmlConfComputeState *state) {
    nvmlReturn wrong = ready();
    if (!wrong && !state)
        wrong = NVML_ERROR_INVALID_ARGUMENT;
    if (!wrong)
        memset(state, 0, sizeof *state);
    return wrong;
}

nvmlReturn nvmlSystemGetConfComputeSettings(nvmlConfComputeSettings *settings) {
    const unsigned version = sizeof *settings | 1u << 24;
    nvmlReturn wrong = ready();
    if (!wrong && !settings)
        wrong = NVML_ERROR_INVALID_ARGUMENT;
    if (!wrong && settings->version != version)
        wrong = NVML_ERROR_VERSION;
    if (!wrong)
        *settings = (nvmlConfComputeSettings){.version = version};
    return wrong;
}

/* ---- devices ---- */

static nvmlDevice handle_of(uint32_t physical) {
    return (nvmlDevice)(uintptr_t)(physical + 1);
}

/* NVML_SUCCESS if the device is there and the place for the answer, too. */
static nvmlReturn check(nvmlDevice device, const void *answer, uint32_t *physical) {
    nvmlReturn wrong = ready();
    *physical = (uint32_t)(uintptr_t)device - 1;
    if (!wrong && (!answer || *physical >= machine_devices()))
        wrong = NVML_ERROR_INVALID_ARGUMENT;
    return wrong;
}

static void uuid_text(uint32_t physical, char text[41]) {
    uint8_t uuid[UUID_BYTES];
    device_uuid(core_settings()->gpu, physical, uuid);
    char *at = stpcpy(text, "GPU-");
    for (uint32_t i = 0; i < UUID_BYTES; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            *at++ = '-';
        at += sprintf(at, "%02x", uuid[i]);
    }
}

nvmlReturn nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice *device) {
    nvmlReturn wrong = ready();
    if (wrong || !device || index >= machine_devices())
        return wrong ? wrong : NVML_ERROR_INVALID_ARGUMENT;
    *device = handle_of(index);
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice *device) {
    return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice *device) {
    nvmlReturn wrong = ready();
    if (wrong || !uuid || !device)
        return wrong ? wrong : NVML_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < machine_devices(); i++) {
        char own[41];
        uuid_text(i, own);
        *device = handle_of(i);
        if (strcasecmp(own, uuid) == 0)
            return NVML_SUCCESS;
    }
    return NVML_ERROR_NOT_FOUND;
}

nvmlReturn nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice *device) {
    unsigned domain, bus, slot;
    nvmlReturn wrong = ready();
    if (wrong || !id || !device || sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3)
        return wrong ? wrong : NVML_ERROR_INVALID_ARGUMENT;
    *device = handle_of(bus - 1);
    return domain == 0 && slot == 0 && bus - 1 < machine_devices() ? NVML_SUCCESS
                                                                   : NVML_ERROR_NOT_FOUND;
}

nvmlReturn nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice *device) {
    return nvmlDeviceGetHandleByPciBusId_v2(id, device);
}

nvmlReturn nvmlDeviceGetIndex(nvmlDevice device, unsigned *index) {
    uint32_t physical;
    nvmlReturn wrong = check(device, index, &physical);
    if (!wrong)
        *index = physical;
    return wrong;
}

nvmlReturn nvmlDeviceGetMinorNumber(nvmlDevice device, unsigned *number) {
    return nvmlDeviceGetIndex(device, number);
}

nvmlReturn nvmlDeviceGetName(nvmlDevice device, char *text, unsigned length) {
    uint32_t physical;
    nvmlReturn wrong = check(device, text, &physical);
    return wrong ? wrong : put_text(text, length, core_settings()->gpu->title);
}

nvmlReturn nvmlDeviceGetUUID(nvmlDevice device, char *text, unsigned length) {
    uint32_t physical;
    char uuid[41];
    nvmlReturn wrong = check(device, text, &physical);
    if (wrong)
        return wrong;
    uuid_text(physical, uuid);
    return put_text(text, length, uuid);
}

nvmlReturn nvmlDeviceGetPciInfo_v3(nvmlDevice device, nvmlPciInfo *info) {
    uint32_t physical;
    nvmlReturn wrong = check(device, info, &physical);
    if (wrong)
        return wrong;
    *info = (nvmlPciInfo){.bus = physical + 1};
    device_pci_id(physical, info->legacy);
    snprintf(info->id, sizeof info->id, "0000%s", info->legacy);
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetPciInfo(nvmlDevice device, nvmlPciInfo *info) {
    return nvmlDeviceGetPciInfo_v3(device, info);
}

/* Of a device that the program does not see nothing is used. */
static unsigned long long used_bytes(uint32_t physical) {
    for (uint32_t i = 0; i < device_count(); i++)
        if (device_of((CUdevice)i)->physical == physical)
            return device_of((CUdevice)i)->used;
    return 0;
}

nvmlReturn nvmlDeviceGetMemoryInfo(nvmlDevice device, nvmlMemory *memory) {
    uint32_t physical;
    nvmlReturn wrong = check(device, memory, &physical);
    if (wrong)
        return wrong;
    memory->total = core_settings()->gpu->memory_bytes;
    memory->used = used_bytes(physical);
    memory->free = memory->total - memory->used;
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetMemoryInfo_v2(nvmlDevice device, nvmlMemory_v2 *memory) {
    nvmlMemory plain;
    if (memory && memory->version != (sizeof *memory | 2u << 24))
        return NVML_ERROR_VERSION;
    nvmlReturn wrong = nvmlDeviceGetMemoryInfo(device, memory ? &plain : NULL);
    if (!wrong)
        *memory = (nvmlMemory_v2){memory->version, plain.total, 0, plain.free, plain.used};
    return wrong;
}

/* ---- numbers that are the same for all of them ---- */

static nvmlReturn put_number(nvmlDevice device, unsigned *to, unsigned value) {
    uint32_t physical;
    nvmlReturn wrong = check(device, to, &physical);
    if (!wrong)
        *to = value;
    return wrong;
}

nvmlReturn nvmlDeviceGetCudaComputeCapability(nvmlDevice device, int *major, int *minor) {
    uint32_t physical;
    nvmlReturn wrong = check(device, minor ? major : NULL, &physical);
    if (wrong)
        return wrong;
    *major = (int)core_settings()->gpu->major;
    *minor = (int)core_settings()->gpu->minor;
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetArchitecture(nvmlDevice device, unsigned *architecture) {
    uint32_t physical;
    nvmlReturn wrong = check(device, architecture, &physical);
    if (wrong)
        return wrong;
    const uint32_t of = core_settings()->gpu->major * 10 + core_settings()->gpu->minor;
    /* Volta, Turing, Ampere, Ada, Hopper, Blackwell */
    static const uint32_t first[] = {70, 75, 80, 89, 90, 100};
    *architecture = 4; /* Pascal */
    for (uint32_t i = 0; i < sizeof first / sizeof *first; i++)
        *architecture += of >= first[i];
    return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetComputeMode(nvmlDevice device, unsigned *mode) {
    return put_number(device, mode, 0);
}

nvmlReturn nvmlDeviceGetMigMode(nvmlDevice device, unsigned *now, unsigned *later) {
    nvmlReturn wrong = put_number(device, now, 0);
    return wrong ? wrong : put_number(device, later, 0);
}

nvmlReturn nvmlDeviceGetMemoryBusWidth(nvmlDevice device, unsigned *bits) {
    return put_number(device, bits, core_settings()->gpu->bus_bits);
}

nvmlReturn nvmlDeviceGetNumGpuCores(nvmlDevice device, unsigned *count) {
    return put_number(device, count, core_settings()->gpu->sms * core_settings()->gpu->fp32_lanes);
}

nvmlReturn nvmlDeviceGetMaxClockInfo(nvmlDevice device, int clock, unsigned *mhz) {
    enum { GRAPHICS, SM, MEMORY };
    const Gpu *gpu = core_settings()->gpu;
    if (clock < GRAPHICS || clock > MEMORY)
        return NVML_ERROR_NOT_SUPPORTED;
    return put_number(device, mhz, clock == MEMORY ? gpu->memory_mhz : gpu->clock_mhz);
}

/* No other process is on the devices, and of itself a program need not be told. */
nvmlReturn nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice device, unsigned *count,
                                                   void *infos) {
    (void)infos;
    return put_number(device, count, 0);
}

nvmlReturn nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice device, unsigned *count,
                                                   void *infos) {
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, infos);
}

nvmlReturn nvmlDeviceGetComputeRunningProcesses(nvmlDevice device, unsigned *count, void *infos) {
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, infos);
}

nvmlReturn nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice device, unsigned *count,
                                                    void *infos) {
    return nvmlDeviceGetComputeRunningProcesses_v3(device, count, infos);
}

/* ---- how they are connected: in one machine, by its bus, and each may access the others ---- */

nvmlReturn nvmlDeviceGetTopologyCommonAncestor(nvmlDevice a, nvmlDevice b, int *level) {
    enum { NODE = 30 };
    uint32_t first, second;
    nvmlReturn wrong = check(a, level, &first);
    if (!wrong)
        wrong = check(b, level, &second);
    if (wrong)
        return wrong;
    *level = NODE;
    return first == second ? NVML_ERROR_NOT_SUPPORTED : NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetP2PStatus(nvmlDevice a, nvmlDevice b, int index, int *status) {
    uint32_t physical;
    nvmlReturn wrong = check(a, status, &physical);
    (void)index;
    if (!wrong)
        wrong = check(b, status, &physical);
    if (!wrong)
        *status = 0;
    return wrong;
}

nvmlReturn nvmlDeviceGetNvLinkState(nvmlDevice device, unsigned link, unsigned *active) {
    (void)link;
    nvmlReturn wrong = put_number(device, active, 0);
    return wrong ? wrong : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn nvmlDeviceGetNvLinkCapability(nvmlDevice device, unsigned link, int which,
                                         unsigned *yes) {
    (void)which;
    return nvmlDeviceGetNvLinkState(device, link, yes);
}

/* ---- what only a GPU has ---- */

static nvmlReturn unsupported(nvmlDevice device) {
    uint32_t physical = 0;
    nvmlReturn wrong = check(device, &physical, &physical);
    return wrong ? wrong : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice device, unsigned link, int *type) {
    (void)link, (void)type;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice device, unsigned link,
                                               nvmlPciInfo *info) {
    (void)link, (void)info;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetGpuFabricInfo(nvmlDevice device, void *info) {
    (void)info;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetGpuFabricInfoV(nvmlDevice device, void *info) {
    (void)info;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetUtilizationRates(nvmlDevice device, void *rates) {
    (void)rates;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetTemperature(nvmlDevice device, int sensor, unsigned *degrees) {
    (void)sensor, (void)degrees;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetPowerUsage(nvmlDevice device, unsigned *milliwatts) {
    (void)milliwatts;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetClockInfo(nvmlDevice device, int clock, unsigned *mhz) {
    (void)clock, (void)mhz;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetTotalEnergyConsumption(nvmlDevice device, unsigned long long *millijoules) {
    (void)millijoules;
    return unsupported(device);
}

nvmlReturn nvmlDeviceGetEnforcedPowerLimit(nvmlDevice device, unsigned *milliwatts) {
    (void)milliwatts;
    return unsupported(device);
}

/* Of each field: that there is none. */
nvmlReturn nvmlDeviceGetFieldValues(nvmlDevice device, int count, nvmlFieldValue *values) {
    uint32_t physical;
    nvmlReturn wrong = check(device, values, &physical);
    if (!wrong && count < 0)
        wrong = NVML_ERROR_INVALID_ARGUMENT;
    for (int i = 0; !wrong && i < count; i++)
        values[i].result = NVML_ERROR_NOT_SUPPORTED;
    return wrong;
}

/* What they are given behind the first argument is not looked at. */
#define OF_DEVICE(name)                                                                            \
    nvmlReturn name(nvmlDevice device) {                                                           \
        return unsupported(device);                                                                \
    }
#define OF_SYSTEM(name)                                                                            \
    nvmlReturn name(void) {                                                                        \
        nvmlReturn wrong = ready();                                                                \
        return wrong ? wrong : NVML_ERROR_NOT_SUPPORTED;                                           \
    }
#include "cuda/nvml_unsupported.def"
