/* Within ptx: what ptx_index knows of a module, for the parser to take what a kernel needs. */
#pragma once

#include "ptx/ptx.h"
#include "ptx/statement.h"

/* The names in .section .debug_str, to which .loc refers. */
typedef struct DebugStrings {
    Map *labels; /* to an offset in bytes */
    const char *bytes;
    size_t length;
} DebugStrings;

typedef struct IndexedStatement {
    Statement statement;
    uint32_t next; /* statement that declares the same name, or NO_INDEX */
} IndexedStatement;

struct PtxIndex {
    Arena *arena;
    const char *name, *text;
    size_t length;
    uint64_t hash; /* of the text */
    _Atomic uint64_t *tally;
    PtxOrigin origin;
    VEC(IndexedStatement) statements;
    VEC(PtxEntry) entries;
    Map *names;          /* to the first statement that declares it */
    DebugStrings *debug; /* NULL: not read yet */
};

/* What is parsed of a module's statements. */
typedef struct PtxChoice {
    const char *kernel; /* NULL: the variables alone */
    bool values;        /* of variables; set where a call through a pointer needs them */
} PtxChoice;

/* [statements]: those that the kernel needs, by what its body names, what that names, and so on; or, of
 * variables, by what their values name. */
bool *index_needed(const PtxIndex *index, Arena *scratch, PtxChoice *wanted);
const DebugStrings *index_debug_strings(PtxIndex *index);
/* A number of the function that is the same whatever is parsed: the first statement that declares it. */
uint32_t index_number(const PtxIndex *index, Str function);

/* ---- lines.c ---- */

DebugStrings *debug_strings_read(Arena *arena, const char *text, size_t length);
