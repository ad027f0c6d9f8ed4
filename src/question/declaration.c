/* Declarations: types, structures among them, and arrays in shared memory. */
#include "question/reader.h"

#include <ctype.h>
#include <string.h>

enum {
    BYTES_MOST = 1 << 28, /* of an array: far above any GPU's shared memory */
    STRUCT_MOST = 4096
};

/* ---- parts ---- */

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

static bool qualifier(Reader *reader, uint32_t *align) {
    static const char *const words[] = {"extern", "static", "const", "volatile", "__shared__"};
    const char *at = reader->at;
    Str word = reader_name(reader);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_is(word, words[i]))
            return true;
    if (str_is(word, "alignas") || str_is(word, "__align__"))
        return reader_expect(reader, "(") && constant(reader, "the alignment", 1024, align) &&
               reader_expect(reader, ")");
    reader->at = at;
    return false;
}

static bool declaration_begin(Reader *reader, Array *array); /* of a member, too */

uint64_t array_elements(const Array *array) {
    uint64_t elements = 1;
    for (uint32_t i = 0; i < array->dimensions; i++)
        elements *= array->extent[i];
    return elements;
}

/* NAME { "[" n "]" } */
static bool declarator(Reader *reader, Array *array) {
    uint64_t bytes = array->type.bytes;
    array->name = reader_name(reader);
    if (!array->name.length)
        reader_expected(reader, "a name");
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
    return !reader->failed;
}

/* ---- structures ---- */

static uint32_t rounded(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

typedef struct MemberList {
    VEC(TypeMember) list;
} MemberList;

/* { type NAME { "[" n "]" } { "," NAME … } ";" } */
static bool read_members(Reader *reader, ElementType *type, MemberList *members) {
    Array first;
    if (!declaration_begin(reader, &first))
        return false;
    do {
        Array member = first;
        if (!declarator(reader, &member))
            return false;
        uint32_t align = member.align > member.type.align ? member.align : member.type.align;
        uint32_t offset = rounded(type->bytes, align);
        uint64_t elements = array_elements(&member);
        uint64_t bytes = offset + elements * member.type.bytes;
        if (elements == 0 || bytes > STRUCT_MOST) {
            reader_expected(reader, elements ? "a structure of at most 4096 bytes"
                                             : "a member whose size is known");
            return false;
        }
        *vec_add(reader->scope->arena, &members->list) = (TypeMember){member, offset};
        type->bytes = (uint32_t)bytes;
        type->align = align > type->align ? align : type->align;
    } while (reader_accept(reader, ","));
    return reader_expect(reader, ";");
}

/* "{" members "}" */
static bool read_body(Reader *reader, ElementType *type) {
    MemberList members = {0};
    if (++reader->depth > TYPE_DEPTH) {
        reader_expected(reader, "at most 8 structures in one another");
        return false;
    }
    do {
        if (!read_members(reader, type, &members))
            return false;
    } while (!reader_accept(reader, "}"));
    reader->depth--;
    type->bytes = rounded(type->bytes, type->align);
    type->members = members.list.at;
    type->member_count = members.list.count;
    return true;
}

/* "(" bytes ")", or [NAME] "{" members "}". */
static bool struct_type(Reader *reader, ElementType *type) {
    uint32_t align = 1;
    *type = (ElementType){.align = 1};
    if (reader_accept(reader, "("))
        return constant(reader, "the size of a struct", STRUCT_MOST, &type->bytes) &&
               reader_expect(reader, ")");
    while (qualifier(reader, &align)) {
    }
    type->name = reader_name(reader);
    type->align = align;
    return !reader->failed && reader_expect(reader, "{") && read_body(reader, type);
}

/* ---- types ---- */

/* "unsigned char", "long long", "unsigned long long int": the word that gives the size. */
static Str sized_word(Reader *reader, Str first) {
    Str sized = first;
    for (;;) {
        const char *at = reader->at;
        reader_blanks(reader);
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

static bool is_modifier(Str word) {
    return str_is(word, "unsigned") || str_is(word, "signed") || str_is(word, "long") ||
           str_is(word, "short");
}

static bool read_type(Reader *reader, ElementType *type) {
    reader_blanks(reader);
    const char *start = reader->at;
    Str word = reader_name(reader);
    if (str_is(word, "struct"))
        return struct_type(reader, type);
    if (is_modifier(word))
        word = sized_word(reader, word);
    if (!element_type_named(reader->scope->arena, word, type)) {
        reader->at = start;
        reader_expected(reader, "a type (float, int4, half, uint64_t, struct(24), struct {float "
                                "x, y;}, ...)");
        return false;
    }
    type->name = (Str){start, (size_t)(reader->at - start)};
    return true;
}

/* ---- arrays ---- */

/* The qualifiers and the type. */
static bool declaration_begin(Reader *reader, Array *array) {
    *array = (Array){0};
    while (qualifier(reader, &array->align)) {
    }
    if (reader->failed || !read_type(reader, &array->type))
        return false;
    while (qualifier(reader, &array->align)) {
    }
    return !reader->failed;
}

/* "struct P { … }; P p[32]": the name that the structure got. */
static bool read_struct_name(Reader *reader, const ElementType *type) {
    while (reader_accept(reader, "__shared__")) {
    }
    reader_accept(reader, "struct ");
    reader_blanks(reader);
    const char *at = reader->at;
    if (type->name.length && str_equal(reader_name(reader), type->name))
        return true;
    reader->at = at;
    reader_expected(reader, "the structure's name, and that of the array");
    return false;
}

/* ---- declarations in a source ---- */

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether "NAME [" is in the text, up to `end`. */
static bool declares(const char *text, const char *end, const char *name) {
    size_t length = strlen(name);
    for (const char *at = text + 1; (at = strstr(at, name)) && at < end; at++) {
        const char *behind = at + length;
        behind += strspn(behind, " \t\r\n");
        if (!is_word(at[-1]) && *behind == '[')
            return true;
    }
    return false;
}

static const char *find_declaration(const char *text, uint32_t line, const char *name) {
    static const char word[] = "__shared__";
    const char *found = NULL, *start = text;
    for (uint32_t i = 1; i < line && start; i++)
        start = (start = strchr(start, '\n')) ? start + 1 : NULL;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) {
        const char *type = at + strlen(word), *end = strchr(at, ';');
        if (!end || !declares(type, end, name))
            continue;
        found = type;
        if (start && at >= start)
            break;
    }
    return found;
}

bool type_declared(Arena *arena, const char *text, uint32_t line, const char *name,
                   ElementType *type) {
    Reader reader;
    Array array;
    const char *found = find_declaration(text, line, name);
    if (!found)
        return false;
    reader_start(&reader, scope_new(arena, NULL, 0, diags_new(arena)), "", found);
    bool known = declaration_begin(&reader, &array) && array.type.name.length;
    *type = array.type;
    return known;
}

/* ---- an array alone ---- */

bool array_parse(Scope *scope, const char *text, Array *array) {
    Reader reader;
    bool exists;
    reader_start(&reader, scope, "declaration", text);
    if (!scope_enter(scope, 0, &exists) || !declaration_begin(&reader, array))
        return false;
    if (array->type.members && reader_accept(&reader, ";") &&
        !read_struct_name(&reader, &array->type))
        return false;
    if (!declarator(&reader, array))
        return false;
    if (!array->dimensions && reader_accept(&reader, ":")) {
        array->cute = cute_layout(&reader);
        array->dimensions = array->cute ? 1 : 0; /* of an extent that is not known */
    }
    if (!array->dimensions)
        reader_expect(&reader, "[");
    reader_accept(&reader, ";");
    reader_blanks(&reader);
    if (*reader.at)
        reader_expected(&reader, "'[' or the end");
    return !reader.failed;
}
