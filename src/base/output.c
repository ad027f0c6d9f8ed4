/* What a command is asked to write is looked at before it begins its work. */
#include "base/base.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same(const struct stat *file, const char *path) {
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == file->st_dev &&
           other.st_ino == file->st_ino;
}

/* Makes the new file, and takes it away again. */
static bool can_write(const char *path) {
    Arena *arena = arena_new();
    NewFile file;
    bool good = new_file_begin(arena, path, &file);
    int reason = errno;
    if (good)
        new_file_end(&file, false);
    else if (reason == ENOTSUP && access(path, W_OK) == 0)
        good = true; /* a pipe, /dev/stdout */
    arena_free(arena);
    errno = reason;
    return good;
}

bool output_usable(const char *path, const char *const *inputs, uint32_t count, Diags *diags) {
    struct stat old;
    if (!path)
        return true;
    bool exists = stat(path, &old) == 0 && S_ISREG(old.st_mode);
    for (uint32_t i = 0; exists && i < count; i++) {
        if (!is_same(&old, inputs[i]))
            continue;
        diags_error(
            diags, "%s: is read by this command and would be overwritten: name another file", path);
        return false;
    }
    if (can_write(path))
        return true;
    diags_error(diags, "%s: cannot be written: %s", path, strerror(errno));
    return false;
}
