/* load_store.h: how a load or store is decoded; shared by load_store.c, which does every access, and
 * ops_memory.c, which does the common ones fast. */
#pragma once

#include "exec/narrow.h"
#include "exec/warp.h"

/* How a register takes an element. */
typedef struct Cell {
    uint32_t offset;
    uint32_t keep; /* bits of its type, for registers narrower than their 32-bit lanes */
    uint8_t class;
    bool sink; /* _ : not written */
} Cell;

/* What ops_memory.c does for each element; MOVE_ANY: nothing, load_store.c does it. */
typedef enum Move { MOVE_ANY, MOVE_U8, MOVE_S8, MOVE_U16, MOVE_S16, MOVE_32, MOVE_64 } Move;

typedef struct Elements Elements;
struct Elements {
    Type type;
    uint32_t bytes; /* of one */
    uint32_t width; /* of all */
    uint32_t count;
    bool spins;
    uint32_t count_width; /* bytes per lane of the access that is counted here; 0: none (merge.h) */
    int32_t count_skip;   /* from the first element to its first byte */
    uint32_t count_used;  /* bit i: element i of it is asked for; 0: it is not merged */
    Move move;
    uint32_t skip;  /* bytes from the instruction's address to the first element */
    Elements *next; /* a second access that the instruction becomes, or NULL */
    Cell cell[8];
};

/* ---- load_store.c ---- */

/* Code.full and Code.some of every load and store. */
Step load_any(Warp *warp, const Code *code, uint32_t mask);
Step store_any(Warp *warp, const Code *code, uint32_t mask);

/* Code.full of a counted access to shared or global memory by all lanes: fast where the addresses are
 * one or two runs, load_any or store_any otherwise. Built for this processor; see ops.c. */
Execute ops_access(Space space, bool writes);

/* The same for each level that was built. */
Execute ops_access_v2(Space space, bool writes);
Execute ops_access_v3(Space space, bool writes);
Execute ops_access_v4(Space space, bool writes);
Execute ops_access_plain(Space space, bool writes);
