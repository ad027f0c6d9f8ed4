/* Macros and functions that compute the place of an element: `#define IDX(r, c) ((r) * 32 + (c))`, tile[IDX(y, x)].
 *
 * A longer pitch is written into the definition where the array's indices are all that use it; else they get a copy. */
#include "rewrite/source.h"

#include <string.h>

/* ---- definitions ---- */

/* "#define IDX(r, c) …", whose name is token t. */
static bool read_macro(const Code *code, uint32_t t, PlaceHelper *helper) {
    if (t < 2 || !token_is(code, t - 1, "define") || !token_is(code, t - 2, "#") ||
        !token_is(code, t + 1, "(") || code->tokens.at[t].at.end != code->tokens.at[t + 1].at.begin)
        return false;
    const uint32_t end = directive_end(code, code->tokens.at[t].at.begin);
    *helper = (PlaceHelper){.is_macro = true,
                            .at = {code->tokens.at[t - 2].at.begin, end},
                            .name = t,
                            .first = token_behind_brackets(code, t + 1),
                            .end = token_from(code, end)};
    return true; /* also of an empty text: it is a definition */
}

/* "__device__ int place(int r, int c) { return …; }", likewise. */
static bool read_function(const Code *code, uint32_t t, PlaceHelper *helper) {
    if (t == 0 || code->tokens.at[t - 1].at.end == code->tokens.at[t].at.begin ||
        !token_is(code, t + 1, "("))
        return false;
    uint32_t body = token_behind_brackets(code, t + 1);
    if (!token_is(code, body, "{") || !token_is(code, body + 1, "return"))
        return false;
    const uint32_t behind = token_behind_brackets(code, body);
    const uint32_t end = token_find(code, body + 1, behind, ";");
    if (end + 2 != behind)
        return false;
    *helper = (PlaceHelper){.at = {code->tokens.at[statement_start(code, t)].at.begin,
                                   code->tokens.at[behind - 1].at.end},
                            .name = t,
                            .first = body + 2,
                            .end = end};
    return helper->first < end;
}

bool place_called(const Code *code, uint32_t first, uint32_t end, PlaceHelper *helper) {
    uint32_t found = 0;
    if (first + 2 >= end || code->tokens.at[first].kind != CXToken_Identifier ||
        !token_is(code, first + 1, "(") || token_behind_brackets(code, first + 1) != end)
        return false;
    for (uint32_t t = 0; t < code->tokens.count; t++) {
        PlaceHelper one;
        if (t == first || !token_same(code, t, first) || !place_defined(code, t, &one))
            continue;
        *helper = one;
        found++;
    }
    return found == 1;
}

bool place_defined(const Code *code, uint32_t t, PlaceHelper *helper) {
    return read_macro(code, t, helper) || read_function(code, t, helper);
}

bool place_around(const Code *code, uint32_t t, PlaceHelper *helper) {
    for (uint32_t name = t < code->tokens.count ? t + 1 : 0; name-- > 0;) {
        if (token_is(code, name, ";"))
            break; /* before what stands there */
        if (place_defined(code, name, helper) && helper->first <= t && t < helper->end)
            return true;
    }
    return false;
}

/* ---- changes ---- */

static bool is_called(const PlaceCalls *calls, uint32_t token) {
    for (uint32_t i = 0; i < calls->list.count; i++)
        if (calls->list.at[i].name == token)
            return true;
    return false;
}

/* Are the calls all that is named so in the sources? A header may be included by others, too. */
static bool is_own(const Source *source, const Code *code, const PlaceHelper *helper,
                   const PlaceCalls *calls) {
    Str name = token_text(code, &code->tokens.at[helper->name]);
    if (strcmp(code->path, source->path) != 0)
        return false;
    for (uint32_t i = 0; i < source->files.count; i++) {
        const Code *file = source->files.at[i];
        for (uint32_t t = 0; t < file->tokens.count; t++)
            if (str_equal(token_text(file, &file->tokens.at[t]), name) &&
                !(file == code && (t == helper->name || is_called(calls, t))))
                return false;
    }
    return true;
}

/* "IDX_PADDED" or "place_padded", with a number where that is taken. */
static const char *name_of_copy(Arena *arena, const Code *code, const PlaceHelper *helper) {
    Str name = token_text(code, &code->tokens.at[helper->name]);
    const char *end = helper->is_macro ? "PADDED" : "padded";
    const char *text = arena_printf(arena, STR_FMT "_%s", STR_ARG(name), end);
    for (uint32_t i = 2; code_has_word(code, text); i++)
        text = arena_printf(arena, STR_FMT "_%s_%u", STR_ARG(name), end, i);
    return text;
}

static bool is_inside(const PlaceHelper *helper, Edit edit) {
    return edit.begin >= helper->at.begin && edit.begin < helper->at.end;
}

/* The definition under another name with the changes in it, which are taken out of the list. */
static const char *copy_text(Arena *arena, const Code *code, const PlaceHelper *helper,
                             const char *name, RowPitch *pitch) {
    VEC(Edit) inside = {0};
    const Range word = code->tokens.at[helper->name].at;
    uint32_t kept = 0;
    *vec_add(arena, &inside) =
        (Edit){word.begin - helper->at.begin, word.end - helper->at.begin, name};
    for (uint32_t i = 0; i < pitch->factors.count; i++) {
        const Edit edit = pitch->factors.at[i];
        if (!is_inside(helper, edit))
            pitch->factors.at[kept++] = edit;
        else
            *vec_add(arena, &inside) =
                (Edit){edit.begin - helper->at.begin, edit.end - helper->at.begin, edit.text};
    }
    pitch->factors.count = kept;
    Str text = code_text(code, helper->at);
    return edits_apply(arena, arena_copy(arena, text.at, text.length), inside.at, inside.count);
}

/* Where the line behind what ends there begins; the same place where more stands on its line. */
static uint32_t line_behind(const Code *code, uint32_t end) {
    const uint32_t line = end + (uint32_t)strspn(code->text + end, " \t\r");
    return code->text[line] == '\n' ? line + 1 : end;
}

static bool is_changed(const PlaceHelper *helper, const RowPitch *pitch) {
    for (uint32_t i = 0; i < pitch->factors.count; i++)
        if (is_inside(helper, pitch->factors.at[i]))
            return true;
    return false;
}

void place_edits(const Source *source, const Declaration *declaration, const PlaceCalls *calls,
                 RowPitch *pitch) {
    Arena *arena = source->arena;
    const Code *code = declaration->code;
    for (uint32_t i = 0; i < calls->list.count; i++) {
        const PlaceHelper *helper = &calls->list.at[i].helper;
        if (!is_changed(helper, pitch) || is_own(source, code, helper, calls))
            continue;
        const char *name = name_of_copy(arena, code, helper);
        const char *text = copy_text(arena, code, helper, name, pitch);
        for (uint32_t k = 0; k < calls->list.count; k++) {
            const Range at = code->tokens.at[calls->list.at[k].name].at;
            if (calls->list.at[k].helper.name == helper->name)
                *vec_add(arena, &pitch->factors) = (Edit){at.begin, at.end, name};
        }
        const uint32_t line = line_behind(code, helper->at.end);
        *vec_add(arena, &pitch->factors) =
            (Edit){line, line, arena_printf(arena, line > helper->at.end ? "%s\n" : "\n%s", text)};
    }
}
