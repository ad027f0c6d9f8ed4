/* Functions that get a flat array as a pointer: `fill(tile, in)`. The parameter is a variable that points into the array, whose uses
 * are looked for like those of any other, where all calls of the function in the sources pass what is followed: then nobody else's
 * elements move. */
#include "rewrite/source.h"

#include <string.h>

/* The function of a name that has a body, and one of its parameters. */
typedef struct Entered {
    Str name;
    uint32_t argument, at; /* the parameter's number; of the one visited last */
    bool in_function, found;
    CXCursor function; /* whose parameters are visited */
    CXCursor parameter;
    Range whole, body;
    uint32_t outer, bodies;
    Code *code;
} Entered;

static bool is_function(enum CXCursorKind kind) {
    return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
           kind == CXCursor_CXXMethod;
}

static void visit_function(Walk *walk) {
    Entered *entered = walk->context;
    const Libclang *lib = &walk->source->lib;
    const CXCursor around = walk_at(walk, 1);
    const enum CXCursorKind kind = walk_kind(walk, 0);
    if (!is_function(walk_kind(walk, 1)) || !cursor_named(walk->source, around, entered->name))
        return;
    if (!entered->in_function || !lib->equalCursors(around, entered->function)) {
        entered->function = around;
        entered->in_function = true;
        entered->at = 0;
    }
    if (kind == CXCursor_ParmDecl && entered->at++ == entered->argument && !entered->bodies) {
        entered->parameter = walk_at(walk, 0);
        entered->found = true;
    }
    if (kind != CXCursor_CompoundStmt)
        return;
    entered->bodies++;
    entered->code = code_range(walk->source, around, &entered->whole);
    entered->body = walk_range(walk, 0);
    entered->outer = walk_outermost(walk);
}

/* ---- calls ---- */

/* The parenthesis of "f(" or "f<…>(" behind the name; 0: it is no call. */
static uint32_t opening(const Code *code, uint32_t name) {
    uint32_t t = name + 1;
    int depth = 0;
    if (token_is(code, t, "<"))
        do {
            depth += token_is(code, t, "<");
            depth -= token_is(code, t, ">") + 2 * token_is(code, t, ">>");
            t++;
        } while (depth > 0 && t < code->tokens.count && !token_is(code, t, ";"));
    return token_is(code, t, "(") ? t : 0;
}

/* "void f(float *tile, int);" */
static bool is_announced(const Code *code, uint32_t name, uint32_t open) {
    const bool typed = name > 0 && (code->tokens.at[name - 1].kind == CXToken_Identifier ||
                                    code->tokens.at[name - 1].kind == CXToken_Keyword);
    return typed && !token_is(code, name - 1, "return") && !token_is(code, name - 1, "else") &&
           token_is(code, token_behind_brackets(code, open), ";");
}

/* Is the name in the call's argument? */
static bool passes(const Code *code, uint32_t open, uint32_t argument, Str name) {
    const uint32_t end = token_behind_brackets(code, open) - 1;
    uint32_t first = open + 1;
    for (; argument > 0 && first < end; argument--)
        first = token_find(code, first, end, ",") + 1;
    for (const uint32_t last = token_find(code, first, end, ","); first < last; first++)
        if (str_equal(token_text(code, &code->tokens.at[first]), name))
            return true;
    return false;
}

/* Do all calls pass it? */
static bool all_pass(const Source *source, const Entered *entered, const Declaration *from) {
    for (uint32_t i = 0; i < source->files.count; i++) {
        const Code *code = source->files.at[i];
        for (uint32_t t = 0; t < code->tokens.count; t++) {
            const Range at = code->tokens.at[t].at;
            if (!str_equal(token_text(code, &code->tokens.at[t]), entered->name) ||
                (code == entered->code && at.begin >= entered->whole.begin &&
                 at.begin < entered->body.begin))
                continue;
            const uint32_t open = opening(code, t);
            if (open && is_announced(code, t, open))
                continue;
            if (!open || code != from->code || at.begin < from->scope.begin ||
                at.begin >= from->scope.end || !passes(code, open, entered->argument, from->name))
                return false;
        }
    }
    return true;
}

const char *parameter_follow(const Walk *walk, const Code *code, uint32_t up, uint64_t unit,
                             const Declaration *from, Uses *uses) {
    Source *source = walk->source;
    CallUse call;
    if (!call_around(walk, code, up, &call) || !*call.name)
        return "it is passed on as a pointer, compared or assigned";
    Entered entered = {.name = str_of(call.name), .argument = call.argument};
    source_walk(source, source->lib.getTranslationUnitCursor(source->unit), visit_function,
                &entered);
    const char *why = arena_printf(source->arena, "it is passed to %s as a pointer", call.name);
    if (entered.bodies != 1 || entered.code != code || !entered.found ||
        !all_pass(source, &entered, from))
        return why;
    for (uint32_t i = 0; i < uses->pointers_to.count; i++)
        if (source->lib.equalCursors(uses->pointers_to.at[i]->cursor, entered.parameter))
            return NULL;
    const CXType type = source->lib.getCanonicalType(source->lib.getCursorType(entered.parameter));
    const uint64_t bytes = pointed_bytes(source, type);
    const char *name = source_string(source, source->lib.getCursorSpelling(entered.parameter));
    Declaration *one = NEW(source->arena, Declaration);
    *one = *from;
    one->cursor = entered.parameter;
    one->element = unit;
    one->name = str_of(name);
    one->dynamic = one->rows = false;
    one->is_pointer = one->is_parameter = true;
    one->has_offset = false;
    one->scope = entered.whole;
    one->outer = entered.outer;
    if (type.kind != CXType_Pointer || (bytes && bytes != unit) || !*name ||
        code_of(source, source->lib.getCursorLocation(entered.parameter), &one->at.begin) != code)
        return why;
    one->at.end = one->at.begin + (uint32_t)one->name.length;
    *vec_add(source->arena, &uses->pointers_to) = one;
    uses->entered = true;
    return NULL;
}
