/* The table of a layout of CuTe's, as text and as JSON; of an access to it, the wavefronts, too. */
#include "cli/explain_layout.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#define NOBODY UINT32_MAX
enum { CELLS_MOST = 1 << 14 };

typedef struct LayoutCell {
    uint32_t element, bank;
    uint32_t thread, value;     /* NOBODY: no thread has it */
    uint32_t lanes, wavefronts; /* masks: which lanes access it, and what serves them */
} LayoutCell;

typedef struct Table {
    uint32_t rows, columns;
    bool threads, access;
    LayoutCell *cells; /* row by row */
} Table;

/* Elements of the modes from `first` on. */
static uint64_t size_of(const CuteLayout *layout, uint32_t first, uint32_t end) {
    uint64_t size = 1;
    for (uint32_t i = first ? layout->ends[first - 1] : 0; i < layout->ends[end - 1]; i++)
        size = size > CELLS_MOST ? size : size * layout->leaves[i].shape;
    return size;
}

static uint64_t rest_of(const CuteLayout *layout) {
    return layout->modes > 1 ? size_of(layout, 1, layout->modes) : 1;
}

static LayoutCell *cell_at(const Table *table, int64_t place) {
    return &table->cells[place % table->rows * table->columns + place / table->rows];
}

static void name_threads(const CuteLayout *inner, const Table *table) {
    const int64_t threads = (int64_t)size_of(inner, 0, 1), values = (int64_t)rest_of(inner);
    CuteLayout alone = *inner;
    alone.behind = NULL;
    for (int64_t all = threads * values - 1; all >= 0; all--) { /* the first of several stays */
        bool inside = true;
        int64_t place = cute_element(&alone, &all, 1, &inside);
        if (place >= (int64_t)table->rows * table->columns)
            continue;
        cell_at(table, place)->thread = (uint32_t)(all % threads);
        cell_at(table, place)->value = (uint32_t)(all / threads);
    }
}

/* A lane is served at once, however many cells it has. */
static void serve(const Picture *picture, uint64_t byte, uint32_t bytes, LayoutCell *cell) {
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (picture->schedule.lanes >> lane & 1 && picture->address[lane] < byte + bytes &&
            byte < picture->address[lane] + picture->width) {
            cell->lanes |= UINT32_C(1) << lane;
            cell->wavefronts |= UINT32_C(1) << picture->schedule.wavefront[lane];
        }
}

/* picture: of an access, or NULL. */
static bool make(Arena *arena, const Array *array, const Asked *asked, const Picture *picture,
                 Table *table, Diags *diags) {
    const CuteLayout *inner = array->cute, *grid = inner->behind ? inner->behind : inner;
    const uint64_t rows = size_of(grid, 0, 1), columns = rest_of(grid);
    if (!rows || !columns || rows * columns > CELLS_MOST ||
        size_of(inner, 0, inner->modes) > CELLS_MOST) {
        diags_error(diags, "--layout shows layouts of 1 to %d elements", CELLS_MOST);
        return false;
    }
    *table = (Table){(uint32_t)rows, (uint32_t)columns, inner->behind != NULL, picture != NULL,
                     NEW_ARRAY(arena, LayoutCell, rows * columns)};
    const Layout *swizzle = inner->swizzled ? &inner->swizzle : asked->question.layout;
    for (int64_t place = 0; place < (int64_t)(rows * columns); place++) {
        bool inside = true;
        uint64_t element = (uint64_t)cute_element(grid, &place, 1, &inside);
        if (swizzle)
            element = layout_offset(swizzle, element);
        const uint64_t byte = asked->question.offset + element * array->type.bytes;
        LayoutCell *cell = cell_at(table, place);
        *cell = (LayoutCell){
            (uint32_t)element, (uint32_t)(byte / asked->bank_bytes % BANKS), NOBODY, NOBODY, 0, 0};
        if (picture)
            serve(picture, byte, array->type.bytes, cell);
    }
    if (table->threads)
        name_threads(inner, table);
    return true;
}

/* ---- as text ---- */

static const char *element_text(Arena *arena, const LayoutCell *cell) {
    return arena_printf(arena, "%" PRIu32, cell->element);
}

static const char *bank_text(Arena *arena, const LayoutCell *cell) {
    return arena_printf(arena, "%" PRIu32, cell->bank);
}

static const char *thread_text(Arena *arena, const LayoutCell *cell) {
    return cell->thread == NOBODY
               ? "-"
               : arena_printf(arena, "T%" PRIu32 "V%" PRIu32, cell->thread, cell->value);
}

/* Numbers from 1 on, as in the list of lanes. */
static const char *wavefront_text(Arena *arena, const LayoutCell *cell) {
    const char *text = "";
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (cell->wavefronts >> i & 1)
            text = arena_printf(arena, "%s%s%" PRIu32, text, *text ? "," : "", i + 1);
    return *text ? text : "-";
}

static void print(Arena *arena, const Table *table, const char *title,
                  const char *(*text)(Arena *arena, const LayoutCell *cell), FILE *out) {
    size_t width = strlen(arena_printf(arena, "%" PRIu32, table->columns - 1));
    for (uint32_t i = 0; i < table->rows * table->columns; i++) {
        const size_t length = strlen(text(arena, &table->cells[i]));
        width = length > width ? length : width;
    }
    fprintf(out, "%s:\n    ", title);
    for (uint32_t column = 0; column < table->columns; column++)
        fprintf(out, " %*" PRIu32, (int)width, column);
    for (uint32_t row = 0; row < table->rows; row++) {
        fprintf(out, "\n%4" PRIu32, row);
        for (uint32_t column = 0; column < table->columns; column++)
            fprintf(out, " %*s", (int)width,
                    text(arena, &table->cells[row * table->columns + column]));
    }
    putc('\n', out);
}

/* ---- as JSON ---- */

static json_t *number_of(uint32_t value) {
    return value == NOBODY ? json_null() : json_integer(value);
}

static json_t *numbers_of(uint32_t mask) {
    json_t *numbers = json_array();
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (mask >> i & 1)
            json_array_append_new(numbers, json_integer(i));
    return numbers;
}

static json_t *json_of(const LayoutCell *cell, bool access) {
    json_t *object = json_pack("{s:I,s:I,s:o,s:o}", "element", (json_int_t)cell->element, "bank",
                               (json_int_t)cell->bank, "thread", number_of(cell->thread), "value",
                               number_of(cell->value));
    if (access) {
        json_object_set_new(object, "lanes", numbers_of(cell->lanes));
        json_object_set_new(object, "wavefronts", numbers_of(cell->wavefronts));
    }
    return object;
}

static void print_json(const Table *table, const Array *array, FILE *out) {
    json_t *rows = json_array();
    for (uint32_t row = 0; row < table->rows; row++) {
        json_t *cells = json_array();
        for (uint32_t column = 0; column < table->columns; column++)
            json_array_append_new(
                cells, json_of(&table->cells[row * table->columns + column], table->access));
        json_array_append_new(rows, cells);
    }
    json_t *document = json_pack("{s:I,s:b,s:o}", "element_bytes", (json_int_t)array->type.bytes,
                                 "threads", table->threads, "rows", rows);
    json_dumpf(document, out, JSON_INDENT(1));
    putc('\n', out);
    json_decref(document);
}

bool explain_layout(Arena *arena, const Asked *asked, bool json, FILE *out, Diags *diags) {
    Array array;
    Table table;
    Drawing drawing;
    Scope *scope = scope_new(arena, NULL, 0, diags);
    if (!array_parse(scope, asked->question.declaration, &array))
        return false;
    if (!array.cute) {
        diags_error(diags, "--layout needs a layout of CuTe's, such as 'half s : (8,64):(64,1)'");
        return false;
    }
    const bool access = asked->question.index != NULL;
    if (access && !drawing_asked(arena, asked, &drawing, diags))
        return false;
    if (access && drawing.sectors) {
        diags_error(diags, "--layout shows wavefronts, which shared memory alone has");
        return false;
    }
    if (!make(arena, &array, asked, access ? &drawing.picture : NULL, &table, diags))
        return false;
    if (json) {
        print_json(&table, &array, out);
        return true;
    }
    if (table.threads)
        print(arena, &table, "threads and values", thread_text, out);
    print(arena, &table, "elements", element_text, out);
    print(arena, &table, "banks", bank_text, out);
    if (access)
        print(arena, &table, "wavefronts", wavefront_text, out);
    return true;
}
