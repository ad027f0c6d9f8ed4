/* device: what the patched instructions of a kernel call on the GPU. Each is called by every active lane of the instruction; lanes
 * find what the access costs (rules.h) and add it to the slot of the instruction (table.h).
 *
 * Compiled to device.ptx, which is in the tree, and that by ptxas --compile-as-tools-patch for the GPU at hand. There
 * `redux` is refused, and registers are few. */
#include "probe/device/rules.h"
#include "probe/device/sums.h"
#include "probe/device/table.h"
#include "probe/device/tile.h"

typedef unsigned long long U64;

/* A patch that calls another function breaks kernels that call functions themselves (seen on an H100): each is one piece. */
#define INLINE static __device__ __forceinline__

INLINE LaneSet active_lanes(void) {
    LaneSet warp = {__activemask()};
    return warp;
}

INLINE bool leads(LaneSet warp) {
    return lane_self() == lowest_of(warp.mask);
}

INLINE uint32_t from_leader(LaneSet warp, uint32_t value) {
    return __shfl_sync(warp.mask, value, lowest_of(warp.mask));
}

/* ---- putting aside ---- */

/* Registers of patches are few, and those beyond the first fourteen are saved when a patch begins, which costs more than all that it
 * does. So what is rare puts values aside in memory, which volatile keeps there. */
typedef struct Shelf {
    uint32_t at[4];
} Shelf;
enum { SHELF_ADDRESS = 0, SHELF_WHAT = 2 }; /* places */

INLINE void put_aside(Shelf *shelf, uint32_t place, uint32_t value) {
    asm volatile("st.local.u32 [%0], %1;" ::"l"(__cvta_generic_to_local(&shelf->at[place])),
                 "r"(value)
                 : "memory");
}

INLINE uint32_t take_back(const Shelf *shelf, uint32_t place) {
    uint32_t value;
    asm volatile("ld.local.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(__cvta_generic_to_local(&shelf->at[place]))
                 : "memory");
    return value;
}

INLINE void put_aside64(Shelf *shelf, uint32_t place, uint64_t value) {
    put_aside(shelf, place, (uint32_t)value);
    put_aside(shelf, place + 1, (uint32_t)(value >> 32));
}

INLINE uint64_t take_back64(const Shelf *shelf, uint32_t place) {
    return take_back(shelf, place) | (uint64_t)take_back(shelf, place + 1) << 32;
}

/* ---- slots ---- */

INLINE bool is_slot(uint32_t slot) {
    return slot != 0 && slot != PROBE_FULL;
}

/* What the table names as an offset. */
INLINE void *part_of(const ProbeTable *table, uint32_t offset) {
    return (char *)table + offset;
}

/* place: in bytes, so that it is one register. */
INLINE ProbeCell *cell_at(const ProbeTable *table, uint32_t place) {
    return (ProbeCell *)((char *)table - sizeof(ProbeCell) - place);
}

INLINE uint32_t first_place(const ProbeTable *table, uint32_t key) {
    return (PROBE_CELL(key) & table->cell_mask) * sizeof(ProbeCell);
}

/* The launch's, which the API does not tell. */
INLINE void note_shared(ProbeTable *table) {
    uint32_t bytes;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    *(volatile uint32_t *)&table->dynamic_shared = bytes + 1;
}

/* Gives an instruction that is executed for the first time a slot; its cell is ours. Returns the slot's number + 1, or PROBE_FULL. */
INLINE uint32_t new_slot(ProbeTable *table, uint32_t place, uint32_t key, const Shelf *shelf) {
    uint32_t slot = atomicAdd(&table->used, 1u);
    note_shared(table);
    if (slot < table->slot_limit) {
        uint32_t *at = (uint32_t *)((ProbeKey *)part_of(table, table->keys) + slot);
        at[0] = key;
        at[1] = take_back(shelf, SHELF_WHAT);
        slot++;
    } else {
        slot = PROBE_FULL;
    }
    atomicExch(&cell_at(table, place)->slot, slot);
    return slot;
}

/* Finds it, or makes it: one, however many warps come at once. By the leader. */
INLINE uint32_t find_slot(ProbeTable *table, uint32_t key, const Shelf *shelf) {
    asm volatile("" : "+r"(key)); /* what was made of it is not kept */
    uint32_t place = first_place(table, key), found;
    ROLLED
    for (;;) {
        found = *(volatile uint32_t *)&cell_at(table, place)->key;
        if (found == 0)
            found = atomicCAS(&cell_at(table, place)->key, 0u, key);
        if (found == 0)
            return new_slot(table, place, key, shelf);
        if (found == key)
            break;
        place = place == table->cell_mask * sizeof(ProbeCell) ? 0 : place + sizeof(ProbeCell);
        if (place == first_place(table, key))
            return PROBE_FULL;
    }
    do /* by another warp, which needs nobody to go on */
        found = *(volatile uint32_t *)&cell_at(table, place)->slot;
    while (found == 0);
    return found;
}

/* Returns the slot + 1, or 0 where it is not known at once, to all lanes. */
INLINE uint32_t known_slot(const ProbeTable *table, uint32_t key) {
    ProbeCell cell = *cell_at(table, first_place(table, key)); /* an old value is none */
    return cell.key == key && is_slot(cell.slot) ? cell.slot : 0;
}

/* Returns the slot + 1, or 0, to all lanes. */
INLINE uint32_t made_slot(LaneSet warp, ProbeTable *table, uint32_t key, const Shelf *shelf) {
    uint32_t slot = 0;
    if (leads(warp)) {
        slot = find_slot(table, key, shelf);
        if (slot == PROBE_FULL) {
            atomicAdd(&table->lost, 1u);
            slot = 0;
        }
    }
    return from_leader(warp, slot);
}

/* ---- sums ---- */

/* Where this multiprocessor adds to the sums of a slot. */
INLINE U64 *place_of(const ProbeTable *table, uint32_t slot) {
    uint32_t unit, copies = table->copies;
    asm("mov.u32 %0, %%smid;" : "=r"(unit));
    return (U64 *)part_of(table, table->sums) +
           ((slot - 1) * copies + (unit & (copies - 1))) * PROBE_SUMS;
}

/* One reduction of as many lanes as there are sums, side by side in memory. */
INLINE void add_sums(LaneSet warp, U64 *to, const RuleSums *sums) {
    uint32_t step = bits_of(warp.mask);
    ROLLED
    for (uint32_t i = bits_of(warp.mask & lanes_below(lane_self())); i < PROBE_SUMS; i += step) {
        uint32_t value = sums->at0;
        value = i == 1 ? sums->at1 : value;
        value = i == 2 ? sums->at2 : value;
        value = i == 3 ? sums->at3 : value;
        value = i == 4 ? sums->at4 : value;
        value = i == 5 ? sums->at5 : value;
        value = i == 6 ? sums->at6 : value;
        value = i == 7 ? sums->at7 : value;
        if (value)
            asm volatile("red.global.add.u64 [%0], %1;" ::"l"(to + i), "l"((U64)value) : "memory");
    }
}

/* ---- samples ---- */

INLINE uint32_t block_number(void) {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

/* The lanes' addresses, which are put aside, while there are places; source: of cp.async. */
INLINE void take_sample(LaneSet warp, ProbeTable *table, uint32_t slot, const Shelf *shelf,
                        uint64_t source, uint32_t records) {
    uint32_t place = UINT32_MAX;
    uint32_t *sampled = (uint32_t *)part_of(table, table->sampled) + (slot - 1);
    if (leads(warp))
        note_shared(table);
    if (leads(warp) && atomicAdd(sampled, 1u) < table->sample_most) {
        place = atomicAdd(&table->samples, records);
        if (place + records > table->sample_limit) {
            if (place < table->sample_limit) /* half of a pair has room: it stays empty */
                ((ProbeSample *)part_of(table, table->records) + place)->mask = 0;
            place = UINT32_MAX;
        }
    }
    place = from_leader(warp, place);
    if (place == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < records; i++) {
        ProbeSample *sample = (ProbeSample *)part_of(table, table->records) + place + i;
        uint32_t *address = (uint32_t *)&sample->address[lane_self()];
        address[0] = i ? (uint32_t)source : take_back(shelf, SHELF_ADDRESS);
        address[1] = i ? (uint32_t)(source >> 32) : take_back(shelf, SHELF_ADDRESS + 1);
        if (leads(warp)) {
            sample->slot = slot - 1;
            sample->mask = warp.mask;
            sample->block = block_number();
            sample->source = i;
        }
    }
}

INLINE bool is_sampled(const ProbeTable *table) {
    return table->block_value == 0 && (block_number() & table->block_mask) == 0;
}

/* ---- what patches call: SanitizerCallback… of the API; 0 is success ---- */

#define PATCH extern "C" __device__ __noinline__ int

/* part, flags, width, matrices as bytes of a ProbeKey: one register. */
INLINE uint32_t what_of(ProbePart part, uint32_t flags, uint32_t width, uint32_t matrices) {
    uint32_t what = (uint32_t)part | (flags & 0xff) << 8 | width << 16 | matrices << 24;
    asm volatile("" : "+r"(what));
    return what;
}

INLINE uint32_t width_of(uint32_t what) {
    return what >> 16 & 0xff;
}

/* Returns the slot + 1, or 0, to all lanes. */
INLINE uint32_t slot_of(LaneSet warp, ProbeTable *table, uint32_t key, uint32_t what) {
    uint32_t slot = known_slot(table, key);
    if (!slot) {
        Shelf shelf;
        put_aside(&shelf, SHELF_WHAT, what);
        slot = made_slot(warp, table, key, &shelf);
    }
    return slot;
}

/* Finds the slot and takes a sample, before the cost is found, which leaves registers for that. NULL: nothing is to be added. */
INLINE U64 *begin(LaneSet warp, ProbeTable *table, uint64_t pc, uint32_t *what, uint64_t *address) {
    uint32_t key = PROBE_CELL_KEY(pc, *what), slot = known_slot(table, key);
    Shelf shelf;
    if (!slot || is_sampled(table)) {
        put_aside64(&shelf, SHELF_ADDRESS, *address);
        put_aside(&shelf, SHELF_WHAT, *what);
        if (!slot)
            slot = made_slot(warp, table, key, &shelf);
        if (slot && is_sampled(table))
            take_sample(warp, table, slot, &shelf, 0, 1);
        *address = take_back64(&shelf, SHELF_ADDRESS);
        *what = take_back(&shelf, SHELF_WHAT);
    }
    return slot ? place_of(table, slot) : 0;
}

/* Of a load whose lanes use only a part of what it brings, the API tells that part: 12 bytes of an LDS.128. The costs are those of
 * the whole. */
INLINE void whole_access(uint64_t *address, uint32_t *width) {
    if (*width & (*width - 1)) {
        *width = rule_whole(*width);
        *address &= ~(uint64_t)(*width - 1);
    }
}

PATCH warplens_global(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    uint64_t at = (uint64_t)address;
    whole_access(&at, &width);
    uint32_t what = what_of(PROBE_GLOBAL, flags, width, 0);
    U64 *to = begin(warp, (ProbeTable *)data, pc, &what, &at);
    if (!to)
        return 0;
    RuleSums sums = sums_global(warp, at, width_of(what));
    add_sums(warp, to, &sums);
    return 0;
}

/* width: a constant, which saves registers. */
INLINE RuleSums sums_of_width(LaneSet warp, uint32_t what, uint64_t address, uint32_t width) {
    return (what & 0xff) == PROBE_ATOMIC ? sums_atomic(warp, address, width)
           : what >> 8 & PROBE_WRITE     ? sums_store(warp, address, width)
                                         : sums_load(warp, address, width);
}

PATCH warplens_shared(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    uint64_t at = (uint32_t)(uint64_t)address;
    whole_access(&at, &width);
    bool atomic = (flags & (PROBE_READ | PROBE_WRITE)) == (PROBE_READ | PROBE_WRITE);
    uint32_t what = what_of(atomic ? PROBE_ATOMIC : PROBE_SHARED, flags, width, 0);
    U64 *to = begin(warp, (ProbeTable *)data, pc, &what, &at);
    if (!to)
        return 0;
    RuleSums sums;
    if ((what & 0xff) == PROBE_SHARED && width_of(what) < 8) {
        sums = sums_store(warp, at, 4);
    } else {
        Shelf shelf;
        put_aside64(&shelf, 0, (uint64_t)to);
        sums = width_of(what) == 16  ? sums_of_width(warp, what, at, 16)
               : width_of(what) == 8 ? sums_of_width(warp, what, at, 8)
                                     : sums_of_width(warp, what, at, 4);
        to = (U64 *)take_back64(&shelf, 0);
    }
    add_sums(warp, to, &sums);
    return 0;
}

PATCH warplens_local(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                     const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    uint64_t at = (uint64_t)address;
    whole_access(&at, &width);
    uint32_t what = what_of(PROBE_LOCAL, flags, width, 0);
    U64 *to = begin(warp, (ProbeTable *)data, pc, &what, &at);
    if (!to)
        return 0;
    RuleSums sums = sums_local(warp, at, width_of(what));
    add_sums(warp, to, &sums);
    return 0;
}

PATCH warplens_remote(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    ProbeTable *table = (ProbeTable *)data;
    uint32_t what = what_of(PROBE_REMOTE, flags, width, 0), key = PROBE_CELL_KEY(pc, what);
    RuleSums sums = sums_lanes(warp);
    uint32_t slot = slot_of(warp, table, key, what);
    if (slot)
        add_sums(warp, place_of(table, slot), &sums);
    return 0;
}

PATCH warplens_matrix(void *data, uint64_t pc, uint32_t address, uint32_t width, uint32_t flags,
                      uint32_t matrices, const void *value) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    uint64_t at = address;
    uint32_t what = what_of(PROBE_MATRIX, flags, 16, matrices);
    U64 *to = begin(warp, (ProbeTable *)data, pc, &what, &at);
    if (!to)
        return 0;
    RuleSums sums = sums_matrix(warp, at, what >> 24);
    add_sums(warp, to, &sums);
    return 0;
}

/* Adds to the slot of a part. */
INLINE uint32_t add_part(LaneSet warp, ProbeTable *table, uint64_t pc, ProbePart part,
                         uint32_t width, const RuleSums *sums) {
    uint32_t what = what_of(part, 0, width, 0);
    uint32_t slot = slot_of(warp, table, PROBE_CELL_KEY(pc, what), what);
    if (slot)
        add_sums(warp, place_of(table, slot), sums);
    return slot;
}

PATCH warplens_copy(void *data, uint64_t pc, void *source, uint32_t address, uint32_t width) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    ProbeTable *table = (ProbeTable *)data;
    uint64_t from = (uint64_t)source;
    CopySums ca = sums_copy_ca(warp, address, from, width);
    add_part(warp, table, pc, PROBE_SOURCE, width, &ca.source);
    uint32_t slot = add_part(warp, table, pc, PROBE_COPY, width, &ca.shared);
    if (slot && is_sampled(table)) {
        Shelf shelf;
        put_aside64(&shelf, SHELF_ADDRESS, address);
        take_sample(warp, table, slot, &shelf, from, 2);
    }
    if (width == 16) {
        RuleSums cg = sums_copy_cg(warp, address, from);
        add_part(warp, table, pc, PROBE_COPY_CG, width, &cg);
    }
    return 0;
}

/* ---- of which nothing is modelled beyond their bytes ---- */

INLINE int add_moved(void *data, uint64_t pc, uint32_t lanes, uint32_t bytes, uint32_t global,
                     uint32_t shared) {
    RuleSums sums = {1, lanes, bytes, global, shared, 0, 0, 0};
    if (data)
        add_part(active_lanes(), (ProbeTable *)data, pc, PROBE_MOVED, 0, &sums);
    return 0;
}

/* Bulk copies and reductions are done once for all lanes. size: in 16 bytes; of copies to several blocks, these above it. */
PATCH warplens_bulk_in(void *data, uint64_t pc, uint64_t from, uint32_t to, uint32_t barrier,
                       uint32_t size, uint32_t several) {
    uint32_t bytes = (size & 0xffff) * 16;
    return add_moved(data, pc, 1, bytes, bytes, several ? bits_of(size >> 16) * bytes : bytes);
}

PATCH warplens_bulk_out(void *data, uint64_t pc, uint64_t to, uint32_t from, uint32_t size) {
    return add_moved(data, pc, 1, size * 16, size * 16, size * 16);
}

PATCH warplens_bulk_within(void *data, uint64_t pc, uint32_t from, uint32_t to, uint32_t barrier,
                           uint32_t size) {
    return add_moved(data, pc, 1, size * 16, 0, 2 * size * 16);
}

/* mode: 0: a tile. mask: above 16 bits, the blocks that get the box. */
PATCH warplens_tensor_load(void *data, uint64_t pc, uint64_t map, uint32_t to, uint32_t barrier,
                           int32_t x, int32_t y, int32_t z, int32_t u, int32_t v,
                           uint32_t dimensions, uint32_t several, uint32_t mask, uint32_t mode) {
    const int32_t at[TILE_RANK_MOST] = {x, y, z, u, v};
    TileRule tile = {0, 0};
    if (data && mode == 0)
        tile = rule_tile((const uint32_t *)map, at);
    return add_moved(data, pc, 1, tile.bytes, tile.inside,
                     several ? bits_of(mask >> 16) * tile.bytes : tile.bytes);
}

PATCH warplens_async_store(void *data, uint64_t pc, uint32_t address, uint32_t barrier, void *value,
                           uint32_t width) {
    uint32_t lanes = bits_of(__activemask());
    return add_moved(data, pc, lanes, lanes * width, 0, lanes * width);
}

PATCH warplens_async_reduction(void *data, uint64_t pc, uint32_t address, uint32_t barrier,
                               uint32_t width) {
    uint32_t lanes = bits_of(__activemask());
    return add_moved(data, pc, lanes, lanes * width, 0, lanes * width);
}

/* What the four warps of a group read is counted with the first. */
PATCH warplens_wgmma(void *data, uint64_t pc, uint32_t a, uint32_t a_bytes, uint32_t b,
                     uint32_t b_bytes, uint32_t flags, uint32_t mask) {
    enum { GROUP_LANES = 4 * PROBE_LANES };
    uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    uint32_t bytes = thread % GROUP_LANES < PROBE_LANES ? a_bytes + b_bytes : 0;
    return mask ? add_moved(data, pc, PROBE_LANES, bytes, 0, bytes) : 0;
}
