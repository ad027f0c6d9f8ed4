/* A module's text from beginning to end: what may stand at module scope. */
#include "ptx/ptx.h"

#include "ptx/parser.h"

#include <string.h>

/* ---- directives at module scope ---- */

static void warn(Parser *parser, const Token *at, const char *message) {
    Place place = {parser->module->name, parser->module->text, at->line, at->column,
                   (uint32_t)at->text.length};
    diags_add(parser->diags, DIAG_WARNING, place, "%s", message);
}

/* ".version" major "." minor: one decimal number to the lexer */
static bool parse_version(Parser *parser) {
    enum { NEWEST_MAJOR = 9, NEWEST_MINOR = 5 };
    Token token = parser->token;
    const char *dot = memchr(token.text.at, '.', token.text.length);
    Module *module = parser->module;
    if (token.kind != TOKEN_FLOAT || !dot || dot - token.text.at > 3)
        return parser_error(parser, &token, "expected a version like 8.0, not %s",
                            parser_describe(parser, &token));
    module->version_major = module->version_minor = 0;
    const char *end = token.text.at + token.text.length;
    for (const char *at = token.text.at; at < end && at < dot + 4; at++) {
        uint32_t *part = at < dot ? &module->version_major : &module->version_minor;
        if (*at >= '0' && *at <= '9')
            *part = *part * 10 + (uint32_t)(*at - '0');
    }
    if (module->version_major > NEWEST_MAJOR ||
        (module->version_major == NEWEST_MAJOR && module->version_minor > NEWEST_MINOR))
        warn(parser, &token, "this PTX version is newer than 9.5, the newest that is known here");
    parser_next(parser);
    return true;
}

/* ".target" name { "," name }: an architecture and options (debug, texmode_unified, …) */
static bool parse_target(Parser *parser) {
    enum { NEWEST = 121 };
    do {
        Token name;
        if (!parser_name(parser, "a target like sm_90", &name))
            return false;
        if (!str_starts(name.text, "sm_") && !str_starts(name.text, "compute_"))
            continue;
        parser->module->target = parser_copy(parser, name.text);
        arch_parse(name.text, &parser->module->arch);
        if (parser->module->arch.number > NEWEST)
            warn(parser, &name, "this target is newer than sm_121, the newest that is known here");
    } while (parser_take(parser, ','));
    return true;
}

static bool parse_address_size(Parser *parser) {
    Token token = parser->token;
    if (!parser_uint32(parser, "an address size", &parser->module->address_size))
        return false;
    if (parser->module->address_size == 64 || parser->module->address_size == 32)
        return true;
    parser->module->address_size = 64;
    return parser_error(parser, &token, "an address has 32 or 64 bits");
}

/* ".section" name "{" … "}": debugging data, read by lines.c where it is needed */
static bool skip_section(Parser *parser) {
    if (parser->token.kind == TOKEN_DIRECTIVE || parser->token.kind == TOKEN_NAME)
        parser_next(parser);
    while (parser->token.kind == TOKEN_DIRECTIVE)
        parser_next(parser);
    if (!parser_is(parser, '{'))
        return parser_expect(parser, '{');
    if (!lex_skip_body(&parser->lexer)) {
        parser_next(parser);
        return parser_error(parser, &parser->token, "expected the '}' of the section");
    }
    parser_next(parser);
    return true;
}

static bool skip_statement(Parser *parser) {
    while (parser->token.kind != TOKEN_END && !parser_is(parser, ';'))
        parser_next(parser);
    return parser_expect(parser, ';');
}

/* { ".extern" | ".visible" | ".weak" | ".common" } */
static Linkage parse_linkage(Parser *parser) {
    Linkage linkage = {0};
    for (;;) {
        if (parser_take_directive(parser, ".extern"))
            linkage.is_extern = true;
        else if (parser_take_directive(parser, ".visible"))
            linkage.is_visible = true;
        else if (parser_take_directive(parser, ".weak"))
            linkage.is_weak = true;
        else if (parser_take_directive(parser, ".common"))
            linkage.is_common = true;
        else
            return linkage;
    }
}

/* directive = version | target | address_size | file | section | pragma | alias
 *           | [linkage] ( entry | func | variable ) */
static bool parse_directive(Parser *parser) {
    Space space;
    if (parser_take_directive(parser, ".version"))
        return parse_version(parser);
    if (parser_take_directive(parser, ".target"))
        return parse_target(parser);
    if (parser_take_directive(parser, ".address_size"))
        return parse_address_size(parser);
    if (parser_take_directive(parser, ".file"))
        return lines_file(parser);
    if (parser_take_directive(parser, ".loc"))
        return lines_loc(parser);
    if (parser_take_directive(parser, ".section"))
        return skip_section(parser);
    if (parser_is_directive(parser, ".pragma") || parser_is_directive(parser, ".alias"))
        return skip_statement(parser);
    Linkage linkage = parse_linkage(parser);
    if (parser_take_directive(parser, ".entry"))
        return function_parse(parser, linkage, true);
    if (parser_take_directive(parser, ".func"))
        return function_parse(parser, linkage, false);
    if (decl_space(parser, &space))
        return decl_variables(parser, linkage);
    if (parser->token.kind == TOKEN_DIRECTIVE)
        return parser_error(parser, &parser->token, "unknown directive '" STR_FMT "'",
                            STR_ARG(parser->token.text));
    return parser_error(parser, &parser->token, "expected a directive, not %s",
                        parser_describe(parser, &parser->token));
}

static bool check_version(Parser *parser) {
    return parser_is_directive(parser, ".version") ||
           parser_error(parser, &parser->token,
                        "expected '.version', with which PTX begins, not %s",
                        parser_describe(parser, &parser->token));
}

static void parse_all(Parser *parser) {
    parser_next(parser);
    if (!check_version(parser))
        return;
    while (parser->token.kind != TOKEN_END && parser->diags->errors < MAX_ERRORS) {
        if (parser_take(parser, ';') || parse_directive(parser))
            continue;
        parser_recover(parser);
        parser_take(parser, '}'); /* nothing at this level can use it */
    }
}

/* Statement by statement, in the order of the text: errors are found where they would be in all of it. */
static void parse_needed(Parser *parser) {
    const PtxIndex *index = parser->index;
    const bool *needed = index_needed(index, parser->scratch, &parser->wanted);
    for (uint32_t i = 0; i < index->statements.count; i++) {
        if (i > 0 && !needed[i])
            continue;
        parser->lexer = index->statements.at[i].statement.from;
        parser_next(parser);
        if (i == 0 && !check_version(parser))
            return;
        if (parser->diags->errors < MAX_ERRORS && !parser_take(parser, ';'))
            parse_directive(parser);
    }
}

/* ---- modules ---- */

static Parser *parser_begin(Arena *arena, const char *name, const char *text, size_t length,
                            Diags *diags) {
    Arena *scratch = arena_new();
    Parser *parser = NEW(scratch, Parser);
    *parser = (Parser){.arena = arena,
                       .scratch = scratch,
                       .module = module_new(arena, name, text, length),
                       .diags = diags,
                       .lexer = lexer_new(text, length),
                       .location = NO_LOCATION,
                       .spellings = map_new(scratch),
                       .call_sites = map_new(scratch)};
    return parser;
}

/* errors: those that there were before. */
static Module *parser_end(Parser *parser, uint32_t errors) {
    Module *module = parser->module;
    if (parser->diags->errors == errors)
        layout_module(parser);
    bool broken = parser->diags->errors != errors;
    arena_free(parser->scratch);
    return broken ? NULL : module;
}

static Module *parse_indexed(Arena *arena, PtxIndex *index, PtxChoice wanted, Diags *diags) {
    uint32_t errors = diags->errors;
    Parser *parser = parser_begin(arena, index->name, index->text, index->length, diags);
    parser->module->hash = index->hash;
    parser->module->origin = index->origin;
    parser->index = index;
    parser->wanted = wanted;
    parser->debug = index_debug_strings(index);
    parse_needed(parser);
    return parser_end(parser, errors);
}

Module *ptx_parse_variables(Arena *arena, PtxIndex *index, Diags *diags) {
    return parse_indexed(arena, index, (PtxChoice){NULL, true}, diags);
}

Module *ptx_parse_kernel(Arena *arena, PtxIndex *index, const char *kernel, Diags *diags) {
    return parse_indexed(arena, index, (PtxChoice){kernel, false}, diags);
}

Module *ptx_parse(Arena *arena, const char *name, const char *text, size_t length, const char *only,
                  Diags *diags) {
    uint32_t errors = diags->errors;
    if (only) {
        PtxIndex *index = ptx_index(arena, name, text, length);
        return parse_indexed(arena, index, (PtxChoice){only, true}, diags);
    }
    Parser *parser = parser_begin(arena, name, text, length, diags);
    parser->module->hash = bytes_hash(text, length, 0);
    parser->debug = debug_strings_read(arena, text, length);
    parse_all(parser);
    return parser_end(parser, errors);
}

bool ptx_target(const char *name, const char *text, size_t length, Arch *arch, Place *place) {
    Lexer lexer = lexer_new(text, length);
    Token token = lex_next(&lexer);
    while (token.kind == TOKEN_FLOAT ||
           (token.kind == TOKEN_DIRECTIVE && str_is(token.text, ".version")))
        token = lex_next(&lexer);
    if (token.kind != TOKEN_DIRECTIVE || !str_is(token.text, ".target"))
        return false;
    token = lex_next(&lexer);
    *place = (Place){name, text, token.line, token.column, (uint32_t)token.text.length};
    return token.kind == TOKEN_NAME && arch_parse(token.text, arch);
}
