/* Names of the kinds of memory. */
#include "cuda/allocation.h"

const char *memory_kind_name(MemoryKind kind) {
    static const char *const names[] = {"device",   "pinned", "managed", "registered",
                                        "variable", "mapped", "shared"};
    return names[kind];
}
