/* The index of a module: where each statement lies, and which ones a kernel needs. A library may have a
 * thousand kernels in megabytes of text, of which a program launches a few: finding the statements
 * passes over their bodies once, and each kernel is parsed with no look at the others. */
#include "ptx/index.h"

#include "ir/ir.h"

#include <string.h>

/* ---- making ---- */

static void add_name(PtxIndex *index, uint32_t number) {
    Str name = index->statements.at[number].statement.name;
    uint64_t first;
    if (!map_get(index->names, name, &first)) {
        map_put(index->names, name, number);
        return;
    }
    index->statements.at[number].next = index->statements.at[first].next;
    index->statements.at[first].next = number;
}

PtxIndex *ptx_index(Arena *arena, const char *name, const char *text, size_t length) {
    PtxIndex *index = NEW(arena, PtxIndex);
    *index = (PtxIndex){.arena = arena, .name = name, .text = text, .length = length};
    index->hash = bytes_hash(text, length, 0);
    index->names = map_new(arena);
    index->tally = arena_alloc(arena, sizeof *index->tally);
    Lexer lexer = lexer_new(text, length);
    for (Statement statement; statement_next(&lexer, &statement);) {
        if (statement.has_several)
            statement.kind = STATEMENT_OTHER; /* every kernel gets it */
        *vec_add(arena, &index->statements) = (IndexedStatement){statement, NO_INDEX};
        if (statement.name.length)
            add_name(index, index->statements.count - 1);
        if (statement.kind == STATEMENT_ENTRY && statement.name.length)
            *vec_add(arena, &index->entries) = (PtxEntry){
                arena_copy(arena, statement.name.at, statement.name.length), statement.line};
    }
    return index;
}

const PtxEntry *ptx_index_entries(const PtxIndex *index, uint32_t *count) {
    *count = index->entries.count;
    return index->entries.at;
}

void ptx_index_originate(PtxIndex *index, PtxOrigin origin) {
    index->origin = origin;
}

uint32_t index_number(const PtxIndex *index, Str function) {
    uint64_t number;
    return map_get(index->names, function, &number) ? (uint32_t)number : index->statements.count;
}

const DebugStrings *index_debug_strings(PtxIndex *index) {
    if (index->debug)
        return index->debug;
    const char *end = index->text + index->length, *first = end;
    for (uint32_t i = index->statements.count; i-- > 0;)
        if (index->statements.at[i].statement.kind == STATEMENT_SECTION)
            first = index->statements.at[i].statement.start;
    index->debug = debug_strings_read(index->arena, first, (size_t)(end - first));
    return index->debug;
}

/* ---- what a kernel needs ---- */

typedef struct Search {
    const PtxIndex *index;
    Arena *scratch;
    PtxChoice *wanted;
    bool *needed;
    VEC(uint32_t) open; /* needed, and not looked through yet */
    bool indirect;      /* a call through a pointer was found */
} Search;

static void need(Search *search, uint32_t number) {
    if (search->needed[number])
        return;
    search->needed[number] = true;
    *vec_add(search->scratch, &search->open) = number;
}

static void need_name(Search *search, Str name) {
    uint64_t number;
    if (!map_get(search->index->names, name, &number))
        return;
    for (uint32_t at = (uint32_t)number; at != NO_INDEX; at = search->index->statements.at[at].next)
        need(search, at);
}

static void need_all(Search *search, StatementKind kind) {
    const PtxIndex *index = search->index;
    for (uint32_t i = 0; i < index->statements.count; i++)
        if (index->statements.at[i].statement.kind == kind)
            need(search, i);
}

/* A call through a pointer may reach every function that something names, values of variables too: those
 * of variables that were passed over are looked through now. */
static void need_indirect(Search *search) {
    const PtxIndex *index = search->index;
    search->indirect = true;
    need_all(search, STATEMENT_FUNCTION);
    for (uint32_t i = 0; i < index->statements.count && !search->wanted->values; i++)
        if (index->statements.at[i].statement.kind == STATEMENT_VARIABLE)
            search->needed[i] = false;
    search->wanted->values = true;
    need_all(search, STATEMENT_VARIABLE);
}

static bool is_looked_through(const Search *search, const Statement *statement) {
    return statement->kind == STATEMENT_VARIABLE ? search->wanted->values
                                                 : search->wanted->kernel != NULL;
}

static void look_through(Search *search, const Statement *statement) {
    if (!is_looked_through(search, statement))
        return;
    Lexer lexer = lexer_new(statement->start, (size_t)(statement->end - statement->start));
    for (Token token = lex_next(&lexer); token.kind != TOKEN_END; token = lex_next(&lexer)) {
        if (token.kind == TOKEN_NAME && *token.text.at != '%')
            need_name(search, token.text);
        else if (token.kind == TOKEN_DIRECTIVE && !search->indirect &&
                 (str_is(token.text, ".callprototype") || str_is(token.text, ".calltargets")))
            need_indirect(search);
        else if (token.kind == TOKEN_BAD && !token.text.length)
            return; /* a comment that does not end */
    }
}

bool *index_needed(const PtxIndex *index, Arena *scratch, PtxChoice *wanted) {
    Search search = {.index = index,
                     .scratch = scratch,
                     .wanted = wanted,
                     .needed = NEW_ARRAY(scratch, bool, index->statements.count + 1)};
    need_all(&search, STATEMENT_OTHER); /* directives, and what has several names */
    if (wanted->kernel)
        need_name(&search, str_of(wanted->kernel));
    else
        need_all(&search, STATEMENT_VARIABLE);
    if (index->origin.cubin) { /* what the code names is not in the text */
        need_all(&search, STATEMENT_VARIABLE);
        need_all(&search, STATEMENT_FUNCTION);
    }
    while (search.open.count)
        look_through(&search, &index->statements.at[search.open.at[--search.open.count]].statement);
    return search.needed;
}
