/* Fuzzing the reader of profiles, and all that shows them: cells of a valid one get other values, so that the file is a
 * good database. It is refused with a message, or every page, the gate, a comparison and a fix can be made of it.
 *
 * The input is a list of cells, 12 bytes each: the table (low four bits) and the kind of value (the others), the column, two
 * bytes for the row, eight for the value. */
#include "fuzz.h"

#include "../unit/sample_profile.h"
#include "fix/fix.h"
#include "prof/fields.h"
#include "report/report.h"
#include "rules/rules.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELL_BYTES = 12, CELLS_MOST = 16 };

static void must(bool good, const char *what) {
    if (good)
        return;
    perror(what);
    abort();
}

/* "SET column" of one row, whichever the table is keyed by. */
static char *statement(const ProfTable *table, uint8_t column) {
    const char *name = table->fields[column % table->field_count].name;
    if (table->parent == TABLE_NONE)
        return sqlite3_mprintf(
            "UPDATE %s SET %s = ?1 WHERE id IN (SELECT id FROM %s LIMIT 1 OFFSET "
            "?2 %% max(1, (SELECT count(*) FROM %s)))",
            table->name, name, table->name, table->name);
    return sqlite3_mprintf("UPDATE %s SET %s = ?1 WHERE (%s, %s) IN (SELECT %s, %s FROM %s LIMIT 1 "
                           "OFFSET ?2 %% max(1, (SELECT count(*) FROM %s)))",
                           table->name, name, table->parent_column, table->number_column,
                           table->parent_column, table->number_column, table->name, table->name);
}

static void bind_value(sqlite3_stmt *update, uint32_t kind, const uint8_t value[8]) {
    int64_t number;
    double real;
    memcpy(&number, value, sizeof number);
    memcpy(&real, value, sizeof real);
    switch (kind % 5) {
    case 0:
        sqlite3_bind_int64(update, 1, number);
        break;
    case 1:
        sqlite3_bind_null(update, 1);
        break;
    case 2:
        sqlite3_bind_text(update, 1, (const char *)value, 8, SQLITE_TRANSIENT);
        break;
    case 3:
        sqlite3_bind_blob(update, 1, value, 8, SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_double(update, 1, real);
    }
}

static void change_cell(sqlite3 *database, const uint8_t *cell) {
    const ProfTable *table = &prof_tables[cell[0] % 16 % TABLES];
    sqlite3_stmt *update;
    char *sql = statement(table, cell[1]);
    must(sqlite3_prepare_v2(database, sql, -1, &update, NULL) == SQLITE_OK, sql);
    bind_value(update, cell[0] / 16, cell + 4);
    sqlite3_bind_int(update, 2, cell[2] | cell[3] << 8);
    sqlite3_step(update); /* a key twice is refused */
    sqlite3_finalize(update);
    sqlite3_free(sql);
}

static void write_profile(const char *path, const uint8_t *data, size_t size) {
    Profile *profile = sample_profile();
    sqlite3 *database;
    must(profile_save(profile, path, diags_new(profile->arena)), path);
    profile_free(profile);
    must(sqlite3_open(path, &database) == SQLITE_OK, path);
    sqlite3_exec(database, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL,
                 NULL);
    for (size_t at = 0; at + CELL_BYTES <= size && at < CELLS_MOST * CELL_BYTES; at += CELL_BYTES)
        change_cell(database, data + at);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(database);
}

static void use(const Profile *profile) {
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    FILE *nowhere = fopen("/dev/null", "w");
    const Limits limits = {.deny = UINT32_MAX};
    uint32_t count;
    must(nowhere, "/dev/null");
    for (const ReportFormat *format = report_formats; format->name; format++)
        report_print(profile, format, &REPORT_DEFAULTS, nowhere, diags);
    for (const DiffFormat *format = diff_formats; format->name; format++)
        report_diff(profile, profile, format, &REPORT_DEFAULTS, nowhere, diags);
    gate_run(arena, profile, profile, &limits, &count);
    for (uint32_t i = 0; i < profile->launches.count; i++)
        fix_arrays(arena, &(FixScope){profile, &i, 1}, &count);
    fclose(nowhere);
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[] = "/tmp/warplens-fuzz-XXXXXX";
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    int descriptor = mkstemp(path);
    must(descriptor >= 0, path);
    close(descriptor);
    write_profile(path, data, size);
    Profile *profile = profile_load(path, diags);
    if (profile)
        use(profile);
    else if (!diags->errors)
        abort();
    profile_free(profile);
    unlink(path);
    arena_free(arena);
    return 0;
}
