/* library: functions of a library that the process loads while it runs. For those who load one: the C library of the
 * playground has no dynamic loader. */
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* A function that is wanted, and the pointer to a function that gets its address. */
typedef struct LibraryFunction {
    const char *name;
    void *pointer;
} LibraryFunction;

/* Looks all of them up in a library that dlopen has given, and sets their pointers: to NULL where it has none of that name.
 * Returns the first name that it lacks; NULL: it has all. */
static inline const char *library_functions(void *library, const LibraryFunction *wanted,
                                            size_t count) {
    const char *missing = NULL;
    for (size_t i = 0; i < count; i++) {
        void *found = dlsym(library, wanted[i].name);
        memcpy(wanted[i].pointer, &found, sizeof found);
        if (!found && !missing)
            missing = wanted[i].name;
    }
    return missing;
}

/* The same for an array of them. */
#define LIBRARY_FUNCTIONS(library, wanted)                                                         \
    library_functions(library, wanted, sizeof(wanted) / sizeof *(wanted))
