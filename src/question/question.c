/* A question about an access, and the addresses that it comes to. */
#include "question/reader.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Inquiry {
    Arena *arena;
    Diags *diags;
    Scope *scope;
    const Question *question;
    Answer *answer;
    ArrayAccess index;
    const Expression *bytes[WARP_LANES], *source, *active;
    uint64_t *address, *from;
    uint32_t lanes; /* that --lanes lets take part */
} Inquiry;

static bool is_copy(AccessKind kind) {
    return kind == ACCESS_CP_ASYNC_CA || kind == ACCESS_CP_ASYNC_CG;
}

/* ---- lanes ---- */

static bool lane_number(const char **at, uint32_t *lane) {
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    unsigned long value = strtoul(*at, &end, 10);
    *at = end;
    *lane = (uint32_t)value;
    return value < WARP_LANES;
}

/* "0x0000ffff", or "0-15,24" */
static bool read_lanes(const char *text, uint32_t *lanes) {
    *lanes = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        char *end;
        unsigned long long value = strtoull(text, &end, 16);
        *lanes = (uint32_t)value;
        return !*end && text[2] && value <= UINT32_MAX;
    }
    for (const char *at = text;; at++) {
        uint32_t first, last;
        if (!lane_number(&at, &first))
            return false;
        last = first;
        if (*at == '-') {
            at++;
            if (!lane_number(&at, &last) || last < first)
                return false;
        }
        for (uint32_t lane = first; lane <= last; lane++)
            *lanes |= UINT32_C(1) << lane;
        if (!*at)
            return true;
        if (*at != ',')
            return false;
    }
}

/* ---- what is parsed ---- */

/* "0,128,-,256": an address for each lane from 0 on; without a comma, one expression for all. */
static bool parse_bytes(Inquiry *asked) {
    const char *text = asked->question->bytes;
    if (!strchr(text, ',')) {
        asked->bytes[0] = expression_parse(asked->scope, "--bytes", text);
        for (uint32_t lane = 1; lane < WARP_LANES; lane++)
            asked->bytes[lane] = asked->bytes[0];
        return asked->bytes[0];
    }
    Reader reader;
    reader_start(&reader, asked->scope, "--bytes", text);
    for (uint32_t lane = 0;; lane++) {
        reader_blanks(&reader);
        const char *at = reader.at;
        if (lane == WARP_LANES)
            reader_expected(&reader, "at most 32 addresses");
        if (*at == '-' && strchr(" ,", at[1])) /* not active; '\0' as well */
            reader.at++;
        else if (!reader.failed)
            asked->bytes[lane] = reader_expression(&reader);
        reader_blanks(&reader);
        if (reader.failed)
            return false;
        if (!*reader.at)
            return true;
        reader_expect(&reader, ",");
    }
}

static bool parse_optional(Inquiry *asked, const char *option, const char *text,
                           const Expression **expression) {
    *expression = text ? expression_parse(asked->scope, option, text) : NULL;
    return !text || *expression;
}

static bool parse(Inquiry *asked) {
    const Question *question = asked->question;
    for (uint32_t i = 0; i < question->set_count; i++)
        if (!scope_set(asked->scope, question->set[i]))
            return false;
    asked->lanes = FULL_MASK;
    if (question->lanes && !read_lanes(question->lanes, &asked->lanes)) {
        diags_error(
            asked->diags,
            "--lanes takes lanes of 0 to 31, such as 0-15,24, or a mask such as 0xffff, not "
            "'%s'",
            question->lanes);
        return false;
    }
    if (!parse_optional(asked, "--if", question->active, &asked->active) ||
        !parse_optional(asked, "--source", question->source, &asked->source))
        return false;
    if (question->bytes)
        return parse_bytes(asked);
    if (!array_parse(asked->scope, question->declaration, &asked->answer->array) ||
        !array_access_parse(asked->scope, &asked->answer->array, question->index, &asked->index))
        return false;
    asked->answer->type = asked->index.type;
    return true;
}

/* ---- width and layout ---- */

static bool is_width(uint32_t width) {
    return width && width <= 16 && (width & (width - 1)) == 0;
}

static bool find_width(Inquiry *asked) {
    const Question *question = asked->question;
    uint32_t element = question->bytes ? 4 : asked->index.type->bytes;
    uint32_t *width = &asked->answer->access.width;
    if (!*width)
        *width = element * (question->vector ? question->vector : 1);
    if (question->byte && !question->bytes && question->byte + *width > element) {
        diags_error(asked->diags, "--at %" PRIu32 ": an element has %" PRIu32 " bytes",
                    question->byte, element);
        return false;
    }
    if (is_width(*width))
        return true;
    diags_error(asked->diags,
                "a lane accesses 1, 2, 4, 8 or 16 bytes at once, and not %" PRIu32
                ": name a member (.x), or give --width (and --at, its place in the element)",
                *width);
    return false;
}

/* The swizzle of elements as one of bytes. */
static bool find_layout(Inquiry *asked) {
    const CuteLayout *cute = asked->answer->array.cute;
    const Layout *layout = asked->question->layout;
    if (layout && cute && cute->swizzled) {
        diags_error(asked->diags, "the layout has a swizzle, and --swizzle asks for another");
        return false;
    }
    if (cute && cute->swizzled)
        layout = &cute->swizzle;
    asked->answer->swizzle = layout;
    uint32_t element = asked->question->bytes ? 1 : asked->answer->array.type.bytes;
    asked->answer->layout = (Layout){.kind = LAYOUT_PLAIN};
    if (!layout)
        return true;
    if (element & (element - 1)) {
        diags_error(asked->diags, "a swizzle moves elements of 1, 2, 4, 8, 16 ... bytes, not of %u",
                    element);
        return false;
    }
    asked->answer->layout = *layout;
    asked->answer->layout.base += (uint32_t)__builtin_ctz(element);
    if (layout_chunk(&asked->answer->layout) < asked->answer->access.width) {
        diags_error(asked->diags,
                    "the swizzle tears the %" PRIu32 " bytes of a lane apart: it moves pieces of "
                    "%" PRIu32 " bytes (a larger M keeps more elements together)",
                    asked->answer->access.width, layout_chunk(&asked->answer->layout));
        return false;
    }
    return true;
}

/* ---- a lane ---- */

/* Of an array that CuTe lays out; *name gets its coordinates. */
static bool cute_index(const Inquiry *asked, const ArrayStep *step, int64_t *flat, bool *inside,
                       const char **name) {
    int64_t at[ARRAY_DIMENSIONS] = {0};
    for (uint32_t i = 0; i < step->coordinates; i++) {
        if (!expression_value(asked->scope, step->index[i], &at[i]))
            return false;
        *name = arena_printf(asked->arena, "%s%s%" PRId64, *name, i ? "," : "(", at[i]);
    }
    *name = arena_printf(asked->arena, "%s)", *name);
    *flat = cute_element(step->array->cute, at, step->coordinates, inside);
    *inside &= *flat < INT32_MAX;
    return true;
}

/* The element's number in the array of a step; *name gets its subscripts. */
static bool flat_index(const Inquiry *asked, const ArrayStep *step, int64_t *flat, bool *inside,
                       const char **name) {
    const Array *array = step->array;
    if (array->cute)
        return cute_index(asked, step, flat, inside, name);
    *flat = 0;
    for (uint32_t i = 0; i < array->dimensions; i++) {
        int64_t index = 0;
        if (!expression_value(asked->scope, step->index[i], &index))
            return false;
        *inside &= index > -INT32_MAX && index < INT32_MAX;
        *flat = *flat * (i ? array->extent[i] : 1) + (*inside ? index : 0);
        *name = arena_printf(asked->arena, "%s[%" PRId64 "]", *name, index);
    }
    return true;
}

/* Of an access: where it begins in the array. A member is in its own array; a wide access may go on in the
 * elements that follow. */
static bool array_byte(const Inquiry *asked, uint32_t lane, int64_t *byte) {
    const ArrayAccess *access = &asked->index;
    const Array *array = access->steps[0].array;
    const char **name = &asked->answer->element[lane];
    bool inside = true;
    *name = "";
    *byte = asked->question->byte;
    for (uint32_t i = 0; i < access->count; i++) {
        const ArrayStep *step = &access->steps[i];
        int64_t flat, elements = (int64_t)array_elements(step->array);
        *name = arena_printf(asked->arena, "%s%s" STR_FMT, *name, i ? "." : "",
                             STR_ARG(step->array->name));
        if (!flat_index(asked, step, &flat, &inside, name))
            return false;
        inside &= flat >= 0 && flat < (elements ? elements : INT32_MAX);
        *byte += step->offset + flat * step->array->type.bytes;
    }
    int64_t bytes = (int64_t)array_elements(array) * array->type.bytes;
    if (inside && (!bytes || *byte + asked->answer->access.width <= bytes))
        return true;
    diags_error(asked->diags, "lane %" PRIu32 " accesses %s, outside " STR_FMT, lane, *name,
                STR_ARG(array->name));
    return false;
}

static bool byte_of(const Inquiry *asked, uint32_t lane, int64_t *byte) {
    if (!asked->question->bytes)
        return array_byte(asked, lane, byte);
    if (!expression_value(asked->scope, asked->bytes[lane], byte))
        return false;
    if (*byte >= 0 && *byte < INT32_MAX)
        return true;
    diags_error(asked->diags, "lane %" PRIu32 " accesses byte %" PRId64 ", outside shared memory",
                lane, *byte);
    return false;
}

static bool check_aligned(const Inquiry *asked, uint32_t lane, uint64_t address, const char *what) {
    uint32_t width = asked->answer->access.width;
    if (address % width == 0)
        return true;
    diags_error(asked->diags,
                "lane %" PRIu32 ": %s %" PRIu64 " is no multiple of the %" PRIu32
                " bytes that a lane accesses: the GPU would fault",
                lane, what, address, width);
    return false;
}

static bool lane_source(Inquiry *asked, uint32_t lane) {
    int64_t byte = (int64_t)lane * asked->answer->access.width;
    if (asked->source && !expression_value(asked->scope, asked->source, &byte))
        return false;
    asked->from[lane] = (uint64_t)byte;
    return check_aligned(asked, lane, asked->from[lane], "source byte");
}

static bool lane_address(Inquiry *asked, uint32_t lane) {
    int64_t active = 1, byte;
    bool exists;
    Answer *answer = asked->answer;
    if (!scope_enter(asked->scope, lane, &exists))
        return false;
    if (!exists || !(asked->lanes >> lane & 1) || (asked->question->bytes && !asked->bytes[lane]))
        return true;
    if (asked->active && !expression_value(asked->scope, asked->active, &active))
        return false;
    if (!active)
        return true;
    if (!byte_of(asked, lane, &byte))
        return false;
    answer->access.mask |= UINT32_C(1) << lane;
    answer->plain[lane] = asked->question->offset + (uint64_t)byte;
    asked->address[lane] = asked->question->offset + layout_offset(&answer->layout, (uint64_t)byte);
    return check_aligned(asked, lane, asked->address[lane], "byte") &&
           (!is_copy(answer->access.kind) || lane_source(asked, lane));
}

/* Lanes 8i to 8i+7 give the rows of matrix i; without any of them nothing is asked. */
static bool check_rows(const Inquiry *asked) {
    const Access *access = &asked->answer->access;
    uint32_t lanes = access->matrices * 8;
    if (!access->mask || !lanes || lanes == WARP_LANES ||
        access->mask & ((UINT32_C(1) << lanes) - 1))
        return true;
    diags_error(asked->diags,
                "none of the lanes gives a row: the addresses of %" PRIu32
                " matri%s are taken from lanes 0 to %" PRIu32,
                access->matrices, access->matrices == 1 ? "x" : "ces", lanes - 1);
    return false;
}

static const char *unset_names(const Inquiry *asked) {
    const char *names = NULL;
    for (uint32_t i = 0; i < asked->scope->unset.count; i++)
        names = arena_printf(asked->arena, "%s%s" STR_FMT, names ? names : "", names ? ", " : "",
                             STR_ARG(asked->scope->unset.at[i]));
    return names;
}

Answer *question_answer(Arena *arena, const Question *question, Diags *diags) {
    Answer *answer = NEW(arena, Answer);
    Inquiry asked = {.arena = arena,
                     .diags = diags,
                     .scope = scope_new(arena, question->block, question->warp, diags),
                     .question = question,
                     .answer = answer,
                     .address = NEW_ARRAY(arena, uint64_t, WARP_LANES),
                     .from = NEW_ARRAY(arena, uint64_t, WARP_LANES)};
    answer->access = question->access;
    if (answer->access.space != SPACE_GLOBAL)
        answer->access.space = SPACE_SHARED;
    answer->access.address = asked.address;
    answer->access.source = asked.from;
    if (!parse(&asked) || !find_width(&asked) || !find_layout(&asked))
        return NULL;
    if (answer->array.align && question->offset % answer->array.align) {
        diags_error(diags, "--offset %" PRIu32 " is no multiple of the alignment, %" PRIu32,
                    question->offset, answer->array.align);
        return NULL;
    }
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (!lane_address(&asked, lane))
            return NULL;
    if (!check_rows(&asked))
        return NULL;
    answer->unset = unset_names(&asked);
    return answer;
}
