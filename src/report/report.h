/* report: shows a Profile, a comparison, what a gate has found, or one access: as pages for a
 * terminal or a browser, as pictures, and as data for other programs (formats.c).
 *
 * Invariants
 *   - Everything shown comes from the Profile and from rules/, so a saved profile and one that was
 *     just made look the same.
 *   - Nothing depends on the terminal or the environment: width and colour are options.
 *   - Text from the profile (sources, names) cannot put control characters into the output.
 *
 * What it does not do: open files, or decide (options) whether out is a terminal. */
#pragma once

#include "rules/rules.h"

typedef enum ReportPage {
    PAGE_SUMMARY,
    PAGE_DETAILS,
    PAGE_SOURCE,
    PAGE_RAW,
    PAGE_COUNT
} ReportPage;

/* Sets of 1u << ReportPage */
enum {
    PAGES_ALL = 1u << PAGE_SUMMARY | 1u << PAGE_DETAILS | 1u << PAGE_SOURCE,
    PAGES_NONE = 1u << PAGE_COUNT
};

typedef struct ReportOptions {
    uint32_t pages;  /* 0: PAGES_ALL, of a line the source alone */
    uint32_t launch; /* this launch alone; NONE: see report_print */
    /* launches of kernels that this name fits (base/kernel_name.h); NULL: all */
    const char *kernel;
    const char *file; /* of `line`: its path or the end of it; NULL: any */
    uint32_t line;    /* 0; else launches that executed this source line, and it alone */
    uint32_t top;     /* 0; else as many launches, and lines of the source page, by `sort` */
    const char *
        sort; /* a key of report_sort_keys or launch_sort_keys; NULL: in order, with `top` "worst" */
    const char *columns; /* of the summary, "time,saves"; NULL: the usual ones */
    bool ptx;            /* source: the PTX instructions of each line */
    bool inlined;        /* source: what was inlined into each line */
    bool by_line;        /* raw: a row for each line, not for each instruction */
    bool by_inst;        /* raw: a row for each machine instruction, where they were executed */
    bool mangled;        /* names as in the PTX */
    bool brief;          /* summary: without the command, which the reader has just typed */
    bool exact;          /* source: no rounded numbers */
    bool each_launch;    /* summary: a row for each launch, however many there are */
    bool colour;
    uint32_t width; /* of the page; 0 = as wide as need be */
} ReportOptions;

enum { REPORT_WIDTH = 100 }; /* of a page where nothing else is known */
#define REPORT_DEFAULTS ((ReportOptions){.launch = NONE, .width = REPORT_WIDTH})

/* ---- report.c ---- */

typedef struct Report Report; /* what is shown: report/page.h */

typedef struct ReportFormat {
    const char *name, *text; /* for --format and its help */
    void (*write)(const Report *report);
} ReportFormat;
extern const ReportFormat report_formats[]; /* the default first; name NULL at the end */

typedef struct ReportPageInfo {
    const char *name, *text;
} ReportPageInfo;
extern const ReportPageInfo report_pages[PAGE_COUNT];

const ReportFormat *report_format(const char *name); /* NULL: there is no such format */
bool report_page(const char *name, ReportPage *page);

/* Writes the profile to out. Where neither launch nor kernel is given, or the kernel has more than 30
 * launches, the details and source pages show the launch with the largest excess, the others all
 * launches. false: diags says what is wrong with the options, and nothing was written. */
bool report_print(const Profile *profile, const ReportFormat *format, const ReportOptions *options,
                  FILE *out, Diags *diags);

/* Whether the kernel is one that options->kernel asks for, and the place, or one that it was inlined
 * into, one that options->line asks for (a site without a location: by its line of the PTX). */
bool report_lacks_lines(const Profile *profile); /* kernels of it were compiled without -lineinfo */
bool kernel_chosen(const ReportOptions *options, const ProfKernel *kernel);
/* Says that no launch is of such a kernel, and which there are. */
void kernel_none(const Profile *profile, const char *wanted, Diags *diags);
bool site_chosen(const ReportOptions *options, const Profile *profile, const Site *site);

/* ---- diff.c: two profiles side by side ---- */

typedef struct Diff Diff; /* what is shown: report/diff.h */

typedef struct DiffFormat {
    const char *name, *text;
    void (*write)(const Diff *diff);
} DiffFormat;
extern const DiffFormat diff_formats[];          /* the default first; name NULL at the end */
const DiffFormat *diff_format(const char *name); /* NULL: there is no such format */

/* Writes the comparison to out; of the options kernel, mangled, colour and width count. false: diags
 * says what is wrong with them, and nothing was written. */
bool report_diff(const Profile *before, const Profile *after, const DiffFormat *format,
                 const ReportOptions *options, FILE *out, Diags *diags);

/* ---- gate.c: what `warplens check` has found, for people and for machines ---- */

typedef struct GateResult {
    const Profile *profile;
    const Violation *violations;
    uint32_t count;
    const char **names;  /* kernel_names of the profile */
    const char *version; /* of warplens: "0.1.0" */
} GateResult;

typedef struct GateFormat {
    const char *name, *text;
    void (*write)(const GateResult *result, const ReportOptions *options, FILE *out);
} GateFormat;
extern const GateFormat
    gate_formats[]; /* "term", "github", "sarif", "junit"; name NULL at the end */
const GateFormat *gate_format(const char *name); /* NULL: there is no such format */

/* ---- drawing.c: one access of a warp, lane by lane ---- */

typedef struct Drawing {
    const char *subject;             /* "tile[lane][k] in float tile[32][33]"; "scan.cu:28, …" */
    const char *element[WARP_LANES]; /* what each lane has: "tile[3][0]"; NULL: not known */
    const char *const *notes;        /* what else is to be said, `note_count` of them */
    uint32_t note_count;
    Picture picture;
    bool sectors;        /* of global memory: its sectors, not banks */
    uint32_t bank_bytes; /* 4; 8 in the 64-bit mode that GPUs of compute capability 3.x had */
} Drawing;

/* recorded.c: an access that was recorded where options ask (launch, kernel, file and line), with its cost. pattern: which
 * of those that differ, from 1 on; 0: the first. false: diags says why there is none. */
bool drawing_recorded(Arena *arena, const Profile *profile, const ReportOptions *options,
                      uint32_t pattern, Drawing *drawing, Diags *diags);

typedef struct DrawingFormat {
    const char *name, *text;
    void (*write)(const Drawing *drawing, const ReportOptions *options, FILE *out);
} DrawingFormat;
extern const DrawingFormat drawing_formats[];          /* the default first; name NULL at the end */
const DrawingFormat *drawing_format(const char *name); /* NULL: there is no such format */

/* ---- sort.c: what tables can be sorted by: the counters, and a few made of them ---- */

typedef struct SortKey {
    const char *name, *text;
    double (*value)(const Counters *counters);
} SortKey;
extern const SortKey report_sort_keys[]; /* beside the counters' names; name NULL at the end */
/* Of launches alone: lines are then sorted by "worst". */
typedef struct LaunchSortKey {
    const char *name, *text;
    double (*value)(const LaunchRecord *record);
} LaunchSortKey;
extern const LaunchSortKey launch_sort_keys[];          /* name NULL at the end */
const LaunchSortKey *launch_sort_key(const char *name); /* NULL: there is no such key */
/* false: no such key. "worst" is the sum of both excesses. */
bool sort_value(const char *name, const Counters *counters, double *value);
