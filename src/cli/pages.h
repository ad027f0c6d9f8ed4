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
/* Whether there: auto where it is a terminal that shows colours (NO_COLOR not set). */
bool colour_shown(ColourChoice choice, int descriptor);
uint32_t pages_width(void); /* its columns, at least 80; REPORT_WIDTH where not known */
bool number_option(const char *text, uint32_t *number); /* of an option: digits alone */
/* Colour, and width unless it was given, for a page that goes to output, or standard output where that
 * is NULL. */
void pages_fit(ReportOptions *options, ColourChoice colour, bool width_given, const char *output);

/* ---- pages on their way: a page may be longer than memory, so it is written while it is made; a file
 * takes the old one's place when it is whole ---- */

typedef struct Pages {
    FILE *out;          /* to print to */
    const char *output; /* NULL: standard output */
    bool paged;         /* then it waits in `whole` */
    Arena *arena;
    PrintedText whole;
    NewFile file;
} Pages;

/* To the file `output`, or where that is NULL to standard output, with `paged` through a pager if there is
 * one. false: diags has the reason, and there is nothing to end. */
bool pages_begin(Pages *pages, const char *output, bool paged, Diags *diags);
/* Not good: an existing file is left alone. false: it was not good, or diags has the reason. */
bool pages_end(Pages *pages, bool good, Diags *diags);

/* pager.c */
bool pager_wanted(void);           /* standard output is a terminal, and PAGER says nothing else */
bool pager_show(const char *text); /* false: there is no pager */
