/* See streams.h. What an operation accesses is looked at while it runs, as all else; operations that the host knows to be over are
 * forgotten, all at once where it knows that of every one. */
#include "sanitize/streams.h"
#include "sanitize/state.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELL = STREAMS_CELL,
    PAGE = STREAMS_PAGE,
    PAGE_CELLS = PAGE / CELL,
    CACHED = 16,
    RACES_MOST = 32
};

typedef struct Operation {
    uint32_t line, time;
    bool talks; /* streams_talk */
    const void *what;
} Operation;

/* Bytes of a cell that an operation has accessed. */
typedef struct Touched {
    uint32_t operation; /* 0: none */
    uint32_t mask;
    uint32_t insn;
    uint8_t way;  /* WRITES | STRONG */
    bool several; /* of its instructions */
} Touched;
enum { WRITES = 1, STRONG = 2 };

enum { INLINE = 2 };
typedef struct OrderCell {
    Touched in[INLINE];
    uint32_t more; /* 1 + index in extras; 0: none */
} OrderCell;

typedef struct Extra {
    Touched touched;
    uint32_t next;
} Extra;

typedef struct Page {
    struct Page *next; /* of its bucket */
    uint64_t number;
    uint32_t epoch, listed; /* listed: the epoch in which it came into visible_pages */
    bool made;              /* some of it by an operation */
    OrderCell cells[PAGE_CELLS];
} Page;

/* Memory that an operation has allocated. */
typedef struct Made {
    uint64_t first, end;
    uint32_t operation;
} Made;

struct Reached {
    uint32_t *time; /* [room]: of each line */
    uint32_t room;
    uint32_t line; /* its own; NONE: none */
};

struct Streams {
    Arena *arena;              /* of all below, but for pages and clocks */
    VEC(uint32_t) times;       /* [lines]: of the last operation of each */
    VEC(uint32_t) spare;       /* lines */
    VEC(Operation) operations; /* since the host knew all to be over; the first is none */
    VEC(Extra) extras;
    VEC(Made) made;
    StreamRace races[RACES_MOST]; /* of the current operation */
    uint32_t race_count;
    Visible visible;
    VEC(uint64_t) visible_pages; /* page_list */
    Reached *heard;     /* what operations may have told the host while they ran; NULL: nothing */
    Reached *host, *at; /* at: of the current operation */
    uint32_t current;   /* 0: none */
    uint32_t epoch;
    Page **buckets;
    uint64_t bucket_count, page_count;
    Page *cached[CACHED];
};

/* ---- what has been reached ---- */

Streams *streams_new(void) {
    Arena *arena = arena_new();
    Streams *streams = NEW(arena, Streams);
    streams->arena = arena;
    streams->epoch = 1;
    streams->bucket_count = 1024;
    streams->buckets = calloc(streams->bucket_count, sizeof(Page *));
    *vec_add(arena, &streams->operations) = (Operation){0};
    return streams;
}

void streams_free(Streams *streams) {
    if (!streams)
        return;
    for (uint64_t i = 0; streams->buckets && i < streams->bucket_count; i++)
        for (Page *page = streams->buckets[i], *next; page; page = next) {
            next = page->next;
            free(page);
        }
    free(streams->buckets);
    sanitize_reached_free(streams->host);
    sanitize_reached_free(streams->heard);
    free(streams->visible.at);
    arena_free(streams->arena);
}

/* The host's line, and one: all is in one order. */
static bool is_one(const Streams *streams) {
    enum { LINES_OF_ONE = 2 };
    return streams->times.count <= LINES_OF_ONE;
}

bool streams_busy(const Streams *streams) {
    return streams->current != 0 && (streams->visible.count || !is_one(streams));
}

static void reach(Reached *reached, uint32_t line, uint32_t time) {
    if (line >= reached->room) {
        const uint32_t room = (line + 16) & ~15u;
        uint32_t *more = realloc(reached->time, room * sizeof *more);
        if (!more)
            return;
        memset(more + reached->room, 0, (room - reached->room) * sizeof *more);
        reached->time = more;
        reached->room = room;
    }
    if (reached->time[line] < time)
        reached->time[line] = time;
}

static bool has_reached(const Reached *reached, uint32_t line, uint32_t time) {
    return line < reached->room && reached->time[line] >= time;
}

uint32_t sanitize_line_new(Sanitizer *sanitizer) {
    Streams *streams = sanitizer->streams;
    if (streams->spare.count)
        return streams->spare.at[--streams->spare.count];
    *vec_add(streams->arena, &streams->times) = 0;
    return streams->times.count - 1;
}

Reached *sanitize_reached_new(uint32_t line) {
    Reached *reached = calloc(1, sizeof *reached);
    if (!reached)
        out_of_memory();
    reached->line = line;
    return reached;
}

void sanitize_reached_free(Reached *reached) {
    if (reached)
        free(reached->time);
    free(reached);
}

void sanitize_reached_join(Reached *to, const Reached *from) {
    for (uint32_t i = 0; i < from->room; i++)
        reach(to, i, from->time[i]);
}

static Reached *host_of(Sanitizer *sanitizer) {
    if (!sanitizer->streams->host)
        sanitizer->streams->host = sanitize_reached_new(sanitize_line_new(sanitizer));
    return sanitizer->streams->host;
}

void sanitize_reached_host(Sanitizer *sanitizer, Reached *to) {
    sanitize_reached_join(to, host_of(sanitizer));
}

/* Its later operations would be taken for ordered with those that nobody has waited for: then it is not used again. */
void sanitize_line_free(Sanitizer *sanitizer, uint32_t line) {
    Streams *streams = sanitizer->streams;
    if (has_reached(host_of(sanitizer), line, streams->times.at[line]))
        *vec_add(streams->arena, &streams->spare) = line;
}

/* The host knows that everything is over. */
static void forget_all(Streams *streams) {
    streams->operations.count = 1;
    streams->extras.count = 0;
    streams->made.count = 0;
    streams->visible_pages.count = 0;
    streams->epoch++;
}

bool sanitize_host_reaches(Sanitizer *sanitizer, const Reached *from) {
    Streams *streams = sanitizer->streams;
    Reached *host = host_of(sanitizer);
    sanitize_reached_join(host, from);
    for (uint32_t i = 0; i < streams->times.count; i++)
        if (!has_reached(host, i, streams->times.at[i]))
            return false;
    if (streams->operations.count > 1 && !streams->current)
        forget_all(streams);
    return !streams->current;
}

/* ---- operations ---- */

void sanitize_operation_begin(Sanitizer *sanitizer, Reached *at, const void *what) {
    Streams *streams = sanitizer->streams;
    const uint32_t line = at ? at->line : host_of(sanitizer)->line;
    streams->at = at ? at : streams->host;
    reach(streams->at, line, ++streams->times.at[line]);
    streams->current = streams->operations.count;
    streams->race_count = 0;
    *vec_add(streams->arena, &streams->operations) =
        (Operation){line, streams->times.at[line], false, what};
}

const StreamRace *sanitize_operation_end(Sanitizer *sanitizer, uint32_t *races) {
    Streams *streams = sanitizer->streams;
    if (streams->current && streams->operations.at[streams->current].talks) {
        if (!streams->heard)
            streams->heard = sanitize_reached_new(NONE);
        sanitize_reached_join(streams->heard, streams->at);
    }
    *races = streams->current ? streams->race_count : 0;
    streams->current = streams->race_count = 0;
    return streams->races;
}

static bool is_over(const Streams *streams, const Reached *reached, uint32_t operation) {
    const Operation *of = &streams->operations.at[operation];
    return has_reached(reached, of->line, of->time);
}

/* ---- pages ---- */

static Page **bucket_of(const Streams *streams, uint64_t number) {
    return &streams->buckets[(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
                             (streams->bucket_count - 1)];
}

static void grow(Streams *streams) {
    const uint64_t before = streams->bucket_count;
    Page **old = streams->buckets, **more = calloc(before * 2, sizeof *more);
    if (!more)
        return;
    streams->buckets = more;
    streams->bucket_count = before * 2;
    for (uint64_t i = 0; i < before; i++)
        for (Page *page = old[i], *next; page; page = next) {
            next = page->next;
            page->next = *bucket_of(streams, page->number);
            *bucket_of(streams, page->number) = page;
        }
    free(old);
}

/* NULL: nothing is known of it. */
static Page *page_find(const Streams *streams, uint64_t number) {
    Page *page = *bucket_of(streams, number);
    while (page && page->number != number)
        page = page->next;
    return page && page->epoch == streams->epoch ? page : NULL;
}

static bool is_made(const Streams *streams, uint64_t number) {
    for (uint32_t i = streams->made.count; i-- > 0;) {
        const Made *made = &streams->made.at[i];
        if (made->first < (number + 1) * PAGE && number * PAGE < made->end)
            return true;
    }
    return false;
}

static Page *page_make(Streams *streams, uint64_t number) {
    Page *page = *bucket_of(streams, number);
    while (page && page->number != number)
        page = page->next;
    if (!page) {
        if (streams->page_count++ >= streams->bucket_count)
            grow(streams);
        page = malloc(sizeof *page);
        if (!page)
            return NULL;
        page->number = number;
        page->epoch = page->listed = 0;
        page->next = *bucket_of(streams, number);
        *bucket_of(streams, number) = page;
    }
    if (page->epoch != streams->epoch) {
        memset(page->cells, 0, sizeof page->cells);
        page->epoch = streams->epoch;
        page->made = is_made(streams, number);
    }
    return page;
}

/* ---- two operations at a cell ---- */

static void report(Streams *streams, const Touched *other, uint64_t address, uint32_t mask,
                   uint8_t way, uint32_t insn) {
    const Operation *by = &streams->operations.at[streams->current],
                    *before = &streams->operations.at[other->operation];
    const StreamRace race = {.what = by->what,
                             .other = before->what,
                             .insn = insn,
                             .other_insn = other->insn,
                             .writes = way & WRITES,
                             .other_writes = other->way & WRITES,
                             .several = other->several,
                             .address = address + (mask ? (uint32_t)__builtin_ctz(mask) : 0),
                             .count = 1};
    uint32_t i = 0;
    while (i < streams->race_count &&
           (streams->races[i].other != race.other || streams->races[i].insn != insn ||
            streams->races[i].other_insn != race.other_insn ||
            streams->races[i].writes != race.writes ||
            streams->races[i].other_writes != race.other_writes))
        i++;
    if (i == RACES_MOST)
        return;
    if (i == streams->race_count) {
        streams->races[streams->race_count++] = race;
        return;
    }
    streams->races[i].count++;
}

/* Compares the operation of `touched` with the current one, which accesses `mask`; forgets what no later one needs. */
static void compare(Streams *streams, Touched *touched, uint64_t address, uint32_t mask,
                    uint8_t way, uint32_t insn) {
    const uint32_t both = touched->mask & mask;
    const bool strong = touched->way & way & STRONG;
    if (is_over(streams, streams->at, touched->operation)) {
        const bool covers = (way & WRITES || !(touched->way & WRITES)) &&
                            (!(way & STRONG) || touched->way & STRONG);
        if (covers)
            touched->mask &= ~mask;
        if (streams->host && is_over(streams, streams->host, touched->operation))
            touched->mask = 0;
        return;
    }
    if (!both || !((touched->way | way) & WRITES))
        return;
    if (!strong)
        report(streams, touched, address, both, way, insn);
    else if (touched->way & WRITES) { /* a flag may have been seen */
        const Operation *before = &streams->operations.at[touched->operation];
        reach(streams->at, before->line, before->time);
    }
}

static bool joins(const Streams *streams, Touched *touched, uint32_t mask, uint8_t way,
                  uint32_t insn) {
    if (touched->operation != streams->current || touched->way != way || !touched->mask)
        return false;
    touched->several |= touched->insn != insn;
    touched->mask |= mask;
    return true;
}

static void touch_slowly(Streams *streams, OrderCell *cell, uint64_t address, uint32_t mask,
                         uint8_t way, uint32_t insn) {
    bool joined = false;
    Touched *empty = NULL;
    for (uint32_t i = 0; i < INLINE; i++) {
        Touched *touched = &cell->in[i];
        if (touched->mask && touched->operation != streams->current)
            compare(streams, touched, address, mask, way, insn);
        joined |= joins(streams, touched, mask, way, insn);
        empty = touched->mask ? empty : touched;
    }
    for (uint32_t i = cell->more; i; i = streams->extras.at[i - 1].next) {
        Touched *touched = &streams->extras.at[i - 1].touched;
        if (touched->mask && touched->operation != streams->current)
            compare(streams, touched, address, mask, way, insn);
        joined |= joins(streams, touched, mask, way, insn);
        empty = touched->mask || empty ? empty : touched;
    }
    if (joined)
        return;
    const Touched mine = {streams->current, mask, insn, way, false};
    if (empty) {
        *empty = mine;
        return;
    }
    *vec_add(streams->arena, &streams->extras) = (Extra){mine, cell->more};
    cell->more = streams->extras.count;
}

static bool covered(const Streams *streams, const Touched *touched, uint32_t mask, uint8_t way) {
    return touched->operation == streams->current && touched->way == way &&
           !(mask & ~touched->mask);
}

/* Whether what allocated it comes before. */
static void look_at_allocation(Streams *streams, uint64_t address, uint32_t mask, uint8_t way,
                               uint32_t insn) {
    const uint64_t at = address + (uint32_t)__builtin_ctz(mask);
    for (uint32_t i = streams->made.count; i-- > 0;) {
        const Made *made = &streams->made.at[i];
        const Touched by = {.operation = made->operation, .insn = NONE, .way = WRITES};
        if (at < made->first || at >= made->end)
            continue;
        if (made->operation != streams->current && !is_over(streams, streams->at, made->operation))
            report(streams, &by, address, mask, way, insn);
        return;
    }
}

static void page_list(Streams *streams, Page *page) {
    if (page->listed != streams->epoch)
        *vec_add(streams->arena, &streams->visible_pages) = page->number;
    page->listed = streams->epoch;
}

/* Bytes that lie in one page. */
static void touch_in(Streams *streams, uint64_t address, uint64_t bytes, uint8_t way, uint32_t insn,
                     bool visible) {
    const uint64_t number = address / PAGE;
    Page **cached = &streams->cached[number % CACHED], *page = *cached;
    if (!page || page->number != number || page->epoch != streams->epoch) {
        page = *cached = page_make(streams, number);
        if (!page)
            return;
    }
    if (visible)
        page_list(streams, page);
    const uint32_t first = (uint32_t)(address % PAGE), end = (uint32_t)(first + bytes);
    for (uint32_t at = first; at < end;) {
        const uint32_t skip = at % CELL, left = CELL - skip,
                       take = end - at < left ? end - at : left;
        const uint32_t mask = (take == CELL ? UINT32_MAX : ((1u << take) - 1)) << skip;
        OrderCell *cell = &page->cells[at / CELL];
        const uint64_t base = number * PAGE + (at - skip);
        at += take;
        if (covered(streams, &cell->in[0], mask, way) || covered(streams, &cell->in[1], mask, way))
            continue;
        if (page->made)
            look_at_allocation(streams, base, mask, way, insn);
        if (!(cell->in[0].mask | cell->in[1].mask | cell->more)) {
            cell->in[0] = (Touched){streams->current, mask, insn, way, false};
            continue;
        }
        touch_slowly(streams, cell, base, mask, way, insn);
    }
}

static void touch(Streams *streams, uint64_t address, uint64_t bytes, uint8_t way, uint32_t insn) {
    const bool visible = visible_holds(&streams->visible, address);
    if (!visible && is_one(streams))
        return;
    while (bytes) {
        const uint64_t left = PAGE - address % PAGE, take = bytes < left ? bytes : left;
        touch_in(streams, address, take, way, insn, visible);
        address += take;
        bytes -= take;
    }
}

/* ---- what is told ---- */

void streams_access(Streams *streams, const WatchedAccess *access) {
    const bool strong =
        (access->atomic || access->order != ORDER_WEAK) && access->scope >= SCOPE_GPU;
    const uint8_t way =
        (uint8_t)((access->ways & ACCESS_WRITES ? WRITES : 0) | (strong ? STRONG : 0));
    if (access->space != SPACE_GLOBAL || access->remote)
        return;
    if (strong && way & WRITES && access->scope == SCOPE_SYS &&
        visible_holds(&streams->visible, access->address[__builtin_ctz(access->by.lanes)]))
        streams_talk(streams);
    for (uint32_t rest = access->by.lanes; rest; rest &= rest - 1)
        touch(streams, access->address[__builtin_ctz(rest)], access->width, way, access->by.insn);
}

/* All lanes next to each other. */
static bool is_row(const WatchedRun *run) {
    return (uint64_t)run->pattern->stride[0] == run->width &&
           (uint64_t)run->pattern->stride[1] == run->width &&
           run_first(run, 1) - run_first(run, 0) == (uint64_t)run->width * RUN_LANES;
}

void streams_run(Streams *streams, const WatchedRun *run) {
    const uint8_t way = run->ways & ACCESS_WRITES ? WRITES : 0;
    if (run->space != SPACE_GLOBAL)
        return;
    if (is_row(run)) {
        touch(streams, run_first(run, 0), (uint64_t)run->width * WARP_LANES, way, run->by.insn);
        return;
    }
    for (uint32_t half = 0; half < 2; half++) {
        const uint64_t first = run_first(run, half);
        const uint64_t stride = (uint64_t)run->pattern->stride[half];
        if (stride == run->width) {
            touch(streams, first, (uint64_t)run->width * RUN_LANES, way, run->by.insn);
            continue;
        }
        const uint32_t lanes = stride ? RUN_LANES : 1;
        for (uint32_t lane = 0; lane < lanes; lane++)
            touch(streams, first + lane * stride, run->width, way, run->by.insn);
    }
}

void streams_range(Streams *streams, uint64_t address, uint64_t bytes, bool writes, uint32_t insn) {
    touch(streams, address, bytes, writes ? WRITES : 0, insn);
}

void sanitize_operation_accesses(Sanitizer *sanitizer, uint64_t address, uint64_t bytes,
                                 bool writes) {
    if (streams_busy(sanitizer->streams))
        streams_range(sanitizer->streams, address, bytes, writes, NONE);
}

/* ---- what the host does not know to be over ---- */

void streams_talk(Streams *streams) {
    if (streams->current)
        streams->operations.at[streams->current].talks = true;
}

Visible *streams_visible(const Streams *streams) {
    return (Visible *)&streams->visible;
}

const uint64_t *streams_visible_pages(const Streams *streams, uint32_t *count) {
    *count = streams->visible_pages.count;
    return streams->visible_pages.at;
}

static bool is_pending(const Streams *streams, const Touched *touched) {
    const uint32_t operation = touched->operation;
    return touched->mask && !streams->operations.at[operation].talks &&
           !(streams->host && is_over(streams, streams->host, operation)) &&
           !(streams->heard && is_over(streams, streams->heard, operation));
}

static const OrderCell *cell_of(const Streams *streams, uint64_t address) {
    const Page *page = page_find(streams, address / PAGE);
    return page ? &page->cells[address % PAGE / CELL] : NULL;
}

uint32_t streams_pending(const Streams *streams, uint64_t address, uint32_t *written) {
    const OrderCell *cell = cell_of(streams, address);
    uint32_t all = 0;
    *written = 0;
    for (uint32_t i = 0; cell && i < INLINE; i++)
        if (is_pending(streams, &cell->in[i])) {
            all |= cell->in[i].mask;
            *written |= cell->in[i].way & WRITES ? cell->in[i].mask : 0;
        }
    for (uint32_t i = cell ? cell->more : 0; i; i = streams->extras.at[i - 1].next) {
        const Touched *touched = &streams->extras.at[i - 1].touched;
        if (is_pending(streams, touched)) {
            all |= touched->mask;
            *written |= touched->way & WRITES ? touched->mask : 0;
        }
    }
    return all;
}

static bool is_by(const Streams *streams, const Touched *touched, uint64_t address, bool reads,
                  StreamRace *race) {
    if (!(touched->mask >> address % CELL & 1) || !(reads || touched->way & WRITES) ||
        !is_pending(streams, touched))
        return false;
    *race = (StreamRace){.other = streams->operations.at[touched->operation].what,
                         .insn = NONE,
                         .other_insn = touched->insn,
                         .other_writes = touched->way & WRITES,
                         .several = touched->several,
                         .address = address,
                         .count = 1};
    return true;
}

bool streams_pending_by(const Streams *streams, uint64_t address, bool reads, StreamRace *race) {
    const OrderCell *cell = cell_of(streams, address);
    for (uint32_t i = 0; cell && i < INLINE; i++)
        if (is_by(streams, &cell->in[i], address, reads, race))
            return true;
    for (uint32_t i = cell ? cell->more : 0; i; i = streams->extras.at[i - 1].next)
        if (is_by(streams, &streams->extras.at[i - 1].touched, address, reads, race))
            return true;
    return false;
}

/* ---- memory that comes and goes in the order of streams ---- */

void sanitize_operation_makes(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    Streams *streams = sanitizer->streams;
    sanitize_operations_forget(sanitizer, address, bytes);
    if (!streams->current)
        return;
    *vec_add(streams->arena, &streams->made) = (Made){address, address + bytes, streams->current};
    for (uint64_t n = address / PAGE; n * PAGE < address + bytes; n++) {
        Page *page = page_find(streams, n);
        if (page)
            page->made = true;
    }
}

/* Does something to each cell of the bytes of which something is known. */
static void each_cell(Streams *streams, uint64_t address, uint64_t bytes,
                      void (*what)(Streams *streams, OrderCell *cell, uint64_t at)) {
    const uint64_t end = address + bytes;
    for (uint64_t i = 0; i < streams->bucket_count && bytes / PAGE > streams->page_count; i++)
        for (Page *page = streams->buckets[i]; page; page = page->next)
            for (uint32_t c = 0; page->epoch == streams->epoch && c < PAGE_CELLS; c++) {
                const uint64_t at = page->number * PAGE + c * (uint64_t)CELL;
                if (at >= address && at < end)
                    what(streams, &page->cells[c], at);
            }
    for (uint64_t n = address / PAGE; n * PAGE < end && bytes / PAGE <= streams->page_count; n++) {
        Page *page = page_find(streams, n);
        for (uint32_t c = 0; page && c < PAGE_CELLS; c++) {
            const uint64_t at = n * PAGE + c * (uint64_t)CELL;
            if (at >= address && at < end)
                what(streams, &page->cells[c], at);
        }
    }
}

static void look_at_free(Streams *streams, OrderCell *cell, uint64_t at) {
    for (uint32_t i = 0; i < INLINE; i++)
        if (cell->in[i].mask && !is_over(streams, streams->at, cell->in[i].operation))
            report(streams, &cell->in[i], at, cell->in[i].mask, WRITES, NONE);
    for (uint32_t i = cell->more; i; i = streams->extras.at[i - 1].next) {
        const Touched *touched = &streams->extras.at[i - 1].touched;
        if (touched->mask && !is_over(streams, streams->at, touched->operation))
            report(streams, touched, at, touched->mask, WRITES, NONE);
    }
}

static void forget_cell(Streams *streams, OrderCell *cell, uint64_t at) {
    (void)streams;
    (void)at;
    memset(cell, 0, sizeof *cell);
}

void sanitize_operation_frees(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    Streams *streams = sanitizer->streams;
    if (!streams->current)
        return;
    each_cell(streams, address, bytes, look_at_free);
    for (uint32_t i = 0; i < streams->made.count; i++) {
        const Made *made = &streams->made.at[i];
        const Touched by = {.operation = made->operation, .insn = NONE, .way = WRITES};
        if (made->first == address && made->operation != streams->current &&
            !is_over(streams, streams->at, made->operation))
            report(streams, &by, address, 0, WRITES, NONE);
    }
}

void sanitize_operations_forget(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    Streams *streams = sanitizer->streams;
    uint32_t kept = 0;
    each_cell(streams, address, bytes, forget_cell);
    for (uint32_t i = 0; i < streams->made.count; i++) {
        const Made made = streams->made.at[i];
        if (made.end <= address || made.first >= address + bytes)
            streams->made.at[kept++] = made;
    }
    streams->made.count = kept;
}
