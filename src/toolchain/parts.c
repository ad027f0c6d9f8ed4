/* What ptxas and nvdisasm say of several kernels, taken apart: each kernel's part reads as if it had been asked about alone. */
#include "toolchain/toolchain.h"

#include <string.h>

typedef struct Part {
    char *text; /* room for the whole */
    size_t length;
} Part;

static Part part_of(Arena *arena, const char *text) {
    return (Part){.text = arena_alloc(arena, strlen(text) + 1)};
}

static void keep_line(Part *part, const char *line, size_t length) {
    memcpy(part->text + part->length, line, length);
    part->length += length;
    part->text[part->length] = 0;
}

/* To the end of the line, its newline included. */
static size_t line_length(const char *line) {
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/*  ptxas info    : Compiling entry function 'NAME' for 'sm_90'         and what follows is about it */
char *sass_log_of(Arena *arena, const char *log, const char *entry) {
    static const char mark[] = "Compiling entry function '";
    Part part = part_of(arena, log);
    bool others = false;
    for (size_t length; (length = line_length(log)); log += length) {
        const char *name = memmem(log, length, mark, sizeof mark - 1);
        if (name)
            others = !str_is(str_until(str_of(name + sizeof mark - 1), "'\n"), entry);
        if (!others)
            keep_line(&part, log, length);
    }
    return part.text;
}

/* .text.NAME, .nv.info.NAME, .nv.constant0.NAME: a name of PTX has no dot. */
static bool is_wanted(Str section, const Map *kernels, const char *entry) {
    if (str_starts(section, ".debug_") || str_starts(section, ".nv_debug_"))
        return false;
    const char *dot = memrchr(section.at, '.', section.length);
    const Str of = dot ? str_drop(section, (size_t)(dot + 1 - section.at)) : section;
    uint64_t number;
    return str_is(of, entry) || !map_get(kernels, of, &number);
}

/* //--------------------- .text.NAME --------------------------         begins a section */
char *sass_listing_of(Arena *arena, const char *listing, const Map *kernels, const char *entry) {
    static const char mark[] = "//--------------------- ";
    Part part = part_of(arena, listing);
    bool wanted = true;
    for (size_t length; (length = line_length(listing)); listing += length) {
        const Str line = {listing, length};
        if (str_starts(line, mark))
            wanted = is_wanted(str_until(str_drop(line, sizeof mark - 1), " \n"), kernels, entry);
        if (wanted)
            keep_line(&part, listing, length);
    }
    return part.text;
}
