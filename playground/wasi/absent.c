/* What a page has not, and the commands ask for: a GPU to count on (`model --on gpu`), compilers whose listings have places, a host
 * with a name. */
#include "probe/probe.h"
#include "probe/rows.h"

#include <errno.h>
#include <unistd.h>

int gethostname(char *name, size_t room) {
    (void)name, (void)room;
    errno = ENOSYS;
    return -1;
}

uint32_t sass_location(Profile *profile, const SassPlace *place) {
    (void)profile, (void)place;
    return NONE;
}

RowList *row_list_new(Arena *arena) {
    RowList *list = NEW(arena, RowList);
    list->arena = arena;
    return list;
}

void row_list_add(RowList *list, const Access *access) {
    (void)access;
    list->accesses++;
}

void row_list_sum(const RowList *list, const ProbeRowSums *sums, Counters *counters) {
    (void)list, (void)sums, (void)counters;
}

const char *row_list_run(const RowList *list, ProbeRowSums *sums, Diags *diags) {
    (void)list, (void)sums;
    diags_error(diags, "a page has no GPU to count on");
    return NULL;
}
