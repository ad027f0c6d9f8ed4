/* Defects of the program itself (--sanitize memory, leaks, api), as they happen: frees of what is not allocated, errors that
 * nobody looked at. They are told when the process ends (defects_end.c): where a call stands takes a while to find. */
#include "cuda/objects.h"

#include <string.h>

bool defects_wanted(DefectKind kind) {
    const Core *core = core_get();
    return core->sanitizer && sanitize_wants(&core->settings.checks, defect_check(kind));
}

NotedDefect *defect_note(DefectKind kind, const char *what) {
    if (!defects_wanted(kind))
        return NULL;
    Core *core = core_get();
    const Callers by = owner_callers();
    core_lock();
    NotedDefect *noted = core->defects;
    while (noted && (noted->kind != kind || memcmp(&noted->by, &by, sizeof by) != 0 ||
                     strcmp(noted->what, what) != 0))
        noted = noted->next;
    if (!noted) {
        noted = NEW(core->arena, NotedDefect);
        *noted =
            (NotedDefect){core->defects, kind, by, arena_copy(core->arena, what, strlen(what)), 0};
        core->defects = noted;
    }
    noted->count++;
    core_unlock();
    return noted;
}

void defect_take_back(NotedDefect *noted) {
    core_lock();
    noted->count -= noted->count > 0;
    core_unlock();
}
