/* A shape in C++: extents, subscripts, and the function of the index that a flat one needs. */
#include "rewrite/source.h"

#include <string.h>

/* ---- extents ---- */

static SpelledExpression extent_of(Arena *arena, const Declaration *declaration, uint32_t dim) {
    return expression_of(arena, declaration->code, declaration->extents[dim], NULL);
}

/* "TILE + 1", "33" for 32, "N + 2" for N + 1. */
const char *spell_more(Arena *arena, const Code *code, Range extent, uint32_t by) {
    SpelledExpression expression = expression_of(arena, code, extent, NULL);
    uint64_t number;
    if (expression_number(code, extent, &number))
        return arena_printf(arena, "%llu", (unsigned long long)number + by);
    uint32_t last = token_from(code, extent.end);
    if (last >= 2 && expression.binding == BINDS_SUM && token_is(code, last - 2, "+") &&
        expression_number(code, code->tokens.at[last - 1].at, &number)) {
        Range before = {extent.begin, code->tokens.at[last - 1].at.begin};
        return arena_printf(arena, STR_FMT "%llu", STR_ARG(code_text(code, before)),
                            (unsigned long long)number + by);
    }
    return arena_printf(arena, "%s + %u", expression_operand(arena, expression, BINDS_SUM), by);
}

const char *spell_grown(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                        uint32_t dim) {
    return spell_more(arena, declaration->code, declaration->extents[dim], shape->by[dim]);
}

/* The number of elements: a number if all extents are. */
static SpelledExpression count_of(Arena *arena, const Declaration *declaration, uint64_t *number) {
    SpelledExpression product = extent_of(arena, declaration, 0);
    bool known = true;
    *number = 1;
    for (uint32_t d = 0; d < declaration->dims; d++) {
        uint64_t extent;
        known &= expression_number(declaration->code, declaration->extents[d], &extent);
        *number *= known ? extent : 1;
        if (d > 0)
            product = (SpelledExpression){
                arena_printf(
                    arena, "%s * %s", expression_operand(arena, product, BINDS_PRODUCT),
                    expression_operand(arena, extent_of(arena, declaration, d), BINDS_PRIMARY)),
                BINDS_PRODUCT};
    }
    if (known)
        return (SpelledExpression){arena_printf(arena, "%llu", (unsigned long long)*number),
                                   BINDS_PRIMARY};
    *number = 0;
    return product;
}

static bool divides(const Declaration *declaration, uint32_t pitch) {
    for (uint32_t i = 0; i < declaration->instances.count; i++) {
        uint64_t elements = 1;
        for (uint32_t d = 0; d < declaration->dims; d++)
            elements *= declaration->instances.at[i].extents[d];
        if (elements % pitch)
            return false;
    }
    return true;
}

/* "N / 32", rounded up where there is a rest. */
static SpelledExpression quotient(Arena *arena, const Declaration *declaration,
                                  SpelledExpression count, uint32_t by) {
    const char *text =
        divides(declaration, by)
            ? arena_printf(arena, "%s / %u", expression_operand(arena, count, BINDS_PRODUCT), by)
            : arena_printf(arena, "(%s + %u) / %u", expression_operand(arena, count, BINDS_SUM),
                           by - 1, by);
    return (SpelledExpression){text, BINDS_PRODUCT};
}

/* As many elements as the layout has: "N + N / 32" with padding, "(N + 31) / 32 * 32" for a swizzle. */
const char *spell_flat(Arena *arena, const Declaration *declaration, const RewriteShape *shape) {
    uint64_t number;
    SpelledExpression count = count_of(arena, declaration, &number);
    if (number)
        return arena_printf(
            arena, "%llu",
            (unsigned long long)(layout_bytes(&shape->layout, number * declaration->element) /
                                 declaration->element));
    if (shape->unit && !divides(declaration, shape->unit))
        return arena_printf(arena, "%s * %u", quotient(arena, declaration, count, shape->unit).text,
                            shape->unit);
    const char *text = count.text;
    for (uint32_t p = 0; p < shape->pad_count; p++) {
        const char *rows = quotient(arena, declaration, count, shape->pitch[p]).text;
        text = arena_printf(arena, shape->pad[p] == 1 ? "%s + %s" : "%s + %s * %u",
                            p == 0 ? expression_operand(arena, count, BINDS_SUM) : text, rows,
                            shape->pad[p]);
    }
    return text;
}

const char *spell_extents(Arena *arena, const Declaration *declaration, const RewriteShape *shape) {
    const char *text = "";
    if (shape->kind == SHAPE_FLAT || shape->kind == SHAPE_PITCHED)
        return arena_printf(arena, "[%s]", spell_flat(arena, declaration, shape));
    for (uint32_t d = 0; d < declaration->dims; d++) {
        uint32_t from = shape->kind == SHAPE_SWAPPED ? shape->order[d] : d;
        const char *extent = shape->kind == SHAPE_GROWN && shape->by[d]
                                 ? spell_grown(arena, declaration, shape, d)
                                 : extent_of(arena, declaration, from).text;
        text = arena_printf(arena, "%s[%s]", text, extent);
    }
    return text;
}

/* ---- subscripts ---- */

/* "((y >> 2) & 7) << 1" from y, leaving out what does nothing. */
static SpelledExpression moved_bits(Arena *arena, const Term *term, SpelledExpression from) {
    const struct {
        const char *format;
        uint32_t number;
    } steps[] = {{"%s >> %u", term->down},
                 {"%s & %u", term->mask},
                 {"%s << %u", term->up},
                 {"%s * %u", term->by}};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        if (steps[s].number)
            from = (SpelledExpression){arena_printf(arena, steps[s].format,
                                                    expression_operand(arena, from, BINDS_PRIMARY),
                                                    steps[s].number),
                                       BINDS_LOOSELY};
    return from;
}

const char *spell_xored(Arena *arena, const RewriteShape *shape, SpelledExpression index,
                        SpelledExpression from) {
    const char *text = expression_operand(arena, index, BINDS_PRIMARY);
    for (uint32_t t = 0; t < shape->term_count; t++)
        text = arena_printf(
            arena, "%s ^ %s", text,
            expression_operand(arena, moved_bits(arena, &shape->terms[t], from), BINDS_PRIMARY));
    return text;
}

/* The place of element i. */
static const char *formula(Arena *arena, const RewriteShape *shape, SpelledExpression i) {
    const char *index = expression_operand(arena, i, BINDS_PRIMARY),
               *text = expression_operand(arena, i, BINDS_SUM);
    if (shape->term_count)
        return spell_xored(arena, shape, i, i);
    if (!shape->pad_count)
        return arena_printf(arena, "%s %% %u * %u + %s / %u", index, shape->columns, shape->rows,
                            index, shape->columns);
    for (uint32_t p = 0; p < shape->pad_count; p++) {
        uint32_t pitch = shape->pitch[p];
        bool shifts = pitch > 1 && is_power(pitch);
        const char *rows = arena_printf(arena, shifts ? "(%s >> %u)" : "%s / %u", index,
                                        shifts ? (uint32_t)__builtin_ctz(pitch) : pitch);
        text = arena_printf(arena, shape->pad[p] == 1 ? "%s + %s" : "%s + %s * %u", text, rows,
                            shape->pad[p]);
    }
    return text;
}

/* "i" of the subscripts "i / 8" and "i % 8" of rows of 8; NULL: they are others. */
static const char *whole_of(Arena *arena, const char *row, const char *column, const char *extent) {
    const char *quotient = arena_printf(arena, " / %s", extent),
               *remainder = arena_printf(arena, " %% %s", extent);
    size_t length = strlen(column), tail = strlen(quotient);
    if (length <= tail || strlen(row) != length || memcmp(row, column, length - tail) != 0 ||
        strcmp(row + length - tail, quotient) != 0 ||
        strcmp(column + length - tail, remainder) != 0)
        return NULL;
    const char *text = arena_copy(arena, row, length - tail);
    return text[strcspn(text, "+-/%<>&|^?,")] ? NULL : text; /* i + 1 / 8 is something else */
}

const char *spell_filled(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                         const SpelledExpression *subscripts) {
    if (shape->kind != SHAPE_SWAPPED || declaration->dims != 2)
        return NULL;
    const char *whole = whole_of(arena, subscripts[0].text, subscripts[1].text,
                                 extent_of(arena, declaration, 1).text);
    const char *extent = expression_operand(arena, extent_of(arena, declaration, 0), BINDS_PRIMARY);
    return whole ? arena_printf(arena, "[%s / %s][%s %% %s]", whole, extent, whole, extent) : NULL;
}

/* The index of an element in one dimension: (y * TILE + x). */
static SpelledExpression flat_index(Arena *arena, const Declaration *declaration,
                                    const SpelledExpression *subscripts) {
    SpelledExpression index = subscripts[0];
    const char *whole = declaration->dims != 2
                            ? NULL
                            : whole_of(arena, subscripts[0].text, subscripts[1].text,
                                       extent_of(arena, declaration, 1).text);
    if (whole)
        return (SpelledExpression){whole, BINDS_PRODUCT};
    for (uint32_t d = 1; d < declaration->dims; d++)
        index = (SpelledExpression){
            arena_printf(arena, "%s * %s + %s", expression_operand(arena, index, BINDS_PRODUCT),
                         expression_operand(arena, extent_of(arena, declaration, d), BINDS_PRIMARY),
                         expression_operand(arena, subscripts[d], BINDS_SUM)),
            BINDS_SUM};
    return index;
}

/* "[0]"; "[pad(y * 8) + x]", where padding comes after whole rows: what can do without the function, or lets it be computed
 * once for a row. NULL: nothing can. */
static const char *plain_place(Arena *arena, const Declaration *declaration,
                               const RewriteShape *shape, const SpelledExpression *subscripts,
                               const char *helper) {
    uint32_t dims = declaration->dims;
    if (!shape->pad_count)
        return NULL;
    if (dims == 1) {
        bool first = strcmp(subscripts[0].text, "0") == 0;
        return first ? "[0]" : NULL;
    }
    const SpelledExpression row = subscripts[0], column = subscripts[dims - 1];
    const uint64_t extent = declaration->instances.at[declaration->instance].extents[dims - 1];
    if (declaration->instances.count != 1 || dims > 2 || shape->pitch[0] % extent ||
        whole_of(arena, subscripts[0].text, column.text, extent_of(arena, declaration, 1).text))
        return NULL;
    return arena_printf(arena, "[%s(%s * %s) + %s]", helper,
                        expression_operand(arena, row, BINDS_PRODUCT),
                        expression_operand(arena, extent_of(arena, declaration, 1), BINDS_PRIMARY),
                        expression_operand(arena, column, BINDS_SUM));
}

const char *spell_subscripts(Arena *arena, const Declaration *declaration,
                             const RewriteShape *shape, const SpelledExpression *subscripts,
                             const char *helper) {
    const char *text = "";
    uint32_t last = declaration->dims - 1;
    if (shape->kind == SHAPE_FLAT || shape->kind == SHAPE_PITCHED) {
        SpelledExpression index = flat_index(arena, declaration, subscripts);
        const char *plain =
            helper ? plain_place(arena, declaration, shape, subscripts, helper) : NULL;
        if (plain)
            return plain;
        return helper ? arena_printf(arena, "[%s(%s)]", helper,
                                     expression_operand(arena, index, BINDS_SUM))
                      : arena_printf(arena, "[%s]", formula(arena, shape, index));
    }
    for (uint32_t d = 0; d <= last; d++) {
        SpelledExpression one = subscripts[shape->kind == SHAPE_SWAPPED ? shape->order[d] : d];
        if (shape->kind == SHAPE_XORED && d == last) {
            one.text = spell_xored(arena, shape, one, subscripts[last - 1]);
        }
        text = arena_printf(arena, "%s[%s]", text, one.text);
    }
    return text;
}

/* ---- the helper function ---- */

/* ---- the padded structure ---- */

static Str type_of(const Declaration *declaration) {
    return code_text(declaration->code, declaration->type);
}

/* "Particle" of "ns::Particle" */
static Str last_of(Str type) {
    size_t last = type.length;
    while (last > 0 && type.at[last - 1] != ':')
        last--;
    return (Str){type.at + last, type.length - last};
}

/* "PaddedParticle"; with more than a word "PaddedParticle8". */
static const char *record_name(Arena *arena, const Declaration *declaration,
                               const RewriteShape *shape) {
    const char *bytes =
        shape->pad[0] > sizeof(float) ? arena_printf(arena, "%u", shape->pad[0]) : "";
    return arena_printf(arena, "Padded" STR_FMT "%s", STR_ARG(last_of(type_of(declaration))),
                        bytes);
}

/* What is assigned to an element may be the structure that it was. */
static const char *record_text(Arena *arena, const Declaration *declaration,
                               const RewriteShape *shape, const char *name) {
    Str type = type_of(declaration);
    uint32_t words = shape->pad[0] / (uint32_t)sizeof(float);
    const char *padding = words == 1 ? "padding" : arena_printf(arena, "padding[%u]", words);
    return arena_printf(arena,
                        "// " STR_FMT " in a shared array: %u bytes more, against bank conflicts.\n"
                        "struct %s : " STR_FMT " {\n"
                        "    using " STR_FMT "::operator=;\n"
                        "    float %s;\n"
                        "};\n",
                        STR_ARG(type), shape->pad[0], name, STR_ARG(type), STR_ARG(type), padding);
}

const char *helper_name(Arena *arena, const Declaration *declaration, const RewriteShape *shape) {
    const char *name = "xor";
    if (shape->kind == SHAPE_RECORD)
        return record_name(arena, declaration, shape);
    if (shape->kind == SHAPE_MEMBERS)
        return arena_printf(arena, STR_FMT "Arrays", STR_ARG(last_of(type_of(declaration))));
    switch (shape->layout.kind) {
    case LAYOUT_PADDED:
        name = "pad";
        for (uint32_t p = 0; p < shape->pad_count; p++)
            name = arena_printf(arena, "%s_%u_per_%u", name, shape->pad[p], shape->pitch[p]);
        return name;
    case LAYOUT_SWIZZLED:
        return arena_printf(arena, "swizzle_%u_%u_%u", shape->layout.bits, shape->terms[0].up,
                            shape->layout.shift);
    case LAYOUT_XORED:
        for (uint32_t t = 0; t < shape->term_count; t++)
            name = arena_printf(arena, "%s_%u_%u_%u", name, shape->terms[t].down,
                                shape->terms[t].by ? shape->terms[t].by : shape->terms[t].mask,
                                shape->terms[t].up);
        return name;
    default:
        return arena_printf(arena, "transpose_%u_by_%u", shape->rows, shape->columns);
    }
}

static const char *helper_words(Arena *arena, const RewriteShape *shape) {
    const char *words = "";
    switch (shape->layout.kind) {
    case LAYOUT_PADDED:
        for (uint32_t p = 0; p < shape->pad_count; p++)
            words = arena_printf(arena, "%s%s%u element%s of padding after every %u", words,
                                 p ? ", " : "", shape->pad[p], shape->pad[p] == 1 ? "" : "s",
                                 shape->pitch[p]);
        return words;
    case LAYOUT_SWIZZLED:
        return arena_printf(arena, "Swizzle<%u,%u,%u>", shape->layout.bits, shape->terms[0].up,
                            shape->layout.shift);
    case LAYOUT_XORED:
        return "an exclusive or of its bits";
    default:
        return arena_printf(arena, "%u rows of %u, stored column by column", shape->rows,
                            shape->columns);
    }
}

/* Of an int where rows are counted by a shift: nvcc then sees through sums of indices, which of an unsigned may wrap, and
 * makes a third fewer instructions of a scan. */
static const char *helper_type(const RewriteShape *shape) {
    bool shifts = shape->pad_count > 0;
    for (uint32_t p = 0; p < shape->pad_count; p++)
        shifts &= is_power(shape->pitch[p]);
    return shifts ? "int" : "unsigned";
}

const char *helper_text(Arena *arena, const Declaration *declaration, const RewriteShape *shape,
                        const char *name) {
    if (shape->kind == SHAPE_RECORD)
        return record_text(arena, declaration, shape, name);
    if (shape->kind == SHAPE_MEMBERS)
        return arena_printf(arena,
                            "// N of " STR_FMT
                            " in shared memory, an array for each member, against bank conflicts.\n"
                            "template <int N> struct %s {\n"
                            "%s"
                            "};\n",
                            STR_ARG(type_of(declaration)), name, shape->fields);
    const char *type = helper_type(shape);
    return arena_printf(arena,
                        "// The place of element i of a shared array, against bank conflicts: %s.\n"
                        "__device__ __forceinline__ %s %s(%s i) {\n"
                        "    return %s;\n"
                        "}\n",
                        helper_words(arena, shape), type, name, type,
                        formula(arena, shape, (SpelledExpression){"i", BINDS_PRIMARY}));
}

/* ---- in words ---- */

const char *spell_by_hand(Arena *arena, const Declaration *declaration, const RewriteShape *shape) {
    static const char *const letters[] = {"i", "y", "x", "z"};
    SpelledExpression subscripts[DIMS_MOST];
    uint32_t dims = declaration->dims;
    const char *plain = "";
    for (uint32_t d = 0; d < dims; d++) {
        const char *letter = dims == 1   ? letters[0]
                             : dims == 2 ? letters[d + 1]
                             : dims == 3 ? letters[d == 0 ? 3 : d]
                                         : arena_printf(arena, "i%u", d);
        subscripts[d] = (SpelledExpression){letter, BINDS_PRIMARY};
        plain = arena_printf(arena, "%s[%s]", plain, letter);
    }
    Str name = declaration->name;
    const char *declare =
        declaration->dynamic
            ? ""
            : arena_printf(arena, "declare " STR_FMT "%s", STR_ARG(declaration->declared),
                           spell_extents(arena, declaration, shape));
    const char *write =
        arena_printf(arena, "write " STR_FMT "%s as " STR_FMT "%s", STR_ARG(name), plain,
                     STR_ARG(name), spell_subscripts(arena, declaration, shape, subscripts, NULL));
    if (shape->kind == SHAPE_RECORD)
        return arena_printf(arena,
                            "declare " STR_FMT " as an array of a structure with %u bytes more",
                            STR_ARG(name), shape->pad[0]);
    if (shape->kind == SHAPE_MEMBERS)
        return arena_printf(arena,
                            "write " STR_FMT " as a structure of arrays, " STR_FMT
                            "[i].member as " STR_FMT ".member[i]",
                            STR_ARG(name), STR_ARG(name), STR_ARG(name));
    if (shape->kind == SHAPE_GROWN)
        return declare;
    if (shape->kind == SHAPE_XORED || declaration->dynamic ||
        (dims == 1 && shape->unit && divides(declaration, shape->unit)))
        return write;
    return arena_printf(arena, "%s and %s", declare, write);
}
