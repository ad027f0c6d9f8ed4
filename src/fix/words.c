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

const char *fix_words(Arena *arena, const Layout *layout, uint32_t element) {
    bool whole = element && (element & (element - 1)) == 0;
    switch (layout->kind) {
    case LAYOUT_PADDED:
        if (layout->pad == element)
            return arena_printf(arena, "1 element of padding after every %u",
                                layout->pitch / element);
        return arena_printf(arena, "%u elements of padding after every %u", layout->pad / element,
                            layout->pitch / element);
    case LAYOUT_SWIZZLED:
        if (whole && log2_of(element) <= layout->base)
            return swizzle_words(arena, layout, element);
        return arena_printf(arena, "Swizzle<%u,%u,%u> of bytes", layout->bits, layout->base,
                            layout->shift);
    case LAYOUT_TRANSPOSED:
        return arena_printf(arena, "transposed: [%u][%u]", layout->pitch / layout->element,
                            layout->rows);
    default:
        return "as it is";
    }
}
