/* Looks the driver's functions up. */
#include "probe/inject/driver.h"

#include <dlfcn.h>

DriverApi driver_open(void) {
    DriverApi driver = {0};
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return driver;
#define FUNCTION(member, name, parameters) *(void **)&driver.member = dlsym(library, name);
    DRIVER_FUNCTIONS
#undef FUNCTION
    return driver;
}
