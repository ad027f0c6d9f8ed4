/* Within ptx: the lexer. One token at a time, no memory of its own. */
#pragma once

#include "base/base.h"

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_NAME,      /* opcode with modifiers, register, special register, variable, label */
    TOKEN_DIRECTIVE, /* ".reg", ".b32": the dot and the word */
    TOKEN_INT,       /* 12 0x1f 0b11 017, each with or without U */
    TOKEN_FLOAT,     /* 0f3F800000 0d3FF0000000000000 1.5 2e-3 */
    TOKEN_STRING,    /* text without the quotes; nothing in it is an escape */
    TOKEN_PUNCT,     /* one character */
    TOKEN_BAD        /* a byte that PTX has no use for, an unfinished string or comment */
} TokenKind;

typedef struct Token {
    TokenKind kind;
    Str text;
    const char *start; /* in the source: of the text, or of the opening quote */
    uint32_t line, column;
} Token;

typedef struct Lexer {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    bool in_assembly; /* inline assembly of the source, by the comments around it */
} Lexer;

Lexer lexer_new(const char *text, size_t length);
Token lex_next(Lexer *lexer);
/* Behind the '}' that closes the body whose '{' was just read: a scan of bytes that knows strings
 * and comments only. false at the end of the text. */
bool lex_skip_body(Lexer *lexer);
/* The value of a TOKEN_INT; false where it needs more than 64 bits or has a digit of another base.
 * is_unsigned: it ends in U or needs the 64th bit. */
bool token_integer(const Token *token, uint64_t *value, bool *is_unsigned);
/* The bits of a TOKEN_FLOAT; single: written 0f…, so 32 of them, else 64. */
bool token_float(const Token *token, uint64_t *bits, bool *single);
