/* Layouts in words, as a programmer would write them. */
#include "fix/fix.h"

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

/* The terms of an XOR map. Along a diagonal of its matrix, bit j of the line goes to bit j + d of the
 * place: a run of such bits is a field of the index, moved as a whole. */
static const char *xor_words(Arena *arena, const Layout *layout, uint32_t element) {
    enum { LINE_BITS = 7 };
    const char *text = "i";
    int unit = (int)log2_of(element);
    for (int d = -LAYOUT_XORS; d < LINE_BITS; d++) {
        for (int j = 0; j < LAYOUT_XORS; j++) {
            int first = j, bits = 0;
            for (; j < LAYOUT_XORS && j + d >= 0 && layout->xor [j] >> (j + d) & 1; j++)
                bits++;
            if (!bits)
                continue;
            int left = first + d - unit;
            text = arena_printf(arena, left ? "%s ^ (i >> %d & %u) << %d" : "%s ^ (i >> %d & %u)",
                                text, LINE_BITS + first - unit, (1u << bits) - 1, left);
        }
    }
    return text;
}

static const char *elements_words(Arena *arena, uint32_t bytes, uint32_t element) {
    uint32_t count = bytes / element;
    return arena_printf(arena, count == 1 ? "%u element" : "%u elements", count);
}

static const char *padding_words(Arena *arena, const Layout *layout, uint32_t element) {
    const char *pad = elements_words(arena, layout->pad, element);
    if (!layout->pitch2)
        return arena_printf(arena, "%s of padding after every %u", pad, layout->pitch / element);
    return arena_printf(arena, "%s of padding after every %u, %u after %u", pad,
                        layout->pitch / element, layout->pad2 / element, layout->pitch2 / element);
}

const char *fix_words(Arena *arena, const Layout *layout, uint32_t element) {
    bool whole = element && (element & (element - 1)) == 0 && log2_of(element) <= layout->base;
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return padding_words(arena, layout, element);
    case LAYOUT_SWIZZLED:
        if (whole)
            return swizzle_words(arena, layout, element);
        return arena_printf(arena, "Swizzle<%u,%u,%u> of bytes", layout->bits, layout->base,
                            layout->shift);
    case LAYOUT_XORED:
        return arena_printf(arena, "XOR: %s%s", xor_words(arena, layout, whole ? element : 1),
                            whole ? "" : " of bytes");
    case LAYOUT_TRANSPOSED:
        return arena_printf(arena, "transposed: [%u][%u]", layout->pitch / layout->element,
                            layout->rows);
    default:
        return "as it is";
    }
}
