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
    /* The size is a hint: pipes have none, and files grow. */
    size_t room = (status.st_size > 0 ? (size_t)status.st_size : 0) + 4096, count = 0, got;
    char *text = arena_alloc(arena, room + 1);
    while ((got = fread(text + count, 1, room - count, file)) > 0) {
        count += got;
        if (count < room)
            continue;
        char *larger = arena_alloc(arena, 2 * room + 1);
        memcpy(larger, text, count);
        text = larger;
        room *= 2;
    }
    bool failed = ferror(file);
    fclose(file);
    if (failed) {
        errno = EIO;
        return NULL;
    }
    text[count] = 0;
    *size = count;
    return text;
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
