/* The lexer (PTX ISA 4.1 to 4.5). Opcodes and special registers keep their dots:
 * "ld.global.nc.f32", "%tid.x" and "L2::cache_hint" are parts of one name; a directive ends at its
 * next dot. */
#include "ptx/lex.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (unsigned char)((c | 32) - 'a') < 26 || is_digit(c) || c == '_' || c == '$';
}

static bool is_hex(char c) {
    return is_digit(c) || (unsigned char)((c | 32) - 'a') < 6;
}

Lexer lexer_new(const char *text, size_t length) {
    return (Lexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

/* at: behind a newline */
static void start_line(Lexer *lexer, const char *at) {
    lexer->line++;
    lexer->line_start = at;
}

static void skip_line(Lexer *lexer) {
    const char *newline = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
    lexer->at = newline ? newline : lexer->end;
}

bool ptx_in_assembly(Str comment, bool before) {
    return str_starts(comment, "// begin inline asm") ||
           (before && !str_starts(comment, "// end inline asm"));
}

static bool skip_comment(Lexer *lexer) {
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (*lexer->at == '\n')
            start_line(lexer, lexer->at + 1);
        if (*lexer->at == '*' && lexer->at[1] == '/') {
            lexer->at += 2;
            return true;
        }
    }
    return false;
}

/* Spaces, comments, and lines of the C preprocessor ("# 1 "x.cu""). false: an
 * unfinished comment. */
static bool skip_space(Lexer *lexer) {
    for (; lexer->at < lexer->end;) {
        char c = *lexer->at;
        if (c == '\n') {
            start_line(lexer, ++lexer->at);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->at++;
        } else if (c == '/' && lexer->at[1] == '/') {
            lexer->in_assembly = ptx_in_assembly((Str){lexer->at, (size_t)(lexer->end - lexer->at)},
                                                 lexer->in_assembly);
            skip_line(lexer);
        } else if (c == '/' && lexer->at[1] == '*') {
            if (!skip_comment(lexer))
                return false;
        } else if (c == '#' && lexer->at == lexer->line_start) {
            skip_line(lexer);
        } else {
            break;
        }
    }
    return true;
}

/* [%] word { (. | ::) word } */
static const char *name_end(const char *at) {
    if (*at == '%')
        at++;
    for (;;) {
        while (is_word(*at))
            at++;
        if (*at == '.' && is_word(at[1]))
            at++;
        else if (*at == ':' && at[1] == ':' && is_word(at[2]))
            at += 2;
        else
            return at;
    }
}

static const char *directive_end(const char *at) {
    for (at++;;) {
        while (is_word(*at))
            at++;
        if (*at == ':' && at[1] == ':' && is_word(at[2]))
            at += 2;
        else
            return at;
    }
}

/* Decimal floats: digits [. digits] [e [+-] digits], with a dot or an exponent. */
static const char *number_end(const char *at, TokenKind *kind) {
    *kind = TOKEN_INT;
    if (*at == '0' && strchr("fFdD", at[1]) && at[1] && is_hex(at[2])) {
        *kind = TOKEN_FLOAT;
        for (at += 2; is_word(*at);)
            at++;
        return at;
    }
    bool hex = *at == '0' && (at[1] | 32) == 'x';
    const char *start = at;
    while (is_word(*at) && (hex || (*at | 32) != 'e'))
        at++;
    if (hex)
        return at;
    if (*at == '.') {
        *kind = TOKEN_FLOAT;
        for (at++; is_digit(*at);)
            at++;
    }
    if ((*at | 32) == 'e' && at > start) {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
        if (is_digit(*exponent)) {
            *kind = TOKEN_FLOAT;
            at = exponent;
        }
    }
    while (is_word(*at))
        at++;
    return at;
}

static Token make(const Lexer *lexer, TokenKind kind, const char *start, const char *end) {
    return (Token){kind,
                   {start, (size_t)(end - start)},
                   start,
                   lexer->line,
                   (uint32_t)(start - lexer->line_start) + 1};
}

static Token lex_string(Lexer *lexer) {
    const char *start = lexer->at, *at = start + 1;
    while (at < lexer->end && *at != '"' && *at != '\n')
        at++;
    bool whole = at < lexer->end && *at == '"';
    Token token = make(lexer, whole ? TOKEN_STRING : TOKEN_BAD, start, at);
    if (whole)
        token.text = (Str){start + 1, (size_t)(at - start - 1)};
    lexer->at = at + whole;
    return token;
}

/* The text is NUL-terminated, so looking one or two characters ahead stays within it. */
Token lex_next(Lexer *lexer) {
    bool whole = skip_space(lexer);
    const char *start = lexer->at, *end;
    if (start >= lexer->end)
        return make(lexer, whole ? TOKEN_END : TOKEN_BAD, lexer->end, lexer->end);
    char c = *start;
    TokenKind kind;
    if (c == '"')
        return lex_string(lexer);
    if (is_digit(c)) {
        end = number_end(start, &kind);
    } else if (is_word(c) || (c == '%' && is_word(start[1]))) {
        kind = TOKEN_NAME;
        end = name_end(start);
    } else if (c == '.' && is_word(start[1])) {
        kind = TOKEN_DIRECTIVE;
        end = directive_end(start);
    } else {
        kind = c > ' ' && c < 127 && !strchr("`\\'#", c) ? TOKEN_PUNCT : TOKEN_BAD;
        end = start + 1;
    }
    lexer->at = end;
    return make(lexer, kind, start, end);
}

bool lex_skip_body(Lexer *lexer) {
    uint32_t depth = 1;
    while (lexer->at < lexer->end) {
        lexer->at += strcspn(lexer->at, "{}\n\"/");
        if (lexer->at >= lexer->end)
            break;
        char c = *lexer->at;
        if (c == '/' && lexer->at[1] == '/') {
            skip_line(lexer);
        } else if (c == '/' && lexer->at[1] == '*') {
            skip_comment(lexer);
        } else if (c == '"') {
            lex_string(lexer);
        } else {
            lexer->at++;
            depth += c == '{';
            if (c == '\n')
                start_line(lexer, lexer->at);
            if (c == '}' && --depth == 0)
                return true;
        }
    }
    return false;
}

static unsigned digit_of(char c) {
    return is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10;
}

bool token_integer(const Token *token, uint64_t *value, bool *is_unsigned) {
    Str text = token->text;
    size_t at = 0;
    unsigned base = 10;
    *is_unsigned = text.length > 1 && (text.at[text.length - 1] | 32) == 'u';
    text.length -= *is_unsigned;
    if (text.length > 1 && text.at[0] == '0') {
        char mark = (char)(text.at[1] | 32);
        base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
        at = base == 8 ? 1 : 2;
    }
    *value = 0;
    for (; at < text.length; at++) {
        unsigned digit = digit_of(text.at[at]);
        uint64_t shifted;
        if (digit >= base || __builtin_mul_overflow(*value, (uint64_t)base, &shifted) ||
            __builtin_add_overflow(shifted, (uint64_t)digit, value))
            return false;
    }
    *is_unsigned |= *value > INT64_MAX;
    return true;
}

bool token_float(const Token *token, uint64_t *bits, bool *single) {
    Str text = token->text;
    char mark = text.length > 1 && text.at[0] == '0' ? (char)(text.at[1] | 32) : 0;
    *single = mark == 'f';
    *bits = 0;
    if (mark == 'f' || mark == 'd') {
        if (text.length != (*single ? 10 : 18))
            return false;
        for (size_t i = 2; i < text.length; i++) {
            if (!is_hex(text.at[i]))
                return false;
            *bits = *bits << 4 | digit_of(text.at[i]);
        }
        return true;
    }
    char copy[64];
    if (text.length >= sizeof copy)
        return false;
    memcpy(copy, text.at, text.length);
    copy[text.length] = 0;
    char *end;
    double value = strtod(copy, &end);
    memcpy(bits, &value, sizeof value);
    return *end == 0;
}
