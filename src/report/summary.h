/* summary.h: the columns of the summary. Private to report/. */
#pragma once

#include "report/page.h"

/* Models; or devices of one. */
bool several_gpus(const Report *report);
/* A list of columns, "time,saves": each name that is none is an error. */
void summary_check(const char *list, Diags *diags);
/* The columns that options ask for; rounded: numbers are. */
Table *summary_table(const Report *report, const Rows *rows, bool rounded);
bool rows_timed(const Rows *rows); /* some have an estimated time */
