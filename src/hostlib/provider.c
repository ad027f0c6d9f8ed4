/* Libraries of the CPU, opened when they are needed. */
#include "hostlib/hostlib.h"

#include <dlfcn.h>
#include <stdio.h>

enum { SONAMES_MOST = 4 };

static const struct {
    const char *package, *gives, *sonames[SONAMES_MOST];
} providers[PROVIDERS] = {
#define PROVIDER(id, package, gives, ...) {package, gives, {__VA_ARGS__}},
#include "hostlib/providers.def"
};

void *provider_look(ProviderId id, const char *name) {
    for (int i = 0; i < SONAMES_MOST && providers[id].sonames[i]; i++) {
        /* counted by the loader: what is open already is not opened again */
        void *library = dlopen(providers[id].sonames[i], RTLD_NOW | RTLD_LOCAL);
        void *function = library ? dlsym(library, name) : NULL;
        if (function)
            return function;
    }
    return NULL;
}

void *provider_function(ProviderId id, const char *name) {
    char text[256];
    void *function = provider_look(id, name);
    if (function)
        return function;
    snprintf(text, sizeof text,
             "%s: calls of it run on the host, which needs %s (apt-get install %s); they fail",
             providers[id].gives, providers[id].sonames[0], providers[id].package);
    warplens_message(providers[id].gives, text);
    return NULL;
}
