/* Answers of compilers in a folder of the user's. */
#include "base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CACHE_BYTES_MOST = 256 << 20 };

/* ---- where ---- */

const char *cache_folder(Arena *arena) {
    const char *told = getenv("WARPLENS_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (told)
        return *told ? told : NULL;
    if (cache && *cache == '/')
        return arena_printf(arena, "%s/warplens/compilers", cache);
    return home && *home == '/' ? arena_printf(arena, "%s/.cache/warplens/compilers", home) : NULL;
}

/* The folder and those above it. */
static bool make_folder(Arena *arena, const char *folder) {
    char *path = arena_printf(arena, "%s", folder);
    for (char *at = path + 1; *at; at++) {
        if (*at == '/') {
            *at = 0;
            mkdir(path, 0700);
            *at = '/';
        }
    }
    struct stat is;
    mkdir(path, 0700);
    return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

bool cache_usable(Arena *arena) {
    const char *folder = cache_folder(arena);
    return folder && make_folder(arena, folder) && access(folder, W_OK | X_OK) == 0;
}

static const char suffix[] = ".answer";

static const char *path_of(Arena *arena, const char *folder, const CacheKey *key) {
    return arena_printf(arena, "%s/%016llx%016llx%s", folder, (unsigned long long)key->hash[0],
                        (unsigned long long)key->hash[1], suffix);
}

/* ---- keys ---- */

void cache_key_add(CacheKey *key, const void *data, size_t size) {
    key->hash[0] = bytes_hash(data, size, key->hash[0] ^ size);
    key->hash[1] = bytes_hash(data, size, key->hash[1] + UINT64_C(0x9e3779b97f4a7c15));
}

void cache_key_add_text(CacheKey *key, const char *text) {
    cache_key_add(key, text, strlen(text) + 1);
}

bool cache_key_add_tool(CacheKey *key, const char *path) {
    struct stat is;
    if (stat(path, &is) != 0)
        return false;
    uint64_t facts[] = {(uint64_t)is.st_size, (uint64_t)is.st_mtim.tv_sec,
                        (uint64_t)is.st_mtim.tv_nsec, (uint64_t)is.st_ino};
    cache_key_add_text(key, path);
    cache_key_add(key, facts, sizeof facts);
    return true;
}

/* ---- answers ---- */

/* Whether the file is of this user, and nobody else writes to it: code that is kept is executed. */
static bool is_own(int file, size_t *size) {
    struct stat is;
    if (fstat(file, &is) != 0 || !S_ISREG(is.st_mode) || is.st_uid != geteuid() ||
        (is.st_mode & S_IWOTH) || is.st_size > CACHE_BYTES_MOST)
        return false;
    *size = (size_t)is.st_size;
    return true;
}

static bool read_whole(int file, char *answer, size_t size) {
    for (size_t count = 0; count < size;) {
        ssize_t got = read(file, answer + count, size - count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        count += (size_t)got;
    }
    return true;
}

char *cache_read(Arena *arena, const CacheKey *key, size_t *size) {
    const char *folder = cache_folder(arena);
    if (!folder)
        return NULL;
    size_t bytes = 0;
    int file = open(path_of(arena, folder, key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    char *answer = file >= 0 && is_own(file, &bytes) ? arena_alloc(arena, bytes + 1) : NULL;
    if (answer && !read_whole(file, answer, bytes))
        answer = NULL;
    if (answer)
        futimens(file, NULL); /* used now */
    if (file >= 0)
        close(file);
    if (size)
        *size = bytes;
    return answer;
}

typedef struct CachedFile {
    const char *path;
    struct timespec used;
    uint64_t bytes;
} CachedFile;

typedef struct CachedFiles {
    VEC(CachedFile) files;
    uint64_t bytes;
} CachedFiles;

static CachedFiles list(Arena *arena, const char *folder) {
    CachedFiles found = {.bytes = 0};
    DIR *names = opendir(folder);
    for (struct dirent *entry; names && (entry = readdir(names));) {
        size_t length = strlen(entry->d_name), ending = strlen(suffix);
        struct stat is;
        if (length <= ending || strcmp(entry->d_name + length - ending, suffix) != 0 ||
            fstatat(dirfd(names), entry->d_name, &is, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(is.st_mode))
            continue;
        *vec_add(arena, &found.files) =
            (CachedFile){.path = arena_printf(arena, "%s/%s", folder, entry->d_name),
                         .used = is.st_mtim,
                         .bytes = (uint64_t)is.st_size};
        found.bytes += (uint64_t)is.st_size;
    }
    if (names)
        closedir(names);
    return found;
}

static int oldest_first(const void *a, const void *b) {
    const CachedFile *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    return (x->used.tv_nsec > y->used.tv_nsec) - (x->used.tv_nsec < y->used.tv_nsec);
}

/* Half of what may be there stays, so that this is rare. */
static void make_room(Arena *arena, const char *folder) {
    CachedFiles found = list(arena, folder);
    if (found.bytes <= CACHE_BYTES_MOST)
        return;
    qsort(found.files.at, found.files.count, sizeof *found.files.at, oldest_first);
    for (uint32_t i = 0; i < found.files.count && found.bytes > CACHE_BYTES_MOST / 2; i++)
        if (unlink(found.files.at[i].path) == 0)
            found.bytes -= found.files.at[i].bytes;
}

void cache_write(Arena *arena, const CacheKey *key, const void *answer, size_t size) {
    const char *folder = cache_folder(arena);
    if (!folder || !make_folder(arena, folder))
        return;
    const char *path = path_of(arena, folder, key);
    struct stat is;
    if (lstat(path, &is) == 0 &&
        S_ISLNK(is.st_mode)) /* file_write would replace what it leads to */
        unlink(path);
    file_write(path, answer, size);
    make_room(arena, folder);
}

/* ---- what is there ---- */

CacheUse cache_use(Arena *arena) {
    const char *folder = cache_folder(arena);
    CachedFiles found = {.bytes = 0};
    if (folder)
        found = list(arena, folder);
    return (CacheUse){.answers = found.files.count, .bytes = found.bytes};
}

bool cache_clear(Arena *arena, CacheUse *gone) {
    const char *folder = cache_folder(arena);
    CachedFiles found = {.bytes = 0};
    *gone = (CacheUse){.answers = 0};
    if (folder)
        found = list(arena, folder);
    for (uint32_t i = 0; i < found.files.count; i++) {
        if (unlink(found.files.at[i].path) != 0)
            return false;
        gone->answers++;
        gone->bytes += found.files.at[i].bytes;
    }
    return true;
}
