/* Blocks begin in their order, as an SM has room: so of each stretch of as many blocks as there are SMs an SM gets one. Which one of
 * them changes from run to run; it is taken so that after each stretch this SM has had its share of what was to do.
 *
 * Where a few blocks of a grid have all the work, they run side by side at its beginning, and the rest only comes and goes: as many
 * traced blocks one behind the other, as much as all together execute, would take several times as long. */
#include "timing/uneven.h"

#include <math.h>

enum { UNEVEN = 4 /* times the mean: what the longest block must have */ };

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

static bool is_uneven(const TimeLaunch *launch, uint32_t sms) {
    if (!launch->sizes || launch->grid <= (uint64_t)sms * launch->blocks_per_sm)
        return false;
    uint32_t most = 0;
    for (uint64_t b = 0; b < launch->grid; b++)
        most = launch->sizes[b] > most ? launch->sizes[b] : most;
    return most > UNEVEN * sum_of(launch->sizes, launch->grid) / (double)launch->grid;
}

static uint64_t events_of(const TimeLaunch *launch, uint32_t block) {
    uint64_t events = 0;
    for (uint32_t w = 0; w < launch->warps_per_block; w++)
        events += launch->blocks[block].warps[w].events.count;
    return events;
}

UnevenOrder uneven_order(Arena *arena, const TimeLaunch *launch, uint32_t sms, uint64_t events) {
    if (!is_uneven(launch, sms))
        return (UnevenOrder){.longer = 1};
    const uint64_t stretches = (launch->grid + sms - 1) / sms;
    uint32_t *order = NEW_ARRAY(arena, uint32_t, stretches + 1);
    UnevenOrder uneven = {.order = order};
    double owed = 0, done = 0;
    for (uint64_t first = 0; first < launch->grid && events; first += sms) {
        const uint64_t left = launch->grid - first, count = left < sms ? left : sms;
        const uint32_t *sizes = launch->sizes + first;
        owed += sum_of(sizes, count) / sms;
        const uint32_t b = nearest_traced(launch, pick(sizes, count, owed), uneven.count);
        const double size = launch->sizes[launch->blocks[b].number];
        order[uneven.count++] = b;
        owed -= size;
        done += size;
        const uint64_t more = events_of(launch, b);
        events -= more < events ? more : events;
    }
    const double all = sum_of(launch->sizes, launch->grid) / sms;
    uneven.longer = done > 0 ? all / done : 1;
    return uneven;
}
