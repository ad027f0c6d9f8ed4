/* A library with a static runtime, whose constructor already calls it: the function by which such objects
 * are known, and a runtime of its own, which must not be called. */
#pragma GCC visibility push(hidden)
int cudaRuntimeGetVersion(int *version);
int cudaGetDeviceCount(int *count);
void **__cudaRegisterFatBinary(void *wrapper);
#pragma GCC visibility pop
__attribute__((visibility("default"))) int plugin_devices(void);

__attribute__((noinline)) int cudaRuntimeGetVersion(int *version) {
    *version = -13;
    return 999;
}

__attribute__((noinline)) int cudaGetDeviceCount(int *count) {
    *count = -1;
    return 999;
}

__attribute__((noinline, used)) void **__cudaRegisterFatBinary(void *wrapper) {
    return wrapper;
}

static volatile int at_start; /* or clang runs the constructor when it compiles */

__attribute__((constructor)) static void start(void) {
    int count;
    cudaGetDeviceCount(&count);
    at_start = count;
}

/* 100 * what the constructor was told + what is told now. */
int plugin_devices(void) {
    int now;
    cudaGetDeviceCount(&now);
    return 100 * at_start + now;
}
