/* Excess shared-memory wavefronts: of all accesses, atomics and cp.async included. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters) {
    if (!site_in(site, counters, SITE_SHARED))
        return (Charge){0};
    return (Charge){counters_excess_wavefronts(counters), counters->wavefronts};
}

bool rule_uncoalesced_shared(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_uncoalesced_shared, "wavefronts", charge);
    return finding->excess > 0;
}

const char *rule_uncoalesced_shared_words(Arena *arena, const Finding *finding) {
    const Counters *sum = &finding->counters;
    return arena_printf(
        arena,
        "%s of %s shared-memory wavefronts (%s) are more than the accesses need at best: %s-way on "
        "average",
        words_count(arena, finding->excess), words_count(arena, finding->total),
        words_percent(arena, finding->excess, finding->total),
        words_ratio(arena, sum->wavefronts, sum->wavefronts_ideal));
}
