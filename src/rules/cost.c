/* What a launch keeps busy, and so whether a finding matters. A kernel takes at least as long as its
 * longest stage; what is saved on another one hides behind it. Bounds of each stage, in cycles of the
 * GPU's boost clock, from counts alone: docs/memory-model.md, section 7, has the sources. None of them is
 * a time that a kernel takes: caches, latencies and barriers are not modelled. Where a GPU has measured that time, a stage
 * that is busy for most of it matters, whatever the others do. */
#include "rules/rules.h"

#include "isa/isa.h"

#include <string.h>

/* Clocks sag under load, DRAM does not reach the data sheet's figure, and the stages do not overlap
 * perfectly: what is claimed holds with this to spare. (The structures of three doubles of
 * docs/guide/walk-throughs.md: at 1.6 the H100 gained nothing, at 1.2 an RTX A2000 gained 1.24x.) */
#define MARGIN 1.5

enum {
    SCHEDULERS = 4, /* of an SM, an instruction of a warp each per clock: since Volta */
    LINE_SECTORS =
        4, /* what the data stage passes in a clock, and lines that the tag stage looks up */
    SHARED_IN_PERCENT = 5 /* of what blocks load: from here on they share */
};

const char *stage_name(StageId stage) {
    static const char *const names[] = {"instruction issue", "FP32 arithmetic",
                                        "FP64 arithmetic",   "the data stage (shared memory, L1)",
                                        "the tag stage",     "L2 traffic",
                                        "DRAM traffic"};
    return names[stage];
}

uint64_t cost_cycles(double cycles) {
    const double most = 1e18;
    return cycles < most ? (uint64_t)(cycles + 0.5) : (uint64_t)most;
}

/* ---- bounds ---- */

typedef struct Sums {
    double data_least, data_most, tags_least, tags_most, sectors;
    bool atomics; /* on global memory: blocks may share what they store */
} Sums;

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* Of accesses to global memory. A request is at least a wavefront for each 128 bytes that it needs; at
 * most, each lane group takes each of its lines in a wavefront of its own (a line is all banks, once).
 * Four lines are looked up at once at best. */
static void add_site(Sums *sums, const Site *site, const Counters *counters) {
    sums->data_least += (double)counters->wavefronts;
    sums->data_most += (double)counters->wavefronts;
    if (!counters->sectors)
        return;
    double requests = (double)counters->requests, sectors = (double)counters->sectors;
    uint32_t groups =
        site->width > LINE_BYTES / WARP_LANES ? site->width / (LINE_BYTES / WARP_LANES) : 1;
    if (site->op != SITE_CP_ASYNC)
        sums->data_least += larger(requests, (double)counters->sectors_ideal / LINE_SECTORS);
    double lines = (double)counters->tag_requests + requests * (groups - 1);
    sums->data_most += larger(requests * groups, smaller(sectors, lines));
    sums->tags_least += larger(requests, (double)counters->tag_requests / LINE_SECTORS);
    sums->tags_most += larger(requests, (double)counters->tag_requests);
    sums->sectors += sectors;
    sums->atomics |= site->op == SITE_ATOMIC || site->op == SITE_REDUCTION;
}

/* Distinct sectors of the whole launch: at least those of the recorded blocks. Where these share next
 * to none, the other blocks are taken to be like them. */
static double whole_footprint(const LaunchRecord *record, uint64_t recorded, bool shared,
                              bool *estimated) {
    if (record->evidence_blocks >= record->blocks || record->evidence_blocks < 2 || shared)
        return (double)recorded;
    *estimated |= recorded > 0;
    return (double)recorded * (double)record->blocks / (double)record->evidence_blocks;
}

static double above(double value, double floor) {
    return value > floor ? value - floor : 0;
}

/* Least: the cache may hold part of what is read, and keep part of what is written. Most: no access hits
 * in a cache, and DRAM is as much slower than its data sheet as the margin says. */
static void bound_traffic(LaunchCost *cost, const LaunchRecord *record, const Gpu *gpu,
                          const Sums *sums, double scale, double sms) {
    bool estimated = false;
    bool sharing =
        record->loaded_by_blocks * 100 > record->loaded_sectors * (100 + SHARED_IN_PERCENT);
    double loaded = whole_footprint(record, record->loaded_sectors, sharing, &estimated);
    double stored = whole_footprint(record, record->stored_sectors, sums->atomics, &estimated);
    double per_sector = SECTOR_BYTES / (double)gpu->l2_bytes_per_clock / sms;
    double per_byte = gpu->clock_mhz / (gpu->dram_gbs * 1000.0);
    double cached = (double)gpu->l2_bytes;
    cost->stage[STAGE_L2] = (Stage){smaller(loaded + stored, sums->sectors * scale) * per_sector,
                                    sums->sectors * scale * per_sector, estimated};
    cost->stage[STAGE_DRAM] = (Stage){
        (above(loaded * SECTOR_BYTES, cached) + above(stored * SECTOR_BYTES, cached)) * per_byte,
        sums->sectors * scale * SECTOR_BYTES * per_byte * MARGIN, estimated};
    uint64_t sectors = record->loaded_sectors + record->stored_sectors;
    uint64_t bytes = record->loaded_bytes + record->stored_bytes;
    cost->whole_sectors = sectors && bytes * 10 >= sectors * SECTOR_BYTES * 9;
}

/* Of machine code it is known what was issued; of PTX between half and twice as many, and in one instruction two
 * operations at best, one in each at worst. */
static void bound_issue(LaunchCost *cost, const Profile *profile, uint32_t launch, const Gpu *gpu,
                        double share) {
    const LaunchRecord *record = &profile->launches.at[launch];
    Stage *stage = cost->stage;
    InstMix mix;
    double issue = (double)record->warp_insts * share / SCHEDULERS;
    double lanes32 = share * WARP_LANES / gpu->fp32_lanes;
    double lanes64 = share * WARP_LANES / gpu->fp64_lanes;
    if (launch_mix(profile, launch, &mix)) {
        double fp32 = (double)mix.fp32_warps * lanes32, fp64 = (double)mix.fp64_warps * lanes64;
        stage[STAGE_ISSUE] = (Stage){issue, issue, false};
        stage[STAGE_FP32] = (Stage){fp32, fp32, false};
        stage[STAGE_FP64] = (Stage){fp64, fp64, false};
        return;
    }
    double fp32 = (double)record->fp32_flops * lanes32, fp64 = (double)record->fp64_flops * lanes64;
    stage[STAGE_ISSUE] = (Stage){issue / 2, issue * 2, true};
    stage[STAGE_FP32] = (Stage){fp32 / 2, fp32, false};
    stage[STAGE_FP64] = (Stage){fp64 / 2, fp64, false};
}

bool launch_cost(const Profile *profile, uint32_t launch, LaunchCost *cost) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    const Gpu *gpu = gpu_named(str_of(record->gpu));
    *cost = (LaunchCost){0};
    if (!gpu || !record->blocks_run || !record->blocks)
        return false;
    Sums sums = {0};
    for (uint32_t i = 0; i < kernel->site_count; i++)
        add_site(&sums, &profile->sites.at[kernel->first_site + i], &record->counters[i]);
    double scale = (double)record->blocks / (double)record->blocks_run;
    double sms = record->blocks < gpu->sms ? (double)record->blocks : gpu->sms;
    Stage *stage = cost->stage;
    bound_issue(cost, profile, launch, gpu, scale / sms);
    stage[STAGE_DATA] = (Stage){sums.data_least * scale / sms, sums.data_most * scale / sms, false};
    stage[STAGE_TAGS] = (Stage){sums.tags_least * scale / sms, sums.tags_most * scale / sms, false};
    bound_traffic(cost, record, gpu, &sums, scale, sms);
    cost->matrices = record->matrix_insts > 0;
    if (record->ran_on) {
        cost->memory_alone = record->warp_insts == 0;
        cost->seconds = record->wall_seconds;
        cost->taken = record->wall_seconds * gpu->clock_mhz * 1e6;
    }
    return true;
}

/* ---- what a finding relieves ---- */

static bool in(uint32_t stages, int stage) {
    return stages >> stage & 1;
}

/* The stage, of those in or not in the set, that has the largest bound. */
static StageId longest(const LaunchCost *cost, uint32_t stages, bool inside, bool by_most) {
    int best = -1;
    for (int s = 0; s < STAGE_COUNT; s++) {
        const Stage *one = &cost->stage[s], *is = best < 0 ? NULL : &cost->stage[best];
        if (in(stages, s) != inside)
            continue;
        if (!is || (by_most ? one->most > is->most : one->least > is->least))
            best = s;
    }
    return best < 0 ? STAGE_COUNT : (StageId)best;
}

/* By the stages' bounds alone. */
static Relief relief_by_bounds(const LaunchCost *cost, uint32_t stages) {
    StageId own = longest(cost, stages, true, true), surest = longest(cost, stages, false, false);
    StageId other = longest(cost, stages, false, true), sure = longest(cost, stages, true, false);
    if (other == STAGE_COUNT)
        return (Relief){.verdict = VERDICT_OPEN, .stage = own, .other = own};
    double most = cost->stage[own].most, least = cost->stage[sure].least;
    const Stage *hiding = &cost->stage[surest];
    Relief relief = {.verdict = VERDICT_OPEN, .stage = own, .other = other};
    if (most > 0 && hiding->least >= MARGIN * most) {
        relief.verdict = hiding->estimated ? VERDICT_LIKELY_HIDDEN : VERDICT_HIDDEN;
        relief.other = surest;
        relief.least = hiding->least / most;
        return relief;
    }
    double next = cost->stage[other].most;
    if (!cost->matrices && !cost->memory_alone && least > 0 && least >= next) {
        relief.verdict = VERDICT_LONGEST;
        relief.stage = sure;
        relief.least = next > 0 ? least / next : 0;
        return relief;
    }
    relief.least = most > 0 ? cost->stage[other].least / most : 0;
    relief.most = least > 0 ? next / least : 0;
    return relief;
}

/* A stage that is busy for nearly all of the time, by a bound that holds, is what the launch waits for. */
Relief cost_relief(const LaunchCost *cost, uint32_t stages) {
    Relief relief = relief_by_bounds(cost, stages);
    const StageId sure = longest(cost, stages, true, false);
    if (cost->taken <= 0 || sure == STAGE_COUNT)
        return relief;
    const Stage *stage = &cost->stage[sure];
    relief.seconds = cost->seconds;
    if (relief.verdict == VERDICT_OPEN && !stage->estimated && stage->least * MARGIN >= cost->taken)
        relief = (Relief){.verdict = VERDICT_LONGEST,
                          .stage = sure,
                          .other = relief.other,
                          .seconds = cost->seconds};
    relief.busy_least = smaller(cost->stage[relief.stage].least / cost->taken, 1);
    relief.busy_most = smaller(cost->stage[relief.stage].most / cost->taken, 1);
    return relief;
}

/* Of the estimated time: from where on a saving matters, and from where on it is next to nothing. */
#define TIME_MATTERS 0.1
#define TIME_HIDDEN 0.02

/* What several sites save is at most what all of the launch save together. */
void relief_by_time(const LaunchRecord *record, double saved_us, Relief *relief) {
    if (record->time_us <= 0 || record->site_times.count == 0)
        return;
    const double all = above(record->time_us, record->mended_us);
    relief->saved_us = smaller(saved_us, all);
    relief->of_us = record->time_us;
    relief->limit = record->time_limit;
    const double share = relief->saved_us / relief->of_us;
    relief->verdict = share >= TIME_MATTERS  ? VERDICT_LONGEST
                      : share >= TIME_HIDDEN ? VERDICT_OPEN
                                             : VERDICT_LIKELY_HIDDEN;
}

/* ---- in words ---- */

static const char *estimated_words(Arena *arena, const Relief *relief) {
    const char *saved = words_duration(arena, relief->saved_us / 1e6),
               *of = words_duration(arena, relief->of_us / 1e6),
               *share = words_share(arena, relief->saved_us / relief->of_us);
    if (relief->verdict == VERDICT_LIKELY_HIDDEN)
        return arena_printf(
            arena, "Likely hidden: mending it saves next to nothing (~%s of ~%s), as %s decides",
            saved, of, relief->limit ? relief->limit : "something else");
    return arena_printf(arena, "%s: mending it saves ~%s of ~%s (~%s), as modelled",
                        relief->verdict == VERDICT_LONGEST ? "Matters" : "May be hidden", saved, of,
                        share);
}

const char *verdict_name(Verdict verdict) {
    static const char *const names[] = {"longest", "open", "likely-hidden", "hidden"};
    return names[verdict];
}

static const char *open_words(Arena *arena, const Relief *relief) {
    const char *other = stage_name(relief->other);
    if (relief->other == relief->stage)
        return "Not known whether it matters: every stage that is modelled is relieved";
    if (relief->most == 0)
        return arena_printf(arena, "May be hidden: how %s compares is not known", other);
    return arena_printf(arena, "May be hidden: %s takes %.2g to %.2g x as long as %s", other,
                        relief->least, relief->most, stage_name(relief->stage));
}

/* "15 % to 40 %", "at least 70 %", "at most 8 %" */
static const char *busy_words(Arena *arena, const Relief *relief) {
    const char *least = words_share(arena, relief->busy_least),
               *most = words_share(arena, relief->busy_most);
    return relief->busy_most >= 1     ? arena_printf(arena, "at least %s", least)
           : relief->busy_least <= 0  ? arena_printf(arena, "at most %s", most)
           : strcmp(least, most) == 0 ? most
                                      : arena_printf(arena, "%s to %s", least, most);
}

/* Of the time that was measured. */
static const char *timed_words(Arena *arena, const Relief *relief) {
    return arena_printf(arena, "%s: %s is busy for %s of the %s that the launch takes",
                        relief->verdict == VERDICT_LONGEST ? "Matters" : "May be hidden",
                        stage_name(relief->stage), busy_words(arena, relief),
                        words_duration(arena, relief->seconds));
}

const char *words_relief(Arena *arena, const Relief *relief) {
    if (relief->of_us > 0)
        return estimated_words(arena, relief);
    const bool told = relief->busy_least > 0 || relief->busy_most < 1;
    if (relief->seconds > 0 && told &&
        (relief->verdict == VERDICT_OPEN || relief->verdict == VERDICT_LONGEST))
        return timed_words(arena, relief);
    const char *other = stage_name(relief->other), *own = stage_name(relief->stage);
    switch (relief->verdict) {
    case VERDICT_LONGEST:
        if (relief->least == 0)
            return arena_printf(arena, "Matters: %s is the longest stage", own);
        return arena_printf(arena, "Matters: %s is the longest stage, at least %.1f x %s", own,
                            relief->least, other);
    case VERDICT_HIDDEN:
        return arena_printf(arena,
                            "Hidden: %s is the longest stage (at least %.1f x %s); fixing this "
                            "alone does not shorten it",
                            other, relief->least, own);
    case VERDICT_LIKELY_HIDDEN:
        return arena_printf(arena,
                            "Likely hidden: %s takes about %.1f x as long as %s, or more; fixing "
                            "this alone does not shorten it",
                            other, relief->least, own);
    default:
        return open_words(arena, relief);
    }
}
