/* html.h: pages made of the files that html/embed.cmake puts into the program. Private to report/. */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

typedef struct HtmlAsset {
    const char *name; /* "report.html", "style.css", "report.js" */
    const char *text;
} HtmlAsset;
extern const HtmlAsset html_assets[]; /* name NULL at the end */

/* Writes a page, each {{NAME}} in it replaced by the asset of that name, {{data}} by the document.
 * The document is dropped. */
void html_write(Arena *arena, const char *page, json_t *document, FILE *out);
