/* lower: what ptxas makes of a function's accesses to memory - which of them it merges, narrows, drops,
 * or lets one lane do for all - so that what is counted is what the GPU executes.
 *
 * Invariants
 *   - Takes a Function and where its shared variables lie; gives one LoweredAccess for each site. It is
 *     decided here and nowhere else: code that executes or counts an access reads its LoweredAccess.
 *   - Nothing depends on a launch: neither on arguments nor on the grid.
 *   - What a program computes stays the same: a LoweredAccess says which accesses are made, not which bytes
 *     the instruction moves.
 *   - Each rule was read off the machine code of ptxas 13.0 (docs/memory-model.md, sections 4 to 6).
 *
 * What it does not do: run anything, say what an access costs (mem/), change the function. */
#pragma once

#include "ir/ir.h"
#include "lower/narrow.h"
#include "mem/mem.h"

/* ---- shared.c: where the shared variables of a kernel lie on a GPU ---- */

typedef struct SharedSpace {
    const Function *kernel;
    uint32_t base;       /* address of the first static variable: 1024 on sm_90, else 0 */
    uint32_t first;      /* the lowest address that may be used: base, or 0 */
    uint32_t bytes;      /* of static variables, from base */
    uint32_t dynamic_at; /* address of the dynamic array */
    bool window; /* no address is known to ptxas: from sm_90 on, a part of the cluster's memory */
    const Variable **by_name; /* [names]: the kernel's variables, by their functions and names */
    uint32_t names;
} SharedSpace;

/* reached: the kernel and the functions that may run when it does (functions_reached). */
SharedSpace shared_space(Arena *arena, const Function *kernel, const Functions *reached,
                         const Gpu *gpu);
uint64_t shared_address(const SharedSpace *shared, const Variable *variable);

/* ---- lower.c ---- */

/* Which lanes the hardware sees of an atomic. At an address that cannot differ between lanes, ptxas
 * lets one of them add the sum of all (or their maximum, …), with REDUX or a scan before. */
typedef enum Lanes {
    LANES_ALL,
    LANES_ONE,
    LANES_ONE_IF_FULL /* all where some are inactive */
} Lanes;

/* One access of a warp to a matrix: where each lane's bytes begin. */
typedef struct MatrixAccess {
    uint32_t width, mask;
    uint32_t matrices; /* of ldmatrix; 0: an ordinary access */
    LinePlace place[WARP_LANES];
} MatrixAccess;

/* An instruction with a site, as ptxas makes it. */
typedef struct LoweredAccess {
    AccessKind kind;
    bool dropped;      /* ld: nobody reads what it loads */
    uint32_t accesses; /* that an execution makes; 0: it is dropped, or part of another one's */
    uint32_t into;     /* the instruction that makes this one's access, too, or NO_INDEX */
    uint32_t written;  /* bytes per lane as the PTX has it */
    uint32_t width;    /* of the first access */
    uint32_t matrices; /* ldmatrix, stmatrix, wmma.load as ldmatrix; else 0 */
    VectorPiece
        pieces[2]; /* ld: the elements that are loaded; one for each access, or one for all */
    int32_t skip;  /* ld, st: from the instruction's first byte to the access's first */
    uint32_t element, used; /* of an access made for several: bytes of an element; bit i: element i
                               is asked for. 0: nothing is merged */
    Lanes lanes;            /* atomics */
    const MatrixAccess *matrix; /* [accesses] of wmma.load and wmma.store, else NULL */
} LoweredAccess;

/* Fills sites[function->sites]. */
void lower_function(Arena *arena, const Function *function, const SharedSpace *shared,
                    LoweredAccess *sites);
/* ---- print.c ---- */

/* A kernel and the functions that it may call: an instruction a line, with what becomes of accesses. */
void lower_print(const Function *kernel, const Gpu *gpu, FILE *out);
