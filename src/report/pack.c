/* Long texts as a page carries them: deflated, then in base64. Browsers undo both
 * (DecompressionStream, RFC 1950; atob, RFC 4648). */
#include "report/page.h"

#include <string.h>
#include <zlib.h>

static const char *base64(Arena *arena, const unsigned char *data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = arena_alloc_aligned(arena, (size + 2) / 3 * 4 + 1, 1), *to = text;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? (uint32_t)data[i + 2] : 0);
        *to++ = digits[bits >> 18];
        *to++ = digits[bits >> 12 & 63];
        *to++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[bits & 63] : '=';
    }
    return text;
}

const char *text_packed(Arena *arena, const char *text) {
    size_t length = strlen(text);
    uLongf size = compressBound(length);
    unsigned char *packed = arena_alloc_aligned(arena, size, 1);
    compress2(packed, &size, (const Bytef *)text, length, Z_BEST_COMPRESSION);
    return base64(arena, packed, size);
}
