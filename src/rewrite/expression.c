/* Expressions as text: where one needs parentheses beside an operator, and whether it may stand twice. Judged
 * by the tokens outside of its parentheses and brackets. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

static Binding token_binding(const Code *code, uint32_t token) {
    static const char *const parts[] = {".", "->", "::", "(", ")", "[", "]", NULL};
    static const char *const products[] = {"*", "/", "%", NULL};
    static const char *const sums[] = {"+", "-", NULL};
    if (code->tokens.at[token].kind != CXToken_Punctuation || token_is_one_of(code, token, parts))
        return BINDS_PRIMARY;
    return token_is_one_of(code, token, products) ? BINDS_PRODUCT
           : token_is_one_of(code, token, sums)   ? BINDS_SUM
                                                  : BINDS_LOOSELY;
}

SpelledExpression expression_of(Arena *arena, const Code *code, Range range, const char *text) {
    Str written = code_text(code, range);
    SpelledExpression expression = {text ? text : arena_copy(arena, written.at, written.length),
                                    BINDS_PRIMARY};
    uint32_t first = token_from(code, range.begin), operands = 0;
    int depth = 0;
    for (uint32_t t = first; t < code->tokens.count && code->tokens.at[t].at.begin < range.end;
         t++) {
        Binding binding = token_binding(code, t);
        depth -= token_closes(code, t);
        if (depth == 0 && binding < expression.binding)
            expression.binding = binding;
        operands += depth == 0 && t > first && token_is(code, first, "(") &&
                    code->tokens.at[t].kind != CXToken_Punctuation;
        depth += token_opens(code, t);
    }
    if (operands > 0 && expression.binding == BINDS_PRIMARY)
        expression.binding = BINDS_LOOSELY; /* a cast: (int)x */
    return expression;
}

const char *expression_operand(Arena *arena, SpelledExpression expression, Binding least) {
    if (expression.binding >= least)
        return expression.text;
    return arena_printf(arena, "(%s)", expression.text);
}

bool expression_repeats(const Code *code, Range range) {
    static const char *const changes[] = {
        "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    for (uint32_t t = token_from(code, range.begin);
         t < code->tokens.count && code->tokens.at[t].at.begin < range.end; t++) {
        bool calls = token_is(code, t, "(") && code->tokens.at[t].at.begin > range.begin &&
                     (code->tokens.at[t - 1].kind == CXToken_Identifier ||
                      token_is(code, t - 1, ">") || token_is(code, t - 1, ")"));
        if (calls || token_is_one_of(code, t, changes))
            return false;
    }
    return true;
}

bool expression_number(const Code *code, Range range, uint64_t *number) {
    Str text = code_text(code, range);
    char *end;
    if (text.length == 0 || *text.at < '1' || *text.at > '9')
        return false;
    *number = strtoull(text.at, &end, 10);
    return end == text.at + text.length;
}
