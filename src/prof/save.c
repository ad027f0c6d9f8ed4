/* Writes the profile file: a SQLite database, so that other people's programs can read it. The tables
 * are described in fields.def; all are created and filled in the same way.
 *
 * The database is made in a new file beside the target, closed, then renamed: whoever opens the
 * target sees the old profile or the new one, also if we are killed half-way. */
#include "prof/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

Store store_new(const char *path, Diags *diags) {
    return (Store){.scratch = arena_new(), .diags = diags, .path = path, .file.descriptor = -1};
}

void store_close(Store *store) {
    sqlite3_close(store->database);
    arena_free(store->scratch);
    store->database = NULL;
    store->scratch = NULL;
}

void store_fail(Store *store, const char *what) {
    if (!store->failed)
        diags_error(store->diags, "%s: %s", store->path, what);
    store->failed = true;
}

/* SQLite's last call; a column that it had no memory for is empty, too, and so is the answer of a check. */
static bool memory_ended(const Store *store) {
    return sqlite3_errcode(store->database) == SQLITE_NOMEM;
}

void store_fail_damaged(Store *store, const char *how) {
    if (memory_ended(store))
        store_fail_sqlite(store, "read");
    else
        store_fail(store, arena_printf(store->scratch, "the profile is damaged: %s", how));
}

void store_fail_sqlite(Store *store, const char *verb) {
    if (sqlite3_errcode(store->database) == SQLITE_CORRUPT)
        store_fail(store, "the profile is damaged or cut short");
    store_fail(store, arena_printf(store->scratch, "cannot %s the profile: %s", verb,
                                   sqlite3_errmsg(store->database)));
}

void store_execute(Store *store, const char *sql) {
    if (!store->failed &&
        (!sql || sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK))
        store_fail_sqlite(store, "write");
}

static const char *column_type(const ProfField *field) {
    switch (field->kind) {
    case FIELD_REAL:
        return "REAL";
    case FIELD_TEXT:
    case FIELD_ENUM:
        return "TEXT";
    case FIELD_LANES:
        return "BLOB";
    default:
        return "INTEGER";
    }
}

static const char *create_sql(Arena *arena, const ProfTable *table) {
    const char *sql;
    if (table->parent == TABLE_NONE)
        sql = arena_printf(arena, "CREATE TABLE %s (id INTEGER PRIMARY KEY", table->name);
    else
        sql = arena_printf(arena,
                           "CREATE TABLE %s (%s INTEGER NOT NULL REFERENCES %s(id), "
                           "%s INTEGER NOT NULL",
                           table->name, table->parent_column, prof_tables[table->parent].name,
                           table->number_column);
    for (uint32_t i = 0; i < table->field_count; i++) {
        const ProfField *field = &table->fields[i];
        sql = arena_printf(arena, "%s, %s %s", sql, field->name, column_type(field));
        if (field->kind == FIELD_INDEX && field->target != TABLE_NONE)
            sql = arena_printf(arena, "%s REFERENCES %s(id)", sql, prof_tables[field->target].name);
    }
    if (table->parent == TABLE_NONE)
        return arena_printf(arena, "%s)", sql);
    return arena_printf(arena, "%s, PRIMARY KEY (%s, %s)) WITHOUT ROWID", sql, table->parent_column,
                        table->number_column);
}

static int write_lanes(sqlite3_stmt *insert, int at, const int64_t *lanes) {
    uint8_t blob[PACKED_MOST];
    if (!lanes)
        return sqlite3_bind_null(insert, at);
    return sqlite3_bind_blob(insert, at, blob, (int)lanes_pack(lanes, blob), SQLITE_TRANSIENT);
}

/* SQLite's status. */
static int write_field(sqlite3_stmt *insert, int at, const ProfField *field, const char *row) {
    const void *value = row + field->offset;
    switch (field->kind) {
    case FIELD_INDEX:
        if (*(const uint32_t *)value == NONE)
            break;
        return sqlite3_bind_int64(insert, at, *(const uint32_t *)value);
    case FIELD_U32:
        return sqlite3_bind_int64(insert, at, *(const uint32_t *)value);
    case FIELD_U64:
    case FIELD_I64:
        return sqlite3_bind_int64(insert, at, *(const int64_t *)value);
    case FIELD_BOOL:
        return sqlite3_bind_int(insert, at, *(const bool *)value);
    case FIELD_REAL:
        return sqlite3_bind_double(insert, at, *(const double *)value);
    case FIELD_TEXT:
        return sqlite3_bind_text(insert, at, *(const char *const *)value, -1, SQLITE_STATIC);
    case FIELD_ENUM:
        return sqlite3_bind_text(insert, at, field->names[*(const unsigned *)value], -1,
                                 SQLITE_STATIC);
    case FIELD_LANES:
        return write_lanes(insert, at, *(const int64_t *const *)value);
    }
    return sqlite3_bind_null(insert, at);
}

static sqlite3_stmt *prepare_insert(Store *store, const ProfTable *table) {
    const char *marks = table->parent == TABLE_NONE ? "?" : "?,?";
    for (uint32_t i = 0; i < table->field_count; i++)
        marks = arena_printf(store->scratch, "%s,?", marks);
    const char *sql =
        arena_printf(store->scratch, "INSERT INTO %s VALUES (%s)", table->name, marks);
    sqlite3_stmt *insert = NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &insert, NULL) != SQLITE_OK)
        store_fail_sqlite(store, "write");
    return insert;
}

/* A statement keeps what it has written last: most fields of rows that follow each other are equal. */
static bool is_bound(const ProfField *field, const void *bound, const void *row) {
    const char *was = (const char *)bound + field->offset, *is = (const char *)row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_ENUM:
    case FIELD_INDEX:
        return *(const uint32_t *)was == *(const uint32_t *)is;
    case FIELD_BOOL:
        return *(const bool *)was == *(const bool *)is;
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_REAL:
        return *(const uint64_t *)was == *(const uint64_t *)is;
    case FIELD_TEXT: /* what lies there may be another text now */
    case FIELD_LANES:
        break;
    }
    return !*(const void *const *)was && !*(const void *const *)is;
}

void store_row(Store *store, TableId id, uint32_t parent, uint32_t number, const void *row) {
    const ProfTable *table = &prof_tables[id];
    bool first = !store->inserts[id];
    if (!store->failed && first) {
        store->inserts[id] = prepare_insert(store, table);
        store->bound[id] = arena_alloc(store->scratch, table->row_bytes);
    }
    if (store->failed)
        return;
    sqlite3_stmt *insert = store->inserts[id];
    int at = 1;
    int status = SQLITE_OK;
    if (table->parent != TABLE_NONE)
        status |= sqlite3_bind_int64(insert, at++, parent);
    status |= sqlite3_bind_int64(insert, at++, number);
    for (uint32_t i = 0; i < table->field_count; i++, at++)
        if (first || !is_bound(&table->fields[i], store->bound[id], row))
            status |= write_field(insert, at, &table->fields[i], row);
    memcpy(store->bound[id], row, table->row_bytes);
    if (status != SQLITE_OK || sqlite3_step(insert) != SQLITE_DONE)
        store_fail_sqlite(store, "write");
    sqlite3_reset(insert);
}

void store_next(Store *store, TableId table, const void *row) {
    store_row(store, table, 0, store->next[table]++, row);
}

void store_rows(Store *store, TableId id, const Profile *profile, uint32_t parent,
                uint32_t as_parent) {
    const ProfTable *table = &prof_tables[id];
    uint32_t count, first;
    const char *row = table->rows(profile, parent, &count, &first);
    for (uint32_t i = 0; i < count && !store->failed; i++, row += table->row_bytes)
        store_row(store, id, as_parent, first + i, row);
}

void store_begin(Store *store, const Profile *about) {
    store_execute(store, arena_printf(store->scratch,
                                      "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                                      STORE_APPLICATION, STORE_VERSION));
    store_execute(store, "BEGIN");
    store_execute(store, "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    char *values = sqlite3_mprintf("INSERT INTO meta VALUES ('command', %Q), ('root', %Q)",
                                   about->command, about->root);
    store_execute(store, values);
    sqlite3_free(values);
    for (int table = 0; table < TABLES; table++)
        store_execute(store, create_sql(store->scratch, &prof_tables[table]));
}

void store_end(Store *store) {
    for (int table = 0; table < TABLES; table++) {
        sqlite3_finalize(store->inserts[table]);
        store->inserts[table] = NULL;
    }
    store_execute(store, store_views);
    store_execute(store, "COMMIT");
}

void store_write(Store *store, const Profile *profile) {
    store_begin(store, profile);
    for (TableId id = 0; id < TABLES; id++) {
        TableId parent = prof_tables[id].parent;
        uint32_t parents = parent == TABLE_NONE ? 1 : table_rows(profile, parent);
        for (uint32_t i = 0; i < parents && !store->failed; i++)
            store_rows(store, id, profile, i, i);
    }
    store_end(store);
}

void store_create(Store *store) {
    if (store->failed)
        return;
    if (!new_file_begin(store->scratch, store->path, &store->file)) {
        const char *why = errno == ENOTSUP ? "it is no regular file" : strerror(errno);
        store_fail(store, arena_printf(store->scratch, "cannot be written: %s", why));
        return;
    }
    store->file.lasts = true;
    if (sqlite3_open_v2(store->file.path, &store->database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        store_fail_sqlite(store, "write");
    store_execute(store, "PRAGMA journal_mode = OFF");
}

bool store_finish(Store *store) {
    if (sqlite3_close(store->database) != SQLITE_OK)
        store_fail(store, "the profile could not be closed");
    store->database = NULL;
    if (!new_file_end(&store->file, !store->failed) && !store->failed)
        store_fail(store, arena_printf(store->scratch, "cannot be written: %s", strerror(errno)));
    store_close(store);
    return !store->failed;
}

bool profile_save(const Profile *profile, const char *path, Diags *diags) {
    Store store = store_new(path, diags);
    store_create(&store);
    store_write(&store, profile);
    return store_finish(&store);
}
