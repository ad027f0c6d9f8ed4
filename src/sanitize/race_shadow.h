/* race_shadow.h: which accesses to each byte of memory a later one could race with. Private to sanitize.
 *
 * A page of 4 KiB has cells of as many bytes as all accesses to it move at once so far, at most 16. Each has the last
 * weak write, and what came since then (or before it, and is not ordered): reads and strong writes. An access is
 * left out where a later one is in the way of all that it could race with.
 *
 * Most warps take elements that are one distance apart in the order of the lanes. While nothing else is done to it, a row of
 * 128 bytes is one cell: a stamp there means 32 words, lane i word i; the entries of a list say where their lanes' elements are. */
#pragma once

#include "base/base.h"
#include "sanitize/order.h"

/* What a stamp says beside the segment: its lane, or that all lanes of the segment are meant. */
enum { STAMP_LANE_BITS = 5, STAMP_GROUP = 1 << 30 };
#define STAMP_LIST (UINT32_C(1) << 31) /* no stamp: the number of a list of them */

typedef struct ShadowCell {
    uint32_t write; /* the last weak write; 0: none */
    uint32_t rest;  /* a stamp or a list; 0: nothing */
} ShadowCell;

/* Lanes of a segment. */
typedef struct ListEntry {
    uint32_t segment, lanes;
    /* Of a row: which of its elements lane 0's is, or would be, and how many elements the next lane's is further. */
    int16_t first, step;
} ListEntry;

typedef struct AccessList {
    uint32_t count, capacity, next; /* free */
    uint32_t block, floor;          /* who looked through it last, and at which floor, */
    uint32_t like;                  /* and found accesses only that are as its own; 0: others */
    bool stands;                    /* one of them stands for what it does (stands_for) */
    ListEntry *at;
} AccessList;

/* All accesses of a warp by one instruction until its clock goes on. */
typedef struct Segment {
    Moment at;       /* lane: of copies beside the warp; else the stamp has it */
    uint32_t launch; /* number of the launch or copy */
    uint32_t insn;
    uint32_t lanes;     /* STAMP_GROUP */
    uint32_t next;      /* of the block; free */
    uint8_t warp, lane; /* who asked for it, where copies are beside the warp */
    bool reads, writes, strong, observes;
    uint8_t reach, element; /* bytes that move at once */
    /* its block has ended, and nobody will know that it happened, before the launch ends */
    bool final;
    bool live;
} Segment;

enum {
    SHADOW_SHIFT = 12,
    SHADOW_PAGE = 1 << SHADOW_SHIFT,
    SHADOW_MOST = 4,
    ROW_SHIFT = 7,
    ROW_BYTES_ALL = 1 << ROW_SHIFT,
    PAGE_ROWS = SHADOW_PAGE / ROW_BYTES_ALL,
    RECENT_BITS = 6
};

typedef struct ShadowPage {
    uintptr_t first;
    uint32_t era;
    uint32_t apart; /* bit r: row r is not one cell, but those of its bytes */
    uint8_t shift;
    ShadowCell *cells; /* [SHADOW_PAGE >> shift]; NULL: no row is apart */
    ShadowCell rows[PAGE_ROWS];
    uint32_t said[PAGE_ROWS]; /* bit w: of the row's word w, another weak read says nothing new */
} ShadowPage;

typedef struct Shadow {
    uint32_t era;       /* what pages of another have is of no meaning */
    ShadowPage **pages; /* [page_size], by hash */
    uint32_t page_size, page_count;
    ShadowPage *recent[1 << RECENT_BITS]; /* by the highest bits of the hash of their numbers */
    Segment *segments;                    /* [1 …] */
    uint32_t segment_count, segment_capacity, segment_free, segments_live, sweep_at;
    AccessList *lists;
    uint32_t list_count, list_capacity, list_free;
} Shadow;

void shadow_init(Shadow *shadow);
void shadow_free(Shadow *shadow);
/* All of it is forgotten. */
void shadow_forget_all(Shadow *shadow);
/* What bytes first … end-1 have. */
void shadow_forget(Shadow *shadow, uintptr_t first, uintptr_t end);
ShadowPage *shadow_page(Shadow *shadow, uintptr_t address);
/* The page with cells for these bytes of it, which cells end with. */
ShadowPage *shadow_cells(Shadow *shadow, uintptr_t address, uint32_t bytes);
/* The row is one cell again, which is empty. */
ShadowCell *shadow_row(Shadow *shadow, ShadowPage *page, uint32_t row);

uint32_t segment_new(Shadow *shadow);
static inline bool segments_are_many(const Shadow *shadow) {
    return shadow->segments_live >= shadow->sweep_at;
}
/* Frees the segments that no cell has any more, but for those that are live already. */
void segments_sweep(Shadow *shadow);

/* The accesses of ShadowCell.rest. */
typedef struct Rest {
    ListEntry one;
    ListEntry *at;
    uint32_t count;
} Rest;
void rest_of(const Shadow *shadow, const ShadowCell *cell, Rest *rest);
void rest_clear(Shadow *shadow, ShadowCell *cell);
/* stamp: of the access, whose lanes are `lanes`. false: there are too many, and it is not kept. */
bool rest_add(Shadow *shadow, ShadowCell *cell, uint32_t stamp, ListEntry entry);
