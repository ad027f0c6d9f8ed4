/* Modifiers in any order: ptxas takes "atom.global.gpu.acq_rel.add.s32" and "ld.v2.global.f32" as well as the manual's order, which
 * the syntaxes of ops.def have. Where two modifiers say the same kind of thing, which is first decides what they mean
 * ("cvt.f32.f16", "mma…row.col"): those keep their order.
 *
 * A pattern is followed as in syntax.c, but for the next token any of the spelling will do that is not used yet. */
#include "isa/order.h"

#include "isa/mods.h"

#include <string.h>

typedef struct Ordering {
    const Modifiers *given;
    uint32_t used; /* a bit for each */
    uint32_t taken_count;
    uint8_t taken[MODIFIERS_MOST];
} Ordering;

bool modifiers_split(Str spelling, Modifiers *modifiers) {
    modifiers->count = 0;
    for (Str rest = spelling; rest.at <= spelling.at + spelling.length;) {
        const char *dot = memchr(rest.at, '.', rest.length);
        size_t length = dot ? (size_t)(dot - rest.at) : rest.length;
        if (modifiers->count == MODIFIERS_MOST)
            return false;
        modifiers->token[modifiers->count] = (Str){rest.at, length};
        modifiers->kind[modifiers->count] = mods_kind((Str){rest.at, length});
        modifiers->count++;
        if (!dot)
            break;
        rest = (Str){rest.at + length + 1, rest.length - length - 1};
    }
    return true;
}

/* Whether one of its kind before it is still to be taken. */
static bool must_wait(const Ordering *ordering, uint32_t token) {
    const int *kind = ordering->given->kind;
    for (uint32_t i = 0; i < token; i++)
        if (kind[i] && kind[i] == kind[token] && !(ordering->used >> i & 1))
            return true;
    return false;
}

/* The mnemonic is first in any order. */
static bool take(Ordering *ordering, Str wanted) {
    uint32_t most = ordering->used ? ordering->given->count : 1;
    for (uint32_t i = 0; i < most; i++) {
        if (ordering->used >> i & 1 || !str_equal(ordering->given->token[i], wanted) ||
            must_wait(ordering, i))
            continue;
        ordering->used |= 1u << i;
        ordering->taken[ordering->taken_count++] = (uint8_t)i;
        return true;
    }
    return false;
}

static const char *close_of(const char *at, const char *end, char close) {
    const char *found = memchr(at, close, (size_t)(end - at));
    return found ? found : end;
}

/* Optional parts do not nest. The recursion is as deep as the pattern is long; patterns are ours. */
static bool follow(Ordering *ordering, const char *at, const char *end) {
    while (at < end && (*at == ']' || *at == '.'))
        at++;
    if (at >= end)
        return ordering->taken_count == ordering->given->count;
    const Ordering before = *ordering;
    if (*at == '[') {
        if (follow(ordering, at + 1, end))
            return true;
        *ordering = before;
        return follow(ordering, close_of(at, end, ']') + 1, end);
    }
    const bool choice = *at == '{';
    const char *close = choice ? close_of(at, end, '}') : at;
    for (const char *token = at + choice; token < end;) {
        size_t length = strcspn(token, choice ? ",}" : ".[]{");
        length = length < (size_t)(end - token) ? length : (size_t)(end - token);
        if (take(ordering, (Str){token, length}) &&
            follow(ordering, choice ? close + 1 : token + length, end))
            return true;
        *ordering = before;
        if (!choice || token + length >= close)
            break;
        token += length + 1;
    }
    return false;
}

bool modifiers_order(const Modifiers *modifiers, Str pattern, char *ordered) {
    Ordering ordering = {.given = modifiers};
    if (!follow(&ordering, pattern.at, pattern.at + pattern.length))
        return false;
    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Str token = modifiers->token[ordering.taken[i]];
        if (i)
            *ordered++ = '.';
        memcpy(ordered, token.at, token.length);
        ordered += token.length;
    }
    *ordered = 0;
    return true;
}
