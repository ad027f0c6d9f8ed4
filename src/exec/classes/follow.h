/* follow: a block is executed, and beside each register its forms are kept; what decides how the block goes on, and
 * what its accesses cost, becomes conditions. Private to the room. */
#pragma once

#include "exec/classes/classes.h"
#include "exec/classes/meaning.h"
#include "exec/classes/symbols.h"

/* Lanes of a register that have several forms. */
#define FORM_MIXED UINT32_MAX

/* The forms of a warp's registers, by their offset / 4. */
typedef struct Shadow {
    FormId *whole;
    FormId **lanes; /* where whole is FORM_MIXED */
    FormId carry;
} Shadow;

/* Bytes of global memory before a block wrote there: Follower.old, from `at` on. */
typedef struct Written {
    uint64_t address, bytes, at;
} Written;

typedef struct Turns Turns;

struct Follower {
    Arena *arena;
    const Run *run;
    const Program *program;
    Meaning *meanings;
    Forms *forms;
    Symbols *symbols;
    Turns *turns;   /* turns.h */
    bool following; /* the block at hand: else it is only executed */
    Shadow *shadows;
    uint32_t warps;  /* of a block */
    BlockBatch *own; /* the block at hand */
    /* Conditions so far: of each linear, in the order in which they came. */
    VEC(Need) wanted;
    uint32_t *wanted_of; /* [wanted_size]: number in wanted + 1 */
    uint8_t *met;        /* [met_size]: needs that are among them already */
    uint32_t wanted_size, met_size;
    VEC(uint32_t) turning; /* needs among them with a loop's turn */
    FormId gathered;       /* of what barriers of the block combined */
    /* The access at hand: how its addresses in global memory, or else those in other spaces, move. */
    uint32_t moves;
    bool moves_global;
    /* Why it cannot go on. */
    const char *because;
    const Insn *insn;
    /* What was there before, to be put back. */
    VEC(Written) written;
    uint8_t *old;
    uint64_t old_used, old_size;
};

/* ---- shadow.c ---- */

void shadow_begin(Follower *follower);
Shadow *shadow_of(const Follower *follower, const Warp *warp);
FormId shadow_lane(const Shadow *shadow, uint32_t offset, uint32_t lane);
void shadow_set(Follower *follower, const Warp *warp, Shadow *shadow, uint32_t offset,
                uint32_t mask, FormId id);
/* Of all lanes of the mask together, each pinned unless all are one. */
FormId shadow_join(Follower *follower, const Shadow *shadow, uint32_t offset, uint32_t mask);

/* ---- want.c ---- */

void want(Follower *follower, Need need);
/* The value is to be the same in every block of the class. false: it is data. */
bool want_same(Follower *follower, FormId id);
/* What the form needs is to hold. */
void want_needs(Follower *follower, uint32_t needs);
bool give_up(Follower *follower, const Insn *insn, const char *because);

/* ---- transfer.c ---- */

/* The form of the result in the lanes of the mask, whose operands have these forms; FORM_MIXED: they
 * differ, ask for each lane. */
FormId transfer(Follower *follower, const Warp *warp, const Code *code, const Meaning *meaning,
                const FormId in[3], uint32_t mask);
