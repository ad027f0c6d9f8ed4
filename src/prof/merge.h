/* merge.h: several profiles become one. Private to prof/.
 *
 * Two passes over the inputs, of which one is in memory at a time:
 *   survey: files, modules, locations, kernels and sites become rows of the result, equal ones once; of each launch it is noted
 *           where it goes, and with which others it is one
 *   write:  what launches counted goes into the file, launch by launch */
#pragma once

#include "prof/store.h"

/* ---- merge_rows.c: rows that launches refer to ---- */

/* Rows of the result, by what they say. */
typedef struct Common Common;
Common *common_new(Arena *arena, Profile *into);

/* Of a row of one input: the row of the result; NULL for tables that this says nothing of. */
typedef struct RowMap {
    uint32_t *of[TABLES];
} RowMap;
/* The input's rows become rows of the result, unless there are equal ones. In the arena. */
RowMap common_add(Common *common, Arena *arena, const Profile *from);
/* The same row with the numbers of the result. */
void row_translate(const RowMap *map, TableId table, void *row);

/* ---- merge_parts.c: parts of a launch (kernel --shard) ---- */

/* A launch of the result that all parts of are there. */
typedef struct Whole Whole;
Whole *whole_new(uint32_t parts, uint32_t locations); /* locations: rows of the result */
void whole_free(Whole *whole);                        /* NULL is allowed */
/* What makes launches parts of one: all that they would say alike. Its rows are numbered as in the result. */
Str part_key(Arena *arena, const LaunchRecord *launch);
/* Adds the launch of an input, whose row is translated. true: it was the last one. */
bool whole_add(Whole *whole, const Profile *from, uint32_t launch, const LaunchRecord *translated,
               const RowMap *map);
void whole_write(const Whole *whole, Store *store, uint32_t number, uint32_t first_site);
