/* meaning: what an instruction does to forms, found once from its row of ops.def. Private to the room. */
#pragma once

#include "exec/run/worker.h"

typedef enum Rule {
    /* Pure: what is written follows from the operands; data make it data. */
    RULE_COPY,
    RULE_SUM,
    RULE_DIFFERENCE,
    RULE_PRODUCT,
    RULE_MULTIPLY_ADD,
    RULE_SHIFT_LEFT,
    RULE_SHIFT_RIGHT,
    RULE_QUOTIENT,
    RULE_REMAINDER,
    RULE_AND,
    RULE_OR, /* and exclusive or */
    RULE_LEAST,
    RULE_COMPARE,
    RULE_CHOICE,
    RULE_CONVERT,
    RULE_OTHER, /* of up to three operands */
    RULE_MANY,  /* of others: vectors, carries */
    RULE_DATA,  /* what is written is data, whatever goes in */
    /* Not pure: data in what they read may decide. */
    RULE_NOTHING, /* nothing that matters */
    RULE_SHUFFLE,
    RULE_WARP,    /* of the registers of several lanes */
    RULE_GATHER,  /* a barrier that combines predicates of all threads */
    RULE_DECIDES, /* all that is read decides; what is written follows */
    RULE_ACCESS,  /* the addresses decide, and what is in Meaning.deciding */
    RULE_REFUSED  /* no block that executes it stands for others: Meaning.why */
} Rule;

/* A register, or a vector that is filled for each block. */
typedef struct RegisterAt {
    uint32_t offset, class;
} RegisterAt;
typedef VEC(RegisterAt) Registers;

typedef struct Meaning {
    Rule rule;
    uint32_t bits;   /* of the operands that are numbers: 32, 64; 0: others */
    uint32_t result; /* bits of what is written */
    bool is_signed;
    bool greatest; /* RULE_LEAST */
    bool known;    /* RULE_ACCESS: a load of what no kernel writes */
    bool loops; /* an atomic that is a loop in shared memory, which what it finds there may end */
    const char *why;
    Registers reads, writes;       /* but the guard */
    Registers addresses, deciding; /* RULE_ACCESS */
} Meaning;

/* Of each instruction of the kernel. */
Meaning *meanings_find(Arena *arena, const Program *program);
