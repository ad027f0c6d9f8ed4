/* reader.h: a text that is being read. Private to question/. */
#pragma once

#include "question/question.h"

typedef struct Reader {
    Scope *scope;
    const char *option; /* that the text is of, for messages */
    const char *text, *at;
    uint32_t depth, nodes; /* of parentheses and structures; of operators and operands */
    bool failed;           /* what was wrong is said; nothing is accepted any more */
} Reader;

/* ---- expression.c ---- */

void reader_start(Reader *reader, Scope *scope, const char *option, const char *text);
void reader_blanks(Reader *reader);
Place reader_place(const Reader *reader, const char *at);
/* "expected WHAT, found …", once. */
void reader_expected(Reader *reader, const char *what);
bool reader_accept(Reader *reader, const char *text);
bool reader_expect(Reader *reader, const char *text);
Str reader_name(Reader *reader);                     /* of length 0: there is none here */
const Expression *reader_expression(Reader *reader); /* NULL: it has failed */

/* ---- cute.c ---- */

const CuteLayout *cute_layout(Reader *reader); /* NULL: it has failed */

/* ---- type.c ---- */

/* "float", "half2", "uint64_t"; false: it is none of those that are known. */
bool element_type_named(Arena *arena, Str name, ElementType *type);
