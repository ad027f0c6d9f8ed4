/* A profile in which every field of every table of fields.def has a value of its own, and the comparison
 * of two profiles field by field: what is saved, and what is sent, is what comes back. */
#pragma once

#include "prof/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_EACH = 2 };

typedef struct RowFiller {
    Profile *profile;
    uint32_t last; /* value that was given */
} RowFiller;

static inline uint32_t name_count(const ProfField *field) {
    uint32_t count = 0;
    while (field->names[count])
        count++;
    return count;
}

/* Row `number` refers to row `number` of other tables, to the one before of its own. */
static inline uint32_t fill_index(const Profile *profile, const ProfTable *table,
                                  const ProfField *field, uint32_t number) {
    if (field->target == TABLE_NONE || field->flags & SELF)
        return number;
    if (&prof_tables[field->target] == table)
        return number ? number - 1 : NONE;
    return number % table_rows(profile, field->target);
}

static inline void fill_field(RowFiller *filler, const ProfTable *table, const ProfField *field,
                              void *row, uint32_t number) {
    void *at = (char *)row + field->offset;
    Arena *arena = filler->profile->arena;
    uint32_t value = ++filler->last;
    switch (field->kind) {
    case FIELD_U32:
        *(uint32_t *)at = field->most < value ? 1 + value % (uint32_t)field->most : value;
        break;
    case FIELD_U64:
        *(uint64_t *)at = value + (1ull << 40);
        break;
    case FIELD_I64:
        *(int64_t *)at = -(int64_t)value;
        break;
    case FIELD_BOOL:
        *(bool *)at = true;
        break;
    case FIELD_REAL:
        *(double *)at = value + 0.5;
        break;
    case FIELD_TEXT:
        *(const char **)at = arena_printf(arena, "%s %u", field->name, value);
        break;
    case FIELD_ENUM:
        *(uint32_t *)at = 1 + value % (name_count(field) - 1);
        break;
    case FIELD_INDEX:
        *(uint32_t *)at = fill_index(filler->profile, table, field, number);
        break;
    case FIELD_LANES: {
        int64_t *lanes = NEW_ARRAY(arena, int64_t, FIELD_LANE_COUNT);
        for (uint32_t lane = 0; lane < FIELD_LANE_COUNT; lane++)
            lanes[lane] = (int64_t)lane * value - 100;
        *(const int64_t **)at = lanes;
    }
    }
}

static inline void fill_rows(RowFiller *filler, const ProfTable *table, uint32_t parent,
                             uint32_t count) {
    uint32_t have, first;
    table->rows(filler->profile, parent, &have, &first);
    for (uint32_t i = 0; i < count; i++) {
        void *row = table->add(filler->profile, parent, first + i);
        memset(row, 0, table->row_bytes);
        for (uint32_t f = 0; f < table->field_count; f++)
            fill_field(filler, table, &table->fields[f], row, i);
    }
}

/* What cannot be any value: kernels have two sites each, GPUs are known, a pattern is of its launch and
 * of an access that can be. */
static inline void fit_rows(Profile *profile) {
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        profile->kernels.at[i].first_site = ROWS_EACH * i;
        profile->kernels.at[i].site_count = ROWS_EACH;
    }
    for (uint32_t i = 0; i < profile->sites.count; i++) {
        Site *site = &profile->sites.at[i];
        site->kernel = i / ROWS_EACH;
        if (i % ROWS_EACH)
            continue;
        site->op = SITE_CP_ASYNC;
        site->access = 9;
        site->width = 8;
        site->matrices = 0;
        site->merged_element = 4;
        site->merged_used = 3;
    }
    for (uint32_t i = 0; i < profile->launches.count; i++)
        profile->launches.at[i].gpu = i ? "a100" : "h100";
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        profile->patterns.at[i].site = ROWS_EACH * profile->patterns.at[i].launch;
}

static inline void fill_profile(Profile *profile) {
    RowFiller filler = {.profile = profile};
    for (uint32_t id = 0; id < TABLES; id++) {
        const ProfTable *table = &prof_tables[id];
        uint32_t parents = table->parent == TABLE_NONE ? 1 : table_rows(profile, table->parent);
        for (uint32_t parent = 0; parent < parents; parent++)
            fill_rows(&filler, table, parent, id == TABLE_site ? ROWS_EACH * ROWS_EACH : ROWS_EACH);
        fit_rows(profile);
    }
}

/* ---- equal content ---- */

static inline bool field_equal(const ProfField *field, const void *a, const void *b) {
    switch (field->kind) {
    case FIELD_TEXT: {
        const char *x = *(const char *const *)a, *y = *(const char *const *)b;
        return x == y || (x && y && strcmp(x, y) == 0);
    }
    case FIELD_LANES: {
        const int64_t *x = *(const int64_t *const *)a, *y = *(const int64_t *const *)b;
        return x == y || (x && y && memcmp(x, y, FIELD_LANE_COUNT * sizeof *x) == 0);
    }
    case FIELD_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case FIELD_U32:
    case FIELD_INDEX:
    case FIELD_ENUM:
        return memcmp(a, b, 4) == 0;
    default:
        return memcmp(a, b, 8) == 0;
    }
}

static inline void expect_equal_rows(const ProfTable *table, const Profile *a, const Profile *b,
                                     uint32_t parent) {
    uint32_t a_count, b_count, a_first, b_first;
    const char *x = table->rows(a, parent, &a_count, &a_first);
    const char *y = table->rows(b, parent, &b_count, &b_first);
    assert_int_equal(a_count, b_count);
    assert_int_equal(a_first, b_first);
    for (uint32_t row = 0; row < a_count; row++)
        for (uint32_t i = 0; i < table->field_count; i++) {
            const ProfField *field = &table->fields[i];
            size_t offset = row * table->row_bytes + field->offset;
            if (!field_equal(field, x + offset, y + offset))
                fail_msg("%s.%s of row %u differs", table->name, field->name, row);
        }
}

static inline void expect_equal_tables(const Profile *a, const Profile *b, TableId id) {
    const ProfTable *table = &prof_tables[id];
    uint32_t parents = table->parent == TABLE_NONE ? 1 : table_rows(a, table->parent);
    for (uint32_t parent = 0; parent < parents; parent++)
        expect_equal_rows(table, a, b, parent);
}
