/* Evidence: accesses of a memory instruction as they were recorded, lane by lane. */
#include "api/api.h"

#include <string.h>

/* The first of `count` rows of patterns, and which site they must have. */
static const AccessPattern *patterns_of(const WarplensResult *result, uint32_t site,
                                        uint32_t *number, uint32_t *count) {
    const Profile *profile = result->profile;
    const LaunchRecord *record = &profile->launches.at[result_row(result)];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    if (site >= kernel->site_count)
        return NULL;
    *number = kernel->first_site + site;
    return launch_patterns(profile, result_row(result), count);
}

/* The index-th of the site; NULL: there are fewer, *found says how many. */
static const AccessPattern *find(const WarplensResult *result, uint32_t site, uint32_t index,
                                 uint32_t *found) {
    uint32_t number, count;
    const AccessPattern *patterns = patterns_of(result, site, &number, &count);
    *found = 0;
    for (uint32_t i = 0; patterns && i < count; i++)
        if (patterns[i].site == number && (*found)++ == index)
            return &patterns[i];
    return NULL;
}

uint32_t warplens_access_count(const WarplensResult *result, uint32_t site) {
    uint32_t found = 0;
    if (result)
        find(result, site, UINT32_MAX, &found);
    return found;
}

static const char *variable_of(const WarplensResult *result, const AccessPattern *pattern) {
    const LaunchRecord *record = &result->profile->launches.at[result_row(result)];
    if (pattern->variable == NONE)
        return NULL;
    return pattern->space == SITE_SHARED
               ? result->profile->kernels.at[record->kernel].shared.at[pattern->variable].name
               : record->allocations.at[pattern->variable].name;
}

bool warplens_access(const WarplensResult *result, uint32_t site, uint32_t index,
                     WarplensAccess *access) {
    uint32_t found;
    const AccessPattern *pattern = result && access ? find(result, site, index, &found) : NULL;
    if (!pattern)
        return false;
    *access = (WarplensAccess){.space = site_spaces[pattern->space],
                               .variable = variable_of(result, pattern),
                               .executions = pattern->count,
                               .mask = pattern->mask};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (pattern->mask >> lane & 1)
            access->offset[lane] = pattern->base + (uint64_t)pattern->delta[lane];
    Picture picture;
    if (picture_banks(result->profile, pattern, &picture)) {
        access->wavefronts = picture.cost;
        access->wavefronts_ideal = picture.ideal;
    }
    if (picture_sectors(result->profile, pattern, &picture)) {
        access->sectors = picture.cost;
        access->sectors_ideal = picture.ideal;
    }
    return true;
}
