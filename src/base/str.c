/* Strings that are pieces of other texts, their hashes and distances, and a map keyed by them. */
#include "base/base.h"

#include <string.h>

Str str_of(const char *text) {
    return (Str){text, strlen(text)};
}

bool str_equal(Str a, Str b) {
    return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

bool str_is(Str a, const char *text) {
    return str_equal(a, str_of(text));
}

bool str_starts(Str a, const char *prefix) {
    size_t length = strlen(prefix);
    return a.length >= length && memcmp(a.at, prefix, length) == 0;
}

uint64_t bytes_hash(const void *data, size_t size, uint64_t seed) {
    const unsigned char *bytes = data;
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

Str str_trimmed(Str text) {
    static const char blanks[] = " \t\r";
    while (text.length > 0 && strchr(blanks, *text.at))
        text = str_drop(text, 1);
    while (text.length > 0 && strchr(blanks, text.at[text.length - 1]))
        text.length--;
    return text;
}

Str str_drop(Str text, size_t count) {
    count = count < text.length ? count : text.length;
    return (Str){text.at + count, text.length - count};
}

Str str_until(Str text, const char *ends) {
    size_t length = 0;
    while (length < text.length && !strchr(ends, text.at[length]))
        length++;
    return (Str){text.at, length};
}

uint64_t str_hash(Str a) {
    return bytes_hash(a.at, a.length, 0);
}

/* Levenshtein distance with one row; longer texts than the row count as their length apart. What both begin and end with costs
 * nothing, and most names that are compared begin alike. */
size_t str_distance(Str a, Str b) {
    enum { LONGEST = 128 };
    size_t row[LONGEST + 1];
    if (a.length > LONGEST || b.length > LONGEST)
        return a.length > b.length ? a.length : b.length;
    while (a.length && b.length && a.at[0] == b.at[0]) {
        a = (Str){a.at + 1, a.length - 1};
        b = (Str){b.at + 1, b.length - 1};
    }
    while (a.length && b.length && a.at[a.length - 1] == b.at[b.length - 1]) {
        a.length--;
        b.length--;
    }
    if (!a.length || !b.length)
        return a.length + b.length;
    for (size_t j = 0; j <= b.length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.length; j++) {
            size_t replaced = diagonal + (a.at[i - 1] != b.at[j - 1]);
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b.length];
}

typedef struct Entry {
    Str key;
    uint64_t value;
} Entry;

/* Open addressing; `index` holds entry numbers plus one, 0 = free. */
struct Map {
    Arena *arena;
    VEC(Entry) entries;
    uint32_t *index;
    uint32_t size; /* of index, a power of two */
};

Map *map_new(Arena *arena) {
    Map *map = NEW(arena, Map);
    map->arena = arena;
    map->size = 16;
    map->index = NEW_ARRAY(arena, uint32_t, map->size);
    return map;
}

static uint32_t *place(const Map *map, Str key) {
    uint32_t at = (uint32_t)str_hash(key) & (map->size - 1);
    while (map->index[at] && !str_equal(map->entries.at[map->index[at] - 1].key, key))
        at = (at + 1) & (map->size - 1);
    return &map->index[at];
}

static void grow(Map *map) {
    map->size *= 2;
    map->index = NEW_ARRAY(map->arena, uint32_t, map->size);
    for (uint32_t i = 0; i < map->entries.count; i++)
        *place(map, map->entries.at[i].key) = i + 1;
}

void map_put(Map *map, Str key, uint64_t value) {
    uint32_t *at = place(map, key);
    if (*at) {
        map->entries.at[*at - 1].value = value;
        return;
    }
    *vec_add(map->arena, &map->entries) = (Entry){key, value};
    *at = map->entries.count;
    if (map->entries.count * 2 > map->size)
        grow(map);
}

bool map_get(const Map *map, Str key, uint64_t *value) {
    uint32_t at = *place(map, key);
    if (at && value)
        *value = map->entries.at[at - 1].value;
    return at != 0;
}

uint32_t map_count(const Map *map) {
    return map->entries.count;
}
