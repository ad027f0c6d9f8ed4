/* explain: what `warplens explain` is asked, and where its answers come from - an expression
 * (explain_access.c) or a profile (report/recorded.c). */
#pragma once

#include "question/question.h"
#include "report/report.h"

typedef struct ExplainRun {
    Arena *arena;
    Diags *diags;
    Question question;
    uint32_t bank_bytes;
    bool width_given; /* by --width, which says more than --op */
    uint32_t block[3];
    Layout swizzle;
    VEC(const char *) set;
    ReportOptions options; /* of a profile: launch, kernel, file, line */
    uint32_t pattern;      /* of a profile: from 1; 0: the most frequent */
} ExplainRun;

/* "load", "store", "cas", "ldmatrix.x4", "atom.add.f32", "ld.shared.v4.f32" …; false: not known */
bool explain_operation(const char *name, Access *access);
bool explain_access(ExplainRun *run, Drawing *drawing); /* false: diags */
