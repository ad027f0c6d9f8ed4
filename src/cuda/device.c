/* Devices: what a program asks about them. Numbers of the GPU come from gpus.def; the others are what an H200
 * says (tests/cuda_runtime/measured/facts.txt), but for features that this driver does not have: these are 0. */
#include "cuda/device.h"
#include "cuda/state.h"

#include <limits.h>
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
    {40, 3},                                                   /* copy engines */
    {41, 1},                                                   /* unified addresses */
    {42, 32768},      {43, 2048},  {44, 1},         {45, 32768},  {46, 32768},
    {47, 8192},       {48, 8192},  {49, 32768},     {51, 32}, /* texture pitch alignment */
    {52, 32768},      {53, 32768}, {54, 2046},      {55, 32768},  {56, 131072},
    {57, 65536},      {58, 16384}, {59, 16384},     {60, 16384},  {61, 32768},
    {62, 2048},       {63, 32768}, {64, 32768},     {65, 2048},   {66, 32768},
    {67, 32768},      {68, 2046},  {69, 268435456}, {70, 131072}, {71, 65000},
    {72, 2097120},    {73, 32768}, {74, 32768},     {77, 32768},  {78, 1}, /* stream priorities */
    {79, 1},                    /* caches of global and local memory */
    {80, 1},          {83, 1},  /* managed memory */
    {87, 2},                    /* single to double precision */
    {89, 1},                    /* managed memory while kernels run */
    {90, 1},                    /* compute preemption */
    {91, 1},                    /* registered memory has the host's address */
    {95, 1},                    /* cooperative launch */
    {99, 1},                    /* host memory can be registered */
    {102, 1},                   /* virtual memory management */
    {103, 1},                   /* whose memory is shared by file descriptors */
    {107, 1},                   /* and may be compressed: nobody sees it */
    {113, 1},                   /* and read-only */
    {115, 1},                   /* memory pools */
    {119, 1},                   /* which are shared so, too */
    {122, 1},         {123, 1}, /* writes of values by streams, waiting for them */
    {125, 1},                   /* events of other processes */
    {126, 4},                   /* domains of memory synchronisation */
    {129, 1},                   /* function pointers are the same for host and device */
    {131, -1},                  /* NUMA */
};

static const Attribute *find_fixed(int attribute) {
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if (fixed[i].id == attribute)
            return &fixed[i];
    }
    return NULL;
}

enum { ATTRIBUTES = 148 };

/* What tells the devices of a machine apart. */
static bool of_device(const Device *device, int attribute, int *value) {
    enum { PCI_BUS = 33 };
    *value = (int)device->physical + 1;
    return attribute == PCI_BUS;
}

static bool of_gpu(const Gpu *gpu, int attribute, int *value) {
    const Attribute own[] = {
        {8, (int)gpu->shared_per_block},
        {12, (int)gpu->registers_per_sm}, /* of a block, and of an SM */
        {13, (int)gpu->clock_mhz * 1000},
        {16, (int)gpu->sms},
        {36, (int)gpu->memory_mhz * 1000},
        {37, (int)gpu->bus_bits},
        {38, (int)gpu->l2_bytes},
        {39, (int)gpu->threads_per_sm},
        {75, (int)gpu->major},
        {76, (int)gpu->minor},
        {81, (int)gpu->shared_per_sm},
        {82, (int)gpu->registers_per_sm},
        {97, (int)gpu->shared_per_block_optin},
        {106, (int)gpu->blocks_per_sm},
        {108, (int)gpu_persisting_l2(gpu)},
        {109, gpu->major >= 8 ? 128 << 20 : 0}, /* bytes that an access policy covers */
        {111, (int)gpu->shared_reserved},
        {120, gpu->major >= 9}, /* clusters */
        {127, gpu->major >= 9}, /* tensor maps */
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        *value = own[i].value;
        if (own[i].id == attribute)
            return true;
    }
    return false;
}

CUresult cuInit(unsigned flags) {
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!core_memory())
        return CUDA_ERROR_OUT_OF_MEMORY;
    return core_get()->devices_error;
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
    return device_of(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetCount(int *count) {
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = (int)device_count();
    return CUDA_SUCCESS;
}

static CUresult copy_text(char *to, int length, const char *text) {
    if (!to || length == 0)
        return CUDA_ERROR_INVALID_VALUE;
    snprintf(to, length < 0 ? INT_MAX : (size_t)length, "%s", text); /* -1: as on a GPU */
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return copy_text(name, length, core_settings()->gpu->title);
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    const Device *of = device_of(device);
    if (!uuid || !of)
        return uuid ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    uint8_t bytes[UUID_BYTES];
    device_uuid(core_settings()->gpu, of->physical, bytes);
    memcpy(uuid->bytes, bytes, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
    return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device) {
    (void)luid;
    (void)mask;
    return device_of(device) ? CUDA_ERROR_NOT_SUPPORTED
                             : CUDA_ERROR_INVALID_DEVICE; /* Windows only */
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    if (!bytes || !device_of(device))
        return bytes ? CUDA_ERROR_INVALID_DEVICE : CUDA_ERROR_INVALID_VALUE;
    *bytes = core_settings()->gpu->memory_bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
    if (!value || attribute <= 0 || attribute >= ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    const Device *of = device_of(device);
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    if (of_device(of, attribute, value) || of_gpu(core_settings()->gpu, attribute, value))
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
    return device_of(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
    const Device *of = device_of(device);
    char text[PCI_ID_BYTES];
    if (!of)
        return CUDA_ERROR_INVALID_DEVICE;
    device_pci_id(of->physical, text);
    return length < PCI_ID_BYTES ? CUDA_ERROR_INVALID_VALUE : copy_text(id, length, text);
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
    unsigned domain, bus, slot;
    if (!device || !id || sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < device_count(); i++) {
        *device = (CUdevice)i;
        if (domain == 0 && slot == 0 && bus == device_of(*device)->physical + 1)
            return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned channels,
                                            CUdevice device) {
    const uint64_t most = UINT64_C(1) << 32; /* bytes, measured on an H200 */
    uint32_t bytes = texel_channel_bytes((TexelFormat)format) * channels;
    if (!width || !device_of(device) || !bytes || (channels != 1 && channels != 2 && channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *width = most / bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetExecAffinitySupport(int *supported, int type, CUdevice device) {
    (void)type;
    if (!supported || !device_of(device))
        return CUDA_ERROR_INVALID_VALUE;
    *supported = 0;
    return CUDA_SUCCESS;
}
