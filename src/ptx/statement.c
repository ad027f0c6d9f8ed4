/* Where a statement of the module ends, and what it declares: by its tokens outside of braces, as bodies
 * are passed over. */
#include "ptx/statement.h"

#include <string.h>

static bool is(const Token *token, const char *text) {
    return token->kind == TOKEN_DIRECTIVE && str_is(token->text, text);
}

static bool is_punct(const Token *token, char c) {
    return token->kind == TOKEN_PUNCT && token->text.at[0] == c;
}

/* ".version 9.0", ".target sm_90, debug" and the like have no semicolon: they end with their line, or where
 * another directive begins in it. */
static void pass_line(Lexer *lexer, const Token *token) {
    for (Lexer ahead = *lexer;; *lexer = ahead) {
        Token next = lex_next(&ahead);
        if (next.kind == TOKEN_END || next.kind == TOKEN_DIRECTIVE || next.line != token->line ||
            (next.kind == TOKEN_BAD && !next.text.length))
            return;
    }
}

static bool is_line(const Token *token) {
    return is(token, ".version") || is(token, ".target") || is(token, ".address_size") ||
           is(token, ".file") || is(token, ".loc");
}

static bool is_linkage(const Token *token) {
    return is(token, ".visible") || is(token, ".extern") || is(token, ".weak") ||
           is(token, ".common");
}

/* What the statement says of itself before its name. */
static void note_directive(Statement *statement, const Token *token) {
    bool is_entry = is(token, ".entry"), is_function = is(token, ".func");
    bool is_section = is(token, ".section");
    bool is_variable = is(token, ".global") || is(token, ".const") || is(token, ".shared");
    if (is_linkage(token) || is_entry)
        statement->is_local = false;
    statement->is_mergeable |= is(token, ".weak") || is(token, ".common");
    if (statement->kind != STATEMENT_OTHER)
        return;
    statement->kind = is_entry      ? STATEMENT_ENTRY
                      : is_function ? STATEMENT_FUNCTION
                      : is_section  ? STATEMENT_SECTION
                      : is_variable ? STATEMENT_VARIABLE
                                    : STATEMENT_OTHER;
}

static void note_name(Statement *statement, const Token *token) {
    if (statement->kind == STATEMENT_OTHER || statement->kind == STATEMENT_SECTION)
        return;
    statement->has_several |= statement->name.length > 0 && statement->kind == STATEMENT_VARIABLE;
    if (statement->name.length)
        return;
    statement->name = token->text;
    statement->line = token->line;
}

/* Behind a name only the next statement can begin so: this one has no end. */
static bool begins_another(const Statement *statement, const Token *token) {
    return statement->name.length > 0 && token->kind == TOKEN_DIRECTIVE &&
           (is_line(token) || is_linkage(token) || is(token, ".entry") || is(token, ".func") ||
            is(token, ".section"));
}

static bool finish(Statement *statement, const char *end) {
    statement->end = end;
    return true;
}

bool statement_next(Lexer *lexer, Statement *statement) {
    Lexer before;
    Token token = lex_next(lexer);
    if (token.kind == TOKEN_END || (token.kind == TOKEN_BAD && !token.text.length))
        return false;
    *statement = (Statement){.from = *lexer, .start = token.start, .is_local = true};
    statement->from.at = token.start;
    if (is_line(&token)) {
        statement->is_header = !is(&token, ".file") && !is(&token, ".loc");
        pass_line(lexer, &token);
        return finish(statement, lexer->at);
    }
    bool is_extern = false, in_pragma = false;
    int depth = 0;
    for (; token.kind != TOKEN_END; before = *lexer, token = lex_next(lexer)) {
        depth += is_punct(&token, '(') ? 1 : is_punct(&token, ')') ? -1 : 0;
        if (token.kind == TOKEN_DIRECTIVE && depth == 0) {
            if (begins_another(statement, &token)) {
                *lexer = before;
                return finish(statement, token.start);
            }
            note_directive(statement, &token);
            is_extern |= is(&token, ".extern");
            in_pragma |= is(&token, ".pragma") && statement->name.length > 0; /* of a function */
        } else if (token.kind == TOKEN_NAME && depth == 0) {
            note_name(statement, &token);
        } else if (is_punct(&token, ';') && depth == 0) {
            if (!in_pragma)
                break;
            in_pragma = false;
        } else if (is_punct(&token, '{')) {
            lex_skip_body(lexer);
            if (statement->kind == STATEMENT_VARIABLE)
                continue; /* "= { 1, 2 };" */
            statement->is_definition =
                statement->kind == STATEMENT_ENTRY || statement->kind == STATEMENT_FUNCTION;
            return finish(statement, lexer->at);
        }
    }
    statement->is_definition = statement->kind == STATEMENT_VARIABLE && !is_extern;
    return finish(statement, token.kind == TOKEN_END ? lexer->end : lexer->at);
}
