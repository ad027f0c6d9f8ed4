/* The root of the project that the profiled program belongs to: which source files are the user's, and
 * where paths are given from. It is decided where the profile is made, as only there the file system
 * says where the repository is. */
#include "prof/prof.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

/* ---- paths, as text ---- */

/* "/a/c" of "/a/./b//../c": the compiler records what it was given. */
static char *plain(Arena *arena, const char *path) {
    char *to = arena_alloc_aligned(arena, strlen(path) + 2, 1);
    bool absolute = *path == '/';
    size_t length = 0, fixed = absolute; /* what ".." does not take away */
    if (absolute)
        to[length++] = '/';
    for (size_t part; *path; path += part + (path[part] == '/')) {
        part = strcspn(path, "/");
        if (part == 0 || (part == 1 && *path == '.'))
            continue;
        bool up = part == 2 && memcmp(path, "..", 2) == 0;
        if (up && (length > fixed || absolute)) {
            while (length > fixed && to[length - 1] != '/')
                length--;
            length -= length > fixed;
            continue;
        }
        if (length && to[length - 1] != '/')
            to[length++] = '/';
        memcpy(to + length, path, part);
        length += part;
        fixed = up ? length : fixed;
    }
    to[length] = 0;
    return to;
}

/* The rest of a path below a folder, or NULL. A relative path lies below the folder that the compiler
 * ran in, which no profile knows: below the root, unless it leads out. */
static const char *below(const char *folder, const char *path) {
    size_t length = strlen(folder);
    if (*path != '/')
        return strncmp(path, "../", 3) == 0 ? NULL : path;
    if (length == 1)
        return path + 1;
    return strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* Cuts the last part off; false: there is none. */
static bool go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || !slash[1])
        return false;
    slash[slash == path] = 0;
    return true;
}

static bool is_there(Arena *arena, const char *folder, const char *name) {
    return access(arena_printf(arena, "%s/%s", folder, name), F_OK) == 0;
}

/* ---- whose files ---- */

/* Headers of CUDA and of its libraries are nobody's project, wherever they are installed: a folder of
 * the repository may hold the whole toolkit. */
static bool is_toolkit(Arena *arena, const char *path) {
    static const char *const marks[] = {"cuda_runtime.h", "cub/cub.cuh", "thrust/version.h",
                                        "cuda/std/version", "curand_kernel.h"};
    char *folder = arena_printf(arena, "%s", path);
    while (go_up(folder))
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
            if (is_there(arena, folder, marks[i]))
                return true;
    return false;
}

static bool is_header(const char *path) {
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc"};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return !dot;
}

void profile_set_root(Profile *profile, const char *root) {
    profile->root = plain(profile->arena, root);
    profile->own_count = profile->files.count;
    profile->own = NEW_ARRAY(profile->arena, bool, profile->own_count);
    for (uint32_t i = 0; i < profile->own_count; i++) {
        const SourceFile *file = &profile->files.at[i];
        profile->own[i] =
            !file->toolkit && below(profile->root, plain(profile->arena, file->path)) != NULL;
    }
}

const char *profile_path(Arena *arena, const Profile *profile, const char *path) {
    const char *clean = plain(arena, path);
    bool cut = profile->root && strlen(profile->root) > 1;
    const char *rest = cut ? below(profile->root, clean) : NULL;
    return rest ? rest : clean;
}

const char *root_of_both(Arena *arena, const char *a, const char *b) {
    char *folder = plain(arena, a);
    while (!below(folder, plain(arena, b)) && strcmp(folder, plain(arena, b)) != 0 && go_up(folder))
        continue;
    return folder;
}

/* ---- the default ---- */

typedef struct Sources {
    Arena *arena;
    const char *here; /* the current directory */
    VEC(char *) list; /* absolute; what is compiled by itself before headers */
} Sources;

static void add_sources(Sources *sources, const Profile *profile, bool headers) {
    for (uint32_t i = 0; i < profile->files.count; i++) {
        const SourceFile *file = &profile->files.at[i];
        if (file->toolkit || is_header(file->path) != headers)
            continue;
        const char *path = *file->path == '/'
                               ? file->path
                               : arena_printf(sources->arena, "%s/%s", sources->here, file->path);
        *vec_add(sources->arena, &sources->list) = plain(sources->arena, path);
    }
}

/* The nearest folder that holds `.git`, from the path upwards, or NULL. */
static const char *repository_of(Arena *arena, const char *path) {
    char *folder = arena_printf(arena, "%s", path);
    do
        if (is_there(arena, folder, ".git"))
            return folder;
    while (go_up(folder));
    return NULL;
}

static bool any_below(const Sources *sources, const char *folder) {
    for (uint32_t i = 0; i < sources->list.count; i++)
        if (below(folder, sources->list.at[i]))
            return true;
    return false;
}

/* The repository that one works in, if any source is of it; else the first source's. */
static const char *find_repository(const Sources *sources) {
    const char *found = repository_of(sources->arena, sources->here);
    if (found && any_below(sources, found))
        return found;
    found = NULL;
    for (uint32_t i = 0; i < sources->list.count && !found; i++)
        found = repository_of(sources->arena, sources->list.at[i]);
    return found;
}

/* The folder that all sources are in. */
static const char *find_folder(const Sources *sources) {
    if (!sources->list.count)
        return NULL;
    char *folder = arena_printf(sources->arena, "%s", sources->list.at[0]);
    go_up(folder);
    for (uint32_t i = 1; i < sources->list.count; i++)
        while (!below(folder, sources->list.at[i]) && go_up(folder))
            continue;
    return folder;
}

void profile_find_root(Profile *profile) {
    Arena *arena = arena_new();
    char here[PATH_MAX];
    Sources sources = {.arena = arena, .here = getcwd(here, sizeof here) ? here : "/"};
    for (uint32_t i = 0; i < profile->files.count; i++)
        profile->files.at[i].toolkit |= is_toolkit(arena, profile->files.at[i].path);
    add_sources(&sources, profile, false);
    const char *folder = find_folder(&sources);
    add_sources(&sources, profile, true);
    const char *root = find_repository(&sources);
    root = root ? root : folder ? folder : find_folder(&sources);
    profile_set_root(profile, root ? root : here);
    arena_free(arena);
}
