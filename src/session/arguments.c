/* Kernel arguments as text; arguments.h has the grammar. */
#include "session/arguments.h"

#include "session/element.h"
#include "session/npy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct ArgumentMaker {
    Arena *arena;
    Arguments *arguments;
    uint32_t index;
    Memory *memory;
    Diags *diags;
} ArgumentMaker;

/* ---- the kernel's own parameter list ---- */

/* Behind the '(' of a demangled parameter list "f(int, foo<a, b> const*)", or its end. In
 * "void f<(int)1>(int*)" the list is the first parenthesis outside of angle brackets. */
static const char *parameter_list(const char *demangled) {
    const char *first = strchr(demangled, '(');
    int depth = 0;
    for (const char *at = demangled; *at; at++) {
        depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
        if (*at == '(' && depth == 0)
            return at + 1;
    }
    return first ? first + 1 : demangled + strlen(demangled);
}

/* The type at *list, which goes on to the next one; empty behind the last. */
static Str next_type(const char **list) {
    const char *start = *list, *at = start;
    for (int depth = 0; *at && (depth > 0 || (*at != ',' && *at != ')')); at++) {
        if (strchr("<([", *at))
            depth++;
        else if (strchr(">)]", *at) && depth > 0)
            depth--;
    }
    *list = *at == ',' ? at + 1 + (at[1] == ' ') : at;
    return (Str){start, (size_t)(at - start)};
}

const char *const *arguments_declared(Arena *arena, const Function *kernel) {
    const char **types = NEW_ARRAY(arena, const char *, kernel->params.count + 1);
    const char *list = parameter_list(name_demangled(arena, kernel->name, true));
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        Str type = next_type(&list);
        types[i] = type.length ? arena_printf(arena, STR_FMT, STR_ARG(type)) : NULL;
    }
    return types;
}

static const char *expected(Arena *arena, const Function *kernel) {
    const char *demangled = name_demangled(arena, kernel->name, true);
    const char *const *declared = arguments_declared(arena, kernel);
    PrintedText printed;
    FILE *out = printed_begin(&printed, arena);
    fprintf(out, "%s takes %u:", demangled, kernel->params.count);
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const Variable *param = kernel->params.at[i];
        fprintf(out, "\n  %u  %s", i, type_name(param->type));
        if (param->bytes != type_bytes(param->type))
            fprintf(out, "[%llu]", (unsigned long long)param->bytes);
        fprintf(out, "  %s", declared[i] ? declared[i] : "");
    }
    return printed_end(&printed);
}

/* ---- parsing ---- */

static bool fail(ArgumentMaker *making, const char *text, const char *why) {
    diags_error(making->diags, "argument %s: %s", text, why);
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

static bool parse_scalar(ArgumentMaker *making, Argument *argument, const char *value) {
    uint8_t *bytes = arena_alloc(making->arena, 8);
    if (!element_parse(argument->type, value, bytes))
        return fail(making, argument->text, "the value is not one of this type");
    argument->value = bytes;
    argument->bytes = type_bytes(argument->type);
    return true;
}

static bool fill_array(Arena *arena, Argument *argument, Memory *memory, Diags *diags) {
    const char *fill = argument->fill;
    argument->fill = NULL;
    return !fill || array_fill(arena, memory_host(memory, argument->address), argument->type,
                               argument->count, fill, argument->text, diags);
}

/* Whether the text says how; a file is looked at when the array is filled. */
static bool can_fill(ArgumentMaker *making, const Argument *argument) {
    uint64_t one[2];
    const char *end = argument->fill ? strrchr(argument->fill, '.') : NULL;
    return !argument->fill || (end && strcmp(end, ".npy") == 0) ||
           array_fill(making->arena, one, argument->type, 1, argument->fill, argument->text,
                      making->diags);
}

static bool parse_array(ArgumentMaker *making, Argument *argument, const char *count,
                        const char *fill) {
    char *end;
    errno = 0;
    argument->count = strtoull(count, &end, 0);
    if (end == count || *end != ']' || errno || argument->count == 0)
        return fail(making, argument->text, "expected a number of elements: f32[1024]");
    uint64_t bytes;
    if (__builtin_mul_overflow(argument->count, (uint64_t)type_bytes(argument->type), &bytes))
        return fail(making, argument->text, "the array is too large");
    const char *name = arena_printf(making->arena, "argument %u", making->index);
    argument->address = memory_allocate(making->memory, bytes, name, type_bytes(argument->type));
    if (!argument->address)
        return fail(making, argument->text, "there is no memory for this array");
    argument->array = true;
    argument->bytes = 8;
    argument->value = &argument->address;
    argument->unset = fill && strcmp(fill, "unset") == 0;
    argument->fill = argument->unset ? NULL : fill;
    return making->arguments->later
               ? can_fill(making, argument)
               : fill_array(making->arena, argument, making->memory, making->diags);
}

/* "@1+4096" */
static bool parse_pointer(ArgumentMaker *making, Argument *argument) {
    char *end;
    uint64_t number = strtoull(argument->text + 1, &end, 10), offset = 0;
    if (end == argument->text + 1)
        return fail(making, argument->text, "expected the number of an earlier array: @1+4096");
    if (*end == '+')
        offset = strtoull(end + 1, &end, 0);
    if (*end)
        return fail(making, argument->text, "expected a number of bytes behind '+'");
    if (number >= making->index || !making->arguments->list[number].array)
        return fail(making, argument->text, "is not the number of an earlier array");
    argument->address = making->arguments->list[number].address + offset;
    argument->bytes = 8;
    argument->value = &argument->address;
    return true;
}

static bool parse_bytes(ArgumentMaker *making, Argument *argument, const char *text) {
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

static bool parse(ArgumentMaker *making, Argument *argument) {
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

static bool place(ArgumentMaker *making, const Argument *argument) {
    const Variable *param = making->arguments->kernel->params.at[making->index];
    const char *why;
    if (fits(argument, param, &why)) {
        memcpy(making->arguments->params + param->offset, argument->value, param->bytes);
        return true;
    }
    diags_error(making->diags, "argument %s: %s %u (%s, %llu bytes)", argument->text, why,
                making->index, type_name(param->type), (unsigned long long)param->bytes);
    return false;
}

Arguments *arguments_new(Arena *arena, const Function *kernel) {
    Arguments *arguments = NEW(arena, Arguments);
    *arguments = (Arguments){.kernel = kernel,
                             .list = NEW_ARRAY(arena, Argument, kernel->params.count + 1),
                             .params = arena_alloc(arena, kernel->param_bytes + 16)};
    return arguments;
}

bool arguments_set(Arena *arena, Arguments *arguments, uint32_t index, const char *text,
                   Memory *memory, Diags *diags) {
    ArgumentMaker making = {arena, arguments, index, memory, diags};
    Argument *argument = &arguments->list[index];
    *argument = (Argument){.text = text};
    if (parse(&making, argument) && place(&making, argument))
        return true;
    argument->text = NULL;
    return false;
}

void arguments_put(Arguments *arguments, uint32_t index, const void *value) {
    const Variable *param = arguments->kernel->params.at[index];
    arguments->list[index] = (Argument){.text = "bytes", .bytes = param->bytes};
    memcpy(arguments->params + param->offset, value, param->bytes);
}

Arguments *arguments_make(Arena *arena, const Function *kernel, const char *const *texts,
                          uint32_t count, bool later, Memory *memory, Diags *diags) {
    Arguments *arguments = arguments_new(arena, kernel);
    bool good = true;
    arguments->later = later;
    for (uint32_t i = 0; i < count && i < kernel->params.count; i++)
        good = arguments_set(arena, arguments, i, texts[i], memory, diags) && good;
    if (count != kernel->params.count)
        diags_error(diags, "%u argument%s for a kernel of %u parameter%s", count,
                    count == 1 ? "" : "s", kernel->params.count,
                    kernel->params.count == 1 ? "" : "s");
    if (good && count == kernel->params.count)
        return arguments;
    diags_add(diags, DIAG_NOTE, (Place){0}, "%s", expected(arena, kernel));
    return NULL;
}

bool arguments_fill(Arena *arena, Arguments *arguments, Memory *memory, Diags *diags) {
    bool good = true;
    for (uint32_t i = 0; i < arguments->kernel->params.count; i++)
        good = fill_array(arena, &arguments->list[i], memory, diags) && good;
    return good;
}

/* ---- afterwards ---- */

static const Argument *array_at(const Arguments *arguments, uint32_t index, Diags *diags) {
    if (index < arguments->kernel->params.count && arguments->list[index].array)
        return &arguments->list[index];
    diags_error(diags, "argument %u is not an array", index);
    return NULL;
}

bool arguments_dump(const Arguments *arguments, uint32_t index, const Memory *memory,
                    const char *path, Diags *diags) {
    const Argument *array = array_at(arguments, index, diags);
    return array &&
           npy_write(path, array->type, memory_host(memory, array->address), array->count, diags);
}

bool arguments_compare(Arena *arena, const Arguments *arguments, uint32_t index,
                       const Memory *memory, const char *path, double rtol, double atol,
                       Comparison *comparison, Diags *diags) {
    Npy npy;
    const Argument *array = array_at(arguments, index, diags);
    if (!array || !npy_read(arena, path, &npy, diags))
        return false;
    if (!npy_is(&npy, array->type, array->count)) {
        diags_error(diags, "%s has %llu elements of %s, argument %u %llu of %s", path,
                    (unsigned long long)npy.count, type_name(npy.type), index,
                    (unsigned long long)array->count, type_name(array->type));
        return false;
    }
    const char *got = memory_host(memory, array->address), *expected_at = npy.data;
    uint32_t bytes = type_bytes(array->type);
    *comparison = (Comparison){.count = array->count};
    for (uint64_t i = 0; i < array->count; i++) {
        if (elements_agree(array->type, got + i * bytes, expected_at + i * bytes, rtol, atol))
            continue;
        if (comparison->differ++ == 0) {
            comparison->first = i;
            comparison->got = element_value(array->type, got + i * bytes);
            comparison->expected = element_value(array->type, expected_at + i * bytes);
        }
    }
    return true;
}
