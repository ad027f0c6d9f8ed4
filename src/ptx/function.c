/* Entries and functions: heads, performance directives, and the statements of a body. */
#include "ptx/parser.h"

#include <string.h>

/* ---- heads ---- */

/* The function of that name, new or declared before; NULL after an error. */
static Symbol *declare(Parser *parser, const Token *name, Linkage linkage, bool is_entry) {
    Symbol *known = symbol_find(parser, name->text);
    if (known && (known->kind != SYMBOL_FUNCTION || known->function->is_entry != is_entry)) {
        parser_error(parser, name, "'" STR_FMT "' is already declared as something else",
                     STR_ARG(name->text));
        return NULL;
    }
    if (!known) {
        Function *function = NEW(parser->arena, Function);
        function->module = parser->module;
        function->name = parser_copy(parser, name->text);
        function->number = parser->index ? index_number(parser->index, name->text)
                                         : parser->module->functions.count;
        *vec_add(parser->arena, &parser->module->functions) = function;
        symbol_define(parser, name, (Symbol){.kind = SYMBOL_FUNCTION, .function = function});
        known = symbol_find(parser, name->text);
    }
    Function *function = known->function;
    function->is_entry = is_entry;
    function->is_extern = linkage.is_extern;
    function->is_visible |= linkage.is_visible;
    function->is_weak |= linkage.is_weak;
    function->location = NO_LOCATION;
    function->line = name->line;
    return known;
}

/* N { "," N }, up to three, the rest 1 */
static bool parse_extents(Parser *parser, uint32_t extents[3]) {
    extents[0] = extents[1] = extents[2] = 1;
    uint32_t count = 0;
    do {
        uint32_t value;
        Token at = parser->token;
        if (!parser_uint32(parser, "a number", &value))
            return false;
        if (count == 3)
            return parser_error(parser, &at, "expected at most three numbers");
        extents[count++] = value;
    } while (parser_take(parser, ','));
    return true;
}

/* One directive between head and body; *taken: whether there was one. */
static bool parse_limit(Parser *parser, Function *function, bool *taken) {
    uint32_t ignored[3];
    *taken = true;
    if (parser_take_directive(parser, ".maxntid"))
        return parse_extents(parser, function->max_threads);
    if (parser_take_directive(parser, ".reqntid"))
        return parse_extents(parser, function->required_threads);
    if (parser_take_directive(parser, ".minnctapersm"))
        return parser_uint32(parser, "a number of blocks", &function->min_blocks_per_sm);
    if (parser_take_directive(parser, ".maxnreg"))
        return parser_uint32(parser, "a number of registers", &function->max_registers);
    if (parser_take_directive(parser, ".noreturn")) {
        function->is_noreturn = true;
        return true;
    }
    if (parser_take_directive(parser, ".explicitcluster")) {
        function->explicit_cluster = true;
        return true;
    }
    if (parser_take_directive(parser, ".blocksareclusters"))
        return true;
    if (parser_take_directive(parser, ".reqnctapercluster"))
        return parse_extents(parser, function->required_cluster);
    if (parser_take_directive(parser, ".maxclusterrank") ||
        parser_take_directive(parser, ".maxnctapersm") ||
        parser_take_directive(parser, ".abi_preserve") ||
        parser_take_directive(parser, ".abi_preserve_control"))
        return parse_extents(parser, ignored);
    if (parser_take_directive(parser, ".pragma")) {
        while (parser->token.kind == TOKEN_STRING || parser_is(parser, ','))
            parser_next(parser);
        return parser_expect(parser, ';');
    }
    *taken = false;
    return true;
}

/* ---- bodies ---- */

/* ".pragma" string ";": "used_bytes_mask N" concerns the next instruction; others change nothing */
static bool parse_pragma(Parser *parser) {
    static const char prefix[] = "used_bytes_mask";
    do {
        Token token = parser->token;
        if (token.kind != TOKEN_STRING)
            return parser_error(parser, &token, "expected a string, not %s",
                                parser_describe(parser, &token));
        if (str_starts(token.text, prefix)) {
            Lexer lexer = lexer_new(token.text.at, token.text.length);
            lex_next(&lexer);
            Token number = lex_next(&lexer);
            uint64_t mask;
            bool is_unsigned;
            if (number.kind != TOKEN_INT || !token_integer(&number, &mask, &is_unsigned) ||
                mask > UINT32_MAX)
                return parser_error(parser, &token, "expected \"used_bytes_mask N\"");
            parser->used_bytes_mask = (uint32_t)mask;
        }
        parser_next(parser);
    } while (parser_take(parser, ','));
    return parser_expect(parser, ';');
}

static bool skip_list(Parser *parser) {
    while (parser->token.kind != TOKEN_END && !parser_is(parser, ';'))
        parser_next(parser);
    return parser_expect(parser, ';');
}

/* "," array | spill | call */
static bool parse_stack_use(Parser *parser) {
    Token name;
    parser->stack_use = STACK_NONE;
    if (!parser_take(parser, ','))
        return true;
    if (!parser_name(parser, "what the stack is used for", &name))
        return false;
    for (int i = 0; stack_uses[i]; i++) {
        if (str_is(name.text, stack_uses[i]))
            parser->stack_use = (StackUse)i;
    }
    return parser->stack_use ||
           parser_error(parser, &name, "expected array, spill or call, not " STR_FMT,
                        STR_ARG(name.text));
}

/* ".machine" N "," L "," string ["," use of the stack] ";": the next instructions are machine instruction N of the
 * function, made of line L of the PTX; only in what src/machine writes */
static bool parse_machine(Parser *parser) {
    uint32_t number;
    if (!parser_uint32(parser, "a number", &number) || !parser_expect(parser, ',') ||
        !parser_uint32(parser, "a line", &parser->machine_line) || !parser_expect(parser, ','))
        return false;
    if (parser->token.kind != TOKEN_STRING)
        return parser_error(parser, &parser->token, "expected a string, not %s",
                            parser_describe(parser, &parser->token));
    parser->machine_text = parser->token.text;
    parser->machine = number + 1;
    parser->machine_begins = true;
    parser->function->machine = true;
    parser_next(parser);
    return parse_stack_use(parser) && parser_expect(parser, ';');
}

/* ".reg" … | variables | ".loc" … | ".pragma" … | call prototypes and targets */
static bool parse_directive(Parser *parser) {
    static const char *const skipped[] = {".callprototype", ".calltargets", ".debug"};
    Space space;
    if (parser_is_directive(parser, ".reg"))
        return decl_registers(parser);
    if (parser_take_directive(parser, ".loc"))
        return lines_loc(parser);
    if (parser_take_directive(parser, ".pragma"))
        return parse_pragma(parser);
    if (parser_take_directive(parser, ".file"))
        return lines_file(parser);
    if (decl_space(parser, &space))
        return decl_variables(parser, (Linkage){0});
    if (parser_take_directive(parser, ".extern") && decl_space(parser, &space))
        return decl_variables(parser, (Linkage){.is_extern = true});
    if (parser->module->origin.translated && parser_take_directive(parser, ".machine"))
        return parse_machine(parser);
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        if (parser_take_directive(parser, skipped[i]))
            return skip_list(parser);
    return parser_error(parser, &parser->token, "unknown directive '" STR_FMT "'",
                        STR_ARG(parser->token.text));
}

/* A name is a label where a colon follows. The lexer can be copied, so looking ahead is a copy. */
static bool label_follows(const Parser *parser) {
    Lexer ahead = parser->lexer;
    if (*ahead.at == ' ' || *ahead.at == '\t' || *ahead.at == ':') {
        Token next = lex_next(&ahead);
        return next.kind == TOKEN_PUNCT && *next.text.at == ':';
    }
    return false;
}

/* label ":", or label ":" ".branchtargets" targets */
static bool parse_label(Parser *parser) {
    Token name = parser->token;
    parser_next(parser);
    parser_next(parser);
    if (parser_take_directive(parser, ".branchtargets"))
        return insn_parse_targets(parser, &name);
    return symbol_define(parser, &name,
                         (Symbol){.kind = SYMBOL_LABEL, .number = parser->function->insns.count});
}

/* statement = label ":" | directive | instruction | ";" */
static bool parse_statement(Parser *parser) {
    if (parser_take(parser, ';'))
        return true;
    if (parser->token.kind == TOKEN_DIRECTIVE)
        return parse_directive(parser);
    if (parser->token.kind == TOKEN_NAME && label_follows(parser))
        return parse_label(parser);
    return insn_parse(parser);
}

/* body = "{" { statement | "{" … "}" } "}" */
static bool parse_body(Parser *parser) {
    uint32_t outer = parser->depth;
    if (!parser_expect(parser, '{'))
        return false;
    while (parser->diags->errors < MAX_ERRORS) {
        if (parser->token.kind == TOKEN_END)
            return parser_error(parser, &parser->token, "expected the '}' that closes '%s'",
                                parser->function->name);
        if (parser_is(parser, '}')) {
            if (parser->depth == outer)
                break;
            scope_close(parser);
            parser_next(parser);
        } else if (parser_is(parser, '{')) {
            if (!scope_open(parser))
                return false;
            parser_next(parser);
        } else if (!parse_statement(parser)) {
            parser_recover(parser);
        }
    }
    parser_take(parser, '}');
    return true;
}

static bool skip_body(Parser *parser) {
    if (!lex_skip_body(&parser->lexer)) {
        parser_next(parser);
        return parser_error(parser, &parser->token, "expected the '}' that closes '%s'",
                            parser->function->name);
    }
    parser_next(parser);
    return true;
}

/* The rest after the parameters: limits, then a body or ';'. */
static bool parse_rest(Parser *parser, Function *function, Symbol *symbol, const Token *name) {
    for (bool taken = true; taken;)
        if (!parse_limit(parser, function, &taken))
            return false;
    if (parser_take(parser, ';'))
        return true;
    if (!parser_is(parser, '{'))
        return parser_error(parser, &parser->token, "expected '{' or ';', not %s",
                            parser_describe(parser, &parser->token));
    if (symbol->count++)
        return parser_error(parser, name, "'" STR_FMT "' already has a body", STR_ARG(name->text));
    if (parser->index && !parser->wanted.kernel)
        return skip_body(parser);
    return parse_body(parser);
}

static void forget_head(Function *function) {
    function->params.count = function->results.count = 0;
    function->regs.count = 0;
}

/* entry = ".entry" name [ parameters ] { limit } ( body | ";" )
 * func  = ".func" [ parameters ] name [ parameters ] { limit } ( body | ";" ) */
static bool parse_function(Parser *parser, Linkage linkage, bool is_entry, Function *results) {
    Token name;
    bool managed = false; /* which no function is */
    if (parser_take_directive(parser, ".attribute") && !decl_attributes(parser, &managed))
        return false;
    if (!is_entry && parser_is(parser, '(') && !decl_parameters(parser, results, true))
        return false;
    if (parser_take_directive(parser, ".noreturn"))
        results->is_noreturn = true;
    if (!parser_name(parser, "the name of a function", &name))
        return false;
    parser->depth--; /* the name belongs to the module, not to the function's own scope */
    Symbol *symbol = declare(parser, &name, linkage, is_entry);
    parser->depth++;
    if (!symbol)
        return false;
    uint32_t number = (uint32_t)(symbol - parser->symbols.at);
    Function *function = symbol->function;
    bool again = symbol->count > 0;
    if (!again) {
        forget_head(function);
        function->is_noreturn |= results->is_noreturn;
        memcpy(&function->results, &results->results, sizeof function->results);
        memcpy(&function->regs, &results->regs, sizeof function->regs);
        for (uint32_t i = 0; i < function->results.count; i++)
            function->results.at[i]->owner = function;
    }
    parser->function = again ? results : function;
    if (parser_is(parser, '(') && !decl_parameters(parser, parser->function, false))
        return false;
    return parse_rest(parser, parser->function, &parser->symbols.at[number], &name);
}

/* After an error in a head: to behind the body, which would only give errors that follow
 * from it. */
static void skip_function(Parser *parser) {
    while (parser->token.kind != TOKEN_END && !parser_is(parser, '{') && !parser_is(parser, ';'))
        parser_next(parser);
    if (parser_is(parser, '{'))
        lex_skip_body(&parser->lexer);
    if (parser->token.kind != TOKEN_END)
        parser_next(parser);
}

/* `results` stands in for the function until its name, which comes after its results, is known. */
bool function_parse(Parser *parser, Linkage linkage, bool is_entry) {
    uint32_t errors = parser->diags->errors;
    Function *results = NEW(parser->scratch, Function);
    results->module = parser->module;
    results->location = NO_LOCATION;
    results->name = "";
    parser->singles = map_new(parser->scratch);
    parser->ranges = map_new(parser->scratch);
    parser->declared = map_new(parser->scratch);
    parser->location = NO_LOCATION;
    parser->used_bytes_mask = 0;
    parser->machine = 0;
    if (!scope_open(parser))
        return false;
    if (!parse_function(parser, linkage, is_entry, results))
        skip_function(parser);
    while (parser->depth > 0) /* the last one resolves the jumps, which the blocks need */
        scope_close(parser);
    if (parser->diags->errors == errors && parser->function)
        cfg_build(parser->arena, parser->function);
    parser->function = NULL;
    return true;
}
