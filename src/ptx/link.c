/* Linking: several PTX texts of relocatable device code become one, which is then parsed as any
 * other. What nvlink does to machine code is done to the text:
 *   - the directives that open a module come once;
 *   - of weak and common symbols that several texts define, the first definition stays;
 *   - symbols of a text's own (neither visible, extern, weak nor common) get a name of their own
 *     where another text has the same;
 *   - .file numbers follow each other, and .loc goes along.
 *   - The text of NVIDIA's device runtime (libcudadevrt), which programs that launch kernels from the
 *     device bring along, is left out: who executes the module provides that.
 *   - a function that is defined in any of the texts is declared once, before that, with the linkage of
 *     the definition: ptxas takes no .extern beside one.
 * Other declarations stay. */
#include "ptx/ptx.h"
#include "ptx/statement.h"

#include <string.h>

typedef struct Link {
    Arena *arena;
    Map *texts_with; /* symbol -> in how many texts it is known */
    Map *defined;    /* symbols that have been written with a definition */
    Map *functions;  /* that a text defines for others -> whether they are weak */
    Map *declared;   /* of them, those that have been written */
    VEC(Str) pieces;
    size_t length;
    uint64_t file_base, file_most; /* added to the numbers of this text; the largest one so far */
    uint32_t unit;
} Link;

static bool is(const Token *token, const char *text) {
    return token->kind == TOKEN_DIRECTIVE && str_is(token->text, text);
}

bool ptx_is_module(const char *text, size_t length) {
    Lexer lexer = lexer_new(text, length);
    Token token = lex_next(&lexer);
    return is(&token, ".version");
}

bool ptx_is_device_runtime(const PtxUnit *unit) {
    Lexer lexer = lexer_new(unit->text, unit->length);
    for (Statement statement; statement_next(&lexer, &statement);) {
        if (statement.is_definition && str_is(statement.name, "__cudaCDP2LaunchDeviceV2"))
            return true;
    }
    return false;
}

/* ---- the first pass: which names are in several texts ---- */

static void count_names(Link *link, const PtxUnit *unit) {
    Lexer lexer = lexer_new(unit->text, unit->length);
    Map *here = map_new(link->arena);
    for (Statement statement; statement_next(&lexer, &statement);) {
        uint64_t count = 0;
        if (statement.kind == STATEMENT_FUNCTION && statement.is_definition && !statement.is_local)
            map_put(link->functions, statement.name, statement.is_mergeable);
        if (!statement.name.length || map_get(here, statement.name, &count))
            continue;
        map_put(here, statement.name, 1);
        map_get(link->texts_with, statement.name, &count);
        map_put(link->texts_with, statement.name, count + 1);
    }
}

/* ---- the second pass: writing ---- */

static void write(Link *link, Str piece) {
    if (piece.length == 0)
        return;
    *vec_add(link->arena, &link->pieces) = piece;
    link->length += piece.length;
}

static Str renamed(Link *link, Str name) {
    const char *text = arena_printf(link->arena, STR_FMT "$unit%u", STR_ARG(name), link->unit);
    return str_of(text);
}

/* The new text of a token, or an empty one: it stays. *file_next: a file number comes next. */
static Str replacement(Link *link, const Map *locals, const Token *token, bool *file_next) {
    uint64_t ignored, number;
    bool is_unsigned;
    if (token->kind == TOKEN_INT && *file_next && token_integer(token, &number, &is_unsigned)) {
        *file_next = false;
        number += link->file_base;
        link->file_most = number > link->file_most ? number : link->file_most;
        return str_of(arena_printf(link->arena, "%llu", (unsigned long long)number));
    }
    *file_next = is(token, ".file") || is(token, ".loc") ||
                 (token->kind == TOKEN_NAME && str_is(token->text, "inlined_at"));
    if (token->kind == TOKEN_NAME && link->unit > 0 &&
        (map_get(locals, token->text, &ignored) || str_starts(token->text, "$L__info_string")))
        return renamed(link, token->text);
    return STR("");
}

/* A function that is not defined in its text but, where *is_weak says how, in one of the others. */
static bool is_declared_only(const Link *link, const Statement *statement, uint64_t *is_weak) {
    return statement->kind == STATEMENT_FUNCTION && !statement->is_definition &&
           !statement->is_local && map_get(link->functions, statement->name, is_weak);
}

static void write_statement(Link *link, const Map *locals, const Statement *statement) {
    uint64_t is_weak;
    bool declares = is_declared_only(link, statement, &is_weak);
    if (statement->end <= statement->start)
        return;
    Lexer lexer = lexer_new(statement->start, (size_t)(statement->end - statement->start));
    const char *written = statement->start;
    bool file_next = false;
    for (Token token = lex_next(&lexer); token.kind != TOKEN_END; token = lex_next(&lexer)) {
        Str text = replacement(link, locals, &token, &file_next);
        if (declares && is(&token, ".extern"))
            text = is_weak ? STR(".weak") : STR(".visible");
        if (token.text.at + token.text.length > statement->end)
            break; /* of a malformed text: an unfinished comment or string */
        if (!text.length)
            continue;
        write(link, (Str){written, (size_t)(token.text.at - written)});
        write(link, text);
        written = token.text.at + token.text.length;
    }
    if (written < statement->end)
        write(link, (Str){written, (size_t)(statement->end - written)});
    write(link, STR("\n"));
}

/* Names of this text alone that another has as well. */
static Map *clashing(Link *link, const PtxUnit *unit) {
    Map *locals = map_new(link->arena);
    Lexer lexer = lexer_new(unit->text, unit->length);
    for (Statement statement; statement_next(&lexer, &statement);) {
        uint64_t count = 0;
        if (statement.is_local && statement.name.length &&
            map_get(link->texts_with, statement.name, &count) && count > 1)
            map_put(locals, statement.name, 1);
    }
    return locals;
}

/* Whether the function has been declared or defined; from now on it is. */
static bool is_known(Link *link, const Statement *statement) {
    uint64_t ignored;
    bool known = map_get(link->declared, statement->name, &ignored);
    map_put(link->declared, statement->name, 1);
    return known;
}

static void write_unit(Link *link, const PtxUnit *unit) {
    Map *locals = clashing(link, unit);
    Lexer lexer = lexer_new(unit->text, unit->length);
    for (Statement statement; statement_next(&lexer, &statement);) {
        uint64_t ignored;
        if (statement.is_header && link->unit > 0)
            continue;
        if (statement.is_mergeable && statement.is_definition) {
            if (map_get(link->defined, statement.name, &ignored))
                continue;
            map_put(link->defined, statement.name, 1);
        }
        bool in_common = statement.kind == STATEMENT_FUNCTION && !statement.is_local &&
                         map_get(link->functions, statement.name, &ignored);
        if (in_common && is_known(link, &statement) && !statement.is_definition)
            continue;
        write_statement(link, locals, &statement);
    }
}

char *ptx_link(Arena *arena, const PtxUnit *units, uint32_t count, size_t *length) {
    Arena *scratch = arena_new();
    Link link = {.arena = scratch,
                 .texts_with = map_new(scratch),
                 .defined = map_new(scratch),
                 .functions = map_new(scratch),
                 .declared = map_new(scratch)};
    VEC(const PtxUnit *) linked = {0};
    for (uint32_t i = 0; i < count; i++)
        if (!ptx_is_device_runtime(&units[i]))
            *vec_add(scratch, &linked) = &units[i];
    for (uint32_t i = 0; i < linked.count; i++)
        count_names(&link, linked.at[i]);
    for (link.unit = 0; link.unit < linked.count; link.unit++) {
        write_unit(&link, linked.at[link.unit]);
        link.file_base = link.file_most;
    }
    char *text = arena_alloc(arena, link.length + 1), *at = text;
    for (uint32_t i = 0; i < link.pieces.count; i++) {
        memcpy(at, link.pieces.at[i].at, link.pieces.at[i].length);
        at += link.pieces.at[i].length;
    }
    *length = link.length;
    arena_free(scratch);
    return text;
}
