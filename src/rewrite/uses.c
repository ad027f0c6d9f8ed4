/* The uses of a shared array: elements of it, or something that prevents another layout.
 *
 * Every token that is spelled like the array is accounted for, by a use or by something else of that name. The
 * rest - code that the preprocessor leaves out, code that the parser has given up on - is a blocker, too. */
#include "rewrite/source.h"

#include <string.h>

typedef struct Hunt {
    Source *source;
    const Declaration *declaration;
    Uses *uses;
    RewriteOutcome *outcome;
    Map *seen;          /* "path:offset" of the tokens that are accounted for */
    bool is_pointer;    /* what is hunted is a variable that points into the array */
    const char *kernel; /* outside of it nothing may use the array; NULL: everything may */
} Hunt;

static Str token_key(Arena *arena, const Code *code, uint32_t offset) {
    return str_of(arena_printf(arena, "%s:%u", code->path, offset));
}

static void account(Hunt *hunt, const Code *code, uint32_t offset) {
    map_put(hunt->seen, token_key(hunt->source->arena, code, offset), 1);
}

static void block(Hunt *hunt, const Code *code, Range range, const char *why) {
    Place place = code_place(code, range);
    place.length = (uint32_t)hunt->declaration->name.length;
    RewriteOutcome *outcome = hunt->outcome;
    for (uint32_t i = 0; i < outcome->blockers.count; i++) {
        const Place *other = &outcome->blockers.at[i].place;
        if (strcmp(other->file, place.file) == 0 && other->line == place.line &&
            other->column == place.column)
            return;
    }
    *vec_add(hunt->source->arena, &outcome->blockers) = (Blocker){place, why};
}

/* ---- the tree above a use ---- */

/* Up to the last of the parentheses and implicit conversions around an expression. */
static uint32_t outside(const Walk *walk, uint32_t up) {
    for (;; up++) {
        enum CXCursorKind kind = walk_kind(walk, up + 1);
        Range inner = walk_range(walk, up);
        if (kind == CXCursor_ParenExpr)
            continue;
        if (kind != CXCursor_UnexposedExpr)
            return up;
        Range outer = walk_range(walk, up + 1);
        if (outer.begin != inner.begin || outer.end != inner.end)
            return up;
    }
}

/* Is there a token of that text in the range? */
static bool has_token(const Code *code, uint32_t begin, uint32_t end, const char *text) {
    for (uint32_t t = token_from(code, begin);
         t < code->tokens.count && code->tokens.at[t].at.begin < end; t++)
        if (token_is(code, t, text))
            return true;
    return false;
}

/* "atomicAdd(&": what an atomic function gets is one element. */
static bool is_atomic(const Code *code, uint32_t ampersand) {
    return ampersand >= 2 && token_is(code, ampersand - 1, "(") &&
           str_starts(token_text(code, &code->tokens.at[ampersand - 2]), "atomic");
}

/* ---- what a use is, where it is no element ---- */

static const char *pointer_words(const Walk *walk, uint32_t up, uint32_t depth) {
    Arena *arena = walk->source->arena;
    const char *what = depth == 0 ? "it" : "a row of it";
    enum CXCursorKind kind = walk_kind(walk, up + 1);
    const char *name =
        up + 1 < walk->path.count
            ? source_string(walk->source,
                            walk->source->lib.getCursorSpelling(walk_at(walk, up + 1)))
            : "";
    if (kind == CXCursor_UnaryExpr)
        return arena_printf(arena, "the size of %s is taken", what);
    if (kind == CXCursor_CallExpr || (kind == CXCursor_UnexposedExpr && *name))
        return arena_printf(arena, "%s is passed to %s as a pointer", what,
                            *name ? name : "a function");
    if (kind == CXCursor_VarDecl)
        return arena_printf(arena, "a pointer to %s is kept in %s", what, name);
    if (kind_casts(kind))
        return arena_printf(arena, "%s is cast to another type", what);
    return arena_printf(arena, "%s is used as a pointer", what);
}

/* Is the element at `up` used as a value, or in a way that may reach its neighbours? NULL: as a value. */
static const char *reach_words(const Walk *walk, const Code *code, uint32_t up) {
    Range element = walk_range(walk, up);
    for (;; up++) {
        up = outside(walk, up);
        enum CXCursorKind kind = walk_kind(walk, up + 1);
        if (kind == CXCursor_MemberRefExpr ||
            (kind == CXCursor_ArraySubscriptExpr &&
             walk_range(walk, up + 1).begin == walk_range(walk, up).begin))
            continue; /* a part of the element */
        if (kind == CXCursor_UnaryOperator) {
            uint32_t token = token_from(code, walk_range(walk, up + 1).begin);
            if (token_is(code, token, "&") && !is_atomic(code, token))
                return "the address of an element is taken, through which others may be reached";
        }
        if (kind_casts(kind) && has_token(code, walk_range(walk, up + 1).begin, element.begin, "&"))
            return "an element is used as another type";
        return NULL;
    }
}

/* Reads `dims` subscripts outwards from the name; returns how many there are, and `up` of the element. */
static uint32_t read_subscripts(const Walk *walk, const Code *code, uint32_t dims, ArrayUse *use,
                                uint32_t *element) {
    uint32_t up = 0, d = 0;
    for (; d < dims; d++) {
        up = outside(walk, up);
        Range base = walk_range(walk, up);
        uint32_t bracket = token_from(code, base.end);
        if (walk_kind(walk, up + 1) != CXCursor_ArraySubscriptExpr ||
            walk_range(walk, up + 1).begin != base.begin || !token_is(code, bracket, "[") ||
            (d > 0 && base.end != use->at.end))
            break;
        use->at = walk_range(walk, ++up);
        use->subscripts[d] = (Range){code->tokens.at[bracket].at.end, use->at.end - 1};
        if (d == 0)
            use->brackets = code->tokens.at[bracket].at.begin;
    }
    *element = up;
    return d;
}

/* ---- uses ---- */

static void add_use(Hunt *hunt, const ArrayUse *use) {
    Uses *uses = hunt->uses;
    for (uint32_t i = 0; i < uses->list.count; i++)
        if (uses->list.at[i].brackets == use->brackets)
            return; /* some expressions are in the tree twice */
    *vec_add(hunt->source->arena, &uses->list) = *use;
}

/* The array itself, or a row of it, where the new text will be tried: the row is where the extents put it, and
 * who gets the array must know of them. */
static bool follow(Hunt *hunt, const Walk *walk, const Code *code, Range name, uint32_t up,
                   uint32_t depth, const char *why) {
    const Declaration *declaration = hunt->declaration;
    bool matrix = reach_matrix(walk, code, up, declaration, hunt->uses) ||
                  reach_variable(walk, code, up, declaration, hunt->uses);
    if (!matrix && !(depth + 1 == declaration->dims && depth > 0) &&
        !reach_parameter(walk, code, up, declaration, hunt->uses))
        return false;
    Place place = code_place(code, name);
    *vec_add(walk->source->arena, &hunt->uses->pointers) = (Blocker){place, why};
    return true;
}

/* An element whose address is taken, likewise. */
static bool follow_element(Hunt *hunt, const Walk *walk, const Code *code, Range name, uint32_t up,
                           const char *why) {
    if (reach_matrix(walk, code, up, hunt->declaration, hunt->uses)) {
        Place place = code_place(code, name);
        *vec_add(walk->source->arena, &hunt->uses->pointers) = (Blocker){place, why};
    }
    return true;
}

/* Is the array of one dimension itself used as a pointer, and by no function? (Who gets the array as an argument may know the
 * pitch from a constant: rewrite.c.) */
static bool is_pointer(const Walk *walk) {
    const Hunt *hunt = walk->context;
    if (hunt->declaration->dynamic || hunt->is_pointer)
        return true;
    enum CXCursorKind kind = walk_kind(walk, outside(walk, 0) + 1);
    return kind == CXCursor_VarDecl || kind == CXCursor_BinaryOperator || kind_casts(kind) ||
           pointer_is_kept(walk);
}

static void visit_use(Walk *walk, const Code *code, Range name) {
    Hunt *hunt = walk->context;
    const Declaration *declaration = hunt->declaration;
    ArrayUse use = {0};
    uint32_t element;
    const bool tried = walk->source->options->tried;
    const char *macro = expansion_at(code, name.begin), *why = NULL;
    account(hunt, code, name.begin);
    if (macro) {
        if (tried && code == declaration->code &&
            reach_macro(walk->source, code, macro, declaration, hunt->uses))
            return;
        why = arena_printf(walk->source->arena, "it is used in the macro %s", macro);
    } else if (code != declaration->code) {
        why = "it is used in another file than that of its declaration";
    } else if (hunt->kernel && !dynamic_in_kernel(walk, hunt->kernel)) {
        why = "it is used outside of the kernel, whose launch alone is known";
    } else {
        if (tried && declaration->dims == 1 && is_pointer(walk)) {
            why = pointer_follow(walk, code, declaration, hunt->uses);
            if (why)
                block(hunt, code, name, why);
            return;
        }
        uint32_t depth = read_subscripts(walk, code, declaration->dims, &use, &element);
        bool row = depth < declaration->dims;
        why = row ? pointer_words(walk, element, depth) : reach_words(walk, code, element);
        if (why && tried && row && follow(hunt, walk, code, name, element, depth, why))
            return;
        if (why && tried && row && declaration->dims == 1)
            why = pointer_follow(walk, code, declaration, hunt->uses);
        if (!why && row)
            return;
        if (why && tried && !row && follow_element(hunt, walk, code, name, element, why))
            why = NULL;
    }
    if (why)
        block(hunt, code, name, why);
    else
        add_use(hunt, &use);
}

/* A token of the array's name that is something else. */
static bool is_other(const Walk *walk, CXCursor cursor) {
    const Libclang *lib = &walk->source->lib;
    enum CXCursorKind kind = lib->getCursorKind(cursor);
    if (lib->isDeclaration(kind))
        return true;
    CXCursor referenced = lib->getCursorReferenced(cursor);
    const Hunt *hunt = walk->context;
    return !lib->Cursor_isNull(referenced) &&
           !lib->equalCursors(referenced, hunt->declaration->cursor);
}

static void visit(Walk *walk) {
    Hunt *hunt = walk->context;
    const Libclang *lib = &walk->source->lib;
    CXCursor cursor = walk_at(walk, 0);
    enum CXCursorKind kind = lib->getCursorKind(cursor);
    Range name;
    bool is_reference = kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr ||
                        kind == CXCursor_MemberRef;
    bool is_use = is_reference &&
                  lib->equalCursors(lib->getCursorReferenced(cursor), hunt->declaration->cursor);
    if (!is_use && !cursor_named(walk->source, cursor, hunt->declaration->name))
        return;
    const Code *code = code_of(walk->source, lib->getCursorLocation(cursor), &name.begin);
    if (!code)
        return;
    name.end = name.begin + (uint32_t)hunt->declaration->name.length;
    if (is_use)
        visit_use(walk, code, name);
    else if (is_other(walk, cursor))
        account(hunt, code, name.begin);
}

/* ---- tokens that nothing accounts for ---- */

static void check_tokens(Hunt *hunt, const Code *code, Range scope) {
    const Declaration *declaration = hunt->declaration;
    for (uint32_t t = token_from(code, scope.begin); t < code->tokens.count; t++) {
        const Token *token = &code->tokens.at[t];
        uint64_t unused;
        if (token->at.begin >= scope.end)
            return;
        if (token->kind != CXToken_Identifier ||
            !str_equal(token_text(code, token), declaration->name) ||
            map_get(hunt->seen, token_key(hunt->source->arena, code, token->at.begin), &unused))
            continue;
        bool is_part = t > 0 && (token_is(code, t - 1, ".") || token_is(code, t - 1, "->") ||
                                 token_is(code, t - 1, "::"));
        if (is_part && !declaration->is_member)
            continue; /* a member of something */
        ArrayUse use;
        if (is_part && declaration->is_part && read_element(code, t, declaration->dims, &use))
            continue; /* an element, of what a template's arguments say: longer rows leave its text as it is */
        block(hunt, code, token->at,
              "what this is cannot be seen: code that #if leaves out, that depends on a template's "
              "arguments, or that uses names without a declaration");
    }
}

static void hunt_one(Hunt *hunt) {
    const Declaration *declaration = hunt->declaration;
    Source *source = hunt->source;
    hunt->seen = map_new(source->arena);
    account(hunt, declaration->code, declaration->at.begin);
    source_walk(source, source->lib.getTranslationUnitCursor(source->unit), visit, hunt);
    check_tokens(hunt, declaration->code, declaration->scope);
    for (uint32_t i = 0; declaration->is_member && i < source->files.count; i++) {
        const Code *code = source->files.at[i];
        if (code != declaration->code)
            check_tokens(hunt, code, (Range){0, code->size});
    }
}

void rewrite_uses(Source *source, const Declaration *declaration, const char *kernel, Uses *uses,
                  RewriteOutcome *outcome) {
    Hunt hunt = {.source = source,
                 .declaration = declaration,
                 .uses = uses,
                 .outcome = outcome,
                 .kernel = declaration->dynamic ? kernel : NULL};
    hunt_one(&hunt);
    for (uint32_t i = 0; i < uses->pointers_to.count; i++) {
        hunt.declaration = uses->pointers_to.at[i];
        hunt.is_pointer = true;
        hunt.kernel = hunt.declaration->is_parameter ? NULL : hunt.kernel;
        hunt_one(&hunt);
    }
}
