/* Turns that are counted, not executed. */
#include "exec/classes/turn.h"

static void move_lane(const Warp *warp, RegisterAt at, uint32_t lane, uint64_t by) {
    if (at.class == 1)
        reg32(warp, at.offset)[lane] += (uint32_t)by;
    else if (at.class == 2)
        reg64(warp, at.offset)[lane] += by;
}

/* What is written anew in each turn is not known here. */
static void move_registers(Follower *follower, Warp *warp, const Then *then, uint64_t times) {
    const Turns *turns = follower->turns;
    Shadow *shadow = shadow_of(follower, warp);
    for (uint32_t r = 0; r < turns->registers.count; r++) {
        RegisterAt at = turns->registers.at[r];
        uint32_t anew = then->written[at.offset / 4] & ~then->exposed[at.offset / 4] & warp->live;
        for_lanes(lane, warp->live & ~anew)
            move_lane(warp, at, lane, (uint64_t)step_of(then, at, lane) * times);
        if (anew)
            shadow_set(follower, warp, shadow, at.offset, anew, FORM_DATA);
    }
    uint64_t executed = (warp->executed - then->executed) * times;
    warp->executed += executed;
    warp->look_at += executed;
    warp->looked_at += executed;
}

static void count_more(Follower *follower, Worker *worker, uint64_t times) {
    const Turns *turns = follower->turns;
    for (uint32_t s = 0; s < follower->program->site_count; s++)
        for (uint32_t i = 0; i < COUNTER_COUNT; i++)
            worker->account.sites[s].sum.at[i] +=
                (worker->account.sites[s].sum.at[i] - turns->counters[s].at[i]) * times;
    for (uint32_t b = 0; b < follower->program->block_count; b++) {
        BlockCount *count = &worker->block_counts[b];
        count->warps += (count->warps - turns->blocks[b].warps) * times;
        count->lanes += (count->lanes - turns->blocks[b].lanes) * times;
    }
    worker->clock += (worker->clock - turns->clock) * times;
}

static void record_more(Follower *follower, const Cta *cta, uint64_t times) {
    Turns *turns = follower->turns;
    Account *account = &cta->worker->account;
    VEC(Again) bytes = {0};
    for (uint32_t i = 0; i < turns->log.count; i++) {
        Logged *one = &turns->log.at[i];
        Again spans[AGAIN_MOST] = {{one->bytes, 0, one->stored, 0}};
        int64_t step;
        uint32_t moves = linear_still(follower->forms, one->moves, &step);
        if (account->transcript)
            transcript_move(account->transcript, moves);
        uint32_t count = one->site == NO_SITE ? 1 : 0;
        spans[0].step = step;
        if (one->site != NO_SITE && one->access.space != SPACE_GENERIC) {
            one->access.address = one->address;
            one->access.source = one->access.source ? one->source : NULL;
            evidence_record_again(account->evidence, one->site, &one->access, times, step);
            count = bytes_of_access(&one->access, step, spans);
        }
        for (uint32_t s = 0; step && s < count; s++) {
            spans[s].moves = account->transcript ? moves : 0;
            *vec_add(turns->arena, &bytes) = spans[s];
        }
    }
    bytes_again(account, cta->record, bytes.at, bytes.count, times);
}

void turn_jump(Follower *follower, Cta *cta, uint64_t times) {
    const Turns *turns = follower->turns;
    count_more(follower, cta->worker, times);
    record_more(follower, cta, times);
    for_parts(warp, cta) move_registers(follower, warp, &turns->then[warp->number], times);
}
