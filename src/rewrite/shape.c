/* From a layout in bytes to a way to write it in C++: an extent that grows, dimensions that change places, a
 * subscript that is combined with another, or a function of the index. */
#include "rewrite/source.h"

#include <assert.h>
#include <string.h>

static const Instance *profiled(const Declaration *declaration) {
    return &declaration->instances.at[declaration->instance];
}

/* Elements from one index of a dimension to the next. */
static uint64_t stride_of(const Declaration *declaration, const Instance *instance, uint32_t dim) {
    uint64_t stride = 1;
    for (uint32_t d = dim + 1; d < declaration->dims; d++)
        stride *= instance->extents[d];
    return stride;
}

static uint64_t elements_of(const Declaration *declaration, const Instance *instance) {
    return stride_of(declaration, instance, 0) * instance->extents[0];
}

/* ---- padding ---- */

/* Padding after each row of some dimension is another extent of the next one; with two paddings, the second is
 * of rows that have the first. */
static void grow(const Declaration *declaration, RewriteShape *shape) {
    const Instance *instance = profiled(declaration);
    uint64_t unit = 1; /* from one index of dimension d to the next, as it will be */
    uint32_t by[DIMS_MOST] = {0}, found = 0;
    for (uint32_t d = declaration->dims - 1; d > 0; d--) {
        uint64_t pitch = stride_of(declaration, instance, d - 1);
        for (uint32_t p = 0; p < shape->pad_count; p++) {
            if (shape->pitch[p] != pitch || shape->pad[p] % unit)
                continue;
            by[d] = (uint32_t)(shape->pad[p] / unit);
            found++;
        }
        unit *= instance->extents[d] + by[d];
    }
    if (found < shape->pad_count)
        return;
    shape->kind = SHAPE_GROWN;
    memcpy(shape->by, by, sizeof by);
}

/* Padding after each element, where that is a structure which is no template's matter. */
static bool widen_record(const Declaration *declaration, RewriteShape *shape) {
    const Layout *layout = &shape->layout;
    if (declaration->in_template || declaration->is_member || !declaration->type.end ||
        layout->pitch2 || layout->pitch != declaration->element ||
        layout->pad % declaration->element == 0 || layout->pad % sizeof(float))
        return false;
    shape->kind = SHAPE_RECORD;
    shape->pad[0] = layout->pad;
    return true;
}

static bool find_padding(Arena *arena, const Declaration *declaration, RewriteShape *shape,
                         bool flat, const char **why) {
    uint32_t element = (uint32_t)declaration->element;
    const Layout *layout = &shape->layout;
    const uint32_t pitch[PADS_MOST] = {layout->pitch, layout->pitch2};
    const uint32_t pad[PADS_MOST] = {layout->pad, layout->pad2};
    if (!flat && widen_record(declaration, shape))
        return true;
    shape->kind = SHAPE_FLAT;
    for (uint32_t p = 0; p < PADS_MOST && pitch[p]; p++) {
        if (pitch[p] % element || pad[p] % element) {
            *why = arena_printf(arena,
                                "%u bytes of padding after every %u are no whole number of its "
                                "elements, which have %u bytes",
                                pad[p], pitch[p], element);
            return false;
        }
        shape->pitch[p] = pitch[p] / element;
        shape->pad[p] = pad[p] / element;
        shape->pad_count++;
    }
    if (!flat)
        grow(declaration, shape);
    return true;
}

/* ---- swizzles and XOR maps ---- */

static uint32_t bits_of(const Term *term) {
    return (uint32_t)__builtin_popcount(term->mask); /* masks are 2^n - 1 */
}

static void add_term(RewriteShape *shape, Term term) {
    assert(shape->term_count < TERMS_MOST);
    shape->terms[shape->term_count++] = term;
}

/* Bits of a line's number that move alike are a field: along a diagonal of the map's matrix bit j goes to bit
 * j + d of the place. */
static void add_fields(RewriteShape *shape, uint32_t unit) {
    const uint8_t *map = shape->layout.xor ;
    int line_bits = (int)log2_of(LINE_BYTES);
    for (int d = -LAYOUT_XORS; d < line_bits; d++) {
        for (int j = 0; j < LAYOUT_XORS; j++) {
            uint32_t first = (uint32_t)j, bits = 0;
            for (; j < LAYOUT_XORS && j + d >= 0 && map[j] >> (j + d) & 1; j++)
                bits++;
            if (bits)
                add_term(shape, (Term){.down = (uint32_t)line_bits + first - unit,
                                       .mask = (1u << bits) - 1,
                                       .up = (uint32_t)((int)first + d) - unit});
        }
    }
}

/* The same, each bit of a line's number by itself: shorter where it moves to many places. */
static void add_bits(RewriteShape *shape, uint32_t unit) {
    for (uint32_t j = 0; j < LAYOUT_XORS; j++) {
        uint32_t to = (uint32_t)shape->layout.xor [j] >> unit;
        if (to)
            add_term(shape, (Term){.down = log2_of(LINE_BYTES) + j - unit,
                                   .mask = 1,
                                   .up = is_power(to) ? log2_of(to) : 0,
                                   .by = is_power(to) ? 0 : to});
    }
}

/* Of the two ways that with fewer terms. */
static void add_moves(RewriteShape *shape, uint32_t unit) {
    RewriteShape bits = *shape;
    add_fields(shape, unit);
    add_bits(&bits, unit);
    if (bits.term_count < shape->term_count)
        *shape = bits;
}

/* Bits from the lowest of the place to the highest that a term changes. */
static uint32_t reach_of(const Term *term) {
    return term->by ? 32 - (uint32_t)__builtin_clz(term->by) : term->up + bits_of(term);
}

/* Do the exclusive ors stay within rows, and take their bits from the row's number alone, in every instance? */
static bool in_rows(const Declaration *declaration, const RewriteShape *shape, uint32_t columns) {
    uint32_t last = declaration->dims - 1;
    for (uint32_t t = 0; t < shape->term_count; t++) {
        const Term *term = &shape->terms[t];
        uint32_t bits = bits_of(term);
        if (reach_of(term) > columns || term->down < columns)
            return false;
        for (uint32_t i = 0; i < declaration->instances.count; i++) {
            const Instance *one = &declaration->instances.at[i];
            uint64_t rows = one->extents[last - 1];
            bool fits =
                last == 1 || (is_power(rows) && term->down - columns + bits <= log2_of(rows));
            if (one->extents[last] % (UINT64_C(1) << reach_of(term)) || !fits)
                return false;
        }
    }
    return true;
}

/* Then they are exclusive ors of the last subscript with the one before it. */
static void xor_rows(const Declaration *declaration, RewriteShape *shape) {
    uint32_t last = declaration->dims - 1;
    uint64_t rows = 0;
    if (last == 0 || !is_power(profiled(declaration)->extents[last]))
        return;
    uint32_t columns = log2_of(profiled(declaration)->extents[last]);
    if (!in_rows(declaration, shape, columns))
        return;
    for (uint32_t i = 0; i < declaration->instances.count; i++) {
        uint64_t count = declaration->instances.at[i].extents[last - 1];
        rows = count > rows ? count : rows;
    }
    shape->kind = SHAPE_XORED;
    for (uint32_t t = 0; t < shape->term_count; t++) {
        Term *term = &shape->terms[t];
        term->down -= columns;
        if (rows > 0 && (rows - 1) >> term->down <= term->mask)
            term->mask = 0;
    }
}

static bool find_xor(Arena *arena, const Declaration *declaration, RewriteShape *shape, bool flat,
                     const char **why) {
    const Layout *layout = &shape->layout;
    if (!is_power(declaration->element) || log2_of(declaration->element) > layout->base) {
        *why = arena_printf(arena,
                            "an exclusive or of pieces of %u bytes tears its elements of "
                            "%llu bytes apart",
                            1u << layout->base, (unsigned long long)declaration->element);
        return false;
    }
    uint32_t unit = log2_of(declaration->element);
    shape->kind = SHAPE_FLAT;
    if (layout->kind == LAYOUT_SWIZZLED) {
        uint32_t up = layout->base - unit;
        add_term(shape,
                 (Term){.down = up + layout->shift, .mask = (1u << layout->bits) - 1, .up = up});
        shape->unit = 1u << (up + layout->bits);
    } else {
        add_moves(shape, unit);
        shape->unit = LINE_BYTES >> unit;
    }
    if (!flat)
        xor_rows(declaration, shape);
    return true;
}

/* ---- transposition ---- */

/* Dimensions [begin, middle) and [middle, end) of an array change places, where these are the rows and columns
 * that the layout turns round: those behind `end` stay together, those before `begin` are its groups. */
static bool permute(const Declaration *declaration, RewriteShape *shape) {
    const Layout *layout = &shape->layout;
    const Instance *instance = profiled(declaration);
    uint32_t dims = declaration->dims, begin = 0, middle = 0, end = 0, at = 0;
    uint64_t unit = layout->element / declaration->element;
    uint64_t pitch = layout->pitch / declaration->element, group = pitch * layout->rows;
    for (uint32_t d = 1; d <= dims; d++) {
        uint64_t below = stride_of(declaration, instance, d - 1);
        begin = below == group ? d : begin;
        middle = below == pitch ? d : middle;
        end = below == unit ? d : end;
    }
    if (elements_of(declaration, instance) != group && begin == 0)
        return false;
    if (begin >= middle || middle >= end)
        return false;
    for (uint32_t d = 0; d < begin; d++)
        shape->order[at++] = d;
    for (uint32_t d = middle; d < end; d++)
        shape->order[at++] = d;
    for (uint32_t d = begin; d < middle; d++)
        shape->order[at++] = d;
    for (uint32_t d = end; d < dims; d++)
        shape->order[at++] = d;
    shape->kind = SHAPE_SWAPPED;
    return true;
}

static bool find_transposition(Arena *arena, const Declaration *declaration, RewriteShape *shape,
                               bool flat, const char **why) {
    const Layout *layout = &shape->layout;
    if (layout->element % declaration->element) {
        *why = arena_printf(arena, "what is transposed are pieces of %u bytes, not its elements",
                            layout->element);
        return false;
    }
    shape->rows = layout->rows;
    shape->columns = layout->pitch / layout->element;
    if (!flat && permute(declaration, shape))
        return true;
    shape->kind = SHAPE_FLAT;
    uint32_t unit = layout->element / (uint32_t)declaration->element;
    for (uint32_t i = 0; i < declaration->instances.count; i++) {
        const Instance *one = &declaration->instances.at[i];
        uint64_t group = (uint64_t)shape->rows * shape->columns;
        if (unit > 1 || elements_of(declaration, one) != group) {
            *why = arena_printf(arena, "%sit has no dimensions that could change places like this",
                                *one->name ? arena_printf(arena, "in %s ", one->name) : "");
            return false;
        }
    }
    return true;
}

static bool find(Arena *arena, const Declaration *declaration, const Layout *layout, bool flat,
                 RewriteShape *shape, const char **why) {
    *shape = (RewriteShape){.layout = *layout};
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return find_padding(arena, declaration, shape, flat, why);
    case LAYOUT_SWIZZLED:
    case LAYOUT_XORED:
        return find_xor(arena, declaration, shape, flat, why);
    case LAYOUT_TRANSPOSED:
        return find_transposition(arena, declaration, shape, flat, why);
    default:
        *why = "no way is known to write its new layout in C++";
        return false;
    }
}

bool shape_find(Arena *arena, const Declaration *declaration, const Layout *layout,
                RewriteShape *shape, const char **why) {
    return find(arena, declaration, layout, false, shape, why);
}

bool shape_flatten(Arena *arena, const Declaration *declaration, const Layout *layout,
                   RewriteShape *shape, const char **why) {
    return find(arena, declaration, layout, true, shape, why);
}
