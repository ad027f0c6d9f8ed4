/* A pitch that people write into the indices of a flat array: tile[y * 32 + x]. Where the new text will be
 * tried, padding after each row is a longer pitch in each index, and nothing else.
 *
 * An index is a sum. A term that has a constant factor which is a whole number of rows walks over rows, and gets the
 * factor of the longer ones. INDEX_ROWS: the other terms are taken to stay within a row. INDEX_SPLIT: they get the function of
 * the index; or those of them alone that step by a part of a row, if there are any, and what is left is taken to stay within
 * such a step. INDEX_TERMS: each term gets it, which is the same where no digit is carried from a row's elements to the rows. The
 * trial shows whether that is so. What has no such term gets the function of the whole index. A macro or a function that
 * computes the place, tile[IDX(y, x)], is read like the index that it stands for: place.c. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

/* A factor of a term, to which nothing is done but multiply. */
typedef struct Factor {
    Range at;
    uint32_t subscript, term; /* of which it is one; subscript == Uses.list.count: the extent */
    uint64_t value;           /* 0: no constant, or one that counts no elements */
    bool varies;              /* no constant */
} Factor;

/* A term of a sum. */
typedef struct SumTerm {
    Range at;
    uint32_t subscript, term;
    bool minus;
} SumTerm;

typedef struct Reading {
    const Source *source;
    const Declaration *declaration;
    uint64_t pitch; /* in elements */
    uint32_t pad;
    bool places; /* calls of what computes a place are read */
    VEC(Factor) factors;
    VEC(SumTerm) terms;
    PlaceCalls calls;
} Reading;

/* ---- sums and products ---- */

static int depth_change(const Code *code, uint32_t t) {
    return token_opens(code, t) - token_closes(code, t);
}

/* The tokens [first, end) without parentheses around all of them. */
static void strip(const Code *code, uint32_t *first, uint32_t *end) {
    while (*end > *first + 2 && token_is(code, *first, "(")) {
        int depth = 1;
        uint32_t t = *first + 1;
        for (; t < *end && depth > 0; t++)
            depth += depth_change(code, t);
        if (t < *end)
            return;
        ++*first;
        --*end;
    }
}

static bool is_operator(const Code *code, uint32_t t, const char *operators) {
    Str text = token_text(code, &code->tokens.at[t]);
    return text.length == 1 && strchr(operators, *text.at);
}

static void add_factor(Reading *reading, uint32_t first, uint32_t end, Factor factor) {
    const Code *code = reading->declaration->code;
    if (first == end)
        return;
    factor.at = (Range){code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
    *vec_add(reading->source->arena, &reading->factors) = factor;
}

/* What a division or a remainder follows is no factor any more, nor what they divide by. */
static void read_term(Reading *reading, uint32_t first, uint32_t end, Factor factor) {
    const Code *code = reading->declaration->code;
    uint32_t begin = first, alive = reading->factors.count;
    bool multiplies = true;
    int depth = 0;
    for (uint32_t t = first; t < end; t++) {
        depth += depth_change(code, t);
        if (depth != 0 || t == begin || !is_operator(code, t, "*/%"))
            continue;
        if (multiplies)
            add_factor(reading, begin, t, factor);
        begin = t + 1;
        multiplies = is_operator(code, t, "*");
        if (!multiplies)
            reading->factors.count = alive;
    }
    if (multiplies)
        add_factor(reading, begin, end, factor);
}

static void read_tokens(Reading *reading, uint32_t first, uint32_t end, uint32_t subscript);

static void add_term(Reading *reading, uint32_t first, uint32_t end, SumTerm term) {
    const Code *code = reading->declaration->code;
    uint32_t name = first, call_end = end;
    PlaceHelper helper;
    if (first == end)
        return;
    strip(code, &name, &call_end);
    if (reading->places && reading->calls.list.count < PLACES_MOST &&
        place_called(code, name, call_end, &helper)) {
        *vec_add(reading->source->arena, &reading->calls.list) =
            (PlaceCall){helper, name, term.subscript};
        read_tokens(reading, helper.first, helper.end, term.subscript);
        return;
    }
    term.term = reading->terms.count;
    term.at = (Range){code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
    *vec_add(reading->source->arena, &reading->terms) = term;
    read_term(reading, first, end, (Factor){.subscript = term.subscript, .term = term.term});
}

static bool is_sum(const Code *code, uint32_t first, uint32_t end) {
    static const char *const loose[] = {"<<", ">>", "&",  "|",  "^",  "?",  ":", "<",  ">", "=",
                                        "==", "!=", "<=", ">=", "&&", "||", ",", "++", "--"};
    int depth = 0;
    for (uint32_t t = first; t < end; t++) {
        depth += depth_change(code, t);
        for (size_t i = 0; depth == 0 && i < sizeof loose / sizeof *loose; i++)
            if (token_is(code, t, loose[i]))
                return false;
    }
    return true;
}

/* The terms of a sum, and their factors. What is no sum of products has none. */
static void read_tokens(Reading *reading, uint32_t first, uint32_t end, uint32_t subscript) {
    const Code *code = reading->declaration->code;
    SumTerm term = {.subscript = subscript};
    int depth = 0;
    strip(code, &first, &end);
    if (!is_sum(code, first, end))
        return;
    uint32_t begin = first;
    for (uint32_t t = first; t < end; t++) {
        depth += depth_change(code, t);
        bool follows = t > begin && !is_operator(code, t - 1, "*/%+-");
        if (depth != 0 || !follows || !is_operator(code, t, "+-"))
            continue;
        add_term(reading, begin, t, term);
        begin = t + 1;
        term.minus = is_operator(code, t, "-");
    }
    add_term(reading, begin, end, term);
}

static void read_sum(Reading *reading, Range range, uint32_t subscript) {
    const Code *code = reading->declaration->code;
    read_tokens(reading, token_from(code, range.begin), token_from(code, range.end), subscript);
}

/* ---- values ---- */

static const char *text_of(const Reading *reading, Range range) {
    Str text = code_text(reading->declaration->code, range);
    return arena_copy(reading->source->arena, text.at, text.length);
}

/* Numbers are read, what else could be a constant is asked of the parser. */
static void find_values(Reading *reading) {
    const Code *code = reading->declaration->code;
    uint32_t count = reading->factors.count;
    const char **texts = NEW_ARRAY(reading->source->arena, const char *, count + 1);
    uint64_t *values = NEW_ARRAY(reading->source->arena, uint64_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        Factor *factor = &reading->factors.at[i];
        texts[i] = expression_number(code, factor->at, &factor->value)
                       ? NULL
                       : text_of(reading, factor->at);
    }
    declaration_constants(reading->source, reading->declaration, texts, count, values);
    for (uint32_t i = 0; i < count; i++) {
        if (texts[i])
            reading->factors.at[i].value = values[i];
        reading->factors.at[i].varies = texts[i] && !values[i];
    }
}

/* "32 * 32 * sizeof(float)" added to a pointer to bytes: the other factors count elements. What else steps by other units
 * than elements is not known. */
static void find_offsets(Reading *reading, const Uses *uses) {
    const Code *code = reading->declaration->code;
    for (uint32_t t = 0; t < reading->terms.count; t++) {
        const SumTerm *term = &reading->terms.at[t];
        const ArrayUse *use =
            term->subscript < uses->list.count ? &uses->list.at[term->subscript] : NULL;
        bool sized = false;
        if (!use || !use->unit || use->unit == reading->declaration->element)
            continue;
        for (uint32_t pass = 0; pass < 2; pass++) {
            for (uint32_t i = 0; i < reading->factors.count; i++) {
                Factor *one = &reading->factors.at[i];
                if (one->subscript != term->subscript || one->term != term->term)
                    continue;
                bool size = str_starts(code_text(code, one->at), "sizeof") &&
                            one->value * use->unit == reading->declaration->element;
                sized |= size;
                one->value = pass == 1 && (size || !sized) ? 0 : one->value;
            }
        }
    }
}

/* The factor for longer rows; NULL: there is no short way to write it. */
static const char *longer(const Reading *reading, const Factor *factor) {
    const Code *code = reading->declaration->code;
    Arena *arena = reading->source->arena;
    uint64_t rows = factor->value / reading->pitch, number;
    uint32_t first = token_from(code, factor->at.begin), end = token_from(code, factor->at.end);
    if (expression_number(code, factor->at, &number))
        return arena_printf(arena, "%llu",
                            (unsigned long long)(factor->value + rows * reading->pad));
    if (rows != 1)
        return NULL;
    strip(code, &first, &end);
    Range inside = {code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
    const char *text = spell_more(arena, code, inside, reading->pad);
    return strspn(text, "0123456789") == strlen(text) ? text : arena_printf(arena, "(%s)", text);
}

/* ---- choice ---- */

/* The factor of a term that is changed: one that is a row, else several, the last of equals; NULL: the term walks over no
 * rows. *clear: no factor of a whole number of rows is left as it was. */
static const Factor *factor_of(const Reading *reading, uint32_t subscript, uint32_t term,
                               bool *clear) {
    const Factor *best = NULL;
    for (uint32_t i = 0; i < reading->factors.count; i++) {
        const Factor *one = &reading->factors.at[i];
        if (one->subscript != subscript || one->term != term || !one->value ||
            one->value % reading->pitch)
            continue;
        if (!best || one->value == reading->pitch || best->value != reading->pitch)
            best = one;
    }
    *clear &= !best || longer(reading, best);
    return best;
}

/* Uses that call the same function have the same factor. */
static void add_change(const Reading *reading, const Factor *factor, RowPitch *pitch) {
    for (uint32_t i = 0; i < pitch->factors.count; i++)
        if (pitch->factors.at[i].begin == factor->at.begin)
            return;
    *vec_add(reading->source->arena, &pitch->factors) =
        (Edit){factor->at.begin, factor->at.end, longer(reading, factor)};
}

/* The changes of one sum. false: no term walks over rows, or one cannot be written; then it is left alone. */
static bool change_sum(const Reading *reading, uint32_t subscript, RowPitch *pitch) {
    uint32_t before = pitch->factors.count;
    bool clear = true, changed = false;
    for (uint32_t i = 0; i < reading->terms.count; i++) {
        const SumTerm *term = &reading->terms.at[i];
        const Factor *factor =
            term->subscript == subscript ? factor_of(reading, subscript, term->term, &clear) : NULL;
        if (factor && clear)
            add_change(reading, factor, pitch);
        changed |= factor != NULL;
    }
    if (!clear)
        pitch->factors.count = before;
    return clear && changed;
}

/* Does the term step by a part of a row, and not by whole ones? */
static bool steps(const Reading *reading, const SumTerm *term) {
    bool part = false;
    for (uint32_t i = 0; i < reading->factors.count; i++) {
        const Factor *one = &reading->factors.at[i];
        if (one->subscript == term->subscript && one->term == term->term && one->value > 1)
            part |= reading->pitch % one->value == 0 && one->value < reading->pitch;
    }
    return part;
}

/* Which terms of a use get the function. false: all of them, or none. */
static bool split(const Reading *reading, uint32_t subscript, IndexSplit *split) {
    uint32_t parts = 0, inside = 0;
    bool clear = true;
    for (uint32_t i = 0; i < reading->terms.count; i++) {
        const SumTerm *term = &reading->terms.at[i];
        if (term->subscript != subscript)
            continue;
        bool rows = factor_of(reading, subscript, term->term, &clear);
        SplitTerm *one = vec_add(reading->source->arena, &split->terms);
        *one = (SplitTerm){.at = term->at, .minus = term->minus};
        one->place = rows ? TERM_ROWS : steps(reading, term) ? TERM_STEPS : TERM_REST;
        parts += one->place == TERM_STEPS;
    }
    for (uint32_t i = 0; i < split->terms.count; i++) {
        SplitTerm *one = &split->terms.at[i];
        one->inside = one->place == (parts ? TERM_STEPS : TERM_REST);
        clear &= !one->minus || !one->inside;
        inside += one->inside;
    }
    if (clear && inside > 0 && inside < split->terms.count)
        return true;
    split->terms.count = 0;
    return false;
}

/* Each term of a sum by itself. false: there are no two, or one is subtracted. */
static bool split_all(const Reading *reading, uint32_t subscript, IndexSplit *split) {
    split->each = true;
    for (uint32_t i = 0; i < reading->terms.count && split->each; i++) {
        const SumTerm *term = &reading->terms.at[i];
        if (term->subscript != subscript)
            continue;
        *vec_add(reading->source->arena, &split->terms) =
            (SplitTerm){.at = term->at, .inside = true};
        split->each = !term->minus;
    }
    split->each &= split->terms.count > 1;
    if (!split->each)
        split->terms.count = 0;
    return split->each;
}

/* The extent of the declaration, as a product that has the longer pitch; NULL: it is none. */
static const char *extent_text(const Reading *reading, uint32_t subscript) {
    const Declaration *declaration = reading->declaration;
    Range extent = declaration->extents[declaration->dims - 1];
    RowPitch changes = {0};
    if (!change_sum(reading, subscript, &changes))
        return NULL;
    for (uint32_t i = 0; i < changes.factors.count; i++) {
        changes.factors.at[i].begin -= extent.begin;
        changes.factors.at[i].end -= extent.begin;
    }
    return edits_apply(reading->source->arena, text_of(reading, extent), changes.factors.at,
                       changes.factors.count);
}

/* Is the extent of the rows that a pointer points to the pitch? */
static bool is_row(const Reading *reading, uint32_t subscript) {
    for (uint32_t i = 0; i < reading->factors.count; i++)
        if (reading->factors.at[i].subscript == subscript)
            return reading->factors.at[i].value == reading->pitch;
    return false;
}

/* Is a part of the sum no constant? */
static bool varies(const Reading *reading, uint32_t subscript) {
    for (uint32_t i = 0; i < reading->factors.count; i++)
        if (reading->factors.at[i].subscript == subscript && reading->factors.at[i].varies)
            return true;
    return false;
}

/* Uses through a pointer to a row, "float *mine = tile + row * 32", that step over no rows stay within it: they are as they were. A pointer
 * to a constant place is one to a piece of the array, of many rows. */
static void find_pointed(const Reading *reading, const Uses *uses, RowPitch *pitch) {
    for (uint32_t i = 0; i < uses->list.count; i++) {
        const Declaration *through = uses->list.at[i].through;
        for (uint32_t k = 0; through && through->has_offset && k < uses->list.count; k++)
            if (!pitch->in_rows[i] && pitch->in_rows[k] && uses->list.at[k].offset &&
                uses->list.at[k].brackets == through->offset && varies(reading, k)) {
                pitch->in_rows[i] = true;
                pitch->whole--;
            }
    }
}

bool pitch_find(const Source *source, const Declaration *declaration, const Uses *uses,
                const RewriteShape *shape, IndexForm form, RowPitch *pitch) {
    Reading reading = {.source = source, .declaration = declaration, .places = form == INDEX_ROWS};
    uint32_t extent = uses->list.count, splits = 0;
    const uint32_t last = declaration->dims - 1;
    const Instance *instance = &declaration->instances.at[declaration->instance];
    if (shape->layout.kind != LAYOUT_PADDED || shape->pad_count != 1 ||
        (last > 0 && (form != INDEX_ROWS || declaration->instances.count > 1 ||
                      instance->extents[last] % shape->pitch[0])))
        return false;
    reading.pitch = shape->pitch[0];
    reading.pad = shape->pad[0];
    for (uint32_t i = 0; i < uses->list.count; i++)
        read_sum(&reading, uses->list.at[i].subscripts[last], i);
    if (!declaration->dynamic)
        read_sum(&reading, declaration->extents[last], extent);
    find_values(&reading);
    find_offsets(&reading, uses);
    *pitch = (RowPitch){.form = form,
                        .in_rows = NEW_ARRAY(source->arena, bool, extent + 1),
                        .splits = NEW_ARRAY(source->arena, IndexSplit, extent + 1)};
    for (uint32_t i = 0; i < extent; i++) {
        pitch->in_rows[i] = form != INDEX_TERMS && change_sum(&reading, i, pitch);
        if ((form == INDEX_SPLIT && split(&reading, i, &pitch->splits[i])) ||
            (form == INDEX_TERMS && split_all(&reading, i, &pitch->splits[i]))) {
            pitch->in_rows[i] = false;
            splits++;
        }
        pitch->whole += !pitch->in_rows[i];
        if (uses->list.at[i].row && !is_row(&reading, i))
            return false;
    }
    if (form == INDEX_ROWS)
        find_pointed(&reading, uses, pitch);
    pitch->extent = declaration->dynamic  ? ""
                    : form == INDEX_TERMS ? spell_flat(source->arena, declaration, shape)
                                          : extent_text(&reading, extent);
    place_edits(source, declaration, &reading.calls, pitch);
    if (last > 0 && pitch->whole)
        return false; /* what has the function has one dimension */
    return (form != INDEX_ROWS ? splits > 0 : pitch->factors.count > 0) && pitch->extent;
}

const char *pitch_by_hand(Arena *arena, const Declaration *declaration, const RowPitch *pitch) {
    if (pitch->form != INDEX_ROWS)
        return NULL;
    const Edit *first = &pitch->factors.at[0];
    if (declaration->dynamic)
        return arena_printf(
            arena, "write %s for " STR_FMT " in its indices", first->text,
            STR_ARG(code_text(declaration->code, (Range){first->begin, first->end})));
    return arena_printf(
        arena,
        declaration->dims > 1
            ? "declare " STR_FMT " with rows of %s, and write %s for " STR_FMT " in its indices"
            : "declare " STR_FMT "[%s], and write %s for " STR_FMT " in its indices",
        STR_ARG(declaration->declared), pitch->extent, first->text,
        STR_ARG(code_text(declaration->code, (Range){first->begin, first->end})));
}

/* ---- a pitch that has a name ---- */

/* Does a definition end behind the token? */
static bool ends_behind(const Code *code, uint32_t t, bool is_macro) {
    if (!is_macro)
        return token_is(code, t + 1, ";") || token_is(code, t + 1, ",") ||
               token_is(code, t + 1, "}");
    Range rest = {code->tokens.at[t].at.end, code->size};
    Str text = code_text(code, rest);
    return text.length == 0 || text.at[strspn(text.at, " \t\r")] == '\n';
}

/* Where a constant or a macro is defined as that number, "constexpr int PITCH = 32;". false: the name is defined otherwise, or
 * more than once. */
static bool find_number(const Code *code, const Factor *named, Range *number) {
    Str text = code_text(code, named->at);
    uint32_t found = 0;
    uint64_t value;
    for (uint32_t t = 2; t + 2 < code->tokens.count; t++) {
        bool is_macro = token_is(code, t - 1, "define") && token_is(code, t - 2, "#");
        if (!str_equal(token_text(code, &code->tokens.at[t]), text) ||
            (!is_macro && !token_is(code, t + 1, "=")))
            continue;
        uint32_t at = is_macro ? t + 1 : t + 2;
        *number = code->tokens.at[at].at;
        bool right = expression_number(code, *number, &value) && value == named->value &&
                     ends_behind(code, at, is_macro);
        found += right ? 1 : 2;
    }
    return found == 1;
}

bool pitch_constant(const Source *source, const Declaration *declaration, const Layout *layout,
                    PitchConstant *constant) {
    Reading reading = {.source = source, .declaration = declaration};
    uint64_t element = declaration->element, number;
    if (declaration->dims != 1 || declaration->dynamic || layout->kind != LAYOUT_PADDED ||
        layout->pitch2 || element == 0 || layout->pitch % element || layout->pad % element)
        return false;
    reading.pitch = layout->pitch / element;
    read_sum(&reading, declaration->extents[0], 0);
    find_values(&reading);
    for (uint32_t i = reading.factors.count; i-- > 0;) { /* the last of several: [ROWS * PITCH] */
        const Factor *one = &reading.factors.at[i];
        if (one->value != reading.pitch || expression_number(declaration->code, one->at, &number) ||
            !find_number(declaration->code, one, &constant->at))
            continue;
        constant->name = text_of(&reading, one->at);
        constant->text = arena_printf(source->arena, "%llu",
                                      (unsigned long long)(one->value + layout->pad / element));
        return true;
    }
    return false;
}
