/* diff.h: what the formats of a comparison share. Private to report/. */
#pragma once

#include "report/page.h"

#include <jansson.h>

/* A launch of either profile; all zero where it has no partner. */
typedef struct DiffSide {
    const Profile *profile;
    const LaunchRecord *record; /* NULL: there is none */
    const ProfKernel *kernel;
    Counters shared, global, all;
    double scale; /* blocks / blocks run */
} DiffSide;

typedef struct DiffView {
    const LaunchChange *change; /* of Diff.changes */
    DiffSide before, after;
} DiffView;

typedef struct Diff {
    Report report; /* of the profile after; for text_… and table_… */
    const Profile *before, *after;
    ProfileDiff changes;
    VEC(DiffView) views; /* of the launches asked for */
    Map *rows;           /* of names: a kernel's whole name */
    const char **names;  /* short ones of the kernels of both */
} Diff;

/* ---- diff.c ---- */

/* Short: "blockScan<0>", or "blockScan<0> -> blockScan<1>" where the kernel's name has changed. */
const char *diff_name(const Diff *diff, const DiffView *view);
const char *diff_whole_name(const Diff *diff, const DiffView *view);
/* Where a changed line is: its file and its text, as it is after or was before. */
const char *diff_path(const Diff *diff, const DiffView *view, const LineChange *change);
const char *diff_text(const Diff *diff, const DiffView *view, const LineChange *change);
/* The line's own counters (lines then do not overlap); all 0 for NULL. */
Counters line_counters(const LineCounts *line);
bool counters_differ(const Counters *before, const Counters *after);

/* ---- formats, a file each ---- */

void diff_term(const Diff *diff);
void diff_json(const Diff *diff);
void diff_html(const Diff *diff);
void diff_svg(const Diff *diff);
json_t *diff_document(const Diff *diff, bool drawn); /* drawn: with pictures, for the page */
