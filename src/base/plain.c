/* Text that others wrote, made harmless for a terminal: names, sources and paths may hold escape
 * sequences. */
#include "base/base.h"

#include <string.h>

size_t utf8_length(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    size_t length = *at < 0x80             ? 1
                    : (*at & 0xe0) == 0xc0 ? 2
                    : (*at & 0xf0) == 0xe0 ? 3
                    : (*at & 0xf8) == 0xf0 ? 4
                                           : 0;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = *at & lead[length];
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    bool good = length && code >= least[length] && code <= 0x10ffff && code >> 11 != 0x1b;
    return good ? length : 0;
}

/* C1 is U+0080 to U+009F; terminals without UTF-8 take the bytes 0x80 to 0x9f for it. */
size_t character_length(const char *text, bool *control) {
    const unsigned char *at = (const unsigned char *)text;
    size_t length = utf8_length(text);
    *control = length == 0 ? *at < 0xa0 : *at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0);
    return length ? length : 1;
}

char *plain_text(char *text) {
    char *to = text;
    for (const char *at = text; *at;) {
        bool control;
        size_t length = character_length(at, &control);
        if (control && *at != '\t' && *at != '\n')
            *to++ = '?';
        else
            for (size_t i = 0; i < length; i++)
                *to++ = at[i];
        at += length;
    }
    *to = 0;
    return text;
}

int plain_printf(FILE *out, const char *format, ...) {
    Arena *arena = arena_new();
    va_list arguments;
    va_start(arguments, format);
    char *text = plain_text(arena_vprintf(arena, format, arguments));
    va_end(arguments);
    int length = (int)strlen(text);
    fputs(text, out);
    arena_free(arena);
    return length;
}
