/* compare.c: results against a GPU's. */
#pragma once

#include "answers.h"

/* What was found about all slots of a mnemonic. */
typedef struct Group {
    const char *name;
    uint32_t spellings, results, exact; /* slots; exact: those compared bit for bit */
    uint64_t sets;                      /* operand sets, summed over its results */
    uint32_t wrong;                     /* slots that differ, or differ by too much */
    uint64_t farthest;                  /* ulp, of those with a limit */
} Group;

typedef struct Verdict {
    bool equal;        /* bit for bit, all cases */
    bool fine;         /* equal, or within the limit */
    uint32_t first;    /* the first case that is wrong; NONE_KEPT: none of those that are kept */
    uint64_t farthest; /* ulp, among the kept ones */
} Verdict;
enum { NONE_KEPT = UINT32_MAX };

Verdict answer_compare(const Answer *answer, const Slot *slot, const uint8_t *results);
uint64_t result_bits(const uint8_t *results, uint32_t bytes, uint32_t index);
