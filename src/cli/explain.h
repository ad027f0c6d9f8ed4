/* explain: what `warplens explain` is asked; answers come from an expression (report/asked.c) or a profile
 * (report/recorded.c). */
#pragma once

#include "report/asked.h"

typedef struct ExplainRun {
    Arena *arena;
    Diags *diags;
    Asked asked;
    bool global; /* --global, whatever --op says */
    uint32_t block[3];
    Layout swizzle;
    VEC(const char *) set;
    ReportOptions options; /* of a profile: launch, kernel, file, line */
    uint32_t pattern;      /* of a profile: from 1; 0: the most frequent */
} ExplainRun;
