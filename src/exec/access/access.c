/* What all memory operations share: addresses, checks, counts.
 *
 * Spaces. Global and constant memory are the allocations of Memory, at host addresses. Shared memory
 * is the block's, addresses from program->shared.base. Local memory is each lane's own, from 0. In
 * the generic space, shared, local and parameter memory are windows above 2^48 (warp.h). */
#include "exec/classes/classes.h"
#include "exec/run/watch.h"

#include <string.h>

/* ---- checks ---- */

static Step check_alignment(const Touch *touch, Warp *warp, const Code *code, Space space,
                            uint32_t mask, uint32_t width, bool writes) {
    for_lanes(lane, mask) {
        if (touch->address[lane] & (width - 1))
            return memory_fault(warp, code, FAULT_MISALIGNED, lane, space, touch->address[lane],
                                "misaligned %s of %u bytes in %s memory", access_verb(writes),
                                width, space_name(space));
    }
    return STEP_NEXT;
}

static bool is_uniform(const uint64_t *address, uint32_t mask) {
    uint64_t first = address[__builtin_ctz(mask)];
    for_lanes(lane, mask & (mask - 1)) {
        if (address[lane] != first)
            return false;
    }
    return true;
}

static inline uint64_t reach(uint64_t address, uint64_t *low, uint64_t *high) {
    *low = address < *low ? address : *low;
    *high = address > *high ? address : *high;
    return address;
}

/* The lowest and highest address of the active lanes; returns bits of which none is set where all are
 * multiples of that bit's value. */
static uint64_t range(const Touch *touch, uint32_t mask, uint64_t *low, uint64_t *high) {
    const uint64_t *address = touch->address;
    if (touch->pattern.affine) {
        uint64_t first = address[0], last = address[WARP_LANES - 1];
        *low = first < last ? first : last;
        *high = first < last ? last : first;
        return *low | (uint64_t)touch->pattern.stride[0];
    }
    if (is_uniform(address, mask)) /* as where a table is read by lanes that parted */
        return *low = *high = address[__builtin_ctz(mask)];
    uint64_t bits = 0;
    *low = UINT64_MAX;
    *high = 0;
    if (mask == FULL_MASK) /* to look for the next lane takes longer */
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            bits |= reach(address[lane], low, high);
    else
        for_lanes(lane, mask) bits |= reach(address[lane], low, high);
    return bits;
}

static bool inside(const LastHit *hit, uint64_t low, uint64_t high, uint32_t width) {
    return low >= hit->first && high - hit->first <= hit->bytes && hit->bytes >= width &&
           high - hit->first <= hit->bytes - width;
}

static bool is_reached(const Launch *launch, const MemoryBlock *block) {
    return !launch->reaches || !block->devices || (block->devices & launch->reaches);
}

/* The allocation that holds the address, if the launch may access it; NULL. */
static const MemoryBlock *find_reached(const Launch *launch, uint64_t address) {
    const MemoryBlock *block = memory_find(launch->memory, address, NULL);
    return block && is_reached(launch, block) ? block : NULL;
}

static Step global_fault(Warp *warp, const Code *code, uint32_t lane, Space space, uint64_t address,
                         uint32_t width, bool writes) {
    const Launch *launch = warp->worker->launch;
    const MemoryBlock *block = memory_find(launch->memory, address, NULL);
    if (block && !is_reached(launch, block))
        return memory_fault(warp, code, FAULT_PEER, lane, space, address,
                            "%s of %u bytes in memory of device %d by a kernel on device %u, which "
                            "has no access to it (cudaDeviceEnablePeerAccess)",
                            access_verb(writes), width, __builtin_ctz(block->devices),
                            launch->device);
    FaultKind kind = address < 4096 ? FAULT_NULL : FAULT_OUT_OF_BOUNDS;
    return memory_fault(warp, code, kind, lane, space, address, "%s %s of %u bytes in %s memory",
                        kind == FAULT_NULL ? "null pointer:" : "out-of-bounds", access_verb(writes),
                        width, space_name(space));
}

enum { MAPPED_BYTES = 2 << 20 }; /* of a GPU's memory at once */

/* Whether the launch may read there, outside of all allocations. Who follows what addresses depend on needs to know them all. */
static bool reads_beyond(Warp *warp, const Code *code, uint64_t address) {
    Worker *worker = warp->worker;
    const Launch *launch = worker->launch;
    const MemoryBlock *nearest = NULL;
    if (!launch->reads_beyond || worker->follower || !memory_is_own(launch->memory, address))
        return false;
    memory_find(launch->memory, address, &nearest);
    if (!nearest || !nearest->bytes || !is_reached(launch, nearest))
        return false;
    const uint64_t page = address / MAPPED_BYTES;
    if (page < nearest->address / MAPPED_BYTES ||
        page > (nearest->address + nearest->bytes - 1) / MAPPED_BYTES)
        return false;
    worker->beyond++;
    if (!worker->beyond_at || code->insn < worker->beyond_at)
        worker->beyond_at = code->insn;
    return true;
}

/* An access of the instruction has found its block. Only plain stores read nothing. */
static void set_hit(const Worker *worker, const Code *code, LastHit *hit,
                    const MemoryBlock *block) {
    *hit = (LastHit){block->address, block->bytes, block->read_only, hit->stored};
    if (code->site == NO_SITE || op_access(code->insn->op) != OP_ACCESS_STORE)
        launch_reads(worker->launch, block);
}

/* Every lane on its own, where they do not all lie in the allocation that was hit last. */
static Step check_global(const Touch *touch, Warp *warp, const Code *code, Space space,
                         uint32_t mask, uint32_t width, bool writes, LastHit *hit) {
    for_lanes(lane, mask) {
        uint64_t address = touch->address[lane];
        if (!inside(hit, address, address, width)) {
            const MemoryBlock *block = find_reached(warp->worker->launch, address);
            if (block)
                set_hit(warp->worker, code, hit, block);
            if (!block || !inside(hit, address, address, width)) {
                if (!writes && reads_beyond(warp, code, address))
                    continue;
                return global_fault(warp, code, lane, space, address, width, writes);
            }
        }
        if (writes && hit->read_only)
            return memory_fault(warp, code, FAULT_READ_ONLY, lane, space, address,
                                "write of %u bytes to constant memory", width);
    }
    return STEP_NEXT;
}

uint8_t *global_range(Warp *warp, const Code *code, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes) {
    const Worker *worker = warp->worker;
    uint32_t site = code->site == NO_SITE ? worker->program->site_count : code->site;
    LastHit *hit = &worker->hits[site];
    const MemoryBlock *block = NULL;
    if (address - hit->first >= hit->bytes)
        block = find_reached(worker->launch, address);
    if (block)
        set_hit(worker, code, hit, block);
    uint64_t skip = address - hit->first;
    if (skip >= hit->bytes || hit->bytes - skip < bytes)
        global_fault(warp, code, lane, SPACE_GLOBAL, address, (uint32_t)bytes, writes);
    else if (writes && hit->read_only)
        memory_fault(warp, code, FAULT_READ_ONLY, lane, SPACE_GLOBAL, address,
                     "write of %llu bytes to constant memory", (unsigned long long)bytes);
    else if (worker->run->stored && stored_has(worker->run->stored, address, bytes))
        memory_fault(warp, code, FAULT_UNSUPPORTED, lane, SPACE_GLOBAL, address,
                     "bulk copy of an array that is stored otherwise");
    else {
        uint8_t *place = (uint8_t *)(uintptr_t)address;
        if (watched(warp))
            watch_range(warp, code, lane, SPACE_GLOBAL, address, place, bytes, writes);
        if (worker->follower)
            follow_range(warp, address, bytes, writes);
        return place;
    }
    return NULL;
}

static Step check_window(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                         uint32_t width, bool writes, uint64_t low, uint64_t high, uint64_t first,
                         uint64_t end) {
    if (low >= first && high < end && end - high >= width)
        return STEP_NEXT;
    for_lanes(lane, mask) {
        uint64_t address = touch->address[lane];
        if (address < first || address >= end || end - address < width)
            return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, space, address,
                                "out-of-bounds %s of %u bytes in %s memory", access_verb(writes),
                                width, space_name(space));
    }
    return STEP_NEXT;
}

/* An address of machine code that may be any block's, without a rank in it, is one of the cluster's first block. */
static bool names_first(const Warp *warp, const Code *code) {
    return warp->cta->rank > 0 &&
           (code->space == SPACE_GENERIC || code->mods.flags & MOD_CLUSTER) &&
           warp->worker->program->function->machine;
}

static Step check(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                  uint32_t width, bool writes) {
    const Program *program = warp->worker->program;
    uint64_t low, high, bits = range(touch, mask, &low, &high);
    if ((bits & (width - 1)) &&
        check_alignment(touch, warp, code, space, mask, width, writes) != STEP_NEXT)
        return STEP_FAULT;
    touch->place = touch->address;
    touch->uniform = low == high && space != SPACE_LOCAL;
    touch->remote = false;
    switch (space) {
    case SPACE_SHARED:
        if (high >> CLUSTER_SHIFT || names_first(warp, code))
            return cluster_touch(touch, warp, code, mask, width, writes);
        touch->host = (uintptr_t)warp->cta->shared;
        touch->relaid = NULL;
        if (check_window(touch, warp, code, space, mask, width, writes, low, high,
                         program->shared.first, warp->cta->shared_end) != STEP_NEXT)
            return STEP_FAULT;
        return warp->worker->run->relaid
                   ? relaid_touch(warp->worker->run->relaid, touch, warp, code, mask, width, writes)
                   : STEP_NEXT;
    case SPACE_LOCAL:
        touch->host = (uintptr_t)warp->local;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            touch->moved[l] = touch->address[l] + (uint64_t)l * program->stack_stride;
        touch->place = touch->moved;
        return check_window(touch, warp, code, space, mask, width, writes, low, high, 0,
                            program->stack_bytes);
    case SPACE_PARAM:
        touch->host = (uintptr_t)warp->worker->launch->params;
        if (writes)
            return memory_fault(warp, code, FAULT_READ_ONLY, (uint32_t)__builtin_ctz(mask), space,
                                low, "write of %u bytes to kernel parameters", width);
        return check_window(touch, warp, code, space, mask, width, writes, low, high, 0,
                            program->function->param_bytes);
    default:
        touch->host = 0;
        uint32_t site = code->site == NO_SITE ? program->site_count : code->site;
        LastHit *hit = &warp->worker->hits[site];
        if ((!inside(hit, low, high, width) || (writes && hit->read_only)) &&
            check_global(touch, warp, code, space, mask, width, writes, hit) != STEP_NEXT)
            return STEP_FAULT;
        if (warp->worker->follower)
            follow_access(warp, space, touch, mask, width, writes);
        return warp->worker->run->stored
                   ? stored_touch(warp->worker->run->stored, touch, warp, code, mask, width, writes)
                   : STEP_NEXT;
    }
}

Step touch_check(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                 uint32_t width, bool writes) {
    Step step = check(touch, warp, code, space, mask, width, writes);
    if (step == STEP_NEXT && watched(warp))
        watch_access(warp, code, touch, space, mask, width, writes);
    return step;
}
