/* device: what the patched instructions of a kernel call on the GPU. Each is called by every active lane of the instruction; lanes
 * find what the access costs (rules.h) and add it to the slot of the instruction (table.h).
 *
 * Compiled to device.ptx, which is in the tree, and that by ptxas --compile-as-tools-patch for the GPU at hand. There
 * `redux` is refused, and registers are few. */
#include "probe/device/rules.h"
#include "probe/device/sums.h"
#include "probe/device/table.h"

typedef unsigned long long U64;

/* A patch that calls another function breaks kernels that call functions themselves (seen on an H100): each is one piece. */
#define INLINE static __device__ __forceinline__

INLINE LaneSet active_lanes(void) {
    LaneSet warp;
    warp.mask = __activemask();
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(warp.self));
    return warp;
}

INLINE bool leads(LaneSet warp) {
    return warp.self == lowest_of(warp.mask);
}

INLINE uint32_t from_leader(LaneSet warp, uint32_t value) {
    return __shfl_sync(warp.mask, value, lowest_of(warp.mask));
}

/* ---- slots ---- */

/* Where the slot of an instruction of another function is written down; NULL: no place is left. By the leader alone. */
INLINE uint32_t *foreign_cell(ProbeTable *table, uint64_t key) {
    U64 *keys = (U64 *)table->foreign_keys_at;
    uint32_t size = table->foreign_size, at = (uint32_t)((key * 0x9e3779b97f4a7c15ull) >> 32);
    for (uint32_t i = 0; i < size; i++, at++) {
        U64 *place = &keys[at & (size - 1)];
        U64 found = *(volatile U64 *)place;
        if (found == 0)
            found = atomicCAS(place, 0ull, (U64)key);
        if (found == 0 || found == key)
            return (uint32_t *)table->foreign_slots_at + (at & (size - 1));
    }
    return 0;
}

/* Gives a slot to an instruction that is executed for the first time: one, however many warps come at once. Returns its number + 1, or
 * PROBE_FULL. By the leader. */
INLINE uint32_t new_slot(ProbeTable *table, uint32_t *cell, uint64_t pc,
                                                 uint32_t what) {
    uint32_t found = atomicCAS(cell, 0u, PROBE_CLAIMED);
    if (found == 0) {
        uint32_t slot = atomicAdd(&table->used, 1u);
        bool left = slot < table->slot_limit;
        if (left) {
            ProbeKey *key = (ProbeKey *)table->keys_at + slot;
            key->pc = pc;
            *(uint32_t *)&key->part = what;
        }
        found = left ? slot + 1 : PROBE_FULL;
        atomicExch(cell, found);
    }
    while (found == PROBE_CLAIMED) /* by another warp, which needs nobody to go on */
        found = *(volatile uint32_t *)cell;
    return found;
}

INLINE bool is_slot(uint32_t cell) {
    return cell != 0 && cell < PROBE_CLAIMED;
}

/* Returns the slot + 1, or 0, to all lanes. what: part, flags, width, matrices as bytes of a ProbeKey. */
INLINE uint32_t slot_of(LaneSet warp, ProbeTable *table, uint64_t pc,
                                                   uint32_t what) {
    uint64_t insn = (pc - table->code) >> PROBE_INSN_SHIFT;
    uint32_t part = what & (PROBE_PARTS - 1), slot = 0;
    uint32_t *cell = (uint32_t *)table->map_at + insn * PROBE_PARTS + part;
    if (insn < table->insts) {
        slot = *(volatile uint32_t *)cell;
        if (is_slot(slot))
            return slot;
    }
    if (leads(warp)) {
        if (insn >= table->insts)
            cell = foreign_cell(table, pc * PROBE_PARTS + part);
        slot = cell ? *(volatile uint32_t *)cell : 0;
        if (cell && (slot == 0 || slot == PROBE_CLAIMED))
            slot = new_slot(table, cell, pc, what);
        if (!is_slot(slot)) {
            atomicAdd(&table->lost, 1u);
            slot = 0;
        }
    }
    return from_leader(warp, slot);
}

/* ---- sums ---- */

/* One reduction of as many lanes as there are sums, side by side in memory. */
INLINE void add_sums(LaneSet warp, const ProbeTable *table,
                                                uint32_t slot, const RuleSums *sums) {
    uint32_t unit;
    asm("mov.u32 %0, %%smid;" : "=r"(unit));
    uint32_t copies = table->copies;
    U64 *to = (U64 *)table->sums_at +
              ((uint64_t)(slot - 1) * copies + (unit & (copies - 1))) * PROBE_SUMS;
    uint32_t step = bits_of(warp.mask);
    for (uint32_t i = bits_of(warp.mask & lanes_below(warp.self)); i < PROBE_SUMS; i += step) {
        uint32_t value = i == 0   ? sums->at0
                         : i == 1 ? sums->at1
                         : i == 2 ? sums->at2
                         : i == 3 ? sums->at3
                         : i == 4 ? sums->at4
                         : i == 5 ? sums->at5
                         : i == 6 ? sums->at6
                                  : sums->at7;
        if (value)
            asm volatile("red.global.add.u64 [%0], %1;" ::"l"(to + i), "l"((U64)value) : "memory");
    }
}

/* ---- samples ---- */

INLINE uint32_t block_number(void) {
    return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}

/* The lanes' addresses, while there are places; source: of cp.async. */
INLINE void take_sample(LaneSet warp, ProbeTable *table, uint32_t slot,
                                                uint64_t address, uint64_t source, uint32_t records) {
    uint32_t place = UINT32_MAX;
    uint32_t *sampled = (uint32_t *)table->sampled_at + (slot - 1);
    if (leads(warp) && atomicAdd(sampled, 1u) < table->sample_most) {
        place = atomicAdd(&table->samples, records);
        if (place + records > table->sample_limit) {
            if (place < table->sample_limit) /* half of a pair has room: it stays empty */
                ((ProbeSample *)table->sample_at + place)->mask = 0;
            place = UINT32_MAX;
        }
    }
    place = from_leader(warp, place);
    if (place == UINT32_MAX)
        return;
    for (uint32_t i = 0; i < records; i++) {
        ProbeSample *sample = (ProbeSample *)table->sample_at + place + i;
        sample->address[warp.self] = i ? source : address;
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

INLINE uint32_t what_of(ProbePart part, uint32_t flags, uint32_t width,
                                                   uint32_t matrices) {
    return (uint32_t)part | (flags & 0xff) << 8 | width << 16 | matrices << 24;
}

INLINE void count(LaneSet warp, ProbeTable *table, uint64_t pc,
                                             uint32_t what, const RuleSums *sums, uint64_t address) {
    uint32_t slot = slot_of(warp, table, pc, what);
    if (!slot)
        return;
    add_sums(warp, table, slot, sums);
    if (is_sampled(table))
        take_sample(warp, table, slot, address, 0, 1);
}

/* Most executions find the slot of their instruction, and have addresses whose cost is found with a few instructions: these come first,
 * and may see an old value of the map, which is none. */
INLINE uint32_t known_slot(const ProbeTable *table, uint64_t pc, uint32_t part) {
    uint64_t insn = (pc - table->code) >> PROBE_INSN_SHIFT;
    if (insn >= table->insts)
        return 0;
    uint32_t slot = ((const uint32_t *)table->map_at)[insn * PROBE_PARTS + part];
    return is_slot(slot) ? slot : 0;
}

INLINE int global_any(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags) {
    LaneSet warp = active_lanes();
    RuleSums sums = sums_global(warp, (uint64_t)address, width);
    count(warp, (ProbeTable *)data, pc, what_of(PROBE_GLOBAL, flags, width, 0), &sums,
          (uint64_t)address);
    return 0;
}

PATCH warplens_global(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    ProbeTable *table = (ProbeTable *)data;
    uint32_t slot = known_slot(table, pc, PROBE_GLOBAL);
    Lanes64 before = rule_before(warp, (uint64_t)address);
    if (!slot || is_sampled(table) || !rule_ascends(warp, (uint64_t)address, before))
        return global_any(data, pc, address, width, flags);
    RuleSums sums = sums_of_global(warp, rule_global_ascending(warp, (uint64_t)address, before, width));
    add_sums(warp, table, slot, &sums);
    return 0;
}

INLINE int shared_any(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags) {
    LaneSet warp = active_lanes();
    bool atomic = (flags & (PROBE_READ | PROBE_WRITE)) == (PROBE_READ | PROBE_WRITE);
    RuleSums sums = atomic                ? sums_atomic(warp, (uint64_t)address, width)
                    : flags & PROBE_WRITE ? sums_store(warp, (uint64_t)address, width)
                                          : sums_load(warp, (uint64_t)address, width);
    count(warp, (ProbeTable *)data, pc,
          what_of(atomic ? PROBE_ATOMIC : PROBE_SHARED, flags, width, 0), &sums, (uint64_t)address);
    return 0;
}

PATCH warplens_shared(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    ProbeTable *table = (ProbeTable *)data;
    uint32_t slot = known_slot(table, pc, PROBE_SHARED);
    uint32_t simple = 0; /* wavefronts: as many as the ideal, and as groups */
    if (warp.mask == UINT32_MAX && (flags & (PROBE_READ | PROBE_WRITE)) != (PROBE_READ | PROBE_WRITE)) {
        uint32_t offset = (uint32_t)(uint64_t)address - __shfl_sync(warp.mask, (uint32_t)(uint64_t)address, 0);
        if (__all_sync(warp.mask, offset == warp.self * width))
            simple = width <= 4 ? 1 : width / 4;
        else if (!(flags & PROBE_WRITE) && __all_sync(warp.mask, offset == 0))
            simple = width == 16 ? 2 : 1;
    }
    if (!slot || !simple || is_sampled(table))
        return shared_any(data, pc, address, width, flags);
    RuleSums sums = {1, PROBE_LANES, simple, simple, simple, 0, 0, 0};
    add_sums(warp, table, slot, &sums);
    return 0;
}

PATCH warplens_local(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                     const void *value) {
    if (!data || flags & PROBE_PREFETCH)
        return 0;
    LaneSet warp = active_lanes();
    RuleSums sums = sums_local(warp, (uint64_t)address, width);
    count(warp, (ProbeTable *)data, pc, what_of(PROBE_LOCAL, flags, width, 0), &sums,
          (uint64_t)address);
    return 0;
}

PATCH warplens_remote(void *data, uint64_t pc, void *address, uint32_t width, uint32_t flags,
                      const void *value) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    RuleSums sums = sums_lanes(warp);
    uint32_t slot = slot_of(warp, (ProbeTable *)data, pc, what_of(PROBE_REMOTE, flags, width, 0));
    if (slot)
        add_sums(warp, (ProbeTable *)data, slot, &sums);
    return 0;
}

PATCH warplens_matrix(void *data, uint64_t pc, uint32_t address, uint32_t width, uint32_t flags,
                      uint32_t matrices, const void *value) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    RuleSums sums = sums_matrix(warp, address, matrices);
    count(warp, (ProbeTable *)data, pc, what_of(PROBE_MATRIX, flags, 16, matrices), &sums, address);
    return 0;
}

PATCH warplens_copy(void *data, uint64_t pc, void *source, uint32_t address, uint32_t width) {
    if (!data)
        return 0;
    LaneSet warp = active_lanes();
    ProbeTable *table = (ProbeTable *)data;
    uint64_t from = (uint64_t)source;
    CopySums ca = sums_copy_ca(warp, address, from, width);
    uint32_t slot = slot_of(warp, table, pc, what_of(PROBE_SOURCE, 0, width, 0));
    if (slot)
        add_sums(warp, table, slot, &ca.source);
    slot = slot_of(warp, table, pc, what_of(PROBE_COPY, 0, width, 0));
    if (slot) {
        add_sums(warp, table, slot, &ca.shared);
        if (is_sampled(table))
            take_sample(warp, table, slot, address, from, 2);
    }
    if (width == 16) {
        RuleSums cg = sums_copy_cg(warp, address, from);
        slot = slot_of(warp, table, pc, what_of(PROBE_COPY_CG, 0, width, 0));
        if (slot)
            add_sums(warp, table, slot, &cg);
    }
    return 0;
}
