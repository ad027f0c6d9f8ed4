/* foreign: CUDA runtimes in the process that could not be replaced as a whole. NVIDIA's code in them runs as
 * soon as the program makes a call that is not led to ours, and asks the driver for tables that are not
 * documented. */
#pragma once

#include <stdint.h>

/* What is missing in the object at these addresses; noted before anything in it runs. */
void foreign_note(uintptr_t first, uintptr_t last, const char *path, const char *missing);
void foreign_forget(uintptr_t first);
/* NVIDIA's runtime calls from this address: a message says so, once for each object. */
void foreign_call(const void *address);
