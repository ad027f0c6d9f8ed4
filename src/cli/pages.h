/* pages: what commands that print pages need to know of the terminal; the way of a page to the terminal
 * or a file. */
#pragma once

#include "report/report.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

/* ---- --page ---- */

#define PAGES_EXPECTED "summary, details, source, raw, all (but raw) or none"
/* Adds a page, "all" or "none" to a set; false: text is none of these. */
bool pages_choice(const char *text, uint32_t *pages);

/* ---- the terminal ---- */

bool colour_choice(const char *text, ColourChoice *choice); /* "auto", "always", "never" */
bool pages_terminal(void); /* standard output is a terminal that shows colours (NO_COLOR not set) */
uint32_t pages_width(void); /* its columns, at least 80; REPORT_WIDTH where not known */
bool number_option(const char *text, uint32_t *number); /* of an option: digits alone */
/* Colour, and width unless it was given, for a page that goes to output, or standard output where that
 * is NULL. */
void pages_fit(ReportOptions *options, ColourChoice colour, bool width_given, const char *output);

/* ---- a page on its way: in memory first, so that what fails leaves an existing file alone ---- */

typedef struct PagesText {
    FILE *out; /* to print to */
    char *text;
    size_t size;
} PagesText;

void pages_begin(PagesText *pages);
/* Where good, to the file, or to standard output where output is NULL, with `paged` through a pager if
 * there is one; then frees it. false: it was not good, or diags has the reason. */
bool pages_end(PagesText *pages, bool good, const char *output, bool paged, Diags *diags);

/* pager.c: through a pager. false: standard output is no terminal, or there is no pager. */
bool pages_paged(const char *text, size_t size);
