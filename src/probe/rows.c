/* Accesses into rows for the GPU, and its answers into counters. */
#include "probe/rows.h"

#include <string.h>

RowList *row_list_new(Arena *arena) {
    RowList *list = NEW(arena, RowList);
    list->arena = arena;
    return list;
}

static ProbePart part_of(const Access *access) {
    if (access->space != SPACE_SHARED)
        return access->space == SPACE_LOCAL ? PROBE_LOCAL : PROBE_GLOBAL;
    switch (access->kind) {
    case ACCESS_LOAD:
    case ACCESS_STORE:
        return PROBE_SHARED;
    case ACCESS_LDMATRIX:
    case ACCESS_STMATRIX:
        return PROBE_MATRIX;
    case ACCESS_CP_ASYNC_CA:
    case ACCESS_CP_ASYNC_CG:
        return PROBE_COPY;
    default:
        return PROBE_ATOMIC;
    }
}

static void add_row(RowList *list, const Access *access, AccessKind kind, uint32_t mask) {
    Access one = *access;
    one.kind = kind;
    ProbeRow *row = vec_add(list->arena, &list->rows);
    *row = (ProbeRow){.mask = mask,
                      .part = (uint8_t)part_of(&one),
                      .write = kind == ACCESS_STORE,
                      .width = (uint8_t)access->width,
                      .matrices = (uint8_t)access->matrices};
    memcpy(row->address, access->address, sizeof row->address);
    if (access->source)
        memcpy(row->source, access->source, sizeof row->source);
    *vec_add(list->arena, &list->kinds) = kind;
    *vec_add(list->arena, &list->access) = list->accesses;
}

/* Which lanes have to try again is the hardware's doing: mem/ knows. */
static void add_loop(RowList *list, const Access *access) {
    Access round = *access;
    while (round.mask) {
        Schedule schedule;
        add_row(list, access, ACCESS_LOAD, round.mask);
        add_row(list, access, ACCESS_ATOMIC_CAST, round.mask);
        mem_schedule(&round, &schedule);
        round.mask = schedule.left;
    }
}

void row_list_add(RowList *list, const Access *access) {
    const bool loop = access->kind == ACCESS_ATOMIC_LOOP32 || access->kind == ACCESS_ATOMIC_LOOP64;
    if (loop && access->space == SPACE_SHARED)
        add_loop(list, access);
    else if (access->mask)
        add_row(list, access, access->kind, access->mask);
    list->accesses++;
}

static void add_part(Counters *sum, const ProbeRow *row, AccessKind kind, ProbePart part,
                     const RuleSums *from) {
    const ProbeKey key = {.part = (uint8_t)part, .width = row->width, .matrices = row->matrices};
    const uint64_t wide[PROBE_SUMS] = {from->at0, from->at1, from->at2, from->at3,
                                       from->at4, from->at5, from->at6, from->at7};
    slot_counters(sum, &key, kind, wide);
}

void row_list_sum(const RowList *list, const ProbeRowSums *sums, Counters *counters) {
    for (uint32_t i = 0; i < list->rows.count; i++) {
        const ProbeRow *row = &list->rows.at[i];
        const AccessKind kind = list->kinds.at[i];
        Counters *sum = &counters[list->access.at[i]];
        add_part(sum, row, kind, row->part, &sums[i].at[ROW_OWN]);
        if (row->part == PROBE_COPY) {
            add_part(sum, row, kind, PROBE_SOURCE, &sums[i].at[ROW_SOURCE]);
            if (row->width == 16)
                add_part(sum, row, kind, PROBE_COPY_CG, &sums[i].at[ROW_CG]);
        }
    }
}
