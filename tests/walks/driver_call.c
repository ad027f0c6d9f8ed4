/* Records an event in all streams of a context, by a call that the walk adds to the driver. */
#include <dlfcn.h>
#include <stdio.h>

#define CALL(name, ...) ((int (*)())dlsym(driver, name))(__VA_ARGS__)

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context = NULL, *event = NULL;
    if (!driver)
        return 1;
    int status = CALL("cuInit", 0) | CALL("cuDevicePrimaryCtxRetain", &context, 0) |
                 CALL("cuCtxSetCurrent", context) | CALL("cuEventCreate", &event, 0);
    printf("made: %d\n", status);
    printf("recorded: %d, ", CALL("cuCtxRecordEvent", context, event));
    printf("without a context: %d, ", CALL("cuCtxRecordEvent", (void *)0, event));
    printf("done: %d\n", CALL("cuEventQuery", event));
    return 0;
}
