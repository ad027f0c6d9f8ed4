/* Other places for the bytes of a shared array: what padding, swizzling and transposing do to an offset.
 * The what-if of fixes and the run that proves one use the same functions. */
#include "mem/mem.h"

uint64_t layout_offset(const Layout *layout, uint64_t offset) {
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return offset + offset / layout->pitch * layout->pad;
    case LAYOUT_SWIZZLED: {
        uint64_t mask = (UINT64_C(1) << layout->bits) - 1;
        return offset ^ (offset >> (layout->base + layout->shift) & mask) << layout->base;
    }
    case LAYOUT_TRANSPOSED: {
        uint64_t element = offset / layout->element, rest = offset % layout->element;
        uint64_t columns = layout->pitch / layout->element;
        uint64_t row = element / columns, column = element % columns;
        return (column * layout->rows + row) * layout->element + rest;
    }
    default:
        return offset;
    }
}

uint64_t layout_bytes(const Layout *layout, uint64_t bytes) {
    if (layout->kind != LAYOUT_PADDED)
        return bytes;
    return bytes + (bytes + layout->pitch - 1) / layout->pitch * layout->pad;
}

uint32_t layout_chunk(const Layout *layout) {
    uint32_t chunk = LINE_BYTES;
    if (layout->kind == LAYOUT_PADDED)
        chunk = (layout->pitch | layout->pad) & (0 - (layout->pitch | layout->pad));
    else if (layout->kind == LAYOUT_SWIZZLED)
        chunk = 1u << layout->base;
    else if (layout->kind == LAYOUT_TRANSPOSED)
        chunk = layout->element;
    return chunk < LINE_BYTES ? chunk : LINE_BYTES;
}

/* `count` elements from `first`: one access if all are used (a load: three of four), else halves. */
static void split(uint32_t first, uint32_t count, const MergedAccess *merged, bool load,
                  uint32_t most, MergedPiece *pieces, uint32_t *number) {
    uint32_t mask = ((1u << count) - 1) << first, used = merged->used & mask;
    uint32_t needed = load && count == 4 ? 3 : count;
    if (!used)
        return;
    if (count * merged->element <= most && (uint32_t)__builtin_popcount(used) >= needed) {
        pieces[(*number)++] = (MergedPiece){first * merged->element, count * merged->element};
        return;
    }
    split(first, count / 2, merged, load, most, pieces, number);
    split(first + count / 2, count / 2, merged, load, most, pieces, number);
}

uint32_t layout_split(const Layout *layout, const MergedAccess *merged, bool load,
                      MergedPiece pieces[LAYOUT_PIECES]) {
    uint32_t number = 0;
    split(0, merged->width / merged->element, merged, load, layout_chunk(layout), pieces, &number);
    return number;
}
