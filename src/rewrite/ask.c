/* What the parser says when it is asked. libclang shows templates as written, not as instantiated: behind a declaration a static_assert
 * is inserted whose condition is a template that is never defined, with values as its arguments, and the errors that are
 * reported then have these, and the instance's name. */
#include "rewrite/source.h"

#include <stdlib.h>
#include <string.h>

/* Behind the declaration's semicolon; 0: there is none. */
static uint32_t probe_place(const Declaration *declaration) {
    const Code *code = declaration->code;
    uint32_t token = token_from(code, declaration->at.end);
    while (token < code->tokens.count && !token_is(code, token, ";"))
        token++;
    return token == code->tokens.count ? 0 : code->tokens.at[token].at.end;
}

/* static_assert(warplens_probe<sizeof(a) / sizeof(a[0]), …, sizeof(an element)>::value, ""); */
static const char *extents_probe(Arena *arena, const Declaration *declaration) {
    const char *whole = arena_printf(arena, STR_FMT, STR_ARG(declaration->name)), *list = "";
    for (uint32_t d = 0; d < declaration->dims; d++) {
        const char *part = arena_printf(arena, "%s[0]", whole);
        list = arena_printf(arena, "%ssizeof(%s) / sizeof(%s), ", list, whole, part);
        whole = part;
    }
    return arena_printf(arena, "static_assert(warplens_probe<%ssizeof(%s)>::value, \"\");", list,
                        whole);
}

/* "… 'warplens_probe<32, 33, 4>'": what stands in the angle brackets; NULL: another error. */
static const char *probed(const Source *source, CXDiagnostic diagnostic, const char *template) {
    const char *text = source_string(source, source->lib.getDiagnosticSpelling(diagnostic));
    const char *at = strstr(text, template);
    if (!at || at[strlen(template)] != '<')
        return NULL;
    at += strlen(template) + 1;
    const char *end = strrchr(at, '>');
    return end ? arena_copy(source->arena, at, (size_t)(end - at)) : NULL;
}

/* "in instantiation of function template specialization 'f<0>' requested here": "f<0>"; NULL where there is
 * no such note. */
static const char *instance_name(const Source *source, CXDiagnostic diagnostic) {
    CXDiagnosticSet notes = source->lib.getChildDiagnostics(diagnostic);
    for (unsigned i = 0; i < source->lib.getNumDiagnosticsInSet(notes); i++) {
        CXDiagnostic note = source->lib.getDiagnosticInSet(notes, i);
        const char *text = source_string(source, source->lib.getDiagnosticSpelling(note));
        const char *first = strchr(text, '\''), *last = strrchr(text, '\'');
        if (str_starts(str_of(text), "in instantiation of") && last > first)
            return arena_copy(source->arena, first + 1, (size_t)(last - first - 1));
    }
    return NULL;
}

/* "32UL, 33UL, 4": the next number, behind which *at stands then. */
static uint64_t next_number(const char **at) {
    char *end;
    const uint64_t number = strtoull(*at, &end, 10);
    *at = end + strspn(end, "UL, ");
    return number;
}

static void add_instance(const Source *source, Declaration *declaration, const char *name,
                         const char *numbers) {
    Instance instance = {.name = name};
    for (uint32_t d = 0; d < declaration->dims; d++)
        instance.extents[d] = next_number(&numbers);
    instance.element = next_number(&numbers);
    for (uint32_t i = 0; i < declaration->instances.count; i++)
        if (strcmp(declaration->instances.at[i].name, name) == 0)
            return;
    *vec_add(source->arena, &declaration->instances) = instance;
}

/* What the parser says to a probe behind a declaration, and with another edit before it, where that has a text. Only the first
 * error in an instance has a note with its name. */
static void ask_with(const Source *source, const Declaration *declaration, Edit edit,
                     const char *probe, const char *template, Answers *answers) {
    const Code *code = declaration->code;
    uint32_t at = probe_place(declaration);
    const char *instance = "";
    if (!at)
        return;
    const Edit edits[] = {edit, {at, at, probe}};
    const char *text = edits_apply(source->arena, code->text, edits + !edit.text, 1 + !!edit.text);
    CXTranslationUnit unit = source_variant(source, code->path, text);
    if (!unit)
        return;
    for (unsigned i = 0; i < source->lib.getNumDiagnostics(unit); i++) {
        CXDiagnostic diagnostic = source->lib.getDiagnostic(unit, i);
        const char *arguments = probed(source, diagnostic, template);
        const char *name = declaration->in_template ? instance_name(source, diagnostic) : NULL;
        instance = name ? name : instance;
        if (arguments)
            *vec_add(source->arena, &answers->list) = (Instantiation){instance, arguments};
        source->lib.disposeDiagnostic(diagnostic);
    }
}

void parser_ask(const Source *source, const Declaration *declaration, const char *probe,
                const char *template, Answers *answers) {
    ask_with(source, declaration, (Edit){0}, probe, template, answers);
}

bool declaration_extents(const Source *source, const Declaration *declaration, Edit edit,
                         uint64_t extents[DIMS_MOST]) {
    Answers answers = {0};
    ask_with(source, declaration, edit, extents_probe(source->arena, declaration), "warplens_probe",
             &answers);
    if (answers.list.count != 1)
        return false;
    const char *at = answers.list.at[0].arguments;
    for (uint32_t d = 0; d < declaration->dims; d++)
        extents[d] = next_number(&at);
    return true;
}

void declaration_instances(const Source *source, Declaration *declaration) {
    Answers answers = {0};
    parser_ask(source, declaration, extents_probe(source->arena, declaration), "warplens_probe",
               &answers);
    for (uint32_t i = 0; i < answers.list.count; i++)
        add_instance(source, declaration, answers.list.at[i].instance,
                     answers.list.at[i].arguments);
}

/* One static_assert for each text that is not there before it; its number tells the answers apart. */
static const char *constants_probe(Arena *arena, const char *const *texts, uint32_t count) {
    const char *probe = "";
    for (uint32_t i = 0; i < count; i++) {
        bool asked = texts[i];
        for (uint32_t k = 0; asked && k < i; k++)
            asked = !texts[k] || strcmp(texts[k], texts[i]) != 0;
        if (asked)
            probe = arena_printf(arena, "%sstatic_assert(warplens_probe<(%s), %u>::value, \"\");",
                                 probe, texts[i], i);
    }
    return probe;
}

/* Asks the parser for those that have a text. */
static void ask_constants(const Source *source, const Declaration *declaration,
                          const char *const *texts, uint32_t count, uint64_t *values) {
    Answers answers = {0};
    const char *probe = constants_probe(source->arena, texts, count);
    bool *answered = NEW_ARRAY(source->arena, bool, count + 1);
    if (*probe)
        parser_ask(source, declaration, probe, "warplens_probe", &answers);
    for (uint32_t a = 0; a < answers.list.count; a++) {
        const char *at = answers.list.at[a].arguments;
        const uint64_t value = next_number(&at), number = next_number(&at);
        for (uint32_t i = 0; i < count; i++) {
            if (number >= count || !texts[i] || strcmp(texts[i], texts[number]) != 0)
                continue;
            values[i] = !answered[i] || values[i] == value ? value : 0;
            answered[i] = true;
        }
    }
}

void declaration_constants(const Source *source, const Declaration *declaration,
                           const char *const *texts, uint32_t count, uint64_t *values) {
    const char **unknown = NEW_ARRAY(source->arena, const char *, count + 1);
    memset(values, 0, count * sizeof *values);
    for (uint32_t i = 0; i < count; i++)
        if (texts[i] && !map_get(declaration->constants, str_of(texts[i]), &values[i]))
            unknown[i] = texts[i];
    ask_constants(source, declaration, unknown, count, values);
    for (uint32_t i = 0; i < count; i++)
        if (unknown[i])
            map_put(declaration->constants, str_of(unknown[i]), values[i]);
}
