/* Runs the rules of rules.def over a launch. */
#include "rules/rule.h"

#include <stdlib.h>

#define LOW_BELOW 0.02 /* of the launch's wavefronts and sectors */
#define HIGH_FROM 0.1

typedef struct RuleRow {
    RuleInfo info;
    RuleId whole; /* stands above it in rules.def */
    bool (*run)(const RuleContext *context, Finding *finding);
    const char *(*words)(Arena *arena, const Finding *finding);
} RuleRow;

static const RuleRow rows[] = {
#define RULE(id, name, title, page, whole, function, reach, advice)                                \
    {{name, title, page, reach, advice}, RULE_##whole, function, function##_words},
#include "rules/rules.def"
};

const RuleInfo *rule_info(RuleId id) {
    return &rows[id].info;
}

const char *severity_name(Severity severity) {
    static const char *const names[] = {"low", "medium", "high"};
    return names[severity];
}

uint32_t rule_stages(const LaunchCost *cost, RuleId rule) {
    uint32_t traffic = 1u << STAGE_DATA | 1u << STAGE_TAGS | 1u << STAGE_L2;
    switch (rule_info(rule)->reach) {
    case REACH_DATA:
        return 1u << STAGE_DATA;
    case REACH_ALL_MEMORY:
        return traffic | 1u << STAGE_DRAM;
    default: /* sectors that are used whole have to come once, however they are asked for */
        return cost->whole_sectors ? traffic : traffic | 1u << STAGE_DRAM;
    }
}

/* ---- how much a finding weighs ---- */

/* Wavefronts and sectors alike: an SM passes about one of either in a clock. */
static double launch_total(const Profile *profile, uint32_t launch) {
    Counters sum = profile_total(profile, launch, NULL);
    return (double)sum.wavefronts + (double)sum.sectors;
}

static Severity severity_of(const Finding *finding) {
    Severity severity = finding->share < LOW_BELOW   ? SEVERITY_LOW
                        : finding->share < HIGH_FROM ? SEVERITY_MEDIUM
                                                     : SEVERITY_HIGH;
    if (!finding->weighed || finding->relief.verdict == VERDICT_LONGEST || severity == SEVERITY_LOW)
        return severity;
    return finding->relief.verdict == VERDICT_OPEN ? severity - 1 : SEVERITY_LOW;
}

static void weigh(const LaunchRecord *record, const LaunchCost *cost, double total,
                  Finding *finding) {
    finding->share = total > (double)finding->excess ? (double)finding->excess / total : 1;
    finding->relief = cost ? cost_relief(cost, rule_stages(cost, finding->rule))
                           : (Relief){.verdict = VERDICT_OPEN};
    if (finding->unit && rule_info(finding->rule)->reach != REACH_ALL_MEMORY)
        relief_by_time(record, finding->saved_us, &finding->relief);
    finding->weighed = cost != NULL;
    finding->severity = severity_of(finding);
}

/* ---- all rules ---- */

static int worst_first(const void *left, const void *right) {
    const Finding *a = left, *b = right;
    if (a->severity != b->severity)
        return a->severity > b->severity ? -1 : 1;
    if (a->relief.verdict != b->relief.verdict)
        return a->relief.verdict < b->relief.verdict ? -1 : 1;
    if (a->share != b->share)
        return a->share > b->share ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* Each finding, then its parts. */
static Finding *with_parts(Arena *arena, const Finding *found, uint32_t count) {
    Finding *findings = NEW_ARRAY(arena, Finding, RULE_COUNT), *end = findings;
    for (uint32_t i = 0; i < count; i++) {
        if (found[i].part)
            continue;
        *end++ = found[i];
        for (uint32_t k = 0; k < count; k++)
            if (found[k].part && rows[found[k].rule].whole == found[i].rule)
                *end++ = found[k];
    }
    return findings;
}

Finding *rules_run(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    RuleContext context = {arena, profile, launch};
    Finding found[RULE_COUNT];
    bool fired[RULE_COUNT] = {false};
    LaunchCost cost;
    bool known = launch_cost(profile, launch, &cost);
    double total = launch_total(profile, launch);
    *count = 0;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        Finding *finding = &found[*count];
        fired[rule] = rows[rule].run(&context, finding);
        if (!fired[rule])
            continue;
        (*count)++;
        finding->part = rows[rule].whole != finding->rule && fired[rows[rule].whole];
        weigh(&profile->launches.at[launch], known ? &cost : NULL, total, finding);
    }
    qsort(found, *count, sizeof *found, worst_first);
    return with_parts(arena, found, *count);
}

const char *words_finding(Arena *arena, const Finding *finding) {
    return rows[finding->rule].words(arena, finding);
}

const char *words_matters(Arena *arena, const Finding *finding) {
    return finding->weighed ? words_relief(arena, &finding->relief) : NULL;
}
