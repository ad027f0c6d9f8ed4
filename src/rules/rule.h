/* rule.h: what the files of rules/ share. Private to rules/. */
#pragma once

#include "rules/rules.h"

typedef struct RuleContext {
    Arena *arena; /* of the findings */
    const Profile *profile;
    uint32_t launch;
} RuleContext;

/* What a rule holds against a site: excess of total; both 0 where the rule does not concern it. */
typedef struct Charge {
    uint64_t excess, total;
} Charge;
typedef Charge (*ChargeOf)(const Site *site, const Counters *counters);

/* Sums the charges into a finding: its numbers and lines. */
Finding rule_finding(const RuleContext *context, RuleId rule, const char *unit, ChargeOf charge_of);

/* Each rule: true and the finding where it fires; and that in words. */
#define RULE(id, name, title, page, whole, function, reach, advice)                                \
    bool function(const RuleContext *context, Finding *finding);                                   \
    const char *function##_words(Arena *arena, const Finding *finding);
#include "rules/rules.def"

/* What pages of docs/rules say that their rules mean; page NULL at the end. Made of them: pages.cmake. */
typedef struct RulePage {
    const char *page, *means;
} RulePage;
extern const RulePage rule_pages[];
