/* Results: rows of the profile and findings in the shape of the header. */
#include "api/api.h"

#include <string.h>

static const char *path_of(const Profile *profile, uint32_t file) {
    return file == NONE ? NULL : profile->files.at[file].path;
}

static void find(Arena *arena, WarplensResult *result) {
    const Profile *profile = result->profile;
    Finding *found = rules_run(arena, profile, result_row(result), &result->finding_count);
    result->findings = NEW_ARRAY(arena, WarplensFinding, result->finding_count);
    for (uint32_t i = 0; i < result->finding_count; i++) {
        const Finding *from = &found[i];
        const RuleInfo *rule = rule_info(from->rule);
        WarplensFindingLine *lines = NEW_ARRAY(arena, WarplensFindingLine, from->line_count);
        for (uint32_t k = 0; k < from->line_count; k++)
            lines[k] = (WarplensFindingLine){path_of(profile, from->lines[k].file),
                                             from->lines[k].line, from->lines[k].excess};
        result->findings[i] = (WarplensFinding){.rule = rule->name,
                                                .title = rule->title,
                                                .severity = severity_name(from->severity),
                                                .message = words_finding(arena, from),
                                                .advice = rule->advice,
                                                .unit = from->unit,
                                                .excess = from->excess,
                                                .total = from->total,
                                                .lines = lines,
                                                .line_count = from->line_count};
    }
}

uint32_t result_row(const WarplensResult *result) {
    return result->rows->first + result->offset;
}

WarplensResult *result_new(LaunchRows *rows, uint32_t offset) {
    WarplensResult *result = NEW(rows->arena, WarplensResult);
    result->rows = rows;
    result->profile = rows->profile;
    result->offset = offset;
    if (rows->profile->own_count != rows->profile->files.count)
        profile_find_root(rows->profile);
    uint32_t launch = result_row(result);
    result->total = profile_total(result->profile, launch, NULL);
    result->lines = profile_lines(rows->arena, result->profile, launch, &result->line_count);
    find(rows->arena, result);
    return result;
}

static const LaunchRecord *record_of(const WarplensResult *result) {
    return &result->profile->launches.at[result_row(result)];
}

static const ProfKernel *kernel_of(const WarplensResult *result) {
    return &result->profile->kernels.at[record_of(result)->kernel];
}

const char *warplens_result_kernel(const WarplensResult *result) {
    return kernel_of(result)->demangled;
}

/* ---- counters ---- */

uint32_t warplens_counter_count(void) {
    return COUNTER_COUNT;
}

const char *warplens_counter_name(uint32_t counter) {
    return counter < COUNTER_COUNT ? counter_info(counter)->name : NULL;
}

const char *warplens_counter_unit(uint32_t counter) {
    return counter < COUNTER_COUNT ? counter_info(counter)->unit : NULL;
}

const char *warplens_counter_help(uint32_t counter) {
    return counter < COUNTER_COUNT ? counter_info(counter)->text : NULL;
}

uint64_t warplens_counter(const uint64_t *counters, const char *name) {
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        if (strcmp(counter_info(i)->name, name) == 0)
            return counters[i];
    return UINT64_MAX;
}

const uint64_t *warplens_total(const WarplensResult *result) {
    return result->total.at;
}

/* ---- rows ---- */

uint32_t warplens_site_count(const WarplensResult *result) {
    return kernel_of(result)->site_count;
}

bool warplens_site(const WarplensResult *result, uint32_t index, WarplensSite *site) {
    const Profile *profile = result->profile;
    const ProfKernel *kernel = kernel_of(result);
    if (index >= kernel->site_count)
        return false;
    const Site *from = &profile->sites.at[kernel->first_site + index];
    const Location *place = &profile->locations.at[from->location];
    *site = (WarplensSite){.file = path_of(profile, place->file),
                           .line = place->line,
                           .column = place->column,
                           .function = place->function,
                           .instruction = from->text,
                           .ptx_line = from->ptx_line,
                           .operation = site_ops[from->op],
                           .space = site_spaces[from->space],
                           .width = from->width,
                           .counters = record_of(result)->counters[index].at};
    return true;
}

uint32_t warplens_line_count(const WarplensResult *result) {
    return result->line_count;
}

bool warplens_line(const WarplensResult *result, uint32_t index, WarplensLine *line) {
    if (index >= result->line_count)
        return false;
    const LineCounts *from = &result->lines[index];
    *line = (WarplensLine){.file = path_of(result->profile, from->file),
                           .line = from->line,
                           .warp_instructions = from->warp_insts,
                           .thread_instructions = from->thread_insts,
                           .counters = from->total.at};
    return true;
}

uint32_t warplens_finding_count(const WarplensResult *result) {
    return result->finding_count;
}

bool warplens_finding(const WarplensResult *result, uint32_t index, WarplensFinding *finding) {
    if (index >= result->finding_count)
        return false;
    *finding = result->findings[index];
    return true;
}
