/* Opens the library of the Compute Sanitizer API. */
#include "probe/inject/sanitizer.h"
#include "base/library.h"

bool sanitizer_open(const char *path, SanitizerApi *sanitizer, const char **why) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *why = library ? "it lacks a function that is needed: it is too old" : dlerror();
    if (!library)
        return false;
#define FUNCTION(member, name, parameters) {name, &sanitizer->member},
    const LibraryFunction wanted[] = {SANITIZER_FUNCTIONS};
#undef FUNCTION
    return !LIBRARY_FUNCTIONS(library, wanted);
}

const char *sanitizer_text(const SanitizerApi *sanitizer, SanResult result) {
    const char *text = "an unknown error";
    sanitizer->result_text(result, &text);
    return text;
}
