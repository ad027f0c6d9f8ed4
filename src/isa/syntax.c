/* The matcher: from a spelling ("ld.global.nc.v4.f32") to the row of ops.def whose syntax takes it.
 *
 * A syntax string is a small pattern language (see the head of ops.def) that is interpreted as it
 * stands, by backtracking: patterns are short, alternatives few, and callers remember the result
 * per spelling. A part in brackets is tried with and then without; "]" by itself matches nothing.
 * The furthest place that any row reaches is where the blame for a mismatch goes. Modifiers in
 * another order than the manual's are for order.c. */
#include "isa/mods.h"
#include "isa/order.h"

#include <string.h>

typedef struct Attempt {
    Str spelling;
    size_t furthest;   /* start of the first token that no row took */
    Arena *arena;      /* of expected, or NULL: do not collect */
    VEC(Str) expected; /* the tokens that rows would take there */
} Attempt;

static bool ends_token(Str spelling, size_t at) {
    return at == spelling.length || spelling.at[at] == '.';
}

/* The token at `at` is not `token`: remember how far we came and what was wanted there. */
static void missed(Attempt *attempt, size_t at, Str token) {
    if (at > attempt->furthest)
        attempt->furthest = at;
    if (attempt->arena && at == attempt->furthest && token.length)
        *vec_add(attempt->arena, &attempt->expected) = token;
}

static bool takes(Attempt *attempt, size_t at, Str token) {
    Str spelling = attempt->spelling;
    if (at <= spelling.length && spelling.length - at >= token.length &&
        memcmp(spelling.at + at, token.at, token.length) == 0 &&
        ends_token(spelling, at + token.length))
        return true;
    missed(attempt, at, token);
    return false;
}

static const char *close_of(const char *at, const char *end, char open, char close) {
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            break;
    }
    return at;
}

static bool match_here(Attempt *attempt, const char *at, const char *end, size_t reached);

/* "{" token { "," token } "}" and what follows */
static bool match_choice(Attempt *attempt, const char *at, const char *end, size_t reached) {
    const char *close = close_of(at, end, '{', '}');
    for (const char *token = at + 1; token < close;) {
        const char *comma = memchr(token, ',', (size_t)(close - token));
        const char *stop = comma ? comma : close;
        Str text = {token, (size_t)(stop - token)};
        if (takes(attempt, reached, text) &&
            match_here(attempt, close + 1, end, reached + text.length))
            return true;
        token = stop + 1;
    }
    return false;
}

/* The recursion is as deep as the pattern is long; patterns are ours. */
static bool match_here(Attempt *attempt, const char *at, const char *end, size_t reached) {
    while (at < end && *at == ']')
        at++;
    if (at >= end) {
        if (reached == attempt->spelling.length)
            return true;
        missed(attempt, reached + 1, (Str){0});
        return false;
    }
    if (*at == '[')
        return match_here(attempt, at + 1, end, reached) ||
               match_here(attempt, close_of(at, end, '[', ']') + 1, end, reached);
    if (*at == '{')
        return match_choice(attempt, at, end, reached);
    if (*at == '.') /* where the spelling is at its end, the next token is missed there */
        return match_here(attempt, at + 1, end, reached + 1);
    size_t length = 0;
    while (at + length < end && !strchr(".[]{", at[length]))
        length++;
    return takes(attempt, reached, (Str){at, length}) &&
           match_here(attempt, at + length, end, reached + length);
}

/* The rows' patterns, one after another: what a syntax separates by " | ". */
typedef struct PatternWalk {
    const char *at; /* in the syntax of op; NULL: the row has no more */
    Op op;
} PatternWalk;

static Str next_of_row(PatternWalk *walk) {
    const OpInfo *info = op_info(walk->op);
    const char *at = walk->at, *end = info->syntax + info->length;
    while (*at == ' ' || *at == '|')
        at++;
    const char *bar = info->alternatives ? memchr(at, '|', (size_t)(end - at)) : NULL;
    size_t length = (size_t)((bar ? bar : end) - at);
    walk->at = bar;
    while (length && at[length - 1] == ' ')
        length--;
    return (Str){at, length};
}

/* Empty behind the last row's. first: rows are passed over of which no pattern can begin with that letter, as most cannot; 0: none is. */
static Str next_pattern(PatternWalk *walk, char first) {
    while (!walk->at) {
        if (++walk->op >= OP_COUNT)
            return (Str){0};
        const OpInfo *info = op_info(walk->op);
        if (!first || info->first == first || info->alternatives)
            walk->at = info->syntax;
    }
    return next_of_row(walk);
}

static Str mnemonic_of(Str spelling) {
    size_t length = 0;
    while (length < spelling.length && spelling.at[length] != '.' && spelling.at[length] != '[')
        length++;
    return (Str){spelling.at, length};
}

/* The next pattern that has the mnemonic. */
static Str next_with(PatternWalk *walk, Str mnemonic) {
    Str pattern;
    do
        pattern = next_pattern(walk, mnemonic.at[0]);
    while (pattern.length && !str_equal(mnemonic_of(pattern), mnemonic));
    return pattern;
}

/* The first row behind `op`, OP_NONE where none takes it; *known: whether a row has this mnemonic. */
static Op find_behind(Attempt *attempt, Op op, bool *known) {
    Str mnemonic = mnemonic_of(attempt->spelling), pattern;
    PatternWalk walk = {.op = op};
    while ((pattern = next_with(&walk, mnemonic)).length) {
        *known = true;
        if (match_here(attempt, pattern.at, pattern.at + pattern.length, 0))
            return walk.op;
    }
    return OP_NONE;
}

/* ---- what to say where no row takes a spelling ---- */

/* The patterns that have a mnemonic: many spellings with it are tried. */
typedef struct Patterns {
    VEC(Str) list;
} Patterns;

static Patterns patterns_of(Arena *arena, Str mnemonic) {
    Patterns patterns = {{0}};
    PatternWalk walk = {.op = OP_NONE};
    for (Str pattern; (pattern = next_with(&walk, mnemonic)).length;)
        *vec_add(arena, &patterns.list) = pattern;
    return patterns;
}

static bool find_among(Attempt *attempt, const Patterns *patterns) {
    for (uint32_t i = 0; i < patterns->list.count; i++) {
        Str pattern = patterns->list.at[i];
        if (match_here(attempt, pattern.at, pattern.at + pattern.length, 0))
            return true;
    }
    return false;
}

static bool lengths_apart(Str a, Str b, size_t least) {
    return (a.length > b.length ? a.length - b.length : b.length - a.length) >= least;
}

static const char *closest_mnemonic(Arena *arena, Str mnemonic) {
    Str best = {0}, last = {0};                 /* rows of one mnemonic follow each other */
    size_t least = mnemonic.length > 3 ? 3 : 2; /* edits that still look like a slip */
    PatternWalk walk = {.op = OP_NONE};
    for (Str pattern; (pattern = next_pattern(&walk, 0)).length;) {
        Str other = mnemonic_of(pattern);
        if (lengths_apart(mnemonic, other, least) || str_equal(other, last))
            continue;
        last = other;
        size_t distance = str_distance(mnemonic, other);
        if (distance < least) {
            least = distance;
            best = other;
        }
    }
    return best.at ? arena_copy(arena, best.at, best.length) : NULL;
}

typedef struct Closest {
    Arena *arena;
    const Patterns *patterns; /* of its mnemonic, which candidates have, too */
    Str spelling;
    const char *best;
    size_t distance;
} Closest;

/* A candidate: the spelling with [from, from+length) replaced by text. */
static void consider(Closest *closest, size_t from, size_t length, Str text) {
    Str old = closest->spelling;
    size_t after = from + length;
    const char *candidate = arena_printf(closest->arena, STR_FMT STR_FMT STR_FMT, (int)from, old.at,
                                         STR_ARG(text), (int)(old.length - after), old.at + after);
    size_t distance = str_distance(old, str_of(candidate));
    Attempt attempt = {.spelling = str_of(candidate)};
    if ((!closest->best || distance < closest->distance) &&
        find_among(&attempt, closest->patterns)) {
        closest->best = candidate;
        closest->distance = distance;
    }
}

/* The token at `at` in the place of the one before it, replaced, preceded by another, or
 * left out. */
static const char *closest_spelling(Arena *arena, const Patterns *patterns, const Attempt *attempt,
                                    size_t at, size_t length) {
    Closest closest = {.arena = arena, .patterns = patterns, .spelling = attempt->spelling};
    for (uint32_t i = 0; i < attempt->expected.count; i++) {
        Str token = attempt->expected.at[i];
        if (length) {
            const char *both = arena_printf(arena, STR_FMT ".", STR_ARG(token));
            consider(&closest, at, length, token);
            consider(&closest, at, 0, str_of(both));
        } else {
            const char *more = arena_printf(arena, "." STR_FMT, STR_ARG(token));
            consider(&closest, attempt->spelling.length, 0, str_of(more));
        }
    }
    if (length && at)
        consider(&closest, at - 1, length + 1, (Str){0});
    return closest.best;
}

/* The first row behind `op` that takes the spelling with its modifiers in another order, which is written to
 * `ordered`. */
static Op find_ordered(Str spelling, Op op, char *ordered) {
    Str mnemonic = mnemonic_of(spelling), pattern;
    PatternWalk walk = {.op = op};
    Modifiers modifiers;
    if (!modifiers_split(spelling, &modifiers))
        return OP_NONE;
    while ((pattern = next_with(&walk, mnemonic)).length)
        if (modifiers_order(&modifiers, pattern, ordered))
            return walk.op;
    return OP_NONE;
}

/* No row takes the spelling: which part, and what would be nearest? */
static Match blame(Arena *arena, Str spelling, size_t furthest) {
    Attempt attempt = {.spelling = spelling, .furthest = furthest, .arena = arena};
    const Patterns patterns = patterns_of(arena, mnemonic_of(spelling));
    find_among(&attempt, &patterns);
    size_t at = furthest < spelling.length ? furthest : spelling.length;
    size_t length = 0;
    while (!ends_token(spelling, at + length))
        length++;
    return (Match){.error = MATCH_MODIFIER,
                   .offset = (uint32_t)at,
                   .length = (uint32_t)length,
                   .closest = closest_spelling(arena, &patterns, &attempt, at, length)};
}

enum { LONGEST = 256 };

Op isa_match_longer(Str spelling, Op op) {
    Attempt attempt = {.spelling = spelling};
    bool known = false;
    char ordered[LONGEST + 1];
    Op longer = spelling.length <= LONGEST ? find_behind(&attempt, op, &known) : OP_NONE;
    return longer != OP_NONE || !known ? longer : find_ordered(spelling, op, ordered);
}

Match isa_match(Arena *arena, Str spelling) {
    Str mnemonic = mnemonic_of(spelling);
    Attempt attempt = {.spelling = spelling};
    bool known = false;
    Op op = spelling.length <= LONGEST ? find_behind(&attempt, OP_NONE, &known) : OP_NONE;
    if (op != OP_NONE)
        return (Match){.op = op, .mods = mods_read(spelling)};
    char ordered[LONGEST + 1];
    if (known && (op = find_ordered(spelling, OP_NONE, ordered)) != OP_NONE)
        return (Match){.op = op, .mods = mods_read(str_of(ordered))};
    if (known)
        return blame(arena, spelling, attempt.furthest);
    return (Match){.error = MATCH_UNKNOWN,
                   .length = (uint32_t)mnemonic.length,
                   .closest = closest_mnemonic(arena, mnemonic)};
}
