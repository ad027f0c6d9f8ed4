/* account: what accesses cost the instructions that make them, and what is written down of them.
 *
 *   site, Access --> counters of the site
 *                --> evidence: which patterns each site has, in the blocks that are recorded
 *                --> the bytes of global memory that these blocks read and write
 *
 * Invariants
 *   - access_cost is where the numbers of the memory model become counters. Whatever else gives a
 *     cost (KnownCost, KnownAccess, compiled code) has asked access_cost once and remembers its answer.
 *   - It may do so since the answer stays the same when all addresses move by LINE_BYTES, in shared
 *     memory by BANK_BYTES (but not below an access's own alignment). Each counter must be so, but those of
 *     other blocks' memory, which are not remembered.
 *   - An Account belongs to one worker: nothing here is locked. What several add up to does not
 *     depend on which of them counted what.
 *
 * What it does not do: see kernels, warps or memory; it is told of each access, once. */
#pragma once

#include "mem/mem.h"
#include "prof/prof.h"

/* ---- cost.c ---- */

/* Adds what an access costs. pattern: of its addresses, which makes it faster, or NULL. */
void access_cost(Counters *sum, const Access *access, const Pattern *pattern);

/* What is asked of memory without the addresses of lanes that a cost could follow from: one copy, or what
 * the lanes of a warp store, fetch or multiply together. The bytes that were asked for, and those
 * that are read and written in global and in shared memory for it. */
typedef struct Traffic {
    uint32_t lanes; /* 0: one */
    uint64_t bytes, global, shared;
    uint64_t sectors;    /* that a copy moves; 0: not modelled */
    uint32_t wavefronts; /* that wgmma's matrices take */
    uint8_t matrices[4]; /* that wgmma reads: without a swizzle, with one of 32, 64, 128 bytes */
} Traffic;
void traffic_cost(Counters *sum, const Traffic *traffic);

/* ---- known.c: costs of loads and stores of all lanes at runs of addresses ---- */

/* What the cost of a load or store in shared, global or constant memory depends on beside its addresses,
 * as a number from 1. */
uint32_t cost_key(AccessKind kind, Space space, uint32_t width);

/* Addresses, and what tells runs apart that differ in more than where they begin. */
typedef struct AddressRuns {
    Pattern pattern;
    uint64_t apart; /* the second half-warp's first address less the first one's */
    uint64_t shape; /* a hash of that and the strides */
} AddressRuns;

enum { KNOWN_COST_BITS = 8 };
typedef struct KnownCost {
    uint64_t kind; /* cost_key, and the first address in its line or word; 0: none yet */
    uint64_t apart;
    int64_t stride[2];
    Counters cost;
} KnownCost;

/* Fills the row with the cost of such an access `offset` bytes from the runs. */
void known_fill(KnownCost *known, uint64_t kind, const AddressRuns *runs, uint64_t offset);

static inline void runs_shape(AddressRuns *runs) {
    const Pattern *pattern = &runs->pattern;
    runs->apart = pattern->base[1] - pattern->base[0];
    runs->shape = (uint64_t)pattern->stride[0] * UINT64_C(0xd1342543de82ef95) +
                  (uint64_t)pattern->stride[1] * UINT64_C(0xc2b2ae3d27d4eb4f) +
                  runs->apart * UINT64_C(0x9fb21c651e98df25);
}

/* What the access costs `offset` bytes from the runs, until the next call. Accesses of a loop are a few
 * cases again and again. (One comparison after the other: as a vector, fields that were just written
 * one by one would have to be waited for.) */
static inline const Counters *known_cost(KnownCost *all, const AddressRuns *runs, uint64_t offset,
                                         uint32_t key, bool shared) {
    const Pattern *pattern = &runs->pattern;
    uint64_t place = (pattern->base[0] + offset) & (shared ? BANK_BYTES - 1 : LINE_BYTES - 1);
    uint64_t kind = place << 32 | key;
    uint64_t hash = runs->shape + kind * UINT64_C(0x9e3779b97f4a7c15);
    KnownCost *known = &all[hash >> (64 - KNOWN_COST_BITS)];
    if (known->kind != kind || known->apart != runs->apart ||
        known->stride[0] != pattern->stride[0] || known->stride[1] != pattern->stride[1])
        known_fill(known, kind, runs, offset);
    return &known->cost;
}

/* ---- evidence.c ---- */

typedef struct Extent {
    uint64_t first, bytes;
} Extent;

/* Where addresses lie: evidence is kept by variable. */
typedef struct AddressMap {
    const Extent *shared; /* variables of the block's shared memory */
    uint32_t shared_count;
    const void *memory;
    /* The allocation of global memory that holds the address, and its number; false: none. */
    bool (*find)(const void *memory, uint64_t address, Extent *extent, uint32_t *number);
    uint64_t period; /* offsets in an allocation are told apart modulo this */
} AddressMap;

typedef struct Evidence Evidence;
/* all: every pattern is kept; else as many as there is room for, of which no sum is missing. */
Evidence *evidence_new(Arena *arena, const AddressMap *map, bool all);
/* The access, `times` times. Returns the number of its record; NONE: it is not kept. */
uint32_t evidence_record(Evidence *evidence, uint32_t site, const Access *access, uint64_t times);
/* The same for a load or store of all lanes whose addresses are runs. anchor: where the allocation
 * begins, in global memory; 0: shared memory. */
void evidence_record_runs(Evidence *evidence, uint32_t site, const Pattern *pattern,
                          uint64_t anchor);
/* Nothing is recorded in one afterwards, and its arena stays as long as all does. */
void evidence_join(Evidence *all, Evidence *one);
/* Adds its patterns to the profile (the most frequent ones, or all), equal ones as one, in an order that does not depend on how
 * they came here. first_site: of the kernel. Returns how many executions were recorded of other patterns. */
uint64_t evidence_save(Evidence *evidence, Profile *profile, Arena *arena, uint32_t launch,
                       uint32_t first_site);

/* ---- bytes.c: the bytes of global memory that recorded blocks touch ---- */

typedef struct ByteMap ByteMap;
ByteMap *bytes_new(Arena *arena, bool by_blocks);
void bytes_access(ByteMap *map, uint32_t block, const Access *access);
void bytes_range(ByteMap *map, uint32_t block, uint64_t address, uint64_t bytes, bool stored);
/* The same for a load or store of all lanes whose addresses are runs. */
void bytes_runs(ByteMap *map, uint32_t block, const Pattern *pattern, uint32_t width, bool stored);
/* Nothing is marked in one afterwards, and its arena stays as long as all does. */
void bytes_join(ByteMap *all, ByteMap *one);
/* Each sector once, however often it was accessed; bytes: those of the sectors that were asked for. */
typedef struct Footprint {
    uint64_t loaded_sectors, loaded_bytes, stored_sectors, stored_bytes;
    uint64_t loaded_by_blocks; /* loaded sectors summed over blocks; 0: all blocks were recorded */
} Footprint;
Footprint bytes_sum(const ByteMap *map);

/* ---- account.c ---- */

/* In cache lines of its own, since every access adds to them by vectors. */
typedef struct SiteCounters {
    _Alignas(64) Counters sum;
    /* account_cost: accesses in a row that were new, and how many are not looked up for that. */
    uint32_t misses, passes;
} SiteCounters;

/* An access that is no run, and what it costs. */
enum { KNOWN_ACCESS_BITS = 7 };
typedef struct KnownAccess {
    uint64_t kind; /* what the cost depends on beside the places; 0: none yet */
    Counters cost;
    uint64_t place[WARP_LANES];  /* from the line of the first active lane; of the others 0 */
    uint64_t source[WARP_LANES]; /* the same of cp.async's sources */
} KnownAccess;

typedef struct Transcript Transcript; /* again.h */

/* What a worker has counted in a launch. */
typedef struct Account {
    SiteCounters *sites;
    KnownCost *known;   /* [1 << KNOWN_COST_BITS] */
    KnownAccess *again; /* [1 << KNOWN_ACCESS_BITS], by a hash of their places */
    Evidence *evidence; /* of recorded blocks; NULL: none */
    ByteMap *bytes;     /* that these touch; NULL: none */
    /* of the block at hand, which is recorded; NULL: it is not to be repeated */
    Transcript *transcript;
} Account;

Account account_make(Arena *arena, uint32_t site_count);
/* Begins with nothing counted; evidence is kept only after account_keep_evidence. */
void account_clear(Account *account, uint32_t site_count);
/* all: every pattern is kept. by_blocks: the footprint also says by how many blocks bytes are loaded. */
void account_keep_evidence(Account *account, Arena *arena, const AddressMap *map, bool all,
                           bool by_blocks);

/* What is recorded from now on is written down there, too; NULL: no more. */
void account_transcribe(Account *account, Transcript *transcript);
/* Where the bytes are marked that the access at hand touches. */
ByteMap *account_bytes(const Account *account);

/* known.c: access_cost, added to the counters of the site; what is no run is remembered. */
void account_cost(Account *account, uint32_t site, const Access *access, const Pattern *pattern);
/* Into evidence and footprint. block: its number among those that are recorded. */
void account_record(Account *account, uint32_t site, uint32_t block, const Access *access);
/* The same for a load or store of all lanes at runs of addresses; access: without addresses. anchor:
 * where the allocation begins, in global memory. */
void account_record_runs(Account *account, uint32_t site, uint32_t block, const Access *access,
                         const Pattern *pattern, uint64_t anchor);
