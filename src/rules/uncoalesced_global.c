/* Uncoalesced global access: more sectors than the bytes asked for would fill. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters) {
    if (!site_in(site, counters, SITE_GLOBAL))
        return (Charge){0};
    return (Charge){counters_excess_sectors(counters), counters->sectors};
}

bool rule_uncoalesced_global(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_uncoalesced_global, "sectors", charge);
    return finding->excess > 0;
}

const char *rule_uncoalesced_global_words(Arena *arena, const Finding *finding) {
    return arena_printf(
        arena, "%s of %s global-memory sectors (%s) are more than the accesses need at best",
        words_count(arena, finding->excess), words_count(arena, finding->total),
        words_percent(arena, finding->excess, finding->total));
}
