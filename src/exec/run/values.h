/* values: numbers for what registers hold, by which a profile says that two accesses use the same value:
 * the text of the program is walked in order, and each write gives its register a new number.
 *
 * Equal numbers are equal values within a basic block. */
#pragma once

#include "exec/decode/program.h"

typedef struct Values {
    const Program *program;
    uint32_t *of;     /* [registers of any of the functions] */
    uint32_t last;    /* the last number that was given; they count from 1 */
    uint32_t number;  /* of the instruction at hand */
    uint32_t routine; /* the next one that begins: they lie in the order of their code */
    uint32_t block;   /* its basic block, cut at barriers: from 1 */
} Values;

Values values_new(Arena *arena, const Program *program);
void values_next(
    Values *values); /* goes on with the next instruction; the first call with the first */
/* What decides which lanes execute it: 0 for all of them. A predicate and its negation differ. */
uint32_t values_guard(const Values *values);
/* What its address is computed from, and what is added; 0: not a register, or no address. */
uint32_t values_base(const Values *values, int64_t *offset);
