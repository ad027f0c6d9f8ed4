/* The device: what a program asks about it. Numbers of the GPU come from gpus.def; the others are what
 * every GPU since compute capability 7.5 says (CUDA C++ Programming Guide, "Compute Capabilities") or
 * say what this driver does not do. */
#include "cuda/objects.h"

#include <string.h>

typedef struct Attribute {
    int id, value;
} Attribute;

/* The same for every GPU. Those not listed are 0: a feature that is not there. */
static const Attribute fixed[] = {
    {1, 1024},                                      /* threads of a block */
    {2, 1024},                                      /* block x, y, z */
    {3, 1024},        {4, 64},     {5, 2147483647}, /* grid x, y, z */
    {6, 65535},       {7, 65535},  {9, 65536},      /* constant memory */
    {10, 32},                                       /* warp */
    {11, 2147483647},                               /* pitch */
    {14, 512},                                      /* texture alignment */
    {15, 1},                                        /* copies overlap */
    {19, 1},                                        /* maps host memory */
    {21, 131072},                                   /* textures: widths, heights, depths */
    {22, 131072},     {23, 65536}, {24, 16384},     {25, 16384},  {26, 16384},
    {27, 32768},      {28, 32768}, {29, 2048},      {30, 512}, /* surface alignment */
    {31, 1},                                                   /* concurrent kernels */
    {32, 1},                                                   /* ECC */
    {33, 1},                                                   /* PCI bus */
    {40, 3},                                                   /* copy engines */
    {41, 1},                                                   /* unified addresses */
    {42, 32768},      {43, 2048},  {45, 32768},     {46, 32768},  {47, 16384},
    {48, 16384},      {49, 16384}, {51, 32}, /* texture pitch alignment */
    {52, 32768},      {53, 32768}, {54, 2046},      {55, 32768},  {56, 131072},
    {57, 65536},      {58, 16384}, {59, 16384},     {60, 16384},  {61, 32768},
    {62, 2048},       {63, 32768}, {64, 32768},     {65, 2048},   {66, 32768},
    {67, 32768},      {68, 2046},  {69, 268435456}, {70, 131072}, {71, 65000},
    {72, 2097120},    {73, 32768}, {74, 32768},     {77, 32768},  {78, 1}, /* stream priorities */
    {79, 1},                     /* caches of global and local memory */
    {80, 1},          {83, 1},   /* managed memory */
    {87, 2},                     /* single to double precision */
    {89, 1},                     /* managed memory while kernels run */
    {90, 1},                     /* compute preemption */
    {91, 1},                     /* registered memory has the host's address */
    {92, 1},                     /* writes of values by streams */
    {93, 1},          {95, 1},   /* cooperative launch */
    {99, 1},                     /* host memory can be registered */
    {115, 1},                    /* memory pools */
    {122, 1},         {134, -1}, /* NUMA */
    {131, -1},
};

static const Attribute *find_fixed(int attribute) {
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if (fixed[i].id == attribute)
            return &fixed[i];
    }
    return NULL;
}

enum { ATTRIBUTES = 148 };

/* Bits of the memory bus: two transfers of memory_khz a second are dram_gbs. */
static const int memory_khz = 2619000, bus_bits = 5120;

static bool of_gpu(const Gpu *gpu, int attribute, int *value) {
    switch (attribute) {
    case 8: /* shared memory of a block */
        *value = (int)gpu->shared_per_block;
        return true;
    case 12: /* registers of a block, of an SM */
    case 82:
        *value = (int)gpu->registers_per_sm;
        return true;
    case 13:
        *value = (int)gpu->clock_mhz * 1000;
        return true;
    case 16:
        *value = (int)gpu->sms;
        return true;
    case 36: {
        uint64_t khz = (uint64_t)gpu->dram_gbs * 1000000 * 8 / (uint64_t)bus_bits / 2;
        *value = khz ? (int)khz : memory_khz;
        return true;
    }
    case 37:
        *value = bus_bits;
        return true;
    case 38: /* L2 */
        *value = (int)gpu->l2_bytes;
        return true;
    case 39:
        *value = (int)gpu->threads_per_sm;
        return true;
    case 75:
        *value = (int)gpu->major;
        return true;
    case 76:
        *value = (int)gpu->minor;
        return true;
    case 81:
        *value = (int)gpu->shared_per_sm;
        return true;
    case 97:
        *value = (int)gpu->shared_per_block_optin;
        return true;
    case 106:
        *value = (int)gpu->blocks_per_sm;
        return true;
    case 111:
        *value = (int)gpu->shared_reserved;
        return true;
    case 120: /* clusters */
        *value = gpu->major >= 9;
        return true;
    default:
        return false;
    }
}

CUresult cuInit(unsigned flags) {
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!core_memory())
        return CUDA_ERROR_OUT_OF_MEMORY;
    return core_settings()->hidden ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = ordinal;
    return core_has_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count) {
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = core_settings()->hidden ? 0 : 1;
    return CUDA_SUCCESS;
}

static CUresult copy_text(char *to, int length, const char *text) {
    if (!to || length <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(to, (size_t)length, "%s", text);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    if (!core_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return copy_text(name, length, core_settings()->gpu->title);
}

/* Made of the GPU's name: the same from run to run. */
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    if (!uuid || !core_has_device(device))
        return uuid ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    const char *name = core_settings()->gpu->name;
    uint64_t hash[2] = {bytes_hash(name, strlen(name), 1), bytes_hash(name, strlen(name), 2)};
    memcpy(uuid->bytes, hash, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device) {
    (void)luid;
    (void)mask;
    return core_has_device(device) ? CUDA_ERROR_NOT_SUPPORTED
                                   : CUDA_ERROR_INVALID_DEVICE; /* Windows only */
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    if (!bytes || !core_has_device(device))
        return bytes ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *bytes = core_settings()->gpu->memory_bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    if (!value || attribute <= 0 || attribute >= ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    if (!core_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (of_gpu(core_settings()->gpu, attribute, value))
        return CUDA_SUCCESS;
    const Attribute *known = find_fixed(attribute);
    *value = known ? known->value : 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    if (!major || !minor)
        return CUDA_ERROR_INVALID_VALUE;
    *major = (int)core_settings()->gpu->major;
    *minor = (int)core_settings()->gpu->minor;
    return core_has_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

#define PCI_ID "0000:01:00.0"

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
    if (!core_has_device(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return length < (int)sizeof PCI_ID ? CUDA_ERROR_INVALID_VALUE : copy_text(id, length, PCI_ID);
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    unsigned domain, bus, slot;
    if (!device || !id || sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3)
        return CUDA_ERROR_INVALID_VALUE;
    *device = 0;
    return strcmp(id, PCI_ID) == 0 && core_has_device(0) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    if (!can)
        return CUDA_ERROR_INVALID_VALUE;
    *can = 0;
    return core_has_device(device) && core_has_device(peer) ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to) {
    (void)attribute;
    (void)from;
    (void)to;
    return value ? CUDA_ERROR_INVALID_DEVICE
                 : CUDA_ERROR_INVALID_VALUE; /* there are no two devices */
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels,
                                            CUdevice device) {
    (void)format;
    (void)channels;
    if (!width || !core_has_device(device))
        return CUDA_ERROR_INVALID_VALUE;
    *width = 268435456;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device) {
    (void)type;
    if (!supported || !core_has_device(device))
        return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
}
