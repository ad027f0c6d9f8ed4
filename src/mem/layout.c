/* Other places for the bytes of a shared array: what padding, swizzling, XORing and transposing do to an offset.
 * The what-if of fixes and the run that proves one use the same functions. */
#include "mem/mem.h"

/* Offsets in shared memory are far below 2^32. */
uint64_t layout_offset(const Layout *layout, uint64_t offset) {
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return offset + (uint32_t)offset / layout->pitch * layout->pad +
               (layout->pitch2 ? (uint32_t)offset / layout->pitch2 * layout->pad2 : 0);
    case LAYOUT_SWIZZLED: {
        uint64_t mask = (UINT64_C(1) << layout->bits) - 1;
        return offset ^ (offset >> (layout->base + layout->shift) & mask) << layout->base;
    }
    case LAYOUT_XORED: {
        uint64_t line = offset / LINE_BYTES % (1u << LAYOUT_XORS);
        for (; line; line &= line - 1)
            offset ^= layout->xor [__builtin_ctzll(line)];
        return offset;
    }
    case LAYOUT_TRANSPOSED: {
        uint32_t group = layout->rows * layout->pitch, in = (uint32_t)offset % group;
        uint32_t row = in / layout->pitch, column = in % layout->pitch / layout->element;
        return offset - in + (column * layout->rows + row) * layout->element +
               in % layout->pitch % layout->element;
    }
    default:
        return offset;
    }
}

static uint64_t round_up(uint64_t bytes, uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

uint64_t layout_bytes(const Layout *layout, uint64_t bytes) {
    switch (layout->kind) {
    case LAYOUT_PADDED:
        bytes +=
            (bytes + layout->pitch - 1) / layout->pitch * layout->pad +
            (layout->pitch2 ? (bytes + layout->pitch2 - 1) / layout->pitch2 * layout->pad2 : 0);
        return bytes;
    case LAYOUT_SWIZZLED: /* the pieces that change places are all there */
        return round_up(bytes, UINT64_C(1) << (layout->base + layout->bits));
    case LAYOUT_XORED:
        return round_up(bytes, LINE_BYTES);
    default:
        return bytes;
    }
}

uint64_t layout_place(uint64_t end, uint32_t align, bool dynamic) {
    enum { DYNAMIC_ALIGN = 16 };
    return round_up(end, dynamic && align < DYNAMIC_ALIGN ? DYNAMIC_ALIGN : align ? align : 1);
}

uint32_t layout_chunk(const Layout *layout) {
    uint32_t chunk = LINE_BYTES,
             steps = layout->pitch | layout->pad | layout->pitch2 | layout->pad2;
    if (layout->kind == LAYOUT_PADDED)
        chunk = steps & (0 - steps);
    else if (layout->kind == LAYOUT_SWIZZLED || layout->kind == LAYOUT_XORED)
        chunk = 1u << layout->base;
    else if (layout->kind == LAYOUT_TRANSPOSED)
        chunk = layout->element & (0 - layout->element);
    return chunk < LINE_BYTES ? chunk : LINE_BYTES;
}

/* `count` elements from `first`: one access if all are used (a load: three of four), else halves. An element is one access, also where
 * the layout tears it apart. */
static void split(uint32_t first, uint32_t count, const MergedAccess *merged, bool load,
                  uint32_t most, MergedPiece *pieces, uint32_t *number) {
    uint32_t mask = ((1u << count) - 1) << first, used = merged->used & mask;
    uint32_t needed = load && count == 4 ? 3 : count;
    if (!used)
        return;
    if (count == 1 ||
        (count * merged->element <= most && (uint32_t)__builtin_popcount(used) >= needed)) {
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
