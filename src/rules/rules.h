/* rules: judges a Profile - which accesses cost more than they must, which lines cause it, and what
 * usually helps.
 *
 * Invariants
 *   - A rule is a pure function of a profile and a launch; it sees no PTX and runs nothing, so every
 *     finding can be had again from a saved profile.
 *   - Every number in a finding's message is a sum of counters of the profile (of the blocks that
 *     ran, where only some did).
 *   - Findings come worst first: by excess, wavefronts and sectors alike (each keeps the data stage
 *     of the L1 cache busy), then in the order of rules.def.
 *
 * What it does not do: promise time, or change code. */
#pragma once

#include "prof/prof.h"

typedef enum RuleId {
#define RULE(id, name, title, page, function, advice) RULE_##id,
#include "rules/rules.def"
    RULE_COUNT
} RuleId;

/* By the share of excess in the finding's total: below 10 %, below 50 %, the rest. */
typedef enum Severity { SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH } Severity;

/* A line that causes a finding: innermost places, so that lines do not overlap. */
typedef struct FindingLine {
    uint32_t file, line; /* file NONE: a line of the PTX */
    uint32_t site;       /* its instruction with the largest excess: see words_pattern */
    uint64_t excess;     /* of all its instructions */
    double share;        /* of the finding's excess */
} FindingLine;

typedef struct Finding {
    RuleId rule;
    uint32_t launch;
    Severity severity;
    uint64_t excess, total; /* in `unit` */
    double share;           /* excess / total */
    const char *unit;       /* "wavefronts", "sectors" */
    const char *message;    /* one sentence with its numbers */
    FindingLine *lines;     /* the worst first */
    uint32_t line_count;
} Finding;

/* ---- rules.c ---- */

typedef struct RuleInfo {
    const char *name, *title;
    const char *page; /* docs/rules/PAGE */
    const char *advice;
} RuleInfo;
const RuleInfo *rule_info(RuleId id);
const char *severity_name(Severity severity);

/* The findings of one launch, worst first. */
Finding *rules_run(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count);

/* ---- words.c: numbers in sentences (report/ uses them as well) ---- */

const char *words_count(Arena *arena, uint64_t value);                  /* "1,048,576" */
const char *words_percent(Arena *arena, uint64_t part, uint64_t whole); /* "67 %", "< 1 %" */
/* part / whole with one digit after the point, "-" where whole is 0; _bare: "24" for "24.0". */
const char *words_ratio(Arena *arena, uint64_t part, uint64_t whole);
const char *words_ratio_bare(Arena *arena, uint64_t part, uint64_t whole);
/* The last part of a variable's qualified name: "tile" of "scan<0>(int)::tile". */
const char *words_variable(const char *name);
/* How the lanes of a site's most frequent access pattern lie, or NULL without evidence. */
const char *words_pattern(Arena *arena, const Profile *profile, uint32_t launch, uint32_t site);
