/* Names: scopes of registers, variables, functions and labels.
 *
 * A scope is a { } of a function, or the module. Register ranges (%r<100>) are one symbol under
 * their prefix; "%r57" is looked up as prefix and number. Labels belong to their scope too (inline
 * assembly repeats them), so a jump waits until a scope that has the label is closed. */
#include "ptx/parser.h"

#include <string.h>

const char *parser_copy(Parser *parser, Str text) {
    return arena_copy(parser->arena, text.at, text.length);
}

bool scope_open(Parser *parser) {
    if (parser->depth + 1 == MAX_SCOPES)
        return parser_error(parser, &parser->token, "blocks are nested more than %d deep",
                            MAX_SCOPES);
    parser->scopes[++parser->depth] = (SymbolScope){.first_jump = parser->jumps.count};
    return true;
}

static Symbol *lookup(Parser *parser, const Map *map, Str name) {
    uint64_t number;
    return map && map_get(map, name, &number) ? &parser->symbols.at[number] : NULL;
}

void scope_close(Parser *parser) {
    SymbolScope *scope = &parser->scopes[parser->depth--];
    uint32_t kept = scope->first_jump;
    for (uint32_t i = scope->first_jump; i < parser->jumps.count; i++) {
        Jump jump = parser->jumps.at[i];
        Symbol *symbol = lookup(parser, scope->names, jump.name.text);
        if (symbol && symbol->kind == SYMBOL_LABEL)
            jump.operand->target = symbol->number;
        else if (parser->depth == 0)
            parser_error(parser, &jump.name, "there is no label '" STR_FMT "'",
                         STR_ARG(jump.name.text));
        else
            parser->jumps.at[kept++] = jump;
    }
    parser->jumps.count = kept;
}

bool symbol_define(Parser *parser, const Token *name, Symbol symbol) {
    SymbolScope *scope = &parser->scopes[parser->depth];
    if (lookup(parser, scope->names, name->text))
        return parser_error(parser, name, "'" STR_FMT "' is already declared here",
                            STR_ARG(name->text));
    if (!scope->names)
        scope->names = map_new(parser->scratch);
    map_put(scope->names, name->text, parser->symbols.count);
    *vec_add(parser->scratch, &parser->symbols) = symbol;
    return true;
}

Symbol *symbol_find(Parser *parser, Str name) {
    for (uint32_t depth = parser->depth + 1; depth-- > 0;) {
        Symbol *symbol = lookup(parser, parser->scopes[depth].names, name);
        if (symbol)
            return symbol;
    }
    return NULL;
}

/* Appends the decimal digits of number; returns the end. */
static char *put_number(char *at, uint32_t number) {
    char digits[10];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

/* "%r57", or "%r57'2" where this is the second declaration of %r57's name in the function */
static const char *reg_name(Parser *parser, Str base, bool range, uint32_t number,
                            uint32_t declared) {
    char *name = arena_alloc_aligned(parser->arena, base.length + 24, 1), *at = name + base.length;
    memcpy(name, base.at, base.length);
    if (range)
        at = put_number(at, number);
    if (declared > 1) {
        *at++ = '\'';
        at = put_number(at, declared);
    }
    *at = 0;
    return name;
}

/* "%r57": prefix "%r", 57. false: no number at its end, or one with a zero in front. */
static bool split_number(Str name, Str *prefix, uint32_t *number) {
    size_t at = name.length;
    while (at > 0 && name.at[at - 1] >= '0' && name.at[at - 1] <= '9')
        at--;
    size_t digits = name.length - at;
    if (digits == 0 || digits > 9 || (digits > 1 && name.at[at] == '0'))
        return false;
    *prefix = (Str){name.at, at};
    *number = 0;
    for (; at < name.length; at++)
        *number = *number * 10 + (uint32_t)(name.at[at] - '0');
    return true;
}

/* Counts one more in `map`; returns how many that makes. */
static uint32_t count_up(Map *map, Str name, uint32_t more) {
    uint64_t times = 0;
    map_get(map, name, &times);
    if (more)
        map_put(map, name, times + more);
    return (uint32_t)times + more;
}

/* The how-manieth declaration of these names in the function this is. "%p1" and "%p<9>" may both
 * make a %p1: where a prefix has both kinds, all of its declarations are counted together, which is
 * more than any of them counted so far. */
static uint32_t count_declaration(Parser *parser, Str name, bool range) {
    Str prefix = name;
    uint32_t number;
    if (!range && !split_number(name, &prefix, &number))
        return count_up(parser->singles, name, 1);
    uint32_t all = count_up(parser->declared, prefix, 1);
    uint32_t ranges = count_up(parser->ranges, prefix, range);
    uint32_t same = range ? ranges : count_up(parser->singles, name, 1);
    bool both = ranges > 0 && ranges < all;
    return both ? all : same;
}

bool symbol_define_registers(Parser *parser, const Token *name, Type type, uint32_t count,
                             bool range) {
    Function *function = parser->function;
    SymbolScope *scope = &parser->scopes[parser->depth];
    if (count > MAX_REGISTERS - parser->registers)
        return parser_error(parser, name, "more than %u registers", MAX_REGISTERS);
    parser->registers += count;
    Symbol symbol = {.kind = range ? SYMBOL_RANGE : SYMBOL_REGISTER,
                     .number = function->regs.count,
                     .count = count};
    if (!range && !symbol_define(parser, name, symbol))
        return false;
    if (range) {
        if (lookup(parser, scope->ranges, name->text))
            return parser_error(parser, name, "'" STR_FMT "<…>' is already declared here",
                                STR_ARG(name->text));
        if (!scope->ranges)
            scope->ranges = map_new(parser->scratch);
        map_put(scope->ranges, name->text, parser->symbols.count);
        *vec_add(parser->scratch, &parser->symbols) = symbol;
    }
    uint32_t declared = count_declaration(parser, name->text, range);
    for (uint32_t i = 0; i < count; i++)
        *vec_add(parser->arena, &function->regs) =
            (Reg){reg_name(parser, name->text, range, i, declared), type};
    return true;
}

uint32_t symbol_register(Parser *parser, Str name) {
    Str prefix;
    uint32_t number;
    bool numbered = split_number(name, &prefix, &number);
    for (uint32_t depth = parser->depth + 1; depth-- > 1;) {
        const SymbolScope *scope = &parser->scopes[depth];
        const Symbol *range = numbered ? lookup(parser, scope->ranges, prefix) : NULL;
        if (range && number < range->count)
            return range->number + number;
        const Symbol *symbol = lookup(parser, scope->names, name);
        if (symbol)
            return symbol->kind == SYMBOL_REGISTER ? symbol->number : NO_REG;
    }
    return NO_REG;
}

uint32_t symbol_range(Parser *parser, Str name, Str *prefix) {
    uint32_t number;
    if (!split_number(name, prefix, &number))
        return 0;
    for (uint32_t depth = parser->depth + 1; depth-- > 1;) {
        const Symbol *range = lookup(parser, parser->scopes[depth].ranges, *prefix);
        if (range)
            return range->count;
    }
    return 0;
}

/* (A distance is at least the difference of the lengths.) */
static void nearer(Str name, const char *other, const char **best, size_t *least) {
    Str text = other ? str_of(other) : (Str){0};
    size_t apart =
        text.length > name.length ? text.length - name.length : name.length - text.length;
    size_t distance = other && apart < *least ? str_distance(name, text) : *least;
    if (distance < *least) {
        *least = distance;
        *best = other;
    }
}

/* The nearest register, special register, variable, parameter or function; NULL where none
 * is near. */
const char *symbol_closest(Parser *parser, Str name) {
    const char *best = NULL;
    size_t least = name.length > 4 ? 3 : 2;
    const Function *function = parser->function;
    for (uint32_t i = 0; function && i < function->regs.count; i++)
        nearer(name, function->regs.at[i].name, &best, &least);
    for (uint32_t i = 0; i < parser->symbols.count; i++) {
        const Symbol *symbol = &parser->symbols.at[i];
        nearer(name, symbol->variable ? symbol->variable->name : NULL, &best, &least);
        nearer(name, symbol->function ? symbol->function->name : NULL, &best, &least);
    }
    for (Special special = SREG_NONE + 1; special < SREG_COUNT; special++)
        nearer(name, special_name(special), &best, &least);
    return best;
}
