/* What recorded accesses cost with other layouts of their arrays. */
#include "fix/fix.h"

/* All bytes of a lane stay together and aligned: those that lie in one chunk do. */
static bool survives(const Layout *layout, uint64_t offset, uint32_t width, uint64_t at) {
    return at % width == 0 && layout_offset(layout, offset + width - 1) == at + width - 1;
}

static bool price_piece(const Use *use, uint64_t array_offset, const Layout *layout, uint32_t first,
                        uint32_t width, SharedCost *sum) {
    const AccessPattern *pattern = use->pattern;
    uint64_t address[WARP_LANES] = {0};
    uint32_t chunk = layout_chunk(layout);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t offset = pattern->base + (uint64_t)pattern->delta[lane] + first;
        if (!(pattern->mask >> lane & 1))
            continue;
        uint64_t at = layout_offset(layout, offset);
        if ((width > chunk || offset % width) && !survives(layout, offset, width, at))
            return false;
        address[lane] = array_offset + at;
    }
    Access access = {.kind = (AccessKind)use->site->access,
                     .space = SPACE_SHARED,
                     .width = width,
                     .mask = pattern->mask,
                     .matrices = use->site->matrices,
                     .no_change = pattern->no_change,
                     .address = address,
                     .source = pattern->source ? (const uint64_t *)pattern->source : NULL};
    SharedCost cost = mem_shared(&access);
    sum->wavefronts += cost.wavefronts;
    sum->ideal += cost.ideal;
    sum->conflicts += cost.conflicts;
    return true;
}

bool fix_price(const Use *use, uint64_t array_offset, const Layout *layout, SharedCost *cost) {
    const Site *site = use->site;
    *cost = (SharedCost){0};
    if (!site->merged_used)
        return price_piece(use, array_offset, layout, 0, site->width, cost);
    MergedPiece pieces[LAYOUT_PIECES];
    MergedAccess merged = {site->width, site->merged_element, site->merged_used};
    uint32_t count = layout_split(layout, &merged, site->access == ACCESS_LOAD, pieces);
    for (uint32_t i = 0; i < count; i++)
        if (!price_piece(use, array_offset, layout, pieces[i].first, pieces[i].bytes, cost))
            return false;
    return true;
}

/* ---- a kernel's arrays together ---- */

/* The search prices an array where it lies now. That one that lies elsewhere costs the same is true of
 * accesses to words; where an array of bytes lies within a word matters. */
static uint64_t price_array(const FixScope *scope, uint32_t variable, uint64_t offset,
                            const Layout *layout, const bool *launches) {
    const Profile *profile = scope->profile;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        const Use use = {pattern, &profile->sites.at[pattern->site], pattern->count};
        SharedCost cost;
        if (launches[pattern->launch] && pattern->space == SITE_SHARED &&
            pattern->variable == variable && fix_price(&use, offset, layout, &cost))
            sum += cost.wavefronts * use.count;
    }
    return sum;
}

uint64_t fix_promise(Arena *arena, const FixScope *scope, const ArrayFix *arrays, uint32_t count,
                     const Layout *const *layouts) {
    static const Layout plain = {.kind = LAYOUT_PLAIN};
    const Profile *profile = scope->profile;
    const LaunchRecord *first = &profile->launches.at[scope->launches[0]];
    const ProfKernel *kernel = &profile->kernels.at[first->kernel];
    bool *launches = NEW_ARRAY(arena, bool, profile->launches.count);
    uint64_t cursor = 0, sum = 0;
    for (uint32_t i = 0; i < scope->count; i++)
        launches[scope->launches[i]] = true;
    for (uint32_t v = 0, a = 0; v < kernel->shared.count; v++) {
        const SharedVariable *variable = &kernel->shared.at[v];
        bool accessed = a < count && arrays[a].variable == v;
        const Layout *layout = accessed ? layouts[a] : &plain;
        uint64_t bytes = accessed ? arrays[a].bytes : variable->bytes;
        cursor = layout_place(cursor, variable->align, variable->dynamic);
        if (accessed)
            sum += price_array(scope, v, cursor, layout, launches);
        cursor += layout_bytes(layout, bytes);
        a += accessed;
    }
    return sum;
}
