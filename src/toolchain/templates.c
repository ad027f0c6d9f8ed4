/* Kernel templates in CUDA source, found by its tokens: enough C++ to see `template <…> …
 * __global__ … name(`, and not to be misled by comments and strings. */
#include "toolchain/toolchain.h"

#include <string.h>

static const char *skip_comment(const char *at) {
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    return at;
}

static bool is_name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* The next token of C++ text, as far as it matters here: a name or number, a string, or one other
 * character. */
static Str next_token(const char **text) {
    const char *at = *text;
    for (const char *before = NULL; before != at;) {
        before = at;
        at = skip_comment(at + strspn(at, " \t\r\n\\"));
    }
    const char *start = at;
    while (is_name_char(*at))
        at++;
    if (at == start && (*at == '"' || *at == '\'')) {
        for (at++; *at && *at != *start && *at != '\n'; at++)
            at += at[0] == '\\' && at[1];
    }
    if (at == start || *start == '"' || *start == '\'')
        at += *at != 0;
    *text = at;
    return (Str){start, (size_t)(at - start)};
}

/* Skips "( … )", whose '(' has been read. */
static void skip_parentheses(const char **text) {
    for (int depth = 1; depth > 0;) {
        Str token = next_token(text);
        if (token.length == 0)
            return;
        depth += str_is(token, "(") - str_is(token, ")");
    }
}

/* The kernel's name, behind __global__: the name before the parameter list. */
static Str kernel_name(const char **text) {
    Str name = {0};
    for (Str token; (token = next_token(text)).length > 0;) {
        bool attribute = str_is(name, "__launch_bounds__") || str_is(name, "__attribute__");
        if (str_is(token, "(") && !attribute)
            return name;
        if (str_is(token, "("))
            skip_parentheses(text);
        else if (str_is(token, ";") || str_is(token, "{"))
            return (Str){0};
        else
            name = token;
    }
    return (Str){0};
}

const char **source_kernel_templates(Arena *arena, const char *text, uint32_t *count) {
    VEC(const char *) names = {0};
    bool in_template = false; /* between `template` and the end of what it declares */
    for (Str token; (token = next_token(&text)).length > 0;) {
        if (str_is(token, "template")) {
            const char *ahead =
                text; /* `template <>` and `template __global__ …` define no template */
            bool opens = str_is(next_token(&ahead), "<");
            in_template = opens && !str_is(next_token(&ahead), ">");
        } else if (str_is(token, ";") || str_is(token, "{") || str_is(token, "}")) {
            in_template = false;
        } else if (in_template && str_is(token, "__global__")) {
            Str name = kernel_name(&text);
            if (name.length > 0)
                *vec_add(arena, &names) = arena_copy(arena, name.at, name.length);
            in_template = false;
        }
    }
    *count = names.count;
    return names.at;
}
