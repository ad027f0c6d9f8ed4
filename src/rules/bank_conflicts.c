/* Bank conflicts of loads and of stores: fires from 10 % of their wavefronts on. Atomics serialise
 * by lane rather than by bank, and the hardware counters of these names leave cp.async out. */
#include "rules/rule.h"

static Charge charge(const Site *site, const Counters *counters, SiteOp plain, SiteOp matrix) {
    if ((site->op != plain && site->op != matrix) || !site_in(site, counters, SITE_SHARED))
        return (Charge){0};
    return (Charge){counters->conflicts, counters->wavefronts};
}

static Charge charge_load(const Site *site, const Counters *counters) {
    return charge(site, counters, SITE_LOAD, SITE_LDMATRIX);
}

static Charge charge_store(const Site *site, const Counters *counters) {
    return charge(site, counters, SITE_STORE, SITE_STMATRIX);
}

static bool fires(const Finding *finding) {
    return finding->excess > 0 && finding->excess >= (finding->total + 9) / 10;
}

static const char *words(Arena *arena, const Finding *finding, const char *what) {
    const Counters *sum = &finding->counters;
    return arena_printf(
        arena,
        "%s %s take %s wavefronts, %s a request where %s would do (%s-way); %s of them (%s) are "
        "bank conflicts",
        words_count(arena, sum->requests), what, words_count(arena, sum->wavefronts),
        words_ratio(arena, sum->wavefronts, sum->requests),
        words_ratio(arena, sum->wavefronts_ideal, sum->requests),
        words_ratio(arena, sum->wavefronts, sum->wavefronts_ideal),
        words_count(arena, finding->excess), words_percent(arena, finding->excess, finding->total));
}

bool rule_bank_conflicts_load(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_bank_conflicts_load, "wavefronts", charge_load);
    return fires(finding);
}

const char *rule_bank_conflicts_load_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "shared loads");
}

bool rule_bank_conflicts_store(const RuleContext *context, Finding *finding) {
    *finding = rule_finding(context, RULE_bank_conflicts_store, "wavefronts", charge_store);
    return fires(finding);
}

const char *rule_bank_conflicts_store_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "shared stores");
}
