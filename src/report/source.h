/* source.h: what the source page is made of. Private to report/. */
#pragma once

#include "report/page.h"

/* A line with memory traffic. */
typedef struct LineView {
    const LineCounts *counts;
    VEC(uint32_t) sites; /* executed ones whose inlining chain passes the line */
    bool direct;         /* one of them is at the line or counted there, not only inlined into it */
    uint64_t sector_requests; /* requests of those that have sectors */
    double key;               /* what lines are sorted by */
} LineView;

/* How much a table's counters are squeezed to leave room for the source. */
typedef enum Fit { FIT_WORDS, FIT_CODES, FIT_ROUNDED } Fit;

typedef struct SourcePage {
    const Report *report;
    const LaunchView *view;
    const char *(*number)(Arena *arena, uint64_t value);
    Table *table;      /* being filled */
    Fit fit, tightest; /* of this table, of all tables of the page */
    const PtxLine *ptx;
    uint32_t ptx_count;
    const bool *declared; /* lines of the file: kernel_declarations */
} SourcePage;

/* ---- source.c ---- */

/* The lines with memory traffic, by file and line. */
LineView *source_lines(const SourcePage *page, uint32_t *count);
const Counters *source_counters(const SourcePage *page, uint32_t site);
/* Where ptxas made other memory instructions of a line than the PTX has; NULL: it did not. */
const SassLine *source_sass(const SourcePage *page, uint32_t file, uint32_t line);
void source_sass_notes(const SourcePage *page);
/* A row for each place that was inlined into the line, callers before callees. */
typedef void (*InlineRow)(const SourcePage *page, const Counters *counters,
                          uint64_t sector_requests, const char *access, const char *text);
void source_inlined(const SourcePage *page, const LineView *line, InlineRow row);
