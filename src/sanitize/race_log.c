#include "sanitize/race.h"

#include <stdlib.h>
#include <string.h>

/* A stamp is the era and a thread of the block. */
enum {
    THREAD_BITS = 11,
    MANY = 1 << (THREAD_BITS - 1), /* no thread: several that read it */
    REFUSED,                       /* … of a word that has another access */
    STRONG,                        /* … all of them strong, of 1 byte; of 2, 4, 8, 16 behind it */
    ERA_LAST = (1 << (32 - THREAD_BITS)) - 2,
    WORD_SHIFT = 2,
    KEPT_MOST = 1 << 20,
    HALF_LANES = 16,
    VECTOR = 4
};
#define STICKY UINT32_MAX /* of a word that is refused for good */

/* A record: the instruction, RECORD_… with warp and width, then lanes and a place of each of them, or the places where
 * the halves begin and their strides. */
enum {
    RECORD_WRITES = 1 << 8,
    RECORD_TOGETHER = 1 << 9,
    RECORD_RUN = 1 << 10,
    RECORD_READS = 1 << 11,
    RECORD_STRONG = 1 << 12,
    RECORD_OBSERVES = 1 << 13,
    RECORD_REACH = 14, /* bits below it */
    RECORD_WIDTH = 16,
    RUN_WORDS = 6
};

typedef uint32_t Stamps __attribute__((vector_size(4 * VECTOR)));

/* ---- the memory ---- */

static uint32_t *grown(uint32_t *at, size_t count) {
    at = realloc(at, count * sizeof *at);
    if (!at)
        out_of_memory();
    return at;
}

void log_begin(RaceLog *log, uintptr_t first, uintptr_t end) {
    const uint32_t words = (uint32_t)((end - first + 3) >> WORD_SHIFT);
    log->first = first;
    log->end = end;
    if (words > log->room) {
        log->writes = grown(log->writes, words);
        log->reads = grown(log->reads, words);
        log->room = words;
        log->era = 0;
    }
    if (log->room && (log->sticky || log->era == 0)) {
        memset(log->writes, 0, log->room * sizeof *log->writes);
        memset(log->reads, 0, log->room * sizeof *log->reads);
        log->era = 0;
    }
    log->sticky = false;
    log->words = words;
    log_forget(log);
}

void log_free(RaceLog *log) {
    free(log->writes);
    free(log->reads);
    free(log->kept);
    *log = (RaceLog){0};
}

/* Stamps of all eras become one that has passed. */
static void begin_anew(RaceLog *log) {
    for (uint32_t i = 0; i < log->room; i++) {
        log->writes[i] = log->writes[i] == STICKY ? STICKY : 0;
        log->reads[i] = 0;
    }
    log->era = 0;
}

void log_forget(RaceLog *log) {
    log->count = 0;
    if (log->era == ERA_LAST)
        begin_anew(log);
    log->era++;
}

void log_refuse(RaceLog *log, uintptr_t first, uint64_t bytes, bool forever) {
    const uintptr_t end = first + bytes < log->end ? first + bytes : log->end;
    if (!log_has(log, first))
        return;
    log->sticky |= forever;
    for (uintptr_t i = (first - log->first) >> WORD_SHIFT;
         i <= (end - 1 - log->first) >> WORD_SHIFT; i++)
        if (log->writes[i] != STICKY)
            log->writes[i] = forever ? STICKY : log->era << THREAD_BITS | REFUSED;
}

/* ---- stamps ---- */

static bool is_others(const RaceLog *log, uint32_t stamp, uint32_t own) {
    return (stamp >> THREAD_BITS == log->era && stamp != own) || stamp == STICKY;
}

/* One thread, or MANY that read at once: words first … last. */
static inline bool stamp_read(RaceLog *log, uint32_t first, uint32_t last, uint32_t own) {
    bool other = false;
    for (uint32_t i = first; i <= last; i++) {
        other |= is_others(log, log->writes[i], own);
        log->reads[i] = is_others(log, log->reads[i], own) ? log->era << THREAD_BITS | MANY : own;
    }
    return !other;
}

static inline bool stamp_write(RaceLog *log, uint32_t first, uint32_t last, uint32_t own) {
    bool other = false;
    for (uint32_t i = first; i <= last; i++) {
        other |= is_others(log, log->writes[i], own) || is_others(log, log->reads[i], own);
        log->writes[i] = log->writes[i] == STICKY ? STICKY : own;
    }
    return !other;
}

/* own: of strong accesses of that width. */
static bool stamp_strong(RaceLog *log, uint32_t first, uint32_t last, uint32_t own) {
    bool other = false;
    for (uint32_t i = first; i <= last; i++) {
        other |= is_others(log, log->writes[i], own) || is_others(log, log->reads[i], 0);
        log->writes[i] = log->writes[i] == STICKY ? STICKY : own;
    }
    return !other;
}

static bool stamp(RaceLog *log, uintptr_t at, uint32_t width, uint32_t own, bool writes) {
    const uint32_t first = (uint32_t)((at - log->first) >> WORD_SHIFT);
    const uint32_t last = (uint32_t)((at + width - 1 - log->first) >> WORD_SHIFT);
    return writes ? stamp_write(log, first, last, own) : stamp_read(log, first, last, own);
}

/* HALF_LANES words, one of each thread from `own` on. */
static inline bool stamp_words(const RaceLog *log, uint32_t word, uint32_t own, bool writes) {
    const Stamps count = {0, 1, 2, 3};
    const uint32_t many = log->era << THREAD_BITS | MANY;
    Stamps other = {0};
    for (uint32_t i = 0; i < HALF_LANES; i += VECTOR) {
        const Stamps mine = count + (own + i);
        Stamps wrote, read;
        memcpy(&wrote, log->writes + word + i, sizeof wrote);
        memcpy(&read, log->reads + word + i, sizeof read);
        const Stamps apart = (Stamps)(read >> THREAD_BITS == log->era) & (Stamps)(read != mine);
        other |= (Stamps)(wrote >> THREAD_BITS == log->era) & (Stamps)(wrote != mine);
        other |= (Stamps)(wrote == STICKY);
        if (writes) {
            const Stamps stays = (Stamps)(wrote == STICKY);
            const Stamps now = (stays & wrote) | (~stays & mine);
            other |= apart;
            memcpy(log->writes + word + i, &now, sizeof now);
        } else {
            const Stamps now = (apart & many) | (~apart & mine);
            memcpy(log->reads + word + i, &now, sizeof now);
        }
    }
    return !(other[0] | other[1] | other[2] | other[3]);
}

static bool stamp_half(RaceLog *log, const RaceAccess *run, uint32_t half, uintptr_t first,
                       int64_t stride) {
    const uint32_t own = log->era << THREAD_BITS | (run->warp * 32 + half * (uint32_t)HALF_LANES);
    if (stride == 4 && run->width == 4)
        return stamp_words(log, (uint32_t)((first - log->first) >> WORD_SHIFT), own, run->writes);
    if (stride == 0 && !run->writes)
        return stamp(log, first, run->width, log->era << THREAD_BITS | MANY, false);
    bool alone = true;
    if (run->width == 4 && stride % 4 == 0 && first % 4 == 0) { /* a word of each, as mostly */
        uint32_t word = (uint32_t)((first - log->first) >> WORD_SHIFT);
        for (uint32_t i = 0; i < HALF_LANES; i++, word += (uint32_t)(stride / 4))
            alone &= run->writes ? stamp_write(log, word, word, own + i)
                                 : stamp_read(log, word, word, own + i);
        return alone;
    }
    for (uint32_t i = 0; i < HALF_LANES; i++)
        alone &= stamp(log, first + i * (uint64_t)stride, run->width, own + i, run->writes);
    return alone;
}

/* ---- records ---- */

static uint32_t *record(RaceLog *log, uint32_t words) {
    if (log->count + words > log->capacity) {
        log->capacity = 2 * log->capacity + 1024;
        log->kept = grown(log->kept, log->capacity);
    }
    uint32_t *at = log->kept + log->count;
    log->count += words;
    return at;
}

bool log_is_full(const RaceLog *log) {
    return log->count > KEPT_MOST;
}

bool log_run(RaceLog *log, const RaceAccess *run, const uintptr_t first[2],
             const int64_t stride[2]) {
    bool alone = stamp_half(log, run, 0, first[0], stride[0]);
    alone &= stamp_half(log, run, 1, first[1], stride[1]);
    if (!alone)
        return false;
    uint32_t *at = record(log, RUN_WORDS);
    at[0] = run->insn;
    at[1] = run->warp | (run->writes ? RECORD_WRITES : RECORD_READS) | RECORD_RUN |
            run->width << RECORD_WIDTH;
    for (uint32_t half = 0; half < 2; half++) {
        at[2 + half] = (uint32_t)(first[half] - log->first);
        at[4 + half] = (uint32_t)stride[half];
    }
    return true;
}

static bool stamp_lanes(RaceLog *log, const LoggedAccess *access, uintptr_t host,
                        const uint64_t *place) {
    const uint32_t era = log->era << THREAD_BITS;
    bool alone = !access->together || !access->writes;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(rest);
        const uint32_t own = era | (access->together ? MANY : access->warp * 32 + lane);
        alone &= stamp(log, host + place[lane], access->width, own, access->writes);
    }
    return alone;
}

static bool stamp_strong_lanes(RaceLog *log, const LoggedAccess *access, uintptr_t host,
                               const uint64_t *place) {
    const uint32_t own =
        log->era << THREAD_BITS | (STRONG + (uint32_t)__builtin_ctz(access->width));
    bool alone = true;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        const uintptr_t at = host + place[__builtin_ctz(rest)] - log->first;
        alone &= stamp_strong(log, (uint32_t)(at >> WORD_SHIFT),
                              (uint32_t)((at + access->width - 1) >> WORD_SHIFT), own);
    }
    return alone;
}

bool log_access(RaceLog *log, const LoggedAccess *access, uintptr_t host, const uint64_t *place) {
    if (!(access->strong ? stamp_strong_lanes : stamp_lanes)(log, access, host, place))
        return false;
    uint32_t *at = record(log, 3 + (uint32_t)__builtin_popcount(access->lanes));
    *at++ = access->insn;
    *at++ = access->warp | (access->writes ? RECORD_WRITES : 0) |
            (access->reads ? RECORD_READS : 0) | (access->together ? RECORD_TOGETHER : 0) |
            (access->strong ? RECORD_STRONG : 0) | (access->observes ? RECORD_OBSERVES : 0) |
            access->reach << RECORD_REACH | access->width << RECORD_WIDTH;
    *at++ = access->lanes;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        *at++ = (uint32_t)(host + place[__builtin_ctz(rest)] - log->first);
    return true;
}

bool log_next(const RaceLog *log, uint32_t *next, LoggedAccess *access) {
    if (*next >= log->count)
        return false;
    const uint32_t *at = log->kept + *next;
    const uint32_t what = at[1];
    access->insn = at[0];
    access->warp = what & 0xff;
    access->width = what >> RECORD_WIDTH;
    access->writes = what & RECORD_WRITES;
    access->reads = what & RECORD_READS;
    access->together = what & RECORD_TOGETHER;
    access->strong = what & RECORD_STRONG;
    access->observes = what & RECORD_OBSERVES;
    access->reach = what >> RECORD_REACH & 3;
    if (what & RECORD_RUN) {
        access->lanes = UINT32_MAX;
        for (uint32_t lane = 0; lane < 32; lane++)
            access->place[lane] =
                at[2 + lane / HALF_LANES] + lane % HALF_LANES * at[4 + lane / HALF_LANES];
        for (uint32_t lane = 0; lane < 32; lane++)
            access->place[lane] = (uint32_t)access->place[lane];
        *next += RUN_WORDS;
        return true;
    }
    access->lanes = at[2];
    at += 3;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        access->place[__builtin_ctz(rest)] = *at++;
    *next = (uint32_t)(at - log->kept);
    return true;
}
