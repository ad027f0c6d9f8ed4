/* Opens the library of the Compute Sanitizer API. */
#include "probe/inject/sanitizer.h"

#include <dlfcn.h>

bool sanitizer_open(const char *path, SanitizerApi *sanitizer, const char **why) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    *why = library ? "it lacks a function that is needed: it is too old" : dlerror();
    if (!library)
        return false;
#define FUNCTION(member, name, parameters)                                                         \
    *(void **)&sanitizer->member = dlsym(library, name);                                           \
    if (!sanitizer->member)                                                                        \
        return false;
    SANITIZER_FUNCTIONS
#undef FUNCTION
    return true;
}

const char *sanitizer_text(const SanitizerApi *sanitizer, SanResult result) {
    const char *text = "an unknown error";
    sanitizer->result_text(result, &text);
    return text;
}
