/* rows: what accesses of one warp cost, counted by the code that patches call, without a program that makes them. */
#pragma once

#include "mem/mem.h"
#include "probe/device/row.h"
#include "probe/slot.h"

/* Accesses, one by one, as a patched program would show them: of a loop that swaps and tries again, its machine instructions. */
typedef struct RowList {
    Arena *arena;
    VEC(ProbeRow) rows;
    VEC(AccessKind) kinds; /* of each row, by its instruction */
    VEC(uint32_t) access;  /* of each row, the number of its access */
    uint32_t accesses;
} RowList;
RowList *row_list_new(Arena *arena);
void row_list_add(RowList *list, const Access *access);
/* What the sums of the rows make of each access: Counters[list->accesses]. */
void row_list_sum(const RowList *list, const ProbeRowSums *sums, Counters *counters);
/* Counts the rows on the machine's first GPU: sums[rows]. NULL: diags says why it cannot; else the GPU's name. */
const char *row_list_run(const RowList *list, ProbeRowSums *sums, Diags *diags);
