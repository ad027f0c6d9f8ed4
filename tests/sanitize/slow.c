#include "slow.h"

#include <stdlib.h>
#include <string.h>

Slow *slow_new(void) {
    Slow *slow = calloc(1, sizeof *slow);
    for (uint32_t i = 0; i < SLOW_REAL; i++)
        slow->threads[i].copy_time = slow->threads[i].bulk_time = 1;
    for (uint32_t i = 0; i < SLOW_MBARRIERS; i++)
        slow->phase[i] = 1;
    return slow;
}

void slow_free(Slow *slow) {
    for (uint32_t i = 0; i < SLOW_REAL; i++)
        free(slow->threads[i].seen.at);
    for (uint32_t i = 0; i < SLOW_PLACES; i++)
        free(slow->places[i].at);
    free(slow->accesses);
    free(slow);
}

static void join(Vector *to, const Vector *from) {
    for (uint32_t i = 0; i < SLOW_THREADS; i++)
        if (from->at[i] > to->at[i])
            to->at[i] = from->at[i];
}

static void add(Tellings *tellings, const Telling *telling) {
    tellings->at = realloc(tellings->at, (tellings->count + 1) * sizeof *tellings->at);
    tellings->at[tellings->count++] = *telling;
}

/* Each thing that a thread does has its own time. */
static uint32_t step(Slow *slow, uint32_t thread) {
    return ++slow->threads[thread].knows.at[thread];
}

void slow_access(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, SlowAccess access) {
    const uint32_t thread = slow_thread(block, warp, lane);
    const uint32_t time = step(slow, thread);
    access.asked = thread;
    access.block = block;
    if (access.thread == UINT32_MAX) {
        access.thread = thread;
        access.time = time;
    }
    access.knows = slow->threads[thread].knows;
    slow->accesses = realloc(slow->accesses, (slow->count + 1) * sizeof access);
    slow->accesses[slow->count++] = access;
}

/* ---- barriers ---- */

void slow_arrive(Slow *slow, uint32_t block, uint32_t warp, uint32_t lanes, uint32_t barrier,
                 bool waits) {
    for (uint32_t lane = 0; lane < 32; lane++) {
        const uint32_t thread = slow_thread(block, warp, lane);
        if (!(lanes >> lane & 1))
            continue;
        join(&slow->gathered[block][barrier], &slow->threads[thread].knows);
        for (uint32_t i = 0; i < REACHES; i++)
            if (slow->threads[thread].has_fenced[i]) {
                join(&slow->fenced[block][barrier][i], &slow->threads[thread].fenced[i]);
                slow->has_fenced[block][barrier][i] = true;
            }
        step(slow, thread);
        if (waits) { /* as good as a fence behind what it read */
            SlowThread *self = &slow->threads[thread];
            for (uint32_t i = 0; i < self->seen.count; i++)
                join(&slow->gathered[block][barrier], &self->seen.at[i].knows);
            self->seen.count = 0;
        }
    }
    if (waits)
        slow->waiting[block][barrier][warp] |= lanes;
}

/* What the fences of others left is as good as left by an own one. */
static void meet_fences(SlowThread *self, const Vector fenced[REACHES], const bool has[REACHES]) {
    for (uint32_t i = 0; i < REACHES; i++)
        if (has[i]) {
            join(&self->fenced[i], &fenced[i]);
            self->has_fenced[i] = true;
        }
}

void slow_release(Slow *slow, uint32_t block, uint32_t barrier) {
    for (uint32_t warp = 0; warp < SLOW_WARPS; warp++)
        for (uint32_t lane = 0; lane < 32; lane++)
            if (slow->waiting[block][barrier][warp] >> lane & 1) {
                SlowThread *self = &slow->threads[slow_thread(block, warp, lane)];
                join(&self->knows, &slow->gathered[block][barrier]);
                meet_fences(self, slow->fenced[block][barrier], slow->has_fenced[block][barrier]);
            }
    memset(slow->fenced[block][barrier], 0, sizeof slow->fenced[block][barrier]);
    memset(slow->has_fenced[block][barrier], 0, sizeof slow->has_fenced[block][barrier]);
    memset(&slow->gathered[block][barrier], 0, sizeof(Vector));
    memset(slow->waiting[block][barrier], 0, sizeof slow->waiting[block][barrier]);
}

void slow_warp_sync(Slow *slow, uint32_t block, uint32_t warp, uint32_t lanes) {
    Vector all = {{0}}, fenced[REACHES] = {{{0}}};
    bool has[REACHES] = {false};
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) {
            SlowThread *self = &slow->threads[slow_thread(block, warp, lane)];
            join(&all, &self->knows);
            for (uint32_t i = 0; i < REACHES; i++)
                if (self->has_fenced[i]) {
                    join(&fenced[i], &self->fenced[i]);
                    has[i] = true;
                }
        }
    for (uint32_t lane = 0; lane < 32; lane++)
        if (lanes >> lane & 1) {
            SlowThread *self = &slow->threads[slow_thread(block, warp, lane)];
            join(&self->knows, &all);
            meet_fences(self, fenced, has);
        }
}

/* ---- memory ---- */

static bool releases(Order order) {
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

static bool acquires(Order order) {
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

/* What was told as far as `told` by a thread of that block reaches who listens as far as `heard`. */
static bool reaches(const Telling *telling, uint32_t block, Reach heard) {
    return telling->block == block || (telling->reach == REACH_GPU && heard == REACH_GPU);
}

void slow_fence(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, Order order,
                Reach reach) {
    SlowThread *self = &slow->threads[slow_thread(block, warp, lane)];
    for (uint32_t i = 0; acquires(order) && i < self->seen.count; i++)
        if (reaches(&self->seen.at[i], block, reach))
            join(&self->knows, &self->seen.at[i].knows);
    if (releases(order)) {
        self->fenced[reach] = self->knows;
        self->has_fenced[reach] = true;
    }
}

void slow_strong(Slow *slow, uint32_t block, uint32_t warp, uint32_t lane, uint32_t number,
                 bool reads, bool writes, Order order, Reach reach) {
    SlowThread *self = &slow->threads[slow_thread(block, warp, lane)];
    Tellings *place = &slow->places[number];
    for (uint32_t i = 0; reads && i < place->count; i++) {
        if (!reaches(&place->at[i], block, reach))
            continue;
        if (acquires(order))
            join(&self->knows, &place->at[i].knows);
        else
            add(&self->seen, &place->at[i]);
    }
    if (writes && !reads)
        place->count = 0;
    if (writes && releases(order))
        add(place, &(Telling){self->knows, reach, block});
    for (uint32_t i = 0; writes && i < REACHES; i++)
        if (self->has_fenced[i])
            add(place, &(Telling){self->fenced[i], i < reach ? (Reach)i : reach, block});
}

/* ---- copies: a thread that does not exist does all of a group at the group's time ---- */

void slow_commit(Slow *slow, uint32_t thread) {
    SlowThread *self = &slow->threads[thread];
    self->commit_time[self->commits++] = self->copy_time++;
}

static void know(Vector *knows, uint32_t thread, uint32_t time) {
    if (time > knows->at[thread])
        knows->at[thread] = (uint16_t)time;
}

void slow_wait(Slow *slow, uint32_t thread, uint32_t left) {
    SlowThread *self = &slow->threads[thread];
    if (left == UINT32_MAX)
        know(&self->knows, SLOW_COPIES + thread, self->copy_time++);
    else if (left < self->commits)
        know(&self->knows, SLOW_COPIES + thread, self->commit_time[self->commits - 1 - left]);
}

void slow_bulk_commit(Slow *slow, uint32_t thread) {
    slow->threads[thread].bulk_time++;
}

void slow_bulk_wait(Slow *slow, uint32_t thread, uint32_t left, bool reads_only) {
    SlowThread *self = &slow->threads[thread];
    const uint32_t groups = self->bulk_time - 1;
    if (groups <= left)
        return;
    know(&self->knows, SLOW_BULK_READS + thread, groups - left);
    if (!reads_only)
        know(&self->knows, SLOW_BULK_WRITES + thread, groups - left);
}

void slow_mbarrier_arrive(Slow *slow, uint32_t thread, uint32_t mbarrier, bool copies) {
    SlowThread *self = &slow->threads[thread];
    if (copies)
        know(&slow->arrived[mbarrier], SLOW_COPIES + thread, self->copy_time++);
    else
        join(&slow->arrived[mbarrier], &self->knows);
}

void slow_mbarrier_phase(Slow *slow, uint32_t mbarrier) {
    know(&slow->arrived[mbarrier], SLOW_PHASES + mbarrier, slow->phase[mbarrier]++);
    slow->over[mbarrier] = slow->arrived[mbarrier];
}

void slow_mbarrier_waited(Slow *slow, uint32_t thread, uint32_t mbarrier) {
    join(&slow->threads[thread].knows, &slow->over[mbarrier]);
}

/* ---- races ---- */

static bool morally_strong(const SlowAccess *a, const SlowAccess *b) {
    const bool reach = a->block == b->block || (a->reach == REACH_GPU && b->reach == REACH_GPU);
    return a->strong && b->strong && a->host == b->host && a->bytes == b->bytes && reach;
}

bool slow_race(const SlowAccess *first, const SlowAccess *second) {
    if (first->host + first->bytes <= second->host || second->host + second->bytes <= first->host)
        return false;
    if (!first->writes && !second->writes)
        return false;
    return !morally_strong(first, second) && second->knows.at[first->thread] < first->time;
}

bool slow_chained(const SlowAccess *first, const SlowAccess *second) {
    for (const SlowAccess *between = first + 1; first->writes && between < second; between++)
        if (between->observes && between->reach == first->reach && morally_strong(first, between) &&
            second->knows.at[between->thread] >= between->time)
            return true;
    return false;
}
