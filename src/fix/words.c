/* Layouts in words, as a programmer would write them. */
#include "fix/fix.h"
#include "question/question.h"
#include "rules/rules.h"

#include <string.h>

static uint32_t log2_of(uint32_t value) {
    return (uint32_t)__builtin_ctz(value);
}

/* Swizzles of bytes are swizzles of elements where elements stay whole. */
static const char *swizzle_words(Arena *arena, const Layout *layout, uint32_t element) {
    uint32_t base = layout->base - log2_of(element), mask = (1u << layout->bits) - 1;
    uint32_t down = base + layout->shift;
    if (base == 0)
        return arena_printf(arena, "Swizzle<%u,0,%u>: i ^ (i >> %u & %u)", layout->bits,
                            layout->shift, down, mask);
    return arena_printf(arena, "Swizzle<%u,%u,%u>: i ^ (i >> %u & %u) << %u", layout->bits, base,
                        layout->shift, down, mask, base);
}

/* Each bit of the line's number by itself: shorter where it moves to many places. */
static const char *bits_words(Arena *arena, const Layout *layout, uint32_t element,
                              uint32_t *count) {
    enum { LINE_BITS = 7 };
    const char *text = "i";
    uint32_t unit = log2_of(element);
    *count = 0;
    for (uint32_t j = 0; j < LAYOUT_XORS; j++) {
        uint32_t to = (uint32_t)layout->xor [j] >> unit;
        if (!to)
            continue;
        text = arena_printf(arena, to == 1 ? "%s ^ (i >> %u & 1)" : "%s ^ (i >> %u & 1) * %u", text,
                            LINE_BITS + j - unit, to);
        (*count)++;
    }
    return text;
}

/* The terms of an XOR map. Along a diagonal of its matrix, bit j of the line goes to bit j + d of the
 * place: a run of such bits is a field of the index, moved as a whole. */
static const char *fields_words(Arena *arena, const Layout *layout, uint32_t element,
                                uint32_t *count) {
    enum { LINE_BITS = 7 };
    const char *text = "i";
    *count = 0;
    int unit = (int)log2_of(element);
    for (int d = -LAYOUT_XORS; d < LINE_BITS; d++) {
        for (int j = 0; j < LAYOUT_XORS; j++) {
            int first = j, bits = 0;
            for (; j < LAYOUT_XORS && j + d >= 0 && layout->xor [j] >> (j + d) & 1; j++)
                bits++;
            if (!bits)
                continue;
            int left = first + d - unit;
            (*count)++;
            text = arena_printf(arena, left ? "%s ^ (i >> %d & %u) << %d" : "%s ^ (i >> %d & %u)",
                                text, LINE_BITS + first - unit, (1u << bits) - 1, left);
        }
    }
    return text;
}

static const char *xor_words(Arena *arena, const Layout *layout, uint32_t element) {
    uint32_t fields, bits;
    const char *by_field = fields_words(arena, layout, element, &fields);
    const char *by_bit = bits_words(arena, layout, element, &bits);
    return bits < fields ? by_bit : by_field;
}

/* ---- elements ---- */

ArrayElement array_element(Arena *arena, const Profile *profile, const ProfKernel *kernel,
                           uint32_t variable, uint64_t bytes) {
    const SharedVariable *array = &kernel->shared.at[variable];
    const Location *place =
        kernel->location == NONE ? NULL : &profile->locations.at[kernel->location];
    const char *text = place && place->file != NONE ? profile->files.at[place->file].text : NULL;
    ElementType type;
    if (text && type_declared(arena, text, place->line, name_last(array->name), &type) &&
        bytes % type.bytes == 0)
        return (ArrayElement){type.bytes, arena_printf(arena, STR_FMT, STR_ARG(type.name))};
    return (ArrayElement){array->element_bytes ? array->element_bytes : BANK_BYTES, NULL};
}

static const char *plural(Arena *arena, const char *type) {
    size_t length = strlen(type);
    if (length >= 4 && strcmp(type + length - 4, "half") == 0)
        return arena_printf(arena, "%.*shalves", (int)length - 4, type);
    return arena_printf(arena, "%ss", type);
}

const char *elements_words(Arena *arena, uint64_t bytes, const ArrayElement *element) {
    uint64_t count = bytes / element->bytes;
    const char *type = element->type ? element->type : "element";
    if (bytes % element->bytes)
        return arena_printf(arena, "%s bytes", words_count(arena, bytes));
    return arena_printf(arena, "%s %s (%s bytes)", words_count(arena, count),
                        count == 1 ? type : plural(arena, type), words_count(arena, bytes));
}

/* ---- layouts ---- */

static const char *padding_words(Arena *arena, const Layout *layout, const ArrayElement *element) {
    bool whole = layout->pitch % element->bytes == 0 && layout->pad % element->bytes == 0 &&
                 layout->pitch2 % element->bytes == 0 && layout->pad2 % element->bytes == 0;
    const uint32_t unit = whole ? element->bytes : 1;
    const char *pad = whole ? elements_words(arena, layout->pad, element)
                            : arena_printf(arena, "%u bytes", layout->pad);
    if (!layout->pitch2)
        return arena_printf(arena, "%s of padding after every %u%s", pad, layout->pitch / unit,
                            whole ? "" : " bytes");
    return arena_printf(arena, "%s of padding after every %u, %u after %u%s", pad,
                        layout->pitch / unit, layout->pad2 / unit, layout->pitch2 / unit,
                        whole ? "" : " bytes");
}

static const char *transposed_words(Arena *arena, const Layout *layout, const ArrayElement *array) {
    uint32_t rows = layout->rows, columns = layout->pitch / layout->element;
    const char *of =
        layout->element == array->bytes
            ? ""
            : arena_printf(arena, " of %s", elements_words(arena, layout->element, array));
    const char *text = arena_printf(arena, "transposed: [%u][%u]%s", columns, rows, of);
    return text;
}

const char *fix_words(Arena *arena, const Layout *layout, const ArrayElement *array) {
    uint32_t element = array->bytes;
    bool whole = (element & (element - 1)) == 0 && log2_of(element) <= layout->base;
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return padding_words(arena, layout, array);
    case LAYOUT_SWIZZLED:
        if (whole)
            return swizzle_words(arena, layout, element);
        return arena_printf(arena, "Swizzle<%u,%u,%u> of bytes", layout->bits, layout->base,
                            layout->shift);
    case LAYOUT_XORED:
        return arena_printf(arena, "XOR: %s%s", xor_words(arena, layout, whole ? element : 1),
                            whole ? "" : " of bytes");
    case LAYOUT_TRANSPOSED:
        return transposed_words(arena, layout, array);
    default:
        return "as it is";
    }
}
