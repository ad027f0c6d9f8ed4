/* mem: the memory model - what one warp's access costs. Pure functions of an Access: no globals, no
 * state.
 *
 * The rules were measured on an H100; docs/memory-model.md has them with their sources and how they
 * were checked.
 *
 * Invariants
 *   - Addresses are bytes. Shared-memory addresses are offsets in the block's shared memory (32
 *     banks of 4 bytes, bank = address / 4 mod 32), below 2^32. Local-memory addresses are offsets
 *     in the lane's own local memory.
 *   - Every active lane's address is a multiple of its width (the executor has faulted before
 *     otherwise).
 *   - An access without an active lane costs nothing: every number is 0.
 *
 * What it does not do: look up allocations, check bounds, or read memory. */
#pragma once

#include "base/base.h"
#include "isa/isa.h"

/* How shared memory treats the instruction. */
typedef enum AccessKind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC,        /* atom/red done natively: 32-bit integer ops, exch of 32 and 64 bits */
    ACCESS_ATOMIC_POPC,   /* red.add (or atom with unused result) of the constant 1, 32 bits:
                             ATOMS.POPC.INC */
    ACCESS_ATOMIC_CAS,    /* atom.cas, 32 or 64 bits */
    ACCESS_ATOMIC_LOOP32, /* compare-and-swap loop: add.f32, add.f16x2 */
    ACCESS_ATOMIC_LOOP64, /* compare-and-swap loop: 64-bit add, min, max, and, or, xor …, add.f64 */
    ACCESS_LDMATRIX,      /* lanes 8i … 8i+7 give the row addresses of matrix i */
    ACCESS_STMATRIX,
    ACCESS_CP_ASYNC_CA, /* address = destination in shared memory, source = address in global memory
                         */
    ACCESS_CP_ASYNC_CG,
    ACCESS_ATOMIC_CAST, /* one try of such a loop, without its load: ATOMS.CAST.SPIN of machine code */
    ACCESS_KIND_COUNT
} AccessKind;

enum { BLOCK_OWN = UINT8_MAX };

/* What one warp asks of memory once. */
typedef struct Access {
    AccessKind kind;
    Space space;       /* SPACE_SHARED, SPACE_GLOBAL, SPACE_LOCAL, SPACE_CONST */
    uint32_t width;    /* bytes per lane: 1, 2, 4, 8, 16, 32; ldmatrix, stmatrix: 16 (a row) */
    uint32_t mask;     /* active lanes */
    uint32_t matrices; /* ldmatrix, stmatrix: 1, 2, 4 */
    bool generic; /* the instruction names no space; `space` is where these lanes' addresses lie */
    bool no_change; /* ATOMIC_LOOP: min or max that changes nothing in any lane leaves at once */
    bool uniform;   /* the active lanes' addresses are known to be one; false: nobody has looked */
    const uint64_t *address; /* [32]; those of inactive lanes are not read */
    const uint64_t *source;  /* [32]; cp.async only: global addresses */
    uint32_t idle;           /* cp.async: lanes that read nothing, and write zeros */
    /* [32]; SPACE_GENERIC, loads and stores in the shared memory of a cluster: ranks of the blocks that
     * addresses lie in, or BLOCK_OWN; NULL: not told */
    const uint8_t *block;
} Access;

/* The lanes of a mask, one after the other. */
#define for_lanes(lane, mask)                                                                      \
    for (uint32_t rest_##lane = (mask), lane = 0;                                                  \
         rest_##lane && (lane = (uint32_t)__builtin_ctz(rest_##lane), 1);                          \
         rest_##lane &= rest_##lane - 1)

typedef struct SharedCost {
    uint32_t wavefronts;
    uint32_t ideal;     /* memory_l1_wavefronts_shared_ideal */
    uint32_t conflicts; /* wavefronts - lane groups with an active lane: l1tex__data_bank_conflicts
                           of one warp */
} SharedCost;

typedef struct GlobalCost {
    uint32_t sectors;      /* distinct 32-byte sectors (for cp.async.cg: transfers) */
    uint32_t ideal;        /* min(sectors, ceil(active lanes * width / 32)) */
    uint32_t tag_requests; /* distinct 128-byte lines */
    uint32_t bytes_used;   /* distinct bytes that the active lanes touch */
} GlobalCost;

/* ---- banks.c: shared memory; atomics.c: its atomics; cp_async.c ---- */

SharedCost mem_shared(const Access *access); /* every AccessKind; docs/memory-model.md, section 1 */

/* Of the lanes of a compare-and-swap that tries (ACCESS_ATOMIC_CAST) those that come first on their banks:
 * the others fail, whatever their words hold. */
uint32_t mem_cast_lanes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width);

/* ---- schedule.c: which lanes are served together, and why; of cp.async: cp_async.c ---- */

/* How a lane came to its wavefront. */
typedef enum Service {
    SERVED_NOT,  /* inactive, names no row (ldmatrix), or lane `with` overwrites it (cp.async.cg) */
    SERVED_FREE, /* no lane of its group that came before it has its banks */
    SERVED_WITH, /* what lane `with` is given is what it asks for, too */
    SERVED_AFTER, /* lane `with` has its bank (of cp.async: of its source or its destination) */
} Service;

/* One order of service that takes as many wavefronts as mem_shared says: groups in turn, in each the
 * lower lanes first. (What the hardware does first within a group cannot be measured.)
 *
 * What is compiled to a loop is scheduled by rounds: mem_shared is the sum over the rounds of
 * wavefronts * passes + swaps, the first of the access, the next of its lanes `left`, until none is. */
typedef struct Schedule {
    uint32_t wavefronts; /* each serves a lane */
    uint32_t passes;     /* that each of them is: 1; 2 for a compare-and-swap */
    uint32_t swaps;  /* of a loop's round: wavefronts of its compare-and-swap, after the load's */
    uint32_t left;   /* of a loop: lanes that have to go another round */
    uint32_t groups; /* with an active lane, after merging */
    uint32_t lanes;  /* that are served, the others SERVED_NOT; of these: */
    uint8_t wavefront[WARP_LANES]; /* from 0 */
    uint8_t group[WARP_LANES];     /* from 0, in the order of service */
    uint8_t with[WARP_LANES];      /* a lane; its own where there is none to name */
    Service served[WARP_LANES];
} Schedule;
void mem_schedule(const Access *access, Schedule *schedule);

/* ---- sectors.c: global and local memory ---- */

GlobalCost
mem_global(const Access *access); /* loads, stores, atomics by address; cp.async by source */
/* Word k of lane L lies at (k*32 + L)*4, so lanes that read the same word of theirs are coalesced.
 */
GlobalCost mem_local(const Access *access);
/* Distinct addresses among the active lanes: constant-cache accesses serialise over them. */
uint32_t mem_constant(const Access *access);

/* ---- passes.c: the clocks that L1 takes ---- */

/* Of lines that are looked up: as many as the fullest of four banks of tags has. */
uint32_t mem_tag_passes(const uint64_t address[WARP_LANES], uint32_t mask);
/* Of a load from global memory that finds its lines: of its tags or its data, whichever takes longer. */
uint32_t mem_load_passes(const Access *access);

/* ---- copies.c: bulk and tensor copies ---- */

/* Where the bytes come from and go to, and where they are counted. */
typedef enum CopyWay {
    COPY_LOAD,           /* from global to shared memory: of the source */
    COPY_FILL,           /* zeros to shared memory, for what lies outside of a tensor; no source */
    COPY_MULTICAST,      /* as COPY_LOAD to several blocks: once for all of them */
    COPY_MULTICAST_MADE, /* the same, of elements that are converted, or cut off within 16 bytes */
    COPY_MULTICAST_FILL, /* as COPY_FILL */
    COPY_STORE, /* to global memory, or added to it, or to another block's: of the destination */
    COPY_SEND   /* to the shared memory of another block: of the destination */
} CopyWay;

/* Sectors of 32 bytes between an SM and L2, or another SM. Addresses and bytes are multiples of 16. */
uint64_t mem_copy_sectors(CopyWay way, uint64_t from, uint64_t to, uint64_t bytes);

/* Wavefronts that matrices of wgmma take, of so many bytes: of no layout are there conflicts. */
static inline uint64_t mem_matrix_wavefronts(uint64_t bytes) {
    return bytes / LINE_BYTES;
}

/* ---- remote.c: shared memory of other blocks of the cluster ---- */

typedef struct RemoteCost {
    uint32_t sectors;    /* l1tex__t_sectors_pipe_lsu_mem_dshared */
    uint32_t lines;      /* l1tex__t_set_accesses_pipe_lsu_mem_dshared */
    uint32_t wavefronts; /* l1tex__t_output_wavefronts_pipe_lsu_mem_dshared */
} RemoteCost;

/* LOAD and STORE, with access->block. Lanes of the own block have no part in it. */
RemoteCost mem_remote(const Access *access);

/* ---- layout.c: other places for the bytes of a shared array ---- */

typedef enum LayoutKind {
    LAYOUT_PLAIN,
    LAYOUT_PADDED,   /* `pad` bytes after every `pitch` bytes, and `pad2` after every `pitch2` */
    LAYOUT_SWIZZLED, /* CuTe's Swizzle<bits, base, shift> on byte offsets */
    LAYOUT_XORED, /* any map, linear over GF(2), of a line's number into the banks of its bytes */
    /* `rows` rows of `pitch` bytes, stored column by column; the same again every rows * pitch bytes. A
     * column is `element` bytes wide: with more than one element, dimensions before the last change places. */
    LAYOUT_TRANSPOSED
} LayoutKind;

enum { LAYOUT_XORS = 11 }; /* bits of a line's number: an SM has less than 2^18 bytes */

typedef struct Layout {
    LayoutKind kind;
    uint32_t pitch, pad, pitch2, pad2; /* pitch2: a multiple of pitch; 0: no second padding */
    uint32_t bits, base, shift;        /* base: also of LAYOUT_XORED, the bits that stay together */
    /* LAYOUT_XORED: xor[j] is XORed into the offset if bit j of offset / 128 is set. Below 128, a
     * multiple of 1 << base. */
    uint8_t xor [LAYOUT_XORS];
    uint32_t rows, element; /* element: bytes */
} Layout;

/* Where the byte at `offset` of the array is then. One to one. */
uint64_t layout_offset(const Layout *layout, uint64_t offset);
uint64_t layout_bytes(const Layout *layout, uint64_t bytes); /* of an array of `bytes` */
/* Where a variable begins that is placed behind `end`: aligned as its declaration says, a dynamic array
 * at 16 bytes at least. */
uint64_t layout_place(uint64_t end, uint32_t align, bool dynamic);
/* Bytes that stay together: every aligned piece of so many has aligned consecutive places. At most
 * 128. */
uint32_t layout_chunk(const Layout *layout);

/* layout_text.c: "padded:128,4,0,0", for other processes to read. false: it is no such text. */
const char *layout_text(Arena *arena, const Layout *layout);
bool layout_parse(const char *text, Layout *layout);

/* An access that ptxas merges from several (docs/memory-model.md, section 5): of its `width` bytes per
 * lane the elements of `used` (bit i: element i) are asked for. Where a layout takes the alignment away,
 * it falls apart again. */
typedef struct MergedAccess {
    uint32_t width, element, used;
} MergedAccess;
typedef struct MergedPiece {
    uint32_t first, bytes;
} MergedPiece;
enum { LAYOUT_PIECES = 8 };
/* Returns the number of pieces. */
uint32_t layout_split(const Layout *layout, const MergedAccess *merged, bool load,
                      MergedPiece pieces[LAYOUT_PIECES]);

/* ---- storage.c: other places for the bytes of an array in global memory ---- */

typedef enum StorageKind {
    STORAGE_PLAIN,
    STORAGE_PITCHED,   /* `pad` bytes after each row of `pitch` bytes */
    STORAGE_FIELDS,    /* structures of `pitch` bytes: an array for each field */
    STORAGE_TRANSPOSED /* rows of `pitch` bytes: stored column by column */
} StorageKind;

enum { STORAGE_FIELDS_MOST = 32 };

typedef struct Storage {
    StorageKind kind;
    uint64_t lead; /* bytes before the array: where its beginning moves to */
    uint64_t pitch, pad;
    uint64_t rows;    /* FIELDS, TRANSPOSED: whole ones; the bytes behind them stay behind */
    uint32_t element; /* TRANSPOSED: bytes */
    uint32_t field_count;
    uint32_t fields[STORAGE_FIELDS_MOST]; /* FIELDS: where each begins in the structure, from 0 */
} Storage;

/* Where the byte at `offset` of the array is then, from a multiple of 512. One to one. */
uint64_t storage_offset(const Storage *storage, uint64_t offset);
uint64_t storage_bytes(const Storage *storage, uint64_t bytes); /* of an array of `bytes` */
/* storage_text.c: "plain:LEAD", "pitched:LEAD,PITCH,PAD", "transposed:LEAD,PITCH,ROWS,ELEMENT",
 * "fields:LEAD,PITCH,ROWS,0,FIELD…" in ascending order. false: it is no such text. */
bool storage_parse(const char *text, Storage *storage);
const char *storage_text(Arena *arena, const Storage *storage);

/* ---- pattern.c: the fast paths ----
 * Most accesses are affine in the lane number: address[l] = base + l * stride for all 32 lanes, or for each
 * half-warp on its own (blocks 16 wide). Then counts have closed forms or a small table. */

typedef struct Pattern {
    bool affine; /* all 32 lanes active and base[0] + l * stride[0] */
    /* all 32 lanes active, each half-warp h affine: base[h] + (l - 16 h) * stride[h] */
    bool halves;
    uint64_t base[2];
    int64_t stride[2];
} Pattern;

/* Neither flag is set where the lanes are not all active or the addresses follow no such rule. */
Pattern pattern_of(const uint64_t address[WARP_LANES], uint32_t mask);
/* Of one that is affine or halves, the addresses. */
void pattern_addresses(const Pattern *pattern, uint64_t address[WARP_LANES]);
/* The numbers that mem_shared and mem_global give (tested to be), for a pattern that is affine or
 * halves; kind: LOAD or STORE. No wavefronts, no sectors: there is no closed form, ask mem_shared or
 * mem_global. Adding a multiple of 4 bytes to all addresses does not change what pattern_shared gives,
 * nor a multiple of 128 what pattern_global does. */
SharedCost pattern_shared(const Pattern *pattern, AccessKind kind, uint32_t width);
GlobalCost pattern_global(const Pattern *pattern, uint32_t width);
