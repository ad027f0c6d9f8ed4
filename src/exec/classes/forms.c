/* Linears, needs and forms, interned as the bytes that they are. */
#include "exec/classes/forms.h"

#include <string.h>

enum { FORMS_MOST = 1 << 21, NEEDS_OF_ONE = 24, ANSWERS_BITS = 12 };

typedef struct Piece {
    const void *bytes;
    uint32_t size, hash;
} Piece;

typedef struct Pool {
    VEC(Piece) pieces;
    uint32_t *slots; /* open addressing: number + 1 */
    uint32_t size;
} Pool;

typedef enum Question { ASKS_NOTHING, ASKS_NEEDS, ASKS_SUM, ASKS_TIMES, ASKS_PINNED } Question;

/* What was answered before. */
typedef struct KnownForm {
    uint32_t question, a, b, answer;
    uint64_t more;
} KnownForm;

struct Forms {
    Arena *arena;
    Pool linears, needs, forms;
    KnownForm answers[1 << ANSWERS_BITS];
};

/* ---- pools ---- */

static uint32_t hash_of(const void *bytes, uint32_t size) {
    uint64_t hash = size;
    for (uint32_t at = 0; at < size; at += 4) {
        uint32_t word;
        memcpy(&word, (const char *)bytes + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 32);
}

static void pool_grow(Arena *arena, Pool *pool) {
    pool->size = pool->size ? 2 * pool->size : 256;
    pool->slots = NEW_ARRAY(arena, uint32_t, pool->size);
    for (uint32_t i = 0; i < pool->pieces.count; i++) {
        uint32_t at = pool->pieces.at[i].hash & (pool->size - 1);
        while (pool->slots[at])
            at = (at + 1) & (pool->size - 1);
        pool->slots[at] = i + 1;
    }
}

/* size: a multiple of 4. */
static uint32_t pool_intern(Arena *arena, Pool *pool, const void *bytes, uint32_t size) {
    if (2 * (pool->pieces.count + 1) > pool->size)
        pool_grow(arena, pool);
    uint32_t hash = hash_of(bytes, size), at = hash & (pool->size - 1);
    for (; pool->slots[at]; at = (at + 1) & (pool->size - 1)) {
        const Piece *known = &pool->pieces.at[pool->slots[at] - 1];
        if (known->hash == hash && known->size == size && memcmp(known->bytes, bytes, size) == 0)
            return pool->slots[at] - 1;
    }
    void *copy = arena_alloc(arena, size + 1);
    memcpy(copy, bytes, size);
    pool->slots[at] = pool->pieces.count + 1;
    *vec_add(arena, &pool->pieces) = (Piece){copy, size, hash};
    return pool->pieces.count - 1;
}

static KnownForm *answer_for(Forms *forms, Question question, uint32_t a, uint32_t b,
                             uint64_t more) {
    uint64_t hash = ((uint64_t)a << 32 | b) * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ more ^ question) * UINT64_C(0xd1342543de82ef95);
    return &forms->answers[hash >> (64 - ANSWERS_BITS)];
}

static bool answers(const KnownForm *at, Question question, uint32_t a, uint32_t b, uint64_t more) {
    return at->question == question && at->a == a && at->b == b && at->more == more;
}

Forms *forms_new(Arena *arena) {
    Forms *forms = NEW(arena, Forms);
    const Form same = {0, 0}, data = {UINT32_MAX, UINT32_MAX};
    forms->arena = arena;
    pool_intern(arena, &forms->linears, "", 0);
    for (uint32_t i = 0; i < PLACES; i++) /* so that their numbers are in their order */
        linear_of(forms, &(Term){i, 1}, 1);
    linear_of(forms, &(Term){TURN_SYMBOL, 1}, 1);
    pool_intern(arena, &forms->needs, "", 0);
    pool_intern(arena, &forms->forms, &same, sizeof same);
    pool_intern(arena, &forms->forms, &data, sizeof data);
    return forms;
}

bool forms_many(const Forms *forms) {
    return forms->forms.pieces.count > FORMS_MOST || forms->needs.pieces.count > FORMS_MOST;
}

/* ---- linears ---- */

uint32_t linear_of(Forms *forms, const Term *terms, uint32_t count) {
    return pool_intern(forms->arena, &forms->linears, terms, count * (uint32_t)sizeof *terms);
}

Linear linear_at(const Forms *forms, uint32_t linear) {
    const Piece *piece = &forms->linears.pieces.at[linear];
    return (Linear){piece->size / (uint32_t)sizeof(Term), piece->bytes};
}

static bool add_term(Term *terms, uint32_t *count, uint64_t symbol, int64_t factor) {
    if (factor == 0)
        return true;
    if (*count == TERMS_MOST)
        return false;
    terms[(*count)++] = (Term){symbol, factor};
    return true;
}

/* wraps: factors are reduced modulo 2^bits; else as integers. */
static bool combine(Forms *forms, uint32_t a, uint32_t b, int64_t sign, uint32_t bits, bool wraps,
                    uint32_t *sum) {
    Linear x = linear_at(forms, a), y = linear_at(forms, b);
    Term terms[TERMS_MOST];
    uint32_t count = 0;
    for (uint32_t i = 0, j = 0; i < x.count || j < y.count;) {
        uint64_t symbol = UINT64_MAX;
        int64_t p = 0, q = 0, factor;
        if (i < x.count)
            symbol = x.at[i].symbol;
        if (j < y.count && y.at[j].symbol < symbol)
            symbol = y.at[j].symbol;
        if (i < x.count && x.at[i].symbol == symbol)
            p = x.at[i++].factor;
        if (j < y.count && y.at[j].symbol == symbol)
            q = y.at[j++].factor;
        bool over = __builtin_mul_overflow(q, sign, &q);
        over |= __builtin_add_overflow(p, q, &factor);
        if (wraps && bits == 32)
            factor = (int32_t)factor;
        if ((over && !wraps) || !add_term(terms, &count, symbol, factor))
            return false;
    }
    *sum = linear_of(forms, terms, count);
    return true;
}

bool linear_sum(Forms *forms, uint32_t a, uint32_t b, int64_t sign, uint32_t *sum) {
    return combine(forms, a, b, sign, 64, false, sum);
}

bool linear_divisible(const Forms *forms, uint32_t linear, uint64_t by) {
    Linear at = linear_at(forms, linear);
    for (uint32_t i = 0; i < at.count; i++)
        if (by > INT64_MAX || at.at[i].factor % (int64_t)by != 0)
            return false;
    return true;
}

/* ---- needs ---- */

Needs needs_at(const Forms *forms, uint32_t needs) {
    const Piece *piece = &forms->needs.pieces.at[needs];
    return (Needs){piece->size / (uint32_t)sizeof(Need), piece->bytes};
}

uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void need_meet(Need *into, const Need *other) {
    uint64_t both;
    into->low = other->low > into->low ? other->low : into->low;
    into->high = other->high < into->high ? other->high : into->high;
    if (__builtin_mul_overflow(into->modulus / common_divisor(into->modulus, other->modulus),
                               other->modulus, &both) ||
        both > INT64_MAX)
        into->low = into->high = 0; /* nothing else is a multiple of both */
    else
        into->modulus = both;
}

static uint32_t needs_intern(Forms *forms, const Need *needs, uint32_t count) {
    return pool_intern(forms->arena, &forms->needs, needs, count * (uint32_t)sizeof *needs);
}

static int64_t turn_factor(const Forms *forms, uint64_t linear) {
    Linear at = linear_at(forms, (uint32_t)linear);
    return at.count && at.at[at.count - 1].symbol == TURN_SYMBOL ? at.at[at.count - 1].factor : 0;
}

/* Where there are too many: nothing moves but the place in the grid, and that stays, and so does the turn. */
static uint32_t needs_same_place(Forms *forms, bool turns) {
    Need pins[PLACES + 1];
    for (uint32_t i = 0; i < PLACES + (turns ? 1u : 0); i++) {
        const Term own = {i < PLACES ? i : TURN_SYMBOL, 1};
        pins[i] = (Need){linear_of(forms, &own, 1), 0, 0, 1};
    }
    return needs_intern(forms, pins, PLACES + (turns ? 1u : 0));
}

static uint32_t merge(Forms *forms, Needs a, Needs b) {
    Need all[2 * NEEDS_OF_ONE + 2];
    uint32_t count = 0;
    for (uint32_t i = 0, j = 0; i < a.count || j < b.count;) {
        if (j == b.count || (i < a.count && a.at[i].linear < b.at[j].linear)) {
            all[count++] = a.at[i++];
        } else if (i == a.count || b.at[j].linear < a.at[i].linear) {
            all[count++] = b.at[j++];
        } else {
            all[count] = a.at[i++];
            need_meet(&all[count++], &b.at[j++]);
        }
    }
    bool turns = false;
    for (uint32_t i = 0; i < count; i++)
        turns |= turn_factor(forms, all[i].linear) != 0;
    return count <= NEEDS_OF_ONE ? needs_intern(forms, all, count) : needs_same_place(forms, turns);
}

uint32_t needs_both(Forms *forms, uint32_t a, uint32_t b) {
    if (a == b || b == 0)
        return a;
    if (a == 0)
        return b;
    KnownForm *known = answer_for(forms, ASKS_NEEDS, a, b, 0);
    if (!answers(known, ASKS_NEEDS, a, b, 0)) {
        uint32_t both = merge(forms, needs_at(forms, a), needs_at(forms, b));
        *known = (KnownForm){ASKS_NEEDS, a, b, both, 0};
    }
    return known->answer;
}

/* What holds in every block is no need. */
static bool is_trivial(const Forms *forms, const Need *need) {
    bool everywhere = need->low == INT64_MIN && need->high == INT64_MAX;
    return need->linear == 0 ||
           (everywhere && linear_divisible(forms, (uint32_t)need->linear, need->modulus));
}

uint32_t needs_with(Forms *forms, uint32_t needs, Need one) {
    if (is_trivial(forms, &one))
        return needs;
    return needs_both(forms, needs, needs_intern(forms, &one, 1));
}

/* ---- forms ---- */

Form form_at(const Forms *forms, FormId id) {
    return *(const Form *)forms->forms.pieces.at[id].bytes;
}

FormId form_of(Forms *forms, uint32_t linear, uint32_t needs) {
    const Form form = {linear, needs};
    return linear || needs ? pool_intern(forms->arena, &forms->forms, &form, sizeof form)
                           : FORM_SAME;
}

FormId form_needing(Forms *forms, FormId id, uint32_t needs) {
    if (!needs || id == FORM_DATA)
        return id;
    Form form = form_at(forms, id);
    return form_of(forms, form.linear, needs_both(forms, form.needs, needs));
}

FormId form_pinned(Forms *forms, FormId id) {
    if (id <= FORM_DATA)
        return id;
    Form form = form_at(forms, id);
    return form_of(forms, 0, needs_with(forms, form.needs, (Need){form.linear, 0, 0, 1}));
}

FormId form_joined(Forms *forms, FormId a, FormId b) {
    if (a == FORM_DATA || b == FORM_DATA)
        return FORM_DATA;
    if (a == FORM_SAME && b == FORM_SAME)
        return FORM_SAME;
    KnownForm *known = answer_for(forms, ASKS_PINNED, a, b, 0);
    if (!answers(known, ASKS_PINNED, a, b, 0)) {
        Form x = form_at(forms, form_pinned(forms, a)), y = form_at(forms, form_pinned(forms, b));
        FormId both = form_of(forms, 0, needs_both(forms, x.needs, y.needs));
        *known = (KnownForm){ASKS_PINNED, a, b, both, 0};
    }
    return known->answer;
}

FormId form_sum(Forms *forms, FormId a, FormId b, int64_t sign, uint32_t bits) {
    if (a == FORM_DATA || b == FORM_DATA)
        return FORM_DATA;
    if (b == FORM_SAME)
        return a;
    uint64_t more = (uint64_t)sign << 8 | bits;
    KnownForm *known = answer_for(forms, ASKS_SUM, a, b, more);
    if (!answers(known, ASKS_SUM, a, b, more)) {
        Form x = form_at(forms, a), y = form_at(forms, b);
        uint32_t linear;
        FormId sum = combine(forms, x.linear, y.linear, sign, bits, true, &linear)
                         ? form_of(forms, linear, needs_both(forms, x.needs, y.needs))
                         : form_joined(forms, a, b);
        *known = (KnownForm){ASKS_SUM, a, b, sum, more};
    }
    return known->answer;
}

FormId form_times(Forms *forms, FormId a, uint64_t factor, uint32_t bits) {
    if (a <= FORM_DATA)
        return a;
    KnownForm *known = answer_for(forms, ASKS_TIMES, a, bits, factor);
    if (!answers(known, ASKS_TIMES, a, bits, factor)) {
        Form form = form_at(forms, a);
        Linear linear = linear_at(forms, form.linear);
        Term terms[TERMS_MOST];
        uint32_t count = 0;
        for (uint32_t i = 0; i < linear.count; i++) {
            uint64_t scaled = (uint64_t)linear.at[i].factor * factor;
            add_term(terms, &count, linear.at[i].symbol,
                     bits == 32 ? (int32_t)scaled : (int64_t)scaled);
        }
        FormId product = form_of(forms, linear_of(forms, terms, count), form.needs);
        *known = (KnownForm){ASKS_TIMES, a, bits, product, factor};
    }
    return known->answer;
}

FormId form_divided(Forms *forms, FormId a, uint64_t by) {
    Form form = form_at(forms, a);
    Linear linear = linear_at(forms, form.linear);
    Term terms[TERMS_MOST];
    for (uint32_t i = 0; i < linear.count; i++)
        terms[i] = (Term){linear.at[i].symbol, linear.at[i].factor / (int64_t)by};
    return form_of(forms, linear_of(forms, terms, linear.count), form.needs);
}

FormId form_narrowed(Forms *forms, FormId a) {
    return form_times(forms, a, 1, 32);
}

/* ---- the turns of a loop ---- */

uint32_t linear_still(Forms *forms, uint32_t linear, int64_t *factor) {
    Linear at = linear_at(forms, linear);
    *factor = turn_factor(forms, linear);
    return *factor ? linear_of(forms, at.at, at.count - 1) : linear;
}

bool needs_turn(const Forms *forms, uint32_t needs) {
    Needs all = needs_at(forms, needs);
    bool any = false;
    for (uint32_t i = 0; i < all.count; i++)
        any |= turn_factor(forms, all.at[i].linear) != 0;
    return any;
}

FormId form_turning(Forms *forms, FormId id, int64_t factor) {
    const Term own = {TURN_SYMBOL, factor};
    if (id == FORM_DATA || factor == 0)
        return id;
    return form_sum(forms, id, form_of(forms, linear_of(forms, &own, 1), 0), 1, 64);
}

FormId form_still(Forms *forms, FormId id) {
    int64_t factor;
    if (id <= FORM_DATA)
        return id;
    Form form = form_at(forms, id);
    uint32_t needs = form.needs;
    if (needs_turn(forms, needs)) {
        Needs all = needs_at(forms, form.needs);
        needs = 0;
        for (uint32_t i = 0; i < all.count; i++) {
            Need one = all.at[i];
            one.linear = linear_still(forms, (uint32_t)one.linear, &factor);
            needs = needs_with(forms, needs, one);
        }
    }
    return form_of(forms, linear_still(forms, form.linear, &factor), needs);
}
