/* Blocks begin in their order, as an SM has room: so of each stretch of as many blocks as there are SMs an SM gets one. Which one of
 * them changes from run to run; it is taken so that after each stretch this SM has had its share of what was to do.
 *
 * Where a few blocks of a grid have all the work, they run side by side at its beginning, and the rest only comes and goes: as many
 * traced blocks one behind the other, as much as all together execute, would take several times as long. */
#include "timing/uneven.h"

#include <math.h>

/* So many times the mean the longest block must have: of a grid that runs at once, and of longer ones. */
static const double UNEVEN_ROUND = 1.1, UNEVEN = 4;

/* The traced block whose size is nearest, of equal ones the next in turn. */
static uint32_t nearest_traced(const TimeLaunch *launch, double size, uint32_t turn) {
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < launch->block_count; i++) {
        const uint32_t b = (turn + i) % launch->block_count;
        const double apart = fabs(launch->sizes[launch->blocks[b].number] - size);
        if (apart < least) {
            least = apart;
            best = b;
        }
    }
    return best;
}

/* The size of that block of a stretch which is nearest to what is owed. */
static double pick(const uint32_t *sizes, uint64_t count, double owed) {
    double best = sizes[0];
    for (uint64_t b = 1; b < count; b++)
        if (fabs(sizes[b] - owed) < fabs(best - owed))
            best = sizes[b];
    return best;
}

static double sum_of(const uint32_t *sizes, uint64_t count) {
    double sum = 0;
    for (uint64_t b = 0; b < count; b++)
        sum += sizes[b];
    return sum;
}

/* What the longest block executes, in the mean of all. */
static double unevenness(const TimeLaunch *launch) {
    uint32_t most = 0;
    for (uint64_t b = 0; b < launch->grid; b++)
        most = launch->sizes[b] > most ? launch->sizes[b] : most;
    const double sum = sum_of(launch->sizes, launch->grid);
    return sum > 0 ? most / (sum / (double)launch->grid) : 1;
}

static uint64_t events_of(const TimeLaunch *launch, uint32_t block) {
    uint64_t events = 0;
    for (uint32_t w = 0; w < launch->warps_per_block; w++)
        events += launch->blocks[block].warps[w].events.count;
    return events;
}

static void add_block(const TimeLaunch *launch, UnevenOrder *uneven, uint32_t *order, double wanted,
                      double *done) {
    const uint32_t b = nearest_traced(launch, wanted, uneven->count);
    order[uneven->count++] = b;
    *done += launch->sizes[launch->blocks[b].number];
}

/* All blocks run at once, and the SM with most to do ends the launch. */
static UnevenOrder of_busiest_sm(Arena *arena, const TimeLaunch *launch, uint32_t sms) {
    double most = -1, done = 0;
    uint32_t busiest = 0;
    for (uint32_t first = 0; first < sms; first++) {
        double sum = 0;
        for (uint64_t b = first; b < launch->grid; b += sms)
            sum += launch->sizes[b];
        if (sum > most) {
            most = sum;
            busiest = first;
        }
    }
    uint32_t *order = NEW_ARRAY(arena, uint32_t, launch->grid / sms + 2);
    UnevenOrder uneven = {.order = order};
    for (uint64_t b = busiest; b < launch->grid; b += sms)
        add_block(launch, &uneven, order, launch->sizes[b], &done);
    uneven.longer = done > 0 ? most / done : 1;
    return uneven;
}

/* One block of each stretch. */
static UnevenOrder of_mean_sm(Arena *arena, const TimeLaunch *launch, uint32_t sms,
                              uint64_t events) {
    uint32_t *order = NEW_ARRAY(arena, uint32_t, launch->grid / sms + 2);
    UnevenOrder uneven = {.order = order};
    double owed = 0, done = 0;
    for (uint64_t first = 0; first < launch->grid && events; first += sms) {
        const uint64_t left = launch->grid - first, count = left < sms ? left : sms;
        const uint32_t *sizes = launch->sizes + first;
        owed += sum_of(sizes, count) / sms;
        add_block(launch, &uneven, order, pick(sizes, count, owed - done), &done);
        const uint64_t more = events_of(launch, order[uneven.count - 1]);
        events -= more < events ? more : events;
    }
    const double all = sum_of(launch->sizes, launch->grid) / sms;
    uneven.longer = done > 0 ? all / done : 1;
    return uneven;
}

UnevenOrder uneven_order(Arena *arena, const TimeLaunch *launch, uint32_t sms, uint64_t events) {
    const double longest = launch->sizes ? unevenness(launch) : 1;
    if (launch->grid <= (uint64_t)sms * launch->blocks_per_sm)
        return longest > UNEVEN_ROUND ? of_busiest_sm(arena, launch, sms)
                                      : (UnevenOrder){.longer = 1};
    return longest > UNEVEN ? of_mean_sm(arena, launch, sms, events) : (UnevenOrder){.longer = 1};
}
