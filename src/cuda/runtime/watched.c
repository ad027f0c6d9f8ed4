/* Whether the dynamic loader tells of what it loads: see watch.c. */
#include "cuda/runtime/loader.h"

#include <stdatomic.h>

static atomic_bool watched;

void loader_watched(void) {
    atomic_store(&watched, true);
}

bool loader_is_watched(void) {
    return atomic_load(&watched);
}
