/* The CUDA toolkit's own libcurand. Its generators of the host need no GPU and give a GPU's numbers. */
#include "hostlib/rand/rand.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* By a path without its name, by which it would get the library of this layer. Counted by the loader: what
 * is open already is not opened again. */
static void *open_in(const char *folder, const char *below) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s%s/libcurand.so.10", folder, below);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    close(file);
    return library;
}

static void *toolkit(void) {
    const char *folders[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !library; i++)
        if (folders[i])
            library = open_in(folders[i], "/lib64");
    return library ? library : open_in("/usr/lib/x86_64-linux-gnu", "");
}

void *toolkit_function(const char *name) {
    void *library = toolkit();
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        warplens_message("curand",
                         "cuRAND: MTGP32, MT19937 and Sobol numbers come from the CUDA toolkit's "
                         "libcurand.so.10, which is neither in $CUDA_HOME/lib64 nor in "
                         "/usr/local/cuda/lib64: they fail");
    return function;
}

/* ---- its generators ---- */

RandStatus twin_new(Twin **twin, int type) {
    RandStatus (*create)(Twin **, int);
    *(void **)&create = toolkit_function("curandCreateGeneratorHost");
    return create ? create(twin, type) : RAND_TYPE_ERROR;
}

void twin_free(Twin *twin) {
    RandStatus (*destroy)(Twin *);
    *(void **)&destroy = toolkit_function("curandDestroyGenerator");
    if (destroy)
        destroy(twin);
}

RandStatus twin_set(Twin *twin, const char *function, unsigned long long value) {
    RandStatus (*set)(Twin *, unsigned long long);
    *(void **)&set = toolkit_function(function);
    return set ? set(twin, value) : RAND_INTERNAL_ERROR;
}

RandStatus twin_fill(Twin *twin, const char *function, const Distribution *what, void *numbers,
                     size_t count) {
    RandStatus (*plain)(Twin *, void *, size_t);
    RandStatus (*single)(Twin *, void *, size_t, float, float);
    RandStatus (*twice)(Twin *, void *, size_t, double, double);
    void *found = toolkit_function(function);
    if (!found)
        return RAND_INTERNAL_ERROR;
    *(void **)&plain = *(void **)&single = *(void **)&twice = found;
    if (what->id == NORMAL || what->id == LOG_NORMAL)
        return single(twin, numbers, count, (float)what->mean, (float)what->deviation);
    if (distribution_is_normal(what->id) || what->id == POISSON)
        return twice(twin, numbers, count, what->mean, what->deviation);
    return plain(twin, numbers, count);
}
