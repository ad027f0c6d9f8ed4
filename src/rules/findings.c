/* What the rules have in common: sums, and the lines that cause a finding. */
#include "rules/rule.h"

#include <stdlib.h>

static FindingLine *line_of(FindingLine *lines, uint32_t count, uint32_t file, uint32_t line) {
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].file == file && lines[i].line == line)
            return &lines[i];
    return NULL;
}

static int by_excess(const void *left, const void *right) {
    const FindingLine *a = left, *b = right;
    if (a->excess != b->excess)
        return a->excess > b->excess ? -1 : 1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

typedef struct LineList {
    VEC(FindingLine) lines;
    VEC(uint64_t) worst; /* of each line: the excess of its worst site */
} LineList;

static void charge_line(Arena *arena, LineList *list, const Profile *profile, uint32_t site,
                        uint64_t excess) {
    const SitePlace place = site_place(profile, &profile->sites.at[site]);
    FindingLine *line = line_of(list->lines.at, list->lines.count, place.file, place.line);
    if (!line) {
        line = vec_add(arena, &list->lines);
        *line = (FindingLine){.file = place.file, .line = place.line};
        *vec_add(arena, &list->worst) = 0;
    }
    uint64_t *worst = &list->worst.at[line - list->lines.at];
    line->excess += excess;
    if (excess > *worst) {
        *worst = excess;
        line->site = site;
    }
}

/* What it saves of the estimated time if this site alone is mended. */
static double saved_us(const LaunchRecord *record, uint32_t site) {
    for (uint32_t i = 0; i < record->site_times.count; i++) {
        const SiteTime *row = &record->site_times.at[i];
        if (row->site == site && row->mended_us < record->time_us)
            return record->time_us - row->mended_us;
    }
    return 0;
}

Finding rule_finding(const RuleContext *context, RuleId rule, const char *unit,
                     ChargeOf charge_of) {
    const Profile *profile = context->profile;
    const LaunchRecord *record = &profile->launches.at[context->launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    Finding finding = {
        .rule = rule, .launch = context->launch, .unit = unit, .registers = kernel->registers};
    LineList list = {0};
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        uint32_t site = kernel->first_site + i;
        Charge charge = charge_of(&profile->sites.at[site], &record->counters[i]);
        if (!charge.total)
            continue;
        counters_add(&finding.counters, &record->counters[i]);
        finding.excess += charge.excess;
        finding.total += charge.total;
        if (charge.excess)
            finding.saved_us += saved_us(record, site);
        if (charge.excess)
            charge_line(context->arena, &list, profile, site, charge.excess);
    }
    if (list.lines.count)
        qsort(list.lines.at, list.lines.count, sizeof *list.lines.at, by_excess);
    for (uint32_t i = 0; i < list.lines.count; i++)
        list.lines.at[i].share = (double)list.lines.at[i].excess / (double)finding.excess;
    finding.lines = list.lines.at;
    finding.line_count = list.lines.count;
    return finding;
}
