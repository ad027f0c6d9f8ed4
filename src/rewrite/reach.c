/* Uses of an array that reach further than an element: the address of one that a matrix function gets with a
 * leading dimension, arrays that are passed to functions, macros. They are rewritten where the new text will be
 * compiled, run and compared (RewriteOptions.tried): what they reach is then seen. */
#include "rewrite/source.h"

#include <string.h>

/* ---- calls ---- */

static void add_argument(const Walk *walk, CallUse *call, const Code *code, uint32_t first,
                         uint32_t end) {
    if (end > first)
        *vec_add(walk->source->arena, &call->arguments) =
            (Range){code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
}

/* What stands between the parentheses of a call, split at its commas. */
static bool read_arguments(const Walk *walk, const Code *code, Range range, uint32_t inside,
                           CallUse *call) {
    uint32_t t = token_from(code, range.begin), first;
    int depth = 0;
    while (t < code->tokens.count && !token_is(code, t, "("))
        t++;
    for (first = ++t; t < code->tokens.count && code->tokens.at[t].at.begin < range.end; t++) {
        bool closes = token_closes(code, t);
        bool ends = depth == 0 && (closes || token_is(code, t, ","));
        if (ends) {
            if (code->tokens.at[first].at.begin <= inside && inside < code->tokens.at[t].at.begin)
                call->argument = call->arguments.count;
            add_argument(walk, call, code, first, t);
            first = t + 1;
            if (closes)
                return call->arguments.count > 0;
        }
        depth += token_opens(code, t);
        depth -= closes;
    }
    return false;
}

bool call_around(const Walk *walk, const Code *code, uint32_t up, CallUse *call) {
    const Libclang *lib = &walk->source->lib;
    Range inside = {0};
    code_range(walk->source, walk_at(walk, up), &inside);
    for (up++; up < walk->path.count; up++) {
        CXCursor cursor = walk_at(walk, up);
        Range range;
        if (lib->getCursorKind(cursor) != CXCursor_CallExpr)
            continue;
        *call = (CallUse){.callee = lib->getCursorReferenced(cursor),
                          .name = source_string(walk->source, lib->getCursorSpelling(cursor))};
        return code_range(walk->source, cursor, &range) == code &&
               read_arguments(walk, code, range, inside.begin, call);
    }
    return false;
}

/* ---- matrices ---- */

bool reach_matrix(const Walk *walk, const Code *code, uint32_t up, const Declaration *declaration,
                  Uses *uses) {
    enum {
        LEADING = 2
    }; /* load_matrix_sync(fragment, pointer, ldm), store_matrix_sync(pointer, fragment, ldm) */
    CallUse call;
    if (declaration->dims < 2 || !call_around(walk, code, up, &call) ||
        (strcmp(call.name, "load_matrix_sync") != 0 &&
         strcmp(call.name, "store_matrix_sync") != 0) ||
        call.arguments.count <= LEADING)
        return false;
    *vec_add(walk->source->arena, &uses->extents) =
        (ExtentUse){call.arguments.at[LEADING], declaration->dims - 1};
    return true;
}

/* ---- parameters ---- */

static void add_extent(const Walk *walk, Range at, uint32_t dim, Uses *uses) {
    for (uint32_t i = 0; i < uses->extents.count; i++)
        if (uses->extents.at[i].at.begin == at.begin)
            return;
    *vec_add(walk->source->arena, &uses->extents) = (ExtentUse){at, dim};
}

/* Brackets of the declaration of a parameter, "float (&tile)[32][32]", are the array's last dimensions. */
static bool read_extents(const Walk *walk, const Code *code, Range range,
                         const Declaration *declaration, Uses *uses) {
    Range extents[DIMS_MOST];
    uint32_t count = 0;
    for (uint32_t t = token_from(code, range.begin);
         t < code->tokens.count && code->tokens.at[t].at.end <= range.end; t++) {
        uint32_t begin = code->tokens.at[t].at.end;
        if (!token_is(code, t, "["))
            continue;
        while (t < code->tokens.count && !token_is(code, t, "]"))
            t++;
        if (t == code->tokens.count || count == DIMS_MOST)
            return false;
        extents[count++] = (Range){begin, code->tokens.at[t].at.begin};
    }
    for (uint32_t i = 0; i < count && count <= declaration->dims; i++)
        add_extent(walk, extents[i], declaration->dims - count + i, uses);
    return count > 0 && count <= declaration->dims;
}

bool reach_parameter(const Walk *walk, const Code *code, uint32_t up,
                     const Declaration *declaration, Uses *uses) {
    const Libclang *lib = &walk->source->lib;
    CallUse call;
    Range range;
    if (!call_around(walk, code, up, &call) || lib->Cursor_isNull(call.callee))
        return false;
    CXCursor parameter = lib->Cursor_getArgument(call.callee, call.argument);
    if (lib->Cursor_isNull(parameter) || code_range(walk->source, parameter, &range) != code)
        return false;
    return read_extents(walk, code, range, declaration, uses);
}

/* From a variable's name to where its value begins, or its declarator ends. */
static Range declarator_from(const Code *code, uint32_t name) {
    uint32_t t = token_from(code, name);
    Range range = {name, name};
    while (t < code->tokens.count && !token_is(code, t, "=") && !token_is(code, t, ";") &&
           !token_is(code, t, ","))
        range.end = code->tokens.at[t++].at.end;
    return range;
}

/* Pointers that get their value from one to the rows of the array: "float (*next)[32] = rows;". */
static bool read_followers(const Walk *walk, const Code *code, Str name,
                           const Declaration *declaration, Uses *uses) {
    uint32_t t = token_from(code, declaration->scope.begin);
    for (; t + 1 < code->tokens.count && code->tokens.at[t].at.end <= declaration->scope.end; t++) {
        if (!token_is(code, t, "=") || t == 0 || !token_is(code, t - 1, "]") ||
            !str_equal(token_text(code, &code->tokens.at[t + 1]), name) ||
            !(token_is(code, t + 2, ";") || token_is(code, t + 2, ",")))
            continue;
        uint32_t begin = t;
        while (begin > 0 && !token_is(code, begin, "*") && !token_is(code, begin, ";"))
            begin--;
        const uint32_t other = begin + 1;
        if (!token_is(code, begin, "*") || code->tokens.at[other].kind != CXToken_Identifier)
            return false;
        const uint32_t known = uses->extents.count;
        if (!read_extents(walk, code, declarator_from(code, code->tokens.at[other].at.begin),
                          declaration, uses))
            return false;
        if (uses->extents.count > known &&
            !read_followers(walk, code, token_text(code, &code->tokens.at[other]), declaration,
                            uses))
            return false;
    }
    return true;
}

bool reach_variable(const Walk *walk, const Code *code, uint32_t up, const Declaration *declaration,
                    Uses *uses) {
    const CXCursor variable = walk_at(walk, up + 1);
    uint32_t name;
    if (walk_kind(walk, up + 1) != CXCursor_VarDecl ||
        code_of(walk->source, walk->source->lib.getCursorLocation(variable), &name) != code)
        return false;
    return read_extents(walk, code, declarator_from(code, name), declaration, uses) &&
           read_followers(walk, code, token_text(code, &code->tokens.at[token_from(code, name)]),
                          declaration, uses);
}

/* ---- macros ---- */

uint32_t directive_end(const Code *code, uint32_t at) {
    while (at < code->size && (code->text[at] != '\n' || (at > 0 && code->text[at - 1] == '\\')))
        at++;
    return at;
}

/* Behind the token where the macro is defined; tokens.count: it is not. */
static uint32_t macro_text(const Code *code, const char *macro, uint32_t *end) {
    uint32_t t = 0, count = code->tokens.count;
    while (t + 2 < count && !(token_is(code, t, "#") && token_is(code, t + 1, "define") &&
                              token_is(code, t + 2, macro)))
        t++;
    if (t + 2 >= count)
        return count;
    *end = directive_end(code, code->tokens.at[t].at.begin);
    return t + 3;
}

bool read_element(const Code *code, uint32_t t, uint32_t dims, ArrayUse *use) {
    *use = (ArrayUse){.at = code->tokens.at[t].at};
    for (uint32_t d = 0; d < dims; d++) {
        if (!token_is(code, ++t, "["))
            return false;
        use->brackets = d == 0 ? code->tokens.at[t].at.begin : use->brackets;
        use->subscripts[d].begin = code->tokens.at[t].at.end;
        for (int depth = 1; depth > 0;) {
            if (++t >= code->tokens.count)
                return false;
            depth += token_is(code, t, "[") - token_is(code, t, "]");
        }
        use->subscripts[d].end = code->tokens.at[t].at.begin;
        use->at.end = code->tokens.at[t].at.end;
    }
    return true;
}

bool reach_macro(const Source *source, const Code *code, const char *macro,
                 const Declaration *declaration, Uses *uses) {
    uint32_t end = 0, found = 0;
    for (uint32_t t = macro_text(code, macro, &end);
         t < code->tokens.count && code->tokens.at[t].at.begin < end; t++) {
        ArrayUse use;
        bool known = false;
        if (!str_equal(token_text(code, &code->tokens.at[t]), declaration->name))
            continue;
        if (!read_element(code, t, declaration->dims, &use) || use.at.end > end)
            return false;
        for (uint32_t i = 0; i < uses->list.count; i++)
            known |= uses->list.at[i].brackets == use.brackets;
        if (!known)
            *vec_add(source->arena, &uses->list) = use;
        found++;
    }
    return found > 0;
}
