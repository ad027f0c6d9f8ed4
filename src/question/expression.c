/* C expressions over the lane: + - * / % << >> & | ^ ~ ! comparisons, && || ?: and parentheses, in
 * the precedence of C, on 64-bit integers.
 *
 *   expression = binary [ "?" expression ":" expression ]
 *   binary     = unary { operator unary }                       by precedence
 *   unary      = { "-" | "+" | "~" | "!" } primary
 *   primary    = number | name { "." name } | "(" expression ")" */
#include "question/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 64, NODES_MOST = 1000 }; /* of parentheses; of operators and operands */

struct Expression {
    char op; /* 'n'umber, 'v'ariable, '?', or an operator: see `operators` and unary */
    Place place;
    int64_t value;     /* of a number */
    uint32_t variable; /* its index in the scope */
    const Expression *a, *b, *c;
};

/* ---- text ---- */

void reader_start(Reader *reader, Scope *scope, const char *option, const char *text) {
    *reader = (Reader){.scope = scope, .option = option, .text = text, .at = text};
}

void reader_blanks(Reader *reader) {
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

Place reader_place(const Reader *reader, const char *at) {
    return (Place){.file = reader->option,
                   .text = reader->text,
                   .line = 1,
                   .column = (uint32_t)(at - reader->text) + 1};
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

void reader_expected(Reader *reader, const char *what) {
    if (reader->failed)
        return;
    reader->failed = true;
    reader_blanks(reader);
    Str word = {reader->at, 1};
    while (is_word(*word.at) && is_word(word.at[word.length]))
        word.length++;
    if (*reader->at)
        diags_add(reader->scope->diags, DIAG_ERROR, reader_place(reader, reader->at),
                  "expected %s, found '" STR_FMT "'", what, STR_ARG(word));
    else
        diags_add(reader->scope->diags, DIAG_ERROR, reader_place(reader, reader->at),
                  "expected %s at the end", what);
}

bool reader_accept(Reader *reader, const char *text) {
    size_t length = strlen(text);
    reader_blanks(reader);
    if (reader->failed || strncmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

bool reader_expect(Reader *reader, const char *text) {
    char what[16];
    if (reader_accept(reader, text))
        return true;
    snprintf(what, sizeof what, "'%s'", text);
    reader_expected(reader, what);
    return false;
}

Str reader_name(Reader *reader) {
    reader_blanks(reader);
    const char *at = reader->at;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return (Str){0};
    while (is_word(*at))
        at++;
    Str name = {reader->at, (size_t)(at - reader->at)};
    reader->at = at;
    return name;
}

/* NAME { "." NAME } */
static Str dotted_name(Reader *reader) {
    Str name = reader_name(reader);
    while (name.length && *reader->at == '.' && isalpha((unsigned char)reader->at[1])) {
        reader->at++;
        reader_name(reader);
        name.length = (size_t)(reader->at - name.at);
    }
    return name;
}

/* ---- parsing ---- */

static Expression *node(Reader *reader, char op, const Expression *a, const Expression *b,
                        const char *at) {
    Expression *new = NEW(reader->scope->arena, Expression);
    if (++reader->nodes > NODES_MOST)
        reader_expected(reader, "a shorter expression");
    *new = (Expression){.op = op, .place = reader_place(reader, at), .a = a, .b = b};
    return new;
}

static uint32_t variable_of(Scope *scope, Str name) {
    for (uint32_t i = 0; i < scope->variables.count; i++)
        if (str_equal(scope->variables.at[i].name, name))
            return i;
    *vec_add(scope->arena, &scope->unset) = name;
    *vec_add(scope->arena, &scope->variables) = (Setting){.name = name};
    return scope->variables.count - 1;
}

static const Expression *number(Reader *reader) {
    const char *start = reader->at;
    char *end;
    unsigned long long value = strtoull(start, &end, 0);
    for (reader->at = end; *reader->at && strchr("uUlL", *reader->at);)
        reader->at++;
    if (value > INT64_MAX || isalnum((unsigned char)*reader->at)) {
        reader->at = start;
        reader_expected(reader, "a number of 63 bits");
        return NULL;
    }
    Expression *new = node(reader, 'n', NULL, NULL, start);
    new->value = (int64_t)value;
    return new;
}

static const Expression *name(Reader *reader) {
    const char *start = reader->at;
    Str found = dotted_name(reader);
    if (!found.length) {
        reader_expected(reader, "a number, a name or '('");
        return NULL;
    }
    Expression *new = node(reader, 'v', NULL, NULL, start);
    new->variable = variable_of(reader->scope, found);
    return new;
}

static const Expression *unary(Reader *reader) {
    enum { SIGNS = 8 };
    char signs[SIGNS];
    const char *places[SIGNS];
    uint32_t count = 0;
    for (reader_blanks(reader); *reader->at && strchr("-+~!", *reader->at); reader_blanks(reader)) {
        if (count == SIGNS) {
            reader_expected(reader, "a number, a name or '('");
            return NULL;
        }
        places[count] = reader->at;
        signs[count++] = *reader->at++;
    }
    const Expression *operand;
    if (isdigit((unsigned char)*reader->at)) {
        operand = number(reader);
    } else if (reader_accept(reader, "(")) {
        operand = reader_expression(reader);
        reader_expect(reader, ")");
    } else {
        operand = name(reader);
    }
    while (operand && count-- > 0)
        if (signs[count] != '+')
            operand = node(reader, signs[count] == '-' ? 'm' : signs[count], operand, NULL,
                           places[count]);
    return operand;
}

/* Longer spellings first. */
static const struct {
    char spelling[3];
    char op;
    uint8_t precedence;
} operators[] = {
    {"||", 'o', 1}, {"&&", 'a', 2}, {"==", '=', 6}, {"!=", 'd', 6}, {"<=", 'l', 7}, {">=", 'g', 7},
    {"<<", 'L', 8}, {">>", 'R', 8}, {"|", '|', 3},  {"^", '^', 4},  {"&", '&', 5},  {"<", '<', 7},
    {">", '>', 7},  {"+", '+', 9},  {"-", '-', 9},  {"*", '*', 10}, {"/", '/', 10}, {"%", '%', 10},
};

static const Expression *binary(Reader *reader, uint8_t least) {
    const Expression *left = unary(reader);
    while (left && !reader->failed) {
        uint32_t i = 0, count = sizeof operators / sizeof *operators;
        reader_blanks(reader);
        while (i < count &&
               strncmp(reader->at, operators[i].spelling, strlen(operators[i].spelling)) != 0)
            i++;
        if (i == count || operators[i].precedence < least)
            return left;
        const char *at = reader->at;
        reader->at += strlen(operators[i].spelling);
        const Expression *right = binary(reader, (uint8_t)(operators[i].precedence + 1));
        left = right ? node(reader, operators[i].op, left, right, at) : NULL;
    }
    return left;
}

const Expression *reader_expression(Reader *reader) {
    if (++reader->depth > DEPTH_MOST)
        reader_expected(reader, "fewer parentheses");
    const Expression *first = reader->failed ? NULL : binary(reader, 1);
    const char *at = reader->at;
    if (first && reader_accept(reader, "?")) {
        const Expression *yes = reader_expression(reader);
        reader_expect(reader, ":");
        const Expression *no = reader_expression(reader);
        Expression *choice = node(reader, '?', first, yes, at);
        choice->c = no;
        first = choice;
    }
    reader->depth--;
    return reader->failed ? NULL : first;
}

const Expression *expression_parse(Scope *scope, const char *option, const char *text) {
    Reader reader;
    reader_start(&reader, scope, option, text);
    const Expression *expression = reader_expression(&reader);
    reader_blanks(&reader);
    if (expression && *reader.at)
        reader_expected(&reader, "an operator or the end");
    return reader.failed ? NULL : expression;
}

/* ---- evaluating: as two's complement does, where C leaves it open ---- */

static bool divide(const Scope *scope, const Expression *at, int64_t a, int64_t b, int64_t *value) {
    if (b == 0) {
        diags_add(scope->diags, DIAG_ERROR, at->place, "division by zero in lane %d",
                  (int)scope->variables.at[0].value);
        return false;
    }
    if (b == -1)
        *value = at->op == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
    else
        *value = at->op == '/' ? a / b : a % b;
    return true;
}

static bool shift(const Scope *scope, const Expression *at, int64_t a, int64_t b, int64_t *value) {
    if (b < 0 || b > 63) {
        diags_add(scope->diags, DIAG_ERROR, at->place, "shift by %lld in lane %d", (long long)b,
                  (int)scope->variables.at[0].value);
        return false;
    }
    *value = at->op == 'L' ? (int64_t)((uint64_t)a << b) : a >> b;
    return true;
}

static int64_t combine(char op, int64_t a, int64_t b) {
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case '+':
        return (int64_t)(x + y);
    case '-':
        return (int64_t)(x - y);
    case '*':
        return (int64_t)(x * y);
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '<':
        return a < b;
    case '>':
        return a > b;
    case 'l':
        return a <= b;
    case 'g':
        return a >= b;
    case '=':
        return a == b;
    default:
        return a != b;
    }
}

/* As deep as the text has parentheses, operators and signs. */
bool expression_value(const Scope *scope, const Expression *at, int64_t *value) {
    int64_t a = 0, b = 0;
    if (at->op == 'n' || at->op == 'v') {
        *value = at->op == 'n' ? at->value : scope->variables.at[at->variable].value;
        return true;
    }
    if (!expression_value(scope, at->a, &a))
        return false;
    if (at->op == '?')
        return expression_value(scope, a ? at->b : at->c, value);
    if (at->op == 'o' || at->op == 'a') {
        bool decided = (a != 0) == (at->op == 'o');
        if (!decided && !expression_value(scope, at->b, &b))
            return false;
        *value = decided ? a != 0 : b != 0;
        return true;
    }
    if (!at->b) {
        *value = at->op == 'm' ? (int64_t)(0 - (uint64_t)a) : at->op == '~' ? ~a : !a;
        return true;
    }
    if (!expression_value(scope, at->b, &b))
        return false;
    if (at->op == '/' || at->op == '%')
        return divide(scope, at, a, b, value);
    if (at->op == 'L' || at->op == 'R')
        return shift(scope, at, a, b, value);
    *value = combine(at->op, a, b);
    return true;
}

/* ---- names ---- */

enum { LANE, WARP, TID, THREAD_X, THREAD_Y, THREAD_Z, BLOCK_X, BLOCK_Y, BLOCK_Z, SIZE };
static const char *const known[] = {"lane",        "warp",        "tid",        "threadIdx.x",
                                    "threadIdx.y", "threadIdx.z", "blockDim.x", "blockDim.y",
                                    "blockDim.z",  "warpSize"};
enum { KNOWN = sizeof known / sizeof *known };

Scope *scope_new(Arena *arena, const uint32_t block[3], uint32_t warp, Diags *diags) {
    Scope *scope = NEW(arena, Scope);
    *scope = (Scope){.arena = arena, .diags = diags, .warp = warp, .block = {1024, 1, 1}};
    for (uint32_t i = 0; block && i < 3; i++)
        scope->block[i] = block[i];
    for (uint32_t i = 0; i < KNOWN; i++)
        *vec_add(arena, &scope->variables) = (Setting){.name = str_of(known[i])};
    return scope;
}

bool scope_set(Scope *scope, const char *text) {
    Reader reader;
    reader_start(&reader, scope, "--set", text);
    Str name = dotted_name(&reader);
    if (!name.length)
        reader_expected(&reader, "NAME=VALUE");
    for (uint32_t i = 0; i < scope->variables.count; i++)
        if (str_equal(scope->variables.at[i].name, name) && !reader.failed) {
            reader.at = text;
            reader_expected(&reader, "a name that is not set yet");
        }
    if (!reader_expect(&reader, "="))
        return false;
    const Expression *value = reader_expression(&reader);
    reader_blanks(&reader);
    if (value && *reader.at)
        reader_expected(&reader, "an operator or the end");
    if (reader.failed)
        return false;
    *vec_add(scope->arena, &scope->variables) = (Setting){.name = name, .set = value};
    return true;
}

bool scope_enter(Scope *scope, uint32_t lane, bool *exists) {
    const uint32_t *block = scope->block;
    uint64_t tid = (uint64_t)scope->warp * WARP_LANES + lane, plane = (uint64_t)block[0] * block[1];
    const uint64_t values[KNOWN] = {
        [LANE] = lane,
        [WARP] = scope->warp,
        [TID] = tid,
        [THREAD_X] = tid % block[0],
        [THREAD_Y] = tid / block[0] % block[1],
        [THREAD_Z] = tid / plane,
        [BLOCK_X] = block[0],
        [BLOCK_Y] = block[1],
        [BLOCK_Z] = block[2],
        [SIZE] = WARP_LANES,
    };
    *exists = tid < plane * block[2];
    for (uint32_t i = 0; i < scope->variables.count; i++) {
        Setting *variable = &scope->variables.at[i];
        if (i < KNOWN)
            variable->value = (int64_t)values[i];
        else if (variable->set && !expression_value(scope, variable->set, &variable->value))
            return false;
    }
    return true;
}
