/* run_orders: `warplens run --schedules`. */
#pragma once

#include "cli/run_program.h"

enum { SCHEDULES_MOST = 1000 };

/* Runs the program twice as it is and in `count` other orders, prints what depends on the order, and returns the exit status.
 * root: of the project (--root), or NULL. */
int run_orders(const RunSettings *settings, uint32_t count, const char *root, Diags *diags);
