/* The forms of registers. Mostly all lanes of a register have one. */
#include "exec/classes/follow.h"

#include <string.h>

static FormId place_form(const Follower *follower, const Fill *fill) {
    Forms *forms = follower->forms;
    const uint32_t *cluster = follower->run->cluster;
    Term own = {0, 1};
    switch (fill->special) {
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        own.symbol = fill->special - SREG_CTAID_X;
        own.factor = cluster[own.symbol];
        break;
    case SREG_CLUSTERID_X:
    case SREG_CLUSTERID_Y:
    case SREG_CLUSTERID_Z:
        own.symbol = fill->special - SREG_CLUSTERID_X;
        break;
    case SREG_SMID: { /* any function of the place */
        FormId all = FORM_SAME;
        for (uint32_t i = 0; i < PLACES; i++) {
            own.symbol = i;
            all = form_joined(forms, all, form_of(forms, linear_of(forms, &own, 1), 0));
        }
        return all;
    }
    default: /* the place in the cluster */
        return FORM_SAME;
    }
    return form_of(forms, linear_of(forms, &own, 1), 0);
}

void shadow_begin(Follower *follower) {
    const Program *program = follower->program;
    uint32_t words = program->register_bytes / 4;
    uint32_t count = follower->warps * follower->run->cluster_size;
    if (!follower->shadows)
        follower->shadows = NEW_ARRAY(follower->arena, Shadow, count);
    for (uint32_t w = 0; w < count; w++) {
        Shadow *shadow = &follower->shadows[w];
        if (!shadow->whole) {
            shadow->whole = NEW_ARRAY(follower->arena, FormId, words + 1);
            shadow->lanes = NEW_ARRAY(follower->arena, FormId *, words + 1);
        }
        memset(shadow->whole, 0, words * sizeof *shadow->whole);
        shadow->carry = FORM_SAME;
        for (uint32_t i = 0; i < program->block_fills.count; i++) {
            const Fill *fill = &program->block_fills.at[i];
            shadow->whole[fill->offset / 4] = place_form(follower, fill);
        }
    }
}

Shadow *shadow_of(const Follower *follower, const Warp *warp) {
    return &follower->shadows[warp->cta->rank * follower->warps + warp->number];
}

FormId shadow_lane(const Shadow *shadow, uint32_t offset, uint32_t lane) {
    FormId whole = shadow->whole[offset / 4];
    return whole == FORM_MIXED ? shadow->lanes[offset / 4][lane] : whole;
}

void shadow_set(Follower *follower, const Warp *warp, Shadow *shadow, uint32_t offset,
                uint32_t mask, FormId id) {
    uint32_t at = offset / 4;
    if ((mask & warp->live) == warp->live || shadow->whole[at] == id) {
        shadow->whole[at] = id;
        return;
    }
    if (!shadow->lanes[at])
        shadow->lanes[at] = NEW_ARRAY(follower->arena, FormId, WARP_LANES);
    if (shadow->whole[at] != FORM_MIXED)
        for (uint32_t l = 0; l < WARP_LANES; l++)
            shadow->lanes[at][l] = shadow->whole[at];
    shadow->whole[at] = FORM_MIXED;
    for_lanes(lane, mask) shadow->lanes[at][lane] = id;
}

FormId shadow_join(Follower *follower, const Shadow *shadow, uint32_t offset, uint32_t mask) {
    FormId whole = shadow->whole[offset / 4];
    if (whole != FORM_MIXED || !mask)
        return whole == FORM_MIXED ? FORM_SAME : whole;
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    FormId all = shadow_lane(shadow, offset, first);
    for_lanes(lane, mask & (mask - 1)) {
        FormId one = shadow_lane(shadow, offset, lane);
        all = one == all ? all : form_joined(follower->forms, all, one);
    }
    return all;
}
