/* svg.h: a picture as SVG, of bars, lines and words, that stands alone or in a page, in light and in dark. Private to report/. */
#pragma once

#include "report/page.h"

typedef struct Svg Svg;
/* label: what it is, for who cannot see it, and what it shows in sentences. style: of its classes, each of which begins with
 * ".chart". */
Svg *svg_begin(Arena *arena, uint32_t width, uint32_t height, const char *label, const char *style);
const char *svg_end(Svg *svg); /* the text, in the arena */
/* class: of the element, NULL: none. Coordinates are pixels. */
void svg_words(Svg *svg, const char *class, double x, double y, const char *text);
void svg_box(Svg *svg, const char *class, double x, double y, double width, double height);
void svg_line(Svg *svg, const char *class, double x, double y, double to_x, double to_y);
void svg_dot(Svg *svg, const char *class, double x, double y, double radius);
/* count points. */
void svg_area(Svg *svg, const char *class, const double (*points)[2], uint32_t count);
/* What follows until svg_group_end is one thing, of that name. */
void svg_group(Svg *svg, const char *class, const char *title);
void svg_group_end(Svg *svg);
