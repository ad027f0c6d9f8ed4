/* Defects of the program itself (--sanitize memory, leaks, api), as they happen: frees of what is not allocated, errors that
 * nobody looked at. They are told when the process ends (defects_end.c): where a call stands takes a while to find. */
#include "cuda/defects.h"
#include "cuda/owner.h"
#include "cuda/record.h"
#include "cuda/state.h"

#include <string.h>

bool defects_wanted(DefectKind kind) {
    const Core *core = core_get();
    return core->sanitizer && sanitize_wants(&core->settings.checks, defect_check(kind));
}

static NotedDefect *note(DefectKind kind, const DefectPair *pair, const char *what,
                         uint64_t count) {
    if (!defects_wanted(kind))
        return NULL;
    Core *core = core_get();
    core_lock();
    NotedDefect *noted = core->defects;
    while (noted && (noted->kind != kind || memcmp(&noted->pair, pair, sizeof *pair) != 0))
        noted = noted->next;
    if (!noted) {
        noted = NEW(core->arena, NotedDefect);
        *noted = (NotedDefect){core->defects, kind, *pair,
                               arena_copy(core->arena, what, strlen(what)), 0};
        core->defects = noted;
    }
    noted->count += count;
    core_unlock();
    return noted;
}

NotedDefect *defect_note(DefectKind kind, const char *what) {
    const DefectPair pair = {.by = owner_callers(), .key = words_hash(what, strlen(what), 0)};
    return note(kind, &pair, what, 1);
}

void defect_note_pair(DefectKind kind, const DefectPair *pair, const char *what, uint64_t count) {
    note(kind, pair, what, count);
}

void defect_take_back(NotedDefect *noted) {
    core_lock();
    noted->count -= noted->count > 0;
    core_unlock();
}
