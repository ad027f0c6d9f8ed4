/* The memory chart: the kernel, shared memory, L1, L2 and DRAM, and between them arrows as wide as what flows. */
#include "report/levels.h"
#include "report/svg.h"

#include <string.h>

enum {
    KERNEL_X = 16,
    KERNEL_WIDTH = 96,
    MIDDLE_X = 352,
    MIDDLE_WIDTH = 128,
    L2_X = 720,
    L2_WIDTH = 92,
    DRAM_X = 1032,
    DRAM_WIDTH = 72,
    WIDTH = DRAM_X + DRAM_WIDTH + 16,
    ROW = 62,   /* of an arrow, with the words above and below it */
    GAP = 66,   /* between boxes above each other: an arrow down */
    TITLE = 34, /* above a picture */
    FOOT = 30,
    HEAD = 11,  /* of an arrow: how long */
    WIDEST = 20 /* arrow, in pixels */
};

#define FLOW_INK "#3f73b5"
static const char style[] =
    ".chart .counted{fill:" FLOW_INK ";fill:light-dark(" FLOW_INK ",#82b6ee)}"
    ".chart .estimated{fill:#c98a1b;fill-opacity:.45;stroke:#c98a1b;stroke-dasharray:5 3}"
    ".chart .bound{fill:none;stroke:" FLOW_INK ";stroke:light-dark(" FLOW_INK
    ",#82b6ee);stroke-dasharray:2 3}";

static const char *class_of(FlowBasis basis) {
    static const char *const classes[] = {"counted", "estimated", "bound"};
    return classes[basis];
}

/* Where the boxes of one picture are. */
typedef struct ChartBox {
    double x, y, width, height; /* height 0: it is not there */
} ChartBox;

typedef struct Chart {
    Arena *arena;
    Svg *svg;
    const Levels *levels;
    ChartBox place[LEVEL_COUNT];
    double y, height;
    double most; /* bytes of the widest arrow */
} Chart;

/* ---- words ---- */

static const char *sign_of(FlowBasis basis) {
    return basis == FLOW_ESTIMATED ? "~" : basis == FLOW_AT_MOST ? "at most " : "";
}

static const char *bytes_words(Arena *arena, uint64_t bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    double value = (double)bytes;
    uint32_t unit = 0;
    for (; value >= 999.5 && unit < 5; unit++)
        value /= 1000;
    return arena_printf(arena,
                        unit == 0       ? "%.0f %s"
                        : value < 9.995 ? "%.2f %s"
                                        : "%.1f %s",
                        value, units[unit]);
}

static const char *asks_words(Arena *arena, const Flow *flow) {
    if (!flow->requests)
        return flow->what;
    return arena_printf(arena, "%s: %s request%s", flow->what, words_count(arena, flow->requests),
                        flow->requests == 1 ? "" : "s");
}

static const char *moves_words(Arena *arena, const Flow *flow) {
    const char *text = sign_of(flow->basis);
    if (flow->wavefronts)
        text = arena_printf(arena, "%s%s wavefronts, ", text, words_count(arena, flow->wavefronts));
    if (flow->sectors)
        text = arena_printf(arena, "%s%s sectors, ", text, words_count(arena, flow->sectors));
    return arena_printf(arena, "%s%s", text, bytes_words(arena, flow->bytes));
}

static const char *flow_words(Arena *arena, const Flow *flow) {
    return arena_printf(arena, "%s to %s, %s; %s (%s)", level_name(flow->from),
                        level_name(flow->to), asks_words(arena, flow), moves_words(arena, flow),
                        flow_basis(flow->basis));
}

/* ---- places ---- */

static bool between(const Flow *flow, Level a, Level b) {
    return (flow->from == a && flow->to == b) || (flow->from == b && flow->to == a);
}

static uint32_t flows_between(const Levels *levels, Level a, Level b) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < levels->count; i++)
        count += between(&levels->flow[i], a, b);
    return count;
}

static uint32_t largest(uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t most = a > b ? a : b;
    return most > c ? most : c;
}

/* Rows of arrows beside a box of the middle; 0: it is not there. */
static uint32_t arrow_rows(const Levels *levels, Level middle) {
    const uint32_t right = flows_between(levels, middle, LEVEL_L2);
    const uint32_t left = flows_between(levels, LEVEL_KERNEL, middle);
    if (middle != LEVEL_L1)
        return largest(left, right,
                       middle == LEVEL_SHARED && flows_between(levels, LEVEL_L1, LEVEL_SHARED));
    const uint32_t beyond = flows_between(levels, LEVEL_L2, LEVEL_DRAM);
    return left || right || flows_between(levels, LEVEL_L1, LEVEL_SHARED)
               ? largest(left, right, beyond ? beyond : 1)
           : flows_between(levels, LEVEL_SHARED, LEVEL_L2) ? largest(beyond, 1, 0)
                                                           : 0;
}

static void place_boxes(Chart *chart) {
    static const Level middle[] = {LEVEL_OTHERS, LEVEL_SHARED, LEVEL_L1};
    const Levels *levels = chart->levels;
    double y = chart->y + TITLE, top = y, l2_top = 0;
    for (size_t i = 0; i < 3; i++) {
        const uint32_t rows = arrow_rows(levels, middle[i]);
        if (!rows)
            continue;
        if (y > top)
            y += middle[i] == LEVEL_L1 && flows_between(levels, LEVEL_L1, LEVEL_SHARED) ? GAP : 14;
        chart->place[middle[i]] = (ChartBox){MIDDLE_X, y, MIDDLE_WIDTH, rows * ROW};
        if (l2_top == 0 && flows_between(levels, middle[i], LEVEL_L2))
            l2_top = y;
        y += rows * ROW;
    }
    const ChartBox *l1 = &chart->place[LEVEL_L1];
    chart->height = (y > top ? y : top + ROW) - chart->y + FOOT;
    chart->place[LEVEL_KERNEL] =
        (ChartBox){KERNEL_X, top, KERNEL_WIDTH, (y > top ? y : top + ROW) - top};
    if (l2_top == 0)
        return;
    chart->place[LEVEL_L2] = (ChartBox){L2_X, l2_top, L2_WIDTH, y - l2_top};
    chart->place[LEVEL_DRAM] = (ChartBox){DRAM_X, l1->y, DRAM_WIDTH, l1->height};
}

/* ---- boxes and arrows ---- */

static void draw_box(const Chart *chart, Level level) {
    const ChartBox *place = &chart->place[level];
    const double rate = level == LEVEL_L1   ? chart->levels->l1_rate
                        : level == LEVEL_L2 ? chart->levels->l2_rate
                                            : -1;
    const bool unknown = level == LEVEL_DRAM && !chart->levels->modelled;
    const double x = place->x + place->width / 2, y = place->y + place->height / 2;
    if (place->height <= 0)
        return;
    const bool others = level == LEVEL_OTHERS;
    svg_box(chart->svg, unknown ? "box unknown" : "box", place->x, place->y, place->width,
            place->height);
    svg_words(chart->svg, "name mid", x, y + (rate < 0 && !unknown && !others ? 4 : -3),
              others ? "shared memory" : level_name(level));
    if (others)
        svg_words(chart->svg, "mid dim", x, y + 14, "of other blocks");
    if (rate >= 0)
        svg_words(chart->svg, "mid dim", x, y + 14,
                  arena_printf(chart->arena, "~%.1f %% hit", 100 * rate));
    if (unknown)
        svg_words(chart->svg, "mid dim", x, y + 14, "--caches");
}

/* Along its axis, from x to x + length; down: from y on. */
static void draw_arrow(const Chart *chart, const Flow *flow, double x, double y, double length,
                       bool down) {
    const double share = (double)flow->bytes / chart->most;
    const double half = share * WIDEST / 2 > 0.75 ? share * WIDEST / 2 : 0.75, wing = half + 4;
    const double neck = length < 0 ? length + HEAD : length - HEAD;
    const double along[7] = {0, neck, neck, length, neck, neck, 0};
    const double across[7] = {-half, -half, -wing, 0, wing, half, half};
    double points[7][2];
    for (uint32_t i = 0; i < 7; i++) {
        points[i][0] = x + (down ? across[i] : along[i]);
        points[i][1] = y + (down ? along[i] : across[i]);
    }
    svg_area(chart->svg, class_of(flow->basis), (const double(*)[2])points, 7);
}

/* The arrows between two boxes beside each other, the nearer to the kernel first. */
static void draw_flows(const Chart *chart, Level near, Level far) {
    const ChartBox *left = &chart->place[near], *right = &chart->place[far];
    const ChartBox *rows = near == LEVEL_KERNEL || near == LEVEL_L2 ? right : left;
    const double begin = left->x + left->width + 4, end = right->x - 4, middle = (begin + end) / 2;
    const double step = rows->height / (flows_between(chart->levels, near, far) + 0.0001);
    double y = rows->y + (step - ROW) / 2;
    for (uint32_t i = 0; i < chart->levels->count; i++) {
        const Flow *flow = &chart->levels->flow[i];
        if (!between(flow, near, far))
            continue;
        const bool back = flow->from == far;
        svg_group(chart->svg, NULL, flow_words(chart->arena, flow));
        svg_words(chart->svg, "mid", middle, y + 12, asks_words(chart->arena, flow));
        draw_arrow(chart, flow, back ? end : begin, y + 29, back ? begin - end : end - begin,
                   false);
        svg_words(chart->svg, "mid dim", middle, y + 54, moves_words(chart->arena, flow));
        svg_group_end(chart->svg);
        y += step;
    }
}

/* cp.async: from L1 up to shared memory. */
static void draw_rise(const Chart *chart) {
    const ChartBox *shared = &chart->place[LEVEL_SHARED], *l1 = &chart->place[LEVEL_L1];
    for (uint32_t i = 0; i < chart->levels->count; i++) {
        const Flow *flow = &chart->levels->flow[i];
        if (!between(flow, LEVEL_SHARED, LEVEL_L1))
            continue;
        const double bottom = shared->y + shared->height, x = l1->x + l1->width / 2;
        svg_group(chart->svg, NULL, flow_words(chart->arena, flow));
        draw_arrow(chart, flow, x, l1->y - 4, bottom - l1->y + 8, true);
        svg_words(chart->svg, NULL, x + 20, l1->y - GAP / 2.0 - 2, asks_words(chart->arena, flow));
        svg_words(chart->svg, "dim", x + 20, l1->y - GAP / 2.0 + 14,
                  moves_words(chart->arena, flow));
        svg_group_end(chart->svg);
    }
}

static void draw_foot(const Chart *chart) {
    double x = KERNEL_X;
    const double y = chart->y + chart->height - 9;
    static const struct {
        FlowBasis basis;
        const char *words;
        double width;
    } keys[] = {{FLOW_COUNTED, "counted", 90},
                {FLOW_ESTIMATED, "~ estimated (--caches)", 170},
                {FLOW_AT_MOST, "at most: hits are not modelled", 0}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        svg_box(chart->svg, class_of(keys[i].basis), x, y - 8, 18, 8);
        svg_words(chart->svg, "dim", x + 24, y, keys[i].words);
        x += keys[i].width;
    }
}

static void draw(Chart *chart, const char *title) {
    svg_words(chart->svg, "name", KERNEL_X, chart->y + 18, title);
    for (Level level = 0; level < LEVEL_COUNT; level++)
        draw_box(chart, level);
    draw_flows(chart, LEVEL_KERNEL, LEVEL_OTHERS);
    draw_flows(chart, LEVEL_KERNEL, LEVEL_SHARED);
    draw_flows(chart, LEVEL_KERNEL, LEVEL_L1);
    draw_rise(chart);
    draw_flows(chart, LEVEL_SHARED, LEVEL_L2);
    draw_flows(chart, LEVEL_L1, LEVEL_L2);
    draw_flows(chart, LEVEL_L2, LEVEL_DRAM);
    draw_foot(chart);
}

/* All of it in sentences. */
static const char *label_of(Arena *arena, const Levels *levels, const char *title) {
    const char *text = arena_printf(arena, "Memory chart, %s.", title);
    for (uint32_t i = 0; i < levels->count; i++)
        text = arena_printf(arena, "%s %s.", text, flow_words(arena, &levels->flow[i]));
    if (levels->l1_rate >= 0)
        text = arena_printf(arena, "%s L1: ~%.1f %% hits.", text, 100 * levels->l1_rate);
    if (levels->l2_rate >= 0)
        text = arena_printf(arena, "%s L2: ~%.1f %% hits.", text, 100 * levels->l2_rate);
    return text;
}

const char *chart_memory(Arena *arena, const Levels *levels[2], const char *titles[2]) {
    Chart charts[2];
    double y = 0, most = 1;
    const char *label = "";
    for (uint32_t c = 0; c < 2; c++) {
        if (!levels[c])
            continue;
        charts[c] = (Chart){.arena = arena, .levels = levels[c], .y = y};
        place_boxes(&charts[c]);
        y += charts[c].height;
        label = arena_printf(arena, "%s%s%s", label, *label ? " " : "",
                             label_of(arena, levels[c], titles[c]));
        for (uint32_t i = 0; i < levels[c]->count; i++)
            most =
                (double)levels[c]->flow[i].bytes > most ? (double)levels[c]->flow[i].bytes : most;
    }
    Svg *svg = svg_begin(arena, WIDTH, (uint32_t)y, label, style);
    for (uint32_t c = 0; c < 2; c++) {
        if (!levels[c])
            continue;
        charts[c].svg = svg;
        charts[c].most = most;
        draw(&charts[c], titles[c]);
    }
    return svg_end(svg);
}
