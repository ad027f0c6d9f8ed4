/* Which version of a tool there is. It is asked once, and its answer kept (cache.c). */
#include "toolchain/toolchain.h"

#include <string.h>

/* NULL: it could not be asked. */
static const char *ask(Arena *arena, const char *path) {
    const char *scratch = scratch_new(arena);
    if (!scratch)
        return NULL;
    const char *const argv[] = {path, "--version", NULL};
    ProcessResult result = process_run(arena, argv, scratch, NULL);
    scratch_remove(scratch);
    return result.status == 0 ? result.output : NULL;
}

/* "Cuda compilation tools, release 13.0, V13.0.88" */
const char *toolchain_version(Arena *arena, const char *tool) {
    const char *path = toolchain_find(arena, tool);
    CacheKey key = {{0}};
    cache_key_add_text(&key, "version");
    if (!path || !cache_key_add_tool(&key, path))
        return NULL;
    const char *answer = cache_read(arena, &key, NULL);
    if (!answer && (answer = ask(arena, path)))
        cache_write(arena, &key, answer, strlen(answer));
    const char *version = answer ? strstr(answer, ", V") : NULL;
    return version ? arena_copy(arena, version + 3, strcspn(version + 3, " \n")) : NULL;
}
