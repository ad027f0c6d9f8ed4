/* Numbers and access patterns in words. */
#include "rules/rules.h"

#include <inttypes.h>
#include <stdlib.h>
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

const char *words_percent(Arena *arena, uint64_t part, uint64_t whole) {
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    if (part && percent < 1)
        return "< 1 %";
    return arena_printf(arena, "%.0f %%", percent);
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

const char *words_variable(const char *name) {
    int depth = 0;
    for (size_t at = strlen(name); at-- > 0;) {
        char c = name[at];
        depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
        if (c == ':' && depth == 0)
            return name + at + 1;
    }
    return name;
}

static const char *variable_of(Arena *arena, const Profile *profile, const AccessPattern *pattern) {
    const LaunchRecord *launch = &profile->launches.at[pattern->launch];
    if (pattern->variable == NONE)
        return "";
    const char *name = pattern->space == SITE_SHARED
                           ? profile->kernels.at[launch->kernel].shared.at[pattern->variable].name
                           : launch->allocations.at[pattern->variable].name;
    return name ? arena_printf(arena, " in %s", words_variable(name)) : "";
}

const char *words_access(Arena *arena, const Profile *profile, const AccessPattern *pattern) {
    uint32_t width = profile->sites.at[pattern->site].width;
    const char *where = variable_of(arena, profile, pattern);
    if (!pattern->affine)
        return arena_printf(arena, "lanes use %u bytes each, without a common stride%s", width,
                            where);
    if (pattern->stride == 0)
        return arena_printf(arena, "all lanes use the same %u bytes%s", width, where);
    return arena_printf(arena, "lanes use %u bytes each, %s bytes apart%s", width,
                        words_count(arena, (uint64_t)llabs(pattern->stride)), where);
}

const char *words_pattern(Arena *arena, const Profile *profile, uint32_t launch, uint32_t site) {
    const AccessPattern *best = NULL;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        if (pattern->launch == launch && pattern->site == site &&
            (!best || pattern->count > best->count))
            best = pattern;
    }
    return best ? words_access(arena, profile, best) : NULL;
}
