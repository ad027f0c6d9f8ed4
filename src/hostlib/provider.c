/* Libraries of the CPU, opened when they are needed. */
#include "hostlib/hostlib.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { SONAMES_MOST = 4 };

static const struct {
    const char *package, *gives, *sonames[SONAMES_MOST];
} providers[PROVIDERS] = {
#define PROVIDER(id, package, gives, ...) {package, gives, {__VA_ARGS__}},
#include "hostlib/providers.def"
};

/* The function of the library at `path`, counted by the loader: what is open already is not opened again. */
static void *look_into(const char *path, const char *name) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

/* The file that is asked for; a Python package's has another name of each function. */
static void *look_into_given(const char *name) {
    const char *path = getenv("WARPLENS_BLAS");
    char other[64];
    snprintf(other, sizeof other, "scipy_%s", name);
    void *function = path && *path ? look_into(path, name) : NULL;
    return function || !path || !*path ? function : look_into(path, other);
}

void *provider_look(ProviderId id, const char *name) {
    void *function = id == PROVIDER_BLAS ? look_into_given(name) : NULL;
    for (int i = 0; !function && i < SONAMES_MOST && providers[id].sonames[i]; i++)
        function = look_into(providers[id].sonames[i], name);
    return function;
}

void *provider_function(ProviderId id, const char *name) {
    char text[256];
    void *function = provider_look(id, name);
    if (function)
        return function;
    snprintf(text, sizeof text,
             "%s: calls of it run on the host, which needs %s (apt-get install %s%s); they fail",
             providers[id].gives, providers[id].sonames[0], providers[id].package,
             id == PROVIDER_BLAS ? ", or pip install scipy-openblas32" : "");
    warplens_message(providers[id].gives, text);
    return NULL;
}
