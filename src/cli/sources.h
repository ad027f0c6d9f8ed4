/* sources: the texts of the source files that a profile speaks of. */
#pragma once

#include "prof/prof.h"

/* FROM=TO of --source-map: a recorded path that begins with FROM begins with TO from now on. */
typedef struct SourceMap {
    const char *from, *to;
} SourceMap;
bool source_map_parse(Arena *arena, const char *text, SourceMap *map);
/* Rewrites the paths of the profile's files and reads their texts, as far as they can be read. */
void sources_read(Profile *profile, const SourceMap *maps, uint32_t count);
