/* Other layouts of kernels' shared arrays: `warplens fix` runs a program a second time with the best ones, and a process that has
 * attached this library (runtime/attach.c) asks for some while it runs.
 * WARPLENS_LAYOUTS = "KERNEL SYMBOL LAYOUT;KERNEL SYMBOL LAYOUT…", names as in the PTX. An allocation of global memory is stored otherwise
 * in all launches of the kernel in which it is there: "KERNEL @device+memory+3 STORAGE", blanks in its name as +. What offsets in global
 * memory are told apart by: "KERNEL . period:N". */
#include "cuda/library.h"
#include "cuda/state.h"

#include <stdlib.h>
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

/* "@device+memory+3": "device memory 3". */
static const char *allocation_named(Arena *arena, Str word) {
    char *name = arena_copy(arena, word.at + 1, word.length - 1);
    for (char *at = name; *at; at++)
        *at = *at == '+' ? ' ' : *at;
    return name;
}

static bool read_one(Arena *arena, Kernel *kernel, Str what, const char *how, Relayout *one) {
    static const char period[] = "period:";
    Storage storage;
    *one = (Relayout){.if_there = true};
    if (str_is(what, ".") && strncmp(how, period, strlen(period)) == 0)
        kernel->evidence_period = strtoull(how + strlen(period), NULL, 10);
    else if (what.length && *what.at == '@' && storage_parse(how, &storage)) {
        one->symbol = allocation_named(arena, what);
        Storage *kept = NEW(arena, Storage);
        *kept = storage;
        one->storage = kept;
        return true;
    }
    one->symbol = copied(arena, what);
    return layout_parse(how, &one->layout);
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
    kernel->evidence_period = 0;
    while (at && *at) {
        const char *end = strchrnul(at, ';');
        Relayout one;
        bool named = str_is(next_word(&at, end), kernel->name);
        Str what = next_word(&at, end);
        const char *how = copied(arena, next_word(&at, end));
        if (named && read_one(arena, kernel, what, how, &one))
            *vec_add(arena, &found) = one;
        at = end + (*end == ';');
    }
    kernel->relayouts = found.at;
    kernel->relayout_count = found.count;
}
