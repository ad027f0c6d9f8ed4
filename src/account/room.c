#include "account/room.h"

#include <stdlib.h>

/* A record takes about 400 bytes. */
enum { RECORDS_PER_SITE = 1 << 14, RECORDS = 1 << 17 };

Room room_new(Arena *arena, bool endless) {
    return (Room){.arena = arena, .endless = endless, .most = RECORDS_PER_SITE};
}

SiteRoom *room_of(Room *room, uint32_t site) {
    while (room->sites.count <= site)
        *vec_add(room->arena, &room->sites) = (SiteRoom){.last = UINT64_MAX};
    return &room->sites.at[site];
}

/* More than that many are to become fewer: a quarter at a time. */
static bool too_many(uint32_t count, uint32_t most) {
    return count > most + most / 4;
}

void room_add(Room *room, uint32_t site) {
    SiteRoom *of = room_of(room, site);
    of->count++;
    room->count++;
    if (!room->endless &&
        (too_many(of->count, room->most) || too_many(room->count, RECORDS + room->sites.count)))
        room->crowded = true;
}

void room_leave_out(Room *room, uint64_t executions) {
    room->others += executions;
    room->left_out = true;
}

static uint64_t sum_of(const Room *room, uint32_t most) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < room->sites.count; i++) {
        uint32_t count = room->sites.at[i].count;
        sum += count < most ? count : most;
    }
    return sum;
}

/* The greatest number that each site can have, up to which all have theirs. It is one of all records that have come: a site that
 * has lost some still has as many as `most` was. */
static uint32_t share_of(const Room *room) {
    uint32_t low = 1, high = room->most;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (sum_of(room, middle) <= RECORDS)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static int by_site_and_key(const void *left, const void *right) {
    const RoomKey *a = left, *b = right;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

void room_divide(Room *room, RoomKey *keys, uint32_t count) {
    room->most = share_of(room);
    qsort(keys, count, sizeof *keys, by_site_and_key);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && keys[end].site == keys[i].site;)
            end++;
        SiteRoom *of = room_of(room, keys[i].site);
        if (end - i > room->most) {
            of->narrow = true;
            of->last = keys[i + room->most - 1].key;
        }
    }
}

void room_join(Room *room, Room *other) {
    for (uint32_t i = 0; i < other->sites.count; i++) {
        SiteRoom *of = room_of(room, i);
        const SiteRoom *from = &other->sites.at[i];
        of->narrow |= from->narrow;
        of->last = from->last < of->last ? from->last : of->last;
    }
    room->most = other->most < room->most ? other->most : room->most;
    room->others += other->others;
    room->left_out |= other->left_out;
}
