/* Tables of text: columns as wide as what they hold, with one flexible column that takes the rest of
 * the page. */
#include "report/page.h"

#include <assert.h>
#include <string.h>

enum { FLEXIBLE_LEAST = 12, NOTE_INDENT = 2 };

typedef struct TableCell {
    const char *text; /* NULL: nothing */
    Style style;
} TableCell;

typedef struct TableRow {
    TableCell *cells;
    uint32_t filled;
    const char *note;
    bool wrap;
} TableRow;

struct Table {
    Arena *arena;
    const Column *columns;
    uint32_t count;
    VEC(TableRow) rows;
};

/* The places that a table takes on a page. */
typedef struct Places {
    uint32_t *width; /* of each column */
    bool *shown;
    uint32_t indent;
} Places;

Table *table_new(Arena *arena, const Column *columns, uint32_t count) {
    Table *table = NEW(arena, Table);
    *table = (Table){.arena = arena, .columns = columns, .count = count};
    return table;
}

void table_row(Table *table) {
    *vec_add(table->arena, &table->rows) =
        (TableRow){.cells = NEW_ARRAY(table->arena, TableCell, table->count)};
}

void table_cell(Table *table, Style style, const char *text) {
    TableRow *row = &table->rows.at[table->rows.count - 1];
    assert(row->filled < table->count);
    row->cells[row->filled++] = (TableCell){text && *text ? text : NULL, style};
}

void table_note(Table *table, const char *note) {
    table->rows.at[table->rows.count - 1].note = note;
}

void table_wrap(Table *table) {
    table->rows.at[table->rows.count - 1].wrap = true;
}

void table_skip(Table *table, uint32_t columns) {
    for (uint32_t i = 0; i < columns; i++)
        table_cell(table, STYLE_PLAIN, NULL);
}

static uint32_t gap(const Table *table, uint32_t column) {
    return column == 0 ? 0 : table->columns[column].close ? 1 : 2;
}

static bool has_content(const Table *table, uint32_t column) {
    for (uint32_t i = 0; i < table->rows.count; i++)
        if (table->rows.at[i].cells[column].text)
            return true;
    return false;
}

static uint32_t max(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static uint32_t widest(const Table *table, uint32_t column) {
    uint32_t width = text_width(table->columns[column].head);
    for (uint32_t i = 0; i < table->rows.count; i++) {
        const char *text = table->rows.at[i].cells[column].text;
        uint32_t own = text ? text_width(text) : 0;
        if (table->columns[column].flexible && table->rows.at[i].note)
            own = max(own, NOTE_INDENT + text_width(table->rows.at[i].note));
        width = max(own, width);
    }
    return width;
}

/* Columns that are not flexible, with their gaps. */
static uint32_t fixed_width(const Table *table, const Places *layout) {
    uint32_t sum = layout->indent;
    for (uint32_t i = 0; i < table->count; i++)
        if (layout->shown[i])
            sum += gap(table, i) + (table->columns[i].flexible ? 0 : layout->width[i]);
    return sum;
}

static Places lay_out(const Table *table, uint32_t indent, uint32_t page) {
    Places layout = {NEW_ARRAY(table->arena, uint32_t, table->count),
                     NEW_ARRAY(table->arena, bool, table->count), indent};
    for (uint32_t i = 0; i < table->count; i++) {
        layout.width[i] = widest(table, i);
        layout.shown[i] = !table->columns[i].optional || has_content(table, i);
    }
    uint32_t fixed = fixed_width(table, &layout);
    for (uint32_t i = 0; page && i < table->count; i++)
        if (table->columns[i].flexible && fixed + layout.width[i] > page)
            layout.width[i] = page > fixed + FLEXIBLE_LEAST ? page - fixed : FLEXIBLE_LEAST;
    return layout;
}

bool table_cramped(const Table *table, uint32_t width, uint32_t least) {
    Places layout = lay_out(table, 0, width);
    for (uint32_t i = 0; i < table->count; i++)
        if (table->columns[i].flexible)
            return layout.width[i] < least && layout.width[i] < widest(table, i);
    return false;
}

/* The first `width` columns of text, the last of them an ellipsis if more follow. */
static const char *cut(Arena *arena, const char *text, uint32_t width) {
    if (text_width(text) <= width)
        return text;
    size_t end = 0;
    for (uint32_t columns = 0; text[end];) {
        columns = text[end] == '\t' ? columns / 4 * 4 + 4 : columns + 1;
        if (columns >= width)
            break;
        do
            end++;
        while (((unsigned char)text[end] & 0xc0) == 0x80);
    }
    return arena_printf(arena, "%.*s…", (int)end, text);
}

/* Blanks are held back until something follows them, so that no line ends in one. */
typedef struct Line {
    const Report *report;
    uint32_t blanks;
} Line;

static void put(Line *line, Style style, const char *text, uint32_t width, bool left) {
    uint32_t own = text_width(text), rest = width > own ? width - own : 0;
    line->blanks += left ? 0 : rest;
    if (own) {
        fprintf(line->report->out, "%*s", (int)line->blanks, "");
        line->blanks = 0;
        text_print(line->report, style, text);
    }
    line->blanks += left ? rest : 0;
}

/* "--- name ---", or the name alone where there is no room for dashes. */
static const char *heading(Arena *arena, const char *name, uint32_t width) {
    uint32_t own = text_width(name);
    if (own + 4 > width)
        return name;
    char *text = arena_alloc(arena, width + 1);
    uint32_t start = (width - own) / 2;
    memset(text, '-', width);
    memcpy(text + start, name, own);
    text[start - 1] = text[start + own] = ' ';
    return text;
}

static void print_groups(const Table *table, const Places *layout, const Report *report) {
    Line line = {report, layout->indent};
    bool any = false;
    for (uint32_t i = 0; i < table->count;) {
        const char *group = table->columns[i].group;
        uint32_t width = 0, lead = gap(table, i), start = i;
        bool shown = false;
        for (; i < table->count && (i == start || (group && table->columns[i].group == group)); i++)
            if (layout->shown[i]) {
                width += layout->width[i] + (shown ? gap(table, i) : 0);
                shown = true;
            }
        if (!shown)
            continue;
        line.blanks += lead;
        const char *text = group ? heading(table->arena, group, width) : "";
        put(&line, STYLE_DIM, text, width, true);
        any |= group != NULL;
    }
    if (any)
        fputc('\n', report->out);
}

static bool has_groups(const Table *table, const Places *layout) {
    for (uint32_t i = 0; i < table->count; i++)
        if (table->columns[i].group && layout->shown[i])
            return true;
    return false;
}

static void print_heads(const Table *table, const Places *layout, const Report *report) {
    if (has_groups(table, layout))
        print_groups(table, layout, report);
    Line heads = {report, layout->indent};
    for (uint32_t i = 0; i < table->count; i++)
        if (layout->shown[i]) {
            heads.blanks += gap(table, i);
            put(&heads, STYLE_TITLE, table->columns[i].head, layout->width[i],
                table->columns[i].left);
        }
    fputc('\n', report->out);
    Line ruler = {report, layout->indent};
    for (uint32_t i = 0; i < table->count; i++)
        if (layout->shown[i]) {
            char *dashes = arena_alloc(table->arena, layout->width[i] + 1);
            memset(dashes, '-', layout->width[i]);
            ruler.blanks += gap(table, i);
            put(&ruler, STYLE_DIM, dashes, layout->width[i], true);
        }
    fputc('\n', report->out);
}

/* How much of text goes on a line of `width` columns: up to the last blank that fits, or what fits. */
static size_t break_at(const char *text, uint32_t width) {
    size_t end = 0, blank = 0, start = strspn(text, " \t");
    for (uint32_t columns = 0; text[end] && columns < width;) {
        if (text[end] == ' ' && end > start && columns > width / 3)
            blank = end;
        columns = text[end] == '\t' ? columns / 4 * 4 + 4 : columns + 1;
        do
            end++;
        while (((unsigned char)text[end] & 0xc0) == 0x80);
    }
    return !text[end] || text[end] == ' ' ? end : blank ? blank : end;
}

/* A line under the flexible column. */
static void print_under(const Report *report, uint32_t start, Style style, const char *text) {
    Line line = {report, start};
    put(&line, style, text, 0, true);
    fputc('\n', report->out);
}

/* Lines of at most `width` columns under the flexible column. */
static void print_below(const Table *table, const Report *report, uint32_t start, uint32_t width,
                        Style style, const char *text) {
    while (*text) {
        text += strspn(text, " ");
        size_t length = break_at(text, width);
        if (length)
            print_under(report, start, style, arena_copy(table->arena, text, length));
        text += length;
    }
}

/* The rest of a text that was broken, a little to the right of where it begins. */
static void print_rest(const Table *table, const Report *report, uint32_t start, uint32_t width,
                       const TableCell *cell, size_t printed) {
    uint32_t indent = text_width(cell->text) - text_width(cell->text + strspn(cell->text, " \t"));
    indent = (indent < width / 2 ? indent : 0) + NOTE_INDENT;
    print_below(table, report, start + indent, width - indent, cell->style, cell->text + printed);
}

static void print_row(const Table *table, const Places *layout, const TableRow *row,
                      const Report *report) {
    Line line = {report, layout->indent};
    uint32_t start = layout->indent, flexible = table->count, flexible_start = 0;
    size_t printed = 0;
    for (uint32_t i = 0; i < table->count; i++) {
        if (!layout->shown[i])
            continue;
        const char *text = row->cells[i].text ? row->cells[i].text : "";
        uint32_t width = layout->width[i];
        line.blanks += gap(table, i);
        start += gap(table, i);
        if (table->columns[i].flexible) {
            flexible = i;
            flexible_start = start;
            printed = row->wrap ? break_at(text, width) : strlen(text);
            text = cut(table->arena, arena_copy(table->arena, text, printed), width);
        }
        put(&line, row->cells[i].style, text, width, table->columns[i].left);
        start += width;
    }
    fputc('\n', report->out);
    if (flexible == table->count)
        return;
    uint32_t width = layout->width[flexible];
    if (row->cells[flexible].text)
        print_rest(table, report, flexible_start, width, &row->cells[flexible], printed);
    if (row->note)
        print_below(table, report, flexible_start + NOTE_INDENT, width - NOTE_INDENT, STYLE_DIM,
                    row->note);
}

void table_print(const Table *table, const Report *report, uint32_t indent) {
    Places layout = lay_out(table, indent, report->options->width);
    print_heads(table, &layout, report);
    for (uint32_t i = 0; i < table->rows.count; i++)
        print_row(table, &layout, &table->rows.at[i], report);
}
