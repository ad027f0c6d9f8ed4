/* Where memory ends: most of what the library makes lies in arenas, which threads and parsers fill deep
 * inside calls that could not be undone half-way. Where profiles are read and shown the call returns, and its profile is lost; else the host is
 * told, and the process ends. */
#include "api/api.h"
#include "base/rescue.h"

#include <stdlib.h>

static struct {
    void (*call)(void *context);
    void *context;
} handler;

void warplens_on_out_of_memory(void (*call)(void *context), void *context) {
    handler.call = call;
    handler.context = context;
}

/* The arenas' (base.h). */
void out_of_memory(void) {
    rescue_return();
    if (handler.call)
        handler.call(handler.context);
    else
        fputs("libwarplens: out of memory\n", stderr);
    abort();
}
