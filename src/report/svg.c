/* A picture as SVG. Colours follow the page's scheme where it is in one, else the reader's; what does not know light-dark() prints
 * dark on white. */
#include "report/svg.h"

#include <stdlib.h>

struct Svg {
    Arena *arena;
    PrintedText printed;
    FILE *out;
};

#define INK(light, dark) "fill:" light ";fill:light-dark(" light "," dark ")"
static const char common[] =
    ":root{color-scheme:light dark}"
    ".chart text{font:12px ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;" INK(
        "#1f2328",
        "#e4e4e2") "}"
                   ".chart .dim{" INK(
                       "#656b73",
                       "#9a9fa6") "}.chart .end{text-anchor:end}.chart .mid{text-anchor:middle}"
                                  ".chart .name{font-weight:600}"
                                  ".chart .box{" INK(
                                      "#f1efea",
                                      "#24262b") ";stroke:#9a9fa6}.chart "
                                                 ".unknown{fill:none;stroke-dasharray:4 3}"
                                                 ".chart .rule{stroke:#9a9fa6;stroke-width:.6}";

static void put_class(const Svg *svg, const char *class) {
    if (class)
        fprintf(svg->out, " class=\"%s\"", class);
}

Svg *svg_begin(Arena *arena, uint32_t width, uint32_t height, const char *label,
               const char *style) {
    Svg *svg = NEW(arena, Svg);
    svg->arena = arena;
    svg->out = printed_begin(&svg->printed, arena);
    fprintf(svg->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 %u %u\" "
            "width=\"%u\" height=\"%u\" role=\"img\" aria-label=\"",
            width, height, width, height);
    xml_text(svg->out, svg->arena, label);
    fprintf(svg->out, "\">\n<style>%s%s</style>\n", common, style);
    return svg;
}

const char *svg_end(Svg *svg) {
    fputs("</svg>\n", svg->out);
    return printed_end(&svg->printed);
}

void svg_words(Svg *svg, const char *class, double x, double y, const char *text) {
    fputs("<text", svg->out);
    put_class(svg, class);
    fprintf(svg->out, " x=\"%.1f\" y=\"%.1f\">", x, y);
    xml_text(svg->out, svg->arena, text);
    fputs("</text>\n", svg->out);
}

void svg_box(Svg *svg, const char *class, double x, double y, double width, double height) {
    fputs("<rect", svg->out);
    put_class(svg, class);
    fprintf(svg->out, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"4\"/>\n", x, y,
            width, height);
}

void svg_line(Svg *svg, const char *class, double x, double y, double to_x, double to_y) {
    fputs("<path", svg->out);
    put_class(svg, class);
    fprintf(svg->out, " d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x, y, to_x, to_y);
}

void svg_dot(Svg *svg, const char *class, double x, double y, double radius) {
    fputs("<circle", svg->out);
    put_class(svg, class);
    fprintf(svg->out, " cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n", x, y, radius);
}

void svg_area(Svg *svg, const char *class, const double (*points)[2], uint32_t count) {
    fputs("<path", svg->out);
    put_class(svg, class);
    fputs(" d=\"", svg->out);
    for (uint32_t i = 0; i < count; i++)
        fprintf(svg->out, "%c%.1f %.1f", i ? 'L' : 'M', points[i][0], points[i][1]);
    fputs("Z\"/>\n", svg->out);
}

void svg_group(Svg *svg, const char *class, const char *title) {
    fputs("<g", svg->out);
    put_class(svg, class);
    fputs("><title>", svg->out);
    xml_text(svg->out, svg->arena, title);
    fputs("</title>\n", svg->out);
}

void svg_group_end(Svg *svg) {
    fputs("</g>\n", svg->out);
}
