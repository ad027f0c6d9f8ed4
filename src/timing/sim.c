/* One SM, clock by clock where something happens: who can issue first does, and what it needs is busy from then on. */
#include "timing/sim.h"
#include "timing/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 16, NO_WARP = -1, CODE_LINE = 8 /* instructions of 128 bytes */, LINE_SECTORS = 4 };

typedef struct SimWarp {
    const TimeEvent *at, *end;
    double ready,
        issued; /* when its next instruction has its operands; when the last one was issued */
    double *registers;             /* when each is there */
    uint8_t *sources;              /* WaitKind of who writes it */
    double copied, groups[GROUPS]; /* asynchronous copies */
    uint32_t group_count, block;
    WaitKind waits;
    bool alive, parked; /* parked: at a barrier */
    const TimeTrace *trace;
    uint32_t window, last; /* of its trace; the event behind it */
    double stands;         /* instructions that are in no window, for each of this one */
    double before;         /* … of these, behind the last window */
    double fetching;       /* clocks that its next instruction is waited for */
} SimWarp;

typedef struct SimBlock {
    uint32_t live, arrived;
} SimBlock;

typedef struct Subcore {
    double free, unit_free[TIME_UNIT_COUNT];
    int best; /* warp that can issue first; NO_WARP: none */
    double at;
} Subcore;

typedef struct SimRate {
    float l2, dram; /* sectors owed */
    float waits;    /* loads that wait for what is on its way */
} SimRate;

typedef struct Sim {
    const SimSetup *setup;
    const TimedCode *code;
    SimWarp *warps;
    SimBlock *blocks;
    uint32_t warp_count, block_slots, per_block;
    uint32_t next, ended; /* blocks */
    Subcore subcores[TIME_SUBCORES];
    double lsu_free, l2_free, dram_free, atomic_free, constant_free, barrier_free, begin_free,
        last_issue;
    SimRate *owed;   /* [sites] */
    double *fetched; /* [instructions / CODE_LINE]: when they are there; 0: nobody has asked */
    double *ends;
    SimResult result;
} Sim;

static double later(double a, double b) {
    return a > b ? a : b;
}

static bool asks_lsu(TimeUnit unit) {
    return unit == TIME_shared || unit == TIME_global || unit == TIME_copy ||
           unit == TIME_shuffle || unit == TIME_texture;
}

/* The first who comes to instructions waits for them; later ones find them there. */
static double fetch(Sim *sim, uint32_t insn, double at) {
    double *line = &sim->fetched[insn / CODE_LINE];
    if (*line == 0) {
        double before = insn >= CODE_LINE ? line[-1] : 0;
        *line = at + (before > 0 ? time_fetch_next : time_fetch_clocks);
    }
    return *line;
}

/* When the warp's next instruction has its operands, at the earliest from `from` on. */
static void find_ready(Sim *sim, SimWarp *warp, double from) {
    warp->ready = from;
    warp->waits = WAIT_TURN;
    if (warp->at == warp->end)
        return;
    const TimedInsn *insn = &sim->code->insns[warp->at->insn];
    const uint32_t *registers = sim->code->registers + insn->first_register;
    warp->ready = from;
    const double fetched = fetch(sim, warp->at->insn, from);
    for (uint32_t i = 0; i < insn->reads + insn->writes; i++) {
        uint32_t r = registers[i];
        if (warp->registers[r] > warp->ready) {
            warp->ready = warp->registers[r];
            warp->waits = (WaitKind)warp->sources[r];
        }
    }
    warp->fetching = later(fetched - warp->ready, 0);
    if (fetched > warp->ready) {
        warp->ready = fetched;
        warp->waits = WAIT_TURN;
    }
}

/* Of memory, by no lane: its guard holds for none. It goes no further than its turn. */
static bool asks_nothing(const TimedInsn *insn, const TimeEvent *event) {
    return asks_lsu(insn->unit) && event->lanes == 0;
}

/* When it can be issued, as things are. */
static double issue_time(const Sim *sim, const Subcore *subcore, const SimWarp *warp) {
    const TimedInsn *insn = &sim->code->insns[warp->at->insn];
    double at = later(warp->ready, subcore->free);
    if (asks_nothing(insn, warp->at))
        return at;
    at = later(at, subcore->unit_free[insn->unit]);
    if (asks_lsu(insn->unit))
        at = later(at, sim->lsu_free - time_queue_clocks);
    if (insn->unit == TIME_global)
        at = later(at,
                   later(later(sim->l2_free, sim->dram_free), sim->atomic_free) - time_store_queue);
    return at;
}

static void choose(Sim *sim, uint32_t number) {
    Subcore *subcore = &sim->subcores[number];
    subcore->best = NO_WARP;
    for (uint32_t w = number; w < sim->warp_count; w += TIME_SUBCORES) {
        const SimWarp *warp = &sim->warps[w];
        if (!warp->alive || warp->parked)
            continue;
        double at = issue_time(sim, subcore, warp);
        if (subcore->best == NO_WARP || at < subcore->at) {
            subcore->best = (int)w;
            subcore->at = at;
        }
    }
}

static void choose_all(Sim *sim) {
    for (uint32_t s = 0; s < TIME_SUBCORES; s++)
        choose(sim, s);
}

/* ---- windows of a trace ---- */

/* What lies between two windows is half as in the one, half as in the other. */
static void window_begin(SimWarp *warp) {
    const TimeTrace *trace = warp->trace;
    const TimeWindow *windows = trace->windows.at;
    const uint32_t count = trace->windows.count, next = warp->window + 1;
    const TimeWindow from = count ? windows[warp->window] : (TimeWindow){0};
    warp->last = next < count ? windows[next].first : trace->events.count;
    const uint32_t kept = warp->last - from.first;
    const uint64_t end = from.at + kept;
    const double behind =
        next < count ? (double)(windows[next].at - end) / 2 : (double)(trace->executed - end);
    warp->stands = kept ? (warp->before + behind) / kept : 0;
    warp->before = behind;
}

/* The SM's clocks since its last instruction are this one's, and as many for each that it stands for; but for the wait for code that
 * comes for the first time, and for the block. */
static void account_window(Sim *sim, SimWarp *warp, double at) {
    const double clocks = later(at - sim->last_issue, 0);
    const uint32_t issued = (uint32_t)(warp->at - warp->trace->events.at);
    sim->last_issue = later(at, sim->last_issue);
    sim->result.traced += clocks;
    if (issued > 1)
        sim->result.between += later(clocks - warp->fetching, 0) * warp->stands;
    if (issued == warp->last && warp->window + 1 < warp->trace->windows.count) {
        warp->window++;
        window_begin(warp);
    }
}

/* ---- blocks ---- */

static void block_begin(Sim *sim, uint32_t slot, double at) {
    const TimeLaunch *launch = sim->setup->launch;
    if (sim->next >= sim->setup->blocks)
        return;
    const uint32_t next = sim->next++;
    const TimeBlock *from =
        &launch->blocks[sim->setup->order ? sim->setup->order[next]
                                          : (sim->setup->first + next) % launch->block_count];
    at = later(at, sim->begin_free);
    sim->begin_free = at + sim->setup->begin_clocks;
    sim->blocks[slot] = (SimBlock){0};
    for (uint32_t i = 0; i < sim->per_block; i++) {
        SimWarp *warp = &sim->warps[slot * sim->per_block + i];
        warp->at = from->warps[i].events.at;
        warp->end = warp->at + from->warps[i].events.count;
        memset(warp->registers, 0, (sim->code->register_count + 1) * sizeof *warp->registers);
        warp->copied = 0;
        warp->group_count = 0;
        warp->block = slot;
        warp->alive = warp->at != warp->end;
        warp->parked = false;
        warp->issued = at;
        warp->trace = &from->warps[i];
        warp->window = 0;
        warp->before = 0;
        window_begin(warp);
        sim->blocks[slot].live += warp->alive;
        find_ready(sim, warp, at);
    }
}

static void release(Sim *sim, uint32_t slot, double at) {
    sim->blocks[slot].arrived = 0;
    for (uint32_t i = 0; i < sim->per_block; i++) {
        SimWarp *warp = &sim->warps[slot * sim->per_block + i];
        if (!warp->alive || !warp->parked)
            continue;
        warp->parked = false;
        find_ready(sim, warp, at);
        warp->waits = WAIT_BARRIER;
    }
}

static void warp_end(Sim *sim, SimWarp *warp, double at) {
    SimBlock *block = &sim->blocks[warp->block];
    warp->alive = false;
    block->live--;
    if (block->live && block->arrived >= block->live)
        release(sim, warp->block, at);
    if (block->live)
        return;
    sim->ends[sim->ended++] = at;
    block_begin(sim, warp->block, at + time_block_clocks);
}

/* ---- memory ---- */

/* Whole sectors of a rate, so that all of them together come out right. */
static uint32_t take(float *owed, float more) {
    *owed += more;
    uint32_t whole = *owed > 0 ? (uint32_t)*owed : 0;
    *owed -= (float)whole;
    return whole;
}

/* When what was asked of L1 at `start` is there. */
static double l2_clocks(const SimSetup *setup, const TimedInsn *insn, double sectors,
                        double lines) {
    lines = later(lines, sectors / 4);
    sectors *= setup->l2_wide;
    return insn->store
               ? (lines * time_l2_write_line + sectors * time_l2_write_sector) * setup->l2_copies
               : lines * time_l2_read_line + sectors * time_l2_read_sector;
}

/* The part of L2 where atomics wait for each other has its share of all else to do as well. */
static void work_l2(Sim *sim, double start, double clocks) {
    sim->l2_free = later(sim->l2_free, start) + clocks;
    sim->result.l2_busy += clocks;
    if (sim->atomic_free > start) {
        sim->atomic_free += clocks;
        sim->result.atomic_busy += clocks;
    }
}

/* Atomics are done in L2, a sector after the other, a lane of each of its words at a time; what has few lines has few places where
 * that is done. A sum of reals is there later than the next one on its word could be begun. */
static double atomic_clocks(const Sim *sim, const TimedInsn *insn, const TimeEvent *event) {
    const double places = sim->setup->launch->rates[insn->site].places;
    const double of_sector = insn->swaps ? time_swap_sector : time_atomic_sector;
    double share =
        later(event->lanes * time_atomic_lane, event->sectors * of_sector) / sim->setup->l2_share;
    if (places <= 0)
        return share;
    const double lines = later(places / LINE_SECTORS, 1);
    const double of_word = event->words ? (double)event->lanes / event->words : 1;
    double clocks =
        event->sectors * later(of_word * time_atomic_pass, insn->swaps ? time_swap_pass : 0);
    if (insn->adds_real)
        clocks = later(clocks, of_word * time_atomic_sum);
    return later(share, clocks * sim->setup->atomic_sms / pow(lines, time_atomic_spread));
}

static double atomic_done(Sim *sim, const TimedInsn *insn, const TimeEvent *event, double start) {
    double clocks = atomic_clocks(sim, insn, event);
    sim->atomic_free = later(sim->atomic_free, start) + clocks;
    sim->result.atomic_busy += clocks;
    return sim->atomic_free + insn->latency + time_atomic_latency;
}

static const TimeMend *mend_of(const Sim *sim, const TimedInsn *insn) {
    const TimeMend *mends = sim->setup->mends;
    return mends && insn->site != NO_TIME_SITE && mends[insn->site].is ? &mends[insn->site] : NULL;
}

static double from_memory(Sim *sim, const TimedInsn *insn, const TimeEvent *event, double start) {
    const TimeLaunch *launch = sim->setup->launch;
    const TimeMend *mend = mend_of(sim, insn);
    double sectors = event->sectors;
    double at = start + insn->latency;
    if (insn->site == NO_TIME_SITE || sectors == 0)
        return at;
    TimeRates rates = launch->rates[insn->site];
    SimRate *owed = &sim->owed[insn->site];
    uint32_t l2 = take(&owed->l2, (float)sectors * rates.to_l2 * (mend ? mend->l2 : 1));
    uint32_t dram = take(&owed->dram, (float)sectors * rates.to_dram * (mend ? mend->dram : 1));
    owed->waits = fminf(owed->waits + rates.waits, 1);
    if (insn->atomic)
        at = later(at, atomic_done(sim, insn, event, start));
    else if (l2) {
        double lines = mend ? 0 : event->lines * l2 / sectors;
        double clocks = l2_clocks(sim->setup, insn, l2, lines) / sim->setup->l2_share;
        clocks = later(clocks, l2 * 32.0 / time_sm_l2_bytes);
        work_l2(sim, start, clocks);
        at = later(at, sim->l2_free + insn->latency + time_l2_latency);
    }
    if (dram) {
        double clocks = dram * 32.0 / sim->setup->dram_bytes,
               filling = dram * time_l2_fill_sector * sim->setup->l2_wide / sim->setup->l2_share;
        work_l2(sim, start, filling);
        sim->dram_free = later(sim->dram_free, start) + clocks;
        sim->result.dram_busy += clocks;
        at = later(at, sim->dram_free + insn->latency + time_l2_latency + time_dram_latency);
    } else if (!insn->atomic && !insn->store && take(&owed->waits, 0)) {
        at += rates.wait_clocks; /* a hit, but what another warp missed has not come yet */
    }
    return at;
}

static double memory_done(Sim *sim, const TimedInsn *insn, const TimeEvent *event, double at) {
    const TimeMend *mended = mend_of(sim, insn);
    double wavefronts = mended ? event->wavefronts_ideal : event->wavefronts;
    double sectors = mended ? event->sectors_ideal : event->sectors;
    double passes = event->passes ? event->passes : later(event->lines, event->sectors / 4.0);
    if (mended && event->sectors)
        passes = ceil(passes * sectors / event->sectors);
    double service = insn->period;
    service = later(service, wavefronts * time_wavefront_clocks);
    service = later(service, passes);
    double start = later(at, sim->lsu_free);
    sim->lsu_free = start + service;
    sim->result.unit_busy[insn->unit] += service;
    if (insn->unit == TIME_shared || insn->unit == TIME_shuffle)
        return sim->lsu_free + insn->latency - 1 +
               later(wavefronts - 1, 0); /* data come back in pieces, too */
    return from_memory(sim, insn, event, sim->lsu_free - 1);
}

/* Lanes that ask for different constants are served one address after the other; a load that no lane makes takes its turn, too
 * (quasirandomGenerator, whose loads have a bit of a number as their guard: half of them are of no lane). */
static double constants_done(Sim *sim, const TimedInsn *insn, const TimeEvent *event, double at) {
    const double clocks = later(event->passes, 1) * time_constant_address;
    sim->constant_free = later(sim->constant_free, at) + clocks;
    sim->result.unit_busy[TIME_constant] += clocks * TIME_SUBCORES;
    return sim->constant_free + insn->latency - 1;
}

/* ---- instructions ---- */

static WaitKind wait_of(TimeUnit unit) {
    switch (unit) {
    case TIME_shared:
    case TIME_shuffle:
        return WAIT_SHARED;
    case TIME_global:
    case TIME_copy:
    case TIME_texture:
    case TIME_constant:
        return WAIT_MEMORY;
    default:
        return WAIT_ARITHMETIC;
    }
}

static double group_done(SimWarp *warp, const TimedInsn *insn, double at) {
    if (insn->commits) {
        warp->groups[warp->group_count++ % GROUPS] = warp->copied;
        return at;
    }
    if (warp->group_count <= insn->left || insn->left >= GROUPS)
        return at;
    return later(at, warp->groups[(warp->group_count - 1 - insn->left) % GROUPS]);
}

static void set_results(Sim *sim, SimWarp *warp, const TimedInsn *insn, double at) {
    const uint32_t *written = sim->code->registers + insn->first_register + insn->reads;
    for (uint32_t i = 0; i < insn->writes; i++) {
        warp->registers[written[i]] = at;
        warp->sources[written[i]] = (uint8_t)wait_of(insn->unit);
    }
}

static void account_wait(Sim *sim, const SimWarp *warp, double at) {
    double dependent = warp->ready - warp->issued - 1, turn = at - warp->ready;
    if (dependent > 0)
        sim->result.waited[warp->waits == WAIT_TURN ? WAIT_ARITHMETIC : warp->waits] += dependent;
    if (turn > 0)
        sim->result.waited[WAIT_TURN] += turn;
}

static void issue(Sim *sim, uint32_t number) {
    Subcore *subcore = &sim->subcores[number];
    SimWarp *warp = &sim->warps[subcore->best];
    const TimeEvent *event = warp->at++;
    const TimedInsn *insn = &sim->code->insns[event->insn];
    double at = subcore->at, next = at + 1, done = at + insn->latency;
    account_wait(sim, warp, at);
    if (insn->unit != TIME_free) {
        subcore->free = at + time_issue_clocks + insn->stall;
        sim->result.issued++;
    } else {
        next = at;
        done = at;
    }
    if (asks_nothing(insn, event)) {
        done = at;
    } else if (asks_lsu(insn->unit)) {
        subcore->unit_free[insn->unit] = at + 2;
        done = memory_done(sim, insn, event, at);
    } else {
        const double slower = sim->setup->slower[insn->unit];
        const double period = insn->period * slower;
        subcore->unit_free[insn->unit] = at + period;
        done = later(done, at + (slower > 1 ? period : 0));
        if (insn->unit != TIME_constant)
            sim->result.unit_busy[insn->unit] += period;
        else if (insn->site != NO_TIME_SITE)
            done = constants_done(sim, insn, event, at);
    }
    warp->issued = at;
    account_window(sim, warp, at);
    if (insn->unit == TIME_copy)
        warp->copied = later(warp->copied, done);
    else
        set_results(sim, warp, insn, done);
    if (insn->unit == TIME_control)
        next = at + insn->latency;
    bool waits = false;
    if (insn->unit == TIME_group) {
        next = group_done(warp, insn, next);
        waits = next > at + 1;
    }
    SimBlock *block = &sim->blocks[warp->block];
    if (warp->at == warp->end) {
        warp_end(sim, warp, at + 1);
        choose_all(sim);
    } else if (insn->unit == TIME_barrier && !insn->commits) {
        sim->barrier_free = later(at, sim->barrier_free) + insn->period;
        warp->parked = true;
        warp->issued = at;
        if (++block->arrived >= block->live)
            release(sim, warp->block, sim->barrier_free + insn->latency);
        choose_all(sim);
    } else {
        find_ready(sim, warp, next);
        if (waits && warp->waits == WAIT_TURN)
            warp->waits = WAIT_MEMORY;
        choose(sim, number);
    }
}

/* The part of the SM that issues next; NO_WARP: none can. */
static int first_subcore(Sim *sim) {
    for (;;) {
        int first = NO_WARP;
        for (uint32_t s = 0; s < TIME_SUBCORES; s++)
            if (sim->subcores[s].best != NO_WARP &&
                (first == NO_WARP || sim->subcores[s].at < sim->subcores[first].at))
                first = (int)s;
        if (first == NO_WARP)
            return NO_WARP;
        Subcore *subcore = &sim->subcores[first]; /* what all share may be busy by now */
        double at = issue_time(sim, subcore, &sim->warps[subcore->best]);
        if (at <= subcore->at)
            return first;
        choose(sim, (uint32_t)first);
        if (subcore->at <= at)
            return first;
    }
}

/* Nobody can go on: barriers that the model does not know as the program means them. */
static bool release_any(Sim *sim) {
    for (uint32_t b = 0; b < sim->block_slots; b++) {
        if (!sim->blocks[b].live || !sim->blocks[b].arrived)
            continue;
        double at = 0;
        for (uint32_t i = 0; i < sim->per_block; i++)
            at = later(at, sim->warps[b * sim->per_block + i].issued);
        release(sim, b, at + 1);
        choose_all(sim);
        return true;
    }
    return false;
}

SimResult sim_run(Arena *arena, const SimSetup *setup) {
    const TimeLaunch *launch = setup->launch;
    Sim sim = {.setup = setup,
               .code = launch->code,
               .per_block = launch->warps_per_block,
               .block_slots =
                   launch->blocks_per_sm < setup->blocks ? launch->blocks_per_sm : setup->blocks};
    sim.warp_count = sim.block_slots * sim.per_block;
    sim.warps = NEW_ARRAY(arena, SimWarp, sim.warp_count + 1);
    sim.blocks = NEW_ARRAY(arena, SimBlock, sim.block_slots + 1);
    sim.owed = NEW_ARRAY(arena, SimRate, launch->code->site_count + 1);
    sim.fetched = NEW_ARRAY(arena, double, launch->code->count / CODE_LINE + 2);
    sim.ends = NEW_ARRAY(arena, double, setup->blocks + 1);
    for (uint32_t w = 0; w < sim.warp_count; w++) {
        sim.warps[w].registers = NEW_ARRAY(arena, double, launch->code->register_count + 1);
        sim.warps[w].sources = NEW_ARRAY(arena, uint8_t, launch->code->register_count + 1);
    }
    for (uint32_t b = 0; b < sim.block_slots; b++)
        block_begin(&sim, b, 0);
    choose_all(&sim);
    for (;;) {
        int subcore = first_subcore(&sim);
        if (subcore != NO_WARP)
            issue(&sim, (uint32_t)subcore);
        else if (!release_any(&sim))
            break;
    }
    sim.result.ends = sim.ends;
    sim.result.clocks = sim.ended ? sim.ends[sim.ended - 1] : 0;
    return sim.result;
}
