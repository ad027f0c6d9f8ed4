/* What lines at the head of a CUDA source ask to be rewritten:
 *
 *   //! LAYOUT | BYTES | DEMANGLED NAME      for each array; LAYOUT is `padded PITCH PAD`, `swizzled BITS
 *                                            BASE SHIFT`, `xored BASE X0 X1 …` or `transposed ROWS PITCH
 *                                            ELEMENT`, in bytes; two paddings are `padded PITCH PAD PITCH
 *                                            PAD`
 *   //! instantiate NAME<ARGUMENTS>          a kernel template, as --instantiate does
 *   //! tried                                what is written will be tried: RewriteOptions.tried
 *   //! LAYOUT | BYTES | NAME of KERNEL      an `extern __shared__` array of a kernel
 *   //! split                                begin with INDEX_SPLIT, for the arrays behind this line
 *   //! join KERNEL                          neighbouring elements of its pointers in one access: rewrite_threads
 *   //! whole BYTES KERNEL                   elements that are structures of so many bytes taken whole: likewise
 *   //! pads EVERY KERNEL                    its own padding after so many elements: likewise */
#pragma once

#include "rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

typedef struct Case {
    Arena *arena;
    VEC(RewriteArray) arrays;
    VEC(const char *) instantiate;
    VEC(const char *) joined, whole, pads;
    bool tried;
    IndexForm index;
} Case;

/* "2 4 8 16 32 64": the base, and where the bits of the line's number go. */
static inline Layout parse_xor(const char *text) {
    char *at;
    Layout layout = {.kind = LAYOUT_XORED, .base = (uint32_t)strtoul(text, &at, 10)};
    for (uint32_t i = 0; i < LAYOUT_XORS; i++)
        layout.xor [i] = (uint8_t)strtoul(at, &at, 10);
    return layout;
}

/* "padded 128 4" */
static inline Layout parse_layout(const char *text) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (sscanf(text, "padded %u %u %u %u", &a, &b, &c, &d) >= 2)
        return (Layout){.kind = LAYOUT_PADDED, .pitch = a, .pad = b, .pitch2 = c, .pad2 = d};
    if (str_starts(str_of(text), "xored "))
        return parse_xor(text + strlen("xored "));
    if (sscanf(text, "swizzled %u %u %u", &a, &b, &c) == 3)
        return (Layout){.kind = LAYOUT_SWIZZLED, .bits = a, .base = b, .shift = c};
    if (sscanf(text, "transposed %u %u %u", &a, &b, &c) == 3)
        return (Layout){.kind = LAYOUT_TRANSPOSED, .rows = a, .pitch = b, .element = c};
    return (Layout){.kind = LAYOUT_PLAIN};
}

static inline void parse_line(Case *one, char *line) {
    char *bytes = strchr(line, '|'), *name = bytes ? strchr(bytes + 1, '|') : NULL;
    if (str_starts(str_of(line), "instantiate "))
        *vec_add(one->arena, &one->instantiate) = line + strlen("instantiate ");
    if (str_starts(str_of(line), "join "))
        *vec_add(one->arena, &one->joined) = line + strlen("join ");
    if (str_starts(str_of(line), "whole "))
        *vec_add(one->arena, &one->whole) = line + strlen("whole ");
    if (str_starts(str_of(line), "pads "))
        *vec_add(one->arena, &one->pads) = line + strlen("pads ");
    one->tried |= strcmp(line, "tried") == 0;
    one->index = strcmp(line, "split") == 0 ? INDEX_SPLIT : one->index;
    if (!name)
        return;
    name += strspn(name, "| ");
    char *kernel = strstr(name, " of ");
    if (kernel) {
        *kernel = 0;
        kernel += strlen(" of ");
    }
    *vec_add(one->arena, &one->arrays) = (RewriteArray){.name = name,
                                                        .symbol = name,
                                                        .bytes = strtoull(bytes + 1, NULL, 10),
                                                        .dynamic = kernel != NULL,
                                                        .kernel = kernel,
                                                        .index = one->index,
                                                        .layout = parse_layout(line)};
}

static inline void parse_case(Case *one, char *text) {
    for (char *line = text, *next; line && strncmp(line, "//! ", 4) == 0; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line[strcspn(line, "\r")] = 0;
        parse_line(one, line + 4);
    }
}
