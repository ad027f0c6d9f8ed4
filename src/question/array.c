/* Declarations of arrays in shared memory, and accesses to their elements. */
#include "question/reader.h"

#include <string.h>

/* ---- types ---- */

static const struct {
    const char *name;
    uint8_t bytes;
} scalars[] = {
    {"bool", 1},          {"char", 1},     {"int8_t", 1},   {"uint8_t", 1},  {"short", 2},
    {"int16_t", 2},       {"uint16_t", 2}, {"half", 2},     {"__half", 2},   {"bfloat16", 2},
    {"__nv_bfloat16", 2}, {"int", 4},      {"unsigned", 4}, {"signed", 4},   {"int32_t", 4},
    {"uint32_t", 4},      {"float", 4},    {"half2", 4},    {"__half2", 4},  {"__nv_bfloat162", 4},
    {"long", 8},          {"double", 8},   {"int64_t", 8},  {"uint64_t", 8}, {"size_t", 8},
};

/* CUDA's: a base and 1 to 4. */
static const struct {
    const char *name;
    uint8_t bytes;
} vectors[] = {
    {"char", 1},  {"uchar", 1}, {"short", 2}, {"ushort", 2},   {"int", 4},       {"uint", 4},
    {"float", 4}, {"long", 8},  {"ulong", 8}, {"longlong", 8}, {"ulonglong", 8}, {"double", 8},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool scalar_type(Str name, Array *array) {
    for (size_t i = 0; i < COUNT(scalars); i++)
        if (str_is(name, scalars[i].name)) {
            array->element = array->component = scalars[i].bytes;
            array->components = 1;
            return true;
        }
    return false;
}

static bool vector_type(Str name, Array *array) {
    uint32_t digit = name.length ? (uint32_t)(name.at[name.length - 1] - '0') : 0;
    if (digit < 1 || digit > 4)
        return false;
    for (size_t i = 0; i < COUNT(vectors); i++)
        if (str_is((Str){name.at, name.length - 1}, vectors[i].name)) {
            array->component = vectors[i].bytes;
            array->components = digit;
            array->element = array->component * digit;
            return true;
        }
    return false;
}

/* "(" expression ")": a number from 1 to `most`. */
static bool constant(Reader *reader, const char *what, uint64_t most, uint32_t *number) {
    int64_t value = 0;
    reader_blanks(reader);
    const char *at = reader->at;
    const Expression *expression = reader_expression(reader);
    if (!expression || !expression_value(reader->scope, expression, &value)) {
        reader->failed = true;
        return false;
    }
    if (value < 1 || (uint64_t)value > most) {
        reader->failed = true;
        diags_add(reader->scope->diags, DIAG_ERROR, reader_place(reader, at),
                  "%s is %lld, not in 1 ... %llu", what, (long long)value,
                  (unsigned long long)most);
    }
    *number = (uint32_t)value;
    return !reader->failed;
}

enum { BYTES_MOST = 1 << 28 }; /* of an array: far above any GPU's shared memory */

static bool struct_type(Reader *reader, Array *array) {
    if (!reader_expect(reader, "(") ||
        !constant(reader, "the size of a struct", 4096, &array->element))
        return false;
    array->component = array->element;
    array->components = 1;
    return reader_expect(reader, ")");
}

/* "unsigned char", "long long", "unsigned long long int": the word that gives the size. */
static Str sized_word(Reader *reader, Str first) {
    Str sized = first;
    for (;;) {
        const char *at = reader->at;
        Str next = reader_name(reader);
        bool more = str_is(next, "char") || str_is(next, "short") || str_is(next, "long") ||
                    str_is(next, "int");
        if (!more) {
            reader->at = at;
            return sized;
        }
        if (!str_is(next, "int"))
            sized = next;
    }
}

static bool type_of(Reader *reader, Array *array) {
    reader_blanks(reader);
    const char *start = reader->at;
    Str word = reader_name(reader);
    array->type = word;
    if (str_is(word, "struct"))
        return struct_type(reader, array);
    if (str_is(word, "unsigned") || str_is(word, "signed") || str_is(word, "long") ||
        str_is(word, "short"))
        word = sized_word(reader, word);
    array->type.length = (size_t)(reader->at - start);
    if (scalar_type(word, array) || vector_type(word, array))
        return true;
    reader->at = start;
    reader_expected(reader, "a type (float, int4, half, uint64_t, struct(24), ...)");
    return false;
}

/* ---- declarations ---- */

static bool qualifier(Reader *reader, Array *array) {
    static const char *const words[] = {"extern", "static", "const", "volatile", "__shared__"};
    reader_blanks(reader);
    const char *at = reader->at;
    Str word = reader_name(reader);
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_is(word, words[i]))
            return true;
    if (str_is(word, "alignas") || str_is(word, "__align__"))
        return reader_expect(reader, "(") &&
               constant(reader, "the alignment", 1024, &array->align) && reader_expect(reader, ")");
    reader->at = at;
    return false;
}

static bool extents(Reader *reader, Array *array) {
    uint64_t bytes = array->element;
    while (reader_accept(reader, "[")) {
        if (array->dimensions == ARRAY_DIMENSIONS) {
            reader_expected(reader, "at most 8 dimensions");
            return false;
        }
        uint32_t *extent = &array->extent[array->dimensions++];
        if (array->dimensions == 1 && reader_accept(reader, "]"))
            continue;
        if (!constant(reader, "the extent", BYTES_MOST / bytes, extent) ||
            !reader_expect(reader, "]"))
            return false;
        bytes *= *extent;
    }
    if (!array->dimensions)
        reader_expect(reader, "[");
    return !reader->failed;
}

bool array_parse(Scope *scope, const char *text, Array *array) {
    Reader reader;
    bool exists;
    reader_start(&reader, scope, "declaration", text);
    *array = (Array){0};
    if (!scope_enter(scope, 0, &exists))
        return false;
    while (qualifier(&reader, array)) {
    }
    if (reader.failed || !type_of(&reader, array))
        return false;
    while (qualifier(&reader, array)) {
    }
    array->name = reader_name(&reader);
    if (!array->name.length)
        reader_expected(&reader, "the array's name");
    if (reader.failed || !extents(&reader, array))
        return false;
    reader_accept(&reader, ";");
    reader_blanks(&reader);
    if (*reader.at)
        reader_expected(&reader, "'[' or the end");
    return !reader.failed;
}

/* ---- accesses ---- */

static bool member(Reader *reader, const Array *array, ArrayAccess *access) {
    static const char names[] = "xyzw";
    if (!reader_accept(reader, "."))
        return true;
    reader_blanks(reader);
    const char *found = *reader->at ? strchr(names, *reader->at) : NULL;
    if (!found || (uint32_t)(found - names) >= array->components || array->components == 1) {
        reader_expected(
            reader,
            array->components == 1
                ? "no member: the elements are no vectors (for a struct's use --at and --width)"
                : "a member of the vector (x, y, ...)");
        return false;
    }
    reader->at++;
    access->byte = (uint32_t)(found - names) * array->component;
    access->width = array->component;
    return true;
}

bool array_access_parse(Scope *scope, const Array *array, const char *text, ArrayAccess *access) {
    Reader reader;
    reader_start(&reader, scope, "--access", text);
    *access = (ArrayAccess){.width = array->element};
    Str name = reader_name(&reader);
    if (!str_equal(name, array->name)) {
        reader.at = text;
        char what[80];
        snprintf(what, sizeof what, "the array's name, '" STR_FMT "'",
                 (int)(array->name.length < 40 ? array->name.length : 40), array->name.at);
        reader_expected(&reader, what);
        return false;
    }
    for (uint32_t i = 0; i < array->dimensions; i++) {
        if (!reader_expect(&reader, "["))
            return false;
        access->index[i] = reader_expression(&reader);
        if (!access->index[i] || !reader_expect(&reader, "]"))
            return false;
    }
    if (!member(&reader, array, access))
        return false;
    reader_blanks(&reader);
    if (*reader.at)
        reader_expected(&reader, "the end");
    return !reader.failed;
}
