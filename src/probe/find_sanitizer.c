/* Where this machine has the library of the Compute Sanitizer API. */
#include "probe/probe.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SANITIZER "libsanitizer-public.so"

static const char *readable(Arena *arena, const char *folder, const char *below) {
    const char *path = arena_printf(arena, "%s/%s" SANITIZER, folder, below);
    return access(path, R_OK) == 0 ? path : NULL;
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* What the toolkits and the Python package have below their root. */
static const char *below_root(Arena *arena, const char *root) {
    static const char *const places[] = {"compute-sanitizer/", "extras/compute-sanitizer/", "lib/",
                                         "lib64/", ""};
    const char *found = NULL;
    for (size_t i = 0; root && *root && !found && i < sizeof places / sizeof *places; i++)
        found = readable(arena, root, places[i]);
    return found;
}

static const char *beside_ptxas(Arena *arena) {
    const char *ptxas = toolchain_find(arena, "ptxas");
    char *real = ptxas ? realpath(ptxas, NULL) : NULL;
    if (!real)
        return NULL;
    char *root = arena_copy(arena, real, strlen(real));
    free(real);
    for (int up = 0; up < 2; up++)
        if (strrchr(root, '/'))
            *strrchr(root, '/') = 0;
    return below_root(arena, root);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the folders whose names fit the first pattern, in alphabetical order, those in them whose names fit the second, and so on; NULL at
 * the end. (glob reads the folder's own name as a pattern, too, and glibc's frees twice where there is no memory.) */
static const char *in_fitting(Arena *arena, const char *folder, const char *const *patterns) {
    VEC(const char *) names = {0};
    const char *found = NULL;
    if (!*patterns)
        return below_root(arena, folder);
    DIR *directory = opendir(folder);
    for (const struct dirent *entry; directory && (entry = readdir(directory));)
        if (fnmatch(*patterns, entry->d_name, FNM_PERIOD) == 0)
            *vec_add(arena, &names) = arena_copy(arena, entry->d_name, strlen(entry->d_name));
    if (directory)
        closedir(directory);
    if (names.count)
        qsort(names.at, names.count, sizeof *names.at, by_name);
    for (uint32_t i = 0; !found && i < names.count; i++)
        found = in_fitting(arena, arena_printf(arena, "%s/%s", folder, names.at[i]), patterns + 1);
    return found;
}

/* Where pip puts packages: of this user, of a virtual environment, of the system; those for CUDA 13 (two layouts) and for CUDA 12. */
static const char *in_packages(Arena *arena) {
    static const char *const folders[][5] = {
        {"python3*", "*-packages", "nvidia", "cu1[23]"},
        {"python3*", "*-packages", "nvidia", "cuda_sanitizer_api"}};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    const char *home = getenv("HOME"), *environment = getenv("VIRTUAL_ENV");
    const char *const roots[] = {environment ? environment : "",
                                 arena_printf(arena, "%s/.local", home ? home : ""), "/usr/local",
                                 "/usr"};
    const char *found = NULL;
    for (size_t i = 0; !found && i < sizeof roots / sizeof *roots * FOLDERS; i++)
        if (*roots[i / FOLDERS])
            found = in_fitting(arena, arena_printf(arena, "%s/lib", roots[i / FOLDERS]),
                               folders[i % FOLDERS]);
    return found;
}

const char *probe_sanitizer(Arena *arena) {
    const char *told = getenv("WARPLENS_SANITIZER");
    if (told && *told)
        return is_folder(told) ? below_root(arena, told) : access(told, R_OK) == 0 ? told : NULL;
    const char *found = beside_ptxas(arena);
    const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (size_t i = 0; !found && i < sizeof roots / sizeof *roots; i++)
        found = below_root(arena, roots[i]);
    return found ? found : in_packages(arena);
}
