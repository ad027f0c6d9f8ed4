/* How a recorded access is served: which wavefront serves which lane, which sectors are touched;
 * and what another layout would make of it. The memory model is asked again about the addresses
 * that the profile recorded, so a picture and the counters beside it cannot disagree. */
#include "rules/rules.h"

#include <string.h>

/* A file may say anything; the memory model takes what the executor can ask. */
static bool is_possible(const Site *site) {
    uint32_t width = site->width, matrices = site->matrices;
    return width && width <= 32 && (width & (width - 1)) == 0 && site->access < ACCESS_KIND_COUNT &&
           matrices <= 4 &&
           (matrices > 0) == (site->op == SITE_LDMATRIX || site->op == SITE_STMATRIX);
}

/* ---- addresses ---- */

/* Of shared memory: where the pattern's variable begins in the block. */
static uint64_t variable_offset(const Profile *profile, const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    if (pattern->space != SITE_SHARED || pattern->variable == NONE)
        return 0;
    return profile->kernels.at[launch->kernel].shared.at[pattern->variable].offset;
}

static void add_lanes(uint64_t address[WARP_LANES], uint64_t base,
                      const int64_t delta[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] = base + (uint64_t)delta[lane];
}

static Access access_of(const Site *site, const AccessPattern *pattern, Space space,
                        const uint64_t *address, const uint64_t *source) {
    return (Access){.kind = (AccessKind)site->access,
                    .space = space,
                    .width = site->width,
                    .mask = pattern->mask,
                    .matrices = site->matrices,
                    .address = address,
                    .source = source};
}

/* ---- pictures ---- */

static uint32_t rounds_of(Access round) {
    uint32_t rounds = 0;
    Schedule schedule;
    do {
        mem_schedule(&round, &schedule);
        round.mask = schedule.left;
        rounds++;
    } while (round.mask);
    return rounds;
}

Picture picture_of(const Access *access) {
    SharedCost cost = mem_shared(access);
    Picture picture = {.kind = access->kind,
                       .width = access->width,
                       .mask = access->mask,
                       .cost = cost.wavefronts,
                       .ideal = cost.ideal,
                       .rounds = 1};
    memcpy(picture.address, access->address, sizeof picture.address);
    mem_schedule(access, &picture.schedule);
    if (picture.schedule.left)
        picture.rounds = rounds_of(*access);
    return picture;
}

static bool is_copy(const Access *access) {
    return access->kind == ACCESS_CP_ASYNC_CA || access->kind == ACCESS_CP_ASYNC_CG;
}

/* The access to shared memory that was recorded; its addresses are put into `address`. */
static bool shared_access(const Profile *profile, const AccessPattern *pattern,
                          uint64_t address[WARP_LANES], Access *access) {
    const Site *site = &profile->sites.at[pattern->site];
    if (pattern->space != SITE_SHARED || site->width > 16 || !is_possible(site))
        return false;
    add_lanes(address, variable_offset(profile, pattern) + pattern->base, pattern->delta);
    *access = access_of(site, pattern, SPACE_SHARED, address, (const uint64_t *)pattern->source);
    return !is_copy(access) || access->source;
}

bool picture_banks(const Profile *profile, const AccessPattern *pattern, Picture *picture) {
    uint64_t address[WARP_LANES];
    Access access;
    if (!shared_access(profile, pattern, address, &access))
        return false;
    *picture = picture_of(&access);
    picture->pattern = pattern;
    return true;
}

bool picture_sectors(const Profile *profile, const AccessPattern *pattern, Picture *picture) {
    const Site *site = &profile->sites.at[pattern->site];
    uint64_t destination[WARP_LANES];
    if ((pattern->space != SITE_GLOBAL && !pattern->source) || !is_possible(site))
        return false;
    *picture = (Picture){.pattern = pattern,
                         .kind = (AccessKind)site->access,
                         .width = site->width,
                         .mask = pattern->mask,
                         .rounds = 1};
    if (pattern->source)
        add_lanes(picture->address, 0, pattern->source);
    else
        add_lanes(picture->address, pattern->base % LINE_BYTES, pattern->delta);
    add_lanes(destination, pattern->source ? variable_offset(profile, pattern) + pattern->base : 0,
              pattern->delta);
    Access access =
        access_of(site, pattern, SPACE_GLOBAL, pattern->source ? destination : picture->address,
                  pattern->source ? picture->address : NULL);
    if (is_copy(&access) && !access.source)
        return false;
    GlobalCost cost = mem_global(&access);
    picture->cost = cost.sectors;
    picture->ideal = cost.ideal;
    return true;
}

/* ---- the evidence of a site ---- */

typedef struct Cost {
    uint32_t cost, excess;
} Cost;

static Cost cost_of(const Profile *profile, const AccessPattern *pattern) {
    uint64_t address[WARP_LANES];
    Access access;
    Picture picture;
    Cost cost = {0};
    uint32_t ideal = 0;
    if (shared_access(profile, pattern, address, &access)) {
        SharedCost shared = mem_shared(&access);
        cost.cost = shared.wavefronts;
        ideal = shared.ideal;
    } else if (picture_sectors(profile, pattern, &picture)) {
        cost.cost = picture.cost;
        ideal = picture.ideal;
    }
    cost.excess = cost.cost > ideal ? cost.cost - ideal : 0;
    return cost;
}

SiteEvidence *evidence_of_sites(Arena *arena, const Profile *profile, uint32_t launch) {
    const ProfKernel *kernel = profile_kernel(profile, launch);
    SiteEvidence *evidence = NEW_ARRAY(arena, SiteEvidence, kernel->site_count);
    uint64_t *worst = NEW_ARRAY(arena, uint64_t, kernel->site_count);
    uint32_t count;
    const AccessPattern *patterns = launch_patterns(profile, launch, &count);
    for (uint32_t i = 0; i < count; i++) {
        const AccessPattern *pattern = &patterns[i];
        SiteEvidence *of = &evidence[pattern->site - kernel->first_site];
        uint64_t excess = pattern->count * cost_of(profile, pattern).excess;
        if (!of->worst || excess > worst[of - evidence] ||
            (excess == worst[of - evidence] && pattern->count > of->worst->count)) {
            of->worst = pattern;
            worst[of - evidence] = excess;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const AccessPattern *pattern = &patterns[i];
        SiteEvidence *of = &evidence[pattern->site - kernel->first_site];
        of->recorded += pattern->count;
        if (cost_of(profile, pattern).cost == cost_of(profile, of->worst).cost)
            of->alike += pattern->count;
    }
    return evidence;
}

/* ---- another layout ---- */

/* Whether all bytes of a lane stay together and aligned. */
static bool moves_whole(const Layout *layout, uint64_t offset, uint32_t width, uint64_t *moved) {
    *moved = layout_offset(layout, offset);
    return layout_offset(layout, offset + width - 1) == *moved + width - 1 && *moved % width == 0;
}

/* The bytes of a lane's access that stay together: its first piece, and how many there are. */
static MergedPiece first_piece(const Site *site, const Layout *layout, uint32_t *pieces) {
    MergedPiece list[LAYOUT_PIECES];
    MergedAccess merged = {site->width, site->merged_element, site->merged_used};
    *pieces = 1;
    if (!site->merged_used)
        return (MergedPiece){0, site->width};
    *pieces = layout_split(layout, &merged, site->access == ACCESS_LOAD, list);
    return *pieces ? list[0] : (MergedPiece){0};
}

bool picture_with(const Profile *profile, const AccessPattern *pattern, const Layout *layout,
                  Picture *picture, uint32_t *pieces) {
    uint64_t address[WARP_LANES];
    Access access;
    const Site *site = &profile->sites.at[pattern->site];
    if (!shared_access(profile, pattern, address, &access) || pattern->variable == NONE)
        return false;
    uint64_t array = variable_offset(profile, pattern);
    MergedPiece piece = first_piece(site, layout, pieces);
    if (!piece.bytes)
        return false;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t moved;
        if (!(access.mask >> lane & 1))
            continue;
        if (!moves_whole(layout, address[lane] - array + piece.first, piece.bytes, &moved))
            return false;
        address[lane] = array + moved;
    }
    access.width = piece.bytes;
    *picture = picture_of(&access);
    picture->pattern = pattern;
    return true;
}
