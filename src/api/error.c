/* Errors as values: a status and a message in the caller's memory. */
#include "api/api.h"

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
    if (!error)
        return;
    *error = (WarplensError){.status = status};
    FILE *out = fmemopen(error->message, sizeof error->message - 1, "w");
    if (!out) {
        error_set(error, status, "out of memory");
        return;
    }
    diags_print(diags, out, false);
    fclose(out);
    for (size_t size = strlen(error->message); size > 0 && error->message[size - 1] == '\n';)
        error->message[--size] = 0;
}
