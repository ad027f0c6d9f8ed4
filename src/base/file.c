/* Whole files: read at once, written so that a reader never sees half of one. */
#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL and errno; EFBIG: there is more than `most`. Closes the file. */
static char *read_all(Arena *arena, FILE *file, size_t expected, size_t most, size_t *size) {
    /* What is expected is a hint: pipes have no size, and files grow. */
    size_t room = expected + 4096, count = 0, got;
    char *text = arena_alloc(arena, room + 1);
    while (count <= most && (got = fread(text + count, 1, room - count, file)) > 0) {
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
    errno = failed ? EIO : EFBIG;
    if (failed || count > most)
        return NULL;
    text[count] = 0;
    *size = count;
    return text;
}

char *file_read(Arena *arena, const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    struct stat status;
    bool known = fstat(fileno(file), &status) == 0;
    if (known && S_ISDIR(status.st_mode)) {
        fclose(file);
        errno = EISDIR;
        return NULL;
    }
    size_t expected = known && status.st_size > 0 ? (size_t)status.st_size : 0;
    return read_all(arena, file, expected, SIZE_MAX, size);
}

/* ---- sources ---- */

static bool lies_below(const char *path, const char *root) {
    char *folder = realpath(root, NULL), *real = realpath(path, NULL);
    size_t length = folder ? strlen(folder) : 0;
    bool below = folder && real && strncmp(real, folder, length) == 0 &&
                 (real[length] == '/' || folder[length - 1] == '/');
    free(folder);
    free(real);
    return below;
}

enum { SOURCE_MOST = 64 << 20 };

/* Why an open file is not read; NULL: it is. */
static const char *refusal(int file, const char *path, const char *root, size_t *size) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return strerror(errno);
    errno = EINVAL;
    *size = (size_t)status.st_size;
    return !S_ISREG(status.st_mode)          ? "not a regular file"
           : status.st_size > SOURCE_MOST    ? "larger than 64 MiB"
           : root && !lies_below(path, root) ? "not below --root"
                                             : NULL;
}

/* Opening a pipe or a device does not wait, and nothing is read from it. */
char *source_read(Arena *arena, const char *path, const char *root, size_t *size,
                  const char **why) {
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    *why = file < 0 ? strerror(errno) : refusal(file, path, root, size);
    FILE *stream = *why ? NULL : fdopen(file, "rb");
    if (!stream) {
        int reason = errno;
        if (file >= 0)
            close(file);
        errno = reason;
        return NULL;
    }
    char *text = read_all(arena, stream, *size, SOURCE_MOST, size);
    *why = text ? NULL : strerror(errno);
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

/* ---- taking a file's place ---- */

enum { NAMES_TRIED = 100 };

/* Whether `name` is NAME.PID-N, as make_beside makes it. */
static bool is_beside(const char *name, const char *of) {
    size_t length = strlen(of);
    if (strncmp(name, of, length) != 0 || name[length] != '.')
        return false;
    const char *at = name + length + 1;
    size_t process = strspn(at, "0123456789"), number = 0;
    if (at[process] == '-')
        number = strspn(at + process + 1, "0123456789");
    return process && number && !at[process + 1 + number];
}

/* A lock lasts as long as its process: who gets it finds a file that nobody writes any more. */
static void remove_unowned(int folder, const char *name) {
    int file = openat(folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
        flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    if (file >= 0)
        close(file);
}

/* What processes that were killed have left beside the target. */
static void remove_left_over(Arena *arena, const char *target) {
    const char *slash = strrchr(target, '/');
    const char *folder = slash ? arena_copy(arena, target, (size_t)(slash - target) + 1) : ".";
    DIR *listing = opendir(folder);
    if (!listing)
        return;
    for (const struct dirent *entry; (entry = readdir(listing));)
        if (is_beside(entry->d_name, slash ? slash + 1 : target))
            remove_unowned(dirfd(listing), entry->d_name);
    closedir(listing);
}

/* The file is there and its own: between its making and its lock another process may have removed it. */
static bool is_owned(int descriptor) {
    struct stat status;
    flock(descriptor, LOCK_EX | LOCK_NB); /* some file systems have no locks */
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

/* A file of a name that is not taken yet, with what the umask leaves of 0666. */
static bool make_beside(Arena *arena, NewFile *file) {
    for (int i = 0; i < NAMES_TRIED; i++) {
        file->path = arena_printf(arena, "%s.%ld-%d", file->target, (long)getpid(), i);
        file->descriptor = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->descriptor < 0 && errno != EEXIST)
            return false;
        if (file->descriptor >= 0 && is_owned(file->descriptor))
            return true;
        if (file->descriptor >= 0)
            close(file->descriptor);
    }
    file->descriptor = -1;
    return false;
}

bool new_file_begin(Arena *arena, const char *path, NewFile *file) {
    struct stat old;
    char *real = realpath(path, NULL);
    *file = (NewFile){.descriptor = -1};
    file->target = arena_copy(arena, real ? real : path, strlen(real ? real : path));
    free(real);
    bool exists = stat(file->target, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        errno = S_ISDIR(old.st_mode) ? EISDIR : ENOTSUP;
        return false;
    }
    file->keep_mode = exists;
    file->mode = exists ? old.st_mode & 07777 : 0;
    remove_left_over(arena, file->target);
    return make_beside(arena, file);
}

/* On the disk; some file systems have nothing to do for it. */
static bool flush(int descriptor) {
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

/* That the name leads to the new file is on the disk, too. */
static void flush_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    char *name = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    int folder = open(name ? name : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)!fsync(folder);
        close(folder);
    }
    free(name);
}

bool new_file_end(NewFile *file, bool good) {
    int reason = errno;
    if (file->descriptor < 0)
        return false;
    if (good && file->keep_mode)
        (void)!fchmod(file->descriptor, file->mode); /* some file systems have no modes */
    if (good && file->lasts && !flush(file->descriptor)) {
        reason = errno;
        good = false;
    }
    if (close(file->descriptor) != 0 && good) {
        reason = errno;
        good = false;
    }
    if (good && rename(file->path, file->target) != 0) {
        reason = errno;
        good = false;
    }
    if (!good)
        unlink(file->path);
    else if (file->lasts)
        flush_folder(file->target);
    file->descriptor = -1;
    errno = reason;
    return good;
}

/* To what is no regular file: a pipe, /dev/stdout. */
static bool write_through(const char *path, const void *data, size_t size) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool good = file >= 0 && write_all(file, data, size);
    int reason = errno;
    if (file >= 0 && close(file) != 0 && good) {
        reason = errno;
        good = false;
    }
    errno = reason;
    return good;
}

static bool write_file(const char *path, const void *data, size_t size, bool lasts) {
    Arena *arena = arena_new();
    NewFile file;
    bool good = new_file_begin(arena, path, &file);
    file.lasts = lasts;
    if (good)
        good = new_file_end(&file, write_all(file.descriptor, data, size));
    else if (errno == ENOTSUP)
        good = write_through(path, data, size);
    int reason = errno;
    arena_free(arena);
    errno = reason;
    return good;
}

bool file_write(const char *path, const void *data, size_t size) {
    return write_file(path, data, size, false);
}

bool file_keep(const char *path, const void *data, size_t size) {
    return write_file(path, data, size, true);
}
