/* Initialisers (PTX ISA 5.4.4): constants and addresses of variables and functions, in nested
 * braces for arrays. What is left out is zero. */
#include "ptx/parser.h"

#include <string.h>

typedef struct InitialBytes {
    Variable *variable;
    const BraceShape *shape;
    uint8_t *at;       /* in the scratch arena until it is complete */
    uint64_t size;     /* behind the last byte that was given */
    uint64_t capacity; /* of at */
} InitialBytes;

static bool reserve(Parser *parser, InitialBytes *image, const Token *at, uint64_t size) {
    if (size <= image->capacity)
        return true;
    uint64_t larger = image->capacity * 2 > size ? image->capacity * 2 : size;
    if (larger > MAX_DATA_BYTES - parser->data_bytes)
        return parser_error(parser, at, "the initialisers of a module may have 64 MiB");
    uint8_t *moved = arena_alloc(parser->scratch, larger);
    if (image->size)
        memcpy(moved, image->at, image->size);
    image->at = moved;
    image->capacity = larger;
    parser->data_bytes += larger;
    return true;
}

/* Room for one element at `offset`; where it is, or NULL after an error. */
static uint8_t *element_at(Parser *parser, InitialBytes *image, const Token *at, uint64_t offset) {
    uint32_t bytes = type_bytes(image->variable->type);
    if (image->variable->bytes && offset + bytes > image->variable->bytes) {
        parser_error(parser, at, "more values than '%s' has elements", image->variable->name);
        return NULL;
    }
    if (!reserve(parser, image, at, offset + bytes))
        return NULL;
    if (offset + bytes > image->size)
        image->size = offset + bytes;
    return image->at + offset;
}

static bool parse_constant(Parser *parser, InitialBytes *image, uint64_t offset) {
    Token at = parser->token;
    Constant constant;
    uint64_t bits[2] = {0};
    Type type = image->variable->type;
    if (!constant_parse(parser, &constant))
        return false;
    if (!constant_convert(&constant, type, &bits[0]))
        return parser_error(parser, &at, "this constant cannot stand for a .%s", type_name(type));
    uint8_t *element = element_at(parser, image, &at, offset);
    if (element)
        memcpy(element, bits, type_bytes(type));
    return element != NULL;
}

/* name [ "+" constant ] | "generic" "(" name ")" [ "+" constant ] */
static bool parse_symbol(Parser *parser, InitialBytes *image, uint64_t offset) {
    Token name = parser->token;
    Relocation relocation = {.offset = offset, .bytes = type_bytes(image->variable->type)};
    parser_next(parser);
    if (str_is(name.text, "generic") && parser_take(parser, '(')) {
        relocation.generic = true;
        if (!parser_name(parser, "a variable", &name) || !parser_expect(parser, ')'))
            return false;
    }
    const Symbol *symbol = symbol_find(parser, name.text);
    if (!symbol || (symbol->kind != SYMBOL_VARIABLE && symbol->kind != SYMBOL_FUNCTION))
        return parser_error(parser, &name, "there is no variable or function '" STR_FMT "'",
                            STR_ARG(name.text));
    relocation.target = symbol->variable;
    relocation.function = symbol->function;
    if (relocation.bytes != 4 && relocation.bytes != 8)
        return parser_error(parser, &name, "an address does not fit into a .%s",
                            type_name(image->variable->type));
    if ((parser_is(parser, '+') || parser_is(parser, '-')) &&
        !constant_integer(parser, "an offset", &relocation.addend))
        return false;
    if (!element_at(parser, image, &name, offset))
        return false;
    *vec_add(parser->arena, &image->variable->relocations) = relocation;
    return true;
}

/* value = "{" value { "," value } "}" | constant | symbol
 * *offset is where the next element goes; behind a brace that is the next row. */
static bool parse_value(Parser *parser, InitialBytes *image, uint64_t *offset, int depth) {
    if (depth > MAX_NESTING)
        return parser_error(parser, &parser->token, "braces are nested more than %d deep",
                            MAX_NESTING);
    if (parser_take(parser, '{')) {
        uint64_t start = *offset;
        parser->braces++;
        while (!parser_is(parser, '}')) {
            if (!parse_value(parser, image, offset, depth + 1))
                return false;
            if (!parser_take(parser, ','))
                break;
        }
        if (!parser_expect(parser, '}'))
            return false;
        parser->braces--;
        uint64_t bytes = (uint32_t)depth < image->shape->count ? image->shape->bytes[depth] : 0;
        *offset = bytes ? start + bytes : *offset;
        return true;
    }
    bool is_symbol = parser->token.kind == TOKEN_NAME && !str_is(parser->token.text, "WARP_SZ");
    if (!(is_symbol ? parse_symbol(parser, image, *offset)
                    : parse_constant(parser, image, *offset)))
        return false;
    *offset += type_bytes(image->variable->type);
    return true;
}

bool initial_parse(Parser *parser, Variable *variable, const BraceShape *shape, const Token *name) {
    if (variable->space != SPACE_GLOBAL && variable->space != SPACE_CONST)
        return parser_error(parser, name, "only .global and .const variables have initial values");
    InitialBytes image = {.variable = variable, .shape = shape};
    uint64_t offset = 0;
    variable->relocations.count = 0;
    if (!parse_value(parser, &image, &offset, 0))
        return false;
    if (variable->bytes == 0)
        variable->bytes = offset; /* whole rows */
    if (variable->bytes > MAX_DATA_BYTES - parser->data_bytes)
        return parser_error(parser, name, "the initialisers of a module may have 64 MiB");
    parser->data_bytes += variable->bytes;
    uint8_t *data = arena_alloc(parser->arena, variable->bytes);
    if (image.size)
        memcpy(data, image.at, image.size);
    variable->data = data;
    return true;
}
