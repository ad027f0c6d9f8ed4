/* Numbers and names in words. */
#include "rules/rules.h"

#include <inttypes.h>
#include <string.h>

const char *words_count(Arena *arena, uint64_t value) {
    char digits[24];
    size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *text = arena_alloc_aligned(arena, length + length / 3 + 1, 1);
    char *at = text;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    return text;
}

const char *words_share(Arena *arena, double share) {
    if (share > 0 && share < 0.01)
        return "< 1 %";
    return arena_printf(arena, "%.0f %%", 100 * share);
}

const char *words_percent(Arena *arena, uint64_t part, uint64_t whole) {
    return words_share(arena, whole ? (double)part / (double)whole : 0);
}

const char *words_ratio(Arena *arena, uint64_t part, uint64_t whole) {
    if (!whole)
        return "-";
    return arena_printf(arena, "%.1f", (double)part / (double)whole);
}

const char *words_ratio_bare(Arena *arena, uint64_t part, uint64_t whole) {
    char *text = arena_printf(arena, "%s", words_ratio(arena, part, whole));
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, ".0") == 0)
        text[length - 2] = 0;
    return text;
}

const char *words_inner(Arena *arena, const Profile *profile, uint32_t site) {
    const SitePlace place = site_place(profile, &profile->sites.at[site]);
    if (place.inner == NONE)
        return NULL;
    const Location *inner = &profile->locations.at[place.inner];
    const char *path = inner->file == NONE ? "PTX" : profile->files.at[inner->file].path;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (inner->line) /* 0: the compiler's own code */
        name = arena_printf(arena, "%s:%" PRIu32, name, inner->line);
    if (!inner->function)
        return name;
    const char *function = name_last(name_function(arena, inner->function));
    return arena_printf(arena, "%s %.*s", name, (int)strcspn(function, "<"), function);
}

const char *words_duration(Arena *arena, double seconds) {
    return seconds < 1e-3 ? arena_printf(arena, "%.1f us", seconds * 1e6)
           : seconds < 1  ? arena_printf(arena, "%.2f ms", seconds * 1e3)
                          : arena_printf(arena, "%.2f s", seconds);
}
