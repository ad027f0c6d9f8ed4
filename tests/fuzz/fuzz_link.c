/* Fuzzing the linker of PTX: any texts give one text, and that one a module or diagnostics. The input
 * is cut into texts at its NULs. Linking one text that can be parsed loses nothing that it defines. */
#include "fuzz.h"
#include "ptx/ptx.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS_MOST = 8 };

static const Module *parse(Arena *arena, const char *text, size_t length) {
    Diags *diags = diags_new(arena);
    const Module *module = ptx_parse(arena, "fuzz", text, length, NULL, diags);
    return diags->errors ? NULL : module;
}

static uint32_t cut(Arena *arena, const uint8_t *data, size_t size, PtxUnit *units) {
    const char *at = arena_copy(arena, (const char *)data, size), *end = at + size;
    uint32_t count = 0;
    while (count < TEXTS_MOST) {
        size_t length = strnlen(at, (size_t)(end - at));
        units[count++] = (PtxUnit){at, length};
        if (at + length == end)
            break;
        at += length + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_new();
    PtxUnit units[TEXTS_MOST];
    uint32_t count = cut(arena, data, size, units);
    size_t length = 0;
    const char *linked = ptx_link(arena, units, count, &length);
    if (linked[length] != 0 || strlen(linked) != length)
        abort();
    const Module *after = parse(arena, linked, length);
    if (count == 1) {
        const Module *before = parse(arena, units[0].text, units[0].length);
        if (before && (!after || before->functions.count != after->functions.count ||
                       before->variables.count != after->variables.count))
            abort();
    }
    arena_free(arena);
    return 0;
}
