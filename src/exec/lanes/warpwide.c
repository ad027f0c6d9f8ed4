/* Operations over the lanes of a warp: shuffles, votes, match, redux, activemask, elect
 * (PTX ISA 9.7.9.5-6, 9.7.13). The .sync forms wait for all lanes of their member mask. */
#include "exec/decode/operands.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/ops_float.h"
#include "exec/run/watch.h"
#include "exec/tier/tier.h"

/* The member mask of the first of these lanes: the same in all that it names. */
static uint32_t members_of(const Warp *warp, uint32_t offset, uint32_t mask) {
    return reg32(warp, offset)[__builtin_ctz(mask)];
}

/* The register of the member mask of a .sync operation, by row. */
static uint32_t members_at(const Code *code) {
    switch (code->insn->op) {
    case OP_shfl_sync:
        return code->e;
    case OP_bar_warp_sync:
    case OP_machine_collective:
    case OP_elect:
        return code->a;
    default: /* vote, match, redux */
        return code->b;
    }
}

/* Lanes that the mask of their own operation does not name. */
static void tell_unnamed(const Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *members = reg32(warp, members_at(code));
    uint32_t unnamed = 0;
    for_lanes(lane, mask) unnamed |= ~members[lane] & 1u << lane;
    if (unnamed && !code->insn->machine)
        watch_event(warp, code, EVENT_NOT_NAMED, unnamed, 0, members[__builtin_ctz(unnamed)]);
}

static bool together(Warp *warp, const Code *code, uint32_t *mask) {
    uint32_t members = members_of(warp, members_at(code), *mask);
    bool now = path_together(warp, warp->current, code, mask, members);
    if (now && watched(warp))
        tell_unnamed(warp, code, *mask);
    return now;
}

/* Computes an operation for some lanes that execute it together; members: all that it is for. */
typedef void (*Collective)(Warp *warp, const Code *code, uint32_t lanes, uint32_t members);

/* Lanes with different member masks may execute an operation at once, as the groups of a
 * labeled_partition do: then it is done for each group on its own. */
static Step in_groups(Warp *warp, const Code *code, uint32_t mask, Collective compute) {
    if (!together(warp, code, &mask))
        return STEP_WAIT;
    while (mask) {
        uint32_t members = members_of(warp, members_at(code), mask);
        uint32_t lanes = mask & members ? mask & members : mask & (0u - mask);
        compute(warp, code, lanes, members);
        mask &= ~lanes;
    }
    return STEP_NEXT;
}

static Step shuffle(Warp *warp, const Code *code, uint32_t mask) {
    const Execute *built = code->more;
    return (*built)(warp, code, mask);
}

static Step exec_shfl(Warp *warp, const Code *code, uint32_t mask) {
    return shuffle(warp, code, mask);
}

static Step exec_shfl_sync(Warp *warp, const Code *code, uint32_t mask) {
    if (!together(warp, code, &mask))
        return STEP_WAIT;
    return shuffle(warp, code, mask);
}

static void vote(Warp *warp, const Code *code, uint32_t mask, uint32_t members) {
    uint32_t yes = read_pred(warp, code, code->a, 0) & mask & members;
    uint32_t voters = mask & members;
    bool result = false;
    switch (code->mods.func) {
    case FUNC_ALL:
        result = yes == voters;
        break;
    case FUNC_ANY:
        result = yes != 0;
        break;
    case FUNC_UNI:
        result = yes == 0 || yes == voters;
        break;
    default: {
        uint32_t *d = reg32(warp, code->d);
        for_lanes(lane, mask) d[lane] = yes;
        return;
    }
    }
    write_pred(warp, code->d, mask, result ? FULL_MASK : 0);
}

static Step exec_vote(Warp *warp, const Code *code, uint32_t mask) {
    vote(warp, code, mask, FULL_MASK);
    return STEP_NEXT;
}

static Step exec_vote_sync(Warp *warp, const Code *code, uint32_t mask) {
    return in_groups(warp, code, mask, vote);
}

/* Each lane gets the votes of its own member mask: programs pass masks that differ from lane to lane,
 * and the machine code masks the warp's ballot lane by lane. */
static Step exec_ballot_sync(Warp *warp, const Code *code, uint32_t mask) {
    if (!together(warp, code, &mask))
        return STEP_WAIT;
    uint32_t yes = read_pred(warp, code, code->a, 0) & mask;
    const uint32_t *members = reg32(warp, code->b);
    uint32_t *d = reg32(warp, code->d);
    for_lanes(lane, mask) d[lane] = yes & members[lane];
    return STEP_NEXT;
}

static uint64_t lane_value(const Warp *warp, const Code *code, uint32_t lane) {
    return code->a_class == 2 ? reg64(warp, code->a)[lane] : reg32(warp, code->a)[lane];
}

static void match(Warp *warp, const Code *code, uint32_t mask, uint32_t members) {
    members &= mask;
    uint32_t result[WARP_LANES] = {0};
    for_lanes(lane, mask) {
        uint64_t value = lane_value(warp, code, lane);
        for_lanes(other, members) {
            if (lane_value(warp, code, other) == value)
                result[lane] |= 1u << other;
        }
    }
    uint32_t *d = reg32(warp, code->d);
    if (code->insn->op == OP_match_any) {
        for_lanes(lane, mask) d[lane] = result[lane];
        return;
    }
    bool same = result[__builtin_ctz(mask)] == members;
    for_lanes(lane, mask) d[lane] = same ? members : 0;
    if (code->d2 != NO_OPERAND)
        write_pred(warp, code->d2, mask, same ? FULL_MASK : 0);
}

static Step exec_match(Warp *warp, const Code *code, uint32_t mask) {
    return in_groups(warp, code, mask, match);
}

static uint32_t reduce(Func func, bool is_signed, uint32_t a, uint32_t b) {
    bool less = is_signed ? (int32_t)b < (int32_t)a : b < a;
    switch (func) {
    case FUNC_ADD:
        return a + b;
    case FUNC_MIN:
        return less ? b : a;
    case FUNC_MAX:
        return less ? a : b;
    case FUNC_AND:
        return a & b;
    case FUNC_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* .f32: of what is no NaN, unless .NaN says that one makes the result a NaN; of NaNs alone, a NaN; -0 < +0. */
static uint32_t reduce_f32(const Mods *mods, uint32_t a, uint32_t b) {
    const float x = f32_of_bits(a), y = f32_of_bits(b);
    const bool greater = mods->func == FUNC_MAX;
    const float result = mods->flags & MOD_NAN ? greater ? max_nan_f32(x, y) : min_nan_f32(x, y)
                         : greater ? max_f32(x, y)
                                               : min_f32(x, y);
    return bits_of_f32(canonical_f32(result));
}

static uint32_t redux_f32(const Mods *mods, const uint32_t a[WARP_LANES], uint32_t members) {
    const uint32_t kept = mods->flags & MOD_ABS ? 0x7fffffff : UINT32_MAX;
    uint32_t result = a[__builtin_ctz(members)] & kept;
    for_lanes(lane, members) result = reduce_f32(mods, result, a[lane] & kept);
    return result;
}

static void redux(Warp *warp, const Code *code, uint32_t mask, uint32_t members) {
    members &= mask;
    const uint32_t *a = reg32(warp, code->a);
    if (members == 0)
        return;
    uint32_t result = a[__builtin_ctz(members)];
    if (code->mods.type == TYPE_F32)
        result = redux_f32(&code->mods, a, members);
    else
        for_lanes(lane, members & (members - 1)) result =
            reduce((Func)code->mods.func, code->mods.type == TYPE_S32, result, a[lane]);
    uint32_t *d = reg32(warp, code->d);
    for_lanes(lane, mask) d[lane] = result;
}

static Step exec_redux(Warp *warp, const Code *code, uint32_t mask) {
    return in_groups(warp, code, mask, redux);
}

static Step exec_activemask(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t *d = reg32(warp, code->d);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        d[lane] = mask & lane_bit[lane] ? mask : d[lane];
    return STEP_NEXT;
}

static Step exec_live(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t *d = reg32(warp, code->d);
    for_lanes(lane, mask) d[lane] = warp->live;
    return STEP_NEXT;
}

bool shuffle_is(const Code *code) {
    return code->full == exec_shfl_sync;
}

/* One lane of the members is chosen: the lowest. */
static void elect(Warp *warp, const Code *code, uint32_t mask, uint32_t members) {
    members &= mask;
    uint32_t leader = members ? (uint32_t)__builtin_ctz(members) : 0;
    if (code->d != NO_OPERAND) {
        uint32_t *d = reg32(warp, code->d);
        for_lanes(lane, mask) d[lane] = leader;
    }
    if (code->d2 != NO_OPERAND)
        write_pred(warp, code->d2, mask, 1u << leader);
}

static Step exec_elect(Warp *warp, const Code *code, uint32_t mask) {
    return in_groups(warp, code, mask, elect);
}

static Step exec_warp_sync(Warp *warp, const Code *code, uint32_t mask) {
    return together(warp, code, &mask) ? STEP_NEXT : STEP_WAIT;
}

/* ---- convergence barriers of machine code ---- */

static Step exec_enter(Warp *warp, const Code *code, uint32_t mask) {
    *barrier_of(warp, code) |= mask;
    return STEP_NEXT;
}

static Step exec_sync(Warp *warp, const Code *code, uint32_t mask) {
    (void)mask;
    return path_sync(warp, warp->current, code) ? STEP_NEXT : STEP_WAIT;
}

static Step exec_break(Warp *warp, const Code *code, uint32_t mask) {
    path_break(warp, warp->current, code, mask);
    return STEP_NEXT;
}

static Step exec_save(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t *d = reg32(warp, code->d);
    for_lanes(lane, mask) d[lane] = *barrier_of(warp, code);
    return STEP_NEXT;
}

static Step exec_restore(Warp *warp, const Code *code, uint32_t mask) {
    *barrier_of(warp, code) = reg32(warp, code->b)[__builtin_ctz(mask)];
    return STEP_NEXT;
}

static Step exec_yield(Warp *warp, const Code *code, uint32_t mask) {
    (void)code;
    (void)mask;
    return path_yield(warp, warp->current) ? STEP_YIELD : STEP_NEXT;
}

static Execute function_of(Op op) {
    switch (op) {
    case OP_shfl:
        return exec_shfl;
    case OP_shfl_sync:
        return exec_shfl_sync;
    case OP_vote:
    case OP_ballot:
        return exec_vote;
    case OP_vote_sync:
        return exec_vote_sync;
    case OP_ballot_sync:
        return exec_ballot_sync;
    case OP_match_any:
    case OP_match_all:
        return exec_match;
    case OP_redux:
        return exec_redux;
    case OP_activemask:
        return exec_activemask;
    case OP_machine_live:
        return exec_live;
    case OP_elect:
        return exec_elect;
    case OP_bar_warp_sync:
    case OP_machine_collective:
        return exec_warp_sync;
    case OP_machine_enter:
        return exec_enter;
    case OP_machine_sync:
        return exec_sync;
    case OP_machine_save:
        return exec_save;
    case OP_machine_restore:
        return exec_restore;
    case OP_machine_yield:
        return exec_yield;
    case OP_machine_break:
        return exec_break;
    default:
        return NULL;
    }
}

bool warpwide_decode(Decoding *decoding, const Insn *insn, Code *code) {
    code->full = code->some = function_of(insn->op);
    if (code->full == exec_shfl || code->full == exec_shfl_sync) {
        Execute *built = NEW(decoding->arena, Execute);
        *built = ops_shuffle();
        code->more = built;
    }
    code->gathers = code->full == exec_enter || code->full == exec_sync || code->full == exec_break;
    return code->full != NULL;
}
