/* Reads the source files that a module's .file directives name. */
#include "prof/prof.h"

#include <errno.h>
#include <string.h>

bool source_map_parse(Arena *arena, const char *text, SourceMap *map) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return false;
    map->from = arena_copy(arena, text, (size_t)(equals - text));
    map->to = equals + 1;
    return true;
}

static const char *mapped(Arena *arena, const char *path, const SourceRules *rules) {
    for (uint32_t i = 0; i < rules->map_count; i++) {
        const SourceMap *map = &rules->maps[i];
        size_t length = strlen(map->from);
        if (strncmp(path, map->from, length) == 0)
            return arena_printf(arena, "%s%s", map->to, path + length);
    }
    return path;
}

void sources_read(Profile *profile, const SourceRules *rules, Diags *diags) {
    for (uint32_t i = 0; i < profile->files.count; i++) {
        SourceFile *file = &profile->files.at[i];
        const char *why;
        size_t size;
        file->path = mapped(profile->arena, file->path, rules);
        const char *text = source_read(profile->arena, file->path, rules->root, &size, &why);
        if (text && memchr(text, 0, size)) {
            why = "not a text";
            errno = EINVAL;
        }
        if (why && errno != ENOENT && errno != ENOTDIR)
            diags_add(diags, DIAG_NOTE, (Place){0}, "the profile has no text of %s: %s", file->path,
                      why);
        if (why)
            continue;
        file->text = text;
        file->size = size;
        file->hash = bytes_hash(text, size, 0);
    }
}
