/* Exclusive ors in the indices of a flat array that is written by rows: tile[row * 64 + column] becomes
 * tile[row * 64 + (column ^ (row & 7) << 3)], where the layout takes its bits from the row's number alone. What comes of the row is
 * the same for all columns then, and a compiler computes it once. That the column stays within its row is what the trial is for. */
#include "rewrite/source.h"

#include <string.h>

enum { TURN_TERMS = 8 };

typedef struct Sum {
    Range terms[TURN_TERMS];
    uint32_t count;
} Sum;

/* The terms of a sum without differences. false: it is something else. */
static bool read_sum(const Code *code, Range range, Sum *sum) {
    static const char *const loose[] = {"-", "<<", ">>", "&", "|", "^", "?",
                                        ":", "<",  ">",  "=", ",", "["};
    uint32_t first = token_from(code, range.begin), end = token_from(code, range.end);
    int depth = 0;
    sum->count = 0;
    for (uint32_t t = first; t < end; t++) {
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
        if (token_is(code, t, "["))
            return false;
        for (size_t i = 0; depth == 0 && i < sizeof loose / sizeof *loose; i++)
            if (token_is(code, t, loose[i]))
                return false;
        bool ends = t + 1 == end || (depth == 0 && token_is(code, t + 1, "+"));
        if (!ends || (depth == 0 && token_is(code, t, "+")))
            continue;
        if (sum->count == TURN_TERMS)
            return false;
        sum->terms[sum->count++] =
            (Range){code->tokens.at[first].at.begin, code->tokens.at[t].at.end};
        first = t + 2;
    }
    return sum->count > 0 && depth == 0;
}

/* "row * 64": the row, and the token of its factor. false: it is no such product. */
static bool read_product(const Code *code, Range term, Range *row, uint32_t *factor) {
    uint32_t first = token_from(code, term.begin), end = token_from(code, term.end), star = 0;
    int depth = 0;
    for (uint32_t t = first; t < end; t++) {
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
        if (depth == 0 && token_is(code, t, "*"))
            star = t;
        if (depth == 0 && (token_is(code, t, "/") || token_is(code, t, "%")))
            star = 0;
    }
    if (star <= first || star + 2 != end)
        return false;
    *factor = star + 1;
    *row = (Range){term.begin, code->tokens.at[star - 1].at.end};
    return true;
}

static uint64_t value_of(const Source *source, const Declaration *declaration, uint32_t token) {
    const Code *code = declaration->code;
    uint64_t value = 0;
    Str text = token_text(code, &code->tokens.at[token]);
    const char *copy = arena_copy(source->arena, text.at, text.length);
    if (!expression_number(code, code->tokens.at[token].at, &value) &&
        code->tokens.at[token].kind == CXToken_Identifier)
        declaration_constants(source, declaration, &copy, 1, &value);
    return value;
}

/* The shape in rows of so many elements; false: its bits come from elsewhere, or go beyond a row. */
static bool by_rows(const RewriteShape *shape, uint64_t elements, RewriteShape *rows) {
    *rows = *shape;
    if (!is_power(elements))
        return false;
    const uint32_t columns = (uint32_t)__builtin_ctzll(elements);
    for (uint32_t i = 0; i < shape->term_count; i++) {
        Term *term = &rows->terms[i];
        uint32_t bits = (uint32_t)__builtin_popcount(term->mask);
        uint32_t reach = term->by ? 32 - (uint32_t)__builtin_clz(term->by) : term->up + bits;
        if (reach > columns || term->down < columns)
            return false;
        term->down -= columns;
    }
    return true;
}

static const char *turned(const Source *source, const Declaration *declaration, Range index,
                          const RewriteShape *shape) {
    const Code *code = declaration->code;
    Arena *arena = source->arena;
    Sum sum;
    RewriteShape rows = *shape;
    Range row = {0};
    uint32_t found = TURN_TERMS;
    if (!read_sum(code, index, &sum))
        return NULL;
    for (uint32_t i = 0; i < sum.count; i++) {
        Range part;
        uint32_t factor;
        RewriteShape one;
        if (!read_product(code, sum.terms[i], &part, &factor) ||
            !by_rows(shape, value_of(source, declaration, factor), &one))
            continue;
        if (found < TURN_TERMS || !expression_repeats(code, part))
            return NULL;
        found = i;
        row = part;
        rows = one;
    }
    if (found == TURN_TERMS)
        return NULL;
    const char *rest = "";
    for (uint32_t i = 0; i < sum.count; i++) {
        Str text = code_text(code, sum.terms[i]);
        if (i != found)
            rest = arena_printf(arena, "%s%s" STR_FMT, rest, *rest ? " + " : "", STR_ARG(text));
    }
    SpelledExpression column = {*rest ? rest : "0", BINDS_PRIMARY};
    if (sum.count > 2)
        column.binding = BINDS_SUM;
    else if (sum.count == 2)
        column = expression_of(arena, code, sum.terms[1 - found], NULL);
    return arena_printf(arena, STR_FMT " + (%s)", STR_ARG(code_text(code, sum.terms[found])),
                        spell_xored(arena, &rows, column, expression_of(arena, code, row, NULL)));
}

bool turned_find(const Source *source, const Declaration *declaration, const Uses *uses,
                 const RewriteShape *shape, RowPitch *pitch) {
    uint32_t found = 0, count = uses->list.count;
    if (declaration->dims != 1 || !shape->term_count || declaration->instances.count > 1)
        return false;
    *pitch = (RowPitch){.form = INDEX_ROWS,
                        .extent = "",
                        .in_rows = NEW_ARRAY(source->arena, bool, count + 1),
                        .splits = NEW_ARRAY(source->arena, IndexSplit, count + 1),
                        .texts = NEW_ARRAY(source->arena, const char *, count + 1)};
    for (uint32_t i = 0; i < count; i++) {
        const ArrayUse *use = &uses->list.at[i];
        if (!use->offset)
            pitch->texts[i] = turned(source, declaration, use->subscripts[0], shape);
        found += pitch->texts[i] != NULL;
        pitch->whole += !pitch->texts[i];
    }
    return found > 0;
}
