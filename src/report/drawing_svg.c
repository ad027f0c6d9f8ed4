/* The picture of one access as SVG: a row for each wavefront (or each 128-byte line), a column for
 * each bank (or word of the line); in a cell the lane, and below it the word. It needs nothing
 * else: colours follow the reader's scheme where it stands alone, and print dark on white. */
#include "report/drawing.h"

#include <inttypes.h>
#include <string.h>

enum {
    CELL = 25,
    STEP = 27, /* from row to row */
    GAP = 7,   /* between lane groups */
    LEFT = 56,
    RIGHT = 12,
    LINE_HEIGHT = 17,
    TOP = 14,
    AXIS = 14, /* the columns' numbers */
    FOOT = 26, /* what rows, columns and cells are */
    WIDTH = LEFT + BANKS * CELL + RIGHT,
    NOTE_LETTERS = 130 /* of a line of notes */
};

/* Violet to olive, equally light (OKLCH 0.84, 0.08): what the HTML page has in its light scheme. */
static const char *const lane_colours[WARP_LANES] = {
    "#c4c4fd", "#bfc6ff", "#b9c8ff", "#b3caff", "#adccff", "#a8ceff", "#a2cffd", "#9dd1fb",
    "#98d3f9", "#94d5f6", "#90d6f2", "#8dd8ee", "#8bd9ea", "#8adae5", "#89dbe0", "#8adbdb",
    "#8bdcd5", "#8ddccf", "#90dcc9", "#94dcc4", "#98dcbe", "#9ddbb8", "#a3dab2", "#a8d9ad",
    "#aed8a7", "#b4d7a2", "#bad59e", "#c0d49a", "#c6d296", "#ccd093", "#d2ce91", "#d7cc8f",
};

static const char style[] =
    "text{font:11px ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:#5b6169}"
    ".s{font:600 14px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1f2328}"
    ".v{fill:#1f2328;font-size:13px}.bad{fill:#b3261e}.n{text-anchor:end}"
    ".b{text-anchor:middle;font-size:10px}.p{fill:#fff}.r{fill:#f1efea}"
    ".c text{text-anchor:middle;font-size:11px;fill:#1f2328}"
    ".c .w{font-size:7.5px;fill:#4a4f57}.k{fill:url(#k)}"
    "@media (prefers-color-scheme:dark){.p{fill:#16171a}.r{fill:#26282e}text{fill:#9a9fa6}"
    ".s,.v{fill:#e4e4e2}.bad{fill:#ff8a75}}"
    "@media print{.p{fill:#fff}.r{fill:#f1efea}text{fill:#5b6169}.s,.v{fill:#1f2328}"
    ".bad{fill:#b3261e}}";

typedef struct Svg {
    Arena *arena;
    FILE *out;
    const Drawing *drawing;
    uint32_t y; /* of what comes next */
} Svg;

static void text_at(const Svg *svg, const char *class, uint32_t x, uint32_t y, const char *text) {
    fprintf(svg->out, "<text%s%s%s x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">", class ? " class=\"" : "",
            class ? class : "", class ? "\"" : "", x, y);
    xml_text(svg->out, svg->arena, text);
    fputs("</text>\n", svg->out);
}

static void rectangle(const Svg *svg, const char *attributes, uint32_t x, uint32_t y,
                      uint32_t width, uint32_t height) {
    fprintf(svg->out,
            "<rect %s x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%" PRIu32 "\" height=\"%" PRIu32
            "\"",
            attributes, x, y, width, height);
}

/* ---- the head ---- */

/* Notes end where the picture does. */
static const char *cut(Arena *arena, const char *text, uint32_t letters) {
    if (text_width(text) <= letters)
        return text;
    const char *at = text;
    for (uint32_t i = 0; i + 2 < letters; i++)
        for (at++; (*at & 0xc0) == 0x80;)
            at++;
    return arena_printf(arena, "%.*s ...", (int)(at - text), text);
}

static void print_head(Svg *svg, const Words *notes) {
    const Picture *picture = &svg->drawing->picture;
    const char *verdict = drawing_verdict(svg->arena, svg->drawing);
    const char *what = drawing_what(svg->arena, svg->drawing);
    svg->y = TOP + 8;
    text_at(svg, "s", RIGHT, svg->y, cut(svg->arena, svg->drawing->subject, 98));
    svg->y += LINE_HEIGHT + 3;
    text_at(svg, picture->cost > picture->ideal ? "v bad" : "v", RIGHT, svg->y, verdict);
    svg->y += LINE_HEIGHT;
    text_at(svg, NULL, RIGHT, svg->y, what);
    for (uint32_t i = 0; i < notes->list.count; i++) {
        svg->y += LINE_HEIGHT - 2;
        text_at(svg, NULL, RIGHT, svg->y, cut(svg->arena, notes->list.at[i], NOTE_LETTERS));
    }
    svg->y += LINE_HEIGHT + 10;
}

static void print_axis(Svg *svg) {
    bool sectors = svg->drawing->sectors;
    text_at(svg, "n", LEFT - 8, svg->y, sectors ? "byte" : "bank");
    for (uint32_t column = 0; column < BANKS; column++)
        text_at(svg, "b", LEFT + column * CELL + CELL / 2, svg->y,
                arena_printf(svg->arena, "%" PRIu32, sectors ? column * BANK_BYTES : column));
    svg->y += AXIS - 7;
}

/* ---- cells ---- */

/* Neighbouring columns that the same lanes have: one box. */
static uint32_t run_length(const GridRow *row, uint32_t column, uint32_t most) {
    uint32_t length = 1;
    while (length < most && column + length < BANKS &&
           row->lanes[column + length] == row->lanes[column] &&
           row->word[column + length] == row->word[column] + length)
        length++;
    return length;
}

static const char *words_text(Arena *arena, uint64_t first, uint32_t count) {
    if (count == 1)
        return arena_printf(arena, "%" PRIu64, first);
    return arena_printf(arena, "%" PRIu64 "-%" PRIu64, first, first + count - 1);
}

static void print_cell(const Svg *svg, const GridRow *row, uint32_t column, uint32_t length) {
    uint32_t lanes = row->lanes[column], first = (uint32_t)__builtin_ctz(lanes);
    uint32_t x = LEFT + column * CELL, middle = x + length * CELL / 2;
    bool several = lanes & (lanes - 1);
    const char *word = words_text(svg->arena, row->word[column], length);
    const char *name = drawing_lanes(svg->arena, lanes);
    fprintf(svg->out, "<g><title>lane%s %s: word%s %s, %s %s</title>", several ? "s" : "", name,
            length > 1 ? "s" : "", word, svg->drawing->sectors ? "column" : "bank",
            words_text(svg->arena, column, length));
    rectangle(svg, arena_printf(svg->arena, "fill=\"%s\" rx=\"3\"", lane_colours[first]), x + 1,
              svg->y + 1, length * CELL - 2, STEP - 4);
    fputs("/>", svg->out);
    if (several)
        name = arena_printf(svg->arena, "×%d", __builtin_popcount(lanes));
    fprintf(svg->out, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">%s</text>", middle,
            svg->y + (svg->drawing->sectors ? 17u : 13u), name);
    if (!svg->drawing->sectors)
        fprintf(svg->out, "<text class=\"w\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">%s</text>", middle,
                svg->y + 22, word);
    fputs("</g>\n", svg->out);
}

/* Of a wavefront all banks; of a line the sectors that are moved. */
static void print_back(const Svg *svg, const GridRow *row) {
    uint32_t piece = svg->drawing->sectors ? SECTOR_BYTES / BANK_BYTES : BANKS;
    for (uint32_t first = 0; first < BANKS; first += piece) {
        uint32_t lanes = 0;
        for (uint32_t column = first; column < first + piece; column++)
            lanes |= row->lanes[column];
        if (!lanes)
            continue;
        rectangle(svg, "class=\"k\" rx=\"4\"", LEFT + first * CELL, svg->y, piece * CELL - 1,
                  STEP - 2);
        fputs("/>\n", svg->out);
    }
}

static void print_row(Svg *svg, const Grid *grid, uint32_t number) {
    const GridRow *row = &grid->at[number];
    uint32_t most = drawing_words(svg->drawing);
    if (number && row->group != grid->at[number - 1].group)
        svg->y += GAP;
    text_at(svg, "n", LEFT - 8, svg->y + 16, arena_printf(svg->arena, "%" PRIu32, number + 1));
    print_back(svg, row);
    fputs("<g class=\"c\">\n", svg->out);
    for (uint32_t column = 0; column < BANKS;) {
        uint32_t length = row->lanes[column] ? run_length(row, column, most) : 1;
        if (row->lanes[column])
            print_cell(svg, row, column, length);
        column += length;
    }
    fputs("</g>\n", svg->out);
    svg->y += STEP;
}

static void print_foot(const Svg *svg) {
    text_at(
        svg, NULL, LEFT, svg->y + FOOT - 8,
        svg->drawing->sectors
            ? "A row is a line of 128 bytes, a grey bar a sector that moves; a cell is the lane "
              "that uses 4 bytes."
            : "A row is a wavefront, a column a bank; a cell is the lane (×8: eight lanes) and, "
              "below it, the word.");
}

static uint32_t height_of(const Grid *grid, uint32_t notes) {
    uint32_t gaps = 0;
    for (uint32_t row = 1; row < grid->rows; row++)
        gaps += grid->at[row].group != grid->at[row - 1].group;
    return TOP + 8 + 3 * LINE_HEIGHT + 13 + notes * (LINE_HEIGHT - 2) + AXIS + grid->rows * STEP +
           gaps * GAP + FOOT;
}

/* Grey stripes, a column each: what rows are filled with. */
static void print_pattern(const Svg *svg) {
    fprintf(svg->out,
            "<pattern id=\"k\" x=\"%d\" width=\"%d\" height=\"%d\" "
            "patternUnits=\"userSpaceOnUse\">",
            LEFT, CELL, STEP);
    rectangle(svg, "class=\"r\"", 0, 0, CELL - 1, STEP);
    fputs("/></pattern>\n", svg->out);
}

static void print_names(const Svg *svg, uint32_t height) {
    fprintf(svg->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu32
            "\" width=\"%d\" height=\"%" PRIu32
            "\" role=\"img\" aria-labelledby=\"title description\">\n<title id=\"title\">",
            WIDTH, height, WIDTH, height);
    xml_text(svg->out, svg->arena, svg->drawing->subject);
    fputs("</title>\n<desc id=\"description\">", svg->out);
    xml_text(svg->out, svg->arena, drawing_what(svg->arena, svg->drawing));
    fputs("; ", svg->out);
    xml_text(svg->out, svg->arena, drawing_verdict(svg->arena, svg->drawing));
    fprintf(svg->out, "</desc>\n<style>%s</style>\n", style);
}

void drawing_svg(const Drawing *drawing, const ReportOptions *options, FILE *out) {
    (void)options;
    Svg svg = {.arena = arena_new(), .out = out, .drawing = drawing};
    Grid grid = drawing_grid(svg.arena, drawing);
    Words notes = drawing_notes(svg.arena, drawing);
    uint32_t height = height_of(&grid, notes.list.count);
    print_names(&svg, height);
    print_pattern(&svg);
    rectangle(&svg, "class=\"p\"", 0, 0, WIDTH, height);
    fputs("/>\n", out);
    print_head(&svg, &notes);
    print_axis(&svg);
    for (uint32_t row = 0; row < grid.rows; row++)
        print_row(&svg, &grid, row);
    print_foot(&svg);
    fputs("</svg>\n", out);
    arena_free(svg.arena);
}
