/* One kernel's part of a module: what ptxas is asked about a kernel need not hold the thousand others, which it
 * would read each time. */
#include "ptx/index.h"

#include <string.h>

typedef struct Slice {
    char *text;
    size_t length;
} Slice;

static void keep(Slice *slice, const char *from, const char *to) {
    memcpy(slice->text + slice->length, from, (size_t)(to - from));
    slice->length += (size_t)(to - from);
}

/* Its lines stay, so that what is said of a line of the slice is said of the module's. */
static void leave_out(Slice *slice, const char *from, const char *to) {
    while ((from = memchr(from, '\n', (size_t)(to - from)))) {
        slice->text[slice->length++] = '\n';
        from++;
    }
}

/* Does it describe code, such as .debug_info? Then it names places in bodies that would be gone. (.debug_str
 * is names alone.) */
static bool describes_code(const Statement *statement) {
    if (statement->kind != STATEMENT_SECTION)
        return false;
    Lexer lexer = lexer_new(statement->start, (size_t)(statement->end - statement->start));
    lex_next(&lexer);
    Token name = lex_next(&lexer);
    return !str_is(name.text, ".debug_str");
}

/* Is its body in the module? ptxas refuses a declaration that is left without one. */
static bool has_body(const PtxIndex *index, const Statement *statement) {
    if (statement->kind != STATEMENT_ENTRY && statement->kind != STATEMENT_FUNCTION)
        return false;
    uint64_t first;
    if (statement->is_definition || !map_get(index->names, statement->name, &first))
        return statement->is_definition;
    for (uint32_t i = (uint32_t)first; i != NO_INDEX; i = index->statements.at[i].next)
        if (index->statements.at[i].statement.is_definition)
            return true;
    return false;
}

/* [statements]: those that one of the kernels needs. */
static const bool *needed_by(const PtxIndex *index, Arena *scratch, const char *const *kernels,
                             uint32_t count) {
    bool *needed = NEW_ARRAY(scratch, bool, index->statements.count + 1);
    for (uint32_t k = 0; k < count; k++) {
        const bool *by_this = index_needed(index, scratch, &(PtxChoice){.kernel = kernels[k]});
        for (uint32_t i = 0; i < index->statements.count; i++)
            needed[i] |= by_this[i];
    }
    return needed;
}

char *ptx_slice(Arena *arena, const PtxIndex *index, const char *kernel, size_t *length) {
    return ptx_slice_of(arena, index, &kernel, 1, length);
}

char *ptx_slice_of(Arena *arena, const PtxIndex *index, const char *const *kernels, uint32_t count,
                   size_t *length) {
    Arena *scratch = arena_new();
    const bool *by_kernel = needed_by(index, scratch, kernels, count);
    const bool *by_values = index_needed(index, scratch, &(PtxChoice){.values = true});
    Slice slice = {.text = arena_alloc(arena, index->length + 1)};
    bool whole = false;
    const char *at = index->text;
    for (uint32_t i = 0; i < index->statements.count; i++) {
        const Statement *statement = &index->statements.at[i].statement;
        whole |= describes_code(statement);
        if (by_kernel[i] || by_values[i] || !has_body(index, statement))
            continue;
        keep(&slice, at, statement->start);
        leave_out(&slice, statement->start, statement->end);
        at = statement->end;
    }
    if (whole) {
        slice.length = 0;
        at = index->text;
    }
    keep(&slice, at, index->text + index->length);
    slice.text[slice.length] = 0;
    *length = slice.length;
    arena_free(scratch);
    return slice.text;
}

size_t ptx_index_length(const PtxIndex *index) {
    return index->length;
}

_Atomic uint64_t *ptx_index_tally(const PtxIndex *index) {
    return index->tally;
}

bool ptx_index_has_functions(const PtxIndex *index) {
    for (uint32_t i = 0; i < index->statements.count; i++) {
        const Statement *statement = &index->statements.at[i].statement;
        if (statement->kind == STATEMENT_FUNCTION && statement->is_definition)
            return true;
    }
    return false;
}
