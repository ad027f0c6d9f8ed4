/* `warplens` with an observer in each launch that adds up what it is told, by the slow form of costs. The
 * launch's counters must be that sum; harness.py compares them with those of the engines. Linked
 * with --wrap=launch_run: the program's calls of launch_run come here. */
#include "exec/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool __real_launch_run(const Launch *launch, PreparedKernel *prepared, Profile *profile,
                       LaunchResult *result, Diags *diags);
bool __wrap_launch_run(const Launch *launch, PreparedKernel *prepared, Profile *profile,
                       LaunchResult *result, Diags *diags);

enum { SITES = 4096, BLOCKS = 1 << 20, BARRIERS = 64 };

/* What was told so far. */
typedef struct Sums {
    Counters sites[SITES];
    bool running[BLOCKS];
    uint32_t waiting[BARRIERS]; /* lanes at each barrier, of all blocks */
} Sums;

static void fail(const char *what, uint64_t number) {
    fprintf(stderr, "observed: %s (%llu)\n", what, (unsigned long long)number);
    exit(70);
}

static void begin(void *context, uint64_t block) {
    Sums *sums = context;
    if (block >= BLOCKS || sums->running[block])
        fail("a block that runs begins", block);
    sums->running[block] = true;
}

static void end(void *context, uint64_t block) {
    Sums *sums = context;
    if (block >= BLOCKS || !sums->running[block])
        fail("a block ends that does not run", block);
    sums->running[block] = false;
}

static Counters *counters_of(Sums *sums, const Actor *actor) {
    if (actor->block >= BLOCKS || !sums->running[actor->block])
        fail("an access of a block that does not run", actor->block);
    if (actor->site >= SITES || !actor->insn)
        fail("an access of no site", actor->site);
    return &sums->sites[actor->site];
}

static void add_access(void *context, const Actor *actor, const Access *access) {
    access_cost(counters_of(context, actor), access, NULL);
}

static void add_traffic(void *context, const Actor *actor, const Traffic *traffic) {
    traffic_cost(counters_of(context, actor), traffic);
}

static void add_range(void *context, const Actor *actor, Space space, uint64_t address,
                      uint64_t bytes, bool writes) {
    (void)context, (void)writes;
    if (!actor->insn || (space == SPACE_GLOBAL && !address) || !bytes)
        fail("a range of nothing", address);
}

static void arrive(void *context, uint64_t block, uint32_t warp, uint32_t barrier, uint32_t lanes) {
    Sums *sums = context;
    (void)block;
    if (warp >= 32 || barrier >= BARRIERS || !lanes)
        fail("nobody has come to a barrier", barrier);
    sums->waiting[barrier] += (uint32_t)__builtin_popcount(lanes);
}

static void release(void *context, uint64_t block, uint32_t barrier) {
    Sums *sums = context;
    (void)block;
    if (!sums->waiting[barrier])
        fail("a barrier opens to which nobody has come", barrier);
    sums->waiting[barrier] = 0;
}

static void compare(const Sums *sums, const Profile *profile, const Counters *before,
                    uint32_t launch) {
    const LaunchRecord *record = &profile->launches.at[launch];
    uint32_t count = profile->kernels.at[record->kernel].site_count;
    for (uint32_t site = 0; site < SITES; site++)
        for (uint32_t i = 0; i < COUNTER_COUNT; i++) {
            uint64_t told = sums->sites[site].at[i] + (before ? before[site].at[i] : 0);
            uint64_t counted = site < count ? record->counters[site].at[i] : 0;
            if (told == counted)
                continue;
            fprintf(stderr, "observed: site %u: %s: told of %llu, counted %llu\n", site,
                    counter_info((CounterId)i)->name, (unsigned long long)told,
                    (unsigned long long)counted);
            exit(70);
        }
}

/* A launch from the device may be added to the row of another one. */
static Counters *counted_before(const Launch *launch, const Profile *profile) {
    if (!launch->child || launch->child->into == NONE)
        return NULL;
    const LaunchRecord *record = &profile->launches.at[launch->child->into];
    uint32_t count = profile->kernels.at[record->kernel].site_count;
    Counters *before = calloc(SITES, sizeof *before);
    memcpy(before, record->counters, count * sizeof *before);
    return before;
}

bool __wrap_launch_run(const Launch *launch, PreparedKernel *prepared, Profile *profile,
                       LaunchResult *result, Diags *diags) {
    Sums *sums = calloc(1, sizeof *sums);
    Counters *before = counted_before(launch, profile);
    const Observer observer = {sums,        begin,     end,    add_access,
                               add_traffic, add_range, arrive, release};
    Launch observed = *launch;
    observed.observer = &observer;
    bool ran = __real_launch_run(&observed, prepared, profile, result, diags);
    if (ran && launch->counting)
        compare(sums, profile, before, result->record);
    free(before);
    free(sums);
    return ran;
}
