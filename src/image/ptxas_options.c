/* What a program was built with and ptxas is told again: of the options that nvcc writes into a fat binary those that change
 * the machine code. All others are left out: names of files, what is printed, what warplens itself says. */
#include "image/image.h"

#include <string.h>

typedef struct Option {
    const char *name, *abbreviation;
    bool valued; /* "-x=value", "-x value"; -O1, too */
} Option;

/* ptxas --help of 13.0 */
static const Option options[] = {
    {"--Ofast-compile", "-Ofc", true},
    {"--allow-expensive-optimizations", "-allow-expensive-optimizations", true},
    {"--def-load-cache", "-dlcm", true},
    {"--def-store-cache", "-dscm", true},
    {"--device-debug", "-g", false},
    {"--device-function-maxrregcount", "-func-maxrregcount", true},
    {"--device-stack-protector", "-device-stack-protector", true},
    {"--disable-optimizer-constants", "-disable-optimizer-consts", false},
    {"--dont-merge-basicblocks", "-no-bb-merge", false},
    {"--fmad", "-fmad", true},
    {"--force-load-cache", "-flcm", true},
    {"--force-store-cache", "-fscm", true},
    {"--maxntid", "-maxntid", true},
    {"--maxrregcount", "-maxrregcount", true},
    {"--minnctapersm", "-minnctapersm", true},
    {"--opt-level", "-O", true},
    {"--optimize-float-atomics", "-opt-fp-atomics", false},
    {"--override-directive-values", "-override-directive-values", false},
    {"--register-usage-level", "-regUsageLevel", true},
    {"--return-at-end", "-ret-end", false},
};

/* The next word, and what is left behind it; empty: there is none. */
static Str next_word(Str *left) {
    while (left->length && (unsigned char)*left->at <= ' ')
        *left = (Str){left->at + 1, left->length - 1};
    Str word = {left->at, 0};
    while (word.length < left->length && (unsigned char)word.at[word.length] > ' ')
        word.length++;
    if (word.length) /* where there is no text, there is no address to add to */
        *left = (Str){left->at + word.length, left->length - word.length};
    return word;
}

/* Of "-O1" and "-maxrregcount=32" what follows the name, of "-g" nothing. false: the word is another one. */
static bool follows(Str word, const char *name, bool valued, Str *value) {
    size_t length = strlen(name);
    if (!str_starts(word, name))
        return false;
    *value = (Str){word.at + length, word.length - length};
    bool is_level =
        strcmp(name, "-O") == 0 && value->length == 1 && *value->at >= '0' && *value->at <= '9';
    if (value->length == 0 || is_level)
        return true;
    if (!valued || *value->at != '=')
        return false;
    *value = (Str){value->at + 1, value->length - 1};
    return true;
}

static const Option *option_of(Str word, Str *value) {
    for (uint32_t i = 0; i < sizeof options / sizeof *options; i++) {
        const Option *option = &options[i];
        if (follows(word, option->name, option->valued, value) ||
            follows(word, option->abbreviation, option->valued, value))
            return option;
    }
    return NULL;
}

const char *ptxas_options(Arena *arena, Str text) {
    const char *all = NULL;
    for (Str word = next_word(&text); word.length; word = next_word(&text)) {
        Str value;
        const Option *option = option_of(word, &value);
        if (option && option->valued && !value.length)
            value = next_word(&text);
        if (!option || (option->valued && !value.length))
            continue;
        const char *told = option->valued ? arena_printf(arena, "%s=%.*s", option->name,
                                                         (int)value.length, value.at)
                                          : option->name;
        all = all ? arena_printf(arena, "%s %s", all, told) : told;
    }
    return all;
}
