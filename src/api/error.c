/* Errors as values: a status and a message in the caller's memory. */
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

void error_clear(WarplensError *error) {
    if (!error)
        return;
    error->status = WARPLENS_OK;
    error->message[0] = 0;
}

void error_set(WarplensError *error, WarplensStatus status, const char *format, ...) {
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    error->status = status;
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

void error_diags(WarplensError *error, WarplensStatus status, const Diags *diags) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = error ? open_memstream(&text, &size) : NULL;
    if (out) {
        diags_print(diags, out, false);
        fclose(out);
    }
    while (text && size > 0 && text[size - 1] == '\n')
        text[--size] = 0;
    error_set(error, status, "%s", text ? text : "out of memory");
    free(text);
}
