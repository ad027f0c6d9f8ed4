/* The addresses of one access, as an instruction gives them and where other layouts move them to. */
#include "exec/run/warp.h"

void touch_addresses(Touch *touch, const Warp *warp, uint32_t base, uint8_t class, int64_t offset,
                     uint32_t mask) {
    uint64_t *restrict address = touch->address;
    if (class == 1) {
        const uint32_t *restrict from = reg32(warp, base);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            address[l] = (uint32_t)(from[l] + (uint32_t)offset);
    } else {
        const uint64_t *restrict from = reg64(warp, base);
        for (uint32_t l = 0; l < WARP_LANES; l++)
            address[l] = from[l] + (uint64_t)offset;
    }
    touch->pattern = pattern_of(address, mask);
}

static Space window_space(uint64_t address) {
    switch (WINDOW_OF(address)) {
    case WINDOW_SHARED:
        return SPACE_SHARED;
    case WINDOW_LOCAL:
        return SPACE_LOCAL;
    case WINDOW_PARAM:
        return SPACE_PARAM;
    default:
        return SPACE_GLOBAL;
    }
}

Space touch_split(Touch *touch, uint32_t *mask) {
    uint64_t *address = touch->address;
    uint64_t window = WINDOW_OF(address[__builtin_ctz(*mask)]);
    uint32_t same = 0;
    for_lanes(lane, *mask) same |= (uint32_t)(WINDOW_OF(address[lane]) == window) << lane;
    Space space = window_space(address[__builtin_ctz(*mask)]);
    if (space != SPACE_GLOBAL) {
        for_lanes(lane, same) address[lane] -= window;
    }
    if (space != SPACE_GLOBAL || same != *mask)
        touch->pattern = pattern_of(address, same);
    *mask = same;
    return space;
}

Step touch_move(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                uint32_t width, bool writes,
                uint64_t (*moved)(const void *context, uint64_t address), const void *context) {
    for_lanes(lane, mask) {
        uint64_t asked = touch->address[lane], at = moved(context, asked);
        if (moved(context, asked + width - 1) != at + width - 1 || at % width)
            return memory_fault(warp, code, FAULT_MISALIGNED, lane, space, asked,
                                "%s of %u bytes in %s memory that the %s does not keep together",
                                access_verb(writes), width, space_name(space),
                                space == SPACE_SHARED ? "layout" : "storage");
        touch->address[lane] = at;
    }
    touch->pattern = pattern_of(touch->address, mask);
    return STEP_NEXT;
}
