/* atomic.h: how an atomic is decoded; shared by atomic_decode.c, atomic.c, which does every one, and
 * ops_atomic.c, which does the common ones fast. */
#pragma once

#include "exec/run/warp.h"

enum { VECTOR_MOST = 8 };

typedef struct Atomic {
    Type type;
    Func func;
    uint32_t bytes; /* of an element */
    uint32_t count; /* of elements in global memory, one after the other; 1: no vector */
    uint32_t operand[VECTOR_MOST],
        old[VECTOR_MOST]; /* of a vector: registers, NO_OPERAND: not kept */
    bool returns;         /* atom with a register for the old value */
    bool tries;           /* machine.atom: where it cannot be done, it says so */
    const LoweredAccess *lowered;
} Atomic;

/* The lanes that the machine code makes the access for. */
static inline uint32_t atomic_lanes(const Atomic *atomic, uint32_t mask) {
    Lanes lanes = atomic->lowered->lanes;
    bool one = lanes == LANES_ONE || (lanes == LANES_ONE_IF_FULL && mask == FULL_MASK);
    return one ? 1u << (31 - __builtin_clz(mask)) : mask;
}

/* Whether the lanes leave a compare-and-swap loop behind its load: ptxas compares first for a minimum or maximum; other
 * operations swap, whatever they change. */
static inline bool atomic_leaves(const Atomic *atomic, bool changed) {
    return !changed && (atomic->func == FUNC_MIN || atomic->func == FUNC_MAX);
}

/* ---- atomic.c ---- */

/* Code.full and Code.some of every atomic but this: */
Step exec_atomic(Warp *warp, const Code *code, uint32_t mask);
/* ATOMS.CAST.SPIN */
Step exec_cast(Warp *warp, const Code *code, uint32_t mask);

/* ---- ops_atomic.c ---- */

/* The same of integers of 32 bits in the block's own shared memory. Built for this processor; see ops.c. */
Execute ops_shared_atomic(void);

/* The same for each level that was built. */
Execute ops_shared_atomic_v2(void);
Execute ops_shared_atomic_v3(void);
Execute ops_shared_atomic_v4(void);
Execute ops_shared_atomic_plain(void);
