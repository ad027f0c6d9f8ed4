/* Local-memory traffic: arrays that are indexed at run time, registers that are spilled, or saved around calls. All of it
 * is excess, as registers would cost none. Of PTX all of it is arrays, and ptxas may keep them in registers; what ptxas
 * spills is known where machine code was executed. */
#include "rules/rule.h"

static Charge charge_of(const Site *site, const Counters *counters, bool own) {
    uint64_t sectors = site->space == SITE_GENERIC           ? counters->local_sectors
                       : site_in(site, counters, SITE_LOCAL) ? counters->sectors
                                                             : 0;
    return own ? (Charge){sectors, sectors} : (Charge){0};
}

static Charge of_arrays(const Site *site, const Counters *counters) {
    return charge_of(site, counters, site->local_use <= LOCAL_ARRAY);
}

static Charge of_spills(const Site *site, const Counters *counters) {
    return charge_of(site, counters, site->local_use == LOCAL_SPILL);
}

static Charge of_calls(const Site *site, const Counters *counters) {
    return charge_of(site, counters, site->local_use == LOCAL_CALL);
}

static bool has_sectors(const Site *site) {
    return site->space != SITE_SHARED || site->op == SITE_CP_ASYNC;
}

static bool run(const RuleContext *context, Finding *finding, RuleId rule, ChargeOf charge) {
    *finding = rule_finding(context, rule, "sectors", charge);
    Counters sum = profile_total(context->profile, context->launch, has_sectors);
    finding->total = sum.sectors + sum.local_sectors;
    return finding->excess > 0;
}

static const char *words(Arena *arena, const Finding *finding, const char *what) {
    return arena_printf(
        arena, "%s requests to local memory %s %s sectors, %s of all sectors of the launch",
        words_count(arena, finding->counters.requests), what, words_count(arena, finding->excess),
        words_percent(arena, finding->excess, finding->total));
}

bool rule_local_memory(const RuleContext *context, Finding *finding) {
    return run(context, finding, RULE_local_memory, of_arrays);
}

const char *rule_local_memory_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "move");
}

bool rule_register_spills(const RuleContext *context, Finding *finding) {
    return run(context, finding, RULE_register_spills, of_spills);
}

const char *rule_register_spills_words(Arena *arena, const Finding *finding) {
    const char *what = words(arena, finding, "put registers aside and get them back:");
    if (!finding->registers)
        return what;
    return arena_printf(arena, "%s; a thread needs more registers than its %u", what,
                        finding->registers);
}

bool rule_call_stack(const RuleContext *context, Finding *finding) {
    return run(context, finding, RULE_call_stack, of_calls);
}

const char *rule_call_stack_words(Arena *arena, const Finding *finding) {
    return words(arena, finding, "save registers, or pass arguments, around calls:");
}
