/* Opens the driver and the runtime by paths where they are not, and a library with a runtime in it,
 * found by the program's own DT_RUNPATH, several times. */
#include "check.h"

#include <dlfcn.h>

typedef int Number(int *value);
typedef int Devices(void);

static void (*symbol(void *library, const char *name))(void) {
    void *found = library ? dlsym(library, name) : NULL;
    void (*function)(void);
    if (!library)
        puts(dlerror());
    CHECK(found);
    memcpy(&function, &found, sizeof function);
    return function;
}

static int number(const char *library, const char *name) {
    int value = 0;
    Number *call = (Number *)symbol(dlopen(library, RTLD_NOW), name);
    CHECK(call(&value) == 0);
    return value;
}

int main(void) {
    CHECK(number("/nowhere/libcuda.so.1", "cuDriverGetVersion") == 13000);
    CHECK(number("/nowhere/libcuda.so", "cuDriverGetVersion") == 13000);
    CHECK(number("libcuda.so.1", "cuDriverGetVersion") == 13000);
    CHECK(number("/nowhere/libcudart.so.13", "cudaRuntimeGetVersion") == 13000);
    CHECK(number("libcudart.so.12", "cudaRuntimeGetVersion") > 0);
    CHECK(!dlopen("/nowhere/libcudartifact.so", RTLD_NOW));
    for (int i = 0; i < 3; i++) {
        void *plugin = dlopen("libplugin.so", RTLD_NOW);
        Devices *devices = (Devices *)symbol(plugin, "plugin_devices");
        CHECK(devices() == 101);
        CHECK(dlclose(plugin) == 0);
    }
    puts("opens: fine");
    return 0;
}
