/* Kernel arguments from the command line; arguments.h has the grammar. */
#include "cli/arguments.h"

#include "cli/fill_array.h"
#include "cli/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Making {
    Arena *arena;
    const Function *kernel;
    Memory *memory;
    Arguments *arguments;
    Diags *diags;
} Making;

/* ---- the kernel's own parameter list ---- */

/* The i-th type of a demangled parameter list "f(int, foo<a, b> const*)", or "". */
static const char *declared_type(Arena *arena, const char *demangled, uint32_t index) {
    const char *at = strchr(demangled, '(');
    /* "void f<(int)1>(int*)": the list is the last parenthesis at depth 0 of the angle brackets. */
    int depth = 0;
    for (const char *c = demangled; *c; c++) {
        depth += *c == '<' ? 1 : *c == '>' ? -1 : 0;
        if (*c == '(' && depth == 0) {
            at = c;
            break;
        }
    }
    if (!at)
        return "";
    const char *start = ++at;
    uint32_t number = 0;
    for (depth = 0; *at; at++) {
        if (strchr("<([", *at))
            depth++;
        else if (strchr(">)]", *at) && depth > 0)
            depth--;
        else if ((*at == ',' || *at == ')') && depth == 0) {
            if (number == index)
                return arena_copy(arena, start, (size_t)(at - start));
            if (*at == ')')
                return "";
            number++;
            start = at + 1 + (at[1] == ' ');
        }
    }
    return "";
}

const char *arguments_expected(Arena *arena, const Function *kernel) {
    const char *demangled = name_demangled(arena, kernel->name, true);
    const char *text = arena_printf(arena, "%s takes %u:", demangled, kernel->params.count);
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const Variable *param = kernel->params.at[i];
        bool array = param->bytes != type_bytes(param->type);
        const char *declared = declared_type(arena, demangled, i);
        text = arena_printf(
            arena, "%s\n  %u  %s%s  %s", text, i, type_name(param->type),
            array ? arena_printf(arena, "[%llu]", (unsigned long long)param->bytes) : "", declared);
    }
    return text;
}

/* ---- parsing ---- */

static bool fail(Making *making, const char *text, const char *why) {
    diags_error(making->diags, "--arg %s: %s", text, why);
    return false;
}

static Type type_spelled(Str name) {
    if (name.length > 1 && name.at[0] == 'i') {
        char spelled[8] = {0};
        snprintf(spelled, sizeof spelled, "s%.*s", (int)(name.length - 1), name.at + 1);
        return type_named(str_of(spelled));
    }
    return type_named(name);
}

static bool parse_scalar(Making *making, Argument *argument, const char *value) {
    uint8_t *bytes = arena_alloc(making->arena, 8);
    if (!value_parse(argument->type, value, bytes))
        return fail(making, argument->text, "the value is not one of this type");
    argument->value = bytes;
    argument->bytes = type_bytes(argument->type);
    return true;
}

static bool parse_array(Making *making, Argument *argument, const char *count, const char *fill) {
    char *end;
    errno = 0;
    argument->count = strtoull(count, &end, 0);
    if (end == count || *end != ']' || errno || argument->count == 0)
        return fail(making, argument->text, "expected a number of elements: f32[1024]");
    uint64_t bytes;
    if (__builtin_mul_overflow(argument->count, (uint64_t)type_bytes(argument->type), &bytes))
        return fail(making, argument->text, "the array is too large");
    const char *name =
        arena_printf(making->arena, "argument %u", making->arguments->list.count - 1);
    argument->address = memory_allocate(making->memory, bytes, name, type_bytes(argument->type));
    if (!argument->address)
        return fail(making, argument->text, "there is no memory for this array");
    argument->array = true;
    argument->bytes = 8;
    argument->value = &argument->address;
    void *at = memory_host(making->memory, argument->address);
    return !fill || array_fill(making->arena, at, argument->type, argument->count, fill,
                               argument->text, making->diags);
}

/* "@1+4096" */
static bool parse_pointer(Making *making, Argument *argument) {
    char *end;
    uint64_t number = strtoull(argument->text + 1, &end, 10), offset = 0;
    if (end == argument->text + 1)
        return fail(making, argument->text, "expected the number of an earlier array: @1+4096");
    if (*end == '+')
        offset = strtoull(end + 1, &end, 0);
    if (*end)
        return fail(making, argument->text, "expected a number of bytes behind '+'");
    if (number + 1 >= making->arguments->list.count || !making->arguments->list.at[number].array)
        return fail(making, argument->text, "is not the number of an earlier array");
    argument->address = making->arguments->list.at[number].address + offset;
    argument->bytes = 8;
    argument->value = &argument->address;
    return true;
}

static bool parse_bytes(Making *making, Argument *argument, const char *text) {
    if (*text == '@') {
        size_t size;
        argument->value = file_read(making->arena, text + 1, &size);
        argument->bytes = size;
        return argument->value || fail(making, argument->text, strerror(errno));
    }
    size_t digits = strlen(text);
    uint8_t *bytes = arena_alloc(making->arena, digits / 2 + 1);
    for (size_t i = 0; i < digits; i++) {
        if (!isxdigit((unsigned char)text[i]) || digits % 2)
            return fail(making, argument->text, "expected pairs of hexadecimal digits");
        char digit[2] = {text[i], 0};
        uint8_t nibble = (uint8_t)strtoul(digit, NULL, 16);
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | nibble);
    }
    argument->value = bytes;
    argument->bytes = digits / 2;
    return true;
}

static bool parse(Making *making, Argument *argument) {
    const char *text = argument->text;
    if (*text == '@')
        return parse_pointer(making, argument);
    size_t length = strcspn(text, "[=");
    const char *equals = strchr(text, '=');
    if (str_is((Str){text, length}, "bytes") && equals)
        return parse_bytes(making, argument, equals + 1);
    argument->type = type_spelled((Str){text, length});
    if (type_bytes(argument->type) == 0 || argument->type == TYPE_NONE)
        return fail(making, text, "unknown type; expected u8 … u64, i8 … i64, f16, bf16, f32, f64");
    if (text[length] == '[') {
        const char *close = strchr(text + length, ']');
        if (!close || (close[1] && close[1] != '='))
            return fail(making, text, "expected TYPE[COUNT] or TYPE[COUNT]=FILL");
        return parse_array(making, argument, text + length + 1, close[1] ? close + 2 : NULL);
    }
    if (text[length] != '=')
        return fail(making, text, "expected TYPE=VALUE or TYPE[COUNT]");
    return parse_scalar(making, argument, text + length + 1);
}

/* ---- against the parameter ---- */

static bool fits(const Argument *argument, const Variable *param, const char **why) {
    *why = NULL;
    if (argument->bytes != param->bytes)
        *why = "has another size than the parameter";
    else if (argument->array && type_is_float(param->type))
        *why = "is an array, the parameter a number";
    else if (!argument->array && argument->type != TYPE_NONE && !type_is_bits(param->type) &&
             !type_is_bits(argument->type) &&
             type_is_float(argument->type) != type_is_float(param->type))
        *why = type_is_float(param->type) ? "is an integer, the parameter a floating-point number"
                                          : "is a floating-point number, the parameter an integer";
    return !*why;
}

static bool place(Making *making, uint8_t *params) {
    const Function *kernel = making->kernel;
    bool good = true;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const Argument *argument = &making->arguments->list.at[i];
        const Variable *param = kernel->params.at[i];
        const char *why;
        if (fits(argument, param, &why)) {
            memcpy(params + param->offset, argument->value, param->bytes);
            continue;
        }
        good = false;
        diags_error(making->diags, "--arg %s: %s %u (%s, %llu bytes)", argument->text, why, i,
                    type_name(param->type), (unsigned long long)param->bytes);
    }
    return good;
}

Arguments *arguments_make(Arena *arena, const Function *kernel, const char *const *texts,
                          uint32_t count, Memory *memory, Diags *diags) {
    Arguments *arguments = NEW(arena, Arguments);
    Making making = {arena, kernel, memory, arguments, diags};
    bool good = true;
    /* Room for all first: values point into the list. */
    arguments->list.at = NEW_ARRAY(arena, Argument, count + 1);
    arguments->list.capacity = count + 1;
    for (uint32_t i = 0; i < count; i++) {
        Argument *argument = vec_add(arena, &arguments->list);
        argument->text = texts[i];
        good = parse(&making, argument) && good;
    }
    if (count != kernel->params.count) {
        diags_error(diags, "%u arguments (--arg) for a kernel of %u parameters", count,
                    kernel->params.count);
        good = false;
    }
    uint8_t *params = arena_alloc(arena, kernel->param_bytes + 16);
    if (good)
        good = place(&making, params);
    arguments->params = params;
    if (good)
        return arguments;
    diags_add(diags, DIAG_NOTE, (Place){0}, "%s", arguments_expected(arena, kernel));
    return NULL;
}

/* ---- afterwards ---- */

/* "2=file": the array of argument 2. */
static const Argument *array_named(const Arguments *arguments, const char *option, const char *what,
                                   const char **path, Diags *diags) {
    char *end;
    unsigned long number = strtoul(what, &end, 10);
    if (end == what || *end != '=' || !end[1]) {
        diags_error(diags, "%s %s: expected the number of an argument and a file: 2=out.npy",
                    option, what);
        return NULL;
    }
    *path = end + 1;
    if (number >= arguments->list.count || !arguments->list.at[number].array) {
        diags_error(diags, "%s %s: argument %lu is not an array", option, what, number);
        return NULL;
    }
    return &arguments->list.at[number];
}

bool arguments_dump(const Arguments *arguments, const Memory *memory, const char *what,
                    Diags *diags) {
    const char *path;
    const Argument *array = array_named(arguments, "--dump", what, &path, diags);
    return array &&
           npy_write(path, array->type, memory_host(memory, array->address), array->count, diags);
}

bool arguments_compare(Arena *arena, const Arguments *arguments, const Memory *memory,
                       const char *what, double rtol, double atol, Comparison *comparison,
                       Diags *diags) {
    const char *path;
    Npy npy;
    const Argument *array = array_named(arguments, "--check", what, &path, diags);
    if (!array || !npy_read(arena, path, &npy, diags))
        return false;
    if (npy.count != array->count || type_bytes(npy.type) != type_bytes(array->type) ||
        type_is_float(npy.type) != type_is_float(array->type)) {
        diags_error(diags, "--check %s: the file has %llu elements of %s, the array %llu of %s",
                    what, (unsigned long long)npy.count, type_name(npy.type),
                    (unsigned long long)array->count, type_name(array->type));
        return false;
    }
    const char *got = memory_host(memory, array->address), *expected = npy.data;
    uint32_t bytes = type_bytes(array->type);
    *comparison = (Comparison){.count = array->count};
    for (uint64_t i = 0; i < array->count; i++) {
        if (elements_agree(array->type, got + i * bytes, expected + i * bytes, rtol, atol))
            continue;
        if (comparison->differ++ == 0) {
            comparison->first = i;
            comparison->got = element_value(array->type, got + i * bytes);
            comparison->expected = element_value(array->type, expected + i * bytes);
        }
    }
    return true;
}
