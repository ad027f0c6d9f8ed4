#include "exec/run/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    STUCK_TURNS = 32, /* of each resident block without a deed of anybody, before another begins */
    LONG_TURNS = 256, /* without the end of a block, before another begins */
    SLEEPS = 64,      /* one of so many turns is the beginning of a sleep */
    SLEEP_BITS = 8,   /* of at most so many rounds, as a power of two */
    ROUNDS_MOST = 4,  /* of a block's turn */
    NEVER = 0
};

/* Each is drawn as often as another. */
static const uint32_t windows[] = {1, 2, 4, 16};       /* blocks side by side */
static const uint32_t budgets[] = {1, 1, 64, 1 << 16}; /* instructions of a warp's turn */
static const uint32_t chances[] = {NEVER, 2, 8, 64};   /* to stop at an access: one of so many */

struct DrawnOrder {
    const Run *run;
    uint64_t random;
    uint64_t *order;       /* [run->count]: in which blocks (clusters) begin */
    uint64_t *begun;       /* a bit for each */
    uint64_t next, lowest; /* of `order`; no block below it has not begun */
    uint32_t window;
    uint32_t budgets;      /* of these, the first ones are given in this launch */
    uint32_t chance;       /* of the warp's turn */
    bool stuck;            /* blocks that are there only wait */
    uint64_t deeds, idle;  /* when somebody did something last, and turns since then */
    uint64_t ended, turns; /* the same of blocks that end */
    uint64_t *reach;       /* bit `to` of row `from`: it leads there without a loop's way back */
    uint32_t row;          /* words of one */
};

static uint32_t draw(DrawnOrder *schedule, uint32_t below) {
    return (uint32_t)(random_next(&schedule->random) >> 32) % below;
}

/* ---- where basic blocks lead ---- */

static void reach_one(DrawnOrder *schedule, uint32_t from, uint32_t to) {
    uint64_t *row = schedule->reach + (size_t)from * schedule->row;
    const uint64_t *next = schedule->reach + (size_t)to * schedule->row;
    row[to / 64] |= UINT64_C(1) << to % 64;
    for (uint32_t i = 0; i < schedule->row; i++)
        row[i] |= next[i];
}

/* Blocks from the last of the order to the first, so that what each leads to is known. */
static void find_reach(Arena *arena, DrawnOrder *schedule) {
    const Program *program = schedule->run->program;
    uint32_t count = program->block_count, last = 0;
    schedule->row = count / 64 + 1;
    schedule->reach = NEW_ARRAY(arena, uint64_t, (size_t)count * schedule->row + 1);
    for (uint32_t b = 0; b < count; b++)
        last = program->order[b] > last ? program->order[b] : last;
    uint32_t *first = NEW_ARRAY(arena, uint32_t, last + 2),
             *sorted = NEW_ARRAY(arena, uint32_t, count + 1);
    for (uint32_t b = 0; b < count; b++)
        first[last - program->order[b] + 1]++;
    for (uint32_t i = 0; i <= last; i++)
        first[i + 1] += first[i];
    for (uint32_t b = 0; b < count; b++)
        sorted[first[last - program->order[b]]++] = b;
    for (uint32_t s = 0; s < count; s++) {
        const uint32_t from = sorted[s];
        const Block *block = &program->blocks[from];
        for (uint32_t i = 0; i < 2 + block->target_count; i++) {
            const uint32_t to = i < 2 ? block->successor[i] : block->targets[i - 2];
            if (to != NO_INDEX && program->order[to] > program->order[from])
                reach_one(schedule, from, to);
        }
    }
}

/* ---- the launch ---- */

bool schedule_named(const char *name, uint64_t *seed) {
    static const char prefix[] = "seed:";
    const size_t length = sizeof prefix - 1;
    if (strncmp(name, prefix, length) != 0 || !name[length] ||
        strspn(name + length, "0123456789") != strlen(name + length))
        return false;
    errno = 0;
    *seed = strtoull(name + length, NULL, 10);
    return *seed && !errno;
}

static void shuffle(DrawnOrder *schedule, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        schedule->order[i] = i;
    for (uint64_t i = count; i > 1; i--) {
        const uint64_t with = random_next(&schedule->random) % i, that = schedule->order[with];
        schedule->order[with] = schedule->order[i - 1];
        schedule->order[i - 1] = that;
    }
}

DrawnOrder *schedule_new(Arena *arena, const Run *run, uint64_t number) {
    if (!run->launch->schedule)
        return NULL;
    DrawnOrder *schedule = NEW(arena, DrawnOrder);
    schedule->run = run;
    uint64_t seed = run->launch->schedule;
    schedule->random = random_next(&seed) ^ number;
    schedule->order = NEW_ARRAY(arena, uint64_t, run->count + 1);
    schedule->begun = NEW_ARRAY(arena, uint64_t, run->count / 64 + 1);
    shuffle(schedule, run->count);
    schedule->window = windows[draw(schedule, sizeof windows / sizeof *windows)];
    schedule->budgets = 2 + draw(schedule, sizeof budgets / sizeof *budgets - 1);
    find_reach(arena, schedule);
    return schedule;
}

/* ---- blocks ---- */

bool schedule_begins(const Worker *worker, uint32_t resident, uint32_t limit) {
    const DrawnOrder *schedule = worker->run->schedule;
    const bool wanted = resident < schedule->window || schedule->turns > LONG_TURNS;
    return schedule->stuck || (wanted && resident < limit);
}

static bool has_begun(const DrawnOrder *schedule, uint64_t unit) {
    return schedule->begun[unit / 64] >> unit % 64 & 1;
}

uint64_t schedule_unit(DrawnOrder *schedule) {
    while (has_begun(schedule, schedule->lowest))
        schedule->lowest++;
    while (has_begun(schedule, schedule->order[schedule->next]))
        schedule->next++;
    const uint64_t unit = schedule->stuck ? schedule->lowest : schedule->order[schedule->next];
    schedule->begun[unit / 64] |= UINT64_C(1) << unit % 64;
    schedule->stuck = false;
    schedule->idle = schedule->turns = 0;
    return unit;
}

/* Now and then: whether anybody has done what others may wait for. */
static void look_for_deeds(Worker *worker, DrawnOrder *schedule, uint32_t resident) {
    schedule->turns = worker->ended == schedule->ended ? schedule->turns + 1 : 0;
    schedule->ended = worker->ended;
    if (++schedule->idle < (uint64_t)STUCK_TURNS * resident)
        return;
    const uint64_t deeds = limit_deeds(worker);
    schedule->stuck = deeds == schedule->deeds;
    schedule->deeds = deeds;
    schedule->idle = 0;
}

void schedule_choose(Worker *worker, uint32_t resident) {
    DrawnOrder *schedule = worker->run->schedule;
    look_for_deeds(worker, schedule, resident);
    Cta **at = &worker->resident;
    for (uint32_t steps = draw(schedule, resident); steps > 0 && (*at)->next; steps--)
        at = &(*at)->next;
    Cta *chosen = *at;
    *at = chosen->next;
    chosen->next = worker->resident;
    worker->resident = chosen;
}

/* ---- warps ---- */

uint32_t schedule_rounds(DrawnOrder *schedule) {
    return 1 + draw(schedule, ROUNDS_MOST);
}

void schedule_warps(DrawnOrder *schedule, uint32_t count, uint8_t order[WARP_LANES]) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t with = draw(schedule, i + 1);
        order[i] = order[with];
        order[with] = (uint8_t)i;
    }
}

bool schedule_sleeps(DrawnOrder *schedule, Warp *warp) {
    if (warp->sleeps > 0)
        warp->sleeps--;
    else if (draw(schedule, SLEEPS) == 0)
        warp->sleeps = 1 << draw(schedule, SLEEP_BITS + 1);
    return warp->sleeps > 0;
}

uint64_t schedule_budget(DrawnOrder *schedule) {
    schedule->chance = chances[draw(schedule, sizeof chances / sizeof *chances)];
    return budgets[draw(schedule, schedule->budgets)];
}

bool schedule_stops(DrawnOrder *schedule, const Code *code) {
    return schedule->chance != NEVER && code_is_noticed(code) &&
           draw(schedule, schedule->chance) == 0;
}

/* ---- lanes ---- */

/* Paths that stand at the start of one basic block become one. */
static void join_all(Warp *warp) {
    for (uint32_t i = 0; i < warp->path_count; i++)
        for (uint32_t k = i + 1; k < warp->path_count; k++) {
            Path *path = &warp->paths[i], *other = &warp->paths[k];
            if (!path_runs(path) || !path_runs(other) || path->inside || other->inside ||
                path->pc != other->pc || path->activation != other->activation)
                continue;
            path->mask |= other->mask;
            path_free(warp, other);
        }
}

/* Whether lanes of `other` may still come to where the path stands, to go on with it. */
static bool awaits(const DrawnOrder *schedule, const Path *path, const Path *other) {
    const Program *program = schedule->run->program;
    if (path->activation != other->activation)
        return path_stands_before(other, path);
    const uint32_t to = program->block_of[path->pc];
    const uint64_t *row = schedule->reach + (size_t)program->block_of[other->pc] * schedule->row;
    return row[to / 64] >> to % 64 & 1;
}

static bool may_go(const DrawnOrder *schedule, const Warp *warp, const Path *path) {
    if (!path_runs(path))
        return false;
    for (uint32_t i = 0; !path->inside && i < warp->path_count; i++) {
        const Path *other = &warp->paths[i];
        if (other != path && path_runs(other) && awaits(schedule, path, other))
            return false;
    }
    return true;
}

Path *schedule_path(DrawnOrder *schedule, Warp *warp) {
    if (schedule->run->program->function->machine)
        return path_choose(warp);
    join_all(warp);
    Path *may[WARP_LANES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < warp->path_count; i++)
        if (may_go(schedule, warp, &warp->paths[i]))
            may[count++] = &warp->paths[i];
    return count ? may[draw(schedule, count)] : path_next(warp);
}
