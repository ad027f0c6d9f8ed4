/* ops_addresses.h: the addresses of lanes that lie anyhow, all looked at side by side. */
#pragma once

#include "exec/lanes/ops.h"
#include "exec/run/worker.h"

/* Where the active lanes may be: bytes from `first`, which are at `host` + address. */
typedef struct Room {
    uint64_t first, bytes;
    uintptr_t host;
} Room;

/* The block's shared memory. */
ALWAYS_INLINE Room shared_room(const Warp *warp) {
    const uint32_t first = warp->worker->program->shared.first;
    return (Room){first, warp->cta->shared_end - first, (uintptr_t)warp->cta->shared};
}

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

/* Whether the active lanes' addresses are one, and that. */
ALWAYS_INLINE bool find_place(const Warp *warp, const Code *code, uint32_t mask, uint64_t offset,
                              uint64_t *place) {
    const uint32_t first = (uint32_t)__builtin_ctz(mask);
    if (code->a_class == 1) {
        const uint32_t *restrict from = reg32(warp, code->a);
        const uint32_t one = from[first];
        uint32_t differs = 0;
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) differs |=
            mask & lane_bit[l] ? from[l] ^ one : 0;
        *place = (uint32_t)(one + (uint32_t)offset);
        return differs == 0;
    }
    const uint64_t *restrict from = reg64(warp, code->a);
    const uint64_t one = from[first];
    uint64_t differs = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) differs |=
        mask & lane_bit[l] ? from[l] ^ one : 0;
    *place = one + offset;
    return differs == 0;
}

/* The address of one lane. */
ALWAYS_INLINE uint64_t find_address(const Warp *warp, const Code *code, uint32_t lane,
                                    uint64_t offset) {
    return code->a_class == 1 ? (uint32_t)(reg32(warp, code->a)[lane] + (uint32_t)offset)
                              : reg64(warp, code->a)[lane] + offset;
}

/* find_addresses and all_inside of addresses in registers of 32 bits, twice as many at once. The room ends below 2^32. */
ALWAYS_INLINE bool find_inside32(const Warp *warp, const Code *code, uint32_t mask, uint64_t offset,
                                 const Room *room, uint32_t width, uint64_t *restrict address) {
    const uint32_t *restrict from = reg32(warp, code->a);
    const uint32_t skip = (uint32_t)offset, first = (uint32_t)room->first;
    const uint32_t most = (uint32_t)room->bytes - width;
    uint32_t wrong = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) {
        const uint32_t at = from[l] + skip, misaligned = at & (width - 1);
        const uint32_t found = at - first > most ? 1 : misaligned;
        wrong |= mask & lane_bit[l] ? found : 0;
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) address[l] = (uint32_t)(from[l] + skip);
    return room->bytes >= width && wrong == 0;
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
