/* Runs the rules of rules.def over a launch. */
#include "rules/rule.h"

#include <stdlib.h>

typedef struct RuleRow {
    RuleInfo info;
    bool (*run)(const RuleContext *context, Finding *finding);
} RuleRow;

static const RuleRow rows[] = {
#define RULE(id, name, title, page, function, reach, advice)                                       \
    {{name, title, page, reach, advice}, function},
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

/* ---- all rules ---- */

static int worst_first(const void *left, const void *right) {
    const Finding *a = left, *b = right;
    if (a->relief.verdict != b->relief.verdict)
        return a->relief.verdict < b->relief.verdict ? -1 : 1;
    if (a->excess != b->excess)
        return a->excess > b->excess ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

Finding *rules_run(Arena *arena, const Profile *profile, uint32_t launch, uint32_t *count) {
    RuleContext context = {arena, profile, launch};
    Finding *findings = NEW_ARRAY(arena, Finding, RULE_COUNT);
    *count = 0;
    LaunchCost cost;
    bool known = launch_cost(profile, launch, &cost);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        Finding *finding = &findings[*count];
        if (!rows[rule].run(&context, finding))
            continue;
        (*count)++;
        finding->relief = (Relief){.verdict = VERDICT_OPEN};
        if (known) {
            finding->relief = cost_relief(&cost, rule_stages(&cost, finding->rule));
            finding->matters = words_relief(arena, &finding->relief);
        }
    }
    qsort(findings, *count, sizeof *findings, worst_first);
    return findings;
}
