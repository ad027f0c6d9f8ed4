/* merge_parts.h: what merge.c (which accesses there are, stores, the whole), merge_place.c (where an access
 * is) and merge_loads.c share. */
#pragma once

#include "exec/lower/merge.h"

/* One access of a group. */
typedef struct Member {
    uint32_t insn, base, bytes; /* base: register, or NO_REG where the address is a constant */
    uint32_t start, group;      /* of the group: distance from the base, and size in bytes */
    uint32_t at;                /* of the access, from the group's start */
    uint32_t used; /* elements of the group that are read or written: bit i: i * bytes */
    bool guarded;
    uint32_t run, parent; /* members of the same group; the load that it joins, or NO_INDEX */
} Member;

typedef struct Merger {
    Arena *arena;
    const Program *program;
    const Function *function;
    Known *known;
    Merge *merges;
    uint32_t *writes; /* [regs]: instructions that write it, 2 = several */
    uint32_t *writer; /* [regs]: the last of them */
    bool *extended;   /* [regs]: read as a 32-bit number, see takes_half */
    VEC(Member) loads;
    uint32_t *member_of; /* [insns]: number + 1 in loads */
    /* while blocks are walked in their order */
    uint32_t *version; /* [regs]: writes so far */
    uint32_t *seen;    /* [regs]: version of the register it was made from, when it was written */
} Merger;

/* ---- merge_place.c ---- */

uint32_t register_bytes(const Merger *merger, uint32_t reg);
/* Before anything else: which instructions write each register, and read it as a number. */
void places_find_writers(Merger *merger);
/* [base + distance] of the address operand of instruction `at`, as far back as constants were added. */
uint32_t place_of(const Merger *merger, const Operand *address, uint32_t at, uint32_t *distance);
/* To be called for each instruction in its order, after it was looked at. */
void places_pass(Merger *merger, const Insn *insn);

/* ---- merge.c ---- */

bool same_group(const Member *a, const Member *b);
/* May it write shared memory, or order accesses? */
bool is_fence(const Insn *insn);
/* The access of `member` becomes one of the elements of `mask` in its group, of which those of `used` are
 * asked for. */
void set_wide(Merger *merger, const Member *member, uint32_t mask, uint32_t used);

/* ---- merge_loads.c ---- */

/* Fills merger->merges from merger->loads, and sorts those. */
void loads_join(Merger *merger);
