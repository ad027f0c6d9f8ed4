/* page.h: what the pages share. Private to report/. */
#pragma once

#include "report/report.h"

/* A launch with what pages need to know of it. */
typedef struct LaunchView {
    uint32_t number;
    const LaunchRecord *record;
    const ProfKernel *kernel;
    Counters shared, global, all; /* sums over the sites that belong there */
    double scale;                 /* blocks / blocks run, 1 where all ran or a fault ended it */
    uint32_t findings;            /* how many, without parts of others */
} LaunchView;

/* Launches that a page shows one by one, where nothing says how many. */
enum { LAUNCHES_MOST = 30 };

struct Report {
    Arena *arena;
    const Profile *profile;
    const ReportOptions *options;
    FILE *out;
    VEC(LaunchView) views;   /* of the launches asked for, in the order asked for */
    const LaunchView *worst; /* NULL without launches */
    bool chosen;             /* all of them have pages of their own, not the worst alone */
    const char **names;      /* of kernels, by row: short ones (text_names) */
};

/* ---- report.c ---- */

/* Whether the line is the one that options->line asks for. */
bool line_chosen(const ReportOptions *options, const Profile *profile, const LineCounts *line);

/* Adds up a launch's counters over the sites that belong there. */
void view_sums(const Profile *profile, const LaunchRecord *record, Counters *shared,
               Counters *global, Counters *all);
double view_scale(const LaunchRecord *record);

/* ---- rows.c ---- */

/* What is whole of a number that is computed from a profile's, which may be any: from 0 to the most that there is. */
uint64_t view_whole(double number);

/* A launch; or launches of a kernel, added up, with what did not run extrapolated. */
typedef struct Row {
    const LaunchView *first;
    uint32_t launches, repeats;
    LaunchStatus status;                       /* the worst */
    bool extrapolated, grids, blocks, devices; /* grids, blocks, devices: they differ */
    Counters shared, global;
    uint64_t insts;
    uint32_t findings; /* the most */
    bool timed;        /* --time: all of them have estimates, added up in what follows */
    double time_us, saves_us, cycles;
} Row;
void row_add(Row *row, const LaunchView *view);
/* What --time estimates that mending all accesses of a launch saves; 0: nothing, or it is not known. */
double record_saves_us(const LaunchRecord *record);

typedef struct Rows {
    Row *at;
    uint32_t count, left_out;
    bool kernels; /* not launches */
} Rows;
Rows rows_of(const Report *report); /* what the options ask for */

/* ---- text.c ---- */

typedef enum Style { STYLE_PLAIN, STYLE_TITLE, STYLE_DIM, STYLE_WARM, STYLE_HOT } Style;

/* Prints text in a style; control characters become '?', tabs blanks up to the next 4th column. */
void text_print(const Report *report, Style style, const char *text);
uint32_t text_width(const char *text); /* columns */
/* Words of text in lines of the page's width, all indented. */
void text_wrap(const Report *report, uint32_t indent, Style style, const char *text);
void text_title(const Report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* At most 6 columns: exact below 100,000, else four digits: "262.1k", "1.049M". */
const char *text_short(Arena *arena, uint64_t value);
const char *text_shape(Arena *arena, const uint32_t shape[3]);  /* "32x32", "4096" */
const char *text_gpu(Arena *arena, const LaunchRecord *launch); /* "h100"; the second: "h100 #1" */
/* Names of the profile's kernels as the options ask for them, of at most `width` columns, no two alike;
 * 0: whole. */
const char **text_names(Arena *arena, const Profile *profile, const ReportOptions *options,
                        uint32_t width);
/* The kernel's name as the options ask for it; brief: of report->names. */
const char *text_kernel(const Report *report, const ProfKernel *kernel, bool brief);
/* What the text of its module is: "PTX", or "machine code". */
const char *text_origin(const Report *report, const ProfKernel *kernel);
const char *text_file(const Report *report, uint32_t file,
                      const ProfKernel *kernel); /* last part */
/* Line `number` of text, or NULL where text is NULL or has no such line. */
const char *text_line(Arena *arena, const char *text, uint32_t number);
/* All lines of a text; none of NULL. */
typedef struct Lines {
    const char **at;
    uint32_t count;
} Lines;
Lines text_split(Arena *arena, const char *text);
/* Bytes that are not UTF-8 become U+FFFD. */
const char *text_utf8(Arena *arena, const char *text);
/* As character data of XML, or an attribute in double quotes: bytes that are not UTF-8 become U+FFFD, control characters spaces. */
void xml_text(FILE *out, Arena *arena, const char *text);
/* How the launch ended, where not all of it ran: " (fault)", and before its number in tables: "!". */
const char *status_words(LaunchStatus status);
const char *status_mark(LaunchStatus status);
const char *site_words(Arena *arena, const Site *site); /* "shared load 8 B" */
const char *site_code(Arena *arena, const Site *site);  /* "S ld 8" */

/* ---- pack.c ---- */

const char *text_packed(Arena *arena, const char *text); /* deflated (RFC 1950), in base64 */

/* ---- table.c ---- */

typedef struct Column {
    const char *group; /* a heading over neighbouring columns of the same group, or NULL */
    const char *head;
    bool left;     /* aligned to the left; numbers are not */
    bool optional; /* left out where no row has anything in it */
    bool flexible; /* takes the room that is left, and is cut to it; one a table */
    bool close;    /* one blank before it, not two */
} Column;

typedef struct Table Table;
Table *table_new(Arena *arena, const Column *columns, uint32_t count);
void table_row(Table *table);
/* The next cell of the last row. */
void table_cell(Table *table, Style style, const char *text);
/* Dim words under the last row's flexible column, which must be the last one. */
void table_note(Table *table, const char *note);
/* The last row's flexible column goes on below rather than being cut. */
void table_wrap(Table *table);
void table_skip(Table *table, uint32_t columns);
/* Whether the flexible column would be cut, and to less than `least`. */
bool table_cramped(const Table *table, uint32_t width, uint32_t least);
void table_print(const Table *table, const Report *report, uint32_t indent);

/* ---- ptx_lines.c: which PTX instructions came of a source line ---- */

typedef struct PtxLine {
    uint32_t ptx_line;
    uint32_t file, line; /* innermost source line; file NONE = not known */
    uint32_t at_file,
        at_line;   /* where that was inlined, one level out; at_file NONE = it was not */
    uint32_t site; /* or NONE */
    const char *text;
} PtxLine;
/* A module's text, for all its kernels. */
typedef struct ListedModule ListedModule;
ListedModule *listed_module(Arena *arena, const Profile *profile, uint32_t module);
/* The instructions of a kernel of it in PTX order; without a text, its memory instructions. */
PtxLine *ptx_lines(Arena *arena, const ListedModule *text, const ProfKernel *kernel,
                   uint32_t *count);

/* ---- declarations.c ---- */

/* For each line of a file's text whether it has to do with the kernel's signature or the declarations of
 * its shared arrays. */
bool *kernel_declarations(Arena *arena, const Profile *profile, const ProfKernel *kernel,
                          uint32_t file, Lines text);

/* ---- pages, a file each ---- */

void page_summary(const Report *report);
/* "8 launches from the device by launch 0, at depth 1" */
const char *words_children(Arena *arena, const LaunchView *view);
void page_details(const Report *report, const LaunchView *view);
void page_findings(const Report *report, const LaunchView *view);
/* Of the details: what is estimated of the caches (page_caches.c). */
void print_caches(const Report *report, const LaunchView *view);
const char *words_rate(Arena *arena, uint64_t hits, uint64_t of);      /* "~66.7 %" */
const char *words_place(const Report *report, const SitePlace *place); /* "gemm.cu:14" */
/* The same of how long it takes (page_time.c). */
void print_time(const Report *report, const LaunchView *view);

/* Of the details: what is known by the machine code (page_machine.c). */
void print_machine_facts(const Report *report, const LaunchView *view);
void print_mix(const Report *report, const LaunchView *view);
void page_source(const Report *report, const LaunchView *view);
void page_raw(const Report *report);

/* ---- formats beside the terminal's, a file each ---- */

void write_term(const Report *report);
void write_html(const Report *report);
void write_json(const Report *report);
void write_csv(const Report *report); /* page_raw.c */
void write_svg(const Report *report); /* picture.c */
