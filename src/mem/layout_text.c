/* Layouts as text: a kind, and the numbers that it has. */
#include "mem/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 12 };

typedef struct Kind {
    const char *name;
    uint32_t count;
} Kind;
static const Kind kinds[] = {[LAYOUT_PLAIN] = {"plain", 0},
                             [LAYOUT_PADDED] = {"padded", 4},
                             [LAYOUT_SWIZZLED] = {"swizzled", 3},
                             [LAYOUT_XORED] = {"xored", 1 + LAYOUT_XORS},
                             [LAYOUT_TRANSPOSED] = {"transposed", 3}};

/* The field behind each number, in their order. */
static void list_fields(Layout *layout, uint32_t *fields[NUMBERS_MOST]) {
    uint32_t *const padded[] = {&layout->pitch, &layout->pad, &layout->pitch2, &layout->pad2};
    uint32_t *const swizzled[] = {&layout->bits, &layout->base, &layout->shift};
    uint32_t *const transposed[] = {&layout->pitch, &layout->rows, &layout->element};
    if (layout->kind == LAYOUT_PADDED)
        memcpy(fields, padded, sizeof padded);
    else if (layout->kind == LAYOUT_SWIZZLED)
        memcpy(fields, swizzled, sizeof swizzled);
    else if (layout->kind == LAYOUT_TRANSPOSED)
        memcpy(fields, transposed, sizeof transposed);
    else
        fields[0] = &layout->base;
}

const char *layout_text(Arena *arena, const Layout *layout) {
    Layout copy = *layout;
    uint32_t *fields[NUMBERS_MOST] = {0};
    const char *text = kinds[layout->kind].name;
    list_fields(&copy, fields);
    for (uint32_t i = 0; i < kinds[layout->kind].count; i++)
        text = arena_printf(arena, "%s%c%u", text, i ? ',' : ':',
                            fields[i] ? *fields[i] : layout->xor [i - 1]);
    return text;
}

/* Numbers that layout_offset can compute with. */
static bool is_sound(const Layout *layout) {
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return layout->pitch > 0 && (!layout->pitch2 || layout->pitch2 % layout->pitch == 0);
    case LAYOUT_SWIZZLED:
        return layout->bits > 0 && layout->bits <= layout->shift && layout->shift < 16 &&
               layout->base < 16;
    case LAYOUT_TRANSPOSED:
        return layout->element > 0 && layout->rows > 0 &&
               (uint64_t)layout->rows * layout->pitch <= UINT32_MAX &&
               layout->pitch >= layout->element && layout->pitch % layout->element == 0;
    default:
        return layout->base < 7;
    }
}

bool layout_parse(const char *text, Layout *layout) {
    size_t length = strcspn(text, ":");
    uint32_t kind = 0, *fields[NUMBERS_MOST] = {0};
    while (kind < sizeof kinds / sizeof *kinds &&
           (strlen(kinds[kind].name) != length || memcmp(kinds[kind].name, text, length) != 0))
        kind++;
    if (kind == sizeof kinds / sizeof *kinds)
        return false;
    *layout = (Layout){.kind = (LayoutKind)kind};
    list_fields(layout, fields);
    text += length;
    for (uint32_t i = 0; i < kinds[kind].count; i++) {
        char *end = NULL;
        if (*text != (i ? ',' : ':') || text[1] < '0' || text[1] > '9')
            return false;
        unsigned long number = strtoul(text + 1, &end, 10);
        if (number > (fields[i] ? INT32_MAX : LINE_BYTES - 1))
            return false;
        if (fields[i])
            *fields[i] = (uint32_t)number;
        else
            layout->xor [i - 1] = (uint8_t)number;
        text = end;
    }
    return *text == 0 && is_sound(layout);
}
