/* An exclusive or where it stands in the type of a layout, as CuTe has it: Swizzle<2, 3, 3> becomes Swizzle<3, 3, 3>, and a layout without one
 * becomes composition(Swizzle<3, 3, 3>{}, layout). What was found is a map of the places that elements have now, so that it is composed
 * with the swizzle that there is: if both together are a swizzle, that is written. */
#include "rewrite/source.h"

#include <string.h>

enum { BITS_MOST = 7, BASE_MOST = 7, SHIFT_MOST = 10, OFFSET_BITS = 18 };

/* Of an element's number. */
typedef struct Swizzle {
    uint64_t bits, base, shift;
} Swizzle;

static uint64_t swizzled(const Swizzle *swizzle, uint64_t i) {
    const uint64_t mask = ((UINT64_C(1) << swizzle->bits) - 1) << (swizzle->base + swizzle->shift);
    return i ^ (i & mask) >> swizzle->shift;
}

/* Both are linear: what they make of each bit says what they make of all. */
static bool is_same(const Swizzle *swizzle, const uint64_t *images, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (swizzled(swizzle, UINT64_C(1) << i) != images[i])
            return false;
    return true;
}

/* The swizzle that is `now` and then the layout, of an array of so many elements. false: there is none. */
static bool compose(const Declaration *declaration, const Layout *layout, const Swizzle *now,
                    Swizzle *then) {
    const uint64_t element = declaration->element,
                   elements = declaration->instances.at[declaration->instance].extents[0];
    uint64_t images[OFFSET_BITS];
    uint32_t count = 0;
    if (!is_power(element) || !(layout->kind == LAYOUT_SWIZZLED || layout->kind == LAYOUT_XORED) ||
        elements < 2)
        return false;
    for (; count < OFFSET_BITS && UINT64_C(1) << count < elements; count++) {
        const uint64_t place = layout_offset(layout, swizzled(now, UINT64_C(1) << count) * element);
        if (place % element)
            return false; /* an element is torn apart */
        images[count] = place / element;
    }
    for (then->bits = 0; then->bits <= BITS_MOST; then->bits++)
        for (then->base = 0; then->base <= BASE_MOST; then->base++)
            for (then->shift = then->bits ? then->bits : 1; then->shift <= SHIFT_MOST;
                 then->shift++)
                if (is_same(then, images, count))
                    return true;
    return false;
}

/* ---- the source ---- */

/* A number that may be 0. */
static bool read_number(const Code *code, uint32_t t, uint64_t *number) {
    *number = 0;
    return token_is(code, t, "0") || expression_number(code, code->tokens.at[t].at, number);
}

/* Swizzle<2, 3, 3>, whose name is token t. */
static bool read_swizzle(const Code *code, uint32_t t, Swizzle *swizzle) {
    return token_is(code, t, "Swizzle") && token_is(code, t + 1, "<") &&
           token_is(code, t + 3, ",") && token_is(code, t + 5, ",") &&
           (token_is(code, t + 7, ">") || token_is(code, t + 7, ">>")) &&
           read_number(code, t + 2, &swizzle->bits) && read_number(code, t + 4, &swizzle->base) &&
           read_number(code, t + 6, &swizzle->shift) && swizzle->bits <= BITS_MOST &&
           swizzle->base <= BASE_MOST && swizzle->shift <= SHIFT_MOST;
}

static const char *swizzle_text(Arena *arena, const Swizzle *swizzle) {
    return arena_printf(arena, "Swizzle<%u, %u, %u>", (unsigned)swizzle->bits,
                        (unsigned)swizzle->base, (unsigned)swizzle->shift);
}

/* Does the statement around token t define something that the array's declaration names? "using Tile = …;" */
static bool is_named(const Declaration *declaration, uint32_t t) {
    const Code *code = declaration->code;
    const uint32_t end = token_find(code, t, code->tokens.count, ";");
    const uint32_t name = token_find(code, statement_start(code, t), end, "=") - 1;
    return code->tokens.at[name].kind == CXToken_Identifier && declaration_names(declaration, name);
}

/* The one in what the array's declaration names, or the only one of the file. tokens.count: there is none. */
static uint32_t find_swizzle(const Declaration *declaration, Swizzle *swizzle) {
    const Code *code = declaration->code;
    uint32_t found = code->tokens.count, all = 0;
    for (uint32_t t = token_from(code, declaration->at.begin); t-- > 0;) {
        if (!read_swizzle(code, t, swizzle))
            continue;
        if (is_named(declaration, t))
            return t;
        found = t;
        all++;
    }
    return all == 1 && read_swizzle(code, found, swizzle) ? found : code->tokens.count;
}

/* "using Tile = Layout<…>;" or "auto layout = make_layout(…);" of what the declaration names: the tokens behind the =. */
static bool find_layout(const Declaration *declaration, uint32_t *first, uint32_t *end) {
    const Code *code = declaration->code;
    for (uint32_t t = token_from(code, declaration->at.begin); t-- > 1;) {
        if (!(token_is(code, t, "Layout") && token_is(code, t + 1, "<")) &&
            !(token_is(code, t, "make_layout") && token_is(code, t + 1, "(")))
            continue;
        const bool qualified = token_is(code, t - 1, "::");
        *first = qualified && t > 2 ? t - 2 : t;
        if (!token_is(code, *first - 1, "=") || !is_named(declaration, t))
            continue;
        *end = token_find(code, t, code->tokens.count, ";");
        return *end < code->tokens.count;
    }
    return false;
}

/* The layout becomes what a swizzle and it are together. */
static bool wrap(const Source *source, const Declaration *declaration, const Swizzle *swizzle,
                 PitchConstant *constant) {
    Arena *arena = source->arena;
    const Code *code = declaration->code;
    uint32_t first, end;
    if (!find_layout(declaration, &first, &end))
        return false;
    const Range at = {code->tokens.at[first].at.begin, code->tokens.at[end - 1].at.end};
    const Str text = code_text(code, at);
    const bool is_type = token_is(code, statement_start(code, first), "using");
    const char *name =
        token_is(code, first + 1, "::")
            ? arena_printf(arena, STR_FMT "::", STR_ARG(token_text(code, &code->tokens.at[first])))
            : "";
    const char *both =
        arena_printf(arena, "%scomposition(%s%s{}, " STR_FMT "%s)", name, name,
                     swizzle_text(arena, swizzle), STR_ARG(text), is_type ? "{}" : "");
    *constant = (PitchConstant){.at = at,
                                .is_argument = true,
                                .text = is_type ? arena_printf(arena, "decltype(%s)", both) : both};
    return true;
}

bool swizzle_find(const Source *source, const Declaration *declaration, const Layout *layout,
                  PitchConstant *constant) {
    const Code *code = declaration->code;
    Swizzle now, then;
    if (!source->options->tried || declaration->dims != 1 || declaration->dynamic ||
        declaration->is_pointer || declaration->instances.count != 1)
        return false;
    const uint32_t t = find_swizzle(declaration, &now);
    if (t == code->tokens.count)
        now = (Swizzle){.shift = 1};
    if (!compose(declaration, layout, &now, &then))
        return false;
    if (t == code->tokens.count)
        return wrap(source, declaration, &then, constant);
    *constant =
        (PitchConstant){.at = {code->tokens.at[t].at.begin, code->tokens.at[t + 7].at.begin + 1},
                        .is_argument = true,
                        .text = swizzle_text(source->arena, &then)};
    return true;
}
