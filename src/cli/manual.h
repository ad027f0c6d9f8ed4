/* manual: what installed programs bring beside themselves, made of the commands' options. */
#pragma once

#include <stdio.h>

void manual_page(FILE *out); /* roff, for man */
void completion_bash(FILE *out);
void completion_zsh(FILE *out);
