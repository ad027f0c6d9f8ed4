/* allocation: memory that a program has asked for. */
#pragma once

#include "cuda/core.h"
#include "cuda/owner.h"

/* ---- allocate.c ---- */

typedef enum MemoryKind {
    KIND_DEVICE,
    KIND_HOST,
    KIND_MANAGED,
    KIND_REGISTERED,
    KIND_VARIABLE,
    KIND_MAPPED, /* virtual.c */
    KIND_SHARED, /* by another process: share.c */
    KINDS
} MemoryKind;

/* kinds.c: "device" */
const char *memory_kind_name(MemoryKind kind);

typedef struct AllocationRecord {
    uint64_t address; /* first: the key */
    uint64_t bytes, number;
    MemoryKind kind;
    unsigned flags;
    CUmemoryPool pool; /* NULL: none */
    CUcontext context;
    Callers by;                    /* who asked for it; none: nobody wants to know */
    struct AllocationRecord *next; /* spare */
    uint32_t graphs;  /* that allocate it when they run, and so keep it for the next time */
    bool freed;       /* but graphs keep it */
    bool synchronous; /* what is copied to or from it is to be awaited: kept for who asks */
    char name[40];
} AllocationRecord;

CUresult allocate(MemoryKind kind, size_t bytes, unsigned flags, CUmemoryPool pool,
                  CUdeviceptr *address);
CUresult release(CUdeviceptr address, MemoryKind kind);
void allocations_release(CUcontext context); /* those that were made in it */
/* Where the program released what lay at this address, for a fault there; NULL: nobody knows. */
const char *allocation_released(Arena *arena, uint64_t address);
/* Memory that is not taken from the device's: kernels may access it from now on, or no more. */
CUresult allocation_adopt(MemoryKind kind, void *host, size_t bytes, unsigned flags,
                          CUmemoryPool pool);
void allocation_forget(CUdeviceptr address);
void allocations_share(CUmemoryPool pool); /* with the devices that it is shared with now */
/* A graph with a node that allocates at this address comes, or goes. */
void allocation_keep(CUdeviceptr address, bool keep);
void allocation_synchronize(CUdeviceptr address, bool synchronous);
/* Copies what is known of the allocation that holds address; false: none does. */
bool allocated_find(CUdeviceptr address, AllocationRecord *found);

/* ---- hint_ranges.c: what is said about managed memory; under the core's lock ---- */

typedef struct Hint {
    CUmemLocation preferred, prefetched;
    uint32_t accessed; /* bits of devices */
    bool read_mostly, by_host;
} Hint;
typedef struct HintRange HintRange;
struct HintRange {
    uint64_t address, end;
    Hint hint;
    HintRange *next; /* behind it */
};
/* Ranges that are just the bytes from address to end: the first of them. */
HintRange *hints_cover(uint64_t address, uint64_t end);
void hints_forget(uint64_t address, uint64_t bytes);

/* ---- share.c, virtual.c ---- */

typedef struct SharedMapping SharedMapping;
typedef struct Reservation Reservation;
typedef struct Mapping Mapping;
bool shared_of_pool(CUdeviceptr address);   /* it came from another process, as a pool's */
CUresult shared_close(CUdeviceptr address); /* of memory of another process, opened here */
