/* Whole files: read at once, written so that a reader never sees half of one. */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read(Arena *arena, const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct stat status;
    if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
        fclose(file);
        errno = EISDIR;
        return NULL;
    }
    VEC(char) text = {0};
    char piece[16384];
    size_t got;
    size_t expected = status.st_size > 0 ? (size_t)status.st_size : 0;
    text.at = arena_alloc(arena, expected + 1);
    text.capacity = (uint32_t)expected + 1;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        if (text.count + got + 1 > text.capacity) {
            size_t larger = (text.count + got + 1) * 2;
            char *moved = arena_alloc(arena, larger);
            memcpy(moved, text.at, text.count);
            text.at = moved;
            text.capacity = (uint32_t)larger;
        }
        memcpy(text.at + text.count, piece, got);
        text.count += (uint32_t)got;
    }
    bool failed = ferror(file);
    fclose(file);
    if (failed) {
        errno = EIO;
        return NULL;
    }
    text.at[text.count] = 0;
    *size = text.count;
    return text.at;
}

static bool write_all(int file, const char *data, size_t size) {
    while (size > 0) {
        ssize_t wrote = write(file, data, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        data += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

bool file_write(const char *path, const void *data, size_t size) {
    Arena *arena = arena_new();
    char *temporary = arena_printf(arena, "%s.XXXXXX", path);
    int file = mkstemp(temporary);
    bool good = file >= 0 && fchmod(file, 0644) == 0 && write_all(file, data, size);
    int reason = errno;
    if (file >= 0 && close(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(temporary, path) != 0) {
        reason = errno;
        good = false;
    }
    if (!good && file >= 0)
        unlink(temporary);
    arena_free(arena);
    errno = reason;
    return good;
}
