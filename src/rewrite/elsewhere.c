/* What stands elsewhere and makes an extent of an array: an argument of its type, an extent in a typedef, a constant of a class. The
 * parser is asked, with each number or name that could be it changed, whether the array then has the extents that it shall have. */
#include "rewrite/source.h"

#include <string.h>

enum { TRIED_MOST = 6 }; /* of each kind: the parser takes a while */

/* The extents that are asked for. */
typedef struct Wanted {
    uint64_t now, then; /* of the dimension that changes: the number, and what it shall be */
    uint64_t extents[DIMS_MOST];
} Wanted;

/* "_32", a type that is a number in CuTe. */
static bool is_number_type(const Code *code, uint32_t t, uint64_t *number) {
    const Range at = code->tokens.at[t].at;
    return code->text[at.begin] == '_' &&
           expression_number(code, (Range){at.begin + 1, at.end}, number);
}

/* Does the token stand where a number or a name is an argument, a value or an extent by itself? */
static bool is_given(const Code *code, uint32_t t) {
    const uint32_t end = t + 1;
    if (t > 1 && token_is(code, t - 2, "define"))
        return true;
    if (t > 1 && token_is(code, t - 1, "::") && token_is(code, t - 2, "cute"))
        t -= 2;
    bool begins = t > 0 && (token_is(code, t - 1, "<") || token_is(code, t - 1, ",") ||
                            token_is(code, t - 1, "=") || token_is(code, t - 1, "["));
    if (token_is(code, end, "{") && token_is(code, end + 1, "}")) /* "_32{}", an argument */
        return begins || token_is(code, t - 1, "(");
    return begins &&
           (token_is(code, end, ">") || token_is(code, end, ">>") || token_is(code, end, ",") ||
            token_is(code, end, ";") || token_is(code, end, "]") || token_is(code, end, "}"));
}

/* What the token becomes; NULL: it is nothing that could be changed. */
static const char *changed(Arena *arena, const Code *code, uint32_t t, const Wanted *wanted) {
    const Token *token = &code->tokens.at[t];
    uint64_t number;
    if (expression_number(code, token->at, &number))
        return number == wanted->now ? arena_printf(arena, "%llu", (unsigned long long)wanted->then)
                                     : NULL;
    if (is_number_type(code, t, &number))
        return number == wanted->now
                   ? arena_printf(arena, "Int<%llu>", (unsigned long long)wanted->then)
                   : NULL;
    if (token->kind != CXToken_Identifier ||
        !(token_is(code, t - 1, "=") || token_is(code, t - 1, "[")))
        return NULL;
    return arena_printf(arena, STR_FMT " + %llu", STR_ARG(token_text(code, token)),
                        (unsigned long long)(wanted->then - wanted->now));
}

bool declaration_names(const Declaration *declaration, uint32_t t) {
    const Code *code = declaration->code;
    uint32_t own = statement_start(code, token_from(code, declaration->at.begin));
    for (; own < code->tokens.count && !token_is(code, own, ";"); own++)
        if (token_same(code, own, t))
            return true;
    return false;
}

/* Does the statement around token t name something that the declaration names, too? */
static bool is_near(const Declaration *declaration, uint32_t t) {
    const Code *code = declaration->code;
    uint32_t first = statement_start(code, t);
    for (; first < code->tokens.count && !token_is(code, first, ";"); first++) {
        if (code->tokens.at[first].kind != CXToken_Identifier || token_is(code, first + 1, "::"))
            continue;
        if (declaration_names(declaration, first))
            return true;
    }
    return false;
}

/* Behind the last row there may be no padding: CuTe's cosize has none. */
static bool has_extents(const Declaration *declaration, const uint64_t extents[DIMS_MOST],
                        const Wanted *wanted) {
    if (declaration->dims == 1)
        return extents[0] <= wanted->extents[0] &&
               extents[0] + (wanted->then - wanted->now) >= wanted->extents[0];
    return memcmp(extents, wanted->extents, declaration->dims * sizeof *extents) == 0;
}

/* Of several the last one: of a type's arguments the pitch comes behind the rows. */
static bool find_kind(const Source *source, const Declaration *declaration, const Wanted *wanted,
                      bool names, bool near, PitchConstant *constant) {
    const Code *code = declaration->code;
    uint32_t tried = 0;
    for (uint32_t t = token_from(code, declaration->at.begin); t-- > 0 && tried < TRIED_MOST;) {
        uint64_t number;
        const bool is_name =
            code->tokens.at[t].kind == CXToken_Identifier && !is_number_type(code, t, &number);
        const char *text = is_name == names && is_given(code, t) && is_near(declaration, t) == near
                               ? changed(source->arena, code, t, wanted)
                               : NULL;
        const Range at = code->tokens.at[t].at;
        uint64_t extents[DIMS_MOST] = {0};
        if (!text)
            continue;
        tried++;
        if (!declaration_extents(source, declaration, (Edit){at.begin, at.end, text}, extents) ||
            !has_extents(declaration, extents, wanted))
            continue;
        const bool is_argument =
            token_is(code, t - 1, "<") || token_is(code, t - 1, ",") || token_is(code, t - 1, "::");
        *constant = (PitchConstant){.text = text, .at = at, .is_argument = is_argument};
        return true;
    }
    return false;
}

/* Names first: a constant that is the pitch and nothing else has one. */
static bool find(const Source *source, const Declaration *declaration, const Wanted *wanted,
                 PitchConstant *constant) {
    for (uint32_t kind = 0; kind < 4; kind++)
        if (find_kind(source, declaration, wanted, kind < 2, kind % 2 == 0, constant))
            return true;
    return false;
}

bool elsewhere_pitch(const Source *source, const Declaration *declaration, const Layout *layout,
                     PitchConstant *constant) {
    const uint64_t element = declaration->element;
    const Instance *instance = &declaration->instances.at[declaration->instance];
    if (declaration->dims != 1 || declaration->dynamic || layout->kind != LAYOUT_PADDED ||
        layout->pitch2 || layout->pitch % element || layout->pad % element ||
        declaration->instances.count > 1)
        return false;
    Wanted wanted = {.now = layout->pitch / element};
    wanted.then = wanted.now + layout->pad / element;
    wanted.extents[0] = instance->extents[0] / wanted.now * wanted.then;
    return find(source, declaration, &wanted, constant);
}

bool elsewhere_extent(const Source *source, const Declaration *declaration,
                      const RewriteShape *shape, PitchConstant *constant) {
    const Instance *instance = &declaration->instances.at[declaration->instance];
    Wanted wanted = {0};
    for (uint32_t d = 0; d < declaration->dims; d++) {
        wanted.extents[d] = instance->extents[d] + shape->by[d];
        if (shape->by[d] && wanted.then)
            return false; /* two of them */
        if (!shape->by[d])
            continue;
        wanted.now = instance->extents[d];
        wanted.then = wanted.extents[d];
    }
    return declaration->instances.count == 1 && wanted.then &&
           find(source, declaration, &wanted, constant);
}
