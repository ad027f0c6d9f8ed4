/* pages: what commands that print pages need to know of the terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum ColourChoice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } ColourChoice;

bool colour_choice(const char *text, ColourChoice *choice); /* "auto", "always", "never" */
bool pages_terminal(void); /* standard output is a terminal that shows colours (NO_COLOR not set) */
uint32_t pages_width(void); /* its columns, at least 80; REPORT_WIDTH where not known */
