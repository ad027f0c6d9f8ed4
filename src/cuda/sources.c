/* Texts of sources that are in no file: programs give them to NVRTC. The profile has them by the names that their PTX has. */
#include "cuda/record.h"
#include "cuda/state.h"

#include <string.h>

typedef struct NotedSource {
    const char *text;
    size_t size;
} NotedSource;

static const NotedSource *noted(const Core *core, Str name) {
    uint64_t found;
    return core->sources && map_get(core->sources, name, &found)
               ? (const NotedSource *)(uintptr_t)found
               : NULL;
}

static void note(Core *core, const char *name, const char *text, size_t size) {
    NotedSource *source = NEW(core->arena, NotedSource);
    *source = (NotedSource){arena_copy(core->arena, text, size), size};
    if (!core->sources)
        core->sources = map_new(core->arena);
    map_put(core->sources, str_of(name), (uintptr_t)source);
}

const char *source_note(const char *name, const char *text) {
    Core *core = core_get();
    size_t size = strlen(text);
    core_lock();
    const char *unique = arena_copy(core->arena, name, strlen(name));
    for (uint32_t number = 2;; number++) {
        const NotedSource *known = noted(core, str_of(unique));
        if (!known)
            note(core, unique, text, size);
        if (!known || (known->size == size && memcmp(known->text, text, size) == 0))
            break;
        unique = arena_printf(core->arena, "%s#%u", name, number);
    }
    core_unlock();
    return unique;
}

/* Of "/a/b": "/a/b", "a/b", "b": compilers put the current directory before it. */
static const NotedSource *noted_path(const Core *core, const char *path) {
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += at > path || *at == '/';
        const NotedSource *found = noted(core, str_of(at));
        if (found)
            return found;
    }
    return noted(core, str_of(path));
}

void sources_fill(Core *core, Profile *profile) {
    core_lock();
    for (; core->sources && core->sources_filled < profile->files.count; core->sources_filled++) {
        SourceFile *file = &profile->files.at[core->sources_filled];
        const NotedSource *found = file->text ? NULL : noted_path(core, file->path);
        if (!found)
            continue;
        file->text = found->text;
        file->size = found->size;
        file->hash = bytes_hash(found->text, found->size, 0);
    }
    core_unlock();
}
