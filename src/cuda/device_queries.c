/* What kernels that launch others may ask the host's side for: the device's attributes, limits, and
 * what is known of the module's kernels. Asked from any worker, while the kernel runs. */
#include "cuda/library.h"

#include <string.h>

CUresult kernel_beside(const Kernel *kernel, const char *name, Kernel **found) {
    const Library *library = kernel->library;
    for (uint32_t i = 0; i < library->kernel_count; i++) {
        *found = library->kernels[i];
        if ((*found)->unit == kernel->unit && strcmp((*found)->name, name) == 0)
            return kernel_parse(*found);
    }
    return CUDA_ERROR_NOT_FOUND;
}

static uint32_t attribute(void *context, int number, int *value) {
    (void)context;
    return (uint32_t)cuDeviceGetAttribute(value, number, 0); /* all devices are of one model */
}

static uint32_t limit(void *context, int number, uint64_t *value) {
    (void)context;
    size_t given = 0;
    CUresult result = cuCtxGetLimit(&given, number);
    *value = given;
    return (uint32_t)result;
}

static uint32_t facts(void *context, const char *name, KernelFacts *known) {
    Kernel *kernel;
    CUresult result = kernel_beside(context, name, &kernel);
    if (result)
        return (uint32_t)result;
    int shared = 0, local = 0;
    const struct {
        int attribute, *value;
    } wanted[] = {{FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &known->max_threads},
                  {FUNC_ATTRIBUTE_NUM_REGS, &known->registers},
                  {FUNC_ATTRIBUTE_PTX_VERSION, &known->ptx_version},
                  {FUNC_ATTRIBUTE_BINARY_VERSION, &known->binary_version},
                  {FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &known->max_dynamic_shared},
                  {FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &shared},
                  {FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &local}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && !result; i++)
        result = cuFuncGetAttribute(wanted[i].value, wanted[i].attribute, kernel);
    known->shared_bytes = (uint64_t)shared;
    known->local_bytes = (uint64_t)local;
    return (uint32_t)result;
}

static uint32_t occupancy(void *context, const char *name, int threads, uint64_t dynamic_shared,
                          int *blocks) {
    Kernel *kernel;
    CUresult result = kernel_beside(context, name, &kernel);
    if (!result)
        result = cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads,
                                                             (size_t)dynamic_shared);
    return (uint32_t)result;
}

DeviceHost kernel_queries(Kernel *kernel) {
    return (DeviceHost){kernel, attribute, limit, facts, occupancy};
}
