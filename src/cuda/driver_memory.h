/* driver_memory: types of the driver API for memory in parts (virtual addresses, physical memory), pools, and
 * what processes share. See driver.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    LOCATION_INVALID,
    LOCATION_DEVICE,
    LOCATION_HOST,
    LOCATION_HOST_NUMA,
    LOCATION_HOST_NUMA_CURRENT
};
typedef struct CUmemLocation {
    int type; /* LOCATION_… */
    int id;
} CUmemLocation;

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_READ_WRITE = 3 };
typedef struct CUmemAccessDesc {
    CUmemLocation location;
    int flags; /* ACCESS_… */
} CUmemAccessDesc;

enum { HANDLE_POSIX_FD = 1 };
enum { ALLOCATION_PINNED = 1 };

/* ---- memory in parts ---- */

typedef uint64_t CUmemGenericAllocationHandle;

typedef struct CUmemAllocationProp {
    int type, requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
_Static_assert(sizeof(CUmemAllocationProp) == 32, "CUmemAllocationProp");

/* ---- pools ---- */

typedef struct CUmemPoolProps {
    int allocType, handleTypes;
    CUmemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
    unsigned char reserved[54];
} CUmemPoolProps;
_Static_assert(sizeof(CUmemPoolProps) == 88, "CUmemPoolProps");

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS {
    CUmemPoolProps poolProps;
    const void *accessDescs;
    size_t accessDescCount;
    size_t bytesize;
    uint64_t dptr; /* out */
} CUDA_MEM_ALLOC_NODE_PARAMS;

typedef struct CUmemPoolPtrExportData {
    unsigned char reserved[64];
} CUmemPoolPtrExportData;

/* ---- between processes ---- */

typedef struct CUipcMemHandle {
    unsigned char reserved[64];
} CUipcMemHandle;

typedef struct CUipcEventHandle {
    unsigned char reserved[64];
} CUipcEventHandle;
