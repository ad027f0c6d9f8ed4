/* Loads and stores of every space and width, of any lanes at any addresses. */
#include "exec/access/load_store.h"
#include "exec/access/whole.h"
#include "exec/run/unset.h"

#include <string.h>

/* ---- moving the bytes of one element per lane ---- */

/* expression: what the register gets of `value`. */
#define GATHER(Memory, Register, expression)                                                       \
    {                                                                                              \
        Memory value;                                                                              \
        memcpy(&value, touch_place(touch, (uint32_t)__builtin_ctz(mask)) + skip, sizeof value);    \
        for_lanes(lane, mask) {                                                                    \
            if (!touch->uniform)                                                                   \
                memcpy(&value, touch_place(touch, lane) + skip, sizeof value);                     \
            ((Register *)to)[lane] = (Register)(expression);                                       \
        }                                                                                          \
    }

/* keep: bits of the register's type, for registers narrower than their 32-bit lanes. */
static void load_narrow(const Touch *touch, uint32_t mask, Type type, uint32_t skip, void *to,
                        uint32_t keep) {
    if (type == TYPE_S8)
        GATHER(int8_t, uint32_t, (uint32_t)value & keep)
    else if (type == TYPE_S16)
        GATHER(int16_t, uint32_t, (uint32_t)value & keep)
    else if (type_bytes(type) == 1)
        GATHER(uint8_t, uint32_t, value)
    else if (type_bytes(type) == 2)
        GATHER(uint16_t, uint32_t, value)
    else
        GATHER(uint32_t, uint32_t, value)
}

static void load_wide(const Touch *touch, uint32_t mask, Type type, uint32_t skip, void *to) {
    if (type == TYPE_S8)
        GATHER(int8_t, uint64_t, (int64_t)value)
    else if (type == TYPE_S16)
        GATHER(int16_t, uint64_t, (int64_t)value)
    else if (type == TYPE_S32)
        GATHER(int32_t, uint64_t, (int64_t)value)
    else if (type_bytes(type) == 1)
        GATHER(uint8_t, uint64_t, value)
    else if (type_bytes(type) == 2)
        GATHER(uint16_t, uint64_t, value)
    else if (type_bytes(type) == 4)
        GATHER(uint32_t, uint64_t, value)
    else
        GATHER(uint64_t, uint64_t, value)
}

static void load_quad(const Touch *touch, uint32_t mask, uint32_t skip, void *to) {
    for_lanes(lane, mask) memcpy((uint8_t *)to + 16 * lane, touch_place(touch, lane) + skip, 16);
}

static void load_element(const Warp *warp, const Touch *touch, const Elements *elements, uint32_t i,
                         uint32_t mask) {
    const Cell *cell = &elements->cell[i];
    uint32_t skip = i * elements->bytes;
    if (cell->sink)
        return;
    void *to = warp->registers + cell->offset;
    const Pattern *pattern = &touch->pattern;
    bool whole = touch->place == touch->address && pattern->affine &&
                 pattern->stride[0] == (int64_t)elements->bytes && elements->count == 1;
    if (whole && elements->bytes == 4 && cell->class == 1)
        memcpy(to, touch_place(touch, 0), 4 * WARP_LANES);
    else if (whole && elements->bytes == 8)
        memcpy(to, touch_place(touch, 0), 8 * WARP_LANES);
    else if (cell->class == 1)
        load_narrow(touch, mask, elements->type, skip, to, cell->keep);
    else if (cell->class == 2)
        load_wide(touch, mask, elements->type, skip, to);
    else
        load_quad(touch, mask, skip, to);
}

#define SCATTER(Memory, Register)                                                                  \
    for_lanes(lane, mask) {                                                                        \
        Memory value = (Memory)((const Register *)from)[lane];                                     \
        memcpy(touch_place(touch, lane) + skip, &value, sizeof value);                             \
    }

static void store_element(const Warp *warp, const Touch *touch, const Elements *elements,
                          uint32_t i, uint32_t mask) {
    const Cell *cell = &elements->cell[i];
    uint32_t skip = i * elements->bytes;
    const void *from = warp->registers + cell->offset;
    const Pattern *pattern = &touch->pattern;
    bool whole = touch->place == touch->address && pattern->affine &&
                 pattern->stride[0] == (int64_t)elements->bytes && elements->count == 1;
    if (whole && elements->bytes == 4 && cell->class == 1)
        memcpy(touch_place(touch, 0), from, 4 * WARP_LANES);
    else if (whole && elements->bytes == 8)
        memcpy(touch_place(touch, 0), from, 8 * WARP_LANES);
    else if (elements->bytes == 1 && cell->class == 1)
        SCATTER(uint8_t, uint32_t)
    else if (elements->bytes == 1)
        SCATTER(uint8_t, uint64_t)
    else if (elements->bytes == 2 && cell->class == 1)
        SCATTER(uint16_t, uint32_t)
    else if (elements->bytes == 2)
        SCATTER(uint16_t, uint64_t)
    else if (elements->bytes == 4 && cell->class == 1)
        SCATTER(uint32_t, uint32_t)
    else if (elements->bytes == 4)
        SCATTER(uint32_t, uint64_t)
    else if (elements->bytes == 8)
        SCATTER(uint64_t, uint64_t)
    else
        for_lanes(lane, mask)
            memcpy(touch_place(touch, lane) + skip, (const uint8_t *)from + 16 * lane, 16);
}

static void move_elements(const Warp *warp, const Touch *touch, const Elements *elements,
                          uint32_t mask, bool writes) {
    for (uint32_t i = 0; i < elements->count; i++) {
        if (writes)
            store_element(warp, touch, elements, i, mask);
        else
            load_element(warp, touch, elements, i, mask);
    }
}

/* ---- moving the bytes of a lane at once ---- */

/* As on a GPU no thread sees a part of what another lane stores: decoupled look-backs keep a value and its
 * state in 16 bytes. */
static void move_whole(const Warp *warp, const Touch *touch, const Elements *elements,
                       uint32_t mask, bool writes) {
    _Alignas(WHOLE_BYTES) uint8_t bytes[WARP_LANES][WHOLE_BYTES];
    uint64_t place[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        place[l] = l * WHOLE_BYTES;
    Touch aside = {.host = (uintptr_t)bytes, .place = place};
    for_lanes(lane, writes ? 0 : mask)
        copy_whole(bytes[lane], touch_place(touch, lane), elements->width);
    move_elements(warp, &aside, elements, mask, writes);
    for_lanes(lane, writes ? mask : 0)
        copy_whole(touch_place(touch, lane), bytes[lane], elements->width);
}

/* ---- executing ---- */

static void count(Warp *warp, const Code *code, const Elements *elements, const Touch *touch,
                  Space space, uint32_t mask, bool writes) {
    Access asked = {.kind = writes ? ACCESS_STORE : ACCESS_LOAD,
                    .space = touch->remote ? SPACE_GENERIC : space,
                    .width = elements->count_width,
                    .mask = mask,
                    .generic = code->space == SPACE_GENERIC,
                    .uniform = touch->uniform,
                    .block = touch->remote ? touch->block : NULL,
                    .address = touch->address};
    if (space == SPACE_SHARED && touch->relaid && elements->count_used) {
        relaid_count(touch->relaid, warp, code, &asked,
                     (MergedAccess){elements->count_width, elements->bytes, elements->count_used},
                     elements->count_skip, touch->asked);
        return;
    }
    if (elements->count_skip == 0) {
        access_count(warp, code, &asked, &touch->pattern);
        return;
    }
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = touch->address[l] + (uint64_t)(int64_t)elements->count_skip;
    asked.address = address;
    Pattern pattern = pattern_of(address, mask);
    access_count(warp, code, &asked, &pattern);
}

Step elements_access(Warp *warp, const Code *code, const Elements *elements, Touch *touch,
                     Space space, uint32_t mask, bool writes) {
    if (touch_check(touch, warp, code, space, mask, elements->width, writes) != STEP_NEXT)
        return STEP_FAULT;
    if (elements->count_width)
        count(warp, code, elements, touch, space, mask, writes);
    if (elements->whole)
        move_whole(warp, touch, elements, mask, writes);
    else
        move_elements(warp, touch, elements, mask, writes);
    return STEP_NEXT;
}

static Step execute(Warp *warp, const Code *code, const Elements *elements, uint32_t mask,
                    bool writes) {
    Touch touch;
    touch_addresses(&touch, warp, code->a, code->a_class, code->offset + elements->skip, mask);
    for (uint32_t rest = mask; rest;) {
        uint32_t now = rest;
        Space space = code->space == SPACE_GENERIC ? touch_split(&touch, &now) : code->space;
        if (elements_access(warp, code, elements, &touch, space, now, writes) != STEP_NEXT)
            return STEP_FAULT;
        rest &= ~now;
    }
    return STEP_NEXT;
}

Step load_any(Warp *warp, const Code *code, uint32_t mask) {
    const Elements *elements = code->more;
    Step step = execute(warp, code, elements, mask, false);
    if (step == STEP_NEXT && elements->next)
        step = execute(warp, code, elements->next, mask, false);
    if (step != STEP_NEXT)
        return step;
    return elements->spins ? load_spins(warp) : unset_step(warp);
}

/* What the warp stored before is there before what is released now. */
Step store_any(Warp *warp, const Code *code, uint32_t mask) {
    if (code->insn->mods.order == ORDER_RELEASE)
        __atomic_thread_fence(__ATOMIC_RELEASE);
    return execute(warp, code, code->more, mask, true);
}
