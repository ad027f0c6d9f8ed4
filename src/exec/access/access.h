/* access.h: one access of a warp to memory - its addresses, whether they may be used, where their bytes
 * are, what it costs, and what is written down of it. A part of warp.h, private to the layer. */
#pragma once

#include "exec/decode/program.h"

typedef struct Touch Touch;
typedef struct Run Run;
typedef struct Worker Worker;
typedef struct RelaidArrays RelaidArrays;
typedef struct StoredArrays StoredArrays;

/* The windows of the generic address space. Host addresses stay below 2^47. */
#define WINDOW_SHARED (UINT64_C(1) << 48)
#define WINDOW_LOCAL (UINT64_C(2) << 48)
#define WINDOW_PARAM (UINT64_C(3) << 48)
#define WINDOW_CODE (UINT64_C(4) << 48) /* addresses of functions; see function_address */
#define WINDOW_OF(address) ((address) & (UINT64_C(0xffff) << 48))

/* ---- touch.c, access.c: what all memory operations share ---- */

/* The addresses of one access, and what is known of them. */
struct Touch {
    uint64_t address[WARP_LANES];
    Pattern pattern;
    uintptr_t host; /* lane l's bytes are at host + place[l]: see touch_place */
    const uint64_t *place;
    uint64_t moved[WARP_LANES]; /* place, where it differs from address (local memory) */
    bool uniform;               /* the active lanes' addresses are one */
    bool remote;                /* shared memory of another block, for some lanes; then: */
    uint8_t block[WARP_LANES];  /* as Access.block */
    /* Shared memory with another layout (relayout.c): the variable that was hit, or NULL; `address` is
     * where it is now, `asked` where the program thinks it is. */
    const RelaidArrays *relaid;
    uint64_t asked[WARP_LANES];
};

static inline const char *access_verb(bool writes) {
    return writes ? "write" : "read";
}
/* Addresses of the active lanes: the register at `base` (of a class) plus an offset. */
void touch_addresses(Touch *touch, const Warp *warp, uint32_t base, uint8_t class, int64_t offset,
                     uint32_t mask);
/* Reduces *mask to the lanes whose generic address lies in the same space as the first lane's;
 * returns that space, and makes their addresses such of that space. */
Space touch_split(Touch *touch, uint32_t *mask);
/* Where the bytes of a lane are, after touch_check. */
static inline uint8_t *touch_place(const Touch *touch, uint32_t lane) {
    return (uint8_t *)(touch->host + touch->place[lane]);
}
/* Checks alignment, bounds and permission; sets host, place and uniform. STEP_FAULT: worker->fault. */
Step touch_check(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                 uint32_t width, bool writes);
/* Moves the addresses of the active lanes to where the bytes are that the program means: moved(context,
 * address) says it of each byte. Faults where the bytes of an element do not stay together. */
Step touch_move(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                uint32_t width, bool writes,
                uint64_t (*moved)(const void *context, uint64_t address), const void *context);
/* touch_check for what is asked for as a range (bulk copies): host memory behind `bytes` bytes of global
 * memory, or at an address of the shared memory of the cluster (see cluster_memory). NULL:
 * worker->fault. */
uint8_t *global_range(Warp *warp, const Code *code, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes);
uint8_t *shared_range(Warp *warp, const Code *code, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes);
/* What writes to shared memory of the cluster from registers or shared memory is an illegal instruction
 * on an H100 in a launch without clusters (of one block or more), and a fault here. */
Step cluster_needed(Warp *warp, const Code *code, uint32_t lane);

/* ---- count.c ---- */

/* Adds the access to the counters of the site, and to the evidence where the block is recorded. pattern:
 * of its addresses, or NULL. */
void access_count(Warp *warp, const Code *code, const Access *access, const Pattern *pattern);
/* The same for what is not costed by addresses: bulk and tensor copies, asynchronous stores, wgmma and
 * textures, so that reports can say of all of them what is modelled. */
void traffic_count(Warp *warp, const Code *code, const Traffic *traffic);
/* Global memory that was read or written by it: part of the footprint of blocks that are recorded. */
void traffic_touch(Warp *warp, const Code *code, uint64_t address, uint64_t bytes, bool stored);
/* Where the addresses of the worker's launch lie. */
AddressMap address_map(Arena *arena, const Worker *worker);

/* ---- cluster.c ---- */

/* An address of shared memory has the rank of its block above these bits, plus one: 0 is the own. */
enum { CLUSTER_SHIFT = 24 };
/* The address is one of another block's shared memory. */
bool cluster_remote(const Warp *warp, uint64_t address);
/* The address of the same byte in the shared memory of the cluster's block `rank`. */
uint64_t cluster_address(const Warp *warp, uint64_t address, uint32_t rank);
/* Host memory behind `bytes` bytes at an address of the shared memory of the cluster (shared::cluster);
 * NULL: they do not all lie in that of one block which has not ended. */
uint8_t *cluster_memory(const Warp *warp, uint64_t address, uint64_t bytes);
/* touch_check for addresses of other blocks' shared memory. */
Step cluster_touch(Touch *touch, Warp *warp, const Code *code, uint32_t mask, uint32_t width,
                   bool writes);

/* ---- atomic.c ---- */

/* Combines each element of `to` with that of `from`, as red does; as_global: as it does in global memory,
 * where sums of .f32 flush subnormal numbers and a NaN of .f64 passes as it is. */
void atomic_range(Func func, Type type, bool as_global, uint8_t *to, const uint8_t *from,
                  uint64_t bytes);

/* ---- mbarrier.c ---- */

/* A copy that the lane issued has moved `bytes` bytes: completes so many transactions of the mbarrier at
 * the address (in the shared memory of the cluster, without the generic window), and maybe with them its
 * phase. Who waits for it sees that when it looks next. A multicast copy calls it for each block. */
Step mbarrier_complete(Warp *warp, const Code *code, uint32_t lane, uint64_t address,
                       uint32_t bytes);
/* The fault of a warp that waits for an mbarrier which nobody will complete. */
Step mbarrier_deadlock(Warp *warp);

/* ---- relayout.c ---- */

/* The launch's layouts; NULL: none. *end: of shared memory with them. */
const RelaidArrays *relaid_make(Arena *arena, const Program *program, const Launch *launch,
                                uint32_t *end, Diags *diags);
/* Moves the addresses of the active lanes to their places. */
Step relaid_touch(const RelaidArrays *relaid, Touch *touch, Warp *warp, const Code *code,
                  uint32_t mask, uint32_t width, bool writes);
/* Moves the place of a range of bytes; false: they do not stay together. */
bool relaid_range(const RelaidArrays *relaid, uint64_t *offset, uint64_t bytes);
/* Counts an access that ptxas merges as it does with the layout: whole, or in pieces. skip: from the
 * addresses asked for to its first byte. */
void relaid_count(const RelaidArrays *relaid, Warp *warp, const Code *code, const Access *asked,
                  MergedAccess merged, int32_t skip, const uint64_t address[WARP_LANES]);

/* ---- stored.c ---- */

/* The launch's storages, their arrays filled; NULL: none. */
const StoredArrays *stored_make(Arena *arena, const Launch *launch, Diags *diags);
/* Puts the bytes back to where the program left them. NULL is allowed. */
void stored_end(const StoredArrays *stored);
/* The range has bytes of an array that is stored otherwise. */
bool stored_has(const StoredArrays *stored, uint64_t address, uint64_t bytes);
/* Moves the addresses of the active lanes to their places. */
Step stored_touch(const StoredArrays *stored, Touch *touch, Warp *warp, const Code *code,
                  uint32_t mask, uint32_t width, bool writes);

/* ---- fault.c ---- */

Step warp_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, uint64_t address,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same for an access to memory; the message also says where in the space the address lies. */
Step memory_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, Space space,
                  uint64_t address, const char *format, ...) __attribute__((format(printf, 7, 8)));
