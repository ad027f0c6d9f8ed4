/* Which kernels a NAME means: see kernel_name.h. */
#include "base/kernel_name.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

/* Without blanks and without casts in template arguments: "f<(int)1>" as "f<1>", as people write. */
static const char *plain(Arena *arena, const char *name) {
    char *copy = arena_alloc(arena, strlen(name) + 1), *to = copy;
    for (const char *at = name; *at; at++) {
        if ((at == name || at[-1] == '<' || at[-1] == ' ' || at[-1] == ',') && *at == '(') {
            size_t length = strcspn(at, ")<>,");
            if (at[length] == ')' && length > 1 && at[length + 1] &&
                !strchr(",>) ", at[length + 1])) {
                at += length;
                continue;
            }
        }
        if (*at != ' ')
            *to++ = *at;
    }
    *to = 0;
    return copy;
}

/* The name before its parameter list, and behind its return type. */
static const char *brief_name(Arena *arena, const char *full) {
    int depth = 0;
    size_t start = 0, end = strlen(full);
    for (size_t i = 0; full[i]; i++) {
        depth += full[i] == '<' ? 1 : full[i] == '>' ? -1 : 0;
        if (depth == 0 && full[i] == ' ')
            start = i + 1;
        if (depth == 0 && full[i] == '(' && i > start && strncmp(full + i, "(anonymous", 10) != 0) {
            end = i;
            break;
        }
    }
    return arena_copy(arena, full + start, end - start);
}

static bool is_match(const regex_t *expression, const char *name) {
    return regexec(expression, name, 0, NULL, 0) == 0;
}

static bool matches(const char *mangled, const char *demangled, const char *name) {
    regex_t expression;
    if (regcomp(&expression, name, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool found = is_match(&expression, mangled) || is_match(&expression, demangled);
    regfree(&expression);
    return found;
}

static NameFit fit(Arena *arena, const char *mangled, const char *demangled, const char *name) {
    const char *bare = plain(arena, name), *full = plain(arena, demangled);
    const char *brief = plain(arena, brief_name(arena, demangled));
    size_t length = strlen(bare);
    if (strcmp(mangled, name) == 0 || strcmp(full, bare) == 0 || strcmp(brief, bare) == 0)
        return NAME_WHOLE;
    if (strncmp(brief, bare, length) == 0 && brief[length] == '<')
        return NAME_TEMPLATE;
    if (strstr(full, bare) || strstr(mangled, name))
        return NAME_PART;
    return matches(mangled, demangled, name) ? NAME_MATCHED : NAME_OTHER;
}

NameFit kernel_name_fit(const char *mangled, const char *demangled, const char *name) {
    Arena *arena = arena_new();
    NameFit found = fit(arena, mangled, demangled, name);
    arena_free(arena);
    return found;
}

/* A decimal number, behind which *text is set. */
static bool read_number(const char **text, uint64_t *number) {
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)**text))
        return false;
    *number = strtoull(*text, &end, 10);
    *text = end;
    return errno == 0;
}

bool launch_numbers_parse(const char *text, LaunchNumbers *numbers) {
    const LaunchNumbers all = {0, UINT64_MAX};
    LaunchNumbers read = all;
    uint64_t number;
    *numbers = all;
    if (!text)
        return true;
    if (!read_number(&text, &number))
        return false;
    if (*text == ':') {
        read.first = number;
        text++;
        if (*text && !read_number(&text, &read.end))
            return false;
        if (read.first >= read.end)
            return false;
    } else {
        read.end = number;
    }
    if (*text)
        return false;
    *numbers = read;
    return true;
}

bool launch_is_of(LaunchNumbers numbers, uint64_t number) {
    return number >= numbers.first && number < numbers.end;
}

bool shard_parse(const char *text, Shard *shard) {
    uint64_t part = 0, parts = 0;
    bool good = read_number(&text, &part) && *text++ == '/' && read_number(&text, &parts) && !*text;
    good = good && part >= 1 && part <= parts && parts <= SHARDS_MOST;
    *shard = good ? (Shard){(uint32_t)part, (uint32_t)parts} : (Shard){0};
    return good;
}
