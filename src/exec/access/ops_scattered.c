/* Loads and stores of some lanes, or at any addresses: what loops leave to a part of the warp, and what
 * follows the data (sorting, histograms, tables). Addresses and bounds are looked at for all lanes at once; bytes
 * move lane by lane. Blocks that are recorded, and whatever else is special, go to load_store.c, which gives the
 * same results and counts. Built once for each level of the processor (ops.cmake). */
#include "exec/access/load_store.h"
#include "exec/lanes/ops.h"
#include "exec/run/unset.h"
#include "exec/run/watch.h"

#include <string.h>

/* Where the active lanes may be: bytes from `first`, which are at `host` + address. */
typedef struct Room {
    uint64_t first, bytes;
    uintptr_t host;
} Room;

ALWAYS_INLINE void find_addresses(const Warp *warp, const Code *code, uint64_t offset,
                                  uint64_t *restrict address) {
    if (code->a_class == 1) {
        const uint32_t *restrict from = reg32(warp, code->a);
        const uint32_t skip = (uint32_t)offset;
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] = (uint32_t)(from[l] + skip);
    } else {
        const uint64_t *restrict from = reg64(warp, code->a);
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] = from[l] + offset;
    }
}

/* The active lanes' bytes lie in the room, aligned. */
ALWAYS_INLINE bool all_inside(const uint64_t *address, uint32_t mask, const Room *room,
                              uint32_t width) {
    const uint64_t first = room->first, most = room->bytes - width;
    uint64_t wrong = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint64_t misaligned = address[l] & (width - 1);
        const uint64_t found = address[l] - first > most ? 1 : misaligned;
        wrong |= mask & lane_bit[l] ? found : 0;
    }
    return room->bytes >= width && wrong == 0;
}

static void count(const Warp *warp, const Code *code, const Elements *elements, uint64_t *address,
                  uint32_t mask, bool writes) {
    const Access access = {.kind = writes ? ACCESS_STORE : ACCESS_LOAD,
                           .space = code->space,
                           .width = elements->count_width,
                           .mask = mask,
                           .address = address};
    const uint64_t skip = (uint64_t)(int64_t)elements->count_skip;
    if (skip)
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] += skip;
    account_cost(&warp->worker->account, code->site, &access, NULL);
    if (skip)
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] -= skip;
}

/* ---- moving ---- */

#define LOAD(Memory, Register, Wide)                                                               \
    for_lanes(lane, mask) {                                                                        \
        Memory value;                                                                              \
        memcpy(&value, (const void *)(host + address[lane]), sizeof value);                        \
        ((Register *)registers)[lane] = (Register)(Wide)value;                                     \
    }

#define STORE(Memory, Register)                                                                    \
    for_lanes(lane, mask) {                                                                        \
        const Memory value = (Memory)((const Register *)registers)[lane];                          \
        memcpy((void *)(host + address[lane]), &value, sizeof value);                              \
    }

ALWAYS_INLINE void load_one(uintptr_t host, const uint64_t *address, uint32_t mask, Move move,
                            void *registers) {
    switch (move) {
    case MOVE_32:
        LOAD(uint32_t, uint32_t, uint32_t)
        break;
    case MOVE_64:
        LOAD(uint64_t, uint64_t, uint64_t)
        break;
    case MOVE_U8:
        LOAD(uint8_t, uint32_t, uint32_t)
        break;
    case MOVE_S8:
        LOAD(int8_t, uint32_t, int32_t)
        break;
    case MOVE_U16:
        LOAD(uint16_t, uint32_t, uint32_t)
        break;
    default:
        LOAD(int16_t, uint32_t, int32_t)
        break;
    }
}

ALWAYS_INLINE void store_one(uintptr_t host, const uint64_t *address, uint32_t mask, Move move,
                             const void *registers) {
    switch (move) {
    case MOVE_32:
        STORE(uint32_t, uint32_t)
        break;
    case MOVE_64:
        STORE(uint64_t, uint64_t)
        break;
    case MOVE_U8:
    case MOVE_S8:
        STORE(uint8_t, uint32_t)
        break;
    default:
        STORE(uint16_t, uint32_t)
        break;
    }
}

/* ---- the four kinds ---- */

ALWAYS_INLINE bool move(Warp *warp, const Code *code, uint32_t mask, bool shared, bool writes,
                        bool tells) {
    const Elements *elements = code->more;
    const Worker *worker = warp->worker;
    const uint64_t offset = (uint64_t)(code->offset + elements->skip);
    uint64_t address[WARP_LANES];
    Room room;
    if (warp->counting == COUNT_AND_RECORD)
        return false;
    if (shared) {
        const uint32_t first = worker->program->shared.first;
        room = (Room){first, warp->cta->shared_end - first, (uintptr_t)warp->cta->shared};
    } else {
        const LastHit *hit = &worker->hits[code->site];
        room = (Room){hit->first, hit->bytes, 0};
        if (writes && hit->read_only)
            return false;
    }
    find_addresses(warp, code, offset, address);
    if (!all_inside(address, mask, &room, elements->width))
        return false;
    if (tells)
        watch_plain(warp, code, address, room.host, mask, writes);
    if (warp->counting != COUNT_NOTHING && elements->count_width)
        count(warp, code, elements, address, mask, writes);
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        const uintptr_t host = room.host + i * elements->bytes;
        if (writes)
            store_one(host, address, mask, elements->move, registers);
        else
            load_one(host, address, mask, elements->move, registers);
    }
    return true;
}

/* In a launch that is looked at, and nothing else about it is special. */
#define TOLD(name, shared, writes, other)                                                          \
    static __attribute__((noinline)) Step name(Warp *warp, const Code *code, uint32_t mask) {      \
        const bool tells = warp->worker->run->tells && !warp->worker->follower;                    \
        if (tells && move(warp, code, mask, shared, writes, true))                                 \
            return unset_step(warp);                                                               \
        return other(warp, code, mask);                                                            \
    }
TOLD(told_load_shared, true, false, load_any)
TOLD(told_load_global, false, false, load_any)
TOLD(told_store_shared, true, true, store_any)
TOLD(told_store_global, false, true, store_any)

static Step load_shared(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_shared)
        return told_load_shared(warp, code, mask);
    return move(warp, code, mask, true, false, false) ? STEP_NEXT : load_any(warp, code, mask);
}

/* Also of constant memory, which lies in allocations, too. */
static Step load_global(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_global)
        return told_load_global(warp, code, mask);
    return move(warp, code, mask, false, false, false) ? STEP_NEXT : load_any(warp, code, mask);
}

static Step store_shared(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_shared)
        return told_store_shared(warp, code, mask);
    return move(warp, code, mask, true, true, false) ? STEP_NEXT : store_any(warp, code, mask);
}

static Step store_global(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_global)
        return told_store_global(warp, code, mask);
    return move(warp, code, mask, false, true, false) ? STEP_NEXT : store_any(warp, code, mask);
}

Execute AT_LEVEL(ops_scattered)(Space space, bool writes) {
    if (space == SPACE_SHARED)
        return writes ? store_shared : load_shared;
    return writes ? store_global : load_global;
}
