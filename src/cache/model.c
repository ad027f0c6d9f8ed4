/* The blocks of a launch on the SMs: as many as fit are resident, their warps ask one after the other when the
 * answer to their last request has come, and a block that ends makes room for the next one.
 *
 * Time is here for nothing but the order of requests. Clocks as microbenchmarks of an H100 found them; the results
 * depend little on them. */
#include "cache/level2.h"
#include "cache/request.h"
#include "cache/sample.h"
#include "cache/wheel.h"

#include <stdlib.h>
#include <string.h>

enum { HIT_CLOCKS = 33, L2_CLOCKS = 260, FAR_CLOCKS = 160, DRAM_CLOCKS = 330, GAP_CLOCKS = 8 };
/* Where one line of 2^3 is modelled, all that is kept of them fits the processor's own caches. */
enum { SMALL_BITS = 3 };
enum { GPC_BLOCKS = 16, LOCAL_LINE_BITS = 17, SM_WARPS = 64 };
#define LOCAL_LINES (UINT64_C(1) << 41) /* above the lines of global memory */

/* In the wheel a block is one member where its warps begin, and where the last of them ends: each has its turns between. */
typedef enum BlockState { BLOCK_BEGINS, BLOCK_RUNS, BLOCK_ENDS } BlockState;

typedef struct ModelBlock {
    CacheTrace *trace;     /* NULL: the place is free */
    const uint64_t *words; /* of the trace */
    BlockState state;
    uint32_t sm, live, waiting;
    uint64_t end;                /* of its warps that have ended, the last one */
    uint32_t waits;              /* warps at the barrier */
    uint8_t passed[CACHE_WARPS]; /* requests of its next run, of each warp */
    uint32_t at[CACHE_WARPS];    /* each warp's next request */
} ModelBlock;

/* A store that has not left the SM yet: what stores the same words meanwhile goes with it. */
enum { STORES = 64, STORE_CLOCKS = 48 };
typedef struct SentStore {
    uint64_t line, when; /* line: its number plus 1; 0: none */
    uint32_t words;
} SentStore;

typedef struct ModelSm {
    LineCache l1;
    SentStore stores[STORES];
    bool begun;
    uint32_t part;
    uint64_t free; /* when the look-up can take another line */
} ModelSm;

/* What SMs that are near each other have asked L2 for, and what has not come yet. */
enum { FLIGHT_BITS = 10, GROUP_SMS = 6 };
typedef struct Flight {
    uint64_t number;
    uint64_t ready;
    uint32_t mask;
} Flight;

/* An SM's neighbours: a GPC of 16 has groups of 6, 6 and 4. */
static uint32_t group_of(uint32_t sm) {
    return sm / GPC_BLOCKS * 3 + sm % GPC_BLOCKS / GROUP_SMS;
}

/* What a site asks for in all, where only some lines are modelled. */
typedef struct SiteAsks {
    uint64_t loads, others; /* sectors */
    uint32_t clocks; /* that its requests took lately, times CLOCKS_OF; 0: none was modelled yet */
} SiteAsks;
enum { CLOCKS_OF = 8 };

struct CacheModel {
    Arena *arena;
    CacheShape shape;
    CacheCounts *counts; /* [site_count + 1]: the last of requests without a site */
    SiteAsks *asked;     /* likewise */
    CacheWaits *waits;   /* likewise */
    uint32_t bits;       /* one of 2^bits lines is modelled */
    uint64_t block_count;
    uint32_t site_count;
    ModelSm *sms;
    Flight **
        flights; /* [groups], of each as many as lines are modelled; NULL: none of its SMs has a block yet */
    ModelBlock *blocks; /* [places]: place p is on SM p % sms */
    uint32_t places, placed;
    VEC(uint32_t) vacant; /* places whose blocks have ended, in that order */
    uint32_t vacant_first;
    CacheTrace *pending, *pending_last; /* blocks that have not begun */
    CacheTrace *spare;                  /* of blocks that have ended, the last one first */
    uint32_t spares;
    uint32_t come; /* blocks, before `started` */
    bool started, ended;
    uint64_t dram_free;   /* in 1/256 of a clock */
    uint64_t fill_clocks; /* of a sector, likewise */
    Level2 l2;
    Wheel wheel;
};

CacheModel *model_new(const CacheShape *shape, uint64_t blocks, uint32_t site_count) {
    Arena *arena = arena_new();
    CacheModel *model = NEW(arena, CacheModel);
    model->arena = arena;
    model->shape = *shape;
    model->site_count = site_count;
    model->block_count = blocks;
    model->counts = NEW_ARRAY(arena, CacheCounts, site_count + 1);
    model->asked = NEW_ARRAY(arena, SiteAsks, site_count + 1);
    model->waits = NEW_ARRAY(arena, CacheWaits, site_count + 1);
    model->sms = NEW_ARRAY(arena, ModelSm, shape->sms);
    model->flights = NEW_ARRAY(arena, Flight *, group_of(shape->sms) + 1);
    model->places = shape->sms * shape->blocks_per_sm;
    if (blocks < model->places)
        model->places = (uint32_t)blocks;
    model->blocks = NEW_ARRAY(arena, ModelBlock, model->places);
    wheel_begin(&model->wheel, arena, model->places * CACHE_WARPS);
    return model;
}

static void free_all(CacheTrace *first) {
    for (CacheTrace *trace = first, *next; trace; trace = next) {
        next = trace->next;
        trace_free(trace);
    }
}

void model_free(CacheModel *model) {
    if (!model)
        return;
    free_all(model->pending);
    free_all(model->spare);
    for (uint32_t p = 0; p < model->places; p++)
        trace_free(model->blocks[p].trace);
    arena_free(model->arena);
}

/* ---- requests ---- */

typedef struct Asker {
    ModelSm *sm;
    Flight *flights; /* of its group */
    CacheCounts *counts;
    uint64_t now;       /* when the line is looked up */
    uint64_t ready;     /* when all is there */
    bool asked, filled; /* L2 for some of it, which had to get it from DRAM */
} Asker;

static void wait_until(Asker *asker, uint64_t when) {
    if (when > asker->ready)
        asker->ready = when;
}

/* When what L2 was asked for comes. */
static uint64_t answer_time(CacheModel *model, const Asker *asker, L2Answer answer) {
    uint64_t when = asker->now + L2_CLOCKS + (answer.far ? FAR_CLOCKS : 0);
    if (answer.fills) {
        uint64_t start = asker->now << 8;
        start = model->dram_free > start ? model->dram_free : start;
        model->dram_free = start + answer.fills * model->fill_clocks;
        when += DRAM_CLOCKS + (model->dram_free >> 8) - asker->now;
    } else if (answer.late) {
        const uint64_t come = asker->now + answer.late + L2_CLOCKS + DRAM_CLOCKS - FETCH_CLOCKS;
        when = come > when ? come : when;
    }
    return when;
}

/* Sectors that another SM of the group waits for already come to both, and are asked for once. */
static uint64_t ask_l2(CacheModel *model, Asker *asker, uint64_t line, uint32_t mask) {
    Flight *flight =
        &asker->flights[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - FLIGHT_BITS + model->bits)];
    bool same = flight->number == line && flight->ready > asker->now;
    if (same && mask == flight->mask)
        return flight->ready;
    L2Answer answer = level2_read(&model->l2, asker->sm->part, line, mask, asker->now);
    asker->counts->l2_sectors += (uint32_t)__builtin_popcount(mask);
    asker->counts->l2_hits += answer.hits;
    asker->counts->dram_reads += answer.fills;
    asker->asked = true;
    asker->filled |= answer.fills != 0;
    uint64_t ready = answer_time(model, asker, answer);
    *flight = (Flight){line, ready, mask};
    return ready;
}

static void load(CacheModel *model, Asker *asker, uint64_t number, uint32_t words) {
    uint32_t mask = words_sectors(words);
    bool found;
    CacheLine evicted, *line = lines_make(&asker->sm->l1, number, &found, &evicted);
    uint32_t missing = mask & ~line->valid;
    asker->counts->l1_loads += (uint32_t)__builtin_popcount(mask);
    asker->counts->l1_load_hits += (uint32_t)__builtin_popcount(mask & line->valid);
    line->valid |= (uint8_t)mask;
    if (missing)
        line->ready = (uint32_t)ask_l2(model, asker, number, missing);
    wait_until(asker, asker->now + HIT_CLOCKS);
    int32_t left = (int32_t)(line->ready - (uint32_t)asker->now); /* it may still be on its way */
    if (left > 0)
        wait_until(asker, asker->now + (uint32_t)left);
}

static void load_past(CacheModel *model, Asker *asker, uint64_t number, uint32_t words) {
    uint32_t mask = words_sectors(words);
    asker->counts->l1_loads += (uint32_t)__builtin_popcount(mask);
    wait_until(asker, ask_l2(model, asker, number, mask));
}

/* Warps of a block that do the same side by side store the same words at the same time. */
static bool goes_with_another(Asker *asker, uint64_t number, uint32_t words) {
    SentStore *sent = &asker->sm->stores[number % STORES];
    if (sent->line == number + 1 && !(words & ~sent->words) &&
        asker->now - sent->when <= STORE_CLOCKS)
        return true;
    *sent = (SentStore){number + 1, asker->now, words};
    return false;
}

static void store(CacheModel *model, Asker *asker, uint64_t number, uint32_t words,
                  uint32_t sent_before) {
    uint32_t mask = words_sectors(words), count = (uint32_t)__builtin_popcount(mask);
    bool found;
    CacheLine evicted, *line = lines_make(&asker->sm->l1, number, &found, &evicted);
    asker->counts->l1_others += count;
    asker->counts->l1_other_hits += found ? count : 0;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        if ((words >> 8 * s & 0xff) == 0xff)
            line->valid |= (uint8_t)(1u << s);
    uint32_t sent = (uint32_t)__builtin_popcount(mask & ~sent_before);
    if (goes_with_another(asker, number, words))
        sent = 0;
    asker->counts->l2_sectors += sent;
    asker->counts->l2_hits += sent;
    level2_write(&model->l2, number, words);
}

static void atomic(CacheModel *model, Asker *asker, uint64_t number, uint32_t words) {
    uint32_t mask = words_sectors(words), count = (uint32_t)__builtin_popcount(mask);
    CacheLine *line = lines_peek(&asker->sm->l1, number);
    if (line)
        line->valid &= (uint8_t)~mask;
    L2Answer answer = level2_atomic(&model->l2, asker->sm->part, number, mask);
    asker->counts->l1_others += count;
    asker->counts->l2_sectors += count;
    asker->counts->l2_hits += answer.hits;
    asker->counts->dram_reads += answer.fills;
    answer_time(model, asker, answer);
}

/* ---- warps and blocks ---- */

static void add_warp(CacheModel *model, uint32_t place, uint32_t warp, uint64_t when) {
    wheel_add(&model->wheel, place * CACHE_WARPS + warp, when);
}

/* All who have not ended wait: they go on. */
static void release(CacheModel *model, uint32_t place) {
    ModelBlock *block = &model->blocks[place];
    if (!block->waits || block->waiting < block->live)
        return;
    for_lanes(w, block->waits) {
        add_warp(model, place, w, model->wheel.now + GAP_CLOCKS);
    }
    block->waits = block->waiting = 0;
}

/* What was used last is still in the processor's caches when the next block takes it. */
static void retire(CacheModel *model, CacheTrace *trace) {
    enum { SPARES = 64 };
    if (model->spares == SPARES) {
        trace_free(trace);
        return;
    }
    trace->next = model->spare;
    model->spare = trace;
    model->spares++;
}

CacheTrace *model_spare(CacheModel *model) {
    CacheTrace *trace = model->spare;
    if (!trace)
        return NULL;
    model->spare = trace->next;
    model->spares--;
    trace->next = NULL;
    return trace;
}

static void end_block(CacheModel *model, uint32_t place) {
    ModelBlock *block = &model->blocks[place];
    retire(model, block->trace);
    block->trace = NULL;
    *vec_add(model->arena, &model->vacant) = place;
}

/* Nobody asks when a warp of a block without barriers ends, but for the last. */
static void end_warp(CacheModel *model, uint32_t place, uint64_t when) {
    ModelBlock *block = &model->blocks[place];
    block->end = when > block->end ? when : block->end;
    if (--block->live) {
        release(model, place);
    } else if (block->end > model->wheel.now) {
        block->state = BLOCK_ENDS;
        add_warp(model, place, 0, block->end);
    } else {
        end_block(model, place);
    }
}

/* Of a request so many lines are looked for ahead of it. */
enum { LINES_AHEAD = 4 };

static void expect_line(const CacheModel *model, const ModelSm *sm, uint64_t line, uint32_t round) {
    if (round == 0)
        lines_expect(&sm->l1, line);
    else if (!lines_expect_more(&sm->l1, line))
        level2_expect(&model->l2, line);
}

/* The caches, as large as the lines that are modelled make them. */
static void begin(CacheModel *model) {
    CacheShape *shape = &model->shape;
    model->started = true;
    model->bits =
        shape->every_line ? 0 : sample_bits(model->pending, model->block_count, shape->l1_bytes);
    model->fill_clocks = (uint64_t)shape->fill_clocks << model->bits;
    level2_begin(&model->l2, model->arena, shape, model->bits);
}

static uint64_t local_base(uint32_t place, uint32_t warp) {
    const uint64_t resident = (uint64_t)place * CACHE_WARPS + warp;
    return LOCAL_LINES + (resident << LOCAL_LINE_BITS);
}

/* Of the lines of a request that were kept, those that are modelled: all, where the trace was told how many. */
static uint32_t pick(const CacheModel *model, const CacheTrace *trace, const CacheRequest *request,
                     uint64_t base) {
    if (model->bits == 0 || (!request->local && !request->whole && trace->bits == model->bits))
        return (uint32_t)((UINT64_C(1) << request->lines) - 1);
    uint32_t lines = 0;
    const uint32_t bits = model->bits;
    const uint64_t from = request->base + base, *at = request->at;
    for (uint32_t i = 0; i < request->lines; i++)
        lines |= (uint32_t)sample_takes(bits, at[2 * i] + from) << i;
    return lines;
}

static void expect(const CacheModel *model, const ModelSm *sm, const CacheRequest *request,
                   uint64_t base, uint32_t lines) {
    if (lines >> LINES_AHEAD)
        for (uint32_t round = 0; round < 2; round++)
            for_lanes(i, lines >> LINES_AHEAD << LINES_AHEAD) {
                expect_line(model, sm, request_line(request, i) + base, round);
            }
}

static void ask_line(CacheModel *model, Asker *asker, CacheOp op, uint64_t number, uint32_t words,
                     uint32_t sent) {
    if (op == CACHE_LOAD)
        load(model, asker, number, words);
    else if (op == CACHE_LOAD_PAST)
        load_past(model, asker, number, words);
    else if (op == CACHE_STORE)
        store(model, asker, number, words, sent);
    else /* of either kind */
        atomic(model, asker, number, words);
}

static void note_clocks(SiteAsks *asked, uint64_t clocks) {
    const uint32_t took = (uint32_t)clocks;
    asked->clocks =
        asked->clocks ? asked->clocks - asked->clocks / CLOCKS_OF + took : took * CLOCKS_OF;
}

static uint32_t site_of(const CacheModel *model, const CacheRequest *request) {
    return request->site < model->site_count ? request->site : model->site_count;
}

/* A request of which no line is modelled takes as long as those of its site did lately; returns when the warp goes on. *free: when
 * the look-up of its SM is. */
static inline uint64_t pass(CacheModel *model, PassedRequest request, uint64_t *free,
                            uint64_t when) {
    SiteAsks *asked =
        &model->asked[request.site < model->site_count ? request.site : model->site_count];
    uint32_t clocks = GAP_CLOCKS;
    when = when > *free ? when : *free;
    *free += request.lines;
    if (request.loads) {
        asked->loads += request.sectors;
        clocks = asked->clocks ? asked->clocks / CLOCKS_OF : L2_CLOCKS;
    } else {
        asked->others += request.sectors;
    }
    return when + (clocks > GAP_CLOCKS ? clocks : GAP_CLOCKS);
}

static uint64_t free_at(const CacheModel *model, const ModelSm *sm) {
    return sm->free > model->wheel.now ? sm->free : model->wheel.now;
}

/* How far a warp may be ahead of its turn. */
enum { AHEAD_MOST = WHEEL_SLOTS / 2 };
/* The warp has asked, or waits: who goes on with it is known. */
#define NO_TURN UINT64_MAX

/* As many of the run as it may pass by now; the warp's next request is behind it if these were all. */
static uint64_t pass_run(CacheModel *model, ModelBlock *block, uint32_t warp, const CacheRun *run,
                         uint64_t when) {
    ModelSm *sm = &model->sms[block->sm];
    const uint64_t until = model->wheel.now + AHEAD_MOST;
    uint64_t free = free_at(model, sm);
    uint32_t passed = block->passed[warp];
    while (passed < run->count && when <= until)
        when = pass(model, run->at[passed++], &free, when);
    sm->free = free;
    if (passed == run->count) {
        passed = 0;
        block->at[warp] = (uint32_t)block->words[block->at[warp] + 1];
    }
    block->passed[warp] = (uint8_t)passed;
    return when;
}

static void count_wait(CacheWaits *waits, const Asker *asker) {
    const uint64_t usual = asker->now + (asker->asked ? L2_CLOCKS + FAR_CLOCKS : HIT_CLOCKS);
    waits->loads++;
    if (asker->filled || asker->ready <= usual)
        return;
    waits->waited++;
    waits->clocks += asker->ready - usual;
}

static void ask(CacheModel *model, uint32_t place, uint32_t warp, const CacheRequest *request,
                uint64_t base, uint32_t picked) {
    ModelBlock *block = &model->blocks[place];
    ModelSm *sm = &model->sms[block->sm];
    const uint32_t site = site_of(model, request);
    const uint64_t now = free_at(model, sm);
    Asker asker = {.sm = sm,
                   .counts = &model->counts[site],
                   .now = now,
                   .ready = now + GAP_CLOCKS,
                   .flights = model->flights[group_of(block->sm)]};
    if (model->bits < SMALL_BITS)
        expect(model, sm, request, base, picked);
    for_lanes(i, picked) {
        asker.now = now + request_place(request, i);
        ask_line(model, &asker, request->op, request_line(request, i) + base,
                 request_words(request, i), request_sent(request, i));
    }
    SiteAsks *asked = &model->asked[site];
    const bool loads = op_loads(request->op);
    if (loads)
        count_wait(&model->waits[site], &asker);
    *(loads ? &asked->loads : &asked->others) += request->sectors;
    if (model->bits && loads)
        note_clocks(asked, asker.ready - now);
    sm->free = now + request->asked;
    add_warp(model, place, warp, asker.ready);
}

static void wait_at_barrier(CacheModel *model, uint32_t place, uint32_t warp) {
    ModelBlock *block = &model->blocks[place];
    block->waits |= 1u << warp;
    block->waiting++;
    release(model, place);
}

/* The warp's next request; false: it is not its turn any more, which is due at *when. */
__attribute__((noinline)) static bool go_past(CacheModel *model, uint32_t place, uint32_t warp,
                                              uint64_t *when) {
    ModelBlock *block = &model->blocks[place];
    const uint64_t now = model->wheel.now;
    const CacheRequest request = trace_request(block->words, block->at[warp]);
    const uint64_t base = request.local ? local_base(place, warp) : 0;
    const bool waits = request.op == CACHE_WAIT;
    const uint32_t picked = waits ? 0 : pick(model, block->trace, &request, base);
    if (*when > now && (waits || picked))
        return false;
    block->at[warp] = request.next;
    if (waits) {
        wait_at_barrier(model, place, warp);
    } else if (picked) {
        ask(model, place, warp, &request, base, picked);
    } else {
        const PassedRequest whole = {.site = request.site,
                                     .lines = (uint8_t)request.asked,
                                     .sectors = (uint8_t)request.sectors,
                                     .loads = op_loads(request.op)};
        ModelSm *sm = &model->sms[block->sm];
        uint64_t free = free_at(model, sm);
        *when = pass(model, whole, &free, *when);
        sm->free = free;
        return true;
    }
    *when = NO_TURN;
    return false;
}

/* Requests of which no line is modelled concern nobody else: a warp passes over them until one is that does, which has its
 * turn when it is due. */
static void step(CacheModel *model, uint32_t place, uint32_t warp) {
    ModelBlock *block = &model->blocks[place];
    const uint64_t now = model->wheel.now;
    uint64_t when = now;
    while (block->at[warp] != CACHE_NONE && when <= now + AHEAD_MOST) {
        const CacheRun *passed = trace_passed(block->words, block->at[warp]);
        if (passed)
            when = pass_run(model, block, warp, passed, when);
        else if (!go_past(model, place, warp, &when))
            break;
    }
    if (when == NO_TURN)
        return;
    if (when > now && (block->at[warp] != CACHE_NONE || block->trace->waits))
        add_warp(model, place, warp, when);
    else
        end_warp(model, place, when);
}

static void take_turn(CacheModel *model, uint32_t member) {
    const uint32_t place = member / CACHE_WARPS;
    ModelBlock *block = &model->blocks[place];
    const BlockState state = block->state;
    block->state = BLOCK_RUNS;
    if (state == BLOCK_RUNS)
        step(model, place, member % CACHE_WARPS);
    else if (state == BLOCK_ENDS)
        end_block(model, place);
    else
        for_lanes(w, block->trace->asking) {
            step(model, place, w);
        }
}

/* Blocks go to SMs in turn, a GPC after the other; which of these are near which partition is not known. */
static void begin_sm(CacheModel *model, uint32_t number) {
    ModelSm *sm = &model->sms[number];
    static const uint8_t part[8] = {0, 0, 1, 1, 0, 1, 1, 0};
    Flight **flights = &model->flights[group_of(number)];
    if (!*flights)
        *flights = NEW_ARRAY(model->arena, Flight, 1u << (FLIGHT_BITS - model->bits));
    if (!sm->begun)
        lines_begin(&sm->l1, model->arena, model->shape.l1_bytes, model->bits);
    sm->begun = true;
    sm->part = model->shape.partitions == 1 ? 0 : part[number / GPC_BLOCKS % 8];
}

static void begin_block(CacheModel *model, uint32_t place, uint64_t when) {
    ModelBlock *block = &model->blocks[place];
    CacheTrace *trace = model->pending;
    model->pending = trace->next;
    trace->next = NULL;
    *block = (ModelBlock){.trace = trace, .words = trace->words, .sm = place % model->shape.sms};
    begin_sm(model, block->sm);
    memcpy(block->at, trace->first, sizeof block->at);
    block->live = (uint32_t)__builtin_popcount(trace->asking);
    if (!block->live) { /* it asks for nothing */
        block->state = BLOCK_ENDS;
        when += GAP_CLOCKS;
    }
    add_warp(model, place, 0, when);
}

/* Blocks begin as long as there are places; false: there are none, or no blocks. */
static void fill_places(CacheModel *model) {
    enum { BLOCKS_A_CLOCK = 4 };
    while (model->pending && model->placed < model->places) {
        begin_block(model, model->placed, model->wheel.now + model->placed / BLOCKS_A_CLOCK);
        model->placed++;
    }
    while (model->pending && model->vacant_first < model->vacant.count)
        begin_block(model, model->vacant.at[model->vacant_first++], model->wheel.now + GAP_CLOCKS);
    if (model->vacant_first == model->vacant.count)
        model->vacant_first = model->vacant.count = 0;
}

/* The next requests: what they look at is brought from memory for all of them at once. */
static void look_ahead(const CacheModel *model) {
    const Wheel *wheel = &model->wheel;
    for (uint32_t i = 0; i < wheel->near_count; i++) {
        const uint32_t member = wheel->near[i], warp = member % CACHE_WARPS;
        const ModelBlock *block = &model->blocks[member / CACHE_WARPS];
        if (block->at[warp] != CACHE_NONE)
            __builtin_prefetch(block->words + block->at[warp]);
    }
    if (model->bits >= SMALL_BITS)
        return;
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < wheel->near_count; i++) {
            const uint32_t place = wheel->near[i] / CACHE_WARPS,
                           warp = wheel->near[i] % CACHE_WARPS;
            const ModelBlock *block = &model->blocks[place];
            if (block->at[warp] == CACHE_NONE || trace_passed(block->words, block->at[warp]))
                continue;
            const CacheRequest request = trace_request(block->words, block->at[warp]);
            const uint64_t base = request.local ? local_base(place, warp) : 0;
            const ModelSm *sm = &model->sms[block->sm];
            for (uint32_t l = 0; l < request.lines && l < LINES_AHEAD; l++)
                if (sample_has(model->bits, request_line(&request, l) + base))
                    expect_line(model, sm, request_line(&request, l) + base, round);
        }
}

/* Goes on until a place is vacant and the block for it is not known yet. */
static void go_on(CacheModel *model) {
    while (true) {
        fill_places(model);
        if (model->vacant.count > model->vacant_first && !model->ended)
            return;
        if (wheel_gather(&model->wheel))
            look_ahead(model);
        uint32_t member = wheel_take(&model->wheel);
        if (member == WHEEL_NONE)
            return;
        take_turn(model, member);
    }
}

void model_block(CacheModel *model, CacheTrace *trace) {
    trace->next = NULL;
    *(model->pending ? &model->pending_last->next : &model->pending) = trace;
    model->pending_last = trace;
    if (!model->started && ++model->come == model->places)
        begin(model);
    if (model->started)
        go_on(model);
}

/* ---- from some lines to all ---- */

/* As `part` is to `of`, the result is to `all`. */
static uint64_t scaled(uint64_t part, uint64_t all, uint64_t of) {
    return of ? (uint64_t)((double)part * (double)all / (double)of + 0.5) : 0;
}

static void scale_site(CacheCounts *counts, const SiteAsks *asked, const CacheCounts *launch) {
    const uint64_t all = asked->loads + asked->others;
    const bool none = counts->l1_loads + counts->l1_others == 0; /* of its lines: as the others */
    const CacheCounts of = none ? *launch : *counts;
    const uint64_t part = of.l1_loads + of.l1_others;
    counts->l1_load_hits = scaled(of.l1_load_hits, asked->loads, of.l1_loads);
    counts->l1_other_hits = scaled(of.l1_other_hits, asked->others, of.l1_others);
    counts->l2_sectors = scaled(of.l2_sectors, all, part);
    counts->l2_hits = scaled(of.l2_hits, all, part);
    counts->dram_reads = scaled(of.dram_reads, all, part);
    counts->l1_loads = asked->loads;
    counts->l1_others = asked->others;
}

/* What is written to DRAM, and read for it, belongs to no site. */
static void scale(CacheModel *model) {
    CacheCounts launch = {0};
    for (uint32_t s = 0; s <= model->site_count; s++) {
        const CacheCounts *counts = &model->counts[s];
        launch.l1_loads += counts->l1_loads;
        launch.l1_load_hits += counts->l1_load_hits;
        launch.l1_others += counts->l1_others;
        launch.l1_other_hits += counts->l1_other_hits;
        launch.l2_sectors += counts->l2_sectors;
        launch.l2_hits += counts->l2_hits;
        launch.dram_reads += counts->dram_reads;
    }
    uint64_t others = 0;
    for (uint32_t s = 0; s <= model->site_count; s++)
        others += model->asked[s].others;
    model->l2.read = scaled(model->l2.read - launch.dram_reads, others, launch.l1_others);
    model->l2.written = scaled(model->l2.written, others, launch.l1_others);
    for (uint32_t s = 0; s <= model->site_count; s++) {
        scale_site(&model->counts[s], &model->asked[s], &launch);
        model->l2.read += model->counts[s].dram_reads;
    }
}

void model_end(CacheModel *model) {
    if (!model->started)
        begin(model);
    model->ended = true;
    go_on(model);
    if (model->bits)
        scale(model);
}

const CacheWaits *model_waits(const CacheModel *model) {
    return model->waits;
}

uint32_t model_bits(const CacheModel *model) {
    return model->bits;
}

const CacheCounts *model_counts(const CacheModel *model) {
    return model->counts;
}

CacheTraffic model_traffic(const CacheModel *model) {
    return (CacheTraffic){model->l2.read, model->l2.written};
}
