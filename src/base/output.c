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

/* Whether both would be one file. What is not there yet is so by its folder and its name. */
static bool is_one(Arena *arena, const char *a, const char *b) {
    struct stat file, folder;
    if (stat(a, &file) == 0)
        return S_ISREG(file.st_mode) && is_same(&file, b);
    const char *name = strrchr(a, '/'), *other = strrchr(b, '/');
    size_t left = name ? (size_t)(name + 1 - a) : 0, right = other ? (size_t)(other + 1 - b) : 0;
    if (strcmp(a + left, b + right) != 0)
        return false;
    const char *here = left ? arena_copy(arena, a, left) : ".";
    return stat(here, &folder) == 0 && is_same(&folder, right ? arena_copy(arena, b, right) : ".");
}

static bool are_apart(const char *const *paths, uint32_t count, Diags *diags) {
    Arena *arena = arena_new();
    const char *twice = NULL;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; !twice && paths[i] && j < i; j++) {
            if (paths[j] && is_one(arena, paths[i], paths[j]))
                twice = paths[i];
        }
    }
    if (twice)
        diags_error(diags, "%s: two outputs would be in this file: name another", twice);
    arena_free(arena);
    return !twice;
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

bool outputs_usable(const char *const *paths, uint32_t path_count, const char *const *inputs,
                    uint32_t input_count, Diags *diags) {
    for (uint32_t i = 0; i < path_count; i++)
        if (!output_usable(paths[i], inputs, input_count, diags))
            return false;
    return are_apart(paths, path_count, diags);
}
