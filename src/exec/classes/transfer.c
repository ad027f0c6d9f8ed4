/* What a pure operation makes of the forms of its operands. Sums and products with constants keep them; quotients,
 * remainders and masks do under conditions; of what is one value for the lanes, anything else is a symbol of its own;
 * and what is left stays the same where its operands do. */
#include "exec/classes/follow.h"

#include <string.h>

/* So far T may go where it is added to and compared with others: sums of three fit into an int64_t. */
#define FAR (INT64_C(1) << 61)

__extension__ typedef __int128 Wide;

typedef struct Side {
    FormId id;
    uint32_t offset, class;
} Side;

typedef struct Work {
    Follower *follower;
    const Warp *warp;
    const Code *code;
    const Meaning *meaning;
    uint32_t mask;
    Side in[3];
} Work;

/* ---- values ---- */

static uint64_t raw(const Work *work, const Side *side, uint32_t lane) {
    return side->class == 2 ? reg64(work->warp, side->offset)[lane]
                            : reg32(work->warp, side->offset)[lane];
}

static Wide value(const Work *work, const Side *side, uint32_t lane) {
    uint64_t bits = raw(work, side, lane);
    if (!work->meaning->is_signed)
        return work->meaning->bits == 32 ? (uint32_t)bits : bits;
    return work->meaning->bits == 32 ? (int32_t)bits : (int64_t)bits;
}

/* One value for all lanes. */
static bool is_uniform(const Work *work, const Side *side) {
    if (side->offset == NO_OPERAND)
        return true;
    if (side->class == 0) {
        uint32_t bits = *reg32(work->warp, side->offset) & work->mask;
        return bits == 0 || bits == work->mask;
    }
    if (side->class == 3)
        return false;
    uint64_t first = raw(work, side, (uint32_t)__builtin_ctz(work->mask));
    for_lanes(lane, work->mask) if (raw(work, side, lane) != first) return false;
    return true;
}

static uint64_t uniform(const Work *work, const Side *side) {
    return raw(work, side, (uint32_t)__builtin_ctz(work->mask));
}

static uint32_t linear_in(const Work *work, const Side *side) {
    return side->id <= FORM_DATA ? 0 : form_at(work->follower->forms, side->id).linear;
}

static uint32_t needs_in(const Work *work, const Side *side) {
    return side->id <= FORM_DATA ? 0 : form_at(work->follower->forms, side->id).needs;
}

/* ---- conditions ---- */

static int64_t clamp(Wide number) {
    return number > FAR ? FAR : number < -FAR ? -FAR : (int64_t)number;
}

/* The values of all lanes stay within their type, or at or above zero. */
static Need unwrapped(const Work *work, const Side *side, bool positive) {
    const Meaning *meaning = work->meaning;
    const Wide one = 1, top = one << (meaning->bits - (meaning->is_signed ? 1 : 0));
    Wide least = top, most = -top;
    for_lanes(lane, work->mask) {
        Wide at = value(work, side, lane);
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    Wide bottom = meaning->is_signed && !positive ? -top : 0;
    return (Need){linear_in(work, side), clamp(bottom - least), clamp(top - 1 - most), 1};
}

static bool all_positive(const Work *work, const Side *side) {
    for_lanes(lane, work->mask) if (value(work, side, lane) < 0) return false;
    return true;
}

/* ---- operations ---- */

static FormId joined(const Work *work) {
    FormId all = FORM_SAME;
    for (uint32_t i = 0; i < 3; i++)
        if (work->in[i].offset != NO_OPERAND)
            all = form_joined(work->follower->forms, all, work->in[i].id);
    return all;
}

static uint32_t all_needs(const Work *work) {
    uint32_t needs = 0;
    for (uint32_t i = 0; i < 3; i++)
        needs = needs_both(work->follower->forms, needs, needs_in(work, &work->in[i]));
    return needs;
}

static bool turns_in(const Work *work, const Side *side) {
    int64_t factor;
    linear_still(work->follower->forms, linear_in(work, side), &factor);
    return factor != 0;
}

/* The operand as the symbol's operation finds it in another block. */
static bool input_of(const Work *work, const Side *side, uint64_t now, SymbolInput *input) {
    int64_t sums[WARP_LANES];
    uint32_t linear = linear_in(work, side);
    uint32_t bad = batch_sums(work->follower->symbols, work->follower->own, linear, sums);
    *input = (SymbolInput){.base = now - (uint64_t)sums[0], .linear = linear, .class = side->class};
    if (side->class == 1)
        input->base = (uint32_t)input->base;
    return !(bad & 1);
}

/* A symbol for the operation on these values of its operands. */
static FormId symbol_for(const Work *work, uint32_t lane, uint32_t needs) {
    enum { PLACE_BYTES = 8 * WARP_LANES };
    const Code *code = work->code;
    Symbol symbol = {.code = *code,
                     .is_signed =
                         code->insn->operand_count && type_is_signed(code->insn->operands[0].type)};
    uint32_t *places[3] = {&symbol.code.a, &symbol.code.b, &symbol.code.c};
    bool good = code->d_class == 1 || code->d_class == 2;
    for (uint32_t i = 0; i < 3; i++) /* which are numbers of the block */
        good &= work->in[i].offset == NO_OPERAND || !turns_in(work, &work->in[i]);
    good &= op_info(code->insn->op)->kind != OP_KIND_OTHER && code->d2 == NO_OPERAND;
    for (uint32_t i = 0; good && i < 3; i++) {
        const Side *side = &work->in[i];
        if (side->offset == NO_OPERAND)
            continue;
        uint64_t now =
            side->class ? raw(work, side, lane) : *reg32(work->warp, side->offset) >> lane & 1;
        good = side->class < 3 && input_of(work, side, now, &symbol.inputs[i]);
        *places[i] = i * PLACE_BYTES;
    }
    symbol.code.d = 3 * PLACE_BYTES;
    symbol.code.guard = NO_OPERAND;
    uint32_t number;
    if (!good || !symbol_of(work->follower->symbols, &symbol, &number))
        return joined(work);
    const Term own = {number, 1};
    return form_of(work->follower->forms, linear_of(work->follower->forms, &own, 1), needs);
}

/* No rule fits: a symbol where the lanes have one value, else the same where the operands are. */
static FormId other(const Work *work) {
    bool moves = false, one = true;
    for (uint32_t i = 0; i < 3; i++) {
        moves |= work->in[i].offset != NO_OPERAND && linear_in(work, &work->in[i]) != 0;
        one &= is_uniform(work, &work->in[i]);
    }
    if (!moves || !one)
        return joined(work);
    return symbol_for(work, (uint32_t)__builtin_ctz(work->mask), all_needs(work));
}

/* The operand in 64 bits: T is the same as long as nothing wraps, which is asked for at once. */
static FormId extended(const Work *work, const Side *side) {
    if (linear_in(work, side))
        want(work->follower, unwrapped(work, side, false));
    return side->id;
}

static FormId product(const Work *work) {
    const Meaning *meaning = work->meaning;
    const Side *moving = linear_in(work, &work->in[0]) ? &work->in[0] : &work->in[1];
    const Side *still = moving == &work->in[0] ? &work->in[1] : &work->in[0];
    Forms *forms = work->follower->forms;
    if (linear_in(work, still))
        return other(work);
    if (!linear_in(work, moving))
        return form_joined(forms, moving->id, still->id);
    if (!is_uniform(work, still))
        return FORM_MIXED;
    uint64_t factor = (uint64_t)value(work, still, (uint32_t)__builtin_ctz(work->mask));
    FormId id = meaning->result > meaning->bits ? extended(work, moving) : moving->id;
    id = form_times(forms, id, factor, meaning->result);
    return form_needing(forms, id, needs_in(work, still));
}

static FormId multiply_add(const Work *work) {
    Forms *forms = work->follower->forms;
    if (linear_in(work, &work->in[0]) && linear_in(work, &work->in[1]))
        return other(work);
    FormId id = product(work);
    return id == FORM_MIXED ? id : form_sum(forms, id, work->in[2].id, 1, work->meaning->result);
}

static FormId shift_left(const Work *work) {
    const Side *by = &work->in[1];
    if (linear_in(work, by))
        return other(work);
    if (!is_uniform(work, by))
        return FORM_MIXED;
    uint64_t bits = uniform(work, by);
    uint64_t factor = bits < work->meaning->bits ? UINT64_C(1) << bits : 0;
    FormId id = form_times(work->follower->forms, work->in[0].id, factor, work->meaning->bits);
    return form_needing(work->follower->forms, id, needs_in(work, by));
}

/* value / by, rounded down: T / by is added where T is a multiple of it. */
static FormId quotient(const Work *work, uint64_t by, bool positive) {
    Forms *forms = work->follower->forms;
    const Side *side = &work->in[0];
    Need need = unwrapped(work, side, positive);
    if (linear_divisible(forms, linear_in(work, side), by)) {
        FormId id = form_divided(forms, side->id, by);
        return form_needing(forms, id, needs_with(forms, needs_in(work, &work->in[1]), need));
    }
    if (is_uniform(work, side) && !turns_in(work, side))
        return other(work);
    need.modulus = by;
    uint32_t needs = needs_with(forms, all_needs(work), need);
    if (turns_in(work, side)) /* how many rounds are a turn that moves it by a multiple */
        return form_needing(forms, joined(work), needs);
    return symbol_for(work, (uint32_t)__builtin_ctz(work->mask), needs);
}

static FormId shift_right(const Work *work) {
    const Side *by = &work->in[1];
    if (linear_in(work, by) || !is_uniform(work, by) ||
        uniform(work, by) >= work->meaning->bits - 2)
        return other(work);
    return quotient(work, UINT64_C(1) << uniform(work, by), false);
}

/* A divisor that rules can take; 0: it is none. */
static uint64_t divisor(const Work *work) {
    const Side *by = &work->in[1];
    if (linear_in(work, by) || !is_uniform(work, by) || !all_positive(work, by) ||
        !all_positive(work, &work->in[0]) || uniform(work, by) > INT64_MAX)
        return 0;
    return uniform(work, by);
}

static FormId divided(const Work *work) {
    uint64_t by = divisor(work);
    return by ? quotient(work, by, true) : other(work);
}

/* Where T is a multiple of the modulus, and the values stay on their side of zero. */
static FormId remainder_of(const Work *work) {
    Forms *forms = work->follower->forms;
    const Side *side = &work->in[0];
    uint64_t by = divisor(work);
    Need need = unwrapped(work, side, true);
    need.modulus = by;
    if (!by || (is_uniform(work, side) && !turns_in(work, side) &&
                !linear_divisible(forms, linear_in(work, side), by)))
        return other(work);
    return form_of(forms, 0, needs_with(forms, all_needs(work), need));
}

static uint64_t ones(uint32_t bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The operand that moves, and the bits that the other one has in any lane. */
static const Side *moving_side(const Work *work, const Side **still, uint64_t *any) {
    const Side *moving = linear_in(work, &work->in[0]) ? &work->in[0] : &work->in[1];
    *still = moving == &work->in[0] ? &work->in[1] : &work->in[0];
    *any = 0;
    for_lanes(lane, work->mask) *any |= raw(work, *still, lane) & ones(work->meaning->bits);
    return linear_in(work, *still) ? NULL : moving;
}

/* T is a multiple of 2^bits: it leaves the lower bits as they are. */
static uint32_t leaving(const Work *work, const Side *side, uint32_t bits) {
    const Need need = {linear_in(work, side), INT64_MIN, INT64_MAX, UINT64_C(1) << bits};
    return needs_with(work->follower->forms, all_needs(work), need);
}

static uint32_t bit_length(uint64_t value) {
    return value ? 64 - (uint32_t)__builtin_clzll(value) : 0;
}

static FormId conjunction(const Work *work) {
    Forms *forms = work->follower->forms;
    const Side *still;
    uint64_t any;
    const Side *moving = moving_side(work, &still, &any);
    if (!moving)
        return other(work);
    if (!linear_in(work, moving))
        return joined(work);
    uint32_t length = bit_length(any);
    uint64_t hole = ~any & ones(work->meaning->bits);
    bool is_high = length == work->meaning->bits && (hole & (hole + 1)) == 0;
    if (is_high && is_uniform(work, still)) /* cuts low bits off */
        return bit_length(hole) > 61 ? joined(work)
                                     : form_of(forms, linear_in(work, moving),
                                               leaving(work, moving, bit_length(hole)));
    bool split = !turns_in(work, moving) &&
                 !linear_divisible(forms, linear_in(work, moving), UINT64_C(1) << (length & 31));
    if (length > 31 || (split && is_uniform(work, &work->in[0]) && is_uniform(work, &work->in[1])))
        return other(work);
    return form_of(forms, 0, leaving(work, moving, length));
}

static FormId disjunction(const Work *work) {
    const Side *still;
    uint64_t any;
    const Side *moving = moving_side(work, &still, &any);
    uint32_t length = bit_length(any);
    Forms *forms = work->follower->forms;
    if (!moving || length > 31)
        return other(work);
    bool split = !turns_in(work, moving) &&
                 !linear_divisible(forms, linear_in(work, moving), UINT64_C(1) << length);
    if (split && is_uniform(work, &work->in[0]) && is_uniform(work, &work->in[1]))
        return other(work);
    return form_of(forms, linear_in(work, moving), leaving(work, moving, length));
}

/* ---- comparisons ---- */

/* For which T the lanes of `below` stay below zero, those of `above` at or above it: the differences are `by`. */
static void keep_order(Need *need, Wide by, bool below) {
    Need one = {need->linear, below ? -FAR : clamp(-by), below ? clamp(-by - 1) : FAR, 1};
    need_meet(need, &one);
}

/* The needs under which a < b (or a <= b) stays as it is in each lane. */
static uint32_t order_needs(const Work *work, bool or_equal, bool *known) {
    Forms *forms = work->follower->forms;
    const Side *a = &work->in[0], *b = &work->in[1];
    uint32_t difference, needs = all_needs(work);
    *known = linear_sum(forms, linear_in(work, a), linear_in(work, b), -1, &difference);
    Need need = {difference, -FAR, FAR, 1};
    for_lanes(lane, work->mask) {
        Wide by = value(work, a, lane) - value(work, b, lane) - (or_equal ? 1 : 0);
        keep_order(&need, by, by < 0);
    }
    needs = needs_with(forms, needs, need);
    needs = needs_with(forms, needs, unwrapped(work, a, false));
    return needs_with(forms, needs, unwrapped(work, b, false));
}

/* The same of a == b, modulo 2^bits. */
static uint32_t equal_needs(const Work *work) {
    Forms *forms = work->follower->forms;
    const uint32_t bits = work->meaning->bits;
    FormId id = form_sum(forms, work->in[0].id, work->in[1].id, -1, bits);
    Form form = form_at(forms, id);
    const int64_t most = bits == 32 ? INT32_MAX : FAR;
    Need need = {form.linear, -most, most, 1};
    for_lanes(lane, work->mask) {
        uint64_t by = raw(work, &work->in[0], lane) - raw(work, &work->in[1], lane);
        int64_t difference = bits == 32 ? (int32_t)by : (int64_t)by;
        Need one = {form.linear, -most, most, 1};
        if (difference == 0)
            one.low = one.high = 0;
        else if (difference > 0) /* it stays above zero, and below 2^(bits-1) */
            one.low = clamp(-(Wide)difference + 1), one.high = clamp(most - (Wide)difference);
        else
            one.high = clamp(-(Wide)difference - 1), one.low = clamp(-most - (Wide)difference);
        need_meet(&need, &one);
    }
    return needs_with(forms, form.needs, need);
}

static FormId comparison(const Work *work) {
    Forms *forms = work->follower->forms;
    const Side *a = &work->in[0], *b = &work->in[1], *third = &work->in[2];
    bool known = true;
    uint32_t needs;
    if (!linear_in(work, a) && !linear_in(work, b))
        return joined(work);
    switch ((Compare)work->code->mods.compare) {
    case CMP_EQ:
    case CMP_NE:
        needs = equal_needs(work);
        break;
    case CMP_LT:
    case CMP_LO:
    case CMP_GE:
    case CMP_HS:
        needs = order_needs(work, false, &known);
        break;
    case CMP_LE:
    case CMP_LS:
    case CMP_GT:
    case CMP_HI:
        needs = order_needs(work, true, &known);
        break;
    default:
        return joined(work);
    }
    if (!known)
        return joined(work);
    FormId id = form_of(forms, 0, needs);
    return third->offset == NO_OPERAND ? id : form_joined(forms, id, third->id);
}

static FormId least(const Work *work) {
    Forms *forms = work->follower->forms;
    const Side *a = &work->in[0], *b = &work->in[1];
    bool known = true;
    if (!linear_in(work, a) && !linear_in(work, b))
        return joined(work);
    uint32_t needs = order_needs(work, false, &known), first = 0;
    if (!known)
        return joined(work);
    for_lanes(lane, work->mask) {
        bool less = value(work, a, lane) < value(work, b, lane);
        first |= (uint32_t)(less != work->meaning->greatest) << lane;
    }
    if (first != 0 && first != work->mask)
        return FORM_MIXED;
    return form_needing(forms, first ? a->id : b->id, needs);
}

static FormId choice(const Work *work) {
    const Side *third = &work->in[2];
    uint32_t yes = read_pred(work->warp, work->code, third->offset, 2) & work->mask;
    if (yes != 0 && yes != work->mask)
        return FORM_MIXED;
    FormId id = yes ? work->in[0].id : work->in[1].id;
    return form_needing(work->follower->forms, id, needs_in(work, third));
}

static FormId converted(const Work *work) {
    const Meaning *meaning = work->meaning;
    const Side *side = &work->in[0];
    if (meaning->result < meaning->bits)
        return form_narrowed(work->follower->forms, side->id);
    return meaning->result > meaning->bits ? extended(work, side) : side->id;
}

FormId transfer(Follower *follower, const Warp *warp, const Code *code, const Meaning *meaning,
                const FormId in[3], uint32_t mask) {
    const Work work = {follower,
                       warp,
                       code,
                       meaning,
                       mask,
                       {{in[0], code->a, code->a_class},
                        {in[1], code->b, code->b_class},
                        {in[2], code->c, code->c_class}}};
    if (in[0] == FORM_DATA || in[1] == FORM_DATA || in[2] == FORM_DATA)
        return FORM_DATA;
    if ((in[0] | in[1] | in[2]) == FORM_SAME)
        return FORM_SAME;
    Forms *forms = follower->forms;
    switch (meaning->rule) {
    case RULE_COPY:
        return in[0];
    case RULE_SUM:
        return form_sum(forms, in[0], in[1], 1, meaning->bits);
    case RULE_DIFFERENCE:
        return form_sum(forms, in[0], in[1], -1, meaning->bits);
    case RULE_PRODUCT:
        return product(&work);
    case RULE_MULTIPLY_ADD:
        return multiply_add(&work);
    case RULE_SHIFT_LEFT:
        return shift_left(&work);
    case RULE_SHIFT_RIGHT:
        return shift_right(&work);
    case RULE_QUOTIENT:
        return divided(&work);
    case RULE_REMAINDER:
        return remainder_of(&work);
    case RULE_AND:
        return conjunction(&work);
    case RULE_OR:
        return disjunction(&work);
    case RULE_LEAST:
        return least(&work);
    case RULE_COMPARE:
        return comparison(&work);
    case RULE_CHOICE:
        return choice(&work);
    case RULE_CONVERT:
        return converted(&work);
    default:
        return other(&work);
    }
}
