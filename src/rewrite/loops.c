/* Statements, counted loops and numbers, by their tokens. */
#include "rewrite/source.h"

#include <string.h>

enum { HEADS_MOST = 64 };

uint32_t token_behind_brackets(const Code *code, uint32_t t) {
    int depth = 0;
    for (; t < code->tokens.count; t++) {
        depth += token_opens(code, t);
        depth -= token_closes(code, t);
        if (depth == 0)
            return t + 1;
    }
    return t;
}

uint32_t token_behind_statement(const Code *code, uint32_t t) {
    for (uint32_t heads = 0; heads < HEADS_MOST; heads++) {
        bool head = token_is(code, t, "for") || token_is(code, t, "while") ||
                    token_is(code, t, "if") || token_is(code, t, "switch");
        if (token_is(code, t, "{"))
            return token_behind_brackets(code, t);
        if (!head)
            break;
        t = token_behind_brackets(code, t + 1);
    }
    while (t < code->tokens.count && !token_is(code, t, ";"))
        t = token_opens(code, t) ? token_behind_brackets(code, t) : t + 1;
    return t < code->tokens.count ? t + 1 : t;
}

uint32_t token_find(const Code *code, uint32_t t, uint32_t end, const char *text) {
    while (t < end && !token_is(code, t, text))
        t = token_opens(code, t) ? token_behind_brackets(code, t) : t + 1;
    return t < end ? t : end;
}

static bool is_whole(const Code *code, uint32_t t) {
    static const char *const types[] = {"int",  "unsigned", "size_t",  "uint32_t", "int32_t",
                                        "long", "uint64_t", "int64_t", "unsigned"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (token_is(code, t, types[i]))
            return true;
    return false;
}

bool loop_read(const Code *code, uint32_t t, Loop *loop) {
    if (!token_is(code, t, "for") || !token_is(code, t + 1, "("))
        return false;
    uint32_t close = token_behind_brackets(code, t + 1) - 1, name = t + 2;
    while (is_whole(code, name))
        name++;
    *loop = (Loop){.first = t, .end = token_behind_statement(code, close + 1), .step_end = close};
    loop->init_end = token_find(code, t + 2, close, ";");
    uint32_t step = token_find(code, loop->init_end + 1, close, ";") + 1;
    if (name == t + 2 || step >= close || !token_is(code, name + 1, "=") ||
        token_find(code, name, loop->init_end, ",") < loop->init_end ||
        token_find(code, step, close, ",") < close)
        return false;
    loop->name = token_text(code, &code->tokens.at[name]);
    bool before = token_is(code, step, "++"), after = token_is(code, step + 1, "++");
    uint32_t stepped = step + before;
    loop->by_one = (before || after) && step + 2 == close;
    if (!str_equal(token_text(code, &code->tokens.at[stepped]), loop->name) ||
        !(loop->by_one || token_is(code, step + 1, "+=")))
        return false;
    loop->step = (Range){code->tokens.at[step + 2 < close ? step + 2 : step].at.begin,
                         code->tokens.at[close - 1].at.end};
    return true;
}

bool token_updates(const Code *code, uint32_t t) {
    static const char *const all[] = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (token_is(code, t, all[i]))
            return true;
    return false;
}

/* Does a declaration of the function here, whose name is token t, take its n-th argument by a reference? */
static bool takes_reference(const Code *code, uint32_t t, uint32_t n) {
    int depth = 0;
    for (uint32_t k = t + 2; k < code->tokens.count; k++) {
        if (depth == 0 && token_closes(code, k))
            return false;
        if (depth == 0 && n == 0 && token_is(code, k, "&"))
            return true;
        n -= depth == 0 && token_is(code, k, ",");
        depth += token_opens(code, k);
        depth -= token_closes(code, k);
    }
    return false;
}

/* An argument and nothing else, f(i), of a function of this text that may change it: f(int &i). */
static bool is_referred(const Code *code, uint32_t t) {
    uint32_t open = t, n = 0;
    int depth = 0;
    if (!(token_is(code, t - 1, "(") || token_is(code, t - 1, ",")) ||
        !(token_is(code, t + 1, ",") || token_is(code, t + 1, ")")))
        return false;
    while (open-- > 1 && (depth > 0 || !token_opens(code, open))) {
        n += depth == 0 && token_is(code, open, ",");
        depth += token_closes(code, open);
        depth -= token_opens(code, open);
    }
    if (open == 0 || code->tokens.at[open - 1].kind != CXToken_Identifier)
        return false;
    for (uint32_t k = 0; k + 1 < code->tokens.count; k++)
        if (k != open - 1 && token_same(code, k, open - 1) && token_is(code, k + 1, "(") &&
            takes_reference(code, k, n))
            return true;
    return false;
}

/* &i, where & is no operator between two numbers. */
static bool has_address_taken(const Code *code, uint32_t t) {
    if (t < 2 || !token_is(code, t - 1, "&"))
        return false;
    const CXTokenKind before = code->tokens.at[t - 2].kind;
    return before != CXToken_Identifier && before != CXToken_Literal &&
           !token_is(code, t - 2, ")") && !token_is(code, t - 2, "]");
}

bool token_changes(const Code *code, uint32_t t) {
    if (token_is(code, t + 1, "=") || token_updates(code, t + 1))
        return true;
    const Token *before = t > 0 ? &code->tokens.at[t - 1] : NULL;
    bool declared =
        before && (before->kind == CXToken_Identifier ||
                   (before->kind == CXToken_Keyword && !token_is(code, t - 1, "return")));
    return declared || token_is(code, t - 1, "++") || token_is(code, t - 1, "--") ||
           has_address_taken(code, t) || is_referred(code, t);
}

bool loop_keeps(const Code *code, const Loop *loop, Str name, bool own) {
    uint32_t begin = own ? loop->step_end : loop->first;
    for (uint32_t t = begin; t < loop->end; t++)
        if (str_equal(token_text(code, &code->tokens.at[t]), name) && token_changes(code, t))
            return false;
    return true;
}

/* "_32{}": is the } before token t that of an object? */
static bool behind_object(const Code *code, uint32_t t) {
    return t > 2 && token_is(code, t - 1, "}") && token_is(code, t - 2, "{") &&
           (code->tokens.at[t - 3].kind == CXToken_Identifier || token_is(code, t - 3, ">"));
}

uint32_t statement_start(const Code *code, uint32_t t) {
    while (t > 0) {
        if (behind_object(code, t)) {
            t -= 2;
            continue;
        }
        if (token_is(code, t - 1, ";") || token_is(code, t - 1, "}") || token_is(code, t - 1, "{"))
            break;
        uint32_t line = code->tokens.at[t - 1].at.begin;
        while (line > 0 && code->text[line - 1] != '\n')
            line--;
        if (code->text[line + strspn(code->text + line, " \t")] == '#')
            break;
        t--;
    }
    return t;
}

uint32_t token_behind_line(const Code *code, uint32_t t) {
    const char *end = strchr(code->text + code->tokens.at[t].at.begin, '\n');
    return end ? token_from(code, (uint32_t)(end - code->text)) : code->tokens.count;
}

bool number_read(const Code *code, uint32_t t, uint64_t *number) {
    uint32_t found = 0;
    if (code->tokens.at[t].kind != CXToken_Identifier)
        return expression_number(code, code->tokens.at[t].at, number);
    const Str name = token_text(code, &code->tokens.at[t]);
    for (uint32_t k = 2; k + 2 < code->tokens.count; k++) {
        if (!str_equal(token_text(code, &code->tokens.at[k]), name))
            continue;
        const bool macro = token_is(code, k - 1, "define") && token_is(code, k - 2, "#");
        const bool constant =
            token_is(code, k + 1, "=") && token_is(code, k + 3, ";") &&
            (token_is(code, k - 2, "const") || token_is(code, k - 2, "constexpr"));
        const uint32_t at = macro ? k + 1 : k + 2;
        if (macro ? token_behind_line(code, k) != k + 2 : !constant && token_changes(code, k))
            return false; /* a text, or a variable */
        if ((macro || constant) && !expression_number(code, code->tokens.at[at].at, number))
            return false;
        found += macro || constant;
    }
    return found == 1;
}
