/* device: what a device of the machine holds. */
#pragma once

#include "cuda/context.h"
#include "cuda/pool.h"
#include "cuda/stream.h"

/* ---- devices.c: those that the program sees, all of one model ---- */

struct Device {
    CUdevice ordinal;
    uint32_t physical; /* its number on the machine: CUDA_VISIBLE_DEVICES gives others */
    struct Context primary;
    struct Stream streams[2]; /* legacy default, per-thread default */
    struct Pool pool;         /* the default one */
    CUmemoryPool current_pool;
    uint64_t used; /* bytes of its memory */
};
static inline uint32_t device_bit(const Device *device) {
    return UINT32_C(1) << device->ordinal;
}
/* visible: as CUDA_VISIBLE_DEVICES; NULL: all. */
void devices_make(Core *core, const char *visible);
/* The context begins anew, with the limits that a GPU gives it. */
void context_init(CUcontext context, Device *device, const Gpu *gpu, unsigned flags, uint64_t id);
/* "0000:01:00.0", of 12 characters; 16 bytes. Of the machine's device of that number. */
enum { PCI_ID_BYTES = 13, UUID_BYTES = 16 };
void device_pci_id(uint32_t physical, char id[PCI_ID_BYTES]);
void device_uuid(const Gpu *gpu, uint32_t physical, uint8_t uuid[UUID_BYTES]);
