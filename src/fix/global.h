/* global.h: what to change where global memory moves more sectors, or takes more requests, than it must.
 *
 * Invariants
 *   - What is promised is what the memory model makes of the recorded addresses after the change.
 *   - A change with a storage can be proven by running (cli/fix_global.c); the others change what threads
 *     do, and are not.
 *   - Offsets in the profile are told apart modulo 512. What another storage makes of an access depends
 *     on more: it is priced from a second profile, of a launch with evidence_period = global_period. */
#pragma once

#include "mem/mem.h"
#include "rules/shapes.h"

typedef enum ChangeKind {
    CHANGE_FIELDS,     /* structure of arrays */
    CHANGE_VECTOR,     /* vector accesses for neighbouring scalars */
    CHANGE_ALIGN,      /* another pitch, or another beginning */
    CHANGE_TRANSPOSED, /* the matrix stored column by column */
    CHANGE_TILE,       /* a tile turned round in shared memory, or thread axes swapped */
    CHANGE_ROWS,       /* blocks that are wider in x */
    CHANGE_WIDEN       /* several elements a lane */
} ChangeKind;

typedef struct Change {
    ChangeKind kind;
    uint64_t requests, sectors; /* promised, of the recorded executions of the shape */
    uint32_t vector;            /* VECTOR, WIDEN: bytes a lane then, at most */
    bool stores;                /* it changes how the array is stored: */
    Storage storage;
    uint64_t before, after; /* sectors of all accesses to the array */
} Change;

enum { CHANGES = 4 };

typedef struct GlobalFix {
    Shape shape;
    Change changes[CHANGES]; /* the fewest sectors first, then the fewest requests */
    uint32_t count;
    bool beside_rows; /* COLUMNS: other accesses of the kernel go along rows */
} GlobalFix;

/* ---- global.c ---- */

/* One for each shape of the launch, worst first. Changes with a storage have no promise yet. */
GlobalFix *global_fixes(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);
/* Promises for the storages, from a profile with global_period (its launch must be the same kernel's);
 * those that do not help, or that an access does not survive, are dropped. */
void global_price(const Profile *profile, uint32_t launch, GlobalFix *fixes, uint32_t count);

/* ---- global_access.c ---- */

/* Adds what threads might access instead. */
void global_accesses(const Profile *profile, uint32_t launch, GlobalFix *fix);
/* Prices a tile turned round from a profile: columns are known for certain in one with the period. */
void global_tile(const Profile *profile, uint32_t launch, const GlobalFix *fix, Change *change);

/* ---- global_storage.c ---- */

/* Adds what other storages suggest themselves. */
void global_storages(const Profile *profile, uint32_t launch, GlobalFix *fix);
/* What offsets must be told apart by to price the fixes' storages; 0: there are none. */
uint64_t global_period(const GlobalFix *fixes, uint32_t count);
/* Prices a storage over all accesses to the array. false: it does not help. */
bool global_storage_price(const Profile *profile, uint32_t launch, const Shape *shape,
                          Change *change);

/* ---- global_words.c ---- */

const char *change_words(Arena *arena, const Change *change); /* a row of a table */
/* What to change in the source, in a sentence. */
const char *change_advice(Arena *arena, const Profile *profile, uint32_t launch,
                          const GlobalFix *fix, const Change *change);
/* Why there is nothing to change, where count is 0. */
const char *global_why_none(const GlobalFix *fix);

/* ---- sketch.c ---- */

/* Lines of C++ for a change that is not written: a tile that is turned round in shared memory, an array of structures that the host
 * makes. NULL: the advice has it all. */
const char *sketch_change(Arena *arena, const Profile *profile, uint32_t launch,
                          const GlobalFix *fix, const Change *change);
