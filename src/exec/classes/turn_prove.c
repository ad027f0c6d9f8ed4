/* Whether all turns are like the one that was executed, and for how many that holds. */
#include "exec/classes/turn.h"

uint64_t turn_reach(Follower *follower, uint64_t *rounds) {
    uint64_t most = UINT64_MAX;
    *rounds = 1;
    for (uint32_t i = 0; i < follower->wanted.count; i++) {
        const Need *need = &follower->wanted.at[i];
        int64_t factor;
        linear_still(follower->forms, (uint32_t)need->linear, &factor);
        if (!factor)
            continue;
        uint64_t size = factor < 0 ? 0 - (uint64_t)factor : (uint64_t)factor;
        uint64_t times = need->modulus / common_divisor(size, need->modulus);
        uint64_t room = factor < 0 ? 0 - (uint64_t)need->low : (uint64_t)need->high;
        bool bounded = factor < 0 ? need->low != INT64_MIN : need->high != INT64_MAX;
        if (bounded && room / size < most)
            most = room / size;
        if (times > 1 && *rounds <= PERIOD_MOST)
            *rounds = *rounds / common_divisor(*rounds, times) * times;
    }
    return most;
}

static int64_t shifted(int64_t bound, int64_t factor, uint64_t turns) {
    __extension__ typedef __int128 Wide;
    Wide at = (Wide)bound - (Wide)factor * (Wide)turns;
    if (bound == INT64_MIN || bound == INT64_MAX)
        return bound;
    return at < INT64_MIN ? INT64_MIN : at > INT64_MAX ? INT64_MAX : (int64_t)at;
}

void turn_settle(Follower *follower, uint64_t last) {
    Turns *turns = follower->turns;
    VEC(Need) turning = {0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < follower->wanted.count; i++) {
        Need need = follower->wanted.at[i];
        int64_t factor;
        linear_still(follower->forms, (uint32_t)need.linear, &factor);
        follower->wanted_of[need.linear] = factor ? 0 : kept + 1;
        if (factor)
            *vec_add(turns->arena, &turning) = need;
        else
            follower->wanted.at[kept++] = need;
    }
    follower->wanted.count = kept;
    for (uint32_t i = 0; i < turning.count; i++) {
        Need need = turning.at[i];
        int64_t factor;
        need.linear = linear_still(follower->forms, (uint32_t)need.linear, &factor);
        Need later = need;
        later.low = shifted(need.low, factor, last);
        later.high = shifted(need.high, factor, last);
        want(follower, need);
        want(follower, later);
    }
    for (uint32_t i = 0; i < follower->turning.count; i++)
        follower->met[follower->turning.at[i]] = 0;
    follower->turning.count = 0;
}

/* The lane's value is that of the turn's beginning, moved on; what it needs is wanted. */
static bool goes_on(Follower *follower, const Warp *warp, const Then *then, const Shadow *shadow,
                    RegisterAt at, uint32_t lane) {
    FormId was = form_then(then, at.offset, lane), is = shadow_lane(shadow, at.offset, lane);
    if (was == FORM_DATA || is == FORM_DATA)
        return was == is;
    if (at.class == 3)
        return was == is && !(then->written[at.offset / 4] >> lane & 1);
    int64_t step = step_of(then, at, lane);
    FormId expected = form_turning(follower->forms, was, step);
    Form form = form_at(follower->forms, is);
    if (moved(then->begun, warp->registers, at, lane) != step ||
        form_at(follower->forms, expected).linear != form.linear)
        return false;
    if (needs_turn(follower->forms, form.needs))
        want_needs(follower, form.needs);
    return true;
}

static bool register_goes_on(Follower *follower, const Warp *warp, const Then *then,
                             const Shadow *shadow, RegisterAt at) {
    uint32_t anew = then->written[at.offset / 4] & ~then->exposed[at.offset / 4];
    for_lanes(lane, warp->live & ~anew) {
        if (!goes_on(follower, warp, then, shadow, at, lane))
            return false;
    }
    return true;
}

bool turn_goes_on(Follower *follower, const Cta *cta) {
    Turns *turns = follower->turns;
    for_parts(warp, cta) {
        const Then *then = &turns->then[warp->number];
        const Shadow *shadow = shadow_of(follower, warp);
        if (warp->live != then->live || warp->carry != then->carry || shadow->carry > FORM_DATA)
            return false;
        for (uint32_t r = 0; r < turns->registers.count; r++)
            if (!register_goes_on(follower, warp, then, shadow, turns->registers.at[r]))
                return false;
    }
    return follower->gathered <= FORM_DATA && turns->log.count < LOGGED_MOST;
}

void turn_still(Follower *follower, const Cta *cta) {
    Turns *turns = follower->turns;
    for_parts(warp, cta) {
        Shadow *shadow = shadow_of(follower, warp);
        for (uint32_t r = 0; r < turns->registers.count; r++) {
            uint32_t at = turns->registers.at[r].offset / 4;
            if (shadow->whole[at] != FORM_MIXED)
                shadow->whole[at] = form_still(follower->forms, shadow->whole[at]);
            for (uint32_t l = 0; shadow->whole[at] == FORM_MIXED && l < WARP_LANES; l++)
                shadow->lanes[at][l] = form_still(follower->forms, shadow->lanes[at][l]);
        }
        shadow->carry = form_still(follower->forms, shadow->carry);
    }
    follower->gathered = form_still(follower->forms, follower->gathered);
}
