/* The profile file: what is saved is what is loaded; what is no profile is refused with a reason;
 * the file's own views agree with profile_lines; the documentation names every column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "prof/store.h"
#include "sample_profile.h"
#include "sample_rows.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

typedef struct Case {
    Arena *arena;
    Diags *diags;
    char directory[64];
    const char *path; /* a file in it that does not exist */
} Case;

static int set_up(void **state) {
    Case *test = calloc(1, sizeof *test);
    test->arena = arena_new();
    test->diags = diags_new(test->arena);
    strcpy(test->directory, "/tmp/warplens-store-XXXXXX");
    assert_non_null(mkdtemp(test->directory));
    test->path = arena_printf(test->arena, "%s/a.wlp", test->directory);
    *state = test;
    return 0;
}

static int tear_down(void **state) {
    Case *test = *state;
    unlink(test->path);
    unlink(arena_printf(test->arena, "%s/b.wlp", test->directory));
    assert_int_equal(rmdir(test->directory), 0); /* no temporary file was left */
    arena_free(test->arena);
    free(test);
    return 0;
}

static void save(Case *test, const Profile *profile, const char *path) {
    if (!profile_save(profile, path, test->diags))
        fail_msg("%s", test->diags->list.at[0].message);
}

static Profile *load(Case *test, const char *path) {
    Profile *profile = profile_load(path, test->diags);
    if (!profile)
        fail_msg("%s", test->diags->list.at[0].message);
    return profile;
}

static void expect_refused(Case *test, const char *reason) {
    Profile *profile = profile_load(test->path, test->diags);
    assert_null(profile);
    assert_int_equal(test->diags->errors, 1);
    if (!strstr(test->diags->list.at[0].message, reason))
        fail_msg("expected \"%s\" in \"%s\"", reason, test->diags->list.at[0].message);
}

static void expect_equal(const Profile *a, const Profile *b) {
    assert_string_equal(a->command, b->command);
    for (int i = 0; i < TABLES; i++)
        expect_equal_tables(a, b, (TableId)i);
}

static void round_trip(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    sample_defect(made);
    for (int i = 0; i < TABLES; i++) /* the sample leaves no table empty */
        if (prof_tables[i].parent == TABLE_NONE)
            assert_true(table_rows(made, (TableId)i) > 0);
    assert_true(made->kernels.at[SCAN].sass.count > 0);
    save(test, made, test->path);
    Profile *loaded = load(test, test->path);
    expect_equal(made, loaded);
    const char *second = arena_printf(test->arena, "%s/b.wlp", test->directory);
    save(test, loaded, second);
    Profile *again = load(test, second);
    expect_equal(made, again);
    size_t sizes[2];
    char *bytes[2] = {file_read(test->arena, test->path, &sizes[0]),
                      file_read(test->arena, second, &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    profile_free(again);
    profile_free(loaded);
    profile_free(made);
}

/* Also of a field that was added just now. */
static void every_field_is_stored(void **state) {
    Case *test = *state;
    Profile *made = profile_new();
    fill_profile(made);
    made->command = "warplens";
    for (int i = 0; i < TABLES; i++) {
        const ProfTable *table = &prof_tables[i];
        uint32_t count, first;
        const char *row = table->rows(made, 1, &count, &first);
        for (uint32_t f = 0; f < table->field_count; f++)
            assert_true(field_is_set(&table->fields[f], row + table->row_bytes));
    }
    save(test, made, test->path);
    Profile *loaded = load(test, test->path);
    expect_equal(made, loaded);
    profile_free(loaded);
    profile_free(made);
}

/* What a row has, the next one lacks, and the other way round. */
static void rows_differ_from_those_before(void **state) {
    static const char *const ranges[] = {"a", NULL, "b", "b", NULL};
    static const uint32_t devices[] = {1, 1, 0, 2, 2};
    enum { ROWS = sizeof devices / sizeof *devices };
    Case *test = *state;
    Profile *made = sample_profile();
    const LaunchRecord first = made->launches.at[0];
    const uint32_t before = made->launches.count;
    for (uint32_t i = 0; i < ROWS; i++) {
        LaunchRecord *launch = vec_add(made->arena, &made->launches);
        *launch = first;
        launch->range = ranges[i];
        launch->device = devices[i];
        launch->gpu_measured = i % 2;
        launch->fault_location = i % 2 ? NONE : 0;
        launch->time_us = i < 2 ? 1.5 : 0;
    }
    save(test, made, test->path);
    Profile *loaded = load(test, test->path);
    expect_equal(made, loaded);
    assert_string_equal(loaded->launches.at[before + 3].range, "b");
    assert_null(loaded->launches.at[before + 4].range);
    profile_free(loaded);
    profile_free(made);
}

static void empty_profile(void **state) {
    Case *test = *state;
    Profile *made = profile_new();
    save(test, made, test->path);
    Profile *loaded = load(test, test->path);
    assert_null(loaded->command);
    assert_int_equal(loaded->launches.count, 0);
    profile_free(loaded);
    profile_free(made);
}

static void interning_goes_on_after_loading(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    save(test, made, test->path);
    Profile *loaded = load(test, test->path);
    uint32_t files = loaded->files.count, locations = loaded->locations.count;
    const Location *last = &loaded->locations.at[locations - 1];
    assert_int_equal(profile_file(loaded, "samples/sgemm/copy.h"), files - 1);
    assert_int_equal(profile_location(loaded, last->file, last->line, last->column, last->function,
                                      last->inlined_at),
                     locations - 1);
    assert_int_equal(profile_file(loaded, "new.cu"), files);
    assert_int_equal(profile_location(loaded, files, 1, 1, "", NONE), locations);
    assert_int_equal(profile_location(loaded, files, 1, 1, NULL, NONE), locations + 1);
    profile_free(loaded);
    profile_free(made);
}

/* ---- what is refused ---- */

static void no_such_file(void **state) {
    expect_refused(*state, "No such file");
}

static void directory(void **state) {
    Case *test = *state;
    assert_null(profile_load(test->directory, test->diags));
    assert_non_null(strstr(test->diags->list.at[0].message, "not a regular file"));
}

static void empty_file(void **state) {
    Case *test = *state;
    assert_true(file_write(test->path, "", 0));
    expect_refused(test, "not a warplens profile");
}

static void some_text(void **state) {
    Case *test = *state;
    char text[5000];
    memset(text, 'x', sizeof text);
    assert_true(file_write(test->path, text, sizeof text));
    expect_refused(test, "not a warplens profile");
}

static void change(Case *test, const char *sql) {
    sqlite3 *database;
    char *message = NULL;
    assert_int_equal(sqlite3_open(test->path, &database), SQLITE_OK);
    sqlite3_exec(database, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(database);
}

static void another_database(void **state) {
    Case *test = *state;
    change(test, "CREATE TABLE t(x); INSERT INTO t VALUES (1);");
    expect_refused(test, "a SQLite database, but not a warplens profile");
}

static void save_sample(Case *test) {
    Profile *made = sample_profile();
    save(test, made, test->path);
    profile_free(made);
}

static void newer_version(void **state) {
    Case *test = *state;
    save_sample(test);
    change(test, "PRAGMA user_version = 99");
    expect_refused(test, "written by a newer warplens (profile format 99");
}

static void truncated(void **state) {
    Case *test = *state;
    save_sample(test);
    size_t size;
    char *bytes = file_read(test->arena, test->path, &size);
    for (size_t keep = 1; keep < size; keep += size / 37) {
        assert_true(file_write(test->path, bytes, keep));
        Diags *diags = diags_new(test->arena);
        assert_null(profile_load(test->path, diags));
        assert_int_equal(diags->errors, 1);
    }
}

/* Bytes overwritten anywhere: refused or, where it hit unused space or a number, loaded. */
static void overwritten(void **state) {
    Case *test = *state;
    save_sample(test);
    size_t size;
    char *bytes = file_read(test->arena, test->path, &size);
    uint32_t refused = 0;
    for (size_t at = 100; at < size; at += 499) {
        char *copy = arena_copy(test->arena, bytes, size);
        memset(copy + at, 0xff, at + 16 < size ? 16 : size - at);
        assert_true(file_write(test->path, copy, size));
        Profile *profile = profile_load(test->path, diags_new(test->arena));
        refused += !profile;
        profile_free(profile);
    }
    assert_true(refused > 10);
}

/* Damage in a part of the file that loading has no need of. */
static void damage_elsewhere(void **state) {
    Case *test = *state;
    save_sample(test);
    change(test, "CREATE TABLE other(x); INSERT INTO other VALUES (zeroblob(100000));"
                 "CREATE TABLE last(x); INSERT INTO last VALUES (1);");
    size_t size;
    char *bytes = file_read(test->arena, test->path, &size);
    profile_free(load(test, test->path));
    bytes[size - 4096] = 0x55; /* what kind of page the last one is */
    assert_true(file_write(test->path, bytes, size));
    expect_refused(test, "the profile is damaged");
}

/* SQLite gets ever more memory until it is enough. It has a word for it at nearly every place; at none the file is damaged. */
static void memory_is_no_damage(void **state) {
    enum { STEP = 512, MOST = 1 << 20 };
    Case *test = *state;
    save_sample(test);
    uint32_t refused = 0, without = 0;
    bool loaded = false;
    for (int64_t limit = STEP; !loaded && limit < MOST; limit += STEP) {
        Diags *diags = diags_new(test->arena);
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + limit);
        Profile *profile = profile_load(test->path, diags);
        sqlite3_hard_heap_limit64(0);
        loaded = profile;
        refused += !profile;
        profile_free(profile);
        const char *said = loaded ? "" : diags->list.at[0].message;
        without += strstr(said, "out of memory") != NULL;
        if (strstr(said, "damaged"))
            fail_msg("with %lld bytes: %s", (long long)limit, said);
        assert_true(loaded || diags->list.count == 1);
    }
    assert_true(loaded && without > 20 && without > refused - refused / 20);
}

/* Lanes take what the largest needs, and come back; files of version 1 have 64 bits for each. */
static void packed_lanes(void **state) {
    static const struct {
        int64_t least, most;
        size_t bytes;
    } cases[] = {{0, 0, 1},
                 {-128, 127, 1},
                 {-129, 0, 2},
                 {0, 128, 2},
                 {INT16_MIN, INT16_MAX, 2},
                 {0, 32768, 4},
                 {INT32_MIN, INT32_MAX, 4},
                 {0, INT64_C(2147483648), 8},
                 {INT64_MIN, INT64_MAX, 8}};
    Case *test = *state;
    uint8_t bytes[PACKED_MOST];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t lanes[FIELD_LANE_COUNT] = {[3] = cases[i].least, [30] = cases[i].most, [31] = -1};
        int64_t again[FIELD_LANE_COUNT];
        size_t size = lanes_pack(lanes, bytes);
        assert_int_equal(size, FIELD_LANE_COUNT * cases[i].bytes);
        assert_true(lanes_unpack(bytes, size, again));
        assert_memory_equal(lanes, again, sizeof lanes);
        assert_false(lanes_unpack(bytes, size - 1, again));
    }
    assert_false(lanes_unpack(bytes, 0, (int64_t[FIELD_LANE_COUNT]){0}));
    assert_false(lanes_unpack(bytes, FIELD_LANE_COUNT * 3, (int64_t[FIELD_LANE_COUNT]){0}));

    save_sample(test);
    change(test, "UPDATE pattern SET delta = zeroblob(248) || x'fcffffffffffffff';"
                 "PRAGMA user_version = 1");
    Profile *old = load(test, test->path);
    assert_true(old->patterns.at[0].delta[30] == 0 && old->patterns.at[0].delta[31] == -4);
    profile_free(old);
}

static void dangling_references(void **state) {
    static const char *const changes[] = {
        "UPDATE site SET kernel = 99 WHERE id = 2",
        "UPDATE site SET kernel = NULL WHERE id = 2",
        "UPDATE site SET op = 'teleport' WHERE id = 2",
        "UPDATE location SET inlined_at = id WHERE id = 3", /* would be walked for ever */
        "UPDATE location SET inlined_at = id + 1 WHERE id = 3",
        "UPDATE kernel SET site_count = 4000000000 WHERE id = 0",
        "UPDATE launch SET kernel = 77",
        "UPDATE launch SET kernel = NULL",
        "UPDATE launch SET gpu = NULL",
        "UPDATE count SET site = 3000 WHERE site = 1 AND launch = 0",
        "UPDATE count SET site = 9 WHERE site = 8 AND launch = 0", /* the next kernel's first */
        "UPDATE count SET site = 8 WHERE site = 9 AND launch = 1", /* the kernel before's last */
        "UPDATE pattern SET variable = 50",
        "UPDATE pattern SET delta = x'00'",
        "UPDATE location_count SET location = -1",
        "DELETE FROM file WHERE id = 0",
        "UPDATE sass SET text = NULL WHERE number = 1",
        "UPDATE sass SET location = 5000 WHERE number = 1",
        "UPDATE sass SET number = 100 WHERE number = 1",
        "ALTER TABLE site DROP COLUMN width",
        "DROP VIEW line_count; DROP VIEW site_line; DROP TABLE pattern",
        /* accesses that the memory model does not know */
        "UPDATE site SET width = -5548048626",
        "UPDATE site SET width = 0",
        "UPDATE site SET width = 12",
        "UPDATE site SET width = 32",
        "UPDATE site SET access = 9",
        "UPDATE site SET op = 'atomic', access = 9 WHERE id = 0",
        "UPDATE site SET access = 11",
        "UPDATE site SET matrices = 1",
        "UPDATE site SET op = 'ldmatrix'",
        "UPDATE site SET merged_used = 1",
        "UPDATE site SET merged_element = 3, merged_used = 1",
        "UPDATE site SET merged_element = 4, merged_used = 64",
        "UPDATE site SET width = 16, merged_element = 1, merged_used = 1", /* of sixteen pieces */
        "UPDATE location SET line = 2147483648 WHERE id = 3",
        "UPDATE location SET column = 4294967295 WHERE id = 3",
        "UPDATE pattern SET source = delta",
    };
    Case *test = *state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        save_sample(test);
        change(test, changes[i]);
        Diags *diags = diags_new(test->arena);
        if (profile_load(test->path, diags))
            fail_msg("accepted after: %s", changes[i]);
        assert_int_equal(diags->errors, 1);
    }
}

/* A number just beyond the range of its row in fields.def. */
static void expect_range(Case *test, Str file, const ProfTable *table, const ProfField *field) {
    uint64_t most = field->kind == FIELD_U32 && field->most > UINT32_MAX ? UINT32_MAX : field->most;
    if (most > INT64_MAX - 1)
        return; /* all that a column holds */
    assert_true(file_write(test->path, file.at, file.length));
    change(test, arena_printf(test->arena, "UPDATE %s SET %s = %lld%s", table->name, field->name,
                              (long long)most + 1, field->kind == FIELD_REAL ? "e1" : ""));
    test->diags = diags_new(test->arena);
    expect_refused(test,
                   arena_printf(test->arena, "table %s, column %s", table->name, field->name));
}

static void numbers_beyond_their_range(void **state) {
    Case *test = *state;
    Profile *made = profile_new();
    uint32_t checked = 0;
    Str file;
    fill_profile(made);
    save(test, made, test->path);
    file.at = file_read(test->arena, test->path, &file.length);
    profile_free(made);
    for (TableId id = 0; id < TABLES; id++)
        for (uint32_t i = 0; i < prof_tables[id].field_count; i++) {
            const ProfField *field = &prof_tables[id].fields[i];
            bool number = field->kind == FIELD_U32 || field->kind == FIELD_U64 ||
                          field->kind == FIELD_I64 || field->kind == FIELD_REAL;
            if (number)
                expect_range(test, file, &prof_tables[id], field);
            checked += number;
        }
    assert_true(checked > 60);
}

/* What looks like a table of ours and runs when it is read. */
static void no_plain_tables(void **state) {
    static const char *const changes[] = {
        "ALTER TABLE sass_line RENAME TO x; CREATE VIEW sass_line AS WITH RECURSIVE r(n) AS "
        "(SELECT 1"
        " UNION ALL SELECT n + 1 FROM r) SELECT n AS id, n AS kernel, n AS file, n AS line, n AS"
        " operation, n AS ptx, n AS sass, n AS ptx_bytes, n AS sass_bytes FROM r",
        "ALTER TABLE meta RENAME TO x; CREATE VIEW meta AS WITH RECURSIVE r(n) AS (SELECT 1 UNION "
        "ALL"
        " SELECT n + 1 FROM r) SELECT n AS key, n AS value FROM r",
        "ALTER TABLE file ADD COLUMN more GENERATED ALWAYS AS (zeroblob(1000000000))",
        "ALTER TABLE file RENAME TO x; CREATE VIRTUAL TABLE file USING fts5(id, text, size, hash)",
    };
    Case *test = *state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        save_sample(test);
        change(test, arena_printf(test->arena, "PRAGMA legacy_alter_table = ON; %s", changes[i]));
        test->diags = diags_new(test->arena);
        expect_refused(test, "is no plain table");
    }
    save_sample(test);
    change(test,
           "CREATE VIEW baseline AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM"
           " r) SELECT n AS name, n AS size, n AS data FROM r");
    assert_null(baseline_load(test->path, "1", test->diags));
}

static void counters_may_come_and_go(void **state) {
    Case *test = *state;
    save_sample(test);
    change(test, "DROP VIEW line_count; ALTER TABLE count DROP COLUMN constants;"
                 "ALTER TABLE count ADD COLUMN later INTEGER");
    Profile *loaded = load(test, test->path);
    assert_int_equal(profile_total(loaded, LAUNCH_GEMM, NULL).constants, 0);
    assert_int_equal(profile_total(loaded, LAUNCH_SCAN, NULL).sectors, 32768 + 31744 + 262144);
    profile_free(loaded);
}

static void older_file_has_no_machine_code(void **state) {
    Case *test = *state;
    save_sample(test);
    change(test, "DROP TABLE sass");
    Profile *loaded = load(test, test->path);
    assert_int_equal(loaded->kernels.at[SCAN].sass.count, 0);
    assert_true(loaded->sass_lines.count > 0);
    profile_free(loaded);
}

static void old_file_stays_when_writing_fails(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    const char *path = arena_printf(test->arena, "%s/none/x.wlp", test->directory);
    assert_false(profile_save(made, path, test->diags));
    assert_non_null(strstr(test->diags->list.at[0].message, "cannot be written"));
    profile_free(made);
}

/* ---- baselines ---- */

static void add_baseline(Case *test, const char *name, const Profile *profile) {
    if (!baseline_add(test->path, name, profile, test->diags))
        fail_msg("%s", test->diags->list.at[0].message);
}

static void baseline_round_trip(void **state) {
    Case *test = *state;
    Profile *made = sample_profile(), *empty = profile_new();
    BaselineNames names = {0};
    save(test, empty, test->path);
    add_baseline(test, "sample", made);
    add_baseline(test, "empty", empty);
    assert_true(baseline_names(test->arena, test->path, &names, test->diags));
    assert_int_equal(names.list.count, 2);
    assert_string_equal(names.list.at[0], "empty");
    assert_string_equal(names.list.at[1], "sample");
    Profile *loaded = baseline_load(test->path, "sample", test->diags);
    assert_non_null(loaded);
    expect_equal(made, loaded);
    profile_free(loaded);
    loaded = load(test, test->path); /* the profile around them is as it was */
    assert_int_equal(loaded->launches.count, 0);
    profile_free(loaded);
    assert_true(baseline_remove(test->path, "empty", test->diags));
    assert_null(baseline_load(test->path, "empty", test->diags));
    assert_non_null(strstr(test->diags->list.at[0].message, "it has 'sample'"));
    profile_free(made);
    profile_free(empty);
}

/* Once its last baseline is removed, a file is as it was before the first; its mode is kept. */
static void baselines_leave_no_trace(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    struct stat status;
    size_t size, still;
    save(test, made, test->path);
    add_baseline(test, "a", made);
    assert_true(baseline_remove(test->path, "a", test->diags));
    char *first = file_read(test->arena, test->path, &size);
    assert_int_equal(chmod(test->path, 0600), 0);
    add_baseline(test, "a", made);
    add_baseline(test, "b", made);
    assert_true(baseline_remove(test->path, "a", test->diags));
    assert_true(baseline_remove(test->path, "b", test->diags));
    assert_int_equal(stat(test->path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(test->path, &database), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(database, "SELECT * FROM baseline", NULL, NULL, NULL),
                         SQLITE_OK);
    sqlite3_close(database);
    assert_non_null(first);
    assert_non_null(file_read(test->arena, test->path, &still));
    assert_int_equal(size, still);
    profile_free(made);
}

static void baselines_are_reproducible(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    size_t sizes[2];
    char *bytes[2];
    for (int i = 0; i < 2; i++) {
        save(test, made, test->path);
        add_baseline(test, "a", made);
        bytes[i] = file_read(test->arena, test->path, &sizes[i]);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    profile_free(made);
}

static void damaged_baselines(void **state) {
    static const char *const changes[] = {
        "UPDATE baseline SET data = substr(data, 1, length(data) / 2)",
        "UPDATE baseline SET data = x''",
        "UPDATE baseline SET data = 'SQLite format 3', size = 15",
        "UPDATE baseline SET data = zeroblob(5000), size = 5000",
        "UPDATE baseline SET size = size + 1",
        "UPDATE baseline SET size = size - 1",
        "UPDATE baseline SET size = 0",
        "UPDATE baseline SET size = -1",
        "UPDATE baseline SET size = 1 << 62",
        "UPDATE baseline SET size = 1 << 30, data = zeroblob(1 << 21)",
        "ALTER TABLE baseline DROP COLUMN data",
        "DROP TABLE baseline",
    };
    Case *test = *state;
    Profile *made = sample_profile();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        save(test, made, test->path);
        add_baseline(test, "a", made);
        change(test, changes[i]);
        Diags *diags = diags_new(test->arena);
        if (baseline_load(test->path, "a", diags))
            fail_msg("accepted after: %s", changes[i]);
        assert_int_equal(diags->errors, 1);
        profile_free(load(test, test->path)); /* the profile around it is whole */
    }
    profile_free(made);
}

/* A row that says how long it is: nothing is asked for that its bytes cannot be. */
static void sizes_are_not_believed(void **state) {
    static const char *const changes[] = {
        "UPDATE baseline SET size = 400000000, data = zeroblob(1000)",
        "UPDATE baseline SET size = 1 << 30, data = zeroblob(1 << 21)",
    };
    enum { MORE = 100 << 20 };
    Case *test = *state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer needs the address space itself */
#endif
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        Profile *made = sample_profile();
        save(test, made, test->path);
        add_baseline(test, "a", made);
        profile_free(made);
        change(test, changes[i]);
        pid_t child = fork();
        if (child == 0) {
            unsigned long pages = 0;
            FILE *sizes = fopen("/proc/self/statm", "r");
            if (!sizes || fscanf(sizes, "%lu", &pages) != 1)
                _exit(2);
            rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MORE;
            setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
            _exit(baseline_load(test->path, "a", test->diags) ? 1 : 0);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
}

static void failed_changes_leave_the_file(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    size_t before, after;
    save(test, made, test->path);
    add_baseline(test, "a", made);
    char *bytes = file_read(test->arena, test->path, &before);
    assert_false(baseline_add(test->path, "a", made, test->diags));
    assert_false(baseline_add(test->path, "line\nfeed", made, test->diags));
    assert_false(baseline_remove(test->path, "b", test->diags));
    assert_int_equal(test->diags->errors, 3);
    char *still = file_read(test->arena, test->path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, still, before);
    profile_free(made);
}

/* ---- what other programs read ---- */

static void view_equals_profile_lines(void **state) {
    Case *test = *state;
    Profile *made = sample_profile();
    save(test, made, test->path);
    sqlite3 *database;
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_open(test->path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database,
                                        "SELECT requests, wavefronts, sectors FROM line_count "
                                        "WHERE launch = ? AND file IS ? AND line = ?",
                                        -1, &query, NULL),
                     SQLITE_OK);
    for (uint32_t launch = 0; launch < made->launches.count; launch++) {
        uint32_t count;
        LineCounts *lines = profile_lines(test->arena, made, launch, &count);
        for (uint32_t i = 0; i < count; i++) {
            if (!lines[i].total.requests)
                continue;
            sqlite3_bind_int64(query, 1, launch);
            sqlite3_bind_null(query, 2);
            if (lines[i].file != NONE)
                sqlite3_bind_int64(query, 2, lines[i].file);
            sqlite3_bind_int64(query, 3, lines[i].line);
            assert_int_equal(sqlite3_step(query), SQLITE_ROW);
            assert_int_equal(sqlite3_column_int64(query, 0), lines[i].total.requests);
            assert_int_equal(sqlite3_column_int64(query, 1), lines[i].total.wavefronts);
            assert_int_equal(sqlite3_column_int64(query, 2), lines[i].total.sectors);
            sqlite3_reset(query);
        }
    }
    sqlite3_finalize(query);
    sqlite3_close(database);
    profile_free(made);
}

/* ---- docs/profile-format.md ---- */

static const char *field_words(Arena *arena, const ProfField *field) {
    const char *words = "";
    for (uint32_t i = 0; field->names && field->names[i]; i++)
        words = arena_printf(arena, "%s%s`%s`", words, i ? ", " : "", field->names[i]);
    return arena_printf(arena, "%s%s%s", words, *words && *field->words ? "; " : "", field->words);
}

static const char *tables_page(Arena *arena) {
    const char *page = "";
    for (int i = 0; i < TABLES; i++) {
        const ProfTable *table = &prof_tables[i];
        page = arena_printf(arena, "%s### `%s`\n\n", page, table->name);
        if (table->parent != TABLE_NONE)
            page = arena_printf(arena, "%sKey: `%s`, `%s`. ", page, table->parent_column,
                                table->number_column);
        page = arena_printf(arena, "%s%s\n\n| column | |\n| --- | --- |\n", page, table->words);
        for (uint32_t f = 0; f < table->field_count; f++) {
            const char *words = field_words(arena, &table->fields[f]);
            page = arena_printf(arena, "%s| `%s` |%s%s |\n", page, table->fields[f].name,
                                *words ? " " : "", words);
        }
        page = arena_printf(arena, "%s\n", page);
    }
    return page;
}

/* BLESS=1 in the environment writes the tables into the page. */
static void page_is_up_to_date(void **state) {
    static const char path[] = TESTS_DIR "/../docs/profile-format.md", from[] = "### `file`\n",
                      to[] = "### `baseline`\n";
    Case *test = *state;
    size_t size;
    const char *text = file_read(test->arena, path, &size);
    assert_non_null(text);
    const char *begin = strstr(text, from), *end = strstr(text, to);
    assert_true(begin && begin < end);
    const char *now = arena_printf(test->arena, "%.*s%s%s", (int)(begin - text), text,
                                   tables_page(test->arena), end);
    if (getenv("BLESS"))
        assert_true(file_write(path, now, strlen(now)));
    else
        assert_string_equal(text, now);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(round_trip),
        TEST(every_field_is_stored),
        TEST(rows_differ_from_those_before),
        TEST(empty_profile),
        TEST(interning_goes_on_after_loading),
        TEST(no_such_file),
        TEST(directory),
        TEST(empty_file),
        TEST(some_text),
        TEST(another_database),
        TEST(newer_version),
        TEST(truncated),
        TEST(overwritten),
        TEST(damage_elsewhere),
        TEST(memory_is_no_damage),
        TEST(packed_lanes),
        TEST(dangling_references),
        TEST(counters_may_come_and_go),
        TEST(older_file_has_no_machine_code),
        TEST(old_file_stays_when_writing_fails),
        TEST(baseline_round_trip),
        TEST(baselines_leave_no_trace),
        TEST(baselines_are_reproducible),
        TEST(damaged_baselines),
        TEST(sizes_are_not_believed),
        TEST(numbers_beyond_their_range),
        TEST(no_plain_tables),
        TEST(failed_changes_leave_the_file),
        TEST(view_equals_profile_lines),
        TEST(page_is_up_to_date),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
