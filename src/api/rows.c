/* Rows of the profile: each launch's are in an arena of their own, so that they can end alone. */
#include "api/api.h"

LaunchRows *rows_new(WarplensModule *module) {
    Arena *arena = arena_new();
    LaunchRows *rows = NEW(arena, LaunchRows);
    *rows = (LaunchRows){.next = module->rows,
                         .module = module,
                         .profile = module->session->profile,
                         .arena = arena,
                         .first = module->session->profile->launches.count};
    module->rows = rows;
    return rows;
}

/* Out of the module's list; those before it in the list are later launches, which move up. */
static void take_out(LaunchRows *rows) {
    LaunchRows **at = &rows->module->rows;
    for (; *at != rows; at = &(*at)->next)
        (*at)->first -= rows->count;
    *at = rows->next;
}

void rows_drop(LaunchRows *rows) {
    take_out(rows);
    arena_free(rows->arena);
}

void rows_forget(WarplensModule *module) {
    while (module->rows)
        rows_drop(module->rows);
}

LaunchRows *rows_with(WarplensModule *module, uint32_t launch) {
    for (LaunchRows *rows = module->rows; rows; rows = rows->next)
        if (launch >= rows->first && launch - rows->first < rows->count)
            return rows;
    return NULL;
}

void warplens_forget(WarplensModule *module) {
    if (!module)
        return;
    profile_forget(module->session->profile);
    rows_forget(module);
}

void warplens_result_free(WarplensResult *result) {
    if (!result || !result->rows->module)
        return;
    LaunchRows *rows = result->rows;
    profile_forget_launches(rows->profile, rows->first, rows->count);
    rows_drop(rows);
}
