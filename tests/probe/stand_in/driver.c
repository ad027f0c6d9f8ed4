/* libcuda.so.1 for tests: one GPU, and, as the real one does when it begins, it loads the library that CUDA_INJECTION64_PATH names. Each time it begins
 * it adds a byte to the file WARPLENS_TEST_BEGINS. */
#include "fails.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cuInit(unsigned int flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetCount(int *count);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);

/* sanitizer.c's, where it is in the process. */
__attribute__((weak)) void stand_in_call(const char *function);
__attribute__((weak)) bool stand_in_function(const void *function, void **module,
                                             const char **name);

static void called(const char *function) {
    if (stand_in_call)
        stand_in_call(function);
}

static void note_begin(void) {
    const char *path = getenv("WARPLENS_TEST_BEGINS");
    FILE *file = path ? fopen(path, "ae") : NULL;
    if (file) {
        fputc('+', file);
        fclose(file);
    }
}

int cuInit(unsigned int flags) {
    note_begin();
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    int (*enter)(void) = NULL;
    if (library)
        *(void **)&enter = dlsym(library, "InitializeInjection");
    if (path && !enter) {
        fprintf(stderr, "stand-in: %s: %s\n", path, dlerror());
        return 999;
    }
    if (enter && !enter())
        dlclose(library);
    return flags ? 1 : result_of(__func__);
}

int cuEventCreate(void **event, unsigned flags);
int cuEventCreate(void **event, unsigned flags) {
    called("cuEventCreate");
    *event = event;
    return (int)flags;
}

int cuEventRecord(void *event, void *stream);
int cuEventRecord(void *event, void *stream) {
    (void)event, (void)stream;
    called("cuEventRecord");
    return 0;
}

/* WARPLENS_TEST_LASTS: no launch ends. */
int cuEventQuery(void *event);
int cuEventQuery(void *event) {
    enum { NOT_READY = 600 };
    (void)event;
    called("cuEventQuery");
    return getenv("WARPLENS_TEST_LASTS") ? NOT_READY : 0;
}

int cuThreadExchangeStreamCaptureMode(int *mode);
int cuThreadExchangeStreamCaptureMode(int *mode) {
    called("cuThreadExchangeStreamCaptureMode");
    *mode = 0;
    return 0;
}

/* Each launch takes a quarter of a millisecond. */
int cuEventElapsedTime(float *milliseconds, void *from, void *to);
int cuEventElapsedTime(float *milliseconds, void *from, void *to) {
    (void)from, (void)to;
    called("cuEventElapsedTime");
    *milliseconds = 0.25f;
    return 0;
}

int cuEventDestroy_v2(void *event);
int cuEventDestroy_v2(void *event) {
    called("cuEventDestroy_v2");
    (void)event;
    return 0;
}

/* That of sanitizer.c. */
int cuCtxGetCurrent(void **context);
int cuCtxGetCurrent(void **context) {
    called("cuCtxGetCurrent");
    *context = (void *)1;
    return 0;
}

/* WARPLENS_TEST_DEVICE: its number. */
int cuCtxGetDevice(int *device);
int cuCtxGetDevice(int *device) {
    const char *number = getenv("WARPLENS_TEST_DEVICE");
    called("cuCtxGetDevice");
    *device = number ? atoi(number) : 0;
    return 0;
}

/* WARPLENS_TEST_FREE: MiB that are free. */
int cuMemGetInfo_v2(size_t *free, size_t *all);
int cuMemGetInfo_v2(size_t *free, size_t *all) {
    const char *left = getenv("WARPLENS_TEST_FREE");
    called("cuMemGetInfo_v2");
    *all = (size_t)80 << 30;
    *free = left ? (size_t)atol(left) << 20 : *all;
    return 0;
}

int cuFuncGetAttribute(int *value, int attribute, void *function);
int cuFuncGetAttribute(int *value, int attribute, void *function) {
    (void)function;
    called("cuFuncGetAttribute");
    const char *stack = getenv("WARPLENS_TEST_STACK");
    *value = attribute == 4 ? 24 : attribute == 3 && stack ? atoi(stack) : 0; /* registers, local */
    return 0;
}

/* WARPLENS_TEST_NAMELESS: as with a handle that it does not know so, or an older driver. */
static int ask(const void *function, void **module, const char **name) {
    enum { NOT_FOUND = 500 };
    called("cuFuncGetModule or cuFuncGetName");
    bool known = stand_in_function && !getenv("WARPLENS_TEST_NAMELESS") &&
                 stand_in_function(function, module, name);
    return known ? 0 : NOT_FOUND;
}

int cuFuncGetModule(void **module, void *function);
int cuFuncGetModule(void **module, void *function) {
    const char *name;
    return ask(function, module, &name);
}

int cuFuncGetName(const char **name, void *function);
int cuFuncGetName(const char **name, void *function) {
    void *module;
    return ask(function, &module, name);
}

/* WARPLENS_TEST_CAPTURES: the stream's launches become those of a graph. */
int cuStreamIsCapturing(void *stream, int *status);
int cuStreamIsCapturing(void *stream, int *status) {
    (void)stream;
    called("cuStreamIsCapturing");
    *status = getenv("WARPLENS_TEST_CAPTURES") != NULL;
    return 0;
}

int cuDriverGetVersion(int *version) {
    *version = stand_in_cuda();
    return 0;
}

int cuDeviceGetCount(int *count) {
    *count = result_of("none") ? 0 : 1;
    return result_of(__func__);
}

int cuDeviceGetName(char *name, int size, int device) {
    called("cuDeviceGetName");
    (void)device;
    snprintf(name, (size_t)size, "NVIDIA H100 80GB HBM3");
    return result_of(__func__);
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    called("cuDeviceGetAttribute");
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 39 ? 2048 : 132;
    return result_of(__func__);
}
