#include "sanitize/race_visit.h"

#include <stdlib.h>
#include <string.h>

void races_init(Races *races) {
    *races = (Races){.order = order_new(), .memory = order_memory_new()};
    shadow_init(&races->shadow);
}

void races_free(Races *races) {
    while (races->running) /* where a launch ended by a fault */
        race_end(races, races->running);
    shadow_free(&races->shadow);
    order_free(races->order);
    order_memory_free(races->memory);
    while (races->spare) {
        RaceBlock *block = races->spare;
        races->spare = block->next;
        log_free(&block->log);
        free(block);
    }
}

void races_launch(Races *races) {
    while (races->running)
        race_end(races, races->running);
    shadow_forget_all(&races->shadow);
    order_memory_forget(races->memory, 0, UINTPTR_MAX);
    races->known_launch = races->launch++;
}

static void settle(void *context);
static void forget(void *context);

RaceBlock *race_begin(Races *races, uint32_t number, uint64_t cluster, uint32_t threads,
                      uintptr_t own_first, uintptr_t own_end) {
    RaceBlock *block = races->spare;
    if (block)
        races->spare = block->next;
    else if (!(block = calloc(1, sizeof *block)))
        out_of_memory();
    block->order = order_begin(races->order, number, cluster, threads);
    block->races = races;
    block->keeper = (OrderKeeper){settle, forget, block};
    block->order->keeper = &block->keeper;
    log_begin(&block->log, own_first, own_end);
    block->segments = 0;
    memset(block->remembered, 0, sizeof block->remembered);
    block->next = races->running;
    races->running = block;
    return block;
}

void race_end(Races *races, RaceBlock *block) {
    const BlockOrder *order = block->order;
    for (uint32_t i = block->segments; i;) {
        Segment *segment = &races->shadow.segments[i];
        const uint32_t warp = segment->at.warp;
        segment->final =
            warp < BLOCK_WARPS ? segment->at.time > order->published[warp] : !order->publishes;
        i = segment->next;
    }
    order_end(block->order);
    RaceBlock **place = &races->running;
    while (*place != block)
        place = &(*place)->next;
    *place = block->next;
    block->next = races->spare;
    races->spare = block;
}

/* ---- reads that say nothing new ---- */

/* Of its row, those that the bytes are in. */
static uint32_t words_of(uint32_t first, uint32_t bytes) {
    const uint32_t low = first % ROW_BYTES_ALL / 4, high = (first % ROW_BYTES_ALL + bytes - 1) / 4;
    return (UINT32_MAX << low) & (UINT32_MAX >> (31 - high));
}

/* Another read says nothing new: as of tables that all blocks read. */
static bool is_said(Races *races, uintptr_t at, uint32_t bytes) {
    ShadowPage *page = shadow_page(&races->shadow, at);
    const uint32_t first = (uint32_t)(at - page->first), last = first + bytes - 1;
    const uint32_t row = first >> ROW_SHIFT; /* of the first byte, and the last */
    if (row != last >> ROW_SHIFT)
        return false;
    const uint32_t words = words_of(first, bytes);
    if ((page->said[row] & words) == words)
        return true;
    if (!(page->apart >> row & 1) &&
        !row_stays_read(races, page->rows[row], first % ROW_BYTES_ALL, last % ROW_BYTES_ALL))
        return false;
    for (uint32_t cell = first >> page->shift;
         (page->apart >> row & 1) && cell <= last >> page->shift; cell++)
        if (!cell_stays_read(races, page->cells[cell]))
            return false;
    if ((first | bytes) % 4 == 0)
        page->said[row] |= words;
    return true;
}

/* ---- accesses ---- */

/* The lanes among `rest`, from its first on, whose place is the same. */
static uint32_t same_place(const RaceAccess *access, uint32_t rest) {
    const uint64_t place = access->place[__builtin_ctz(rest)];
    uint32_t lanes = 0;
    for (; rest && access->place[__builtin_ctz(rest)] == place; rest &= rest - 1)
        lanes |= rest & (0u - rest);
    return lanes;
}

/* How many elements each lane's is from the one before it, where that is `stride` bytes; 0: no number of elements, or too far for a row
 * to have two of them. */
static int32_t step_by(const RaceAccess *access, int64_t stride) {
    const uint32_t width = access->width;
    const uintptr_t first = access->host + access->place[__builtin_ctz(access->lanes)];
    if (access->done || access->together || width > 1u << SHADOW_MOST || first % width ||
        stride % (int64_t)width || stride > ROW_BYTES_ALL / 2 || stride < -ROW_BYTES_ALL / 2)
        return 0;
    return (int32_t)(stride / (int64_t)width);
}

/* 0 also where they are not one distance apart. */
static int32_t step_of(const RaceAccess *access) {
    const uint32_t first = (uint32_t)__builtin_ctz(access->lanes);
    const uint32_t others = access->lanes & (access->lanes - 1);
    const uint32_t second = others ? (uint32_t)__builtin_ctz(others) : first + 1;
    const int64_t between =
        others ? (int64_t)(access->place[second] - access->place[first]) : (int64_t)access->width;
    const int64_t stride = between / (int64_t)(second - first);
    const int32_t step = step_by(access, stride);
    uint64_t wrong = 0;
    if (!step)
        return 0;
    for (uint32_t rest = others; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        wrong |= access->place[lane] ^ (access->place[first] + (lane - first) * (uint64_t)stride);
    }
    return wrong ? 0 : step;
}

/* In each half, bytes that follow each other, or one place. */
static bool run_is_said(Races *races, uint32_t width, const uintptr_t first[2],
                        const int64_t stride[2]) {
    for (uint32_t half = 0; half < 2; half++) {
        const uintptr_t end = first[half] + (stride[half] == 0 ? width : 16 * width);
        if (stride[half] && stride[half] != (int64_t)width)
            return false;
        for (uintptr_t at = first[half]; at < end;) {
            const uintptr_t row_end = (at | (ROW_BYTES_ALL - 1)) + 1;
            const uintptr_t until = row_end < end ? row_end : end;
            if (!is_said(races, at, (uint32_t)(until - at)))
                return false;
            at = until;
        }
    }
    return true;
}

static void visit_each(Visit *visit, uint32_t left) {
    const RaceAccess *access = visit->access;
    const bool alone = access->done || (access->writes && !access->strong);
    const bool reads = !access->writes && !access->strong && !access->done && !access->together;
    for (uint32_t rest = left; rest;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        uint32_t lanes = alone ? 1u << lane : same_place(access, rest);
        rest &= ~lanes;
        if (reads && is_said(visit->races, access->host + access->place[lane], access->width))
            continue;
        if (access->together)
            lanes = access->block->order->warps[access->warp].exists;
        visit_lanes(visit, lanes, lane, access->width);
    }
}

static void look_through_steps(Races *races, const RaceAccess *access, int32_t step) {
    Visit visit = {.races = races, .access = access, .step = step};
    const uint32_t left = visit.step ? visit_run(&visit) : access->lanes;
    visit_each(&visit, left);
    if (visit.step && access->writes && !access->strong)
        make_rows_whole(&visit, left);
}

static void look_through_access(Races *races, const RaceAccess *access) {
    look_through_steps(races, access, step_of(access));
}

/* ---- what is kept back ---- */

static void settle(void *context) {
    RaceBlock *block = context;
    RaceLog *log = &block->log;
    LoggedAccess logged;
    for (uint32_t next = 0; log_next(log, &next, &logged);) {
        const RaceAccess access = {.block = block,
                                   .warp = logged.warp,
                                   .lanes = logged.lanes,
                                   .insn = logged.insn,
                                   .reads = logged.reads,
                                   .writes = logged.writes,
                                   .strong = logged.strong,
                                   .observes = logged.observes,
                                   .together = logged.together,
                                   .reach = (Reach)logged.reach,
                                   .width = logged.width,
                                   .host = log->first,
                                   .place = logged.place};
        look_through_access(block->races, &access);
    }
    log->count = 0;
}

static void forget(void *context) {
    RaceBlock *block = context;
    log_forget(&block->log);
}

/* It is to be looked at now, and what was kept of the block before it. */
static void refuse(const RaceAccess *access) {
    RaceLog *log = &access->block->log;
    settle(access->block);
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        log_refuse(log, access->host + access->place[__builtin_ctz(rest)], access->width,
                   access->done != NULL);
}

static bool is_kept(const RaceAccess *access) {
    RaceLog *log = &access->block->log;
    if (!log_has(log, access->host + access->place[__builtin_ctz(access->lanes)]))
        return false;
    const LoggedAccess logged = {.insn = access->insn,
                                 .warp = access->warp,
                                 .lanes = access->lanes,
                                 .width = access->width,
                                 .reads = access->reads,
                                 .writes = access->writes,
                                 .strong = access->strong,
                                 .observes = access->observes,
                                 .reach = access->reach,
                                 .together = access->together};
    if (log_is_full(log))
        settle(access->block);
    if (!access->done && log_access(log, &logged, access->host, access->place))
        return true;
    refuse(access);
    return false;
}

void race_access(Races *races, const RaceAccess *access) {
    if (!is_kept(access))
        look_through_access(races, access);
}

/* Lane by lane. */
static void look_through_run(Races *races, const RaceAccess *run, const uintptr_t first[2],
                             const int64_t stride[2], bool refused) {
    RaceAccess access = *run;
    uint64_t place[32];
    for (uint32_t lane = 0; lane < 32; lane++)
        place[lane] = first[lane / 16] + lane % 16 * (uint64_t)stride[lane / 16];
    access.host = 0;
    access.place = place;
    if (refused)
        refuse(&access);
    const bool alike = stride[0] == stride[1] && first[1] - first[0] == 16 * (uint64_t)stride[0];
    look_through_steps(races, &access, alike ? step_by(&access, stride[0]) : 0);
}

void race_run(Races *races, const RaceAccess *run, const uintptr_t first[2],
              const int64_t stride[2]) {
    const bool own = log_has(&run->block->log, first[0]);
    if (own && log_is_full(&run->block->log))
        settle(run->block);
    if (own ? log_run(&run->block->log, run, first, stride)
            : run->reads && run_is_said(races, run->width, first, stride))
        return;
    look_through_run(races, run, first, stride, own);
}

void race_range(Races *races, const RaceAccess *access, uint64_t bytes) {
    Visit visit = {.races = races, .access = access};
    const uint32_t lane = (uint32_t)__builtin_ctz(access->lanes);
    RaceLog *log = &access->block->log;
    const uintptr_t first = access->host + access->place[lane];
    if (log_has(log, first)) {
        settle(access->block);
        log_refuse(log, first, bytes, true);
    }
    visit_lanes(&visit, 1u << lane, lane, bytes);
}
