/* Access pattern of global loads and stores: sectors per request against what the bytes per thread
 * would fill. With 32 active lanes B bytes per thread fill B * 32 / 32 = B sectors; the ideal that
 * the profile counts says the same for partial warps and broadcasts. Fires from 10 % above on. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters, SiteOp op) {
    if (site->op != op || !site_in(site, counters, SITE_GLOBAL))
        return (Charge){0};
    return (Charge){counters_excess_sectors(counters), counters->sectors};
}

static Charge charge_load(const Site *site, const Counters *counters) {
    return charge(site, counters, SITE_LOAD);
}

static Charge charge_store(const Site *site, const Counters *counters) {
    return charge(site, counters, SITE_STORE);
}

static bool fires(const Finding *finding) {
    return finding->excess > 0 && finding->excess >= (finding->counters.sectors_ideal + 9) / 10;
}

static const char *words(Arena *arena, const Finding *finding, const char *what) {
    const Counters *sum = &finding->counters;
    return arena_printf(
        arena,
        "global %s: on average %s bytes per thread per request, %s sectors per request "
        "where %s would do",
        what, words_ratio_bare(arena, sum->bytes, sum->lanes),
        words_ratio_bare(arena, sum->sectors, sum->requests),
        words_ratio_bare(arena, sum->sectors_ideal, sum->requests));
}

bool rule_access_pattern_load(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_access_pattern_load, "sectors", charge_load);
    return fires(finding);
}

const char *rule_access_pattern_load_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "loads");
}

bool rule_access_pattern_store(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_access_pattern_store, "sectors", charge_store);
    return fires(finding);
}

const char *rule_access_pattern_store_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "stores");
}
