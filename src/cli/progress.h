/* progress: the bar that long launches show on a terminal. */
#pragma once

#include "exec/exec.h"

/* For Launch.progress; the context is a FILE * that is a terminal. */
void progress_show(void *context, const Progress *progress);
void progress_clear(FILE *out);
/* Ctrl-C: the first sets the flag that Launch.interrupted takes, the second ends the process. */
volatile const int *interrupt_catch(void);
