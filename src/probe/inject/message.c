/* What is said to the user: by warplens, on its standard error. */
#include "probe/inject/inject.h"

#include <stdarg.h>
#include <stdlib.h>

void probe_message(Probe *of, const char *format, ...) {
    va_list arguments;
    char *text = NULL;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) >= 0)
        recorder_text(of->recorder, RECORD_MESSAGE, text);
    va_end(arguments);
    free(text);
}
