/* What a recorded access costs with another layout of its array. */
#include "fix/fix.h"

/* All bytes of a lane stay together and aligned. */
static bool survives(const Layout *layout, uint64_t offset, uint32_t width) {
    uint64_t at = layout_offset(layout, offset);
    return layout_offset(layout, offset + width - 1) == at + width - 1 && at % width == 0;
}

static bool price_piece(const Use *use, uint64_t array_offset, const Layout *layout, uint32_t first,
                        uint32_t width, SharedCost *sum) {
    const AccessPattern *pattern = use->pattern;
    uint64_t address[WARP_LANES] = {0};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t offset = pattern->base + (uint64_t)pattern->delta[lane] + first;
        if (!(pattern->mask >> lane & 1))
            continue;
        if (!survives(layout, offset, width))
            return false;
        address[lane] = array_offset + layout_offset(layout, offset);
    }
    Access access = {.kind = (AccessKind)use->site->access,
                     .space = SPACE_SHARED,
                     .width = width,
                     .mask = pattern->mask,
                     .matrices = use->site->matrices,
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
