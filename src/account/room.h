/* room: which records evidence keeps where there are very many. */
#pragma once

#include "base/base.h"

/* Every record has a key of its own alone. Of each site those with the lowest keys are kept, so many that all sites have room: what
 * is kept in the end does not depend on the order in which records came, nor on who had them first, and what is kept was never
 * left out before: its sums are whole. */
typedef struct SiteRoom {
    uint32_t count;
    bool narrow;   /* some have been left out: */
    uint64_t last; /* those with greater keys than this */
} SiteRoom;

typedef struct Room {
    Arena *arena;
    bool endless;    /* all are kept */
    bool crowded;    /* some are to be left out, which room_divide says */
    bool left_out;   /* some have been */
    uint32_t most;   /* of a site; falls */
    uint32_t count;  /* of all sites */
    uint64_t others; /* executions of those that were left out */
    VEC(SiteRoom) sites;
} Room;

Room room_new(Arena *arena, bool endless);
/* The site's, until another site is asked for. */
SiteRoom *room_of(Room *room, uint32_t site);
/* There is one more of the site. */
void room_add(Room *room, uint32_t site);
/* One that occurred so often is not kept. */
void room_leave_out(Room *room, uint64_t executions);
/* Finds which records can stay; the others have keys above `last` of their sites. keys: of all records, whose order is lost. */
typedef struct RoomKey {
    uint32_t site;
    uint64_t key;
} RoomKey;
void room_divide(Room *room, RoomKey *keys, uint32_t count);
/* Leaves out what `other` leaves out, too, and counts what it left out. */
void room_join(Room *room, Room *other);
