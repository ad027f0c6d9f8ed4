/* Names of functions, as a demangler spells them: "void ns::scan<int, 4>(int const*)". */
#include "prof/prof.h"

#include <string.h>

/* The '(' that opens the parameter list, or the end: the last one that closes at the end. */
static size_t parameters_at(const char *name, size_t length) {
    int depth = 0;
    if (!length || name[length - 1] != ')')
        return length;
    for (size_t at = length; at-- > 0;) {
        depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return length;
}

/* Without the "const" of a member function. */
static size_t length_of(const char *name) {
    static const char last[] = " const";
    size_t length = strlen(name), cut = strlen(last);
    return length > cut && strcmp(name + length - cut, last) == 0 ? length - cut : length;
}

const char *name_parameters(const char *name) {
    return name + parameters_at(name, length_of(name));
}

const char *name_function(Arena *arena, const char *name) {
    size_t end = parameters_at(name, length_of(name)), start = end;
    int depth = 0;
    for (; start > 0; start--) { /* back to a blank outside of <> and (): the return type's */
        char c = name[start - 1];
        depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
        if (c == ' ' && depth == 0)
            break;
    }
    return arena_copy(arena, name + start, end - start);
}

const char *name_last(const char *name) {
    int depth = 0;
    for (size_t at = strlen(name); at-- > 0;) {
        char c = name[at];
        depth += c == '>' || c == ')' ? 1 : c == '<' || c == '(' ? -1 : 0;
        if (c == ':' && depth == 0)
            return name + at + 1;
    }
    return name;
}
