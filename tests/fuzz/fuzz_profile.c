/* Fuzzing the reader of profiles, and all that shows them: cells of a valid one get other values, so that the file is a
 * good database. It is refused with a message, or every page, the gate, a comparison and a fix can be made of it. Or every
 * other cell is of a second one: the two are compared, judged by each other, and merged into one that can be read.
 *
 * The first byte of the input says what is made of it (the corpus: all, in builds without libFuzzer). The others are a list of cells, 12 bytes each: the table (low four
 * bits) and the kind of value (the others), the column, two bytes for the row, eight for the value.
 *
 * The file lies in memory (/dev/shm), and begins as a copy of one that is written once. */
#include "fuzz.h"
#include "fuzz_file.h"

#include "../unit/sample_profile.h"
#include "fix/fix.h"
#include "fix/global.h"
#include "prof/fields.h"
#include "report/report.h"
#include "rules/rules.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CELL_BYTES = 12,
    CELLS_MOST = 16,
    EFFORT = 100 /* of the search for layouts, which is the same at its thousandth step */
};

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

/* The bytes of the valid profile, which are never freed. */
static const unsigned char *valid_profile(sqlite3_int64 *size) {
    static unsigned char *bytes;
    static sqlite3_int64 length;
    if (!bytes) {
        char path[] = "/dev/shm/warplens-fuzz-XXXXXX";
        int descriptor = mkstemp(path);
        Profile *profile = sample_profile();
        sqlite3 *database;
        must(descriptor >= 0 && close(descriptor) == 0, path);
        must(profile_save(profile, path, diags_new(profile->arena)), path);
        must(sqlite3_open(path, &database) == SQLITE_OK, path);
        must((bytes = sqlite3_serialize(database, "main", &length, 0)), path);
        sqlite3_close(database);
        profile_free(profile);
        unlink(path);
    }
    *size = length;
    return bytes;
}

/* Its cells that one of two profiles has: the first, third …, or the second, fourth …; or all. */
typedef enum Cells { CELLS_FIRST, CELLS_SECOND, CELLS_ALL } Cells;

static void write_profile(int file, const uint8_t *data, size_t size, Cells cells) {
    enum { FLAGS = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE };
    sqlite3 *database;
    sqlite3_int64 length;
    const unsigned char *valid = valid_profile(&length);
    unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)length);
    must(copy, "memory");
    memcpy(copy, valid, (size_t)length);
    must(sqlite3_open(":memory:", &database) == SQLITE_OK, "open");
    must(sqlite3_deserialize(database, "main", copy, length, length, FLAGS) == SQLITE_OK, "copy");
    sqlite3_exec(database, "PRAGMA journal_mode = OFF; BEGIN", NULL, NULL, NULL);
    for (size_t at = 0; at + CELL_BYTES <= size && at < CELLS_MOST * CELL_BYTES; at += CELL_BYTES)
        if (cells == CELLS_ALL || at / CELL_BYTES % 2 == cells)
            change_cell(database, data + at);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    const unsigned char *bytes =
        sqlite3_serialize(database, "main", &length, SQLITE_SERIALIZE_NOCOPY);
    must(bytes && write(file, bytes, (size_t)length) == length, "write");
    sqlite3_close(database);
}

/* ---- what is made of a profile ---- */

static void use_report(const Profile *profile, Arena *arena, FILE *out, const char *format) {
    report_print(profile, report_format(format), &REPORT_DEFAULTS, out, diags_new(arena));
}

static void use_term(const Profile *profile, Arena *arena, FILE *out) {
    ReportOptions options = REPORT_DEFAULTS;
    options.pages = PAGES_ALL | 1u << PAGE_RAW;
    options.ptx = options.inlined = options.colour = true;
    report_print(profile, report_format("term"), &options, out, diags_new(arena));
}

static void use_html(const Profile *profile, Arena *arena, FILE *out) {
    use_report(profile, arena, out, "html");
}

static void use_json(const Profile *profile, Arena *arena, FILE *out) {
    use_report(profile, arena, out, "json");
}

static void use_rest(const Profile *profile, Arena *arena, FILE *out) {
    for (const ReportFormat *format = report_formats; format->name; format++)
        if (format->write != report_format("html")->write &&
            format->write != report_format("json")->write)
            use_report(profile, arena, out, format->name);
}

static void use_gate(const Profile *profile, Arena *arena, FILE *out) {
    const Limits limits = {.deny = UINT32_MAX};
    GateResult result = {.profile = profile, .version = "0.0.0"};
    result.names = kernel_names(arena, profile, NAME_WIDTH);
    result.violations = gate_run(arena, profile, profile, &limits, &result.count);
    for (const GateFormat *format = gate_formats; format->name; format++)
        format->write(&result, &REPORT_DEFAULTS, out);
}

/* With the valid one, in both directions, and with itself. */
static void use_diff(const Profile *profile, Arena *arena, FILE *out) {
    Profile *valid = sample_profile();
    const Profile *const pairs[][2] = {{profile, valid}, {valid, profile}, {profile, profile}};
    for (uint32_t i = 0; i < 3; i++)
        for (const DiffFormat *format = diff_formats; format->name; format++)
            report_diff(pairs[i][0], pairs[i][1], format, &REPORT_DEFAULTS, out, diags_new(arena));
    profile_free(valid);
}

static void use_fix(const Profile *profile, Arena *arena, FILE *out) {
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const ProfKernel *kernel = &profile->kernels.at[profile->launches.at[i].kernel];
        const FixScope scope = {.profile = profile, .launches = &i, .count = 1, .effort = EFFORT};
        const Layout **layouts = NEW_ARRAY(arena, const Layout *, kernel->shared.count + 1);
        uint32_t count;
        ArrayFix *arrays = fix_arrays(arena, &scope, &count);
        for (uint32_t a = 0; a < count; a++) {
            static const Layout plain = {.kind = LAYOUT_PLAIN};
            layouts[a] = arrays[a].count ? &arrays[a].best[0].layout : &plain;
            fputs(fix_words(arena, layouts[a], &arrays[a].declared), out);
        }
        fix_promise(arena, &scope, arrays, count, layouts);
    }
}

static void use_global(const Profile *profile, Arena *arena, FILE *out) {
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        uint32_t count;
        GlobalFix *fixes = global_fixes(arena, profile, i, &count);
        global_period(fixes, count);
        global_price(profile, i, fixes, count);
        for (uint32_t f = 0; f < count; f++)
            for (uint32_t c = 0; c < fixes[f].count; c++) {
                const Change *change = &fixes[f].changes[c];
                fputs(change_words(arena, change), out);
                fputs(change_advice(arena, profile, i, &fixes[f], change), out);
            }
    }
}

static void (*const uses[])(const Profile *, Arena *, FILE *) = {
    use_term, use_html, use_json, use_rest, use_gate, use_diff, use_fix, use_global};
#ifdef FUZZ_CORPUS
enum { ALL_USES = true };
#else
enum { ALL_USES = false };
#endif
enum { USES = sizeof uses / sizeof *uses };

/* The file at path, which becomes unique, has the cells. NULL: refused, with a message. What was not changed is accepted. */
static Profile *load_changed(Arena *arena, const uint8_t *data, size_t size, Cells cells,
                             char *path) {
    Diags *diags = diags_new(arena);
    int file = mkstemp(path);
    must(file >= 0, path);
    write_profile(file, data, size, cells);
    close(file);
    Profile *profile = profile_load(path, diags);
    must(profile || (diags->errors && size >= CELL_BYTES), "a profile, or a reason");
    return profile;
}

static void use_one(Arena *arena, const uint8_t *data, size_t size, FILE *out) {
    char path[] = FUZZ_FILE;
    Profile *profile = load_changed(arena, data + 1, size - 1, CELLS_ALL, path);
    unlink(path);
    for (uint32_t i = 0; profile && i < USES; i++)
        if (ALL_USES || i == data[0] % (USES + 1))
            uses[i](profile, arena, out);
    profile_free(profile);
}

/* What is merged of two that can be read can be read. */
static void use_merge(Arena *arena, const char *const *paths, FILE *out) {
    char path[] = FUZZ_FILE;
    Diags *diags = diags_new(arena);
    int file = mkstemp(path);
    must(file >= 0, path);
    close(file);
    if (profiles_merge(paths, 2, path, NULL, diags)) {
        Profile *all = profile_load(path, diags);
        must(all, "what was merged");
        use_json(all, arena, out);
        profile_free(all);
    } else {
        must(diags->errors, "merged, or a reason");
    }
    unlink(path);
}

static void use_two(Arena *arena, const uint8_t *data, size_t size, FILE *out) {
    char first[] = FUZZ_FILE, second[] = FUZZ_FILE;
    const char *paths[] = {first, second};
    const Limits limits = {.deny = UINT32_MAX};
    Profile *before = load_changed(arena, data + 1, size - 1, CELLS_FIRST, first);
    Profile *after = load_changed(arena, data + 1, size - 1, CELLS_SECOND, second);
    if (before && after) {
        uint32_t count;
        for (const DiffFormat *format = diff_formats; format->name; format++)
            report_diff(before, after, format, &REPORT_DEFAULTS, out, diags_new(arena));
        gate_run(arena, after, before, &limits, &count);
        use_merge(arena, paths, out);
    }
    unlink(first);
    unlink(second);
    profile_free(before);
    profile_free(after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    Arena *arena = arena_new();
    FILE *nowhere = fopen("/dev/null", "w");
    must(nowhere, "/dev/null");
    if (ALL_USES || data[0] % (USES + 1) < USES)
        use_one(arena, data, size, nowhere);
    if (ALL_USES || data[0] % (USES + 1) == USES)
        use_two(arena, data, size, nowhere);
    fclose(nowhere);
    arena_free(arena);
    return 0;
}
