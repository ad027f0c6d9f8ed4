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
    uint32_t *reads;        /* [regs]: how often instructions read it; 2: or more */
    uint32_t *reader;       /* [regs]: the last of them */
    uint32_t *block_of;     /* [insns] */
    bool *varying;          /* [regs]: see varying_registers; NULL: nobody has asked yet */
} Lowering;

/* ---- known.c ---- */

/* How a value was made, as far as it decides which constants ptxas takes out of an address. */
enum {
    KNOWN_CONSTANT = 1 << 0,
    KNOWN_ARGUMENT = 1 << 1, /* of the kernel */
    KNOWN_SCALED = 1 << 2,   /* shifted, or times a constant */
    KNOWN_PRODUCT = 1 << 3,  /* of two that are no constants, or of an argument and a constant */
    KNOWN_SUM = 1 << 4,
    KNOWN_PAIR = 1 << 5,   /* a sum of two, apart from constants, without a product */
    KNOWN_WINDOW = 1 << 6, /* has the address of a shared variable in it that ptxas does not know */
    KNOWN_STIFF = 1 << 7,  /* its constant stays in a sum with a scaled number */
    KNOWN_CUT = 1 << 8,    /* the lower half of 64 bits */
    KNOWN_ONCE = 1 << 9,   /* of an operand: no other instruction reads it */
    KNOWN_SPREAD = 1 << 10, /* (x + 1) * 12, which is x * 12 + 12 */
    KNOWN_TIMES = 1 << 11,  /* a kernel's argument times a constant, by mul and not by shl */
    KNOWN_BOUND = 1 << 12,  /* a product and a constant, as one instruction */
    KNOWN_FOLDED = 1 << 13  /* that, shifted: (x * 12 + 4) << 1, which is x * 24 + 8 */
};

/* What is known of a register's values before any thread runs: value mod 2^bits. */
typedef struct Known {
    uint32_t bits; /* 0: nothing; the register's width: it is a constant */
    uint64_t
        value; /* unless it is a constant: what is taken out of an address if nothing more is added */
    uint64_t loose; /* what is taken out also if more is added */
    uint64_t apart; /* several constants that value has besides, or-ed */
    uint32_t made;  /* KNOWN_… */
} Known;

/* What remains in a sum or product: of which power of two it is a multiple, or the constant. */
Known known_multiple(Known known);
/* A constant, and no address of a shared variable that ptxas does not know. */
bool known_is_plain(Known known);

/* Is what makes x one instruction with a constant that is added? If so, before or after constants are taken out
 * of addresses? */
typedef enum Bound { BOUND_NOT, BOUND_AT_ONCE, BOUND_LATER } Bound;
Bound known_bound(Known x);
/* Whose loose constants may be taken out of a + b, neither being a constant. */
typedef struct Kept {
    bool a, b;
} Kept;
Kept known_kept(Known a, Known b);
Known known_product(Known a, Known b, bool wide);
/* The same in a multiply-add. */
Known known_factors(Known a, Known b, Known added, bool wide);
/* Do the constants of such a product stay in it where what is added is one, too? */
bool known_keeps(Known product, Known added);
/* A product with more bits than its factors. */
bool is_wide(const Insn *insn);
/* A power of two: all constants of what it is multiplied with are multiplied, too, else only loose ones. */
bool known_shifts(Known factor);
/* Is a - b to ptxas a + b * -1? It knows nothing of other differences. */
bool known_subtracts(Known a, Known b);
Known known_negative(Known known);
/* Is a | b to ptxas a + b? */
bool known_adds(Known a, Known b);

/* What is known of an instruction's operand. */
Known known_operand(const Lowering *lowering, const Known *known, const Insn *insn, uint32_t index);
/* To merge what? An or is a sum in more places to ptxas when it merges loads. */
typedef enum View { VIEW_LOADS, VIEW_STORES, VIEW_COUNT } View;

/* [regs.count] */
Known *known_bits(const Lowering *lowering, View view);

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
    uint32_t insn, base, bytes; /* base: see BasePlace */
    uint32_t start, group;      /* of the group: distance from the base, and size in bytes */
    uint32_t at;                /* of the access, from the group's start */
    uint32_t used; /* elements of the group that are read or written: bit i: i * bytes */
    bool guarded;
    uint32_t run, parent; /* members of the same group; the load that it joins, or NO_INDEX */
} Member;

/* What a register holds: a number that stands for what was computed, and a constant added to it that may be taken
 * out of an address. Node 0: nothing, it is a constant. */
typedef struct Value {
    uint32_t node;
    uint64_t constant;
} Value;

typedef struct Nodes Nodes;

typedef struct Merger {
    Lowering *lowering;
    Arena *arena;
    const Function *function;
    bool *extended; /* [regs]: read as a 32-bit number, see takes_half */
    VEC(Member) loads;
    uint32_t *member_of;      /* [insns]: number + 1 in loads */
    Nodes *nodes[VIEW_COUNT]; /* may be the same */
} Merger;

/* ---- nodes.c ---- */

Nodes *nodes_new(Arena *arena, const Lowering *lowering, const Known *known);
/* To be called for each instruction in its order, after it was looked at. */
void nodes_pass(Nodes *nodes, uint32_t at);

/* Where an access is. */
typedef struct BasePlace {
    uint32_t base,
        distance;  /* base: see nodes_killers, or NO_INDEX where the address is a constant */
    uint32_t bits; /* of which power of two the base is a multiple */
    bool cut;      /* the register is the lower half of 64 bits */
} BasePlace;

/* [base + distance] of the address operand of instruction `at`, which nodes_pass has not been called for. */
BasePlace nodes_place(Nodes *nodes, const Operand *address, uint32_t at);
/* Another one where the base's registers were written in between. */
uint32_t nodes_version(const Nodes *nodes, uint32_t base);
/* The registers that, when written, make of a base something else. */
uint32_t nodes_killers(const Nodes *nodes, uint32_t base, const uint32_t **regs);

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
