/* Reads the profile file. Nothing in it is trusted: the header says whether it is ours, SQLite checks
 * its own structure, only plain tables are read, every number must be in its range and every reference
 * point to a row that exists. Errors are sticky: after the first one nothing more is done. */
#include "prof/store.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int64_t store_number(Store *store, const char *sql) {
    sqlite3_stmt *query = NULL;
    int64_t number = 0;
    if (store->failed)
        return 0;
    int status = sqlite3_prepare_v2(store->database, sql, -1, &query, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_step(query);
    if (status == SQLITE_ROW)
        number = sqlite3_column_int64(query, 0);
    else if (status == SQLITE_NOTADB)
        store_fail(store, "not a warplens profile");
    else
        store_fail_sqlite(store, "read");
    sqlite3_finalize(query);
    return number;
}

static void check_header(Store *store) {
    int64_t application = store_number(store, "PRAGMA application_id");
    int64_t version = store_number(store, "PRAGMA user_version");
    if (store->failed)
        return;
    if (application != STORE_APPLICATION)
        store_fail(store, "a SQLite database, but not a warplens profile");
    else if (version > STORE_VERSION)
        store_fail(store,
                   arena_printf(store->scratch,
                                "written by a newer warplens (profile format %lld; this one reads "
                                "up to %d)",
                                (long long)version, STORE_VERSION));
    else if (version < 1)
        store_fail(store, "the profile is damaged: it has no format version");
}

/* The end of the last page may be missing without quick_check noticing. */
static bool is_cut_short(Store *store) {
    struct stat status;
    int64_t page = store_number(store, "PRAGMA page_size");
    return store->path && stat(store->path, &status) == 0 && page > 0 && status.st_size % page != 0;
}

/* The check goes on where a page got no memory, and reports its number of that error. */
static bool lacks_memory(Store *store, const char *answer) {
    const char *code = arena_printf(store->scratch, "error code=%d", SQLITE_NOMEM);
    const char *at = strstr(answer, code);
    return at && !strchr("0123456789", at[strlen(code)] ? at[strlen(code)] : ' ');
}

static void check_structure(Store *store) {
    sqlite3_stmt *query = NULL;
    if (!store->failed && is_cut_short(store))
        store_fail(store, "the profile is damaged: it is cut short");
    if (store->failed)
        return;
    bool good = sqlite3_prepare_v2(store->database, "PRAGMA quick_check(1)", -1, &query, NULL) ==
                    SQLITE_OK &&
                sqlite3_step(query) == SQLITE_ROW;
    const char *answer = good ? (const char *)sqlite3_column_text(query, 0) : NULL;
    if (answer && lacks_memory(store, answer))
        store_fail(store, "cannot read the profile: out of memory");
    else if (!answer || strcmp(answer, "ok") != 0)
        store_fail_damaged(store, answer ? answer : sqlite3_errmsg(store->database));
    sqlite3_finalize(query);
}

/* Called for a database that has had its work: the statement ends with an error. */
static int is_endless(void *context) {
    (void)context;
    return 1;
}

/* SQLite's advice for files of others ("Defense Against The Dark Arts"): no view, trigger or function of
 * the file runs, no value is larger than the file, and no statement does more than reading every byte of
 * it takes. */
void store_guard(Store *store, uint64_t bytes) {
    enum { LEAST = 1 << 20, MOST = 1 << 30, STEPS_EACH = 20 };
    static const int limits[][2] = {{SQLITE_LIMIT_SQL_LENGTH, 1 << 16},
                                    {SQLITE_LIMIT_EXPR_DEPTH, 100},
                                    {SQLITE_LIMIT_COMPOUND_SELECT, 3},
                                    {SQLITE_LIMIT_TRIGGER_DEPTH, 1}};
    static const int modes[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                   {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                   {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}};
    if (store->failed)
        return;
    int length = (int)(bytes < LEAST               ? LEAST
                       : bytes < MOST / STEPS_EACH ? bytes
                                                   : MOST / STEPS_EACH);
    sqlite3_limit(store->database, SQLITE_LIMIT_LENGTH, bytes < MOST ? (int)(bytes + LEAST) : MOST);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(store->database, limits[i][0], limits[i][1]);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        sqlite3_db_config(store->database, modes[i][0], modes[i][1], NULL);
    sqlite3_progress_handler(store->database, length * STEPS_EACH, is_endless, NULL);
}

bool store_has_table(Store *store, const char *name) {
    const char *format = "SELECT count(*) FROM sqlite_schema WHERE name = '%s' COLLATE NOCASE%s";
    const char *plain = " AND type = 'table' AND rootpage > 0";
    const char *computed = "SELECT count(*) FROM pragma_table_xinfo('%s') WHERE hidden <> 0";
    if (store_number(store, arena_printf(store->scratch, format, name, "")) == 0)
        return false;
    if (store_number(store, arena_printf(store->scratch, format, name, plain)) != 1 ||
        store_number(store, arena_printf(store->scratch, computed, name)) != 0)
        store_fail(store, arena_printf(store->scratch,
                                       "the profile is damaged: '%s' is no plain table", name));
    return !store->failed;
}

void store_check(Store *store) {
    check_header(store);
    check_structure(store);
}

typedef struct Reader {
    Store *store;
    Profile *profile;
    const ProfTable *table;
    sqlite3_stmt *query;
    int parent_at, number_at;
    int *at; /* of each of the table's columns: its place in the query, -1 = absent */
} Reader;

static void damaged(const Reader *reader, const char *column) {
    store_fail_damaged(reader->store, arena_printf(reader->store->scratch, "table %s, column %s",
                                                   reader->table->name, column));
}

const char *store_text(Store *store, Arena *arena, sqlite3_stmt *query, int at) {
    const char *text = (const char *)sqlite3_column_text(query, at);
    if (!text && sqlite3_errcode(store->database) == SQLITE_NOMEM)
        store_fail_sqlite(store, "read");
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static const int64_t *read_lanes(Reader *reader, const ProfField *field, int at) {
    if (sqlite3_column_type(reader->query, at) == SQLITE_NULL)
        return NULL;
    const uint8_t *blob = sqlite3_column_blob(reader->query, at);
    const int bytes = sqlite3_column_bytes(reader->query, at);
    int64_t *lanes = NEW_ARRAY(reader->profile->arena, int64_t, FIELD_LANE_COUNT);
    if (!blob || bytes < 0 || !lanes_unpack(blob, (size_t)bytes, lanes)) {
        damaged(reader, field->name);
        return NULL;
    }
    return lanes;
}

static uint32_t read_index(Reader *reader, const ProfField *field, int at) {
    if (sqlite3_column_type(reader->query, at) == SQLITE_NULL)
        return NONE;
    int64_t value = sqlite3_column_int64(reader->query, at);
    uint32_t rows = NONE;
    if (field->target != TABLE_NONE)
        rows = table_rows(reader->profile, field->target);
    /* The row being read is already in its table. */
    if (!(field->flags & SELF) && field->target != TABLE_NONE &&
        &prof_tables[field->target] == reader->table)
        rows--;
    if (value < 0 || value >= rows)
        damaged(reader, field->name);
    return (uint32_t)value;
}

static unsigned read_name(Reader *reader, const ProfField *field, int at) {
    const char *text = (const char *)sqlite3_column_text(reader->query, at);
    for (unsigned i = 0; text && field->names[i]; i++)
        if (strcmp(text, field->names[i]) == 0)
            return i;
    damaged(reader, field->name);
    return 0;
}

static uint32_t read_number(Reader *reader, const ProfField *field, int at) {
    int64_t value = sqlite3_column_int64(reader->query, at);
    if (value < 0 || value > UINT32_MAX)
        damaged(reader, field->name);
    return (uint32_t)value;
}

static void read_field(Reader *reader, const ProfField *field, int at, char *row) {
    void *value = row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
        *(uint32_t *)value = read_number(reader, field, at);
        break;
    case FIELD_U64:
    case FIELD_I64:
        *(int64_t *)value = sqlite3_column_int64(reader->query, at);
        break;
    case FIELD_BOOL:
        *(bool *)value = sqlite3_column_int(reader->query, at) != 0;
        break;
    case FIELD_REAL:
        *(double *)value = sqlite3_column_double(reader->query, at);
        break;
    case FIELD_TEXT:
        *(const char **)value =
            store_text(reader->store, reader->profile->arena, reader->query, at);
        break;
    case FIELD_ENUM:
        *(unsigned *)value = read_name(reader, field, at);
        break;
    case FIELD_INDEX:
        *(uint32_t *)value = read_index(reader, field, at);
        break;
    case FIELD_LANES:
        *(const int64_t **)value = read_lanes(reader, field, at);
        break;
    }
}

static void read_row(Reader *reader) {
    const ProfTable *table = reader->table;
    int64_t parent = 0, number = sqlite3_column_int64(reader->query, reader->number_at);
    if (table->parent != TABLE_NONE) {
        parent = sqlite3_column_int64(reader->query, reader->parent_at);
        if (parent < 0 || parent >= table_rows(reader->profile, table->parent)) {
            damaged(reader, table->parent_column);
            return;
        }
    }
    char *row = number < 0 || number >= NONE
                    ? NULL
                    : table->add(reader->profile, (uint32_t)parent, (uint32_t)number);
    if (!row) {
        damaged(reader, table->parent == TABLE_NONE ? "id" : table->number_column);
        return;
    }
    memset(row, 0, table->row_bytes);
    for (uint32_t i = 0; i < table->field_count && !reader->store->failed; i++)
        if (reader->at[i] >= 0)
            read_field(reader, &table->fields[i], reader->at[i], row);
        else if (table->fields[i].kind == FIELD_INDEX)
            *(uint32_t *)(void *)(row + table->fields[i].offset) = NONE;
    const ProfField *wrong = row_fault(table, row);
    if (wrong && !reader->store->failed)
        damaged(reader, wrong->name);
}

static int find_column(const Reader *reader, const char *name) {
    for (int i = 0; i < sqlite3_column_count(reader->query); i++) {
        const char *column = sqlite3_column_name(reader->query, i);
        if (column && strcmp(column, name) == 0)
            return i;
    }
    return -1;
}

/* Columns are found by name: a file may have more than we know, and may lack the later ones. */
static void find_columns(Reader *reader) {
    const ProfTable *table = reader->table;
    bool child = table->parent != TABLE_NONE;
    reader->number_at = find_column(reader, child ? table->number_column : "id");
    reader->parent_at = child ? find_column(reader, table->parent_column) : 0;
    if (reader->number_at < 0 || reader->parent_at < 0)
        damaged(reader, "key");
    reader->at = NEW_ARRAY(reader->store->scratch, int, table->field_count);
    for (uint32_t i = 0; i < table->field_count; i++) {
        reader->at[i] = find_column(reader, table->fields[i].name);
        if (reader->at[i] < 0 && !(table->fields[i].flags & LATER))
            damaged(reader, table->fields[i].name);
    }
}

/* For all rows that the file has of a table without a parent; where they cannot be counted, reading them says why. */
static void make_room(Reader *reader) {
    sqlite3_stmt *query = NULL;
    const char *sql =
        arena_printf(reader->store->scratch, "SELECT count(*) FROM %s", reader->table->name);
    if (sqlite3_prepare_v2(reader->store->database, sql, -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW) {
        int64_t rows = sqlite3_column_int64(query, 0);
        reader->table->room(reader->profile, rows < NONE ? (uint32_t)rows : NONE);
    }
    sqlite3_finalize(query);
}

static void read_table(Store *store, Profile *profile, const ProfTable *table) {
    Reader reader = {.store = store, .profile = profile, .table = table};
    const char *sql =
        table->parent == TABLE_NONE
            ? arena_printf(store->scratch, "SELECT * FROM %s ORDER BY id", table->name)
            : arena_printf(store->scratch, "SELECT * FROM %s ORDER BY %s, %s", table->name,
                           table->parent_column, table->number_column);
    if (!store_has_table(store, table->name)) {
        if (!table->later)
            store_fail(store, arena_printf(store->scratch, "the profile is damaged: no table '%s'",
                                           table->name));
        return; /* an older file */
    }
    if (sqlite3_prepare_v2(store->database, sql, -1, &reader.query, NULL) != SQLITE_OK)
        store_fail_sqlite(store, "read");
    else
        find_columns(&reader);
    if (!store->failed && table->room)
        make_room(&reader);
    int status = SQLITE_DONE;
    while (!store->failed && (status = sqlite3_step(reader.query)) == SQLITE_ROW)
        read_row(&reader);
    if (!store->failed && status != SQLITE_DONE)
        store_fail_sqlite(store, "read");
    sqlite3_finalize(reader.query);
}

/* NULL: there is none of that name. */
static const char *read_meta(Store *store, Arena *arena, const char *key) {
    const char *value = NULL;
    sqlite3_stmt *query = NULL;
    if (!store_has_table(store, "meta"))
        return NULL;
    int status = sqlite3_prepare_v2(store->database, "SELECT value FROM meta WHERE key = ?", -1,
                                    &query, NULL);
    if (status == SQLITE_OK)
        status = sqlite3_bind_text(query, 1, key, -1, SQLITE_STATIC);
    if (status == SQLITE_OK)
        status = sqlite3_step(query);
    if (status == SQLITE_ROW)
        value = store_text(store, arena, query, 0);
    else if (status != SQLITE_DONE)
        store_fail_sqlite(store, "read");
    sqlite3_finalize(query);
    return value;
}

static uint32_t launch_of(const char *row, size_t launch_at) {
    uint32_t launch;
    memcpy(&launch, row + launch_at, sizeof launch);
    return launch;
}

/* Stable, by launch: `launch_at` bytes into each row is its number. */
static void order_rows(Profile *profile, char *rows, uint32_t count, size_t size,
                       size_t launch_at) {
    uint32_t late = 1, launches = profile->launches.count;
    while (late < count && launch_of(rows + late * size, launch_at) >=
                               launch_of(rows + (late - 1) * size, launch_at))
        late++;
    if (late >= count)
        return;
    Arena *scratch = arena_new();
    uint32_t *next = NEW_ARRAY(scratch, uint32_t, launches + 1);
    char *sorted = arena_alloc(scratch, count * size);
    for (uint32_t i = 0; i < count; i++)
        next[launch_of(rows + i * size, launch_at) + 1]++;
    for (uint32_t i = 0; i < launches; i++)
        next[i + 1] += next[i];
    for (uint32_t i = 0; i < count; i++)
        memcpy(sorted + next[launch_of(rows + i * size, launch_at)]++ * size, rows + i * size,
               size);
    memcpy(rows, sorted, count * size);
    arena_free(scratch);
}

/* An older file may have rows of launches from the device behind those of others. */
static void order_launches(Profile *profile) {
    order_rows(profile, (char *)profile->location_counts.at, profile->location_counts.count,
               sizeof(LocationCount), offsetof(LocationCount, launch));
    order_rows(profile, (char *)profile->patterns.at, profile->patterns.count,
               sizeof(AccessPattern), offsetof(AccessPattern, launch));
}

/* What references alone do not say. */
static bool kernels_fit(Profile *profile) {
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        const ProfKernel *kernel = &profile->kernels.at[i];
        if ((uint64_t)kernel->first_site + kernel->site_count > profile->sites.count)
            return false;
        for (uint32_t site = 0; site < kernel->site_count; site++)
            if (profile->sites.at[kernel->first_site + site].kernel != i)
                return false;
    }
    return true;
}

static bool launches_fit(Profile *profile) {
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        LaunchRecord *launch = &profile->launches.at[i];
        if (!launch->counters)
            launch->counters =
                NEW_ARRAY(profile->arena, Counters, profile->kernels.at[launch->kernel].site_count);
    }
    for (uint32_t i = 0; i < profile->patterns.count; i++)
        if (!pattern_fits(profile, &profile->patterns.at[i]))
            return false;
    return true;
}

bool store_of_launches(TableId id) {
    return prof_tables[id].parent == TABLE_launch || id == TABLE_location_count ||
           id == TABLE_pattern;
}

static void read_database(Store *store, Profile *profile, bool whole) {
    store_check(store);
    profile->command = read_meta(store, profile->arena, "command");
    const char *root = read_meta(store, profile->arena, "root");
    for (TableId table = 0; table < TABLES && !store->failed; table++) {
        if (!whole && store_of_launches(table))
            continue;
        read_table(store, profile, &prof_tables[table]);
        if (table == TABLE_site && !store->failed && !kernels_fit(profile))
            store_fail(store, "the profile is damaged: kernels and sites do not fit together");
    }
    if (!store->failed && whole)
        order_launches(profile);
    if (!store->failed && whole && !launches_fit(profile))
        store_fail(store,
                   "the profile is damaged: launches and their evidence do not fit together");
    if (!store->failed && root)
        profile_set_root(profile, root);
}

void store_open(Store *store) {
    struct stat status;
    if (stat(store->path, &status) != 0)
        store_fail(store, arena_printf(store->scratch, "cannot be read: %s", strerror(errno)));
    else if (!S_ISREG(status.st_mode))
        store_fail(store, "cannot be read: not a regular file");
    else if (status.st_size == 0)
        store_fail(store, "not a warplens profile: the file is empty");
    else if (sqlite3_open_v2(store->path, &store->database,
                             SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        store_fail_sqlite(store, "read");
    store_guard(store, (uint64_t)status.st_size);
}

static Profile *read_profile(Store *store, bool whole) {
    if (store->failed)
        return NULL;
    Profile *profile = profile_new();
    read_database(store, profile, whole);
    if (!store->failed)
        return profile;
    profile_free(profile);
    return NULL;
}

Profile *store_read(Store *store) {
    return read_profile(store, true);
}

Profile *store_survey(Store *store) {
    return read_profile(store, false);
}

Profile *profile_load(const char *path, Diags *diags) {
    Store store = store_new(path, diags);
    store_open(&store);
    Profile *profile = store_read(&store);
    store_close(&store);
    return profile;
}
