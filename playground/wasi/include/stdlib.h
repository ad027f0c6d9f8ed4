/* stdlib.h: names of files. There are no links, and no folder for what is temporary. */
#pragma once

#include <errno.h>
#include_next <stdlib.h>
#include <string.h>

static inline char *realpath(const char *path, char *resolved) {
    return resolved ? strcpy(resolved, path) : strdup(path);
}
static inline char *mkdtemp(char *pattern) {
    (void)pattern;
    errno = ENOSYS;
    return NULL;
}
