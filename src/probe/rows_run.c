/* Rows on the GPU of this machine, by the driver, which compiles rows.ptx itself. */
#include "base/library.h"
#include "probe/patches.h"
#include "probe/rows.h"

#include <string.h>

enum { ROWS_AT_ONCE = 1 << 16, THREADS = 256 };

typedef struct CudaContext CudaContext;
typedef struct CudaModule CudaModule;
typedef struct CudaFunction CudaFunction;
typedef unsigned long long DevicePointer;

typedef struct Driver {
    int (*init)(unsigned flags);
    int (*device_name)(char *name, int size, int device);
    int (*retain)(CudaContext **context, int device);
    int (*set)(CudaContext *context);
    int (*release)(int device);
    int (*load)(CudaModule **module, const void *image);
    int (*function)(CudaFunction **function, CudaModule *module, const char *name);
    int (*allocate)(DevicePointer *pointer, size_t bytes);
    int (*free)(DevicePointer pointer);
    int (*to_device)(DevicePointer to, const void *from, size_t bytes);
    int (*to_host)(void *to, DevicePointer from, size_t bytes);
    int (*launch)(CudaFunction *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                  void *stream, void **arguments, void **extra);
    int (*error_name)(int error, const char **name);
} Driver;

typedef struct Machine {
    Driver driver;
    Diags *diags;
    DevicePointer rows, sums;
    CudaFunction *function;
    char name[128];
} Machine;

static bool open_driver(Driver *driver, Diags *diags) {
    const LibraryFunction wanted[] = {
        {"cuInit", &driver->init},
        {"cuDeviceGetName", &driver->device_name},
        {"cuDevicePrimaryCtxRetain", &driver->retain},
        {"cuCtxSetCurrent", &driver->set},
        {"cuDevicePrimaryCtxRelease_v2", &driver->release},
        {"cuModuleLoadData", &driver->load},
        {"cuModuleGetFunction", &driver->function},
        {"cuMemAlloc_v2", &driver->allocate},
        {"cuMemFree_v2", &driver->free},
        {"cuMemcpyHtoD_v2", &driver->to_device},
        {"cuMemcpyDtoH_v2", &driver->to_host},
        {"cuLaunchKernel", &driver->launch},
        {"cuGetErrorName", &driver->error_name},
    };
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        diags_error(diags, "--on gpu: there is no driver of NVIDIA's (libcuda.so.1)");
        return false;
    }
    const char *missing = LIBRARY_FUNCTIONS(library, wanted);
    if (missing)
        diags_error(diags, "--on gpu: the driver has no %s: it is too old", missing);
    return !missing;
}

/* Whether a call of the driver's did its work; else says which did not. */
static bool did(const Machine *machine, int error, const char *call) {
    const char *name = NULL;
    if (error != 0 && (machine->driver.error_name(error, &name) != 0 || !name))
        name = "an error without a name";
    if (error != 0)
        diags_error(machine->diags, "--on gpu: %s: %s", call, name);
    return error == 0;
}

static bool prepare(Machine *machine, uint32_t rows) {
    const Driver *driver = &machine->driver;
    CudaContext *context;
    CudaModule *module;
    return did(machine, driver->init(0), "cuInit") &&
           did(machine, driver->device_name(machine->name, sizeof machine->name, 0),
               "cuDeviceGetName") &&
           did(machine, driver->retain(&context, 0), "cuDevicePrimaryCtxRetain") &&
           did(machine, driver->set(context), "cuCtxSetCurrent") &&
           did(machine, driver->load(&module, rows_ptx), "cuModuleLoadData") &&
           did(machine, driver->function(&machine->function, module, "warplens_rows"),
               "cuModuleGetFunction") &&
           did(machine, driver->allocate(&machine->rows, rows * sizeof(ProbeRow)), "cuMemAlloc") &&
           did(machine, driver->allocate(&machine->sums, rows * sizeof(ProbeRowSums)),
               "cuMemAlloc");
}

static bool run_some(const Machine *machine, const ProbeRow *rows, ProbeRowSums *sums,
                     uint32_t count) {
    const Driver *driver = &machine->driver;
    DevicePointer from = machine->rows, to = machine->sums;
    void *arguments[] = {&from, &to, &count};
    const unsigned warps = THREADS / WARP_LANES, blocks = (count + warps - 1) / warps;
    return did(machine, driver->to_device(from, rows, count * sizeof *rows), "cuMemcpyHtoD") &&
           did(machine,
               driver->launch(machine->function, blocks, 1, 1, THREADS, 1, 1, 0, NULL, arguments,
                              NULL),
               "cuLaunchKernel") &&
           did(machine, driver->to_host(sums, to, count * sizeof *sums), "cuMemcpyDtoH");
}

const char *row_list_run(const RowList *list, ProbeRowSums *sums, Diags *diags) {
    Machine machine = {.diags = diags};
    const uint32_t count = list->rows.count, most = count < ROWS_AT_ONCE ? count : ROWS_AT_ONCE;
    if (!open_driver(&machine.driver, diags))
        return NULL;
    bool good = prepare(&machine, most ? most : 1);
    for (uint32_t done = 0; good && done < count; done += most) {
        const uint32_t left = count - done;
        good = run_some(&machine, &list->rows.at[done], &sums[done], left < most ? left : most);
    }
    if (machine.rows)
        machine.driver.free(machine.rows);
    if (machine.sums)
        machine.driver.free(machine.sums);
    return good ? arena_copy(list->arena, machine.name, strlen(machine.name)) : NULL;
}
