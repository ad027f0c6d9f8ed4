/* Where turns begin and end. */
#include "exec/classes/turn.h"

#include <string.h>

/* Rounds of a turn. At first data may still be on their way; buffers take turns in twos, threes, fours. */
static uint32_t period_of(const Loop *loop) {
    static const uint8_t tried[FAILURES_MOST] = {1, 1, 2, 3, 4, 6, 8, 5};
    return loop->failures < FAILURES_MOST ? tried[loop->failures] * loop->times : UINT32_MAX;
}

/* ---- what there is ---- */

static void add_register(Turns *turns, bool *has, RegisterAt at) {
    if (!has[at.offset / 4])
        *vec_add(turns->arena, &turns->registers) = at;
    has[at.offset / 4] = true;
}

static void find_registers(Turns *turns, const Program *program, const Meaning *meanings) {
    bool *has = NEW_ARRAY(turns->arena, bool, program->register_bytes / 4 + 1);
    for (uint32_t i = 0; i < program->routines[0].function->insns.count; i++) {
        const Meaning *meaning = &meanings[i];
        const Code *code = &program->code[i];
        for (uint32_t r = 0; r < meaning->reads.count; r++)
            add_register(turns, has, meaning->reads.at[r]);
        for (uint32_t r = 0; r < meaning->writes.count; r++)
            add_register(turns, has, meaning->writes.at[r]);
        if (code->guard != NO_OPERAND)
            add_register(turns, has, (RegisterAt){code->guard, 0});
        /* Phases go on from turn to turn. */
        turns->possible &= !op_has(code->insn->op, TRAIT_MBARRIER);
    }
}

/* Basic blocks that are entered from behind. */
static void find_headers(Turns *turns, const Program *program) {
    turns->is_header = NEW_ARRAY(turns->arena, bool, program->code_count + 1);
    for (uint32_t b = 0; b < program->block_count; b++)
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t to = program->blocks[b].successor[i];
            const Code *first = to <= b ? &program->code[program->blocks[to].first] : NULL;
            if (first && !op_has(first->insn->op, TRAIT_WAITS | TRAIT_CONVERGENT | TRAIT_BARRIER))
                turns->is_header[program->blocks[to].first] = true;
        }
}

Turns *turns_new(Arena *arena, const Run *run, const Meaning *meanings) {
    const Program *program = run->program;
    Turns *turns = NEW(arena, Turns);
    turns->arena = arena;
    turns->possible = run->cluster_size == 1 && !run->caches;
    find_registers(turns, program, meanings);
    find_headers(turns, program);
    turns->counters = NEW_ARRAY(arena, Counters, program->site_count + 1);
    turns->blocks = NEW_ARRAY(arena, BlockCount, program->block_count + 1);
    return turns;
}

bool turns_found(const Turns *turns) {
    return turns->found;
}

static Then *then_of(Follower *follower, const Warp *warp) {
    Turns *turns = follower->turns;
    uint32_t bytes = follower->program->register_bytes, words = bytes / 4 + 1;
    if (!turns->then)
        turns->then = NEW_ARRAY(turns->arena, Then, follower->warps);
    Then *then = &turns->then[warp->number];
    if (then->before)
        return then;
    then->before = arena_alloc_aligned(turns->arena, bytes, 64);
    then->begun = arena_alloc_aligned(turns->arena, bytes, 64);
    then->whole = NEW_ARRAY(turns->arena, FormId, words);
    then->lanes = NEW_ARRAY(turns->arena, FormId *, words);
    then->written = NEW_ARRAY(turns->arena, uint32_t, words);
    then->exposed = NEW_ARRAY(turns->arena, uint32_t, words);
    return then;
}

/* ---- the beginning of a turn ---- */

static void keep_registers(Follower *follower, const Cta *cta) {
    Turns *turns = follower->turns;
    for_parts(warp, cta) {
        Then *then = then_of(follower, warp);
        memcpy(then->before, warp->registers, follower->program->register_bytes);
        then->live = warp->live;
    }
}

static void keep_forms(Follower *follower, Then *then, const Shadow *shadow) {
    Turns *turns = follower->turns;
    for (uint32_t r = 0; r < turns->registers.count; r++) {
        uint32_t at = turns->registers.at[r].offset / 4;
        then->whole[at] = shadow->whole[at];
        if (shadow->whole[at] != FORM_MIXED)
            continue;
        if (!then->lanes[at])
            then->lanes[at] = NEW_ARRAY(turns->arena, FormId, WARP_LANES);
        memcpy(then->lanes[at], shadow->lanes[at], WARP_LANES * sizeof(FormId));
    }
}

static void set_turning(Follower *follower, const Warp *warp, const Then *then, Shadow *shadow,
                        RegisterAt at) {
    int64_t step = step_of(then, at, (uint32_t)__builtin_ctz(warp->live));
    bool alike = shadow->whole[at.offset / 4] != FORM_MIXED;
    for_lanes(lane, warp->live) alike &= step_of(then, at, lane) == step;
    if (alike) {
        FormId id = form_turning(follower->forms, shadow->whole[at.offset / 4], step);
        shadow_set(follower, warp, shadow, at.offset, warp->live, id);
        return;
    }
    for_lanes(lane, warp->live) {
        FormId id = form_turning(follower->forms, form_then(then, at.offset, lane),
                                 step_of(then, at, lane));
        shadow_set(follower, warp, shadow, at.offset, 1u << lane, id);
    }
}

static void note_counts(Follower *follower, const Worker *worker) {
    Turns *turns = follower->turns;
    for (uint32_t s = 0; s < follower->program->site_count; s++)
        turns->counters[s] = worker->account.sites[s].sum;
    memcpy(turns->blocks, worker->block_counts,
           follower->program->block_count * sizeof *turns->blocks);
    turns->clock = worker->clock;
    turns->log.count = 0;
}

/* false: warps are otherwise than when the turn before began. */
static bool begin_proof(Follower *follower, const Cta *cta) {
    Turns *turns = follower->turns;
    uint32_t words = follower->program->register_bytes / 4 + 1;
    for_parts(warp, cta) if (warp->live != then_of(follower, warp)->live) return false;
    for_parts(warp, cta) {
        Then *then = then_of(follower, warp);
        Shadow *shadow = shadow_of(follower, warp);
        memcpy(then->begun, warp->registers, follower->program->register_bytes);
        memset(then->written, 0, words * sizeof *then->written);
        memset(then->exposed, 0, words * sizeof *then->exposed);
        then->carry = warp->carry;
        then->executed = warp->executed;
        keep_forms(follower, then, shadow);
        for (uint32_t r = 0; r < turns->registers.count; r++)
            set_turning(follower, warp, then, shadow, turns->registers.at[r]);
    }
    note_counts(follower, cta->worker);
    return true;
}

/* ---- within ---- */

void turns_step(Follower *follower, const Warp *warp, const Code *code, const Meaning *meaning,
                uint32_t lanes, uint32_t mask) {
    Turns *turns = follower->turns;
    if (turns->stage != STAGE_PROVES || !takes_part(turns, warp))
        return;
    Then *then = &turns->then[warp->number];
    uint32_t reading = op_has(code->insn->op, TRAIT_CONVERGENT) ? warp->live : lanes;
    for (uint32_t i = 0; i < meaning->reads.count; i++) {
        uint32_t at = meaning->reads.at[i].offset / 4;
        then->exposed[at] |= reading & ~then->written[at];
    }
    if (code->guard != NO_OPERAND)
        then->exposed[code->guard / 4] |= lanes & ~then->written[code->guard / 4];
    for (uint32_t i = 0; i < meaning->writes.count; i++)
        then->written[meaning->writes.at[i].offset / 4] |= mask;
}

static Logged *log_add(Follower *follower, const Account *account) {
    Turns *turns = follower->turns;
    if (account->transcript)
        transcript_move(account->transcript, turns_moves(follower, follower->moves));
    if (turns->stage != STAGE_PROVES || !follower->following)
        return NULL;
    Logged *one = vec_add(turns->arena, &turns->log);
    one->moves = follower->moves;
    return one;
}

void follow_record(Warp *warp, uint32_t site, const Access *access) {
    Logged *one = log_add(warp->worker->follower, &warp->worker->account);
    if (!one)
        return;
    one->site = site;
    one->access = *access;
    for_lanes(lane, access->mask) {
        one->address[lane] = access->address[lane];
        one->source[lane] = access->source ? access->source[lane] : 0;
    }
}

void follow_record_range(Warp *warp, uint64_t address, uint64_t bytes, bool stored) {
    Logged *one = log_add(warp->worker->follower, &warp->worker->account);
    if (!one)
        return;
    one->site = NO_SITE;
    one->bytes = (Extent){address, bytes};
    one->stored = stored;
}

/* ---- moments ---- */

static void stop(Follower *follower, const Cta *cta, bool failed) {
    Turns *turns = follower->turns;
    if (turns->stage == STAGE_PROVES) {
        turn_settle(follower, 0);
        turn_still(follower, cta);
    }
    if (turns->stage != STAGE_IDLE && failed)
        turns->loop->failures++;
    turns->stage = STAGE_IDLE;
}

static void end_proof(Follower *follower, Cta *cta) {
    Turns *turns = follower->turns;
    Loop *loop = turns->loop;
    uint64_t rounds, last;
    bool good = turn_goes_on(follower, cta);
    last = turn_reach(follower, &rounds);
    if (!good || rounds > 1 || last < 2 || last == UINT64_MAX) {
        stop(follower, cta, !good || rounds == 1);
        if (good && loop->times * rounds > PERIOD_MOST)
            loop->failures = FAILURES_MOST;
        else if (good)
            loop->times *= (uint32_t)rounds;
        return;
    }
    turn_settle(follower, last);
    turn_still(follower, cta);
    turn_jump(follower, cta, last - 1);
    turns->stage = STAGE_IDLE;
    turns->found = true;
    loop->failures = 0;
}

static Loop *loop_of(Turns *turns, uint64_t key, uint64_t warp) {
    Loop *loop = &turns->loops[key * UINT64_C(0x9e3779b97f4a7c15) >> 58];
    if (loop->key != key && turns->stage != STAGE_IDLE && turns->loop == loop)
        return NULL;
    if (loop->key != key)
        *loop = (Loop){.key = key, .times = 1};
    if (loop->block != turns->block || loop->warp != warp)
        loop->visits = 0;
    loop->block = turns->block;
    loop->warp = warp;
    return loop;
}

/* warp: whose loop it is; NULL: all of the block are there. */
static void moment(Follower *follower, Cta *cta, const Warp *warp, uint64_t key) {
    Turns *turns = follower->turns;
    Loop *loop = loop_of(turns, key, warp ? warp->number : 0);
    if (!loop || loop->failures >= FAILURES_MOST)
        return;
    loop->visits++;
    if (turns->stage != STAGE_IDLE && turns->loop != loop) {
        bool outer = warp && !turns->of_block && key < turns->loop->key;
        uint32_t most = OTHERS_MOST * (turns->of_block ? cta->warp_count : 1);
        if (!outer && turns->others++ < most)
            return;
        stop(follower, cta, !outer);
    }
    turns->others = 0;
    if (turns->stage == STAGE_IDLE) {
        if (loop->visits < 2)
            return;
        turns->loop = loop;
        turns->of_block = !warp;
        turns->warp = warp;
        turns->rounds = 0;
        turns->stage = STAGE_MEASURES;
        keep_registers(follower, cta);
        return;
    }
    if (++turns->rounds < period_of(loop))
        return;
    turns->rounds = 0;
    if (turns->stage == STAGE_PROVES)
        end_proof(follower, cta);
    else if (begin_proof(follower, cta))
        turns->stage = STAGE_PROVES;
    else
        stop(follower, cta, true);
}

void turns_begin(Follower *follower) {
    follower->turns->block++;
    follower->turns->stage = STAGE_IDLE;
}

void turns_end(Follower *follower) {
    Turns *turns = follower->turns;
    if (turns->stage == STAGE_PROVES)
        turn_settle(follower, 0);
    turns->stage = STAGE_IDLE;
}

void follow_enter(Warp *warp, const Code *code) {
    Follower *follower = warp->worker->follower;
    Turns *turns = follower->turns;
    if (!follower->following || !turns->possible)
        return;
    if (turns->stage != STAGE_IDLE && !turns->of_block && turns->warp != warp)
        stop(follower, warp->cta, false);
    const uint64_t at = (uint64_t)(code - follower->program->code);
    if (turns->is_header[at] && warp->path_count == 1)
        moment(follower, warp->cta, warp, 1 + at);
}

void follow_release(Cta *cta) {
    Follower *follower = cta->worker->follower;
    Turns *turns = follower->turns;
    uint64_t key = 0;
    if (!follower->following || !turns->possible)
        return;
    if (turns->stage != STAGE_IDLE && !turns->of_block)
        stop(follower, cta, true);
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        const Warp *warp = &cta->warps[i];
        const Path *path = &warp->paths[0];
        if (warp->live && (warp->path_count > 1 || !path->released))
            return;
        key = (key ^ (warp->live ? path->pc + 1 : 0)) * UINT64_C(0x9e3779b97f4a7c15);
        key ^= key >> 29;
    }
    moment(follower, cta, NULL, key | UINT64_C(1) << 63);
}
