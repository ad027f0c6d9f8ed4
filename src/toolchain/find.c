/* Where other people's tools are: told by the environment, on PATH, or where CUDA installs itself.
 */
#include "toolchain/toolchain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path) {
    struct stat status;
    return access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The environment's WARPLENS_TOOL, or NULL. */
static const char *told(Arena *arena, const char *tool) {
    char *variable = arena_printf(arena, "WARPLENS_%s", tool);
    for (char *at = variable; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return getenv(variable);
}

static const char *in_directory(Arena *arena, Str directory, const char *rest, const char *tool) {
    if (directory.length == 0)
        return NULL;
    const char *path = arena_printf(arena, STR_FMT "%s/%s", STR_ARG(directory), rest, tool);
    return is_program(path) ? path : NULL;
}

static const char *on_path(Arena *arena, const char *tool) {
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        const char *found = in_directory(arena, (Str){path, length}, "", tool);
        if (found)
            return found;
        path += length + (path[length] == ':');
    }
    return NULL;
}

const char *toolchain_find(Arena *arena, const char *tool) {
    const char *exactly = told(arena, tool);
    if (exactly)
        return is_program(exactly) ? exactly : NULL;
    const char *found = on_path(arena, tool);
    const char *const roots[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
    for (size_t i = 0; !found && i < sizeof roots / sizeof *roots; i++) {
        if (roots[i])
            found = in_directory(arena, str_of(roots[i]), "/bin", tool);
    }
    return found;
}
