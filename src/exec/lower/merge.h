/* merge.h: which accesses to shared memory ptxas joins into one wide access (docs/memory-model.md,
 * "Accesses that ptxas merges"). Within exec. */
#pragma once

#include "exec/run/warp.h"

/* ---- known.c ---- */

/* What is known of a register's values before any thread runs: value mod 2^bits. */
typedef struct Known {
    uint32_t bits; /* 0: nothing; the register's width: it is a constant */
    uint64_t value;
} Known;

/* [regs.count] for program->function, whose shared variables have their addresses. */
Known *known_bits(Arena *arena, const Program *program);

/* ---- merge.c ---- */

/* How an instruction counts when accesses merge. All zero: as it stands. */
typedef struct Merge {
    bool follows;   /* the access is part of the one that another instruction makes */
    uint32_t width; /* bytes per lane of the access that this one makes for several */
    int32_t skip;   /* from this instruction's first byte to that access's first */
    uint32_t used;  /* bit i: element i of that access, as the instructions ask for it */
} Merge;

/* [insns.count] for program->function; NULL: none merge. */
Merge *merge_find(Arena *arena, const Program *program);

/* ---- decode.c ---- */

/* Of an instruction of the function at hand, or NULL. */
const Merge *decode_merge(const Program *program, const Insn *insn);
