/* Uncoalesced global access: more sectors than the bytes asked for would fill. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters) {
    if (!site_in(site, counters, SITE_GLOBAL))
        return (Charge){0};
    return (Charge){counters_excess_sectors(counters), counters->sectors};
}

bool rule_uncoalesced_global(const RuleContext *context, Finding *finding) {
    Counters sum;
    *finding = rule_finding(context, RULE_uncoalesced_global, "sectors", charge, &sum);
    finding->message = arena_printf(
        context->arena,
        "%s of %s global-memory sectors (%s) are more than the accesses need at best",
        words_count(context->arena, finding->excess), words_count(context->arena, finding->total),
        words_percent(context->arena, finding->excess, finding->total));
    return finding->excess > 0;
}
