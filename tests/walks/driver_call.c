/* Asks for the granularity of multicast objects, by a call that the walk adds to the driver. */
#include <dlfcn.h>
#include <stdio.h>

#define CALL(name, ...) ((int (*)())dlsym(driver, name))(__VA_ARGS__)

int main(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    char properties[64] = {0};
    size_t granularity = 0;
    if (!driver)
        return 1;
    printf("made: %d\n", CALL("cuInit", 0));
    printf("asked: %d, ", CALL("cuMulticastGetGranularity", &granularity, properties, 0));
    printf("bytes: %zu, ", granularity);
    printf("of an unknown kind: %d\n",
           CALL("cuMulticastGetGranularity", &granularity, properties, 2));
    return 0;
}
