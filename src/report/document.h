/* document.h: a report as data, the JSON document of docs/report-format.md. `--format json` writes it,
 * the HTML page carries it. Private to report/.
 *
 * Invariants
 *   - Tables refer to each other by index, as in the profile; only what the launches need is in.
 *   - Members keep their order, counters that are 0 are left out: equal reports are equal bytes.
 *   - Launches are told one by one, so that whoever writes them need not hold all; what they refer to
 *     (files, kernels, pictures) gathers in the document. */
#pragma once

#include "fix/fix.h"
#include "prof/fields.h"
#include "report/page.h"

#include <jansson.h>

/* Wavefronts of recorded executions. */
typedef struct SharedTotal {
    uint64_t wavefronts, ideal;
} SharedTotal;

typedef struct BetterLayout {
    Layout layout;
    uint64_t wavefronts; /* of all recorded executions of accesses to the array */
} BetterLayout;

/* The best layouts that were found for an array, of each kind one. */
enum { LAYOUTS_SHOWN = 2 };
typedef struct ArrayLayouts {
    uint64_t wavefronts, ideal; /* now */
    BetterLayout best[LAYOUTS_SHOWN];
    uint32_t count;
} ArrayLayouts;

/* How much the document has of a launch. */
typedef enum Detail {
    DETAIL_ALL,
    DETAIL_TOTALS,
    DETAIL_SUM /* with others of its kernel */
} Detail;

typedef struct Document {
    const Report *report;
    Arena *arena;          /* of one launch: what outlives it comes from the report's */
    const Detail *details; /* of each of report->views; NULL: all of all */
    bool *listed;          /* kernels whose instructions are in; NULL: all */
    json_t *files, *kernels, *pictures;
    uint32_t *file_rows, *kernel_rows; /* of the profile's: the row here, or NONE */
    const char **names;                /* short ones of its kernels */
    ListedModule **texts;              /* of its modules; NULL: not looked at yet */
    Map *picture_rows;                 /* a picture's bytes: its row */
    ArrayLayouts *layouts; /* of each shared variable of the launch that is being written,
                                          or NULL */
} Document;

/* ---- document.c ---- */

void document_begin(Document *document, const Report *report, const Detail *details);
void document_end(Document *document);
/* The members that stand before the launches, and behind them when all were told. The caller drops them
 * with json_decref. */
json_t *document_head(Document *document);
json_t *document_tables(Document *document);
json_t *document_defects(Document *document); /* NULL: there are none */
json_t *document_launch(Document *document, uint32_t view);
/* For each kernel with DETAIL_SUM launches what they add up to. */
json_t *document_sums(Document *document);

/* ---- document_values.c ---- */

/* Bytes that are not UTF-8 become U+FFFD; NULL becomes null. */
json_t *document_text(Arena *arena, const char *text);
json_t *document_index(uint32_t row); /* NONE becomes null */
json_t *document_counters(const Counters *counters);
json_t *document_counter_table(void); /* what the counters are */
json_t *document_shape(const uint32_t shape[3]);
/* Sets the members of a row that fields.def says are in the report. */
void document_fields(Document *document, json_t *object, TableId table, const void *row);

/* ---- document_kernel.c: kernels with their instructions, source files ---- */

uint32_t document_file(Document *document, uint32_t file);     /* its row; NONE for NONE */
uint32_t document_kernel(Document *document, uint32_t kernel); /* its row */

/* ---- document_machine.c ---- */

/* Sets what a launch's machine code says: executions, classes of instructions, occupancy. */
void document_machine(Document *document, json_t *launch, const LaunchView *view);

/* ---- document_caches.c ---- */

void document_caches(Document *document, json_t *launch, const LaunchView *view);

/* ---- document_time.c ---- */

void document_time(Document *document, json_t *launch, const LaunchView *view);

/* ---- document_levels.c ---- */

/* drawn: with pictures, for the page. */
void document_levels(Document *document, json_t *launch, const LaunchView *view, bool drawn);

/* ---- document_picture.c ---- */

uint32_t document_picture(Document *document, const Picture *picture, bool banks); /* its row */

/* ---- document_fix.c: how accesses would be with better layouts of their arrays ---- */

/* Looks for better layouts of the launch's arrays, if any access has a conflict. */
void document_find_fixes(Document *document, const LaunchView *view);
/* The two best for the pattern's array; none for an access without a conflict. */
json_t *document_fixes(Document *document, const LaunchView *view, const Picture *banks);

/* ---- document_access.c: what was recorded of a launch's accesses ---- */

/* For each site of the launch's kernel: an object, or null without evidence. */
json_t **document_evidence(Document *document, const LaunchView *view);
