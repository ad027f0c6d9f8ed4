/* nvml: the calls of NVIDIA's management library that programs make before they start, answered from what the
 * device's own calls say. What only a GPU has (clocks now, power, temperature, load) is not supported, nor is any other call
 * (nvml_unsupported.def): a program that is linked with NVML finds all of them. It shows all devices of the machine, whatever CUDA_VISIBLE_DEVICES says. */
#pragma once

typedef int nvmlReturn;
enum {
    NVML_SUCCESS,
    NVML_ERROR_UNINITIALIZED,
    NVML_ERROR_INVALID_ARGUMENT,
    NVML_ERROR_NOT_SUPPORTED,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE,
    NVML_ERROR_VERSION = 25 /* of the structure */
};

typedef struct Nvml *nvmlDevice; /* the device's number, plus 1 */

typedef struct nvmlMemory {
    unsigned long long total, free, used;
} nvmlMemory;

typedef struct nvmlMemory_v2 {
    unsigned version;
    unsigned long long total, reserved, free, used;
} nvmlMemory_v2;

typedef struct nvmlPciInfo {
    char legacy[16];
    unsigned domain, bus, device, pci_device, pci_subsystem;
    char id[32];
} nvmlPciInfo;

typedef struct nvmlFieldValue {
    unsigned field, scope;
    long long time, latency;
    unsigned type;
    nvmlReturn result;
    unsigned long long value;
} nvmlFieldValue;

typedef struct nvmlConfComputeState {
    unsigned environment, feature, tools;
} nvmlConfComputeState;

typedef struct nvmlConfComputeSettings {
    unsigned version, environment, feature, tools, gpus;
} nvmlConfComputeSettings;

#pragma GCC visibility push(default)
nvmlReturn nvmlInit(void);
nvmlReturn nvmlInit_v2(void);
nvmlReturn nvmlInitWithFlags(unsigned flags);
nvmlReturn nvmlShutdown(void);
const char *nvmlErrorString(nvmlReturn error);
nvmlReturn nvmlSystemGetDriverVersion(char *text, unsigned length);
nvmlReturn nvmlSystemGetNVMLVersion(char *text, unsigned length);
nvmlReturn nvmlSystemGetCudaDriverVersion(int *version);
nvmlReturn nvmlSystemGetCudaDriverVersion_v2(int *version);
nvmlReturn nvmlSystemGetConfComputeState(nvmlConfComputeState *state);
nvmlReturn nvmlSystemGetConfComputeSettings(nvmlConfComputeSettings *settings);
nvmlReturn nvmlDeviceGetCount(unsigned *count);
nvmlReturn nvmlDeviceGetCount_v2(unsigned *count);
nvmlReturn nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice *device);
nvmlReturn nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice *device);
nvmlReturn nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice *device);
nvmlReturn nvmlDeviceGetHandleByPciBusId(const char *id, nvmlDevice *device);
nvmlReturn nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice *device);
nvmlReturn nvmlDeviceGetIndex(nvmlDevice device, unsigned *index);
nvmlReturn nvmlDeviceGetMinorNumber(nvmlDevice device, unsigned *number);
nvmlReturn nvmlDeviceGetName(nvmlDevice device, char *text, unsigned length);
nvmlReturn nvmlDeviceGetUUID(nvmlDevice device, char *text, unsigned length);
nvmlReturn nvmlDeviceGetPciInfo(nvmlDevice device, nvmlPciInfo *info);
nvmlReturn nvmlDeviceGetPciInfo_v3(nvmlDevice device, nvmlPciInfo *info);
nvmlReturn nvmlDeviceGetMemoryInfo(nvmlDevice device, nvmlMemory *memory);
nvmlReturn nvmlDeviceGetMemoryInfo_v2(nvmlDevice device, nvmlMemory_v2 *memory);
nvmlReturn nvmlDeviceGetCudaComputeCapability(nvmlDevice device, int *major, int *minor);
nvmlReturn nvmlDeviceGetArchitecture(nvmlDevice device, unsigned *architecture);
nvmlReturn nvmlDeviceGetComputeMode(nvmlDevice device, unsigned *mode);
nvmlReturn nvmlDeviceGetMigMode(nvmlDevice device, unsigned *now, unsigned *later);
nvmlReturn nvmlDeviceGetMemoryBusWidth(nvmlDevice device, unsigned *bits);
nvmlReturn nvmlDeviceGetNumGpuCores(nvmlDevice device, unsigned *count);
nvmlReturn nvmlDeviceGetMaxClockInfo(nvmlDevice device, int clock, unsigned *mhz);
nvmlReturn nvmlDeviceGetComputeRunningProcesses(nvmlDevice device, unsigned *count, void *infos);
nvmlReturn nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice device, unsigned *count, void *infos);
nvmlReturn nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice device, unsigned *count, void *infos);
nvmlReturn nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice device, unsigned *count,
                                                    void *infos);
nvmlReturn nvmlDeviceGetTopologyCommonAncestor(nvmlDevice a, nvmlDevice b, int *level);
nvmlReturn nvmlDeviceGetP2PStatus(nvmlDevice a, nvmlDevice b, int index, int *status);
nvmlReturn nvmlDeviceGetNvLinkState(nvmlDevice device, unsigned link, unsigned *active);
nvmlReturn nvmlDeviceGetNvLinkCapability(nvmlDevice device, unsigned link, int which,
                                         unsigned *yes);
nvmlReturn nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice device, unsigned link, int *type);
nvmlReturn nvmlDeviceGetNvLinkRemotePciInfo_v2(nvmlDevice device, unsigned link, nvmlPciInfo *info);
nvmlReturn nvmlDeviceGetGpuFabricInfo(nvmlDevice device, void *info);
nvmlReturn nvmlDeviceGetGpuFabricInfoV(nvmlDevice device, void *info);
nvmlReturn nvmlDeviceGetUtilizationRates(nvmlDevice device, void *rates);
nvmlReturn nvmlDeviceGetTemperature(nvmlDevice device, int sensor, unsigned *degrees);
nvmlReturn nvmlDeviceGetPowerUsage(nvmlDevice device, unsigned *milliwatts);
nvmlReturn nvmlDeviceGetClockInfo(nvmlDevice device, int clock, unsigned *mhz);
nvmlReturn nvmlDeviceGetTotalEnergyConsumption(nvmlDevice device, unsigned long long *millijoules);
nvmlReturn nvmlDeviceGetEnforcedPowerLimit(nvmlDevice device, unsigned *milliwatts);
nvmlReturn nvmlDeviceGetFieldValues(nvmlDevice device, int count, nvmlFieldValue *values);
#define OF_DEVICE(name) nvmlReturn name(nvmlDevice device);
#define OF_SYSTEM(name) nvmlReturn name(void);
#include "cuda/nvml_unsupported.def"
#pragma GCC visibility pop
