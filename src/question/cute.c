/* Layouts as CuTe writes and prints them: a function from coordinates to element numbers. Composed, A o B, the numbers of B are coordinates
 * of A; a swizzle takes numbers alone, and stands before all.
 *
 *   layout = unit { "o" unit }
 *   unit = swizzle | plain | "composition(" layout "," layout ")"
 *   swizzle = ("Swizzle" | "Sw") "<" B "," M "," S ">" ["{}"]
 *   plain = "Layout<" tuple ["," tuple] ">" ["{}"] | tuple [":" tuple]          shape, then strides
 *   tuple = number | ("(" | "Shape<" | "Stride<" | "tuple<") tuple { "," tuple } (")" | ">")
 *   number = digits | "_" digits | ("Int" | "C") "<" digits ">"
 *
 * Without strides they are those of a compact layout whose first mode runs fastest. A coordinate of a mode that is a tuple itself
 * counts its elements, the first of them fastest; so does one coordinate for a whole layout ("CuTe Layouts" and "CuTe
 * Layout Algebra" of CUTLASS's documentation). */
#include "question/reader.h"

#include <ctype.h>
#include <string.h>

enum { NUMBERS_MOST = 32, NUMBER_MOST = 1 << 24, PROFILE_MOST = 4 * NUMBERS_MOST };

typedef struct Tuple {
    uint32_t numbers[NUMBERS_MOST], count;
    char profile[PROFILE_MOST + 1]; /* "((n,n),n)", without commas: the two of a layout are alike */
    uint32_t length;
    uint32_t ends[ARRAY_DIMENSIONS], modes; /* numbers up to the end of each mode */
} Tuple;

static bool digits(Reader *reader, uint32_t most, uint32_t *number) {
    reader_blanks(reader);
    const char *at = reader->at;
    uint64_t value = 0;
    while (isdigit((unsigned char)*at) && value <= most)
        value = value * 10 + (uint64_t)(*at++ - '0');
    if (at == reader->at || value > most) {
        reader_expected(reader, at == reader->at ? "a number" : "a smaller number");
        return false;
    }
    reader->at = at;
    *number = (uint32_t)value;
    return !reader->failed;
}

static bool number(Reader *reader, uint32_t *value) {
    if (reader_accept(reader, "Int<") || reader_accept(reader, "C<"))
        return digits(reader, NUMBER_MOST, value) && reader_expect(reader, ">");
    reader_accept(reader, "_");
    return digits(reader, NUMBER_MOST, value);
}

static void mark(Tuple *tuple, char what) {
    if (tuple->length < PROFILE_MOST)
        tuple->profile[tuple->length++] = what;
}

/* What closes a tuple that begins here; NULL: none does. */
static const char *opening(Reader *reader) {
    if (reader_accept(reader, "("))
        return ")";
    return reader_accept(reader, "Shape<") || reader_accept(reader, "Stride<") ||
                   reader_accept(reader, "tuple<")
               ? ">"
               : NULL;
}

static bool read_tuple(Reader *reader, Tuple *tuple, uint32_t depth) {
    const char *closing = opening(reader);
    if (!closing) {
        if (tuple->count == NUMBERS_MOST || tuple->length >= PROFILE_MOST) {
            reader_expected(reader, "at most 32 numbers");
            return false;
        }
        mark(tuple, 'n');
        return number(reader, &tuple->numbers[tuple->count++]);
    }
    if (depth == TYPE_DEPTH) {
        reader_expected(reader, "at most 8 tuples in one another");
        return false;
    }
    mark(tuple, '(');
    do {
        if (!read_tuple(reader, tuple, depth + 1))
            return false;
        if (depth == 0 && tuple->modes == ARRAY_DIMENSIONS) {
            reader_expected(reader, "at most 8 modes");
            return false;
        }
        if (depth == 0)
            tuple->ends[tuple->modes++] = tuple->count;
    } while (reader_accept(reader, ","));
    mark(tuple, ')');
    return reader_expect(reader, closing);
}

static bool whole_tuple(Reader *reader, Tuple *tuple) {
    *tuple = (Tuple){.count = 0};
    if (!read_tuple(reader, tuple, 0))
        return false;
    if (!tuple->modes) /* one number */
        tuple->ends[tuple->modes++] = tuple->count;
    return true;
}

/* Strides that are not given: 1, then what the shape before it takes. */
static void compact(const Tuple *shape, Tuple *stride) {
    uint64_t next = 1;
    *stride = *shape;
    for (uint32_t i = 0; i < shape->count; i++) {
        stride->numbers[i] = next < NUMBER_MOST ? (uint32_t)next : NUMBER_MOST;
        next *= shape->numbers[i];
        next = next < NUMBER_MOST ? next : NUMBER_MOST;
    }
}

static bool read_plain(Reader *reader, CuteLayout *layout) {
    Tuple shape, stride;
    bool named = reader_accept(reader, "Layout<");
    if (!whole_tuple(reader, &shape))
        return false;
    const char *behind = reader->at;
    bool given = reader_accept(reader, named ? "," : ":");
    if (given && !whole_tuple(reader, &stride))
        return false;
    if (!given)
        compact(&shape, &stride);
    if (named && !reader_expect(reader, ">"))
        return false;
    if (named)
        reader_accept(reader, "{}");
    if (strcmp(shape.profile, stride.profile) != 0) {
        reader->at = behind;
        reader_expected(reader, "strides in the same tuples as the shape");
        return false;
    }
    for (uint32_t i = 0; i < shape.count; i++)
        layout->leaves[i] = (CuteLeaf){shape.numbers[i], stride.numbers[i]};
    layout->modes = shape.modes;
    memcpy(layout->ends, shape.ends, sizeof layout->ends);
    return true;
}

/* false: there is none here, or it is wrong. */
static bool read_swizzle(Reader *reader, Layout *swizzle) {
    enum { SWIZZLE_MOST = 16 };
    if (!reader_accept(reader, "Swizzle<") && !reader_accept(reader, "Sw<"))
        return false;
    *swizzle = (Layout){.kind = LAYOUT_SWIZZLED};
    if (!digits(reader, SWIZZLE_MOST, &swizzle->bits) || !reader_expect(reader, ",") ||
        !digits(reader, SWIZZLE_MOST, &swizzle->base) || !reader_expect(reader, ",") ||
        !digits(reader, SWIZZLE_MOST, &swizzle->shift))
        return false;
    if (swizzle->shift < swizzle->bits)
        reader_expected(reader, "a shift that is no less than the bits");
    reader_expect(reader, ">");
    reader_accept(reader, "{}");
    return !reader->failed;
}

/* What has been read of it. */
typedef struct Chain {
    CuteLayout *inner; /* the last */
    bool swizzled;
    Layout swizzle;
} Chain;

static bool read_layout(Reader *reader, Chain *chain, uint32_t depth);

static bool read_composition(Reader *reader, Chain *chain, uint32_t depth) {
    if (depth == TYPE_DEPTH) {
        reader_expected(reader, "at most 8 compositions in one another");
        return false;
    }
    return read_layout(reader, chain, depth + 1) && reader_expect(reader, ",") &&
           read_layout(reader, chain, depth + 1) && reader_expect(reader, ")");
}

static bool read_unit(Reader *reader, Chain *chain, uint32_t depth) {
    if (reader_accept(reader, "composition("))
        return read_composition(reader, chain, depth);
    const char *before = reader->at;
    Layout swizzle;
    if (read_swizzle(reader, &swizzle)) {
        if (chain->swizzled || chain->inner) {
            reader->at = before;
            reader_expected(reader, "a layout: a swizzle stands before all");
        }
        chain->swizzled = true;
        chain->swizzle = swizzle;
        return !reader->failed;
    }
    if (reader->failed)
        return false;
    CuteLayout *layout = NEW(reader->scope->arena, CuteLayout);
    layout->behind = chain->inner;
    chain->inner = layout;
    return read_plain(reader, layout);
}

static bool read_layout(Reader *reader, Chain *chain, uint32_t depth) {
    do {
        if (!read_unit(reader, chain, depth))
            return false;
    } while (reader_accept(reader, "o"));
    return true;
}

const CuteLayout *cute_layout(Reader *reader) {
    Chain chain = {0};
    if (!read_layout(reader, &chain, 0))
        return NULL;
    if (!chain.inner) {
        reader_expected(reader, "'o' and a layout");
        return NULL;
    }
    chain.inner->swizzled = chain.swizzled;
    chain.inner->swizzle = chain.swizzle;
    return chain.inner;
}

static int64_t places(const CuteLeaf *leaf, const CuteLeaf *end, int64_t coordinate, bool *inside) {
    int64_t element = 0;
    *inside &= coordinate >= 0;
    for (; leaf < end; leaf++) {
        const int64_t shape = leaf->shape ? leaf->shape : 1;
        *inside &= leaf->shape != 0;
        element += (coordinate % shape) * leaf->stride;
        coordinate /= shape;
    }
    *inside &= coordinate == 0;
    return element;
}

int64_t cute_element(const CuteLayout *layout, const int64_t *coordinates, uint32_t count,
                     bool *inside) {
    int64_t element = 0;
    if (count == 1)
        element = places(layout->leaves, layout->leaves + layout->ends[layout->modes - 1],
                         coordinates[0], inside);
    for (uint32_t mode = 0; count > 1 && mode < layout->modes; mode++)
        element += places(layout->leaves + (mode ? layout->ends[mode - 1] : 0),
                          layout->leaves + layout->ends[mode], coordinates[mode], inside);
    return layout->behind ? cute_element(layout->behind, &element, 1, inside) : element;
}
