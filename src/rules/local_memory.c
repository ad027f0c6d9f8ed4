/* Local-memory traffic: spilled registers and arrays that are indexed at run time. All of it is
 * excess, as registers would cost none; ptxas may keep in registers what the PTX keeps in .local. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters) {
    if (!site_in(site, counters, SITE_LOCAL))
        return (Charge){0};
    return (Charge){counters->sectors, counters->sectors};
}

static bool has_sectors(const Site *site) {
    return site->space != SITE_SHARED || site->op == SITE_CP_ASYNC;
}

bool rule_local_memory(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_local_memory, "sectors", charge);
    finding->total = profile_total(context->profile, context->launch, has_sectors).sectors;
    return finding->excess > 0;
}

const char *rule_local_memory_words(Arena *arena, const Finding *finding) {
    return arena_printf(
        arena, "%s requests to local memory move %s sectors, %s of all sectors of the launch",
        words_count(arena, finding->counters.requests), words_count(arena, finding->excess),
        words_percent(arena, finding->excess, finding->total));
}
