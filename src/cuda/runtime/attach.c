/* For programs that load this library themselves, as the Python package does, where no `warplens run` preloads it: the names by which
 * others will ask for the driver and the runtime, and where records go. */
#include "cuda/core.h"
#include "cuda/runtime/loader.h"

#include <dlfcn.h>
#include <stdatomic.h>

#pragma GCC visibility push(default)
bool warplens_attach(void);
bool warplens_record(const char *socket);
void warplens_layouts(const char *layouts);
void warplens_tile_launches(void);
void warplens_range_push(const char *name);
void warplens_range_pop(void);
#pragma GCC visibility pop

/* Once, before any other library of CUDA is loaded: from then on those who ask for one of these names get this library, which the
 * loader knows by them because it was asked for each and found this file (RUNPATH is $ORIGIN). false: another one is loaded. */
bool warplens_attach(void) {
    static atomic_flag attached =
        ATOMIC_FLAG_INIT; /* by another interpreter: it may be recording */
    static const char *const names[] = {"libcuda.so.1", "libcudart.so.12", "libcudart.so.13",
                                        "libnvidia-ml.so.1"};
    Dl_info own, found;
    if (!dladdr((void *)(uintptr_t)warplens_attach, &own))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
        void *symbol = library ? dlsym(library, "warplens_attach") : NULL;
        if (!symbol || !dladdr(symbol, &found) || found.dli_fbase != own.dli_fbase)
            return false;
    }
    if (atomic_flag_test_and_set(&attached))
        return true;
    watch_loader();
    hosted_open();
    return core_record(NULL);
}

/* socket: where `warplens collect` listens; NULL: launches just run. Waits for a launch that runs. false: the path is too long. */
bool warplens_record(const char *socket) {
    return core_record(socket);
}

/* From the next launch on, kernels have these layouts of shared arrays, "KERNEL SYMBOL LAYOUT;…"; NULL: their own. */
void warplens_layouts(const char *layouts) {
    core_layouts(layouts);
}

/* From now on a block of one thread stands for the block that the kernel requires. */
void warplens_tile_launches(void) {
    core_tile_launches();
}

/* As nvtxRangePushA and nvtxRangePop of the thread. */
void warplens_range_push(const char *name) {
    range_push(name);
}

void warplens_range_pop(void) {
    range_pop();
}
