/* cudaGetDeviceProperties: one structure per CUDA version, filled from the driver's attributes.
 *
 * CUDA 12 has the name twice: cudaGetDeviceProperties_v2 is what its headers call, and the plain
 * name fills the structure of CUDA 11, which is the beginning of 12's. */
#include "cuda/runtime/calls.h"

#include <stddef.h>
#include <string.h>

#define DEVICE_PROP_HEAD                                                                           \
    char name[256];                                                                                \
    CUuuid uuid;                                                                                   \
    char luid[8];                                                                                  \
    unsigned luidDeviceNodeMask;                                                                   \
    size_t totalGlobalMem;

#define BOTH(type, name, count, attribute) type name[count];

typedef struct DeviceProp12 {
    DEVICE_PROP_HEAD
#define ONLY12(type, name, count, attribute) type name[count];
#define ONLY13(type, name, count, attribute)
#include "cuda/runtime/properties.def"
#undef ONLY12
#undef ONLY13
    int reserved[63];
} DeviceProp12;
_Static_assert(sizeof(DeviceProp12) == 1032, "cudaDeviceProp of CUDA 12");
_Static_assert(offsetof(DeviceProp12, maxThreadsPerMultiProcessor) == 624, "CUDA 12");

typedef struct DeviceProp13 {
    DEVICE_PROP_HEAD
#define ONLY12(type, name, count, attribute)
#define ONLY13(type, name, count, attribute) type name[count];
#include "cuda/runtime/properties.def"
#undef ONLY12
#undef ONLY13
    int reserved[56];
} DeviceProp13;
_Static_assert(sizeof(DeviceProp13) == 1008, "cudaDeviceProp of CUDA 13");
_Static_assert(offsetof(DeviceProp13, maxThreadsPerMultiProcessor) == 604, "CUDA 13");
_Static_assert(offsetof(DeviceProp13, reserved) == 784, "CUDA 13");
#undef BOTH

static long long attribute_of(int attribute, int device) {
    int value = 0;
    cuDeviceGetAttribute(&value, attribute, device);
    return value;
}

#define FILL(type, name, count, attribute)                                                         \
    for (int i = 0; i < count; i++)                                                                \
        properties->name[i] = (type)attribute_of(attribute + i, device);

#define FILL_HEAD()                                                                                \
    memset(properties, 0, sizeof *properties);                                                     \
    cuDeviceGetName(properties->name, sizeof properties->name, device);                            \
    cuDeviceGetUuid_v2(&properties->uuid, device);                                                 \
    cuDeviceTotalMem_v2(&properties->totalGlobalMem, device);

#define BOTH(type, name, count, attribute) FILL(type, name, count, attribute)

static void fill_12(DeviceProp12 *properties, int device) {
    FILL_HEAD()
#define ONLY12(type, name, count, attribute) FILL(type, name, count, attribute)
#define ONLY13(type, name, count, attribute)
#include "cuda/runtime/properties.def"
#undef ONLY12
#undef ONLY13
}

static void fill_13(DeviceProp13 *properties, int device) {
    FILL_HEAD()
#define ONLY12(type, name, count, attribute)
#define ONLY13(type, name, count, attribute) FILL(type, name, count, attribute)
#include "cuda/runtime/properties.def"
#undef ONLY12
#undef ONLY13
}

static cudaError check(const void *properties, int device) {
    int count = 0;
    cudaError error = cudaGetDeviceCount(&count);
    if (!properties)
        error = cudaErrorInvalidValue;
    else if (!error && (device < 0 || device >= count))
        error = cudaErrorInvalidDevice;
    return rt_result(error);
}

cudaError cudaGetDeviceProperties_13(void *properties, int device) {
    cudaError error = check(properties, device);
    if (!error)
        fill_13(properties, device);
    return error;
}

cudaError cudaGetDeviceProperties_v2(void *properties, int device) {
    cudaError error = check(properties, device);
    if (!error)
        fill_12(properties, device);
    return error;
}

cudaError cudaGetDeviceProperties_12(void *properties, int device) {
    DeviceProp12 all;
    cudaError error = cudaGetDeviceProperties_v2(&all, device);
    if (!error && properties)
        memcpy(properties, &all, offsetof(DeviceProp12, hostRegisterSupported));
    return error;
}

VERSIONED(cudaGetDeviceProperties)
