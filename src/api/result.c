/* Results: rows of the profile and findings in the shape of the header. */
#include "api/api.h"

_Static_assert(sizeof(WarplensCounters) == sizeof(Counters),
               "warplens.h lacks a counter of counters.def");

static WarplensCounters counters_of(const Counters *from) {
    return (WarplensCounters){
#define COUNTER(name, unit, text) .name = from->name,
#include "prof/counters.def"
    };
}

static const char *path_of(const Profile *profile, uint32_t file) {
    return file == NONE ? NULL : profile->files.at[file].path;
}

static void find(WarplensModule *module, WarplensResult *result) {
    const Profile *profile = result->profile;
    Finding *found = rules_run(module->arena, profile, result->launch, &result->finding_count);
    result->findings = NEW_ARRAY(module->arena, WarplensFinding, result->finding_count);
    for (uint32_t i = 0; i < result->finding_count; i++) {
        const Finding *from = &found[i];
        const RuleInfo *rule = rule_info(from->rule);
        WarplensFindingLine *lines =
            NEW_ARRAY(module->arena, WarplensFindingLine, from->line_count);
        for (uint32_t k = 0; k < from->line_count; k++)
            lines[k] = (WarplensFindingLine){path_of(profile, from->lines[k].file),
                                             from->lines[k].line, from->lines[k].excess};
        result->findings[i] = (WarplensFinding){.rule = rule->name,
                                                .title = rule->title,
                                                .severity = severity_name(from->severity),
                                                .message = from->message,
                                                .advice = rule->advice,
                                                .unit = from->unit,
                                                .excess = from->excess,
                                                .total = from->total,
                                                .lines = lines,
                                                .line_count = from->line_count};
    }
}

WarplensResult *result_new(WarplensModule *module, uint32_t launch) {
    WarplensResult *result = NEW(module->arena, WarplensResult);
    result->module = module;
    result->profile = module->session->profile;
    result->launch = launch;
    result->lines = profile_lines(module->arena, result->profile, launch, &result->line_count);
    find(module, result);
    return result;
}

static const LaunchRecord *record_of(const WarplensResult *result) {
    return &result->profile->launches.at[result->launch];
}

static const ProfKernel *kernel_of(const WarplensResult *result) {
    return &result->profile->kernels.at[record_of(result)->kernel];
}

const char *warplens_result_kernel(const WarplensResult *result) {
    return kernel_of(result)->demangled;
}

void warplens_total(const WarplensResult *result, WarplensCounters *total) {
    const Counters sum = profile_total(result->profile, result->launch, NULL);
    *total = counters_of(&sum);
}

uint32_t warplens_site_count(const WarplensResult *result) {
    return kernel_of(result)->site_count;
}

bool warplens_site(const WarplensResult *result, uint32_t index, WarplensSite *site) {
    static const char *const operations[] = {
        [SITE_LOAD] = "load",           [SITE_STORE] = "store",       [SITE_ATOMIC] = "atomic",
        [SITE_REDUCTION] = "reduction", [SITE_LDMATRIX] = "ldmatrix", [SITE_STMATRIX] = "stmatrix",
        [SITE_CP_ASYNC] = "cp.async",   [SITE_COPY] = "copy",         [SITE_WGMMA] = "wgmma",
        [SITE_TEXTURE] = "texture"};
    static const char *const spaces[] = {[SITE_GENERIC] = "generic",
                                         [SITE_GLOBAL] = "global",
                                         [SITE_SHARED] = "shared",
                                         [SITE_LOCAL] = "local",
                                         [SITE_CONST] = "const"};
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
                           .operation = operations[from->op],
                           .space = spaces[from->space],
                           .width = from->width,
                           .counters = counters_of(&record_of(result)->counters[index])};
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
                           .counters = counters_of(&from->total)};
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
