/* Diagnostics: collected where bad input is found, printed by cli in the form that compilers use. */
#include "base/base.h"

#include <string.h>

Diags *diags_new(Arena *arena) {
    Diags *diags = NEW(arena, Diags);
    diags->arena = arena;
    return diags;
}

/* The line of place, without its end; tabs stay, so that the caret line can repeat them. */
static const char *excerpt(Arena *arena, const Place *place) {
    if (!place->text || place->line == 0)
        return NULL;
    const char *at = place->text;
    for (uint32_t line = 1; line < place->line; line++) {
        at = strchr(at, '\n');
        if (!at)
            return NULL;
        at++;
    }
    return plain_text(arena_copy(arena, at, strcspn(at, "\r\n")));
}

static void add(Diags *diags, DiagLevel level, Place place, const char *format, va_list arguments) {
    Diag *diag = vec_add(diags->arena, &diags->list);
    if (place.file) /* whose name may go before the message is printed */
        place.file = plain_text(arena_copy(diags->arena, place.file, strlen(place.file)));
    *diag = (Diag){level, place, plain_text(arena_vprintf(diags->arena, format, arguments)),
                   excerpt(diags->arena, &place)};
    diags->errors += level == DIAG_ERROR;
    diags->warnings += level == DIAG_WARNING;
}

void diags_add(Diags *diags, DiagLevel level, Place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diags, level, place, format, arguments);
    va_end(arguments);
}

void diags_error(Diags *diags, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(diags, DIAG_ERROR, (Place){0}, format, arguments);
    va_end(arguments);
}

static void print_caret(const Diag *diag, FILE *out) {
    fprintf(out, "  %s\n  ", diag->excerpt);
    size_t length = strlen(diag->excerpt);
    size_t column = diag->place.column - 1;
    for (size_t i = 0; i < column && i < length; i++)
        fputc(diag->excerpt[i] == '\t' ? '\t' : ' ', out);
    fputc('^', out);
    for (uint32_t i = 1; i < diag->place.length && column + i < length; i++)
        fputc('~', out);
    fputc('\n', out);
}

void diags_print(const Diags *diags, FILE *out, bool colour) {
    static const char *const names[] = {"note", "warning", "error"};
    static const char *const colours[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};
    for (uint32_t i = 0; i < diags->list.count; i++) {
        const Diag *diag = &diags->list.at[i];
        if (diag->place.file) {
            fputs(diag->place.file, out);
            if (diag->place.line)
                fprintf(out, ":%u", diag->place.line);
            if (diag->place.line && diag->place.column)
                fprintf(out, ":%u", diag->place.column);
        } else {
            fputs("warplens", out);
        }
        fprintf(out, ": %s%s:%s %s\n", colour ? colours[diag->level] : "", names[diag->level],
                colour ? "\033[0m" : "", diag->message);
        if (diag->excerpt && diag->place.column)
            print_caret(diag, out);
    }
}
