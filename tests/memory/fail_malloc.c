/* Loaded into a program (LD_PRELOAD): allocation number FAIL_MALLOC, counted from 1, fails. Without the variable none does;
 * with FAIL_WAITS they count from fail_malloc_begin on; at its end the program writes how many there were to the file COUNT_MALLOC.
 * Programs that it starts are left alone. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *at, size_t size);

static atomic_ulong allocations;
static atomic_bool waits; /* FAIL_WAITS: none counts until the program says so */
static unsigned long failing;
static const char
    *counted; /* the file, which lies in the environment that the program began with */

void fail_malloc_begin(void);
void fail_malloc_begin(void) {
    waits = 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FAIL_MALLOC");
    failing = text ? strtoul(text, NULL, 10) : 0;
    waits = getenv("FAIL_WAITS") != NULL;
    counted = getenv("COUNT_MALLOC");
    unsetenv("FAIL_MALLOC");
    unsetenv("COUNT_MALLOC");
    allocations = 0; /* the loader's own do not count */
}

__attribute__((destructor)) static void end(void) {
    unsigned long count = allocations;
    FILE *file = counted ? fopen(counted, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu\n", count);
    fclose(file);
}

static int fails(void) {
    if (waits)
        return 0;
    if (atomic_fetch_add(&allocations, 1) + 1 != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *at, size_t size) {
    return fails() ? NULL : __libc_realloc(at, size);
}
