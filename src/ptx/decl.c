/* Declarations of registers, variables and parameters (PTX ISA 5.4). */
#include "ptx/parser.h"

#include <string.h>

bool decl_space(const Parser *parser, Space *space) {
    static const Space spaces[] = {SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST,
                                   SPACE_PARAM};
    if (parser->token.kind != TOKEN_DIRECTIVE)
        return false;
    Str name = {parser->token.text.at + 1, parser->token.text.length - 1};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (str_is(name, space_name(spaces[i]))) {
            *space = spaces[i];
            return true;
        }
    return false;
}

static bool take_type(Parser *parser, Type *type) {
    const Token *token = &parser->token;
    *type = TYPE_NONE;
    if (token->kind == TOKEN_DIRECTIVE)
        *type = type_named((Str){token->text.at + 1, token->text.length - 1});
    if (*type == TYPE_NONE)
        return parser_error(parser, token, "expected a type like .b32, not %s",
                            parser_describe(parser, token));
    parser_next(parser);
    return true;
}

/* What stands before the names of a declaration. */
typedef struct Declaration {
    Linkage linkage;
    Space space;
    Type type;
    uint32_t vector, align; /* align: 0 = not given */
    bool is_managed;
    uint32_t line;
} Declaration;

static bool parse_align(Parser *parser, uint32_t *align) {
    Token at = parser->token;
    if (!parser_uint32(parser, "an alignment", align))
        return false;
    if (*align == 0 || *align & (*align - 1) || *align > 65536)
        return parser_error(parser, &at, "an alignment is a power of two up to 65536");
    return true;
}

bool decl_attributes(Parser *parser, bool *is_managed) {
    uint32_t depth = 0;
    do {
        depth += parser_is(parser, '(');
        if (depth == 0)
            return parser_expect(parser, '(');
        depth -= parser_is(parser, ')');
        *is_managed |= parser_is_directive(parser, ".managed");
        if (parser->token.kind == TOKEN_END)
            return parser_expect(parser, ')');
        parser_next(parser);
    } while (depth > 0);
    return true;
}

static bool take_vector(Parser *parser, uint32_t *vector) {
    static const char *const names[] = {".v2", ".v4", ".v8"};
    for (size_t i = 0; i < 3; i++)
        if (parser_take_directive(parser, names[i])) {
            *vector = UINT32_C(2) << i;
            return true;
        }
    return false;
}

/* ".ptr" [space] [".align" N]: what a pointer parameter points to; of no consequence here */
static bool skip_pointer(Parser *parser) {
    Space space;
    uint32_t align;
    if (!parser_take_directive(parser, ".ptr"))
        return true;
    if (decl_space(parser, &space))
        parser_next(parser);
    return !parser_take_directive(parser, ".align") || parse_align(parser, &align);
}

/* space { ".attribute" … | ".align" N | ".vN" } type */
static bool parse_head(Parser *parser, Declaration *declaration) {
    declaration->line = parser->token.line;
    declaration->vector = 1;
    parser_next(parser);
    for (;;) {
        if (parser_take_directive(parser, ".attribute")) {
            if (!decl_attributes(parser, &declaration->is_managed))
                return false;
        } else if (parser_take_directive(parser, ".align")) {
            if (!parse_align(parser, &declaration->align))
                return false;
        } else if (!take_vector(parser, &declaration->vector)) {
            break;
        }
    }
    Token at = parser->token;
    if (!take_type(parser, &declaration->type) || !skip_pointer(parser))
        return false;
    if (type_bytes(declaration->type) == 0)
        return parser_error(parser, &at, "a variable cannot be a predicate");
    return true;
}

/* The array, its rows, … from the innermost out; extents[0] is the outermost, 0 for "[]". */
static bool measure(Variable *variable, const uint64_t *extents, uint32_t count,
                    BraceShape *shape) {
    uint64_t bytes = type_bytes(variable->type) * variable->vector;
    shape->count = count;
    if (variable->vector > 1)
        shape->bytes[shape->count++] = bytes;
    for (uint32_t i = count; i-- > 0;) {
        if (__builtin_mul_overflow(bytes, extents[i], &bytes) || bytes > UINT64_C(1) << 47)
            return false;
        shape->bytes[i] = bytes;
    }
    variable->bytes = bytes;
    return true;
}

/* { "[" [N] "]" }: sets variable->bytes; only the first extent may be left out, which makes it 0 */
static bool parse_extent(Parser *parser, Variable *variable, bool *unsized, BraceShape *shape) {
    uint64_t extents[MAX_NESTING - 1];
    uint32_t count = 0;
    Token at = parser->token;
    *unsized = false;
    while (parser_take(parser, '[')) {
        int64_t extent = 0;
        if (count == 0 && parser_is(parser, ']'))
            *unsized = true;
        else if (!constant_integer(parser, "the number of elements", &extent))
            return false;
        if (!parser_expect(parser, ']'))
            return false;
        if (count == MAX_NESTING - 1 || extent < 0)
            return parser_error(parser, &at, "an array of this size cannot be");
        extents[count++] = (uint64_t)extent;
    }
    return measure(variable, extents, count, shape) ||
           parser_error(parser, &at, "an array of this size cannot be");
}

static Variable *new_variable(Parser *parser, const Declaration *declaration, const Token *name) {
    Variable *variable = NEW(parser->arena, Variable);
    uint32_t natural = type_bytes(declaration->type) * declaration->vector;
    *variable = (Variable){.name = parser_copy(parser, name->text),
                           .space = declaration->space,
                           .type = declaration->type,
                           .vector = declaration->vector,
                           .align = declaration->align ? declaration->align : natural,
                           .is_extern = declaration->linkage.is_extern,
                           .is_visible = declaration->linkage.is_visible,
                           .is_weak = declaration->linkage.is_weak,
                           .is_managed = declaration->is_managed,
                           .owner = parser->function,
                           .line = declaration->line};
    return variable;
}

/* An .extern of the same name may come before the definition: then it is one variable. */
static bool define_variable(Parser *parser, const Token *name, Variable **variable) {
    Symbol *known = parser->depth == 0 ? symbol_find(parser, name->text) : NULL;
    if (known && known->kind == SYMBOL_VARIABLE && known->variable->space == (*variable)->space &&
        (known->variable->is_extern || (*variable)->is_extern)) {
        if (!(*variable)->is_extern)
            *known->variable = **variable;
        *variable = known->variable;
        return true;
    }
    Symbol symbol = {.kind = SYMBOL_VARIABLE, .variable = *variable};
    if (!symbol_define(parser, name, symbol))
        return false;
    if (parser->function)
        *vec_add(parser->arena, &parser->function->locals) = *variable;
    else
        *vec_add(parser->arena, &parser->module->variables) = *variable;
    return true;
}

/* A kernel has its variables' addresses from where they were placed, and so their values. */
static bool skip_initial(Parser *parser) {
    while (parser->token.kind != TOKEN_END && !parser_is(parser, ',') && !parser_is(parser, ';')) {
        if (parser_is(parser, '{'))
            lex_skip_body(&parser->lexer);
        parser_next(parser);
    }
    return true;
}

/* name extent [ "=" initial ] */
static bool parse_variable(Parser *parser, const Declaration *declaration) {
    Token name;
    bool unsized;
    BraceShape shape;
    if (!parser_name(parser, "the name of a variable", &name))
        return false;
    Variable *variable = new_variable(parser, declaration, &name);
    if (!parse_extent(parser, variable, &unsized, &shape))
        return false;
    if (unsized && !variable->is_extern && !parser_is(parser, '='))
        return parser_error(parser, &name, "'%s' needs a size: only .extern arrays may have none",
                            variable->name);
    if (!define_variable(parser, &name, &variable))
        return false;
    if (!parser_take(parser, '='))
        return true;
    return parser->index && !parser->wanted.values ? skip_initial(parser)
                                                   : initial_parse(parser, variable, &shape, &name);
}

/* variables = head variable { "," variable } ";" */
bool decl_variables(Parser *parser, Linkage linkage) {
    Declaration declaration = {.linkage = linkage};
    decl_space(parser, &declaration.space);
    if (!parse_head(parser, &declaration))
        return false;
    do
        if (!parse_variable(parser, &declaration))
            return false;
    while (parser_take(parser, ','));
    return parser_expect(parser, ';');
}

/* name [ "<" N ">" ] */
static bool parse_register(Parser *parser, Type type) {
    Token name;
    uint32_t count = 1;
    if (!parser_name(parser, "the name of a register", &name))
        return false;
    bool range = parser_take(parser, '<');
    if (range &&
        (!parser_uint32(parser, "the number of registers", &count) || !parser_expect(parser, '>')))
        return false;
    return symbol_define_registers(parser, &name, type, count, range);
}

/* registers = ".reg" type register { "," register } ";" */
bool decl_registers(Parser *parser) {
    Type type;
    uint32_t vector;
    parser_next(parser);
    Token at = parser->token;
    if (take_vector(parser, &vector))
        return parser_error(parser, &at, "vector registers are not supported: use %s scalars",
                            vector == 2 ? "two" : "several");
    if (!take_type(parser, &type))
        return false;
    do
        if (!parse_register(parser, type))
            return false;
    while (parser_take(parser, ','));
    return parser_expect(parser, ';');
}

/* A parameter of a function in the register space: a register of the function as well. */
static bool parse_register_parameter(Parser *parser, Declaration *declaration, bool results) {
    Function *function = parser->function;
    Token name;
    declaration->space = SPACE_REG;
    declaration->vector = 1;
    declaration->line = parser->token.line;
    parser_next(parser);
    if (!take_type(parser, &declaration->type) ||
        !parser_name(parser, "the name of a parameter", &name) ||
        !symbol_define_registers(parser, &name, declaration->type, 1, false))
        return false;
    Variable *variable = new_variable(parser, declaration, &name);
    variable->bytes = type_bytes(declaration->type);
    variable->offset = function->regs.count - 1;
    if (results)
        *vec_add(parser->arena, &function->results) = variable;
    else
        *vec_add(parser->arena, &function->params) = variable;
    return true;
}

/* parameter = head name extent; the name "_" in prototypes declares nothing */
static bool parse_parameter(Parser *parser, bool results) {
    Declaration declaration = {0};
    Token name;
    bool unsized;
    BraceShape shape;
    Function *function = parser->function;
    if (parser_is_directive(parser, ".reg"))
        return parse_register_parameter(parser, &declaration, results);
    if (parser_is_directive(parser, ".hidden"))
        return parser_error(parser, &parser->token,
                            "a .hidden parameter is filled in by NVIDIA's driver, in a way that no "
                            "document describes");
    if (!parser_is_directive(parser, ".param"))
        return parser_error(parser, &parser->token, "expected .param, not %s",
                            parser_describe(parser, &parser->token));
    declaration.space = SPACE_PARAM;
    if (!parse_head(parser, &declaration) || !parser_name(parser, "the name of a parameter", &name))
        return false;
    Variable *variable = new_variable(parser, &declaration, &name);
    if (!parse_extent(parser, variable, &unsized, &shape))
        return false;
    if (results)
        *vec_add(parser->arena, &function->results) = variable;
    else
        *vec_add(parser->arena, &function->params) = variable;
    if (str_is(name.text, "_"))
        return true;
    return symbol_define(parser, &name, (Symbol){.kind = SYMBOL_VARIABLE, .variable = variable});
}

/* parameters = "(" [ parameter { "," parameter } ] ")" */
bool decl_parameters(Parser *parser, Function *function, bool results) {
    parser->function = function;
    if (!parser_expect(parser, '('))
        return false;
    if (parser_take(parser, ')'))
        return true;
    do
        if (!parse_parameter(parser, results))
            return false;
    while (parser_take(parser, ','));
    return parser_expect(parser, ')');
}
