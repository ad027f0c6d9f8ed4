/* request.h: how a trace has what a warp asks for. Private to cache/.
 *
 * A request is two words, and two more for each line:
 *   word 0: site, number of lines that are kept, op, whether it is local memory, number of lines and of sectors that it
 *   asks for; word 1: where the warp's next request is
 *   of a line: its number; the words of 4 bytes that are asked for, sectors that were sent before, its place among all
 *
 * Of a pattern's request the lines lie elsewhere, once for all: two words say where, and from which number on. Of groups of
 * requests one behind the other of which no line is kept, word 0 says which run of groups that is. */
#pragma once

#include "cache/cache.h"

enum { HEADER = 2, SITE_BITS = 24, LINES_SHIFT = SITE_BITS, OP_SHIFT = 32, LOCAL_SHIFT = 40 };
enum { ASKED_SHIFT = 48, SECTORS_SHIFT = 56, SENT_SHIFT = 32, PLACE_SHIFT = 40 };
enum { PATTERN_SHIFT = 41, PATTERN_WORDS = 2, PASSED_SHIFT = 63 };

struct CachePattern {
    Arena *arena;
    uint32_t number, site, lines, sectors;
    CacheOp op;
    uint64_t low, span; /* of the lines' numbers */
    const uint64_t *at; /* [lines]: as a request has them */
    struct
    { /* the same where the warp's last request was a store as well, of lines that are told of at `before`, `delta` before it */
        const uint64_t *before, *at;
        uint64_t delta;
    } behind[4]; /* the last ones that were made */
    uint32_t made;
};

/* A request of which no line is kept. */
typedef struct PassedRequest {
    uint32_t site;
    uint8_t lines, sectors;
    bool loads;
} PassedRequest;

/* Groups that a warp asks for one behind the other, of none of which a line is kept. The same for all warps that do. */
enum { RUN_NEXT = 4, RUN_MOST = 64 };
typedef struct CacheRun CacheRun;
struct CacheRun {
    const PassedRequest *at; /* [count] */
    uint32_t count, known;
    struct { /* [known]: with another group behind it; belongs to who makes traces */
        const CacheGroup *group;
        CacheRun *run;
    } next[RUN_NEXT];
};

struct CacheGroup {
    Arena *arena;
    CachePattern *const *patterns;
    uint32_t count, lines;
    const uint64_t *numbers;    /* [lines]: of all of them */
    const CachePattern *stored; /* its last request, if that is a store; else NULL */
    CacheRun *alone;            /* the group, and no other; NULL: it has too many requests */
    uint32_t made;              /* runs that end with it */
};

/* A request of the trace, unpacked. */
typedef struct CacheRequest {
    CacheOp op;
    bool local; /* lines of the block's local memory, from 0 */
    bool whole; /* has all of its lines, whichever the trace keeps */
    uint32_t site, next;
    uint32_t asked, sectors; /* lines of the request, and sectors of these */
    uint32_t lines;          /* that are kept */
    uint32_t words;          /* that it takes in the trace */
    const uint64_t *at;      /* [lines]: two words each */
    uint64_t base;           /* of the lines' numbers */
} CacheRequest;

/* Of the words of a trace. NULL: it is a request alone. */
static inline const CacheRun *trace_passed(const uint64_t *trace, uint32_t at) {
    const uint64_t head = trace[at];
    return head >> PASSED_SHIFT ? (const CacheRun *)(uintptr_t)(head << 1 >> 1) : NULL;
}

static inline bool op_loads(CacheOp op) {
    return op == CACHE_LOAD || op == CACHE_LOAD_PAST;
}

static inline CacheRequest trace_request(const uint64_t *trace, uint32_t at) {
    const uint64_t head = trace[at], *words = trace + at + HEADER;
    const bool whole = head >> PATTERN_SHIFT & 1;
    const uint32_t lines = head >> LINES_SHIFT & 0xff;
    return (CacheRequest){.op = (CacheOp)(head >> OP_SHIFT & 0xff),
                          .local = head >> LOCAL_SHIFT & 1,
                          .whole = whole,
                          .asked = head >> ASKED_SHIFT & 0xff,
                          .sectors = (uint32_t)(head >> SECTORS_SHIFT),
                          .site = head & CACHE_NO_SITE,
                          .lines = lines,
                          .next = (uint32_t)trace[at + 1],
                          .words = HEADER + (whole ? PATTERN_WORDS : 2 * lines),
                          .at = whole ? (const uint64_t *)(uintptr_t)words[0] : words,
                          .base = whole ? words[1] : 0};
}

static inline uint64_t request_line(const CacheRequest *request, uint32_t i) {
    return request->at[2 * i] + request->base;
}
/* Which of its 32 words of 4 bytes are asked for. */
static inline uint32_t request_words(const CacheRequest *request, uint32_t i) {
    return (uint32_t)request->at[2 * i + 1];
}

/* Those of its sectors to which the warp's last request stored, too, if both store to global memory. */
static inline uint32_t request_sent(const CacheRequest *request, uint32_t i) {
    return (uint32_t)(request->at[2 * i + 1] >> 32) & 0xff;
}

/* Which of the request's lines it is. */
static inline uint32_t request_place(const CacheRequest *request, uint32_t i) {
    return (uint32_t)(request->at[2 * i + 1] >> 40);
}
