/* manual: what installed programs bring beside themselves, made of the commands' options. */
#pragma once

#include "cli/commands.h"

#include <stdio.h>

void manual_page(FILE *out, const Command *list); /* roff, for man */
void completion_bash(FILE *out, const Command *list);
void completion_zsh(FILE *out, const Command *list);
