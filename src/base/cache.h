/* cache.h: what compilers answered, kept on disk: the same question is asked once. A file of the folder is an answer; its
 * name is a hash of all that the answer depends on. Files come whole or not at all (file_write), the least
 * recently used go first when there are too many bytes, and without a folder nothing is kept. What
 * another user could have written is no answer. */
#pragma once

#include "base/base.h"

/* Where they are kept: the environment's WARPLENS_CACHE, else warplens/compilers in XDG_CACHE_HOME or ~/.cache.
 * NULL: nowhere (WARPLENS_CACHE is empty, or there is no home). */
const char *cache_folder(Arena *arena);
bool cache_usable(Arena *arena); /* what is written there will be found again */

/* A hash of all that an answer depends on; begins as zeroes. */
typedef struct CacheKey {
    uint64_t hash[2];
} CacheKey;
void cache_key_add(CacheKey *key, const void *data, size_t size);
void cache_key_add_text(CacheKey *key, const char *text);
/* A program: its path, and what changes with another version of it. false: it is not there. */
bool cache_key_add_tool(CacheKey *key, const char *path);

/* The answer, NUL-terminated in addition, or NULL: it is not there. size may be NULL. */
char *cache_read(Arena *arena, const CacheKey *key, size_t *size);
/* Keeps it where that is possible; of more than 256 MiB the least recently used go. */
void cache_write(Arena *arena, const CacheKey *key, const void *answer, size_t size);

typedef struct CacheUse {
    uint32_t answers;
    uint64_t bytes;
} CacheUse;
CacheUse cache_use(Arena *arena);
/* Removes all; false and errno: one could not be removed. *gone: what was. */
bool cache_clear(Arena *arena, CacheUse *gone);
