/* Programs that link with nvJitLink, as Numba and CuPy do, get machine code. With -lineinfo ptxas puts the PTX into it that it was made
 * from, which is executed; so that option is given. What is opened with dlsym is led here (hook.c); who is linked with
 * libnvJitLink is not, since its calls have the version in their names. */
#include "cuda/runtime/loader.h"

#include <stdlib.h>
#include <string.h>

typedef struct nvJitLink *nvJitLinkHandle;
typedef int nvJitLinkResult; /* a number of nvJitLink.h */
enum { NVJITLINK_ERROR_INTERNAL = 6 };

static struct JitLink {
    nvJitLinkResult (*create)(nvJitLinkHandle *, uint32_t, const char **);
} jitlink;

static bool has_lines(uint32_t count, const char *const *options) {
    for (uint32_t i = 0; i < count; i++)
        if (options[i] && (strcmp(options[i], "-lineinfo") == 0 || strcmp(options[i], "-g") == 0))
            return true;
    return false;
}

static nvJitLinkResult create(nvJitLinkHandle *handle, uint32_t count, const char **options) {
    if (!options || has_lines(count, options))
        return jitlink.create(handle, count, options);
    const char **given = calloc((size_t)count + 1, sizeof *given);
    if (!given)
        return NVJITLINK_ERROR_INTERNAL;
    memcpy(given, options, count * sizeof *given);
    given[count] = "-lineinfo";
    nvJitLinkResult result = jitlink.create(handle, count + 1, given);
    free(given);
    return result;
}

void nvjitlink_object(const LoadedObject *object, const Elf *elf) {
    static const Hook hooks[] = {
        {"nvJitLinkCreate", (void **)&jitlink.create, (void (*)(void))create}};
    if (!jitlink.create && object_is_named(object, "libnvJitLink."))
        hook_symbols(object, elf, hooks, sizeof hooks / sizeof *hooks);
}
