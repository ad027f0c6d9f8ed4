/* Constants and constant expressions (PTX ISA 4.5): 64-bit integers with C's operators and precedences; floating constants
 * stand alone. What is unsigned follows the manual's table, and what that leaves open ptxas: comparisons are signed, a
 * remainder and a complement unsigned, a shift is what is shifted, by its lowest six bits; else one unsigned part decides. */
#include "ptx/parser.h"

#include <string.h>

typedef struct Operator {
    const char *text;
    int level; /* binds tighter the higher */
} Operator;

/* Two-character operators first: the longest match wins. */
static const Operator operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
    {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
    {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

static bool parse_level(Parser *parser, Constant *constant, int level, int depth);
static bool parse_choice(Parser *parser, Constant *constant, int depth);

bool constant_starts(const Parser *parser) {
    const Token *token = &parser->token;
    return token->kind == TOKEN_INT || token->kind == TOKEN_FLOAT ||
           (token->kind == TOKEN_NAME && str_is(token->text, "WARP_SZ")) ||
           (token->kind == TOKEN_PUNCT && strchr("-+~!(", *token->text.at));
}

/* The operator at the token: its parts stand side by side, so the source text can be compared. */
static const Operator *peek_operator(const Parser *parser) {
    if (parser->token.kind != TOKEN_PUNCT)
        return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(parser->token.start, operators[i].text, strlen(operators[i].text)) == 0)
            return &operators[i];
    return NULL;
}

/* "(.s64)" and "(.u64)" in front of a term */
static bool parse_cast(Parser *parser, Constant *constant, int depth) {
    bool is_unsigned = parser_is_directive(parser, ".u64");
    if (!is_unsigned && !parser_is_directive(parser, ".s64"))
        return parser_error(parser, &parser->token, "expected .s64 or .u64, not %s",
                            parser_describe(parser, &parser->token));
    parser_next(parser);
    if (!parser_expect(parser, ')') || !parse_level(parser, constant, 11, depth + 1))
        return false;
    constant->is_unsigned = is_unsigned;
    return true;
}

static bool parse_literal(Parser *parser, Constant *constant) {
    Token token = parser->token;
    bool good = true;
    if (token.kind == TOKEN_FLOAT) {
        constant->is_float = true;
        good = token_float(&token, &constant->bits, &constant->single);
    } else if (token.kind == TOKEN_INT) {
        good = token_integer(&token, &constant->bits, &constant->is_unsigned);
    } else if (token.kind == TOKEN_NAME && str_is(token.text, "WARP_SZ")) {
        constant->bits = WARP_LANES;
    } else {
        return parser_error(parser, &token, "expected a constant, not %s",
                            parser_describe(parser, &token));
    }
    if (!good)
        return parser_error(parser, &token, "%s is not a number", parser_describe(parser, &token));
    parser_next(parser);
    return true;
}

static bool apply_unary(Parser *parser, const Token *at, Constant *constant) {
    char sign = *at->text.at;
    if (constant->is_float && sign == '-') {
        constant->bits ^= UINT64_C(1) << (constant->single ? 31 : 63);
        return true;
    }
    if (constant->is_float && sign != '+')
        return parser_error(parser, at, "'%c' takes an integer", sign);
    constant->bits = sign == '-'   ? 0 - constant->bits
                     : sign == '~' ? ~constant->bits
                     : sign == '!' ? constant->bits == 0
                                   : constant->bits;
    constant->is_unsigned = sign == '~' || (sign != '!' && constant->is_unsigned);
    return true;
}

/* term = literal | ("-" | "+" | "~" | "!") term | "(" expression ")" | "(.s64)" term */
static bool parse_term(Parser *parser, Constant *constant, int depth) {
    Token token = parser->token;
    *constant = (Constant){0};
    if (depth > MAX_EXPRESSION)
        return parser_error(parser, &token, "an expression is nested more than %d deep",
                            MAX_EXPRESSION);
    if (parser_take(parser, '(')) {
        if (parser->token.kind == TOKEN_DIRECTIVE)
            return parse_cast(parser, constant, depth);
        return parse_choice(parser, constant, depth + 1) && parser_expect(parser, ')');
    }
    if (token.kind == TOKEN_PUNCT && strchr("-+~!", *token.text.at)) {
        parser_next(parser);
        return parse_term(parser, constant, depth + 1) && apply_unary(parser, &token, constant);
    }
    return parse_literal(parser, constant);
}

static uint64_t quotient(uint64_t a, uint64_t b, bool is_unsigned) {
    if (is_unsigned)
        return a / b;
    if (b == UINT64_MAX) /* -1: of the least number it overflows */
        return 0 - a;
    return (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t shift_right(uint64_t a, uint64_t b, bool is_unsigned) {
    bool fill = !is_unsigned && (int64_t)a < 0;
    return fill ? ~(~a >> b) : a >> b;
}

/* is_unsigned: of either; what is shifted is its own. */
static uint64_t evaluate(const char *op, const Constant *left, uint64_t b, bool is_unsigned) {
    const uint64_t a = left->bits;
    bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    switch (op[0] << 8 | op[1]) {
    case '|' << 8 | '|':
        return a || b;
    case '&' << 8 | '&':
        return a && b;
    case '=' << 8 | '=':
        return a == b;
    case '!' << 8 | '=':
        return a != b;
    case '<' << 8 | '=':
        return less || a == b;
    case '>' << 8 | '=':
        return !less;
    case '<' << 8 | '<':
        return a << (b & 63);
    case '>' << 8 | '>':
        return shift_right(a, b & 63, left->is_unsigned);
    case '|' << 8:
        return a | b;
    case '^' << 8:
        return a ^ b;
    case '&' << 8:
        return a & b;
    case '<' << 8:
        return less;
    case '>' << 8:
        return !less && a != b;
    case '+' << 8:
        return a + b;
    case '-' << 8:
        return a - b;
    case '*' << 8:
        return a * b;
    case '/' << 8:
        return quotient(a, b, is_unsigned);
    default:
        return a % b;
    }
}

/* Comparisons and what joins them have levels 1, 2, 6 and 7; 8: shifts. */
static bool gives_unsigned(const Operator *operator, bool left, bool right) {
    if (operator->level <= 2 || operator->level == 6 || operator->level == 7)
        return false;
    return operator->level == 8 ? left : operator->text[0] == '%' || left || right;
}

/* expression of a level = term { operator-of-at-least-that-level expression-one-level-up } */
static bool parse_level(Parser *parser, Constant *constant, int level, int depth) {
    if (!parse_term(parser, constant, depth))
        return false;
    for (const Operator *operator; (operator= peek_operator(parser)) && operator->level >= level;) {
        Token at = parser->token;
        Constant right;
        for (size_t i = 0; operator->text[i]; i++)
            parser_next(parser);
        if (!parse_level(parser, &right, operator->level + 1, depth + 1))
            return false;
        if (constant->is_float || right.is_float)
            return parser_error(parser, &at, "floating constants cannot be computed with");
        if (right.bits == 0 && (operator->text[0] == '/' || operator->text[0] == '%'))
            return parser_error(parser, &at, "division by zero");
        const bool either = constant->is_unsigned || right.is_unsigned;
        constant->bits = evaluate(operator->text, constant, right.bits, either);
        constant->is_unsigned = gives_unsigned(operator, constant->is_unsigned, right.is_unsigned);
    }
    return true;
}

/* choice = expression [ "?" choice ":" choice ] */
static bool parse_choice(Parser *parser, Constant *constant, int depth) {
    Token at = parser->token;
    Constant other;
    if (!parse_level(parser, constant, 0, depth))
        return false;
    if (!parser_is(parser, '?'))
        return true;
    if (constant->is_float)
        return parser_error(parser, &at, "'?' takes an integer");
    const bool first = constant->bits != 0;
    parser_next(parser);
    if (!parse_choice(parser, constant, depth + 1) || !parser_expect(parser, ':') ||
        !parse_choice(parser, &other, depth + 1))
        return false;
    if (!first)
        *constant = other;
    return true;
}

bool constant_parse(Parser *parser, Constant *constant) {
    return parse_choice(parser, constant, 0);
}

bool constant_integer(Parser *parser, const char *what, int64_t *value) {
    Token at = parser->token;
    Constant constant;
    if (!constant_parse(parser, &constant))
        return false;
    if (constant.is_float)
        return parser_error(parser, &at, "expected %s, not a floating constant", what);
    *value = (int64_t)constant.bits;
    return true;
}

static double as_double(const Constant *constant) {
    double wide;
    float narrow;
    uint32_t low = (uint32_t)constant->bits;
    memcpy(&wide, &constant->bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return constant->single ? (double)narrow : wide;
}

/* PTX ISA 4.5.1: an integer is cut to the size of the operand. A floating constant is rounded to
 * the type of the operand; its bits go into .bN of its own size. */
bool constant_convert(const Constant *constant, Type type, uint64_t *bits) {
    uint32_t bytes = type_bytes(type);
    uint64_t mask = bytes >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * bytes)) - 1;
    *bits = constant->bits & mask;
    if (type == TYPE_PRED)
        *bits = constant->bits != 0;
    if (!constant->is_float)
        return type != TYPE_F32 && type != TYPE_F64;
    double value = as_double(constant);
    float narrow = (float)value;
    if (type == TYPE_F64)
        memcpy(bits, &value, sizeof value);
    else if (type == TYPE_F32 && !constant->single) {
        uint32_t low;
        memcpy(&low, &narrow, sizeof low);
        *bits = low;
    }
    return type == TYPE_F64 || type == TYPE_F32 || (type == TYPE_B32 && constant->single) ||
           (type == TYPE_B64 && !constant->single);
}
