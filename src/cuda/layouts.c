/* Other layouts of kernels' shared arrays: `warplens fix` runs a program a second time with the best ones, and a process that has
 * attached this library (runtime/attach.c) asks for some while it runs.
 * WARPLENS_LAYOUTS = "KERNEL SYMBOL LAYOUT;KERNEL SYMBOL LAYOUT…", names as in the PTX. */
#include "cuda/objects.h"

#include <string.h>

/* The next word of [*at, end), which ends at a blank; an empty one at the end. */
static Str next_word(const char **at, const char *end) {
    while (*at < end && **at == ' ')
        (*at)++;
    Str word = {*at, 0};
    while (*at + word.length < end && word.at[word.length] != ' ')
        word.length++;
    *at += word.length;
    return word;
}

static const char *copied(Arena *arena, Str word) {
    return arena_copy(arena, word.at, word.length);
}

void core_layouts(const char *layouts) {
    Core *core = core_get();
    turn_take(core);
    core_lock();
    core->settings.layouts = layouts ? arena_copy(core->arena, layouts, strlen(layouts)) : NULL;
    for (Library *library = core->libraries; library; library = library->next)
        for (uint32_t i = 0; i < library->kernel_count; i++)
            if (library->kernels[i]->function)
                kernel_find_layouts(library->kernels[i]);
    core_unlock();
    turn_give(core);
}

void kernel_find_layouts(Kernel *kernel) {
    const char *at = core_settings()->layouts;
    Arena *arena = kernel->library->arena;
    VEC(Relayout) found = {0};
    while (at && *at) {
        const char *end = strchrnul(at, ';');
        Layout layout;
        bool named = str_is(next_word(&at, end), kernel->name);
        const char *symbol = copied(arena, next_word(&at, end));
        const char *text = copied(arena, next_word(&at, end));
        if (named && layout_parse(text, &layout))
            *vec_add(arena, &found) = (Relayout){.symbol = symbol, .layout = layout};
        at = end + (*end == ';');
    }
    kernel->relayouts = found.at;
    kernel->relayout_count = found.count;
}
