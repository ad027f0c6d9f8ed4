#include "cli/patterns.h"

#include "cli/csv.h"
#include "question/question.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- columns ---- */

static const struct {
    const char *name;
    Figure figure;
} figure_columns[] = {
    {"wavefronts", FIGURE_WAVEFRONTS},
    {"wavefronts_ideal", FIGURE_WAVEFRONTS_IDEAL},
    {"sectors", FIGURE_SECTORS},
    {"sectors_ideal", FIGURE_SECTORS_IDEAL},
    {"tag_requests", FIGURE_TAG_REQUESTS},
    {"shared_wavefronts", FIGURE_WAVEFRONTS},
    {"shared_wavefronts_ideal", FIGURE_WAVEFRONTS_IDEAL},
    {"global_sectors", FIGURE_SECTORS},
    {"global_sectors_ideal", FIGURE_SECTORS_IDEAL},
};

const char *figure_name(Figure figure) {
    return figure_columns[figure].name;
}

typedef struct Columns {
    uint32_t instruction;
    uint32_t lane[WARP_LANES]; /* or destination */
    uint32_t source[WARP_LANES];
    uint32_t figure[FIGURE_COUNT]; /* Csv.columns where there is none */
    bool sources;
} Columns;

typedef struct Loader {
    Arena *arena;
    Diags *diags;
    const Csv *csv;
    Columns columns;
    PatternTable *table;
} Loader;

static bool find_lanes(Loader *loader, const char *prefix, uint32_t columns[WARP_LANES]) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        const char *name = arena_printf(loader->arena, "%s%u", prefix, lane);
        columns[lane] = csv_column(loader->csv, name);
        if (columns[lane] == loader->csv->columns) {
            diags_add(loader->diags, DIAG_ERROR, csv_place(loader->csv, loader->csv->header[0]),
                      "expected a column %s (lanes 0 to 31)", name);
            return false;
        }
    }
    return true;
}

static bool find_columns(Loader *loader) {
    const Csv *csv = loader->csv;
    Columns *columns = &loader->columns;
    for (uint32_t i = 0; i < FIGURE_COUNT; i++)
        columns->figure[i] = csv->columns;
    for (size_t i = 0; i < COUNT(figure_columns); i++) {
        uint32_t column = csv_column(csv, figure_columns[i].name);
        if (column == csv->columns)
            continue;
        columns->figure[figure_columns[i].figure] = column;
        loader->table->measured = true;
    }
    columns->instruction = csv_column(csv, "instruction");
    columns->sources = csv_column(csv, "shared0") < csv->columns;
    if (columns->sources)
        return find_lanes(loader, "shared", columns->lane) &&
               find_lanes(loader, "global", columns->source);
    return find_lanes(loader, "lane", columns->lane);
}

/* ---- rows ---- */

enum { MANY_ERRORS = 20 };

static CsvField field_of(const CsvRecord *record, uint32_t column) {
    return record->fields[column];
}

static void expected(Loader *loader, CsvField field, uint32_t column, const char *what) {
    diags_add(loader->diags, DIAG_ERROR, csv_place(loader->csv, field),
              "expected %s in column " STR_FMT ", found '" STR_FMT "'", what,
              STR_ARG(loader->csv->header[column].text), STR_ARG(field.text));
}

/* A decimal number below 2^48, larger than any address. */
static bool read_number(Str text, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || *number >> 48)
            return false;
        *number = *number * 10 + (uint64_t)(text.at[i] - '0');
    }
    return text.length > 0;
}

/* The active lanes of one group of columns. Addresses that are not aligned are errors: the GPU
 * would have faulted. */
static bool read_lanes(Loader *loader, const CsvRecord *record, const uint32_t columns[WARP_LANES],
                       uint32_t width, uint64_t address[WARP_LANES], uint32_t *mask) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        CsvField field = field_of(record, columns[lane]);
        if (str_is(field.text, "-1"))
            continue;
        if (!read_number(field.text, &address[lane])) {
            expected(loader, field, columns[lane], "a byte offset, or -1 for a lane not active,");
            return false;
        }
        if (address[lane] % width) {
            expected(loader, field, columns[lane],
                     arena_printf(loader->arena, "a multiple of %u, the bytes of a lane,", width));
            return false;
        }
        *mask |= UINT32_C(1) << lane;
    }
    return true;
}

static bool read_addresses(Loader *loader, const CsvRecord *record, Access *access) {
    const Columns *columns = &loader->columns;
    uint64_t *address = NEW_ARRAY(loader->arena, uint64_t, 2 * WARP_LANES);
    uint64_t *source = address + WARP_LANES;
    uint32_t sources = 0;
    access->address = address;
    access->source = source;
    if (!read_lanes(loader, record, columns->lane, access->width, address, &access->mask))
        return false;
    if (!columns->sources) {
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            source[lane] = (uint64_t)lane * access->width;
        return true;
    }
    if (!read_lanes(loader, record, columns->source, access->width, source, &sources))
        return false;
    uint32_t missing = access->mask & ~sources;
    if (missing) {
        uint32_t column = columns->source[__builtin_ctz(missing)];
        expected(loader, field_of(record, column), column, "the source of an active lane");
    }
    return !missing;
}

static bool read_measured(Loader *loader, const CsvRecord *record, PatternRow *row) {
    for (uint32_t figure = 0; figure < FIGURE_COUNT; figure++) {
        uint32_t column = loader->columns.figure[figure];
        if (column == loader->csv->columns || field_of(record, column).text.length == 0)
            continue;
        CsvField field = field_of(record, column);
        if (!read_number(field.text, &row->measured[figure])) {
            expected(loader, field, column, "a count or nothing");
            return false;
        }
        if (!row->computed_known[figure]) {
            expected(loader, field, column, "nothing, as the instruction has no such count,");
            return false;
        }
        row->measured_known[figure] = true;
    }
    return true;
}

/* ---- evaluation ---- */

static void set(PatternRow *row, Figure figure, uint64_t count) {
    row->computed_known[figure] = true;
    row->computed[figure] = count;
}

static bool is_copy(const Access *access) {
    return access->kind == ACCESS_CP_ASYNC_CA || access->kind == ACCESS_CP_ASYNC_CG;
}

static void evaluate(PatternRow *row) {
    const Access *access = &row->access;
    if (access->space == SPACE_SHARED) {
        SharedCost cost = mem_shared(access);
        set(row, FIGURE_WAVEFRONTS, row->unseen ? 0 : cost.wavefronts);
        set(row, FIGURE_WAVEFRONTS_IDEAL, cost.ideal);
    }
    if (access->space != SPACE_SHARED || is_copy(access)) {
        GlobalCost cost = access->space == SPACE_LOCAL ? mem_local(access) : mem_global(access);
        set(row, FIGURE_SECTORS, cost.sectors);
        set(row, FIGURE_SECTORS_IDEAL, cost.ideal);
        set(row, FIGURE_TAG_REQUESTS, cost.tag_requests);
    }
}

static bool is_exact(const PatternRow *row) {
    for (uint32_t figure = 0; figure < FIGURE_COUNT; figure++)
        if (row->measured_known[figure] && row->measured[figure] != row->computed[figure])
            return false;
    return true;
}

uint32_t patterns_counted(PatternTable *table, const Counters *counted) {
    uint32_t differ = 0;
    table->exact = 0;
    for (uint32_t i = 0; i < table->rows.count; i++) {
        PatternRow *row = &table->rows.at[i];
        const Counters *at = &counted[i];
        const uint64_t figures[FIGURE_COUNT] = {row->unseen ? 0 : at->wavefronts,
                                                at->wavefronts_ideal, at->sectors,
                                                at->sectors_ideal, at->tag_requests};
        bool same = true;
        for (uint32_t figure = 0; figure < FIGURE_COUNT; figure++)
            if (row->computed_known[figure]) {
                same &= row->computed[figure] == figures[figure];
                row->computed[figure] = figures[figure];
            }
        differ += !same;
        row->exact = is_exact(row);
        table->exact += row->exact;
    }
    return differ;
}

static void read_row(Loader *loader, const CsvRecord *record) {
    uint32_t column = loader->columns.instruction;
    PatternRow row = {.line = record->line, .instruction = record->fields[column].text};
    if (!operation_instruction(row.instruction, &row.access)) {
        expected(loader, record->fields[column], column,
                 arena_printf(loader->arena, "an instruction (%s)", operation_spellings));
        return;
    }
    if (is_copy(&row.access) < loader->columns.sources) {
        expected(loader, record->fields[column], column, "a cp.async (the table has sources)");
        return;
    }
    if (!read_addresses(loader, record, &row.access))
        return;
    row.unseen = !loader->columns.sources && row.access.kind == ACCESS_CP_ASYNC_CG;
    evaluate(&row);
    if (!read_measured(loader, record, &row))
        return;
    row.exact = is_exact(&row);
    loader->table->exact += row.exact;
    *vec_add(loader->arena, &loader->table->rows) = row;
}

PatternTable *patterns_read(Arena *arena, const char *file, Diags *diags) {
    Loader loader = {.arena = arena, .diags = diags, .csv = csv_read(arena, file, diags)};
    if (!loader.csv)
        return NULL;
    loader.table = NEW(arena, PatternTable);
    loader.table->file = file;
    if (csv_column(loader.csv, "instruction") == loader.csv->columns) {
        loader.table->other = true;
        return loader.table;
    }
    uint32_t errors = diags->errors;
    if (!find_columns(&loader))
        return NULL;
    for (uint32_t i = 0; i < loader.csv->records.count && diags->errors < errors + MANY_ERRORS; i++)
        read_row(&loader, &loader.csv->records.at[i]);
    return diags->errors == errors ? loader.table : NULL;
}
