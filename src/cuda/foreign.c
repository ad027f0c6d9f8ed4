/* Runtimes that could not be replaced: see foreign.h. */
#include "cuda/foreign.h"
#include "base/rescue.h"
#include "cuda/core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Foreign {
    uintptr_t first, last;
    char *path, *missing;
    struct Foreign *next;
} Foreign;

static struct ForeignList {
    pthread_mutex_t lock;
    Foreign *first;
} foreign = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void release(Foreign *note) {
    free(note->path);
    free(note->missing);
    free(note);
}

void foreign_note(uintptr_t first, uintptr_t last, const char *path, const char *missing) {
    Foreign *note = malloc(sizeof *note);
    if (!note)
        return;
    *note = (Foreign){first, last, strdup(path), strdup(missing), NULL};
    if (!note->path || !note->missing) {
        release(note);
        return;
    }
    lock_take(&foreign.lock);
    note->next = foreign.first;
    foreign.first = note;
    lock_give(&foreign.lock);
}

void foreign_forget(uintptr_t first) {
    lock_take(&foreign.lock);
    for (Foreign **at = &foreign.first; *at; at = &(*at)->next) {
        Foreign *found = *at;
        if (found->first != first)
            continue;
        *at = found->next;
        release(found);
        break;
    }
    lock_give(&foreign.lock);
}

static void tell(const Foreign *note) {
    const char *base = strrchr(note->path, '/');
    bool is_program = strcmp(note->path, "/proc/self/exe") == 0;
    core_message_once(
        note->path,
        "%s: the CUDA runtime is linked in and the symbol table is stripped; these of its "
        "calls were not found, they fail, and its kernels are not run: %s",
        is_program ? program_invocation_short_name
        : base     ? base + 1
                   : note->path,
        note->missing);
}

void foreign_call(const void *address) {
    uintptr_t at = (uintptr_t)address;
    lock_take(&foreign.lock);
    for (const Foreign *note = foreign.first; note; note = note->next)
        if (at >= note->first && at < note->last)
            tell(note);
    lock_give(&foreign.lock);
}
