/* The roofline as a picture: operations a byte from left to right, operations a second upwards, both in powers of ten. */
#include "report/levels.h"
#include "report/svg.h"

#include <math.h>

enum { LEFT = 76, TOP = 32, PLOT_WIDTH = 640, PLOT_HEIGHT = 340, BOTTOM = 44, RIGHT = 310 };
enum { WIDTH = LEFT + PLOT_WIDTH + RIGHT, HEIGHT = TOP + PLOT_HEIGHT + BOTTOM };
enum { NAMES_MOST = 14, DECADES = 6 };
#define LEAST_INTENSITY 0.001

static const Level roofs[] = {LEVEL_L1, LEVEL_L2,
                              LEVEL_DRAM}; /* that of L1 is shared memory's, too */
static const Level marks[] = {LEVEL_SHARED, LEVEL_L1, LEVEL_L2, LEVEL_DRAM};

/* A level's ink, of what is filled with it and of its roof. */
#define LEVEL_STYLE(name, light, dark)                                                             \
    ".chart ." name "{fill:" light ";fill:light-dark(" light "," dark ")}"                         \
    ".chart .roof." name "{fill:none;stroke:" light ";stroke:light-dark(" light "," dark ")}"
static const char style[] =
    ".chart .roof{stroke:#656b73;stroke:light-dark(#656b73,#9a9fa6);stroke-width:1.6}"
    ".chart .hollow circle{fill-opacity:.2;stroke:#656b73;stroke:light-dark(#656b73,#9a9fa6);"
    "stroke-dasharray:2 1.5}" LEVEL_STYLE("shared", "#7a5bb8", "#b9a2ea")
        LEVEL_STYLE("l1", "#3f73b5", "#82b6ee") LEVEL_STYLE("l2", "#1c6b3c", "#7ccf97")
            LEVEL_STYLE("dram", "#b3261e", "#ff8a75");

typedef struct Plot {
    Arena *arena;
    Svg *svg;
    const RoofPoint *points;
    uint32_t count;
    double low, high; /* powers of ten of operations a second, in 10^9 */
    bool tensor;      /* some point has operations of tensor cores */
} Plot;

static const char *class_of(Level level) {
    static const char *const classes[] = {"", "shared", "", "l1", "l2", "dram"};
    return classes[level];
}

static double x_at(double intensity) {
    const double at =
        log10(intensity < LEAST_INTENSITY ? LEAST_INTENSITY : intensity) - log10(LEAST_INTENSITY);
    return LEFT + PLOT_WIDTH * (at < DECADES ? at : DECADES) / DECADES;
}

static double y_at(const Plot *plot, double gflops) {
    const double at = (log10(gflops > 1e-9 ? gflops : 1e-9) - plot->low) / (plot->high - plot->low);
    return TOP + PLOT_HEIGHT * (1 - (at < 0 ? 0 : at > 1 ? 1 : at));
}

/* ---- what a launch is ---- */

/* What most of its operations are of. */
static RoofUnit unit_of(const Roofline *roofline) {
    RoofUnit most = ROOF_FP32;
    for (RoofUnit unit = ROOF_FP32; unit < ROOF_UNITS; unit++)
        if (roofline->operations[unit] > roofline->operations[most])
            most = unit;
    return most;
}

static double operations_of(const Roofline *roofline) {
    double sum = 0;
    for (RoofUnit unit = ROOF_FP32; unit < ROOF_UNITS; unit++)
        sum += roofline->operations[unit];
    return sum;
}

/* Operations a second: measured, or estimated; else what the lowest of its roofs allows. */
static double speed_of(const Roofline *roofline, bool *known) {
    const double operations = operations_of(roofline);
    *known = roofline->seconds > 0;
    if (*known)
        return operations / roofline->seconds / 1e9;
    double least = roofline->peak[unit_of(roofline)];
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        const double bytes = roofline->bytes[marks[m]];
        if (bytes <= 0 || roofline->basis[marks[m]] == FLOW_AT_MOST)
            continue;
        const double allowed = roof_at(roofline, marks[m], unit_of(roofline), operations / bytes);
        least = allowed < least ? allowed : least;
    }
    return least;
}

/* ---- the axes and the roofs ---- */

static void draw_axes(const Plot *plot) {
    for (int decade = 0; decade <= DECADES; decade++) {
        const double x = LEFT + (double)PLOT_WIDTH * decade / DECADES;
        svg_line(plot->svg, "rule", x, TOP, x, TOP + PLOT_HEIGHT);
        svg_words(plot->svg, "mid dim", x, TOP + PLOT_HEIGHT + 16,
                  arena_printf(plot->arena, "%g", LEAST_INTENSITY * pow(10, decade)));
    }
    for (double power = plot->low; power <= plot->high; power++) {
        const double y = y_at(plot, pow(10, power));
        svg_line(plot->svg, "rule", LEFT, y, LEFT + PLOT_WIDTH, y);
        svg_words(plot->svg, "end dim", LEFT - 6, y + 4,
                  arena_printf(plot->arena, power < 0 ? "%g" : "%.0f", pow(10, power)));
    }
    svg_words(plot->svg, "mid", LEFT + PLOT_WIDTH / 2.0, HEIGHT - 8, "operations a byte");
    svg_words(plot->svg, NULL, 6, 14, "10⁹ operations a second");
}

static double highest_of(const Plot *plot, const Roofline *roofline) {
    return roofline
        ->peak[plot->tensor && roofline->peak[ROOF_TENSOR] > 0 ? ROOF_TENSOR : ROOF_FP32];
}

static void draw_roof(const Plot *plot, const Roofline *roofline, Level level) {
    const double gbs = roofline->gbs[level], peak = highest_of(plot, roofline);
    double from = LEAST_INTENSITY, to = peak / gbs;
    if (gbs * from < pow(10, plot->low))
        from = pow(10, plot->low) / gbs;
    svg_group(plot->svg, NULL, arena_printf(plot->arena, "%s: %.0f GB/s", level_name(level), gbs));
    svg_line(plot->svg, arena_printf(plot->arena, "roof %s", class_of(level)), x_at(from),
             y_at(plot, gbs * from), x_at(to), y_at(plot, peak));
    svg_group_end(plot->svg);
}

static void draw_peak(const Plot *plot, const Roofline *roofline, RoofUnit unit) {
    const double peak = roofline->peak[unit], y = y_at(plot, peak);
    if (peak <= 0)
        return;
    svg_line(plot->svg, "roof", x_at(peak / roofline->gbs[LEVEL_L1]), y, LEFT + PLOT_WIDTH, y);
    svg_words(plot->svg, "dim end", LEFT + PLOT_WIDTH - 4, y - 4,
              arena_printf(plot->arena, "%s %.4g TFLOP/s", roof_unit(unit), peak / 1e3));
}

/* ---- the points ---- */

static const char *point_words(Arena *arena, const RoofPoint *point) {
    bool known;
    const Roofline *roofline = &point->roofline;
    const double speed = speed_of(roofline, &known), operations = operations_of(roofline);
    const char *text = arena_printf(arena, "%s (launch %u): %s%.4g 10^9 operations a second",
                                    point->name, point->launch,
                                    !known                                      ? "no more than "
                                    : roofline->seconds_basis == FLOW_ESTIMATED ? "~"
                                                                                : "",
                                    speed);
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
        if (roofline->bytes[marks[m]] > 0)
            text = arena_printf(arena, "%s; %s%.3g a byte of %s", text,
                                roofline->basis[marks[m]] == FLOW_ESTIMATED ? "~"
                                : roofline->basis[marks[m]] == FLOW_AT_MOST ? "at least "
                                                                            : "",
                                operations / roofline->bytes[marks[m]], level_name(marks[m]));
    return text;
}

static void draw_point(const Plot *plot, uint32_t number) {
    const RoofPoint *point = &plot->points[number];
    const Roofline *roofline = &point->roofline;
    bool known;
    const double operations = operations_of(roofline), speed = speed_of(roofline, &known);
    if (operations <= 0)
        return;
    svg_group(plot->svg, known && roofline->seconds_basis == FLOW_COUNTED ? NULL : "hollow",
              point_words(plot->arena, point));
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        const double bytes = roofline->bytes[marks[m]];
        if (bytes <= 0)
            continue;
        const double x = x_at(operations / bytes), y = y_at(plot, speed);
        svg_dot(plot->svg, class_of(marks[m]), x, y, 5);
        svg_words(plot->svg, "mid", x, y - 8, arena_printf(plot->arena, "%u", number + 1));
    }
    svg_group_end(plot->svg);
}

static void draw_names(const Plot *plot) {
    double y = TOP + 8;
    const double x = LEFT + PLOT_WIDTH + 16;
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++, y += 18) {
        svg_dot(plot->svg, class_of(marks[m]), x + 5, y - 4, 5);
        svg_words(plot->svg, NULL, x + 18, y,
                  arena_printf(plot->arena, "bytes of %s: at most %.3g TB/s", level_name(marks[m]),
                               plot->points[0].roofline.gbs[marks[m]] / 1e3));
    }
    svg_words(plot->svg, "dim", x, y + 2, "pale: no time is measured; where");
    svg_words(plot->svg, "dim", x, y + 18, "none is estimated, what roofs allow");
    y += 44;
    for (uint32_t i = 0; i < plot->count && i < NAMES_MOST; i++, y += 17)
        svg_words(
            plot->svg, NULL, x, y,
            arena_printf(plot->arena, "%u  %.30s%s", i + 1, plot->points[i].name,
                         operations_of(&plot->points[i].roofline) > 0 ? "" : " (no operations)"));
    if (plot->count > NAMES_MOST)
        svg_words(plot->svg, "dim", x, y,
                  arena_printf(plot->arena, "and %u more", plot->count - NAMES_MOST));
}

/* From below the slowest point to above the highest roof. */
static void set_range(Plot *plot) {
    const Roofline *first = &plot->points[0].roofline;
    double low = first->peak[ROOF_FP32];
    for (uint32_t i = 0; i < plot->count; i++) {
        bool known;
        const double speed = speed_of(&plot->points[i].roofline, &known);
        if (operations_of(&plot->points[i].roofline) > 0 && speed < low)
            low = speed;
        plot->tensor |= plot->points[i].roofline.operations[ROOF_TENSOR] > 0;
    }
    plot->high = ceil(log10(highest_of(plot, first) * 1.2));
    plot->low = floor(log10(low > 1e-3 ? low : 1e-3));
    if (plot->low > plot->high - 3)
        plot->low = plot->high - 3;
}

const char *chart_roofline(Arena *arena, const RoofPoint *points, uint32_t count) {
    Plot plot = {.arena = arena, .points = points, .count = count};
    const char *label = "Roofline.";
    for (uint32_t i = 0; i < count && i < NAMES_MOST; i++)
        label = arena_printf(arena, "%s %s.", label, point_words(arena, &points[i]));
    if (count > NAMES_MOST)
        label = arena_printf(arena, "%s And %u more.", label, count - NAMES_MOST);
    plot.svg = svg_begin(arena, WIDTH, HEIGHT, label, style);
    set_range(&plot);
    draw_axes(&plot);
    for (size_t r = 0; r < sizeof roofs / sizeof *roofs; r++)
        draw_roof(&plot, &points[0].roofline, roofs[r]);
    draw_peak(&plot, &points[0].roofline, ROOF_FP32);
    draw_peak(&plot, &points[0].roofline, ROOF_FP64);
    if (plot.tensor)
        draw_peak(&plot, &points[0].roofline, ROOF_TENSOR);
    for (uint32_t i = 0; i < count; i++)
        draw_point(&plot, i);
    draw_names(&plot);
    return svg_end(plot.svg);
}
