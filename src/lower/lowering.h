/* lowering.h: what the files of lower/ share. Private to the layer. */
#pragma once

#include "lower/lower.h"

typedef struct Lowering {
    const Function *function;
    const SharedSpace *shared;
    Arena *arena, *scratch; /* scratch: gone when the function is lowered */
    LoweredAccess *sites;   /* [function->sites] */
    bool *read;             /* [regs]: by an instruction, or by who calls the function */
    uint32_t *writes;       /* [regs]: instructions that write it; 2: several, or a parameter */
    uint32_t *writer;       /* [regs]: the last of them */
    bool *varying;          /* [regs]: see varying_registers; NULL: nobody has asked yet */
} Lowering;

/* ---- known.c ---- */

/* How a value was made, as far as it decides which constants ptxas takes out of an address. */
enum {
    KNOWN_CONSTANT = 1 << 0,
    KNOWN_SCALED = 1 << 1,  /* shifted, or times a constant: one instruction with what is added */
    KNOWN_PRODUCT = 1 << 2, /* of two that are no constants, and likewise */
    KNOWN_SUM = 1 << 3,
    KNOWN_LOOSE = 1 << 4, /* a sum of which the constant is taken out when more is added */
    KNOWN_WINDOW = 1 << 5 /* has the address of a shared variable in it that ptxas does not know */
};

/* What is known of a register's values before any thread runs: value mod 2^bits. */
typedef struct Known {
    uint32_t bits; /* 0: nothing; the register's width: it is a constant */
    uint64_t value;
    uint32_t made; /* KNOWN_… */
} Known;

/* What remains in a sum or product: of which power of two it is a multiple, or the constant. */
Known known_multiple(Known known);

/* [regs.count] */
Known *known_bits(const Lowering *lowering);

/* ---- varying.c ---- */

/* [regs.count]: true where lanes that run together may have different values. */
bool *varying_registers(Arena *arena, const Function *function);

/* ---- narrow.c ---- */

void narrow_load(const Lowering *lowering, const Insn *insn, LoweredAccess *lowered);

/* ---- atomic.c, matrix.c ---- */

void lower_atomic(Lowering *lowering, const Insn *insn, LoweredAccess *lowered);
void lower_matrix(Arena *arena, const Insn *insn, LoweredAccess *lowered);

/* ---- merge.c: accesses to shared memory that become one ---- */

void merge_accesses(Lowering *lowering);

/* One access of a group. */
typedef struct Member {
    uint32_t insn, base, bytes; /* base: register, or NO_REG where the address is a constant */
    uint32_t window;            /* see BasePlace */
    uint32_t start, group;      /* of the group: distance from the base, and size in bytes */
    uint32_t at;                /* of the access, from the group's start */
    uint32_t used; /* elements of the group that are read or written: bit i: i * bytes */
    bool guarded;
    uint32_t run, parent; /* members of the same group; the load that it joins, or NO_INDEX */
} Member;

typedef struct Merger {
    Lowering *lowering;
    Arena *arena;
    const Function *function;
    Known *known;
    bool *extended; /* [regs]: read as a 32-bit number, see takes_half */
    VEC(Member) loads;
    uint32_t *member_of; /* [insns]: number + 1 in loads */
    uint32_t *block_of;  /* [insns] */
    /* while blocks are walked in their order */
    uint32_t *version; /* [regs]: writes so far */
    uint32_t *seen;    /* [regs]: version of the register it was made from, when it was written */
} Merger;

/* ---- places.c ---- */

uint32_t register_bytes(const Merger *merger, uint32_t reg);

typedef struct BasePlace {
    uint32_t base, distance; /* base: register, or NO_REG where the address is a constant */
    uint32_t
        window; /* of a register: to which the address of this shared variable is added, unknown to ptxas; 0: none */
    Known known; /* of the base */
} BasePlace;

/* [base + distance] of the address operand of instruction `at`, as far back as constants were added. */
BasePlace place_of(const Merger *merger, const Operand *address, uint32_t at);
/* To be called for each instruction in its order, after it was looked at. */
void places_pass(Merger *merger, const Insn *insn);

/* ---- members.c ---- */

/* Which registers are read as numbers of 16 bits. */
void members_find_extended(Merger *merger);
/* How an instruction's access lies in a group; false: it is none that ptxas was seen to merge. */
bool member_of(const Merger *merger, uint32_t at, Member *member);
bool same_group(const Member *a, const Member *b);
/* Its space is shared memory, or open. */
bool is_shared(const Insn *insn);
/* May it write shared memory, or order accesses? */
bool is_fence(const Insn *insn);
/* The access of `member` becomes one of the elements of `mask` in its group, of which those of `used` are
 * asked for. */
void set_wide(const Merger *merger, const Member *member, uint32_t mask, uint32_t used);
/* It becomes part of the access of instruction `into`. */
void set_part(const Merger *merger, const Member *member, uint32_t into);

/* ---- merge_loads.c ---- */

/* Lowers the loads of merger->loads, and sorts those. */
void loads_join(Merger *merger);
