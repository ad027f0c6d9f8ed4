/* cache: which accesses hit in L1 and in L2, and what passes between L2 and DRAM, estimated from the accesses
 * that blocks make.
 *
 *   accesses of a block --> CacheTrace --in the order of blocks--> CacheModel --> hits, by site
 *
 * The rules and the sizes were measured on an H200; docs/caches.md has them, with what they miss.
 *
 * Invariants
 *   - The result depends on the traces and on the order in which blocks are numbered, and on nothing else: not on
 *     who executed them, nor when.
 *   - A CacheTrace belongs to one worker until it is handed over; a CacheModel is used by one thread at a time.
 *   - All it says is an estimate: a GPU places blocks and warps as it likes, and measures twice do not agree either.
 *
 * What it does not do: run anything, or see memory. */
#pragma once

#include "mem/mem.h"

/* ---- sectors.c: a cache of lines with four sectors each ---- */

#define CACHE_NONE UINT32_MAX
enum { LINE_SECTORS = LINE_BYTES / SECTOR_BYTES };

/* A line that is there. Masks have a bit for each sector, `words` one for each 4 bytes. */
typedef struct CacheLine {
    uint64_t number; /* address / LINE_BYTES */
    uint32_t ready;  /* when its last sector came */
    uint32_t words;  /* written, of sectors that are not valid */
    uint32_t next;   /* in its bucket: as `buckets` */
    uint8_t valid, dirty;
    uint8_t coming; /* of L2: valid ones that nobody asked for, until `ready` */
    uint8_t way;    /* in its set */
} CacheLine;

/* Lines in the order of their last uses: a ring of two directions, by their ways. */
typedef struct LineOrder {
    uint8_t older, newer;
} LineOrder;

typedef struct LineSet {
    uint8_t used, oldest, newest; /* ways */
} LineSet;

/* The least recently used line of a set makes room. A set is chosen by a hash of the line's number. What was never touched is
 * zero, and costs no memory. */
typedef struct LineCache {
    CacheLine *lines;               /* [ways][sets] */
    LineSet *set;                   /* [sets] */
    LineOrder *order;               /* [sets][ways] */
    uint32_t *buckets, bucket_mask; /* places in `lines` plus 1; 0: none */
    uint32_t sets, ways;
} LineCache;

/* bits: of the cache's lines one of 2^bits has room, as of what it is asked for (sample.h). */
void lines_begin(LineCache *cache, Arena *arena, uint64_t bytes, uint32_t bits);
/* The line, as it is; NULL: it is not there. */
CacheLine *lines_peek(LineCache *cache, uint64_t number);
/* The line, which becomes the newest of its set, made where it was not there: *evicted is what had to go then (valid and
 * dirty 0: nothing). It stays where it is until the next is made. */
CacheLine *lines_make(LineCache *cache, uint64_t number, bool *found, CacheLine *evicted);
/* The line is to be asked for: the first brings what the second looks at, and that what these look at, from memory; false: it is
 * not there. */
void lines_expect(const LineCache *cache, uint64_t number);
bool lines_expect_more(const LineCache *cache, uint64_t number);

/* ---- shape.c: how large the caches are ---- */

typedef struct CacheShape {
    uint32_t sms, blocks_per_sm;
    uint32_t partitions; /* of L2: a line has its home in one, and copies in others */
    uint64_t l1_bytes;   /* of an SM, without what is shared memory */
    uint64_t l2_bytes;
    uint32_t fill_clocks; /* of a sector from DRAM, in 1/256 of a clock */
    bool measured;        /* on such a GPU */
    bool every_line;      /* is modelled; else some stand for all where there are very many */
} CacheShape;

/* shared, registers: of a block and of a thread. clock_mhz: of the SMs; DRAM keeps its own. */
CacheShape cache_shape(const Gpu *gpu, double clock_mhz, uint32_t threads, uint64_t shared,
                       uint32_t registers);

/* ---- trace.c: what a block asks for ---- */

typedef enum CacheOp {
    CACHE_LOAD,
    CACHE_LOAD_PAST, /* goes past L1: ld.cg, volatile, L1::no_allocate … */
    CACHE_STORE,
    CACHE_ATOMIC,
    CACHE_ATOMIC_SUM, /* of real numbers: lanes of one word are asked for one by one */
    CACHE_WAIT        /* at a barrier of the block */
} CacheOp;

/* How an instruction uses L1, by its text in PTX or in machine code. */
CacheOp cache_op(Str text, AccessKind kind);

enum { CACHE_WARPS = 32, CACHE_NO_SITE = 0xffffff };

/* What an instruction asks for whose lanes lie to each other as they did before, wherever the first of them lies, as long as that
 * is at the same place of its line. Belongs to one worker; what traces have of it does not change. */
typedef struct CachePattern CachePattern;
/* The access as it was made once, by the instruction of that number; its lines are told from `line` on. NULL: it asks for none. */
CachePattern *pattern_new(Arena *arena, uint32_t number, uint32_t site, CacheOp op,
                          const Access *access, uint64_t line);

/* Those of several instructions of straight code, ascending, that lie to each other as they did before. */
typedef struct CacheGroup CacheGroup;
/* NULL: there are none. Of one arena, as its patterns, and one worker's. */
CacheGroup *group_new(Arena *arena, CachePattern *const *patterns, uint32_t count);

typedef struct CachePending {
    CachePattern *pattern;
    uint64_t line;
} CachePending;

/* Lines of a pattern from a number on; lines 0: there is none. */
typedef struct CacheStored {
    const uint64_t *at;
    uint64_t base;
    uint32_t lines;
} CacheStored;

typedef struct CacheTrace CacheTrace;
struct CacheTrace {
    uint64_t *words; /* requests, one behind the other: trace.c */
    size_t count, room;
    struct
    { /* what was told of last, whose instructions may come behind others that are told of next */
        CacheGroup *group; /* NULL: none, or not alone: */
        uint64_t line;
        CachePending *at; /* by the instructions' numbers */
        uint32_t count, room, warp, first;
    } pending;
    uint32_t bits;  /* of global memory one line of 2^bits is kept */
    uint64_t lines; /* of all requests; while all lines are kept */
    uint32_t first[CACHE_WARPS], last[CACHE_WARPS]; /* requests of each warp; CACHE_NONE: none */
    uint32_t asking;                                /* warps that have any */
    bool waits;                                     /* any of them, at a barrier */
    /* What each warp asked for behind these, of which no line is kept; NULL: nothing. */
    struct CacheRun *passed[CACHE_WARPS];
    uint32_t passing;                /* warps that have any */
    uint32_t stored[CACHE_WARPS];    /* its last one, but for waits, if that is a store */
    CacheStored stores[CACHE_WARPS]; /* likewise, if that is a pattern's */
    CacheTrace *next;
};

/* bits: of global memory only lines are kept that sample_has(bits); 0: all. room: words that it will presumably have. */
CacheTrace *trace_new(uint32_t bits, size_t room);
void trace_free(CacheTrace *trace); /* NULL is allowed */
/* As if it were new, with the room that it has. */
void trace_clear(CacheTrace *trace, uint32_t bits);
void trace_access(CacheTrace *trace, uint32_t warp, uint32_t site, CacheOp op,
                  const Access *access);
/* Groups are told of when their first instruction is executed; their requests are in the trace in the order of all
 * instructions. */
void trace_group(CacheTrace *trace, uint32_t warp, CacheGroup *group, uint64_t line);
void trace_wait(CacheTrace *trace, uint32_t warp);
void trace_end(CacheTrace *trace);      /* the block asks for no more */
uint32_t words_sectors(uint32_t words); /* a bit for each sector that has one of the words */

/* ---- model.c: all blocks of a launch ---- */

/* Sectors of 32 bytes. */
typedef struct CacheCounts {
    uint64_t l1_loads, l1_load_hits, l1_others, l1_other_hits; /* asked of L1: loads, all else */
    uint64_t l2_sectors, l2_hits;                              /* asked of L2 by SMs */
    uint64_t dram_reads;
} CacheCounts;

typedef struct CacheModel CacheModel;
CacheModel *model_new(const CacheShape *shape, uint64_t blocks, uint32_t site_count);
void model_free(CacheModel *model); /* NULL is allowed */
/* The next block, in the order of their numbers. The trace is the model's from now on. */
void model_block(CacheModel *model, CacheTrace *trace);
/* The trace of a block that has ended, which is the caller's from now on; NULL: there is none to spare. */
CacheTrace *model_spare(CacheModel *model);
void model_end(CacheModel *model); /* there are no more */
/* One line of 2^bits is modelled; 0: all, or it is not known yet. Traces need no others. */
uint32_t model_bits(const CacheModel *model);
const CacheCounts *model_counts(const CacheModel *model); /* [site_count] */
/* Loads of a site, and those for which nothing had to come from DRAM, but which waited for what was on its way for others. */
typedef struct CacheWaits {
    uint64_t loads, waited,
        clocks; /* clocks: that these waited, beside what the way to L1 or L2 takes */
} CacheWaits;
const CacheWaits *model_waits(const CacheModel *model); /* [site_count] */
typedef struct CacheTraffic {
    uint64_t read, written; /* sectors, from and to DRAM */
} CacheTraffic;
CacheTraffic model_traffic(const CacheModel *model);
