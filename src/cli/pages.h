/* pages: what commands that print pages need to know of the terminal. */
#pragma once

#include "base/base.h"

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

bool colour_choice(const char *text, ColourChoice *choice); /* "auto", "always", "never" */
bool pages_terminal(void); /* standard output is a terminal that shows colours (NO_COLOR not set) */
uint32_t pages_width(void); /* its columns, at least 80; REPORT_WIDTH where not known */
bool number_option(const char *text, uint32_t *number); /* of an option: digits alone */
/* pager.c: through a pager. false: standard output is no terminal, or there is no pager. */
bool pages_paged(const char *text, size_t size);
/* To the file, or to standard output where output is NULL; false: diags has the reason. */
bool pages_write(const char *output, const char *text, size_t size, Diags *diags);
