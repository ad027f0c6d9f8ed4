/* turn: what is known of the turn at hand. Private to turns.c, turn_prove.c and turn_jump.c. */
#pragma once

#include "account/again.h"
#include "exec/classes/turns.h"

enum {
    LOOPS_KEPT = 64,   /* of loops, by a hash */
    PERIOD_MOST = 64,  /* rounds of a turn */
    FAILURES_MOST = 8, /* of a loop, before it is left alone */
    OTHERS_MOST = 64,  /* moments of other loops, before one of those is looked at instead */
    LOGGED_MOST = 1 << 16
};

/* A place at which turns begin, in whatever block. */
typedef struct Loop {
    uint64_t key;         /* 0: none */
    uint64_t block, warp; /* of its last moment */
    uint32_t visits, failures;
    uint32_t times; /* rounds by which addresses move by whole lines */
} Loop;

typedef enum Stage { STAGE_IDLE, STAGE_MEASURES, STAGE_PROVES } Stage;

/* A warp when the turn that is measured began, and when the one that is proved began. */
typedef struct Then {
    uint8_t *before, *begun; /* registers */
    FormId *whole; /* forms, by offset / 4, when it began; lanes: where whole is FORM_MIXED */
    FormId **lanes;
    uint32_t *written, *exposed; /* lanes, by offset / 4: written in it; read before they were */
    uint32_t live, carry;
    uint64_t executed;
} Then;

/* An access of a block that is recorded. */
typedef struct Logged {
    uint32_t site, moves; /* NO_SITE: a range; linear */
    Access access;
    uint64_t address[WARP_LANES], source[WARP_LANES];
    Extent bytes;
    bool stored;
} Logged;

struct Turns {
    Arena *arena;
    bool possible, found;
    Registers registers; /* of the program, each once */
    bool *is_header;     /* [code] */
    Loop loops[LOOPS_KEPT];
    uint64_t block; /* number of the followed block */
    Stage stage;
    Loop *loop;
    bool of_block;
    const Warp *warp; /* whose loop it is, else */
    uint32_t rounds, others;
    Then *then; /* [warps] */
    Counters *counters;
    BlockCount *blocks;
    uint64_t clock;
    VEC(Logged) log;
};

/* The warps whose turn it is. */
static inline bool takes_part(const Turns *turns, const Warp *warp) {
    return warp->live && (turns->of_block || warp == turns->warp);
}

#define for_parts(warp, cta)                                                                       \
    for (Warp *warp = (cta)->warps; warp < (cta)->warps + (cta)->warp_count; warp++)               \
        if (takes_part(turns, warp))

/* ---- values ---- */

static inline int64_t lane_value(const uint8_t *registers, RegisterAt at, uint32_t lane) {
    const void *from = registers + at.offset;
    if (at.class == 0)
        return *(const uint32_t *)from >> lane & 1;
    return at.class == 1 ? ((const int32_t *)from)[lane] : ((const int64_t *)from)[lane];
}

static inline int64_t moved(const uint8_t *from, const uint8_t *to, RegisterAt at, uint32_t lane) {
    uint64_t by = (uint64_t)lane_value(to, at, lane) - (uint64_t)lane_value(from, at, lane);
    return at.class == 1 ? (int32_t)by : (int64_t)by;
}

static inline FormId form_then(const Then *then, uint32_t offset, uint32_t lane) {
    FormId whole = then->whole[offset / 4];
    return whole == FORM_MIXED ? then->lanes[offset / 4][lane] : whole;
}

/* By how much the lane's value moves with each turn, as the one before did. */
static inline int64_t step_of(const Then *then, RegisterAt at, uint32_t lane) {
    bool number = at.class == 1 || at.class == 2;
    return number && form_then(then, at.offset, lane) != FORM_DATA
               ? moved(then->before, then->begun, at, lane)
               : 0;
}

/* How accesses of the turn at hand are further on in another block. */
static inline uint32_t turns_moves(const Follower *follower, uint32_t moves) {
    int64_t step;
    return linear_still(follower->forms, moves, &step);
}

/* ---- turn_prove.c: is the next turn like this one? ---- */

/* Every register that it read before it wrote it is what it was, one step further on; what that needs is wanted. */
bool turn_goes_on(Follower *follower, const Cta *cta);
/* For how many turns behind the first the conditions hold. UINT64_MAX: for any number. rounds: it would have to
 * be so many times as long for addresses to move by lines. */
uint64_t turn_reach(Follower *follower, uint64_t *rounds);
/* The conditions with the turn become such of the block: for the first turn, and for `last` turns later. */
void turn_settle(Follower *follower, uint64_t last);
/* Registers have no turn any more. */
void turn_still(Follower *follower, const Cta *cta);

/* ---- turn_jump.c ---- */

/* As if so many more had been executed. */
void turn_jump(Follower *follower, Cta *cta, uint64_t times);
