/* What a block asks of the caches, as request.h has it. */
#include "cache/request.h"
#include "cache/sample.h"

#include <stdlib.h>
#include <string.h>

CacheTrace *trace_new(uint32_t bits, size_t room) {
    CacheTrace *trace = malloc(sizeof *trace);
    if (!trace)
        out_of_memory();
    memset(&trace->pending, 0, sizeof trace->pending);
    trace->room = room;
    trace->words = room ? malloc(room * sizeof *trace->words) : NULL;
    if (room && !trace->words)
        out_of_memory();
    trace_clear(trace, bits);
    return trace;
}

void trace_free(CacheTrace *trace) {
    if (trace) {
        free(trace->words);
        free(trace->pending.at);
    }
    free(trace);
}

void trace_clear(CacheTrace *trace, uint32_t bits) {
    trace->bits = bits;
    trace->count = trace->lines = 0;
    trace->pending.group = NULL;
    trace->pending.count = 0;
    trace->next = NULL;
    trace->passing = trace->asking = 0;
    trace->waits = false;
    for (uint32_t w = 0; w < CACHE_WARPS; w++) {
        trace->first[w] = trace->last[w] = trace->stored[w] = CACHE_NONE;
        trace->passed[w] = NULL;
    }
}

/* Room for a request of so many words, linked to the last one that the trace has of the warp. */
static uint64_t *link(CacheTrace *trace, uint32_t warp, uint64_t head, uint32_t words) {
    size_t need = trace->count + HEADER + words;
    if (need > trace->room) {
        trace->room = need + need / 2 + 256;
        trace->words = realloc(trace->words, trace->room * sizeof *trace->words);
        if (!trace->words)
            out_of_memory();
    }
    uint32_t at = (uint32_t)trace->count;
    if (trace->asking >> warp & 1)
        trace->words[trace->last[warp] + 1] = at;
    else
        trace->first[warp] = at;
    trace->asking |= UINT32_C(1) << warp;
    trace->last[warp] = at;
    trace->words[at] = head;
    trace->words[at + 1] = CACHE_NONE;
    trace->count = need;
    return trace->words + at + HEADER;
}

static void end_run(CacheTrace *trace, uint32_t warp) {
    link(trace, warp, (uint64_t)(uintptr_t)trace->passed[warp] | UINT64_C(1) << PASSED_SHIFT, 0);
    trace->passed[warp] = NULL;
    trace->passing &= ~(UINT32_C(1) << warp);
}

/* Room for a request of so many words, behind the warp's last one. */
static uint64_t *add(CacheTrace *trace, uint32_t warp, uint64_t head, uint32_t words) {
    if (trace->passing >> warp & 1)
        end_run(trace, warp);
    return link(trace, warp, head, words);
}

uint32_t words_sectors(uint32_t words) {
    words |= words >> 4 & 0x0f0f0f0f;
    words |= words >> 2 & 0x03030303;
    words = (words | words >> 1) & 0x01010101;
    return words * 0x10204080u >> 28; /* bits 0, 8, 16, 24 side by side */
}

/* ---- lines of an access ---- */

typedef struct Lines {
    uint64_t number[WARP_LANES];
    uint32_t words[WARP_LANES], count;
    uint64_t seen; /* a bit for each line, by its number */
    bool
        one_by_one; /* a word that is asked for again is asked for in another line of the same number */
} Lines;

static void add_word(Lines *lines, uint64_t line, uint32_t words) {
    const uint64_t bit = UINT64_C(1) << ((line ^ line >> 6 ^ line >> 12) & 63);
    if (lines->seen & bit)
        for (uint32_t i = lines->count; i-- > 0;) /* mostly the last one */
            if (lines->number[i] == line && !(lines->one_by_one && lines->words[i] & words)) {
                lines->words[i] |= words;
                return;
            }
    lines->seen |= bit;
    lines->number[lines->count] = line;
    lines->words[lines->count++] = words;
}

/* Neighbours mostly ask for one line: what they ask for is put together first. */
static void global_lines(Lines *lines, const Access *access) {
    const uint64_t *address = access->source ? access->source : access->address;
    const uint32_t words = (UINT32_C(1) << (access->width + 3) / 4) - 1,
                   mask = access->mask & ~access->idle;
    uint64_t line = 0;
    uint32_t together = 0;
    for_lanes(lane, mask) {
        const uint64_t next = address[lane] / LINE_BYTES;
        if (together && (next != line || lines->one_by_one)) {
            add_word(lines, line, together);
            together = 0;
        }
        line = next;
        together |= words << address[lane] % LINE_BYTES / 4;
    }
    if (together)
        add_word(lines, line, together);
}

/* Word k of lane L lies at (32 k + L) * 4: a line has a word of each lane. */
static void local_lines(Lines *lines, const Access *access) {
    for_lanes(lane, access->mask) {
        uint32_t count = (access->width + 3) / 4;
        for (uint32_t k = 0; k < count; k++) {
            uint64_t line = access->address[lane] / 4 + k;
            if (lines->count < WARP_LANES || lines->number[lines->count - 1] == line)
                add_word(lines, line, UINT32_C(1) << lane);
        }
    }
}

static uint64_t head_of(uint32_t site, CacheOp op, bool local) {
    return (site < CACHE_NO_SITE ? site : CACHE_NO_SITE) | (uint64_t)op << OP_SHIFT |
           (uint64_t)local << LOCAL_SHIFT;
}

static uint64_t size_of(uint32_t lines, uint32_t asked, uint32_t sectors) {
    return (uint64_t)lines << LINES_SHIFT | (uint64_t)asked << ASKED_SHIFT |
           (uint64_t)sectors << SECTORS_SHIFT;
}

/* A store to so many lines takes so long that what it writes again of the one before it has left (`again` on an H200: of 16 lines 86 to
 * 100 % go on, of 32 all; of fewer 25 % and more). */
enum { APART_LINES = 16 };

/* Both have their lines in the order of lanes: what is looked for is mostly behind what was found last. */
static void mark_sent(const CacheRequest *before, uint64_t *at, uint32_t lines, uint64_t base) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < lines; i++)
        for (uint32_t tries = 0; tries < before->lines; tries++) {
            const uint32_t k = next;
            next = next + 1 == before->lines ? 0 : next + 1;
            if (request_line(before, k) != at[2 * i] + base)
                continue;
            at[2 * i + 1] |= (uint64_t)words_sectors(request_words(before, k)) << SENT_SHIFT;
            break;
        }
}

/* Those of its lines that are kept, as the trace has them; *sectors: of all. */
static uint32_t write_lines(const Lines *lines, uint32_t bits, uint64_t *at, uint32_t *sectors) {
    uint32_t kept = 0;
    *sectors = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        *sectors += (uint32_t)__builtin_popcount(words_sectors(lines->words[i]));
        if (!sample_has(bits, lines->number[i]))
            continue;
        at[2 * kept] = lines->number[i];
        at[2 * kept++ + 1] = lines->words[i] | (uint64_t)i << PLACE_SHIFT;
    }
    return kept;
}

static bool find_lines(Lines *lines, CacheOp op, const Access *access) {
    const bool local = access->space == SPACE_LOCAL;
    lines->one_by_one = op == CACHE_ATOMIC_SUM;
    lines->count = 0;
    lines->seen = 0;
    if (!local && access->space != SPACE_GLOBAL && !access->source)
        return false;
    if (local)
        local_lines(lines, access);
    else
        global_lines(lines, access);
    return lines->count != 0;
}

/* ---- patterns ---- */

CachePattern *pattern_new(Arena *arena, uint32_t number, uint32_t site, CacheOp op,
                          const Access *access, uint64_t line) {
    Lines lines;
    if (access->space == SPACE_LOCAL || !find_lines(&lines, op, access))
        return NULL;
    uint32_t sectors;
    uint64_t *at = NEW_ARRAY(arena, uint64_t, 2 * (size_t)lines.count);
    write_lines(&lines, 0, at, &sectors);
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (uint32_t i = 0; i < lines.count; i++) {
        const int64_t number_of = (int64_t)(at[2 * i] -= line);
        low = number_of < low ? number_of : low;
        high = number_of > high ? number_of : high;
    }
    CachePattern *pattern = NEW(arena, CachePattern);
    *pattern = (CachePattern){.arena = arena,
                              .number = number,
                              .site = site,
                              .op = op,
                              .lines = lines.count,
                              .sectors = sectors,
                              .low = (uint64_t)low,
                              .span = (uint64_t)high - (uint64_t)low,
                              .at = at};
    return pattern;
}

/* The group behind what was passed before; NULL: nothing was. */
static CacheRun *make_run(CacheGroup *group, const CacheRun *before) {
    const uint32_t first = before ? before->count : 0;
    if (first + group->count > RUN_MOST)
        return NULL;
    PassedRequest *at = NEW_ARRAY(group->arena, PassedRequest, first + group->count);
    if (before)
        memcpy(at, before->at, first * sizeof *at);
    for (uint32_t p = 0; p < group->count; p++) {
        const CachePattern *of = group->patterns[p];
        at[first + p] = (PassedRequest){.site = of->site,
                                        .lines = (uint8_t)of->lines,
                                        .sectors = (uint8_t)of->sectors,
                                        .loads = op_loads(of->op)};
    }
    CacheRun *run = NEW(group->arena, CacheRun);
    run->at = at;
    run->count = first + group->count;
    return run;
}

/* NULL: there is none, and would be too many. */
static CacheRun *run_behind(CacheRun *run, CacheGroup *group) {
    enum { MADE_MOST = 256 };
    for (uint32_t i = 0; i < run->known; i++)
        if (run->next[i].group == group)
            return run->next[i].run;
    if (run->known == RUN_NEXT || group->made == MADE_MOST)
        return NULL;
    CacheRun *next = make_run(group, run);
    if (!next)
        return NULL;
    group->made++;
    run->next[run->known].group = group;
    run->next[run->known++].run = next;
    return next;
}

CacheGroup *group_new(Arena *arena, CachePattern *const *patterns, uint32_t count) {
    if (!count)
        return NULL;
    uint32_t most = 0, lines = 0;
    for (uint32_t p = 0; p < count; p++)
        most += patterns[p]->lines;
    uint64_t *numbers = NEW_ARRAY(arena, uint64_t, most);
    for (uint32_t p = 0; p < count; p++)
        for (uint32_t i = 0; i < patterns[p]->lines; i++) {
            const uint64_t number = patterns[p]->at[2 * i];
            uint32_t known = lines;
            while (known && numbers[known - 1] != number)
                known--;
            if (!known)
                numbers[lines++] = number;
        }
    CacheGroup *group = NEW(arena, CacheGroup);
    *group = (CacheGroup){
        .arena = arena, .patterns = patterns, .count = count, .lines = lines, .numbers = numbers};
    if (patterns[count - 1]->op == CACHE_STORE)
        group->stored = patterns[count - 1];
    group->alone = make_run(group, NULL);
    return group;
}

static bool apart_from(const CachePattern *pattern, const CacheRequest *before, uint64_t line) {
    for (uint32_t i = 0; i < before->lines; i++)
        if (request_line(before, i) - line - pattern->low <= pattern->span)
            return false;
    return true;
}

/* NULL: it is behind ever others. */
static const uint64_t *find_behind(CachePattern *pattern, const CacheRequest *before,
                                   uint64_t line) {
    enum { MADE_MOST = 64 };
    const uint64_t delta = line - before->base;
    const uint32_t room = sizeof pattern->behind / sizeof *pattern->behind;
    for (uint32_t i = 0; i < room; i++)
        if (pattern->behind[i].before == before->at && pattern->behind[i].delta == delta)
            return pattern->behind[i].at;
    if (apart_from(pattern, before, line))
        return pattern->at;
    if (pattern->made >= MADE_MOST)
        return NULL;
    uint64_t *at = NEW_ARRAY(pattern->arena, uint64_t, 2 * (size_t)pattern->lines);
    memcpy(at, pattern->at, 2 * (size_t)pattern->lines * sizeof *at);
    mark_sent(before, at, pattern->lines, line);
    const uint32_t in = pattern->made++ % room;
    pattern->behind[in].before = before->at;
    pattern->behind[in].at = at;
    pattern->behind[in].delta = delta;
    return at;
}

static uint64_t pattern_head(const CachePattern *pattern, uint32_t lines) {
    return head_of(pattern->site, pattern->op, false) |
           size_of(lines, pattern->lines, pattern->sectors);
}

/* The lines that are kept, each with its number. */
static void add_kept(CacheTrace *trace, uint32_t warp, const CachePattern *pattern,
                     const uint64_t *lines, uint64_t line) {
    uint32_t taken = 0;
    for (uint32_t i = 0; i < pattern->lines; i++)
        taken |= (uint32_t)sample_has(trace->bits, lines[2 * i] + line) << i;
    const uint32_t count = (uint32_t)__builtin_popcount(taken);
    uint64_t *at = add(trace, warp, pattern_head(pattern, count), 2 * count);
    for_lanes(i, taken) {
        *at++ = lines[2 * i] + line;
        *at++ = lines[2 * i + 1];
    }
}

/* Behind a store that is no pattern's, and behind ever others. */
static void add_apart(CacheTrace *trace, uint32_t warp, const CachePattern *pattern, uint64_t line,
                      const CacheRequest *before) {
    uint64_t marked[2 * WARP_LANES];
    memcpy(marked, pattern->at, 2 * (size_t)pattern->lines * sizeof *marked);
    mark_sent(before, marked, pattern->lines, line);
    add_kept(trace, warp, pattern, marked, line);
}

static void add_whole(CacheTrace *trace, uint32_t warp, const CachePattern *pattern,
                      const uint64_t *lines, uint64_t line) {
    const uint64_t head = pattern_head(pattern, pattern->lines) | UINT64_C(1) << PATTERN_SHIFT;
    uint64_t *at = add(trace, warp, head, PATTERN_WORDS);
    at[0] = (uint64_t)(uintptr_t)lines;
    at[1] = line;
}

/* The warp's last request, if that is a store; no lines: it is none. */
static CacheRequest stored_last(const CacheTrace *trace, uint32_t warp) {
    const CacheStored *stored = &trace->stores[warp];
    if (trace->stored[warp] == CACHE_NONE)
        return (CacheRequest){.lines = 0};
    if (stored->lines)
        return (CacheRequest){.at = stored->at, .lines = stored->lines, .base = stored->base};
    return trace_request(trace->words, trace->stored[warp]);
}

static void note_stored(CacheTrace *trace, uint32_t warp, const CachePattern *pattern,
                        uint64_t line) {
    trace->stored[warp] = pattern->op == CACHE_STORE ? trace->last[warp] : CACHE_NONE;
    trace->stores[warp] = (CacheStored){pattern->at, line, pattern->lines};
}

static void add_pattern(CacheTrace *trace, uint32_t warp, CachePattern *pattern, uint64_t line) {
    const uint64_t *lines = pattern->at;
    CacheRequest before = {.lines = 0};
    trace->lines += pattern->lines;
    if (pattern->op == CACHE_STORE && pattern->lines < APART_LINES &&
        trace->stored[warp] != CACHE_NONE) {
        before = stored_last(trace, warp);
        lines = trace->stores[warp].lines ? find_behind(pattern, &before, line) : NULL;
    }
    if (!lines)
        add_apart(trace, warp, pattern, line, &before);
    else if (trace->bits)
        add_kept(trace, warp, pattern, lines, line);
    else
        add_whole(trace, warp, pattern, lines, line);
    note_stored(trace, warp, pattern, line);
}

/* ---- groups ---- */

static bool is_kept(const CacheTrace *trace, const CacheGroup *group, uint64_t line) {
    const uint32_t bits = trace->bits;
    uint32_t kept = bits == 0;
    if (bits)
        for (uint32_t i = 0; i < group->lines; i++)
            kept |= (uint32_t)sample_takes(bits, group->numbers[i] + line);
    return kept;
}

__attribute__((noinline)) static void add_patterns(CacheTrace *trace, uint32_t warp,
                                                   const CacheGroup *group, uint64_t line) {
    for (uint32_t i = 0; i < group->count; i++)
        add_pattern(trace, warp, group->patterns[i], line);
}

/* Behind what the warp passed; where that is as long as a run gets, another begins. */
__attribute__((noinline)) static void go_behind(CacheTrace *trace, uint32_t warp,
                                                CacheGroup *group) {
    CacheRun *run = run_behind(trace->passed[warp], group);
    if (!run) {
        end_run(trace, warp);
        trace->passing |= UINT32_C(1) << warp;
        run = group->alone;
    }
    trace->passed[warp] = run;
}

static void add_group(CacheTrace *trace, uint32_t warp, CacheGroup *group, uint64_t line) {
    if (!group->alone || is_kept(trace, group, line)) {
        add_patterns(trace, warp, group, line);
        return;
    }
    /* `stored` says whether there is one, `stores` where it is. */
    trace->stored[warp] = CACHE_NONE;
    if (group->stored) {
        trace->stored[warp] = 0;
        trace->stores[warp] = (CacheStored){group->stored->at, line, group->stored->lines};
    }
    CacheRun *run = trace->passed[warp];
    if (!run) {
        trace->passed[warp] = group->alone;
        trace->passing |= UINT32_C(1) << warp;
    } else if (run->known && run->next[0].group == group) {
        trace->passed[warp] = run->next[0].run;
    } else {
        go_behind(trace, warp, group);
    }
}

/* Those of instructions before that number. */
static void add_pending(CacheTrace *trace, uint32_t number) {
    uint32_t done = 0;
    while (done < trace->pending.count && trace->pending.at[done].pattern->number < number) {
        const CachePending *next = &trace->pending.at[done++];
        add_pattern(trace, trace->pending.warp, next->pattern, next->line);
    }
    trace->pending.count -= done;
    memmove(trace->pending.at, trace->pending.at + done,
            trace->pending.count * sizeof *trace->pending.at);
}

static void add_all(CacheTrace *trace) {
    if (trace->pending.group)
        add_group(trace, trace->pending.warp, trace->pending.group, trace->pending.line);
    trace->pending.group = NULL;
    if (trace->pending.count)
        add_pending(trace, UINT32_MAX);
}

static void merge(CacheTrace *trace, CacheGroup *group, uint64_t line) {
    if (trace->pending.count + group->count > trace->pending.room) {
        trace->pending.room = trace->pending.count + 2 * group->count;
        trace->pending.at =
            realloc(trace->pending.at, trace->pending.room * sizeof *trace->pending.at);
        if (!trace->pending.at)
            out_of_memory();
    }
    for (uint32_t i = 0; i < group->count; i++) {
        CachePattern *pattern = group->patterns[i];
        uint32_t at = trace->pending.count++;
        for (; at && trace->pending.at[at - 1].pattern->number > pattern->number; at--)
            trace->pending.at[at] = trace->pending.at[at - 1];
        trace->pending.at[at] = (CachePending){pattern, line};
    }
}

/* A first number that is no greater than the last one begins a new piece of code. */
__attribute__((noinline)) static void put_off(CacheTrace *trace, uint32_t warp, CacheGroup *group,
                                              uint64_t line) {
    const uint32_t first = group->patterns[0]->number;
    const CacheGroup *last = trace->pending.group;
    if (trace->pending.warp != warp || first <= trace->pending.first ||
        (last && last->patterns[last->count - 1]->number < first))
        add_all(trace);
    trace->pending.warp = warp;
    trace->pending.first = first;
    if (!trace->pending.group && !trace->pending.count) {
        trace->pending.group = group;
        trace->pending.line = line;
        return;
    }
    if (trace->pending.group)
        merge(trace, trace->pending.group, trace->pending.line);
    trace->pending.group = NULL;
    add_pending(trace, first);
    merge(trace, group, line);
}

void trace_group(CacheTrace *trace, uint32_t warp, CacheGroup *group, uint64_t line) {
    if (warp >= CACHE_WARPS)
        return;
    if (group->count > 1 || trace->pending.group || trace->pending.count)
        put_off(trace, warp, group, line);
    else /* of one instruction, which is being executed */
        add_group(trace, warp, group, line);
}

void trace_end(CacheTrace *trace) {
    add_all(trace);
    for_lanes(w, trace->passing) {
        end_run(trace, w);
    }
}

/* ---- requests ---- */

void trace_access(CacheTrace *trace, uint32_t warp, uint32_t site, CacheOp op,
                  const Access *access) {
    Lines lines;
    const bool local = access->space == SPACE_LOCAL, stores = op == CACHE_STORE && !local;
    if (warp >= CACHE_WARPS || !find_lines(&lines, op, access))
        return;
    add_all(trace);
    uint64_t kept[2 * WARP_LANES];
    uint32_t sectors, count = write_lines(&lines, local ? 0 : trace->bits, kept, &sectors);
    if (stores && lines.count < APART_LINES) {
        const CacheRequest before = stored_last(trace, warp);
        mark_sent(&before, kept, count, 0);
    }
    trace->lines += lines.count;
    uint64_t *at = add(trace, warp, head_of(site, op, local) | size_of(count, lines.count, sectors),
                       2 * count);
    memcpy(at, kept, 2 * (size_t)count * sizeof *at);
    trace->stored[warp] = stores ? trace->last[warp] : CACHE_NONE;
    trace->stores[warp].lines = 0;
}

void trace_wait(CacheTrace *trace, uint32_t warp) {
    add_all(trace);
    trace->waits = true;
    uint32_t last = warp < CACHE_WARPS ? trace->last[warp] : CACHE_NONE;
    const bool waits = !(trace->passing >> warp & 1) && last != CACHE_NONE &&
                       !trace_passed(trace->words, last) &&
                       trace_request(trace->words, last).op == CACHE_WAIT;
    if (warp < CACHE_WARPS && !waits) /* lanes that come one after the other */
        add(trace, warp, (uint64_t)CACHE_WAIT << OP_SHIFT, 0);
}

/* ---- policies ---- */

static bool has(Str text, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= text.length; i++)
        if (memcmp(text.at + i, part, length) == 0)
            return true;
    return false;
}

static bool adds_real(Str text) {
    return (has(text, ".add.f32") || has(text, ".add.f64") || has(text, ".ADD.F32") ||
            has(text, ".ADD.F64") || has(text, ".add.rn.f32") || has(text, ".add.rn.f64"));
}

CacheOp cache_op(Str text, AccessKind kind) {
    static const char *const past[] = {
        ".cg",          ".cv",          ".lu",          ".volatile",    "L1::no_allocate",
        ".relaxed.gpu", ".relaxed.sys", ".acquire.gpu", ".acquire.sys", ".mmio",
        ".STRONG.GPU",  ".STRONG.SYS",  ".LU",          ".NA",          ".BYPASS"};
    if (kind == ACCESS_STORE)
        return CACHE_STORE;
    if (kind == ACCESS_CP_ASYNC_CG)
        return CACHE_LOAD_PAST;
    if (kind != ACCESS_LOAD && kind != ACCESS_CP_ASYNC_CA)
        return adds_real(text) ? CACHE_ATOMIC_SUM : CACHE_ATOMIC;
    for (uint32_t i = 0; i < sizeof past / sizeof *past; i++)
        if (has(text, past[i]))
            return CACHE_LOAD_PAST;
    return CACHE_LOAD;
}
