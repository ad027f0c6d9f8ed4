/* What all of the parser stands on: the token at hand, errors, and where to go on after one. */
#include "ptx/parser.h"

void parser_next(Parser *parser) {
    parser->token = lex_next(&parser->lexer);
}

bool parser_error(Parser *parser, const Token *at, const char *format, ...) {
    if (parser->diags->errors >= MAX_ERRORS)
        return false;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vprintf(parser->diags->arena, format, arguments);
    va_end(arguments);
    Place place = {parser->module->name, parser->module->text, at->line, at->column,
                   (uint32_t)at->text.length};
    diags_add(parser->diags, DIAG_ERROR, place, "%s", message);
    if (parser->diags->errors == MAX_ERRORS)
        diags_error(parser->diags, "too many errors in %s; giving up", parser->module->name);
    return false;
}

const char *parser_describe(Parser *parser, const Token *token) {
    enum { SHOWN = 40 };
    if (token->kind == TOKEN_END)
        return "the end of the file";
    if (token->kind == TOKEN_BAD && token->text.length == 0)
        return "a comment that does not end";
    if (token->kind == TOKEN_BAD && token->text.length == 1)
        return arena_printf(parser->scratch, "the byte 0x%02x", (unsigned char)*token->text.at);
    if (token->kind == TOKEN_BAD)
        return "a string that does not end";
    int length = token->text.length > SHOWN ? SHOWN : (int)token->text.length;
    return arena_printf(parser->scratch, "'%.*s'", length, token->text.at);
}

bool parser_is(const Parser *parser, char punct) {
    return parser->token.kind == TOKEN_PUNCT && *parser->token.text.at == punct;
}

bool parser_take(Parser *parser, char punct) {
    if (!parser_is(parser, punct))
        return false;
    parser_next(parser);
    return true;
}

bool parser_expect(Parser *parser, char punct) {
    if (parser_take(parser, punct))
        return true;
    return parser_error(parser, &parser->token, "expected '%c', not %s", punct,
                        parser_describe(parser, &parser->token));
}

bool parser_is_directive(const Parser *parser, const char *name) {
    return parser->token.kind == TOKEN_DIRECTIVE && str_is(parser->token.text, name);
}

bool parser_take_directive(Parser *parser, const char *name) {
    if (!parser_is_directive(parser, name))
        return false;
    parser_next(parser);
    return true;
}

bool parser_name(Parser *parser, const char *what, Token *name) {
    *name = parser->token;
    if (name->kind != TOKEN_NAME)
        return parser_error(parser, name, "expected %s, not %s", what,
                            parser_describe(parser, name));
    parser_next(parser);
    return true;
}

bool parser_uint32(Parser *parser, const char *what, uint32_t *value) {
    Token token = parser->token;
    uint64_t wide = 0;
    bool is_unsigned;
    if (token.kind != TOKEN_INT)
        return parser_error(parser, &token, "expected %s, not %s", what,
                            parser_describe(parser, &token));
    if (!token_integer(&token, &wide, &is_unsigned) || wide > UINT32_MAX)
        return parser_error(parser, &token, "%s does not fit into 32 bits", what);
    *value = (uint32_t)wide;
    parser_next(parser);
    return true;
}

/* Goes behind the next ';', or before the '}' that closes what the statement stands in. */
void parser_recover(Parser *parser) {
    uint32_t depth = parser->braces;
    parser->braces = 0;
    for (; parser->token.kind != TOKEN_END; parser_next(parser)) {
        if (parser_is(parser, '{')) {
            depth++;
        } else if (parser_is(parser, '}')) {
            if (depth == 0)
                return;
            depth--;
        } else if (depth == 0 && parser_take(parser, ';')) {
            return;
        }
    }
}
