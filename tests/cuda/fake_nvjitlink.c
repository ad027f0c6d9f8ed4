/* Stands for libnvJitLink, whose calls have two names: linking notes the options that it was asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
typedef struct FakeLink {
    char options[256];
} * Handle;

int nvJitLinkCreate(Handle *handle, uint32_t count, const char **options);
int __nvJitLinkCreate_13_0(Handle *handle, uint32_t count, const char **options);
const char *fake_options(Handle handle);

int nvJitLinkCreate(Handle *handle, uint32_t count, const char **options) {
    *handle = calloc(1, sizeof **handle);
    for (uint32_t i = 0; i < count; i++) {
        strcat((*handle)->options, i ? " | " : "");
        strcat((*handle)->options, options[i]);
    }
    return 0;
}

int __nvJitLinkCreate_13_0(Handle *handle, uint32_t count, const char **options) {
    return nvJitLinkCreate(handle, count, options);
}

const char *fake_options(Handle handle) {
    return handle->options;
}
