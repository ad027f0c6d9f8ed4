/* The terminal's format of one access: a row for each lane, and a map of the banks. */
#include "report/drawing.h"

#include <inttypes.h>
#include <string.h>

/* ---- a row for each lane ---- */

static const char *range(Arena *arena, uint64_t first, uint32_t count) {
    if (count == 1)
        return arena_printf(arena, "%" PRIu64, first);
    return arena_printf(arena, "%" PRIu64 "-%" PRIu64, first, first + count - 1);
}

static void bank_cells(Arena *arena, Table *table, const Drawing *drawing, uint32_t lane) {
    const Schedule *schedule = &drawing->picture.schedule;
    uint64_t word = drawing_word(drawing, drawing->picture.address[lane]);
    uint32_t words = drawing_words(drawing);
    bool served = schedule->lanes >> lane & 1;
    table_cell(table, STYLE_PLAIN, range(arena, word, words));
    table_cell(table, STYLE_PLAIN, range(arena, word % BANKS, words));
    bool groups = served && schedule->groups > 1;
    table_cell(table, STYLE_PLAIN,
               groups ? arena_printf(arena, "%u", schedule->group[lane] + 1u) : "");
    table_cell(table, STYLE_PLAIN,
               served ? arena_printf(arena, "%u", schedule->wavefront[lane] + 1u) : "-");
    bool late = schedule->served[lane] == SERVED_AFTER;
    table_cell(table, late ? STYLE_WARM : STYLE_DIM, drawing_why(arena, drawing, lane));
}

/* The row of the map that has a lane's line. */
static uint32_t line_row(const Grid *grid, int64_t address) {
    uint32_t row = 0;
    while (grid->at[row].line != (uint64_t)(address >> 7))
        row++;
    return row;
}

static void print_lanes(const Report *report, const Drawing *drawing, const Grid *grid) {
    static const Column banks[] = {
        {.head = "lane"},      {.head = "element", .left = true, .optional = true},
        {.head = "byte"},      {.head = "word"},
        {.head = "bank"},      {.head = "group", .optional = true},
        {.head = "wavefront"}, {.head = "why", .left = true, .optional = true}};
    static const Column sectors[] = {{.head = "lane"},
                                     {.head = "element", .left = true, .optional = true},
                                     {.head = "byte"},
                                     {.head = "sector"},
                                     {.head = "line"}};
    Arena *arena = report->arena;
    const Picture *picture = &drawing->picture;
    Table *table = drawing->sectors ? table_new(arena, sectors, sizeof sectors / sizeof *sectors)
                                    : table_new(arena, banks, sizeof banks / sizeof *banks);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        int64_t address = (int64_t)picture->address[lane];
        if (!(picture->mask >> lane & 1))
            continue;
        table_row(table);
        table_cell(table, STYLE_PLAIN, arena_printf(arena, "%" PRIu32, lane));
        table_cell(table, STYLE_PLAIN, drawing->element[lane]);
        table_cell(table, STYLE_PLAIN, arena_printf(arena, "%" PRId64, address));
        if (!drawing->sectors) {
            bank_cells(arena, table, drawing, lane);
            continue;
        }
        table_cell(table, STYLE_PLAIN, arena_printf(arena, "%" PRId64, address >> 5));
        table_cell(table, STYLE_PLAIN,
                   arena_printf(arena, "%" PRIu32, line_row(grid, address) + 1));
    }
    table_print(table, report, 0);
}

/* ---- the map: four columns for the row's number, then three for a bank ---- */

enum { CELL = 3 };

/* Whether any word of the column's sector is used: then all of it moves. */
static bool is_fetched(const GridRow *row, uint32_t column) {
    uint32_t words = SECTOR_BYTES / BANK_BYTES, first = column / words * words, lanes = 0;
    for (uint32_t i = first; i < first + words; i++)
        lanes |= row->lanes[i];
    return lanes != 0;
}

static void fill_cell(const Drawing *drawing, const GridRow *row, uint32_t column,
                      char cell[CELL + 1]) {
    uint32_t lanes = row->lanes[column];
    if (lanes)
        snprintf(cell, CELL + 1, "%2d%c", __builtin_ctz(lanes), lanes & (lanes - 1) ? '+' : ' ');
    else
        memcpy(cell, !drawing->sectors || is_fetched(row, column) ? " . " : "   ", CELL);
}

static void print_row(const Report *report, const Drawing *drawing, const GridRow *row,
                      uint32_t number) {
    char line[BANKS * CELL + 1], *end = line + BANKS * CELL;
    for (uint32_t column = 0; column < BANKS; column++)
        fill_cell(drawing, row, column, line + column * CELL);
    while (end > line && end[-1] == ' ')
        end--;
    fprintf(report->out, "%3" PRIu32 " %.*s\n", number, (int)(end - line), line);
}

/* The banks; or of the words of a line every second one's first byte. */
static const char *axis_of(Arena *arena, bool sectors) {
    char *axis = arena_printf(arena, "%s", sectors ? "byte" : "bank");
    for (uint32_t column = 0; column < BANKS; column += sectors ? 2 : 1) {
        const char *number =
            arena_printf(arena, "%2" PRIu32, sectors ? column * BANK_BYTES : column);
        uint32_t columns = sectors ? 2 * CELL : CELL;
        axis = arena_printf(arena, "%s%-*s", axis, (int)columns, number);
    }
    for (size_t end = strlen(axis); axis[end - 1] == ' ';)
        axis[--end] = 0;
    return axis;
}

static void print_map(const Report *report, const Drawing *drawing, const Grid *grid) {
    bool apart = grid->rows > drawing->picture.schedule.groups; /* a group has several rows */
    text_print(report, STYLE_DIM,
               drawing->sectors
                   ? "A row is a line of 128 bytes; in it the lanes that use its words:"
                   : "A row is a wavefront; in it the lanes that have its banks:");
    fputc('\n', report->out);
    text_print(report, STYLE_DIM, axis_of(report->arena, drawing->sectors));
    fputc('\n', report->out);
    for (uint32_t row = 0; row < grid->rows; row++) {
        if (row && grid->at[row].group != grid->at[row - 1].group && apart)
            fputc('\n', report->out);
        print_row(report, drawing, &grid->at[row], row + 1);
    }
}

static bool shares(const Grid *grid) {
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < BANKS; column++)
            if (grid->at[row].lanes[column] & (grid->at[row].lanes[column] - 1))
                return true;
    return false;
}

void drawing_term(const Drawing *drawing, const ReportOptions *options, FILE *out) {
    Report report = {.arena = arena_new(), .options = options, .out = out};
    const Picture *picture = &drawing->picture;
    Words notes = drawing_notes(report.arena, drawing);
    Grid grid = drawing_grid(report.arena, drawing);
    text_wrap(&report, 0, STYLE_TITLE, drawing->subject);
    text_wrap(&report, 0, STYLE_PLAIN, drawing_what(report.arena, drawing));
    text_wrap(&report, 0, picture->cost > picture->ideal ? STYLE_HOT : STYLE_PLAIN,
              drawing_verdict(report.arena, drawing));
    for (uint32_t i = 0; i < notes.list.count; i++)
        text_wrap(&report, 2, STYLE_DIM, notes.list.at[i]);
    if (picture->mask) {
        fputc('\n', out);
        print_lanes(&report, drawing, &grid);
        fputc('\n', out);
        print_map(&report, drawing, &grid);
        if (shares(&grid))
            text_wrap(&report, 0, STYLE_DIM, "+: and other lanes, which use the same word");
    }
    arena_free(report.arena);
}
