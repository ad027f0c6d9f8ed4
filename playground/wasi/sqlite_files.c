/* SQLite's way to files: those of one process, in memory of the page, so there is nothing to lock and nothing to lose. After SQLite's
 * own description of sqlite3_vfs and sqlite3_io_methods (https://www.sqlite.org/vfs.html). */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct File {
    sqlite3_file base;
    int descriptor;
} File;

static int file_close(sqlite3_file *at) {
    return close(((File *)at)->descriptor) == 0 ? SQLITE_OK : SQLITE_IOERR_CLOSE;
}

static int file_read(sqlite3_file *at, void *to, int bytes, sqlite3_int64 offset) {
    ssize_t got = pread(((File *)at)->descriptor, to, (size_t)bytes, offset);
    if (got < 0)
        return SQLITE_IOERR_READ;
    memset((char *)to + got, 0, (size_t)(bytes - got));
    return got == bytes ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *at, const void *from, int bytes, sqlite3_int64 offset) {
    return pwrite(((File *)at)->descriptor, from, (size_t)bytes, offset) == bytes ? SQLITE_OK
                                                                                  : SQLITE_FULL;
}

static int file_truncate(sqlite3_file *at, sqlite3_int64 size) {
    return ftruncate(((File *)at)->descriptor, size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int file_sync(sqlite3_file *at, int flags) {
    (void)at, (void)flags;
    return SQLITE_OK;
}

static int file_size(sqlite3_file *at, sqlite3_int64 *size) {
    struct stat status;
    if (fstat(((File *)at)->descriptor, &status) != 0)
        return SQLITE_IOERR_FSTAT;
    *size = status.st_size == 1 ? 0 : status.st_size; /* as SQLite's own: a database of nothing */
    return SQLITE_OK;
}

static int file_lock(sqlite3_file *at, int level) {
    (void)at, (void)level;
    return SQLITE_OK;
}

static int file_reserved(sqlite3_file *at, int *reserved) {
    (void)at;
    *reserved = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *at, int operation, void *argument) {
    (void)at, (void)operation, (void)argument;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *at) {
    (void)at;
    return 4096;
}

static int file_traits(sqlite3_file *at) {
    (void)at;
    return 0;
}

static const sqlite3_io_methods methods = {.iVersion = 1,
                                           .xClose = file_close,
                                           .xRead = file_read,
                                           .xWrite = file_write,
                                           .xTruncate = file_truncate,
                                           .xSync = file_sync,
                                           .xFileSize = file_size,
                                           .xLock = file_lock,
                                           .xUnlock = file_lock,
                                           .xCheckReservedLock = file_reserved,
                                           .xFileControl = file_control,
                                           .xSectorSize = file_sector,
                                           .xDeviceCharacteristics = file_traits};

static int files_open(sqlite3_vfs *files, const char *name, sqlite3_file *at, int flags,
                      int *given) {
    (void)files;
    File *file = (File *)at;
    const bool writes = flags & SQLITE_OPEN_READWRITE;
    int mode = writes ? O_RDWR : O_RDONLY;
    if (flags & SQLITE_OPEN_CREATE)
        mode |= O_CREAT;
    file->base.pMethods = NULL;
    file->descriptor = name ? open(name, mode, 0666) : -1;
    if (file->descriptor < 0)
        return SQLITE_CANTOPEN;
    file->base.pMethods = &methods;
    if (given)
        *given = flags;
    return SQLITE_OK;
}

static int files_delete(sqlite3_vfs *files, const char *name, int sync) {
    (void)files, (void)sync;
    return unlink(name) == 0 || errno == ENOENT ? SQLITE_OK : SQLITE_IOERR_DELETE;
}

static int files_access(sqlite3_vfs *files, const char *name, int flags, int *there) {
    (void)files, (void)flags;
    struct stat status;
    *there = stat(name, &status) == 0;
    return SQLITE_OK;
}

static int files_path(sqlite3_vfs *files, const char *name, int room, char *path) {
    (void)files;
    sqlite3_snprintf(room, path, "%s", name);
    return SQLITE_OK;
}

static int files_random(sqlite3_vfs *files, int bytes, char *to) {
    (void)files;
    return getentropy(to, (size_t)bytes) == 0 ? bytes : 0;
}

static int files_sleep(sqlite3_vfs *files, int microseconds) {
    (void)files;
    return microseconds;
}

static int files_time(sqlite3_vfs *files, double *days) {
    (void)files;
    *days = (double)time(NULL) / 86400 + 2440587.5; /* Julian */
    return SQLITE_OK;
}

static int files_error(sqlite3_vfs *files, int bytes, char *text) {
    (void)files, (void)bytes, (void)text;
    return 0;
}

int sqlite3_os_init(void) {
    static sqlite3_vfs files = {.iVersion = 1,
                                .szOsFile = sizeof(File),
                                .mxPathname = 512,
                                .zName = "files",
                                .xOpen = files_open,
                                .xDelete = files_delete,
                                .xAccess = files_access,
                                .xFullPathname = files_path,
                                .xRandomness = files_random,
                                .xSleep = files_sleep,
                                .xCurrentTime = files_time,
                                .xGetLastError = files_error};
    return sqlite3_vfs_register(&files, 1);
}

int sqlite3_os_end(void) {
    return SQLITE_OK;
}
