/* One instruction after the other: what becomes of the forms of registers, and what decides. */
#include "exec/classes/turns.h"
#include "exec/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

static const char by_guard[] = "a guard depends on data";
static const char by_branch[] = "a branch depends on data";
static const char by_address[] = "an address depends on data";
static const char by_operand[] = "what it does depends on data";
static const char by_loop[] = "it is a loop that what memory holds may end";

/* ---- pure operations ---- */

static FormId operand_at(const Shadow *shadow, uint32_t offset, uint32_t lane) {
    return offset == NO_OPERAND ? FORM_SAME : shadow_lane(shadow, offset, lane);
}

static void put(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                uint32_t mask, FormId id) {
    if (code->d != NO_OPERAND)
        shadow_set(follower, warp, shadow, code->d, mask, id);
    if (code->d2 != NO_OPERAND)
        shadow_set(follower, warp, shadow, code->d2, mask, id);
}

static bool is_mixed(const Shadow *shadow, uint32_t offset) {
    return offset != NO_OPERAND && shadow->whole[offset / 4] == FORM_MIXED;
}

/* Lanes whose operands have the same forms as the first one's. */
static uint32_t lanes_alike(const Shadow *shadow, const Code *code, uint32_t mask, FormId in[3]) {
    uint32_t first = (uint32_t)__builtin_ctz(mask), alike = 0;
    const uint32_t offsets[3] = {code->a, code->b, code->c};
    bool mixed = false;
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = operand_at(shadow, offsets[i], first);
        mixed |= is_mixed(shadow, offsets[i]);
    }
    if (!mixed)
        return mask;
    for_lanes(lane, mask) {
        bool same = true;
        for (uint32_t i = 0; i < 3; i++)
            same &= operand_at(shadow, offsets[i], lane) == in[i];
        alike |= (uint32_t)same << lane;
    }
    return alike;
}

/* Most operations are on data, or on what is the same in every block. FORM_MIXED: this one must be looked at. */
static FormId plain(const Shadow *shadow, const Code *code) {
    const uint32_t offsets[3] = {code->a, code->b, code->c};
    FormId all = FORM_SAME;
    for (uint32_t i = 0; i < 3; i++) {
        FormId one = offsets[i] == NO_OPERAND ? FORM_SAME : shadow->whole[offsets[i] / 4];
        if (one == FORM_DATA)
            return FORM_DATA;
        all |= one;
    }
    return all == FORM_SAME ? FORM_SAME : FORM_MIXED;
}

static void pure(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                 const Meaning *meaning, uint32_t mask) {
    FormId known = plain(shadow, code);
    if (known != FORM_MIXED) {
        put(follower, warp, shadow, code, mask, known);
        return;
    }
    FormId result[WARP_LANES];
    uint32_t groups[WARP_LANES], count = 0;
    for (uint32_t rest = mask; rest;) {
        FormId in[3];
        uint32_t group = lanes_alike(shadow, code, rest, in);
        FormId id = transfer(follower, warp, code, meaning, in, group);
        rest &= ~group;
        if (id != FORM_MIXED) {
            groups[count] = group;
            result[count++] = id;
            continue;
        }
        for_lanes(lane, group) {
            groups[count] = 1u << lane;
            result[count++] = transfer(follower, warp, code, meaning, in, 1u << lane);
        }
    }
    for (uint32_t i = 0; i < count; i++) /* operands may be results */
        put(follower, warp, shadow, code, groups[i], result[i]);
}

/* ---- the others ---- */

static void write_all(Follower *follower, const Warp *warp, Shadow *shadow, const Meaning *meaning,
                      uint32_t mask, FormId id) {
    for (uint32_t i = 0; i < meaning->writes.count; i++)
        shadow_set(follower, warp, shadow, meaning->writes.at[i].offset, mask, id);
}

/* An instruction that lanes of other paths may execute with these: what they have then is the one or the other. */
static void write_together(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                           uint32_t offset, uint32_t mask, FormId id) {
    uint32_t others = op_has(code->insn->op, TRAIT_CONVERGENT) ? warp->live & ~mask : 0;
    for_lanes(lane, others) {
        FormId both = form_joined(follower->forms, shadow_lane(shadow, offset, lane), id);
        shadow_set(follower, warp, shadow, offset, 1u << lane, both);
    }
    shadow_set(follower, warp, shadow, offset, mask, id);
}

static FormId join_reads(Follower *follower, const Shadow *shadow, const Registers *reads,
                         uint32_t mask) {
    FormId all = FORM_SAME;
    for (uint32_t i = 0; i < reads->count; i++)
        all = form_joined(follower->forms, all,
                          shadow_join(follower, shadow, reads->at[i].offset, mask));
    return all;
}

/* Vectors, carries: all operands together, as long as they are no data only in some lanes. */
static void many(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                 const Meaning *meaning, uint32_t mask) {
    bool carries = op_has(code->insn->op, TRAIT_CARRY);
    bool reads = carries && op_info(code->insn->op)->syntax[3] == 'c'; /* addc, subc, madc */
    FormId all = join_reads(follower, shadow, &meaning->reads, mask);
    if (reads || (carries && mask != warp->live))
        all = form_joined(follower->forms, all, shadow->carry);
    if (carries)
        shadow->carry = all;
    write_all(follower, warp, shadow, meaning, mask, all);
}

/* Of an instruction that all lanes execute: these. */
static uint32_t lanes_of(const Warp *warp, const Code *code, uint32_t mask) {
    return op_has(code->insn->op, TRAIT_CONVERGENT) ? warp->live : mask;
}

static void together(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                     const Meaning *meaning, uint32_t mask) {
    FormId all = join_reads(follower, shadow, &meaning->reads, warp->live);
    for (uint32_t i = 0; i < meaning->writes.count; i++)
        write_together(follower, warp, shadow, code, meaning->writes.at[i].offset, mask, all);
}

/* What lanes that have exited hold is nobody's: their forms are not kept. */
static bool gives_from_live(const Warp *warp, const Code *code, uint32_t mask) {
    uint8_t from[WARP_LANES];
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint32_t b = reg32(warp, code->b)[first], c = reg32(warp, code->c)[first];
    if (warp->live == FULL_MASK)
        return true;
    for_lanes(lane, mask) if (reg32(warp, code->b)[lane] != b ||
                              reg32(warp, code->c)[lane] != c) return false;
    shuffle_lanes(code, b, c, from);
    for_lanes(lane, mask) if (!(warp->live >> (from[lane] & 31) & 1)) return false;
    return true;
}

/* Lanes that have one form give it to each other. */
static void shuffle(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                    uint32_t mask) {
    FormId whole = shadow->whole[code->a / 4];
    const uint32_t offsets[3] = {code->b, code->c, code->e};
    FormId by = FORM_SAME;
    for (uint32_t i = 0; i < 3; i++)
        if (offsets[i] != NO_OPERAND)
            by = form_joined(follower->forms, by,
                             shadow_join(follower, shadow, offsets[i], warp->live));
    if (whole == FORM_MIXED)
        whole = shadow_join(follower, shadow, code->a, warp->live);
    else if (by != FORM_SAME)
        whole = form_pinned(follower->forms, whole);
    FormId all = by == FORM_SAME ? whole : form_joined(follower->forms, whole, by);
    if (!gives_from_live(warp, code, mask))
        all = FORM_DATA;
    if (code->d != NO_OPERAND)
        write_together(follower, warp, shadow, code, code->d, mask, all);
    if (code->d2 != NO_OPERAND) /* whether the lane is there */
        write_together(follower, warp, shadow, code, code->d2, mask, by);
}

/* What a barrier gives to all that came: data once it was data of any of them. */
static bool gather(Follower *follower, const Warp *warp, Shadow *shadow, const Meaning *meaning,
                   uint32_t mask) {
    FormId all = join_reads(follower, shadow, &meaning->reads, mask);
    follower->gathered = form_joined(follower->forms, follower->gathered, all);
    write_all(follower, warp, shadow, meaning, mask, follower->gathered);
    return true;
}

static bool decides(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                    const Meaning *meaning, uint32_t mask) {
    if (!want_same(follower, join_reads(follower, shadow, &meaning->reads, mask)))
        return give_up(follower, code->insn, by_operand);
    write_all(follower, warp, shadow, meaning, mask, FORM_SAME);
    return true;
}

/* ---- accesses ---- */

static uint64_t value_at(const Warp *warp, RegisterAt at, uint32_t lane) {
    return at.class == 2 ? reg64(warp, at.offset)[lane] : reg32(warp, at.offset)[lane];
}

static bool is_global(uint64_t address) {
    return WINDOW_OF(address) == 0 && address >> CLUSTER_SHIFT;
}

/* Of lanes that move alike: how; else they are to stay where they are. */
static bool address_moves(Follower *follower, const Shadow *shadow, RegisterAt at, uint32_t mask,
                          uint32_t *moves) {
    FormId whole = shadow->whole[at.offset / 4];
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    bool alike = true, data = false;
    if (whole == FORM_MIXED) {
        whole = shadow_lane(shadow, at.offset, first);
        for_lanes(lane, mask) {
            FormId one = shadow_lane(shadow, at.offset, lane);
            data |= one == FORM_DATA;
            alike &= data || whole == FORM_DATA ||
                     form_at(follower->forms, one).linear == form_at(follower->forms, whole).linear;
        }
    }
    *moves = 0;
    if (data || whole == FORM_DATA)
        return false;
    if (!alike)
        return want_same(follower, shadow_join(follower, shadow, at.offset, mask));
    for_lanes(lane, mask)
        want_needs(follower, form_at(follower->forms, shadow_lane(shadow, at.offset, lane)).needs);
    *moves = form_at(follower->forms, whole).linear;
    return true;
}

/* Costs stay as they are where all lanes of an access move by lines. In other spaces than global memory addresses
 * mostly are the same in all blocks. */
static bool find_moves(Follower *follower, const Warp *warp, const Shadow *shadow, const Code *code,
                       const Meaning *meaning, uint32_t mask) {
    follower->moves = 0;
    for (uint32_t i = 0; i < meaning->addresses.count; i++) {
        RegisterAt at = meaning->addresses.at[i];
        uint32_t moves;
        if (!address_moves(follower, shadow, at, mask, &moves))
            return give_up(follower, code->insn, by_address);
        if (!moves)
            continue;
        bool global = true;
        for_lanes(lane, mask) global &=
            is_global(value_at(warp, at, lane) + (uint64_t)code->offset) &&
            is_global(value_at(warp, at, lane));
        if (!global || (follower->moves && follower->moves != moves)) {
            want(follower, (Need){moves, 0, 0, 1});
            continue;
        }
        want(follower, (Need){moves, INT64_MIN, INT64_MAX, LINE_BYTES});
        follower->moves = moves;
    }
    return true;
}

static bool ends_loops(const Warp *warp, const Code *code, uint32_t mask) {
    RegisterAt at = {code->a, code->a_class};
    if (code->space != SPACE_GENERIC)
        return code->space == SPACE_SHARED;
    for_lanes(lane, mask) if (WINDOW_OF(value_at(warp, at, lane)) == WINDOW_SHARED) return true;
    return false;
}

static bool access_memory(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                          const Meaning *meaning, uint32_t mask) {
    uint32_t lanes = lanes_of(warp, code, mask);
    FormId result = FORM_DATA;
    if (meaning->known) { /* what it loads is what lies there, in every block that loads it there */
        result = FORM_SAME;
        for (uint32_t i = 0; i < meaning->addresses.count; i++)
            result = form_joined(
                follower->forms, result,
                form_pinned(follower->forms,
                            shadow_join(follower, shadow, meaning->addresses.at[i].offset, lanes)));
    }
    if (!find_moves(follower, warp, shadow, code, meaning, lanes))
        return false;
    if (!want_same(follower, join_reads(follower, shadow, &meaning->deciding, lanes)))
        return give_up(follower, code->insn, by_operand);
    if (meaning->loops && ends_loops(warp, code, mask))
        return give_up(follower, code->insn, by_loop);
    write_all(follower, warp, shadow, meaning, lanes, result);
    return true;
}

/* ---- conditions of what was accessed ---- */

static int64_t distance(uint64_t from, uint64_t to) {
    return (int64_t)(to - from);
}

/* All bytes stay in the allocation that they are in. */
static void stay_inside(Follower *follower, const Warp *warp, uint64_t low, uint64_t high,
                        uint64_t width) {
    const MemoryBlock *block = memory_find(warp->worker->launch->memory, low, NULL);
    if (!block)
        return; /* a fault, which ends all */
    want(follower, (Need){follower->moves, distance(low, block->address),
                          distance(high + width, block->address + block->bytes), 1});
}

/* What a block writes is kept, to be put back. */
static void keep(Follower *follower, uint64_t address, uint64_t bytes) {
    if (follower->old_used + bytes > follower->old_size) {
        follower->old_size = 2 * (follower->old_size + bytes) + 4096;
        follower->old = realloc(follower->old, follower->old_size);
        if (!follower->old)
            out_of_memory();
    }
    memcpy(follower->old + follower->old_used, (const void *)(uintptr_t)address, bytes);
    Written *last =
        follower->written.count ? &follower->written.at[follower->written.count - 1] : NULL;
    if (last && last->address + last->bytes == address)
        last->bytes += bytes;
    else
        *vec_add(follower->arena, &follower->written) =
            (Written){address, bytes, follower->old_used};
    follower->old_used += bytes;
}

void follow_access(Warp *warp, Space space, const Touch *touch, uint32_t mask, uint32_t width,
                   bool writes) {
    Follower *follower = warp->worker->follower;
    if (space != SPACE_GLOBAL && space != SPACE_CONST)
        return;
    if (follower->moves && follower->following) {
        bool together = true;
        uint64_t low = UINT64_MAX, high = 0;
        for_lanes(lane, mask) {
            uint64_t at = touch->address[lane];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        const MemoryBlock *block = memory_find(warp->worker->launch->memory, low, NULL);
        together = block && high + width <= block->address + block->bytes;
        if (together)
            stay_inside(follower, warp, low, high, width);
        for_lanes(lane, together ? 0 : mask)
            stay_inside(follower, warp, touch->address[lane], touch->address[lane], width);
    }
    for_lanes(lane, writes ? mask : 0) keep(follower, touch->address[lane], width);
}

void follow_range(Warp *warp, uint64_t address, uint64_t bytes, bool writes) {
    Follower *follower = warp->worker->follower;
    if (follower->moves && follower->following)
        stay_inside(follower, warp, address, address, bytes);
    if (writes)
        keep(follower, address, bytes);
}

/* ---- steps ---- */

/* Which lanes execute it. */
static bool follow_guard(Follower *follower, const Warp *warp, Shadow *shadow, const Code *code,
                         const Meaning *meaning, uint32_t lanes, bool *skip) {
    *skip = false;
    if (code->guard == NO_OPERAND ||
        want_same(follower, shadow_join(follower, shadow, code->guard, lanes)))
        return true;
    if (code->control != CONTROL_NONE)
        return give_up(follower, code->insn, by_branch);
    if (meaning->rule > RULE_DATA && meaning->rule != RULE_NOTHING)
        return give_up(follower, code->insn, by_guard);
    write_all(follower, warp, shadow, meaning, lanes, FORM_DATA);
    return *skip = true;
}

static bool follow_control(Follower *follower, const Shadow *shadow, const Code *code,
                           uint32_t mask) {
    if (code->control != CONTROL_SWITCH || !mask ||
        want_same(follower, shadow_join(follower, shadow, code->a, mask)))
        return true;
    return give_up(follower, code->insn, by_branch);
}

bool follow_step(Warp *warp, const Code *code, uint32_t lanes, uint32_t mask) {
    Follower *follower = warp->worker->follower;
    if (!follower->following)
        return true;
    const Meaning *meaning = &follower->meanings[code - follower->program->code];
    Shadow *shadow = shadow_of(follower, warp);
    bool skip;
    follower->moves = 0;
    turns_step(follower, warp, code, meaning, lanes, mask);
    if (!follow_guard(follower, warp, shadow, code, meaning, lanes, &skip))
        return false;
    if (mask && meaning->rule == RULE_REFUSED)
        return give_up(follower, code->insn, meaning->why);
    if (code->control != CONTROL_NONE)
        return follow_control(follower, shadow, code, mask);
    if (skip || !mask)
        return true;
    switch (meaning->rule) {
    case RULE_MANY:
        many(follower, warp, shadow, code, meaning, mask);
        return true;
    case RULE_DATA:
        write_all(follower, warp, shadow, meaning, lanes_of(warp, code, mask), FORM_DATA);
        return true;
    case RULE_NOTHING:
        write_all(follower, warp, shadow, meaning, mask, FORM_SAME);
        return true;
    case RULE_SHUFFLE:
        shuffle(follower, warp, shadow, code, mask);
        return true;
    case RULE_WARP:
        together(follower, warp, shadow, code, meaning, mask);
        return true;
    case RULE_GATHER:
        return gather(follower, warp, shadow, meaning, mask);
    case RULE_DECIDES:
        return decides(follower, warp, shadow, code, meaning, mask);
    case RULE_ACCESS:
        return access_memory(follower, warp, shadow, code, meaning, mask);
    default:
        pure(follower, warp, shadow, code, meaning, mask);
        return true;
    }
}
