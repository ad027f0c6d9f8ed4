/* A source that pads by itself, i + (i >> LOG_BANKS) or i + i / 32, with another number: padding after every 16 elements that was right for
 * GPUs with 16 banks, or for elements of another size.
 *
 * What is changed is a number alone: i + i / n grows with i, so that elements stay apart whatever n is. It may stand in a macro or a function
 * that is one `return`, also in one that computes the padding alone: at += PAD(at). A number with a name is changed where that is
 * defined, with its logarithm or its power, if that has a name, too. Where n becomes smaller, the array must become larger: its extents
 * must depend on the same number. */
#include "rewrite/source.h"

#include <string.h>

enum { LEAST = 4, LEAST_SHIFT = 2, MOST_SHIFT = 10 };

/* Tokens [first, end). */
typedef struct Tokens {
    uint32_t first, end;
} Tokens;

/* operand / number, or operand >> number. */
typedef struct Rate {
    Tokens operand, all;
    uint32_t number; /* a token: a number, or the name of one */
    bool shift;
} Rate;

typedef struct Padding {
    const Source *source;
    const Code *code;
    Range body; /* of the kernel */
    uint64_t every;
    VEC(Rate) rates;
    VEC(uint32_t) numbers; /* tokens that change, */
    VEC(uint64_t) values;  /* to these */
} Padding;

/* ---- pieces of expressions ---- */

static bool has_name(const Code *code, uint32_t t) {
    return t < code->tokens.count && code->tokens.at[t].kind == CXToken_Identifier;
}

/* The bracket that opens before `close`; close: there is none. */
static uint32_t opening(const Code *code, uint32_t close) {
    int depth = 0;
    for (uint32_t t = close + 1; t-- > 0;) {
        depth += token_closes(code, t) - token_opens(code, t);
        if (depth == 0)
            return t;
    }
    return close;
}

static Tokens without_parentheses(const Code *code, Tokens at) {
    while (at.end > at.first + 2 && token_is(code, at.first, "(") &&
           token_behind_brackets(code, at.first) == at.end)
        at = (Tokens){at.first + 1, at.end - 1};
    return at;
}

/* With the parentheses around it, as far as `limit` goes. */
static Tokens with_parentheses(const Code *code, Tokens at, Tokens limit) {
    while (at.first > limit.first && at.end < limit.end && token_is(code, at.first - 1, "(") &&
           token_is(code, at.end, ")") && !has_name(code, at.first - 2))
        at = (Tokens){at.first - 1, at.end + 1};
    return at;
}

static bool same_tokens(const Code *code, Tokens a, Tokens b) {
    if (a.end - a.first != b.end - b.first)
        return false;
    for (uint32_t i = 0; i < a.end - a.first; i++)
        if (!token_same(code, a.first + i, b.first + i))
            return false;
    return true;
}

/* Does a sum have the tokens as a term? */
static bool is_term(const Code *code, Tokens at) {
    static const char *const tight[] = {"*", "/", "%", "<<", ">>", "&", "|", "^", "-", NULL};
    if (token_is_one_of(code, at.first - 1, tight) || token_is_one_of(code, at.end, tight))
        return false;
    return token_is(code, at.first - 1, "+") || token_is(code, at.end, "+") ||
           token_is(code, at.first - 1, "+=") || token_is(code, at.end, "+=");
}

/* Does the region have the tokens as a term of a sum, outside of `but`? */
static bool has_term(const Code *code, Tokens region, Tokens term, Tokens but) {
    const uint32_t count = term.end - term.first;
    for (uint32_t t = region.first; t + count <= region.end; t++) {
        const Tokens here = {t, t + count};
        if ((t + count > but.first && t < but.end) || !same_tokens(code, here, term))
            continue;
        if (is_term(code, with_parentheses(code, here, region)))
            return true;
    }
    return false;
}

/* ---- regions: what the sum must be in ---- */

/* The brackets around it, or the statement. */
static Tokens region_of(const Code *code, uint32_t at) {
    const uint32_t start = statement_start(code, at);
    int depth = 0;
    for (uint32_t t = at; t-- > start;) {
        depth += token_closes(code, t) - token_opens(code, t);
        if (depth < 0 && token_is(code, t, "["))
            return (Tokens){t + 1, token_behind_brackets(code, t) - 1};
        depth = depth < 0 ? 0 : depth;
    }
    return (Tokens){start, token_find(code, at, code->tokens.count, ";")};
}

/* Is the call of a helper that computes the padding alone added to what the helper gets? */
static bool is_added(const Code *code, Tokens call) {
    const Tokens argument = without_parentheses(code, (Tokens){call.first + 2, call.end - 1});
    const Tokens region = region_of(code, call.first);
    return is_term(code, with_parentheses(code, call, region)) &&
           has_term(code, region, argument, call);
}

static bool all_added(const Code *code, const PlaceHelper *helper) {
    uint32_t calls = 0;
    for (uint32_t t = 0; t < code->tokens.count; t++) {
        if (t == helper->name || !token_same(code, t, helper->name))
            continue;
        if (!token_is(code, t + 1, "(") ||
            !is_added(code, (Tokens){t, token_behind_brackets(code, t + 1)}))
            return false;
        calls++;
    }
    return calls > 0;
}

/* The only parameter of a helper. false: it has another number of them. */
static bool read_parameter(const Code *code, const PlaceHelper *helper, Tokens *parameter) {
    const uint32_t close = token_behind_brackets(code, helper->name + 1) - 1;
    *parameter = (Tokens){close - 1, close};
    return token_find(code, helper->name + 2, close, ",") == close && has_name(code, close - 1);
}

/* Is it what is added to its operand? */
static bool is_padding(const Code *code, const Rate *rate) {
    PlaceHelper helper;
    Tokens parameter;
    const bool helps = place_around(code, rate->number, &helper);
    const Tokens region =
        helps ? (Tokens){helper.first, helper.end} : region_of(code, rate->number);
    const Tokens term = with_parentheses(code, rate->all, region);
    if (helps && term.first == region.first && term.end == region.end)
        return read_parameter(code, &helper, &parameter) &&
               same_tokens(code, rate->operand, parameter) && all_added(code, &helper);
    return is_term(code, term) && has_term(code, region, rate->operand, term);
}

/* ---- rates ---- */

/* What is divided or shifted by the operator, token t. false: it is no operand by itself. */
static bool read_operand(const Code *code, uint32_t t, bool shift, Tokens *operand) {
    static const char *const shifted[] = {"(", "[", "=", "return", NULL};
    static const char *const divided[] = {"(", "[", "=", "return", "+", NULL};
    uint32_t first = t - 1;
    if (token_is(code, first, ")"))
        first = opening(code, first);
    else if (!has_name(code, first) && code->tokens.at[first].kind != CXToken_Literal)
        return false;
    while (first > 1 && token_is(code, first - 1, ".") && has_name(code, first - 2))
        first -= 2;
    *operand = (Tokens){first, t};
    PlaceHelper helper;
    return token_is_one_of(code, first - 1, shift ? shifted : divided) ||
           (place_around(code, first, &helper) && helper.first == first);
}

static bool read_rate(const Code *code, uint32_t t, Rate *rate) {
    static const char *const behind[] = {")", "]", ";", "+", NULL};
    const bool shift = token_is(code, t, ">>");
    PlaceHelper helper;
    if (t < 2 || t + 1 >= code->tokens.count || !(shift || token_is(code, t, "/")) ||
        !read_operand(code, t, shift, &rate->operand))
        return false;
    rate->all = (Tokens){rate->operand.first, t + 2};
    rate->operand = without_parentheses(code, rate->operand);
    rate->number = t + 1;
    rate->shift = shift;
    if (shift && token_is(code, t + 2, "+")) /* that is added to the number */
        return false;
    return token_is_one_of(code, t + 2, behind) ||
           (place_around(code, t + 1, &helper) && helper.end == t + 2);
}

/* Where a number with a name is defined: the token of its value. false: there is none, or several. */
static bool definition(const Code *code, uint32_t name, uint32_t *value) {
    uint64_t number;
    if (!number_read(code, name, &number))
        return false;
    for (uint32_t t = 1; t + 2 < code->tokens.count; t++) {
        const bool macro = token_is(code, t - 1, "define");
        *value = macro ? t + 1 : t + 2;
        if (token_same(code, t, name) && (macro || token_is(code, t + 1, "=")))
            return true;
    }
    return false;
}

/* How many elements padding comes after; 0: it is no constant, or none that is meant. */
static uint64_t every_of(const Code *code, const Rate *rate) {
    uint64_t number;
    if (!number_read(code, rate->number, &number))
        return 0;
    if (!rate->shift)
        return is_power(number) && number >= LEAST ? number : 0;
    return number >= LEAST_SHIFT && number <= MOST_SHIFT ? (uint64_t)1 << number : 0;
}

/* Is it in the kernel's body, or in a helper that the body calls? */
static bool is_of_body(const Padding *padding, const Rate *rate) {
    const Code *code = padding->code;
    PlaceHelper helper;
    const uint32_t first = token_from(code, padding->body.begin),
                   end = token_from(code, padding->body.end);
    if (rate->number >= first && rate->number < end)
        return true;
    if (!place_around(code, rate->number, &helper))
        return false;
    for (uint32_t t = first; t < end; t++)
        if (token_same(code, t, helper.name))
            return true;
    return false;
}

/* Those of the body; or else all of the file, which functions may be of that it calls. false: there are none, or they pad after several
 * numbers of elements. */
static bool find_rates(Padding *padding, bool of_body) {
    const Code *code = padding->code;
    padding->rates.count = 0;
    padding->every = 0;
    for (uint32_t t = 0; t < code->tokens.count; t++) {
        Rate rate;
        const uint64_t every = read_rate(code, t, &rate) ? every_of(code, &rate) : 0;
        if (!every || !is_padding(code, &rate) || (of_body && !is_of_body(padding, &rate)))
            continue;
        if (padding->every && padding->every != every)
            return false;
        padding->every = every;
        *vec_add(padding->source->arena, &padding->rates) = rate;
    }
    return padding->every != 0 || (of_body && find_rates(padding, false));
}

/* ---- what changes ---- */

/* Is the token the number of padding, of this kernel or another? */
static bool is_rate(const Code *code, uint32_t t) {
    Rate rate;
    return t > 0 && read_rate(code, t - 1, &rate) && is_padding(code, &rate);
}

/* Does the token stand in the extents of a shared array? */
static bool in_extent(const Code *code, uint32_t t) {
    const Tokens region = region_of(code, t);
    const uint32_t start = statement_start(code, t);
    for (uint32_t i = start; i < region.first; i++)
        if (token_is(code, i, "__shared__"))
            return true;
    return false;
}

/* Is all that the name is used for padding, and the number of elements or words that this takes? */
static bool is_for_padding(const Padding *padding, uint32_t name) {
    static const char *const divides[] = {"/", ">>", NULL};
    const Code *code = padding->code;
    uint32_t value, uses = 0;
    if (!definition(code, name, &value))
        return false;
    for (uint32_t t = 1; t < code->tokens.count; t++) {
        const bool defined = t + 1 == value || t + 2 == value;
        if (defined || !token_same(code, t, name))
            continue;
        if (!is_rate(code, t) && !(token_is_one_of(code, t - 1, divides) && in_extent(code, t)))
            return false;
        uses++;
    }
    return uses > 0;
}

static void add_number(Padding *padding, uint32_t token, uint64_t value) {
    for (uint32_t i = 0; i < padding->numbers.count; i++)
        if (padding->numbers.at[i] == token)
            return;
    *vec_add(padding->source->arena, &padding->numbers) = token;
    *vec_add(padding->source->arena, &padding->values) = value;
}

/* The numbers of the rates; false: one of them has a name that stands for something else, too. */
static bool add_rates(Padding *padding, uint64_t every) {
    for (uint32_t i = 0; i < padding->rates.count; i++) {
        const Rate *rate = &padding->rates.at[i];
        uint32_t value = rate->number;
        if (has_name(padding->code, rate->number) &&
            (!is_for_padding(padding, rate->number) ||
             !definition(padding->code, rate->number, &value)))
            return false;
        add_number(padding, value, rate->shift ? log2_of(every) : every);
    }
    return true;
}

/* NUM_BANKS beside LOG_NUM_BANKS: names of the same number in the extents. */
static void add_extents(Padding *padding, uint64_t every) {
    const Code *code = padding->code;
    for (uint32_t t = 1; t < code->tokens.count; t++) {
        uint64_t number;
        uint32_t value;
        const bool shift = token_is(code, t - 1, ">>");
        if (!has_name(code, t) || !(shift || token_is(code, t - 1, "/")) || !in_extent(code, t) ||
            !number_read(code, t, &number) ||
            number != (shift ? log2_of(padding->every) : padding->every) ||
            !is_for_padding(padding, t) || !definition(code, t, &value))
            continue;
        add_number(padding, value, shift ? log2_of(every) : every);
    }
}

/* Does the token name a number that changes, or a helper that has it? */
static bool names_number(const Padding *padding, uint32_t t) {
    const Code *code = padding->code;
    for (uint32_t i = 0; i < padding->numbers.count; i++) {
        const uint32_t number = padding->numbers.at[i];
        PlaceHelper helper;
        uint32_t value;
        if (t == number || (has_name(code, t) && definition(code, t, &value) && value == number))
            return true;
        if (place_around(code, number, &helper) && token_same(code, t, helper.name))
            return true;
    }
    return false;
}

/* Is it a definition, or inside of one? */
static bool defines(const Code *code, uint32_t t) {
    PlaceHelper helper;
    return token_is(code, t - 1, "define") || token_is(code, t + 1, "=") ||
           place_defined(code, t, &helper) || place_around(code, t, &helper);
}

/* Does the kernel alone use what changes? */
static bool is_own(const Padding *padding) {
    const Code *code = padding->code;
    for (uint32_t t = 0; t < code->tokens.count; t++) {
        const uint32_t at = code->tokens.at[t].at.begin;
        const bool inside = at >= padding->body.begin && at < padding->body.end;
        if (!inside && has_name(code, t) && names_number(padding, t) && !defines(code, t))
            return false;
    }
    return true;
}

/* Do the extents of each shared array, of the kernel or of all that have the number, grow with it? */
static bool extents_grow(const Padding *padding) {
    const Code *code = padding->code;
    const bool own = is_own(padding);
    uint32_t t = own ? token_from(code, padding->body.begin) : 0;
    const uint32_t end = own ? token_from(code, padding->body.end) : code->tokens.count;
    for (; t < end; t++) {
        if (!token_is(code, t, "__shared__"))
            continue;
        const uint32_t behind = token_find(code, t, end, ";");
        while (t < behind) { /* "int a[64], b[64];" */
            const uint32_t comma = token_find(code, t + 1, behind, ",");
            bool grows = false;
            for (; t < comma; t++)
                grows |= names_number(padding, t);
            if (!grows)
                return false;
        }
    }
    return true;
}

bool padding_write(const Source *source, const Code *code, Range body, uint64_t every,
                   EditList *edits) {
    Padding padding = {.source = source, .code = code, .body = body};
    if (every < LEAST || !is_power(every) || strcmp(code->path, source->path) != 0 ||
        !find_rates(&padding, true) || padding.every == every || !add_rates(&padding, every))
        return false;
    add_extents(&padding, every);
    if (every < padding.every && !extents_grow(&padding))
        return false;
    for (uint32_t i = 0; i < padding.numbers.count; i++) {
        const Range at = code->tokens.at[padding.numbers.at[i]].at;
        *vec_add(source->arena, &edits->list) =
            (Edit){at.begin, at.end,
                   arena_printf(source->arena, "%llu", (unsigned long long)padding.values.at[i])};
    }
    return true;
}
