/* A ring of lists, one for each clock. */
#include "cache/wheel.h"

void wheel_begin(Wheel *wheel, Arena *arena, uint32_t members) {
    *wheel = (Wheel){.next = NEW_ARRAY(arena, uint32_t, members)};
    for (uint32_t i = 0; i < WHEEL_SLOTS; i++)
        wheel->slots[i].first = wheel->slots[i].last = WHEEL_NONE;
}

void wheel_add(Wheel *wheel, uint32_t member, uint64_t when) {
    if (when < wheel->now)
        when = wheel->now;
    if (when > wheel->now + WHEEL_SLOTS - 1)
        when = wheel->now + WHEEL_SLOTS - 1;
    uint32_t slot = when % WHEEL_SLOTS;
    if (wheel->slots[slot].first == WHEEL_NONE)
        wheel->slots[slot].first = member;
    else
        wheel->next[wheel->slots[slot].last] = member;
    wheel->slots[slot].last = member;
    wheel->next[member] = WHEEL_NONE;
    wheel->used[slot / 64] |= UINT64_C(1) << slot % 64;
    wheel->count++;
}

/* Slots from now's own to the next that has anybody. */
static uint32_t distance(const Wheel *wheel) {
    uint32_t slot = wheel->now % WHEEL_SLOTS, word = slot / 64;
    uint64_t bits = wheel->used[word] & UINT64_MAX << slot % 64;
    while (!bits) {
        word = (word + 1) % (WHEEL_SLOTS / 64);
        bits = wheel->used[word];
    }
    uint32_t found = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return (found + WHEEL_SLOTS - slot) % WHEEL_SLOTS;
}

bool wheel_gather(Wheel *wheel) {
    if (wheel->near_first < wheel->near_count || !wheel->count)
        return false;
    const uint64_t now = wheel->now, until = now + distance(wheel) + WHEEL_NEAR_CLOCKS;
    wheel->near_first = wheel->near_count = 0;
    while (wheel->count && wheel->near_count < WHEEL_NEAR) {
        wheel->now += distance(wheel);
        if (wheel->now >= until)
            break;
        const uint32_t slot = wheel->now % WHEEL_SLOTS, member = wheel->slots[slot].first;
        wheel->slots[slot].first = wheel->next[member];
        if (wheel->slots[slot].first == WHEEL_NONE)
            wheel->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
        wheel->count--;
        wheel->near_when[wheel->near_count] = wheel->now;
        wheel->near[wheel->near_count++] = member;
    }
    wheel->now = now;
    return true;
}

uint32_t wheel_take(Wheel *wheel) {
    wheel_gather(wheel);
    if (wheel->near_first == wheel->near_count)
        return WHEEL_NONE;
    wheel->now = wheel->near_when[wheel->near_first];
    return wheel->near[wheel->near_first++];
}
