/* From a syntax of ops.def ("add[.{rn,rz}].f32 | …", see its head) to the spellings that it stands
 * for. */
#include "vectors.h"

#include <string.h>

typedef struct Expansion {
    Arena *arena;
    Spellings *to;
    char text[NAME_BYTES];
} Expansion;

static const char *close_of(const char *at, const char *end, char open, char close) {
    int depth = 0;
    for (; at < end; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            break;
    }
    return at;
}

static size_t append(Expansion *expansion, size_t length, const char *at, size_t count) {
    if (length + count + 1 > sizeof expansion->text)
        count = 0;
    memcpy(expansion->text + length, at, count);
    return length + count;
}

/* The recursion is as deep as a pattern has parts. */
static void expand(Expansion *expansion, size_t length, const char *at, const char *end) {
    while (at < end && !strchr("[{", *at)) {
        if (*at != ']')
            length = append(expansion, length, at, 1);
        at++;
    }
    if (at == end) {
        *vec_add(expansion->arena, expansion->to) =
            arena_copy(expansion->arena, expansion->text, length);
    } else if (*at == '[') {
        expand(expansion, length, close_of(at, end, '[', ']') + 1, end);
        expand(expansion, length, at + 1, end);
    } else {
        const char *close = close_of(at, end, '{', '}');
        for (const char *token = at + 1; token < close;) {
            const size_t count = strcspn(token, ",}");
            expand(expansion, append(expansion, length, token, count), close + 1, end);
            token += count + 1;
        }
    }
}

void spellings_of(Arena *arena, const char *syntax, Spellings *to) {
    Expansion expansion = {.arena = arena, .to = to};
    for (const char *at = syntax; *at;) {
        at += strspn(at, " |");
        const char *end = at + strcspn(at, "|");
        const char *next = end;
        while (end > at && end[-1] == ' ')
            end--;
        expand(&expansion, 0, at, end);
        at = next;
    }
}

bool spelling_has(const char *spelling, const char *modifier) {
    const size_t length = strlen(modifier);
    for (const char *at = spelling; (at = strstr(at, modifier)); at += length)
        if (at[length] == '.' || at[length] == '\0')
            return true;
    return false;
}
