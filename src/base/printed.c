/* Text that is printed into memory. (open_memstream loses bytes without an error where memory ends.) */
#include "base/base.h"
#include "base/rescue.h"

#include <string.h>

/* With room for a NUL behind, which arenas have there. */
static ssize_t take(void *context, const char *text, size_t size) {
    PrintedText *printed = context;
    if (printed->size + size >= printed->room) {
        size_t room = 2 * printed->room + size + 1;
        char *larger = arena_alloc_aligned(printed->arena, room, 1);
        if (printed->size)
            memcpy(larger, printed->text, printed->size);
        printed->text = larger;
        printed->room = room;
    }
    memcpy(printed->text + printed->size, text, size);
    printed->size += size;
    return (ssize_t)size;
}

FILE *printed_begin(PrintedText *printed, Arena *arena) {
    *printed = (PrintedText){.arena = arena, .text = arena_copy(arena, "", 0)};
    printed->out = fopencookie(printed, "w", (cookie_io_functions_t){.write = take});
    if (!printed->out)
        out_of_memory();
    rescue_hold(printed->out);
    return printed->out;
}

const char *printed_end(PrintedText *printed) {
    rescue_let_go(printed->out); /* fclose takes it out of the list of files first */
    bool lost = ferror(printed->out);
    lost |= fclose(printed->out) != 0;
    if (lost)
        out_of_memory();
    return printed->text;
}
