/* Accesses to the elements of an array, and to members of these. */
#include "question/reader.h"

#include <inttypes.h>

/* "(" expression { "," expression } ")": a coordinate for each mode of the layout, or one for all. */
static bool read_coordinates(Reader *reader, ArrayStep *step) {
    const uint32_t modes = step->array->cute->modes;
    if (!reader_expect(reader, "("))
        return false;
    do {
        if (step->coordinates == modes) {
            reader_expected(reader, arena_printf(reader->scope->arena,
                                                 "at most %" PRIu32 " coordinates", modes));
            return false;
        }
        const Expression *coordinate = reader_expression(reader);
        if (!coordinate)
            return false;
        step->index[step->coordinates++] = coordinate;
    } while (reader_accept(reader, ","));
    if (step->coordinates > 1 && step->coordinates < modes) {
        reader_expected(
            reader, arena_printf(reader->scope->arena, "%" PRIu32 " coordinates, or one", modes));
        return false;
    }
    return reader_expect(reader, ")");
}

static bool read_subscripts(Reader *reader, ArrayStep *step) {
    if (step->array->cute)
        return read_coordinates(reader, step);
    for (uint32_t i = 0; i < step->array->dimensions; i++) {
        if (!reader_expect(reader, "["))
            return false;
        step->index[i] = reader_expression(reader);
        if (!step->index[i] || !reader_expect(reader, "]"))
            return false;
    }
    return true;
}

static const TypeMember *member_named(const ElementType *type, Str name) {
    for (uint32_t i = 0; i < type->member_count; i++)
        if (str_equal(type->members[i].array.name, name))
            return &type->members[i];
    return NULL;
}

/* "a member: x, y, z" */
static const char *members_words(Arena *arena, const ElementType *type) {
    const char *words = "a member";
    for (uint32_t i = 0; i < type->member_count; i++)
        words = arena_printf(arena, "%s%s" STR_FMT, words, i ? ", " : ": ",
                             STR_ARG(type->members[i].array.name));
    return type->member_count
               ? words
               : "no member: none is known (--at and --width say which bytes of a struct)";
}

/* "." MEMBER { "[" expression "]" } */
static bool read_member(Reader *reader, ArrayAccess *access) {
    reader_blanks(reader);
    const char *at = reader->at;
    const TypeMember *member = member_named(access->type, reader_name(reader));
    if (!member) {
        reader->at = at;
        reader_expected(reader, members_words(reader->scope->arena, access->type));
        return false;
    }
    ArrayStep *step = &access->steps[access->count++];
    *step = (ArrayStep){.array = &member->array, .offset = member->offset};
    access->type = &member->array.type;
    return read_subscripts(reader, step);
}

bool array_access_parse(Scope *scope, const Array *array, const char *text, ArrayAccess *access) {
    Reader reader;
    reader_start(&reader, scope, "--access", text);
    *access = (ArrayAccess){.steps[0] = {.array = array}, .count = 1, .type = &array->type};
    if (!str_equal(reader_name(&reader), array->name)) {
        reader.at = text;
        reader_expected(&reader, arena_printf(scope->arena, "the array's name, '" STR_FMT "'",
                                              STR_ARG(array->name)));
        return false;
    }
    if (!read_subscripts(&reader, &access->steps[0]))
        return false;
    while (reader_accept(&reader, "."))
        if (!read_member(&reader, access))
            return false;
    reader_blanks(&reader);
    if (*reader.at)
        reader_expected(&reader, "the end");
    return !reader.failed;
}
