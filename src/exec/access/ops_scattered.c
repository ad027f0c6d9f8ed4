/* Loads and stores of some lanes, or at any addresses: what loops leave to a part of the warp, and what
 * follows the data (sorting, histograms, tables). Addresses and bounds are looked at for all lanes at once; bytes
 * move lane by lane. Whatever is special goes to load_store.c, which gives the same results, counts and evidence. Built once for
 * each level of the processor (ops.cmake). */
#include "account/near.h"
#include "exec/access/load_store.h"
#include "exec/access/ops_addresses.h"
#include "exec/access/ops_near.h"
#include "exec/run/unset.h"
#include "exec/run/watch.h"

#include <string.h>

/* wavefronts: see near_cost; 0: not known. */
static void count(const Warp *warp, const Code *code, const Elements *elements,
                  const uint64_t *address, uint32_t mask, bool writes, bool uniform,
                  uint32_t wavefronts) {
    const Access access = {.kind = writes ? ACCESS_STORE : ACCESS_LOAD,
                           .space = code->space,
                           .width = elements->count_width,
                           .mask = mask,
                           .uniform = uniform,
                           .address = address};
    Account *account = &warp->worker->account;
    if (wavefronts)
        near_cost(&account->sites[code->site].sum, &access, wavefronts);
    else
        account_cost(account, code->site, &access, NULL);
    if (warp->counting == COUNT_AND_RECORD)
        account_record(account, code->site, warp->cta->record, &access);
}

/* ---- moving ---- */

#define EACH_LANE _Pragma("GCC unroll 8") for (uint32_t lane = 0; lane < WARP_LANES; lane++)

#define LOAD_LANE(Memory, Register, Wide)                                                          \
    {                                                                                              \
        Memory value;                                                                              \
        memcpy(&value, (const void *)(host + address[lane]), sizeof value);                        \
        ((Register *)registers)[lane] = (Register)(Wide)value;                                     \
    }

/* All lanes, one after the other: to look for the next one takes longer than to load its value. */
#define LOAD(Memory, Register, Wide)                                                               \
    if (!few && mask == FULL_MASK) {                                                               \
        EACH_LANE LOAD_LANE(Memory, Register, Wide)                                                \
    } else {                                                                                       \
        for_lanes(lane, mask) LOAD_LANE(Memory, Register, Wide)                                    \
    }

/* All active lanes get what is at one place. */
#define SPREAD(Memory, Register, Wide)                                                             \
    {                                                                                              \
        Register *restrict to = registers;                                                         \
        Memory value;                                                                              \
        memcpy(&value, from, sizeof value);                                                        \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) to[l] =                                    \
            mask & lane_bit[l] ? (Register)(Wide)value : to[l];                                    \
    }

#define STORE_LANE(Memory, Register)                                                               \
    {                                                                                              \
        const Memory value = (Memory)((const Register *)registers)[lane];                          \
        memcpy((void *)(host + address[lane]), &value, sizeof value);                              \
    }

#define STORE(Memory, Register)                                                                    \
    if (!few && mask == FULL_MASK) {                                                               \
        EACH_LANE STORE_LANE(Memory, Register)                                                     \
    } else {                                                                                       \
        for_lanes(lane, mask) STORE_LANE(Memory, Register)                                         \
    }

/* few: a constant; not all lanes are active. */
ALWAYS_INLINE void load_one(uintptr_t host, const uint64_t *address, uint32_t mask, bool few,
                            Move move, void *registers){BY_LOAD(move, LOAD)}

ALWAYS_INLINE void spread_one(const void *from, uint32_t mask, Move move,
                              void *registers){BY_LOAD(move, SPREAD)}

ALWAYS_INLINE void store_one(uintptr_t host, const uint64_t *address, uint32_t mask, bool few,
                             Move move, const void *registers){BY_STORE(move, STORE)}

/* ---- the four kinds ---- */

/* Where this access may be done here; false: nowhere. */
ALWAYS_INLINE
    bool find_room(const Warp *warp, const Code *code, bool shared, bool writes, Room *room) {
    if (shared) {
        *room = shared_room(warp);
        return true;
    }
    const LastHit *hit = &warp->worker->hits[code->site];
    *room = (Room){hit->first, hit->bytes, 0};
    return !(writes && hit->read_only);
}

/* Few lanes are looked at one by one: of vectors of all 32 little would be theirs. */
enum { FEW = 4 };

ALWAYS_INLINE bool move_few(const Warp *warp, const Code *code, uint32_t mask, const Room *room,
                            bool writes) {
    const Elements *elements = code->more;
    const uint32_t width = elements->width;
    const uint64_t offset = (uint64_t)(code->offset + elements->skip);
    const uint64_t skip = (uint64_t)(int64_t)elements->count_skip;
    const uint64_t one = find_address(warp, code, (uint32_t)__builtin_ctz(mask), offset);
    uint64_t address[WARP_LANES], differs = 0;
    bool wrong = room->bytes < width;
    for_lanes(lane, mask) {
        address[lane] = find_address(warp, code, lane, offset);
        differs |= address[lane] ^ one;
        wrong |= address[lane] - room->first > room->bytes - width || address[lane] & (width - 1);
    }
    if (wrong)
        return false;
    if (warp->counting != COUNT_NOTHING && elements->count_width) {
        for_lanes(lane, mask) address[lane] += skip;
        count(warp, code, elements, address, mask, writes, differs == 0, 0);
        for_lanes(lane, mask) address[lane] -= skip;
    }
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        const uintptr_t host = room->host + i * elements->bytes;
        if (writes)
            store_one(host, address, mask, true, elements->move, registers);
        else
            load_one(host, address, mask, true, elements->move, registers);
    }
    return true;
}

/* A load of all active lanes at one address: tables, and what the lanes go through that a loop has kept. */
ALWAYS_INLINE bool load_place(const Warp *warp, const Code *code, uint32_t mask, const Room *room) {
    const Elements *elements = code->more;
    const uint32_t width = elements->width;
    uint64_t address[WARP_LANES], place;
    if (!find_place(warp, code, mask, (uint64_t)(code->offset + elements->skip), &place))
        return false;
    if (room->bytes < width || place - room->first > room->bytes - width || place & (width - 1))
        return false;
    if (warp->counting != COUNT_NOTHING && elements->count_width) {
        const uint64_t counted = place + (uint64_t)(int64_t)elements->count_skip;
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] = counted;
        count(warp, code, elements, address, mask, false, true, 0);
    }
    for (uint32_t i = 0; i < elements->count; i++)
        spread_one((const void *)(room->host + place + i * elements->bytes), mask, elements->move,
                   warp->registers + elements->cell[i].offset);
    return true;
}

ALWAYS_INLINE bool move(Warp *warp, const Code *code, uint32_t mask, bool shared, bool writes,
                        bool tells) {
    const Elements *elements = code->more;
    const uint64_t offset = (uint64_t)(code->offset + elements->skip);
    const uint64_t skip = (uint64_t)(int64_t)elements->count_skip;
    uint64_t address[WARP_LANES];
    Room room;
    if (!find_room(warp, code, shared, writes, &room))
        return false;
    if (!tells && __builtin_popcount(mask) <= FEW)
        return move_few(warp, code, mask, &room, writes);
    if (!writes && !tells && load_place(warp, code, mask, &room))
        return true;
    if (shared && code->a_class == 1) {
        if (!find_inside32(warp, code, mask, offset, &room, elements->width, address))
            return false;
    } else {
        find_addresses(warp, code, offset, address);
        if (!all_inside(address, mask, &room, elements->width))
            return false;
    }
    if (tells)
        watch_plain(warp, code, address, room.host, mask, writes);
    if (warp->counting != COUNT_NOTHING && elements->count_width) {
        if (skip)
            LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] += skip;
        const bool words = shared && elements->count_width <= BANK_BYTES;
        count(warp, code, elements, address, mask, writes, false,
              words ? near_wavefronts(address, mask) : 0);
        if (skip)
            LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] -= skip;
    }
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        const uintptr_t host = room.host + i * elements->bytes;
        if (writes)
            store_one(host, address, mask, false, elements->move, registers);
        else
            load_one(host, address, mask, false, elements->move, registers);
    }
    return true;
}

/* In a launch that is looked at, and nothing else about it is special; but not what may wait for others. */
#define TOLD(name, shared, writes, other)                                                          \
    static __attribute__((noinline)) Step name(Warp *warp, const Code *code, uint32_t mask) {      \
        const Elements *elements = code->more;                                                     \
        const Worker *worker = warp->worker;                                                       \
        const bool tells = worker->run->tells && !worker->follower && !elements->spins;            \
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
    return move(warp, code, mask, true, false, false) ? loaded(warp, code)
                                                      : load_any(warp, code, mask);
}

/* Also of constant memory, which lies in allocations, too. */
static Step load_global(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_global)
        return told_load_global(warp, code, mask);
    return move(warp, code, mask, false, false, false) ? loaded(warp, code)
                                                       : load_any(warp, code, mask);
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
