/* The gate: holds every line of a profile against limits, and against the same line of a baseline; a fault
 * of a launch is always held against it. Ratios
 * are to what the same lanes and bytes need at best, so they do not depend on the problem's size. A
 * line has its own counters: what other files of the project inlined into it is judged there, what
 * comes from headers of others is judged here. */
#include "rules/rules.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const GateInfo infos[] = {
#define GATE(id, name, title, text) {name, title, text},
#include "rules/gate.def"
};

const GateInfo *gate_info(GateId id) {
    return &infos[id];
}

typedef struct Gate {
    Arena *arena, *scratch;            /* of one launch */
    const Profile *profile, *baseline; /* NULL: none */
    const Limits *limits;
    bool compared; /* with a baseline */
    bool sampled;  /* the launch at hand, or that of the baseline: counters are within 1 % */
    VEC(Violation) violations;
} Gate;

/* What a line costs in one of the two memories. */
typedef struct LineCost {
    uint64_t cost, ideal;
} LineCost;

static LineCost cost_of(const LineCounts *line, bool shared) {
    if (!line)
        return (LineCost){0};
    return shared ? (LineCost){line->own.wavefronts, line->own.wavefronts_ideal}
                  : (LineCost){line->own.sectors, line->own.sectors_ideal};
}

/* ---- limits of a kernel ---- */

static Limit limit_of(const Gate *gate, const ProfKernel *kernel) {
    const char *name = name_function(gate->scratch, kernel->demangled);
    Limit found = {.pattern = name};
    for (uint32_t i = 0; i < gate->limits->list.count; i++) {
        const Limit *limit = &gate->limits->list.at[i];
        if (fnmatch(limit->pattern, name, 0) != 0 && fnmatch(limit->pattern, kernel->name, 0) != 0)
            continue;
        if (limit->max_nway >= 0)
            found.max_nway = limit->max_nway;
        if (limit->max_sector_ratio >= 0)
            found.max_sector_ratio = limit->max_sector_ratio;
    }
    return found;
}

/* ---- judging a line ---- */

static bool denied(const Gate *gate, GateId id) {
    return gate->limits->deny >> id & 1;
}

static double ratio(LineCost cost) {
    return cost.ideal ? (double)cost.cost / (double)cost.ideal : 0;
}

/* In whole numbers, so that equal ratios are equal. A ratio of sampled counters may be 2 % off. */
static bool is_worse(const Gate *gate, LineCost now, LineCost before) {
    uint32_t percent = gate->sampled ? 102 : 100;
    return before.cost && (__uint128_t)now.cost * before.ideal * 100 >
                              (__uint128_t)before.cost * now.ideal * percent;
}

/* The first row of gate.def that the line breaks, or GATE_COUNT. */
static GateId broken(const Gate *gate, bool shared, double limit, LineCost now, LineCost before) {
    if (now.cost <= now.ideal)
        return GATE_COUNT;
    if (limit > 0 && (double)now.cost > limit * (double)now.ideal * (1 + 1e-12))
        return shared ? GATE_max_nway : GATE_max_sector_ratio;
    GateId any = shared ? GATE_conflict : GATE_uncoalesced;
    if (denied(gate, any))
        return any;
    if (!gate->compared)
        return GATE_COUNT;
    GateId new = shared ? GATE_new_conflict : GATE_new_uncoalesced;
    if (denied(gate, new) && before.cost <= before.ideal)
        return new;
    return denied(gate, GATE_regression) && is_worse(gate, now, before) ? GATE_regression
                                                                        : GATE_COUNT;
}

static const char *message_of(const Gate *gate, const Violation *violation) {
    Arena *arena = gate->arena;
    const char *cost = arena_printf(
        arena, "%s %s where %s would do (%.1f%s)", words_count(arena, violation->cost),
        violation->shared ? "wavefronts" : "sectors", words_count(arena, violation->ideal),
        (double)violation->cost / (double)violation->ideal,
        violation->shared ? "-way" : " times as many");
    if (violation->limit > 0)
        return arena_printf(arena, "%s, limit %g", cost, violation->limit);
    if (violation->before_ideal)
        return arena_printf(arena, "%s, %.1f in the baseline", cost,
                            (double)violation->before_cost / (double)violation->before_ideal);
    return gate->compared ? arena_printf(arena, "%s, not in the baseline", cost) : cost;
}

/* The line's instruction with the largest excess. */
static uint32_t worst_site(const Gate *gate, uint32_t launch, const LineCounts *line, bool shared) {
    const LaunchRecord *record = &gate->profile->launches.at[launch];
    const ProfKernel *kernel = &gate->profile->kernels.at[record->kernel];
    uint32_t worst = NONE;
    uint64_t most = 0;
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const Site *site = &gate->profile->sites.at[kernel->first_site + i];
        const SitePlace place = site_place(gate->profile, site);
        const Counters *counters = &record->counters[i];
        uint64_t excess =
            shared ? counters_excess_wavefronts(counters) : counters_excess_sectors(counters);
        if (place.file == line->file && place.line == line->line && excess > most) {
            worst = kernel->first_site + i;
            most = excess;
        }
    }
    return worst;
}

static Violation *same_line(const Gate *gate, const Violation *new) {
    uint32_t kernel = gate->profile->launches.at[new->launch].kernel;
    for (uint32_t i = 0; i < gate->violations.count; i++) {
        Violation *old = &gate->violations.at[i];
        if (old->gate == new->gate && old->shared == new->shared && old->file == new->file &&
            old->line == new->line && gate->profile->launches.at[old->launch].kernel == kernel)
            return old;
    }
    return NULL;
}

/* A line that breaks the same limit in several launches is one violation, the worst of them. */
static void add(Gate *gate, const Violation *new) {
    Violation *old = same_line(gate, new);
    if (!old) {
        *vec_add(gate->arena, &gate->violations) = *new;
        return;
    }
    uint32_t launches = old->launches + 1;
    if (ratio((LineCost){new->cost, new->ideal}) > ratio((LineCost){old->cost, old->ideal}))
        *old = *new;
    old->launches = launches;
}

static void judge(Gate *gate, uint32_t launch, const Limit *limit, const LineCounts *line,
                  const LineCounts *before, bool shared) {
    LineCost now = cost_of(line, shared), then = cost_of(before, shared);
    double most = shared ? limit->max_nway : limit->max_sector_ratio;
    GateId id = broken(gate, shared, most, now, then);
    if (id == GATE_COUNT)
        return;
    Violation violation = {.gate = id,
                           .launch = launch,
                           .launches = 1,
                           .file = line->file,
                           .line = line->line,
                           .site = worst_site(gate, launch, line, shared),
                           .shared = shared,
                           .cost = now.cost,
                           .ideal = now.ideal,
                           .before_cost = then.cost,
                           .before_ideal = then.ideal,
                           .limit = id <= GATE_max_sector_ratio ? most : 0};
    add(gate, &violation);
}

static void judge_line(Gate *gate, uint32_t launch, const Limit *limit, const LineCounts *line,
                       const LineCounts *before) {
    judge(gate, launch, limit, line, before, true);
    judge(gate, launch, limit, line, before, false);
}

/* ---- faults ---- */

/* The first line of a fault's message is the sentence. */
static void judge_fault(Gate *gate, uint32_t launch) {
    const Profile *profile = gate->profile;
    const LaunchRecord *record = &profile->launches.at[launch];
    if (record->status != LAUNCH_FAULT)
        return;
    const char *text = record->fault ? record->fault : "a fault of which nothing is known";
    size_t first = strcspn(text, "\n");
    Violation violation = {.gate = GATE_fault,
                           .launch = launch,
                           .launches = 1,
                           .file = NONE,
                           .site = NONE,
                           .message = arena_copy(gate->arena, text, first),
                           .details = text[first] ? text + first + 1 : NULL};
    if (record->fault_location != NONE) {
        const SitePlace place = location_place(profile, record->fault_location);
        violation.file = place.file;
        violation.line = place.line;
    }
    add(gate, &violation);
}

/* ---- defects ---- */

static void judge_defect(Gate *gate, const Defect *defect) {
    const Profile *profile = gate->profile;
    size_t first = strcspn(defect->message, "\n");
    Violation violation = {.gate = GATE_defect,
                           .launch = defect->launch,
                           .launches = 1,
                           .file = NONE,
                           .site = NONE,
                           .message =
                               arena_printf(gate->arena, "%s: %.*s", defect_title(defect->kind),
                                            (int)first, defect->message),
                           .details = defect->message[first] ? defect->message + first + 1 : NULL};
    if (defect->location != NONE) {
        const SitePlace place = location_place(profile, defect->location);
        violation.file = place.file;
        violation.line = place.line;
    }
    *vec_add(gate->arena, &gate->violations) = violation;
}

/* ---- all launches ---- */

static void judge_alone(Gate *gate, uint32_t launch) {
    uint32_t count;
    Limit limit = limit_of(gate, profile_kernel(gate->profile, launch));
    const LineCounts *lines = profile_lines(gate->scratch, gate->profile, launch, &count);
    for (uint32_t i = 0; i < count; i++)
        judge_line(gate, launch, &limit, &lines[i], NULL);
    arena_clear(gate->scratch);
}

static void judge_change(Gate *gate, const ProfileDiff *diff, const LaunchChange *change) {
    if (change->after == NONE)
        return;
    const LaunchRecord *record = &gate->profile->launches.at[change->after];
    const LaunchRecord *before =
        change->before == NONE ? NULL : &gate->baseline->launches.at[change->before];
    Limit limit = limit_of(gate, &gate->profile->kernels.at[record->kernel]);
    gate->sampled = record->blocks_counted || (before && before->blocks_counted);
    uint32_t count;
    const LineChange *lines = diff_lines(gate->scratch, diff, change, &count);
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].after)
            judge_line(gate, change->after, &limit, lines[i].after, lines[i].before);
    arena_clear(gate->scratch);
}

static uint32_t kernel_of(const Gate *gate, const Violation *violation) {
    return gate->profile->launches.at[violation->launch].kernel;
}

/* Those behind the first `faults` (and defects) by kernel, then by excess; few, and qsort has no room for the profile. */
static void sort(Gate *gate, uint32_t faults) {
    for (uint32_t i = faults + 1; i < gate->violations.count; i++) {
        Violation violation = gate->violations.at[i];
        uint32_t kernel = kernel_of(gate, &violation), at = i;
        for (; at > faults; at--) {
            const Violation *above = &gate->violations.at[at - 1];
            uint32_t other = kernel_of(gate, above);
            if (other < kernel ||
                (other == kernel && above->cost - above->ideal >= violation.cost - violation.ideal))
                break;
            gate->violations.at[at] = *above;
        }
        gate->violations.at[at] = violation;
    }
}

Violation *gate_run(Arena *arena, const Profile *profile, const Profile *baseline,
                    const Limits *limits, uint32_t *count) {
    Gate gate = {.arena = arena,
                 .scratch = arena_new(),
                 .profile = profile,
                 .baseline = baseline,
                 .limits = limits,
                 .compared = baseline != NULL};
    for (uint32_t i = 0; i < profile->launches.count; i++)
        judge_fault(&gate, i);
    for (uint32_t i = 0; i < profile->defects.count; i++)
        if (!profile->defects.at[i].benign)
            judge_defect(&gate, &profile->defects.at[i]);
    uint32_t faults = gate.violations.count;
    if (baseline) {
        ProfileDiff diff = profile_diff(arena, baseline, profile);
        for (uint32_t i = 0; i < diff.count; i++)
            judge_change(&gate, &diff, &diff.launches[i]);
    } else {
        for (uint32_t i = 0; i < profile->launches.count; i++)
            judge_alone(&gate, i);
    }
    sort(&gate, faults);
    for (uint32_t i = faults; i < gate.violations.count; i++)
        gate.violations.at[i].message = message_of(&gate, &gate.violations.at[i]);
    arena_free(gate.scratch);
    *count = gate.violations.count;
    return gate.violations.at;
}
