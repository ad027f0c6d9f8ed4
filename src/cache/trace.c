/* What a block asks of the caches: a request of a warp is two words, and two more for each line.
 *
 *   word 0: site, number of lines that are kept, op, whether it is local memory, number of lines and of sectors that it
 *   asks for; word 1: where the warp's next request is
 *   of a line: its number; the words of 4 bytes that are asked for, sectors that were sent before, its place among all */
#include "cache/sample.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 2, SITE_BITS = 24, LINES_SHIFT = SITE_BITS, OP_SHIFT = 32, LOCAL_SHIFT = 40 };
enum { ASKED_SHIFT = 48, SECTORS_SHIFT = 56, SENT_SHIFT = 32, PLACE_SHIFT = 40 };

CacheTrace *trace_new(uint32_t bits) {
    CacheTrace *trace = calloc(1, sizeof *trace);
    if (!trace)
        out_of_memory();
    trace->bits = bits;
    trace_clear(trace);
    return trace;
}

void trace_free(CacheTrace *trace) {
    if (trace)
        free(trace->words);
    free(trace);
}

void trace_clear(CacheTrace *trace) {
    trace->count = trace->lines = 0;
    trace->next = NULL;
    for (uint32_t w = 0; w < CACHE_WARPS; w++)
        trace->first[w] = trace->last[w] = trace->stored[w] = CACHE_NONE;
}

/* Room for a request of so many lines, linked to the warp's last one. */
static uint64_t *add(CacheTrace *trace, uint32_t warp, uint64_t head, uint32_t lines) {
    size_t need = trace->count + HEADER + 2 * (size_t)lines;
    if (need > trace->room) {
        trace->room = need + need / 2 + 256;
        trace->words = realloc(trace->words, trace->room * sizeof *trace->words);
        if (!trace->words)
            out_of_memory();
    }
    uint32_t at = (uint32_t)trace->count;
    if (trace->last[warp] == CACHE_NONE)
        trace->first[warp] = at;
    else
        trace->words[trace->last[warp] + 1] = at;
    trace->last[warp] = at;
    trace->words[at] = head | (uint64_t)lines << LINES_SHIFT;
    trace->words[at + 1] = CACHE_NONE;
    trace->count = need;
    return trace->words + at + HEADER;
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
} Lines;

static void add_word(Lines *lines, uint64_t line, uint32_t words) {
    const uint64_t bit = UINT64_C(1) << ((line ^ line >> 6 ^ line >> 12) & 63);
    if (lines->seen & bit)
        for (uint32_t i = lines->count; i-- > 0;) /* mostly the last one */
            if (lines->number[i] == line) {
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
        if (next != line && together) {
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

/* Both have their lines in the order of lanes: what is looked for is mostly behind what was found last. */
static void sent_before(const CacheTrace *trace, uint32_t at, const Lines *lines, uint32_t *sent) {
    memset(sent, 0, lines->count * sizeof *sent);
    if (at == CACHE_NONE)
        return;
    const CacheRequest before = trace_request(trace, at);
    uint32_t next = 0;
    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t tries = 0; tries < before.lines; tries++) {
            const uint32_t k = next;
            next = next + 1 == before.lines ? 0 : next + 1;
            if (request_line(&before, k) != lines->number[i])
                continue;
            sent[i] = words_sectors(request_words(&before, k));
            break;
        }
}

/* Of a request the sectors; and those of its lines that are kept, which the others make room for. */
static uint32_t keep(Lines *lines, uint32_t bits, uint8_t *place) {
    uint32_t sectors = 0, kept = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        sectors += (uint32_t)__builtin_popcount(words_sectors(lines->words[i]));
        if (!sample_has(bits, lines->number[i]))
            continue;
        place[kept] = (uint8_t)i;
        lines->number[kept] = lines->number[i];
        lines->words[kept++] = lines->words[i];
    }
    lines->count = kept;
    return sectors;
}

void trace_access(CacheTrace *trace, uint32_t warp, uint32_t site, CacheOp op,
                  const Access *access) {
    Lines lines;
    lines.count = 0;
    lines.seen = 0;
    bool local = access->space == SPACE_LOCAL;
    if (warp >= CACHE_WARPS || (!local && access->space != SPACE_GLOBAL && !access->source))
        return;
    if (local)
        local_lines(&lines, access);
    else
        global_lines(&lines, access);
    if (!lines.count)
        return;
    uint8_t place[WARP_LANES];
    uint32_t sent[WARP_LANES];
    const uint32_t asked = lines.count, sectors = keep(&lines, local ? 0 : trace->bits, place);
    const bool stores = op == CACHE_STORE && !local;
    sent_before(trace, stores ? trace->stored[warp] : CACHE_NONE, &lines, sent);
    uint64_t head = (site < CACHE_NO_SITE ? site : CACHE_NO_SITE) | (uint64_t)op << OP_SHIFT |
                    (uint64_t)local << LOCAL_SHIFT | (uint64_t)asked << ASKED_SHIFT |
                    (uint64_t)sectors << SECTORS_SHIFT;
    trace->lines += asked;
    uint64_t *at = add(trace, warp, head, lines.count);
    for (uint32_t i = 0; i < lines.count; i++) {
        at[2 * i] = lines.number[i];
        at[2 * i + 1] =
            lines.words[i] | (uint64_t)sent[i] << SENT_SHIFT | (uint64_t)place[i] << PLACE_SHIFT;
    }
    trace->stored[warp] = stores ? trace->last[warp] : CACHE_NONE;
}

void trace_wait(CacheTrace *trace, uint32_t warp) {
    uint32_t last = warp < CACHE_WARPS ? trace->last[warp] : CACHE_NONE;
    bool waits = last != CACHE_NONE && trace_request(trace, last).op == CACHE_WAIT;
    if (warp < CACHE_WARPS && !waits) /* lanes that come one after the other */
        add(trace, warp, (uint64_t)CACHE_WAIT << OP_SHIFT, 0);
}

CacheRequest trace_request(const CacheTrace *trace, uint32_t at) {
    uint64_t head = trace->words[at];
    return (CacheRequest){.op = (CacheOp)(head >> OP_SHIFT & 0xff),
                          .local = head >> LOCAL_SHIFT & 1,
                          .asked = head >> ASKED_SHIFT & 0xff,
                          .sectors = (uint32_t)(head >> SECTORS_SHIFT),
                          .site = head & CACHE_NO_SITE,
                          .lines = head >> LINES_SHIFT & 0xff,
                          .next = (uint32_t)trace->words[at + 1],
                          .at = trace->words + at + HEADER};
}

/* ---- policies ---- */

static bool has(Str text, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= text.length; i++)
        if (memcmp(text.at + i, part, length) == 0)
            return true;
    return false;
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
        return CACHE_ATOMIC;
    for (uint32_t i = 0; i < sizeof past / sizeof *past; i++)
        if (has(text, past[i]))
            return CACHE_LOAD_PAST;
    return CACHE_LOAD;
}
