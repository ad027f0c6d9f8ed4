/* extern __shared__ arrays: their declaration has no extent, the launch asks for their bytes. So the declaration stays as it
 * is, and what a launch of the kernel in the same file asks for becomes what the new layout needs. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

/* ---- the kernel's name ---- */

/* "void ns::f<0>(int)": "f" */
Str kernel_word(const char *kernel) {
    size_t length = 0, begin = 0;
    while (kernel[length] && !strchr("<(", kernel[length]))
        length++;
    for (size_t i = 0; i < length; i++)
        if (kernel[i] == ' ' || kernel[i] == ':')
            begin = i + 1;
    return (Str){kernel + begin, length - begin};
}

bool dynamic_in_kernel(const Walk *walk, const char *kernel) {
    for (uint32_t up = 0; up < walk->path.count; up++) {
        enum CXCursorKind kind = walk_kind(walk, up);
        if ((kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate) &&
            cursor_named(walk->source, walk_at(walk, up), kernel_word(kernel)))
            return true;
    }
    return false;
}

/* ---- the declaration ---- */

typedef struct DynamicSearch {
    Str name;
    const char *kernel;
    Declaration *found; /* in the kernel, or else outside of functions */
    bool in_kernel;
} DynamicSearch;

/* "[]" behind the name */
static bool has_empty_brackets(const Code *code, Range name) {
    uint32_t t = token_from(code, name.end);
    return token_is(code, t, "[") && token_is(code, t + 1, "]") && !token_is(code, t + 2, "[");
}

static bool is_extern_shared(const Code *code, Range name) {
    bool is_extern = false, shared = false;
    uint32_t t = token_from(code, name.begin);
    while (t > 0 && !token_is(code, t - 1, ";") && !token_is(code, t - 1, "{") &&
           !token_is(code, t - 1, "}")) {
        t--;
        is_extern |= token_is(code, t, "extern");
        shared |= token_is(code, t, "__shared__");
    }
    return is_extern && shared;
}

static void visit_dynamic(Walk *walk) {
    DynamicSearch *search = walk->context;
    Source *source = walk->source;
    const Libclang *lib = &source->lib;
    CXCursor cursor = walk_at(walk, 0);
    Range name;
    if (lib->getCursorKind(cursor) != CXCursor_VarDecl ||
        !cursor_named(source, cursor, search->name) || search->in_kernel)
        return;
    Code *code = code_of(source, lib->getCursorLocation(cursor), &name.begin);
    if (!code || expansion_at(code, name.begin))
        return;
    name.end = name.begin + (uint32_t)search->name.length;
    bool here = dynamic_in_kernel(walk, search->kernel);
    bool outside = true;
    for (uint32_t up = 1; up < walk->path.count; up++)
        outside &= walk_kind(walk, up) != CXCursor_CompoundStmt;
    CXType type = lib->getCanonicalType(lib->getArrayElementType(lib->getCursorType(cursor)));
    long long bytes = type.kind == CXType_Invalid ? 0 : lib->Type_getSizeOf(type);
    if (!has_empty_brackets(code, name) || !is_extern_shared(code, name) || !(here || outside) ||
        bytes <= 0)
        return;
    Range outer = {0};
    for (uint32_t up = walk->path.count; up-- > 0 && outer.end == 0;)
        if (!kind_scope(source, walk_kind(walk, up)))
            outer = walk_range(walk, up);
    Declaration *one = NEW(source->arena, Declaration);
    *one = (Declaration){.cursor = cursor,
                         .code = code,
                         .name = search->name,
                         .dynamic = true,
                         .constants = map_new(source->arena),
                         .at = name,
                         .scope = {0, code->size},
                         .dims = 1,
                         .outer = outer.begin,
                         .element = (uint64_t)bytes};
    for (uint32_t up = 1; here && up < walk->path.count; up++)
        if (walk_kind(walk, up) == CXCursor_FunctionDecl ||
            walk_kind(walk, up) == CXCursor_FunctionTemplate)
            one->scope = walk_range(walk, up);
    search->found = one;
    search->in_kernel = here;
}

/* "ns::memory": "memory" */
static Str last_word(const char *name) {
    const char *from = strrchr(name, ':');
    return str_of(from ? from + 1 : name);
}

Declaration *dynamic_find(Source *source, const RewriteArray *array, RewriteOutcome *outcome) {
    DynamicSearch search = {.name = last_word(array->name), .kernel = array->kernel};
    outcome->why = "dynamic shared memory has no extents: its layout is index arithmetic";
    if (!source->options->tried || !array->kernel)
        return NULL;
    source_walk(source, source->lib.getTranslationUnitCursor(source->unit), visit_dynamic, &search);
    Declaration *one = search.found;
    outcome->why =
        "no `extern __shared__` declaration of it with elements of a known size is found";
    if (!one)
        return NULL;
    *vec_add(source->arena, &one->instances) =
        (Instance){.name = "", .element = one->element, .extents = {array->bytes / one->element}};
    outcome->declaration = code_place(one->code, one->at);
    return one;
}

/* ---- launches ---- */

/* The token behind "<…>" that begins at t, or t. */
static uint32_t behind_arguments(const Code *code, uint32_t t) {
    int depth = 0;
    if (!token_is(code, t, "<"))
        return t;
    for (; t < code->tokens.count; t++) {
        depth += token_is(code, t, "<");
        depth -= token_is(code, t, ">");
        if (depth == 0)
            return t + 1;
        if (token_is(code, t, ";") || token_is(code, t, "<<<"))
            break;
    }
    return t;
}

void launch_sizes(const Source *source, const Code *code, const char *kernel, LaunchSizes *sizes) {
    const Str word = kernel_word(kernel);
    for (uint32_t k = 0; k < code->tokens.count; k++) {
        if (!str_equal(token_text(code, &code->tokens.at[k]), word))
            continue;
        uint32_t t = behind_arguments(code, k + 1), commas = 0, first = 0;
        if (!token_is(code, t, "<<<"))
            continue;
        int depth = 0;
        for (t++; t < code->tokens.count && !token_is(code, t, ">>>"); t++) {
            bool comma = depth == 0 && token_is(code, t, ",");
            depth += token_opens(code, t);
            depth -= token_closes(code, t);
            commas += comma;
            if (comma && commas == 2)
                first = t + 1;
            if (comma && commas == 3)
                break;
        }
        if (first && first < t)
            *vec_add(source->arena, &sizes->list) =
                (Range){code->tokens.at[first].at.begin, code->tokens.at[t - 1].at.end};
    }
}

/* The number or name in a product that is the pitch in the array's indices, too; what that becomes. NULL: there is none. */
static const char *longer_rows(const Code *code, uint32_t t, const RowPitch *pitch) {
    for (uint32_t i = 0; i < pitch->factors.count; i++) {
        const Edit *one = &pitch->factors.at[i];
        if (str_equal(token_text(code, &code->tokens.at[t]),
                      code_text(code, (Range){one->begin, one->end})))
            return one->text;
    }
    return NULL;
}

/* "2 * 32 * 33 * sizeof(float)": a product of which one factor is the pitch; NULL: it is none. */
static const char *longer_product(Arena *arena, const Code *code, Range size,
                                  const RowPitch *pitch) {
    const char *text = NULL;
    bool sized = false;
    int depth = 0;
    Edit edit = {0};
    for (uint32_t t = token_from(code, size.begin);
         t < code->tokens.count && code->tokens.at[t].at.begin < size.end; t++) {
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
        const Token *token = &code->tokens.at[t];
        const char *longer = depth == 0 ? longer_rows(code, t, pitch) : NULL;
        sized |= token_is(code, t, "sizeof");
        if (depth == 0 && token->kind == CXToken_Punctuation && !token_is(code, t, "*") &&
            !token_closes(code, t))
            return NULL;
        if (longer)
            edit = (Edit){token->at.begin - size.begin, token->at.end - size.begin, longer};
    }
    Str all = code_text(code, size);
    if (edit.text && sized)
        text = edits_apply(arena, arena_copy(arena, all.at, all.length), &edit, 1);
    return text;
}

const char *launch_bytes_text(Arena *arena, const Code *code, Range size, const Layout *layout,
                              const RowPitch *pitch) {
    uint64_t number;
    const uint64_t unit = layout->kind != LAYOUT_PADDED ? layout_bytes(layout, 1)
                          : layout->pitch2              ? layout->pitch2
                                                        : layout->pitch;
    if (expression_number(code, size, &number))
        return arena_printf(arena, "%llu", (unsigned long long)layout_bytes(layout, number));
    const char *product = longer_product(arena, code, size, pitch);
    if (product)
        return product;
    return arena_printf(
        arena, "(%s + %llu) / %llu * %llu",
        expression_operand(arena, expression_of(arena, code, size, NULL), BINDS_SUM),
        (unsigned long long)unit - 1, (unsigned long long)unit,
        (unsigned long long)layout_bytes(layout, unit));
}

Edit dynamic_comment(Arena *arena, const Declaration *declaration, const Layout *layout) {
    const Code *code = declaration->code;
    uint32_t at = declaration->at.begin;
    const uint64_t unit = layout->pitch2 ? layout->pitch2 : layout->pitch;
    while (at > 0 && code->text[at - 1] != '\n')
        at--;
    size_t indent = strspn(code->text + at, " \t");
    const char *text = "";
    if (layout->kind == LAYOUT_PADDED)
        text =
            arena_printf(arena,
                         "%.*s// Padded against bank conflicts: a launch asks for %llu bytes "
                         "where it would for %llu.\n",
                         (int)indent, code->text + at,
                         (unsigned long long)layout_bytes(layout, unit), (unsigned long long)unit);
    return (Edit){at, at, text};
}
