/* Within ptx: the statements of a module, told apart without being parsed. */
#pragma once

#include "ptx/lex.h"

typedef enum StatementKind {
    STATEMENT_OTHER, /* .version, .file, .pragma …; or what is no PTX */
    STATEMENT_SECTION,
    STATEMENT_VARIABLE,
    STATEMENT_FUNCTION,
    STATEMENT_ENTRY
} StatementKind;

typedef struct Statement {
    StatementKind kind;
    Lexer from; /* its first token comes next */
    const char *start, *end;
    Str name;         /* what it declares; empty: nothing */
    uint32_t line;    /* of the name */
    bool has_several; /* variables: `name` is the first of them */
    bool is_local;    /* neither visible, extern, weak nor common */
    bool is_mergeable, is_definition, is_header;
} Statement;

/* The next statement of the module; false: there is none. Of a text that is no PTX, what lies between
 * two places where a statement may begin. */
bool statement_next(Lexer *lexer, Statement *statement);
