/* Reads the source files that a module's .file directives name. */
#include "prof/prof.h"

#include <string.h>

bool source_map_parse(Arena *arena, const char *text, SourceMap *map) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return false;
    map->from = arena_copy(arena, text, (size_t)(equals - text));
    map->to = equals + 1;
    return true;
}

static const char *mapped(Arena *arena, const char *path, const SourceMap *maps, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(maps[i].from);
        if (strncmp(path, maps[i].from, length) == 0)
            return arena_printf(arena, "%s%s", maps[i].to, path + length);
    }
    return path;
}

void sources_read(Profile *profile, const SourceMap *maps, uint32_t count) {
    for (uint32_t i = 0; i < profile->files.count; i++) {
        SourceFile *file = &profile->files.at[i];
        size_t size;
        file->path = mapped(profile->arena, file->path, maps, count);
        const char *text = file_read(profile->arena, file->path, &size);
        if (!text || memchr(text, 0, size))
            continue;
        file->text = text;
        file->size = size;
        file->hash = bytes_hash(text, size, 0);
    }
}
