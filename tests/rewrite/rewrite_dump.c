/* rewrite_dump FILE.cu: rewrites a source as lines at its head ask for, and prints what came out.
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
 *   //! pads EVERY KERNEL                    its own padding after so many elements: likewise
 *
 * Printed are, for each array, what became of it, and then the diff. With a second argument the new text goes
 * to that file. */
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
static Layout parse_xor(const char *text) {
    char *at;
    Layout layout = {.kind = LAYOUT_XORED, .base = (uint32_t)strtoul(text, &at, 10)};
    for (uint32_t i = 0; i < LAYOUT_XORS; i++)
        layout.xor [i] = (uint8_t)strtoul(at, &at, 10);
    return layout;
}

/* "padded 128 4" */
static Layout parse_layout(const char *text) {
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

static void parse_line(Case *one, char *line) {
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

static void parse_case(Case *one, char *text) {
    for (char *line = text, *next; line && strncmp(line, "//! ", 4) == 0; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        line[strcspn(line, "\r")] = 0;
        parse_line(one, line + 4);
    }
}

static void print_outcome(const RewriteArray *array, const RewriteOutcome *outcome) {
    printf("%s: %s\n", array->name, outcome->done ? "rewritten" : outcome->why);
    if (outcome->declaration.file)
        printf("  declared at %u:%u\n", outcome->declaration.line, outcome->declaration.column);
    if (outcome->record)
        printf("  member of %s\n", outcome->record);
    for (uint32_t i = 0; i < outcome->instances.count; i++)
        printf("  instance %s\n", outcome->instances.at[i]);
    for (uint32_t i = 0; i < outcome->blockers.count; i++)
        printf("  %u:%u: %s\n", outcome->blockers.at[i].place.line,
               outcome->blockers.at[i].place.column, outcome->blockers.at[i].why);
    if (outcome->by_hand)
        printf("  by hand: %s\n", outcome->by_hand);
}

static void join(Case *one, const char *path, const RewriteOptions *options, Diags *diags) {
    const ThreadChange change = {.kind = NEIGHBOURS_JOINED, .bytes = sizeof(float)};
    for (uint32_t i = 0; i < one->joined.count; i++) {
        Rewrite rewrite;
        bool done =
            rewrite_threads(one->arena, path, one->joined.at[i], &change, options, &rewrite, diags);
        printf("%s: %s\n", one->joined.at[i], done ? "joined" : "as it was");
        if (done) /* its head is the same for all */
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

static void take_whole(const Case *one, const char *path, const RewriteOptions *options,
                       Diags *diags) {
    for (uint32_t i = 0; i < one->whole.count; i++) {
        char *kernel;
        ThreadChange change = {.kind = STRUCTURES_WHOLE,
                               .bytes = strtoull(one->whole.at[i], &kernel, 10)};
        Rewrite rewrite;
        change.align = change.bytes % 16 ? 8 : 16;
        bool done =
            rewrite_threads(one->arena, path, kernel + 1, &change, options, &rewrite, diags);
        printf("%s: %s\n", kernel + 1, done ? "taken whole" : "as it was");
        if (done)
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

static void pad(const Case *one, const char *path, const RewriteOptions *options, Diags *diags) {
    for (uint32_t i = 0; i < one->pads.count; i++) {
        char *kernel;
        const ThreadChange change = {.kind = PADDING_MOVED,
                                     .every = strtoull(one->pads.at[i], &kernel, 10)};
        Rewrite rewrite;
        bool done =
            rewrite_threads(one->arena, path, kernel + 1, &change, options, &rewrite, diags);
        printf("%s: %s\n", kernel + 1, done ? "padded otherwise" : "as it was");
        if (done)
            fputs(rewrite.files.at[0].diff, stdout);
    }
}

int main(int argc, char **argv) {
    Case one = {.arena = arena_new()};
    Diags *diags = diags_new(one.arena);
    Rewrite rewrite;
    size_t size;
    char *text = argc > 1 ? file_read(one.arena, argv[1], &size) : NULL;
    if (!text)
        return 2;
    parse_case(&one, text);
    RewriteOptions options = {.instantiate = one.instantiate.at,
                              .instantiate_count = one.instantiate.count,
                              .tried = one.tried};
    if (one.joined.count)
        join(&one, argv[1], &options, diags);
    take_whole(&one, argv[1], &options, diags);
    pad(&one, argv[1], &options, diags);
    bool good = rewrite_source(one.arena, argv[1], one.arrays.at, one.arrays.count, &options,
                               &rewrite, diags);
    diags_print(diags, stderr, false);
    for (uint32_t i = 0; good && i < one.arrays.count; i++)
        print_outcome(&one.arrays.at[i], &rewrite.outcomes[i]);
    for (uint32_t i = 0; good && i < rewrite.files.count; i++) {
        const RewrittenFile *file = &rewrite.files.at[i];
        fputs(file->diff, stdout);
        if (argc > 2 && !file_write(argv[2], file->after, strlen(file->after)))
            return 2;
    }
    arena_free(one.arena);
    return good ? 0 : 2;
}
