/* Files, modules, locations, kernels with their sites and machine code: what profiles have in common, once. Rows are equal where all
 * that they say is, the rows that they refer to included; what differs stays apart. */
#include "prof/merge.h"

#include <string.h>

struct Common {
    Arena *arena;
    Profile *into;
    Map *rows[TABLES]; /* by key */
};

Common *common_new(Arena *arena, Profile *into) {
    Common *common = NEW(arena, Common);
    common->arena = arena;
    common->into = into;
    for (uint32_t id = 0; id < TABLES; id++)
        common->rows[id] = map_new(arena);
    return common;
}

void row_translate(const RowMap *map, TableId table, void *row) {
    for (uint32_t i = 0; i < prof_tables[table].field_count; i++) {
        const ProfField *field = &prof_tables[table].fields[i];
        uint32_t *number = (void *)((char *)row + field->offset);
        if (field->kind == FIELD_INDEX && field->target != TABLE_NONE && *number != NONE &&
            map->of[field->target])
            *number = map->of[field->target][*number];
    }
}

/* ---- what a row says, as bytes ---- */

typedef struct Bytes {
    Arena *arena;
    char *at;
    size_t used, room;
} Bytes;

static void put(Bytes *bytes, const void *data, size_t size) {
    if (bytes->used + size > bytes->room) {
        size_t room = 2 * (bytes->used + size) + 64;
        char *larger = arena_alloc(bytes->arena, room);
        if (bytes->used)
            memcpy(larger, bytes->at, bytes->used);
        bytes->at = larger;
        bytes->room = room;
    }
    if (size)
        memcpy(bytes->at + bytes->used, data, size);
    bytes->used += size;
}

static void put_text(Bytes *bytes, const char *text) {
    size_t length = text ? strlen(text) + 1 : 0;
    put(bytes, &length, sizeof length);
    put(bytes, text, length);
}

static size_t field_bytes(const ProfField *field) {
    switch (field->kind) {
    case FIELD_U64:
    case FIELD_I64:
    case FIELD_REAL:
        return 8;
    case FIELD_BOOL:
        return sizeof(bool);
    default:
        return 4;
    }
}

/* Without the fields at the offsets of `but`, which ends with SIZE_MAX. */
static void put_row(Bytes *bytes, TableId table, const void *row, const size_t *but) {
    for (uint32_t i = 0; i < prof_tables[table].field_count; i++) {
        const ProfField *field = &prof_tables[table].fields[i];
        const size_t *left_out = but;
        while (*left_out != SIZE_MAX && *left_out != field->offset)
            left_out++;
        const char *at = (const char *)row + field->offset;
        if (*left_out != SIZE_MAX)
            continue;
        if (field->kind == FIELD_TEXT)
            put_text(bytes, *(const char *const *)(const void *)at);
        else
            put(bytes, at, field_bytes(field));
    }
}

/* ---- rows by themselves ---- */

static uint32_t add_row(Common *common, TableId table, Str key, const void *row) {
    uint64_t found;
    if (map_get(common->rows[table], key, &found))
        return (uint32_t)found;
    uint32_t number = table_rows(common->into, table);
    void *to = prof_tables[table].add(common->into, 0, number);
    memcpy(to, row, prof_tables[table].row_bytes);
    row_keep(common->into->arena, &prof_tables[table], to);
    map_put(common->rows[table], (Str){arena_copy(common->arena, key.at, key.length), key.length},
            number);
    return number;
}

/* Texts of files and modules are compared by hash and length. */
static size_t text_of(TableId table) {
    return table == TABLE_file     ? offsetof(SourceFile, text)
           : table == TABLE_module ? offsetof(ProfModule, text)
                                   : SIZE_MAX;
}

static void add_rows(Common *common, Arena *arena, const Profile *from, TableId table,
                     RowMap *map) {
    uint32_t count, first;
    const char *rows = prof_tables[table].rows(from, 0, &count, &first);
    size_t size = prof_tables[table].row_bytes, but[] = {text_of(table), SIZE_MAX};
    Arena *scratch = arena_new();
    map->of[table] = NEW_ARRAY(arena, uint32_t, count + 1);
    void *row = arena_alloc(arena, size);
    for (uint32_t i = 0; i < count; i++) {
        Bytes key = {.arena = scratch};
        memcpy(row, rows + i * size, size);
        row_translate(map, table, row);
        put_row(&key, table, row, but);
        const char *text = NULL;
        if (but[0] != SIZE_MAX)
            memcpy(&text, (const char *)row + but[0], sizeof text);
        if (text) {
            uint64_t about[] = {strlen(text), str_hash(str_of(text))};
            put(&key, about, sizeof about);
        }
        map->of[table][i] = add_row(common, table, (Str){key.at, key.used}, row);
        arena_clear(scratch);
    }
    arena_free(scratch);
}

/* ---- kernels, with what belongs to them ---- */

/* Two hashes of 64 bits stand for all of it: a key that has the text of each machine instruction would be as large as the
 * profile. */
static Str kernel_key(Arena *arena, const Profile *from, const ProfKernel *kernel,
                      const RowMap *map) {
    static const size_t first[] = {offsetof(ProfKernel, first_site), SIZE_MAX},
                        element[] = {offsetof(SharedVariable, element_bytes), SIZE_MAX},
                        owner[] = {offsetof(Site, kernel), SIZE_MAX},
                        site[] = {offsetof(SassInst, site), SIZE_MAX};
    Bytes bytes = {.arena = arena};
    put_row(&bytes, TABLE_kernel, kernel, first);
    for (uint32_t i = 0; i < kernel->shared.count; i++)
        put_row(&bytes, TABLE_shared_variable, &kernel->shared.at[i], element);
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        Site row = from->sites.at[kernel->first_site + i];
        row.kernel = NONE;
        row_translate(map, TABLE_site, &row);
        put_row(&bytes, TABLE_site, &row, owner);
    }
    for (uint32_t i = 0; i < kernel->sass.count; i++) {
        SassInst row = kernel->sass.at[i];
        uint32_t place = row.site == NONE ? NONE : row.site - kernel->first_site;
        row_translate(map, TABLE_sass, &row);
        put_row(&bytes, TABLE_sass, &row, site);
        put(&bytes, &place, sizeof place);
    }
    uint64_t *hashes = NEW_ARRAY(arena, uint64_t, 2);
    hashes[0] = str_hash((Str){bytes.at, bytes.used});
    hashes[1] = bytes_hash(bytes.at, bytes.used, kernel->site_count);
    return (Str){(const char *)hashes, 2 * sizeof *hashes};
}

static void add_sites(Profile *into, const Profile *from, const ProfKernel *kernel, uint32_t number,
                      const RowMap *map) {
    ProfKernel *added = &into->kernels.at[number];
    added->first_site = into->sites.count;
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        Site row = from->sites.at[kernel->first_site + i];
        row_translate(map, TABLE_site, &row);
        row.kernel = number;
        row_keep(into->arena, &prof_tables[TABLE_site], &row);
        *vec_add(into->arena, &into->sites) = row;
    }
}

static void add_children(Profile *into, const ProfKernel *kernel, uint32_t number,
                         const RowMap *map) {
    ProfKernel *added = &into->kernels.at[number];
    memset(&added->shared, 0, sizeof added->shared);
    memset(&added->sass, 0, sizeof added->sass);
    for (uint32_t i = 0; i < kernel->shared.count; i++) {
        SharedVariable row = kernel->shared.at[i];
        row_keep(into->arena, &prof_tables[TABLE_shared_variable], &row);
        *vec_add(into->arena, &added->shared) = row;
    }
    for (uint32_t i = 0; i < kernel->sass.count; i++) {
        SassInst row = kernel->sass.at[i];
        uint32_t site = row.site;
        row_translate(map, TABLE_sass, &row);
        row.site = site == NONE ? NONE : site - kernel->first_site + added->first_site;
        row_keep(into->arena, &prof_tables[TABLE_sass], &row);
        *vec_add(into->arena, &added->sass) = row;
    }
}

/* The elements of a shared variable are known where its accesses were recorded. */
static void know_elements(ProfKernel *known, const ProfKernel *kernel) {
    for (uint32_t i = 0; i < kernel->shared.count; i++)
        if (known->shared.at[i].element_bytes < kernel->shared.at[i].element_bytes)
            known->shared.at[i].element_bytes = kernel->shared.at[i].element_bytes;
}

static void add_sass_lines(Profile *into, const Profile *from, const bool *added,
                           const RowMap *map) {
    for (uint32_t i = 0; i < from->sass_lines.count; i++) {
        SassLine row = from->sass_lines.at[i];
        if (!added[row.kernel])
            continue;
        row_translate(map, TABLE_sass_line, &row);
        row_keep(into->arena, &prof_tables[TABLE_sass_line], &row);
        *vec_add(into->arena, &into->sass_lines) = row;
    }
}

static void add_kernels(Common *common, Arena *arena, const Profile *from, RowMap *map) {
    Profile *into = common->into;
    bool *added = NEW_ARRAY(arena, bool, from->kernels.count + 1);
    uint32_t *kernels = NEW_ARRAY(arena, uint32_t, from->kernels.count + 1);
    uint32_t *sites = NEW_ARRAY(arena, uint32_t, from->sites.count + 1);
    Arena *scratch = arena_new();
    for (uint32_t i = 0; i < from->kernels.count; i++) {
        const ProfKernel *kernel = &from->kernels.at[i];
        ProfKernel row = *kernel;
        row_translate(map, TABLE_kernel, &row);
        uint32_t count = into->kernels.count;
        kernels[i] = add_row(common, TABLE_kernel, kernel_key(scratch, from, &row, map), &row);
        added[i] = kernels[i] == count;
        if (added[i]) {
            add_sites(into, from, kernel, kernels[i], map);
            add_children(into, kernel, kernels[i], map);
        }
        know_elements(&into->kernels.at[kernels[i]], kernel);
        for (uint32_t s = 0; s < kernel->site_count; s++)
            sites[kernel->first_site + s] = into->kernels.at[kernels[i]].first_site + s;
        arena_clear(scratch);
    }
    arena_free(scratch);
    map->of[TABLE_kernel] = kernels;
    map->of[TABLE_site] = sites;
    add_sass_lines(into, from, added, map);
}

RowMap common_add(Common *common, Arena *arena, const Profile *from) {
    RowMap map = {.of = {NULL}};
    add_rows(common, arena, from, TABLE_file, &map);
    add_rows(common, arena, from, TABLE_module, &map);
    add_rows(common, arena, from, TABLE_location, &map);
    add_kernels(common, arena, from, &map);
    return map;
}

/* ---- parts of a launch ---- */

Str part_key(Arena *arena, const LaunchRecord *launch) {
    LaunchRecord row = *launch;
    size_t but[64], count = 0;
    const ProfTable *table = &prof_tables[TABLE_launch];
    static const size_t own[] = {offsetof(LaunchRecord, status), offsetof(LaunchRecord, part),
                                 offsetof(LaunchRecord, launched_by)};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        but[count++] = own[i];
    for (uint32_t i = 0; i < table->field_count && count < 63; i++)
        if (table->fields[i].flags & SUM)
            but[count++] = table->fields[i].offset;
    but[count] = SIZE_MAX;
    Bytes bytes = {.arena = arena};
    put_row(&bytes, TABLE_launch, &row, but);
    return (Str){bytes.at, bytes.used};
}
