/* Of libcuda.so.1 for tests: memory of the GPU's, which is the host's, and the kernel of rows.ptx, by the rules as the host has them. */
#include "fails.h"
#include "probe/device/row.h"

#include <stdlib.h>
#include <string.h>

typedef unsigned long long DevicePointer;

int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxRetain(void **context, int device) {
    static int one;
    *context = &one;
    return device ? 1 : result_of(__func__);
}

int cuDevicePrimaryCtxRelease_v2(int device);
int cuDevicePrimaryCtxRelease_v2(int device) {
    return device;
}

int cuCtxSetCurrent(void *context);
int cuCtxSetCurrent(void *context) {
    return context ? result_of(__func__) : 1;
}

int cuModuleLoadData(void **module, const void *image);
int cuModuleLoadData(void **module, const void *image) {
    *module = strstr(image, ".entry warplens_rows") ? (void *)(size_t)image : NULL;
    return *module ? result_of(__func__) : 218; /* CUDA_ERROR_INVALID_PTX */
}

int cuModuleGetFunction(void **function, void *module, const char *name);
int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = module;
    return strcmp(name, "warplens_rows") == 0 ? result_of(__func__) : 1;
}

/* WARPLENS_TEST_NO_MEMORY: there is none. */
int cuMemAlloc_v2(DevicePointer *pointer, size_t bytes);
int cuMemAlloc_v2(DevicePointer *pointer, size_t bytes) {
    void *memory = getenv("WARPLENS_TEST_NO_MEMORY") ? NULL : malloc(bytes);
    *pointer = (DevicePointer)(size_t)memory;
    return memory ? 0 : 2;
}

int cuMemFree_v2(DevicePointer pointer);
int cuMemFree_v2(DevicePointer pointer) {
    free((void *)(size_t)pointer);
    return 0;
}

int cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes);
int cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes) {
    memcpy((void *)(size_t)to, from, bytes);
    return result_of(__func__);
}

int cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes) {
    memcpy(to, (const void *)(size_t)from, bytes);
    return result_of(__func__);
}

int cuGetErrorName(int error, const char **name);
int cuGetErrorName(int error, const char **name) {
    *name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_UNKNOWN";
    return error == 218 ? 1 : 0; /* of which it knows no name */
}

/* WARPLENS_TEST_WRONG_ROW: of the first row, a sector and a wavefront more. */
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **arguments, void **extra);
int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                   void *stream, void **arguments, void **extra) {
    const ProbeRow *rows = *(const ProbeRow **)arguments[0];
    ProbeRowSums *sums = *(ProbeRowSums **)arguments[1];
    const uint32_t count = *(uint32_t *)arguments[2];
    if (!function || grid_x * block_x < count * PROBE_LANES ||
        grid_y * grid_z * block_y * block_z != 1 || shared || stream || extra)
        return 1;
    for (uint32_t i = 0; i < count; i++) {
        const LaneSet warp = {.mask = rows[i].mask};
        Lanes64 address, source;
        memcpy(address.at, rows[i].address, sizeof address.at);
        memcpy(source.at, rows[i].source, sizeof source.at);
        memset(&sums[i], 0, sizeof sums[i]);
        sums_of_row(warp, &rows[i], address, source, &sums[i]);
    }
    if (getenv("WARPLENS_TEST_WRONG_ROW"))
        sums[0].at[ROW_OWN].at2++;
    return result_of(__func__);
}
