/* drawing.h: what the formats of one access share. Private to report/. */
#pragma once

#include "report/page.h"

/* What is drawn: a row for each wavefront (a column is a bank), or for each 128-byte line that is
 * touched (a column is a word of it). */
typedef struct GridRow {
    uint32_t lanes[BANKS]; /* that have the column */
    uint64_t word[BANKS];  /* where they have */
    uint32_t group;        /* banks: the lane group that the wavefront serves */
    uint64_t line;         /* sectors: its number */
} GridRow;

typedef struct Grid {
    GridRow *at;
    uint32_t rows;
} Grid;

typedef struct Words {
    VEC(const char *) list;
} Words;

/* ---- drawing.c ---- */

Grid drawing_grid(Arena *arena, const Drawing *drawing);
uint64_t drawing_word(const Drawing *drawing, uint64_t address); /* its number */
uint32_t drawing_words(const Drawing *drawing);         /* that a lane has, from its first on */
const char *drawing_lanes(Arena *arena, uint32_t mask); /* "0-15, 24" */
/* "a load of 4 bytes a lane by lanes 0-15" */
const char *drawing_what(Arena *arena, const Drawing *drawing);
/* "32 wavefronts where 1 would do: 32-way" */
const char *drawing_verdict(Arena *arena, const Drawing *drawing);
/* What has to be known to read the picture: groups, rounds, rules, and what the caller says. */
Words drawing_notes(Arena *arena, const Drawing *drawing);
/* Why a lane is in its wavefront; "" where nothing was in its way. */
const char *drawing_why(Arena *arena, const Drawing *drawing, uint32_t lane);

/* ---- formats, a file each ---- */

void drawing_term(const Drawing *drawing, const ReportOptions *options, FILE *out);
void drawing_svg(const Drawing *drawing, const ReportOptions *options, FILE *out);
void drawing_json(const Drawing *drawing, const ReportOptions *options, FILE *out);
