/* Fuzz targets of what is read from a file: the bytes as one, and what must hold. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FUZZ_FILE "/dev/shm/warplens-fuzz-XXXXXX"

static inline void must(bool good, const char *what) {
    if (good)
        return;
    perror(what);
    abort();
}

/* path: FUZZ_FILE, whose end becomes unique. */
static inline void fuzz_file_write(char *path, const uint8_t *data, size_t size) {
    int file = mkstemp(path);
    must(file >= 0 && write(file, data, size) == (ssize_t)size, path);
    close(file);
}
