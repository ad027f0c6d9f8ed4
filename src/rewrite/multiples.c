/* What power of two an index is a multiple of, by its text: 4 * i of 4, (8 * x + 4) of 4, i of what all that is assigned to it is a
 * multiple of. What is not understood is a multiple of 1. */
#include "rewrite/source.h"

#include <string.h>

enum { MULTIPLE_MOST = 64, DEPTH_OF_NAMES = 4 };

typedef struct Reader {
    const Code *code;
    uint32_t begin, end; /* of the function: its assignments count */
    const KernelPointers *pointers;
    uint32_t depth;
} Reader;

static uint32_t of_sum(Reader *reader, uint32_t first, uint32_t end);

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t of_number(uint64_t number) {
    return number % MULTIPLE_MOST ? (uint32_t)(number & -number) : MULTIPLE_MOST;
}

/* A pointer that begins an expression: what is added to it counts. */
static bool is_pointer(const Reader *reader, uint32_t t) {
    bool is = false;
    for (uint32_t i = 0; i < reader->pointers->count; i++)
        is |= str_equal(token_text(reader->code, &reader->code->tokens.at[t]),
                        reader->pointers->at[i].name);
    return is;
}

/* Where what is assigned from token t on ends. */
static uint32_t behind_value(const Code *code, uint32_t t, uint32_t end) {
    while (t < end && !token_is(code, t, ";") && !token_is(code, t, ",") && !token_closes(code, t))
        t = token_opens(code, t) ? token_behind_brackets(code, t) : t + 1;
    return t;
}

/* Of all that the function assigns to the variable. unassigned: of one that gets nothing there. */
static uint32_t of_name(Reader *reader, Str name, uint32_t unassigned) {
    const Code *code = reader->code;
    uint32_t multiple = MULTIPLE_MOST;
    bool assigned = false;
    if (reader->depth == DEPTH_OF_NAMES)
        return 1;
    reader->depth++;
    for (uint32_t t = reader->begin; t < reader->end && multiple > 1; t++) {
        if (!str_equal(token_text(code, &code->tokens.at[t]), name) || token_is(code, t - 1, ".") ||
            token_is(code, t - 1, "->"))
            continue;
        const bool adds = token_is(code, t + 1, "+=") || token_is(code, t + 1, "-=");
        if (adds || token_is(code, t + 1, "=")) {
            assigned = true;
            multiple =
                least(multiple, of_sum(reader, t + 2, behind_value(code, t + 2, reader->end)));
        } else if (token_changes(code, t) || token_is(code, t - 1, "&")) {
            const bool argument = token_is(code, t - 1, "(") || token_is(code, t - 1, ",") ||
                                  token_is(code, t - 1, "&");
            const bool declared = token_is(code, t + 1, ",") || token_is(code, t + 1, ";");
            multiple = declared && !argument ? multiple : 1;
        }
    }
    reader->depth--;
    return assigned || multiple == 1 ? multiple : unassigned;
}

static uint32_t of_factor(Reader *reader, uint32_t first, uint32_t end) {
    const Code *code = reader->code;
    uint64_t number;
    if (token_is(code, first, "(") && token_behind_brackets(code, first) == end)
        return of_sum(reader, first + 1, end - 1);
    if (end != first + 1)
        return 1;
    if (token_is(code, first, "0"))
        return MULTIPLE_MOST;
    if (number_read(code, first, &number))
        return of_number(number);
    if (code->tokens.at[first].kind != CXToken_Identifier)
        return 1;
    const Str name = token_text(code, &code->tokens.at[first]);
    return of_name(reader, name, is_pointer(reader, first) ? MULTIPLE_MOST : 1);
}

static uint32_t of_product(Reader *reader, uint32_t first, uint32_t end) {
    const Code *code = reader->code;
    uint32_t multiple = 1, begin = first;
    for (uint32_t t = first; t < end;) {
        if (token_is(code, t, "/") || token_is(code, t, "%"))
            return 1;
        if (token_is(code, t, "*") && t > begin) {
            multiple = least(multiple * of_factor(reader, begin, t), MULTIPLE_MOST);
            begin = t + 1;
        }
        t = token_opens(code, t) ? token_behind_brackets(code, t) : t + 1;
    }
    return begin < end ? least(multiple * of_factor(reader, begin, end), MULTIPLE_MOST) : 1;
}

static uint32_t of_sum(Reader *reader, uint32_t first, uint32_t end) {
    static const char *const others[] = {">>", "&", "|",  "^",  "?",  ":",  "<",
                                         ">",  "=", "==", "!=", "<=", ">=", NULL};
    const Code *code = reader->code;
    uint32_t multiple = MULTIPLE_MOST, begin = first;
    uint64_t shift;
    for (uint32_t t = first; t < end;) {
        for (size_t i = 0; others[i]; i++)
            if (token_is(code, t, others[i]))
                return 1;
        if (token_is(code, t, "<<")) /* of all before it */
            return t + 2 == end && number_read(code, t + 1, &shift) && shift < 6 ? 1u << shift : 1;
        if ((token_is(code, t, "+") || token_is(code, t, "-")) && t > begin) {
            multiple = least(multiple, of_product(reader, begin, t));
            begin = t + 1;
        }
        t = token_opens(code, t) ? token_behind_brackets(code, t) : t + 1;
    }
    return begin < end ? least(multiple, of_product(reader, begin, end)) : 1;
}

uint32_t multiple_of(const Code *code, uint32_t brace, const KernelPointers *pointers,
                     uint32_t first, uint32_t end) {
    Reader reader = {.code = code,
                     .begin = brace,
                     .end = token_behind_brackets(code, brace),
                     .pointers = pointers};
    return of_sum(&reader, first, end);
}
