/* One access as data: docs/explain.schema.json. */
#include "report/document.h"
#include "report/drawing.h"

static json_t *lanes_of_mask(uint32_t mask) {
    json_t *lanes = json_array();
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (mask >> lane & 1)
            json_array_append_new(lanes, json_integer(lane));
    return lanes;
}

static json_t *lane_of(Arena *arena, const Drawing *drawing, uint32_t lane) {
    static const char *const served[] = {"not", "free", "with", "after"};
    const Picture *picture = &drawing->picture;
    const Schedule *schedule = &picture->schedule;
    json_t *object = json_pack("{s:i,s:o,s:I}", "lane", (int)lane, "element",
                               document_text(arena, drawing->element[lane]), "byte",
                               (json_int_t)picture->address[lane]);
    if (drawing->sectors)
        return object;
    json_t *words = json_array();
    uint64_t first = drawing_word(drawing, picture->address[lane]);
    for (uint64_t word = first; word < first + drawing_words(drawing); word++)
        json_array_append_new(words, json_integer((json_int_t)word));
    bool shown = schedule->lanes >> lane & 1;
    uint32_t with = schedule->with[lane];
    json_object_set_new(object, "words", words);
    json_object_set_new(object, "group", document_index(shown ? schedule->group[lane] : NONE));
    json_object_set_new(object, "wavefront",
                        document_index(shown ? schedule->wavefront[lane] : NONE));
    json_object_set_new(object, "served", json_string(served[schedule->served[lane]]));
    json_object_set_new(object, "with", document_index(with == lane ? NONE : with));
    return object;
}

static json_t *row_of(const GridRow *row, bool sectors) {
    json_t *cells = json_array();
    for (uint32_t column = 0; column < BANKS; column++)
        if (row->lanes[column])
            json_array_append_new(cells,
                                  json_pack("{s:i,s:I,s:o}", sectors ? "column" : "bank",
                                            (int)column, "word", (json_int_t)row->word[column],
                                            "lanes", lanes_of_mask(row->lanes[column])));
    return cells;
}

static json_t *notes_of(Arena *arena, const Drawing *drawing) {
    json_t *array = json_array();
    Words notes = drawing_notes(arena, drawing);
    for (uint32_t i = 0; i < notes.list.count; i++)
        json_array_append_new(array, document_text(arena, notes.list.at[i]));
    return array;
}

void drawing_json(const Drawing *drawing, const ReportOptions *options, FILE *out) {
    (void)options;
    Arena *arena = arena_new();
    const Picture *picture = &drawing->picture;
    const Schedule *schedule = &picture->schedule;
    bool sectors = drawing->sectors;
    json_t *lanes = json_array(), *rows = json_array();
    Grid grid = drawing_grid(arena, drawing);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (picture->mask >> lane & 1)
            json_array_append_new(lanes, lane_of(arena, drawing, lane));
    for (uint32_t row = 0; row < grid.rows; row++)
        json_array_append_new(rows, row_of(&grid.at[row], sectors));
    json_t *document =
        json_pack("{s:s,s:i,s:o,s:o,s:s,s:i,s:i,s:i,s:o,s:o,s:o}", "format", "warplens explain",
                  "version", 1, "subject", document_text(arena, drawing->subject), "what",
                  document_text(arena, drawing_what(arena, drawing)), "unit",
                  sectors ? "sectors" : "wavefronts", "width", (int)picture->width, "cost",
                  (int)picture->cost, "ideal", (int)picture->ideal, "notes",
                  notes_of(arena, drawing), "lanes", lanes, sectors ? "lines" : "wavefronts", rows);
    if (!sectors) {
        json_object_set_new(document, "bank_bytes", json_integer(drawing->bank_bytes));
        json_object_set_new(document, "passes", json_integer(schedule->passes));
        json_object_set_new(document, "rounds", json_integer(picture->rounds));
        json_object_set_new(document, "swaps", json_integer(schedule->swaps));
        json_object_set_new(document, "left", lanes_of_mask(schedule->left));
    }
    json_dumpf(document, out, JSON_INDENT(1));
    fputc('\n', out);
    json_decref(document);
    arena_free(arena);
}
