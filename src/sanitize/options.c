/* --sanitize and the like: names of checks with commas between. */
#include "sanitize/sanitize.h"

#include <string.h>

static bool is(const char *name, size_t length, const char *text) {
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

static bool take(const char *name, size_t length, SanitizeOptions *options) {
    if (is(name, length, "all")) {
        options->checks = (1u << CHECKS) - 1;
        return true;
    }
    if (is(name, length, "stop"))
        return options->stop = true;
    options->init_strict |= is(name, length, "init=strict");
    options->benign |= is(name, length, "races=benign");
    const char *end = memchr(name, '=', length);
    bool more = is(name, length, "init=strict") || is(name, length, "races=benign");
    size_t named = end && more ? (size_t)(end - name) : length;
    for (uint32_t check = 0; check < CHECKS; check++)
        if (is(name, named, defect_checks[check])) {
            options->checks |= 1u << check;
            return true;
        }
    return false;
}

static const char *all_names(Arena *arena) {
    const char *list = "all";
    for (uint32_t check = 0; check < CHECKS; check++)
        list = arena_printf(arena, "%s, %s", list, defect_checks[check]);
    return arena_printf(arena, "%s, init=strict, races=benign, stop", list);
}

bool sanitize_parse(const char *text, const char *what, SanitizeOptions *options, Diags *diags) {
    *options = (SanitizeOptions){0};
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        if (!take(at, length, options)) {
            diags_error(diags, "%s %s: '%.*s' is no check; expected %s", what, text, (int)length,
                        at, all_names(diags->arena));
            return false;
        }
        if (!at[length] && options->checks)
            return true;
        if (!at[length]) {
            diags_error(diags, "%s %s: 'stop' is of checks, and none is named", what, text);
            return false;
        }
        at += length + 1;
    }
}
