/* Baselines: other profiles inside a profile file, by name. Each is a profile file of its own, deflated
 * in the way of SQLite's archives (data shorter than size: a zlib stream, else the bytes themselves),
 * so that sqlar_uncompress(data, size) of the sqlite3 shell gives it back as well.
 *
 * A file is changed as it is written: in a copy beside it, which then takes its place. A baseline is
 * trusted no more than a file: it is read by the same functions. */
#include "prof/store.h"

#include <sqlite3.h>
#include <string.h>
#include <zlib.h>

enum {
    MOST_DEFLATED = 1032,     /* bytes that one byte of a zlib stream can stand for */
    MOST_INFLATED = 512 << 20 /* bytes of a profile that is a baseline */
};

/* A statement of which one parameter is the name; NULL where failed. */
static sqlite3_stmt *prepare(Store *store, const char *sql, const char *name) {
    sqlite3_stmt *statement = NULL;
    if (store->failed)
        return NULL;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) != SQLITE_OK ||
        (name && sqlite3_bind_text(statement, 1, name, -1, SQLITE_STATIC) != SQLITE_OK))
        store_fail_sqlite(store, "read");
    return statement;
}

static void read_names(Store *store, Arena *arena, BaselineNames *names) {
    if (!store_has_table(store, "baseline"))
        return;
    sqlite3_stmt *query =
        prepare(store, "SELECT name FROM baseline WHERE name IS NOT NULL ORDER BY name", NULL);
    int status = SQLITE_DONE;
    while (query && (status = sqlite3_step(query)) == SQLITE_ROW) {
        const char *name = store_text(store, arena, query, 0);
        if (name)
            *vec_add(arena, &names->list) = name;
    }
    if (status != SQLITE_DONE)
        store_fail_sqlite(store, "read");
    sqlite3_finalize(query);
}

static bool has_name(const BaselineNames *names, const char *name) {
    for (uint32_t i = 0; i < names->list.count; i++)
        if (strcmp(names->list.at[i], name) == 0)
            return true;
    return false;
}

/* Fails, with the names that there are, unless this is one. */
static void expect_name(Store *store, const char *name) {
    BaselineNames names = {0};
    const char *all = "";
    read_names(store, store->scratch, &names);
    if (store->failed || has_name(&names, name))
        return;
    for (uint32_t i = 0; i < names.list.count; i++)
        all = arena_printf(store->scratch, "%s%s'%s'", all, i ? ", " : "", names.list.at[i]);
    store_fail(store, arena_printf(store->scratch, "has no baseline '%s'; %s%s", name,
                                   *all ? "it has " : "it has none", all));
}

/* ---- reading ---- */

bool baseline_names(Arena *arena, const char *path, BaselineNames *names, Diags *diags) {
    Store store = store_new(path, diags);
    store_open(&store);
    store_check(&store);
    read_names(&store, arena, names);
    store_close(&store);
    return !store.failed;
}

/* The bytes of a row (size, data); NULL where they cannot be right, or there is no memory to see that. */
static unsigned char *inflate_row(Arena *arena, sqlite3_stmt *row, uint64_t *size, bool *memory) {
    const unsigned char *data = sqlite3_column_blob(row, 1);
    uint64_t stored = (uint64_t)sqlite3_column_bytes(row, 1);
    *memory = data || sqlite3_errcode(sqlite3_db_handle(row)) != SQLITE_NOMEM;
    *size = (uint64_t)sqlite3_column_int64(row, 0);
    if (!data || *size < stored || *size / MOST_DEFLATED > stored || *size > MOST_INFLATED)
        return NULL;
    unsigned char *bytes = arena_alloc(arena, *size);
    uLongf inflated = *size;
    if (stored == *size) {
        memcpy(bytes, data, stored);
        return bytes;
    }
    const int status = uncompress(bytes, &inflated, data, stored);
    *memory = status != Z_MEM_ERROR;
    return status == Z_OK && inflated == *size ? bytes : NULL;
}

static void read_bytes(Store *file, const char *name, Store *inside) {
    uint64_t size = 0;
    bool memory = true;
    sqlite3_stmt *query = prepare(file, "SELECT size, data FROM baseline WHERE name = ?", name);
    if (!query)
        return;
    if (sqlite3_step(query) != SQLITE_ROW)
        store_fail_sqlite(file, "read");
    unsigned char *bytes =
        file->failed ? NULL : inflate_row(inside->scratch, query, &size, &memory);
    sqlite3_finalize(query);
    if (file->failed)
        return;
    if (!bytes)
        store_fail(inside, memory ? "the profile is damaged or cut short"
                                  : "cannot read the profile: out of memory");
    else if (sqlite3_open(":memory:", &inside->database) != SQLITE_OK ||
             sqlite3_deserialize(inside->database, "main", bytes, (sqlite3_int64)size,
                                 (sqlite3_int64)size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
        store_fail_sqlite(inside, "read");
    else
        store_guard(inside, size);
}

Profile *baseline_load(const char *path, const char *name, Diags *diags) {
    Store file = store_new(path, diags);
    Store inside = store_new(arena_printf(file.scratch, "%s: baseline '%s'", path, name), diags);
    store_open(&file);
    store_check(&file);
    expect_name(&file, name);
    read_bytes(&file, name, &inside);
    Profile *profile = file.failed ? NULL : store_read(&inside);
    store_close(&inside);
    store_close(&file);
    return profile;
}

/* ---- changing ---- */

/* A copy of the file, to be changed: store_finish puts it in its place. */
static Store copy_of(const char *path, Diags *diags) {
    Store from = store_new(path, diags), to = store_new(path, diags);
    store_open(&from);
    store_check(&from);
    to.failed = from.failed;
    store_create(&to);
    if (!to.failed) {
        char *copy = sqlite3_mprintf("VACUUM INTO %Q", to.file.path);
        store_execute(&from, copy);
        sqlite3_free(copy);
        to.failed = from.failed;
        store_guard(&to, MOST_INFLATED);
    }
    store_close(&from);
    return to;
}

/* What profile_save would write, as bytes of sqlite3_malloc; NULL: no memory. */
static unsigned char *serialize(Store *store, const Profile *profile, sqlite3_int64 *size) {
    Store memory = store_new(store->path, store->diags);
    if (sqlite3_open(":memory:", &memory.database) != SQLITE_OK)
        store_fail_sqlite(&memory, "write");
    store_write(&memory, profile);
    unsigned char *bytes =
        memory.failed ? NULL : sqlite3_serialize(memory.database, "main", size, 0);
    if (!memory.failed && !bytes)
        store_fail(&memory, "out of memory");
    store->failed |= memory.failed;
    store_close(&memory);
    return bytes;
}

static void insert(Store *store, const char *name, const unsigned char *bytes, uint64_t size) {
    uLongf stored = compressBound(size);
    unsigned char *data = arena_alloc(store->scratch, stored);
    bool smaller = compress(data, &stored, bytes, size) == Z_OK && stored < size;
    sqlite3_stmt *statement = prepare(store, "INSERT INTO baseline VALUES (?, ?, ?)", name);
    if (!statement)
        return;
    if (sqlite3_bind_int64(statement, 2, (sqlite3_int64)size) != SQLITE_OK ||
        sqlite3_bind_blob64(statement, 3, smaller ? data : bytes, smaller ? stored : size,
                            SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_DONE)
        store_fail_sqlite(store, "write");
    sqlite3_finalize(statement);
}

static bool name_usable(const char *name) {
    for (const char *at = name; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return false;
    return *name;
}

bool baseline_add(const char *path, const char *name, const Profile *profile, Diags *diags) {
    Store store = copy_of(path, diags);
    BaselineNames names = {0};
    read_names(&store, store.scratch, &names);
    if (!name_usable(name))
        store_fail(&store, "a baseline's name is not empty and has no control characters");
    else if (has_name(&names, name))
        store_fail(&store, arena_printf(store.scratch, "has a baseline '%s' already", name));
    store_execute(&store, "CREATE TABLE IF NOT EXISTS baseline (name TEXT PRIMARY KEY NOT NULL, "
                          "size INTEGER NOT NULL, data BLOB NOT NULL)");
    sqlite3_int64 size = 0;
    unsigned char *bytes = store.failed ? NULL : serialize(&store, profile, &size);
    if (size > MOST_INFLATED)
        store_fail(&store, "a baseline has at most 512 MiB");
    if (bytes)
        insert(&store, name, bytes, (uint64_t)size);
    sqlite3_free(bytes);
    return store_finish(&store);
}

bool baseline_remove(const char *path, const char *name, Diags *diags) {
    Store store = copy_of(path, diags);
    expect_name(&store, name);
    sqlite3_stmt *statement = prepare(&store, "DELETE FROM baseline WHERE name = ?", name);
    if (statement && sqlite3_step(statement) != SQLITE_DONE)
        store_fail_sqlite(&store, "write");
    sqlite3_finalize(statement);
    if (store_number(&store, "SELECT count(*) FROM baseline") == 0)
        store_execute(&store, "DROP TABLE baseline"); /* as if there had never been one */
    store_execute(&store, "VACUUM");
    return store_finish(&store);
}
