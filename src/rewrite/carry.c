/* Indices that a loop carries along: where `for (int i = tid; i < 1024; i += 128)` fills s[i], the place of i moves on by the same
 * number each turn if 128 is a multiple of what the layout repeats after. Then the function of the index is computed once:
 *
 *     for (int i = tid, place = pad_1_per_32(i); i < 1024; i += 128, place += 132)
 *         s[place] = …
 *
 * By how much an index moves on is read from its text: sums, products with constants, and quotients and remainders of what moves on
 * by a multiple of the divisor, but for those of differences. That holds for indices that are not negative; the trial
 * (RewriteOptions.tried) compares. */
#include "rewrite/source.h"

#include <string.h>

enum { CARRIED_MOST = 64 };

/* ---- how far an expression moves on in a turn ---- */

typedef struct Motion {
    bool known;
    bool constant;
    bool differs;  /* a difference, or made of one: it may be negative */
    int64_t value; /* of a constant */
    int64_t by;
} Motion;

typedef struct Reader {
    const Code *code;
    const Loop *loop;
    uint32_t t, end;
    int64_t step;
    const uint64_t *values; /* of tokens, from `first` */
    uint32_t first;
} Reader;

static Motion read_expression(Reader *reader, int least);

static Motion read_primary(Reader *reader) {
    const Code *code = reader->code;
    Motion unknown = {0};
    uint32_t t = reader->t++;
    if (t >= reader->end)
        return unknown;
    if (token_is(code, t, "(")) {
        Motion inner = read_expression(reader, 0);
        if (!token_is(code, reader->t, ")"))
            return unknown;
        reader->t++;
        return inner;
    }
    if (token_is(code, t, "0"))
        return (Motion){.known = true, .constant = true};
    uint64_t value = reader->values[t - reader->first];
    bool name = code->tokens.at[t].kind == CXToken_Identifier;
    bool part = token_is(code, t + 1, ".") && t + 2 < reader->end;
    if (value)
        return (Motion){.known = true, .constant = true, .value = (int64_t)value};
    if (!name || token_is(code, t + 1, "(") || token_is(code, t + 1, "[") ||
        token_is(code, t + 1, "->") || token_is(code, t + 1, "::"))
        return unknown;
    Str text = token_text(code, &code->tokens.at[t]);
    reader->t += part ? 2 : 0;
    if (str_equal(text, reader->loop->name))
        return (Motion){.known = !part, .by = reader->step};
    return (Motion){.known = loop_keeps(code, reader->loop, text, false)};
}

typedef struct Operator {
    const char *text;
    int binds;
} Operator;

static const Operator operators[] = {{"&", 1}, {"<<", 2}, {">>", 2}, {"+", 3},
                                     {"-", 3}, {"*", 4},  {"/", 4},  {"%", 4}};

static const Operator *operator_at(const Reader *reader) {
    for (size_t i = 0; reader->t < reader->end && i < sizeof operators / sizeof *operators; i++)
        if (token_is(reader->code, reader->t, operators[i].text))
            return &operators[i];
    return NULL;
}

/* A quotient or remainder by n. */
static Motion divided(Motion a, int64_t n, bool remainder) {
    bool even = n > 0 && a.by % n == 0 && !a.differs;
    return (Motion){.known = a.known && even, .by = even && !remainder ? a.by / n : 0};
}

static Motion combined(char operator, Motion a, Motion b) {
    enum { SHIFT_MOST = 30 };
    const Motion still = {.known = a.known && b.known && a.by == 0 && b.by == 0};
    const bool differs = a.differs || b.differs;
    if (!a.known || !b.known || still.known)
        return still;
    bool shifts = b.constant && b.value >= 0 && b.value <= SHIFT_MOST;
    switch (operator) {
    case '+':
        return (Motion){.known = true, .differs = differs, .by = a.by + b.by};
    case '-':
        return (Motion){.known = true, .differs = true, .by = a.by - b.by};
    case '*':
        return (Motion){.known = a.constant || b.constant,
                        .differs = differs,
                        .by = a.constant ? a.value * b.by : a.by * b.value};
    case '/':
    case '%':
        return divided(a, b.constant ? b.value : 0, operator== '%');
    case '<':
        return (Motion){
            .known = shifts, .differs = differs, .by = shifts ? a.by * (INT64_C(1) << b.value) : 0};
    case '>':
        return divided(a, shifts ? INT64_C(1) << b.value : 0, false);
    default: /* & 31 */
        return divided(a, b.constant && is_power((uint64_t)b.value + 1) ? b.value + 1 : 0, true);
    }
}

static Motion read_expression(Reader *reader, int least) {
    Motion left = read_primary(reader);
    for (const Operator *one; (one = operator_at(reader)) && one->binds >= least;) {
        reader->t++;
        Motion right = read_expression(reader, one->binds + 1);
        left = combined(*one->text, left, right);
    }
    return left;
}

/* Values of the tokens [first, end), those of names asked of the parser. */
static uint64_t *values_of(const Source *source, const Declaration *declaration, uint32_t first,
                           uint32_t end) {
    const Code *code = declaration->code;
    uint32_t count = end - first;
    const char **texts = NEW_ARRAY(source->arena, const char *, count + 1);
    uint64_t *values = NEW_ARRAY(source->arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const Token *token = &code->tokens.at[first + i];
        Str text = token_text(code, token);
        bool part = token_is(code, first + i + 1, ".") ||
                    (first + i > 0 && token_is(code, first + i - 1, "."));
        texts[i] = token->kind == CXToken_Identifier && !part
                       ? arena_copy(source->arena, text.at, text.length)
                       : NULL;
    }
    declaration_constants(source, declaration, texts, count, values);
    for (uint32_t i = 0; i < count; i++)
        if (!texts[i])
            expression_number(code, code->tokens.at[first + i].at, &values[i]);
    return values;
}

/* All names in the array's scope are asked of the parser at once, and then known. */
static void ask_all(const Source *source, const Declaration *declaration) {
    const Code *code = declaration->code;
    uint32_t first = token_from(code, declaration->scope.begin),
             end = token_from(code, declaration->scope.end);
    values_of(source, declaration, first, end);
}

static Motion motion_of(const Source *source, const Declaration *declaration, const Loop *loop,
                        int64_t step, Range range) {
    Reader reader = {.code = declaration->code, .loop = loop, .step = step};
    reader.first = reader.t = token_from(declaration->code, range.begin);
    reader.end = token_from(declaration->code, range.end);
    if (reader.end - reader.first > CARRIED_MOST || reader.end == reader.first)
        return (Motion){0};
    reader.values = values_of(source, declaration, reader.first, reader.end);
    Motion motion = read_expression(&reader, 0);
    motion.known &= reader.t == reader.end;
    return motion;
}

static int64_t step_of(const Source *source, const Declaration *declaration, const Loop *loop) {
    uint64_t value = 0;
    Str text = code_text(declaration->code, loop->step);
    const char *copy = arena_copy(source->arena, text.at, text.length);
    if (loop->by_one)
        return 1;
    if (!expression_number(declaration->code, loop->step, &value))
        declaration_constants(source, declaration, &copy, 1, &value);
    return value <= INT32_MAX ? (int64_t)value : 0;
}

/* ---- layouts ---- */

/* Elements after which a layout repeats; 0: it does not. */
static uint64_t period_of(const RewriteShape *shape) {
    uint64_t period = 0;
    if (shape->pad_count)
        return shape->pad_count == 1 || shape->pitch[1] % shape->pitch[0] == 0
                   ? shape->pitch[shape->pad_count - 1]
                   : 0;
    for (uint32_t i = 0; i < shape->term_count; i++) {
        const Term *term = &shape->terms[i];
        uint32_t bits = (uint32_t)__builtin_popcount(term->mask);
        uint32_t reach = term->by ? 32 - (uint32_t)__builtin_clz(term->by) : term->up + bits;
        uint32_t top = term->down + bits > reach ? term->down + bits : reach;
        period = UINT64_C(1) << top > period ? UINT64_C(1) << top : period;
    }
    return period;
}

static uint64_t moved(const RewriteShape *shape, uint64_t elements) {
    uint64_t to = elements;
    for (uint32_t p = 0; p < shape->pad_count; p++)
        to += elements / shape->pitch[p] * shape->pad[p];
    return to;
}

/* ---- the choice ---- */

/* How far the use's index moves on; false: it cannot be read. */
static bool index_moves(const Source *source, const Declaration *declaration, const Loop *loop,
                        const ArrayUse *use, int64_t step, int64_t *by) {
    *by = 0;
    for (uint32_t d = 0; d < declaration->dims; d++) {
        Motion motion = motion_of(source, declaration, loop, step, use->subscripts[d]);
        int64_t stride = 1;
        for (uint32_t k = d + 1; k < declaration->dims; k++)
            stride *= (int64_t)declaration->instances.at[declaration->instance].extents[k];
        if (!motion.known)
            return false;
        *by += motion.by * stride;
    }
    return true;
}

/* The innermost loop around the use whose turns move its index on. */
static bool carry_one(const Source *source, const Declaration *declaration,
                      const RewriteShape *shape, const ArrayUse *use, Carry *carry) {
    const Code *code = declaration->code;
    uint32_t at = token_from(code, use->brackets);
    const uint64_t period = period_of(shape);
    if (!period || expansion_at(code, use->at.begin) ||
        (declaration->in_template && declaration->instances.count > 1))
        return false;
    for (uint32_t t = at; t-- > 0 && code->tokens.at[t].at.begin >= declaration->scope.begin;) {
        Loop loop;
        int64_t by;
        if (!token_is(code, t, "for") || token_behind_statement(code, t) <= at)
            continue;
        if (!loop_read(code, t, &loop) || at < loop.step_end ||
            expansion_at(code, code->tokens.at[t].at.begin) ||
            !loop_keeps(code, &loop, loop.name, true))
            return false;
        int64_t step = step_of(source, declaration, &loop);
        if (step <= 0 || !index_moves(source, declaration, &loop, use, step, &by))
            return false;
        if (by == 0)
            continue;
        *carry = (Carry){.begins = code->tokens.at[loop.init_end].at.begin,
                         .steps = code->tokens.at[loop.step_end].at.begin};
        carry->by = by > 0 && (uint64_t)by % period == 0 ? moved(shape, (uint64_t)by) : 0;
        return carry->by > 0;
    }
    return false;
}

static bool has_token(const Code *code, const char *text) {
    for (uint32_t t = 0; t < code->tokens.count; t++)
        if (token_is(code, t, text))
            return true;
    return false;
}

static bool same_index(const Declaration *declaration, const ArrayUse *a, const ArrayUse *b) {
    for (uint32_t d = 0; d < declaration->dims; d++)
        if (!str_equal(code_text(declaration->code, a->subscripts[d]),
                       code_text(declaration->code, b->subscripts[d])))
            return false;
    return true;
}

/* Has the index a quotient? Without one the compiler carries it along by itself. */
static bool divides(const Declaration *declaration, const ArrayUse *use) {
    const Code *code = declaration->code;
    const uint32_t end = token_from(code, use->subscripts[0].end);
    for (uint32_t t = token_from(code, use->subscripts[0].begin); t < end; t++)
        if (token_is(code, t, "/") || token_is(code, t, "%") || token_is(code, t, ">>"))
            return declaration->dims == 1;
    return false;
}

Carry *carry_find(const Source *source, const Declaration *declaration, const Uses *uses,
                  const RewriteShape *shape, const RowPitch *pitch, bool only) {
    Carry *carries = NEW_ARRAY(source->arena, Carry, uses->list.count + 1);
    Str array = declaration->name;
    const char *base = !only || has_token(declaration->code, "place")
                           ? arena_printf(source->arena, STR_FMT "_place", STR_ARG(array))
                           : "place";
    uint32_t names = 0;
    ask_all(source, declaration);
    for (uint32_t i = 0; i < uses->list.count; i++) {
        const ArrayUse *use = &uses->list.at[i];
        Carry *one = &carries[i];
        const bool in_rows = shape->kind == SHAPE_PITCHED && pitch->in_rows[i];
        if (use->offset || (in_rows && !divides(declaration, use)) ||
            !carry_one(source, declaration, shape, use, one)) {
            *one = (Carry){0};
            continue;
        }
        for (uint32_t k = 0; k < i && !one->name; k++)
            if (carries[k].name && carries[k].begins == one->begins &&
                same_index(declaration, use, &uses->list.at[k])) {
                one->name = carries[k].name;
                one->shared = true;
            }
        while (!one->name) {
            const char *name = names ? arena_printf(source->arena, "%s_%u", base, names + 1) : base;
            one->name = has_token(declaration->code, name) ? NULL : name;
            names++;
        }
    }
    return carries;
}
