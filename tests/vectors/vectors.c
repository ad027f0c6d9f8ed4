/* The program that measures: writes the kernels' PTX, runs them on a GPU.
 *
 *   vectors ptx REJECTED DIRECTORY            one file for each kernel
 *   vectors measure REJECTED DIRECTORY OUT    runs DIRECTORY/NAME.cubin, or .ptx; needs libcuda
 *   vectors pack REJECTED OUT ANSWERS         what is kept of it: see answers.h
 *
 * OUT holds the results of all kernels, one after the other, as the plan has them; a kernel that could
 * not run leaves zeros and a message. */
#include "answers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* ---- the CUDA driver, as far as it is needed ---- */

typedef struct Driver {
    int (*init)(unsigned);
    int (*retain)(void **context, int device);
    int (*set_current)(void *context);
    int (*load)(void **module, const void *image);
    int (*unload)(void *module);
    int (*function)(void **function, void *module, const char *name);
    int (*allocate)(uint64_t *address, size_t bytes);
    int (*set)(uint64_t address, unsigned char value, size_t bytes);
    int (*to_device)(uint64_t to, const void *from, size_t bytes);
    int (*to_host)(void *to, uint64_t from, size_t bytes);
    int (*launch)(void *function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  unsigned shared, void *stream, void **params, void **extra);
    int (*synchronize)(void);
} Driver;

static bool find_symbol(void *library, const char *name, void *to) {
    void *symbol = dlsym(library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol;
}

static bool open_driver(Driver *driver) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
        return false;
    return find_symbol(library, "cuInit", &driver->init) &&
           find_symbol(library, "cuDevicePrimaryCtxRetain", &driver->retain) &&
           find_symbol(library, "cuCtxSetCurrent", &driver->set_current) &&
           find_symbol(library, "cuModuleLoadData", &driver->load) &&
           find_symbol(library, "cuModuleUnload", &driver->unload) &&
           find_symbol(library, "cuModuleGetFunction", &driver->function) &&
           find_symbol(library, "cuMemAlloc_v2", &driver->allocate) &&
           find_symbol(library, "cuMemsetD8_v2", &driver->set) &&
           find_symbol(library, "cuMemcpyHtoD_v2", &driver->to_device) &&
           find_symbol(library, "cuMemcpyDtoH_v2", &driver->to_host) &&
           find_symbol(library, "cuLaunchKernel", &driver->launch) &&
           find_symbol(library, "cuCtxSynchronize", &driver->synchronize);
}

typedef struct Device {
    Driver driver;
    uint64_t in, out;
} Device;

static int run_kernel(Device *device, const Kernel *kernel, const char *image, const uint8_t *in,
                      uint8_t *out) {
    const Driver *driver = &device->driver;
    void *module = NULL, *function = NULL;
    int error = driver->load(&module, image);
    if (error)
        return error;
    error = driver->function(&function, module, kernel->name);
    if (!error)
        error = driver->to_device(device->in, in, kernel->in_bytes);
    if (!error)
        error = driver->set(device->out, 0, kernel->out_bytes);
    void *params[] = {&device->in, &device->out};
    if (!error)
        error = driver->launch(function, kernel->cases / BLOCK_THREADS, 1, 1, BLOCK_THREADS, 1, 1,
                               0, NULL, params, NULL);
    if (!error)
        error = driver->synchronize();
    if (!error)
        error = driver->to_host(out, device->out, kernel->out_bytes);
    driver->unload(module);
    return error;
}

static int measure(const Plan *plan, const char *directory, const char *path) {
    Device device = {0};
    void *context = NULL;
    if (!open_driver(&device.driver) || device.driver.init(0) ||
        device.driver.retain(&context, 0) || device.driver.set_current(context)) {
        fprintf(stderr, "vectors: there is no CUDA driver or no GPU\n");
        return 1;
    }
    uint64_t in_bytes = 0, out_bytes = 0;
    for (uint32_t k = 0; k < plan->kernels.count; k++) {
        const Kernel *kernel = plan->kernels.at[k];
        in_bytes = kernel->in_bytes > in_bytes ? kernel->in_bytes : in_bytes;
        out_bytes = kernel->out_bytes > out_bytes ? kernel->out_bytes : out_bytes;
    }
    FILE *file = fopen(path, "wb");
    uint8_t *in = calloc(1, in_bytes), *out = malloc(out_bytes);
    if (!file || !in || !out || device.driver.allocate(&device.in, in_bytes) ||
        device.driver.allocate(&device.out, out_bytes)) {
        fprintf(stderr, "vectors: no memory, or %s cannot be written\n", path);
        return 1;
    }
    uint32_t failed = 0;
    for (uint32_t k = 0; k < plan->kernels.count; k++) {
        const Kernel *kernel = plan->kernels.at[k];
        size_t size;
        char *image = file_read(
            plan->arena, arena_printf(plan->arena, "%s/%s.cubin", directory, kernel->name), &size);
        if (!image)
            image =
                file_read(plan->arena,
                          arena_printf(plan->arena, "%s/%s.ptx", directory, kernel->name), &size);
        kernel_operands(kernel, in);
        memset(out, 0, kernel->out_bytes);
        const int error = image ? run_kernel(&device, kernel, image, in, out) : -1;
        if (error)
            failed++, printf("%s: error %d\n", kernel->name, error);
        fwrite(out, 1, kernel->out_bytes, file);
    }
    printf("%u kernels, %u failed\n", plan->kernels.count, failed);
    return fclose(file) ? 1 : 0;
}

static int write_ptx(const Plan *plan, const char *directory) {
    uint32_t slots = 0;
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < plan->kernels.count; k++) {
        const Kernel *kernel = plan->kernels.at[k];
        const char *text = kernel_ptx(plan->arena, kernel);
        const char *path = arena_printf(plan->arena, "%s/%s.ptx", directory, kernel->name);
        if (!file_write(path, text, strlen(text))) {
            perror(path);
            return 1;
        }
        slots += kernel->slots.count;
        bytes += kernel->out_bytes;
    }
    printf("%u kernels, %u results, %llu bytes\n", plan->kernels.count, slots,
           (unsigned long long)bytes);
    return 0;
}

static int pack(Arena *arena, const Plan *plan, const char *from, const char *to) {
    uint64_t expected = 0;
    for (uint32_t k = 0; k < plan->kernels.count; k++)
        expected += plan->kernels.at[k]->out_bytes;
    size_t size = 0;
    const char *results = file_read(arena, from, &size);
    if (!results || size != expected) {
        fprintf(stderr, "vectors: %s has not the %llu bytes of this plan\n", from,
                (unsigned long long)expected);
        return 1;
    }
    if (!answers_write(arena, plan, (const uint8_t *)results, to)) {
        perror(to);
        return 1;
    }
    return 0;
}

int main(int count, char **arguments) {
    Arena *arena = arena_new();
    const char *what = count > 3 ? arguments[1] : "";
    const Plan *plan = count > 3 ? plan_make(arena, arguments[2]) : NULL;
    if (strcmp(what, "ptx") == 0)
        return write_ptx(plan, arguments[3]);
    if (strcmp(what, "measure") == 0 && count > 4)
        return measure(plan, arguments[3], arguments[4]);
    if (strcmp(what, "pack") == 0 && count > 4)
        return pack(arena, plan, arguments[3], arguments[4]);
    fprintf(stderr, "usage: vectors ptx REJECTED DIRECTORY\n"
                    "       vectors measure REJECTED DIRECTORY OUT\n"
                    "       vectors pack REJECTED OUT ANSWERS\n");
    return 3;
}
