/* cp_async: asynchronous copies from global to shared memory (cp.async, LDGSTS in SASS).
 *
 * .ca copies go through L1 a lane group at a time, like a load and a store at once: lanes collide
 * in the bank they read or in the bank they write. .cg copies move 32-byte sectors from L2 straight
 * into shared memory: what counts is how source sectors map to destination sectors. Both rules were
 * measured on an H100, see docs/memory-model.md, section 1. */
#include "mem/lanes.h"

/* ---- .ca ---- */

/* The column of each lane's source and destination. */
typedef struct Ends {
    uint8_t source[WARP_LANES], destination[WARP_LANES];
} Ends;

static Ends ends_of(const Access *access) {
    uint32_t shift = unit_shift(access->width), column = columns_of(shift) - 1;
    Ends ends = {{0}, {0}};
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        ends.source[lane] = (uint8_t)(access->source[lane] >> shift & column);
        ends.destination[lane] = (uint8_t)(access->address[lane] >> shift & column);
    }
    return ends;
}

static bool collide(const Ends *ends, uint32_t a, uint32_t b) {
    return ends->source[a] == ends->source[b] || ends->destination[a] == ends->destination[b];
}

/* The lanes of a group that collide with the one that finds most of them, itself included. Lanes on
 * the same word are not merged. `unluckiest`: that lane. */
static uint32_t group_collisions(const Ends *ends, uint32_t mask, uint32_t *unluckiest) {
    uint32_t most = 0;
    for (uint32_t outer = mask; outer; outer &= outer - 1) {
        uint32_t lane = lanes_lowest(outer), found = 0;
        for (uint32_t inner = mask; inner; inner &= inner - 1)
            if (collide(ends, lane, lanes_lowest(inner)))
                found |= inner & -inner;
        if (bits_count(found) > bits_count(most)) {
            most = found;
            *unluckiest = lane;
        }
    }
    return most;
}

static SharedCost ca_cost(const Access *access) {
    Ends ends = ends_of(access);
    Groups groups = groups_by_width(access->width);
    SharedCost cost = {.ideal = store_ideal(access->mask, access->width)};
    for (uint32_t g = 0; g < groups.count; g++) {
        uint32_t unluckiest;
        cost.wavefronts +=
            bits_count(group_collisions(&ends, group_mask(groups, g, access->mask), &unluckiest));
    }
    cost.conflicts = cost.wavefronts - groups_active(groups, access->mask);
    return cost;
}

/* The first wavefront from `from` on in which no lane of `placed` collides with this one; *with:
 * the last lane that was in its way. */
static uint32_t first_free(const Ends *ends, const Schedule *schedule, uint32_t placed,
                           uint32_t lane, uint32_t from, uint32_t *with) {
    uint32_t taken[WARP_LANES] = {0}, at = 0; /* lane + 1 */
    for (; placed; placed &= placed - 1) {
        uint32_t other = lanes_lowest(placed);
        if (collide(ends, lane, other))
            taken[schedule->wavefront[other] - from] = other + 1;
    }
    for (; taken[at]; at++)
        *with = taken[at] - 1;
    return from + at;
}

/* The unluckiest lane and those that collide with it get a wavefront each; the others go where
 * there is room, which there is, as none of them collides with more. */
static void ca_serve(const Ends *ends, uint32_t mask, Schedule *schedule) {
    uint32_t from = schedule->wavefronts, unluckiest = 0;
    uint32_t alone = group_collisions(ends, mask, &unluckiest), placed = alone;
    for (uint32_t rest = alone & ~(UINT32_C(1) << unluckiest), at = 0; rest; rest &= rest - 1)
        schedule_lane(schedule, lanes_lowest(rest), from + ++at, SERVED_AFTER, unluckiest);
    if (alone)
        schedule_lane(schedule, unluckiest, from, SERVED_FREE, unluckiest);
    for (uint32_t rest = mask & ~alone; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), with = lane;
        uint32_t at = first_free(ends, schedule, placed, lane, from, &with);
        schedule_lane(schedule, lane, at, at == from ? SERVED_FREE : SERVED_AFTER, with);
        placed |= rest & -rest;
    }
    schedule->wavefronts += bits_count(alone);
    schedule->groups += mask != 0;
}

static void ca_schedule(const Access *access, Schedule *schedule) {
    Ends ends = ends_of(access);
    Groups groups = groups_by_width(access->width);
    for (uint32_t g = 0; g < groups.count; g++)
        ca_serve(&ends, group_mask(groups, g, access->mask), schedule);
}

/* ---- .cg ---- */

enum { CHUNK_BYTES = 16, SLOTS = LINE_BYTES / SECTOR_BYTES };

/* One sector's way from global to shared memory. */
typedef struct Transfer {
    uint64_t source, destination; /* sector numbers */
    bool flip;                    /* the 16-byte half changes on the way */
    uint8_t halves;               /* bits of the source halves that it carries */
    uint8_t round;                /* see round_of; 0 where it does not matter */
    uint32_t lanes;               /* that ask for it */
} Transfer;

/* Whether every active lane's address is above the one before: then no two are equal. */
static bool is_ascending(const uint64_t address[WARP_LANES], uint32_t mask) {
    uint64_t below = 0; /* an address that is still allowed */
    for (; mask; mask &= mask - 1) {
        uint64_t here = address[lanes_lowest(mask)];
        if (here < below)
            return false;
        below = here + 1;
    }
    return true;
}

/* Lanes whose destination a later lane overwrites are dropped before anything is counted. */
uint32_t cp_async_winners(const Access *access) {
    if (is_ascending(access->address, access->mask))
        return access->mask;
    uint32_t winners = 0;
    for (uint32_t rest = access->mask; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest);
        bool overwritten = false;
        for (uint32_t later = rest & (rest - 1); later; later &= later - 1)
            overwritten |= access->address[lanes_lowest(later)] == access->address[lane];
        winners |= (uint32_t)!overwritten << lane;
    }
    return winners;
}

static uint64_t source_chunk(const Access *access, uint32_t lane) {
    return access->source[lane] / CHUNK_BYTES;
}

static uint64_t destination_chunk(const Access *access, uint32_t lane) {
    return access->address[lane] / CHUNK_BYTES;
}

static bool is_flipped(const Access *access, uint32_t lane) {
    return (source_chunk(access, lane) ^ destination_chunk(access, lane)) & 1;
}

/* A source chunk goes to one place of a destination line at a time (for either flip): the last
 * lane's in round 0, the one before it in round 1 … `later`: the winners after this lane. */
static uint8_t round_of(const Access *access, uint32_t lane, uint32_t later) {
    uint8_t round = 0;
    for (; later; later &= later - 1) {
        uint32_t other = lanes_lowest(later);
        round = (uint8_t)(round + (source_chunk(access, other) == source_chunk(access, lane) &&
                                   is_flipped(access, other) == is_flipped(access, lane) &&
                                   access->address[other] / LINE_BYTES ==
                                       access->address[lane] / LINE_BYTES));
    }
    return round;
}

static bool same_transfer(const Transfer *a, const Transfer *b) {
    return a->source == b->source && a->destination == b->destination && a->flip == b->flip &&
           a->round == b->round;
}

/* rounds: whether lanes of different rounds make transfers of their own. */
static uint32_t list_transfers(const Access *access, uint32_t winners, bool rounds,
                               Transfer transfers[WARP_LANES]) {
    uint32_t count = 0;
    rounds = rounds && !is_ascending(access->source, winners);
    for (uint32_t rest = winners; rest; rest &= rest - 1) {
        uint32_t lane = lanes_lowest(rest), i;
        uint64_t chunk = source_chunk(access, lane);
        Transfer new = {.source = chunk / 2,
                        .destination = destination_chunk(access, lane) / 2,
                        .flip = is_flipped(access, lane),
                        .halves = (uint8_t)(1u << (chunk & 1)),
                        .round = rounds ? round_of(access, lane, rest & (rest - 1)) : 0};
        for (i = count; i > 0 && !same_transfer(&transfers[i - 1], &new);)
            i--; /* from the end: neighbours mostly share a sector */
        if (i == 0) {
            transfers[count] = new;
            i = ++count;
        }
        transfers[i - 1].halves |= new.halves;
        transfers[i - 1].lanes |= rest & -rest;
    }
    return count;
}

uint32_t cp_async_transfers(const Access *access) {
    Transfer transfers[WARP_LANES];
    return list_transfers(access, cp_async_winners(access), false, transfers);
}

/* Whether two transfers may go in one wavefront, if their slots allow it. */
static bool same_class(const Transfer *a, const Transfer *b) {
    return a->source / SLOTS == b->source / SLOTS &&
           a->destination / SLOTS == b->destination / SLOTS && a->flip == b->flip &&
           a->halves == b->halves && a->round == b->round &&
           ((a->source ^ a->destination) & 1) == ((b->source ^ b->destination) & 1);
}

/* No two transfers of a wavefront share a source slot or a destination slot (the place of a sector
 * in its 128-byte line), so a class takes as many wavefronts as its fullest slot has transfers. */
static uint32_t class_wavefronts(const Transfer *transfers, uint32_t count, uint32_t first,
                                 bool done[WARP_LANES]) {
    uint32_t from[SLOTS] = {0}, to[SLOTS] = {0}, most = 0;
    for (uint32_t i = first; i < count; i++) {
        if (done[i] || !same_class(&transfers[first], &transfers[i]))
            continue;
        done[i] = true;
        uint32_t sources = ++from[transfers[i].source % SLOTS];
        uint32_t destinations = ++to[transfers[i].destination % SLOTS];
        most = sources > most ? sources : most;
        most = destinations > most ? destinations : most;
    }
    return most;
}

/* The hardware's conflict counter does not see these copies: it reads 0. */
static SharedCost cg_cost(const Access *access) {
    Transfer transfers[WARP_LANES];
    bool done[WARP_LANES] = {false};
    uint32_t winners = cp_async_winners(access);
    uint32_t count = list_transfers(access, winners, true, transfers);
    SharedCost cost = {.ideal = store_ideal(winners, CHUNK_BYTES)};
    for (uint32_t i = 0; i < count; i++)
        if (!done[i])
            cost.wavefronts += class_wavefronts(transfers, count, i, done);
    return cost;
}

/* The lanes of a transfer are served together. */
static void serve_transfer(const Transfer *transfer, Schedule *schedule) {
    uint32_t first = lanes_lowest(transfer->lanes);
    schedule_lane(schedule, first, schedule->wavefronts, SERVED_FREE, first);
    for (uint32_t rest = transfer->lanes & (transfer->lanes - 1); rest; rest &= rest - 1)
        schedule_lane(schedule, lanes_lowest(rest), schedule->wavefronts, SERVED_WITH, first);
}

/* A class takes one wavefront: two of its transfers with a source slot would copy one chunk in one
 * round, two with a destination slot would write one chunk. */
static void class_serve(const Transfer *transfers, uint32_t count, uint32_t first,
                        bool done[WARP_LANES], Schedule *schedule) {
    for (uint32_t i = first; i < count; i++)
        if (!done[i] && same_class(&transfers[first], &transfers[i]))
            serve_transfer(&transfers[i], schedule);
    schedule->wavefronts += class_wavefronts(transfers, count, first, done);
    schedule->groups++;
}

static void cg_schedule(const Access *access, Schedule *schedule) {
    Transfer transfers[WARP_LANES];
    bool done[WARP_LANES] = {false};
    uint32_t winners = cp_async_winners(access);
    uint32_t count = list_transfers(access, winners, true, transfers);
    for (uint32_t i = 0; i < count; i++)
        if (!done[i])
            class_serve(transfers, count, i, done, schedule);
    for (uint32_t rest = access->mask & ~winners; rest; rest &= rest - 1)
        for (uint32_t later = winners; later; later &= later - 1)
            if (access->address[lanes_lowest(later)] == access->address[lanes_lowest(rest)])
                schedule->with[lanes_lowest(rest)] = (uint8_t)lanes_lowest(later);
}

void cp_async_schedule(const Access *access, Schedule *schedule) {
    if (access->kind == ACCESS_CP_ASYNC_CA)
        ca_schedule(access, schedule);
    else
        cg_schedule(access, schedule);
}

SharedCost cp_async_cost(const Access *access) {
    return access->kind == ACCESS_CP_ASYNC_CA ? ca_cost(access) : cg_cost(access);
}
