/* Line information: .file, .loc with its inlined_at chain, and the names in .debug_str.
 *
 * A ".loc 2 700 5, function_name $L__info_string0+4, inlined_at 1 53 9" says: line 700 of file 2,
 * within the function whose mangled name stands at that label of the .debug_str section, which was
 * inlined at line 53 of file 1. That call site may have been inlined itself: then a .loc before
 * gave its own function_name and inlined_at, and the chain goes on there. */
#include "ptx/parser.h"

#include <string.h>

typedef struct Strings {
    Arena *arena;
    Map *labels;
    VEC(char) bytes;
} Strings;

/* .section .debug_str { label: .b8 1,2,3 … }: stands at the end, is needed from the start. */
static void read_section(Strings *strings, Lexer *lexer) {
    Token token = lex_next(lexer), label = {0};
    if (token.kind != TOKEN_PUNCT || *token.text.at != '{')
        return;
    while ((token = lex_next(lexer)).kind != TOKEN_END) {
        uint64_t value;
        bool is_unsigned;
        if (token.kind == TOKEN_NAME)
            label = token;
        else if (token.kind == TOKEN_PUNCT && *token.text.at == ':' && label.text.length)
            map_put(strings->labels, label.text, strings->bytes.count);
        else if (token.kind == TOKEN_INT && token_integer(&token, &value, &is_unsigned))
            *vec_add(strings->arena, &strings->bytes) = (char)value;
        else if (token.kind == TOKEN_BAD || (token.kind == TOKEN_PUNCT && *token.text.at == '}'))
            break;
    }
    *vec_add(strings->arena, &strings->bytes) = 0;
}

/* A text that ptx_link made has a section of each text. */
DebugStrings *debug_strings_read(Arena *arena, const char *text, size_t length) {
    Strings strings = {.arena = arena, .labels = map_new(arena)};
    const char *at = text, *end = text + length;
    while ((at = memmem(at, (size_t)(end - at), ".section", 8))) {
        Lexer lexer = lexer_new(at + 8, (size_t)(end - at - 8));
        Token name = lex_next(&lexer);
        if (str_is(name.text, ".debug_str"))
            read_section(&strings, &lexer);
        at += 8;
    }
    DebugStrings *debug = NEW(arena, DebugStrings);
    *debug = (DebugStrings){strings.labels, strings.bytes.at, strings.bytes.count};
    return debug;
}

/* ".file" number string [ "," timestamp "," size ] */
bool lines_file(Parser *parser) {
    FileEntry file = {0};
    uint32_t ignored;
    if (!parser_uint32(parser, "a file number", &file.number))
        return false;
    if (parser->token.kind != TOKEN_STRING)
        return parser_error(parser, &parser->token, "expected a file name in quotes, not %s",
                            parser_describe(parser, &parser->token));
    file.path = parser_copy(parser, parser->token.text);
    parser_next(parser);
    while (parser_take(parser, ','))
        if (!parser_uint32(parser, "a number", &ignored))
            return false;
    module_add_file(parser->module, file);
    return true;
}

/* file line column */
static bool parse_position(Parser *parser, SourceLocation *location) {
    Token at = parser->token;
    if (!parser_uint32(parser, "a file number", &location->file) ||
        !parser_uint32(parser, "a line", &location->line) ||
        !parser_uint32(parser, "a column", &location->column))
        return false;
    return (location->line <= INT32_MAX && location->column <= INT32_MAX) ||
           parser_error(parser, &at, "no file has line %u, column %u", location->line,
                        location->column);
}

/* "function_name" label [ "+" offset ] */
static bool parse_function_name(Parser *parser, SourceLocation *location) {
    Token label;
    int64_t addend = 0;
    uint64_t offset;
    if (!parser_name(parser, "a label of .debug_str", &label))
        return false;
    if (parser_is(parser, '+') && !constant_integer(parser, "an offset", &addend))
        return false;
    const DebugStrings *debug = parser->debug;
    if (map_get(debug->labels, label.text, &offset) && offset + (uint64_t)addend < debug->length)
        location->function = debug->bytes + offset + (uint64_t)addend;
    return true;
}

/* The number of the last .loc at this place, or a new one without a chain. */
static uint32_t call_site(Parser *parser, const SourceLocation *location) {
    uint32_t key[3] = {location->file, location->line, location->column};
    uint64_t number;
    if (map_get(parser->call_sites, (Str){(const char *)key, sizeof key}, &number))
        return (uint32_t)number;
    return module_location(parser->module, (SourceLocation){.file = location->file,
                                                            .line = location->line,
                                                            .column = location->column,
                                                            .inlined_at = NO_LOCATION});
}

static void remember(Parser *parser, const SourceLocation *location, uint32_t number) {
    uint32_t key[3] = {location->file, location->line, location->column};
    Str found = {(const char *)key, sizeof key};
    uint64_t old;
    if (map_get(parser->call_sites, found, &old) && old == number)
        return;
    char *copy = arena_copy(parser->scratch, (const char *)key, sizeof key);
    map_put(parser->call_sites, (Str){copy, sizeof key}, number);
}

/* ".loc" position [ "," "function_name" … "," "inlined_at" position ]
 * LLVM counts the lines within an inline assembly on from that of its statement, as if its text stood in the source, whose line it
 * has given before: .loc in there say nothing. */
bool lines_loc(Parser *parser) {
    const bool in_assembly = parser->lexer.in_assembly;
    SourceLocation location = {.inlined_at = NO_LOCATION}, site = {0};
    Token word;
    if (!parse_position(parser, &location))
        return false;
    while (parser_take(parser, ',')) {
        if (!parser_name(parser, "function_name or inlined_at", &word))
            return false;
        if (str_is(word.text, "function_name")) {
            if (!parse_function_name(parser, &location))
                return false;
        } else if (str_is(word.text, "inlined_at")) {
            if (!parse_position(parser, &site))
                return false;
            location.inlined_at = call_site(parser, &site);
        } else {
            return parser_error(parser, &word, "expected function_name or inlined_at, not %s",
                                parser_describe(parser, &word));
        }
    }
    if (in_assembly && parser->location != NO_LOCATION)
        return true;
    parser->location = module_location(parser->module, location);
    remember(parser, &location, parser->location);
    Function *function = parser->function;
    if (function && function->location == NO_LOCATION)
        function->location = parser->location;
    return true;
}
