/* Looks the driver's functions up. */
#include "probe/inject/driver.h"
#include "base/library.h"

DriverApi driver_open(void) {
    DriverApi driver = {0};
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (!library)
        return driver;
#define FUNCTION(member, name, parameters) {name, &driver.member},
    const LibraryFunction wanted[] = {DRIVER_FUNCTIONS};
#undef FUNCTION
    LIBRARY_FUNCTIONS(library, wanted);
    return driver;
}
